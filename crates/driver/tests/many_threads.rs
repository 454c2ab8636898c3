//! Programs with hundreds and thousands of threads: a step costs about the same however many there are, who can go on is what a look at every thread
//! says, and what is wrong among thousands is found, replayed and short.
//!
//! Bounds on time are many times what is needed, and a small part of what it takes if each step looks at all threads.

use raddle_engine_fusion::FusionEngine;
use raddle_interp::schedule::{Event, Schedule};
use raddle_interp::schedulers::{Pct, Random, RoundRobin, Runner, Scheduler, Stop};
use raddle_interp::{Config, End, Machine, ThreadId};
use raddle_ir::{Program, Property};
use raddle_verdict::{Budget, Engine, Found, Request, Verdict};
use raddle_witness::{Replayer, switches};
use std::path::Path;
use std::time::{Duration, Instant};

fn compile(name: &str, text: &str) -> Program {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.c"));
    std::fs::write(&path, text).expect("a file");
    let options = raddle_c::Options::default();
    let program = raddle_c::compile(&[path.as_path()], &options);
    program.unwrap_or_else(|why| panic!("{}", why.render()))
}

/// A counter goes up and down under a lock that each access takes, and `main` looks at it under two locks: its own, and perhaps the
/// one that keeps all others away.
fn counter(threads: usize, of_main: &str) -> String {
    format!(
        "#include <pthread.h>
         #include <assert.h>
         int counter;
         pthread_mutex_t all = PTHREAD_MUTEX_INITIALIZER, own = PTHREAD_MUTEX_INITIALIZER, one = PTHREAD_MUTEX_INITIALIZER;
         void *work(void *unused) {{
           pthread_mutex_lock(&all);
           pthread_mutex_lock(&one); counter++; pthread_mutex_unlock(&one);
           pthread_mutex_lock(&one); counter--; pthread_mutex_unlock(&one);
           pthread_mutex_unlock(&all);
           return 0;
         }}
         int main(void) {{
           pthread_t ids[{threads}];
           for (int i = 0; i < {threads}; i++) pthread_create(&ids[i], 0, work, 0);
           pthread_mutex_lock(&{of_main});
           pthread_mutex_lock(&one); assert(counter == 0); pthread_mutex_unlock(&one);
           pthread_mutex_unlock(&{of_main});
           for (int i = 0; i < {threads}; i++) pthread_join(ids[i], 0);
           return 0;
         }}"
    )
}

#[test]
fn thousands_of_threads_run_to_their_end_in_time() {
    let program = compile("runs", &counter(5_000, "all"));
    let policies: [Box<dyn Scheduler>; 3] = [
        Box::new(Random::new(1)),
        Box::new(Pct::new(1, 3, 50_000)),
        Box::new(RoundRobin::new(2)),
    ];
    let began = Instant::now();
    for mut policy in policies {
        // All properties, races and deadlocks among them.
        let mut runner = Runner::new(policy.as_mut());
        let mut machine = runner.start(&program, Config::default());
        let stop = runner.run(&mut machine, 1_000_000, &mut |_| true);
        assert_eq!(stop, Stop::Ended(End::Exit(0)));
        assert!(machine.threads().count() == 5_001);
    }
    let took = began.elapsed();
    assert!(took < Duration::from_secs(60), "{took:?}");
}

