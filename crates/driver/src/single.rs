//! An engine at work on single questions: one assertion after the other, each in the program that asks nothing else ([`focused`]).
//!
//! An engine answers for a property as a whole. Where one assertion is beyond it, that leaves the others open, too. So when a
//! property stays open, every engine gets a second process, which goes through the open assertions in turns: a short time for each, then
//! twice that, until nothing is open. Questions that the engine gives up by itself are not asked again.
//!
//! A proof is a proof of its question alone and assumes nothing about the other assertions. A violation is replayed on the program as it is;
//! where another violation comes first, it is not shown.

use crate::child::{Said, Shared, Voice};
use crate::portfolio::Question;
use raddle_ir::{Program, Property};
use raddle_verdict::combine::is_bug;
use raddle_verdict::{
    Board, Candidate, Engine, Found, Judge, Progress, QuestionId, Questions, Request, StopCause,
    Subject, Unknown, Verdict, focused,
};
use raddle_witness::Replayer;
use std::collections::BTreeSet;
use std::time::Duration;

/// How much processor time the first turn of a question lasts.
const FIRST: Duration = Duration::from_millis(250);
/// More assertions than this are not asked one by one.
const MOST: usize = 200;

/// The assertions of a program, if there are several and they are asked for one by one.
pub fn questions(program: &Program, request: &Request) -> Vec<QuestionId> {
    // A certificate is of the program as it is.
    if request.certify || request.after.is_some() {
        return Vec::new();
    }
    let asked = Questions::of(program, &request.properties);
    let assertion = |(_, q): &(QuestionId, &raddle_verdict::Question)| {
        q.property == Property::UnreachCall && matches!(q.subject, Subject::Place(_))
    };
    let all: Vec<QuestionId> = asked.iter().filter(assertion).map(|(id, _)| id).collect();
    match all.len() {
        2..=MOST => all,
        _ => Vec::new(),
    }
}

/// Works on these questions until all are closed or given up.
pub fn work(
    engine: &dyn Engine,
    question: &Question,
    request: &Request,
    ids: &[QuestionId],
    shared: Shared,
    voice: &mut Voice,
) -> Vec<(Candidate, String)> {
    let program = question.program.as_ref();
    let asked = Questions::of(program, &question.request.properties);
    let mut aside = voice.duplicate();
    let mut given_up: BTreeSet<QuestionId> = BTreeSet::new();
    let mut refused = Vec::new();
    let mut turn = FIRST;
    loop {
        let mut open = 0;
        for id in ids {
            if request.budget.stopped().is_some() {
                return refused;
            }
            if given_up.contains(id) || shared.is_closed(*id) {
                continue;
            }
            let Some(changed) = focused(program, asked.get(*id)) else {
                given_up.insert(*id);
                continue;
            };
            open += 1;
            let end = crate::limits::own_cpu_time() + turn;
            let over = move || {
                let late = || crate::limits::own_cpu_time() >= end;
                shared
                    .stopped()
                    .or_else(|| late().then_some(StopCause::Cpu))
            };
            let part = Request {
                properties: vec![asked.get(*id).property],
                all_violations: false,
                budget: question.request.budget.watched(over),
                ..request.clone()
            };
            let replayer = |p| {
                Replayer::new(p, &part.properties)
                    .files(question.files.clone())
                    .budget(part.budget.clone())
            };
            let mut judge = Twice {
                changed: replayer(&changed),
                original: replayer(program),
                hidden: false,
            };
            let mut board = Single {
                id: *id,
                shared,
                said: None,
            };
            let mut tell = |p: Progress| {
                if let Some(voice) = &mut aside {
                    voice.say(&Said::Progress(p.what));
                }
            };
            engine.work(&changed, &part, &mut judge, &mut tell, &mut board);
            match board.said {
                Some(Verdict::True(mut proof)) => {
                    // The checker would ask for the program as it is.
                    proof.artefact = None;
                    proof.threads = None;
                    voice.say(&Said::Single(id.0, proof));
                    given_up.insert(*id);
                }
                Some(Verdict::False(found)) => {
                    given_up.insert(*id);
                    if !judge.hidden {
                        voice.answer(&part.properties, Verdict::False(found));
                    }
                }
                Some(Verdict::Unknown(why)) if is_bug(&why) => {
                    given_up.insert(*id);
                    voice.answer(&part.properties, Verdict::Unknown(why));
                }
                Some(Verdict::Unknown(Unknown::Stopped { .. })) => {}
                Some(Verdict::Unknown(_)) | None => _ = given_up.insert(*id),
            }
            refused.extend(judge.changed.refused().iter().cloned());
        }
        if open == 0 {
            return refused;
        }
        turn *= 2;
    }
}

/// Replays candidates on the changed program, and on the original one.
struct Twice<'a> {
    changed: Replayer<'a>,
    original: Replayer<'a>,
    /// A violation of the changed program does not show in the original one: another one comes first.
    hidden: bool,
}

impl Twice<'_> {
    fn original(&mut self, candidate: &Candidate, found: Found) -> Found {
        match self.original.try_out(candidate) {
            Some(shown) => shown,
            None => {
                self.hidden = true;
                found
            }
        }
    }
}

impl Judge for Twice<'_> {
    fn confirm(&mut self, candidate: &Candidate) -> Result<Found, String> {
        let found = self.changed.confirm(candidate)?;
        Ok(self.original(candidate, found))
    }

    fn try_out(&mut self, candidate: &Candidate) -> Option<Found> {
        let found = self.changed.try_out(candidate)?;
        Some(self.original(candidate, found))
    }
}

/// What an engine says of one question.
struct Single {
    id: QuestionId,
    shared: Shared,
    said: Option<Verdict>,
}

impl Board for Single {
    fn is_open(&self, _: Property) -> bool {
        self.said.is_none() && !self.shared.is_closed(self.id)
    }

    fn answer(&mut self, _: &[Property], verdict: Verdict) {
        self.said = Some(verdict);
    }
}
