//! The function under construction: blocks, locals, slots, and helpers that emit instructions.

use super::Lower;
use crate::ast::Quals;
use crate::diagnostic::Result;
use crate::hir::*;
use crate::source::Span;
use crate::types::{QualType, VlaId};
use raddle_ir as ir;
use std::collections::HashMap;
use std::rc::Rc;

/// Where a variable lives.
#[derive(Copy, Clone, Debug)]
pub(super) enum Storage {
    Local(ir::LocalId),
    Slot(ir::SlotId),
    /// The local holds the address: a record parameter, or a variable-length array.
    Indirect(ir::LocalId),
}

/// Where `break` and `continue` go.
#[derive(Copy, Clone)]
pub(super) struct Targets {
    pub break_to: ir::BlockId,
    pub continue_to: Option<ir::BlockId>,
    pub scope: ScopeId,
}

/// A call at the end of a scope.
#[derive(Clone)]
pub(super) struct Cleanup {
    pub scope: ScopeId,
    pub call: Rc<Expr>,
}

pub(super) struct FunctionBuilder<'f, 'a, 'n> {
    pub lower: &'f mut Lower<'a, 'n>,
    pub body: &'f Body,
    pub function: ir::Function,
    pub terminated: Vec<bool>,
    pub current: ir::BlockId,
    pub at: Span,
    quoted: Option<(Span, ir::Span, ir::TextId)>,
    pub vars: Vec<Storage>,
    pub scope_slots: Vec<Vec<ir::SlotId>>,
    pub scope: ScopeId,
    /// Variable-length arrays that are allocated, by scope.
    pub vlas: Vec<(ScopeId, ir::LocalId)>,
    /// What is called at the ends of the scopes that were entered.
    pub cleanups: Vec<Cleanup>,
    /// For each label that was defined or jumped to: the cleanups that are due there.
    pub due_at: HashMap<LabelId, Vec<usize>>,
    pub lengths: HashMap<VlaId, ir::LocalId>,
    pub labels: Vec<Option<ir::BlockId>>,
    pub targets: Vec<Targets>,
    pub temporaries: Vec<ir::SlotId>,
    /// Temporaries that end with the full expression under way.
    pub passing: Vec<ir::SlotId>,
    pub result: Option<ir::LocalId>,
    pub varargs: Option<ir::LocalId>,
    /// The body is one atomic block.
    pub atomic: bool,
    /// Scalars visited by the copy under way.
    pub visited: u64,
}

impl<'f, 'a, 'n> FunctionBuilder<'f, 'a, 'n> {
    pub fn new(lower: &'f mut Lower<'a, 'n>, body: &'f Body, function: ir::Function) -> Self {
        let mut builder = FunctionBuilder {
            lower,
            body,
            function,
            terminated: Vec::new(),
            current: ir::BlockId(0),
            at: body.end,
            quoted: None,
            vars: Vec::new(),
            scope_slots: vec![Vec::new(); body.scopes.len()],
            scope: ScopeId(0),
            vlas: Vec::new(),
            cleanups: Vec::new(),
            due_at: HashMap::new(),
            lengths: HashMap::new(),
            labels: vec![None; body.labels.len()],
            targets: Vec::new(),
            temporaries: Vec::new(),
            passing: Vec::new(),
            result: None,
            varargs: None,
            atomic: false,
            visited: 0,
        };
        builder.current = builder.new_block();
        builder
    }

    pub fn new_block(&mut self) -> ir::BlockId {
        let id = ir::BlockId(self.function.blocks.len() as u32);
        self.function.blocks.push(ir::Block {
            instrs: Vec::new(),
            terminator: ir::Terminator::Unreachable,
            terminator_span: ir::Span::NOWHERE,
        });
        self.terminated.push(false);
        id
    }

    fn place_of(&mut self) -> (ir::Span, ir::TextId) {
        match self.quoted {
            Some((at, span, text)) if at == self.at => (span, text),
            _ => {
                let span = self.lower.ir_span(self.at);
                let text = self.lower.quote(self.at);
                self.quoted = Some((self.at, span, text));
                (span, text)
            }
        }
    }

