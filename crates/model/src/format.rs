//! `raddle fmt`: the same tokens and comments, laid out anew.
//!
//! Four spaces for each level of braces, one statement a line, one space around operators, at most one empty line. It works on tokens,
//! so it formats models with mistakes, too, and loses nothing: the tokens of the result are those of the text.

use crate::diagnostic::Diagnostic;
use crate::lexer::{Kind, Token, lex_all};

/// Lays a model out.
pub fn format(text: &str) -> Result<String, Diagnostic> {
    let tokens = lex_all(text)?;
    let mut out = String::new();
    let mut level = 0usize;
    // Brackets that are open on the present line: no statement ends within them.
    let mut brackets = 0u32;
    let mut lists: Vec<bool> = Vec::new();
    let mut fresh = true;
    for (i, token) in tokens.iter().enumerate() {
        if token.kind == Kind::End {
            break;
        }
        let before = i.checked_sub(1).map(|b| &tokens[b]);
        let after = tokens.get(i + 1);
        let is_list =
            token.text == "{" && before.is_some_and(|b| matches!(b.text, "=" | "," | "("));
        if token.text == "}" && lists.last() == Some(&false) {
            level = level.saturating_sub(1);
            if !fresh {
                newline(&mut out, &mut fresh);
            }
        }
        let comment_beside = token.kind == Kind::Comment && token.lines == 0 && before.is_some();
        if comment_beside && fresh && !out.is_empty() {
            // It belongs to the line before.
            out.truncate(out.trim_end().len());
            out.push(' ');
            fresh = false;
        } else if token.lines > 0 && token.kind == Kind::Comment && !fresh {
            newline(&mut out, &mut fresh);
        }
        if fresh {
            let empty = token.lines > 1 && !out.is_empty() && !out.ends_with("{\n");
            if empty && token.text != "}" {
                out.push('\n');
            }
            out.push_str(&"    ".repeat(level));
            fresh = false;
        } else if before.is_some_and(|b| spaced(b, token, i, &tokens)) && !out.ends_with(' ') {
            out.push(' ');
        }
        out.push_str(token.text.trim_end());
        match token.text {
            "(" | "[" => brackets += 1,
            ")" | "]" => brackets = brackets.saturating_sub(1),
            "{" => {
                lists.push(is_list);
                if !is_list {
                    level += 1;
                    brackets = 0;
                    newline(&mut out, &mut fresh);
                }
            }
            "}" => {
                let list = lists.pop().unwrap_or(false);
                let goes_on = after.is_some_and(|a| matches!(a.text, "else" | "or" | ";" | ","));
                if !list && !goes_on {
                    newline(&mut out, &mut fresh);
                }
            }
            ";" if brackets == 0 => newline(&mut out, &mut fresh),
            _ if token.kind == Kind::Comment => {
                let line = token.text.starts_with("//");
                if line || after.is_some_and(|a| a.lines > 0) {
                    newline(&mut out, &mut fresh);
                }
            }
            // Bodies without braces, as papers print them.
            _ if after.is_some_and(|a| a.lines > 0)
                && i > 0
                && tokens[i - 1].text == "thread"
                && after.is_none_or(|a| a.text != "{") =>
            {
                newline(&mut out, &mut fresh);
            }
            _ => {}
        }
    }
    if !fresh {
        out.push('\n');
    }
    Ok(out)
}

fn newline(out: &mut String, fresh: &mut bool) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
    *fresh = true;
}

/// Whether a space stands between two tokens.
fn spaced(before: &Token<'_>, token: &Token<'_>, at: usize, tokens: &[Token<'_>]) -> bool {
    if before.kind == Kind::Comment || token.kind == Kind::Comment {
        return true;
    }
    let word = |t: &Token<'_>| matches!(t.kind, Kind::Word | Kind::Number);
    // `int<8>` is one thing.
    let is_type = |i: usize| matches!(tokens.get(i).map(|t| t.text), Some("int" | "uint"));
    let opens_width =
        |i: usize| tokens.get(i).is_some_and(|t| t.text == "<") && i > 0 && is_type(i - 1);
    let closes_width = |i: usize| i >= 3 && tokens[i].text == ">" && opens_width(i - 2);
    if opens_width(at) || opens_width(at - 1) || closes_width(at) {
        return false;
    }
    if closes_width(at - 1) {
        return token.text != "(";
    }
    // A sign in front of its operand.
    let prefix = |i: usize| {
        let t = &tokens[i];
        let stands_first = i == 0 || {
            let b = &tokens[i - 1];
            !(word(b)
                && !matches!(
                    b.text,
                    "in" | "assert" | "assume" | "always" | "never" | "finally" | "if" | "while"
                )
                || matches!(b.text, ")" | "]"))
        };
        matches!(t.text, "!" | "~") || t.text == "-" && stands_first
    };
    if prefix(at - 1) {
        return false;
    }
    match (before.text, token.text) {
        (_, ";" | "," | ")" | "]" | ".." | "++" | "--") => false,
        ("(" | "[" | "..", _) => false,
        (_, ":") => false,
        (
            "if" | "while" | "assert" | "assume" | "else" | "or" | "always" | "never" | "finally",
            _,
        ) => true,
        (b, "(") if word(before) => matches!(b, "in"),
        (_, "[") => false,
        _ => true,
    }
}
