//! How much of the time each engine gets: by what the program's loops let it hope for.
//!
//! The staged engine decides programs without loops by one formula, and proves none whose loops have no end; the refinement engine is for those. What
//! executions find, they mostly find among the first; to go through all of them takes long, unless nothing comes from outside: then there may be few
//! states. So everybody begins with a little time, and then the one
//! that the program suits has about half of all, until it has used a second; later, the differences are smaller, because the guess was
//! wrong then. A wrong guess costs time, never an answer.

use crate::portfolio::{Member, Weights};
use raddle_analysis::LoopNest;
use raddle_analysis::loops::successors;
use raddle_ir::{BlockId, Function, Op, Operand, Program, SyncOp, Terminator};
use std::time::Duration;

const FIRST: Duration = Duration::from_millis(60);
const SECOND: Duration = Duration::from_secs(1);

/// What kinds of loops a program has, apart from the modelled library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    /// None.
    Straight,
    /// All of them can be left.
    Loops,
    /// One cannot be left.
    Endless,
    /// One cannot be left and makes threads: no execution and no unwinding comes to an end.
    Crowd,
}

/// Gives every engine its weights.
pub fn weigh(members: &mut [Member], program: &Program) {
    let user = program.functions.iter().filter(|f| !f.library);
    let shape = user.filter(|f| f.has_body());
    let shape = shape.map(|f| shape_of(program, f)).max();
    let shape = shape.unwrap_or(Shape::Straight);
    let closed = is_closed(program);
    for member in members {
        member.weights = weights(member.engine.name(), shape, closed);
    }
}

/// Whether a program asks nobody for anything, as far as its own text says.
fn is_closed(program: &Program) -> bool {
    let user = || program.functions.iter().filter(|f| !f.library);
    let arguments = user().any(|f| f.name == "main" && f.params > 0);
    let instrs = user().flat_map(|f| &f.blocks).flat_map(|b| &b.instrs);
    let mut ops = instrs.map(|i| &i.op);
    let asks = |op: &Op| match op {
        Op::Nondet { .. } | Op::Havoc { .. } => true,
        Op::Call {
            callee: Operand::Function(f),
            ..
        } => !program.function(*f).has_body(),
        _ => false,
    };
    !arguments && !ops.any(asks)
}

fn weights(engine: &str, shape: Shape, closed: bool) -> Weights {
    match (engine, shape) {
        ("staged", Shape::Crowd) => &[(SECOND, 2), (Duration::MAX, 3)],
        ("refine", Shape::Crowd) => &[(SECOND, 6), (Duration::MAX, 3)],
        (_, Shape::Crowd) => &[(SECOND, 1), (Duration::MAX, 2)],
        ("fusion", Shape::Straight) if closed => &[(SECOND, 3), (Duration::MAX, 2)],
        ("fusion", _) if closed => &[(SECOND, 5), (Duration::MAX, 2)],
        ("staged", Shape::Straight) => &[(Duration::MAX, 6)],
        ("staged", Shape::Loops) => &[(Duration::MAX, 3)],
        ("staged", Shape::Endless) => &[(FIRST, 3), (SECOND, 1), (Duration::MAX, 3)],
        ("refine", Shape::Straight) => &[(Duration::MAX, 1)],
        ("refine", Shape::Loops) => &[(SECOND, 3), (Duration::MAX, 2)],
        ("refine", Shape::Endless) => &[(SECOND, 4), (Duration::MAX, 2)],
        _ => &[(FIRST, 3), (SECOND, 1), (Duration::MAX, 2)],
    }
}

/// Whether an instruction makes a thread, or calls something of the library that does.
fn makes_threads(program: &Program, op: &Op) -> bool {
    let makes = |op: &Op| {
        matches!(
            op,
            Op::Sync {
                op: SyncOp::ThreadNew,
                ..
            }
        )
    };
    match op {
        Op::Call {
            callee: Operand::Function(f),
            ..
        } if program.function(*f).library => {
            let blocks = program.function(*f).blocks.iter();
            blocks.flat_map(|b| &b.instrs).any(|i| makes(&i.op))
        }
        op => makes(op),
    }
}

fn shape_of(program: &Program, function: &Function) -> Shape {
    let nest = LoopNest::new(function);
    if nest.loops.is_empty() && nest.irreducible.is_none() {
        return Shape::Straight;
    }
    let leaves = |blocks: &[BlockId]| {
        blocks.iter().any(|b| {
            let terminator = &function.block(*b).terminator;
            // An abort within the loop is no way out of it.
            let out = |to: &BlockId| {
                let dead = matches!(function.block(*to).terminator, Terminator::Unreachable);
                !blocks.contains(to) && !dead
            };
            let returns = matches!(terminator, Terminator::Return(_));
            returns || successors(terminator).iter().any(out)
        })
    };
    let endless = || nest.loops.iter().filter(|l| !leaves(&l.blocks));
    let mut instrs = endless()
        .flat_map(|l| &l.blocks)
        .flat_map(|b| &function.block(*b).instrs);
    match endless().next() {
        None => Shape::Loops,
        Some(_) if instrs.any(|i| makes_threads(program, &i.op)) => Shape::Crowd,
        Some(_) => Shape::Endless,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loops_are_told_apart_by_whether_they_can_be_left() {
        let cases = [
            ("if (x) x = 1; else x = 2;", Shape::Straight),
            ("for (int i = 0; i < 3; i++) x++;", Shape::Loops),
            ("while (1) { if (x) break; }", Shape::Loops),
            ("while (1) { if (x) return 0; }", Shape::Loops),
            ("do x++; while (x < 3); while (1) { x++; }", Shape::Endless),
            (
                "for (;;) { if (x) __VERIFIER_error(); x++; }",
                Shape::Endless,
            ),
            (
                "for (;;) { unsigned long t; pthread_create(&t, 0, run, 0); }",
                Shape::Crowd,
            ),
        ];
        for (body, expected) in cases {
            let text = format!(
                "extern void __VERIFIER_error(void) __attribute__((__noreturn__)); int x; extern int pthread_create(unsigned long *, const void *, void *(*)(void *), void *); void *run(void *a) {{ return a; }} int main(void) {{ {body} return 0; }}"
            );
            let options = raddle_c::Options::default();
            let program = raddle_c::compile_text("t.i", &text, &options).expect("valid C");
            let main = program.function_named("main").expect("main");
            assert_eq!(
                shape_of(&program, program.function(main)),
                expected,
                "{body}"
            );
        }
    }
}
