//! Forward data flow through blocks and calls, once for all analyses that need it.
//!
//! A problem says what its states are, how they merge and what an instruction does to one; this file finds the
//! solution: a state before every place that can be reached. Functions are not told apart by caller: a function's entry
//! merges what all its callers bring, and a call goes on with what [`Problem::after`] makes of the state before it
//! and the state at the callee's end (Sharir and Pnueli's call strings of length zero, 1981). No state means: never
//! reached, so code behind a call that does not return stays without one.

use crate::calls::CallGraph;
use crate::fold::reachable_blocks;
use crate::loops::successors;
use crate::points_to::PointsTo;
use raddle_ir::{BlockId, FuncId, Location, Op, Program, Terminator};
use std::collections::BTreeSet;

/// What is computed.
pub(crate) trait Problem {
    /// What is known at a place.
    type State: Clone + PartialEq;

    /// At the beginning of a thread that runs this function.
    fn start(&self, thread: FuncId) -> Self::State;

    /// What is known if one of two is; whether that is not what was known before.
    fn merge(&self, into: &mut Self::State, with: &Self::State) -> bool;

    /// The effect of an instruction that is no call.
    fn step(&self, at: Location, op: &Op, state: &mut Self::State);

    /// What a callee begins with.
    fn enter(&self, state: &Self::State) -> Self::State;

    /// What is known after a call, from what was known before it and at the end of the callee.
    fn after(
        &self,
        at: Location,
        callee: FuncId,
        before: &Self::State,
        end: &Self::State,
    ) -> Self::State;

    /// The effect of a call of a function without a body.
    fn external(&self, _at: Location, _state: &mut Self::State) {}

    /// The effect of going from one block to another.
    fn cross(&self, _f: FuncId, _from: BlockId, _to: BlockId, _state: &mut Self::State) {}

    /// Where a block can go on.
    fn next(&self, terminator: &Terminator, _state: &Self::State) -> Vec<BlockId> {
        successors(terminator)
    }
}

/// The solution: states at the beginning of blocks and at the ends of functions.
pub(crate) struct Solution<S> {
    blocks: Vec<Vec<Option<S>>>,
    ends: Vec<Option<S>>,
}

/// What a problem is solved on.
#[derive(Clone, Copy)]
pub(crate) struct Graph<'a> {
    pub program: &'a Program,
    pub points_to: &'a PointsTo,
    pub calls: &'a CallGraph,
}

fn merge<P: Problem>(problem: &P, into: &mut Option<P::State>, with: &P::State) -> bool {
    match into {
        None => {
            *into = Some(with.clone());
            true
        }
        Some(old) => problem.merge(old, with),
    }
}

/// Solves a problem.
pub(crate) fn solve<P: Problem>(graph: Graph<'_>, problem: &P) -> Solution<P::State> {
    let program = graph.program;
    let mut solution = Solution {
        blocks: program
            .functions
            .iter()
            .map(|f| vec![None; f.blocks.len()])
            .collect(),
        ends: vec![None; program.functions.len()],
    };
    // Callees first: a caller waits for the ends of what it calls.
    let mut rank = vec![0; program.functions.len()];
    for (i, f) in graph.calls.callees_first().iter().enumerate() {
        rank[f.0 as usize] = i;
    }
    // Blocks whose state changed, or a callee's end.
    let mut todo: BTreeSet<(usize, FuncId, usize)> = BTreeSet::new();
    let first = graph.calls.thread_entries().into_iter();
    for f in first.chain([program.entry]) {
        solution.blocks[f.0 as usize][0] = Some(problem.start(f));
        todo.insert((rank[f.0 as usize], f, 0));
    }
    let mut walk = Walk {
        graph,
        problem,
        solution: &mut solution,
        rank,
        todo,
    };
    while let Some((_, f, block)) = walk.todo.pop_first() {
        walk.block(f, block);
    }
    solution
}

struct Walk<'a, 'g, P: Problem> {
    graph: Graph<'g>,
    problem: &'a P,
    solution: &'a mut Solution<P::State>,
    rank: Vec<usize>,
    todo: BTreeSet<(usize, FuncId, usize)>,
}

