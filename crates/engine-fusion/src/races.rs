//! Races: pairs of conflicting events that can be taken in the other order, and where that order is to be explored.
//!
//! An event e′ and an earlier conflicting event e are a race if nothing else orders them and e′ could have happened before e.
//! Its reversal is the sequence *v* of the events behind e that happen before e′ but not after e, and then e′ itself,
//! explored from the state before e.
//!
//! Operations that can block need care, as in the treatment of locks by Abdulla and others (JACM 2017): an unlock and the lock
//! it lets through conflict, but cannot change places; the race is with the *lock* before. In general, for an e′ that
//! can block, the candidates are all conflicting events that do not happen before its thread's previous event; those are
//! taken before which e′ would not have been blocked, and of two of which one happens before the other, only the later. A thread that is
//! blocked for good at the end of an execution races in the same way, although its event never happened.
//!
//! Whether e′ would have been blocked, and what it would have touched, can be told from the state word of a lock before
//! e; for less regular operations (regions, try-locks, compare-and-swap, signals, reader–writer locks) *v* is executed to
//! find out ([`Search::probe`]), so that nothing is inserted that cannot be followed. Where *v* itself blocks e′, because it holds events that conflict with e′ and
//! not with e (readers of a lock, for a writer that waits for all of them), smaller *v* are tried without them: any from which e′ can go on will do, since what was left
//! out then comes behind e′ and races with it.
//!
//! Races are looked for as soon as e′ is executed, with the events before it, not only at the end of an execution as in
//! the paper: *v* there holds more events, which are free here (Abdulla and others, CAV 2024, do the same). All of this is
//! right only where conflicts do not come and go with the place of an event ([`Strategy::fit_for`]).
//! That no class is explored twice or missed is checked by counting (`tests/classes.rs`) and against all interleavings.

use crate::choose::Tried;
use crate::guard::{Guard, guard};
use crate::probe::{Place, Probed};
use crate::search::{Search, free};
use crate::strategy::Strategy;
use crate::trace::Name;
use crate::tree::{Answers, Item, conflict, insert, is_asleep};
use raddle_interp::ThreadId;
use raddle_interp::footprint::{Cell, Mode, Ready, Touch};
use raddle_ir::{Location, Op, SyncOp, layout};

/// Of so many events that may block another, all combinations are tried.
const MOST_BLOCKERS: usize = 6;

/// The second event of a race, or one that was blocked.
pub(crate) struct Second<'a> {
    pub(crate) thread: Name,
    pub(crate) at: Location,
    pub(crate) touches: &'a [Touch],
    /// With these answers.
    pub(crate) answers: &'a [u32],
    pub(crate) guard: Guard,
    /// What happened before it.
    pub(crate) clock: &'a [u32],
}

/// What a race is looked at for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// To be told, if it is a data race.
    Tell,
    /// The same, and to have its other order explored.
    Explore,
}

impl Search<'_, '_> {
    /// Adds an event to the trace, with its place in the order; finds its races and has their reversals explored.
    pub(crate) fn happen(
        &mut self,
        thread: Name,
        at: Location,
        touches: &[Touch],
        answers: &[u32],
        guard: Guard,
    ) {
        let mut clock = std::mem::take(&mut self.scratch);
        self.trace.base(thread, &mut clock);
        let found = self.conflicting(thread, touches, guard.blocks, &mut clock);
        let everywhere = matches!(self.options.strategy, Strategy::All | Strategy::Sleep);
        let purpose = match (everywhere, self.options.races) {
            (true, true) => Some(Purpose::Tell),
            (true, false) => None,
            (false, _) => Some(Purpose::Explore),
        };
        if let Some(purpose) = purpose {
            let second = Second {
                thread,
                at,
                touches,
                answers,
                guard,
                clock: &clock,
            };
            self.reverse_all(&found, &second, purpose);
        }
        self.trace.push(thread, at, touches, answers, &clock);
        self.scratch = clock;
    }

