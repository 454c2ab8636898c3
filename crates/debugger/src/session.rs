//! A session: a program somewhere in a run, with everything that led there, and the ways not taken.
//!
//! A session moves along a [`Branch`]. Where there is a recorded future it is repeated exactly; where there is none, or where somebody
//! wants another thread to go, a step is taken and recorded, and the future that is given up stays as a branch of its own.

use crate::breakpoints::Breakpoints;
use crate::history::{Branch, Edit, Moment, Rules};
use crate::lines::Lines;
use crate::position::{Position, position};
use raddle_interp::{Choice, Choices, Config, Machine, Outcome, PendingKind, ThreadId};
use raddle_ir::Program;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A program somewhere in a run.
pub struct Session<'p> {
    pub(crate) program: &'p Program,
    pub(crate) machine: Machine<'p>,
    pub(crate) here: Moment,
    pub(crate) branch: Branch,
    pub(crate) others: Vec<Branch>,
    pub(crate) lines: Lines,
    /// Where to stop.
    pub breakpoints: Breakpoints,
    /// Answers to the inputs that are asked for next; zero behind the last.
    pub inputs: VecDeque<u128>,
    selected: ThreadId,
    interrupt: Arc<AtomicBool>,
    /// How many branches were ever named.
    named: usize,
}

/// Answers: those that are given, then the user's inputs, then zero.
struct Answers<'a> {
    given: std::slice::Iter<'a, u128>,
    inputs: Option<&'a mut VecDeque<u128>>,
    made: Vec<u128>,
}

impl Choices for Answers<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let mut input = || match choice.kind.is_input() {
            true => self.inputs.as_mut().and_then(|i| i.pop_front()),
            false => None,
        };
        let given = self.given.next().copied();
        let value = given.or_else(&mut input).unwrap_or(0);
        self.made.push(value);
        value
    }
}

impl<'p> Session<'p> {
    /// At the beginning of a program; every instruction will be a step.
    pub fn new(program: &'p Program, config: Config) -> Session<'p> {
        let config = Config {
            single: true,
            ..config
        };
        let mut answers = Answers {
            given: [].iter(),
            inputs: None,
            made: Vec::new(),
        };
        let machine = Machine::new(program, config, &mut answers);
        let mut branch = Branch::new("main", answers.made, machine.snapshot());
        branch.rules = Rules {
            checks: machine.config.checks,
            spurious_wakeups: machine.config.spurious_wakeups,
        };
        Session {
            program,
            here: 0,
            branch,
            others: Vec::new(),
            lines: Lines::new(program),
            breakpoints: Breakpoints::default(),
            inputs: VecDeque::new(),
            selected: ThreadId(0),
            interrupt: Arc::default(),
            named: 0,
            machine,
        }
    }

    /// The program.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// The state.
    pub fn machine(&self) -> &Machine<'p> {
        &self.machine
    }

    /// How many steps led here.
    pub fn here(&self) -> Moment {
        self.here
    }

    /// The history that this moment is part of.
    pub fn branch(&self) -> &Branch {
        &self.branch
    }

    /// The others.
    pub fn others(&self) -> &[Branch] {
        &self.others
    }

    /// The lines that have code.
    pub fn lines(&self) -> &Lines {
        &self.lines
    }

    /// The thread that steps are about.
    pub fn selected(&self) -> ThreadId {
        self.selected
    }

    /// Makes steps about this thread; false if there is none.
    pub fn select(&mut self, t: ThreadId) -> bool {
        let exists = self.machine.threads().any(|known| known == t);
        if exists {
            self.selected = t;
        }
        exists
    }

    /// Where a thread stands.
    pub fn position(&self, t: ThreadId) -> Option<Position> {
        self.machine
            .threads()
            .any(|known| known == t)
            .then(|| position(&self.machine, t))?
    }

    /// Somebody else may set this to stop what takes long.
    pub fn interrupt(&self) -> Arc<AtomicBool> {
        self.interrupt.clone()
    }

    /// Whether to stop; asked for once.
    pub(crate) fn is_interrupted(&self) -> bool {
        self.interrupt.load(Ordering::Relaxed) && self.interrupt.swap(false, Ordering::SeqCst)
    }

    /// Whether a thread can take a step now.
    pub fn can_go(&self, t: ThreadId) -> bool {
        let pending = match self.machine.end() {
            None => self.machine.pending(t),
            Some(_) => None,
        };
        pending.is_some_and(|p| p.enabled)
    }

    /// Whether the next step is already known.
    pub fn has_future(&self) -> bool {
        self.here < self.branch.len()
    }

    /// The threads that can take a step now.
    pub fn enabled(&self) -> Vec<ThreadId> {
        self.machine.enabled()
    }

    /// Repeats the next step of this branch.
    pub(crate) fn repeat(&mut self) -> Option<ThreadId> {
        let t = self.branch.thread_at(self.here)?;
        let mut answers = Answers {
            given: self.branch.answers_at(self.here).iter(),
            inputs: None,
            made: Vec::new(),
        };
        self.machine.step(t, &mut answers);
        self.machine.take_output();
        self.here += 1;
        for edit in self.branch.edits_at(self.here) {
            apply(&mut self.machine, edit);
        }
        self.keep_state();
        Some(t)
    }

