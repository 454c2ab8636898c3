//! Expressions: computed in the wider of the operands' integer types (8, 16, 32 or 64 bits), wrapped to the declared width when
//! stored. Numbers take the type of what they meet.

use super::body::{Binding, Body};
use super::data::{container, container_bits, fits, size_of, type_name};
use super::{ASSERTED, Result, Shared};
use crate::ast::{Binary, Expr, ExprKind, Place, Type, Unary};
use crate::constants::Const;
use crate::diagnostic::Diagnostic;
use raddle_ir::{
    Access, BinaryOp, CastKind, CompareOp, LocalId, Op, Operand, Rvalue, Span, Terminator, Ty,
    UnaryOp,
};

/// The value of an expression.
#[derive(Clone, Copy, Debug)]
pub enum Value {
    Known(i128),
    Bool(Operand),
    /// Signed or not, and with 8, 16, 32 or 64 bits.
    Int(Operand, bool, u32),
}

/// Where a variable is.
#[derive(Clone, Copy, Debug)]
pub enum Target {
    Local(LocalId, Type),
    Memory(Operand, Type),
}

impl Body<'_, '_> {
    /// How often an expression touches what others can see.
    pub fn accesses(&self, expr: &Expr) -> u32 {
        match &expr.kind {
            ExprKind::Number(_) | ExprKind::Bool(_) => 0,
            ExprKind::Place(p) => self.place_accesses(p),
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => self.accesses(a),
            ExprKind::Binary(_, a, b) | ExprKind::Choose(a, b) => {
                self.accesses(a) + self.accesses(b)
            }
        }
    }

    /// The same for a variable and its index.
    pub fn place_accesses(&self, place: &Place) -> u32 {
        let own = self.binding(&place.name.text).is_none()
            && self.low.shared.contains_key(&place.name.text);
        u32::from(own) + place.index.as_ref().map_or(0, |i| self.accesses(i))
    }

    /// A condition.
    pub fn condition(&mut self, expr: &Expr) -> Result<Operand> {
        match self.value(expr)? {
            Value::Bool(o) => Ok(o),
            _ => Err(
                Diagnostic::at(expr.span, "a truth value is needed here, not a number")
                    .help("compare it: `x != 0`"),
            ),
        }
    }

    /// The value of an expression.
    pub fn value(&mut self, expr: &Expr) -> Result<Value> {
        let known = self.low.known(expr, &self.known_names())?;
        match known {
            Some(Const::Int(n)) => return Ok(Value::Known(n)),
            Some(Const::Bool(b)) => return Ok(Value::Bool(Operand::int(Ty::I1, i128::from(b)))),
            None => {}
        }
        match &expr.kind {
            ExprKind::Number(n) => Ok(Value::Known(*n)),
            ExprKind::Bool(b) => Ok(Value::Bool(Operand::int(Ty::I1, i128::from(*b)))),
            ExprKind::Place(place) => {
                let target = self.target(place)?;
                self.load(target, expr.span)
            }
            ExprKind::Unary(op, a) => self.unary(*op, a),
            ExprKind::Binary(op @ (Binary::And | Binary::Or), a, b) => self.logical(*op, a, b),
            ExprKind::Binary(op, a, b) => self.binary(*op, a, b, expr.span),
            ExprKind::Choose(a, b) => self.chosen(a, b),
            ExprKind::Cast(ty, a) => {
                let value = self.value(a)?;
                let Type::Int { signed, width } = *ty else {
                    return Err(Diagnostic::at(expr.span, "only integers are converted"));
                };
                let operand = self.convert(value, signed, width, a.span)?;
                Ok(Value::Int(operand, signed, container_bits(width)))
            }
        }
    }

    fn unary(&mut self, op: Unary, a: &Expr) -> Result<Value> {
        match (op, self.value(a)?) {
            (Unary::Not, Value::Bool(o)) => Ok(Value::Bool(self.not(o))),
            (Unary::Not, _) => Err(Diagnostic::at(a.span, "`!` is for truth values")
                .help("compare the number: `x == 0`; for the complement of bits write `~`")),
            (_, Value::Int(o, signed, bits)) => {
                let op = match op {
                    Unary::Negate => UnaryOp::Neg,
                    _ => UnaryOp::Not,
                };
                let ty = container(bits);
                let checked = false;
                let value = Rvalue::Unary {
                    op,
                    ty,
                    a: o,
                    checked,
                };
                Ok(Value::Int(self.compute(ty, value), signed, bits))
            }
            _ => Err(Diagnostic::at(
                a.span,
                "a number is needed here, not a truth value",
            )),
        }
    }

