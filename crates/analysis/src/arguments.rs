//! Whether it matters with which arguments a program is called.
//!
//! Arguments of `main` are inputs of a bounded number and length ([`raddle_ir::LimitKind::Arguments`]). Where `main` does nothing with them but to read and
//! print them in loops, each execution with some arguments has the same effects as one with others, so what holds for a few holds for all:
//!
//! - what depends on arguments, by data or by control, stays in locals of `main`: it is computed with, decides branches and is printed, but is
//!   neither stored, passed on, returned nor checked;
//! - between such a branch and where its ways meet again nothing else happens: no store, no access to other memory, no call;
//! - no computation with it is undefined: no division, no shift, no checked overflow but that of a counter below `argc`;
//! - every load through it is valid for any arguments, since it has one of two forms. `argv[i]`: `i` counts up by one from a constant, and `i < argc` was
//!   tested after the last step; then this is one of the strings. `*s`: `s` is the beginning of such a string, moved by one byte each time the
//!   byte there was not zero; a string ends with a zero.
//!
//! That the loops end is not needed: an execution that stays in one does less.
//!
//! What it misses: arguments that are passed to functions of the program or the library (`getopt`, `atoi`), and branches on their number with effects.

use crate::loops::{LoopNest, successors};
use crate::postdom::PostDominators;
use raddle_ir::{
    BinaryOp, Block, BlockId, CastKind, CompareOp, FuncId, Function, LocalId, Op, Operand, Program,
    Rvalue, Terminator, Ty,
};
use std::collections::BTreeSet;

/// Whether arguments of `main` may matter to anything but what is printed.
pub fn matter(program: &Program) -> bool {
    match main(program) {
        Some(main) => Reader::new(program, main).is_none_or(|mut reader| !reader.is_harmless()),
        None => true,
    }
}

/// `main`, if it is called once, by the entry.
fn main(program: &Program) -> Option<FuncId> {
    let entry = program.function(program.entry);
    let instrs = entry.blocks.iter().flat_map(|b| &b.instrs);
    let called = instrs.filter_map(|i| match &i.op {
        Op::Call {
            callee: Operand::Function(f),
            args,
            ..
        } if args.len() >= 2 && is_made(program, args[1]) => Some(*f),
        _ => None,
    });
    let called: Vec<FuncId> = called.collect();
    let [main] = called[..] else { return None };
    // Nobody else knows it.
    let named = |o: &Operand| *o == Operand::Function(main);
    let mut uses = 0;
    for (_, op) in program.instructions() {
        let mut op = op.clone();
        uses += op.operands_mut().iter().filter(|o| named(o)).count();
    }
    let kept = program.globals.iter().any(|g| {
        let target = raddle_ir::Target::Function(main);
        (g.init.iter()).any(
            |i| matches!(&i.value, raddle_ir::InitValue::Address { target: t, .. } if *t == target),
        )
    });
    let function = program.function(main);
    let params =
        function.params >= 2 && function.locals[0].ty == Ty::I32 && function.name == "main";
    (uses == 1 && !kept && params && function.locals[1].ty == Ty::Ptr).then_some(main)
}

/// Whether this is the array of arguments that the front end has made.
fn is_made(program: &Program, argv: Operand) -> bool {
    let Operand::Global { id, offset: 0 } = argv else {
        return false;
    };
    let global = program.global(id);
    global.name == "argv" && global.span == raddle_ir::Span::NOWHERE
}

const ARGC: LocalId = LocalId(0);
const ARGV: LocalId = LocalId(1);

struct Reader<'a> {
    program: &'a Program,
    function: &'a Function,
    /// Where each local is assigned.
    definitions: Vec<Vec<At>>,
    nest: LoopNest,
    ends: PostDominators,
    /// Locals that depend on arguments.
    tainted: BTreeSet<LocalId>,
    /// Blocks that are reached or not, or again, depending on arguments.
    decided: BTreeSet<BlockId>,
    /// Locals that are made of arguments and constants.
    initialised: BTreeSet<LocalId>,
}

/// An instruction: its block and its place there.
type At = (BlockId, usize);

