//! A function in the making: blocks, locals, names in scope, atomic regions.

use super::{Lowering, Result, Shared};
use crate::ast::Type;
use crate::constants::Const;
use crate::diagnostic::Diagnostic;
use crate::suggest::nearest;
use raddle_ir::{
    AtomicKind, Block, BlockId, FuncId, Function, Instr, Local, LocalId, Op, Operand, Span,
    Terminator, TextId, Ty,
};
use std::collections::HashMap;

/// What a name means within a process.
#[derive(Clone, Copy, Debug)]
pub enum Binding {
    Const(Const),
    Local(LocalId, Type),
    /// An array that only this process touches.
    Array(Shared),
}

/// A loop that `break` can leave: where to, and how deep in atomic regions it stands.
pub struct Loop {
    pub after: BlockId,
    pub atomic: u32,
}

/// A function in the making.
pub struct Body<'a, 't> {
    pub low: &'a mut Lowering<'t>,
    function: Function,
    block: usize,
    pub scopes: Vec<HashMap<String, Binding>>,
    pub atomic: u32,
    pub loops: Vec<Loop>,
    /// Several threads run this very function.
    pub anonymous: bool,
    span: Span,
    text: TextId,
}

impl<'a, 't> Body<'a, 't> {
    /// Of a thread.
    pub fn thread(low: &'a mut Lowering<'t>, name: &str, span: Span) -> Body<'a, 't> {
        let mut body = Body::new(low, name, span);
        body.function.params = 1;
        body.function.ret = Some(Ty::Ptr);
        body.local(Ty::Ptr);
        body
    }

    /// Of the initial thread.
    pub fn initial(low: &'a mut Lowering<'t>) -> Body<'a, 't> {
        Body::new(low, "init", Span::NOWHERE)
    }

    fn new(low: &'a mut Lowering<'t>, name: &str, span: Span) -> Body<'a, 't> {
        let function = Function {
            name: name.into(),
            params: 0,
            ret: None,
            locals: Vec::new(),
            slots: Vec::new(),
            blocks: Vec::new(),
            library: false,
            assembly: false,
            span,
        };
        let mut body = Body {
            low,
            function,
            block: 0,
            scopes: vec![HashMap::new()],
            atomic: 0,
            loops: Vec::new(),
            anonymous: false,
            span,
            text: TextId(0),
        };
        body.new_block();
        body
    }

    /// What follows comes from here.
    pub fn begin(&mut self, span: Span, (from, to): (usize, usize)) {
        let source = self.low.text.get(from..to).unwrap_or("");
        let line = source.lines().next().unwrap_or("").trim_end();
        let line = line.trim_end_matches(['{', ';']).trim_end();
        self.span = span;
        self.text = self.low.program.intern(line);
    }

    /// The name of what is being made.
    pub fn name(&self) -> &str {
        &self.function.name
    }

    /// A new local without a name.
    pub fn local(&mut self, ty: Ty) -> LocalId {
        self.named(ty, "")
    }

    /// A new local.
    pub fn named(&mut self, ty: Ty, name: &str) -> LocalId {
        self.function.locals.push(Local {
            name: name.into(),
            ty,
            debug: None,
        });
        LocalId(self.function.locals.len() as u32 - 1)
    }

    /// An instruction.
    pub fn push(&mut self, op: Op) {
        let instr = Instr {
            op,
            span: self.span,
            text: self.text,
        };
        self.function.blocks[self.block].instrs.push(instr);
    }

    /// A computation with a new local for its result.
    pub fn compute(&mut self, ty: Ty, value: raddle_ir::Rvalue) -> Operand {
        let dst = self.local(ty);
        self.push(Op::Let { dst, value });
        Operand::Local(dst)
    }

    /// A block, not yet gone to.
    pub fn new_block(&mut self) -> BlockId {
        self.function.blocks.push(Block {
            instrs: Vec::new(),
            terminator: Terminator::Unreachable,
            terminator_span: self.span,
        });
        BlockId(self.function.blocks.len() as u32 - 1)
    }

