//! Where the order in which operands are evaluated may matter.
//!
//! C leaves that order open between the operands of an operator, the arguments of a call, the two sides of an assignment and the members of an
//! initialiser; here it is always from left to right. An answer says so where two of them touch the same thing and one of them writes it, or both
//! make accesses that other threads are meant to see. What calls do is looked up when all of them are lowered ([`Summary`]).
//!
//! Misses: calls that end the program, and inputs. Says too much of pointers, which are all taken to point to the same thing.

use super::Lower;
use crate::ast::Quals;
use crate::hir::*;
use crate::source::Span;
use crate::types::QualType;
use raddle_ir as ir;
use std::collections::HashSet;

/// How many places are named.
const MOST: usize = 3;
/// How many accesses of one operand are remembered, and how many places.
const ENOUGH: usize = 64;

/// What an access touches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Root {
    Var(VarId),
    Object(ObjectId),
    /// Through a pointer.
    Anything,
}

/// What evaluating an operand does.
#[derive(Clone, Debug, Default)]
struct Effects {
    reads: Vec<Root>,
    writes: Vec<Root>,
    calls: Vec<FunctionId>,
    /// It calls a function through a pointer.
    calls_anything: bool,
    /// It makes an atomic or volatile access.
    visible: bool,
}

impl Effects {
    fn and(mut self, other: Effects) -> Effects {
        let add = |to: &mut Vec<Root>, from: Vec<Root>| {
            for root in from {
                if to.len() < ENOUGH && !to.contains(&root) {
                    to.push(root);
                }
            }
        };
        add(&mut self.reads, other.reads);
        add(&mut self.writes, other.writes);
        for call in other.calls {
            if self.calls.len() < ENOUGH && !self.calls.contains(&call) {
                self.calls.push(call);
            }
        }
        self.calls_anything |= other.calls_anything;
        self.visible |= other.visible;
        self
    }

    fn is_still(&self) -> bool {
        self.writes.is_empty() && self.calls.is_empty() && !self.calls_anything && !self.visible
    }
}

/// Two operands whose order may matter.
pub(super) struct Pair {
    span: Span,
    operands: [Effects; 2],
    /// Of each operand: whether it reads or writes what a call could touch, by itself.
    shared: [(bool, bool); 2],
}

/// Finds the pairs of a function.
pub(super) struct Finder<'b> {
    body: &'b Body,
    constant: &'b dyn Fn(ObjectId) -> bool,
    pub pairs: Vec<Pair>,
}

impl<'b> Finder<'b> {
    pub fn new(body: &'b Body, constant: &'b dyn Fn(ObjectId) -> bool) -> Self {
        let pairs = Vec::new();
        Finder {
            body,
            constant,
            pairs,
        }
    }

