//! The benchmark family: growing ordering problems with values, independent of how order is decided.

use raddle_solver::Lit;
use raddle_solver::order::{BlockId, EventId, EventKind, LocationId, OrderProblem};
use raddle_solver::ranges::{Source, ranges, within};
use raddle_solver::term::{Sort, TermId, TermPool};

const WIDTH: u32 = 8;

struct Access {
    kind: EventKind,
    value: TermId,
    thread: usize,
}

/// A problem: the order skeleton with its choices as Boolean terms, and constraints on values.
pub struct Scenario {
    pub name: String,
    pub pool: TermPool,
    pub constraints: Vec<TermId>,
    choices: Vec<(TermId, EventId, EventId)>,
    skeleton: OrderProblem,
    accesses: Vec<Access>,
    threads: Vec<Vec<EventId>>,
    initial: Vec<EventId>,
}

impl Scenario {
    fn new(name: String, locations: u32) -> Scenario {
        let mut scenario = Scenario {
            name,
            pool: TermPool::new(),
            constraints: Vec::new(),
            choices: Vec::new(),
            skeleton: OrderProblem::new(),
            accesses: Vec::new(),
            threads: Vec::new(),
            initial: Vec::new(),
        };
        let zero = scenario.pool.bits(WIDTH, 0);
        for location in 0..locations {
            let kind = EventKind::Write(LocationId(location));
            let event = scenario.skeleton.add_event(kind, None);
            scenario.accesses.push(Access {
                kind,
                value: zero,
                thread: usize::MAX,
            });
            scenario.initial.push(event);
        }
        scenario
    }

    fn thread(&mut self) -> usize {
        self.threads.push(Vec::new());
        self.threads.len() - 1
    }

    fn access(&mut self, thread: usize, kind: EventKind, value: TermId, block: Option<BlockId>) {
        let event = match block {
            Some(block) => self.skeleton.add_block_event(block, kind, None),
            None => self.skeleton.add_event(kind, None),
        };
        match self.threads[thread].last() {
            Some(&previous) => self.skeleton.add_order(previous, event),
            None => {
                for initial in self.initial.clone() {
                    self.skeleton.add_order(initial, event);
                }
            }
        }
        self.threads[thread].push(event);
        self.accesses.push(Access {
            kind,
            value,
            thread,
        });
    }

    fn read(&mut self, thread: usize, location: u32, block: Option<BlockId>) -> TermId {
        let value = self.pool.fresh_var("read", Sort::BitVec(WIDTH));
        self.access(thread, EventKind::Read(LocationId(location)), value, block);
        value
    }

    fn write(&mut self, thread: usize, location: u32, value: TermId, block: Option<BlockId>) {
        self.access(thread, EventKind::Write(LocationId(location)), value, block);
    }

    fn increment(&mut self, thread: usize, location: u32) {
        let old = self.read(thread, location, None);
        let one = self.pool.bits(WIDTH, 1);
        let new = self.pool.bv_add(old, one);
        self.write(thread, location, new, None);
    }

    /// A thread that starts after all others have ended.
    fn last_thread(&mut self) -> usize {
        let ends: Vec<EventId> = self
            .threads
            .iter()
            .filter_map(|thread| thread.last().copied())
            .collect();
        let thread = self.thread();
        let gate = self.skeleton.add_event(EventKind::Other, None);
        let unused = self.pool.bits(WIDTH, 0);
        self.accesses.push(Access {
            kind: EventKind::Other,
            value: unused,
            thread,
        });
        for end in ends {
            self.skeleton.add_order(end, gate);
        }
        self.threads[thread].push(gate);
        thread
    }

    fn expect(&mut self, value: TermId, number: u128) {
        let number = self.pool.bits(WIDTH, number);
        let equal = self.pool.eq(value, number);
        self.constraints.push(equal);
    }

    /// Adds a choice for every write that a read may see, leaving out what program order rules out.
    fn close(mut self) -> Scenario {
        for read in 0..self.accesses.len() {
            let EventKind::Read(location) = self.accesses[read].kind else {
                continue;
            };
            let mut any = Vec::new();
            let thread = self.accesses[read].thread;
            let own = |index: usize| self.accesses[index].thread == thread;
            let is_write = |index: usize| self.accesses[index].kind == EventKind::Write(location);
            let nearest = (0..read).rev().find(|&index| own(index) && is_write(index));
            for write in 0..self.accesses.len() {
                let hidden = (own(write) && Some(write) != nearest)
                    || (nearest.is_some() && self.accesses[write].thread == usize::MAX);
                if !is_write(write) || hidden {
                    continue;
                }
                let choice = self.pool.var(&format!("rf_{write}_{read}"), Sort::Bool);
                let same = self
                    .pool
                    .eq(self.accesses[read].value, self.accesses[write].value);
                self.constraints.push(self.pool.implies(choice, same));
                self.choices
                    .push((choice, EventId(write as u32), EventId(read as u32)));
                any.push(choice);
            }
            let some = self.pool.or_all(any);
            self.constraints.push(some);
        }
        self
    }

