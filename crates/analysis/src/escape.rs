//! Which objects more than one thread can touch.
//!
//! An object *escapes* if another thread than its creator could know its address: it is a global that is not
//! thread-local, or reachable by stored pointers from one, from a thread's argument or result, or from an argument of
//! a function without a body (Choi and others, "Escape analysis for Java", 1999, without their per-method graphs). An
//! escaped object is still private if only one family of threads, with one member, has an access to it. A private
//! abstract object means: each of its concrete objects is touched by at most one thread.
//!
//! What it over-approximates: objects handed over from one thread to another count as shared, although they are never
//! shared at one time.

use crate::accesses::Accesses;
use crate::families::{Families, FamilyId};
use crate::objects::{Object, ObjectId};
use crate::points_to::PointsTo;
use raddle_ir::Program;
use std::collections::{BTreeMap, BTreeSet};

/// Who can touch what.
#[derive(Clone, Debug)]
pub struct Escape {
    escaped: BTreeSet<ObjectId>,
    touching: BTreeMap<ObjectId, BTreeSet<FamilyId>>,
    shared: BTreeSet<ObjectId>,
}

impl Escape {
    /// Computes it.
    pub fn new(
        program: &Program,
        points_to: &PointsTo,
        accesses: &Accesses,
        families: &Families,
    ) -> Escape {
        let mut roots: Vec<ObjectId> = points_to.shared_globals(program).collect();
        let passed = points_to.thread_arguments().iter();
        let passed = passed.chain(points_to.thread_results());
        roots.extend(
            passed
                .chain(points_to.external_arguments())
                .map(|t| t.object),
        );
        let mut escaped = points_to.closure(roots);
        if points_to.unknown_is_used() {
            escaped.extend(points_to.exposed());
        }
        let mut touching: BTreeMap<ObjectId, BTreeSet<FamilyId>> = BTreeMap::new();
        for a in accesses.iter() {
            let who = families.running(a.at.function).iter().copied();
            touching.entry(a.object).or_default().extend(who);
        }
        let mut shared = BTreeSet::new();
        for &o in &escaped {
            let by = touching.get(&o);
            let one = by.is_none_or(|f| match f.len() {
                0 => true,
                1 => f.iter().all(|f| !families.get(*f).several),
                _ => false,
            });
            if points_to.objects().is_memory(o) && !one {
                shared.insert(o);
            }
        }
        // The end of a thread ends its thread-local objects, whoever else knows them.
        for &o in &escaped {
            if matches!(points_to.objects().get(o), Object::Global(g) if program.global(g).thread_local)
            {
                shared.insert(o);
            }
        }
        Escape {
            escaped,
            touching,
            shared,
        }
    }

    /// Whether a thread other than the creator may know the address.
    pub fn has_escaped(&self, o: ObjectId) -> bool {
        self.escaped.contains(&o)
    }

    /// Whether at most one thread touches each concrete object.
    pub fn is_private(&self, o: ObjectId) -> bool {
        !self.shared.contains(&o)
    }

    /// The families with an access to it.
    pub fn touched_by(&self, o: ObjectId) -> impl Iterator<Item = FamilyId> + '_ {
        self.touching.get(&o).into_iter().flatten().copied()
    }

    /// All objects that are not private.
    pub fn shared(&self) -> &BTreeSet<ObjectId> {
        &self.shared
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::tests::facts;
    use crate::objects::Object;

    #[test]
    fn what_is_passed_to_a_thread_is_shared() {
        let facts = facts("int both, one; void *w(void *a) { *(int *)a = 1; both = 1; int mine; int *p = &mine; *p = 2; return 0; }
            int main(void) { pthread_t t; int given, kept, *k = &kept; pthread_create(&t, 0, w, &given);
            both = 2; one = 3; given = 4; *k = 5; return 0; }");
        let program = facts.program();
        let objects = facts.points_to.objects();
        let private = |name: &str| {
            let mut named = objects.ids().filter(|o| match objects.get(*o) {
                Object::Global(g) => program.global(g).name == name,
                Object::Slot(f, s) => program.function(f).slots[s.0 as usize].name == name,
                _ => false,
            });
            named.all(|o| facts.escape.is_private(o))
        };
        assert!(private("kept") && private("one") && private("mine"));
        assert!(!private("both") && !private("given"));
    }
}
