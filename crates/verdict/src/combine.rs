//! How answers combine: of parts, of properties, of engines. These are the only rules; nobody else joins answers.
//!
//! - Several engines on one question: a proof or a violation settles it; of several reasons why it is open, the one that
//!   [tells most](telling) is shown.
//! - Several open questions: what is said of all of them together is no more than what is known of each ([`weaker`]).
//! - Several proofs: they hold together, with the assumptions of both. An assumption that a property holds is discharged by a proof of it, also
//!   in a circle: every proof is about executions up to the first violation of what it assumes, so the first violation in time of
//!   anything would contradict the proof of just that (`docs/decisions/0090-the-ledger.md`).

use crate::{Proof, Unknown};

/// How much a reason for `unknown` tells: bugs of ours before anything else, then what says most about the program.
pub fn telling(why: &Unknown) -> u32 {
    match why {
        Unknown::NotReplayed(_) => 8,
        Unknown::Internal(_) => 7,
        Unknown::Needs(_) => 6,
        Unknown::SafeWithin(_) => 5,
        Unknown::SafeForThreads(_) => 4,
        Unknown::SafeUpTo(_) | Unknown::SafeToDepth(_) | Unknown::SafeForRounds(..) => 3,
        Unknown::Stopped { bound: Some(_), .. } => 2,
        Unknown::Stopped { bound: None, .. } => 1,
        Unknown::Unsupported { .. } | Unknown::OnlyFromStart | Unknown::GaveUp(_) => 0,
    }
}

/// Whether this is a bug of ours, which is told whatever else is known.
pub fn is_bug(why: &Unknown) -> bool {
    matches!(why, Unknown::NotReplayed(_) | Unknown::Internal(_))
}

/// What is known of two open questions together: no more than of either.
pub fn weaker(a: Unknown, b: Unknown) -> Unknown {
    use Unknown::*;
    if is_bug(&a) || is_bug(&b) {
        return if is_bug(&a) { a } else { b };
    }
    match (a, b) {
        (SafeUpTo(mut x), SafeUpTo(y)) => {
            x.extend(y);
            x.sort();
            x.dedup();
            SafeUpTo(x)
        }
        (SafeForRounds(rounds, a), SafeForRounds(_, b)) => {
            let bound = match (a, b) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (one, None) | (None, one) => one,
            };
            SafeForRounds(rounds, bound)
        }
        (SafeForThreads(a), SafeForThreads(b)) => SafeForThreads(a.min(b)),
        (SafeToDepth(a), SafeToDepth(b)) => SafeToDepth(a.min(b)),
        (Stopped { cause, bound }, other @ (Stopped { .. } | SafeUpTo(_)))
        | (other @ SafeUpTo(_), Stopped { cause, bound }) => {
            let least = match other {
                Stopped { bound, .. } => bound,
                SafeUpTo(cuts) => cuts.iter().map(|c| c.bound).min(),
                _ => None,
            };
            // No bound is less than any.
            let bound = bound.min(least);
            Stopped { cause, bound }
        }
        (a, b) => match order(&b) < order(&a) {
            true => b,
            false => a,
        },
    }
}

/// Reasons of different kinds: what stands in the way of a proof is told before how far a search got.
fn order(why: &Unknown) -> u32 {
    match why {
        Unknown::NotReplayed(_) | Unknown::Internal(_) => 0,
        Unknown::Needs(_) => 1,
        Unknown::Unsupported { .. } | Unknown::OnlyFromStart => 2,
        Unknown::SafeWithin(_) => 3,
        Unknown::SafeForThreads(_) => 4,
        Unknown::Stopped { .. } | Unknown::GaveUp(_) => 5,
        Unknown::SafeUpTo(_) | Unknown::SafeToDepth(_) => 6,
        Unknown::SafeForRounds(..) => 7,
    }
}