impl<'a> Reader<'a> {
    fn new(program: &'a Program, main: FuncId) -> Option<Reader<'a>> {
        let function = program.function(main);
        let nest = LoopNest::new(function);
        let ends = PostDominators::new(function, &nest);
        let mut definitions = vec![Vec::new(); function.locals.len()];
        for (b, block) in function.blocks.iter().enumerate() {
            for (i, instr) in block.instrs.iter().enumerate() {
                for d in instr.op.clone().destinations_mut() {
                    definitions[d.0 as usize].push((BlockId(b as u32), i));
                }
            }
        }
        let reader = Reader {
            definitions,
            program,
            function,
            nest,
            ends,
            tainted: BTreeSet::from([ARGC, ARGV]),
            decided: BTreeSet::new(),
            initialised: BTreeSet::new(),
        };
        let set = [ARGC, ARGV]
            .iter()
            .all(|p| reader.definitions(*p).is_empty());
        set.then_some(reader)
    }

    fn blocks(&self) -> impl Iterator<Item = (BlockId, &'a Block)> + use<'a> {
        let all = self.function.blocks.iter().enumerate();
        all.map(|(b, block)| (BlockId(b as u32), block))
    }

    fn is_tainted(&self, o: &Operand) -> bool {
        matches!(o, Operand::Local(l) if self.tainted.contains(l))
    }

    fn uses_tainted(&self, op: &Op) -> bool {
        let mut op = op.clone();
        op.operands_mut().iter().any(|o| self.is_tainted(o))
    }

    /// Where a local is assigned.
    fn definitions(&self, l: LocalId) -> &[At] {
        &self.definitions[l.0 as usize]
    }

    fn op(&self, at: At) -> &'a Op {
        &self.function.block(at.0).instrs[at.1].op
    }

    /// Follows what depends on arguments, and looks whether all of it is harmless.
    fn is_harmless(&mut self) -> bool {
        loop {
            let before = (self.tainted.len(), self.decided.len());
            if !self.spread() {
                return false;
            }
            if before == (self.tainted.len(), self.decided.len()) {
                break;
            }
        }
        self.find_initialised();
        self.blocks().all(|(b, block)| {
            let here = self.decided.contains(&b);
            let mut instrs = block.instrs.iter().enumerate();
            let fine = instrs.all(|(i, instr)| {
                let concerned = here || self.uses_tainted(&instr.op);
                let assigned = match &instr.op {
                    Op::Load { addr, .. } => self.is_initialised(addr, (b, i)),
                    _ => true,
                };
                !concerned || assigned && self.is_fine((b, i), &instr.op)
            });
            let ends = match &block.terminator {
                Terminator::Goto(_) => true,
                Terminator::Branch { cond, .. } => {
                    let concerned = here || self.is_tainted(cond);
                    !concerned || self.is_initialised(cond, (b, block.instrs.len()))
                }
                Terminator::Return(Some(value)) => !here && !self.is_tainted(value),
                Terminator::Switch { value, .. } => !here && !self.is_tainted(value),
                _ => !here,
            };
            fine && ends
        })
    }

    /// One round; false if a branch decides what happens to the end.
    fn spread(&mut self) -> bool {
        for (b, block) in self.blocks() {
            for instr in &block.instrs {
                if self.decided.contains(&b) || self.uses_tainted(&instr.op) {
                    let mut op = instr.op.clone();
                    let set: Vec<LocalId> = op.destinations_mut().iter().map(|d| **d).collect();
                    self.tainted.extend(set);
                }
            }
            let Terminator::Branch { cond, .. } = &block.terminator else {
                continue;
            };
            if !self.is_tainted(cond) {
                continue;
            }
            let Some(meet) = self.ends.merging_point(b) else {
                return false;
            };
            let mut work = successors(&block.terminator);
            while let Some(next) = work.pop() {
                if next != meet && self.decided.insert(next) {
                    work.extend(successors(&self.function.block(next).terminator));
                }
            }
        }
        // What an imagined end leads to meets nowhere.
        self.ends.imagined_ends().is_empty()
    }

    /// Whether an instruction that depends on arguments does nothing that others could notice, and is defined.
    fn is_fine(&self, at: At, op: &Op) -> bool {
        match op {
            Op::Output { .. } => true,
            Op::Let { value, .. } => match value {
                Rvalue::Binary {
                    op, ty, checked, ..
                } => {
                    use BinaryOp::{Add, And, Mul, Or, Sub, Xor};
                    let total = matches!(op, Add | Sub | Mul | And | Or | Xor) && !ty.is_float();
                    total && (!checked || self.is_step_below(at))
                }
                Rvalue::Unary { ty, checked, .. } => !checked && !ty.is_float(),
                Rvalue::Cast { kind, .. } => matches!(
                    kind,
                    CastKind::Trunc | CastKind::ZExt | CastKind::SExt | CastKind::Bits
                ),
                Rvalue::Use(_)
                | Rvalue::Compare { .. }
                | Rvalue::PtrAdd { .. }
                | Rvalue::Select { .. } => true,
                Rvalue::Pure { .. } => false,
            },
            Op::Load {
                ty, addr, access, ..
            } => {
                let plain = access.bits.is_none() && access.keeps == 0;
                plain
                    && match ty {
                        Ty::Ptr => self.is_argument(at),
                        Ty::I8 => matches!(addr, Operand::Local(s) if self.walks(*s)),
                        _ => false,
                    }
            }
            _ => false,
        }
    }

    /// Finds the locals whose values are made of arguments and constants: whether another one holds something that nobody has written may depend on
    /// how often a loop is gone through.
    fn find_initialised(&mut self) {
        let locals = (0..self.function.locals.len() as u32).map(LocalId);
        self.initialised = locals.collect();
        loop {
            let keeps = |l: &LocalId| {
                *l == ARGC
                    || *l == ARGV
                    || self.definitions(*l).iter().all(|&at| {
                        let mut op = self.op(at).clone();
                        let known = match &op {
                            Op::Let { .. } => true,
                            Op::Load { .. } => self.is_fine(at, &op),
                            _ => false,
                        };
                        let mut operands = op.operands_mut().into_iter();
                        known && operands.all(|o| self.is_initialised(o, at))
                    })
            };
            let next: BTreeSet<LocalId> = self.initialised.iter().copied().filter(keeps).collect();
            if next.len() == self.initialised.len() {
                return;
            }
            self.initialised = next;
        }
    }

    /// Whether an operand is certainly made of arguments and constants at a place.
    fn is_initialised(&self, o: &Operand, at: At) -> bool {
        let Operand::Local(l) = o else { return true };
        let before = |d: &At| match d.0 == at.0 {
            true => d.1 < at.1,
            false => self.nest.dominates(d.0, at.0),
        };
        let param = *l == ARGC || *l == ARGV;
        self.initialised.contains(l) && (param || self.definitions(*l).iter().any(before))
    }

    /// The one instruction that assigns a local.
    fn only(&self, l: LocalId) -> Option<(At, &'a Op)> {
        match *self.definitions(l) {
            [at] => Some((at, self.op(at))),
            _ => None,
        }
    }

    /// Whether a block is only entered from another one's branch, on that side.
    fn entered_by(&self, b: BlockId) -> Option<(BlockId, bool)> {
        let from: Vec<BlockId> = self
            .blocks()
            .filter(|(p, block)| {
                self.nest.position[p.0 as usize].is_some()
                    && successors(&block.terminator).contains(&b)
            })
            .map(|(p, _)| p)
            .collect();
        let [from] = from[..] else { return None };
        match self.function.block(from).terminator {
            Terminator::Branch {
                then, otherwise, ..
            } if then != otherwise => Some((from, then == b)),
            _ => None,
        }
    }

    /// What a block's branch tests, if the test is made in the block and nothing it compares changes afterwards.
    fn tested(&self, b: BlockId) -> Option<(CompareOp, Operand, Operand)> {
        let block = self.function.block(b);
        let Terminator::Branch {
            cond: Operand::Local(cond),
            ..
        } = block.terminator
        else {
            return None;
        };
        let (at, op) = self.only(cond)?;
        let Op::Let {
            value: Rvalue::Compare {
                op, a, b: other, ..
            },
            ..
        } = op
        else {
            return None;
        };
        let changes = |o: &Operand| match o {
            Operand::Local(l) => self.definitions(*l).iter().any(|d| d.0 == b && d.1 > at.1),
            _ => false,
        };
        (at.0 == b && !changes(a) && !changes(other)).then_some((*op, *a, *other))
    }

    /// The block that is entered where `i < argc` was found to hold, if `i` is never negative and takes no two steps between tests.
    fn below(&self, i: LocalId) -> Option<BlockId> {
        let mut step = None;
        for &at in self.definitions(i) {
            match self.op(at) {
                Op::Let {
                    value: Rvalue::Use(Operand::Const { ty: Ty::I32, bits }),
                    ..
                } if *bits <= 1 << 30 => {}
                Op::Let {
                    value:
                        Rvalue::Binary {
                            op: BinaryOp::Add,
                            ty: Ty::I32,
                            a: Operand::Local(same),
                            b: Operand::Const { bits: 1, .. },
                            ..
                        },
                    ..
                } if *same == i && step.is_none() => step = Some(at),
                _ => return None,
            }
        }
        let (step, _) = step?;
        let mut tests = self.blocks().filter(|(b, _)| {
            let found = (CompareOp::SLt, Operand::Local(i), Operand::Local(ARGC));
            self.nest.position[b.0 as usize].is_some() && self.tested(*b) == Some(found)
        });
        let (test, _) = tests.next()?;
        let Terminator::Branch { then, .. } = self.function.block(test).terminator else {
            return None;
        };
        if self.entered_by(then) != Some((test, true)) || !self.nest.dominates(then, step) {
            return None;
        }
        // From the step only the test leads to another step.
        let mut seen = BTreeSet::new();
        let mut work = successors(&self.function.block(step).terminator);
        while let Some(b) = work.pop() {
            if b == step {
                return None;
            }
            if b != test && seen.insert(b) {
                work.extend(successors(&self.function.block(b).terminator));
            }
        }
        Some(then)
    }

    /// Whether an addition is the step of a counter that is below `argc`.
    fn is_step_below(&self, at: At) -> bool {
        let mut op = self.op(at).clone();
        let set: Vec<LocalId> = op.destinations_mut().iter().map(|d| **d).collect();
        matches!(set[..], [i] if self.below(i).is_some())
    }

    /// Whether a load is of `argv[i]` for an `i` below `argc`: everything is computed in the block that is entered behind the test, from an `i` that
    /// has not changed since.
    fn is_argument(&self, at: At) -> bool {
        let argument = || {
            let Op::Load {
                addr: Operand::Local(p),
                ..
            } = self.op(at)
            else {
                return None;
            };
            let (computed, op) = self.only(*p)?;
            let Op::Let {
                value:
                    Rvalue::PtrAdd {
                        base: Operand::Local(ARGV),
                        index: Operand::Local(wide),
                        scale,
                        offset: 0,
                    },
                ..
            } = op
            else {
                return None;
            };
            let (widened, op) = self.only(*wide)?;
            let Op::Let {
                value:
                    Rvalue::Cast {
                        kind: CastKind::SExt,
                        from: Ty::I32,
                        a: Operand::Local(i),
                        ..
                    },
                ..
            } = op
            else {
                return None;
            };
            let block = self.below(*i)?;
            let inside = [widened, computed, at].iter().all(|a| a.0 == block);
            let ordered = widened.1 < computed.1 && computed.1 < at.1;
            let mut changes = self.definitions(*i).iter().filter(|d| d.0 == block);
            let unchanged = changes.all(|d| d.1 > widened.1);
            let words = *scale == self.program.model.pointer_bytes();
            Some(inside && ordered && unchanged && words)
        };
        argument() == Some(true)
    }

    /// Whether an instruction gives a local the beginning of an argument: a load of one, or a copy of what only such a load assigns.
    fn begins(&self, at: At) -> bool {
        match self.op(at) {
            Op::Load { ty: Ty::Ptr, .. } => self.is_argument(at),
            Op::Let {
                value: Rvalue::Use(o @ Operand::Local(l)),
                ..
            } => {
                let loaded = |(from, op): (At, &Op)| {
                    matches!(op, Op::Load { ty: Ty::Ptr, .. }) && self.is_argument(from)
                };
                self.is_initialised(o, at) && self.only(*l).is_some_and(loaded)
            }
            _ => false,
        }
    }

    /// Whether a local is always within a string: the beginning of an argument, moved on where the byte was not the last.
    fn walks(&self, s: LocalId) -> bool {
        let all = self.definitions(s);
        s.0 >= self.function.params
            && all.iter().any(|at| self.begins(*at))
            && all.iter().all(|at| match self.op(*at) {
                Op::Let {
                    value:
                        Rvalue::PtrAdd {
                            base: Operand::Local(same),
                            index: Operand::Const { bits: 0, .. },
                            offset: 1,
                            ..
                        },
                    ..
                } => *same == s && self.is_before_the_end(s, *at),
                _ => self.begins(*at),
            })
    }

    /// Whether the byte at `s` was found to be none of the last, before a step.
    fn is_before_the_end(&self, s: LocalId, step: At) -> bool {
        let looked = || {
            let (test, yes) = self.entered_by(step.0)?;
            let (op, a, b) = self.tested(test)?;
            let zero = |o: &Operand| matches!(o, Operand::Const { bits: 0, .. });
            let Operand::Local(byte) = a else { return None };
            let differs = matches!((op, yes), (CompareOp::Ne, true) | (CompareOp::Eq, false));
            let (loaded, op) = self.only(byte)?;
            let of_it =
                matches!(op, Op::Load { ty: Ty::I8, addr, .. } if *addr == Operand::Local(s));
            let mut moves = self.definitions(s).iter().filter(|d| **d != step);
            let still = moves.all(|d| d.0 != step.0 && (d.0 != test || d.1 < loaded.1));
            Some(zero(&b) && differs && of_it && loaded.0 == test && still)
        };
        looked() == Some(true)
    }
}

#[cfg(test)]
mod tests {
    use super::matter;

