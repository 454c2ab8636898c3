//! The object that a piece of source is about: heap objects have no names, but the source says how to get there.

/// What an assignment, an increment or a plain access changes or reads, as it stands there: `q->size` of `q->size += 1`. `None` if the text is
/// something else.
pub fn lvalue(text: &str) -> Option<&str> {
    let mut left = assigned(text).unwrap_or(text).trim();
    for sign in ["++", "--"] {
        left = left.strip_prefix(sign).unwrap_or(left);
        left = left.strip_suffix(sign).unwrap_or(left);
    }
    let left = left.trim();
    is_path(left).then_some(left)
}

/// What stands before an assignment's sign.
fn assigned(text: &str) -> Option<&str> {
    let bytes = text.as_bytes();
    let mut depth = 0;
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b'=' if depth == 0 => {
                let before = bytes[..at].last().copied().unwrap_or(b' ');
                let shift = text[..at].ends_with("<<") || text[..at].ends_with(">>");
                let compares = bytes.get(at + 1) == Some(&b'=') || b"=!<>".contains(&before);
                if compares && !shift {
                    return None;
                }
                let signs: &[char] = &['+', '-', '*', '/', '%', '&', '|', '^', '<', '>'];
                return Some(text[..at].trim_end_matches(signs));
            }
            _ => {}
        }
    }
    None
}

/// Names, members, elements and what pointers point to; nothing that computes.
fn is_path(text: &str) -> bool {
    let bytes = text.as_bytes();
    let word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let fits = |at: usize| {
        let before = bytes[..at].last().copied();
        let after = bytes.get(at + 1).copied();
        match bytes[at] {
            b if word(b) || b".[])".contains(&b) => true,
            // No call.
            b'(' => !before.is_some_and(|b| word(b) || b == b')' || b == b']'),
            b'*' => before.is_none_or(|b| b == b'(' || b == b'*'),
            b'-' => after == Some(b'>'),
            b'>' => before == Some(b'-'),
            _ => false,
        }
    };
    !bytes.is_empty() && !bytes[0].is_ascii_digit() && (0..bytes.len()).all(fits)
}

#[cfg(test)]
mod tests {
    use super::lvalue;

    #[test]
    fn what_is_changed() {
        let cases = [
            ("q->size += 1", Some("q->size")),
            ("(*t)->id = id", Some("(*t)->id")),
            (
                "*t = (struct thread*)malloc(sizeof(struct thread))",
                Some("*t"),
            ),
            ("a[i].x++", Some("a[i].x")),
            ("--n", Some("n")),
            ("p->bits <<= 2", Some("p->bits")),
            ("q->head", Some("q->head")),
            ("a == b", None),
            ("a <= b", None),
            ("a + b", None),
            ("a * b", None),
            ("f(x)", None),
            ("a[f(x)]", None),
            ("1", None),
            ("", None),
        ];
        for (text, expected) in cases {
            assert_eq!(lvalue(text), expected, "{text}");
        }
    }
}