    /// Ends the present block, and goes on in another.
    pub fn end(&mut self, terminator: Terminator, next: BlockId) {
        let block = &mut self.function.blocks[self.block];
        block.terminator = terminator;
        block.terminator_span = self.span;
        self.block = next.0 as usize;
    }

    /// Begins a region that nobody interrupts.
    pub fn enter(&mut self) {
        if self.atomic == 0 {
            let kind = AtomicKind::Verifier;
            self.push(Op::AtomicBegin { kind });
        }
        self.atomic += 1;
    }

    /// Ends it.
    pub fn leave(&mut self) {
        self.atomic -= 1;
        if self.atomic == 0 {
            self.push(Op::AtomicEnd);
        }
    }

    /// Makes a name known.
    pub fn bind(&mut self, name: &str, binding: Binding) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.into(), binding);
        }
    }

    /// What a name means in this process, if it is not shared.
    pub fn binding(&self, name: &str) -> Option<Binding> {
        self.scopes.iter().rev().find_map(|s| s.get(name).copied())
    }

    /// Numbers in scope that are known.
    pub fn known_names(&self) -> Vec<(String, Const)> {
        let mut all = Vec::new();
        for scope in &self.scopes {
            for (name, binding) in scope {
                if let Binding::Const(c) = binding {
                    all.push((name.clone(), *c));
                }
            }
        }
        all
    }

    /// That nothing has this name, with the nearest one.
    pub fn unknown(&self, name: &str, span: Span) -> Diagnostic {
        let inner = self.scopes.iter().flat_map(|s| s.keys());
        let outer = self.low.shared.keys().chain(self.low.constants.keys());
        let mut all: Vec<&str> = inner.chain(outer).map(String::as_str).collect();
        all.sort_unstable();
        let diagnostic = Diagnostic::at(span, format!("`{name}` is not declared"));
        match nearest(name, all.into_iter()) {
            Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
            None => diagnostic.help(format!(
                "declare it: `shared int {name};` or `local int {name};`"
            )),
        }
    }

    /// Statements in a scope of their own.
    pub fn statements(&mut self, body: &[crate::ast::Stmt]) -> Result<()> {
        self.scopes.push(HashMap::new());
        for s in body {
            self.statement(s)?;
        }
        self.scopes.pop();
        Ok(())
    }

    /// The end: the function, without blocks that nothing leads to.
    pub fn finish(mut self) -> FuncId {
        let result = self.function.ret.map(|_| Operand::NULL);
        let end = match self.function.ret {
            Some(_) => Terminator::Return(result),
            None => Terminator::Unreachable,
        };
        self.function.blocks[self.block].terminator = end;
        let blocks = &self.function.blocks;
        let mut number: Vec<Option<u32>> = vec![None; blocks.len()];
        let mut order = vec![0usize];
        number[0] = Some(0);
        let mut at = 0;
        while at < order.len() {
            let next: Vec<BlockId> = match &blocks[order[at]].terminator {
                Terminator::Goto(b) => vec![*b],
                Terminator::Branch {
                    then, otherwise, ..
                } => vec![*then, *otherwise],
                _ => Vec::new(),
            };
            for b in next {
                let b = b.0 as usize;
                if number[b].is_none() {
                    number[b] = Some(order.len() as u32);
                    order.push(b);
                }
            }
            at += 1;
        }
        let renumber = |b: BlockId| BlockId(number[b.0 as usize].unwrap_or(0));
        let kept = order.iter().map(|b| {
            let mut block = blocks[*b].clone();
            match &mut block.terminator {
                Terminator::Goto(b) => *b = renumber(*b),
                Terminator::Branch {
                    then, otherwise, ..
                } => {
                    *then = renumber(*then);
                    *otherwise = renumber(*otherwise);
                }
                _ => {}
            }
            block
        });
        self.function.blocks = kept.collect();
        self.low.add(self.function)
    }
}
