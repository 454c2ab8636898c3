//! Data races of random programs with random memory orders: the execution engine against a brute-force happens-before.
//!
//! The oracle knows nothing of Raddle: it enumerates all interleavings of the same abstract program and computes happens-before as a
//! relation (RC11: release sequences by the same thread and by read-modify-writes, fences on either side, one mutex), then looks for a
//! pair of conflicting plain accesses that it does not order. `RADDLE_FUZZ_WEAK_ORDERS=5000` tries so many programs; a disagreement prints
//! the program with the number of its seed.

use raddle_c::{Options, compile_text};
use raddle_engine_fusion::{FusionEngine, Method, Strategy};
use raddle_interp::schedulers::SplitMix;
use raddle_ir::Property;
use raddle_verdict::{Budget, Engine, Request, Verdict};
use raddle_witness::Replayer;

const RELAXED: usize = 0;
const ACQUIRE: usize = 1;
const RELEASE: usize = 2;
const ACQ_REL: usize = 3;
/// As the compiler's builtins number the orders.
const NUMBERS: [u32; 5] = [0, 2, 3, 4, 5];

fn acquires(order: usize) -> bool {
    order != RELAXED && order != RELEASE
}

fn releases(order: usize) -> bool {
    order != RELAXED && order != ACQUIRE
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Act {
    Store(usize, u32, usize),
    /// The rest of the thread runs only if the value is the one given.
    Load(usize, usize, Option<u32>),
    Add(usize, usize),
    /// From, to, orders of success and failure; the rest of the thread runs only on success.
    Swap(usize, u32, u32, usize, usize),
    Fence(usize),
    Write(usize),
    Read(usize),
    Lock,
    Unlock,
}

fn thread(random: &mut SplitMix) -> Vec<Act> {
    let mut acts = Vec::new();
    let mut held = false;
    for _ in 0..2 + random.below(3) {
        let place = random.below(2) as usize;
        let value = 1 + random.below(2) as u32;
        let load = [RELAXED, ACQUIRE, ACQUIRE, 4][random.below(4) as usize];
        let store = [RELAXED, RELEASE, RELEASE, 4][random.below(4) as usize];
        let update = random.below(5) as usize;
        acts.push(match random.below(16) {
            0..=2 => Act::Store(place, value, store),
            3..=5 => {
                let guard = (random.below(4) > 0).then_some(value);
                Act::Load(place, load, guard)
            }
            6 => Act::Add(place, update),
            7 => Act::Swap(place, value - 1, value, update, load),
            8..=9 => Act::Fence([ACQUIRE, RELEASE, ACQ_REL, 4][random.below(4) as usize]),
            10..=11 => Act::Write(0),
            12..=13 => Act::Read(0),
            14 => Act::Write(1),
            _ if held => {
                held = false;
                Act::Unlock
            }
            _ => {
                held = true;
                Act::Lock
            }
        });
    }
    if held {
        acts.push(Act::Unlock);
    }
    acts
}

fn program(seed: u64) -> Vec<Vec<Act>> {
    let mut random = SplitMix::new(seed);
    loop {
        let count = 2 + random.below(2);
        let threads: Vec<Vec<Act>> = (0..count).map(|_| thread(&mut random)).collect();
        let plain = |a: &Act| matches!(a, Act::Write(_) | Act::Read(_));
        let touched = threads.iter().filter(|t| t.iter().any(plain)).count();
        if touched > 1 && threads.iter().map(Vec::len).sum::<usize>() <= 9 {
            return threads;
        }
    }
}

fn text(threads: &[Vec<Act>]) -> String {
    let mut all = String::from(
        "int pthread_create(unsigned long *, const void *, void *(*)(void *), void *);\n\
         int pthread_join(unsigned long, void **);\nint pthread_mutex_lock(void *);\n\
         int pthread_mutex_unlock(void *);\nstatic int x[2], d[2];\nstatic long m[5];\n",
    );
    let order = |o: usize| NUMBERS[o];
    for (n, acts) in threads.iter().enumerate() {
        all += &format!("static void *t{n}(void *a) {{\n");
        // A guard that fails leaves the mutex as it is: the thread only ends.
        for act in acts {
            all += &match *act {
                Act::Store(p, v, o) => {
                    format!("  __atomic_store_n(&x[{p}], {v}, {});\n", order(o))
                }
                Act::Load(p, o, None) => {
                    format!("  (void)__atomic_load_n(&x[{p}], {});\n", order(o))
                }
                Act::Load(p, o, Some(v)) => format!(
                    "  if (__atomic_load_n(&x[{p}], {}) != {v}) return a;\n",
                    order(o)
                ),
                Act::Add(p, o) => {
                    format!("  __atomic_fetch_add(&x[{p}], 1, {});\n", order(o))
                }
                Act::Swap(p, from, to, o, failed) => format!(
                    "  {{ int e = {from}; if (!__atomic_compare_exchange_n(&x[{p}], &e, {to}, 0, {}, {})) return a; }}\n",
                    order(o),
                    order(failed)
                ),
                Act::Fence(o) => format!("  __atomic_thread_fence({});\n", order(o)),
                Act::Write(p) => format!("  d[{p}] = 1;\n"),
                Act::Read(p) => format!("  (void)*(volatile int *)&d[{p}];\n"),
                Act::Lock => "  pthread_mutex_lock(m);\n".into(),
                Act::Unlock => "  pthread_mutex_unlock(m);\n".into(),
            };
        }
        all += "  return a;\n}\n";
    }
    let each = |f: &dyn Fn(usize) -> String| (0..threads.len()).map(f).collect::<String>();
    all += &format!("int main(void) {{\n  unsigned long t[{}];\n", threads.len());
    all += &each(&|n| format!("  pthread_create(&t[{n}], 0, t{n}, 0);\n"));
    all += &each(&|n| format!("  pthread_join(t[{n}], 0);\n"));
    all + "  return 0;\n}\n"
}

#[derive(Clone, Copy)]
struct Event {
    thread: usize,
    act: Act,
    /// The write it read from.
    from: Option<usize>,
    /// It is the write (or the store of an update that succeeded) of an atomic location.
    writes: bool,
}

struct Oracle<'a> {
    threads: &'a [Vec<Act>],
    next: Vec<usize>,
    run: Vec<Event>,
    last: [Option<usize>; 2],
    value: [u32; 2],
    holder: Option<usize>,
    race: bool,
}

