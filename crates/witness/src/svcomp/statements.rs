//! Where statements begin in a C file, which names mean what there, and which instruction of the program comes first in each.
//!
//! Witnesses name places by line and column, where a statement begins, and speak of variables by their names; the program has spans of expressions, and registers. The
//! syntax tree is gone by then, so the text is looked at: its tokens and brackets are enough, because whatever is unclear is left out. A
//! statement counts only if its line begins with it; everything up to the next such line belongs to it.
//!
//! *Left out:* what stands behind labels, `case` and `else`; loops that begin with `do`; files with line markers, whose spans lead elsewhere.

use raddle_ir::{BlockId, FileId, FuncId, Location, Op, Program, Terminator};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Words a declaration does not begin with.
const STATEMENTS: [&str; 14] = [
    "return", "goto", "case", "else", "do", "if", "while", "for", "switch", "default", "break",
    "continue", "sizeof", "typedef",
];

/// A token, with the brackets around it.
struct Token<'a> {
    text: &'a str,
    line: u32,
    column: u32,
    /// How many blocks it is in.
    blocks: u32,
    /// It is in parentheses, brackets or an initialiser.
    nested: bool,
}

/// A name that is declared within a function.
struct Declared {
    at: usize,
    /// It is for a loop alone.
    nested: bool,
}

/// The text of a file, understood as far as it goes.
pub struct Text<'a> {
    tokens: Vec<Token<'a>>,
    /// By line: the line that its statement begins at.
    unit: HashMap<u32, u32>,
    /// The statements that begin their lines, with their first tokens.
    first: HashMap<u32, usize>,
}

/// Where an invariant can be said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// The file.
    pub file: FileId,
    /// The line.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// It is a loop, and what holds does so whenever its condition comes next.
    pub is_loop: bool,
}

impl<'a> Text<'a> {
    /// Looks at a text; nothing of it if it has line markers, or loops that end with their condition and have no braces.
    pub fn new(text: &'a str) -> Option<Text<'a>> {
        let tokens = tokens(text)?;
        let mut all = Text {
            tokens,
            unit: HashMap::new(),
            first: HashMap::new(),
        };
        all.find_units()?;
        Some(all)
    }

    fn word(&self, at: usize) -> &'a str {
        self.tokens.get(at).map_or("", |t| t.text)
    }

    fn find_units(&mut self) -> Option<()> {
        // Whether the block that ends at a token is the body of a loop that ends with its condition.
        let mut bodies: Vec<bool> = Vec::new();
        let mut after_body: BTreeSet<usize> = BTreeSet::new();
        let mut current = 0;
        for i in 0..self.tokens.len() {
            let before = match i.checked_sub(1) {
                Some(b) => self.word(b),
                None => "",
            };
            let token = &self.tokens[i];
            match token.text {
                "{" if !token.nested => bodies.push(before == "do"),
                "}" if !token.nested && bodies.pop() == Some(true) => {
                    after_body.insert(i + 1);
                }
                "do" if self.word(i + 1) != "{" => return None,
                _ => {}
            }
            let begins_line = i == 0 || self.tokens[i - 1].line != token.line;
            if !begins_line {
                continue;
            }
            let ended = [";", "{", "}", ""].contains(&before);
            if token.nested || !ended {
                self.unit.insert(token.line, current);
                continue;
            }
            current = token.line;
            self.unit.insert(token.line, current);
            let named = token
                .text
                .starts_with(|c: char| c.is_alphabetic() || "_*(".contains(c));
            let plain = !["else", "case", "default", "do"].contains(&token.text)
                && self.word(i + 1) != ":"
                && !after_body.contains(&i);
            if token.blocks > 0 && named && plain {
                self.first.insert(token.line, i);
            }
        }
        Some(())
    }

    /// The statement a line belongs to, by the line it begins at.
    fn unit(&self, line: u32) -> u32 {
        self.unit.get(&line).copied().unwrap_or(line)
    }

    /// The tokens of a function's body, by the place of its name.
    fn body(&self, line: u32, name: &str) -> Option<std::ops::Range<usize>> {
        let mut from = self.tokens.iter();
        let named =
            from.position(|t| t.line >= line && t.text == name && t.blocks == 0 && !t.nested)?;
        let opens = |t: &Token| t.text == "{" && t.blocks == 0 && !t.nested;
        let begin = named + self.tokens[named..].iter().position(opens)?;
        let closes = |t: &Token| t.text == "}" && t.blocks == 0 && !t.nested;
        let end = begin + self.tokens[begin..].iter().position(closes)?;
        Some(begin..end)
    }

