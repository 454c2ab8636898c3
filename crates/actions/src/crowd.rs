//! Any number of threads: two stand for all that a creation makes if it can repeat.
//!
//! What is proved thread by thread, in Owicki and Gries's way, needs no more than that: a thread's own steps are those of the first of the two, and what any
//! other one does to it is what the first does to the second, provided that the actions of both are the same but for the names of their own
//! variables. So nothing may depend on which numbers they have: a thread's number is a variable here ([`Origin::Identity`]), of which only
//! [`System::axioms`] are known, and all threads of a crowd have one handle, since only joins look at handles; a join of one of them waits for nobody.
//!
//! Who last changed a cell is kept in an auxiliary variable ([`Origin::Changer`]), as in Owicki and Gries's own examples: that
//! a flag is up because *I* put it up is what a lock made of a flag rests on, and neither its value nor a place of one thread says so.
//!
//! A system of this kind is for such proofs alone; a run of it is no run of the program. *Misses:* threads of a crowd that make or join threads; that one is over once it was joined; creations in crowds; objects of theirs that others access.

use crate::system::{ActionId, Origin, Outcome, System, VarId};
use raddle_ccfg::{Ccfg, InstanceId};
use raddle_ir::layout;
use raddle_solver::term::{Term, TermId};
use std::collections::BTreeSet;

/// More cells than this are not watched.
const WATCHED: usize = 40;

impl System {
    /// A system for proofs about any number of threads; `None` if no creation repeats, or it cannot be treated.
    pub fn for_any_number(ccfg: Ccfg) -> Option<System> {
        let mut system = System::without_actions(ccfg, 2);
        for t in system.instances.ids() {
            let template = system.ccfg.template(system.instances.get(t).template);
            for (s, site) in template.sites.iter().enumerate() {
                let made = system.instances.made.get(&(t, s as u32));
                match (made.map(|m| &m[..]), site.repeats) {
                    (Some([a, b]), true) => system.crowds.push((*a, *b)),
                    (Some([_]), false) => {}
                    _ => return None,
                }
            }
        }
        let makes = |t: InstanceId| {
            system
                .instances
                .list
                .iter()
                .any(|i| i.maker.is_some_and(|m| m.0 == t))
        };
        let all = system.crowds.iter();
        if system.crowds.is_empty() || all.clone().any(|(a, b)| makes(*a) || makes(*b)) {
            return None;
        }
        if system.is_open() {
            return None;
        }
        for t in system.instances.ids() {
            system.variable(Origin::Identity(t));
        }
        system.name_identities();
        system.add_actions();
        system.settle_control();
        system.watch();
        Some(system)
    }

    /// Whether a thread is one of two that stand for any number.
    pub fn is_of_crowd(&self, thread: InstanceId) -> bool {
        self.crowds
            .iter()
            .any(|(a, b)| *a == thread || *b == thread)
    }

    /// The other one of the two.
    pub fn twin(&self, thread: InstanceId) -> Option<InstanceId> {
        self.crowds.iter().find_map(|(a, b)| match thread {
            t if t == *a => Some(*b),
            t if t == *b => Some(*a),
            _ => None,
        })
    }

    /// The first of its crowd, or the thread itself.
    pub fn first_of(&self, thread: InstanceId) -> InstanceId {
        let crowd = self.crowds.iter().find(|(_, b)| *b == thread);
        crowd.map_or(thread, |(a, _)| *a)
    }

    /// The thread whose own a variable is.
    pub fn owner(&self, var: VarId) -> Option<InstanceId> {
        match self.variables[var.0 as usize].origin {
            Origin::Cell(_, owner) => owner,
            Origin::Local(t, _) | Origin::Result(t) | Origin::Identity(t) => Some(t),
            // Others wake it.
            Origin::Sleep(_) => None,
            Origin::Contents(_) | Origin::Changer(_) => None,
        }
    }

