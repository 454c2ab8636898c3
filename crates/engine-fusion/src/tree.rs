//! Wakeup trees: what is still to be explored from a state, as sequences of events with common beginnings.
//!
//! After Abdulla, Aronis, Jonsson and Sagonas (Optimal dynamic partial order reduction, POPL 2014, and Source sets, JACM
//! 2017). A sequence is inserted below the first branch that can come first in it (a *weak initial*), and not at all
//! if that branch is a leaf, because a leaf is explored in all its continuations.
//!
//! An event is a thread and the answers to its choices. The last event of a sequence has not been executed in its new
//! place, so its answers are open ([`Answers::Any`]): all are tried.

use crate::trace::Name;
use raddle_interp::footprint::{Cell, Touch};
use std::rc::Rc;

/// Which answers an event gets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answers {
    /// All, beginning with these.
    Any(Vec<u32>),
    /// Exactly these.
    Exactly(Rc<[u32]>),
}

/// An event to come.
#[derive(Clone, Debug)]
pub struct Item {
    /// Who.
    pub thread: Name,
    /// With which answers.
    pub answers: Answers,
    /// What it touches.
    pub touches: Rc<[Touch]>,
}

impl Item {
    /// Whether the event asks for nothing.
    fn is_answerless(&self) -> bool {
        matches!(&self.answers, Answers::Exactly(a) if a.is_empty())
    }
}

/// An event to be explored, and what is prescribed after it.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The event.
    pub item: Item,
    /// What follows; nothing means everything.
    pub children: Vec<Branch>,
}

/// An event that was explored already: no execution that can begin with it is explored again.
#[derive(Clone, Debug)]
pub struct Sleeper {
    /// Who.
    pub thread: Name,
    /// With which answers.
    pub answers: Rc<[u32]>,
    /// What it touches.
    pub touches: Rc<[Touch]>,
    /// All other answers of this thread are asleep, too.
    pub complete: bool,
}

/// Whether two steps of different threads conflict.
#[inline]
pub fn conflict(a: &[Touch], b: &[Touch]) -> bool {
    let whole = |t: &[Touch]| t.first().is_some_and(|t| t.cell == Cell::Everything);
    if whole(a) || whole(b) {
        return true;
    }
    a.iter().any(|x| b.iter().any(|y| x.conflicts(y)))
}

/// Where a thread's first event stands in a sequence, and whether it can come first.
fn initial(v: &[Item], thread: Name) -> Option<(usize, bool)> {
    let at = v.iter().position(|i| i.thread == thread)?;
    let free = v[..at]
        .iter()
        .all(|i| !conflict(&i.touches, &v[at].touches));
    Some((at, free))
}

/// Whether some sleeper is a weak initial of a sequence, so that it was explored already.
pub fn is_asleep(sleep: &[Sleeper], v: &[Item]) -> bool {
    sleep.iter().any(|s| match initial(v, s.thread) {
        Some((at, free)) => {
            free && match &v[at].answers {
                Answers::Exactly(answers) => *answers == s.answers,
                Answers::Any(_) => s.complete,
            }
        }
        None => {
            s.complete
                && sleep
                    .iter()
                    .filter(|o| o.thread == s.thread)
                    .all(|o| v.iter().all(|i| !conflict(&i.touches, &o.touches)))
        }
    })
}

/// Inserts a sequence; false if it is covered already.
pub fn insert(branches: &mut Vec<Branch>, mut v: Vec<Item>) -> bool {
    if v.is_empty() {
        return false;
    }
    for b in branches.iter_mut() {
        let whole = matches!(b.item.answers, Answers::Any(_));
        match initial(&v, b.item.thread) {
            Some((at, true))
                if whole || b.item.is_answerless() || v[at].answers == b.item.answers =>
            {
                v.remove(at);
            }
            Some(_) => continue,
            None => {
                let alone = whole || b.item.is_answerless();
                if !alone || v.iter().any(|i| conflict(&i.touches, &b.item.touches)) {
                    continue;
                }
            }
        }
        return !b.children.is_empty() && insert(&mut b.children, v);
    }
    let mut chain: Vec<Branch> = Vec::new();
    while let Some(item) = v.pop() {
        chain = vec![Branch {
            item,
            children: chain,
        }];
    }
    branches.append(&mut chain);
    true
}
