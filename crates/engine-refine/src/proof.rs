//! A proof as data: for each group of errors the predicates, and the annotated reduced product, state by state.
//!
//! A file has a proof for every part of a request (`parts.rs`), one behind the other; each says which properties it is about.
//! The text form has one line per predicate and state. Variables are named by their number in the transition system, which is
//! the same whenever it is built from the same program; the program's fingerprint stands in front.

use crate::modular::{Detail, Invariants, Where};
use crate::system::{Status, VarId};
use crate::term_text;
use raddle_ccfg::{InstanceId, LocId, ObjectId};
use raddle_ir::Property;
use raddle_solver::term::{TermId, TermPool};
use std::fmt::Write;

/// What a proof file begins with.
const FIRST: &str = "raddle refinement proof 3";

/// A proof of a program.
#[derive(Clone, Debug, Default)]
pub struct ProofFile {
    /// Of which program.
    pub fingerprint: u64,
    /// What is shown to hold.
    pub properties: Vec<Property>,
    /// Instances of every creation that can repeat.
    pub bound: u32,
    /// What holds thread by thread.
    pub invariants: Invariants,
    /// By group of threads whose errors are shown to be unreachable.
    pub groups: Vec<Group>,
}

/// A reduced product without errors of some threads.
#[derive(Clone, Debug, Default)]
pub struct Group {
    /// The threads, as bits.
    pub targets: u64,
    /// The predicates.
    pub predicates: Vec<TermId>,
    /// The states.
    pub states: Vec<State>,
}

/// A state of the product.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct State {
    /// Where the threads are.
    pub places: Vec<Status>,
    /// Values that are known.
    pub values: Vec<(VarId, u128)>,
    /// Predicates that hold.
    pub predicates: Vec<u32>,
    /// Threads that sleep, as bits.
    pub sleep: u64,
    /// The persistent set, as bits.
    pub chosen: u64,
    /// Those of it that act, in this order.
    pub order: Vec<u32>,
}

const DETAILS: [(&str, Detail); 3] = [
    ("full", Detail::Full),
    ("starts", Detail::Starts),
    ("nothing", Detail::Nothing),
];

/// The places in the order of threads and locations.
pub fn sorted(invariants: &Invariants) -> Vec<(&Where, &Vec<TermId>)> {
    let mut all: Vec<(&Where, &Vec<TermId>)> = invariants.holds.iter().collect();
    all.sort_by_key(|(w, _)| (w.thread, w.at, &w.children));
    all
}

/// Prints a proof.
pub fn print(proof: &ProofFile, pool: &TermPool, number: &dyn Fn(TermId) -> Option<u32>) -> String {
    let mut out = format!(
        "{FIRST}\nprogram {:016x}\nproperties {}\nthreads {}\n",
        proof.fingerprint,
        proof
            .properties
            .iter()
            .map(|p| p.name())
            .collect::<Vec<_>>()
            .join(","),
        proof.bound
    );
    for (t, d) in proof.invariants.detail.iter().enumerate() {
        let _ = writeln!(out, "thread {t} {}", DETAILS[*d as usize].0);
    }
    for (object, holds) in &proof.invariants.contents {
        for h in holds {
            let text = term_text::print(pool, *h, number);
            let _ = writeln!(out, "contents {} {text}", object.0);
        }
    }
    for (w, holds) in sorted(&proof.invariants) {
        let children: Vec<String> = w.children.iter().map(|p| place(*p)).collect();
        let at = place(w.at);
        let _ = writeln!(out, "place {} {at} {}", w.thread.0, children.join(","));
        for h in holds {
            let _ = writeln!(out, "holds {}", term_text::print(pool, *h, number));
        }
    }
    for g in &proof.groups {
        let _ = writeln!(out, "group {:x}", g.targets);
        for p in &g.predicates {
            let _ = writeln!(out, "predicate {}", term_text::print(pool, *p, number));
        }
        for s in &g.states {
            let places: Vec<String> = s.places.iter().map(|p| place(*p)).collect();
            let values: Vec<String> = s
                .values
                .iter()
                .map(|(v, n)| format!("{}={n}", v.0))
                .collect();
            let numbers =
                |all: &[u32]| all.iter().map(u32::to_string).collect::<Vec<_>>().join(",");
            let _ = writeln!(
                out,
                "state {} ; {} ; {} ; {:x} ; {:x} ; {}",
                places.join(","),
                values.join(","),
                numbers(&s.predicates),
                s.sleep,
                s.chosen,
                numbers(&s.order)
            );
        }
    }
    out
}

fn place(p: Status) -> String {
    match p {
        Status::Absent => "-".into(),
        Status::Made => "m".into(),
        Status::Finished => "f".into(),
        Status::Joined => "j".into(),
        Status::At(l) => l.0.to_string(),
    }
}

