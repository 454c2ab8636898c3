//! Concurrent control-flow graphs: what engines that think in states and actions are given instead of the IR.
//!
//! A [`Ccfg`] has thread *templates*, each a graph without calls over its own locals, and memory resolved to *cells*: scalars of
//! a fixed place and width. An edge is a sequence of IR instructions, each with the place it comes from, and happens in one
//! step. How often a template runs is not decided here: a [`Site`] says which creation makes which, and whether it can repeat;
//! [`Instances`] unfolds them up to a bound.
//!
//! The way there: [`build`] inlines calls (`inline.rs`, `walk.rs`, `transfer.rs`), places objects and divides them into cells (`memory.rs`, `strides.rs`), finds out which
//! steps can be put off (`movers.rs`), and merges
//! local steps into blocks (`blocks.rs`; `constant_loops.rs`: loops over constants). What cannot be treated is no failure of the whole: control flow that meets it ends at
//! [`Goal::Refused`] with a reason and a place, and whoever proves that no execution gets there need not care.
//!
//! What is asked besides assertions is built in where it is asked for: races (`races.rs`), memory safety (`safety.rs`), misuse of locks and their like (`misuse.rs`), waiting (`waiting.rs`).
//!
//! The rest: `graph.rs` is the data, `print.rs` its text form, `verify.rs` what a well-formed graph is, `instances.rs` unfolds templates into
//! threads, `operands.rs` says what an instruction accesses and which are not supported, `conflicts.rs` which accesses may race, `marks.rs` has
//! auxiliary cells, `unreliable_locks.rs` unreliable lock words, `cycles.rs` and `fold.rs` what can repeat and what is constant.
//!
//! *Over-approximated:* the end of objects (a freed or dead object keeps its contents; `safety.rs` marks it), misuse of synchronisation objects by
//! threads that do not hold them is as in the interpreter. *Absent on purpose:* values, solving, scheduling.

mod blocks;
mod conflicts;
mod constant_loops;
mod cycles;
mod fold;
mod graph;
mod inline;
mod instances;
mod marks;
mod memory;
mod misuse;
mod movers;
mod operands;
mod print;
mod races;
mod safety;
mod strides;
mod transfer;
mod unreliable_locks;
mod verify;
mod waiting;
mod walk;

pub use graph::{
    Ccfg, Cell, CellId, Edge, EdgeId, Goal, Initial, LocId, Object, ObjectId, Place, Refusal, Site,
    Spot, Step, Template, TemplateId, Watch, What, Within,
};
pub use instances::{Instance, InstanceId, Instances};
pub use print::print;
pub use verify::verify;
pub use waiting::{asserts, why_nobody_is_stuck};

use raddle_ir::{Location, Program, Property};
use std::collections::BTreeSet;

/// Builds the graph of a program; assertions of other properties than these hold nobody up.
pub fn build(program: &Program, properties: &[Property]) -> Result<Ccfg, Refusal> {
    let facts = raddle_analysis::Facts::new(program);
    let raw = inline::inline(&facts, properties)?;
    let mut raw = memory::resolve(&facts, raw)?;
    // Who stops among steps that are put off might as well not have begun, except where it is asked who waits or comes next.
    let asks = |p: &Property| matches!(p, Property::NoDeadlock | Property::NoDataRace);
    if !properties.iter().any(asks) {
        movers::mark(&facts, &mut raw);
    }
    Ok(blocks::merge(raw, &BTreeSet::new()))
}

/// The graph in which a data race is an error of the thread that comes second (`races.rs`).
pub fn build_with_races(program: &Program) -> Result<Ccfg, Refusal> {
    let facts = raddle_analysis::Facts::new(program);
    let raw = inline::inline(&facts, &[Property::NoDataRace])?;
    let mut raw = memory::resolve(&facts, raw)?;
    races::watch(&facts, &mut raw);
    movers::mark(&facts, &mut raw);
    Ok(blocks::merge(raw, &BTreeSet::new()))
}

/// The graph in which invalid accesses and releases are errors (`safety.rs`), as far as they are among these.
pub fn build_with_safety(program: &Program, properties: &[Property]) -> Result<Ccfg, Refusal> {
    let facts = raddle_analysis::Facts::new(program);
    let raw = inline::inline(&facts, properties)?;
    let mut raw = memory::resolve(&facts, raw)?;
    safety::watch(&facts, &mut raw, properties);
    movers::mark(&facts, &mut raw);
    Ok(blocks::merge(raw, &BTreeSet::new()))
}

/// The graph in which misuse of synchronisation objects is an error (`misuse.rs`).
pub fn build_with_misuse(program: &Program) -> Result<Ccfg, Refusal> {
    let facts = raddle_analysis::Facts::new(program);
    let raw = inline::inline(&facts, &[Property::ValidSync])?;
    let mut raw = memory::resolve(&facts, raw)?;
    misuse::watch(&facts, &mut raw);
    movers::mark(&facts, &mut raw);
    Ok(blocks::merge(raw, &BTreeSet::new()))
}

/// The graph in which it can be told of every state whether it is a deadlock: nothing is put off, and what cannot be told is refused
/// (`waiting.rs`).
pub fn build_with_waiting(program: &Program) -> Result<Ccfg, Refusal> {
    let facts = raddle_analysis::Facts::new(program);
    let raw = inline::inline(&facts, &[Property::NoDeadlock])?;
    let mut raw = memory::resolve(&facts, raw)?;
    waiting::refuse(&mut raw);
    Ok(blocks::merge(raw, &BTreeSet::new()))
}

/// Whether a property holds for reasons that can be read off the program.
pub fn is_evident(program: &Program, property: Property) -> bool {
    !raddle_analysis::evident::evident(program, &[property]).is_empty()
}

/// The graph for those who want to know what holds at places of the program: at each of these there is a location, unless it lies in an
/// atomic region, and nothing that others can notice is put off. So whenever a thread stands at such a place, every cell that several
/// threads touch is as in a state of the graph, whatever the other threads are in the middle of.
pub fn build_with_places(
    program: &Program,
    properties: &[Property],
    places: &BTreeSet<Location>,
) -> Result<Ccfg, Refusal> {
    let facts = raddle_analysis::Facts::new(program);
    let raw = inline::inline(&facts, properties)?;
    let raw = memory::resolve(&facts, raw)?;
    Ok(blocks::merge(raw, places))
}