impl Oracle<'_> {
    fn explore(&mut self) {
        let mut stuck = true;
        for t in 0..self.threads.len() {
            let Some(act) = self.threads[t].get(self.next[t]).copied() else {
                continue;
            };
            if self.race || act == Act::Lock && self.holder.is_some() {
                continue;
            }
            stuck = false;
            let saved = (self.next[t], self.last, self.value, self.holder);
            self.step(t, act);
            self.explore();
            self.run.pop();
            (self.next[t], self.last, self.value, self.holder) = saved;
        }
        if stuck && !self.race {
            self.race = self.has_race();
        }
    }

    fn step(&mut self, t: usize, act: Act) {
        let here = self.run.len();
        let (mut from, mut writes, mut goes_on) = (None, false, true);
        match act {
            Act::Store(p, v, _) => {
                (self.value[p], self.last[p], writes) = (v, Some(here), true);
            }
            Act::Load(p, _, guard) => {
                from = self.last[p];
                goes_on = guard.is_none_or(|v| v == self.value[p]);
            }
            Act::Add(p, _) => {
                from = self.last[p];
                (self.value[p], self.last[p], writes) = (self.value[p] + 1, Some(here), true);
            }
            Act::Swap(p, old, new, ..) => {
                from = self.last[p];
                goes_on = self.value[p] == old;
                if goes_on {
                    (self.value[p], self.last[p], writes) = (new, Some(here), true);
                }
            }
            Act::Lock => self.holder = Some(t),
            Act::Unlock => self.holder = None,
            _ => {}
        }
        self.next[t] = match goes_on {
            true => self.next[t] + 1,
            false => usize::MAX,
        };
        self.run.push(Event {
            thread: t,
            act,
            from,
            writes,
        });
    }

    fn place(act: Act) -> Option<usize> {
        match act {
            Act::Store(p, ..) | Act::Load(p, ..) | Act::Add(p, _) | Act::Swap(p, ..) => Some(p),
            _ => None,
        }
    }

    /// The writes whose release sequences a write belongs to.
    fn heads(&self, write: usize) -> Vec<usize> {
        let w = self.run[write];
        let mine = |n: &usize| {
            let e = self.run[*n];
            e.thread == w.thread && e.writes && Self::place(e.act) == Self::place(w.act)
        };
        let mut all: Vec<usize> = (0..=write).filter(mine).collect();
        if let (Act::Add(..) | Act::Swap(..), Some(from)) = (w.act, w.from) {
            all.extend(self.heads(from));
        }
        all
    }

    fn order(event: Event) -> usize {
        match event.act {
            Act::Store(_, _, o) | Act::Load(_, o, _) | Act::Add(_, o) | Act::Fence(o) => o,
            Act::Swap(_, _, _, o, failed) => {
                if event.writes {
                    o
                } else {
                    failed
                }
            }
            _ => RELAXED,
        }
    }

    /// Whether a pair of conflicting plain accesses is not ordered by happens-before, a matrix over the events.
    #[allow(clippy::needless_range_loop)]
    fn has_race(&self) -> bool {
        let n = self.run.len();
        let mut before = vec![vec![false; n]; n];
        for b in 0..n {
            for a in 0..b {
                let (one, two) = (self.run[a], self.run[b]);
                let handed_over = one.act == Act::Unlock && two.act == Act::Lock;
                before[a][b] = one.thread == two.thread || handed_over;
            }
        }
        let fence = |e: Event| matches!(e.act, Act::Fence(_));
        for read in 0..n {
            let Some(from) = self.run[read].from else {
                continue;
            };
            let behind = |a: &usize| {
                let e = self.run[*a];
                let here = *a == read || fence(e) && e.thread == self.run[read].thread && *a > read;
                here && acquires(Self::order(e))
            };
            for acquire in (0..n).filter(behind) {
                for head in self.heads(from) {
                    for release in 0..=head {
                        let e = self.run[release];
                        let here = release == head || fence(e) && e.thread == self.run[head].thread;
                        if here && releases(Self::order(e)) {
                            before[release][acquire] = true;
                        }
                    }
                }
            }
        }
        for k in 0..n {
            for a in 0..n {
                for b in 0..n {
                    before[a][b] |= before[a][k] && before[k][b];
                }
            }
        }
        let plain = |e: Event| match e.act {
            Act::Write(p) => Some((p, true)),
            Act::Read(p) => Some((p, false)),
            _ => None,
        };
        (0..n).any(|b| {
            (0..b).any(|a| {
                let pair = plain(self.run[a]).zip(plain(self.run[b]));
                pair.is_some_and(|(x, y)| x.0 == y.0 && (x.1 || y.1)) && !before[a][b]
            })
        })
    }
}

