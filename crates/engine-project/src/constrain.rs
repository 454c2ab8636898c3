//! What paths may be left out: projections, orders of independent steps, names of identical threads.
//!
//! *Projection* (the constraint C_F of the paper): every step either violates, or writes something a later step reads. With
//! program counters among the variables this splits in two: a later step of the same thread needs this one; otherwise another
//! thread has to read what it wrote. The paper asks this for every pair of steps; asked for every step and variable ("is it read
//! later?") it is the same and grows with the depth only, not with its square. Sharper than the paper's, if wanted: what is
//! overwritten before it is read does not count.
//!
//! *Order:* neighbours that do not touch the same variables stand in the order of their threads. *Names:* of threads that
//! are the same and have not begun, the first begins.
//!
//! All three keep a shortest violating path: leaving out a step that nobody needs gives a shorter one; exchanging neighbours or
//! names gives one of the same length whose sequence of threads is smaller. So the least of the shortest paths satisfies all of
//! them at once. None of them says anything about how long paths can become: that is asked without them.

use crate::symmetry::Class;
use crate::unroll::Unrolling;
use raddle_actions::system::VarId;
use raddle_ccfg::InstanceId;
use raddle_solver::blast::BlastError;
use raddle_solver::term::{Sort, TermId};
use std::collections::{BTreeMap, BTreeSet};

/// Which paths are left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reductions {
    /// Only projections.
    pub projection: bool,
    /// Projections are those of the paper, even where a sharper constraint is known.
    pub as_printed: bool,
    /// Independent neighbours stand in the order of their threads.
    pub order: bool,
    /// Threads that are the same begin one after the other.
    pub symmetry: bool,
}

impl Reductions {
    /// Every path.
    pub const NONE: Reductions = Reductions {
        projection: false,
        as_printed: false,
        order: false,
        symmetry: false,
    };

    /// Whether read and write conditions are needed.
    pub fn needs_conditions(&self) -> bool {
        self.projection || self.order
    }
}

/// The constraints, as far as they have been stated.
pub struct Constraints {
    reductions: Reductions,
    /// Holds while the reductions do.
    pub reduced: TermId,
    /// What the property is about; written by a step that has no other reason.
    aim: BTreeSet<VarId>,
    /// Steps that are dealt with.
    done: usize,
    /// By thread: it is touched after the last step.
    touched_later: Vec<TermId>,
    /// By variable: it is read after the last step.
    read_later: BTreeMap<VarId, TermId>,
    /// Groups of threads that are the same.
    classes: Vec<Class>,
}

impl Constraints {
    /// Nothing stated yet.
    pub fn new(
        unrolling: &mut Unrolling,
        reductions: Reductions,
        aim: BTreeSet<VarId>,
        classes: Vec<Class>,
    ) -> Constraints {
        let reduced = unrolling.system.pool.fresh_var("reduced", Sort::Bool);
        Constraints {
            reductions,
            reduced,
            aim,
            done: 0,
            touched_later: Vec::new(),
            read_later: BTreeMap::new(),
            classes,
        }
    }

    /// States what holds for new steps.
    pub fn extend(&mut self, u: &mut Unrolling) -> Result<(), BlastError> {
        while self.done < u.steps.len() {
            if self.reductions.projection {
                self.project(u)?;
            }
            if self.reductions.order && self.done > 0 {
                self.order(u)?;
            }
            if self.reductions.symmetry {
                self.names(u)?;
            }
            self.done += 1;
        }
        Ok(())
    }

    /// What to assume for paths that end with the last step.
    pub fn ends_here(&self, u: &mut Unrolling) -> Vec<TermId> {
        let pool = &mut u.system.pool;
        let mut all = vec![self.reduced];
        for t in self.touched_later.iter().chain(self.read_later.values()) {
            all.push(pool.not(*t));
        }
        // One term rather than hundreds: the solver takes it as one assumption.
        let everything = pool.and_all(all);
        vec![everything]
    }

