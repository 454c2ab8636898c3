//! Executing an event in another place, to find out what it does there.

use crate::script::Script;
use crate::search::Search;
use crate::trace::Name;
use raddle_interp::footprint::{Cell, Mode, Ready, Touch};
use raddle_interp::{End, Outcome};

/// What an event does in another place.
pub(crate) struct Place {
    /// What it may touch there.
    pub(crate) touches: Vec<Touch>,
    /// The answers with which it is not blocked, and what it touches with each.
    pub(crate) ways: Vec<(Vec<u32>, Vec<Touch>)>,
    /// The process would end with it in any case.
    pub(crate) quits: bool,
}

/// What came of executing an event in another place.
pub(crate) enum Probed {
    /// It is not.
    Done(Place),
    /// It is blocked there.
    Refused,
}

impl Search<'_, '_> {
    /// What a thread's next event would touch if it came before event `e`, after some later events.
    pub(crate) fn probe(&mut self, e: usize, between: &[usize], thread: Name) -> Probed {
        let here = self.machine.snapshot();
        let names = self.names.save();
        let mut ways: Vec<(Vec<u32>, Vec<Touch>)> = Vec::new();
        let mut attempted: Vec<Touch> = Vec::new();
        let mut quits = true;
        let mut deadlock = None;
        let mut answers = Some(Vec::new());
        while let Some(script) = answers.take() {
            self.names.truncate(self.threads_at(e));
            self.return_to(e);
            let steps: Vec<(Name, Vec<u32>)> = between
                .iter()
                .map(|x| {
                    let thread = self.trace.events()[*x].thread;
                    (thread, self.trace.answers(*x).to_vec())
                })
                .collect();
            for (name, answers) in steps {
                self.probe_step(name, answers);
            }
            let mut script = Script::new(&self.values, script);
            let number = self.names.number(thread);
            let ends = self.machine.ready(number) == Ready::Ends;
            self.counts.probes += 1;
            let outcome = self.machine.step(number, &mut script);
            if outcome == Outcome::Refused
                && let Some(End::Violation(v)) = self.machine.end()
            {
                // A deadlock that somebody outside may end, by detaching the thread that is waited for.
                deadlock = Some(v.as_ref().clone());
            }
            if outcome == Outcome::Refused {
                let mut touches = self.machine.footprint().to_vec();
                self.names.rename(&mut touches);
                attempted.append(&mut touches);
                answers = script.next();
                continue;
            }
            if outcome == Outcome::Done {
                for (maker, _, new) in &script.made {
                    self.names.add(*maker, *new);
                }
                let mut touches = self.machine.footprint().to_vec();
                self.names.rename(&mut touches);
                let given = script.given();
                answers = script.next();
                if ends {
                    touches.clear();
                }
                quits &= !ends && self.quits();
                if self.is_terminal(ends) {
                    touches.insert(0, Touch::of_thread(Cell::Everything, number, Mode::Write));
                }
                ways.push((given, touches));
            }
        }
        self.names.load(names);
        self.machine.restore(&here);
        if let Some(v) = deadlock {
            self.report_early(&v, e, between);
        }
        if ways.is_empty() {
            return Probed::Refused;
        }
        let mut touches: Vec<Touch> = Vec::new();
        for (_, some) in &ways {
            let whole = some.first().is_some_and(|t| t.cell == Cell::Everything);
            let at = if whole { 0 } else { touches.len() };
            touches.splice(at..at, some.iter().copied());
        }
        touches.append(&mut attempted);
        Probed::Done(Place {
            touches,
            ways,
            quits,
        })
    }

    fn probe_step(&mut self, name: Name, answers: Vec<u32>) {
        let mut script = Script::new(&self.values, answers);
        let number = self.names.number(name);
        self.counts.probes += 1;
        self.machine.step(number, &mut script);
        for (maker, _, new) in &script.made {
            self.names.add(*maker, *new);
        }
    }
}
