//! Formulas as C expressions that mean the same for a C compiler.
//!
//! Formulas are about bits, C expressions about numbers of types. So every part is made of a type of exactly its width: casts are written where the variable's type is another one, and sums are computed
//! without sign, where C lets them wrap around. A variable is named as the program does, by its path through arrays and structures.
//! *Left out:* pointers, floating-point numbers, members of unions, bit-fields.

use raddle_ir::{DebugType, Program, TypeId};
use raddle_verdict::{Formula, Operator, Variable};

/// What a variable is called at a place, with its type; `None` if it cannot be named there.
pub type Namer<'a> = &'a dyn Fn(&Variable) -> Option<(String, TypeId)>;

/// A part of an expression: a number of a width.
struct Part {
    text: String,
    width: u32,
    /// Its C type is known to have this sign and this width.
    signed: Option<bool>,
    /// The value, if it is a constant.
    value: Option<u128>,
}

/// A condition as a C expression; `None` if it cannot be said.
pub fn condition(program: &Program, name: Namer, formula: &Formula) -> Option<String> {
    let Formula::Apply(op, args) = formula else {
        return None;
    };
    let conditions = |sign: &str| -> Option<String> {
        let all = args.iter().map(|a| condition(program, name, a));
        let all: Vec<String> = all.collect::<Option<_>>()?;
        Some(format!("({})", all.join(sign)))
    };
    let (sign, signed) = match op {
        Operator::And => return conditions(" && "),
        Operator::Or => return conditions(" || "),
        Operator::Not => {
            // A difference reads better than a negated equation.
            if let [Formula::Apply(Operator::Equal, sides)] = &args[..] {
                let [a, b] = two(program, name, sides)?;
                let signed = Some(a.signed == Some(true) || b.signed == Some(true));
                return Some(compare(&a, "!=", &b, signed?));
            }
            return Some(format!("!{}", conditions("")?));
        }
        Operator::Equal => ("==", None),
        Operator::SignedLess => ("<", Some(true)),
        Operator::SignedAtMost => ("<=", Some(true)),
        Operator::Less => ("<", Some(false)),
        Operator::AtMost => ("<=", Some(false)),
        Operator::Add | Operator::Subtract | Operator::Multiply => return None,
    };
    let [a, b] = two(program, name, args)?;
    let signed = signed.unwrap_or(a.signed == Some(true) || b.signed == Some(true));
    Some(compare(&a, sign, &b, signed))
}

fn compare(a: &Part, sign: &str, b: &Part, signed: bool) -> String {
    format!("({} {sign} {})", cast(a, signed), cast(b, signed))
}

fn two(program: &Program, name: Namer, args: &[Formula]) -> Option<[Part; 2]> {
    let [a, b] = args else { return None };
    let (a, b) = (part(program, name, a)?, part(program, name, b)?);
    (a.width == b.width).then_some([a, b])
}

fn part(program: &Program, name: Namer, formula: &Formula) -> Option<Part> {
    match formula {
        Formula::Number { width, value } => {
            type_of(*width, true)?;
            Some(Part {
                text: String::new(),
                width: *width,
                signed: None,
                value: Some(*value),
            })
        }
        Formula::Variable(variable) => {
            let (text, ty) = name(variable)?;
            let (size, signed) = match &program.types[ty.0 as usize] {
                DebugType::Int { size, signed, .. } => (*size, Some(*signed)),
                DebugType::Enum { size, .. } => (*size, None),
                _ => return None,
            };
            type_of(8 * size as u32, true)?;
            Some(Part {
                text,
                width: 8 * size as u32,
                signed,
                value: None,
            })
        }
        Formula::Apply(op, args) => {
            let sign = match op {
                Operator::Add => "+",
                Operator::Subtract => "-",
                Operator::Multiply => "*",
                _ => return None,
            };
            let [a, b] = two(program, name, args)?;
            let mut text = format!("({} {sign} {})", cast(&a, false), cast(&b, false));
            // What is narrower than `int` is computed as `int`, in which two of them never wrap around, but for products.
            if a.width < 32 {
                if *op == Operator::Multiply {
                    return None;
                }
                text = format!("({}){text}", type_of(a.width, false)?);
            }
            Some(Part {
                text,
                width: a.width,
                signed: Some(false),
                value: None,
            })
        }
    }
}

/// A part with or without sign.
fn cast(part: &Part, signed: bool) -> String {
    let wide = if part.width == 64 { "LL" } else { "" };
    let sign_bit = 1u128 << (part.width - 1);
    match (part.value, signed) {
        (Some(n), true) if n == sign_bit => format!("(-{}{wide} - 1)", n - 1),
        (Some(n), true) if n > sign_bit => format!("-{}{wide}", 2 * sign_bit - n),
        (Some(n), true) => format!("{n}{wide}"),
        (Some(n), false) => format!("{n}U{wide}"),
        (None, _) if part.signed == Some(signed) => part.text.clone(),
        (None, _) => {
            let ty = type_of(part.width, signed).unwrap_or_default();
            format!("({ty}){}", part.text)
        }
    }
}

/// The C type of a width.
fn type_of(width: u32, signed: bool) -> Option<&'static str> {
    Some(match (width, signed) {
        (8, true) => "signed char",
        (8, false) => "unsigned char",
        (16, true) => "short",
        (16, false) => "unsigned short",
        (32, true) => "int",
        (32, false) => "unsigned int",
        (64, true) => "long long",
        (64, false) => "unsigned long long",
        _ => return None,
    })
}

/// The path to a scalar in an object of a type, with the scalar's type.
pub fn path(
    program: &Program,
    ty: TypeId,
    offset: u64,
    size: u64,
    mut text: String,
) -> Option<(String, TypeId)> {
    match &program.types[ty.0 as usize] {
        DebugType::Int { size: whole, .. } | DebugType::Enum { size: whole, .. } => {
            (offset == 0 && *whole == size).then_some((text, ty))
        }
        DebugType::Array { of, count } => {
            let each = size_of(program, *of)?;
            let at = offset.checked_div(each).filter(|i| i < count)?;
            text += &format!("[{at}]");
            path(program, *of, offset - at * each, size, text)
        }
        DebugType::Record {
            union: false,
            fields,
            ..
        } => {
            let inside = |f: &&raddle_ir::Field| {
                let end = size_of(program, f.ty).map(|s| f.offset + s);
                f.offset <= offset && end.is_some_and(|e| offset + size <= e)
            };
            let field = fields.iter().find(inside)?;
            if field.bits.is_some() || field.name.is_empty() {
                return None;
            }
            text += &format!(".{}", field.name);
            path(program, field.ty, offset - field.offset, size, text)
        }
        _ => None,
    }
}

fn size_of(program: &Program, ty: TypeId) -> Option<u64> {
    match &program.types[ty.0 as usize] {
        DebugType::Int { size, .. }
        | DebugType::Float { size, .. }
        | DebugType::Enum { size, .. }
        | DebugType::Record { size, .. } => Some(*size),
        DebugType::Pointer { .. } => Some(program.model.pointer_bytes()),
        DebugType::Array { of, count } => Some(size_of(program, *of)? * count),
        DebugType::Void | DebugType::Function { .. } => None,
    }
}
