//! Correctness witnesses: what holds where, as far as C can say it.
//!
//! In YAML (format 2.0) a set of invariants, each at the beginning of a statement or of a loop, over variables in scope there. Such an invariant holds whenever
//! a thread stands there, whatever the others are doing, where an atomic region counts as one step. The set may be empty. In GraphML (format 1.0) the automaton with a single state,
//! which says nothing but that the program is correct: a state of that format belongs to one point of all threads' runs, and there is none to speak of.

use super::expression::{condition, path};
use super::statements::{Scope, Statement, Text, statements};
use super::{Task, graphml, specification, yaml};
use raddle_ir::{FileId, Location, Program, Property, TypeId};
use raddle_verdict::{Formula, Invariant, Variable};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// More ways to hold than this, and only what they have in common is said.
const WAYS: usize = 4;

/// The places of a program of which something can be said.
pub struct Places<'a> {
    program: &'a Program,
    texts: HashMap<FileId, Text<'a>>,
    statements: BTreeMap<Location, Vec<Statement>>,
}

/// Something that holds at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The file.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The function it is in.
    pub function: String,
    /// It holds whenever the condition of the loop there comes next.
    pub is_loop: bool,
    /// What holds, in C.
    pub value: String,
}

impl<'a> Places<'a> {
    /// Looks for the statements of a program in its files.
    pub fn new(program: &'a Program, files: &'a [(String, Vec<u8>)]) -> Places<'a> {
        let mut texts = HashMap::new();
        for (id, name) in program.files.iter().enumerate() {
            let file = files.iter().find(|(n, _)| n == name);
            let text = file.and_then(|(_, bytes)| std::str::from_utf8(bytes).ok());
            if let Some(text) = text.and_then(Text::new) {
                texts.insert(FileId(id as u32), text);
            }
        }
        let statements = statements(program, &texts);
        Places {
            program,
            texts,
            statements,
        }
    }

    /// The places at which statements begin.
    pub fn all(&self) -> BTreeSet<Location> {
        self.only(|_| true)
    }

    /// Those at which loops do.
    pub fn loops(&self) -> BTreeSet<Location> {
        self.only(|s| s.is_loop)
    }

    fn only(&self, wanted: impl Fn(&Statement) -> bool) -> BTreeSet<Location> {
        let all = self.statements.iter();
        let all = all.filter(|(_, s)| s.iter().any(&wanted));
        all.map(|(at, _)| *at).collect()
    }

    /// What can be said of invariants.
    pub fn claims(&self, invariants: &[Invariant]) -> Vec<Claim> {
        let mut claims = Vec::new();
        for invariant in invariants {
            for statement in self.statements.get(&invariant.at).into_iter().flatten() {
                let Some(value) = self.value(invariant, statement) else {
                    continue;
                };
                let function = self.program.function(invariant.at.function);
                claims.push(Claim {
                    file: self.program.files[statement.file.0 as usize].clone(),
                    line: statement.line,
                    column: statement.column,
                    function: function.name.clone(),
                    is_loop: statement.is_loop,
                    value,
                });
            }
        }
        claims.sort_by(|a, b| (&a.file, a.line, a.is_loop).cmp(&(&b.file, b.line, b.is_loop)));
        claims
    }

    /// An invariant as a C expression; `None` if nothing is left of it.
    fn value(&self, invariant: &Invariant, statement: &Statement) -> Option<String> {
        let text = self.texts.get(&statement.file)?;
        let function = self.program.function(invariant.at.function);
        let scope = text.scope(statement, function.span.line, &function.name)?;
        let name = |v: &Variable| self.name(invariant.at, statement, text, &scope, v);
        let say = |f: &Formula| condition(self.program, &name, f);
        let ways = invariant.ways.iter();
        let ways: BTreeSet<BTreeSet<String>> =
            ways.map(|w| w.iter().filter_map(say).collect()).collect();
        let mut all = ways.iter();
        let mut common = all.next()?.clone();
        for way in all {
            common.retain(|c| way.contains(c));
        }
        let mut parts: Vec<String> = common.iter().cloned().collect();
        let rest: Vec<BTreeSet<&String>> = ways
            .iter()
            .map(|w| w.difference(&common).collect())
            .collect();
        if rest.len() <= WAYS && rest.iter().all(|r| !r.is_empty()) {
            let way = |r: &BTreeSet<&String>| {
                let all: Vec<&str> = r.iter().map(|s| s.as_str()).collect();
                format!("({})", all.join(" && "))
            };
            let either: Vec<String> = rest.iter().map(way).collect();
            parts.push(format!("({})", either.join(" || ")));
        }
        (!parts.is_empty()).then(|| parts.join(" && "))
    }

    /// What a variable is called at a statement, if it is in scope and means that there.
    fn name(
        &self,
        at: Location,
        statement: &Statement,
        text: &Text,
        scope: &Scope,
        variable: &Variable,
    ) -> Option<(String, TypeId)> {
        let program = self.program;
        let function = program.function(at.function);
        let locals = function.locals.iter().map(|l| &l.name);
        let same = |name: &str| {
            let slots = function.slots.iter().map(|s| &s.name);
            locals.clone().chain(slots).filter(|n| *n == name).count()
        };
        // A parameter is in scope wherever nothing else of that name can be.
        let usable = |name: &str, parameter: bool| {
            let own = match parameter {
                true => !scope.hidden.contains(name),
                false => scope.own.contains(name),
            };
            !name.is_empty() && own && same(name) == 1
        };
        match *variable {
            Variable::Global { id, offset, size } => {
                let global = program.global(id);
                let outside = global.span.file == statement.file
                    && text.is_outside(&global.name, global.span.line, statement.line);
                let hidden = scope.hidden.contains(&global.name[..]) || same(&global.name) > 0;
                let twice = program.globals.iter().filter(|g| g.name == global.name);
                if !outside || hidden || twice.count() > 1 {
                    return None;
                }
                path(program, global.ty, offset, size, global.name.clone())
            }
            Variable::Slot { id, offset, size } => {
                let slot = &function.slots[id.0 as usize];
                let named = usable(&slot.name, false);
                named.then_some(())?;
                path(program, slot.debug?, offset, size, slot.name.clone())
            }
            Variable::Local(id) => {
                let local = function.local(id);
                let named = usable(&local.name, id.0 < function.params);
                let size = local.ty.bytes(program.model);
                named.then_some(())?;
                path(program, local.debug?, 0, size, local.name.clone())
            }
        }
    }
}