    /// The events that conflict with what a thread does now and are not ordered before it anyway, latest
    /// first. With `hidden`, also those that are ordered before it by other conflicts of this very operation. The clock
    /// takes all of them in.
    pub(crate) fn conflicting(
        &mut self,
        thread: Name,
        touches: &[Touch],
        hidden: bool,
        clock: &mut [u32],
    ) -> Vec<usize> {
        let mut found = Vec::new();
        let base: Vec<u32> = match hidden {
            true => clock.to_vec(),
            false => Vec::new(),
        };
        let mut pointers = std::mem::take(&mut self.pointers);
        pointers.clear();
        // A thread that only a probe made has no events.
        let threads = self.names.all().min(self.trace.width());
        pointers.extend((0..threads).map(|n| self.trace.of_thread(Name(n as u32)).len()));
        loop {
            let mut best: Option<(usize, usize)> = None;
            for (n, left) in pointers.iter().enumerate() {
                let known = if hidden { base[n] } else { clock[n] };
                if n == thread.0 as usize || *left <= known as usize {
                    continue;
                }
                let at = self.trace.of_thread(Name(n as u32))[*left - 1] as usize;
                if best.is_none_or(|(b, _)| at > b) {
                    best = Some((at, n));
                }
            }
            let Some((at, n)) = best else { break };
            pointers[n] -= 1;
            if conflict(touches, self.trace.touches(at)) {
                found.push(at);
                for (mine, theirs) in clock.iter_mut().zip(self.trace.clock(at)) {
                    *mine = (*mine).max(*theirs);
                }
            }
        }
        self.pointers = pointers;
        found
    }

    pub(crate) fn reverse_all(&mut self, found: &[usize], second: &Second, purpose: Purpose) {
        if self.options.races {
            self.look_races(found, second);
        }
        let mut taken: Vec<usize> = Vec::new();
        for &e in found {
            let later = |l: &usize| self.trace.before(e, *l);
            // Backtrack sets want every candidate; with wakeup trees the others come up when this one is reversed.
            let latest = self.options.strategy == Strategy::Optimal;
            if latest && second.guard.blocks && taken.iter().any(later) {
                continue;
            }
            if self.reverse(e, second, purpose) {
                taken.push(e);
            }
        }
    }

    /// A thread that waits looks at what it waits for from its previous event on: whatever else overwrites that meanwhile is a data race
    /// with it, although the two cannot change places.
    fn look_races(&mut self, found: &[usize], second: &Second) {
        let op = self.machine.program.instr(second.at).map(|i| &i.op);
        if !matches!(op, Some(Op::Sync { op, .. }) if op.looks_while_blocked()) {
            return;
        }
        let mut looks = second.touches.to_vec();
        looks.iter_mut().for_each(|t| t.mode = Mode::Read);
        let races = |e: &&usize| {
            let mut theirs = self.trace.touches(**e).iter();
            theirs.any(|t| looks.iter().any(|l| l.races(t)))
        };
        if let Some(&e) = found.iter().find(races) {
            self.report_look(e, second);
        }
    }

    /// Has an event explored before an earlier one; false if it would be blocked there.
    fn reverse(&mut self, e: usize, second: &Second, purpose: Purpose) -> bool {
        let guard = second.guard;
        let verdict = guard.word.and_then(|op| {
            let lock = second.touches.iter().find(|t| t.mode == Mode::Write)?;
            let mut theirs = self.trace.touches(e).iter();
            let word = theirs.find(|t| t.overlaps(lock))?.word?;
            match (op, word) {
                (_, layout::DESTROYED) => None,
                (SyncOp::SemWait, w) => Some(w != 0),
                // It may be a lock that its holder takes again.
                (_, w) if w & layout::OWNER == second.thread.0 + 1 => None,
                (_, w) => Some(w == 0),
            }
        });
        // The last event of a thread lets its joiner through.
        let ender = self.trace.events()[e].thread.0;
        let ends =
            |t: &Touch| t.cell == Cell::Thread && t.owner.0 == ender && t.mode == Mode::Write;
        let waits = guard.joins
            && second.touches.iter().any(ends)
            && self.trace.touches(e).iter().any(ends);
        if verdict == Some(false) || waits {
            return false;
        }
        let needs = |x: &usize| {
            let event = self.trace.events()[*x];
            second.clock[event.thread.0 as usize] >= event.index && !self.trace.before(e, *x)
        };
        let between: Vec<usize> = (e + 1..self.trace.len()).filter(needs).collect();
        let probe = guard.probe || (guard.blocks && verdict.is_none());
        if !probe {
            return self.take(e, second, &between, None, purpose);
        }
        if let Probed::Done(place) = self.probe(e, &between, second.thread) {
            return self.take(e, second, &between, Some(place), purpose);
        }
        // Perhaps it waits for others that came before it and conflict with it, but not with e: a writer for several readers.
        let mut done: Vec<u32> = Vec::new();
        for (kept, fewer) in self.without_blockers(second, &between) {
            // More than enough comes up when that is explored.
            if done.iter().any(|d| d & kept == *d) {
                continue;
            }
            if let Probed::Done(place) = self.probe(e, &fewer, second.thread)
                && self.take(e, second, &fewer, Some(place), purpose)
            {
                done.push(kept);
            }
        }
        !done.is_empty()
    }

