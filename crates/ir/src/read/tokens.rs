//! Words, texts and punctuation of the text form, line by line.

use super::ReadError;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A word, number, or name with its sigil: everything up to a separator.
    Word(String),
    Text(String),
    Punct(char),
    NewLine,
}

pub(super) fn tokens(text: &str) -> Result<Vec<(Token, u32)>, ReadError> {
    let mut out = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let number = number as u32 + 1;
        let mut chars = line.chars().peekable();
        while let Some(&c) = chars.peek() {
            match c {
                ' ' => {
                    chars.next();
                }
                '"' => {
                    chars.next();
                    out.push((Token::Text(unquote(&mut chars, number)?), number));
                }
                '{' | '}' | '(' | ')' | ',' | ';' | '=' | '*' => {
                    chars.next();
                    out.push((Token::Punct(c), number));
                }
                _ => {
                    let mut word = String::new();
                    while let Some(&c) = chars.peek() {
                        if " \"{}(),;=*".contains(c) {
                            break;
                        }
                        word.push(c);
                        chars.next();
                    }
                    out.push((Token::Word(word), number));
                }
            }
        }
        out.push((Token::NewLine, number));
    }
    Ok(out)
}

fn unquote(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    line: u32,
) -> Result<String, ReadError> {
    let error = |what: &str| ReadError {
        line,
        what: what.to_string(),
    };
    let mut out = String::new();
    loop {
        match chars.next() {
            None => return Err(error("a text without end")),
            Some('"') => return Ok(out),
            Some('\\') => match chars.next() {
                Some('n') => out.push('\n'),
                Some('u') => {
                    let mut hex = String::new();
                    if chars.next() != Some('{') {
                        return Err(error("a bad escape"));
                    }
                    for c in chars.by_ref() {
                        if c == '}' {
                            break;
                        }
                        hex.push(c);
                    }
                    let code = u32::from_str_radix(&hex, 16).ok().and_then(char::from_u32);
                    out.push(code.ok_or_else(|| error("a bad escape"))?);
                }
                Some(c @ ('"' | '\\')) => out.push(c),
                _ => return Err(error("a bad escape")),
            },
            Some(c) => out.push(c),
        }
    }
}