    fn project(&mut self, u: &mut Unrolling) -> Result<(), BlastError> {
        let i = self.done;
        let step = &u.steps[i];
        let pool = &mut u.system.pool;
        let never = pool.bool(false);
        // Promises of the step before: somebody has to keep them, this step or a later one.
        let mut touched_later = Vec::new();
        for (q, touched) in step.touched.iter().enumerate() {
            let later = pool.fresh_var(&format!("touched{q}>{i}"), Sort::Bool);
            if let Some(promise) = self.touched_later.get(q) {
                let kept = pool.or(*touched, later);
                let kept = pool.implies(*promise, kept);
                u.solver.assert(pool, kept)?;
            }
            touched_later.push(later);
        }
        let mut read_later = BTreeMap::new();
        for v in &u.footprints.shared {
            let later = pool.fresh_var(&format!("read{}>{i}", v.0), Sort::Bool);
            if let Some(promise) = self.read_later.get(v) {
                let now = step.reads.get(v).copied().unwrap_or(never);
                let lost = match self.reductions.as_printed {
                    true => never,
                    false => step.writes.get(v).copied().unwrap_or(never),
                };
                let not_lost = pool.not(lost);
                let after = pool.and(later, not_lost);
                let kept = pool.or(now, after);
                let kept = pool.implies(*promise, kept);
                u.solver.assert(pool, kept)?;
            }
            read_later.insert(*v, later);
        }
        let mut reasons = vec![step.idle, step.bad];
        for (q, touched) in step.touched.iter().enumerate() {
            reasons.push(pool.and(*touched, touched_later[q]));
        }
        for (v, written) in &step.writes {
            match self.aim.contains(v) {
                true => reasons.push(*written),
                false => reasons.push(pool.and(*written, read_later[v])),
            }
        }
        let reason = pool.or_all(reasons);
        let constraint = pool.implies(self.reduced, reason);
        u.solver.assert(pool, constraint)?;
        (self.touched_later, self.read_later) = (touched_later, read_later);
        Ok(())
    }

    fn order(&mut self, u: &mut Unrolling) -> Result<(), BlastError> {
        let (first, second) = (&u.steps[self.done - 1], &u.steps[self.done]);
        let pool = &mut u.system.pool;
        let mut reasons = vec![first.idle];
        for (x, y) in first.touched.iter().zip(&second.touched) {
            reasons.push(pool.and(*x, *y));
        }
        for v in &u.footprints.shared {
            let of = |all: &BTreeMap<VarId, TermId>| all.get(v).copied();
            for (x, y) in [
                (of(&first.writes), of(&second.reads)),
                (of(&first.writes), of(&second.writes)),
                (of(&first.reads), of(&second.writes)),
            ] {
                if let (Some(x), Some(y)) = (x, y) {
                    reasons.push(pool.and(x, y));
                }
            }
        }
        let dependent = pool.or_all(reasons);
        // A thread with a higher number came before.
        let mut higher = pool.bool(false);
        for p in (0..second.run.len()).rev() {
            let wrong = pool.and(second.run[p], higher);
            let wrong = pool.and(wrong, self.reduced);
            let needed = pool.implies(wrong, dependent);
            u.solver.assert(pool, needed)?;
            higher = pool.or(higher, first.run[p]);
        }
        Ok(())
    }

    fn names(&mut self, u: &mut Unrolling) -> Result<(), BlastError> {
        let i = self.done;
        for (first, class) in &self.classes {
            for pair in class.windows(2) {
                let (p, q) = (pair[0], pair[1]);
                let at = |t: InstanceId| u.states[i].at[t.0 as usize][*first];
                let (waits, begins) = (at(p), at(q));
                let run = u.steps[i].run[q.0 as usize];
                let pool = &mut u.system.pool;
                let begins = pool.and(run, begins);
                let both = pool.and(begins, waits);
                let both = pool.and(both, self.reduced);
                let never = pool.not(both);
                u.solver.assert(pool, never)?;
            }
        }
        Ok(())
    }
}
