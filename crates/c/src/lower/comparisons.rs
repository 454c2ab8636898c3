//! Comparison functions that are given to `qsort` and `bsearch`.
//!
//! C leaves open which elements are compared, and in which order. For a function that only looks at constant places of its two elements and
//! computes what is always defined, nothing depends on that. If it may go wrong, or sees more than its elements, the library compares every two of
//! them first (`raddle_every_pair` in `library/stdlib.c`). If it changes anything, or depends on more than memory, one order is followed, and the
//! answer is limited to it.
//!
//! Misses: a comparison function that contradicts itself, for which C leaves everything open; and the order of elements that compare equal.

use super::Lower;
use raddle_ir as ir;
use std::collections::{BTreeSet, HashMap};

/// What a comparison function does, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ComparisonEffect {
    /// It looks at its elements, and nothing can go wrong.
    Compares,
    /// It reads memory, and something may go wrong.
    Reads,
    /// It writes memory, waits, asks for inputs: how often it is called can be noticed.
    Acts,
}

/// What a local of a comparison function points to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Points {
    /// This parameter, and so many bytes behind it.
    Param(u32, i64),
    /// A slot of the function itself.
    Own,
    Anything,
}

impl Lower<'_, '_> {
    /// Looks at the comparison functions of the program.
    pub(super) fn look_at_comparisons(&mut self) {
        let mut worst = ComparisonEffect::Compares;
        let mut limited = Vec::new();
        for function in self.program.functions.iter().filter(|f| !f.library) {
            for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
                let ir::Op::Call { callee, args, .. } = &instr.op else {
                    continue;
                };
                let ir::Operand::Function(id) = callee else {
                    continue;
                };
                let callee = self.program.function(*id);
                let (size, compare) = match &*callee.name {
                    "qsort" | "qsort_r" => (2, 3),
                    "bsearch" => (3, 4),
                    _ => continue,
                };
                if !callee.library {
                    continue;
                }
                let size = match args.get(size) {
                    Some(ir::Operand::Const { bits, .. }) => i64::try_from(*bits).unwrap_or(0),
                    _ => 0,
                };
                let effect = match args.get(compare) {
                    Some(ir::Operand::Function(f)) => self.effect(*f, size, compare == 4),
                    _ => {
                        let any = self.addressed().into_iter();
                        let compares = any.filter(|f| self.compares(*f));
                        let all = compares.map(|f| self.effect(f, 0, compare == 4));
                        all.max().unwrap_or(ComparisonEffect::Acts)
                    }
                };
                worst = worst.max(effect.min(ComparisonEffect::Reads));
                if effect == ComparisonEffect::Acts {
                    limited.push((callee.name.clone(), instr.span));
                }
            }
        }
        // Who calls them through a pointer is not looked for.
        for f in self.addressed() {
            let function = self.program.function(f);
            if function.library && matches!(&*function.name, "qsort" | "qsort_r" | "bsearch") {
                limited.push((function.name.clone(), function.span));
            }
        }
        for (name, span) in limited {
            let what = format!("one order of the comparisons of `{name}`");
            if self.program.limits.iter().all(|l| l.what != what) {
                let kind = ir::LimitKind::Callbacks;
                self.program.limits.push(ir::Limit { kind, what, span });
            }
        }
        if worst == ComparisonEffect::Reads {
            let found = self.program.globals.iter_mut();
            for g in found.filter(|g| g.name == "raddle_every_pair") {
                g.init = vec![ir::Init {
                    offset: 0,
                    value: ir::InitValue::Bytes(vec![1]),
                }];
            }
        }
    }

    /// The functions whose address is taken.
    fn addressed(&self) -> BTreeSet<ir::FuncId> {
        let mut found = BTreeSet::new();
        for function in self.program.functions.iter() {
            for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
                let mut op = instr.op.clone();
                let callee = usize::from(matches!(op, ir::Op::Call { .. }));
                for operand in op.operands_mut().into_iter().skip(callee) {
                    if let ir::Operand::Function(f) = operand {
                        found.insert(*f);
                    }
                }
            }
            for block in &function.blocks {
                let mut end = block.terminator.clone();
                if let Some(ir::Operand::Function(f)) = end.operand_mut() {
                    found.insert(*f);
                }
            }
        }
        for global in &self.program.globals {
            for init in &global.init {
                if let ir::InitValue::Address { target, .. } = init.value
                    && let ir::Target::Function(f) = target
                {
                    found.insert(f);
                }
            }
        }
        found
    }

    /// Whether a function takes two or three pointers and returns an `int`.
    fn compares(&self, f: ir::FuncId) -> bool {
        let function = self.program.function(f);
        let mut params = function.locals.iter().take(function.params as usize);
        (2..=3).contains(&function.params)
            && function.ret == Some(ir::Ty::I32)
            && params.all(|p| p.ty == ir::Ty::Ptr)
    }

    fn effect(&self, f: ir::FuncId, size: i64, has_key: bool) -> ComparisonEffect {
        let mut seen = BTreeSet::from([f]);
        let mut todo = vec![f];
        let mut worst = ComparisonEffect::Compares;
        while let Some(g) = todo.pop() {
            let function = self.program.function(g);
            if !function.has_body() {
                return ComparisonEffect::Acts;
            }
            let points = points(function);
            for (b, block) in function.blocks.iter().enumerate() {
                for instr in &block.instrs {
                    if let ir::Op::Call {
                        callee: ir::Operand::Function(callee),
                        ..
                    } = &instr.op
                    {
                        if seen.insert(*callee) {
                            todo.push(*callee);
                        }
                        continue;
                    }
                    let place = |addr: &ir::Operand| match addr {
                        ir::Operand::Local(l) => points.get(l).copied().unwrap_or(Points::Anything),
                        ir::Operand::Slot { .. } => Points::Own,
                        _ => Points::Anything,
                    };
                    let within = |addr: &ir::Operand, ty: ir::Ty| match place(addr) {
                        Points::Own => true,
                        Points::Param(p, from) => {
                            let to = from + ty.bytes(self.program.model) as i64;
                            let read_always = b == 0 || p == 1 || !has_key;
                            g == f && p < 2 && read_always && from >= 0 && to <= size
                        }
                        Points::Anything => false,
                    };
                    worst = worst.max(match &instr.op {
                        ir::Op::Let { value, .. } if is_total(value) => ComparisonEffect::Compares,
                        ir::Op::Load {
                            addr, ty, access, ..
                        } if within(addr, *ty) && access.ordering == ir::Ordering::Plain => {
                            ComparisonEffect::Compares
                        }
                        ir::Op::Store { addr, .. } if place(addr) == Points::Own => {
                            ComparisonEffect::Compares
                        }
                        ir::Op::Havoc { .. }
                        | ir::Op::StorageLive { .. }
                        | ir::Op::StorageDead { .. } => ComparisonEffect::Compares,
                        ir::Op::Let { .. }
                        | ir::Op::Load { .. }
                        | ir::Op::ObjectSize { .. }
                        | ir::Op::Assert { .. } => ComparisonEffect::Reads,
                        _ => return ComparisonEffect::Acts,
                    });
                }
            }
        }
        worst
    }
}

