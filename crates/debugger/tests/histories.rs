//! Schedules become histories and schedules again, and the run stays the same; a session gets to the same states whichever way it goes.

mod support;

use raddle_debugger::Session;
use raddle_debugger::convert::{config_of, history_of, is_same_end, schedule_of};
use raddle_interp::schedule::Schedule;
use raddle_interp::schedulers::{Random, Replay, Runner, SplitMix};
use raddle_interp::{Checks, Config, ThreadId};
use raddle_ir::{Program, Property};
use support::{compile, programs};

/// A random run as a schedule, unless it is long.
fn random_run(program: &Program, seed: u64) -> Option<Schedule> {
    let deadlocks = seed.is_multiple_of(2);
    let checks: Checks = Property::ALL
        .into_iter()
        .filter(|p| deadlocks == (*p == Property::NoDeadlock))
        .collect();
    let config = Config {
        checks,
        spurious_wakeups: !deadlocks,
        output: false,
        quantum: 1_000,
        ..Config::default()
    };
    let mut random = Random::new(seed);
    let mut runner = Runner::new(&mut random);
    let mut machine = runner.start(program, config.clone());
    runner.run(&mut machine, 300, &mut |_| true);
    machine.end()?;
    Some(Schedule {
        program: program.fingerprint(),
        files: Vec::new(),
        data_model: program.model.name().to_string(),
        checks,
        spurious_wakeups: config.spurious_wakeups,
        reuse_addresses: config.reuse_addresses,
        arguments: Vec::new(),
        events: runner.events,
    })
}

#[test]
fn schedules_become_histories_and_schedules_again() {
    let mut runs = 0;
    for file in programs() {
        let Some(program) = compile(&file) else {
            continue;
        };
        for seed in 0..6 {
            let Some(schedule) = random_run(&program, seed) else {
                continue;
            };
            let what = format!("{} with seed {seed}", file.display());
            let history = match history_of(&program, &schedule) {
                Ok(history) => history,
                Err(why) => panic!("{what}: {why}"),
            };
            let config = Config {
                output: false,
                ..config_of(&schedule)
            };
            let mut session = Session::new(&program, config.clone());
            if let Err(why) = session.load(&history, "run", None) {
                panic!("{what}: {why}");
            }
            session.go_to(usize::MAX);
            let mut replay = Replay::new(&schedule);
            let mut runner = Runner::new(&mut replay);
            let mut machine = runner.start(&program, config.clone());
            while runner.step(&mut machine).is_none() {}
            assert!(is_same_end(session.end(), machine.end()), "{what}");
            let again = match schedule_of(&session, &[], &[]) {
                Ok(again) => again,
                Err(why) => panic!("{what}: back again: {why}"),
            };
            let mut replay = Replay::new(&again);
            let mut runner = Runner::new(&mut replay);
            let mut machine = runner.start(&program, config);
            while runner.step(&mut machine).is_none() {}
            assert_eq!(replay.mismatch, None, "{what}");
            assert!(is_same_end(session.end(), machine.end()), "{what}");
            runs += 1;
        }
    }
    println!("{runs} runs");
    assert!(runs > 500, "only {runs} runs");
}

#[test]
fn every_moment_is_the_same_from_wherever_one_comes() {
    let mut random = SplitMix::new(7);
    for file in programs()
        .into_iter()
        .filter(|f| f.starts_with(support::root().join("examples")))
    {
        let Some(program) = compile(&file) else {
            continue;
        };
        let config = Config {
            output: false,
            ..Config::default()
        };
        let mut session = Session::new(&program, config);
        let mut digests = vec![session.machine().digest()];
        for _ in 0..6_000 {
            let enabled = session.enabled();
            if enabled.is_empty() {
                break;
            }
            let t = enabled[random.draw() as usize % enabled.len()];
            session.step_thread(t, raddle_debugger::walk::Stride::Instruction);
            assert!(session.others().is_empty());
            if session.here() == digests.len() {
                digests.push(session.machine().digest());
            }
        }
        assert_eq!(digests.len(), session.here() + 1, "{}", file.display());
        for _ in 0..40 {
            let at = random.draw() as usize % digests.len();
            session.go_to(at);
            assert_eq!(session.here(), at);
            assert_eq!(
                session.machine().digest(),
                digests[at],
                "{} at {at}",
                file.display()
            );
        }
        let _ = ThreadId(0);
    }
}
