//! One copy of a function per call site, where that is affordable.
//!
//! The facts of this crate do not tell the callers of a function apart. For the modelled library that would be
//! useless: every lock is taken in `pthread_mutex_lock`, every thread is made in `pthread_create`, every heap object
//! in `malloc`. So the facts are computed on a program in which small functions that are not recursive are copied
//! for each of their (direct) call sites and thread functions for each creation, and in which [`crate::fold`] has
//! settled what constant arguments decide. This is call-string sensitivity by cloning, with a budget.
//!
//! A copy has the same blocks and the same instructions at the same places; only callees and constants differ, so a
//! place in a copy is the place of its origin in another function ([`Clones::origin`]). Functions called through
//! pointers stay shared, as are recursive ones and those too large.

use crate::fold::{fold, reachable_blocks};
use raddle_ir::{FuncId, InitValue, Location, Op, Operand, Program, SyncOp, Target, Terminator};
use std::collections::VecDeque;

/// A function whose size, with all it calls, is beyond this is not copied.
const LARGEST: usize = 2_000;
/// How many instructions all copies of the user's functions may have together: so many times the program, and some.
/// The library's small functions may still be copied when twice as much is spent.
const BUDGET: (usize, usize) = (6, 2_000);
/// How many thread functions are copied: threads that make threads would multiply.
const THREADS: usize = 40;

/// A program with copies and where each function comes from.
#[derive(Clone, Debug)]
pub struct Clones {
    /// The program with copies. The functions of the given program keep their ids.
    pub program: Program,
    origin: Vec<FuncId>,
    copies: Vec<Vec<FuncId>>,
}

impl Clones {
    /// Copies what is affordable.
    pub fn new(original: &Program) -> Clones {
        let mut program = original.clone();
        let constant: Vec<Option<Operand>> = settle(&mut program);
        let sizes = Sizes::new(&program);
        let mut clones = Clones {
            origin: (0..program.functions.len() as u32).map(FuncId).collect(),
            copies: vec![Vec::new(); program.functions.len()],
            program,
        };
        let program_size: usize = sizes.own.iter().sum();
        let budget = (BUDGET.0 * program_size + BUDGET.1).min(40_000);
        let (mut spent, mut threads) = (0, 0);
        let mut seen = vec![false; clones.origin.len()];
        let mut todo = VecDeque::new();
        // Functions whose address is known are reached in their own right, after all else.
        let mut later: VecDeque<FuncId> = addresses_in_globals(&clones.program);
        todo.push_back(clones.program.entry);
        while let Some(f) = todo.pop_front().or_else(|| later.pop_front()) {
            if std::mem::replace(&mut seen[f.0 as usize], true) {
                continue;
            }
            later.extend(addresses(&clones.program, f));
            for (at, callee) in sites(&clones.program, f) {
                let size = sizes.closure[callee.0 as usize];
                let library = clones.program.function(callee).library;
                let budget = if library { 2 * budget } else { budget };
                let thread = matches!(
                    clones.program.instr(at).map(|i| &i.op),
                    Some(Op::Sync { .. })
                );
                if size > LARGEST || spent > budget || (thread && threads >= THREADS) {
                    todo.push_back(callee);
                    continue;
                }
                threads += usize::from(thread);
                spent += sizes.own[callee.0 as usize];
                let copy = clones.copy(original, at, callee, &constant);
                seen.push(false);
                todo.push_back(copy);
            }
        }
        clones
    }

    /// The program as it is, without any copy: for tests, and to see what copies are worth.
    pub fn none(original: &Program) -> Clones {
        Clones {
            program: original.clone(),
            origin: (0..original.functions.len() as u32).map(FuncId).collect(),
            copies: vec![Vec::new(); original.functions.len()],
        }
    }

    /// Adds a copy for a call or creation, folds it, and redirects the site to it.
    fn copy(
        &mut self,
        original: &Program,
        at: Location,
        callee: FuncId,
        constant: &[Option<Operand>],
    ) -> FuncId {
        let copy = FuncId(self.program.functions.len() as u32);
        let mut body = original.function(callee).clone();
        let site = &mut self.program.functions[at.function.0 as usize].blocks[at.block.0 as usize]
            .instrs[at.index as usize];
        let mut bound = vec![None; body.params as usize];
        match &mut site.op {
            Op::Call { callee, args, .. } => {
                *callee = Operand::Function(copy);
                for (b, a) in bound.iter_mut().zip(args) {
                    *b = (!matches!(a, Operand::Local(_) | Operand::Slot { .. })).then_some(*a);
                }
            }
            Op::Sync { args, .. } => args[0] = Operand::Function(copy),
            _ => {}
        }
        let answer = |callee: Operand| match callee {
            Operand::Function(f) => constant.get(f.0 as usize).copied().flatten(),
            _ => None,
        };
        fold(&mut body, self.program.model, &bound, &answer);
        self.program.functions.push(body);
        self.origin.push(callee);
        self.copies[callee.0 as usize].push(copy);
        copy
    }

    /// The function of the given program that a function comes from.
    pub fn origin(&self, f: FuncId) -> FuncId {
        self.origin[f.0 as usize]
    }

    /// The place in the given program that a place comes from.
    pub fn origin_of(&self, at: Location) -> Location {
        Location {
            function: self.origin(at.function),
            ..at
        }
    }

    /// A function of the given program and all its copies.
    pub fn all(&self, f: FuncId) -> impl Iterator<Item = FuncId> + '_ {
        std::iter::once(f).chain(self.copies[f.0 as usize].iter().copied())
    }

    /// The function that runs when the (copied) place `at` calls, or creates a thread with, `callee` of the given
    /// program: its copy made for this site, or itself.
    pub fn entered(&self, at: Location, callee: FuncId) -> FuncId {
        match self.program.instr(at).and_then(|i| target(&i.op)) {
            Some(f) if self.origin(f) == callee => f,
            _ => callee,
        }
    }
}

