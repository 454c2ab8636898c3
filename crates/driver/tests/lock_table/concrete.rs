//! A row in the interpreter.

use crate::rows::Row;
use crate::{Found, Outcome, compile};
use raddle_interp::schedulers::{RoundRobin, Runner, Stop};
use raddle_interp::{Checks, Config, End, Machine};
use raddle_ir::{GlobalId, Property};

fn config(checks: &[Property]) -> Config {
    Config {
        checks: checks.iter().copied().collect::<Checks>(),
        spurious_wakeups: !checks.contains(&Property::NoDeadlock),
        reuse_addresses: false,
        ..Config::default()
    }
}

fn read(machine: &Machine<'_>, name: &str, offset: u64) -> u32 {
    let mut globals = machine.program.globals.iter();
    let global = globals.position(|g| g.name == name).expect(name);
    let object = machine.object_of(raddle_interp::ThreadId(0), GlobalId(global as u32));
    let value = machine.look(object.expect(name), offset, 4);
    value.expect(name).bits as u32
}

/// Runs it.
pub fn run(row: &Row) -> Found {
    let program = compile(row.program(""));
    let run = |checks: &[Property], look: &mut dyn FnMut(&Machine<'_>, Stop)| {
        let mut scheduler = RoundRobin::new(100);
        let mut runner = Runner::new(&mut scheduler);
        let mut machine = runner.start(&program, config(checks));
        let stop = runner.run(&mut machine, 1000, &mut |_| true);
        look(&machine, stop);
    };
    let mut found = Found {
        before: 0,
        kind: 0,
        outcome: Outcome::Blocks,
        misuse: false,
        deadlock: false,
    };
    run(&[Property::UnreachCall], &mut |machine, stop| {
        found.before = read(machine, "before", 0);
        found.kind = read(machine, "object", 16);
        found.outcome = match stop {
            Stop::Ended(End::Exit(0)) => Outcome::Goes {
                code: read(machine, "code", 0),
                word: read(machine, "after", 0),
            },
            Stop::Stuck if machine.undefined().is_empty() => Outcome::Blocks,
            Stop::Stuck => Outcome::Stops,
            // The thread is the last one: with it, the process ends.
            Stop::Ended(_) if !machine.undefined().is_empty() => Outcome::Stops,
            other => panic!("{}: {other:?}", row.name()),
        };
    });
    let violated = |property| {
        let mut is_violated = false;
        run(&[property], &mut |_, stop| {
            is_violated = matches!(stop, Stop::Ended(End::Violation(v)) if v.property == property);
        });
        is_violated
    };
    found.misuse = violated(Property::ValidSync);
    found.deadlock = violated(Property::NoDeadlock);
    found
}
