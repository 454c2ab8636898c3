//! A schedule told step by step: who did what in which line, and what changed.
//!
//! The schedule is run once more and everything it does is observed. A step of the interpreter is one visible operation and the
//! invisible ones behind it; here it becomes one scene for the visible operation, and one for every further line that changed
//! something others can see. Lines of the modelled library are told as the line of the user's that called it.

use crate::arrows::{Arrow, Links};
use crate::external::{Listening, Returned, told};
use crate::lvalue;
use raddle_interp::memory::{Memory, ObjectKind};
use raddle_interp::observe::Observed;
use raddle_interp::schedule::{Event, Schedule};
use raddle_interp::schedulers::{Replay, Runner};
use raddle_interp::value::ObjectId;
use raddle_interp::{Config, Machine, ThreadId};
use raddle_ir::{ChoiceClass, Location, Program};

/// A run, as a reader wants to see it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Story {
    /// The threads, by number.
    pub threads: Vec<Actor>,
    /// What they did, in order.
    pub scenes: Vec<Scene>,
    /// What followed from what, across threads.
    pub arrows: Vec<Arrow>,
}

/// A thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Actor {
    /// The function it began with; for thread 0, `main`.
    pub function: String,
    /// Where it was made.
    pub created: Option<Location>,
}

/// Something a thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scene {
    /// Who.
    pub thread: ThreadId,
    /// In which step of the schedule, from 1.
    pub step: u64,
    /// Where, in the user's code.
    pub at: Location,
    /// What others can see of it.
    pub changes: Vec<Change>,
    /// The locks the thread holds behind it.
    pub held: Vec<String>,
}

/// How much is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Visible operations, and lines that change something.
    Steps,
    /// Every line.
    Lines,
}

/// A value that changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Of what: `buffer.count`.
    pub name: String,
    /// Before; `None` if it was not there.
    pub before: Option<String>,
    /// After.
    pub after: String,
}

/// Tells a schedule.
pub fn story(program: &Program, schedule: &Schedule, detail: Detail) -> Story {
    observe(program, schedule, detail, &mut |_, _| {})
}

