//! Numbers, characters and strings: from spelling to value.
//!
//! Integers keep their suffix, because their type depends on the data model; floating constants keep their
//! digits, because they must be rounded once, to the type they end up with. String literals become code
//! units of the encoding their prefix asks for.
//!
//! Misses: integer constants above 64 bits (refused), and named characters (`\N{…}`, not C).

use crate::ast::{Basic, Encoding, ExprKind, FloatLiteral};
use crate::diagnostic::{Result, fail, refuse};
use crate::source::Span;

/// Reads a number.
pub fn number(text: &[u8], span: Span) -> Result<ExprKind> {
    let Ok(text) = std::str::from_utf8(text) else {
        return fail(span, "invalid number");
    };
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let binary = lower.starts_with("0b");
    let floating = if hex {
        lower.contains(['.', 'p'])
    } else {
        !binary && lower.contains(['.', 'e'])
            || (!binary && lower.ends_with('f') && lower.len() > 1)
            || lower.contains("df")
            || lower.contains("dd")
            || lower.contains("dl")
    };
    if floating {
        return float(&lower, text, hex, span);
    }
    let (radix, digits) = if hex {
        (16, &lower[2..])
    } else if binary {
        (2, &lower[2..])
    } else if lower.starts_with('0') && lower.len() > 1 {
        (8, &lower[1..])
    } else {
        (10, &lower[..])
    };
    let end = digits
        .find(|c: char| !c.is_digit(radix.max(10)))
        .unwrap_or(digits.len());
    let (digits, suffix) = digits.split_at(end);
    let mut value: u64 = 0;
    for digit in digits.chars() {
        let Some(digit) = digit.to_digit(radix) else {
            return fail(span, format!("invalid digit `{digit}` in octal constant"));
        };
        let next = value
            .checked_mul(u64::from(radix))
            .and_then(|v| v.checked_add(u64::from(digit)));
        let Some(next) = next else {
            return fail(span, "integer constant is too large");
        };
        value = next;
    }
    if digits.is_empty() && (hex || binary) {
        return fail(span, "a number without digits");
    }
    let (unsigned, longs) = match suffix {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ul" | "lu" => (true, 1),
        "ll" => (false, 2),
        "ull" | "llu" => (true, 2),
        "i" | "j" | "il" | "li" => return refuse(span, "imaginary constants are not supported"),
        _ => {
            return fail(
                span,
                format!("invalid suffix `{suffix}` on integer constant"),
            );
        }
    };
    Ok(ExprKind::Int {
        value,
        unsigned,
        longs,
        decimal: radix == 10,
    })
}

fn float(lower: &str, text: &str, hex: bool, span: Span) -> Result<ExprKind> {
    let is_digit = |c: char| {
        if hex {
            c.is_ascii_hexdigit()
        } else {
            c.is_ascii_digit()
        }
    };
    let mut end = if hex { 2 } else { 0 };
    let bytes = lower.as_bytes();
    let mut digits = 0;
    let mut dots = 0;
    while end < bytes.len() && (is_digit(bytes[end] as char) || bytes[end] == b'.') {
        if bytes[end] == b'.' {
            dots += 1;
        } else {
            digits += 1;
        }
        end += 1;
    }
    let exponent = if hex { b'p' } else { b'e' };
    if end < bytes.len() && bytes[end] == exponent {
        end += 1;
        if end < bytes.len() && (bytes[end] == b'+' || bytes[end] == b'-') {
            end += 1;
        }
        let start = end;
        while end < bytes.len() && bytes[end].is_ascii_digit() {
            end += 1;
        }
        if start == end {
            return fail(span, "the exponent has no digits");
        }
    } else if hex {
        return fail(span, "a hexadecimal floating constant needs an exponent");
    }
    if digits == 0 || dots > 1 {
        return fail(span, "invalid floating constant");
    }
    let ty = match &lower[end..] {
        "" | "f64" | "f32x" => Basic::Double,
        "f" | "f32" => Basic::Float,
        "l" | "f64x" | "w" => Basic::LongDouble,
        "q" | "f128" => Basic::Float128,
        "f16" => Basic::Float16,
        "df" | "dd" | "dl" => Basic::Exotic,
        suffix if suffix.contains(['i', 'j']) => {
            return refuse(span, "imaginary constants are not supported");
        }
        suffix => {
            return fail(
                span,
                format!("invalid suffix `{suffix}` on floating constant"),
            );
        }
    };
    Ok(ExprKind::Float(FloatLiteral {
        digits: text[..end].into(),
        ty,
    }))
}

