//! Repeats a recorded schedule, and notices if the program does something else.

use super::Scheduler;
use crate::choice::{Choice, Choices};
use crate::enabled::Enabled;
use crate::machine::{Machine, ThreadId};
use crate::schedule::{Event, Schedule};
use raddle_ir::ChoiceClass;

/// Follows a schedule.
#[derive(Clone, Debug)]
pub struct Replay {
    events: Vec<Event>,
    at: usize,
    /// What differed from the schedule, if anything did.
    pub mismatch: Option<String>,
}

impl Replay {
    /// A scheduler that follows this schedule.
    pub fn new(schedule: &Schedule) -> Replay {
        Replay {
            events: schedule.events.clone(),
            at: 0,
            mismatch: None,
        }
    }

    /// Whether every event was repeated.
    pub fn is_finished(&self) -> bool {
        self.at == self.events.len()
    }

    /// Leaves out values of uninitialised memory that nobody asks for, where the run is not quite the recorded one.
    pub fn skip_uninitialised(&mut self) {
        let is_one = |e: &Event| matches!(e, Event::Choice { kind, .. } if kind == &ChoiceClass::Uninitialised);
        while self.events.get(self.at).is_some_and(is_one) {
            self.at += 1;
        }
    }

    fn differ(&mut self, what: String) {
        if self.mismatch.is_none() {
            self.mismatch = Some(format!("event {}: {what}", self.at));
        }
    }
}

impl Choices for Replay {
    fn choose(&mut self, choice: &Choice) -> u128 {
        match self.events.get(self.at) {
            Some(Event::Choice { kind, value }) if *kind == choice.kind.class() => {
                self.at += 1;
                *value
            }
            other => {
                let found = other.map_or("the end".to_string(), |e| e.to_string());
                let asked = choice.kind.class().name();
                self.differ(format!(
                    "the program asks for `{asked}`, the schedule has `{found}`"
                ));
                0
            }
        }
    }
}

impl Scheduler for Replay {
    fn pick(&mut self, machine: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        if self.mismatch.is_some() {
            return None;
        }
        let event = self.events.get(self.at)?.clone();
        let Event::Step { thread, at, .. } = event else {
            self.differ(format!(
                "the schedule has `{event}`, the program takes a step"
            ));
            return None;
        };
        let exists = (thread.0 as usize) < machine.threads().count();
        let stands_there = exists && machine.thread(thread).location() == Some(at);
        if !stands_there || !enabled.contains(thread) {
            self.differ(format!(
                "thread {} cannot take the step `{event}`",
                thread.0
            ));
            return None;
        }
        self.at += 1;
        Some(thread)
    }
}