/// The function an instruction names as the one to run.
fn target(op: &Op) -> Option<FuncId> {
    match op {
        Op::Call {
            callee: Operand::Function(f),
            ..
        } => Some(*f),
        Op::Sync {
            op: SyncOp::ThreadNew,
            args,
            ..
        } => match args[0] {
            Operand::Function(f) => Some(f),
            _ => None,
        },
        _ => None,
    }
}

/// Functions whose address a function uses other than to call it.
fn addresses(program: &Program, f: FuncId) -> Vec<FuncId> {
    let mut all = Vec::new();
    for block in &program.function(f).blocks {
        for instr in &block.instrs {
            let mut op = instr.op.clone();
            let skip = usize::from(target(&op).is_some());
            for o in op.operands_mut().into_iter().skip(skip) {
                if let Operand::Function(f) = o {
                    all.push(*f);
                }
            }
        }
    }
    all
}

fn addresses_in_globals(program: &Program) -> VecDeque<FuncId> {
    let values = program.globals.iter().flat_map(|g| &g.init);
    values
        .filter_map(|i| match i.value {
            InitValue::Address {
                target: Target::Function(f),
                ..
            } => Some(f),
            _ => None,
        })
        .collect()
}

/// Call sites and creations that name a function with a body.
fn sites(program: &Program, f: FuncId) -> Vec<(Location, FuncId)> {
    let function = program.function(f);
    let reachable = reachable_blocks(function);
    let mut all = Vec::new();
    for (b, block) in function.blocks.iter().enumerate() {
        if !reachable[b] {
            continue;
        }
        for (i, instr) in block.instrs.iter().enumerate() {
            let at = Location {
                function: f,
                block: raddle_ir::BlockId(b as u32),
                index: i as u32,
            };
            if let Some(callee) = target(&instr.op)
                && program.function(callee).has_body()
            {
                all.push((at, callee));
            }
        }
    }
    all
}

/// Folds every function on its own; tells which do nothing but return a constant.
fn settle(program: &mut Program) -> Vec<Option<Operand>> {
    let mut constant: Vec<Option<Operand>> = vec![None; program.functions.len()];
    // Twice: the second time with the constants the first found.
    for _ in 0..2 {
        let known = constant.clone();
        let answer = |callee: Operand| match callee {
            Operand::Function(f) => known[f.0 as usize],
            _ => None,
        };
        for (f, found) in program.functions.iter_mut().zip(&mut constant) {
            let bound = vec![None; f.params as usize];
            fold(f, program.model, &bound, &answer);
            *found = match f.blocks.first() {
                Some(b) if b.instrs.is_empty() => match b.terminator {
                    Terminator::Return(Some(o @ Operand::Const { .. })) => Some(o),
                    _ => None,
                },
                _ => None,
            };
        }
    }
    constant
}

/// How large functions are, alone and with all that would be copied with them; recursive ones are infinite.
struct Sizes {
    own: Vec<usize>,
    closure: Vec<usize>,
}

impl Sizes {
    fn new(program: &Program) -> Sizes {
        let own: Vec<usize> = program
            .functions
            .iter()
            .map(|f| f.blocks.iter().map(|b| b.instrs.len() + 1).sum())
            .collect();
        let callees: Vec<Vec<FuncId>> = (0..own.len() as u32)
            .map(|f| sites(program, FuncId(f)).into_iter().map(|s| s.1).collect())
            .collect();
        let mut closure: Vec<Option<usize>> = vec![None; own.len()];
        // Depth first without recursion: `open` marks functions on the path, whose size is still to come.
        let mut open = vec![false; own.len()];
        for root in 0..own.len() {
            let mut path = vec![(root, 0)];
            while let Some((f, next)) = path.last_mut() {
                let f = *f;
                if *next == 0 {
                    if closure[f].is_some() {
                        path.pop();
                        continue;
                    }
                    open[f] = true;
                }
                match callees[f].get(*next) {
                    Some(g) => {
                        *next += 1;
                        let g = g.0 as usize;
                        match open[g] {
                            // Everything on the cycle is recursive.
                            true => {
                                let from = path.iter().position(|(x, _)| *x == g).unwrap_or(0);
                                for (x, _) in &path[from..] {
                                    closure[*x] = Some(usize::MAX);
                                }
                            }
                            false => path.push((g, 0)),
                        }
                    }
                    None => {
                        let size = |g: &FuncId| closure[g.0 as usize].unwrap_or(usize::MAX);
                        let copied = callees[f].iter().map(size).filter(|s| *s <= LARGEST);
                        let sum = own[f] + copied.sum::<usize>();
                        closure[f] = closure[f].or(Some(sum));
                        open[f] = false;
                        path.pop();
                    }
                }
            }
        }
        let closure = closure.into_iter().map(|c| c.unwrap_or(usize::MAX));
        Sizes {
            own,
            closure: closure.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_functions_are_copied_and_recursive_ones_are_not() {
        let text =
            "int small(int n) { return n; } int again(int n) { return n ? again(n - 1) : 0; }
            int main(void) { return small(1) + small(2) + again(3); }";
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
        let clones = Clones::new(&program);
        assert!(raddle_ir::verify(&clones.program).is_empty());
        let named = |n| program.function_named(n).expect("a function");
        assert_eq!(clones.all(named("small")).count(), 3);
        assert_eq!(clones.all(named("again")).count(), 1);
        for f in clones.all(named("small")) {
            assert_eq!(clones.origin(f), named("small"));
        }
    }
}
