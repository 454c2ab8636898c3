//! What valid IR is.
//!
//! A program is valid if
//!
//! 1. every id (function, global, block, local, slot, type, file) refers to something that exists;
//! 2. the entry function exists, has a body and takes no parameters;
//! 3. parameters are among the locals; a function with a body has at least one block;
//! 4. constants fit their type (no bit set beyond its width), `I1` is never in memory;
//! 5. operands and destinations have the types their instruction asks for: `Use`, arithmetic,
//!    comparisons and casts as documented at [`Rvalue`]; addresses are pointers; conditions are `I1`;
//!    sizes and indices are integers as wide as a pointer;
//! 6. casts go the way their name says (`Trunc` to fewer bits, `ZExt`/`SExt` to more, and so on);
//! 7. a direct call gives as many arguments as the function has parameters, of their types, and a
//!    destination of its result type only if it has one (calls through pointers are checked when
//!    they run);
//! 8. synchronisation has the arguments and result of its [`SyncOp`] ;
//! 9. atomic accesses are of whole bytes, read-modify-write operations are atomic;
//! 10. bit-fields lie within their location and are at most 128 bits wide; a store writes whole bytes;
//! 11. initial contents lie within their object, ascending, without overlap; alignments are powers of two;
//! 12. `switch` values fit their type and are distinct.
//!
//! The checks below come in no other order than the instructions; each names the rule it enforces.

use crate::*;
use std::collections::HashSet;
use std::fmt;

/// A rule that is broken, with the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// The place, as far as there is one.
    pub at: Option<Location>,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at {
            Some(at) => write!(
                f,
                "function {} block {} instruction {}: {}",
                at.function.0, at.block.0, at.index, self.what
            ),
            None => f.write_str(&self.what),
        }
    }
}

/// Checks all rules; an empty list means the program is valid.
pub fn verify(program: &Program) -> Vec<Invalid> {
    let mut checker = Checker {
        program,
        function: None,
        at: None,
        found: Vec::new(),
    };
    checker.program();
    checker.found
}

struct Checker<'p> {
    program: &'p Program,
    function: Option<&'p Function>,
    at: Option<Location>,
    found: Vec<Invalid>,
}

impl<'p> Checker<'p> {
    fn say(&mut self, what: impl Into<String>) {
        self.found.push(Invalid {
            at: self.at,
            what: what.into(),
        });
    }

    fn require(&mut self, ok: bool, what: &str) {
        if !ok {
            self.say(what);
        }
    }

    fn program(&mut self) {
        let p = self.program;
        match p.functions.get(p.entry.0 as usize) {
            None => self.say("rule 2: the entry function does not exist"),
            Some(f) => self.require(
                f.has_body() && f.params == 0,
                "rule 2: the entry function needs a body and no parameters",
            ),
        }
        for t in &p.types {
            match t {
                DebugType::Pointer { to } | DebugType::Array { of: to, .. } => self.debug(*to),
                DebugType::Record { fields, .. } => fields.iter().for_each(|f| self.debug(f.ty)),
                _ => {}
            }
        }
        for g in &p.globals {
            self.global(g);
        }
        for (i, f) in p.functions.iter().enumerate() {
            self.function = Some(f);
            self.function(FuncId(i as u32), f);
            self.at = None;
        }
    }

    fn debug(&mut self, ty: TypeId) {
        self.require(
            (ty.0 as usize) < self.program.types.len(),
            "rule 1: no such type",
        );
    }

    fn span(&mut self, span: Span) {
        self.require(
            !span.is_somewhere() || (span.file.0 as usize) < self.program.files.len(),
            "rule 1: no such file",
        );
    }

    fn global(&mut self, g: &Global) {
        self.debug(g.ty);
        self.span(g.span);
        self.require(g.align.is_power_of_two(), "rule 11: odd alignment");
        let mut end = 0;
        for init in &g.init {
            self.require(init.offset >= end, "rule 11: initial contents overlap");
            let size = match &init.value {
                InitValue::Bytes(b) => b.len() as u64,
                InitValue::Address { target, .. } => {
                    let exists = match target {
                        Target::Global(id) => (id.0 as usize) < self.program.globals.len(),
                        Target::Function(id) => (id.0 as usize) < self.program.functions.len(),
                    };
                    self.require(exists, "rule 1: address of nothing");
                    self.program.model.pointer_bytes()
                }
            };
            end = init.offset.saturating_add(size);
            if end > g.size {
                self.say(format!(
                    "rule 11: initial contents past the end of {}",
                    g.name
                ));
            }
        }
    }