/// Both proofs as one. What one assumes and the other proves is for the caller to discharge.
pub fn both(mut a: Proof, b: Proof) -> Proof {
    if !b.how.is_empty() && a.how != b.how {
        a.how = match a.how.is_empty() {
            true => b.how,
            false => format!("{}; {}", a.how, b.how),
        };
    }
    for assumption in b.assumptions {
        if !a.assumptions.contains(&assumption) {
            a.assumptions.push(assumption);
        }
    }
    a.certificate = match (a.certificate, b.certificate) {
        (Some(a), Some(b)) if a != b => Some(format!("{a}; {b}")),
        (Some(a), Some(_)) => Some(a),
        _ => None,
    };
    a.artefact = match (a.artefact, b.artefact) {
        (Some(a), Some(b)) => Some(a + &b),
        (one, None) | (None, one) => one,
    };
    a.threads = a.threads.or(b.threads);
    a
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Assumption, AssumptionKind, Cut, StopCause};
    use raddle_ir::{Property, Span};

    fn up_to(bound: u32) -> Unknown {
        Unknown::SafeUpTo(vec![Cut {
            function: "f".into(),
            span: Span::NOWHERE,
            bound,
        }])
    }

    fn stopped(bound: Option<u32>) -> Unknown {
        let cause = StopCause::Time;
        Unknown::Stopped { cause, bound }
    }

    fn unsupported() -> Unknown {
        Unknown::Unsupported {
            what: "x".into(),
            span: Span::NOWHERE,
        }
    }

    #[test]
    fn two_open_questions_say_no_more_than_either() {
        let bug = || Unknown::Internal("b".into());
        let rounds = |bound| Unknown::SafeForRounds(2, bound);
        let table = [
            (up_to(4), stopped(Some(8)), stopped(Some(4))),
            (stopped(None), stopped(Some(8)), stopped(None)),
            (stopped(Some(3)), stopped(Some(2)), stopped(Some(2))),
            (up_to(2), unsupported(), unsupported()),
            (stopped(Some(9)), unsupported(), unsupported()),
            (bug(), up_to(9), bug()),
            (rounds(Some(3)), rounds(None), rounds(Some(3))),
            (rounds(Some(3)), up_to(2), up_to(2)),
            (
                Unknown::SafeForThreads(4),
                Unknown::SafeForThreads(2),
                Unknown::SafeForThreads(2),
            ),
            (
                Unknown::SafeWithin("w".into()),
                up_to(2),
                Unknown::SafeWithin("w".into()),
            ),
        ];
        for (a, b, both) in table {
            assert_eq!(weaker(a.clone(), b.clone()), both, "{a:?} {b:?}");
            assert_eq!(weaker(b.clone(), a.clone()), both, "{b:?} {a:?}");
            assert_eq!(weaker(a.clone(), a.clone()), a);
        }
    }

    #[test]
    fn a_certificate_needs_all_parts() {
        let proof = |how: &str, certificate: Option<&str>| Proof {
            how: how.into(),
            certificate: certificate.map(String::from),
            assumptions: vec![Assumption {
                kind: AssumptionKind::Holds(Property::ValidDeref),
                span: Span::NOWHERE,
            }],
            ..Proof::default()
        };
        let one = both(proof("a", Some("c")), proof("b", None));
        assert_eq!((one.how.as_str(), one.certificate), ("a; b", None));
        assert_eq!(one.assumptions.len(), 1);
        let other = both(proof("a", Some("c")), proof("a", Some("d")));
        assert_eq!(other.how, "a");
        assert_eq!(other.certificate.as_deref(), Some("c; d"));
    }

    #[test]
    fn bugs_of_ours_are_told_first() {
        let bug = Unknown::NotReplayed("r".into());
        for other in [up_to(1), stopped(None), unsupported()] {
            assert!(telling(&bug) > telling(&other));
        }
        assert!(telling(&up_to(1)) > telling(&stopped(Some(100))));
    }
}