    /// A `main` with arguments and this body.
    fn matters(body: &str) -> bool {
        let options = raddle_c::Options::default();
        let text = format!(
            "int printf(const char *, ...); int atoi(const char *); extern int g; int h(char *s) {{ return *s; }}
            int main(int argc, char **argv) {{ {body} return 0; }}"
        );
        let program = raddle_c::compile_text("t.i", &text, &options).expect("valid C");
        matter(&program)
    }

    #[test]
    fn arguments_that_are_only_printed() {
        assert!(!matters(
            r#"for (int i = 0; i < argc; i++) printf("%s\n", argv[i]);"#
        ));
        assert!(!matters(
            r#"for (int i = 1; i < argc; i++) printf("%d %s\n", i, argv[i]);"#
        ));
    }

    #[test]
    fn arguments_that_matter() {
        assert!(matters(
            r#"for (int i = 0; i <= argc; i++) printf("%s\n", argv[i]);"#
        ));
        assert!(matters(
            r#"for (int i = -1; i < argc; i++) printf("%s\n", argv[i]);"#
        ));
        assert!(matters(
            r#"for (int i = 0; i < argc; i++) printf("%s\n", argv[i + 1]);"#
        ));
        assert!(matters(
            r#"for (int i = 0; i < argc; i += 2) printf("%s\n", argv[i]);"#
        ));
        assert!(matters(
            r#"for (int i = 0; i < argc; i++) { i++; printf("%s\n", argv[i]); }"#
        ));
        assert!(matters(
            r#"for (int i = 0; i < argc; i++) printf("%c\n", argv[i][1]);"#
        ));
        assert!(matters(r#"for (int i = 0; i < argc; i++) argv[i][0] = 0;"#));
        assert!(matters(r#"for (int i = 0; i < argc; i++) h(argv[i]);"#));
        assert!(matters("return argc;"));
        assert!(matters("int a[4]; a[argc] = 0;"));
        assert!(matters("g = argc;"));
        assert!(matters("int n = 10 / argc; (void)n;"));
        assert!(matters("if (argc > 5) g = 1;"));
        assert!(matters("if (argc > 5) return 1; g = 1;"));
        assert!(matters(
            "int n = 0; for (int i = 0; i < argc; i++) n = 5; g = n;"
        ));
        assert!(matters("for (int i = 0; i < argc; i++) g = 1;"));
        assert!(matters(
            r#"for (int i = 0; i < argc; i++) printf("%d", g);"#
        ));
        assert!(matters(
            "int x; for (int i = 0; i < argc; i++) if (i > 5 && x) printf(\"x\");"
        ));
        assert!(matters(
            r#"argc = 7; for (int i = 0; i < argc; i++) printf("%s\n", argv[i]);"#
        ));
        assert!(matters(
            r#"argv++; for (int i = 0; i < argc; i++) printf("%s\n", argv[i]);"#
        ));
        assert!(matters(
            r#"for (int i = 0; i < argc; i++) { char *s = argv[i]; s += 2; printf("%s\n", s); }"#
        ));
    }
}
