//! What a place of the program with copies is called in the source.

use crate::facts::Facts;
use raddle_ir::{FuncId, Location, Op, Operand, Span, Subject};
use std::collections::BTreeSet;

/// Where an instruction is reported: its own place, or for the modelled library the user's calls that lead to it.
pub fn at_user(facts: &Facts, at: Location) -> BTreeSet<Subject> {
    let program = facts.program();
    let mut places = BTreeSet::new();
    let mut seen = BTreeSet::new();
    let mut todo = vec![at];
    while let Some(here) = todo.pop() {
        if !program.function(here.function).library {
            places.insert(place(span_of(facts, here)));
            continue;
        }
        if !seen.insert(here.function) {
            continue;
        }
        match facts.calls.incoming(here.function) {
            [] => {
                places.insert(Subject::Program);
            }
            edges if edges.iter().any(|e| e.thread) => {
                places.insert(Subject::Program);
                todo.extend(edges.iter().filter(|e| !e.thread).map(|e| e.at));
            }
            edges => todo.extend(edges.iter().map(|e| e.at)),
        }
    }
    places
}

/// The span of an instruction, or of the terminator behind the last one.
fn span_of(facts: &Facts, at: Location) -> Span {
    let block = facts.program().function(at.function).block(at.block);
    let instr = block.instrs.get(at.index as usize);
    instr.map_or(block.terminator_span, |i| i.span)
}

fn place(span: Span) -> Subject {
    match span.is_somewhere() {
        true => Subject::Place(span),
        false => Subject::Program,
    }
}

/// The user's `main`: what the entry calls, if it calls one function only.
pub fn main_function(facts: &Facts) -> FuncId {
    let program = facts.program();
    let blocks = program.function(program.entry).blocks.iter();
    let mut called = blocks.flat_map(|b| &b.instrs).filter_map(|i| match i.op {
        Op::Call {
            callee: Operand::Function(f),
            ..
        } => Some(f),
        _ => None,
    });
    match (called.next(), called.next()) {
        (Some(f), None) => f,
        _ => program.entry,
    }
}
