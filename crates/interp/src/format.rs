//! `printf` conversions of single values, as glibc renders them.

use crate::arith::to_f64;
use crate::value::sign_extend;
use raddle_ir::{DataModel, Ty};

/// A conversion specification without length modifier.
#[derive(Default)]
struct Spec {
    minus: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    letter: char,
}

fn parse(text: &str) -> Spec {
    let mut spec = Spec::default();
    let mut chars = text.trim_start_matches('%').chars().peekable();
    while let Some(c) = chars.peek() {
        match c {
            '-' => spec.minus = true,
            '+' => spec.plus = true,
            ' ' => spec.space = true,
            '#' => spec.alternate = true,
            '0' => spec.zero = true,
            _ => break,
        }
        chars.next();
    }
    let number = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>| {
        let mut n = 0_usize;
        while let Some(d) = chars.peek().and_then(|c| c.to_digit(10)) {
            n = (n * 10 + d as usize).min(1 << 16);
            chars.next();
        }
        n
    };
    spec.width = number(&mut chars);
    if chars.peek() == Some(&'.') {
        chars.next();
        spec.precision = Some(number(&mut chars));
    }
    spec.letter = chars.last().unwrap_or('d');
    spec
}

/// One value through one conversion.
pub(crate) fn render(text: &str, ty: Ty, bits: u128, model: DataModel) -> Vec<u8> {
    let spec = parse(text);
    if ty.is_float() {
        return float(&spec, to_f64(ty, bits)).into_bytes();
    }
    if spec.letter == 'c' {
        return pad_bytes(&spec, vec![bits as u8]);
    }
    if spec.letter == 'p' || ty == Ty::Ptr {
        let text = match bits {
            0 => "(nil)".to_string(),
            _ => format!("{bits:#x}"),
        };
        return pad_bytes(&spec, text.into_bytes());
    }
    integer(&spec, bits, ty.bits(model)).into_bytes()
}

fn pad_bytes(spec: &Spec, mut bytes: Vec<u8>) -> Vec<u8> {
    let missing = spec.width.saturating_sub(bytes.len());
    match spec.minus {
        true => bytes.resize(bytes.len() + missing, b' '),
        false => bytes
            .splice(0..0, std::iter::repeat_n(b' ', missing))
            .for_each(drop),
    }
    bytes
}

/// Sign or prefix, digits, and what fills the width.
fn assemble(spec: &Spec, prefix: &str, digits: &str, zero_fill: bool) -> String {
    let missing = spec.width.saturating_sub(prefix.len() + digits.len());
    match (spec.minus, zero_fill) {
        (true, _) => format!("{prefix}{digits}{}", " ".repeat(missing)),
        (false, true) => format!("{prefix}{}{digits}", "0".repeat(missing)),
        (false, false) => format!("{}{prefix}{digits}", " ".repeat(missing)),
    }
}

fn integer(spec: &Spec, bits: u128, width: u32) -> String {
    let signed = matches!(spec.letter, 'd' | 'i');
    let value = sign_extend(bits, width);
    let negative = signed && value < 0;
    let magnitude = if signed { value.unsigned_abs() } else { bits };
    let mut digits = match spec.letter {
        'x' => format!("{magnitude:x}"),
        'X' => format!("{magnitude:X}"),
        'o' => format!("{magnitude:o}"),
        _ => magnitude.to_string(),
    };
    if let Some(p) = spec.precision {
        if p == 0 && magnitude == 0 {
            digits.clear();
        }
        digits = format!("{}{digits}", "0".repeat(p.saturating_sub(digits.len())));
    }
    let prefix = match spec.letter {
        'x' if spec.alternate && magnitude != 0 => "0x",
        'X' if spec.alternate && magnitude != 0 => "0X",
        'o' if spec.alternate && !digits.starts_with('0') => "0",
        _ => sign(spec, negative && signed, signed),
    };
    assemble(spec, prefix, &digits, spec.zero && spec.precision.is_none())
}

fn sign(spec: &Spec, negative: bool, signed: bool) -> &'static str {
    match negative {
        true => "-",
        false if signed && spec.plus => "+",
        false if signed && spec.space => " ",
        false => "",
    }
}