    /// The opposite.
    pub fn not(&mut self, a: Operand) -> Operand {
        let ty = Ty::I1;
        let checked = false;
        let op = UnaryOp::Not;
        self.compute(ty, Rvalue::Unary { op, ty, a, checked })
    }

    /// Where the second operand could go wrong it is evaluated only if the first leaves it open.
    fn logical(&mut self, op: Binary, a: &Expr, b: &Expr) -> Result<Value> {
        let first = self.condition(a)?;
        if !delicate(b) {
            let second = self.condition(b)?;
            let op = match op {
                Binary::And => BinaryOp::And,
                _ => BinaryOp::Or,
            };
            let value = Rvalue::Binary {
                op,
                ty: Ty::I1,
                a: first,
                b: second,
                checked: false,
            };
            return Ok(Value::Bool(self.compute(Ty::I1, value)));
        }
        let result = self.local(Ty::I1);
        self.push(Op::Let {
            dst: result,
            value: Rvalue::Use(first),
        });
        let (more, after) = (self.new_block(), self.new_block());
        let (then, otherwise) = match op {
            Binary::And => (more, after),
            _ => (after, more),
        };
        self.end(
            Terminator::Branch {
                cond: first,
                then,
                otherwise,
            },
            more,
        );
        let second = self.condition(b)?;
        self.push(Op::Let {
            dst: result,
            value: Rvalue::Use(second),
        });
        self.end(Terminator::Goto(after), after);
        Ok(Value::Bool(Operand::Local(result)))
    }

    fn binary(&mut self, op: Binary, a: &Expr, b: &Expr, span: Span) -> Result<Value> {
        let (x, y) = (self.value(a)?, self.value(b)?);
        if let (Value::Bool(x), Value::Bool(y)) = (x, y) {
            let op = match op {
                Binary::Eq => CompareOp::Eq,
                Binary::Ne => CompareOp::Ne,
                _ => {
                    return Err(Diagnostic::at(span, "truth values cannot be computed with")
                        .help("use `&&`, `||`, `!`, `==` and `!=`"));
                }
            };
            let value = Rvalue::Compare {
                op,
                ty: Ty::I1,
                a: x,
                b: y,
            };
            return Ok(Value::Bool(self.compute(Ty::I1, value)));
        }
        let (x, y, signed, bits) = self.together(x, y, (a.span, b.span), span)?;
        let ty = container(bits);
        let compare = |signs: (CompareOp, CompareOp)| if signed { signs.0 } else { signs.1 };
        let compared = match op {
            Binary::Eq => Some(CompareOp::Eq),
            Binary::Ne => Some(CompareOp::Ne),
            Binary::Lt => Some(compare((CompareOp::SLt, CompareOp::ULt))),
            Binary::Le => Some(compare((CompareOp::SLe, CompareOp::ULe))),
            Binary::Gt => Some(compare((CompareOp::SGt, CompareOp::UGt))),
            Binary::Ge => Some(compare((CompareOp::SGe, CompareOp::UGe))),
            _ => None,
        };
        if let Some(op) = compared {
            let value = Rvalue::Compare { op, ty, a: x, b: y };
            return Ok(Value::Bool(self.compute(Ty::I1, value)));
        }
        let op = match op {
            Binary::Add => BinaryOp::Add,
            Binary::Sub => BinaryOp::Sub,
            Binary::Mul => BinaryOp::Mul,
            Binary::Div if signed => BinaryOp::SDiv,
            Binary::Div => BinaryOp::UDiv,
            Binary::Rem if signed => BinaryOp::SRem,
            Binary::Rem => BinaryOp::URem,
            Binary::BitAnd => BinaryOp::And,
            Binary::BitOr => BinaryOp::Or,
            Binary::BitXor => BinaryOp::Xor,
            Binary::Shl => BinaryOp::Shl,
            Binary::Shr if signed => BinaryOp::AShr,
            _ => BinaryOp::LShr,
        };
        let value = Rvalue::Binary {
            op,
            ty,
            a: x,
            b: y,
            checked: false,
        };
        Ok(Value::Int(self.compute(ty, value), signed, bits))
    }

