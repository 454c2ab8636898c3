//! Questions on a program that fits on a page: the answers can be checked by reading it.

mod support;

use raddle_debugger::ask::{Answer, Asker, Line, Told, stands};
use raddle_engine_fusion::FusionEngine;
use raddle_interp::choice::Zero;
use raddle_interp::follow::follow;
use raddle_interp::{Checks, Config, End, Machine, Outcome, ThreadId};
use raddle_ir::{Program, Property};
use raddle_verdict::{Beginning, Engine};
use std::sync::Arc;

const PROGRAM: &str = "\
#include <pthread.h>
#include <assert.h>
int x, seen;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
void *one(void *unused) {
    pthread_mutex_lock(&m);
    x = x + 1;
    x = x + 1;
    pthread_mutex_unlock(&m);
    return 0;
}
int main(void) {
    pthread_t t;
    pthread_create(&t, 0, one, 0);
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    seen = x;
    assert(seen != 1);
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    return 0;
}
";

fn compile(text: &str, name: &str) -> Program {
    let name = format!("raddle-ask-{}-{name}.c", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, text).expect("a temporary file");
    let program = raddle_c::compile(&[&path], &raddle_c::Options::default());
    let _ = std::fs::remove_file(&path);
    program.unwrap_or_else(|why| panic!("{}", why.render()))
}

fn engines() -> Vec<Arc<dyn Engine>> {
    vec![Arc::new(FusionEngine::default())]
}

fn single() -> Config {
    Config {
        checks: Checks::none(),
        spurious_wakeups: true,
        single: true,
        ..Config::default()
    }
}

/// Each thread in turn goes on until it is at a line.
fn go(program: &Program, goals: &[(u32, u32)]) -> Beginning {
    let mut machine = Machine::new(program, single(), &mut Zero);
    let mut run = Beginning::default();
    for (thread, line) in goals {
        let t = ThreadId(*thread);
        while !is_at(&machine, t, *line) {
            let mut answers = Same(0, Vec::new());
            assert_eq!(machine.step(t, &mut answers), Outcome::Done);
            run.steps.push((*thread, answers.1));
        }
    }
    run
}

fn is_at(machine: &Machine<'_>, t: ThreadId, line: u32) -> bool {
    stands(machine, t).is_some_and(|at| machine.program.span_of(at).line == line)
}

/// Answers everything with the same, and writes it down.
struct Same(u128, Vec<u128>);

impl raddle_interp::Choices for Same {
    fn choose(&mut self, _: &raddle_interp::Choice) -> u128 {
        self.1.push(self.0);
        self.0
    }
}

fn yes(answer: Answer) -> Told {
    match answer {
        Answer::Yes(told) => *told,
        other => panic!("{other:?}"),
    }
}

fn is_no(answer: &Answer) -> bool {
    matches!(answer, Answer::No { .. })
}

#[test]
fn what_can_still_happen_depends_on_the_present_state() {
    let program = compile(PROGRAM, "state");
    let engines = engines();
    let start = Beginning::default();
    let asker = Asker::new(&program, &start, &engines).expect("a state");
    assert!(is_no(&asker.can_fail(None)));
    let line = Line::number;
    yes(asker.can_meet(&line(7), None, &line(15)));
    assert!(is_no(&asker.can_meet(&line(7), None, &line(17))));
    let values = asker.values("x", &line(17), None, 10);
    let mut found: Vec<u128> = values.all.iter().map(|(v, _)| *v).collect();
    found.sort_unstable();
    assert_eq!((found, values.complete.is_ok()), (vec![0, 2], true));
    assert!(is_no(&asker.can_race(&line(7), &line(17))));
    assert!(is_no(&asker.can_deadlock()));

    // Once main has the locks, the other thread has nothing to do before it.
    let locked = go(&program, &[(0, 17)]);
    let asker = Asker::new(&program, &locked, &engines).expect("a state");
    let values = asker.values("x", &line(17), Some(ThreadId(0)), 10);
    assert_eq!(values.all.len(), 1);
    assert!(is_no(&asker.can_meet(&line(7), None, &line(18))));
    let told = yes(asker.can_reach(&line(7), None));
    assert_eq!(told.run.steps[..told.before], locked.steps);
    let run = &told.run;
    let machine = follow(&program, &single(), &run.before, &run.steps, &mut |_| {});
    assert!(is_at(&machine.expect("a run"), ThreadId(1), 7));
    // Where a thread is, it has got.
    let here = yes(asker.can_reach(&line(17), Some(ThreadId(0))));
    assert_eq!(here.run, locked);
    assert!(is_no(&asker.can_reach(&line(17), Some(ThreadId(1)))));
}