    /// Some events without those that conflict with a later one, or without some of these: the fewest first, each with the set of
    /// those that stay. Of very many not all combinations are tried, which is noted as a doubt.
    fn without_blockers(&mut self, second: &Second, between: &[usize]) -> Vec<(u32, Vec<usize>)> {
        // Without what led its thread there it would not be there.
        let mut base = Vec::new();
        self.trace.base(second.thread, &mut base);
        let led = |x: &usize| {
            let event = self.trace.events()[*x];
            base[event.thread.0 as usize] >= event.index
        };
        let conflicts = |x: &usize| conflict(second.touches, self.trace.touches(*x));
        let blockers = between.iter().copied().filter(|x| !led(x) && conflicts(x));
        let blockers: Vec<usize> = blockers.collect();
        let ways = match blockers.len() {
            0 => return Vec::new(),
            n if n > MOST_BLOCKERS => {
                self.doubts.limit = Some("many threads share a lock that another waits for".into());
                1
            }
            // With all of them it is blocked.
            n => (1_u32 << n) - 1,
        };
        let mut sets: Vec<u32> = (0..ways).collect();
        sets.sort_by_key(|set| set.count_ones());
        let left = |set: u32| {
            let gone = (0..)
                .zip(&blockers)
                .filter(|(n, _)| *n >= 32 || set >> n & 1 == 0);
            let gone: Vec<usize> = gone.map(|(_, x)| *x).collect();
            let behind = |x: &usize| gone.iter().any(|g| g == x || self.trace.before(*g, *x));
            between.iter().copied().filter(|x| !behind(x)).collect()
        };
        sets.into_iter().map(|set| (set, left(set))).collect()
    }

    /// Has an event explored before an earlier one, after some others, where it is not blocked.
    fn take(
        &mut self,
        e: usize,
        second: &Second,
        between: &[usize],
        place: Option<Place>,
        purpose: Purpose,
    ) -> bool {
        let touches = place.as_ref().map_or(second.touches, |p| &p.touches);
        if self.options.races {
            let theirs = self.trace.touches(e);
            let racing = |all: &[Touch]| theirs.iter().any(|t| all.iter().any(|m| m.races(t)));
            let last = match &place {
                Some(place) => {
                    let ways = place.ways.iter();
                    let mut good = ways.filter(|(_, touches)| racing(touches));
                    good.next().map(|(answers, _)| answers.clone())
                }
                None => racing(second.touches).then(|| second.answers.to_vec()),
            };
            if let Some(last) = last {
                self.report_race(e, second, between, &last);
            }
        }
        if purpose == Purpose::Tell {
            return true;
        }
        let quits = place.as_ref().is_some_and(|p| p.quits);
        if quits && !self.options.ends_matter {
            // Nothing comes behind it, so it must not stand for others.
            return false;
        }
        match self.options.strategy {
            Strategy::All | Strategy::Sleep => {}
            Strategy::Classic => self.backtrack(e, second.thread, between),
            Strategy::Optimal | Strategy::ReadsFrom => {
                self.wake_up(e, between, second.thread, touches)
            }
        }
        true
    }

    /// Has some events, and then a thread's next one, explored before event `e`.
    pub(crate) fn wake_up(&mut self, e: usize, before: &[usize], thread: Name, touches: &[Touch]) {
        let mut v: Vec<Item> = Vec::with_capacity(before.len() + 1);
        for &x in before {
            v.push(Item {
                thread: self.trace.events()[x].thread,
                answers: Answers::Exactly(self.trace.answers(x).into()),
                touches: self.trace.touches(x).into(),
            });
        }
        v.push(Item {
            thread,
            answers: Answers::Any(Vec::new()),
            touches: touches.into(),
        });
        let node = &mut self.nodes[e];
        if !is_asleep(&node.sleep, &v) {
            insert(&mut node.tree, v);
        }
    }

