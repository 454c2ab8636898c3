//! Conversions of `printf` and `scanf` that the modelled library does not do: positional arguments, wide characters, memory made by `scanf`, texts of
//! errors, hexadecimal fractions.
//!
//! Misses: formats that are not literals.

/// Which of the two languages a format is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Print,
    /// From a stream, where the input is any input.
    Scan,
    /// From a string.
    ScanText,
}

/// Which argument of a function of the library is a format.
pub(super) fn format_of(name: &str) -> Option<(usize, Format)> {
    use Format::*;
    let name = name.strip_prefix("__isoc99_").unwrap_or(name);
    Some(match name {
        "printf" | "vprintf" => (0, Print),
        "fprintf" | "vfprintf" | "dprintf" | "vdprintf" | "sprintf" | "vsprintf" | "asprintf"
        | "vasprintf" | "__printf_chk" => (1, Print),
        "snprintf" | "vsnprintf" | "__fprintf_chk" => (2, Print),
        "__sprintf_chk" => (3, Print),
        "__snprintf_chk" | "__vsnprintf_chk" => (4, Print),
        "scanf" | "vscanf" => (0, Scan),
        "fscanf" | "vfscanf" => (1, Scan),
        "sscanf" | "vsscanf" => (1, ScanText),
        _ => return None,
    })
}

/// The first conversion of a format that is not modelled.
pub(super) fn unmodelled(format: &[u8], kind: Format) -> Option<String> {
    let mut at = 0;
    while at < format.len() {
        if format[at] != b'%' {
            at += 1;
            continue;
        }
        let start = at;
        at += 1;
        let flags: &[u8] = match kind {
            Format::Print => b"-+ #0'*.123456789$I",
            _ => b"*'0123456789$I",
        };
        while format.get(at).is_some_and(|b| flags.contains(b)) {
            at += 1;
        }
        let given = &format[start + 1..at];
        let before = at;
        while format.get(at).is_some_and(|b| b"hlqjztLm".contains(b)) {
            // In `printf` it is a conversion.
            if format[at] == b'm' && kind == Format::Print {
                break;
            }
            at += 1;
        }
        let size = &format[before..at];
        // A format that ends in the middle is the library's to read.
        let letter = *format.get(at)?;
        at += 1;
        let fraction = b"eEfFgG".contains(&letter);
        let known = match kind {
            Format::Print => b"diuoxXpcsn%".contains(&letter) || fraction,
            _ => b"diuoxXpcsn%[aA".contains(&letter) || fraction,
        };
        let wide = size.contains(&b'l') && b"cs[".contains(&letter);
        let narrow = kind == Format::ScanText
            && (fraction || b"aA".contains(&letter))
            && given.iter().any(u8::is_ascii_digit);
        let odd = given.iter().any(|b| b"$'I".contains(b)) || size.contains(&b'm');
        if !known || wide || narrow || odd {
            return Some(String::from_utf8_lossy(&format[start..at]).into_owned());
        }
        if letter == b'[' {
            at += usize::from(format.get(at) == Some(&b'^'));
            at += usize::from(format.get(at) == Some(&b']'));
            while format.get(at).is_some_and(|&b| b != b']') {
                at += 1;
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(format: &str, kind: Format) -> Option<String> {
        unmodelled(format.as_bytes(), kind)
    }

    #[test]
    fn ordinary_formats_are_modelled() {
        for format in [
            "%d %5.2f%%\n",
            "%-*s|%08lx|%hhu|%zu|%p%n",
            "%Lf %.*s",
            "%",
            "%5",
        ] {
            assert_eq!(found(format, Format::Print), None, "{format}");
        }
        for format in ["%d %lf", "%*s%3[^]a]%n", "%2c%hhx", "%a"] {
            assert_eq!(found(format, Format::ScanText), None, "{format}");
        }
        assert_eq!(found("%5lf", Format::Scan), None);
    }

    #[test]
    fn others_are_named() {
        for (format, what) in [
            ("a%2$d", "%2$d"),
            ("%ls", "%ls"),
            ("%m", "%m"),
            ("%a", "%a"),
            ("%k", "%k"),
        ] {
            assert_eq!(found(format, Format::Print).as_deref(), Some(what));
        }
        for (format, what) in [
            ("%d%1$d", "%1$d"),
            ("%ms", "%ms"),
            ("%5lf", "%5lf"),
            ("%l[ab]", "%l["),
            ("%S", "%S"),
        ] {
            assert_eq!(found(format, Format::ScanText).as_deref(), Some(what));
        }
    }
}
