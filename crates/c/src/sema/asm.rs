//! Inline assembly: a table of idioms of x86 in AT&T syntax, and any results of what only computes; everything else is refused.
//!
//! An empty template with operands, `xchg` of registers, `bswap`; with memory `xchg`, and with `lock` `xadd`, `cmpxchg`, `add`, `sub`,
//! `and`, `or`, `xor`, `inc` and `dec`, which are atomic and sequentially consistent.
//!
//! Instructions that are not in the table, but touch neither memory nor control, write any values to their outputs. `rdtsc` and `cpuid` really
//! do, so these are inputs of the program; the others are functions without a body.

use super::convert::{bit_field, int, is_lvalue, make};
use super::{Func, Linkage, Sema};
use crate::ast::{self, Basic};
use crate::diagnostic::{Result, refuse};
use crate::hir::*;
use crate::parser::only_hints;
use crate::source::Span;
use crate::token::Symbol;
use crate::types::{FunctionType, QualType};
use raddle_ir::{MemoryOrder, PureFn, RmwOp};

/// An operand, checked.
struct Operand {
    name: Option<Symbol>,
    /// What is written in the end.
    place: Option<Expr>,
    /// What a register holds before; none if that is indeterminate.
    value: Option<Expr>,
    memory: bool,
    accumulator: bool,
    output: bool,
}

/// What an instruction names.
#[derive(Clone, Copy)]
enum Named {
    Operand(usize),
    Immediate(i128),
}

/// One instruction: whether it is locked, its name, what it names.
struct Instruction {
    locked: bool,
    name: String,
    named: Vec<Named>,
}

