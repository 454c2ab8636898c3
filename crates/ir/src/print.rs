//! The text form, written.
//!
//! Line by line, one instruction a line, its origin behind `;`. Things are named `@x#3` (global),
//! `&f#0` (function), `%i#2` (local), `$s#1` (slot): the number counts, the name is for the reader.
//! [`crate::read()`] accepts exactly what is printed here.

use crate::*;
use std::fmt::Write;

/// The text form of a program.
pub fn print(program: &Program) -> String {
    let mut out = Printer {
        program,
        out: String::new(),
    };
    out.program();
    out.out
}

/// Quotes a text: printable ASCII as it is, the rest escaped byte-wise or as `\u{…}`.
pub(crate) fn quote(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_ascii_graphic() || c == ' ' => out.push(c),
            c => {
                let _ = write!(out, "\\u{{{:x}}}", c as u32);
            }
        }
    }
    out.push('"');
    out
}

/// A name with everything but identifier characters left out, short enough for a line.
fn plain(name: &str) -> String {
    name.chars()
        .filter(|c| c.is_ascii_alphanumeric() || *c == '_')
        .take(40)
        .collect()
}

pub(crate) fn unary_name(op: UnaryOp) -> &'static str {
    match op {
        UnaryOp::Neg => "neg",
        UnaryOp::Not => "not",
    }
}

pub(crate) const BINARY: [(BinaryOp, &str); 14] = [
    (BinaryOp::Add, "add"),
    (BinaryOp::Sub, "sub"),
    (BinaryOp::Mul, "mul"),
    (BinaryOp::SDiv, "sdiv"),
    (BinaryOp::UDiv, "udiv"),
    (BinaryOp::SRem, "srem"),
    (BinaryOp::URem, "urem"),
    (BinaryOp::FDiv, "fdiv"),
    (BinaryOp::And, "and"),
    (BinaryOp::Or, "or"),
    (BinaryOp::Xor, "xor"),
    (BinaryOp::Shl, "shl"),
    (BinaryOp::LShr, "lshr"),
    (BinaryOp::AShr, "ashr"),
];

pub(crate) const COMPARE: [(CompareOp, &str); 10] = [
    (CompareOp::Eq, "eq"),
    (CompareOp::Ne, "ne"),
    (CompareOp::SLt, "slt"),
    (CompareOp::SLe, "sle"),
    (CompareOp::SGt, "sgt"),
    (CompareOp::SGe, "sge"),
    (CompareOp::ULt, "ult"),
    (CompareOp::ULe, "ule"),
    (CompareOp::UGt, "ugt"),
    (CompareOp::UGe, "uge"),
];

pub(crate) const CAST: [(CastKind, &str); 11] = [
    (CastKind::Trunc, "trunc"),
    (CastKind::ZExt, "zext"),
    (CastKind::SExt, "sext"),
    (CastKind::SIntToFloat, "sitof"),
    (CastKind::UIntToFloat, "uitof"),
    (CastKind::FloatToSInt, "ftosi"),
    (CastKind::FloatToUInt, "ftoui"),
    (CastKind::FloatToFloat, "ftof"),
    (CastKind::PtrToInt, "ptrtoint"),
    (CastKind::IntToPtr, "inttoptr"),
    (CastKind::Bits, "bits"),
];

pub(crate) const RMW: [(RmwOp, &str); 7] = [
    (RmwOp::Exchange, "xchg"),
    (RmwOp::Add, "add"),
    (RmwOp::Sub, "sub"),
    (RmwOp::And, "and"),
    (RmwOp::Or, "or"),
    (RmwOp::Xor, "xor"),
    (RmwOp::Nand, "nand"),
];

pub(crate) const ORDERING: [(Ordering, &str); 7] = [
    (Ordering::Plain, "plain"),
    (Ordering::Volatile, "volatile"),
    (Ordering::SEQ_CST, "atomic"),
    (Ordering::Atomic(MemoryOrder::Relaxed), "atomic_relaxed"),
    (Ordering::Atomic(MemoryOrder::Acquire), "atomic_acquire"),
    (Ordering::Atomic(MemoryOrder::Release), "atomic_release"),
    (Ordering::Atomic(MemoryOrder::AcqRel), "atomic_acq_rel"),
];

