//! What a check cost, for tables.

use std::time::Duration;

/// Costs of one check.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    /// CPU time within the solver.
    pub solver: Duration,
    /// CPU time from the program to the answer, the solver's included.
    pub total: Duration,
    /// CPU time of questions that only serve to say `true`.
    pub completeness: Duration,
    /// Steps of the deepest question.
    pub depth: usize,
    /// Questions.
    pub questions: u64,
    /// Variables of the formula.
    pub variables: u64,
    /// Its clauses.
    pub clauses: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Threads that are the same as another.
    pub identical: usize,
    /// The steps that matter, of a violation: one line each.
    pub projection: Vec<String>,
    /// How many steps of the path were not forced.
    pub steps: usize,
}

impl Statistics {
    /// One line of `name=value` pairs.
    pub fn line(&self) -> String {
        format!(
            "depth={} solver={:.3} total={:.3} completeness={:.3} questions={} variables={} clauses={} conflicts={} identical={}",
            self.depth,
            self.solver.as_secs_f64(),
            self.total.as_secs_f64(),
            self.completeness.as_secs_f64(),
            self.questions,
            self.variables,
            self.clauses,
            self.conflicts,
            self.identical
        )
    }
}

/// CPU time of this thread; where the system does not tell, time since some moment.
pub fn cpu_time() -> Duration {
    let told = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = told.and_then(|t| t.split(' ').next()?.parse().ok());
    nanoseconds.map_or_else(since_start, Duration::from_nanos)
}

fn since_start() -> Duration {
    static START: std::sync::OnceLock<std::time::Instant> = std::sync::OnceLock::new();
    START.get_or_init(std::time::Instant::now).elapsed()
}