    /// Two numbers in one type.
    fn together(
        &mut self,
        x: Value,
        y: Value,
        (a, b): (Span, Span),
        span: Span,
    ) -> Result<(Operand, Operand, bool, u32)> {
        let (signed, bits) = match (x, y) {
            (Value::Int(_, s, n), Value::Int(_, t, m)) => {
                if s != t {
                    return Err(
                        Diagnostic::at(span, "signed and unsigned numbers do not mix")
                            .help("convert one of them: `int(x)` or `uint(x)`"),
                    );
                }
                (s, n.max(m))
            }
            (Value::Int(_, s, n), Value::Known(k)) | (Value::Known(k), Value::Int(_, s, n)) => {
                let enough = [8, 16, 32, 64]
                    .into_iter()
                    .find(|w| *w >= n && fits(k, s, *w));
                let Some(bits) = enough else {
                    let kind = if s { "signed" } else { "unsigned" };
                    return Err(Diagnostic::at(
                        span,
                        format!("{k} is no {kind} number of at most 64 bits"),
                    ));
                };
                (s, bits)
            }
            _ => {
                return Err(Diagnostic::at(
                    span,
                    "numbers and truth values do not go together here",
                )
                .help("compare the number first: `(x != 0)`"));
            }
        };
        let x = self.convert(x, signed, bits, a)?;
        let y = self.convert(y, signed, bits, b)?;
        Ok((x, y, signed, bits))
    }

    /// A number as one of a width, wrapped if it has to be.
    pub fn convert(
        &mut self,
        value: Value,
        signed: bool,
        width: u32,
        span: Span,
    ) -> Result<Operand> {
        let ty = container(width);
        let (mut operand, from, was_signed) = match value {
            Value::Known(n) => {
                if !fits(n, signed, width) {
                    let message = format!(
                        "{n} is no value of {}",
                        type_name(Type::Int { signed, width })
                    );
                    return Err(Diagnostic::at(span, message).help("choose a wider type"));
                }
                return Ok(Operand::int(ty, n));
            }
            Value::Int(o, s, bits) => (o, bits, s),
            Value::Bool(_) => {
                return Err(Diagnostic::at(
                    span,
                    "a number is needed here, not a truth value",
                ));
            }
        };
        let bits = container_bits(width);
        if from != bits {
            let kind = match (from < bits, was_signed) {
                (false, _) => CastKind::Trunc,
                (true, true) => CastKind::SExt,
                (true, false) => CastKind::ZExt,
            };
            let cast = Rvalue::Cast {
                kind,
                from: container(from),
                to: ty,
                a: operand,
            };
            operand = self.compute(ty, cast);
        }
        if width == bits {
            return Ok(operand);
        }
        let mut apply = |op, a, n: i128| {
            let b = Operand::int(ty, n);
            let checked = false;
            self.compute(
                ty,
                Rvalue::Binary {
                    op,
                    ty,
                    a,
                    b,
                    checked,
                },
            )
        };
        Ok(match signed {
            true => {
                let up = apply(BinaryOp::Shl, operand, i128::from(bits - width));
                apply(BinaryOp::AShr, up, i128::from(bits - width))
            }
            false => apply(BinaryOp::And, operand, (1 << width) - 1),
        })
    }

