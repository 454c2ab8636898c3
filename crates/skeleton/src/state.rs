//! What a thread knows of itself at a point of its unwinding, and how two such points become one.

use crate::contents::{self, Memory};
use crate::guard::{Guard, Guards};
use crate::names::{CellId, Names, Path};
use crate::protected::{self, Known};
use raddle_ir::{LocalId, Program, Ty};
use raddle_solver::term::{TermId, TermPool};
use raddle_symbolic::{ObjectId, Value};
use std::collections::BTreeMap;
use std::rc::Rc;

/// An atomic region that was entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inside {
    /// How many regions are open.
    pub depth: u32,
    /// The block of its events.
    pub block: u32,
    /// Where it began.
    pub path: Path,
    /// When that point was reached, whether or not the thread is let in.
    pub before: Guard,
    /// The condition of being let in, if there is one besides the guard.
    pub entered: Option<raddle_solver::term::TermId>,
    /// It has written something.
    pub wrote: bool,
    /// It is one of the user's, not of the library's.
    pub user: bool,
}

/// The part of a state that survives a return.
#[derive(Clone, Debug)]
pub struct Flow {
    /// When this point is reached.
    pub guard: Guard,
    /// Private memory.
    pub memory: Memory,
    /// The atomic region around.
    pub inside: Option<Inside>,
    /// Locks this thread holds for certain.
    pub held: Rc<Vec<CellId>>,
    /// Perhaps it holds more.
    pub unsure: bool,
    /// Objects that were freed or went out of scope for certain or perhaps.
    pub ended: Rc<Vec<ObjectId>>,
    /// What is in cells that a lock or an atomic region protects.
    pub known: Known,
    /// How many inputs were asked for, if they are given.
    pub asked: u32,
}

/// A state within a function.
#[derive(Clone, Debug)]
pub struct State {
    /// What survives a return.
    pub flow: Flow,
    /// Values of locals; `None` if never assigned.
    pub locals: Vec<Option<Value>>,
    /// Those among them that were perhaps never assigned, and when.
    pub open: BTreeMap<LocalId, TermId>,
    /// The objects of live slots.
    pub slots: Vec<Option<ObjectId>>,
    /// Arrays that end with the function at the latest.
    pub arrays: Vec<ObjectId>,
}

/// What merging needs.
pub struct Merger<'a> {
    /// Terms.
    pub pool: &'a mut TermPool,
    /// Guards.
    pub guards: &'a mut Guards,
    /// Names.
    pub names: &'a mut Names,
    /// The program.
    pub program: &'a Program,
}

/// Two states that cannot be merged.
pub struct Mismatch(pub &'static str);

impl Merger<'_> {
    /// Two flows as one, and the condition that tells them apart.
    pub fn flows(
        &mut self,
        a: &Flow,
        b: &Flow,
    ) -> Result<(Flow, raddle_solver::term::TermId), Mismatch> {
        let (guard, which) = self.guards.merge(self.pool, a.guard, b.guard);
        let inside = match (&a.inside, &b.inside) {
            (None, None) => None,
            (Some(x), Some(y)) if x.block == y.block && x.depth == y.depth => Some(Inside {
                wrote: x.wrote || y.wrote,
                user: x.user && y.user,
                ..x.clone()
            }),
            _ => {
                return Err(Mismatch(
                    "paths meet inside and outside of an atomic region",
                ));
            }
        };
        let held = match Rc::ptr_eq(&a.held, &b.held) || a.held == b.held {
            true => a.held.clone(),
            false => {
                // As often as on both: a lock can be held twice.
                let mut left = Vec::clone(&b.held);
                let mut both = Vec::clone(&a.held);
                both.retain(|c| match left.iter().position(|d| d == c) {
                    Some(i) => {
                        left.swap_remove(i);
                        true
                    }
                    None => false,
                });
                Rc::new(both)
            }
        };
        let ended = match Rc::ptr_eq(&a.ended, &b.ended) || a.ended == b.ended {
            true => a.ended.clone(),
            false => {
                let mut all = Vec::clone(&a.ended);
                all.extend(b.ended.iter().copied());
                all.sort_unstable();
                all.dedup();
                Rc::new(all)
            }
        };
        let memory = contents::merge(
            self.pool,
            self.program,
            self.names,
            which,
            &a.memory,
            &b.memory,
        );
        let known = protected::merge(self.pool, which, &a.known, &b.known);
        if a.asked != b.asked {
            return Err(Mismatch(
                "paths meet that have asked for inputs differently",
            ));
        }
        let flow = Flow {
            asked: a.asked,
            known,
            guard,
            memory,
            inside,
            held,
            unsure: a.unsure || b.unsure || a.held != b.held,
            ended,
        };
        Ok((flow, which))
    }

    /// Two states of one function as one, at a place where some of the locals may still be used.
    pub fn states(
        &mut self,
        a: State,
        b: State,
        used: &dyn Fn(LocalId) -> bool,
        type_of: &dyn Fn(LocalId) -> Ty,
    ) -> Result<State, Mismatch> {
        let (flow, which) = self.flows(&a.flow, &b.flow)?;
        let mut locals = Vec::with_capacity(a.locals.len());
        let mut open = BTreeMap::new();
        for (i, (x, y)) in a.locals.into_iter().zip(b.locals).enumerate() {
            let l = LocalId(i as u32);
            let wait = |u: &mut Self, map: &BTreeMap<LocalId, TermId>, none: bool| match map.get(&l)
            {
                Some(c) => *c,
                None => u.pool.bool(none),
            };
            let one_sided = x.is_none() != y.is_none();
            let waits = a.open.contains_key(&l) || b.open.contains_key(&l);
            if (one_sided || waits) && used(l) {
                let left = wait(self, &a.open, x.is_none());
                let right = wait(self, &b.open, y.is_none());
                open.insert(l, self.pool.ite(which, left, right));
            }
            locals.push(match (x, y) {
                (Some(x), Some(y)) if x == y => Some(x),
                (Some(x), Some(y)) => Some(x.choose(self.pool, which, &y)),
                // The side that did not assign it holds anything.
                (Some(x), None) if used(l) => {
                    let any = self.anything(type_of(l));
                    Some(x.choose(self.pool, which, &any))
                }
                (None, Some(y)) if used(l) => {
                    let any = self.anything(type_of(l));
                    Some(any.choose(self.pool, which, &y))
                }
                (x, y) => x.or(y),
            });
        }
        let mut slots = Vec::with_capacity(a.slots.len());
        for (x, y) in a.slots.into_iter().zip(b.slots) {
            slots.push(match (x, y) {
                (Some(x), Some(y)) if x != y => {
                    return Err(Mismatch(
                        "paths meet with different objects for one variable",
                    ));
                }
                (x, y) => x.or(y),
            });
        }
        let mut arrays = a.arrays;
        arrays.extend(b.arrays);
        arrays.sort_unstable();
        arrays.dedup();
        Ok(State {
            flow,
            locals,
            open,
            slots,
            arrays,
        })
    }

    fn anything(&mut self, ty: Ty) -> Value {
        let sort = raddle_symbolic::sort_of(ty, self.program.model);
        Value::number(self.pool.fresh_var("unassigned", sort))
    }
}