/// Whether a value is defined, whatever its operands are.
fn is_total(value: &ir::Rvalue) -> bool {
    use ir::BinaryOp::{AShr, LShr, Shl};
    match value {
        ir::Rvalue::Unary { checked, .. } => !checked,
        ir::Rvalue::Binary {
            op,
            ty,
            a,
            b,
            checked,
        } => {
            let shifts = matches!(op, Shl | LShr | AShr);
            let constant = matches!(b, ir::Operand::Const { .. });
            !checked && (!shifts || constant) && !op.may_lack_quotient(*ty, *a, *b)
        }
        _ => true,
    }
}

/// What the locals of a function point to, if that is the same always.
fn points(function: &ir::Function) -> HashMap<ir::LocalId, Points> {
    let mut known: HashMap<ir::LocalId, Points> = HashMap::new();
    let mut todo = Vec::new();
    for (i, local) in function.locals.iter().enumerate() {
        if i < function.params as usize && local.ty == ir::Ty::Ptr {
            known.insert(ir::LocalId(i as u32), Points::Param(i as u32, 0));
        }
    }
    for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
        let mut op = instr.op.clone();
        if matches!(op, ir::Op::Havoc { .. }) {
            continue;
        }
        for dst in op.destinations_mut() {
            todo.push((*dst, &instr.op));
        }
    }
    // Twice, so that a local that is given two values is anything for those that are made of it, too.
    for _ in 0..=todo.len().min(16) {
        for (dst, op) in &todo {
            let of = |operand: &ir::Operand| match operand {
                ir::Operand::Local(l) => known.get(l).copied(),
                ir::Operand::Slot { .. } => Some(Points::Own),
                _ => Some(Points::Anything),
            };
            let new = match op {
                ir::Op::Let {
                    value: ir::Rvalue::Use(a),
                    ..
                } => of(a),
                ir::Op::Let {
                    value:
                        ir::Rvalue::PtrAdd {
                            base,
                            index,
                            scale,
                            offset,
                        },
                    ..
                } => match (of(base), index) {
                    (Some(Points::Param(p, from)), ir::Operand::Const { bits, .. }) => {
                        let by = i64::try_from(*bits).ok().and_then(|i| {
                            let scale = i64::try_from(*scale).ok()?;
                            from.checked_add(*offset)?
                                .checked_add(i.checked_mul(scale)?)
                        });
                        Some(by.map_or(Points::Anything, |at| Points::Param(p, at)))
                    }
                    (None, _) => None,
                    _ => Some(Points::Anything),
                },
                _ => Some(Points::Anything),
            };
            if let Some(new) = new {
                let old = *known.entry(*dst).or_insert(new);
                if old != new {
                    known.insert(*dst, Points::Anything);
                }
            }
        }
    }
    known
}