fn float(spec: &Spec, v: f64) -> String {
    let prefix = sign(spec, v.is_sign_negative(), true);
    let upper = spec.letter.is_ascii_uppercase();
    let magnitude = v.abs();
    if !magnitude.is_finite() {
        let text = if magnitude.is_nan() { "nan" } else { "inf" };
        let text = if upper {
            text.to_uppercase()
        } else {
            text.into()
        };
        return assemble(spec, prefix, &text, false);
    }
    let precision = spec.precision.unwrap_or(6);
    let digits = match spec.letter.to_ascii_lowercase() {
        'e' => scientific(magnitude, precision),
        'g' => general(magnitude, precision.max(1), spec.alternate),
        _ => {
            let dot = if spec.alternate && precision == 0 {
                "."
            } else {
                ""
            };
            format!("{magnitude:.precision$}{dot}")
        }
    };
    let digits = if upper { digits.to_uppercase() } else { digits };
    assemble(spec, prefix, &digits, spec.zero)
}

/// `d.ddde±dd`.
fn scientific(v: f64, precision: usize) -> String {
    let text = format!("{v:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

fn general(v: f64, precision: usize, keep_zeros: bool) -> String {
    let by_exponent = scientific(v, precision - 1);
    let exponent: i32 = by_exponent
        .split_once('e')
        .and_then(|(_, e)| e.parse().ok())
        .unwrap_or(0);
    let trim = |text: &str| match text.contains('.') && !keep_zeros {
        true => text.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => text.to_string(),
    };
    if exponent < -4 || exponent >= precision as i32 {
        let (mantissa, e) = by_exponent.split_once('e').unwrap_or((&by_exponent, "+00"));
        return format!("{}e{e}", trim(mantissa));
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{v:.decimals$}"))
}

/// [`raddle_ir::PureFn::FormatFloat`]: one character of a rendering.
pub(crate) fn float_character(args: &[u128]) -> u8 {
    let int = |i: usize| args[i] as u32 as i32;
    let flags = int(3);
    let spec = Spec {
        minus: flags & 1 != 0,
        plus: flags & 2 != 0,
        space: flags & 4 != 0,
        alternate: flags & 8 != 0,
        zero: flags & 16 != 0,
        width: int(4).clamp(0, 1 << 16) as usize,
        precision: usize::try_from(int(2)).ok().map(|p| p.min(1 << 12)),
        letter: char::from(args[1] as u8),
    };
    let text = float(&spec, f64::from_bits(args[0] as u64));
    let at = usize::try_from(int(5)).unwrap_or(usize::MAX);
    text.as_bytes().get(at).copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_like_glibc() {
        let r = |f: &str, v: i32| {
            String::from_utf8_lossy(&render(f, Ty::I32, u128::from(v as u32), DataModel::Lp64))
                .into_owned()
        };
        assert_eq!(r("%d", -5), "-5");
        assert_eq!(r("%05d", -5), "-0005");
        assert_eq!(r("%-5d|", 5), "5    ");
        assert_eq!(r("%+d", 5), "+5");
        assert_eq!(r("%#x", 255), "0xff");
        assert_eq!(r("%.3d", 5), "005");
        assert_eq!(r("%u", -1), "4294967295");
        assert_eq!(r("%c", 65), "A");
    }

    #[test]
    fn floats_like_glibc() {
        let r = |f: &str, v: f64| {
            String::from_utf8_lossy(&render(
                f,
                Ty::F64,
                u128::from(v.to_bits()),
                DataModel::Lp64,
            ))
            .into_owned()
        };
        assert_eq!(r("%f", 1.5), "1.500000");
        assert_eq!(r("%.0f", 2.5), "2");
        assert_eq!(r("%e", 12345.678), "1.234568e+04");
        assert_eq!(r("%g", 0.0001), "0.0001");
        assert_eq!(r("%g", 1e10), "1e+10");
        assert_eq!(r("%g", 100000.0), "100000");
        assert_eq!(r("%8.2f", -3.146), "   -3.15");
        assert_eq!(r("%f", f64::INFINITY), "inf");
    }
}
