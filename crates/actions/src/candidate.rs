//! From a feasible run to a candidate for the judge: its steps by instruction and occurrence, its choices by the model.

use crate::system::{ActionId, System};
use raddle_ccfg::{InstanceId, Watch, What};
use raddle_ir::{Location, Property};
use raddle_solver::Model;
use raddle_solver::term::{TermId, Value};
use raddle_symbolic::ChosenKind;
use raddle_verdict::{Candidate, CandidateChoice, CandidateStep};
use std::collections::HashMap;

/// The candidate of a run that ends in a violation.
pub fn candidate(
    system: &System,
    path: &[ActionId],
    model: &Model,
    choices: &[Vec<TermId>],
    what: (Property, Location),
) -> Candidate {
    told(system, path, (model, choices), what, false)
}

/// The same, with the ends of objects as steps where they are marked.
pub fn candidate_with_ends(
    system: &System,
    path: &[ActionId],
    model: &Model,
    choices: &[Vec<TermId>],
    what: (Property, Location),
) -> Candidate {
    told(system, path, (model, choices), what, true)
}

fn told(
    system: &System,
    path: &[ActionId],
    (model, choices): (&Model, &[Vec<TermId>]),
    (property, at): (Property, Location),
    ends: bool,
) -> Candidate {
    let mut steps = Vec::new();
    let mut chosen = Vec::new();
    let mut counts: HashMap<(InstanceId, Location), u32> = HashMap::new();
    let mut thread = InstanceId(0);
    for (position, id) in path.iter().enumerate() {
        let action = system.get(*id);
        thread = action.thread;
        let template = system.ccfg.template(system.instances.get(thread).template);
        let edge = &template.edges[action.edge.0 as usize];
        let mut children = action.control.iter().filter(|c| c.1 != c.2).map(|c| c.0);
        let mut next = action.choices.iter().zip(&choices[position]).peekable();
        let mut previous: Option<Location> = None;
        for (s, step) in edge.steps.iter().enumerate() {
            if let (What::Watch(Watch::Mark, _), true) = (&step.what, ends)
                && previous != Some(step.at)
            {
                previous = Some(step.at);
                let count = counts.entry((thread, step.at)).or_default();
                *count += 1;
                steps.push(CandidateStep {
                    thread: thread.0,
                    at: step.at,
                    occurrence: *count,
                    starts: None,
                });
            }
            if matches!(
                step.what,
                What::Watch(..) | What::Invalid(_) | What::Wrong(..)
            ) {
                continue;
            }
            let shared = step.cells.iter().any(|p| {
                let cell = system.ccfg.cell(p.cell);
                !system.ccfg.object(cell.object).private
            });
            let shared = shared || !step.elsewhere.is_empty();
            let asks = action.choices.iter().any(|c| c.step == s as u32);
            let control = matches!(step.what, What::New { .. } | What::Join { .. });
            if !(shared || asks || control) {
                continue;
            }
            // An allocation of zeros is several steps at one place.
            let again = previous == Some(step.at) && !asks;
            previous = Some(step.at);
            let count = counts.entry((thread, step.at)).or_default();
            *count += u32::from(!again);
            let count = *count;
            while let Some((c, term)) = next.next_if(|(c, _)| c.step == s as u32) {
                let value = match model.values.get(term) {
                    Some(Value::Bool(b)) => u128::from(*b),
                    Some(Value::Bits(n)) => *n,
                    _ => 0,
                };
                let ChosenKind::Answer(kind) = c.kind else {
                    continue;
                };
                chosen.push(CandidateChoice {
                    thread: thread.0,
                    at: step.at,
                    kind,
                    occurrence: Some(count),
                    value,
                });
            }
            let starts = match step.what {
                What::New { .. } => children.next().map(|c| c.0),
                _ => None,
            };
            if starts.is_some() || shared || matches!(step.what, What::Join { .. }) {
                steps.push(CandidateStep {
                    thread: thread.0,
                    at: step.at,
                    occurrence: count,
                    starts,
                });
            }
        }
    }
    Candidate {
        property,
        thread: thread.0,
        at,
        spurious_wakeups: true,
        steps,
        choices: chosen,
    }
}
