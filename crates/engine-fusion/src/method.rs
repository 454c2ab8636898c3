//! How the engine works: which executions are run, and what is asked of a solver in between.

use crate::strategy::Strategy;
use std::str::FromStr;

/// A way to work.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Method {
    /// Remembered states and exploration for a while; if that does not decide, the trace-driven flow; if that does not, more exploration.
    #[default]
    Auto,
    /// Exploration alone.
    Explore(Strategy),
    /// The trace-driven flow alone ([`crate::driven`]).
    Driven,
    /// All states, remembered ([`crate::states`]).
    States,
    /// The same up to the names of objects, and without interleavings of steps that nobody can disturb: far fewer.
    ReducedStates,
    /// All interleavings, but checked and pruned symbolically ([`crate::prune`]).
    Prune,
}

/// The names of all methods.
pub const NAMES: &[(&str, Method)] = &[
    ("auto", Method::Auto),
    ("optimal", Method::Explore(Strategy::Optimal)),
    ("reads-from", Method::Explore(Strategy::ReadsFrom)),
    ("dpor", Method::Explore(Strategy::Classic)),
    ("all", Method::Explore(Strategy::All)),
    ("states", Method::States),
    ("reduced-states", Method::ReducedStates),
    ("driven", Method::Driven),
    ("prune", Method::Prune),
];

impl FromStr for Method {
    type Err = String;

    fn from_str(name: &str) -> Result<Method, String> {
        let found = NAMES.iter().find(|(n, _)| *n == name);
        found.map(|(_, m)| *m).ok_or_else(|| {
            let all: Vec<&str> = NAMES.iter().map(|(n, _)| *n).collect();
            format!("it is one of {}", all.join(", "))
        })
    }
}