/// Locks of all kinds, sleepers, joins, atomic blocks, handles that come back.
const ALL_KINDS: &str = "
#include <pthread.h>
#include <semaphore.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, again, careful;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
pthread_spinlock_t spin;
pthread_mutex_t own[90];
sem_t sem;
int flag, turn;
void *lock(void *a) { pthread_mutex_lock(&plain); flag++; pthread_cond_signal(&cond); pthread_mutex_unlock(&plain); return a; }
void *twice(void *a) { pthread_mutex_lock(&again); pthread_mutex_lock(&again); turn++; pthread_mutex_unlock(&again); pthread_mutex_unlock(&again); return a; }
void *care(void *a) { pthread_mutex_lock(&careful); pthread_mutex_lock(&careful); turn++; pthread_mutex_unlock(&careful); return a; }
void *reader(void *a) { pthread_rwlock_rdlock(&rw); turn++; pthread_rwlock_unlock(&rw); return a; }
void *writer(void *a) { pthread_rwlock_wrlock(&rw); turn++; pthread_rwlock_unlock(&rw); return a; }
void *sleeper(void *a) { pthread_mutex_lock(&plain); if (!flag) pthread_cond_wait(&cond, &plain); pthread_mutex_unlock(&plain); return a; }
void *taker(void *a) { sem_wait(&sem); pthread_spin_lock(&spin); turn++; pthread_spin_unlock(&spin); sem_post(&sem); return a; }
void *block(void *a) { __VERIFIER_atomic_begin(); __VERIFIER_assume(flag > 2); flag++; __VERIFIER_atomic_end(); return a; }
void *alone(void *a) { pthread_mutex_t *m = a; pthread_mutex_lock(m); turn++; pthread_mutex_unlock(m); return a; }
void *parent(void *a) { pthread_t child; pthread_create(&child, 0, lock, 0); pthread_join(child, 0); return a; }
int main(void) {
  pthread_t ids[90];
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE); pthread_mutex_init(&again, &attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&careful, &attr);
  pthread_spin_init(&spin, 0);
  sem_init(&sem, 0, 2);
  void *(*all[])(void *) = { lock, twice, care, reader, writer, sleeper, taker, block, alone, parent };
  for (int i = 0; i < 90; i++) {
    pthread_mutex_init(&own[i], 0);
    pthread_create(&ids[i], 0, all[i % 10], &own[i]);
  }
  for (int i = 0; i < 90; i++) { pthread_mutex_lock(&own[i]); pthread_mutex_unlock(&own[i]); }
  for (int i = 0; i < 90; i++) pthread_join(ids[i], 0);
  return 0;
}";

/// The threads that can go on, by a look at each.
fn by_a_look_at_each(machine: &Machine<'_>) -> Vec<ThreadId> {
    let can = |t: &ThreadId| machine.pending(*t).is_some_and(|p| p.enabled);
    match machine.end() {
        Some(_) => Vec::new(),
        None => machine.threads().filter(can).collect(),
    }
}

#[test]
fn who_can_go_on_is_what_a_look_at_each_thread_says() {
    let program = compile("kinds", ALL_KINDS);
    let none: [Property; 0] = [];
    for seed in 0..12 {
        let config = Config {
            checks: match seed % 2 {
                0 => [Property::NoDeadlock].into_iter().collect(),
                _ => none.into_iter().collect(),
            },
            spurious_wakeups: seed % 3 == 0,
            reuse_addresses: seed % 4 < 2,
            ..Config::default()
        };
        let mut random = Random::new(seed);
        let mut runner = Runner::new(&mut random);
        let mut machine = runner.start(&program, config);
        let mut kept = None;
        let (mut most, mut steps) = (0, 0);
        loop {
            let stop = runner.step(&mut machine);
            assert_eq!(machine.enabled(), by_a_look_at_each(&machine), "{seed}");
            if seed % 2 == 0 && machine.end().is_none() {
                // Whatever a step overlooks, a look at all would find.
                machine.look_for_deadlock();
                assert_eq!(machine.end(), None, "{seed}");
            }
            steps += 1;
            most = most.max(machine.threads().count());
            if steps == 400 {
                kept = Some(machine.snapshot());
            }
            if stop.is_some() || steps > 20_000 {
                break;
            }
        }
        assert!(most > 90, "{most}");
        if let Some(snapshot) = kept {
            machine.restore(&snapshot);
            assert_eq!(machine.enabled(), by_a_look_at_each(&machine));
        }
    }
}

fn find(program: &Program, property: Property) -> Found {
    let request = Request {
        properties: vec![property],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(60)),
    };
    let mut judge = Replayer::new(program, &request.properties);
    let engine = FusionEngine::default();
    match engine.check(program, &request, &mut judge, &mut |_| {}) {
        Verdict::False(mut found) => found.remove(0),
        other => panic!("{property}: {other:?}"),
    }
}

