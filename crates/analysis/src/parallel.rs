//! Which places can be executed by two threads at the same time.
//!
//! *May happen in parallel* of two places: some execution has a state in which two different threads stand before
//! them. Threads are told apart by family ([`crate::families`]). For every place the analysis computes which families
//! may be *alive* of those that the executing thread started, or that were started by threads it started: a start adds
//! a family and its descendants, a join that is certain ([`crate::joins`]) or a loop of joins ([`crate::join_loops`]) takes it away (forward, may; in the spirit
//! of Barik, "Efficient computation of may-happen-in-parallel information for concurrent Java programs", 2005). For
//! two families neither of which makes the other, the starts in their nearest common ancestor decide.
//!
//! What it over-approximates: no order by locks, condition variables, barriers or flags; no paths.

use crate::accesses::Accesses;
use crate::calls::CallGraph;
use crate::families::{Families, FamilyId};
use crate::flow::{Graph, Problem, solve};
use crate::join_loops::Exits;
use crate::joins::{self, Context};
use crate::objects::Object;
use crate::points_to::PointsTo;
use raddle_ir::{BlockId, FuncId, Location, Op, Program, SyncOp};
use std::collections::{BTreeMap, BTreeSet, HashMap};

type Set = BTreeSet<FamilyId>;

/// What may run beside what.
#[derive(Clone, Debug)]
pub struct Parallel {
    families: Families,
    joins: BTreeMap<Location, FamilyId>,
    handles: BTreeSet<Location>,
    one_each: BTreeSet<Location>,
    detachments: BTreeSet<Location>,
    /// Sets of families, and for each reached place the index of its set.
    sets: Vec<Set>,
    alive: HashMap<Location, u32>,
    /// For each pair of families whether members of both may be alive together.
    together: Vec<Vec<bool>>,
}

struct Alive<'a> {
    graph: Graph<'a>,
    families: &'a Families,
    kills: &'a BTreeMap<Location, Set>,
    exits: &'a Exits,
    /// The families that may be started in a function or its callees.
    starts: &'a [Set],
}

impl Alive<'_> {
    /// The families a `thread_start` may start, with all that they may make.
    fn started(&self, at: Location, handle: raddle_ir::Operand) -> Set {
        started(self.graph.points_to, self.families, at, handle)
    }
}

fn started(
    points_to: &PointsTo,
    families: &Families,
    at: Location,
    handle: raddle_ir::Operand,
) -> Set {
    let mut all = Set::new();
    let targets = points_to.targets(at.function, handle);
    for t in targets {
        match points_to.objects().get(t.object) {
            Object::Thread(new) => all.extend(families.created_at(new)),
            Object::Unknown => all.extend(families.ids().skip(1)),
            _ => {}
        }
    }
    if targets.is_empty() {
        all.extend(families.ids().skip(1));
    }
    for f in all.clone() {
        all.extend(&families.get(f).descendants);
    }
    all
}

impl Problem for Alive<'_> {
    type State = Set;

    fn start(&self, _: FuncId) -> Set {
        Set::new()
    }

    fn merge(&self, into: &mut Set, with: &Set) -> bool {
        let before = into.len();
        into.extend(with);
        into.len() != before
    }

    fn step(&self, at: Location, op: &Op, state: &mut Set) {
        if let Op::Sync { op, args, .. } = op {
            if *op == SyncOp::ThreadStart {
                state.extend(self.started(at, args[0]));
            }
            if let Some(over) = self.kills.get(&at) {
                state.retain(|f| !over.contains(f));
            }
        }
    }

    fn cross(&self, f: FuncId, from: BlockId, to: BlockId, state: &mut Set) {
        if let Some(over) = self.exits.get(&(f, from, to)) {
            state.retain(|f| !over.contains(f));
        }
    }

    fn enter(&self, state: &Set) -> Set {
        state.clone()
    }

    fn after(&self, _: Location, callee: FuncId, before: &Set, end: &Set) -> Set {
        // What is alive at the end was alive here before, or was started in there; the rest comes from other callers.
        let here = |f: &&FamilyId| before.contains(f) || self.starts[callee.0 as usize].contains(f);
        end.iter().filter(here).copied().collect()
    }
}

