//! Functions the front end knows: `__builtin_*`, `__atomic_*`, `__sync_*`, `__VERIFIER_*`, `__raddle_*`.
//!
//! A name is looked up here only if no unit defines it. What is known to be unsupported is refused here, with
//! its place; other unknown builtins become functions without a body.

use super::convert::{int, make};
use super::format::literal_text;
use super::{Entity, Sema};
use crate::ast::{self, Basic};
use crate::diagnostic::{Result, fail, refuse};
use crate::hir::*;
use crate::source::Span;
use crate::token::Symbol;
use crate::types::*;
use raddle_ir::{AtomicKind, Property, PureFn, SyncKind, SyncOp};

impl Sema<'_> {
    /// A call of a known function; `None` if the name is not known here.
    pub(super) fn builtin(
        &mut self,
        symbol: Symbol,
        declared: Option<Entity>,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Option<Expr>> {
        let name = self.names.name(symbol);
        if !name.starts_with("__") {
            return match &*name {
                "alloca" => self.builtin_named("alloca", args, span),
                _ => Ok(None),
            };
        }
        if let Some(rest) = name.strip_prefix("__builtin_") {
            if let Some(result) = self.builtin_named(rest, args, span)? {
                return Ok(Some(result));
            }
            return self.library_alias(rest, args, span);
        }
        if let Some(rest) = name.strip_prefix("__atomic_") {
            return self.atomic(rest, args, span);
        }
        if let Some(rest) = name.strip_prefix("__sync_") {
            return self.sync_builtin(rest, args, span);
        }
        if let Some(rest) = name.strip_prefix("__VERIFIER_") {
            return self.verifier(rest, declared, args, span);
        }
        if let Some(rest) = name.strip_prefix("__raddle_") {
            return self.raddle(rest, args, span);
        }
        Ok(None)
    }

    pub(super) fn checked(&mut self, args: &[ast::Expr]) -> Result<Vec<Expr>> {
        args.iter().map(|a| self.expr_value(a)).collect()
    }

    pub(super) fn want(
        &self,
        name: &str,
        args: &[ast::Expr],
        count: usize,
        span: Span,
    ) -> Result<()> {
        if args.len() < count {
            return fail(
                span,
                format!("`{name}` takes {count} arguments, not {}", args.len()),
            );
        }
        Ok(())
    }

    /// `__builtin_memcpy` is `memcpy`.
    fn library_alias(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Option<Expr>> {
        let plain = match name.strip_suffix("_chk") {
            Some(plain) => plain.trim_start_matches('_'),
            None => name,
        };
        let symbol = self.names.intern(plain);
        if self.external(plain).is_none() {
            return refuse(span, format!("`__builtin_{name}` is not supported"));
        }
        let fixed;
        let args = if name.ends_with("_chk") && !args.is_empty() && !plain.contains("printf") {
            fixed = &args[..args.len() - 1];
            fixed
        } else {
            args
        };
        let id = self.declare_implicitly(symbol, span);
        let ty = self.functions[id.0 as usize].ty;
        let Some(function) = self.types.function_type(ty) else {
            return Ok(None);
        };
        let mut list = Vec::new();
        for (index, arg) in args.iter().enumerate() {
            let value = self.expr(arg)?;
            list.push(
                match function.params.get(index).filter(|_| function.prototype) {
                    Some(&param) => self.assign_to(value, param)?,
                    None => self.promoted_argument(value)?,
                },
            );
        }
        let named = if function.prototype {
            function.params.len()
        } else {
            list.len()
        };
        let kind = Kind::Call {
            callee: Box::new(make(Kind::Function(id), ty, span)),
            args: list,
            named,
        };
        Ok(Some(make(kind, function.ret.unqualified(), span)))
    }

    fn builtin_named(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Option<Expr>> {
        let nothing = |sema: &mut Self, kind: Builtin, ty: QualType| -> Result<Option<Expr>> {
            let args = sema.checked(args)?;
            Ok(Some(make(Kind::Builtin(kind, args), ty, span)))
        };
        let void: QualType = Basic::Void.into();
        match name {
            "expect" | "expect_with_probability" | "assume_aligned" => {
                self.want(name, args, 1, span)?;
                let value = self.expr_value(&args[0])?;
                let ty = match name {
                    "assume_aligned" => self.types.pointer(Basic::Void.into()),
                    _ => Basic::Long.into(),
                };
                return Ok(Some(self.cast(value, ty)));
            }
            "constant_p" => {
                self.want(name, args, 1, span)?;
                let value = self.expr_value(&args[0])?;
                let constant = self.eval(&value).is_some();
                return Ok(Some(int(i128::from(constant), Basic::Int, span)));
            }
            "object_size" | "dynamic_object_size" => {
                self.want(name, args, 2, span)?;
                let kind = self.constant_int(&args[1])?;
                let value = if kind & 2 == 0 { -1 } else { 0 };
                let size = self.types.size();
                return Ok(Some(int(self.types.wrap(value, size), size, span)));
            }
            "classify_type" => return Ok(Some(int(1, Basic::Int, span))),
            "unreachable" => return nothing(self, Builtin::Unreachable, void),
            "trap" => return nothing(self, Builtin::Trap, void),
            "prefetch" | "ia32_pause" => return nothing(self, Builtin::Nothing, void),
            "va_start" | "c23_va_start" => {
                self.want(name, args, 1, span)?;
                if !self.state.as_ref().is_some_and(|s| s.has_varargs) {
                    return fail(span, "`va_start` in a function with fixed arguments");
                }
                let list = self.va_list_address(&args[0])?;
                return Ok(Some(make(
                    Kind::Builtin(Builtin::VaStart, vec![list]),
                    void,
                    span,
                )));
            }
            "va_end" => {
                self.want(name, args, 1, span)?;
                let list = self.va_list_address(&args[0])?;
                return Ok(Some(make(
                    Kind::Builtin(Builtin::VaEnd, vec![list]),
                    void,
                    span,
                )));
            }
            "va_copy" => {
                self.want(name, args, 2, span)?;
                let list = vec![
                    self.va_list_address(&args[0])?,
                    self.va_list_address(&args[1])?,
                ];
                return Ok(Some(make(Kind::Builtin(Builtin::VaCopy, list), void, span)));
            }
            "alloca" | "alloca_with_align" => {
                self.want(name, args, 1, span)?;
                let size = self.expr(&args[0])?;
                let size = self.assign_to(size, self.types.size().into())?;
                let ty = self.types.pointer(void);
                return Ok(Some(make(
                    Kind::Builtin(Builtin::Alloca, vec![size]),
                    ty,
                    span,
                )));
            }
            "frame_address" | "return_address" | "setjmp" | "longjmp" | "apply" | "apply_args"
            | "return" | "shuffle" | "shufflevector" | "convertvector" => {
                return refuse(span, format!("`__builtin_{name}` is not supported"));
            }
            "inf" | "huge_val" | "inff" | "huge_valf" | "infl" | "huge_vall" | "nan" | "nanf"
            | "nanl" => {
                return Ok(Some(float_constant(name, span)));
            }
            _ => {}
        }
        if let Some(classified) = self.classify(name, args, span)? {
            return Ok(Some(classified));
        }
        if let Some(overflow) = self.overflow(name, args, span)? {
            return Ok(Some(overflow));
        }
        self.bit_builtin(name, args, span)
    }

    fn overflow(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Result<Option<Expr>> {
        let Some(stem) = name
            .strip_suffix("_overflow")
            .or_else(|| name.strip_suffix("_overflow_p"))
        else {
            return Ok(None);
        };
        let predicate = name.ends_with("_p");
        let operation = |s: &str| match s {
            "add" => Some(Arith::Add),
            "sub" => Some(Arith::Sub),
            "mul" => Some(Arith::Mul),
            _ => None,
        };
        let typed: Option<Basic>;
        let op = if let Some(op) = operation(stem) {
            typed = None;
            op
        } else {
            let (unsigned, rest) = match stem.split_at_checked(1) {
                Some(("s", rest)) => (false, rest),
                Some(("u", rest)) => (true, rest),
                _ => return Ok(None),
            };
            let (word, longs) = match rest {
                r if r.ends_with("ll") => (&r[..r.len() - 2], 2),
                r if r.ends_with('l') && operation(r).is_none() => (&r[..r.len() - 1], 1),
                r => (r, 0),
            };
            let Some(op) = operation(word) else {
                return Ok(None);
            };
            let signed = [Basic::Int, Basic::Long, Basic::LongLong][longs];
            typed = Some(if unsigned {
                to_unsigned(signed)
            } else {
                signed
            });
            op
        };
        self.want(name, args, 3, span)?;
        let mut values = self.checked(args)?;
        if let Some(ty) = typed {
            for value in &mut values[..2] {
                *value = self.cast(value.clone(), ty.into());
            }
        }
        let integers = self.types.is_integer(values[0].ty) && self.types.is_integer(values[1].ty);
        let target_ok = if predicate {
            self.types.is_integer(values[2].ty)
        } else {
            self.types
                .pointee(values[2].ty)
                .is_some_and(|to| self.types.is_integer(to))
        };
        if !integers || !target_ok {
            return fail(span, format!("`__builtin_{name}` needs integers"));
        }
        let kind = Kind::Builtin(Builtin::Overflow(op, !predicate), values);
        Ok(Some(make(kind, Basic::Bool, span)))
    }

    fn bit_builtin(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Result<Option<Expr>> {
        let double = |f| Some((Builtin::Pure(f), Basic::Double, Basic::Double));
        let int_result = |kind, ty| Some((kind, ty, Basic::Int));
        let widths = |stem: &str| -> Option<Basic> {
            match name.strip_prefix(stem)? {
                "" => Some(Basic::UInt),
                "l" => Some(Basic::ULong),
                "ll" => Some(Basic::ULongLong),
                _ => None,
            }
        };
        let mut found = None;
        for (stem, kind) in [
            ("clz", Builtin::Pure(PureFn::Clz)),
            ("ctz", Builtin::Pure(PureFn::Ctz)),
            ("popcount", Builtin::Pure(PureFn::Popcount)),
            ("parity", Builtin::Parity),
            ("ffs", Builtin::Ffs),
            ("clrsb", Builtin::Clrsb),
        ] {
            if let Some(ty) = widths(stem) {
                found = int_result(kind, ty);
            }
        }
        let found = found.or_else(|| match name {
            "bswap16" => Some((Builtin::Pure(PureFn::Bswap), Basic::UShort, Basic::UShort)),
            "bswap32" => Some((Builtin::Pure(PureFn::Bswap), Basic::UInt, Basic::UInt)),
            "bswap64" => Some((
                Builtin::Pure(PureFn::Bswap),
                Basic::ULongLong,
                Basic::ULongLong,
            )),
            "bswap128" => Some((Builtin::Pure(PureFn::Bswap), Basic::UInt128, Basic::UInt128)),
            "sqrt" => double(PureFn::Sqrt),
            "fabs" => double(PureFn::Fabs),
            "fabsf" => Some((Builtin::Pure(PureFn::Fabs), Basic::Float, Basic::Float)),
            "fabsl" => Some((
                Builtin::Pure(PureFn::Fabs),
                Basic::LongDouble,
                Basic::LongDouble,
            )),
            "sqrtf" => Some((Builtin::Pure(PureFn::Sqrt), Basic::Float, Basic::Float)),
            "floor" => double(PureFn::Floor),
            "ceil" => double(PureFn::Ceil),
            "trunc" => double(PureFn::Truncate),
            "round" => double(PureFn::Round),
            "fmod" => double(PureFn::Fmod),
            _ => None,
        });
        let Some((kind, argument, result)) = found else {
            return Ok(None);
        };
        let count = if name == "fmod" { 2 } else { 1 };
        self.want(name, args, count, span)?;
        let mut values = self.checked(&args[..count])?;
        for value in &mut values {
            *value = self.assign_to(value.clone(), argument.into())?;
        }
        let call = make(Kind::Builtin(kind, values), argument, span);
        Ok(Some(self.cast(call, result.into())))
    }

    fn verifier(
        &mut self,
        name: &str,
        declared: Option<Entity>,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Option<Expr>> {
        let void: QualType = Basic::Void.into();
        let kind = match name {
            "atomic_begin" => Builtin::AtomicBegin(AtomicKind::Verifier),
            "atomic_end" => Builtin::AtomicEnd,
            "assume" => {
                self.want(name, args, 1, span)?;
                let value = self.expr(&args[0])?;
                let value = self.condition(value)?;
                return Ok(Some(make(
                    Kind::Builtin(Builtin::Assume, vec![value]),
                    void,
                    span,
                )));
            }
            "error" => Builtin::Violation(
                Property::UnreachCall,
                "`__VERIFIER_error` is reached".into(),
            ),
            _ => {
                let Some(suffix) = name.strip_prefix("nondet_") else {
                    return Ok(None);
                };
                let ret = match declared {
                    Some(Entity::Function(id)) => {
                        let ty = self.functions[id.0 as usize].ty;
                        self.types.function_type(ty).map(|f| f.ret.unqualified())
                    }
                    _ => None,
                };
                let ty = match ret {
                    Some(ty) if self.types.is_scalar(ty) => ty,
                    Some(_) => return fail(span, "an input must be a scalar"),
                    None => self.nondet_type(suffix),
                };
                return Ok(Some(make(
                    Kind::Builtin(Builtin::Nondet, Vec::new()),
                    ty,
                    span,
                )));
            }
        };
        let args = self.checked(args)?;
        Ok(Some(make(Kind::Builtin(kind, args), void, span)))
    }

    fn nondet_type(&mut self, suffix: &str) -> QualType {
        let basic = match suffix {
            "bool" => Basic::Bool,
            "char" => Basic::Char,
            "uchar" | "u8" => Basic::UChar,
            "short" => Basic::Short,
            "ushort" | "u16" => Basic::UShort,
            "uint" | "unsigned" | "u32" => Basic::UInt,
            "long" => Basic::Long,
            "ulong" => Basic::ULong,
            "llong" | "longlong" => Basic::LongLong,
            "ullong" | "ulonglong" => Basic::ULongLong,
            "i128" | "int128" => Basic::Int128,
            "u128" | "uint128" => Basic::UInt128,
            "float" => Basic::Float,
            "double" => Basic::Double,
            "ptr" | "pointer" => return self.types.pointer(Basic::Void.into()),
            "size_t" => self.types.size(),
            _ => Basic::Int,
        };
        basic.into()
    }

    fn raddle(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Result<Option<Expr>> {
        let void: QualType = Basic::Void.into();
        let pointer = self.types.pointer(void);
        let word: QualType = match self.types.model {
            raddle_ir::DataModel::Lp64 => Basic::ULong.into(),
            raddle_ir::DataModel::Ilp32 => Basic::ULong.into(),
        };
        let of = |kind: SyncKind| match kind {
            SyncKind::Ptr => pointer,
            SyncKind::I32 => Basic::Int.into(),
            SyncKind::Word => word,
        };
        if name != "unsupported"
            && let Some(op) = SyncOp::from_name(name)
        {
            let params: Vec<QualType> = op.args().iter().map(|&k| of(k)).collect();
            let ret = op.result().map_or(void, of);
            return self
                .intrinsic(Builtin::Sync(op), &params, ret, args, span)
                .map(Some);
        }
        if let Some(suffix) = name.strip_prefix("nondet_") {
            let ty = self.nondet_type(suffix);
            return Ok(Some(make(
                Kind::Builtin(Builtin::Nondet, Vec::new()),
                ty,
                span,
            )));
        }
        let text = |index: usize| args.get(index).and_then(literal_text);
        let double: QualType = Basic::Double.into();
        let int_ty: QualType = Basic::Int.into();
        let (kind, params, ret): (Builtin, Vec<QualType>, QualType) = match name {
            "fuse_begin" => (Builtin::AtomicBegin(AtomicKind::Fused), vec![], void),
            "fuse_end" => (Builtin::AtomicEnd, vec![], void),
            "malloc" => (
                Builtin::Malloc {
                    zeroed: false,
                    aligned: false,
                },
                vec![word],
                pointer,
            ),
            "calloc" => (
                Builtin::Malloc {
                    zeroed: true,
                    aligned: false,
                },
                vec![word],
                pointer,
            ),
            "aligned_alloc" | "aligned_calloc" => (
                Builtin::Malloc {
                    zeroed: name == "aligned_calloc",
                    aligned: true,
                },
                vec![word, word],
                pointer,
            ),
            "free" => (Builtin::Free, vec![pointer], void),
            "object_size" => (Builtin::ObjectSize, vec![pointer], word),
            "assume" => (Builtin::Assume, vec![int_ty], void),
            "error" | "violation" => {
                let (property, message) = match name {
                    "error" => (Some(Property::UnreachCall), text(0)),
                    _ => {
                        let property = text(0).map(|p| Property::from_name(&p));
                        (property.and_then(|p| p.first().copied()), text(1))
                    }
                };
                let (Some(property), Some(message)) = (property, message) else {
                    return fail(span, "a property or message that is not a known literal");
                };
                let kind = Kind::Builtin(Builtin::Violation(property, message), Vec::new());
                return Ok(Some(make(kind, void, span)));
            }
            "unsupported" => {
                let Some(what) = text(0) else {
                    return fail(span, "what is not supported has to be a literal");
                };
                let kind = Kind::Builtin(Builtin::Unsupported(what), Vec::new());
                return Ok(Some(make(kind, void, span)));
            }
            "putchar" => (Builtin::PutChar, vec![int_ty, int_ty], void),
            "put_double" => {
                let (Some(conversion), Some(value)) = (text(1), args.get(2)) else {
                    return fail(span, "a conversion that is not a literal");
                };
                let stream = self.expr(&args[0])?;
                let stream = self.assign_to(stream, int_ty)?;
                let value = self.expr(value)?;
                let value = self.assign_to(value, double)?;
                let kind = Kind::Builtin(Builtin::PutDouble(conversion), vec![stream, value]);
                return Ok(Some(make(kind, void, span)));
            }
            "format_float" => {
                let params = vec![double, int_ty, int_ty, int_ty, int_ty, int_ty];
                (Builtin::FormatFloat, params, int_ty)
            }
            "uses" => {
                let Some(name) = text(0) else {
                    return fail(span, "`__raddle_uses` needs a literal");
                };
                let is_used = |name| {
                    let known = self.names.lookup(name);
                    known.is_some_and(|s| self.used.contains(&s))
                };
                let used = name.split('|').any(is_used);
                return Ok(Some(int(i128::from(used), Basic::Int, span)));
            }
            _ => return fail(span, format!("`__raddle_{name}` is not known")),
        };
        self.intrinsic(kind, &params, ret, args, span).map(Some)
    }

    fn intrinsic(
        &mut self,
        kind: Builtin,
        params: &[QualType],
        ret: QualType,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Expr> {
        if params.len() != args.len() {
            return fail(
                span,
                format!("{} arguments are needed, not {}", params.len(), args.len()),
            );
        }
        let mut values = Vec::new();
        for (arg, &param) in args.iter().zip(params) {
            let value = self.expr(arg)?;
            values.push(self.assign_to(value, param)?);
        }
        Ok(make(Kind::Builtin(kind, values), ret, span))
    }
}

fn float_constant(name: &str, span: Span) -> Expr {
    let nan = name.starts_with("nan");
    match name.chars().last() {
        Some('f') if name != "inf" => {
            let bits = if nan { 0x7fc0_0000 } else { 0x7f80_0000 };
            make(Kind::Float(bits), Basic::Float, span)
        }
        Some('l') if !matches!(name, "huge_val") => {
            let bits = if nan {
                0x7fff_c000_0000_0000_0000
            } else {
                0x7fff_8000_0000_0000_0000
            };
            make(Kind::Float(bits), Basic::LongDouble, span)
        }
        _ => {
            let bits = if nan {
                0x7ff8_0000_0000_0000
            } else {
                0x7ff0_0000_0000_0000
            };
            make(Kind::Float(bits), Basic::Double, span)
        }
    }
}