impl Sema<'_> {
    /// The statements that do what an assembly statement does.
    pub(super) fn assembly(
        &mut self,
        asm: &ast::Asm,
        span: Span,
        out: &mut Vec<Stmt>,
    ) -> Result<()> {
        let done = match &asm.operands {
            Some(operands) => {
                let operands = self.asm_operands(operands)?;
                match operands {
                    Some(operands) => self.idiom(&asm.template, &operands, span)?,
                    None => None,
                }
            }
            None => None,
        };
        let done = match done {
            Some(done) => done,
            None => match self.any_outputs(asm, span)? {
                Some(done) => done,
                None => return refuse(span, "inline assembly with effects is not supported"),
            },
        };
        self.flush_pending(out);
        out.extend(done);
        Ok(())
    }

    /// Any values for the outputs of instructions that only compute.
    fn any_outputs(&mut self, asm: &ast::Asm, span: Span) -> Result<Option<Vec<Stmt>>> {
        let Some(operands) = &asm.operands else {
            return Ok(None);
        };
        if asm.clobbers_memory || !only_computes(&asm.template) {
            return Ok(None);
        }
        let mut done = Vec::new();
        let mut outputs = Vec::new();
        for operand in operands {
            let constraint = operand.constraint.trim_start_matches(['=', '+', '&', '%']);
            let expr = self.expr(&operand.expr)?;
            let in_memory =
                constraint.is_empty() || constraint.chars().all(|c| "moVp<>".contains(c));
            let fits = match operand.output {
                true => is_lvalue(&expr) && bit_field(&expr).is_none(),
                false => true,
            };
            let expr = match operand.output {
                true => expr,
                false => self.value(expr)?,
            };
            if in_memory || !fits || !self.types.is_scalar(expr.ty) {
                return Ok(None);
            }
            if operand.output {
                outputs.push(expr.clone());
            }
            if !operand.output || operand.constraint.starts_with('+') {
                done.push(Stmt::Expr(self.value(expr)?));
            }
        }
        if outputs.is_empty() {
            return Ok(None);
        }
        let text: Vec<&str> = asm.template.split_whitespace().collect();
        let text = text.join(" ");
        let reads_machine = matches!(&*text, "rdtsc" | "rdtscp" | "cpuid");
        for place in outputs {
            let ty = place.ty.unqualified();
            let value = match reads_machine {
                true => make(Kind::Builtin(Builtin::Nondet, Vec::new()), ty, span),
                false => self.assembly_result(&text, ty, span),
            };
            done.push(self.write(place, value, span));
        }
        Ok(Some(done))
    }

    /// The result of instructions that are not known: that of a function without a body, named after them.
    fn assembly_result(&mut self, text: &str, ty: QualType, span: Span) -> Expr {
        let function = self.types.function(FunctionType {
            ret: ty,
            params: Vec::new(),
            variadic: false,
            prototype: true,
        });
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(Func {
            name: format!("asm {text}").into(),
            ty: function,
            span,
            body: None,
            definition_ty: None,
            replaceable: false,
            unit: self.unit,
            noreturn: false,
            linkage: Linkage {
                assembly: true,
                ..Linkage::default()
            },
        });
        let callee = make(Kind::Function(id), function, span);
        let call = Kind::Call {
            callee: Box::new(callee),
            args: Vec::new(),
            named: 0,
        };
        make(call, ty, span)
    }

    fn asm_operands(&mut self, written: &[ast::AsmOperand]) -> Result<Option<Vec<Operand>>> {
        let mut operands: Vec<Operand> = Vec::new();
        for operand in written {
            let constraint = operand.constraint.trim_start_matches(['=', '+', '&', '%']);
            let expr = self.expr(&operand.expr)?;
            let whole = self.types.is_integer(expr.ty) || self.types.is_pointer(expr.ty);
            if bit_field(&expr).is_some() || !whole {
                return Ok(None);
            }
            if !operand.output
                && let Ok(tied) = constraint.parse::<usize>()
            {
                let value = self.value(expr)?;
                match operands.get_mut(tied) {
                    Some(to) if to.value.is_none() && !to.memory => to.value = Some(value),
                    _ => return Ok(None),
                }
                // It has a number of its own.
                operands.push(Operand {
                    name: operand.name,
                    place: None,
                    value: None,
                    memory: false,
                    accumulator: false,
                    output: false,
                });
                continue;
            }
            let memory = constraint == "m";
            let kinds = if operand.output {
                "rqabcdSDR"
            } else {
                "rqabcdSDRin"
            };
            if !memory && (constraint.is_empty() || !constraint.chars().all(|c| kinds.contains(c)))
            {
                return Ok(None);
            }
            let place = (operand.output || memory).then(|| expr.clone());
            if place.as_ref().is_some_and(|p| !is_lvalue(p)) {
                return Ok(None);
            }
            let read = !memory && (!operand.output || operand.constraint.starts_with('+'));
            if read && operand.output && !is_simple(&expr) {
                return Ok(None);
            }
            operands.push(Operand {
                name: operand.name,
                place,
                value: match read {
                    true => Some(self.value(expr)?),
                    false => None,
                },
                memory,
                accumulator: constraint == "a",
                output: operand.output,
            });
        }
        Ok(Some(operands))
    }

    fn idiom(
        &mut self,
        template: &str,
        operands: &[Operand],
        span: Span,
    ) -> Result<Option<Vec<Stmt>>> {
        if only_hints(template) {
            return self.nothing_but_operands(operands, span);
        }
        let Some(instruction) = self.instruction(template, operands) else {
            return Ok(None);
        };
        let at = |n: usize| match instruction.named.get(n) {
            Some(Named::Operand(i)) => Some(&operands[*i]),
            _ => None,
        };
        // Everything that is written is written by the instruction.
        let named = |i: usize| {
            let mut all = instruction.named.iter();
            all.any(|n| matches!(n, Named::Operand(j) if *j == i))
        };
        let accumulator = match instruction.name.as_str() {
            "cmpxchg" => operands.iter().position(|o| o.accumulator && o.output),
            _ => None,
        };
        let written = |(i, o): (usize, &Operand)| !o.output || named(i) || Some(i) == accumulator;
        if !operands.iter().enumerate().all(written) {
            return Ok(None);
        }
        let register = |o: Option<&Operand>| o.filter(|o| !o.memory)?.value.clone();
        let locked = instruction.locked;
        let count = instruction.named.len();
        match (instruction.name.as_str(), count) {
            ("xchg", 2) => {
                let (Some(a), Some(b)) = (at(0), at(1)) else {
                    return Ok(None);
                };
                let (register, memory) = match (a.memory, b.memory) {
                    (false, false) => return self.swap(a, b, span),
                    (false, true) => (a, b),
                    (true, false) => (b, a),
                    (true, true) => return Ok(None),
                };
                let Some(value) = register.value.clone() else {
                    return Ok(None);
                };
                self.atomic_idiom(
                    Builtin::AtomicRmw(RmwOp::Exchange, false),
                    memory,
                    vec![value],
                    Some(register),
                    span,
                )
            }
            ("xadd", 2) if locked => {
                let (Some(value), Some(from), Some(memory)) = (register(at(0)), at(0), at(1))
                else {
                    return Ok(None);
                };
                let builtin = Builtin::AtomicRmw(RmwOp::Add, false);
                self.atomic_idiom(builtin, memory, vec![value], Some(from), span)
            }
            ("cmpxchg", 2) if locked => {
                let found = accumulator.map(|i| &operands[i]);
                let expected = found.and_then(|o| o.value.clone());
                let (Some(new), Some(memory), Some(expected)) = (register(at(0)), at(1), expected)
                else {
                    return Ok(None);
                };
                let args = vec![expected, new];
                self.atomic_idiom(Builtin::SyncCas(false), memory, args, found, span)
            }
            ("add" | "sub" | "and" | "or" | "xor", 2) if locked => {
                let value = match instruction.named[0] {
                    Named::Immediate(n) => Some(int(n, Basic::Int, span)),
                    Named::Operand(_) => register(at(0)),
                };
                let (Some(value), Some(memory)) = (value, at(1)) else {
                    return Ok(None);
                };
                let op = match instruction.name.as_str() {
                    "add" => RmwOp::Add,
                    "sub" => RmwOp::Sub,
                    "and" => RmwOp::And,
                    "or" => RmwOp::Or,
                    _ => RmwOp::Xor,
                };
                let builtin = Builtin::AtomicRmw(op, false);
                self.atomic_idiom(builtin, memory, vec![value], None, span)
            }
            ("inc" | "dec", 1) if locked => {
                let Some(memory) = at(0) else {
                    return Ok(None);
                };
                let op = match instruction.name.as_str() {
                    "inc" => RmwOp::Add,
                    _ => RmwOp::Sub,
                };
                let one = vec![int(1, Basic::Int, span)];
                self.atomic_idiom(Builtin::AtomicRmw(op, false), memory, one, None, span)
            }
            ("bswap", 1) if !locked => {
                let (Some(value), Some(place)) =
                    (register(at(0)), at(0).and_then(|o| o.place.clone()))
                else {
                    return Ok(None);
                };
                let ty = match self.types.size_of(place.ty) {
                    Some(4) => Basic::UInt,
                    Some(8) => Basic::ULongLong,
                    _ => return Ok(None),
                };
                let value = self.cast(value, ty.into());
                let swapped = make(
                    Kind::Builtin(Builtin::Pure(PureFn::Bswap), vec![value]),
                    ty,
                    span,
                );
                let write = self.write(place, swapped, span);
                Ok(Some(vec![write]))
            }
            _ => Ok(None),
        }
    }

    /// An instruction that does nothing: registers keep what they hold.
    fn nothing_but_operands(
        &mut self,
        operands: &[Operand],
        span: Span,
    ) -> Result<Option<Vec<Stmt>>> {
        let mut done = Vec::new();
        for operand in operands.iter().filter(|o| o.output && !o.memory) {
            let (Some(place), Some(value)) = (&operand.place, &operand.value) else {
                return Ok(None);
            };
            done.push(self.write(place.clone(), value.clone(), span));
        }
        Ok(Some(done))
    }

    fn write(&mut self, place: Expr, value: Expr, span: Span) -> Stmt {
        let ty = place.ty.unqualified();
        let value = self.cast(value, ty);
        let assign = Kind::Assign(Box::new(place), Box::new(value));
        Stmt::Expr(make(assign, ty, span))
    }

    fn swap(&mut self, a: &Operand, b: &Operand, span: Span) -> Result<Option<Vec<Stmt>>> {
        let mut done = Vec::new();
        let mut kept = Vec::new();
        for operand in [a, b] {
            let (Some(_), Some(value)) = (&operand.place, &operand.value) else {
                return Ok(None);
            };
            let ty = value.ty.unqualified();
            let var = self.new_var("".into(), ty, span, 0);
            let var = make(Kind::Var(var), ty, span);
            done.push(self.write(var.clone(), value.clone(), span));
            kept.push(self.value(var)?);
        }
        for (operand, value) in [a, b].into_iter().zip(kept.into_iter().rev()) {
            if let Some(place) = &operand.place {
                done.push(self.write(place.clone(), value, span));
            }
        }
        Ok(Some(done))
    }

    /// An atomic operation on memory; what was there goes to a register.
    fn atomic_idiom(
        &mut self,
        builtin: Builtin,
        memory: &Operand,
        values: Vec<Expr>,
        result: Option<&Operand>,
        span: Span,
    ) -> Result<Option<Vec<Stmt>>> {
        let Some(place) = memory.place.clone().filter(|_| memory.memory) else {
            return Ok(None);
        };
        let ty = place.ty.unqualified();
        let mut args = vec![self.address_of(place, span)?];
        for value in values {
            args.push(self.cast(value, ty));
        }
        args.push(Orders::same(MemoryOrder::SeqCst).marker(span));
        let old = make(Kind::Builtin(builtin, args), ty, span);
        Ok(Some(vec![match result.and_then(|r| r.place.clone()) {
            Some(place) => self.write(place, old, span),
            None => Stmt::Expr(old),
        }]))
    }

    /// The one instruction of a template.
    fn instruction(&self, template: &str, operands: &[Operand]) -> Option<Instruction> {
        let mut locked = false;
        let mut found = None;
        for part in template.split([';', '\n']) {
            let mut part = part.trim();
            if let Some(rest) = part.strip_prefix("lock") {
                locked = true;
                part = rest.trim();
            }
            if part.is_empty() {
                continue;
            }
            if found.replace(part).is_some() {
                return None;
            }
        }
        let (name, rest) = found?.split_once(char::is_whitespace)?;
        let mut named = Vec::new();
        for text in rest.split(',') {
            named.push(self.named(text.trim(), operands)?);
        }
        const NAMES: [&str; 11] = [
            "xchg", "xadd", "cmpxchg", "add", "sub", "and", "or", "xor", "inc", "dec", "bswap",
        ];
        let size = |o: &Operand| {
            let of = o.place.as_ref().or(o.value.as_ref())?;
            self.types.size_of(of.ty)
        };
        let sizes: Vec<u64> = named
            .iter()
            .filter_map(|n| match n {
                Named::Operand(i) => size(&operands[*i]),
                Named::Immediate(_) => None,
            })
            .collect();
        let first = *sizes.first()?;
        let (name, suffix) = match NAMES.contains(&name) {
            true => (name, None),
            false => name
                .split_at_checked(name.len() - 1)
                .map(|(n, s)| (n, Some(s)))?,
        };
        let wanted = match suffix {
            None => first,
            Some("b") => 1,
            Some("w") => 2,
            Some("l") => 4,
            Some("q") => 8,
            Some(_) => return None,
        };
        (NAMES.contains(&name) && sizes.iter().all(|s| *s == wanted)).then(|| Instruction {
            locked,
            name: name.to_owned(),
            named,
        })
    }

    fn named(&self, text: &str, operands: &[Operand]) -> Option<Named> {
        if let Some(number) = text.strip_prefix('$') {
            return number.parse().ok().map(Named::Immediate);
        }
        let text = text.strip_prefix('%')?;
        let index = match text.strip_prefix('[') {
            Some(name) => {
                let symbol = self.names.lookup(name.strip_suffix(']')?)?;
                operands.iter().position(|o| o.name == Some(symbol))?
            }
            None => text.parse().ok()?,
        };
        (index < operands.len()).then_some(Named::Operand(index))
    }
}