impl Parallel {
    /// Computes everything.
    pub fn new(
        program: &Program,
        points_to: &PointsTo,
        calls: &CallGraph,
        accesses: &Accesses,
        families: Families,
    ) -> Parallel {
        let graph = Graph {
            program,
            points_to,
            calls,
        };
        let context = Context {
            program,
            points_to,
            calls,
            accesses,
            families: &families,
        };
        let (joins, loops) = joins::find(&context);
        let mut handles = joins::of_handles(&context);
        handles.extend(&loops.of_handles);
        let detachments = joins::detachments(&context);
        let starts = possible_starts(graph, &families);
        let mut kills: BTreeMap<Location, Set> =
            joins.iter().map(|(at, f)| (*at, Set::from([*f]))).collect();
        let mut sets = Vec::new();
        let mut alive = HashMap::new();
        // Twice: what a thread leaves behind at its end is known only after the first time.
        for round in 0..2 {
            let problem = Alive {
                graph,
                families: &families,
                kills: &kills,
                exits: &loops.exits,
                starts: &starts,
            };
            let solution = solve(graph, &problem);
            let mut left = vec![Set::new(); program.functions.len()];
            let mut numbers: HashMap<Set, u32> = HashMap::new();
            sets.clear();
            alive.clear();
            solution.visit(graph, &problem, &mut |at, state: &Set| {
                let number = *numbers.entry(state.clone()).or_insert_with(|| {
                    sets.push(state.clone());
                    sets.len() as u32 - 1
                });
                alive.insert(at, number);
                let exit = matches!(
                    program.instr(at).map(|i| &i.op),
                    Some(Op::Sync {
                        op: SyncOp::ThreadExit,
                        ..
                    })
                );
                if exit {
                    left[at.function.0 as usize].extend(state);
                }
            });
            if round == 0 {
                for (at, f) in &joins {
                    let family = families.get(*f);
                    let mut behind = Set::new();
                    for g in &family.functions {
                        behind.extend(&left[g.0 as usize]);
                    }
                    for g in &family.entries {
                        behind.extend(solution.end(*g).into_iter().flatten());
                    }
                    // Descendants that only this family makes and always waits for are over, too.
                    let over = |d: &&FamilyId| {
                        !behind.contains(d) && families.get(**d).ancestors.contains(f)
                    };
                    let more: Set = family.descendants.iter().filter(over).copied().collect();
                    kills.entry(*at).or_default().extend(more);
                }
            }
        }
        let mut parallel = Parallel {
            families,
            joins,
            handles,
            one_each: loops.of_handles,
            detachments,
            sets,
            alive,
            together: Vec::new(),
        };
        parallel.find_together(program, points_to);
        parallel
    }

    fn find_together(&mut self, program: &Program, points_to: &PointsTo) {
        let n = self.families.ids().count();
        let bits = |set: &Set| (0..n).map(|i| set.contains(&FamilyId(i as u32))).collect();
        // For each family the starts in its functions: what is new, and what is alive then.
        let mut starts: Vec<Vec<(Vec<bool>, Vec<bool>)>> = vec![Vec::new(); n];
        for at in self.alive.keys() {
            if let Some(Op::Sync {
                op: SyncOp::ThreadStart,
                args,
                ..
            }) = program.instr(*at).map(|i| &i.op)
            {
                let new: Vec<bool> = bits(&started(points_to, &self.families, *at, args[0]));
                let alive: Vec<bool> = bits(self.alive_at(*at));
                for f in self.families.running(at.function) {
                    starts[f.0 as usize].push((new.clone(), alive.clone()));
                }
            }
        }
        let together = |a: usize, b: usize| {
            let id = |i: usize| FamilyId(i as u32);
            let (x, y) = (self.families.get(id(a)), self.families.get(id(b)));
            if a == b {
                return x.several;
            }
            let common = x.ancestors.intersection(&y.ancestors);
            // The nearest common ancestor is the one with the most ancestors of its own.
            let nearest = common.max_by_key(|f| self.families.get(**f).ancestors.len());
            let Some(nearest) = nearest.copied() else {
                return true;
            };
            if nearest == id(a) || nearest == id(b) || self.families.get(nearest).several {
                return true;
            }
            starts[nearest.0 as usize].iter().any(|(new, alive)| {
                (new[a] && (new[b] || alive[b])) || (new[b] && (new[a] || alive[a]))
            })
        };
        self.together = (0..n)
            .map(|a| (0..n).map(|b| together(a, b)).collect())
            .collect();
    }

    /// The thread families.
    pub fn families(&self) -> &Families {
        &self.families
    }

    /// The families that may be alive, of those that a thread at this place started or that come from those.
    pub fn alive_at(&self, at: Location) -> &BTreeSet<FamilyId> {
        const NOTHING: &BTreeSet<FamilyId> = &BTreeSet::new();
        self.alive
            .get(&at)
            .map_or(NOTHING, |n| &self.sets[*n as usize])
    }

    /// Whether any execution reaches a place.
    pub fn is_reached(&self, at: Location) -> bool {
        self.alive.contains_key(&at)
    }

    /// The family that a join certainly waits for.
    pub fn joined_at(&self, at: Location) -> Option<FamilyId> {
        self.joins.get(&at).copied()
    }

    /// Whether a join certainly is of a thread that was made, or of nobody.
    pub fn is_of_handle(&self, join: Location) -> bool {
        self.joins.contains_key(&join) || self.handles.contains(&join)
    }

    /// Whether a join in a loop is of another thread each time, and of one that certainly was made.
    pub fn joins_one_each(&self, join: Location) -> bool {
        self.one_each.contains(&join)
    }

    /// Whether a detachment is certainly of a thread that was made, and of which there is one.
    pub fn detaches_one(&self, at: Location) -> bool {
        self.detachments.contains(&at)
    }

    /// Whether members of two families may be alive at the same time (of one family: two members).
    pub fn may_live_together(&self, a: FamilyId, b: FamilyId) -> bool {
        self.together[a.0 as usize][b.0 as usize]
    }

