//! What an operation does to the word of its object: a list of cases, of which the first that holds counts.

use super::{SyncAlgebra, SyncClass, SyncOp};
use super::{condition, mutex, reader_writer, semaphore, spin, word};

/// What an operation finds.
pub struct Before<A: SyncAlgebra> {
    /// The word of the object.
    pub word: A::Word,
    /// The kind of a mutex, as it lies in memory; of anything else, 0.
    pub kind: A::Word,
    /// The thread as words name it: its number + 1.
    pub me: A::Word,
    /// Whether the thread holds a reader–writer lock, whose word does not name its readers.
    pub holds: A::Truth,
    /// The second argument; of operations that have none, 0.
    pub argument: A::Word,
}

/// What happens in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect<W> {
    /// The object gets a new word; the result is 0.
    Becomes(W),
    /// Nothing changes; the result is an error code.
    Fails(u32),
    /// Nothing changes; this is the result.
    Tells(W),
    /// What happens is undefined.
    Undefined,
}

/// A case.
pub struct Case<A: SyncAlgebra> {
    /// When it is this one, unless an earlier one holds.
    pub when: A::Truth,
    /// What happens then.
    pub effect: Effect<A::Word>,
}

/// No description needs more cases.
const MOST: usize = 6;

/// What an operation does: the first case that holds. If none does, the thread is blocked.
///
/// A number picks its case ([`Transition::effect`]); terms say when the word changes, to what, and what the result is.
pub struct Transition<A: SyncAlgebra> {
    cases: [Option<Case<A>>; MOST],
    length: usize,
    /// The last case holds for certain.
    settled: bool,
}

impl<A: SyncAlgebra> Transition<A> {
    #[inline]
    pub(super) fn new() -> Transition<A> {
        Transition {
            cases: [const { None }; MOST],
            length: 0,
            settled: false,
        }
    }

    /// Adds a case behind the others. What cannot happen is left out, so that numbers keep one case at most.
    #[inline]
    pub(super) fn case(mut self, when: A::Truth, effect: Effect<A::Word>) -> Transition<A> {
        let known = A::known(when);
        if !self.settled && known != Some(false) {
            self.settled = known == Some(true);
            self.cases[self.length] = Some(Case { when, effect });
            self.length += 1;
        }
        self
    }

    /// Adds what happens if no other case holds.
    #[inline]
    pub(super) fn otherwise(self, algebra: &mut A, effect: Effect<A::Word>) -> Transition<A> {
        let always = algebra.truth(true);
        self.case(always, effect)
    }

    /// The cases, in order.
    #[inline]
    pub fn cases(&self) -> impl DoubleEndedIterator<Item = &Case<A>> {
        self.cases[..self.length].iter().flatten()
    }

    /// When the thread is not blocked.
    pub fn enabled(&self, algebra: &mut A) -> A::Truth {
        let never = algebra.truth(false);
        let cases = self.cases();
        cases.fold(never, |some, case| algebra.or(some, case.when))
    }

    /// When the object gets a new word.
    pub fn changes(&self, algebra: &mut A) -> A::Truth {
        let mut changes = algebra.truth(false);
        for case in self.cases().rev() {
            changes = match case.effect {
                Effect::Becomes(_) => algebra.or(case.when, changes),
                _ => {
                    let other = algebra.not(case.when);
                    algebra.and(other, changes)
                }
            };
        }
        changes
    }

    /// The new word, where it gets one; `None` if it never does.
    pub fn new_word(&self, algebra: &mut A) -> Option<A::Word> {
        let mut word = None;
        for case in self.cases().rev() {
            if let Effect::Becomes(new) = case.effect {
                word = Some(match word {
                    Some(word) => algebra.choose(case.when, new, word),
                    None => new,
                });
            }
        }
        word
    }

    /// The result, where the thread goes on and what happens is defined.
    pub fn result(&self, algebra: &mut A) -> A::Word {
        let mut result = algebra.word(0);
        for case in self.cases().rev() {
            let here = match case.effect {
                Effect::Becomes(_) => algebra.word(0),
                Effect::Fails(code) => algebra.word(code),
                Effect::Tells(what) => what,
                Effect::Undefined => continue,
            };
            result = algebra.choose(case.when, here, result);
        }
        result
    }
}

impl Transition<super::Concrete> {
    /// What happens; `None` if the thread is blocked.
    #[inline]
    pub fn effect(&self) -> Option<Effect<u32>> {
        // What does not hold was left out.
        self.cases[0].as_ref().map(|case| case.effect)
    }
}

