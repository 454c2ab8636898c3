//! Which locks a thread certainly holds at a place.
//!
//! Must-locksets, flow-sensitive and through calls (Engler and Ashcraft, "RacerX", 2003; here on a greatest fixed
//! point). A lock is a place in an object of which there is only one, so that two threads that hold it hold the same
//! thing; what counts as one, and which can be relied upon, says [`reliable`]. Atomic blocks are one lock of their own.
//! After a call, locks that it may have released are those it certainly holds at its end.
//!
//! `trylock` and timed locks count as not taken, a second `lock` of a recursive mutex as none, readers of a
//! reader–writer lock as holding it in shared mode. What `unlock` returns is known to be 0 if the lock is held: without
//! that `pthread_cond_wait` could not be seen to come back with its mutex.

mod reliable;

use crate::accesses::{Accesses, Bytes, Kind};
use crate::calls::CallGraph;
use crate::flow::{Graph, Problem, solve};
use crate::fold::evaluate;
use crate::objects::ObjectId;
use crate::parallel::Parallel;
use crate::points_to::PointsTo;
use raddle_ir::{
    AtomicKind, BlockId, DataModel, FuncId, LocalId, Location, Op, Operand, Patience, Program,
    Role, Rvalue, Share, SyncOp, Terminator, Ty,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Something at most one thread holds at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Lock {
    /// Being in an atomic block.
    AtomicBlock,
    /// The lock at this offset of an object that exists once.
    At(ObjectId, u64),
}

/// A lock that is held, and whether others can hold it too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Holding {
    /// Which.
    pub lock: Lock,
    /// As a reader: other readers may hold it at the same time.
    pub shared: bool,
}

/// Must-locksets of all reachable places.
#[derive(Clone, Debug)]
pub struct Locks {
    reliable: BTreeSet<Lock>,
    sets: Vec<BTreeSet<Holding>>,
    held: HashMap<Location, u32>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct State {
    held: BTreeSet<Holding>,
    /// Locks that may be broken: destroyed, or overwritten with who knows what.
    broken: BTreeSet<Lock>,
    /// Locals of this function that are constants.
    constants: BTreeMap<LocalId, Operand>,
}

struct Holds<'a> {
    graph: Graph<'a>,
    accesses: &'a Accesses,
    reliable: &'a BTreeSet<Lock>,
    /// What a call of a function may release; `None` is everything.
    released: &'a [Option<BTreeSet<Lock>>],
    /// What may be broken when a thread begins.
    broken: BTreeSet<Lock>,
    model: DataModel,
}

/// What a synchronisation does to a lock.
enum Effect {
    Take { shared: bool },
    Release,
    Break,
    Mend,
    Nothing,
}

fn effect(op: SyncOp) -> Effect {
    match op.role() {
        _ if !op.class().is_lock() => Effect::Nothing,
        // Who tries, or waits until a timeout, may not have it.
        Role::Acquire(share, Patience::Forever) => Effect::Take {
            shared: share == Share::Shared,
        },
        Role::Release => Effect::Release,
        Role::Destroy => Effect::Break,
        Role::Initialise => Effect::Mend,
        _ => Effect::Nothing,
    }
}

impl Holds<'_> {
    /// The one lock an operation works on.
    fn lock(&self, at: Location) -> Option<Lock> {
        let t = PointsTo::single(self.graph.points_to.accessed(self.graph.program, at))?;
        let lock = Lock::At(t.object, t.offset.known()?);
        self.reliable.contains(&lock).then_some(lock)
    }

    /// All locks whose bytes an instruction may touch.
    fn touched(&self, at: Location) -> BTreeSet<Lock> {
        let accesses = self.accesses.at(at);
        accesses
            .flat_map(|a| {
                let hit = |l: &&Lock| match l {
                    Lock::AtomicBlock => false,
                    Lock::At(object, offset) => {
                        *object == a.object
                            && a.bytes.overlaps(reliable::bytes(self.model, *offset))
                    }
                };
                self.reliable.iter().filter(hit).copied()
            })
            .collect()
    }

    fn sync(&self, at: Location, dst: Option<LocalId>, op: SyncOp, state: &mut State) {
        if let Some(dst) = dst {
            state.constants.remove(&dst);
        }
        match effect(op) {
            Effect::Nothing => {}
            Effect::Take { shared } => {
                if let Some(lock) = self.lock(at)
                    && !state.broken.contains(&lock)
                {
                    state.held.insert(Holding { lock, shared });
                }
            }
            Effect::Release => {
                let own = |lock| state.held.iter().any(|h| h.lock == lock);
                if let Some(lock) = self.lock(at)
                    && own(lock)
                    && let Some(dst) = dst
                {
                    state.constants.insert(dst, Operand::int(Ty::I32, 0));
                }
                let touched = self.touched(at);
                state.held.retain(|h| !touched.contains(&h.lock));
            }
            Effect::Break | Effect::Mend => {
                let touched = self.touched(at);
                state.held.retain(|h| !touched.contains(&h.lock));
                state.broken.extend(&touched);
                if let (Effect::Mend, Some(lock)) = (effect(op), self.lock(at)) {
                    state.broken.remove(&lock);
                }
            }
        }
    }
}