    /// Looks at all statements.
    pub fn look(&mut self) {
        for stmt in self.body.prologue.iter().chain(&self.body.stmts) {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) -> Effects {
        let mut all = Effects::default();
        match stmt {
            Stmt::Expr(e) | Stmt::VlaLength(_, e) => all = self.value(e),
            Stmt::Block(_, list) | Stmt::Sequence(list) => {
                for stmt in list {
                    all = all.and(self.stmt(stmt));
                }
            }
            Stmt::Cleanup(_, call) => all = self.value(call),
            Stmt::Declare(_, Some(init), span) => all = self.init(init, *span),
            Stmt::If(c, a, b) => {
                all = self.value(c).and(self.stmt(a));
                if let Some(b) = b {
                    all = all.and(self.stmt(b));
                }
            }
            Stmt::While(c, body, _) | Stmt::DoWhile(body, c, _) => {
                all = self.value(c).and(self.stmt(body));
            }
            Stmt::For {
                init,
                condition,
                step,
                body,
                ..
            } => {
                for stmt in init {
                    all = all.and(self.stmt(stmt));
                }
                for e in condition.iter().chain(step) {
                    all = all.and(self.value(e));
                }
                all = all.and(self.stmt(body));
            }
            Stmt::Switch { value, body, .. } => all = self.value(value).and(self.stmt(body)),
            Stmt::Return(Some(e), _) => all = self.value(e),
            _ => {}
        }
        all
    }

    fn init(&mut self, init: &Init, span: Span) -> Effects {
        let mut operands = Vec::new();
        for entry in init.entries.iter().take(ENOUGH) {
            if let InitValue::Expr(e) = &entry.value {
                operands.push(self.value(e));
            }
        }
        self.unordered(operands, span)
    }

    /// Operands whose order is open, together.
    fn unordered(&mut self, operands: Vec<Effects>, span: Span) -> Effects {
        let mut all = Effects::default();
        for operand in operands {
            if !(all.is_still() && operand.is_still()) && self.pairs.len() < ENOUGH {
                let shared = [self.shared(&all), self.shared(&operand)];
                let operands = [all.clone(), operand.clone()];
                self.pairs.push(Pair {
                    span,
                    operands,
                    shared,
                });
                if !self.pairs.last().is_some_and(|p| p.may_matter(self)) {
                    self.pairs.pop();
                }
            }
            all = all.and(operand);
        }
        all
    }

    fn escapes(&self, var: VarId) -> bool {
        self.body.vars[var.0 as usize].address_taken
    }

    fn is_shared(&self, root: &Root) -> bool {
        match *root {
            Root::Var(var) => self.escapes(var),
            Root::Object(_) | Root::Anything => true,
        }
    }

    fn shared(&self, effects: &Effects) -> (bool, bool) {
        (
            effects.reads.iter().any(|r| self.is_shared(r)),
            effects.writes.iter().any(|r| self.is_shared(r)),
        )
    }

    fn overlap(&self, a: &Root, b: &Root) -> bool {
        match (a, b) {
            (Root::Anything, other) | (other, Root::Anything) => self.is_shared(other),
            _ => a == b,
        }
    }

    fn access(&self, root: Root, ty: QualType, writes: bool) -> Effects {
        let mut effects = Effects::default();
        if matches!(root, Root::Object(id) if (self.constant)(id)) {
            return effects;
        }
        effects.visible =
            self.is_shared(&root) && (ty.is_atomic() || ty.quals.has(Quals::VOLATILE));
        match writes {
            true => effects.writes.push(root),
            false => effects.reads.push(root),
        }
        effects
    }

    /// What a place is part of.
    fn root(&self, place: &Expr) -> Root {
        match &place.kind {
            Kind::Var(var) | Kind::CompoundLiteral(var, _) => Root::Var(*var),
            Kind::Object(id) => Root::Object(*id),
            Kind::Member { base, .. } => self.root(base),
            Kind::Deref(pointer) => self.target(pointer),
            _ => Root::Anything,
        }
    }

    /// What a pointer points into.
    fn target(&self, pointer: &Expr) -> Root {
        match &pointer.kind {
            Kind::AddressOf(place) => self.root(place),
            Kind::Cast(inner) => self.target(inner),
            Kind::PointerOffset { pointer, .. } => self.target(pointer),
            _ => Root::Anything,
        }
    }

    /// Finding out where a place is.
    fn place(&mut self, place: &Expr) -> Effects {
        match &place.kind {
            Kind::Deref(pointer) => self.value(pointer),
            Kind::Member { base, .. } => self.place(base),
            Kind::CompoundLiteral(_, init) => self.init(init, place.span),
            Kind::Var(_) | Kind::Object(_) | Kind::Function(_) => Effects::default(),
            _ => self.value(place),
        }
    }

    fn value(&mut self, expr: &Expr) -> Effects {
        let span = expr.span;
        match &expr.kind {
            Kind::Load(place) => {
                let found = self.place(place);
                let read = self.access(self.root(place), place.ty, false);
                found.and(read)
            }
            Kind::AddressOf(place) => self.place(place),
            Kind::Cast(a) | Kind::Negate(a) | Kind::Complement(a) | Kind::LogicalNot(a) => {
                self.value(a)
            }
            Kind::VaArg(list) => self.value(list),
            Kind::Arith(_, a, b)
            | Kind::Compare(_, a, b)
            | Kind::PointerDifference(a, b, _)
            | Kind::PointerOffset {
                pointer: a,
                index: b,
                ..
            } => {
                let operands = vec![self.value(a), self.value(b)];
                self.unordered(operands, span)
            }
            Kind::LogicalAnd(a, b)
            | Kind::LogicalOr(a, b)
            | Kind::Comma(a, b)
            | Kind::Elvis(_, a, b) => {
                let first = self.value(a);
                first.and(self.value(b))
            }
            Kind::Conditional(c, a, b) => {
                let all = self.value(c).and(self.value(a));
                all.and(self.value(b))
            }
            Kind::Assign(target, value) => {
                let operands = vec![self.place(target), self.value(value)];
                let all = self.unordered(operands, span);
                all.and(self.access(self.root(target), target.ty, true))
            }
            Kind::CompoundAssign { target, value, .. } => {
                let mut found = self.place(target);
                // An atomic one reads and writes at the end.
                if !target.ty.is_atomic() {
                    found = found.and(self.access(self.root(target), target.ty, false));
                }
                let operands = vec![found, self.value(value)];
                let all = self.unordered(operands, span);
                all.and(self.access(self.root(target), target.ty, true))
            }
            Kind::Call { callee, args, .. } => {
                let mut operands = Vec::with_capacity(args.len() + 1);
                let mut call = Effects::default();
                match callee.kind {
                    Kind::Function(id) => call.calls.push(id),
                    _ => {
                        operands.push(self.value(callee));
                        call.calls_anything = true;
                    }
                }
                operands.extend(args.iter().map(|a| self.value(a)));
                self.unordered(operands, span).and(call)
            }
            Kind::StmtExpr(_, stmts, value) => {
                let mut all = Effects::default();
                for stmt in stmts {
                    all = all.and(self.stmt(stmt));
                }
                match value {
                    Some(value) => all.and(self.value(value)),
                    None => all,
                }
            }
            Kind::Builtin(builtin, args) => {
                let operands = args.iter().map(|a| self.value(a)).collect();
                let all = self.unordered(operands, span);
                let at = args.first().map_or(Root::Anything, |a| self.target(a));
                let mut own = Effects::default();
                match builtin {
                    Builtin::AtomicLoad | Builtin::AtomicLoadGeneric => own.reads.push(at),
                    Builtin::AtomicStore
                    | Builtin::AtomicStoreGeneric
                    | Builtin::AtomicRmw(..)
                    | Builtin::AtomicExchangeGeneric
                    | Builtin::AtomicCas { .. }
                    | Builtin::SyncCas(_)
                    | Builtin::TestAndSet
                    | Builtin::Clear => own.writes.push(at),
                    Builtin::Free | Builtin::Sync(_) | Builtin::Overflow(_, true) => {
                        own.writes.push(Root::Anything);
                    }
                    _ => return all,
                }
                own.visible = !matches!(builtin, Builtin::Free | Builtin::Overflow(..));
                all.and(own)
            }
            _ if matches!(
                expr.kind,
                Kind::Var(_) | Kind::Object(_) | Kind::Deref(_) | Kind::Member { .. }
            ) =>
            {
                // A record that is a value.
                let found = self.place(expr);
                found.and(self.access(self.root(expr), expr.ty, false))
            }
            Kind::CompoundLiteral(_, init) => self.init(init, span),
            _ => Effects::default(),
        }
    }
}

impl Pair {
    /// Whether it matters by itself, or depends on what calls do.
    fn may_matter(&self, finder: &Finder<'_>) -> bool {
        let [a, b] = &self.operands;
        let calls = |e: &Effects| e.calls_anything || !e.calls.is_empty();
        let touches = |i: usize| self.shared[i].0 || self.shared[i].1;
        self.clashes(finder)
            || a.visible && b.visible
            || calls(a) && (calls(b) || touches(1))
            || calls(b) && touches(0)
    }