/// Reads a proof; variables are given by their numbers.
pub fn read(
    text: &str,
    pool: &mut TermPool,
    variable: &dyn Fn(u32) -> Option<TermId>,
) -> Result<ProofFile, String> {
    let mut proof = ProofFile::default();
    let mut lines = text.lines();
    let mut last: Option<Where> = None;
    if lines.next() != Some(FIRST) {
        return Err("this is no proof of the refinement engine".into());
    }
    for (i, line) in lines.enumerate() {
        let bad = || format!("line {}: not understood", i + 2);
        let (word, rest) = line.split_once(' ').ok_or_else(bad)?;
        match word {
            "program" => proof.fingerprint = u64::from_str_radix(rest, 16).map_err(|_| bad())?,
            "properties" => proof.properties = named_properties(rest).ok_or_else(bad)?,
            "threads" => proof.bound = rest.parse().map_err(|_| bad())?,
            "group" => proof.groups.push(Group {
                targets: u64::from_str_radix(rest, 16).map_err(|_| bad())?,
                ..Group::default()
            }),
            "thread" => {
                let (t, d) = rest.split_once(' ').ok_or_else(bad)?;
                let detail = DETAILS.iter().find(|x| x.0 == d).ok_or_else(bad)?.1;
                if t.parse() != Ok(proof.invariants.detail.len()) {
                    return Err(bad());
                }
                proof.invariants.detail.push(detail);
            }
            "place" => {
                let w = location(rest).ok_or_else(bad)?;
                let fresh = proof.invariants.holds.insert(w.clone(), Vec::new());
                if fresh.is_some() {
                    return Err(bad());
                }
                last = Some(w);
            }
            "contents" => {
                let (object, rest) = rest.split_once(' ').ok_or_else(bad)?;
                let object = ObjectId(object.parse().map_err(|_| bad())?);
                let term = term_text::read(pool, rest, variable).ok_or_else(bad)?;
                let all = proof.invariants.contents.entry(object).or_default();
                all.push(term);
            }
            "holds" => {
                let term = term_text::read(pool, rest, variable).ok_or_else(bad)?;
                let w = last.as_ref().ok_or_else(bad)?;
                proof
                    .invariants
                    .holds
                    .entry(w.clone())
                    .or_default()
                    .push(term);
            }
            "predicate" => {
                let term = term_text::read(pool, rest, variable).ok_or_else(bad)?;
                let group = proof.groups.last_mut().ok_or_else(bad)?;
                group.predicates.push(term);
            }
            "state" => {
                let state = state(rest).ok_or_else(bad)?;
                let group = proof.groups.last_mut().ok_or_else(bad)?;
                group.states.push(state);
            }
            _ => return Err(bad()),
        }
    }
    Ok(proof)
}

/// The proofs in a file, one for each part.
pub fn apart(text: &str) -> Result<Vec<&str>, String> {
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if line.trim_end() == FIRST {
            starts.push(at);
        }
        at += line.len();
    }
    if starts.first() != Some(&0) {
        return Err("this is no proof of the refinement engine".into());
    }
    let ends = starts.iter().skip(1).copied().chain([text.len()]);
    let all = starts.iter().zip(ends);
    Ok(all.map(|(from, to)| &text[*from..to]).collect())
}

/// Properties by their names.
pub fn named_properties(list: &str) -> Option<Vec<Property>> {
    let one = |name: &str| Property::ALL.into_iter().find(|p| p.name() == name);
    list.split(',').map(one).collect()
}

fn status(p: &str) -> Option<Status> {
    match p {
        "-" => Some(Status::Absent),
        "m" => Some(Status::Made),
        "f" => Some(Status::Finished),
        "j" => Some(Status::Joined),
        n => Some(Status::At(LocId(n.parse().ok()?))),
    }
}

fn location(text: &str) -> Option<Where> {
    let mut parts = text.split(' ');
    let thread = InstanceId(parts.next()?.parse().ok()?);
    let at = status(parts.next()?)?;
    let children = parts.next()?.split(',').filter(|c| !c.is_empty());
    Some(Where {
        thread,
        at,
        children: children.map(status).collect::<Option<_>>()?,
    })
}

fn state(text: &str) -> Option<State> {
    let parts: Vec<&str> = text.split(';').map(str::trim).collect();
    let [places, values, predicates, sleep, chosen, order] = parts[..] else {
        return None;
    };
    let list = |text: &str| -> Option<Vec<u32>> {
        let all = text.split(',').filter(|t| !t.is_empty());
        all.map(|t| t.parse().ok()).collect()
    };
    let value = |t: &str| {
        let (v, n) = t.split_once('=')?;
        Some((VarId(v.parse().ok()?), n.parse().ok()?))
    };
    Some(State {
        places: places.split(',').map(status).collect::<Option<_>>()?,
        values: values
            .split(',')
            .filter(|t| !t.is_empty())
            .map(value)
            .collect::<Option<_>>()?,
        predicates: list(predicates)?,
        sleep: u64::from_str_radix(sleep, 16).ok()?,
        chosen: u64::from_str_radix(chosen, 16).ok()?,
        order: list(order)?,
    })
}