impl SyncOp {
    /// What it does to the word of its object; `None` of operations that work on none.
    ///
    /// Of a mutex, [`SyncOp::MutexInit`] also sets the kind to its argument, and [`SyncOp::SemInit`] marks a semaphore.
    #[inline]
    pub fn transition<A: SyncAlgebra>(
        self,
        algebra: &mut A,
        before: &Before<A>,
    ) -> Option<Transition<A>> {
        Some(match self.class() {
            SyncClass::Mutex => mutex::transition(self, algebra, before),
            SyncClass::Spin => spin::transition(self, algebra, before),
            SyncClass::Rw => reader_writer::transition(self, algebra, before),
            SyncClass::Sem => semaphore::transition(self, algebra, before),
            SyncClass::Cond => condition::transition(self, algebra, before),
            SyncClass::Word => word::transition(self, algebra, before),
            SyncClass::Thread | SyncClass::Process => return None,
        })
    }

    /// When the word tells that it is misuse (`valid-sync`); `None` where the word does not tell, besides of destroyed ones: when what is
    /// initialised is held, when a thread sleeps on a condition variable, when a semaphore was never made.
    #[inline]
    pub fn misuse<A: SyncAlgebra>(self, algebra: &mut A, before: &Before<A>) -> Option<A::Truth> {
        match self.class() {
            SyncClass::Mutex => mutex::misuse(self, algebra, before),
            SyncClass::Spin => spin::misuse(self, algebra, before),
            SyncClass::Rw => reader_writer::misuse(self, algebra, before),
            SyncClass::Sem => semaphore::misuse(self, algebra, before),
            SyncClass::Cond => condition::misuse(self, algebra, before),
            SyncClass::Word | SyncClass::Thread | SyncClass::Process => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sync::{Concrete, Role, layout};

    fn befores() -> Vec<Before<Concrete>> {
        let mut all = Vec::new();
        let words = [0, 1, 2, 3, 0x0030_0001, 0xfff0_0001, layout::SEMAPHORE_MAX];
        let more = [layout::WRITER | 1, layout::WRITER | 2, layout::DESTROYED];
        for word in words.into_iter().chain(more) {
            for kind in 0..4 {
                for holds in [false, true] {
                    all.push(Before {
                        word,
                        kind,
                        me: 1,
                        holds,
                        argument: 3,
                    });
                }
            }
        }
        all
    }

    /// What terms are made of says the same as the case that a number picks.
    #[test]
    fn the_summary_agrees_with_the_cases() {
        for op in SyncOp::ALL {
            for before in befores() {
                let Some(transition) = op.transition(&mut Concrete, &before) else {
                    continue;
                };
                let what = format!("{} of {:#x}", op.name(), before.word);
                let effect = transition.effect();
                assert_eq!(
                    transition.enabled(&mut Concrete),
                    effect.is_some(),
                    "{what}"
                );
                let changes = transition.changes(&mut Concrete);
                let new = transition.new_word(&mut Concrete);
                let result = transition.result(&mut Concrete);
                match effect {
                    Some(Effect::Becomes(word)) => {
                        assert!(changes, "{what}");
                        assert_eq!((new, result), (Some(word), 0), "{what}");
                    }
                    Some(Effect::Fails(code)) => {
                        assert!(!changes && result == code && code != 0, "{what}");
                    }
                    Some(Effect::Tells(value)) => assert!(!changes && result == value, "{what}"),
                    Some(Effect::Undefined) | None => assert!(!changes, "{what}"),
                }
            }
        }
    }

    #[test]
    fn only_what_can_block_is_ever_blocked() {
        for op in SyncOp::ALL.iter().filter(|op| !op.can_block()) {
            for before in befores() {
                let transition = op.transition(&mut Concrete, &before);
                let effect = transition.map(|t| t.effect().is_some());
                assert_ne!(effect, Some(false), "{} of {:#x}", op.name(), before.word);
            }
        }
    }

    #[test]
    fn what_only_looks_changes_nothing() {
        let looks = |op: &&SyncOp| matches!(op.role(), Role::Look | Role::Await);
        for op in SyncOp::ALL.iter().filter(looks) {
            for before in befores() {
                let transition = op.transition(&mut Concrete, &before).expect("a word");
                assert_eq!(transition.new_word(&mut Concrete), None, "{}", op.name());
            }
        }
    }
}
