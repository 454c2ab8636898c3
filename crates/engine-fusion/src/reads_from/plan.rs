//! Beginnings of executions: events as they were in an execution that was run, and then one or two that happen in another way.

use super::event::Access;
use super::order::{Item, order};
use super::{Explorer, Unfit};
use crate::trace::Name;

/// The beginning of an execution.
pub(crate) struct Leaf {
    /// What happens.
    pub steps: Vec<Planned>,
    /// By thread: how many events these are.
    pub base: Vec<u32>,
    /// The node's own event is among them.
    pub own: bool,
}

/// An event that is to happen.
#[derive(Clone)]
pub(crate) struct Planned {
    pub thread: Name,
    /// The answers it gets; if they are open, these come first.
    pub answers: Vec<u32>,
    /// What it has to be.
    expected: Expected,
    /// It has to write.
    writes: bool,
    /// Other answers are to be tried later.
    open: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// What was met before.
    Met(u128),
    /// This but for its answers.
    Unanswered(u128),
    /// Something that reads from this event of a thread.
    From(Name, u32),
}

impl Planned {
    /// Whether it is an event that was met before, this one.
    pub(crate) fn is(&self, id: u128) -> bool {
        self.expected == Expected::Met(id)
    }
}

/// An event that happens in another way than in the execution.
pub(crate) struct Changed {
    pub thread: Name,
    pub index: u32,
    pub access: Option<Access>,
    pub sources: Vec<Source>,
    /// The answers to begin with.
    pub answers: Vec<u32>,
    /// It has to write.
    pub writes: bool,
}

/// From whom a changed event reads.
#[derive(Clone, Copy)]
pub(crate) enum Source {
    /// An event of the execution, or what was there before all of them.
    Met(Option<u32>),
    /// The first of the changed events.
    Changed,
}

impl Explorer<'_, '_> {
    /// Whether the last event is what was planned.
    pub(crate) fn went_as(&self, planned: &Planned) -> bool {
        let Some(fact) = self.facts.last() else {
            return false;
        };
        let writes = fact.access.is_some_and(|a| a.writes);
        let source = |s: &Option<u32>| s.map(|s| self.trace.events()[s as usize]);
        let right = match planned.expected {
            Expected::Met(id) => fact.id == id,
            Expected::Unanswered(number) => fact.unanswered == number,
            Expected::From(thread, index) => {
                let mut all = fact.sources.iter().map(source);
                all.all(|e| e.is_some_and(|e| (e.thread, e.index) == (thread, index)))
            }
        };
        right && (writes || !planned.writes)
    }

    /// Has the other answers of open events, as far as they have happened, tried later. Whether this beginning is a new one.
    pub(crate) fn branch(&mut self, leaf: &Leaf) -> bool {
        let open = |at: &usize| leaf.steps[*at].open;
        let all: Vec<usize> = (0..leaf.steps.len().min(self.facts.len()))
            .filter(open)
            .collect();
        let mut more = Vec::new();
        for (n, &at) in all.iter().enumerate() {
            let Some(next) = self.facts[at].next.clone() else {
                continue;
            };
            let mut steps = leaf.steps.clone();
            for &settled in &all[..n] {
                steps[settled].answers = self.trace.answers(settled).to_vec();
                steps[settled].open = false;
            }
            steps[at].answers = next;
            for &reset in &all[n + 1..] {
                steps[reset].answers.clear();
            }
            more.push(Leaf {
                steps,
                base: leaf.base.clone(),
                own: leaf.own,
            });
        }
        // A write that took another's place may have been met in its own right, with the same answers.
        let swapped = all.first().filter(|at| leaf.steps[**at].writes);
        let asked = swapped.filter(|at| self.facts[**at].asked);
        let known = asked.map(|at| self.facts[*at].id);
        let Some(node) = self.nodes.last_mut() else {
            return true;
        };
        node.leaves.extend(more);
        known.is_none_or(|id| node.keys.insert(id))
    }

