//! Expressions that users type: a part of C's, without assignments, calls and casts.

use std::fmt;

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expression {
    /// A number.
    Number(i128),
    /// A variable.
    Name(String),
    /// `a.b`
    Member(Box<Expression>, String),
    /// `a->b`
    Arrow(Box<Expression>, String),
    /// `a[b]`
    Element(Box<Expression>, Box<Expression>),
    /// `*a`
    Target(Box<Expression>),
    /// `&a`
    Address(Box<Expression>),
    /// `-a`, `!a`, `~a`
    Unary(char, Box<Expression>),
    /// `a + b` and the like.
    Binary(&'static str, Box<Expression>, Box<Expression>),
}

/// Binary operators and how tightly they bind.
const OPERATORS: &[(&str, u8)] = &[
    ("||", 1),
    ("&&", 2),
    ("|", 3),
    ("^", 4),
    ("&", 5),
    ("==", 6),
    ("!=", 6),
    ("<=", 7),
    (">=", 7),
    ("<<", 8),
    (">>", 8),
    ("<", 7),
    (">", 7),
    ("+", 9),
    ("-", 9),
    ("*", 10),
    ("/", 10),
    ("%", 10),
];

/// How deeply expressions may be nested.
const DEEPEST: u32 = 200;

/// Why a text is no expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// At which byte.
    pub at: usize,
    /// What is wrong.
    pub what: String,
}

impl fmt::Display for Mistake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (at character {})", self.what, self.at + 1)
    }
}

/// Reads a whole text.
pub fn parse(text: &str) -> Result<Expression, Mistake> {
    let mut parser = Parser {
        text,
        at: 0,
        depth: 0,
    };
    let expression = parser.binary(0)?;
    parser.space();
    match parser.rest().is_empty() {
        true => Ok(expression),
        false => Err(parser.mistake("something is left over")),
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    depth: u32,
}

impl<'a> Parser<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    fn mistake(&self, what: &str) -> Mistake {
        Mistake {
            at: self.at,
            what: what.to_string(),
        }
    }

    fn eat(&mut self, sign: &str) -> bool {
        self.space();
        let found = self.rest().starts_with(sign);
        if found {
            self.at += sign.len();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Result<(), Mistake> {
        match self.eat(sign) {
            true => Ok(()),
            false => Err(self.mistake(&format!("`{sign}` is expected"))),
        }
    }

    fn binary(&mut self, least: u8) -> Result<Expression, Mistake> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.mistake("this is nested too deeply"));
        }
        let mut left = self.unary()?;
        loop {
            self.space();
            let found = OPERATORS.iter().find(|(o, _)| self.rest().starts_with(o));
            let Some(&(operator, strength)) = found.filter(|(_, s)| *s > least) else {
                break;
            };
            self.at += operator.len();
            let right = self.binary(strength)?;
            left = Expression::Binary(operator, Box::new(left), Box::new(right));
        }
        self.depth -= 1;
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expression, Mistake> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.mistake("this is nested too deeply"));
        }
        self.space();
        let sign = self.rest().chars().next();
        let made = match sign {
            Some('*') => {
                self.at += 1;
                Expression::Target(Box::new(self.unary()?))
            }
            Some('&') => {
                self.at += 1;
                Expression::Address(Box::new(self.unary()?))
            }
            Some(c @ ('-' | '!' | '~' | '+')) => {
                self.at += 1;
                Expression::Unary(c, Box::new(self.unary()?))
            }
            _ => self.postfix()?,
        };
        self.depth -= 1;
        Ok(made)
    }

    fn postfix(&mut self) -> Result<Expression, Mistake> {
        let mut made = self.primary()?;
        loop {
            if self.eat("->") {
                made = Expression::Arrow(Box::new(made), self.name()?);
            } else if self.eat("[") {
                let index = self.binary(0)?;
                self.expect("]")?;
                made = Expression::Element(Box::new(made), Box::new(index));
            } else if self.eat(".") {
                made = Expression::Member(Box::new(made), self.name()?);
            } else {
                return Ok(made);
            }
        }
    }

    fn name(&mut self) -> Result<String, Mistake> {
        self.space();
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let rest = self.rest();
        let length = rest.find(|c| !word(c)).unwrap_or(rest.len());
        if length == 0 || rest.starts_with(|c: char| c.is_ascii_digit()) {
            return Err(self.mistake("a name is expected"));
        }
        self.at += length;
        Ok(rest[..length].to_string())
    }

    fn primary(&mut self) -> Result<Expression, Mistake> {
        self.space();
        let rest = self.rest();
        match rest.chars().next() {
            Some('(') => {
                self.at += 1;
                let inner = self.binary(0)?;
                self.expect(")")?;
                Ok(inner)
            }
            Some('\'') => {
                let mut inside = rest[1..].chars();
                let (value, length) = match (inside.next(), inside.next()) {
                    (Some('\\'), Some(c)) => (escaped(c), 2),
                    (Some(c), _) => (Some(c as u32), c.len_utf8()),
                    _ => (None, 0),
                };
                let Some(value) = value else {
                    return Err(self.mistake("a character is expected"));
                };
                self.at += 1 + length;
                self.expect("'")?;
                Ok(Expression::Number(i128::from(value)))
            }
            Some(c) if c.is_ascii_digit() => {
                let length = rest
                    .find(|c: char| !c.is_ascii_alphanumeric())
                    .unwrap_or(rest.len());
                let digits = rest[..length].trim_end_matches(['u', 'U', 'l', 'L']);
                let lower = digits.to_ascii_lowercase();
                let value = match (lower.strip_prefix("0x"), lower.strip_prefix("0b")) {
                    (Some(hex), _) => i128::from_str_radix(hex, 16),
                    (_, Some(binary)) => i128::from_str_radix(binary, 2),
                    _ if lower.len() > 1 && lower.starts_with('0') => {
                        i128::from_str_radix(&lower[1..], 8)
                    }
                    _ => lower.parse(),
                };
                let value = value.map_err(|_| self.mistake("this is no number"))?;
                self.at += length;
                Ok(Expression::Number(value))
            }
            Some(_) => Ok(Expression::Name(self.name()?)),
            None => Err(self.mistake("something is missing at the end")),
        }
    }
}