    fn function(&mut self, id: FuncId, f: &'p Function) {
        self.require(
            f.params as usize <= f.locals.len(),
            "rule 3: parameters are not among the locals",
        );
        self.span(f.span);
        for debug in f.locals.iter().filter_map(|l| l.debug) {
            self.debug(debug);
        }
        for s in &f.slots {
            self.require(s.align.is_power_of_two(), "rule 11: odd alignment");
            if let Some(t) = s.debug {
                self.debug(t);
            }
        }
        for (b, block) in f.blocks.iter().enumerate() {
            for (i, instr) in block.instrs.iter().enumerate() {
                self.at = Some(Location {
                    function: id,
                    block: BlockId(b as u32),
                    index: i as u32,
                });
                self.span(instr.span);
                self.op(&instr.op);
            }
            self.at = Some(Location {
                function: id,
                block: BlockId(b as u32),
                index: block.instrs.len() as u32,
            });
            self.span(block.terminator_span);
            self.terminator(f, &block.terminator);
        }
    }

    fn fits(&mut self, ty: Ty, bits: u128) {
        let width = ty.bits(self.program.model);
        self.require(
            width == 128 || bits >> width == 0,
            "rule 4: a constant does not fit its type",
        );
    }

    /// The type of an operand; `None` if it is broken (and that was said).
    fn operand(&mut self, o: Operand) -> Option<Ty> {
        let f = self.function?;
        match o {
            Operand::Local(l) => match f.locals.get(l.0 as usize) {
                Some(l) => return Some(l.ty),
                None => self.say("rule 1: no such local"),
            },
            Operand::Const { ty, bits } => {
                self.fits(ty, bits);
                return Some(ty);
            }
            Operand::Global { id, .. } => {
                if (id.0 as usize) < self.program.globals.len() {
                    return Some(Ty::Ptr);
                }
                self.say("rule 1: no such global");
            }
            Operand::Slot { id, .. } => {
                if (id.0 as usize) < f.slots.len() {
                    return Some(Ty::Ptr);
                }
                self.say("rule 1: no such slot");
            }
            Operand::Function(id) => {
                if (id.0 as usize) < self.program.functions.len() {
                    return Some(Ty::Ptr);
                }
                self.say("rule 1: no such function");
            }
        }
        None
    }

    fn expect(&mut self, o: Operand, ty: Ty) {
        if let Some(found) = self.operand(o)
            && found != ty
        {
            self.say(format!("rule 5: expected {ty}, found {found}"));
        }
    }

    fn destination(&mut self, l: LocalId, ty: Ty) {
        self.expect(Operand::Local(l), ty);
    }

    fn word(&self) -> Ty {
        self.program.model.pointer_int()
    }

    fn in_memory(&mut self, ty: Ty) {
        self.require(ty != Ty::I1, "rule 4: I1 in memory");
    }

    fn slot(&mut self, id: SlotId) {
        self.operand(Operand::Slot { id, offset: 0 });
    }