    /// The order problem with a literal for each choice.
    pub fn problem(
        &mut self,
        literal: &mut dyn FnMut(&mut TermPool, TermId) -> Lit,
    ) -> OrderProblem {
        let mut problem = self.skeleton.clone();
        for &(choice, write, read) in &self.choices {
            let literal = literal(&mut self.pool, choice);
            problem.add_reads_from(literal, write, read);
        }
        problem
    }

    /// What is known of the values of reads beforehand (`raddle_solver::ranges`), as constraints.
    pub fn ranges(&mut self) -> Vec<TermId> {
        let mut sources: Vec<Source> = Vec::new();
        for &(_, write, read) in &self.choices {
            let found = self.accesses[read.index()].value;
            let value = self.accesses[write.index()].value;
            match sources.last_mut().filter(|s| s.found == found) {
                Some(source) => source.values.push(value),
                None => sources.push(Source {
                    found,
                    values: vec![value],
                }),
            }
        }
        let known = ranges(&self.pool, &sources);
        let pool = &mut self.pool;
        known
            .into_iter()
            .map(|(term, interval)| within(pool, term, interval))
            .collect()
    }

    pub fn event_count(&self) -> usize {
        self.accesses.len()
    }
}

/// Unlocked increments: no final counter can be one when every thread increments it at least twice.
pub fn counters(threads: usize, increments: usize, counters: u32) -> Scenario {
    let mut s = Scenario::new(
        format!("counters-{threads}x{increments}x{counters}"),
        counters,
    );
    for _ in 0..threads {
        let thread = s.thread();
        for index in 0..increments {
            for counter in 0..counters {
                let _ = index;
                s.increment(thread, counter);
            }
        }
    }
    let last = s.last_thread();
    let mut wrong = Vec::new();
    for counter in 0..counters {
        let value = s.read(last, counter, None);
        let one = s.pool.bits(WIDTH, 1);
        wrong.push(s.pool.eq(value, one));
    }
    let some = s.pool.or_all(wrong);
    s.constraints.push(some);
    s.close()
}

/// Store buffering in a ring: not every thread can miss its neighbour's write; `rounds` rings in a row.
pub fn store_buffering(threads: usize, rounds: u32) -> Scenario {
    let mut s = Scenario::new(
        format!("store-buffering-{threads}x{rounds}"),
        threads as u32,
    );
    for me in 0..threads {
        let thread = s.thread();
        for round in 0..rounds {
            let mine = s.pool.bits(WIDTH, u128::from(round) + 1);
            s.write(thread, me as u32, mine, None);
            let seen = s.read(thread, ((me + 1) % threads) as u32, None);
            s.expect(seen, u128::from(round));
        }
    }
    s.close()
}

/// Message passing in a ring: a token handed on through all threads carries the data with it.
pub fn message_passing(threads: usize, rounds: u32) -> Scenario {
    let mut s = Scenario::new(
        format!("message-passing-{threads}x{rounds}"),
        threads as u32 + 1,
    );
    let data = threads as u32;
    for me in 0..threads {
        let thread = s.thread();
        for round in 0..rounds {
            let number = s.pool.bits(WIDTH, u128::from(round) + 1);
            if me == 0 {
                if round > 0 {
                    let back = s.read(thread, threads as u32 - 1, None);
                    s.expect(back, u128::from(round));
                }
                s.write(thread, data, number, None);
            } else {
                let flag = s.read(thread, me as u32 - 1, None);
                s.expect(flag, u128::from(round) + 1);
            }
            if me + 1 == threads && round + 1 == rounds {
                let stale = s.read(thread, data, None);
                let wrong = s.pool.ne(stale, number);
                s.constraints.push(wrong);
            }
            s.write(thread, me as u32, number, None);
        }
    }
    s.close()
}

/// Locked increments: the lock is handed over from thread to thread and no increment is lost.
pub fn lock_chain(threads: usize, rounds: usize) -> Scenario {
    let mut s = Scenario::new(format!("lock-chain-{threads}x{rounds}"), 2);
    for _ in 0..threads {
        let thread = s.thread();
        for _ in 0..rounds {
            let block = s.skeleton.add_block();
            let free = s.read(thread, 0, Some(block));
            s.expect(free, 0);
            let taken = s.pool.bits(WIDTH, 1);
            s.write(thread, 0, taken, Some(block));
            s.increment(thread, 1);
            let released = s.pool.bits(WIDTH, 0);
            s.write(thread, 0, released, None);
        }
    }
    let last = s.last_thread();
    let value = s.read(last, 1, None);
    let total = s.pool.bits(WIDTH, (threads * rounds) as u128);
    let wrong = s.pool.ne(value, total);
    s.constraints.push(wrong);
    s.close()
}
