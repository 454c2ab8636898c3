//! The text form, read back.
//!
//! A hand-written reader for what [`crate::print()`] writes; it accepts nothing else, and never
//! panics on other text. Ids are not checked for existence here: that is [`crate::verify()`]'s task.

mod instructions;
mod tokens;

use crate::print::ORDERING;
use crate::*;
use std::fmt;
use tokens::{Token, tokens};

/// Why a text is not IR.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The line, from 1.
    pub line: u32,
    /// What was expected.
    pub what: String,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.what)
    }
}

/// Reads the text form.
pub fn read(text: &str) -> Result<Program, ReadError> {
    let tokens = tokens(text)?;
    let mut reader = Reader {
        tokens,
        at: 0,
        program: Program::new(DataModel::Lp64),
    };
    reader.program()?;
    Ok(reader.program)
}

struct Reader {
    tokens: Vec<(Token, u32)>,
    at: usize,
    program: Program,
}

type Read<T> = Result<T, ReadError>;

impl Reader {
    fn fail<T>(&self, what: impl Into<String>) -> Read<T> {
        let at = self.at.min(self.tokens.len().saturating_sub(1));
        Err(ReadError {
            line: self.tokens.get(at).map_or(1, |t| t.1),
            what: what.into(),
        })
    }

    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|t| &t.0)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Some(Token::Word(w)) if w == word)
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let yes = self.is_word(word);
        self.at += usize::from(yes);
        yes
    }

    fn eat(&mut self, c: char) -> bool {
        let yes = self.peek() == Some(&Token::Punct(c));
        self.at += usize::from(yes);
        yes
    }

    fn expect(&mut self, c: char) -> Read<()> {
        match self.eat(c) {
            true => Ok(()),
            false => self.fail(format!("expected `{c}`")),
        }
    }

    fn expect_word(&mut self, word: &str) -> Read<()> {
        match self.eat_word(word) {
            true => Ok(()),
            false => self.fail(format!("expected `{word}`")),
        }
    }

    fn end_line(&mut self) -> Read<()> {
        match self.peek() {
            Some(Token::NewLine) => {
                self.at += 1;
                Ok(())
            }
            _ => self.fail("expected the end of the line"),
        }
    }

    fn word(&mut self) -> Read<String> {
        match self.peek() {
            Some(Token::Word(w)) => {
                let w = w.clone();
                self.at += 1;
                Ok(w)
            }
            _ => self.fail("expected a word"),
        }
    }

    fn text(&mut self) -> Read<String> {
        match self.peek() {
            Some(Token::Text(t)) => {
                let t = t.clone();
                self.at += 1;
                Ok(t)
            }
            _ => self.fail("expected a text"),
        }
    }

    fn number<T: std::str::FromStr>(&mut self) -> Read<T> {
        let word = self.word()?;
        word.parse()
            .or_else(|_| self.fail(format!("expected a number, found `{word}`")))
    }

    fn ty(&mut self) -> Read<Ty> {
        let word = self.word()?;
        match Ty::from_name(&word) {
            Some(ty) => Ok(ty),
            None => self.fail(format!("expected a type, found `{word}`")),
        }
    }

    /// A word that begins with a sigil and ends in a number: `t4`, `b7`.
    fn numbered(&mut self, sigil: char) -> Read<u32> {
        let word = self.word()?;
        let number = word.strip_prefix(sigil).and_then(|n| n.parse().ok());
        match number {
            Some(n) => Ok(n),
            None => self.fail(format!("expected `{sigil}` and a number, found `{word}`")),
        }
    }

    fn type_id(&mut self) -> Read<TypeId> {
        self.numbered('t').map(TypeId)
    }

    fn optional_type(&mut self) -> Read<Option<TypeId>> {
        match self.peek() {
            Some(Token::Word(w)) if w.starts_with('t') => self.type_id().map(Some),
            _ => Ok(None),
        }
    }

    fn span(&mut self) -> Read<Span> {
        let word = self.word()?;
        let parts: Vec<Option<u32>> = word.split(':').map(|p| p.parse().ok()).collect();
        match parts[..] {
            [Some(file), Some(line), Some(column), Some(length)] => Ok(Span {
                file: FileId(file),
                line,
                column,
                length,
            }),
            _ => self.fail("expected a span"),
        }
    }

    fn program(&mut self) -> Read<()> {
        self.expect_word("raddle-ir")?;
        self.expect_word("1")?;
        self.end_line()?;
        self.expect_word("model")?;
        self.program.model = match self.word()?.as_str() {
            "ILP32" => DataModel::Ilp32,
            "LP64" => DataModel::Lp64,
            _ => return self.fail("expected ILP32 or LP64"),
        };
        self.end_line()?;
        self.expect_word("entry")?;
        self.program.entry = match self.operand()? {
            Operand::Function(id) => id,
            _ => return self.fail("expected a function"),
        };
        self.end_line()?;
        while self.at < self.tokens.len() {
            if self.peek() == Some(&Token::NewLine) {
                self.at += 1;
                continue;
            }
            match self.word()?.as_str() {
                "file" => {
                    let name = self.text()?;
                    self.program.files.push(name);
                }
                "assumption" => {
                    let what = self.text()?;
                    let span = self.span()?;
                    self.program.assumptions.push(Assumption { what, span });
                }
                "limit" => {
                    let word = self.word()?;
                    let Some(kind) = crate::LimitKind::ALL.into_iter().find(|k| k.name() == word)
                    else {
                        return self.fail(format!("there is no kind of limit `{word}`"));
                    };
                    let what = self.text()?;
                    let span = self.span()?;
                    self.program.limits.push(crate::Limit { kind, what, span });
                }
                "type" => {
                    let ty = self.debug_type()?;
                    self.program.types.push(ty);
                }
                "global" => {
                    let global = self.global()?;
                    self.program.globals.push(global);
                }
                "function" => {
                    let function = self.function()?;
                    self.program.functions.push(function);
                }
                other => return self.fail(format!("unknown line `{other}`")),
            }
            self.end_line()?;
        }
        Ok(())
    }

    fn debug_type(&mut self) -> Read<DebugType> {
        let kind = self.word()?;
        Ok(match kind.as_str() {
            "void" => DebugType::Void,
            "int" => {
                let name = self.text()?;
                let size = self.number()?;
                let signed = self.word()? == "signed";
                DebugType::Int { name, size, signed }
            }
            "float" => DebugType::Float {
                name: self.text()?,
                size: self.number()?,
            },
            "pointer" => DebugType::Pointer {
                to: self.type_id()?,
            },
            "array" => DebugType::Array {
                of: self.type_id()?,
                count: self.number()?,
            },
            "struct" | "union" => {
                let name = self.text()?;
                let size = self.number()?;
                self.expect('{')?;
                let mut fields = Vec::new();
                while !self.eat('}') {
                    let name = self.text()?;
                    let offset = self.number()?;
                    let ty = self.type_id()?;
                    let bits = match self.eat_word("bits") {
                        true => Some((self.number()?, self.number()?)),
                        false => None,
                    };
                    self.expect(',')?;
                    fields.push(Field {
                        name,
                        offset,
                        ty,
                        bits,
                    });
                }
                DebugType::Record {
                    name,
                    union: kind == "union",
                    size,
                    fields,
                }
            }
            "enum" => {
                let name = self.text()?;
                let size = self.number()?;
                self.expect('{')?;
                let mut constants = Vec::new();
                while !self.eat('}') {
                    let name = self.text()?;
                    let value = self.number()?;
                    self.expect(',')?;
                    constants.push(EnumConstant { name, value });
                }
                DebugType::Enum {
                    name,
                    size,
                    constants,
                }
            }
            "function" => DebugType::Function { name: self.text()? },
            other => return self.fail(format!("unknown type `{other}`")),
        })
    }

    fn global(&mut self) -> Read<Global> {
        let name = self.text()?;
        self.expect_word("size")?;
        let size = self.number()?;
        self.expect_word("align")?;
        let align = self.number()?;
        let ty = self.type_id()?;
        let thread_local = self.eat_word("thread_local");
        let constant = self.eat_word("constant");
        let external = self.eat_word("external");
        let span = self.span()?;
        self.expect('{')?;
        let mut init = Vec::new();
        while !self.eat('}') {
            let word = self.word()?;
            let offset = word.strip_suffix(':').and_then(|n| n.parse().ok());
            let Some(offset) = offset else {
                return self.fail("expected an offset");
            };
            let value = match self.peek() {
                Some(Token::Word(w)) if w.starts_with('x') => {
                    let bytes = unhex(&w[1..]);
                    self.at += 1;
                    match bytes {
                        Some(bytes) => InitValue::Bytes(bytes),
                        None => return self.fail("expected bytes"),
                    }
                }
                _ => {
                    let target = match self.operand()? {
                        Operand::Global { id, offset: 0 } => Target::Global(id),
                        Operand::Function(id) => Target::Function(id),
                        _ => return self.fail("expected an object or a function"),
                    };
                    InitValue::Address {
                        target,
                        addend: self.number()?,
                    }
                }
            };
            self.expect(',')?;
            init.push(Init { offset, value });
        }
        Ok(Global {
            name,
            size,
            align,
            ty,
            thread_local,
            constant,
            external,
            init,
            span,
        })
    }

    fn function(&mut self) -> Read<Function> {
        self.operand()?;
        let name = self.text()?;
        self.expect_word("params")?;
        let params = self.number()?;
        self.expect_word("returns")?;
        let ret = match self.eat_word("void") {
            true => None,
            false => Some(self.ty()?),
        };
        let library = self.eat_word("library");
        let assembly = self.eat_word("assembly");
        let span = self.span()?;
        self.expect('{')?;
        self.end_line()?;
        let mut function = Function {
            name,
            params,
            ret,
            locals: Vec::new(),
            slots: Vec::new(),
            blocks: Vec::new(),
            library,
            assembly,
            span,
        };
        loop {
            if self.eat_word("local") {
                function.locals.push(Local {
                    name: self.text()?,
                    ty: self.ty()?,
                    debug: self.optional_type()?,
                });
            } else if self.eat_word("slot") {
                let name = self.text()?;
                self.expect_word("size")?;
                let size = self.number()?;
                self.expect_word("align")?;
                let align = self.number()?;
                let debug = self.optional_type()?;
                function.slots.push(Slot {
                    name,
                    size,
                    align,
                    debug,
                });
            } else {
                break;
            }
            self.end_line()?;
        }
        while !self.eat('}') {
            let expected = format!("b{}:", function.blocks.len());
            self.expect_word(&expected)?;
            self.end_line()?;
            let block = self.block()?;
            function.blocks.push(block);
        }
        Ok(function)
    }

    fn block(&mut self) -> Read<Block> {
        let mut instrs = Vec::new();
        loop {
            if let Some(terminator) = self.terminator()? {
                self.expect(';')?;
                let terminator_span = self.span()?;
                self.end_line()?;
                return Ok(Block {
                    instrs,
                    terminator,
                    terminator_span,
                });
            }
            let op = self.op()?;
            self.expect(';')?;
            let span = self.span()?;
            let text = self.text()?;
            let text = self.program.intern(&text);
            self.end_line()?;
            instrs.push(Instr { op, span, text });
        }
    }

    fn operand(&mut self) -> Read<Operand> {
        let word = self.word()?;
        match parse_operand(&word) {
            Some(o) => Ok(o),
            None => self.fail(format!("expected an operand, found `{word}`")),
        }
    }

    fn local(&mut self) -> Read<LocalId> {
        match self.operand()? {
            Operand::Local(l) => Ok(l),
            _ => self.fail("expected a local"),
        }
    }

    fn slot(&mut self) -> Read<SlotId> {
        match self.operand()? {
            Operand::Slot { id, offset: 0 } => Ok(id),
            _ => self.fail("expected a slot"),
        }
    }

    fn block_id(&mut self) -> Read<BlockId> {
        self.numbered('b').map(BlockId)
    }

    fn comma_operand(&mut self) -> Read<Operand> {
        self.expect(',')?;
        self.operand()
    }

    fn operands(&mut self) -> Read<Vec<Operand>> {
        self.expect('(')?;
        let mut all = Vec::new();
        while !self.eat(')') {
            if !all.is_empty() {
                self.expect(',')?;
            }
            all.push(self.operand()?);
        }
        Ok(all)
    }

    fn ordering(&mut self) -> Read<Ordering> {
        let word = self.word()?;
        match find_in(&ORDERING, &word) {
            Some(o) => Ok(o),
            None => self.fail("expected an ordering"),
        }
    }

    fn memory_order(&mut self) -> Read<MemoryOrder> {
        match self.ordering()?.order() {
            Some(order) => Ok(order),
            None => self.fail("expected the ordering of an atomic access"),
        }
    }

    fn access(&mut self) -> Read<Access> {
        let mut access = Access::PLAIN;
        if let Some(Token::Word(w)) = self.peek()
            && let Some(o) = find_in(&ORDERING, w)
        {
            access.ordering = o;
            self.at += 1;
        }
        if self.eat_word("bits") {
            access.bits = Some(BitField {
                offset: self.number()?,
                width: self.number()?,
                location: self.number()?,
                signed: self.eat_word("signed"),
            });
        }
        if self.eat_word("keeps") {
            access.keeps = self.number()?;
        }
        Ok(access)
    }
}

