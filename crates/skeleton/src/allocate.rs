//! Memory that is asked for while the program runs.
//!
//! Every object of a skeleton has one size. Where a size depends on inputs or on what others wrote, the request is split: one object
//! for every size it can have, if those are few, else for some small ones. What is left over is not followed, and said.

use crate::names::{ObjectKey, Path};
use crate::state::State;
use crate::unwind::Unwinder;
use crate::values;
use raddle_ir::{Location, Memory};
use raddle_solver::term::{Op, Sort, Term, TermId};
use raddle_symbolic::{Targets, Value};
use std::collections::{BTreeSet, HashMap};

/// So many objects stand for one request at most.
const MOST: usize = 8;
/// Where nothing is known about a number in a size, these are tried.
const SMALL: [u128; 4] = [1, 2, 3, 4];
/// Larger objects have more bytes than can be followed.
const LARGEST: u128 = 1 << 24;

/// What a program asks for.
#[derive(Clone, Copy)]
pub(crate) struct Request {
    pub memory: Memory,
    pub size: TermId,
    pub align: u64,
    pub zeroed: bool,
}

impl Unwinder<'_> {
    /// The address of new memory; `None` if the thread does not go on.
    pub(crate) fn allocate(
        &mut self,
        state: &mut State,
        request: Request,
        here: Path,
        at: Location,
    ) -> Option<Value> {
        let known = matches!(self.pool.term(request.size), Term::Bits { .. });
        let sizes = self.sizes(request.size);
        let mut covered = self.pool.bool(false);
        let mut made: Vec<(TermId, Value)> = Vec::new();
        for size in sizes {
            let when = self.equals(request.size, size);
            if self.is_constant(when) == Some(false) {
                continue;
            }
            if size > LARGEST {
                let guard = self.and(state.flow.guard, when);
                self.unsupported(guard, at, "an allocation of more than 16 MB");
                let other = self.pool.not(when);
                self.restrict(&mut state.flow, other);
                continue;
            }
            let own = match known {
                true => here,
                // One name for each size: nothing else goes on from an allocation.
                false => self.names.path(here, at, &[size as u32]),
            };
            let key = match request.memory {
                Memory::Heap => ObjectKey::Heap(self.current.thread, own),
                Memory::Stack => ObjectKey::Array(self.current.thread, own),
            };
            let Some(object) = self
                .names
                .object(key, size as u64, request.align, request.zeroed)
            else {
                self.unsupported(state.flow.guard, at, "more memory than addresses");
                return None;
            };
            self.note_birth(object);
            if request.memory == Memory::Stack {
                state.arrays.push(object);
                self.current.slots.push(object);
            }
            covered = self.pool.or(covered, when);
            made.push((when, self.address(object, 0)));
        }
        let other = self.pool.not(covered);
        let rest = self.and(state.flow.guard, other);
        let what = "an allocation whose size is not known beforehand";
        self.unsupported(rest, at, what);
        self.restrict(&mut state.flow, covered);
        let (_, last) = made.last()?.clone();
        if request.memory == Memory::Heap {
            let entry = self.enter_log(at, state.flow.guard);
            for (when, value) in &made {
                let Targets::These(all) = &value.targets else {
                    continue;
                };
                for object in all.iter() {
                    let when = (!known).then_some(*when);
                    self.note_presence(&mut state.flow, *object, true, when, None, entry);
                }
            }
        }
        let rest = made.iter().rev().skip(1);
        Some(rest.fold(last, |other, (when, value)| {
            value.choose(&mut self.pool, *when, &other)
        }))
    }

    /// The sizes that are followed.
    fn sizes(&mut self, size: TermId) -> BTreeSet<u128> {
        match self.values_of(size) {
            Some(all) => all.iter().copied().take(MOST).collect(),
            None => self.examples(size),
        }
    }

    /// Some values a term could have, computed from what is known about its parts and from small numbers for all else.
    fn examples(&mut self, term: TermId) -> BTreeSet<u128> {
        let mut found: HashMap<TermId, Vec<u128>> = HashMap::new();
        for id in self.pool.reachable(&[term]) {
            let Sort::BitVec(width) = self.pool.sort(id) else {
                continue;
            };
            let args = self.pool.args(id).to_vec();
            let all = match (self.values_of(id), self.pool.term(id)) {
                (Some(all), _) => Some(all.to_vec()),
                (None, Term::App { op: Op::Ite, .. }) => {
                    let both = args[1..].iter().filter_map(|t| found.get(t));
                    Some(both.flatten().copied().collect())
                }
                (None, &Term::App { op, .. }) => {
                    let sets: Option<Vec<&[u128]>> =
                        args.iter().map(|a| Some(&found.get(a)?[..])).collect();
                    sets.and_then(|sets| values::image(&mut self.pool, op, &args, &sets))
                }
                _ => None,
            };
            let fits = |v: &u128| width >= 128 || *v < 1 << width;
            let all = all.unwrap_or_else(|| SMALL.into_iter().filter(fits).collect());
            // The smallest of them: those that could lead somewhere.
            let few: BTreeSet<u128> = all.into_iter().collect();
            found.insert(id, few.into_iter().take(MOST).collect());
        }
        found
            .remove(&term)
            .unwrap_or_default()
            .into_iter()
            .collect()
    }
}