fn specifications(properties: &[Property]) -> String {
    let all: Vec<String> = properties.iter().map(|p| specification(*p)).collect();
    all.join("\n")
}

/// A correctness witness in YAML.
pub fn correctness_yaml(task: &Task, properties: &[Property], claims: &[Claim]) -> String {
    let text = yaml::text;
    let entry = ("invariant_set", "2.0");
    let specification = specifications(properties);
    let mut out = yaml::metadata(task, entry, &specification, &format!("{claims:?}"));
    if claims.is_empty() {
        return out + "  content: []\n";
    }
    out += "  content:\n";
    for c in claims {
        let kind = match c.is_loop {
            true => "loop_invariant",
            false => "location_invariant",
        };
        out += &format!(
            "    - invariant:\n        type: {kind}\n        location:\n          file_name: {}\n          line: {}\n          column: {}\n          function: {}\n        value: {}\n        format: c_expression\n",
            text(&c.file),
            c.line,
            c.column,
            text(&c.function),
            text(&c.value)
        );
    }
    out
}

/// A correctness witness in GraphML.
pub fn correctness_graphml(task: &Task, properties: &[Property]) -> String {
    let specification = specifications(properties);
    let mut out = graphml::opening(task, "correctness_witness", &specification);
    out += "    <node id=\"n0\">\n";
    out += &graphml::data("      ", "entry", "true");
    out + "    </node>\n  </graph>\n</graphml>\n"
}
