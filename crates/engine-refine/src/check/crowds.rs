//! Any number of threads (`crowd.rs` of `raddle-actions`): what a proof says of the first of two, the second is taken to know, too.
//!
//! That is right if the actions of both are the same but for the names of their own variables, and if what is said of a place is about
//! shared variables and its own thread, not about some other one of the crowd. Both are checked here. Then the conditions of `threads.rs`, for
//! these two and all others, are those for any number: each is about one thread, or about two that differ.

use crate::modular::{Invariants, Where};
use crate::symmetry::Symmetry;
use crate::system::{Status, System};
use raddle_ccfg::InstanceId;
use raddle_solver::term::TermId;
use std::collections::HashMap;

/// The invariants with those of the second of each crowd.
pub(super) fn with_twins(system: &mut System, given: &Invariants) -> Result<Invariants, String> {
    let names = Symmetry::without_groups(system);
    let mut all = given.clone();
    let children = system.children();
    for (w, holds) in &given.holds {
        if system.first_of(w.thread) != w.thread {
            return Err("a place of the second of a crowd".into());
        }
        for h in holds {
            for t in system.pool.free_variables(&[*h]) {
                let var = system.by_term.get(&t);
                let owner = system.owner(*var.ok_or("an invariant about no variable")?);
                let foreign = owner.filter(|o| *o != w.thread && system.is_of_crowd(*o));
                // The argument of one that was made and not started: there is no other one yet.
                let made = |o: InstanceId| {
                    let made = children.get(w.thread.0 as usize).into_iter().flatten();
                    let at = made.zip(&w.children).find(|(c, _)| **c == o);
                    at.is_some_and(|(_, status)| *status == Status::Made)
                };
                if foreign.is_some_and(|o| !made(o)) {
                    return Err("an invariant about one of any number of threads".into());
                }
            }
        }
    }
    for (a, b) in system.crowds.clone() {
        if !names.interchangeable(system, a, b) {
            return Err("threads that are not alike".into());
        }
        if given.detail.get(a.0 as usize) != given.detail.get(b.0 as usize) {
            return Err("threads that are told apart".into());
        }
        let mut map: HashMap<TermId, TermId> = HashMap::new();
        for v in 0..system.variables.len() as u32 {
            let v = crate::system::VarId(v);
            if system.owner(v) == Some(a) {
                let to = names
                    .renamed(v, |_| b)
                    .ok_or("threads that are not alike")?;
                let term = |v: crate::system::VarId| system.variables[v.0 as usize].term;
                map.insert(term(v), term(to));
            }
        }
        for (w, holds) in given.holds.iter().filter(|(w, _)| w.thread == a) {
            let twin = Where {
                thread: b,
                ..w.clone()
            };
            let holds = holds.iter();
            let holds = holds.map(|h| system.pool.substitute(*h, &map)).collect();
            all.holds.insert(twin, holds);
        }
    }
    Ok(all)
}