fn escaped(c: char) -> Option<u32> {
    Some(match c {
        'n' => 10,
        't' => 9,
        'r' => 13,
        '0' => 0,
        '\\' | '\'' | '"' => c as u32,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(n: i128) -> Box<Expression> {
        Box::new(Expression::Number(n))
    }

    #[test]
    fn operators_bind_as_in_c() {
        let sum = Expression::Binary(
            "+",
            number(1),
            Box::new(Expression::Binary("*", number(2), number(3))),
        );
        assert_eq!(parse("1 + 2*3"), Ok(sum.clone()));
        assert_eq!(parse("1+(2 * 3)"), Ok(sum));
        let left = Expression::Binary(
            "-",
            Box::new(Expression::Binary("-", number(5), number(2))),
            number(1),
        );
        assert_eq!(parse("5-2-1"), Ok(left));
        let shift = Expression::Binary(
            "<",
            Box::new(Expression::Binary("<<", number(1), number(2))),
            number(9),
        );
        assert_eq!(parse("1 << 2 < 9"), Ok(shift));
    }

    #[test]
    fn paths_are_read() {
        let name = |n: &str| Box::new(Expression::Name(n.into()));
        let path = Expression::Member(
            Box::new(Expression::Element(
                Box::new(Expression::Arrow(name("q"), "slots".into())),
                name("i"),
            )),
            "next".into(),
        );
        assert_eq!(parse("q->slots[i].next"), Ok(path));
        assert_eq!(
            parse("&*p"),
            Ok(Expression::Address(Box::new(Expression::Target(name("p")))))
        );
        assert_eq!(parse("'a'"), Ok(Expression::Number(97)));
        assert_eq!(parse("0x1Fu"), Ok(Expression::Number(31)));
        assert_eq!(parse("010"), Ok(Expression::Number(8)));
    }

    #[test]
    fn mistakes_have_a_place() {
        let cases = [
            ("", 0),
            ("1 +", 3),
            ("a.", 2),
            ("(a", 2),
            ("a b", 2),
            ("9z", 0),
            ("''", 2),
        ];
        for (text, at) in cases {
            let mistake = parse(text).expect_err(text);
            assert_eq!(mistake.at, at, "{text}: {mistake}");
        }
        assert!(parse(&"(".repeat(100_000)).is_err());
        assert!(parse(&"-".repeat(100_000)).is_err());
    }
}
