//! Persistent sets by thread: a few threads without which no error can be reached, and whose next actions nobody else disturbs.
//!
//! A set of threads is good in a state if (1) every run from there to an error has an action of one of them, and (2) nothing the
//! others can do before that depends on what the set can do next. Then it is enough to look at the actions of the set: in a run
//! to an error its first action can be moved to the front. No condition on cycles is needed, because runs to an error are finite
//! and every step takes one action out of them (Farzan, Klumpp and Podelski, "Sound sequentialization for concurrent program
//! verification", 2022, call such sets weakly persistent membranes).
//!
//! All kinds of conflict are looked at: shared variables (commutativity and order), threads made, started or joined (fork and join),
//! and errors still ahead (error reachability). What another thread can do *before* the set acts ends where it would have to take
//! a lock that a thread of the set holds, or to join one. Where that does not tell enough, what it can do is followed with the values of its own
//! variables, which nobody else changes: a thread that joins all elements of an array, one after the other, does not get behind the loop
//! before it has joined those of the set.

use crate::independence::{Footprint, Independence};
use crate::logic::Logic;
use crate::own_values::{Cases, Follower, Known};
use crate::system::{ActionId, Origin, Outcome, Status, System, VarId};
use raddle_ccfg::{InstanceId, LocId};
use raddle_ir::layout;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

/// Threads by number.
type Threads = u64;

/// What a thread can still do, with all threads it may start.
pub struct Future {
    footprint: Footprint,
    actions: Vec<ActionId>,
    /// The threads that can go wrong.
    errors: Threads,
}

/// Futures that were computed.
#[derive(Default)]
pub struct PersistentSets {
    futures: HashMap<Question, Rc<Future>>,
    follower: Follower,
    /// How often values were looked at, and how often that helped.
    tried: u32,
    helped: u32,
}

/// Who is where, which locks are held by whom in the set, the set, and what is known of the thread.
type Question = (InstanceId, LocId, Vec<VarId>, Threads, Option<Known>);

/// States of one thread and its children that are told apart by values.
const STATES: usize = 600;
/// Cases of what the thread itself knows at a place, and of what those know that it starts.
const OWN_CASES: usize = 40;
const CASES: usize = 12;
/// So often values are looked at, whether or not it helps.
const FIRST_TRIES: u32 = 30;

impl PersistentSets {
    /// The smallest good set that was found, in a state with these listed values; `targets` are the threads whose errors count.
    pub fn choose(
        &mut self,
        (system, logic): (&mut System, &mut Logic),
        independence: &mut Independence,
        places: &[Status],
        values: &[(VarId, u128)],
        targets: Threads,
    ) -> Threads {
        let mut live: Vec<Live> = Vec::new();
        for (t, place) in places.iter().enumerate() {
            if let Status::At(at) = *place {
                let thread = InstanceId(t as u32);
                let (next, actions) = next(system, independence, thread, at, values);
                live.push(Live {
                    thread,
                    at,
                    next,
                    actions,
                });
            }
        }
        let all: Threads = live.iter().map(|l| 1 << l.thread.0).sum();
        let mut best = all;
        if live.len() < 2 {
            return all;
        }
        for aware in [false, true] {
            let before = best;
            if aware && !self.is_worth_a_look() {
                break;
            }
            for seed in &live {
                let found = self.close(
                    (system, logic),
                    independence,
                    (&live, places),
                    values,
                    targets,
                    (seed.thread, aware),
                );
                if found.count_ones() < best.count_ones() {
                    best = found;
                }
                if best.count_ones() == 1 {
                    break;
                }
            }
            self.helped += u32::from(aware && best != before);
            if best.count_ones() == 1 {
                break;
            }
        }
        best
    }

    /// Whether values have told enough so far to be looked at again.
    fn is_worth_a_look(&mut self) -> bool {
        self.tried += 1;
        let often = self.tried <= FIRST_TRIES || self.helped >= self.tried / 8;
        often && !self.follower.is_tired()
    }

    fn close(
        &mut self,
        (system, logic): (&mut System, &mut Logic),
        independence: &mut Independence,
        (live, places): (&[Live], &[Status]),
        values: &[(VarId, u128)],
        targets: Threads,
        (seed, aware): (InstanceId, bool),
    ) -> Threads {
        let mut set: Threads = 1 << seed.0;
        loop {
            let before = set;
            let held = held(system, values, set);
            for other in live {
                let u = other.thread;
                if set >> u.0 & 1 == 1 {
                    continue;
                }
                let known = aware.then(|| self.follower.begin(system, u, other.at, places, values));
                let from = (u, other.at, known);
                let future = self.future(system, independence, from, &held, set);
                // That a thread of the set is made, started or joined needs no look: it runs, and a join waits for its end.
                let mut inside = live.iter().filter(|t| set >> t.thread.0 & 1 == 1);
                let disturbs = inside.any(|t| {
                    let apart = !future.footprint.meets(&t.next);
                    t.next.threads.contains(&u)
                        || !apart && !all_commute(system, logic, independence, t, &future)
                });
                if disturbs || future.errors & targets != 0 {
                    set |= 1 << u.0;
                    break;
                }
            }
            if set == before {
                return set;
            }
        }
    }