/// Reads a character constant.
pub fn character(text: &[u8], span: Span) -> Result<ExprKind> {
    let (encoding, body) = split(text, b'\'');
    let units = units(body, encoding, span)?;
    if units.is_empty() {
        return fail(span, "empty character constant");
    }
    let value = if encoding == Encoding::Plain {
        if units.len() > 4 {
            return fail(span, "character constant is too long");
        }
        if units.len() == 1 {
            i64::from(units[0] as u8 as i8)
        } else {
            i64::from(units.iter().fold(0u32, |v, &u| v << 8 | (u & 0xff)) as i32)
        }
    } else {
        let last = units[units.len() - 1];
        match encoding {
            Encoding::Wide => i64::from(last as i32),
            _ => i64::from(last),
        }
    };
    Ok(ExprKind::Char { value, encoding })
}

/// Reads adjacent string literals as one.
pub fn string(parts: &[(&[u8], Span)]) -> Result<(Vec<u32>, Encoding)> {
    let mut encoding = Encoding::Plain;
    for (text, span) in parts {
        let (own, _) = split(text, b'"');
        if own != Encoding::Plain {
            if encoding != Encoding::Plain && encoding != own {
                return fail(*span, "unsupported concatenation of string literals");
            }
            encoding = own;
        }
    }
    let mut all = Vec::new();
    for (text, span) in parts {
        let (_, body) = split(text, b'"');
        all.extend(units(body, encoding, *span)?);
    }
    Ok((all, encoding))
}

fn split(text: &[u8], quote: u8) -> (Encoding, &[u8]) {
    let start = text.iter().position(|&b| b == quote).unwrap_or(0);
    let encoding = match &text[..start] {
        b"L" => Encoding::Wide,
        b"u" => Encoding::Char16,
        b"U" => Encoding::Char32,
        b"u8" => Encoding::Utf8,
        _ => Encoding::Plain,
    };
    (encoding, &text[start + 1..text.len().max(start + 2) - 1])
}