    /// Everything that looks like a declaration of a name in a function's body.
    fn declared(&self, body: std::ops::Range<usize>) -> HashMap<&'a str, Vec<Declared>> {
        let mut all: HashMap<&str, Vec<Declared>> = HashMap::new();
        let mut inside = false;
        let mut depth = 0;
        for i in body {
            let (here, before) = (self.word(i), self.word(i.wrapping_sub(1)));
            let in_loop = before == "(" && self.word(i.wrapping_sub(2)) == "for";
            if [";", "{", "}"].contains(&before) && !self.tokens[i].nested || in_loop {
                let next = self.word(i + 1);
                inside = is_name(here)
                    && !STATEMENTS.contains(&here)
                    && (is_name(next) || next == "*" || next == "(");
                depth = 0;
            }
            match here {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                ";" => inside = false,
                _ => {}
            }
            let ends = [",", ";", "=", "[", ":", ")"].contains(&self.word(i + 1));
            let alone = depth == 0 || before == "*";
            if inside && alone && is_name(here) && ends && before != "=" {
                let nested = self.tokens[i].nested;
                all.entry(here)
                    .or_default()
                    .push(Declared { at: i, nested });
            }
        }
        all
    }

    /// The names that mean what they meant outside the function, out of some; and the variables of the function that are in scope at a statement.
    pub fn scope(&self, statement: &Statement, line: u32, function: &str) -> Option<Scope<'a>> {
        let body = self.body(line, function)?;
        let here = *self.first.get(&statement.line)?;
        if !body.contains(&here) {
            return None;
        }
        let declared = self.declared(body.clone());
        let mut own = BTreeSet::new();
        for (name, places) in &declared {
            if let [one] = &places[..]
                && !one.nested
                && one.at < here
            {
                let depth = self.tokens[one.at].blocks;
                let between = &self.tokens[one.at..=here];
                if between.iter().all(|t| t.blocks >= depth) {
                    own.insert(*name);
                }
            }
        }
        Some(Scope {
            own,
            hidden: declared.into_keys().collect(),
        })
    }

    /// Whether a name is declared outside of all functions, before a line.
    pub fn is_outside(&self, name: &str, declared: u32, used: u32) -> bool {
        let mut at = self.tokens.iter();
        declared < used
            && at.any(|t| t.line == declared && t.text == name && t.blocks == 0 && !t.nested)
    }
}

/// What names mean at a statement.
pub struct Scope<'a> {
    /// Variables of the function that can be named there.
    pub own: BTreeSet<&'a str>,
    /// Names that may mean a variable of the function somewhere in it.
    pub hidden: BTreeSet<&'a str>,
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn tokens(text: &str) -> Option<Vec<Token<'_>>> {
    let bytes = text.as_bytes();
    let mut all: Vec<Token> = Vec::new();
    let mut open: Vec<bool> = Vec::new();
    let (mut at, mut line, mut begin) = (0, 1, 0);
    let mut fresh = true;
    while at < bytes.len() {
        let rest = &text.as_bytes()[at..];
        let byte = bytes[at];
        if byte == b'\n' {
            (line, begin, fresh) = (line + 1, at + 1, true);
            at += 1;
            continue;
        }
        let skipped = if rest.starts_with(b"//") {
            rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len())
        } else if rest.starts_with(b"/*") {
            let end = rest[2..].windows(2).position(|w| w == b"*/")?;
            end + 4
        } else if byte == b'#' && fresh {
            directive(rest)?
        } else if byte.is_ascii_whitespace() {
            1
        } else {
            0
        };
        if skipped > 0 {
            for (i, _) in rest[..skipped].iter().enumerate().filter(|b| *b.1 == b'\n') {
                (line, begin) = (line + 1, at + i + 1);
            }
            fresh |= byte == b'#';
            at += skipped;
            continue;
        }
        fresh = false;
        let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80;
        let length = match byte {
            b'"' | b'\'' => quoted(rest)?,
            b if word(&b) => rest.iter().take_while(|b| word(b)).count(),
            _ => 1,
        };
        let token = &text[at..at + length];
        let before = all.last().map_or("", |t| t.text);
        if matches!(token, ")" | "]" | "}") {
            open.pop();
        }
        all.push(Token {
            text: token,
            line,
            column: (at - begin + 1) as u32,
            blocks: open.iter().filter(|block| **block).count() as u32,
            nested: open.contains(&false),
        });
        match token {
            "(" | "[" => open.push(false),
            "{" => open.push(!open.contains(&false) && before != "=" && before != ","),
            _ => {}
        }
        at += length;
    }
    Some(all)
}

/// How long a directive is, with lines that go on; nothing for a line marker.
fn directive(rest: &[u8]) -> Option<usize> {
    let name = rest[1..].iter().copied();
    let name: Vec<u8> = name
        .skip_while(|b| *b == b' ' || *b == b'\t')
        .take(4)
        .collect();
    if name.first().is_some_and(u8::is_ascii_digit) || name == b"line" {
        return None;
    }
    let mut end = 0;
    while end < rest.len() && (rest[end] != b'\n' || rest[end - 1] == b'\\') {
        end += 1;
    }
    Some(end)
}

