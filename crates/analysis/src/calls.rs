//! The call graph: who calls whom, what is recursive, what is called how often.
//!
//! Calls through pointers are resolved by [`crate::points_to`]. Recursion is a cycle of calls (strongly connected
//! components after Tarjan, 1972). Making a thread is an edge of its own kind: it is not a call, but it makes code
//! reachable.
//!
//! *Once.* A place runs at most once in a program if it is in no loop of its function and its function is entered at
//! most once: it is the entry, or it has one call or creation, which itself runs at most once. A function that may be
//! entered through a pointer with several targets counts all of them.

use crate::loops::LoopNest;
use crate::points_to::PointsTo;
use raddle_ir::{FuncId, Location, Op, Program};
use std::collections::BTreeSet;

/// How a function comes to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    /// The call or creation.
    pub at: Location,
    /// The function it enters.
    pub callee: FuncId,
    /// It is the first function of a new thread.
    pub thread: bool,
}

/// The call graph of the reachable part of a program.
#[derive(Clone, Debug)]
pub struct CallGraph {
    entry: FuncId,
    /// By caller.
    outgoing: Vec<Vec<Edge>>,
    /// By callee.
    incoming: Vec<Vec<Edge>>,
    component: Vec<u32>,
    recursive: Vec<bool>,
    order: Vec<FuncId>,
    once: Vec<bool>,
    loops: Vec<Option<LoopNest>>,
}

impl CallGraph {
    /// Builds the graph.
    pub fn new(program: &Program, points_to: &PointsTo) -> CallGraph {
        let n = program.functions.len();
        let mut graph = CallGraph {
            entry: program.entry,
            outgoing: vec![Vec::new(); n],
            incoming: vec![Vec::new(); n],
            component: vec![0; n],
            recursive: vec![false; n],
            order: Vec::new(),
            once: vec![false; n],
            loops: vec![None; n],
        };
        for (at, callees) in points_to.sites() {
            let thread = matches!(program.instr(at).map(|i| &i.op), Some(Op::Sync { .. }));
            for &callee in callees {
                if !program.function(callee).has_body() {
                    continue;
                }
                let edge = Edge { at, callee, thread };
                graph.outgoing[at.function.0 as usize].push(edge);
                graph.incoming[callee.0 as usize].push(edge);
            }
        }
        for f in points_to.reachable() {
            graph.loops[f.0 as usize] = Some(LoopNest::new(program.function(f)));
        }
        graph.components();
        graph.find_once();
        graph
    }

    /// The loops of a reachable function.
    pub fn loops(&self, f: FuncId) -> Option<&LoopNest> {
        self.loops[f.0 as usize].as_ref()
    }

    /// Calls and creations in a function.
    pub fn outgoing(&self, f: FuncId) -> &[Edge] {
        &self.outgoing[f.0 as usize]
    }

    /// Calls and creations that enter a function.
    pub fn incoming(&self, f: FuncId) -> &[Edge] {
        &self.incoming[f.0 as usize]
    }

    /// The functions that threads begin with, the entry aside.
    pub fn thread_entries(&self) -> BTreeSet<FuncId> {
        let edges = self.outgoing.iter().flatten();
        edges.filter(|e| e.thread).map(|e| e.callee).collect()
    }

    /// All reachable functions, callees before callers (recursion aside).
    pub fn callees_first(&self) -> &[FuncId] {
        &self.order
    }

    /// Whether a function can call itself, directly or not.
    pub fn is_recursive(&self, f: FuncId) -> bool {
        self.recursive[f.0 as usize]
    }

    /// Whether two functions can call each other.
    pub fn same_component(&self, a: FuncId, b: FuncId) -> bool {
        self.component[a.0 as usize] == self.component[b.0 as usize]
    }

    /// The functions that can run in a thread that begins with one of these: by calls only.
    pub fn called_from(&self, from: impl IntoIterator<Item = FuncId>) -> BTreeSet<FuncId> {
        let mut seen = BTreeSet::new();
        let mut todo: Vec<FuncId> = from.into_iter().collect();
        while let Some(f) = todo.pop() {
            if seen.insert(f) {
                let calls = self.outgoing(f).iter().filter(|e| !e.thread);
                todo.extend(calls.map(|e| e.callee));
            }
        }
        seen
    }

    /// Whether a function is entered at most once in every run.
    pub fn is_entered_once(&self, f: FuncId) -> bool {
        self.once[f.0 as usize]
    }