/// Whether evaluating it twice is the same as once.
fn is_simple(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Var(_) | Kind::Object(_) | Kind::Int(_) => true,
        Kind::Member { base: of, .. }
        | Kind::Deref(of)
        | Kind::Load(of)
        | Kind::AddressOf(of)
        | Kind::Cast(of) => is_simple(of),
        Kind::PointerOffset { pointer, index, .. } => is_simple(pointer) && is_simple(index),
        _ => false,
    }
}

/// Instructions that compute with registers, without the letter for a size.
const COMPUTING: &[&str] = &[
    "mov", "lea", "add", "adc", "adcx", "adox", "sub", "sbb", "and", "andn", "or", "xor", "not",
    "neg", "mul", "imul", "mulx", "shl", "shr", "sal", "sar", "shld", "shrd", "rol", "ror", "rcl",
    "rcr", "inc", "dec", "cmp", "test", "bt", "bts", "btr", "btc", "bsf", "bsr", "lzcnt", "tzcnt",
    "popcnt", "bswap", "crc32", "pext", "pdep", "bzhi", "blsi", "blsr", "blsmsk", "cltd", "cltq",
    "cqto", "cwtl", "cdq", "cqo", "clc", "stc", "cmc", "cld", "nop", "pause", "rdtsc", "rdtscp",
    "cpuid", "rdrand", "rdseed", "rdpmc", "xgetbv", "lfence", "mfence", "sqrtss", "sqrtsd", "clz",
    "rbit", "rev",
];

/// Whether all instructions only compute with registers: none jumps, traps, or touches memory, the stack or other state.
fn only_computes(template: &str) -> bool {
    let computes = |instruction: &str| {
        let name = instruction.split_whitespace().next().unwrap_or_default();
        let plain = name.strip_suffix(['b', 'w', 'l', 'q']).unwrap_or(name);
        let address = instruction.contains(['(', '[']) && plain != "lea";
        let segment = instruction.contains("fs:") || instruction.contains("gs:");
        let extends = ["movz", "movsb", "movsw", "movsl", "movsx"];
        let prefixes = ["set", "cmov", "cvt"];
        let known = COMPUTING.contains(&name)
            || COMPUTING.contains(&plain)
            || extends.iter().chain(&prefixes).any(|p| name.starts_with(p));
        known && !address && !segment
    };
    let parts = template.split([';', '\n']);
    let mut parts = parts.map(str::trim).filter(|p| !p.is_empty());
    parts.all(computes)
}
