//! Terms of an action at a step: state variables replaced by their values there, each term once.

use raddle_solver::term::{Term, TermId, TermPool};
use std::collections::HashMap;

/// The terms of one step.
#[derive(Default)]
pub struct Instantiation {
    done: HashMap<TermId, TermId>,
}

impl Instantiation {
    /// States what a variable is at this step.
    pub fn set(&mut self, variable: TermId, value: TermId) {
        self.done.insert(variable, value);
    }

    /// A term at this step; variables without a value stay.
    pub fn term(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        if let Some(done) = self.done.get(&root) {
            return *done;
        }
        for id in pool.reachable_until(&[root], |t| self.done.contains_key(&t)) {
            if self.done.contains_key(&id) {
                continue;
            }
            let image = match *pool.term(id) {
                Term::App { op, .. } => {
                    let args: Vec<TermId> = pool.args(id).iter().map(|a| self.done[a]).collect();
                    match args == pool.args(id) {
                        true => id,
                        false => pool.apply_op(op, &args),
                    }
                }
                _ => id,
            };
            self.done.insert(id, image);
        }
        self.done[&root]
    }
}