    /// Whether somebody may access what another thread of a crowd owns: there are more of these than the two.
    fn is_open(&self) -> bool {
        let crowds = self.crowds.iter();
        let crowds: BTreeSet<_> = crowds.map(|c| self.instances.get(c.0).template).collect();
        let owned = |o: raddle_ccfg::ObjectId| {
            let owner = self.ccfg.object(o).owner;
            owner.is_some_and(|t| crowds.contains(&t))
        };
        let edges = self.ccfg.templates.iter().flat_map(|t| &t.edges);
        let mut steps = edges.flat_map(|e| &e.steps);
        steps.any(|s| {
            let mut cells = s.cells.iter();
            let mut within = s.within.iter();
            cells.any(|p| !p.own && owned(self.ccfg.cell(p.cell).object))
                || within.any(|w| !w.own && owned(w.object))
        })
    }

    /// Numbers of threads differ, are not 0, and fit where locks keep them.
    fn name_identities(&mut self) {
        let all: Vec<TermId> = self
            .instances
            .ids()
            .filter_map(|t| self.known(Origin::Identity(t)))
            .map(|v| self.variables[v.0 as usize].term)
            .collect();
        let zero = self.pool.bits(32, 0);
        let limit = self.pool.bits(32, u128::from(layout::OWNER));
        for (i, a) in all.iter().enumerate() {
            let differs = self.pool.ne(*a, zero);
            let fits = self.pool.bv_ule(*a, limit);
            self.axioms.extend([differs, fits]);
            for b in &all[i + 1..] {
                let differs = self.pool.ne(*a, *b);
                self.axioms.push(differs);
            }
        }
    }

    /// The second of a crowd is never made, and there are never too many.
    fn settle_control(&mut self) {
        let never = self.pool.bool(false);
        let seconds: Vec<InstanceId> = self.crowds.iter().map(|c| c.1).collect();
        let mut gone: BTreeSet<ActionId> = BTreeSet::new();
        for (i, a) in self.actions.iter_mut().enumerate() {
            let second = a.control.iter().any(|c| seconds.contains(&c.0));
            if second || a.outcome == Outcome::TooMany {
                (a.guard, a.updates) = (never, Vec::new());
                gone.insert(ActionId(i as u32));
            }
        }
        for all in self.outgoing.iter_mut().flatten() {
            all.retain(|a| !gone.contains(a));
        }
    }

    /// Keeps who last changed each shared cell that threads of crowds change.
    fn watch(&mut self) {
        let mut cells: BTreeSet<(VarId, raddle_ccfg::CellId)> = BTreeSet::new();
        for a in self.actions.iter().filter(|a| self.is_of_crowd(a.thread)) {
            for (v, _) in &a.updates {
                if let Origin::Cell(c, None) = self.variables[v.0 as usize].origin
                    && !self.locks.contains(v)
                {
                    cells.insert((*v, c));
                }
            }
        }
        for (var, cell) in cells.into_iter().take(WATCHED) {
            let changer = self.variable(Origin::Changer(cell));
            let before = self.variables[changer.0 as usize].term;
            let old = self.variables[var.0 as usize].term;
            for i in 0..self.actions.len() {
                let a = &self.actions[i];
                let Some((_, new)) = a.updates.iter().find(|u| u.0 == var).copied() else {
                    continue;
                };
                let Some(me) = self.known(Origin::Identity(a.thread)) else {
                    continue;
                };
                let me = self.variables[me.0 as usize].term;
                let same = self.pool.eq(new, old);
                let then = self.pool.ite(same, before, me);
                if !matches!(self.pool.term(same), Term::Bool(true)) {
                    self.actions[i].updates.push((changer, then));
                    let reads = self.read_by(&[then]);
                    self.actions[i].reads.extend(reads);
                    self.actions[i].reads.sort_unstable();
                    self.actions[i].reads.dedup();
                }
            }
        }
    }
}
