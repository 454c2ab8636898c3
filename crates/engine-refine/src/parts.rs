//! A request in parts, and the answers of the parts put together.
//!
//! What is asked decides which graph is built: announcements for races, lives of objects for memory safety, nothing put off for
//! deadlocks. So each of these is a question of its own, with a search and a proof of its own. A violation found in one part is
//! the answer; otherwise whatever is not known in one is not known; `true` needs all of them.

use raddle_ccfg::{Ccfg, Refusal};
use raddle_ir::{Program, Property};
use raddle_verdict::{Proof, Unknown, Verdict};

/// What is asked together.
const PARTS: [&[Property]; 10] = [
    &[Property::UnreachCall],
    &[Property::NoDataRace],
    &[Property::ValidDeref, Property::ValidFree],
    &[Property::ValidMemtrack],
    &[Property::ValidMemcleanup],
    &[Property::NoDeadlock],
    &[Property::ValidSync],
    &[Property::NoUninit],
    &[Property::NoDivZero],
    &[Property::NoBadShift],
];

/// The parts of a list of properties, in the order in which they are answered; else the first one that is not treated.
pub fn parts(properties: &[Property]) -> Result<Vec<Vec<Property>>, Property> {
    let treated = |p: &Property| PARTS.iter().any(|part| part.contains(p));
    if let Some(p) = properties.iter().find(|p| !treated(p)) {
        return Err(*p);
    }
    let of = |part: &[Property]| -> Vec<Property> {
        let asked = part.iter().filter(|p| properties.contains(p));
        asked.copied().collect()
    };
    let all = PARTS.iter().map(|part| of(part));
    Ok(all.filter(|part| !part.is_empty()).collect())
}

/// The graph in which the properties of one part are asked.
pub fn graph(program: &Program, part: &[Property]) -> Result<Ccfg, Refusal> {
    match part {
        [Property::NoDataRace] => raddle_ccfg::build_with_races(program),
        [Property::ValidDeref | Property::ValidFree, ..] => {
            raddle_ccfg::build_with_safety(program, part)
        }
        [Property::NoDeadlock] => raddle_ccfg::build_with_waiting(program),
        [Property::ValidSync] => raddle_ccfg::build_with_misuse(program),
        [Property::NoUninit] => Err(Refusal {
            what: format!("the property {}", Property::NoUninit),
            span: raddle_ir::Span::NOWHERE,
        }),
        _ => raddle_ccfg::build(program, part),
    }
}

/// Why the properties of a part hold, if that needs no search: nothing is asserted in what may be called; or nobody can wait, or all locks are taken
/// in one order, so there is no deadlock, whatever else the program does.
pub fn is_plain(program: &Program, part: &[Property]) -> Option<String> {
    match part {
        [Property::UnreachCall] => {
            let silent = !raddle_ccfg::asserts(program, Property::UnreachCall);
            silent.then(|| "nothing is asserted in functions that are called".into())
        }
        [Property::NoDeadlock] => raddle_ccfg::why_nobody_is_stuck(program),
        [
            one @ (Property::ValidSync
            | Property::NoUninit
            | Property::NoDivZero
            | Property::NoBadShift),
        ] => {
            let holds = raddle_ccfg::is_evident(program, *one);
            holds.then(|| format!("{one} is evident"))
        }
        _ => None,
    }
}

/// Answers put together.
#[derive(Default)]
pub struct Together {
    proof: Option<Proof>,
    unknown: Option<Unknown>,
}

impl Together {
    /// One more answer; all of them, if it settles the matter.
    pub fn add(&mut self, answer: Verdict) -> Option<Verdict> {
        match answer {
            Verdict::False(_) => return Some(answer),
            Verdict::Unknown(why) => self.unknown = self.unknown.take().or(Some(why)),
            Verdict::True(one) => match &mut self.proof {
                None => self.proof = Some(one),
                Some(all) => {
                    all.how = format!("{}; {}", all.how, one.how);
                    for text in one.assumptions {
                        if !all.assumptions.contains(&text) {
                            all.assumptions.push(text);
                        }
                    }
                    all.certificate = match (all.certificate.take(), one.certificate) {
                        (Some(a), Some(b)) => Some(format!("{a}; {b}")),
                        _ => None,
                    };
                }
            },
        }
        None
    }

    /// The answer, if nothing was violated.
    pub fn verdict(self) -> Verdict {
        match self.unknown {
            Some(why) => Verdict::Unknown(why),
            None => Verdict::True(self.proof.unwrap_or_default()),
        }
    }
}
