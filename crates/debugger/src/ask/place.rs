//! Lines of the source as places of a program, and where threads stand.
//!
//! A thread *is at* a line if the innermost activation that is not the modelled library's stands before an instruction of that line; while
//! the library works for it, that is the line of the call. So somebody who sleeps in `pthread_cond_wait` is at the line that says so.

use raddle_interp::thread::ThreadStatus;
use raddle_interp::{Machine, ThreadId};
use raddle_ir::{BlockId, FuncId, Location, Program, Terminator};
use std::collections::BTreeSet;
use std::fmt;

/// A line of a source file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The file, or the end of its path; any file of the user's if there is no name.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
}

impl Line {
    /// A line of whichever file of the user's has code there.
    pub fn number(line: u32) -> Line {
        Line { file: None, line }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}:{}", self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

/// The instructions of a line.
#[derive(Clone, Debug)]
pub struct Places {
    all: BTreeSet<Location>,
}

impl Places {
    /// Those of a line, or that there are none.
    pub fn of(program: &Program, line: &Line) -> Result<Places, String> {
        let named = |file: &str| match &line.file {
            Some(name) => file == name || file.ends_with(&format!("/{name}")),
            None => true,
        };
        let files: Vec<bool> = program.files.iter().map(|f| named(f)).collect();
        let mut all = BTreeSet::new();
        for at in locations(program) {
            let span = program.span_of(at);
            let meant = files.get(span.file.0 as usize).copied().unwrap_or(false);
            if span.line == line.line && meant {
                all.insert(at);
            }
        }
        match all.is_empty() {
            true => Err(format!("there is no code in {line}")),
            false => Ok(Places { all }),
        }
    }

    /// Whether an instruction belongs to the line.
    pub fn has(&self, at: Location) -> bool {
        self.all.contains(&at)
    }

    /// The instructions.
    pub fn iter(&self) -> impl Iterator<Item = Location> + '_ {
        self.all.iter().copied()
    }

    /// Those of them that can be reached from outside of the line.
    pub fn entries(&self, program: &Program) -> BTreeSet<Location> {
        let outside = |at: &Location| {
            let before = predecessors(program, *at);
            let start = at.block == BlockId(0) && at.index == 0;
            start || before.iter().any(|p| !self.has(*p))
        };
        self.all.iter().copied().filter(outside).collect()
    }
}

/// All instructions and terminators of functions that are not the library's.
pub fn locations(program: &Program) -> Vec<Location> {
    let mut all = Vec::new();
    for (f, function) in program.functions.iter().enumerate() {
        if function.library {
            continue;
        }
        for (b, block) in function.blocks.iter().enumerate() {
            all.extend((0..=block.instrs.len() as u32).map(|index| Location {
                function: FuncId(f as u32),
                block: BlockId(b as u32),
                index,
            }));
        }
    }
    all
}

/// Where control may be before it is at a place, within the function.
pub fn predecessors(program: &Program, at: Location) -> Vec<Location> {
    if at.index > 0 {
        let index = at.index - 1;
        return vec![Location { index, ..at }];
    }
    let blocks = program.function(at.function).blocks.iter().enumerate();
    let leads = blocks.filter(|(_, b)| targets(&b.terminator).contains(&at.block));
    leads
        .map(|(b, block)| Location {
            block: BlockId(b as u32),
            index: block.instrs.len() as u32,
            ..at
        })
        .collect()
}

/// Where control may be after it was at a place, within the function.
pub fn successors(program: &Program, at: Location) -> Vec<Location> {
    let block = program.function(at.function).block(at.block);
    if (at.index as usize) < block.instrs.len() {
        let index = at.index + 1;
        return vec![Location { index, ..at }];
    }
    let to = targets(&block.terminator).into_iter();
    to.map(|block| Location {
        block,
        index: 0,
        ..at
    })
    .collect()
}

fn targets(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Goto(to) => vec![*to],
        Terminator::Branch {
            then, otherwise, ..
        } => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            let cases = cases.iter().map(|(_, to)| *to);
            cases.chain([*default]).collect()
        }
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    }
}

/// Where a thread is in the user's code, if it may still go on and has got there.
pub fn stands(machine: &Machine<'_>, t: ThreadId) -> Option<Location> {
    let thread = machine.thread(t);
    if thread.status != ThreadStatus::Active {
        return None;
    }
    for (depth, frame) in thread.stack().rev().enumerate() {
        if machine.program.function(frame.function).library {
            continue;
        }
        let mut at = frame.location();
        // A caller's position is behind its call.
        at.index = at.index.saturating_sub(u32::from(depth > 0));
        return Some(at);
    }
    None
}

/// Whether a thread is at a line.
pub fn is_at(machine: &Machine<'_>, t: ThreadId, places: &Places) -> bool {
    stands(machine, t).is_some_and(|at| places.has(at))
}

/// Whether a thread is in a function of the user's that the library has called from one of these places (as `pthread_once` does): when that
/// returns, the thread is there again without executing anything of the line.
pub fn comes_back(machine: &Machine<'_>, t: ThreadId, places: &Places) -> bool {
    let library = |f: FuncId| machine.program.function(f).library;
    let frames: Vec<_> = machine.thread(t).stack().collect();
    (0..frames.len()).any(|n| {
        let mut at = frames[n].location();
        at.index = at.index.saturating_sub(1);
        let calls = places.has(at) && frames.get(n + 1).is_some_and(|f| library(f.function));
        calls && frames[n + 1..].iter().any(|f| !library(f.function))
    })
}
