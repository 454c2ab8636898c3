//! Ranges of integer locals, read as unsigned numbers, without an order of instructions.
//!
//! The range of a local covers everything that is assigned to it anywhere in its function; that of a parameter what its callers pass; what is loaded,
//! returned or chosen is anything of its width, and so is a local that may be read before it is assigned. A local that depends on itself is anything, too.
//! Enough for masks, remainders, constants that come through calls, and casts; conditions in front of a use are for the engines.

use crate::facts::Facts;
use crate::liveness::Liveness;
use raddle_ir::{BinaryOp, BlockId, CastKind, FuncId, LocalId, Op, Operand, Property, Rvalue, Ty};
use std::collections::{HashMap, HashSet};

/// From, to; both are meant.
type Range = (u128, u128);

/// Everything a local is assigned.
#[derive(Default)]
struct Assigned {
    values: Vec<Rvalue>,
    /// It is also assigned what is not computed, or may be read before it is assigned.
    anything: bool,
}

/// The ranges of all locals, found on demand.
pub struct Ranges<'a> {
    facts: &'a Facts,
    assigned: HashMap<FuncId, HashMap<LocalId, Assigned>>,
    known: HashMap<(FuncId, LocalId), Range>,
    open: HashSet<(FuncId, LocalId)>,
}