    pub fn emit(&mut self, op: ir::Op) {
        if self.terminated[self.current.0 as usize] {
            self.current = self.new_block();
        }
        let (span, text) = self.place_of();
        self.function.blocks[self.current.0 as usize]
            .instrs
            .push(ir::Instr { op, span, text });
    }

    /// Ends the current block, unless it has ended already.
    pub fn terminate(&mut self, terminator: ir::Terminator) {
        let index = self.current.0 as usize;
        if self.terminated[index] {
            return;
        }
        let (span, _) = self.place_of();
        let block = &mut self.function.blocks[index];
        block.terminator = terminator;
        block.terminator_span = span;
        self.terminated[index] = true;
    }

    pub fn goto(&mut self, block: ir::BlockId) {
        self.terminate(ir::Terminator::Goto(block));
    }

    /// Goes on in another block.
    pub fn start(&mut self, block: ir::BlockId) {
        self.current = block;
    }

    pub fn local(&mut self, ty: ir::Ty) -> ir::LocalId {
        let id = ir::LocalId(self.function.locals.len() as u32);
        self.function.locals.push(ir::Local {
            name: String::new(),
            ty,
            debug: None,
        });
        id
    }

    pub fn slot(&mut self, size: u64, align: u64) -> ir::SlotId {
        let id = ir::SlotId(self.function.slots.len() as u32);
        self.function.slots.push(ir::Slot {
            name: String::new(),
            size,
            align,
            debug: None,
        });
        id
    }

    /// Memory for a value that has no name; it lives as long as the activation.
    pub fn temporary(&mut self, size: u64, align: u64) -> ir::Operand {
        let id = self.slot(size, align);
        self.temporaries.push(id);
        ir::Operand::Slot { id, offset: 0 }
    }

    /// Memory for a value whose lifetime the caller ends.
    pub fn passing(&mut self, size: u64, align: u64) -> ir::SlotId {
        let slot = self.slot(size, align);
        self.emit(ir::Op::StorageLive { slot });
        slot
    }

    /// Ends temporaries at the beginning of a block. Whoever comes another way has none of them, and loses none.
    pub fn end_first(&mut self, passing: &[ir::SlotId], block: ir::BlockId) {
        let (span, text) = self.place_of();
        let ends = passing.iter().map(|&slot| ir::Instr {
            op: ir::Op::StorageDead { slot },
            span,
            text,
        });
        let block = &mut self.function.blocks[block.0 as usize];
        block.instrs.splice(0..0, ends.collect::<Vec<_>>());
    }

    /// Ends temporaries: all from the given one on.
    pub fn end_passing(&mut self, from: usize) {
        for slot in self.passing.split_off(from) {
            self.emit(ir::Op::StorageDead { slot });
        }
    }

    /// Computes into a fresh local.
    pub fn compute(&mut self, ty: ir::Ty, value: ir::Rvalue) -> ir::Operand {
        let dst = self.local(ty);
        self.emit(ir::Op::Let { dst, value });
        ir::Operand::Local(dst)
    }

    pub fn set(&mut self, dst: ir::LocalId, value: ir::Operand) {
        self.emit(ir::Op::Let {
            dst,
            value: ir::Rvalue::Use(value),
        });
    }

    /// The type of an operand.
    pub fn type_of(&self, operand: ir::Operand) -> ir::Ty {
        match operand {
            ir::Operand::Local(l) => self.function.locals[l.0 as usize].ty,
            ir::Operand::Const { ty, .. } => ty,
            _ => ir::Ty::Ptr,
        }
    }

    pub fn scalar(&self, ty: QualType) -> Result<ir::Ty> {
        self.lower.scalar(ty, self.at)
    }

    pub fn word(&self) -> ir::Ty {
        self.lower.model().pointer_int()
    }

    pub fn word_const(&self, value: i128) -> ir::Operand {
        ir::Operand::int(self.word(), value)
    }

    pub fn is_record(&self, ty: QualType) -> bool {
        self.lower.sema.types.is_record(ty)
    }

    pub fn is_signed(&self, ty: QualType) -> bool {
        self.lower.sema.types.is_signed(ty)
    }