/// The same for somebody who also looks at the state before the first step and behind each, told whether it was the last.
pub(crate) fn observe(
    program: &Program,
    schedule: &Schedule,
    detail: Detail,
    look: &mut dyn FnMut(&Machine<'_>, bool),
) -> Story {
    let config = Config {
        checks: schedule.checks,
        spurious_wakeups: schedule.spurious_wakeups,
        reuse_addresses: schedule.reuse_addresses,
        output: false,
        observe: true,
        ..Config::default()
    };
    let heard = heard(program, schedule, config.clone());
    let mut heard = heard.into_iter().peekable();
    let mut replay = Replay::new(schedule);
    let mut runner = Runner::new(&mut replay);
    let mut machine = runner.start(program, config);
    let mut scenes = Vec::new();
    let mut links = Links::default();
    let mut taken = 0;
    machine.take_observed();
    look(&machine, false);
    while let Some((_, returned)) = heard.next_if(|(step, _)| *step == 0) {
        tell(program, &returned, 0, 0, &mut scenes);
    }
    loop {
        let before = machine.memory().clone();
        links.before(&machine);
        let over = runner.step(&mut machine).is_some();
        let observed = machine.take_observed();
        let (first, step) = (scenes.len(), machine.steps());
        let teller = Teller {
            program,
            machine: &machine,
            before,
            detail,
        };
        teller.step(&observed, &mut scenes);
        links.after(program, &machine, &observed);
        look(&machine, over);
        taken += 1;
        while let Some((_, returned)) = heard.next_if(|(step, _)| *step <= taken) {
            tell(program, &returned, step, first, &mut scenes);
        }
        if over {
            break;
        }
    }
    let arrows = links.arrows(&scenes);
    let function = |t: ThreadId| match t.0 {
        0 => "main".to_string(),
        _ => program.function(machine.thread(t).start).name.clone(),
    };
    let threads = machine.threads().map(|t| Actor {
        function: function(t),
        created: machine.thread(t).created_at,
    });
    Story {
        threads: threads.collect(),
        scenes,
        arrows,
    }
}

/// What functions without a body return, and in which of the runner's steps; 0 before the first.
fn heard(program: &Program, schedule: &Schedule, config: Config) -> Vec<(u64, Returned)> {
    let mut listening = Listening::new(schedule);
    let mut ends = Vec::new();
    {
        let config = Config {
            observe: false,
            ..config
        };
        let external =
            |e: &&Event| matches!(e, Event::Choice { kind, .. } if *kind == ChoiceClass::External);
        if !schedule.events.iter().any(|e| external(&e)) {
            return Vec::new();
        }
        let mut runner = Runner::new(&mut listening);
        let mut machine = runner.start(program, config);
        loop {
            ends.push(runner.events.iter().filter(external).count());
            if runner.step(&mut machine).is_some() {
                break;
            }
        }
    }
    let step_of = |index: usize| ends.iter().position(|end| index < *end);
    let all = listening.heard.iter().enumerate();
    all.filter_map(|(index, (choice, value))| {
        let returned = told(program, choice, *value)?;
        Some((step_of(index).unwrap_or(ends.len()) as u64, returned))
    })
    .collect()
}

/// Adds what a function without a body returned, to the scene of its line if there is one.
fn tell(program: &Program, returned: &Returned, step: u64, first: usize, scenes: &mut Vec<Scene>) {
    let change = Change {
        name: format!("result of `{}`", returned.function),
        before: None,
        after: returned.shown(program.model),
    };
    let line = |at: Location| (program.span_of(at).line, at.function);
    let same = |s: &&mut Scene| s.thread == returned.thread && line(s.at) == line(returned.at);
    let first = first.min(scenes.len());
    match scenes[first..].iter_mut().find(same) {
        Some(scene) => scene.changes.insert(0, change),
        None => scenes.push(Scene {
            thread: returned.thread,
            step,
            at: returned.at,
            changes: vec![change],
            held: Vec::new(),
        }),
    }
}

struct Teller<'a, 'p> {
    program: &'a Program,
    machine: &'a Machine<'p>,
    before: Memory,
    detail: Detail,
}

impl Teller<'_, '_> {
    /// Adds the scenes of one step.
    fn step(&self, observed: &[Observed], scenes: &mut Vec<Scene>) {
        let step = self.machine.steps();
        let mut here: Option<Scene> = None;
        let mut in_library = false;
        let mut executed = None;
        let first = scenes.len();
        // A thread that was made runs up to where others can see it: that is no step of its own.
        let stepped = observed.iter().find_map(|o| match o {
            Observed::Executes { thread, .. } => Some(*thread),
            _ => None,
        });
        for what in observed {
            match what {
                Observed::Executes {
                    thread,
                    stack,
                    held,
                    ..
                } => {
                    if let Some(scene) = &mut here {
                        scene.held = self.locks(held);
                    }
                    in_library = stack.last().is_some_and(|at| self.is_library(*at));
                    executed = stack.last().copied();
                    let at = stack.iter().rev().find(|at| !self.is_library(**at));
                    let Some(at) = at.filter(|at| self.program.span_of(**at).is_somewhere()) else {
                        continue;
                    };
                    let same = |s: &Scene| s.thread == *thread && self.is_same_line(s.at, *at);
                    if !here.as_ref().is_some_and(same) {
                        self.keep(here.take(), stepped, first, scenes);
                        here = Some(Scene {
                            thread: *thread,
                            step,
                            at: *at,
                            changes: Vec::new(),
                            held: self.locks(held),
                        });
                    }
                }
                Observed::Touched {
                    object,
                    offset,
                    length,
                    write: true,
                } if !in_library => {
                    let o = self.machine.memory().object(*object);
                    let Some(scene) = here.as_mut().filter(|_| o.shared) else {
                        continue;
                    };
                    let value = |memory| {
                        let machine = self.machine;
                        machine.describe_value(memory, *object, *offset, *length)
                    };
                    let (before, after) = (value(&self.before), value(self.machine.memory()));
                    let name = self.name(executed, *object, *offset);
                    let known = scene.changes.iter().any(|c| c.name == name);
                    if let Some(after) = after.filter(|a| before.as_ref() != Some(a) && !known) {
                        scene.changes.push(Change {
                            name,
                            before,
                            after,
                        });
                    }
                }
                _ => {}
            }
        }
        if let Some(scene) = &mut here {
            let held = self.machine.thread(scene.thread).held.iter();
            let held: Vec<(ObjectId, u64)> = held.map(|h| (h.object, h.offset)).collect();
            scene.held = self.locks(&held);
        }
        self.keep(here, stepped, first, scenes);
    }

    fn locks(&self, held: &[(ObjectId, u64)]) -> Vec<String> {
        let names = held.iter();
        names
            .map(|(o, at)| self.machine.place_name(*o, *at))
            .collect()
    }

    /// What is written, as the program calls it; heap objects have no other names.
    fn name(&self, at: Option<Location>, object: ObjectId, offset: u64) -> String {
        let heap = self.machine.memory().object(object).kind == ObjectKind::Heap;
        let instr = at.filter(|_| heap).and_then(|at| self.program.instr(at));
        let source = instr.and_then(|i| lvalue(self.program.text(i.text)));
        source.map_or_else(|| self.machine.place_name(object, offset), str::to_string)
    }

    /// The first scene of a step is what it is about; of the others, those that change something.
    fn keep(
        &self,
        scene: Option<Scene>,
        stepped: Option<ThreadId>,
        first: usize,
        scenes: &mut Vec<Scene>,
    ) {
        let Some(scene) = scene else { return };
        let told = self.detail == Detail::Lines || !scene.changes.is_empty();
        let begins = stepped != Some(scene.thread);
        if (scenes.len() > first || begins) && !told {
            return;
        }
        match scenes.last_mut() {
            // A line that takes several steps in a row is told once.
            Some(last) if last.thread == scene.thread && self.is_same_line(last.at, scene.at) => {
                last.changes.extend(scene.changes);
                last.held = scene.held;
            }
            _ => scenes.push(scene),
        }
    }

    fn is_library(&self, at: Location) -> bool {
        self.program.function(at.function).library
    }

    fn is_same_line(&self, a: Location, b: Location) -> bool {
        let (x, y) = (self.program.span_of(a), self.program.span_of(b));
        (x.file, x.line) == (y.file, y.line) && a.function == b.function
    }
}