    /// The backtrack set of Flanagan and Godefroid: somebody who can go on and leads to the reversal; if there is none, everybody.
    ///
    /// Who sleeps here because it was explored further up does not count: it will not be explored here, and so would not
    /// bring its own races to light.
    fn backtrack(&mut self, e: usize, thread: Name, between: &[usize]) {
        let present = self.trace.events()[e].thread;
        let node = &self.nodes[e];
        let threads = between.iter().map(|x| self.trace.events()[*x].thread);
        let mut good: Vec<Name> = std::iter::once(thread).chain(threads).collect();
        good.retain(|n| node.enabled.contains(n));
        let known = |n: &Name| {
            *n == present
                || node.tree.iter().any(|b| b.item.thread == *n)
                || node.explored.contains(n)
        };
        let asleep = |n: &Name| node.sleep.iter().any(|s| s.thread == *n);
        let awake = good.iter().find(|n| !asleep(n));
        let more: Vec<Name> = match awake {
            _ if good.iter().any(known) => Vec::new(),
            Some(first) => vec![*first],
            None => {
                let all = node.enabled.iter().copied();
                all.filter(|n| !known(n)).collect()
            }
        };
        self.nodes[e].tree.extend(more.into_iter().map(free));
    }

    /// Threads that are blocked at the end of an execution could have come earlier.
    pub(crate) fn blocked_races(&mut self, blocked: &[Name], refused: &[(Name, Vec<Touch>)]) {
        let mut all: Vec<(Name, Vec<Touch>)> = refused.to_vec();
        for name in blocked {
            let number = self.names.number(*name);
            if let Some(mut touches) = self.machine.wanted(number) {
                self.names.rename(&mut touches);
                all.push((*name, touches));
            }
        }
        for (name, touches) in all {
            let number = self.names.number(name);
            let guard = guard(&self.machine, number);
            let Some(at) = self.machine.thread(number).location() else {
                continue;
            };
            let mut clock = Vec::new();
            self.trace.base(name, &mut clock);
            let found = self.conflicting(name, &touches, true, &mut clock);
            let second = Second {
                thread: name,
                at,
                touches: &touches,
                answers: &[],
                guard,
                clock: &clock,
            };
            self.reverse_all(&found, &second, Purpose::Explore);
        }
    }

    /// The same for whoever is blocked in the present state.
    pub(crate) fn stuck_races(&mut self) {
        let mut blocked = Vec::new();
        let mut refused = Vec::new();
        for number in (0..self.names.count() as u32).map(ThreadId) {
            let name = self.names.name(number);
            match self.machine.ready(number) {
                Ready::Blocked => blocked.push(name),
                Ready::Tries => {
                    let tried = self.try_region(name);
                    if let Tried::Refused(touches) | Tried::Ended(touches) = tried {
                        refused.push((name, touches));
                    }
                }
                _ => {}
            }
        }
        self.blocked_races(&blocked, &refused);
    }

    /// The last event ended the process: what others could have done before it is to be explored.
    pub(crate) fn others_first(&mut self, at: usize, thread: Name) {
        let count = self.threads_at(at);
        let saved = self.names.save();
        self.names.truncate(count);
        self.go_to(at);
        let mut able = Vec::new();
        for number in (0..count as u32).map(ThreadId) {
            let ready = self.machine.ready(number);
            if matches!(ready, Ready::Now | Ready::Tries | Ready::Ends) {
                able.push(self.names.name(number));
            }
        }
        self.stuck_races();
        self.names.load(saved);
        for other in able.into_iter().filter(|n| *n != thread) {
            let Probed::Done(place) = self.probe(at, &[], other) else {
                continue;
            };
            match self.options.strategy {
                Strategy::All | Strategy::Sleep => {}
                Strategy::Classic => self.backtrack(at, other, &[]),
                Strategy::Optimal | Strategy::ReadsFrom => {
                    self.wake_up(at, &[], other, &place.touches)
                }
            }
        }
    }
}