impl<'a> Ranges<'a> {
    /// None yet.
    pub fn new(facts: &'a Facts) -> Ranges<'a> {
        Ranges {
            facts,
            assigned: HashMap::new(),
            known: HashMap::new(),
            open: HashSet::new(),
        }
    }

    /// Whether an instruction of a function may violate `no-div-zero` or `no-bad-shift`.
    pub fn may_be_undefined(&mut self, property: Property, f: FuncId, op: &Op) -> bool {
        let model = self.facts.program().model;
        if !super::may_be_undefined(property, op, model) {
            return false;
        }
        let Op::Let {
            value: Rvalue::Binary { op, ty, a, b, .. },
            ..
        } = op
        else {
            return true;
        };
        let width = ty.bits(model);
        let divisor = self.operand(f, *b, *ty);
        match (property, op) {
            (Property::NoDivZero, BinaryOp::SDiv | BinaryOp::SRem) => {
                let dividend = self.operand(f, *a, *ty);
                super::division_may_stop(width, dividend, divisor)
            }
            (Property::NoDivZero, _) => divisor.0 == 0,
            _ => divisor.1 >= u128::from(width),
        }
    }

    fn most(&self, ty: Ty) -> u128 {
        match ty.bits(self.facts.program().model) {
            128.. => u128::MAX,
            n => (1 << n) - 1,
        }
    }

    fn operand(&mut self, f: FuncId, operand: Operand, ty: Ty) -> Range {
        let all = (0, self.most(ty));
        if ty.is_float() {
            return all;
        }
        let found = match operand {
            Operand::Const { bits, .. } => (bits, bits),
            Operand::Local(l) => self.local(f, l),
            _ => all,
        };
        match found.1 <= all.1 {
            true => found,
            false => all,
        }
    }

    fn local(&mut self, f: FuncId, l: LocalId) -> Range {
        let program = self.facts.program();
        let all = (0, self.most(program.function(f).local(l).ty));
        if let Some(found) = self.known.get(&(f, l)) {
            return *found;
        }
        if !self.open.insert((f, l)) {
            return all;
        }
        let found = self.union_of_assigned(f, l).unwrap_or(all);
        let found = if found.1 <= all.1 { found } else { all };
        self.open.remove(&(f, l));
        self.known.insert((f, l), found);
        found
    }

    /// `None` is anything.
    fn union_of_assigned(&mut self, f: FuncId, l: LocalId) -> Option<Range> {
        let program = self.facts.program();
        let function = program.function(f);
        let assigned = self.assigned.entry(f);
        let assigned = assigned.or_insert_with(|| assigned_in(function)).get(&l);
        let values = match assigned {
            Some(a) if a.anything => return None,
            Some(a) => a.values.clone(),
            None => Vec::new(),
        };
        let mut ranges = Vec::new();
        for value in &values {
            ranges.push(self.value(f, value)?);
        }
        if l.0 < function.params {
            if f == program.entry {
                return None;
            }
            let ty = function.local(l).ty;
            for edge in self.facts.calls.incoming(f) {
                let Some(Op::Call { args, .. }) = program.instr(edge.at).map(|i| &i.op) else {
                    return None;
                };
                let arg = *args.get(l.0 as usize).filter(|_| !edge.thread)?;
                ranges.push(self.operand(edge.at.function, arg, ty));
            }
        }
        let union = |a: Range, b: Range| (a.0.min(b.0), a.1.max(b.1));
        ranges.into_iter().reduce(union)
    }

    fn value(&mut self, f: FuncId, value: &Rvalue) -> Option<Range> {
        match value {
            // What is copied is of the type of the local, which `local` sees to.
            Rvalue::Use(Operand::Const { bits, .. }) => Some((*bits, *bits)),
            Rvalue::Use(Operand::Local(l)) => Some(self.local(f, *l)),
            Rvalue::Compare { .. } => Some((0, 1)),
            Rvalue::Select { ty, a, b, .. } => {
                let (a, b) = (self.operand(f, *a, *ty), self.operand(f, *b, *ty));
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            Rvalue::Cast { kind, from, to, a } => {
                let a = self.operand(f, *a, *from);
                let fits = match kind {
                    CastKind::ZExt => true,
                    CastKind::Trunc => a.1 <= self.most(*to),
                    CastKind::SExt => a.1 <= self.most(*from) / 2,
                    _ => false,
                };
                fits.then_some(a)
            }
            Rvalue::Binary { op, ty, a, b, .. } if !ty.is_float() => {
                let (a, b) = (self.operand(f, *a, *ty), self.operand(f, *b, *ty));
                let bits = ty.bits(self.facts.program().model);
                binary(*op, bits, self.most(*ty), a, b)
            }
            _ => None,
        }
    }
}

/// What each local of a function is assigned.
fn assigned_in(function: &raddle_ir::Function) -> HashMap<LocalId, Assigned> {
    let mut all: HashMap<LocalId, Assigned> = HashMap::new();
    for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
        if let Op::Let { dst, value } = &instr.op {
            all.entry(*dst).or_default().values.push(value.clone());
            continue;
        }
        for dst in instr.op.clone().destinations_mut() {
            all.entry(*dst).or_default().anything = true;
        }
    }
    if function.has_body() {
        let live = Liveness::new(function);
        for l in (function.params..function.locals.len() as u32).map(LocalId) {
            if live.is_live(BlockId(0), l) {
                all.entry(l).or_default().anything = true;
            }
        }
    }
    all
}

/// The range of a result, if it does not wrap around.
fn binary(op: BinaryOp, bits: u32, most: u128, a: Range, b: Range) -> Option<Range> {
    use BinaryOp::*;
    let half = most / 2;
    let fits = |from: Option<u128>, to: Option<u128>| {
        let (from, to) = (from?, to?);
        (to <= most).then_some((from, to))
    };
    match op {
        And => Some((0, a.1.min(b.1))),
        Or => {
            let top = (a.1 | b.1).checked_add(1)?.checked_next_power_of_two()? - 1;
            Some((a.0.max(b.0), top.min(most)))
        }
        Add => fits(a.0.checked_add(b.0), a.1.checked_add(b.1)),
        Mul => fits(a.0.checked_mul(b.0), a.1.checked_mul(b.1)),
        Sub => fits(a.0.checked_sub(b.1), a.1.checked_sub(b.0)),
        // Who divides by zero does not go on.
        URem => Some((0, a.1.min(b.1.checked_sub(1)?))),
        SRem if a.1 <= half && b.1 <= half => Some((0, a.1.min(b.1.checked_sub(1)?))),
        UDiv if b.1 > 0 => Some((a.0 / b.1, a.1 / b.0.max(1))),
        SDiv if b.1 > 0 && a.1 <= half && b.1 <= half => Some((a.0 / b.1, a.1 / b.0.max(1))),
        LShr if b.1 < u128::from(bits) => Some((a.0 >> b.1, a.1 >> b.0)),
        Shl if b.1 < u128::from(bits) && a.1.leading_zeros() > b.1 as u32 => {
            fits(Some(a.0 << b.0), Some(a.1 << b.1))
        }
        _ => None,
    }
}