    /// Whether a place is passed at most once in every run.
    pub fn runs_once(&self, at: Location) -> bool {
        self.once[at.function.0 as usize] && !self.in_cycle(at)
    }

    /// Whether a place can come again in one activation.
    pub fn in_cycle(&self, at: Location) -> bool {
        match &self.loops[at.function.0 as usize] {
            Some(nest) => {
                nest.irreducible.is_some() || !nest.around[at.block.0 as usize].is_empty()
            }
            None => true,
        }
    }

    fn find_once(&mut self) {
        // Callers come last in the order, so going backwards sees them first; recursion is never once.
        for f in self.order.clone().into_iter().rev() {
            let at = f.0 as usize;
            let entries = usize::from(f == self.entry);
            self.once[at] = !self.recursive[at]
                && match (entries, self.incoming[at].as_slice()) {
                    (1, []) => true,
                    (0, [one]) => self.runs_once(one.at),
                    _ => false,
                };
        }
    }

    /// Tarjan's algorithm, with a stack of its own.
    fn components(&mut self) {
        const UNSEEN: u32 = u32::MAX;
        let n = self.outgoing.len();
        let (mut index, mut low) = (vec![UNSEEN; n], vec![0_u32; n]);
        let mut on_stack = vec![false; n];
        let (mut stack, mut work, mut next) = (Vec::new(), Vec::new(), 0);
        let mut components = 0;
        let roots: Vec<usize> = (0..n).filter(|f| self.loops[*f].is_some()).collect();
        for root in roots {
            if index[root] == UNSEEN {
                work.push((root, 0));
            }
            while let Some((f, edge)) = work.last_mut() {
                let f = *f;
                if *edge == 0 {
                    (index[f], low[f]) = (next, next);
                    next += 1;
                    stack.push(f);
                    on_stack[f] = true;
                }
                if let Some(e) = self.outgoing[f].get(*edge) {
                    *edge += 1;
                    let g = e.callee.0 as usize;
                    if g == f {
                        self.recursive[f] = true;
                    }
                    if index[g] == UNSEEN {
                        work.push((g, 0));
                    } else if on_stack[g] {
                        low[f] = low[f].min(index[g]);
                    }
                    continue;
                }
                work.pop();
                if let Some((parent, _)) = work.last() {
                    low[*parent] = low[*parent].min(low[f]);
                }
                if low[f] == index[f] {
                    let from = stack.iter().rposition(|x| *x == f).unwrap_or(0);
                    let members = stack.split_off(from);
                    for &m in &members {
                        on_stack[m] = false;
                        self.component[m] = components;
                        self.recursive[m] |= members.len() > 1;
                        self.order.push(FuncId(m as u32));
                    }
                    components += 1;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn graph(text: &str) -> (Program, CallGraph) {
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
        let points_to = PointsTo::new(&program);
        let graph = CallGraph::new(&program, &points_to);
        (program, graph)
    }

    #[test]
    fn recursion_and_repetition_are_told_apart() {
        let (program, graph) = graph(
            "int even(int n); int odd(int n) { return n ? even(n - 1) : 0; }
             int even(int n) { return n ? odd(n - 1) : 1; }
             int alone(void) { return 1; } int often(void) { return 2; }
             int main(void) { int s = alone() + odd(3); for (int i = 0; i < 2; i++) s += often(); return s; }",
        );
        let named = |n| program.function_named(n).expect("a function");
        assert!(
            graph.is_recursive(named("odd")) && graph.same_component(named("odd"), named("even"))
        );
        assert!(!graph.is_recursive(named("alone")));
        assert!(graph.is_entered_once(named("main")) && graph.is_entered_once(named("alone")));
        assert!(!graph.is_entered_once(named("often")) && !graph.is_entered_once(named("odd")));
        let order = graph.callees_first();
        let place = |n| order.iter().position(|f| *f == named(n));
        assert!(place("alone") < place("main"));
    }

    #[test]
    fn thread_functions_are_entries() {
        let (program, graph) = graph(
            "unsigned long __raddle_thread_new(void *(*f)(void *), void *a);
             void __raddle_thread_start(unsigned long t);
             void *work(void *a) { return a; }
             int main(void) { __raddle_thread_start(__raddle_thread_new(work, 0)); return 0; }",
        );
        let work = program.function_named("work").expect("work");
        assert_eq!(graph.thread_entries(), BTreeSet::from([work]));
        assert!(!graph.called_from([program.entry]).contains(&work));
        assert!(graph.is_entered_once(work));
    }
}