    /// What a thread can do from a location on, with what is known of it, before these threads act that hold these locks.
    fn future(
        &mut self,
        system: &mut System,
        independence: &Independence,
        (thread, at, known): (InstanceId, LocId, Option<Known>),
        held: &[VarId],
        set: Threads,
    ) -> Rc<Future> {
        let key = (thread, at, held.to_vec(), set, known.clone());
        if let Some(f) = self.futures.get(&key) {
            return f.clone();
        }
        let mut future = Future {
            footprint: Footprint::default(),
            actions: Vec::new(),
            errors: 0,
        };
        let mut cases = Cases::default();
        let mut seen = HashSet::from([(thread, at, known.clone())]);
        let mut work = vec![(thread, at, known)];
        while let Some((t, l, known)) = work.pop() {
            if known.is_some() && seen.len() > STATES {
                return self.future(system, independence, (thread, at, None), held, set);
            }
            for id in system.outgoing[t.0 as usize][l.0 as usize].clone() {
                let action = system.get(id);
                let waits = action.acquires.is_some_and(|v| held.contains(&v));
                // Threads of the set run: what needs one to have ended, or to have been joined, has to wait for it.
                let of_set = action
                    .control
                    .iter()
                    .any(|(i, needed, _)| *needed != Status::Absent && set >> i.0 & 1 == 1);
                if waits || of_set {
                    continue;
                }
                let then = match &known {
                    None => None,
                    Some(known) => match self.follower.after(system, id, known) {
                        Some(then) => Some(then),
                        None => continue,
                    },
                };
                let action = system.get(id);
                future.footprint.extend(independence.footprint(id));
                future.actions.push(id);
                let mut next = Vec::new();
                for (child, needed, after) in &action.control {
                    if let (true, Status::At(entry)) = (needed != after, after) {
                        next.push((*child, *entry, then.as_ref().map(Known::of_child)));
                    }
                }
                match action.outcome {
                    Outcome::Next(Status::At(to)) => {
                        next.push((t, to, then.map(|k| self.follower.at(system, t, to, k))));
                    }
                    Outcome::Next(_) => {}
                    _ => future.errors |= 1 << t.0,
                }
                for (t, l, known) in next {
                    let most = if t == thread { OWN_CASES } else { CASES };
                    let known = known.map(|k| cases.settle(t, l, most, k));
                    let n = (t, l, known);
                    if seen.insert(n.clone()) {
                        work.push(n);
                    }
                }
            }
        }
        future.actions.sort_unstable();
        future.actions.dedup();
        let future = Rc::new(future);
        self.futures.insert(key, future.clone());
        future
    }
}

/// A thread that runs.
struct Live {
    thread: InstanceId,
    at: LocId,
    /// What it can do next.
    next: Footprint,
    actions: Vec<ActionId>,
}

/// Whether all that a thread can do next commutes with all of a future.
fn all_commute(
    system: &mut System,
    logic: &mut Logic,
    independence: &mut Independence,
    live: &Live,
    future: &Future,
) -> bool {
    if !independence.deep || live.next.shares_threads(&future.footprint) {
        return false;
    }
    live.actions.iter().all(|a| {
        let mut others = future.actions.iter();
        others.all(|b| independence.pair(system, logic, *a, *b))
    })
}

/// What a thread can do next. An action that its own variables rule out, such as a join of another thread than the one it has
/// the handle of, is ruled out whatever the others do.
fn next(
    system: &System,
    independence: &Independence,
    thread: InstanceId,
    at: LocId,
    values: &[(VarId, u128)],
) -> (Footprint, Vec<ActionId>) {
    let all = &system.outgoing[thread.0 as usize][at.0 as usize];
    if !all.iter().any(|a| system.get(*a).joins.is_some()) {
        let here = independence.here(thread, at).cloned().unwrap_or_default();
        return (here, all.clone());
    }
    let mut footprint = Footprint::default();
    let mut actions = Vec::new();
    for id in all {
        let other = match system.get(*id).joins {
            Some((handle, wanted)) => {
                let known = values.binary_search_by_key(&handle, |x| x.0);
                known.is_ok_and(|i| values[i].1 != u128::from(wanted))
            }
            None => false,
        };
        if !other {
            footprint.extend(independence.footprint(*id));
            actions.push(*id);
        }
    }
    (footprint, actions)
}

/// The locks that threads of the set hold for sure.
fn held(system: &System, values: &[(VarId, u128)], set: Threads) -> Vec<VarId> {
    let lock = |(v, n): &(VarId, u128)| {
        let word = *n as u32;
        let owner = (word & layout::OWNER).checked_sub(1)?;
        let known = system.locks.contains(v) && word != layout::DESTROYED && owner < 64;
        (known && set >> owner & 1 == 1).then_some(*v)
    };
    values.iter().filter_map(lock).collect()
}

/// Threads with errors, in groups that share no data: for each group the errors can be looked for on their own.
pub fn groups(system: &System, independence: &Independence) -> Vec<Threads> {
    let count = system.instances.list.len();
    let mut footprints: Vec<Footprint> = vec![Footprint::default(); count];
    let mut erring: Threads = 0;
    for (i, a) in system.actions.iter().enumerate() {
        let id = ActionId(i as u32);
        footprints[a.thread.0 as usize].extend(independence.footprint(id));
    }
    for id in system.errors() {
        erring |= 1 << system.get(id).thread.0;
    }
    let mut groups: Vec<(Threads, Footprint)> = Vec::new();
    for t in (0..count).filter(|t| erring >> t & 1 == 1) {
        let mut mine = (1u64 << t, footprints[t].clone());
        // Arguments and results pass between a thread and its maker; that binds no errors together.
        let cell = |v: &VarId| matches!(system.variables[v.0 as usize].origin, Origin::Cell(..));
        mine.1.reads.retain(cell);
        mine.1.writes.retain(cell);
        mine.1.threads = BTreeSet::new();
        let (near, far): (Vec<_>, Vec<_>) = groups.into_iter().partition(|(_, f)| f.meets(&mine.1));
        for (threads, f) in near {
            mine.0 |= threads;
            mine.1.extend(&f);
        }
        groups = far;
        groups.push(mine);
    }
    groups.into_iter().map(|(threads, _)| threads).collect()
}
