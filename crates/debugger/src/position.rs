//! Where a thread stands, as somebody sees it who reads the source: the innermost activation of the user's code, and its line.
//!
//! The modelled library is one line of the user's: the one that called it.

use raddle_interp::{Machine, ThreadId};
use raddle_ir::{FileId, FuncId, Location, Op, Program, Span};

/// An activation of the user's code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activation {
    /// Its number among all activations of the thread, from the outermost.
    pub frame: usize,
    /// The function.
    pub function: FuncId,
    /// Where it stands; for all but the innermost, at its call.
    pub at: Location,
    /// The source there.
    pub span: Span,
}

/// The line a thread is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// How many activations of the user's code there are.
    pub depth: usize,
    /// The function.
    pub function: FuncId,
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
}

/// The user's activations of a thread, innermost first.
pub fn activations(machine: &Machine<'_>, t: ThreadId) -> Vec<Activation> {
    walk(machine, t).collect()
}

/// Where a thread stands; `None` if it has ended or is in no code of the user's.
pub fn position(machine: &Machine<'_>, t: ThreadId) -> Option<Position> {
    let mut all = walk(machine, t);
    let top = all.next()?;
    Some(Position {
        depth: 1 + all.count(),
        function: top.function,
        file: top.span.file,
        line: top.span.line,
    })
}

fn walk<'a>(machine: &'a Machine<'_>, t: ThreadId) -> impl Iterator<Item = Activation> + 'a {
    let program = machine.program;
    let stack = machine.thread(t).stack();
    let count = stack.size_hint().0;
    let numbered = stack.rev().enumerate();
    numbered.filter_map(move |(inner, frame)| {
        if program.function(frame.function).library || frame.function == program.entry {
            return None;
        }
        let mut at = frame.location();
        // Whoever has called stands behind the call.
        at.index = at.index.saturating_sub(u32::from(inner > 0));
        Some(Activation {
            frame: count - 1 - inner,
            function: frame.function,
            at,
            span: span(program, at),
        })
    })
}

/// The source of a place; the function's own, if the place has none.
fn span(program: &Program, mut at: Location) -> Span {
    // Where storage begins and ends is no statement of anybody's.
    let storage = |at| {
        let op = program.instr(at).map(|i| &i.op);
        matches!(op, Some(Op::StorageLive { .. } | Op::StorageDead { .. }))
    };
    while storage(at) {
        at.index += 1;
    }
    let span = program.span_of(at);
    match span.is_somewhere() {
        true => span,
        false => program.function(at.function).span,
    }
}