#[test]
fn a_failing_run_is_found_and_stepped() {
    let broken = PROGRAM.replace("    pthread_mutex_lock(&m);\n    x", "    x");
    let broken = broken.replace("1;\n    pthread_mutex_unlock(&m);", "1;");
    let program = compile(&broken, "broken");
    let engines = engines();
    let middle = go(&program, &[(0, 13)]);
    let asker = Asker::new(&program, &middle, &engines).expect("a state");
    for answer in [
        asker.can_fail(None),
        asker.can_fail(Some(&Line::number(16))),
        asker.nearest_failing(Property::UnreachCall),
    ] {
        let told = yes(answer);
        assert!(told.switches <= 2, "{told:?}");
        let config = Config {
            checks: std::iter::once(Property::UnreachCall).collect(),
            ..single()
        };
        let run = &told.run;
        let machine = follow(&program, &config, &run.before, &run.steps, &mut |_| {});
        let machine = machine.expect("a run");
        assert!(matches!(machine.end(), Some(End::Violation(_))));
    }
    assert!(is_no(&asker.can_fail(Some(&Line::number(15)))));
    yes(asker.can_race(&Line::number(6), &Line::number(15)));
    assert!(is_no(&asker.can_race(&Line::number(6), &Line::number(16))));
    let passing = yes(asker.nearest_passing(&[Property::UnreachCall]));
    let run = &passing.run;
    let machine = follow(&program, &single(), &run.before, &run.steps, &mut |_| {});
    assert_eq!(machine.expect("a run").end(), Some(&End::Exit(0)));
}

#[test]
fn why_names_the_lock_that_is_needed() {
    let program = compile(PROGRAM, "why");
    let engines = engines();
    let middle = go(&program, &[(0, 15), (1, 6)]);
    let asker = Asker::new(&program, &middle, &engines).expect("a state");
    let why = asker.why_not(None);
    assert!(is_no(&why.answer));
    assert_eq!(why.needed, ["m"]);
    assert_eq!(why.spare, ["n"]);
}

#[test]
fn a_deadlock_is_found_from_the_middle_of_the_run() {
    let crossed = PROGRAM.replace(
        "    x = x + 1;\n    x = x + 1;\n",
        "    pthread_mutex_lock(&n);\n    x = x + 1;\n    pthread_mutex_unlock(&n);\n",
    );
    let crossed = crossed.replace(
        "    pthread_mutex_lock(&m);\n    pthread_mutex_lock(&n);\n    seen",
        "    pthread_mutex_lock(&n);\n    pthread_mutex_lock(&m);\n    seen",
    );
    let program = compile(&crossed, "crossed");
    let engines = engines();
    // Before the second thread is made, and when it holds its first lock.
    for goals in [vec![(0, 15)], vec![(0, 16), (1, 7)]] {
        let middle = go(&program, &goals);
        let asker = Asker::new(&program, &middle, &engines).expect("a state");
        let told = yes(asker.can_deadlock());
        assert!(told.violation.is_some());
    }
    // Who has both will not wait.
    let both = go(&program, &[(0, 18)]);
    let asker = Asker::new(&program, &both, &engines).expect("a state");
    assert!(is_no(&asker.can_deadlock()));
}

#[test]
fn inputs_behind_the_present_state_are_anything() {
    let text = "\
int __VERIFIER_nondet_int(void); int x;
int main(void) {
    x = __VERIFIER_nondet_int();
    if (x == 123456)
        x = 1;
    if (x > 5 && x < 5)
        x = 2;
    return 0;
}
";
    let program = compile(text, "inputs");
    let engines = engines();
    let middle = go(&program, &[(0, 3)]);
    let asker = Asker::new(&program, &middle, &engines).expect("a state");
    yes(asker.can_reach(&Line::number(5), None));
    assert!(is_no(&asker.can_reach(&Line::number(7), None)));
    // What was answered before stays what it was: zero.
    let later = go(&program, &[(0, 4)]);
    let asker = Asker::new(&program, &later, &engines).expect("a state");
    assert!(is_no(&asker.can_reach(&Line::number(5), None)));
}

/// Whoever is in a function that the library called comes back to the line of that call without executing anything of it.
#[test]
fn a_line_to_which_the_library_comes_back_is_not_denied() {
    let text = "typedef int pthread_once_t;
int pthread_once(pthread_once_t *, void (*)(void));
pthread_once_t once;
int x;
void initialise(void) {
    x = 1;
}
int main(void) {
    pthread_once(&once, initialise);
    return x;
}
";
    let program = support::from_text(text);
    let engines: Vec<Arc<dyn Engine>> = vec![Arc::new(FusionEngine::default())];
    let mut session = raddle_debugger::Session::new(&program, raddle_interp::Config::default());
    session.enter();
    while session.position(ThreadId(0)).is_some_and(|p| p.line != 6) {
        session.step(raddle_debugger::walk::Stride::Instruction);
    }
    let beginning = session.branch().beginning(session.here());
    let asker = Asker::new(&program, &beginning, &engines).expect("it leads here");
    let answer = asker.can_reach(&Line::number(9), None);
    assert!(!matches!(answer, Answer::No { .. }), "{answer:?}");
    assert!(matches!(
        asker.can_reach(&Line::number(10), None),
        Answer::Yes(_)
    ));
}

/// What was left out when the program was made could still fail.
#[test]
fn nothing_is_denied_beyond_the_limits_of_the_program() {
    let options = raddle_c::Options {
        entries: vec!["entry".into()],
        ..raddle_c::Options::default()
    };
    let text = "int shared;\nvoid entry(int *p) {\n    shared = *p;\n}\n";
    let program = raddle_c::compile_text("program.c", text, &options);
    let program = program.unwrap_or_else(|f| panic!("{}", f.render()));
    assert!(!program.limits.is_empty());
    let engines: Vec<Arc<dyn Engine>> = vec![Arc::new(FusionEngine::default())];
    let beginning = Beginning::default();
    let asker = Asker::new(&program, &beginning, &engines).expect("it is the start");
    let answer = asker.can_deadlock();
    assert!(matches!(answer, Answer::Unknown { .. }), "{answer:?}");
}
