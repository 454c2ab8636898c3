//! The engines there are, and how much of the time each gets.

use crate::portfolio::{EQUAL, Member};
use raddle_engine_fusion::FusionEngine;
use raddle_engine_project::ProjectEngine;
use raddle_engine_refine::RefineEngine;
use raddle_engine_staged::{Mode, StagedEngine};
use raddle_verdict::Engine;
use std::sync::Arc;

/// The names that `--engine` takes.
pub const NAMES: &[&str] = &["staged", "fusion", "refine", "project"];

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
        member(Arc::new(StagedEngine { mode: staged }), EQUAL),
        member(Arc::new(fusion), EQUAL),
        // Only for assertions; asked for anything else, it says so at once.
        member(Arc::new(refine), EQUAL),
    ];
    all.retain(|m| name.is_none_or(|n| n == m.engine.name()));
    // Only by name: what it decides, the others decide as fast.
    if name == Some("project") {
        all.push(member(Arc::new(project), EQUAL));
    }
    Some(all)
}
