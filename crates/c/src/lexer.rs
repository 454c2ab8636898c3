//! Preprocessed text to tokens, with `logos`.
//!
//! Line markers are read by the source map, so here a line that begins with `#` is skipped, except that
//! `#pragma pack` is kept as a timeline of the packing in force. Comments are skipped too: benchmark files
//! that pass for preprocessed text carry them.
//!
//! Misses: trigraphs, and line splices outside literals (the preprocessor removes both).

use crate::ast::Pragma;
use crate::diagnostic::{Result, fail};
use crate::source::Span;
use crate::token::{Interner, Symbol, Tok, Token};
use logos::Logos;

#[derive(Logos, Copy, Clone, Debug, PartialEq)]
#[logos(utf8 = false)]
#[logos(skip br"[ \t\r\f\x0b\n]+")]
#[logos(skip(br"//[^\n]*", allow_greedy = true))]
#[logos(skip br"/\*([^*]|\*+[^*/])*\*+/")]
enum Raw {
    #[regex(br"([A-Za-z_$\x80-\xff]|\\u[0-9a-fA-F]{4})([A-Za-z0-9_$\x80-\xff]|\\u[0-9a-fA-F]{4})*")]
    Word,
    #[regex(br"\.?[0-9]([eEpP][+-]|[0-9A-Za-z_.$])*")]
    Number,
    #[regex(br"(L|u|U|u8)?'([^'\\\n]|\\[^\n])*'")]
    Char,
    #[regex(br#"(L|u|U|u8)?"([^"\\\n]|\\[^\n]|\\\n)*""#)]
    Str,
    #[regex(br"#[^\n]*", allow_greedy = true)]
    Directive,
    #[token("/*")]
    OpenComment,
    #[token("(")]
    LParen,
    #[token(")")]
    RParen,
    #[token("{")]
    #[token("<%")]
    LBrace,
    #[token("}")]
    #[token("%>")]
    RBrace,
    #[token("[")]
    #[token("<:")]
    LBracket,
    #[token("]")]
    #[token(":>")]
    RBracket,
    #[token(";")]
    Semi,
    #[token(",")]
    Comma,
    #[token(":")]
    Colon,
    #[token("?")]
    Question,
    #[token(".")]
    Dot,
    #[token("->")]
    Arrow,
    #[token("...")]
    Ellipsis,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token("%")]
    Percent,
    #[token("&")]
    Amp,
    #[token("|")]
    Pipe,
    #[token("^")]
    Caret,
    #[token("~")]
    Tilde,
    #[token("!")]
    Bang,
    #[token("<")]
    Less,
    #[token(">")]
    Greater,
    #[token("<=")]
    LessEq,
    #[token(">=")]
    GreaterEq,
    #[token("==")]
    EqEq,
    #[token("!=")]
    BangEq,
    #[token("&&")]
    AmpAmp,
    #[token("||")]
    PipePipe,
    #[token("<<")]
    Shl,
    #[token(">>")]
    Shr,
    #[token("=")]
    Eq,
    #[token("+=")]
    PlusEq,
    #[token("-=")]
    MinusEq,
    #[token("*=")]
    StarEq,
    #[token("/=")]
    SlashEq,
    #[token("%=")]
    PercentEq,
    #[token("&=")]
    AmpEq,
    #[token("|=")]
    PipeEq,
    #[token("^=")]
    CaretEq,
    #[token("<<=")]
    ShlEq,
    #[token(">>=")]
    ShrEq,
    #[token("++")]
    PlusPlus,
    #[token("--")]
    MinusMinus,
}

macro_rules! same_name {
    ($raw:expr, $($name:ident)*) => {
        match $raw {
            $(Raw::$name => Tok::$name,)*
            Raw::Word | Raw::Directive | Raw::OpenComment => Tok::Eof,
        }
    };
}

fn plain(raw: Raw) -> Tok {
    same_name!(raw, Number Char Str LParen RParen LBrace RBrace LBracket RBracket Semi Comma Colon
        Question Dot Arrow Ellipsis Plus Minus Star Slash Percent Amp Pipe Caret Tilde Bang Less Greater
        LessEq GreaterEq EqEq BangEq AmpAmp PipePipe Shl Shr Eq PlusEq MinusEq StarEq SlashEq PercentEq
        AmpEq PipeEq CaretEq ShlEq ShrEq PlusPlus MinusMinus)
}

/// The tokens of one unit.
pub struct Tokens {
    /// All of them, the last being the end of the file.
    pub list: Vec<Token>,
    /// From each offset on, the packing that `#pragma pack` put in force (0: none).
    pub packing: Vec<(u32, u32)>,
    /// Other directives that change meaning.
    pub pragmas: Vec<Pragma>,
}

impl Tokens {
    /// The packing in force at an offset.
    pub fn packing_at(&self, offset: u32) -> u32 {
        let index = self.packing.partition_point(|&(at, _)| at <= offset);
        index.checked_sub(1).map_or(0, |i| self.packing[i].1)
    }
}