    /// The beginning of an execution with these events, as they were, and then changed ones.
    pub(crate) fn plan(
        &self,
        upto: Vec<u32>,
        changed: &[Changed],
        own: bool,
    ) -> Result<Option<Leaf>, Unfit> {
        // First as if changed events that may write did so: then the order is right whether or not they do.
        for assume in [true, false] {
            let unsure = |c: &Changed| !c.writes && c.access.is_some_and(|a| a.unsure);
            if !assume && !changed.iter().any(unsure) {
                break;
            }
            let found = self.arrange(&upto, changed, assume);
            if let Some(steps) = found? {
                let mut base = upto;
                for c in changed {
                    base[c.thread.0 as usize] = c.index;
                }
                return Ok(Some(Leaf { steps, base, own }));
            }
        }
        Ok(None)
    }

    fn arrange(
        &self,
        upto: &[u32],
        changed: &[Changed],
        assume: bool,
    ) -> Result<Option<Vec<Planned>>, Unfit> {
        // Events in the order of the execution, changed ones at their place; those that did not happen last.
        let mut which: Vec<(usize, Option<usize>)> = Vec::new();
        for at in 0..self.trace.len() {
            let event = self.trace.events()[at];
            if event.index <= upto[event.thread.0 as usize] {
                which.push((at, None));
            }
        }
        for (n, c) in changed.iter().enumerate() {
            let met = self.trace.of_thread(c.thread).get(c.index as usize - 1);
            let place = met.map_or(self.trace.len(), |at| *at as usize);
            which.push((place, Some(n)));
        }
        which.sort_unstable_by_key(|(at, n)| (*at, n.is_some()));
        let mut items_of = vec![usize::MAX; self.trace.len()];
        let mut first = usize::MAX;
        for (item, (at, n)) in which.iter().enumerate() {
            match n {
                None => items_of[*at] = item,
                Some(0) => first = item,
                Some(_) => {}
            }
        }
        let mut threads: Vec<Vec<usize>> = vec![Vec::new(); upto.len()];
        let mut items = Vec::with_capacity(which.len());
        for (item, (at, n)) in which.iter().enumerate() {
            let (thread, index) = match n {
                None => {
                    let e = self.trace.events()[*at];
                    (e.thread, e.index)
                }
                Some(n) => (changed[*n].thread, changed[*n].index),
            };
            threads[thread.0 as usize].push(item);
            let mut after: Vec<usize> = Vec::new();
            if index == 1 {
                after.extend(self.trace.birth(thread).map(|b| items_of[b]));
            }
            let (access, sources) = match n {
                None => {
                    let fact = &self.facts[*at];
                    after.extend(fact.after.iter().map(|a| items_of[*a as usize]));
                    let sources = fact.sources.iter();
                    let items = sources.map(|s| s.map(|s| items_of[s as usize]));
                    (fact.access, items.collect())
                }
                Some(n) => {
                    let mut access = changed[*n].access;
                    if let Some(a) = &mut access
                        && a.unsure
                        && !changed[*n].writes
                    {
                        a.writes = assume;
                    }
                    let sources = changed[*n].sources.iter().map(|s| match s {
                        Source::Met(s) => s.map(|s| items_of[s as usize]),
                        Source::Changed => Some(first),
                    });
                    (access, sources.collect())
                }
            };
            items.push(Item {
                access,
                sources,
                after,
            });
        }
        let found = order(&threads, &items).map_err(|_| Unfit("orders that are hard to find"))?;
        let Some(path) = found else {
            return Ok(None);
        };
        let steps = path.into_iter().map(|item| {
            let (at, n) = which[item];
            match n {
                None => self.as_met(at),
                Some(n) => self.as_changed(&changed[n], changed),
            }
        });
        Ok(Some(steps.collect()))
    }

    fn as_met(&self, at: usize) -> Planned {
        Planned {
            thread: self.trace.events()[at].thread,
            answers: self.trace.answers(at).to_vec(),
            expected: Expected::Met(self.facts[at].id),
            writes: false,
            open: false,
        }
    }

    fn as_changed(&self, c: &Changed, all: &[Changed]) -> Planned {
        let met = |s: &Source| match s {
            Source::Met(s) => Some(self.id_of(*s)),
            Source::Changed => None,
        };
        let sources: Option<Vec<u128>> = c.sources.iter().map(met).collect();
        let expected = match sources {
            Some(all) => Expected::Unanswered(self.identify_with(c.thread, c.index, &all)),
            None => Expected::From(all[0].thread, all[0].index),
        };
        Planned {
            thread: c.thread,
            answers: c.answers.clone(),
            expected,
            writes: c.writes,
            open: true,
        }
    }
}