    fn clashes(&self, finder: &Finder<'_>) -> bool {
        let against = |a: &Effects, b: &Effects| {
            let others = || b.reads.iter().chain(&b.writes);
            let meets = |w: &Root| others().any(|o| finder.overlap(w, o));
            a.writes.iter().any(meets)
        };
        let [a, b] = &self.operands;
        against(a, b) || against(b, a)
    }
}

/// What a call of a function can do to memory that is not its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Summary {
    reads: bool,
    writes: bool,
}

impl Lower<'_, '_> {
    /// Notes pairs of operands of a function; those that depend on calls are judged at the end.
    pub(super) fn note_order(&mut self, body: &Body) {
        let sema = &*self.sema;
        let constant = |id: ObjectId| sema.objects[id.0 as usize].constant;
        let mut finder = Finder::new(body, &constant);
        finder.look();
        let mut pairs = std::mem::take(&mut finder.pairs);
        for pair in &mut pairs {
            // What is certain needs no summaries.
            if pair.clashes(&finder) || pair.operands.iter().all(|e| e.visible) {
                pair.shared = [(true, true); 2];
                pair.operands = [Effects::default(), Effects::default()];
            }
        }
        self.pairs.extend(pairs);
    }

    /// Says where operands are evaluated from left to right and it may matter.
    pub(super) fn say_order(&mut self) {
        let summaries = self.summaries();
        let mut lines = HashSet::new();
        for pair in std::mem::take(&mut self.pairs) {
            let [a, b] = [0, 1].map(|i| {
                let calls = &pair.operands[i];
                let mut does = Summary {
                    reads: pair.shared[i].0 || calls.calls_anything,
                    writes: pair.shared[i].1 || calls.calls_anything,
                };
                for &call in &calls.calls {
                    let id = self.functions.get(&self.sema.resolve_alias(call));
                    let called = id.map_or(Summary::default(), |id| summaries[id.0 as usize]);
                    does.reads |= called.reads;
                    does.writes |= called.writes;
                }
                does
            });
            if !(a.writes && (b.reads || b.writes) || b.writes && a.reads) {
                continue;
            }
            let span = self.ir_span(pair.span);
            if !lines.insert((span.file, span.line)) || lines.len() > MOST + 1 {
                continue;
            }
            let what = match lines.len() > MOST {
                false => "operands are evaluated from left to right",
                true => "operands are evaluated from left to right, here and elsewhere",
            };
            self.program.assumptions.push(ir::Assumption {
                what: what.to_owned(),
                span,
            });
        }
    }

