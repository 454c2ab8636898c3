//! A request in parts.
//!
//! What is asked decides which graph is built: announcements for races, lives of objects for memory safety, nothing put off for
//! deadlocks. So each of these is a question of its own, with a search and a proof of its own.

use raddle_ccfg::{Ccfg, Refusal};
use raddle_ir::{Program, Property};

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

/// Whether the engine can answer a property.
pub fn answers(property: Property) -> bool {
    PARTS.iter().any(|part| part.contains(&property))
}

/// The parts of a list of properties, in the order in which they are answered, and the properties that are not supported.
pub fn parts(properties: &[Property]) -> (Vec<Vec<Property>>, Vec<Property>) {
    let supported = |p: &Property| answers(*p);
    let of = |part: &[Property]| -> Vec<Property> {
        let asked = part.iter().filter(|p| properties.contains(p));
        asked.copied().collect()
    };
    let all = PARTS.iter().map(|part| of(part));
    let others = properties.iter().copied().filter(|p| !supported(p));
    (
        all.filter(|part| !part.is_empty()).collect(),
        others.collect(),
    )
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
