//! What is so: the enumeration of all interleavings.

use raddle_interp::Config;
use raddle_interp::explore::{Exploration, Limits, explore};
use raddle_ir::{Program, Property};

/// All interleavings of a program within so many steps, with everything that violates one of these properties, or the first of it.
pub fn enumerate(
    program: &Program,
    group: &[Property],
    steps: u64,
    first_only: bool,
) -> Exploration {
    let config = Config {
        checks: group.iter().copied().collect(),
        spurious_wakeups: !group.contains(&Property::NoDeadlock),
        output: false,
        quantum: 100,
        ..Config::default()
    };
    let limits = Limits {
        depth: 400,
        steps,
        first_only,
        remember: true,
    };
    explore(program, config, limits)
}
