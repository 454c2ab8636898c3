//! Counts how often each thread executed each instruction, for whoever steers a run by instructions.
//!
//! A step runs silently past many instructions; somebody who wants "thread 2 has done its third store at line 7" cannot
//! see that from steps. Switched on by [`crate::Config::count_executions`]; then the short cut is not taken, and what is
//! executed is counted on the ordinary way. The counters belong to the state: a snapshot keeps them, and a refused
//! step takes back what it counted.
//!
//! An instruction that was blocked does not count; a terminator counts like an instruction.

use crate::machine::{Machine, ThreadId};
use raddle_ir::{FuncId, Location, Program};
use std::rc::Rc;

/// Counters for all threads.
#[derive(Clone, Debug, Default)]
pub(crate) struct Counts {
    /// By function and block: the number of its first instruction in the function.
    first: Rc<Vec<Vec<u32>>>,
    /// By function: how many instructions it has.
    sizes: Rc<Vec<u32>>,
    /// By thread. Few threads have executed much of a program, so there are counters only for functions that a thread has entered.
    done: Vec<Rc<Vec<OfFunction>>>,
}

/// The counters of a thread for one function.
#[derive(Clone, Debug)]
struct OfFunction {
    function: FuncId,
    counts: Vec<u32>,
}

impl Counts {
    pub fn new(program: &Program) -> Counts {
        let mut first = Vec::new();
        let mut sizes = Vec::new();
        for function in &program.functions {
            let mut next = 0;
            let mut blocks = Vec::new();
            for block in &function.blocks {
                blocks.push(next);
                next += block.instrs.len() as u32 + 1;
            }
            first.push(blocks);
            sizes.push(next);
        }
        Counts {
            first: Rc::new(first),
            sizes: Rc::new(sizes),
            done: Vec::new(),
        }
    }

    fn number(&self, at: Location) -> Option<usize> {
        let blocks = self.first.get(at.function.0 as usize)?;
        Some((blocks.get(at.block.0 as usize)? + at.index) as usize)
    }

    pub fn add(&mut self, t: ThreadId, at: Location) {
        let Some(n) = self.number(at) else { return };
        if self.done.len() <= t.0 as usize {
            self.done.resize_with(t.0 as usize + 1, Rc::default);
        }
        let mine = Rc::make_mut(&mut self.done[t.0 as usize]);
        let place = mine.iter().position(|f| f.function == at.function);
        let place = place.unwrap_or_else(|| {
            mine.push(OfFunction {
                function: at.function,
                counts: vec![0; self.sizes[at.function.0 as usize] as usize],
            });
            mine.len() - 1
        });
        mine[place].counts[n] += 1;
    }

    fn get(&self, t: ThreadId, at: Location) -> u32 {
        let mine = self.done.get(t.0 as usize);
        let mine = mine.and_then(|m| m.iter().find(|f| f.function == at.function));
        let count = |n: usize| mine.and_then(|m| m.counts.get(n)).copied();
        self.number(at).and_then(count).unwrap_or(0)
    }
}

impl Machine<'_> {
    #[cold]
    pub(crate) fn count(&mut self, t: ThreadId, at: Location) {
        if let Some(counts) = &mut self.state.counts {
            counts.add(t, at);
        }
    }

    /// How often a thread executed an instruction; 0 if that is not counted.
    pub fn executions(&self, t: ThreadId, at: Location) -> u32 {
        let counts = self.state.counts.as_ref();
        counts.map_or(0, |c| c.get(t, at))
    }
}
