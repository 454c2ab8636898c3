//! What is left to choice in an execution, apart from whose step is next.
//!
//! The names are those of schedule files, so they stay as they are.

/// A kind of choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ChoiceClass {
    /// An input of the program (`__VERIFIER_nondet_*`).
    Input,
    /// The result of a function without a body.
    External,
    /// The value of memory that was never written, when it is read first.
    Uninitialised,
    /// The result of a shift by a bad amount.
    BadShift,
    /// Which sleeper a signal wakes, by position among those asleep.
    Wake,
    /// How a timed wait without signal ends: 0 spurious wake-up, 1 timeout.
    TimedWait,
    /// Whether a thread that has ended is seen to have ended (1), or still seems to run (0).
    SeesEnd,
    /// Whether a weak compare-and-swap fails although it could succeed (1).
    WeakCas,
    /// Whether a new object takes a fresh address (0) or the n-th freed one that fits.
    ReuseAddress,
    /// Whether a new thread gets a fresh handle (0) or the n-th one no longer in use.
    ReuseHandle,
}

impl ChoiceClass {
    /// All of them.
    pub const ALL: [ChoiceClass; 10] = [
        ChoiceClass::Input,
        ChoiceClass::External,
        ChoiceClass::Uninitialised,
        ChoiceClass::BadShift,
        ChoiceClass::Wake,
        ChoiceClass::TimedWait,
        ChoiceClass::SeesEnd,
        ChoiceClass::WeakCas,
        ChoiceClass::ReuseAddress,
        ChoiceClass::ReuseHandle,
    ];

    /// The name in schedule files.
    pub fn name(self) -> &'static str {
        match self {
            ChoiceClass::Input => "input",
            ChoiceClass::External => "external",
            ChoiceClass::Uninitialised => "uninitialised",
            ChoiceClass::BadShift => "bad-shift",
            ChoiceClass::Wake => "wake",
            ChoiceClass::TimedWait => "timed-wait",
            ChoiceClass::SeesEnd => "sees-end",
            ChoiceClass::WeakCas => "weak-cas",
            ChoiceClass::ReuseAddress => "reuse-address",
            ChoiceClass::ReuseHandle => "reuse-handle",
        }
    }

    /// The kind of that name.
    pub fn by_name(name: &str) -> Option<ChoiceClass> {
        ChoiceClass::ALL.into_iter().find(|c| c.name() == name)
    }

    /// Whether the answer comes from outside of the program.
    pub fn is_input(self) -> bool {
        matches!(self, ChoiceClass::Input | ChoiceClass::External)
    }
}