fn find_in<K: Copy>(table: &[(K, &'static str)], name: &str) -> Option<K> {
    table.iter().find(|(_, n)| *n == name).map(|(k, _)| *k)
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|c| c.to_digit(16).map(|d| d as u8))
        .collect();
    let digits = digits?;
    if digits.len() % 2 != 0 {
        return None;
    }
    Some(digits.chunks(2).map(|d| d[0] << 4 | d[1]).collect())
}

fn parse_operand(word: &str) -> Option<Operand> {
    let sigil = word.chars().next()?;
    if sigil.is_ascii_digit() {
        let (bits, ty) = word.split_once(':')?;
        return Some(Operand::Const {
            ty: Ty::from_name(ty)?,
            bits: bits.parse().ok()?,
        });
    }
    let (_, rest) = word.split_once('#')?;
    let (number, offset) = match rest.find(['+', '-']) {
        Some(at) => (&rest[..at], rest[at..].parse().ok()?),
        None => (rest, 0),
    };
    let number = number.parse().ok()?;
    Some(match sigil {
        '%' => Operand::Local(LocalId(number)),
        '@' => Operand::Global {
            id: GlobalId(number),
            offset,
        },
        '$' => Operand::Slot {
            id: SlotId(number),
            offset,
        },
        '&' => Operand::Function(FuncId(number)),
        _ => return None,
    })
}
