//! The engines there are, and how much of the time each gets.

use crate::portfolio::{Member, Weights};
use raddle_engine_fusion::FusionEngine;
use raddle_engine_project::ProjectEngine;
use raddle_engine_refine::RefineEngine;
use raddle_engine_staged::{Mode, StagedEngine};
use raddle_verdict::Engine;
use std::sync::Arc;
use std::time::Duration;

/// The names that `--engine` takes.
pub const NAMES: &[&str] = &["staged", "fusion", "refine", "project"];

const SECOND: Duration = Duration::from_secs(1);
/// The same at all times.
const STEADY: Weights = &[(Duration::MAX, 3)];
/// What executions find, they mostly find among the first; to go through all takes long.
const EXECUTIONS: Weights = &[
    (Duration::from_millis(60), 3),
    (SECOND, 1),
    (Duration::MAX, 2),
];
/// Most proofs are found soon.
const INVARIANTS: Weights = &[(SECOND, 3), (Duration::MAX, 2)];

/// The engines of a name, or all, each as it is to be used; `None` if there is no such name.
pub fn engines(
    name: Option<&str>,
    staged: Mode,
    fusion: FusionEngine,
    refine: RefineEngine,
    project: ProjectEngine,
) -> Option<Vec<Member>> {
    if name.is_some_and(|n| !NAMES.contains(&n)) {
        return None;
    }
    let member = |engine: Arc<dyn Engine>, weights| Member { engine, weights };
    // The one to begin with in front.
    let mut all = vec![
        member(Arc::new(StagedEngine { mode: staged }), STEADY),
        member(Arc::new(fusion), EXECUTIONS),
        // Only for assertions; asked for anything else, it says so at once.
        member(Arc::new(refine), INVARIANTS),
    ];
    all.retain(|m| name.is_none_or(|n| n == m.engine.name()));
    // Only by name: what it decides, the others decide as fast.
    if name == Some("project") {
        all.push(member(Arc::new(project), STEADY));
    }
    Some(all)
}