    /// Any value of a range: an input, kept in the range without an assumption, so it is no step of its own.
    pub fn chosen(&mut self, first: &Expr, last: &Expr) -> Result<Value> {
        let names = self.known_names();
        let low = self.low.number(first, &names)?;
        let high = self.low.number(last, &names)?;
        let size = high - low;
        if !(1..=1 << 16).contains(&size) {
            let message = format!("there are {size} values to choose from");
            return Err(Diagnostic::at(last.span, message)
                .help("the upper end is not in the range; at most 65536 values are possible"));
        }
        let fitting = |w: &u32| fits(low, true, *w) && fits(high, true, *w) && fits(size, true, *w);
        let Some(bits) = [32, 64].into_iter().find(fitting) else {
            return Err(Diagnostic::at(
                first.span,
                "this range has more than 64 bits",
            ));
        };
        let ty = container(bits);
        let input = self.local(ty);
        self.push(Op::Nondet { dst: input });
        let mask = Operand::int(ty, (size as u128).next_power_of_two() as i128 - 1);
        let binary = |op, a, b| Rvalue::Binary {
            op,
            ty,
            a,
            b,
            checked: false,
        };
        let small = self.compute(ty, binary(BinaryOp::And, Operand::Local(input), mask));
        let within = Rvalue::Compare {
            op: CompareOp::SLt,
            ty,
            a: small,
            b: Operand::int(ty, size),
        };
        let within = self.compute(Ty::I1, within);
        let select = Rvalue::Select {
            ty,
            cond: within,
            a: small,
            b: Operand::int(ty, 0),
        };
        let offset = self.compute(ty, select);
        let sum = self.compute(ty, binary(BinaryOp::Add, offset, Operand::int(ty, low)));
        Ok(Value::Int(sum, true, bits))
    }

    /// Where a variable is; an index out of range is a violation.
    pub fn target(&mut self, place: &Place) -> Result<Target> {
        let name = &place.name;
        let shared = match self.binding(&name.text) {
            Some(Binding::Const(_)) => {
                return Err(Diagnostic::at(
                    name.span,
                    format!("`{}` is a constant", name.text),
                ));
            }
            Some(Binding::Local(id, ty)) => {
                if place.index.is_some() {
                    return Err(no_array(&name.text, name.span));
                }
                return Ok(Target::Local(id, ty));
            }
            Some(Binding::Array(shared)) => shared,
            None => match self.low.shared.get(&name.text) {
                Some(shared) => *shared,
                None if self.low.constants.contains_key(&name.text) => {
                    let message = format!("`{}` is a constant", name.text);
                    return Err(Diagnostic::at(name.span, message)
                        .help("declare it as `shared` if it is to change"));
                }
                None => return Err(self.unknown(&name.text, name.span)),
            },
        };
        let address = match (&place.index, shared.count) {
            (None, None) => Operand::Global {
                id: shared.id,
                offset: 0,
            },
            (Some(_), None) => return Err(no_array(&name.text, name.span)),
            (None, Some(_)) => {
                let message = format!("`{}` is an array", name.text);
                return Err(Diagnostic::at(name.span, message)
                    .help(format!("name an element: `{}[0]`", name.text)));
            }
            (Some(index), Some(count)) => self.element(&name.text, shared, index, count)?,
        };
        Ok(Target::Memory(address, shared.ty))
    }

    fn element(&mut self, name: &str, shared: Shared, index: &Expr, count: u64) -> Result<Operand> {
        let size = size_of(shared.ty);
        let value = self.value(index)?;
        let (operand, signed, bits) = match value {
            Value::Known(n) => {
                if !(0..i128::from(count)).contains(&n) {
                    let message = format!("there is no element {n} of `{name}`");
                    let help = format!("they are numbered from 0 to {}", count - 1);
                    return Err(Diagnostic::at(index.span, message).help(help));
                }
                let offset = n as i64 * size as i64;
                return Ok(Operand::Global {
                    id: shared.id,
                    offset,
                });
            }
            Value::Int(o, signed, bits) => (o, signed, bits),
            Value::Bool(_) => {
                return Err(Diagnostic::at(
                    index.span,
                    "an index is a number, not a truth value",
                ));
            }
        };
        let wide = match bits {
            64 => operand,
            _ => {
                let kind = if signed {
                    CastKind::SExt
                } else {
                    CastKind::ZExt
                };
                let (from, to) = (container(bits), Ty::I64);
                let a = operand;
                self.compute(to, Rvalue::Cast { kind, from, to, a })
            }
        };
        // One unsigned comparison notices negative numbers, too.
        let within = Rvalue::Compare {
            op: CompareOp::ULt,
            ty: Ty::I64,
            a: wide,
            b: Operand::int(Ty::I64, i128::from(count)),
        };
        let within = self.compute(Ty::I1, within);
        let message = format!("the index is outside `{name}[{count}]`");
        let message = self.low.program.intern(&message);
        self.push(Op::Assert {
            cond: within,
            property: ASSERTED,
            message,
        });
        let base = Operand::Global {
            id: shared.id,
            offset: 0,
        };
        let address = Rvalue::PtrAdd {
            base,
            index: wide,
            scale: size,
            offset: 0,
        };
        Ok(self.compute(Ty::Ptr, address))
    }

