//! Builtins that classify floating values: `__builtin_isnan`, `__builtin_fpclassify` and their relatives.

use super::Sema;
use super::convert::{int, make};
use super::eval::literal;
use crate::ast::{self, Basic, FloatLiteral};
use crate::diagnostic::{Result, fail};
use crate::hir::*;
use crate::source::Span;
use raddle_ir::PureFn;

impl Sema<'_> {
    /// A classification; `None` if the name is not one.
    pub(super) fn classify(
        &mut self,
        name: &str,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Option<Expr>> {
        let relation = match name {
            "isgreater" => Some(Relation::Greater),
            "isless" => Some(Relation::Less),
            "isgreaterequal" => Some(Relation::GreaterEq),
            "islessequal" => Some(Relation::LessEq),
            _ => None,
        };
        if relation.is_some() || name == "isunordered" {
            self.want(name, args, 2, span)?;
            let (a, b) = (self.expr_value(&args[0])?, self.expr_value(&args[1])?);
            let (a, b, _) = self.arithmetic(a, b, span)?;
            let kind = match relation {
                Some(relation) => Kind::Compare(relation, Box::new(a), Box::new(b)),
                None => Kind::LogicalOr(
                    Box::new(self.test(PureFn::IsNan, &a, span)),
                    Box::new(self.test(PureFn::IsNan, &b, span)),
                ),
            };
            return Ok(Some(make(kind, Basic::Int, span)));
        }
        let last = match name {
            "isnan" | "isinf" | "isinf_sign" | "isfinite" | "isnormal" | "signbit" | "signbitf"
            | "signbitl" => 0,
            "fpclassify" => 5,
            _ => return Ok(None),
        };
        self.want(name, args, last + 1, span)?;
        let value = self.expr_value(&args[last])?;
        let supported = matches!(
            self.types.basic(value.ty),
            Some(Basic::Float | Basic::Double | Basic::LongDouble)
        );
        if !supported {
            return fail(span, format!("`__builtin_{name}` needs a floating value"));
        }
        // The operand is evaluated once, into a variable.
        let ty = value.ty;
        let var = self.new_var("".into(), ty, span, 0);
        let place = make(Kind::Var(var), ty, span);
        let set = make(
            Kind::Assign(Box::new(place.clone()), Box::new(value)),
            ty,
            span,
        );
        let x = make(Kind::Load(Box::new(place)), ty, span);
        let zero = make(Kind::Float(0), ty, span);
        let nan = self.test(PureFn::IsNan, &x, span);
        let infinite = self.test(PureFn::IsInf, &x, span);
        let choose = |c: Expr, a: Expr, b: Expr| {
            make(
                Kind::Conditional(Box::new(c), Box::new(a), Box::new(b)),
                Basic::Int,
                span,
            )
        };
        let number = |n| int(n, Basic::Int, span);
        let compare = |relation, a: Expr, b: Expr| {
            make(
                Kind::Compare(relation, Box::new(a), Box::new(b)),
                Basic::Int,
                span,
            )
        };
        let magnitude = make(
            Kind::Builtin(Builtin::Pure(PureFn::Fabs), vec![x.clone()]),
            ty,
            span,
        );
        let normal = compare(
            Relation::GreaterEq,
            magnitude,
            self.smallest_normal(&x, span),
        );
        let result = match name {
            "isnan" => nan,
            "isinf" => infinite,
            "isinf_sign" => {
                let negative = compare(Relation::Less, x, zero);
                choose(infinite, choose(negative, number(-1), number(1)), number(0))
            }
            "isfinite" => {
                let difference = make(
                    Kind::Arith(Arith::Sub, Box::new(x.clone()), Box::new(x)),
                    ty,
                    span,
                );
                compare(Relation::Equal, difference, zero)
            }
            "isnormal" => choose(infinite, number(0), normal),
            "fpclassify" => {
                let mut kinds = Vec::new();
                for arg in &args[..5] {
                    kinds.push(number(self.constant_int(arg)?));
                }
                let [is_nan, is_infinite, is_normal, is_subnormal, is_zero] = &kinds[..] else {
                    return Ok(None);
                };
                let finite = choose(normal, is_normal.clone(), is_subnormal.clone());
                let finite = choose(compare(Relation::Equal, x, zero), is_zero.clone(), finite);
                choose(
                    nan,
                    is_nan.clone(),
                    choose(infinite, is_infinite.clone(), finite),
                )
            }
            _ => self.test(PureFn::SignBit, &x, span),
        };
        Ok(Some(make(
            Kind::Comma(Box::new(set), Box::new(result)),
            Basic::Int,
            span,
        )))
    }

    fn test(&self, function: PureFn, value: &Expr, span: Span) -> Expr {
        make(
            Kind::Builtin(Builtin::Pure(function), vec![value.clone()]),
            Basic::Int,
            span,
        )
    }

    fn smallest_normal(&self, value: &Expr, span: Span) -> Expr {
        let ty = self.types.basic(value.ty).unwrap_or(Basic::Double);
        let digits = match ty {
            Basic::Float => "0x1p-126",
            Basic::Double => "0x1p-1022",
            _ => "0x1p-16382",
        };
        let text = FloatLiteral {
            digits: digits.into(),
            ty,
        };
        make(Kind::Float(literal(&text).unwrap_or_default()), ty, span)
    }
}
