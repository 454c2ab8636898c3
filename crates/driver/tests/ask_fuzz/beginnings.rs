//! Random states of a program: so many random instructions from its start.

use raddle_interp::schedulers::SplitMix;
use raddle_interp::{Checks, Choice, Choices, Config, Machine, Outcome, ThreadId};
use raddle_ir::{Program, Property};
use raddle_verdict::Beginning;

/// A random beginning of a run in which nothing goes wrong and which is not over, and the machine behind it.
pub fn random<'p>(
    program: &'p Program,
    random: &mut SplitMix,
    length: u64,
) -> (Beginning, Machine<'p>) {
    let checks = Checks::all().iter().filter(|p| *p != Property::NoDataRace);
    let config = Config {
        checks: checks.collect(),
        spurious_wakeups: true,
        output: false,
        single: true,
        ..Config::default()
    };
    let values = raddle_interp::constants::interesting(program);
    let mut dice = Dice {
        values: &values,
        random,
        given: Vec::new(),
    };
    let mut machine = Machine::new(program, config, &mut dice);
    let mut beginning = Beginning {
        before: std::mem::take(&mut dice.given),
        steps: Vec::new(),
    };
    let mut last = ThreadId(0);
    for _ in 0..length {
        let enabled = machine.enabled();
        if enabled.is_empty() {
            break;
        }
        let stays = enabled.contains(&last) && dice.random.below(8) > 0;
        let next = match stays {
            true => last,
            false => enabled[dice.random.below(enabled.len() as u64) as usize],
        };
        let here = machine.snapshot();
        dice.given.clear();
        let outcome = machine.step(next, &mut dice);
        if machine.end().is_some() {
            machine.restore(&here);
            break;
        }
        last = next;
        if outcome == Outcome::Done {
            let answers = std::mem::take(&mut dice.given);
            beginning.steps.push((next.0, answers));
        }
    }
    (beginning, machine)
}

struct Dice<'a> {
    values: &'a [i128],
    random: &'a mut SplitMix,
    given: Vec<u128>,
}

impl Choices for Dice<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let value = match choice.options {
            0 => self.values[self.random.below(self.values.len() as u64) as usize] as u128,
            options => u128::from(self.random.below(u64::from(options))),
        };
        let value = match choice.bits < 128 && choice.options == 0 {
            true => value & ((1 << choice.bits) - 1),
            false => value,
        };
        self.given.push(value);
        value
    }
}
