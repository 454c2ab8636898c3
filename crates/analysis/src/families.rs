//! Thread families: all threads made by one creation, and who makes whom.
//!
//! A family is the initial thread, or all threads of one `thread_new`. Where library functions are copied per call
//! site ([`crate::clones`]) that is one family per `pthread_create` in the user's code. A family has *several*
//! members unless its creation runs at most once.

use crate::calls::CallGraph;
use crate::points_to::PointsTo;
use raddle_ir::{FuncId, Location, Op, Program, SyncOp};
use std::collections::{BTreeMap, BTreeSet};

/// A thread family; 0 is the initial thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FamilyId(pub u32);

impl FamilyId {
    /// The initial thread.
    pub const INITIAL: FamilyId = FamilyId(0);
}

/// Threads of one origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// The `thread_new` they come from; `None` for the initial thread.
    pub creation: Option<Location>,
    /// The functions they may begin with.
    pub entries: BTreeSet<FuncId>,
    /// All functions they may run.
    pub functions: BTreeSet<FuncId>,
    /// There may be more than one.
    pub several: bool,
    /// The families that may make them.
    pub parents: BTreeSet<FamilyId>,
    /// The families they may make, directly or not.
    pub descendants: BTreeSet<FamilyId>,
    /// The families that some member of must have lived before any of these: on every way from the initial thread,
    /// this one included.
    pub ancestors: BTreeSet<FamilyId>,
}

/// All families.
#[derive(Clone, Debug)]
pub struct Families {
    list: Vec<Family>,
    by_creation: BTreeMap<Location, FamilyId>,
    of_function: Vec<Vec<FamilyId>>,
}

impl Families {
    /// Finds them.
    pub fn new(program: &Program, points_to: &PointsTo, calls: &CallGraph) -> Families {
        let mut list = vec![family(None, BTreeSet::from([program.entry]), calls, false)];
        let mut by_creation = BTreeMap::new();
        for (at, callees) in points_to.sites() {
            let new = matches!(
                program.instr(at).map(|i| &i.op),
                Some(Op::Sync {
                    op: SyncOp::ThreadNew,
                    ..
                })
            );
            if new {
                let body = |f: &FuncId| program.function(*f).has_body();
                let entries = callees.iter().copied().filter(body).collect();
                by_creation.insert(at, FamilyId(list.len() as u32));
                list.push(family(Some(at), entries, calls, !calls.runs_once(at)));
            }
        }
        let mut of_function = vec![Vec::new(); program.functions.len()];
        for (i, f) in list.iter().enumerate() {
            for function in &f.functions {
                of_function[function.0 as usize].push(FamilyId(i as u32));
            }
        }
        let mut families = Families {
            list,
            by_creation,
            of_function,
        };
        families.relate();
        families
    }

    fn relate(&mut self) {
        let n = self.list.len();
        for i in 0..n {
            if let Some(at) = self.list[i].creation {
                let parents = self.of_function[at.function.0 as usize].iter().copied();
                self.list[i].parents = parents.collect();
            }
        }
        let mut children: Vec<Vec<FamilyId>> = vec![Vec::new(); n];
        for (i, f) in self.list.iter().enumerate() {
            for p in &f.parents {
                children[p.0 as usize].push(FamilyId(i as u32));
            }
        }
        for (i, f) in self.list.iter_mut().enumerate() {
            let mut todo = children[i].clone();
            while let Some(d) = todo.pop() {
                if f.descendants.insert(d) {
                    todo.extend(&children[d.0 as usize]);
                }
            }
        }
        // Dominators of the creation graph, as sets: there are few families.
        let all: BTreeSet<FamilyId> = (0..n as u32).map(FamilyId).collect();
        let mut ancestors = vec![all; n];
        ancestors[0] = BTreeSet::from([FamilyId::INITIAL]);
        let mut changed = true;
        while changed {
            changed = false;
            for i in 1..n {
                let mut new: Option<BTreeSet<FamilyId>> = None;
                for p in &self.list[i].parents {
                    let theirs = &ancestors[p.0 as usize];
                    new = Some(match new {
                        None => theirs.clone(),
                        Some(set) => set.intersection(theirs).copied().collect(),
                    });
                }
                let mut new = new.unwrap_or_default();
                new.insert(FamilyId(i as u32));
                if new != ancestors[i] {
                    ancestors[i] = new;
                    changed = true;
                }
            }
        }
        for (f, a) in self.list.iter_mut().zip(ancestors) {
            f.ancestors = a;
        }
    }

    /// A family.
    pub fn get(&self, id: FamilyId) -> &Family {
        &self.list[id.0 as usize]
    }

    /// All ids.
    pub fn ids(&self) -> impl Iterator<Item = FamilyId> + use<> {
        (0..self.list.len() as u32).map(FamilyId)
    }

    /// The family of a `thread_new`.
    pub fn created_at(&self, at: Location) -> Option<FamilyId> {
        self.by_creation.get(&at).copied()
    }

    /// The families that may run a function.
    pub fn running(&self, f: FuncId) -> &[FamilyId] {
        &self.of_function[f.0 as usize]
    }
}

fn family(
    creation: Option<Location>,
    entries: BTreeSet<FuncId>,
    calls: &CallGraph,
    several: bool,
) -> Family {
    Family {
        creation,
        functions: calls.called_from(entries.iter().copied()),
        entries,
        several,
        parents: BTreeSet::new(),
        descendants: BTreeSet::new(),
        ancestors: BTreeSet::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::tests::facts;

    #[test]
    fn a_creation_is_a_family() {
        let facts = facts("void *v(void *a) { return a; }
            void *w(void *a) { pthread_t t; pthread_create(&t, 0, v, 0); return a; }
            int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, v, 0); return 0; }");
        let families = facts.parallel.families();
        assert_eq!(families.ids().count(), 4);
        let nested = families
            .ids()
            .find(|f| families.get(*f).ancestors.len() == 3);
        let nested = families.get(nested.expect("a thread made by a thread"));
        assert!(!nested.several && nested.parents.len() == 1);
        assert_eq!(families.get(FamilyId::INITIAL).descendants.len(), 3);
    }
}