impl<P: Problem> Walk<'_, '_, P> {
    fn again(&mut self, f: FuncId, block: usize) {
        self.todo.insert((self.rank[f.0 as usize], f, block));
    }

    fn block(&mut self, f: FuncId, b: usize) {
        let Some(mut state) = self.solution.blocks[f.0 as usize][b].clone() else {
            return;
        };
        let block = &self.graph.program.function(f).blocks[b];
        let goes_on = (0..block.instrs.len()).all(|i| {
            let at = Location {
                function: f,
                block: BlockId(b as u32),
                index: i as u32,
            };
            self.instruction(at, &block.instrs[i].op, &mut state)
        });
        if !goes_on {
            return;
        }
        if matches!(block.terminator, Terminator::Return(_))
            && merge(self.problem, &mut self.solution.ends[f.0 as usize], &state)
        {
            let callers = self.graph.calls.incoming(f).iter().filter(|e| !e.thread);
            for at in callers.map(|e| e.at) {
                self.again(at.function, at.block.0 as usize);
            }
        }
        for s in self.problem.next(&block.terminator, &state) {
            let mut there = state.clone();
            self.problem.cross(f, BlockId(b as u32), s, &mut there);
            let into = &mut self.solution.blocks[f.0 as usize][s.0 as usize];
            if merge(self.problem, into, &there) {
                self.again(f, s.0 as usize);
            }
        }
    }

    /// Applies an instruction; says whether control comes out of it.
    fn instruction(&mut self, at: Location, op: &Op, state: &mut P::State) -> bool {
        if let Op::Call { .. } = op {
            let begin = self.problem.enter(state);
            for g in self.graph.points_to.callees(at) {
                if self.graph.program.function(g).has_body() {
                    let entry = &mut self.solution.blocks[g.0 as usize][0];
                    if merge(self.problem, entry, &begin) {
                        self.again(g, 0);
                    }
                }
            }
        }
        apply(self.graph, self.problem, self.solution, at, op, state)
    }
}

fn apply<P: Problem>(
    graph: Graph<'_>,
    problem: &P,
    solution: &Solution<P::State>,
    at: Location,
    op: &Op,
    state: &mut P::State,
) -> bool {
    match op {
        Op::Call { .. } => {
            let mut after: Option<P::State> = None;
            for g in graph.points_to.callees(at) {
                if !graph.program.function(g).has_body() {
                    let mut beyond = state.clone();
                    problem.external(at, &mut beyond);
                    merge(problem, &mut after, &beyond);
                } else if let Some(end) = &solution.ends[g.0 as usize] {
                    let beyond = problem.after(at, g, state, end);
                    merge(problem, &mut after, &beyond);
                }
            }
            match after {
                Some(after) => {
                    *state = after;
                    true
                }
                None => false,
            }
        }
        Op::Sync { op, .. } if op.ends_thread() => false,
        op => {
            problem.step(at, op, state);
            true
        }
    }
}

impl<S: Clone + PartialEq> Solution<S> {
    /// What is known at the end of a function; `None` if it does not return.
    pub fn end(&self, f: FuncId) -> Option<&S> {
        self.ends[f.0 as usize].as_ref()
    }

    /// Shows the state before every instruction and terminator that can be reached.
    pub fn visit<P: Problem<State = S>>(
        &self,
        graph: Graph<'_>,
        problem: &P,
        look: &mut dyn FnMut(Location, &S),
    ) {
        for f in graph.points_to.reachable() {
            let function = graph.program.function(f);
            let reachable = reachable_blocks(function);
            for (b, block) in function.blocks.iter().enumerate() {
                let Some(mut state) = self.blocks[f.0 as usize][b].clone() else {
                    continue;
                };
                let mut index = 0;
                let mut goes_on = reachable[b];
                while goes_on {
                    let at = Location {
                        function: f,
                        block: BlockId(b as u32),
                        index,
                    };
                    look(at, &state);
                    let Some(instr) = block.instrs.get(index as usize) else {
                        break;
                    };
                    goes_on = apply(graph, problem, self, at, &instr.op, &mut state);
                    index += 1;
                }
            }
        }
    }
}