fn races(threads: &[Vec<Act>]) -> bool {
    let mut oracle = Oracle {
        threads,
        next: vec![0; threads.len()],
        run: Vec::new(),
        last: [None; 2],
        value: [0; 2],
        holder: None,
        race: false,
    };
    oracle.explore();
    oracle.race
}

#[test]
fn races_are_those_of_happens_before() {
    let count = std::env::var("RADDLE_FUZZ_WEAK_ORDERS").ok();
    let count: u64 = count.and_then(|c| c.parse().ok()).unwrap_or(120);
    let methods = [Method::Auto, Method::Explore(Strategy::Classic)];
    let (mut racy, mut safe) = (0, 0);
    for seed in 0..count {
        let threads = program(seed);
        let text = text(&threads);
        let program = compile_text("orders.i", &text, &Options::default())
            .unwrap_or_else(|e| panic!("{}\n{text}", e.render()));
        let expected = races(&threads);
        *(if expected { &mut racy } else { &mut safe }) += 1;
        for method in methods {
            let request = Request {
                properties: vec![Property::NoDataRace],
                unwind: None,
                certify: false,
                inputs: None,
                after: None,
                all_violations: false,
                budget: Budget::unlimited(),
            };
            let mut judge = Replayer::new(&program, &request.properties);
            let engine = FusionEngine::with(method);
            let verdict = engine.check(&program, &request, &mut judge, &mut |_| {});
            let found = match verdict {
                Verdict::True(_) => false,
                Verdict::False(_) => true,
                Verdict::Unknown(why) => panic!("seed {seed}, {method:?}: {why}\n{text}"),
            };
            assert_eq!(found, expected, "seed {seed}, {method:?}:\n{text}");
        }
    }
    eprintln!("{racy} programs with a race, {safe} without");
    assert!(
        racy * 5 > count && safe * 10 > count,
        "{racy} racy, {safe} safe"
    );
}
