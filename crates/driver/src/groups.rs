//! Properties asked in groups, so that what is hard about one does not stand in the way of another.
//!
//! Some properties mostly hold for simple reasons ([`raddle_analysis::evident`]) and are asked of few engines: misuse of locks, uninitialised
//! values, division by zero, bad shifts. What of them is not evident is looked at for a short while first, because a bug shows early;
//! then come the other properties, and then, with the time that is left, what is still open. `true` needs all groups.

use crate::portfolio::{Member, Question};
use crate::verify::{Conclusion, decide};
use raddle_analysis::evident::evident;
use raddle_ir::Property;
use raddle_verdict::{Candidate, Progress, Proof, Request, Unknown, Verdict};
use std::time::Duration;

/// How long the second group is looked at first.
const FIRST_LOOK: Duration = Duration::from_millis(1500);

/// What is asked apart from the rest.
const APART: [Property; 4] = [
    Property::ValidSync,
    Property::NoUninit,
    Property::NoDivZero,
    Property::NoBadShift,
];

type Answer = (Conclusion, Vec<(Candidate, String)>);

/// Asks the engines group by group.
pub fn decide_in_groups(
    members: &[Member],
    question: &Question,
    progress: &mut dyn FnMut(Progress),
) -> Answer {
    let all = &question.request.properties;
    let (apart, main): (Vec<Property>, Vec<Property>) = all.iter().partition(|p| APART.contains(p));
    if apart.is_empty() || main.is_empty() || question.request.all_violations {
        return decide(members, question, progress);
    }
    let clear = evident(question.program, &apart);
    let open: Vec<Property> = apart.into_iter().filter(|p| !clear.contains(p)).collect();
    let mut ask = |properties: &[Property], most: Option<Duration>| {
        let budget = &question.request.budget;
        let request = Request {
            properties: properties.to_vec(),
            budget: most.map_or(budget.clone(), |time| budget.for_at_most(time)),
            ..question.request.clone()
        };
        let part = Question {
            request: &request,
            files: question.files.clone(),
            ..*question
        };
        decide(members, &part, progress)
    };
    let mut early = None;
    if !open.is_empty() {
        let first = ask(&open, Some(FIRST_LOOK));
        if matches!(first.0.verdict, Some(Verdict::False(_))) {
            return first;
        }
        early = Some(first);
    }
    let rest = ask(&main, None);
    if !matches!(rest.0.verdict, Some(Verdict::True(_))) {
        return rest;
    }
    let stopped = |answer: &Answer| {
        let verdict = &answer.0.verdict;
        matches!(verdict, Some(Verdict::Unknown(Unknown::Stopped { .. })))
    };
    let second = match early {
        Some(first) if stopped(&first) => Some(ask(&open, None)),
        other => other,
    };
    both(rest, second, &clear)
}

/// The answer to all properties, if the main ones hold.
fn both((mut main, mut refused): Answer, second: Option<Answer>, clear: &[Property]) -> Answer {
    let Some(Verdict::True(proof)) = &mut main.verdict else {
        return (main, refused);
    };
    if !clear.is_empty() {
        let names: Vec<&str> = clear.iter().map(|p| p.name()).collect();
        proof.how = format!("{}; evident: {}", proof.how, names.join(", "));
    }
    let Some((other, more)) = second else {
        return (main, refused);
    };
    refused.extend(more);
    match other.verdict {
        Some(Verdict::True(second)) => {
            join(proof, second);
            (main, refused)
        }
        _ => (other, refused),
    }
}

fn join(into: &mut Proof, other: Proof) {
    into.how = format!("{}; {}", into.how, other.how);
    for text in other.assumptions {
        if !into.assumptions.contains(&text) {
            into.assumptions.push(text);
        }
    }
    into.certificate = match (into.certificate.take(), other.certificate) {
        (Some(one), Some(two)) => Some(format!("{one}; {two}")),
        _ => None,
    };
}