/// The name of `key` in one of the tables above.
pub(crate) fn name_in<K: PartialEq + Copy>(table: &[(K, &'static str)], key: K) -> &'static str {
    table
        .iter()
        .find(|(k, _)| *k == key)
        .map_or("?", |(_, n)| n)
}

struct Printer<'p> {
    program: &'p Program,
    out: String,
}

macro_rules! w {
    ($self:ident, $($t:tt)*) => { let _ = write!($self.out, $($t)*); };
}

impl Printer<'_> {
    fn program(&mut self) {
        let p = self.program;
        w!(self, "raddle-ir 1\nmodel {}\n", p.model.name());
        w!(self, "entry {}\n", self.function_name(p.entry));
        for f in &p.files {
            w!(self, "file {}\n", quote(f));
        }
        for a in &p.assumptions {
            w!(self, "assumption {} {}\n", quote(&a.what), span(a.span));
        }
        for l in &p.limits {
            w!(
                self,
                "limit {} {} {}\n",
                l.kind.name(),
                quote(&l.what),
                span(l.span)
            );
        }
        for t in &p.types {
            self.debug_type(t);
        }
        for i in 0..p.globals.len() {
            self.global(GlobalId(i as u32));
        }
        for i in 0..p.functions.len() {
            self.function(FuncId(i as u32));
        }
    }

    fn debug_type(&mut self, ty: &DebugType) {
        match ty {
            DebugType::Void => {
                w!(self, "type void\n");
            }
            DebugType::Int { name, size, signed } => {
                let sign = if *signed { "signed" } else { "unsigned" };
                w!(self, "type int {} {size} {sign}\n", quote(name));
            }
            DebugType::Float { name, size } => {
                w!(self, "type float {} {size}\n", quote(name));
            }
            DebugType::Pointer { to } => {
                w!(self, "type pointer t{}\n", to.0);
            }
            DebugType::Array { of, count } => {
                w!(self, "type array t{} {count}\n", of.0);
            }
            DebugType::Record {
                name,
                union,
                size,
                fields,
            } => {
                let what = if *union { "union" } else { "struct" };
                w!(self, "type {what} {} {size} {{", quote(name));
                for f in fields {
                    w!(self, " {} {} t{}", quote(&f.name), f.offset, f.ty.0);
                    if let Some((first, width)) = f.bits {
                        w!(self, " bits {first} {width}");
                    }
                    self.out.push(',');
                }
                self.out.push_str(" }\n");
            }
            DebugType::Enum {
                name,
                size,
                constants,
            } => {
                w!(self, "type enum {} {size} {{", quote(name));
                for c in constants {
                    w!(self, " {} {},", quote(&c.name), c.value);
                }
                self.out.push_str(" }\n");
            }
            DebugType::Function { name } => {
                w!(self, "type function {}\n", quote(name));
            }
        }
    }

    fn global(&mut self, id: GlobalId) {
        let g = self.program.global(id);
        w!(
            self,
            "global {} size {} align {} t{}",
            quote(&g.name),
            g.size,
            g.align,
            g.ty.0
        );
        for (on, word) in [
            (g.thread_local, "thread_local"),
            (g.constant, "constant"),
            (g.external, "external"),
        ] {
            if on {
                w!(self, " {word}");
            }
        }
        w!(self, " {} {{", span(g.span));
        for init in &g.init {
            w!(self, " {}: ", init.offset);
            match &init.value {
                InitValue::Bytes(bytes) => {
                    self.out.push('x');
                    for b in bytes {
                        w!(self, "{b:02x}");
                    }
                }
                InitValue::Address { target, addend } => {
                    let name = match target {
                        Target::Global(g) => self.global_name(*g),
                        Target::Function(f) => self.function_name(*f),
                    };
                    w!(self, "{name} {addend}");
                }
            }
            self.out.push(',');
        }
        self.out.push_str(" }\n");
    }

    fn global_name(&self, id: GlobalId) -> String {
        let name = self
            .program
            .globals
            .get(id.0 as usize)
            .map_or("", |g| &g.name);
        format!("@{}#{}", plain(name), id.0)
    }

    fn function_name(&self, id: FuncId) -> String {
        let name = self
            .program
            .functions
            .get(id.0 as usize)
            .map_or("", |f| &f.name);
        format!("&{}#{}", plain(name), id.0)
    }

    fn function(&mut self, id: FuncId) {
        let f = self.program.function(id);
        w!(
            self,
            "\nfunction {} {} params {}",
            self.function_name(id),
            quote(&f.name),
            f.params
        );
        match f.ret {
            Some(ty) => {
                w!(self, " returns {ty}");
            }
            None => self.out.push_str(" returns void"),
        }
        if f.library {
            self.out.push_str(" library");
        }
        if f.assembly {
            self.out.push_str(" assembly");
        }
        w!(self, " {} {{\n", span(f.span));
        for l in &f.locals {
            w!(self, "  local {} {}", quote(&l.name), l.ty);
            if let Some(t) = l.debug {
                w!(self, " t{}", t.0);
            }
            self.out.push('\n');
        }
        for s in &f.slots {
            w!(
                self,
                "  slot {} size {} align {}",
                quote(&s.name),
                s.size,
                s.align
            );
            if let Some(t) = s.debug {
                w!(self, " t{}", t.0);
            }
            self.out.push('\n');
        }
        for (i, b) in f.blocks.iter().enumerate() {
            w!(self, "b{i}:\n");
            for instr in &b.instrs {
                self.out.push_str("  ");
                self.op(f, &instr.op);
                w!(
                    self,
                    "  ; {} {}\n",
                    span(instr.span),
                    quote(self.program.text(instr.text))
                );
            }
            self.out.push_str("  ");
            self.terminator(f, &b.terminator);
            w!(self, "  ; {}\n", span(b.terminator_span));
        }
        self.out.push_str("}\n");
    }

    fn local(&self, f: &Function, id: LocalId) -> String {
        let name = f.locals.get(id.0 as usize).map_or("", |l| &l.name);
        format!("%{}#{}", plain(name), id.0)
    }

    fn slot(&self, f: &Function, id: SlotId) -> String {
        let name = f.slots.get(id.0 as usize).map_or("", |s| &s.name);
        format!("${}#{}", plain(name), id.0)
    }

    fn operand(&self, f: &Function, o: Operand) -> String {
        let with_offset = |name: String, offset: i64| match offset {
            0 => name,
            _ => format!("{name}{offset:+}"),
        };
        match o {
            Operand::Local(l) => self.local(f, l),
            Operand::Const { ty, bits } => format!("{bits}:{ty}"),
            Operand::Global { id, offset } => with_offset(self.global_name(id), offset),
            Operand::Slot { id, offset } => with_offset(self.slot(f, id), offset),
            Operand::Function(id) => self.function_name(id),
        }
    }

    fn operands(&self, f: &Function, all: &[Operand]) -> String {
        let all: Vec<_> = all.iter().map(|a| self.operand(f, *a)).collect();
        all.join(", ")
    }

    fn rvalue(&mut self, f: &Function, value: &Rvalue) {
        let o = |a: &Operand| self.operand(f, *a);
        let text = match value {
            Rvalue::Use(a) => format!("use {}", o(a)),
            Rvalue::Unary { op, ty, a, checked } => {
                let bang = if *checked { "!" } else { "" };
                format!("{}{bang} {ty} {}", unary_name(*op), o(a))
            }
            Rvalue::Binary {
                op,
                ty,
                a,
                b,
                checked,
            } => {
                let bang = if *checked { "!" } else { "" };
                format!("{}{bang} {ty} {}, {}", name_in(&BINARY, *op), o(a), o(b))
            }
            Rvalue::Compare { op, ty, a, b } => {
                format!("{} {ty} {}, {}", name_in(&COMPARE, *op), o(a), o(b))
            }
            Rvalue::Cast { kind, from, to, a } => {
                format!("{} {from} {to} {}", name_in(&CAST, *kind), o(a))
            }
            Rvalue::PtrAdd {
                base,
                index,
                scale,
                offset,
            } => format!("ptradd {}, {} * {scale} {offset:+}", o(base), o(index)),
            Rvalue::Select { ty, cond, a, b } => {
                format!("select {ty} {}, {}, {}", o(cond), o(a), o(b))
            }
            Rvalue::Pure { function, ty, args } => {
                format!("pure {} {ty} ({})", function.name(), self.operands(f, args))
            }
        };
        self.out.push_str(&text);
    }

    fn access(&mut self, access: &Access) {
        if access.ordering != Ordering::Plain {
            w!(self, " {}", name_in(&ORDERING, access.ordering));
        }
        if let Some(b) = access.bits {
            let sign = if b.signed { " signed" } else { "" };
            w!(self, " bits {} {} {}{sign}", b.offset, b.width, b.location);
        }
        if access.keeps != 0 {
            w!(self, " keeps {}", access.keeps);
        }
    }

    fn dst(&mut self, f: &Function, dst: &Option<LocalId>) {
        if let Some(d) = dst {
            w!(self, "{} = ", self.local(f, *d));
        }
    }

    fn op(&mut self, f: &Function, op: &Op) {
        match op {
            Op::Let { dst, value } => {
                self.dst(f, &Some(*dst));
                self.rvalue(f, value);
            }
            Op::Havoc { dst } => {
                w!(self, "{} = havoc", self.local(f, *dst));
            }
            Op::Nondet { dst } => {
                w!(self, "{} = nondet", self.local(f, *dst));
            }
            Op::Load {
                dst,
                ty,
                addr,
                access,
            } => {
                w!(
                    self,
                    "{} = load {ty} {}",
                    self.local(f, *dst),
                    self.operand(f, *addr)
                );
                self.access(access);
            }
            Op::Store {
                ty,
                addr,
                value,
                access,
            } => {
                w!(
                    self,
                    "store {ty} {}, {}",
                    self.operand(f, *addr),
                    self.operand(f, *value)
                );
                self.access(access);
            }
            Op::Rmw {
                dst,
                op,
                ty,
                addr,
                value,
                ordering,
            } => {
                self.dst(f, dst);
                w!(
                    self,
                    "rmw {} {ty} {}, {} {}",
                    name_in(&RMW, *op),
                    self.operand(f, *addr),
                    self.operand(f, *value),
                    name_in(&ORDERING, *ordering)
                );
            }
            Op::Cas {
                old,
                ok,
                ty,
                addr,
                expected,
                desired,
                weak,
                ordering,
                failure,
            } => {
                let name = |d: &Option<LocalId>| d.map_or("_".to_string(), |d| self.local(f, d));
                let text = format!(
                    "{}, {} = cas {ty} {} {} {}",
                    name(old),
                    name(ok),
                    self.operands(f, &[*addr, *expected, *desired]),
                    name_in(&ORDERING, *ordering),
                    name_in(&ORDERING, Ordering::Atomic(*failure))
                );
                self.out.push_str(&text);
                if *weak {
                    self.out.push_str(" weak");
                }
            }
            Op::Fence { order } => {
                w!(
                    self,
                    "fence {}",
                    name_in(&ORDERING, Ordering::Atomic(*order))
                );
            }
            Op::StorageLive { slot } => {
                w!(self, "live {}", self.slot(f, *slot));
            }
            Op::StorageDead { slot } => {
                w!(self, "dead {}", self.slot(f, *slot));
            }
            Op::Alloc {
                dst,
                memory,
                size,
                align,
                zeroed,
            } => {
                let zeroed = if *zeroed { " zeroed" } else { "" };
                w!(
                    self,
                    "{} = alloc {} {} align {align}{zeroed}",
                    self.local(f, *dst),
                    memory_name(*memory),
                    self.operand(f, *size)
                );
            }
            Op::Free { memory, addr } => {
                w!(
                    self,
                    "free {} {}",
                    memory_name(*memory),
                    self.operand(f, *addr)
                );
            }
            Op::ObjectSize { dst, addr } => {
                w!(
                    self,
                    "{} = object_size {}",
                    self.local(f, *dst),
                    self.operand(f, *addr)
                );
            }
            Op::Call { dst, callee, args } => {
                self.dst(f, dst);
                w!(
                    self,
                    "call {} ({})",
                    self.operand(f, *callee),
                    self.operands(f, args)
                );
            }
            Op::AtomicBegin { kind } => {
                self.out.push_str(match kind {
                    AtomicKind::Verifier => "atomic_begin verifier",
                    AtomicKind::Fused => "atomic_begin fused",
                });
            }
            Op::AtomicEnd => self.out.push_str("atomic_end"),
            Op::Sync { dst, op, args } => {
                self.dst(f, dst);
                w!(self, "sync {} ({})", op.name(), self.operands(f, args));
            }
            Op::Assert {
                cond,
                property,
                message,
            } => {
                w!(
                    self,
                    "assert {} {} {}",
                    self.operand(f, *cond),
                    quote(property.name()),
                    quote(self.program.text(*message))
                );
            }
            Op::Assume { cond } => {
                w!(self, "assume {}", self.operand(f, *cond));
            }
            Op::Output {
                stream,
                format,
                value,
            } => {
                let text = quote(self.program.text(*format));
                w!(self, "output {} {text}", self.operand(f, *stream));
                if let Some((ty, v)) = value {
                    w!(self, " {ty} {}", self.operand(f, *v));
                }
            }
        }
    }

    fn terminator(&mut self, f: &Function, t: &Terminator) {
        match t {
            Terminator::Goto(b) => {
                w!(self, "goto b{}", b.0);
            }
            Terminator::Branch {
                cond,
                then,
                otherwise,
            } => {
                w!(
                    self,
                    "branch {}, b{}, b{}",
                    self.operand(f, *cond),
                    then.0,
                    otherwise.0
                );
            }
            Terminator::Switch {
                ty,
                value,
                cases,
                default,
            } => {
                w!(
                    self,
                    "switch {ty} {} default b{} {{",
                    self.operand(f, *value),
                    default.0
                );
                for (v, b) in cases {
                    w!(self, " {v}: b{},", b.0);
                }
                self.out.push_str(" }");
            }
            Terminator::Return(None) => self.out.push_str("return"),
            Terminator::Return(Some(v)) => {
                w!(self, "return {}", self.operand(f, *v));
            }
            Terminator::Unreachable => self.out.push_str("unreachable"),
        }
    }
}

fn memory_name(memory: Memory) -> &'static str {
    match memory {
        Memory::Heap => "heap",
        Memory::Stack => "stack",
    }
}

fn span(s: Span) -> String {
    format!("{}:{}:{}:{}", s.file.0, s.line, s.column, s.length)
}
