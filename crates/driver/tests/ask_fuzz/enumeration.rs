//! Everything that can be seen from a state on: all interleavings of single instructions, without any cleverness but that no state is entered twice.

use raddle_interp::memory::ObjectKind;
use raddle_interp::thread::ThreadStatus;
use raddle_interp::{Choice, Choices, End, Logged, Machine, Observed, Outcome, Snapshot, ThreadId};
use raddle_ir::{GlobalId, Location, Program};
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What was seen.
#[derive(Debug, Default)]
pub struct Seen {
    /// Who was at which line.
    pub lines: BTreeSet<(u32, u32)>,
    /// The same for what was passed inside of regions, where nobody stands.
    pub passed: BTreeSet<(u32, u32)>,
    /// A region was refused: who knows what was passed in it.
    pub refused: bool,
    /// Who was at which line while who was at which other one.
    pub pairs: BTreeSet<((u32, u32), (u32, u32))>,
    /// Lines of which two threads had conflicting accesses next.
    pub races: BTreeSet<(u32, u32)>,
    /// Lines at which assertions failed.
    pub failed: BTreeSet<u32>,
    /// By line, thread and variable: its values, as text.
    pub values: BTreeMap<(u32, u32, u32), BTreeSet<String>>,
    /// Not everything was seen.
    pub cut: bool,
    /// Values were drawn from a list.
    pub sampled: bool,
    states: HashSet<u128>,
    steps: u64,
}

/// What is looked at.
pub struct Watch<'a> {
    pub most: u64,
    pub races: bool,
    pub variables: &'a [GlobalId],
    /// Where lines begin.
    pub entries: &'a BTreeSet<Location>,
    pub values: &'a [i128],
}

/// The line a thread is at, in the user's code.
pub fn line_of(machine: &Machine<'_>, t: ThreadId) -> Option<(u32, Location, bool)> {
    let thread = machine.thread(t);
    if thread.status != ThreadStatus::Active {
        return None;
    }
    let frames: Vec<_> = thread.stack().collect();
    for (n, frame) in frames.iter().enumerate().rev() {
        if machine.program.function(frame.function).library {
            continue;
        }
        let innermost = n + 1 == frames.len();
        let mut at = frame.location();
        if !innermost {
            at.index -= 1;
        }
        return Some((machine.program.span_of(at).line, at, innermost));
    }
    None
}

impl Seen {
    /// Goes through everything from the state of a machine.
    pub fn visit(&mut self, machine: &mut Machine<'_>, watch: &Watch<'_>) {
        let mut todo: Vec<Snapshot> = vec![machine.snapshot()];
        while let Some(here) = todo.pop() {
            machine.restore(&here);
            if let Some(end) = machine.end() {
                match end {
                    End::Violation(v) => {
                        let v = v.as_ref().clone();
                        self.failed.insert(machine.program.span_of(v.at).line);
                    }
                    End::Limit(_) => self.cut = true,
                    _ => {}
                }
                continue;
            }
            if !self.states.insert(machine.digest()) {
                continue;
            }
            if self.steps > watch.most {
                self.cut = true;
                return;
            }
            self.look(machine, watch);
            let mut accesses: Vec<(ThreadId, Vec<Logged>)> = Vec::new();
            for t in machine.enabled() {
                let mut answers = Some(Vec::new());
                while let Some(script) = answers {
                    let mut script = Script::new(watch.values, script);
                    machine.restore(&here);
                    machine.take_observed();
                    self.steps += 1;
                    let (outcome, log) = machine.step_logged(t, &mut script);
                    self.sampled |= script.sampled;
                    answers = script.next();
                    let observed = machine.take_observed();
                    if outcome == Outcome::Refused {
                        self.refused = true;
                        continue;
                    }
                    for o in observed {
                        let Observed::Executes { stack, .. } = o else {
                            continue;
                        };
                        for at in stack.iter().filter(|at| is_users(machine.program, **at)) {
                            let line = machine.program.span_of(*at).line;
                            self.passed.insert((t.0, line));
                        }
                    }
                    accesses.push((t, log));
                    todo.push(machine.snapshot());
                }
            }
            if watch.races {
                self.note_races(machine.program, &accesses);
            }
        }
    }

    fn look(&mut self, machine: &Machine<'_>, watch: &Watch<'_>) {
        let all: Vec<(u32, u32)> = machine
            .threads()
            .filter_map(|t| Some((t.0, line_of(machine, t)?.0)))
            .collect();
        for a in &all {
            self.lines.insert(*a);
            for b in all.iter().filter(|b| b.0 != a.0) {
                self.pairs.insert((*a, *b));
            }
        }
        for t in machine.threads() {
            let Some((line, at, true)) = line_of(machine, t) else {
                continue;
            };
            if !watch.entries.contains(&at) {
                continue;
            }
            for g in watch.variables {
                if let Some(value) = value(machine, *g) {
                    let key = (line, t.0, g.0);
                    self.values.entry(key).or_default().insert(value);
                }
            }
        }
    }

    fn note_races(&mut self, program: &Program, accesses: &[(ThreadId, Vec<Logged>)]) {
        let line = |l: &Logged| program.span_of(l.at).line;
        for (n, (t, mine)) in accesses.iter().enumerate() {
            for (_, theirs) in accesses[n + 1..].iter().filter(|(u, _)| u != t) {
                for (a, b) in mine.iter().flat_map(|a| theirs.iter().map(move |b| (a, b))) {
                    let overlap = a.object == b.object
                        && a.offset < b.offset + b.length
                        && b.offset < a.offset + a.length;
                    let ordered = a.atomic && b.atomic || a.in_block && b.in_block;
                    if overlap && (a.write || b.write) && !ordered {
                        self.races.insert((line(a), line(b)));
                        self.races.insert((line(b), line(a)));
                    }
                }
            }
        }
    }
}

fn is_users(program: &Program, at: Location) -> bool {
    !program.function(at.function).library
}

/// The value of a global variable, as text.
fn value(machine: &Machine<'_>, g: GlobalId) -> Option<String> {
    let memory = machine.memory();
    let is_it = |id: &_| memory.object(*id).kind == ObjectKind::Global(g);
    let id = memory.ids().find(is_it)?;
    machine.describe_value(memory, id, 0, machine.program.global(g).size)
}

struct Script<'a> {
    values: &'a [i128],
    answers: Vec<u32>,
    asked: Vec<u32>,
    sampled: bool,
}

impl<'a> Script<'a> {
    fn new(values: &'a [i128], answers: Vec<u32>) -> Script<'a> {
        Script {
            values,
            answers,
            asked: Vec::new(),
            sampled: false,
        }
    }

    fn next(&self) -> Option<Vec<u32>> {
        let mut answers = self.answers.clone();
        answers.resize(self.asked.len(), 0);
        while let Some(last) = answers.pop() {
            if last + 1 < self.asked[answers.len()] {
                answers.push(last + 1);
                return Some(answers);
            }
        }
        None
    }
}

impl Choices for Script<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let answer = self.answers.get(self.asked.len()).copied().unwrap_or(0);
        let (count, value) = match (choice.options, choice.bits) {
            (0, 1) => (2, u128::from(answer)),
            (0, bits) => {
                self.sampled = true;
                let value = self.values[answer as usize] as u128;
                let value = match bits < 128 {
                    true => value & ((1 << bits) - 1),
                    false => value,
                };
                (self.values.len() as u32, value)
            }
            (options, _) => (options, u128::from(answer)),
        };
        self.asked.push(count);
        value
    }
}
