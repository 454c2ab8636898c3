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

    /// What is known if one of two is.
    fn merge(&self, into: &mut Self::State, with: &Self::State);

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
        Some(old) if old == with => false,
        Some(old) => {
            let mut new = old.clone();
            problem.merge(&mut new, with);
            let changed = new != *old;
            *old = new;
            changed
        }
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
    let mut todo: BTreeSet<(usize, FuncId)> = BTreeSet::new();
    let first = graph.calls.thread_entries().into_iter();
    for f in first.chain([program.entry]) {
        solution.blocks[f.0 as usize][0] = Some(problem.start(f));
        todo.insert((rank[f.0 as usize], f));
    }
    while let Some((_, f)) = todo.pop_first() {
        let mut walk = Walk {
            graph,
            problem,
            solution: &mut solution,
            entered: BTreeSet::new(),
        };
        let end = walk.function(f);
        let entered = walk.entered;
        todo.extend(entered.into_iter().map(|g| (rank[g.0 as usize], g)));
        if let Some(end) = end
            && merge(problem, &mut solution.ends[f.0 as usize], &end)
        {
            let callers = graph.calls.incoming(f).iter().filter(|e| !e.thread);
            let reached = callers.filter(|e| {
                let blocks = &solution.blocks[e.at.function.0 as usize];
                blocks[0].is_some()
            });
            let again = reached.map(|e| e.at.function);
            todo.extend(again.map(|g| (rank[g.0 as usize], g)));
        }
    }
    solution
}

struct Walk<'a, 'g, P: Problem> {
    graph: Graph<'g>,
    problem: &'a P,
    solution: &'a mut Solution<P::State>,
    entered: BTreeSet<FuncId>,
}

impl<P: Problem> Walk<'_, '_, P> {
    fn function(&mut self, f: FuncId) -> Option<P::State> {
        let function = self.graph.program.function(f);
        let mut end = None;
        // All blocks with a state: a callee's end may have changed in any of them.
        let mut todo: BTreeSet<usize> = (0..function.blocks.len())
            .filter(|b| self.solution.blocks[f.0 as usize][*b].is_some())
            .collect();
        while let Some(b) = todo.pop_first() {
            let Some(mut state) = self.solution.blocks[f.0 as usize][b].clone() else {
                continue;
            };
            let block = &function.blocks[b];
            let goes_on = (0..block.instrs.len()).all(|i| {
                let at = Location {
                    function: f,
                    block: BlockId(b as u32),
                    index: i as u32,
                };
                self.instruction(at, &block.instrs[i].op, &mut state)
            });
            if !goes_on {
                continue;
            }
            if matches!(block.terminator, Terminator::Return(_)) {
                merge(self.problem, &mut end, &state);
            }
            for s in self.problem.next(&block.terminator, &state) {
                let mut there = state.clone();
                self.problem.cross(f, BlockId(b as u32), s, &mut there);
                let into = &mut self.solution.blocks[f.0 as usize][s.0 as usize];
                if merge(self.problem, into, &there) {
                    todo.insert(s.0 as usize);
                }
            }
        }
        end
    }

    /// Applies an instruction; says whether control comes out of it.
    fn instruction(&mut self, at: Location, op: &Op, state: &mut P::State) -> bool {
        if let Op::Call { .. } = op {
            let begin = self.problem.enter(state);
            for g in self.graph.points_to.callees(at) {
                if self.graph.program.function(g).has_body() {
                    let entry = &mut self.solution.blocks[g.0 as usize][0];
                    if merge(self.problem, entry, &begin) {
                        self.entered.insert(g);
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