fn quoted(rest: &[u8]) -> Option<usize> {
    let mut at = 1;
    while *rest.get(at)? != rest[0] {
        if rest[at] == b'\n' {
            return None;
        }
        at += if rest[at] == b'\\' { 2 } else { 1 };
    }
    Some(at + 1)
}

/// The places of a program at which a statement begins.
pub fn statements(
    program: &Program,
    texts: &HashMap<FileId, Text>,
) -> BTreeMap<Location, Vec<Statement>> {
    let mut all: BTreeMap<Location, Vec<Statement>> = BTreeMap::new();
    // How many functions have a file and a line in common decides whether a place is clear.
    let mut seen: HashMap<(FileId, u32, bool), u32> = HashMap::new();
    for f in 0..program.functions.len() {
        for (at, statement) in of_function(program, FuncId(f as u32), texts) {
            let key = (statement.file, statement.line, statement.is_loop);
            *seen.entry(key).or_default() += 1;
            all.entry(at).or_default().push(statement);
        }
    }
    for of_place in all.values_mut() {
        of_place.retain(|s| seen[&(s.file, s.line, s.is_loop)] == 1);
    }
    all
}

/// The next instruction or decision at or behind a place: jumps, and the life of objects, are passed.
fn settle(program: &Program, mut at: Location) -> Option<Location> {
    let function = program.function(at.function);
    for _ in 0..10_000 {
        let block = function.block(at.block);
        match (block.instrs.get(at.index as usize), &block.terminator) {
            (Some(i), _) if passes(&i.op) => at.index += 1,
            (None, Terminator::Goto(to)) => {
                at = Location {
                    block: *to,
                    index: 0,
                    ..at
                }
            }
            _ => return Some(at),
        }
    }
    None
}

fn passes(op: &Op) -> bool {
    matches!(op, Op::StorageLive { .. } | Op::StorageDead { .. })
}

fn of_function(
    program: &Program,
    id: FuncId,
    texts: &HashMap<FileId, Text>,
) -> Vec<(Location, Statement)> {
    let function = program.function(id);
    let unit = |at: Location| {
        let span = program.span_of(at);
        let text = texts.get(&span.file);
        (span.file, text.map_or(span.line, |t| t.unit(span.line)))
    };
    if function.library || !function.has_body() {
        return Vec::new();
    }
    let place = |block: BlockId, index: u32| Location {
        function: id,
        block,
        index,
    };
    // The places that come directly behind another statement.
    let mut begins: BTreeSet<Location> =
        settle(program, place(BlockId(0), 0)).into_iter().collect();
    for (b, block) in function.blocks.iter().enumerate() {
        let b = BlockId(b as u32);
        for (i, instr) in block.instrs.iter().enumerate() {
            let (here, next) = (place(b, i as u32), place(b, i as u32 + 1));
            if !passes(&instr.op) {
                let next = settle(program, next);
                begins.extend(next.filter(|n| unit(*n) != unit(here)));
            }
        }
        if matches!(block.terminator, Terminator::Goto(_)) {
            continue;
        }
        let here = place(b, block.instrs.len() as u32);
        for to in successors(&block.terminator) {
            let next = settle(program, place(to, 0));
            begins.extend(next.filter(|n| unit(*n) != unit(here)));
        }
    }
    let mut found = Vec::new();
    let statement = |at: Location, is_loop: bool| {
        let (file, line) = unit(at);
        let text = texts.get(&file)?;
        let token = &text.tokens[*text.first.get(&line)?];
        let keyword = ["while", "for"].contains(&token.text);
        (keyword == is_loop).then_some(Statement {
            file,
            line,
            column: token.column,
            is_loop,
        })
    };
    for at in begins {
        found.extend(statement(at, false).map(|s| (at, s)));
    }
    for head in heads(function) {
        // A loop without condition has a head that only jumps; its place in the text is that of the jump.
        let place = place(head, 0);
        let at = settle(program, place);
        found.extend(at.zip(statement(place, true)));
    }
    found
}

fn successors(terminator: &Terminator) -> Vec<BlockId> {
    match terminator {
        Terminator::Goto(b) => vec![*b],
        Terminator::Branch {
            then, otherwise, ..
        } => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            let cases = cases.iter().map(|c| c.1);
            cases.chain([*default]).collect()
        }
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    }
}

/// The blocks that a depth-first search comes back to.
fn heads(function: &raddle_ir::Function) -> BTreeSet<BlockId> {
    let mut heads = BTreeSet::new();
    let mut state = vec![0u8; function.blocks.len()];
    let mut work = vec![(BlockId(0), 0)];
    state[0] = 1;
    while let Some((block, next)) = work.pop() {
        let all = successors(&function.block(block).terminator);
        let Some(to) = all.get(next) else {
            state[block.0 as usize] = 2;
            continue;
        };
        work.push((block, next + 1));
        match state[to.0 as usize] {
            0 => {
                state[to.0 as usize] = 1;
                work.push((*to, 0));
            }
            1 => drop(heads.insert(*to)),
            _ => {}
        }
    }
    heads
}