/// Splits a text that begins at `base` into tokens.
pub fn lex(text: &[u8], base: u32, names: &mut Interner) -> Result<Tokens> {
    let mut list = Vec::with_capacity(text.len() / 5 + 1);
    let mut packing = Vec::new();
    let mut pragmas = Vec::new();
    let mut pack_stack = Vec::new();
    let mut lexer = Raw::lexer(text);
    let empty = Symbol(0);
    while let Some(raw) = lexer.next() {
        let range = lexer.span();
        let span = Span {
            lo: base + range.start as u32,
            hi: base + range.end as u32,
        };
        let Ok(raw) = raw else {
            return fail(span, describe_error(text, range.start));
        };
        let (kind, symbol) = match raw {
            Raw::Word => {
                let symbol = match std::str::from_utf8(lexer.slice()) {
                    Ok(word) => names.intern(word),
                    Err(_) => return fail(span, "the name is not valid UTF-8"),
                };
                (names.kind(symbol), symbol)
            }
            Raw::Directive => {
                if !at_line_start(text, range.start) {
                    return fail(span, "stray `#` in the program");
                }
                if let Some(value) = pragma_pack(lexer.slice(), &mut pack_stack, &packing) {
                    packing.push((span.hi, value));
                }
                pragmas.extend(pragma(lexer.slice(), span, names));
                continue;
            }
            Raw::OpenComment => return fail(span, "unterminated comment"),
            other => (plain(other), empty),
        };
        list.push(Token {
            kind,
            symbol,
            lo: span.lo,
            hi: span.hi,
        });
    }
    let end = base + text.len() as u32;
    list.push(Token {
        kind: Tok::Eof,
        symbol: empty,
        lo: end,
        hi: end,
    });
    Ok(Tokens {
        list,
        packing,
        pragmas,
    })
}

fn at_line_start(text: &[u8], offset: usize) -> bool {
    text[..offset]
        .iter()
        .rev()
        .take_while(|&&b| b != b'\n')
        .all(|b| b.is_ascii_whitespace())
}

fn describe_error(text: &[u8], offset: usize) -> String {
    match text[offset] {
        b'"' | b'\'' => "unterminated literal".to_owned(),
        b'/' => "unterminated comment".to_owned(),
        0 => "NUL byte in the program".to_owned(),
        b @ 0x21..=0x7e => format!("stray `{}` in the program", b as char),
        b => format!("stray byte 0x{b:02x} in the program"),
    }
}

/// What this line changes besides packing.
fn pragma(line: &[u8], span: Span, names: &mut Interner) -> Option<Pragma> {
    let line = std::str::from_utf8(line).ok()?;
    let line = line.trim_start_matches('#').trim().strip_prefix("pragma")?;
    let line = line.replace('=', " = ");
    let words: Vec<&str> = line.split_whitespace().collect();
    Some(match words[..] {
        ["weak", name] => Pragma::Weak(names.intern(name), None),
        ["weak", name, "=", other] => Pragma::Weak(names.intern(name), Some(names.intern(other))),
        ["redefine_extname", name, label] => Pragma::Label(names.intern(name), names.intern(label)),
        ["scalar_storage_order", "big-endian"] => Pragma::Unsupported(span, "scalar_storage_order"),
        ["ms_struct", "on"] => Pragma::Unsupported(span, "ms_struct"),
        _ => return None,
    })
}

/// The packing after this line, if it is a `#pragma pack`.
fn pragma_pack(line: &[u8], stack: &mut Vec<u32>, timeline: &[(u32, u32)]) -> Option<u32> {
    let line = std::str::from_utf8(line).ok()?;
    let line = line.trim_start_matches('#').trim().strip_prefix("pragma")?;
    let line = line.trim().strip_prefix("pack")?.trim();
    let arguments = line.strip_prefix('(')?.split(')').next()?;
    let mut value = timeline.last().map_or(0, |&(_, v)| v);
    if arguments.trim().is_empty() {
        return Some(0);
    }
    for argument in arguments.split(',').map(str::trim) {
        match argument {
            "push" => stack.push(value),
            "pop" => value = stack.pop().unwrap_or(0),
            number => {
                if let Ok(n) = number.parse::<u32>() {
                    value = if n.is_power_of_two() && n <= 16 { n } else { 0 };
                }
            }
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &[u8]) -> Vec<Tok> {
        let mut names = Interner::default();
        let tokens = lex(text, 0, &mut names).unwrap();
        tokens.list.iter().map(|t| t.kind).collect()
    }

    #[test]
    fn words_numbers_and_comments() {
        use Tok::*;
        assert_eq!(
            kinds(b"__const x$1 // c\n/* d **/ 0x1.8p+3f"),
            [Const, Ident, Number, Eof]
        );
        assert_eq!(
            kinds(b"a+++b->c...<<="),
            [
                Ident, PlusPlus, Plus, Ident, Arrow, Ident, Ellipsis, ShlEq, Eof
            ]
        );
        assert_eq!(kinds(b"L'x' u8\"a\\\"b\" '\\''"), [Char, Str, Char, Eof]);
        assert_eq!(kinds("int größe;".as_bytes()), [Int, Ident, Semi, Eof]);
        assert_eq!(kinds(b"# 1 \"x.c\"\n#pragma GCC poison\n;"), [Semi, Eof]);
    }

    #[test]
    fn bad_bytes_are_diagnosed() {
        let mut names = Interner::default();
        for text in [
            &b"int \0;"[..],
            b"\"abc",
            b"'",
            b"/* x",
            b"@",
            b"\\",
            b"a # b",
            b"\xff\xfe",
        ] {
            assert!(lex(text, 0, &mut names).is_err(), "{text:?}");
        }
    }

    #[test]
    fn pack_is_a_stack() {
        let mut names = Interner::default();
        let text = b"#pragma pack(push, 1)\na\n#pragma pack(pop)\nb";
        let tokens = lex(text, 0, &mut names).unwrap();
        assert_eq!(tokens.packing_at(tokens.list[0].lo), 1);
        assert_eq!(tokens.packing_at(tokens.list[1].lo), 0);
    }
}