impl Problem for Holds<'_> {
    type State = State;

    fn start(&self, _: FuncId) -> State {
        State {
            held: BTreeSet::new(),
            broken: self.broken.clone(),
            constants: BTreeMap::new(),
        }
    }

    fn merge(&self, into: &mut State, with: &State) -> bool {
        let size = |s: &State| (s.held.len(), s.broken.len(), s.constants.len());
        let before = size(into);
        into.held.retain(|h| with.held.contains(h));
        into.broken.extend(&with.broken);
        into.constants
            .retain(|l, v| with.constants.get(l) == Some(v));
        size(into) != before
    }

    fn step(&self, at: Location, op: &Op, state: &mut State) {
        match op {
            Op::Sync { dst, op, .. } => self.sync(at, *dst, *op, state),
            Op::AtomicBegin {
                kind: AtomicKind::Verifier,
            } => {
                state.held.insert(Holding {
                    lock: Lock::AtomicBlock,
                    shared: false,
                });
            }
            // The innermost region ends, which may not be the only one.
            Op::AtomicEnd => state.held.retain(|h| h.lock != Lock::AtomicBlock),
            Op::Let { dst, value } => {
                let mut known = value.clone();
                for o in known.operands_mut() {
                    if let Operand::Local(l) = o
                        && let Some(v) = state.constants.get(l)
                    {
                        *o = *v;
                    }
                }
                // Only what follows from the result of an unlock is of interest.
                let learned = match known == *value {
                    true if !matches!(value, Rvalue::Use(Operand::Const { .. })) => None,
                    _ => evaluate(&known, self.model),
                };
                match learned {
                    Some(v) => state.constants.insert(*dst, v),
                    None => state.constants.remove(dst),
                };
            }
            Op::Store { value, .. } => {
                let touched = self.touched(at);
                let zero = matches!(value, Operand::Const { bits: 0, .. });
                state.held.retain(|h| !touched.contains(&h.lock));
                if !zero {
                    state.broken.extend(touched);
                }
            }
            Op::Rmw { .. } | Op::Cas { .. } | Op::Free { .. } | Op::StorageDead { .. } => {
                let touched = self.touched(at);
                state.held.retain(|h| !touched.contains(&h.lock));
                state.broken.extend(touched);
                for dst in op.clone().destinations_mut() {
                    state.constants.remove(dst);
                }
            }
            op => {
                for dst in op.clone().destinations_mut() {
                    state.constants.remove(dst);
                }
            }
        }
    }

    fn enter(&self, state: &State) -> State {
        State {
            constants: BTreeMap::new(),
            ..state.clone()
        }
    }

    fn after(&self, at: Location, callee: FuncId, before: &State, end: &State) -> State {
        let mut state = before.clone();
        match &self.released[callee.0 as usize] {
            Some(gone) => state.held.retain(|h| !gone.contains(&h.lock)),
            None => state.held.clear(),
        }
        state.held.extend(&end.held);
        state.broken = end.broken.clone();
        if let Some(Op::Call { dst: Some(dst), .. }) = self.graph.program.instr(at).map(|i| &i.op) {
            state.constants.remove(dst);
        }
        state
    }

    fn external(&self, at: Location, state: &mut State) {
        if let Some(Op::Call { dst: Some(dst), .. }) = self.graph.program.instr(at).map(|i| &i.op) {
            state.constants.remove(dst);
        }
    }

    fn next(&self, terminator: &Terminator, state: &State) -> Vec<BlockId> {
        if let Terminator::Branch {
            cond: Operand::Local(l),
            then,
            otherwise,
        } = terminator
            && let Some(Operand::Const { bits, .. }) = state.constants.get(l)
        {
            return vec![if *bits != 0 { *then } else { *otherwise }];
        }
        crate::loops::successors(terminator)
    }
}