    fn op(&mut self, op: &Op) {
        match op {
            Op::Let { dst, value } => self.rvalue(*dst, value),
            Op::Havoc { dst } | Op::Nondet { dst } => {
                self.operand(Operand::Local(*dst));
            }
            Op::Load {
                dst,
                ty,
                addr,
                access,
            } => {
                self.in_memory(*ty);
                self.destination(*dst, *ty);
                self.expect(*addr, Ty::Ptr);
                self.access(*ty, access);
            }
            Op::Store {
                ty,
                addr,
                value,
                access,
            } => {
                self.in_memory(*ty);
                self.expect(*addr, Ty::Ptr);
                self.expect(*value, *ty);
                self.access(*ty, access);
                self.require(
                    access
                        .bits
                        .is_none_or(|b| b.offset % 8 == 0 && b.width % 8 == 0),
                    "rule 10: a store of some bits of a byte",
                );
            }
            Op::Rmw {
                dst,
                op,
                ty,
                addr,
                value,
                ordering,
            } => {
                self.in_memory(*ty);
                if let Some(d) = dst {
                    self.destination(*d, *ty);
                }
                self.expect(*addr, Ty::Ptr);
                let operand = match (ty, op) {
                    (Ty::Ptr, RmwOp::Exchange) => Ty::Ptr,
                    (Ty::Ptr, _) => self.word(),
                    (ty, _) => *ty,
                };
                self.expect(*value, operand);
                self.require(ordering.is_atomic(), "rule 9: rmw must be atomic");
            }
            Op::Cas {
                old,
                ok,
                ty,
                addr,
                expected,
                desired,
                ordering,
                ..
            } => {
                self.in_memory(*ty);
                if let Some(d) = old {
                    self.destination(*d, *ty);
                }
                if let Some(d) = ok {
                    self.destination(*d, Ty::I1);
                }
                self.expect(*addr, Ty::Ptr);
                self.expect(*expected, *ty);
                self.expect(*desired, *ty);
                self.require(ordering.is_atomic(), "rule 9: cas must be atomic");
            }
            Op::Fence { .. } | Op::AtomicBegin { .. } | Op::AtomicEnd => {}
            Op::StorageLive { slot } | Op::StorageDead { slot } => self.slot(*slot),
            Op::Alloc {
                dst, size, align, ..
            } => {
                self.destination(*dst, Ty::Ptr);
                self.expect(*size, self.word());
                self.require(align.is_power_of_two(), "rule 11: odd alignment");
            }
            Op::Free { addr, .. } => self.expect(*addr, Ty::Ptr),
            Op::ObjectSize { dst, addr } => {
                self.destination(*dst, self.word());
                self.expect(*addr, Ty::Ptr);
            }
            Op::Call { dst, callee, args } => self.call(*dst, *callee, args),
            Op::Sync { dst, op, args } => self.sync(*dst, *op, args),
            Op::Assert { cond, .. } | Op::Assume { cond } => self.expect(*cond, Ty::I1),
            Op::Output { stream, value, .. } => {
                self.expect(*stream, Ty::I32);
                if let Some((ty, v)) = value {
                    self.expect(*v, *ty);
                }
            }
        }
    }

    fn access(&mut self, ty: Ty, access: &Access) {
        let Some(b) = access.bits else { return };
        self.require(
            !access.ordering.is_atomic(),
            "rule 9: an atomic bit-field access",
        );
        self.require(
            ty.is_int()
                && b.width >= 1
                && b.width <= 128
                && b.width <= ty.bits(self.program.model)
                && u64::from(b.offset) + u64::from(b.width) <= 8 * u64::from(b.location),
            "rule 10: a bit-field outside its location",
        );
    }

    fn call(&mut self, dst: Option<LocalId>, callee: Operand, args: &[Operand]) {
        self.expect(callee, Ty::Ptr);
        let Operand::Function(id) = callee else {
            for a in args {
                self.operand(*a);
            }
            if let Some(d) = dst {
                self.operand(Operand::Local(d));
            }
            return;
        };
        let Some(f) = self.program.functions.get(id.0 as usize) else {
            return;
        };
        if args.len() != f.params as usize {
            self.say(format!(
                "rule 7: {} takes {} arguments, given {}",
                f.name,
                f.params,
                args.len()
            ));
        }
        for (a, l) in args.iter().zip(&f.locals) {
            self.expect(*a, l.ty);
        }
        match (dst, f.ret) {
            (Some(d), Some(ty)) => self.destination(d, ty),
            (Some(_), None) => self.say("rule 7: the result of a void function is used"),
            (None, _) => {}
        }
    }

    fn sync(&mut self, dst: Option<LocalId>, op: SyncOp, args: &[Operand]) {
        let model = self.program.model;
        self.require(
            args.len() == op.args().len(),
            "rule 8: wrong number of arguments",
        );
        for (a, kind) in args.iter().zip(op.args()) {
            self.expect(*a, kind.ty(model));
        }
        match (dst, op.result()) {
            (Some(d), Some(kind)) => self.destination(d, kind.ty(model)),
            (Some(_), None) => self.say("rule 8: the operation has no result"),
            (None, _) => {}
        }
    }

