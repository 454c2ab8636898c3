//! The engines there are, in the order in which they are asked.

use raddle_engine_fusion::FusionEngine;
use raddle_engine_project::ProjectEngine;
use raddle_engine_refine::RefineEngine;
use raddle_engine_staged::{Mode, StagedEngine};
use raddle_verdict::Engine;

/// The names that `--engine` takes.
pub const NAMES: &[&str] = &["staged", "fusion", "refine", "project"];

/// The engines of a name, or all, each as it is to be used; `None` if there is no such name.
pub fn engines(
    name: Option<&str>,
    staged: Mode,
    fusion: FusionEngine,
    refine: RefineEngine,
    project: ProjectEngine,
) -> Option<Vec<Box<dyn Engine>>> {
    if name.is_some_and(|n| !NAMES.contains(&n)) {
        return None;
    }
    // The one to be asked first in front.
    let mut all: Vec<Box<dyn Engine>> =
        vec![Box::new(StagedEngine { mode: staged }), Box::new(fusion)];
    all.retain(|e| name.is_none_or(|n| n == e.name()));
    // Only by name, until it has been held against the enumeration for long enough.
    if name == Some("refine") {
        all.push(Box::new(refine));
    }
    if name == Some("project") {
        all.push(Box::new(project));
    }
    Some(all)
}