    fn summaries(&self) -> Vec<Summary> {
        let functions = &self.program.functions;
        let mut all = vec![Summary::default(); functions.len()];
        if self.pairs.is_empty() {
            return all;
        }
        let mut callees = vec![Vec::new(); functions.len()];
        for (index, function) in functions.iter().enumerate() {
            let own = own_addresses(function);
            let foreign = |addr: &ir::Operand| match addr {
                ir::Operand::Slot { .. } => false,
                ir::Operand::Local(local) => !own.contains(local),
                ir::Operand::Global { id, .. } => !self.program.globals[id.0 as usize].constant,
                _ => true,
            };
            for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
                match &instr.op {
                    ir::Op::Load { access, .. } if access.keeps == u128::MAX => {}
                    ir::Op::Load { addr, .. } => all[index].reads |= foreign(addr),
                    ir::Op::Store { addr, .. }
                    | ir::Op::Rmw { addr, .. }
                    | ir::Op::Cas { addr, .. } => all[index].writes |= foreign(addr),
                    ir::Op::Free {
                        memory: ir::Memory::Heap,
                        ..
                    } => all[index].writes = true,
                    ir::Op::Sync { op, .. } => {
                        use ir::SyncOp::*;
                        all[index].writes |=
                            !matches!(op, ThreadSelf | Yield | Exit | Abort | Unmodelled);
                    }
                    ir::Op::Call { callee, .. } => match callee {
                        ir::Operand::Function(id) => callees[index].push(id.0 as usize),
                        _ => {
                            all[index] = Summary {
                                reads: true,
                                writes: true,
                            };
                        }
                    },
                    _ => {}
                }
            }
        }
        loop {
            let mut changed = false;
            for index in 0..all.len() {
                for &callee in &callees[index] {
                    let mut sum = all[index];
                    sum.reads |= all[callee].reads;
                    sum.writes |= all[callee].writes;
                    changed |= sum != all[index];
                    all[index] = sum;
                }
            }
            if !changed {
                return all;
            }
        }
    }
}

/// Locals that hold nothing but addresses in slots of the function itself.
fn own_addresses(function: &ir::Function) -> HashSet<ir::LocalId> {
    let mut own = HashSet::new();
    let mut given = HashSet::new();
    for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
        let (dst, base) = match &instr.op {
            ir::Op::Let { dst, value } => match value {
                ir::Rvalue::Use(base) | ir::Rvalue::PtrAdd { base, .. } => (*dst, Some(*base)),
                _ => (*dst, None),
            },
            ir::Op::Load { dst, .. }
            | ir::Op::Alloc { dst, .. }
            | ir::Op::Havoc { dst }
            | ir::Op::Nondet { dst }
            | ir::Op::Call { dst: Some(dst), .. }
            | ir::Op::Rmw { dst: Some(dst), .. }
            | ir::Op::Sync { dst: Some(dst), .. }
            | ir::Op::Cas { old: Some(dst), .. } => (*dst, None),
            _ => continue,
        };
        let inside = match base {
            Some(ir::Operand::Slot { .. }) => true,
            Some(ir::Operand::Local(local)) => own.contains(&local),
            _ => false,
        };
        match inside && !given.contains(&dst) {
            true => own.insert(dst),
            false => own.remove(&dst),
        };
        given.insert(dst);
    }
    own
}