    fn load(&mut self, target: Target, span: Span) -> Result<Value> {
        let (ty, operand) = match target {
            Target::Local(id, ty) => (ty, Operand::Local(id)),
            Target::Memory(addr, ty) => {
                let (in_memory, access) = match ty {
                    Type::Bool => (Ty::I8, Access::ATOMIC),
                    Type::Int { width, .. } => (container(width), Access::ATOMIC),
                    Type::Mutex | Type::Cond => return Err(no_value(ty, span)),
                };
                let dst = self.local(in_memory);
                self.push(Op::Load {
                    dst,
                    ty: in_memory,
                    addr,
                    access,
                });
                if ty == Type::Bool {
                    let set = Rvalue::Compare {
                        op: CompareOp::Ne,
                        ty: Ty::I8,
                        a: Operand::Local(dst),
                        b: Operand::int(Ty::I8, 0),
                    };
                    return Ok(Value::Bool(self.compute(Ty::I1, set)));
                }
                (ty, Operand::Local(dst))
            }
        };
        match ty {
            Type::Bool => Ok(Value::Bool(operand)),
            Type::Int { signed, width } => Ok(Value::Int(operand, signed, container_bits(width))),
            Type::Mutex | Type::Cond => Err(no_value(ty, span)),
        }
    }

    /// Assigns a variable.
    pub fn store(&mut self, target: Target, value: Value, span: Span) -> Result<()> {
        let (Target::Local(_, ty) | Target::Memory(_, ty)) = target;
        let (in_memory, operand) = match (ty, value) {
            (Type::Bool, Value::Bool(o)) => (Ty::I1, o),
            (Type::Bool, _) => {
                return Err(
                    Diagnostic::at(span, "a truth value is needed here, not a number")
                        .help("compare it: `x != 0`"),
                );
            }
            (Type::Int { signed, width }, value) => {
                (container(width), self.convert(value, signed, width, span)?)
            }
            (Type::Mutex | Type::Cond, _) => return Err(no_value(ty, span)),
        };
        match target {
            Target::Local(dst, _) => self.push(Op::Let {
                dst,
                value: Rvalue::Use(operand),
            }),
            Target::Memory(addr, _) => {
                let (ty, value) = match in_memory {
                    Ty::I1 => {
                        let (kind, from, to) = (CastKind::ZExt, Ty::I1, Ty::I8);
                        let a = operand;
                        (
                            Ty::I8,
                            self.compute(Ty::I8, Rvalue::Cast { kind, from, to, a }),
                        )
                    }
                    ty => (ty, operand),
                };
                let access = Access::ATOMIC;
                self.push(Op::Store {
                    ty,
                    addr,
                    value,
                    access,
                });
            }
        }
        Ok(())
    }
}

/// Whether evaluating an expression may violate something or ask for an input.
fn delicate(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Number(_) | ExprKind::Bool(_) => false,
        ExprKind::Place(p) => p.index.is_some(),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => delicate(a),
        ExprKind::Binary(op, a, b) => {
            matches!(op, Binary::Div | Binary::Rem) || delicate(a) || delicate(b)
        }
        ExprKind::Choose(..) => true,
    }
}

fn no_array(name: &str, span: Span) -> Diagnostic {
    Diagnostic::at(span, format!("`{name}` is no array")).help("leave out the index")
}

fn no_value(ty: Type, span: Span) -> Diagnostic {
    Diagnostic::at(span, format!("a {} has no value", type_name(ty)))
        .help("it is used by lock, unlock, wait, signal and broadcast only")
}