    /// A new step of a thread, with these answers first; false if it cannot go on. A recorded future becomes a branch of its own.
    pub(crate) fn take(&mut self, t: ThreadId, given: &[u128]) -> bool {
        if !self.can_go(t) {
            return false;
        }
        // Whether a region can be entered is known only when it was tried; and who was refused may be part of a deadlock.
        let tries = matches!(self.machine.pending(t), Some(p) if p.kind == PendingKind::Region);
        self.part();
        let mut answers = Answers {
            given: given.iter(),
            inputs: Some(&mut self.inputs),
            made: Vec::new(),
        };
        let outcome = self.machine.step(t, &mut answers);
        let made = answers.made;
        let output = self.machine.take_output();
        if outcome == Outcome::Refused && !tries && self.machine.end().is_none() {
            return false;
        }
        self.branch.push(t, made, output);
        self.here += 1;
        self.keep_state();
        outcome == Outcome::Done
    }

    fn keep_state(&mut self) {
        if self.branch.wants_state(self.here) {
            self.branch.keep(self.here, self.machine.snapshot());
        }
    }

    /// Gives up the recorded future, if there is one: it stays as another branch.
    pub(crate) fn part(&mut self) {
        if !self.has_future() {
            return;
        }
        self.named += 1;
        let name = format!("branch-{}", self.named);
        let new = self.branch.parted(self.here, &name);
        let old = std::mem::replace(&mut self.branch, new);
        self.others.push(old);
    }

    /// Goes to a moment of this branch, or to its end.
    pub fn go_to(&mut self, moment: Moment) {
        let moment = moment.min(self.branch.len());
        let (kept, state) = self.branch.state_before(moment);
        if self.here > moment || self.here < kept {
            self.machine.restore(state);
            self.here = kept;
        }
        while self.here < moment {
            self.repeat();
        }
        let exists = self.machine.threads().any(|t| t == self.selected);
        if !exists {
            self.selected = ThreadId(0);
        }
    }

    /// Changes the state, which makes this another branch if there was a future. False if there is nothing to change.
    pub fn edit(&mut self, edit: Edit) -> bool {
        let before = self.machine.snapshot();
        if !apply(&mut self.machine, &edit) {
            self.machine.restore(&before);
            return false;
        }
        self.part();
        self.branch.edit(edit);
        self.branch.keep(self.here, self.machine.snapshot());
        true
    }

    /// Goes to the branch of that name, at the last moment that both have in common. False if there is none.
    pub fn switch(&mut self, name: &str) -> bool {
        if self.branch.name == name {
            return true;
        }
        let Some(at) = self.others.iter().position(|b| b.name == name) else {
            return false;
        };
        let new = self.others.remove(at);
        let common = self.branch.common(&new).min(self.here);
        self.go_to(common);
        let old = std::mem::replace(&mut self.branch, new);
        self.others.push(old);
        // At that very moment one of them may have been changed by the user.
        let (kept, state) = self.branch.state_before(common);
        self.machine.restore(state);
        self.here = kept;
        self.obey();
        self.go_to(common);
        true
    }

    /// Runs by the rules of the present branch.
    fn obey(&mut self) {
        let rules = self.branch.rules;
        self.machine.config.checks = rules.checks;
        self.machine.config.spurious_wakeups = rules.spurious_wakeups;
    }

    /// Names this branch; false if another has that name.
    pub fn name(&mut self, name: &str) -> bool {
        let taken = self.others.iter().any(|b| b.name == name);
        if !taken {
            self.branch.name = name.to_string();
        }
        !taken
    }

    /// Adds a run as a branch and goes to it, at the last moment it has in common with the present. The steps are taken one after the other; an
    /// error tells which was not possible. A run may have rules of its own: what was asked for must not end with something else.
    pub fn load(
        &mut self,
        run: &raddle_verdict::Beginning,
        name: &str,
        rules: Option<Rules>,
    ) -> Result<(), String> {
        let mut common = 0;
        let limit = self.here.min(run.steps.len());
        while common < limit {
            let (t, answers) = &run.steps[common];
            let same = self.branch.thread_at(common) == Some(ThreadId(*t))
                && self.branch.answers_at(common) == answers.as_slice();
            if !same {
                break;
            }
            common += 1;
        }
        let back = self.here;
        self.go_to(common);
        self.named += 1;
        let mut new = self.branch.parted(common, name);
        if self.others.iter().any(|b| b.name == name) || self.branch.name == name {
            new.name = format!("{name}-{}", self.named);
        }
        new.rules = rules.unwrap_or(new.rules);
        let old = std::mem::replace(&mut self.branch, new);
        self.obey();
        for (number, (t, answers)) in run.steps.iter().enumerate().skip(common) {
            let exists = self.machine.threads().any(|k| k == ThreadId(*t));
            let before = self.here;
            if exists {
                self.take(ThreadId(*t), answers);
            }
            if self.here == before {
                self.branch = old;
                self.obey();
                self.machine.restore(self.branch.state_before(0).1);
                self.here = 0;
                self.go_to(back);
                return Err(format!(
                    "step {number} of the run cannot be taken by thread {t}"
                ));
            }
        }
        self.others.push(old);
        self.go_to(common);
        Ok(())
    }

    /// How the run ended, if it has.
    pub fn end(&self) -> Option<&raddle_interp::End> {
        self.machine.end()
    }
}

fn apply(machine: &mut Machine<'_>, edit: &Edit) -> bool {
    match *edit {
        Edit::Memory {
            object,
            offset,
            length,
            value,
        } => machine.change(object, offset, length, value),
        Edit::Local {
            thread,
            frame,
            local,
            value,
        } => machine.change_local(thread, frame, local, value),
    }
}
