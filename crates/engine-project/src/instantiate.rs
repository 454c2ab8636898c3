//! Terms of an action at a step: state variables replaced by their values there, each term once.

use raddle_solver::term::{Term, TermId, TermPool};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Terms are small numbers: one multiplication spreads them.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for b in bytes {
            self.write_u32(u32::from(*b));
        }
    }
    fn write_u32(&mut self, n: u32) {
        self.0 = (self.0.rotate_left(5) ^ u64::from(n)).wrapping_mul(0x517c_c1b7_2722_0a95);
    }
}

/// The terms of one step.
#[derive(Default)]
pub struct Instantiation {
    done: HashMap<TermId, TermId, BuildHasherDefault<Spread>>,
    stack: Vec<TermId>,
    args: Vec<TermId>,
}

impl Instantiation {
    /// States what a variable is at this step.
    pub fn set(&mut self, variable: TermId, value: TermId) {
        self.done.insert(variable, value);
    }

    /// A term at this step; variables without a value stay.
    pub fn term(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        self.stack.push(root);
        while let Some(&id) = self.stack.last() {
            if self.done.contains_key(&id) {
                self.stack.pop();
                continue;
            }
            let op = match *pool.term(id) {
                Term::App { op, .. } => op,
                _ => {
                    self.done.insert(id, id);
                    self.stack.pop();
                    continue;
                }
            };
            self.args.clear();
            let before = self.stack.len();
            for arg in pool.args(id) {
                match self.done.get(arg) {
                    Some(done) => self.args.push(*done),
                    None => self.stack.push(*arg),
                }
            }
            if self.stack.len() > before {
                continue;
            }
            self.stack.pop();
            let image = match self.args == pool.args(id) {
                true => id,
                false => pool.apply_op(op, &self.args),
            };
            self.done.insert(id, image);
        }
        self.done[&root]
    }
}