impl Locks {
    /// Computes all locksets.
    pub fn new(
        program: &Program,
        points_to: &PointsTo,
        calls: &CallGraph,
        accesses: &Accesses,
        parallel: &Parallel,
    ) -> Locks {
        let graph = Graph {
            program,
            points_to,
            calls,
        };
        let mut reliable = reliable::locks(program, points_to, calls, accesses, parallel);
        reliable.insert(Lock::AtomicBlock);
        // A lock that may be given back by a thread that does not hold it is taken out, and with it what followed from it. Up to the first
        // such unlock in time all locks exclude, so it is enough to look at each unlock with the locks that are left.
        loop {
            let locks = Locks::of(graph, accesses, reliable);
            let bad = locks.given_back_unheld(accesses);
            if bad.is_empty() {
                return locks;
            }
            reliable = locks.reliable.difference(&bad).copied().collect();
        }
    }

    /// Computes the locksets that consist of these locks.
    fn of(graph: Graph<'_>, accesses: &Accesses, reliable: BTreeSet<Lock>) -> Locks {
        let program = graph.program;
        let mut problem = Holds {
            graph,
            accesses,
            reliable: &reliable,
            released: &[],
            broken: BTreeSet::new(),
            model: program.model,
        };
        let released = released(&problem);
        problem.released = &released;
        // What is broken before a thread starts is broken for the thread: again, until nothing is added.
        loop {
            let mut sets: Vec<BTreeSet<Holding>> = Vec::new();
            let mut numbers: HashMap<BTreeSet<Holding>, u32> = HashMap::new();
            let mut held = HashMap::new();
            let mut broken = problem.broken.clone();
            solve(graph, &problem).visit(graph, &problem, &mut |at, state| {
                let number = *numbers.entry(state.held.clone()).or_insert_with(|| {
                    sets.push(state.held.clone());
                    sets.len() as u32 - 1
                });
                held.insert(at, number);
                let starts = matches!(
                    program.instr(at).map(|i| &i.op),
                    Some(Op::Sync {
                        op: SyncOp::ThreadStart,
                        ..
                    })
                );
                if starts {
                    broken.extend(&state.broken);
                }
            });
            if broken == problem.broken {
                return Locks {
                    reliable,
                    sets,
                    held,
                };
            }
            problem.broken = broken;
        }
    }

    /// The locks that an unlock may give back where they are not certainly held.
    fn given_back_unheld(&self, accesses: &Accesses) -> BTreeSet<Lock> {
        let mut bad = BTreeSet::new();
        for access in accesses.iter() {
            let (Kind::Sync(op), Bytes::Range { from, .. }) = (access.kind, access.bytes) else {
                continue;
            };
            let lock = Lock::At(access.object, from);
            if !op.gives_lock_back() || !self.held.contains_key(&access.at) {
                continue;
            }
            let held = self.held_at(access.at).iter().any(|h| h.lock == lock);
            if self.reliable.contains(&lock) && !held {
                bad.insert(lock);
            }
        }
        bad
    }

    /// What a thread that stands before a place certainly holds.
    pub fn held_at(&self, at: Location) -> &BTreeSet<Holding> {
        const NOTHING: &BTreeSet<Holding> = &BTreeSet::new();
        self.held
            .get(&at)
            .map_or(NOTHING, |n| &self.sets[*n as usize])
    }

    /// Whether two threads can certainly not stand before these places at the same time, because of a lock.
    pub fn exclude(&self, a: Location, b: Location) -> bool {
        let theirs = self.held_at(b);
        self.held_at(a).iter().any(|x| {
            let conflicts = |y: &&Holding| y.lock == x.lock && !(x.shared && y.shared);
            theirs.iter().any(|y| conflicts(&y))
        })
    }

    /// The locks that locksets are made of.
    pub fn reliable(&self) -> &BTreeSet<Lock> {
        &self.reliable
    }
}

