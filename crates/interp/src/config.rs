//! How a program is run: what is checked, how far it may go, and what is noted on the way.

use crate::foreign::Foreign;
use raddle_ir::Property;

/// A set of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Checks(u16);

impl Checks {
    /// All of them.
    pub fn all() -> Checks {
        Property::ALL.into_iter().collect()
    }

    /// None.
    pub fn none() -> Checks {
        Checks(0)
    }

    /// Whether a property is in the set.
    #[inline]
    pub fn has(self, p: Property) -> bool {
        self.0 & (1 << p as u16) != 0
    }

    /// The properties in the set.
    pub fn iter(self) -> impl Iterator<Item = Property> {
        Property::ALL.into_iter().filter(move |p| self.has(*p))
    }
}

impl FromIterator<Property> for Checks {
    fn from_iter<I: IntoIterator<Item = Property>>(all: I) -> Checks {
        Checks(all.into_iter().fold(0, |set, p| set | 1 << p as u16))
    }
}

/// How to run.
#[derive(Clone, Debug)]
pub struct Config {
    /// Which violations to look for.
    pub checks: Checks,
    /// A sleeper may wake without a signal. Switched off where deadlocks are looked for.
    pub spurious_wakeups: bool,
    /// A new heap object may get the address of a freed one.
    pub reuse_addresses: bool,
    /// A new thread may get the handle of one that is over, if addresses are reused. Without it, [`Machine::used_old_handle`] says whether that
    /// could have made a difference to a program that only waits for threads.
    ///
    /// [`Machine::used_old_handle`]: crate::Machine::used_old_handle
    pub reuse_handles: bool,
    /// Keep what the program prints.
    pub output: bool,
    /// How many bytes may be alive.
    pub max_memory: u64,
    /// How many activations a thread may stack.
    pub max_depth: usize,
    /// After how many jumps of invisible work a step ends all the same, so that a thread that loops
    /// on its own does not keep the others from running.
    pub quantum: u64,
    /// Every instruction is a step of its own, visible or not; an atomic region is still one step, and so are the return from `main`
    /// and the end of the process. For those who watch a run closely; may be changed in the middle of a run.
    pub single: bool,
    /// Count the executions of every instruction, see [`Machine::executions`]. Slower.
    pub count_executions: bool,
    /// Note every instruction and access ([`crate::observe`]); slow.
    pub observe: bool,
    /// Note what every step touches, see [`crate::footprint`].
    pub footprints: bool,
    /// With footprints: operations stay visible even when every other thread has ended and was joined. For those who want to know whose writes
    /// the last thread reads.
    pub visible_to_the_last: bool,
    /// Count the inputs that each thread asks for, see [`crate::Choice::before`].
    pub count_inputs: bool,
    /// What a function without a body writes; nothing unless asked what would happen then.
    pub foreign: Option<Foreign>,
    /// Note the calls of functions without a body ([`Machine::foreign_calls`]).
    ///
    /// [`Machine::foreign_calls`]: crate::Machine::foreign_calls
    pub note_foreign_calls: bool,
}

impl Config {
    /// Whether a new thread may get the handle of one that is over.
    #[inline]
    pub(crate) fn handles_come_back(&self) -> bool {
        self.reuse_addresses && self.reuse_handles
    }
}

impl Default for Config {
    fn default() -> Config {
        Config {
            checks: Checks::all(),
            spurious_wakeups: false,
            reuse_addresses: true,
            reuse_handles: true,
            output: true,
            max_memory: 512 << 20,
            max_depth: 20_000,
            quantum: 50_000,
            single: false,
            count_executions: false,
            observe: false,
            footprints: false,
            visible_to_the_last: false,
            count_inputs: false,
            foreign: None,
            note_foreign_calls: false,
        }
    }
}