    fn rvalue(&mut self, dst: LocalId, value: &Rvalue) {
        let model = self.program.model;
        match value {
            Rvalue::Use(a) => {
                if let Some(ty) = self.operand(*a) {
                    self.destination(dst, ty);
                }
            }
            Rvalue::Unary { op, ty, a, .. } => {
                self.require(
                    ty.is_int() || (ty.is_float() && *op == UnaryOp::Neg),
                    "rule 5: not a number",
                );
                self.expect(*a, *ty);
                self.destination(dst, *ty);
            }
            Rvalue::Binary { op, ty, a, b, .. } => {
                use BinaryOp::*;
                let ok = match op {
                    Add | Sub | Mul => ty.is_int() || ty.is_float(),
                    FDiv => ty.is_float(),
                    _ => ty.is_int(),
                };
                self.require(ok, "rule 5: the operation does not work on this type");
                self.expect(*a, *ty);
                self.expect(*b, *ty);
                self.destination(dst, *ty);
            }
            Rvalue::Compare { op, ty, a, b } => {
                use CompareOp::*;
                let ok = match op {
                    Eq | Ne => true,
                    SLt | SLe | SGt | SGe => *ty != Ty::Ptr,
                    ULt | ULe | UGt | UGe => !ty.is_float(),
                };
                self.require(ok, "rule 5: the relation does not work on this type");
                self.expect(*a, *ty);
                self.expect(*b, *ty);
                self.destination(dst, Ty::I1);
            }
            Rvalue::Cast { kind, from, to, a } => {
                let (fb, tb) = (from.bits(model), to.bits(model));
                let ok = match kind {
                    CastKind::Trunc => from.is_int() && to.is_int() && tb < fb,
                    CastKind::ZExt | CastKind::SExt => from.is_int() && to.is_int() && tb > fb,
                    CastKind::SIntToFloat | CastKind::UIntToFloat => from.is_int() && to.is_float(),
                    CastKind::FloatToSInt | CastKind::FloatToUInt => from.is_float() && to.is_int(),
                    CastKind::FloatToFloat => from.is_float() && to.is_float(),
                    CastKind::PtrToInt => *from == Ty::Ptr && *to == model.pointer_int(),
                    CastKind::IntToPtr => *from == model.pointer_int() && *to == Ty::Ptr,
                    CastKind::Bits => fb == tb && from.is_float() != to.is_float(),
                };
                self.require(ok, "rule 6: the cast does not go this way");
                self.expect(*a, *from);
                self.destination(dst, *to);
            }
            Rvalue::PtrAdd { base, index, .. } => {
                self.expect(*base, Ty::Ptr);
                self.expect(*index, self.word());
                self.destination(dst, Ty::Ptr);
            }
            Rvalue::Select { ty, cond, a, b } => {
                self.expect(*cond, Ty::I1);
                self.expect(*a, *ty);
                self.expect(*b, *ty);
                self.destination(dst, *ty);
            }
            Rvalue::Pure { function, ty, args } => {
                self.require(
                    args.len() == function.arity(),
                    "rule 5: wrong number of arguments",
                );
                for (i, a) in args.iter().enumerate() {
                    let wanted = if *function == PureFn::FormatFloat && i > 0 {
                        Ty::I32
                    } else {
                        *ty
                    };
                    self.expect(*a, wanted);
                }
                self.destination(dst, function.result(*ty));
            }
        }
    }

    fn target(&mut self, f: &Function, b: BlockId) {
        self.require((b.0 as usize) < f.blocks.len(), "rule 1: no such block");
    }

    fn terminator(&mut self, f: &'p Function, t: &Terminator) {
        match t {
            Terminator::Goto(b) => self.target(f, *b),
            Terminator::Branch {
                cond,
                then,
                otherwise,
            } => {
                self.expect(*cond, Ty::I1);
                self.target(f, *then);
                self.target(f, *otherwise);
            }
            Terminator::Switch {
                ty,
                value,
                cases,
                default,
            } => {
                self.require(ty.is_int(), "rule 5: switch on something not an integer");
                self.expect(*value, *ty);
                self.target(f, *default);
                let mut seen = HashSet::new();
                for (v, b) in cases {
                    self.fits(*ty, *v);
                    self.require(seen.insert(*v), "rule 12: a case twice");
                    self.target(f, *b);
                }
            }
            Terminator::Return(v) => match (v, f.ret) {
                (Some(v), Some(ty)) => self.expect(*v, ty),
                (None, None) => {}
                _ => self.say("rule 5: return does not fit the function"),
            },
            Terminator::Unreachable => {}
        }
    }
}