/// The schedule of what was found, which has to be short: threads that have nothing to do with it take no steps.
fn few_switches(found: &Found) {
    let schedule = Schedule::from_json(&found.schedule).expect("a schedule");
    let acting = schedule.events.iter().filter_map(|e| match e {
        Event::Step { thread, .. } => Some(*thread),
        Event::Choice { .. } => None,
    });
    let acting: std::collections::BTreeSet<ThreadId> = acting.collect();
    let switches = switches(&schedule.events);
    assert!(acting.len() < 20, "{} threads act", acting.len());
    assert!(switches < 60, "{switches} switches");
}

#[test]
fn a_failing_assertion_among_thousands_is_found() {
    let program = compile("fails", &counter(3_000, "own"));
    let found = find(&program, Property::UnreachCall);
    few_switches(&found);
}

#[test]
fn a_race_among_thousands_is_found() {
    let text = "#include <pthread.h>
        int shared;
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
        void *careful(void *a) { pthread_mutex_lock(&m); shared++; pthread_mutex_unlock(&m); return a; }
        void *careless(void *a) { pthread_mutex_lock(&m); shared++; pthread_mutex_unlock(&m); shared = 3; return a; }
        int main(void) {
          pthread_t ids[2000], last;
          for (int i = 0; i < 2000; i++) pthread_create(&ids[i], 0, careful, 0);
          pthread_create(&last, 0, careless, 0);
          for (int i = 0; i < 2000; i++) pthread_join(ids[i], 0);
          pthread_join(last, 0);
          return 0;
        }";
    few_switches(&find(&compile("races", text), Property::NoDataRace));
}

#[test]
fn a_deadlock_among_thousands_is_found() {
    let text = "#include <pthread.h>
        pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
        void *one(void *x) { pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a); return x; }
        void *other(void *x) { pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b); return x; }
        int main(void) {
          pthread_t ids[2000], last;
          for (int i = 0; i < 2000; i++) pthread_create(&ids[i], 0, one, 0);
          pthread_create(&last, 0, other, 0);
          for (int i = 0; i < 2000; i++) pthread_join(ids[i], 0);
          pthread_join(last, 0);
          return 0;
        }";
    few_switches(&find(&compile("deadlocks", text), Property::NoDeadlock));
}

/// Each thread asks for a number, and most numbers end the process: with numbers of their own, thousands of threads are never made.
#[test]
fn threads_that_ask_for_good_values_are_found_to_fail() {
    let text = "#include <pthread.h>
        #include <assert.h>
        extern int __VERIFIER_nondet_int(void);
        extern void abort(void);
        int cells[8];
        pthread_mutex_t locks[8], one = PTHREAD_MUTEX_INITIALIZER;
        void *work(void *a) {
          int i = __VERIFIER_nondet_int();
          if (i < 0 || i > 6) abort();
          pthread_mutex_lock(&locks[i]);
          pthread_mutex_lock(&one); cells[i + 1]++; pthread_mutex_unlock(&one);
          pthread_mutex_lock(&one); cells[i + 1]--; pthread_mutex_unlock(&one);
          pthread_mutex_unlock(&locks[i]);
          return a;
        }
        int main(void) {
          int i = __VERIFIER_nondet_int();
          if (i < 0 || i > 7) abort();
          pthread_t ids[1000];
          for (int k = 0; k < 1000; k++) pthread_create(&ids[k], 0, work, 0);
          pthread_mutex_lock(&locks[i]);
          pthread_mutex_lock(&one); assert(cells[i] == 0); pthread_mutex_unlock(&one);
          pthread_mutex_unlock(&locks[i]);
          for (int k = 0; k < 1000; k++) pthread_join(ids[k], 0);
          return 0;
        }";
    few_switches(&find(&compile("values", text), Property::UnreachCall));
}