fn units(body: &[u8], encoding: Encoding, span: Span) -> Result<Vec<u32>> {
    let narrow = matches!(encoding, Encoding::Plain | Encoding::Utf8);
    let mut out = Vec::with_capacity(body.len());
    let push_char = |out: &mut Vec<u32>, c: u32| match encoding {
        Encoding::Plain | Encoding::Utf8 => {
            let c = char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER);
            let mut buffer = [0; 4];
            out.extend(c.encode_utf8(&mut buffer).bytes().map(u32::from));
        }
        Encoding::Char16 => {
            let c = char::from_u32(c).unwrap_or(char::REPLACEMENT_CHARACTER);
            let mut buffer = [0; 2];
            out.extend(c.encode_utf16(&mut buffer).iter().map(|&u| u32::from(u)));
        }
        _ => out.push(c),
    };
    let mut at = 0;
    while at < body.len() {
        let b = body[at];
        at += 1;
        if b != b'\\' {
            if narrow || b < 0x80 {
                out.push(u32::from(b));
            } else {
                let start = at - 1;
                while at < body.len() && body[at] & 0xc0 == 0x80 {
                    at += 1;
                }
                let c = std::str::from_utf8(&body[start..at])
                    .ok()
                    .and_then(|s| s.chars().next());
                let Some(c) = c else {
                    return fail(span, "the literal is not valid UTF-8");
                };
                push_char(&mut out, c as u32);
            }
            continue;
        }
        let Some(&escape) = body.get(at) else {
            return fail(span, "unterminated escape sequence");
        };
        at += 1;
        let mask = match encoding {
            Encoding::Plain | Encoding::Utf8 => 0xff,
            Encoding::Char16 => 0xffff,
            _ => u32::MAX,
        };
        match escape {
            b'\n' => {}
            b'n' => out.push(10),
            b't' => out.push(9),
            b'r' => out.push(13),
            b'a' => out.push(7),
            b'b' => out.push(8),
            b'f' => out.push(12),
            b'v' => out.push(11),
            b'e' | b'E' => out.push(27),
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    match body.get(at) {
                        Some(&d @ b'0'..=b'7') => value = value * 8 + u32::from(d - b'0'),
                        _ => break,
                    }
                    at += 1;
                }
                out.push(value & mask);
            }
            b'x' => {
                let start = at;
                let mut value = 0u32;
                while let Some(digit) = body.get(at).and_then(|&b| (b as char).to_digit(16)) {
                    value = value << 4 | digit;
                    at += 1;
                }
                if start == at {
                    return fail(span, "`\\x` without digits");
                }
                out.push(value & mask);
            }
            b'u' | b'U' => {
                let length = if escape == b'u' { 4 } else { 8 };
                let digits = body.get(at..at + length);
                let value = digits
                    .and_then(|d| std::str::from_utf8(d).ok())
                    .and_then(|d| u32::from_str_radix(d, 16).ok());
                let Some(value) = value else {
                    return fail(span, "incomplete universal character name");
                };
                at += length;
                push_char(&mut out, value);
            }
            other => out.push(u32::from(other)),
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers() {
        let s = Span::default();
        let value = |t: &str| match number(t.as_bytes(), s) {
            Ok(ExprKind::Int {
                value,
                unsigned,
                longs,
                decimal,
            }) => Some((value, unsigned, longs, decimal)),
            _ => None,
        };
        assert_eq!(value("0"), Some((0, false, 0, true)));
        assert_eq!(value("017"), Some((15, false, 0, false)));
        assert_eq!(value("0x1fULL"), Some((31, true, 2, false)));
        assert_eq!(value("0b101l"), Some((5, false, 1, false)));
        assert_eq!(
            value("18446744073709551615u"),
            Some((u64::MAX, true, 0, true))
        );
        for bad in ["18446744073709551616", "08", "0x", "1z", "1i"] {
            assert!(number(bad.as_bytes(), s).is_err(), "{bad}");
        }
    }

    #[test]
    fn floats() {
        let s = Span::default();
        for good in [
            "1.", ".5", "1e5", "1.5e-3f", "0x1.8p3", "0x1p-2L", "1.0f128", "2.q", "1e+5l",
        ] {
            assert!(
                matches!(number(good.as_bytes(), s), Ok(ExprKind::Float(_))),
                "{good}"
            );
        }
        for bad in ["1e", "0x1.8", "1.2.3", "1.0i", "1.0xyz"] {
            assert!(number(bad.as_bytes(), s).is_err(), "{bad}");
        }
    }

    #[test]
    fn strings_and_characters() {
        let s = Span::default();
        let (units, encoding) =
            string(&[(b"\"a\\n\\x41\\101\"", s), (b"L\"\xc3\xa9\"", s)]).unwrap();
        assert_eq!(
            (units, encoding),
            (vec![97, 10, 65, 65, 0xe9], Encoding::Wide)
        );
        let value = |t: &[u8]| match character(t, s) {
            Ok(ExprKind::Char { value, .. }) => value,
            _ => i64::MIN,
        };
        assert_eq!(value(b"'\\377'"), -1);
        assert_eq!(value(b"'ab'"), 0x6162);
        assert_eq!(value(b"L'\\xffff'"), 0xffff);
        assert!(character(b"''", s).is_err());
    }
}