    /// How accesses to an object of this type count.
    pub fn ordering(&self, quals: Quals) -> ir::Ordering {
        if quals.has(Quals::ATOMIC) {
            ir::Ordering::SEQ_CST
        } else if quals.has(Quals::VOLATILE) {
            ir::Ordering::Volatile
        } else {
            ir::Ordering::Plain
        }
    }

    pub fn binary(
        &mut self,
        op: ir::BinaryOp,
        a: ir::Operand,
        b: ir::Operand,
        checked: bool,
    ) -> ir::Operand {
        let ty = self.type_of(a);
        self.compute(
            ty,
            ir::Rvalue::Binary {
                op,
                ty,
                a,
                b,
                checked,
            },
        )
    }

    pub fn compare(&mut self, op: ir::CompareOp, a: ir::Operand, b: ir::Operand) -> ir::Operand {
        let ty = self.type_of(a);
        self.compute(ir::Ty::I1, ir::Rvalue::Compare { op, ty, a, b })
    }

    pub fn zero(&self, ty: ir::Ty) -> ir::Operand {
        ir::Operand::Const { ty, bits: 0 }
    }

    /// `base + offset` bytes, folded where the operand can carry it.
    pub fn offset(&mut self, base: ir::Operand, offset: i64) -> ir::Operand {
        match base {
            _ if offset == 0 => base,
            ir::Operand::Global { id, offset: o } => ir::Operand::Global {
                id,
                offset: o + offset,
            },
            ir::Operand::Slot { id, offset: o } => ir::Operand::Slot {
                id,
                offset: o + offset,
            },
            _ => {
                let index = self.word_const(0);
                self.compute(
                    ir::Ty::Ptr,
                    ir::Rvalue::PtrAdd {
                        base,
                        index,
                        scale: 1,
                        offset,
                    },
                )
            }
        }
    }

    /// Blocks that cannot be reached are dropped, and temporaries come alive at the start.
    pub fn finish(mut self) -> ir::Function {
        let (span, _) = self.place_of();
        let live = self.temporaries.iter().map(|&slot| ir::Instr {
            op: ir::Op::StorageLive { slot },
            span,
            text: ir::TextId(0),
        });
        let live: Vec<_> = live.collect();
        self.function.blocks[0].instrs.splice(0..0, live);
        let mut map: Vec<Option<u32>> = vec![None; self.function.blocks.len()];
        let mut order = Vec::new();
        let mut stack = vec![ir::BlockId(0)];
        while let Some(id) = stack.pop() {
            if map[id.0 as usize].is_some() {
                continue;
            }
            map[id.0 as usize] = Some(0);
            order.push(id.0 as usize);
            match &self.function.blocks[id.0 as usize].terminator {
                ir::Terminator::Goto(b) => stack.push(*b),
                ir::Terminator::Branch {
                    then, otherwise, ..
                } => stack.extend([*otherwise, *then]),
                ir::Terminator::Switch { cases, default, .. } => {
                    stack.push(*default);
                    stack.extend(cases.iter().rev().map(|c| c.1));
                }
                ir::Terminator::Return(_) | ir::Terminator::Unreachable => {}
            }
        }
        order.sort_unstable();
        for (new, &old) in order.iter().enumerate() {
            map[old] = Some(new as u32);
        }
        let renumber = |b: &mut ir::BlockId| b.0 = map[b.0 as usize].unwrap_or(0);
        let mut blocks: Vec<Option<ir::Block>> = self.function.blocks.drain(..).map(Some).collect();
        for &old in &order {
            let Some(mut block) = blocks[old].take() else {
                continue;
            };
            match &mut block.terminator {
                ir::Terminator::Goto(b) => renumber(b),
                ir::Terminator::Branch {
                    then, otherwise, ..
                } => {
                    renumber(then);
                    renumber(otherwise);
                }
                ir::Terminator::Switch { cases, default, .. } => {
                    renumber(default);
                    cases.iter_mut().for_each(|c| renumber(&mut c.1));
                }
                ir::Terminator::Return(_) | ir::Terminator::Unreachable => {}
            }
            self.function.blocks.push(block);
        }
        super::coalesce::coalesce(&mut self.function);
        self.function
    }
}