    /// Whether a member of one family may stand before a place while another thread, of another family (or another
    /// member of the same), stands before another place.
    pub fn may_happen_in_parallel_as(
        &self,
        a: FamilyId,
        at: Location,
        b: FamilyId,
        other: Location,
    ) -> bool {
        if !self.is_reached(at) || !self.is_reached(other) {
            return false;
        }
        let above = |x: FamilyId, y: FamilyId| {
            x != y && !self.families.get(x).several && self.families.get(y).ancestors.contains(&x)
        };
        if above(a, b) {
            self.alive_at(at).contains(&b)
        } else if above(b, a) {
            self.alive_at(other).contains(&a)
        } else {
            self.may_live_together(a, b)
        }
    }

    /// Whether two different threads may stand before two places (or both before one) at the same time.
    pub fn may_happen_in_parallel(&self, at: Location, other: Location) -> bool {
        let theirs = self.families.running(other.function);
        let mine = self.families.running(at.function).iter();
        mine.flat_map(|a| theirs.iter().map(move |b| (*a, *b)))
            .any(|(a, b)| self.may_happen_in_parallel_as(a, at, b, other))
    }

    /// Whether no other thread can be alive while a thread stands before a place.
    pub fn is_alone(&self, at: Location) -> bool {
        self.families.running(at.function) == [FamilyId::INITIAL] && self.alive_at(at).is_empty()
    }
}

/// For each function, the families that it or its callees may start, with their descendants.
fn possible_starts(graph: Graph<'_>, families: &Families) -> Vec<Set> {
    let mut all = vec![Set::new(); graph.program.functions.len()];
    for f in graph.points_to.reachable() {
        for (b, block) in graph.program.function(f).blocks.iter().enumerate() {
            for (i, instr) in block.instrs.iter().enumerate() {
                if let Op::Sync {
                    op: SyncOp::ThreadStart,
                    args,
                    ..
                } = &instr.op
                {
                    let at = Location {
                        function: f,
                        block: raddle_ir::BlockId(b as u32),
                        index: i as u32,
                    };
                    all[f.0 as usize].extend(started(graph.points_to, families, at, args[0]));
                }
            }
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &f in graph.calls.callees_first() {
            for e in graph.calls.outgoing(f).iter().filter(|e| !e.thread) {
                let theirs = all[e.callee.0 as usize].clone();
                let mine = &mut all[f.0 as usize];
                let before = mine.len();
                mine.extend(theirs);
                changed |= mine.len() != before;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::facts::tests::{facts, mark};

    #[test]
    fn a_thread_runs_between_its_start_and_its_join() {
        let facts = facts("int x; void *w(void *a) { x = 10; return a; }
            int main(void) { pthread_t t; x = 1; pthread_create(&t, 0, w, 0); x = 2; pthread_join(t, 0); x = 3; return 0; }");
        let beside = |n| {
            let (main, thread) = (mark(&facts, n)[0], mark(&facts, 10)[0]);
            facts.parallel.may_happen_in_parallel(main, thread)
        };
        assert!(!beside(1) && beside(2) && !beside(3));
        assert!(facts.parallel.is_alone(mark(&facts, 3)[0]));
    }

    #[test]
    fn threads_one_after_the_other_do_not_meet() {
        let facts = facts(
            "int x; void *v(void *a) { x = 10; return a; } void *w(void *a) { x = 11; return a; }
            int main(void) { pthread_t s, t; pthread_create(&s, 0, v, 0); pthread_join(s, 0);
            pthread_create(&t, 0, w, 0); pthread_create(&s + 1, 0, w, 0); return 0; }",
        );
        let (v, w) = (mark(&facts, 10), mark(&facts, 11));
        assert!(!facts.parallel.may_happen_in_parallel(v[0], w[0]));
        assert_eq!(w.len(), 2);
        assert!(facts.parallel.may_happen_in_parallel(w[0], w[1]));
    }

    #[test]
    fn a_handle_that_may_be_another_proves_nothing() {
        for spoiled in ["t = 1;", "pthread_detach(t);", "if (x) t = s;"] {
            let facts = facts(&format!(
                "int x; void *w(void *a) {{ x = 10; return a; }}
                int main(void) {{ pthread_t s = 0, t; pthread_create(&t, 0, w, 0); {spoiled}
                pthread_join(t, 0); x = 3; return 0; }}"
            ));
            let (main, thread) = (mark(&facts, 3)[0], mark(&facts, 10)[0]);
            assert!(
                facts.parallel.may_happen_in_parallel(main, thread),
                "{spoiled}"
            );
        }
    }

    #[test]
    fn threads_of_a_loop_are_several() {
        let facts = facts("int x; void *w(void *a) { x = 10; return a; }
            int main(void) { pthread_t t; for (int i = 0; i < 2; i++) { pthread_create(&t, 0, w, 0); pthread_join(t, 0); }
            x = 3; return 0; }");
        let (main, thread) = (mark(&facts, 3)[0], mark(&facts, 10)[0]);
        assert!(facts.parallel.may_happen_in_parallel(thread, thread));
        assert!(facts.parallel.may_happen_in_parallel(main, thread));
    }
}