/// What each function may release, callees included.
fn released(problem: &Holds<'_>) -> Vec<Option<BTreeSet<Lock>>> {
    let graph = problem.graph;
    let mut all: Vec<Option<BTreeSet<Lock>>> =
        vec![Some(BTreeSet::new()); graph.program.functions.len()];
    for f in graph.points_to.reachable() {
        let mut mine = BTreeSet::new();
        for (b, block) in graph.program.function(f).blocks.iter().enumerate() {
            for (i, instr) in block.instrs.iter().enumerate() {
                let at = Location {
                    function: f,
                    block: BlockId(b as u32),
                    index: i as u32,
                };
                match &instr.op {
                    Op::AtomicEnd => {
                        mine.insert(Lock::AtomicBlock);
                    }
                    Op::Sync { op, .. } if matches!(effect(*op), Effect::Take { .. }) => {}
                    _ => mine.extend(problem.touched(at)),
                }
            }
        }
        all[f.0 as usize] = Some(mine);
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &f in graph.calls.callees_first() {
            for e in graph.calls.outgoing(f).iter().filter(|e| !e.thread) {
                let theirs = all[e.callee.0 as usize].clone();
                let mine = &mut all[f.0 as usize];
                let new = match (&mine, theirs) {
                    (Some(a), Some(b)) => Some(a.union(&b).copied().collect()),
                    _ => None,
                };
                changed |= new != *mine;
                *mine = new;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::facts::tests::{facts, mark};

    fn held(text: &str, number: u128) -> usize {
        let facts = facts(text);
        let places = mark(&facts, number);
        assert!(!places.is_empty());
        let counts = places.iter().map(|at| facts.locks.held_at(*at).len());
        counts.min().unwrap_or(0)
    }

    #[test]
    fn a_lock_is_held_from_lock_to_unlock() {
        let text = "int x; pthread_mutex_t m, n; void inner(void) { x = 12; }
            int main(void) { x = 10; pthread_mutex_lock(&m); x = 11; inner(); pthread_mutex_lock(&n); x = 13;
            pthread_mutex_unlock(&m); x = 14; pthread_mutex_unlock(&n); x = 15; return 0; }";
        let counts: Vec<usize> = (10..16).map(|n| held(text, n)).collect();
        assert_eq!(counts, [0, 1, 1, 2, 1, 0]);
    }

    #[test]
    fn waiting_comes_back_with_the_mutex() {
        let text = "int x; pthread_mutex_t m; pthread_cond_t c;
            int main(void) { pthread_mutex_lock(&m); while (!x) pthread_cond_wait(&c, &m); x = 11; return 0; }";
        assert_eq!(held(text, 11), 1);
    }

    #[test]
    fn what_may_not_be_held_is_not() {
        let texts = [
            "int x; pthread_mutex_t m; int main(void) { pthread_mutex_trylock(&m); x = 11; return 0; }",
            "int x; pthread_mutex_t m; int main(void) { if (x) pthread_mutex_lock(&m); x = 11; return 0; }",
            "int x; pthread_mutex_t m, n, *p = &m; int main(void) { if (x) p = &n; pthread_mutex_lock(p); x = 11; return 0; }",
            "int x; pthread_mutex_t m, n, *p = &m; int main(void) { if (x) p = &n;
             pthread_mutex_lock(&m); pthread_mutex_unlock(p); x = 11; return 0; }",
            "int x; pthread_mutex_t m; int main(void) { pthread_mutex_destroy(&m); pthread_mutex_lock(&m); x = 11; return 0; }",
        ];
        for text in texts {
            assert_eq!(held(text, 11), 0, "{text}");
        }
    }

    #[test]
    fn atomic_blocks_are_a_lock() {
        let text = "int x; int main(void) { __VERIFIER_atomic_begin(); x = 11; __VERIFIER_atomic_end(); x = 12; return 0; }";
        assert_eq!((held(text, 11), held(text, 12)), (1, 0));
    }

    #[test]
    fn a_common_lock_excludes() {
        let facts = facts("int x; pthread_mutex_t m; void *w(void *a) { pthread_mutex_lock(&m); x = 10; pthread_mutex_unlock(&m); return a; }
            int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); x = 11; pthread_mutex_unlock(&m); x = 12; return 0; }");
        let at = |n| mark(&facts, n)[0];
        assert!(facts.locks.exclude(at(10), at(11)) && !facts.locks.exclude(at(10), at(12)));
    }
}
