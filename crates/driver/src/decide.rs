//! Asks the engines what is open, believes no violation that does not replay, and keeps the ledger.
//!
//! What can be read off the program ([`raddle_analysis::evident`]) is in the ledger before any engine begins; of a small program that is asked for
//! its assertions alone, it is read off only if the engines leave some open, because they are quicker. Engines add their answers as they find them; it is over when nothing is open, or something is violated and that is enough.

use crate::child::{Refused, Shared};
use crate::havoc;
use crate::portfolio::{self, Heard, Member, Question};
use crate::read_off::read_off;
use crate::verify::{Conclusion, Shown};
use raddle_interp::schedule::Schedule;
use raddle_ir::{Program, Property};
use raddle_verdict::{Found, Ledger, Progress, Status, Unknown, Verdict};
use raddle_witness::ReplayedRun;

/// A program with fewer instructions is small: the answer to its assertions may cost less than reading off where they hold.
const SMALL: usize = 20_000;

/// An answer that was judged.
pub struct Judged {
    /// The engine that gave it.
    pub engine: &'static str,
    /// The properties it is about.
    pub properties: Vec<Property>,
    /// What it says.
    pub verdict: Verdict,
    /// The violations that were replayed.
    pub shown: Vec<Shown>,
    /// The question, if it is about a single one.
    pub single: Option<raddle_verdict::Question>,
}

/// Asks the engines until they know the answer; replays what is claimed. Also tells what did not replay.
pub fn decide(
    members: &[Member],
    question: &Question,
    progress: &mut dyn FnMut(Progress),
) -> (Conclusion, Vec<Refused>) {
    resume(members, question, Vec::new(), &mut |_| {}, progress)
}

/// The same, beginning with answers of an earlier verification. `keep` sees what is known whenever that grows.
pub fn resume(
    members: &[Member],
    question: &Question,
    earlier: Vec<Judged>,
    keep: &mut dyn FnMut(&Conclusion),
    progress: &mut dyn FnMut(Progress),
) -> (Conclusion, Vec<Refused>) {
    let (program, request) = (question.program, question.request);
    let mut conclusion = Conclusion {
        ledger: Ledger::new(program, &request.properties),
        shown: Vec::new(),
        statistics: None,
        asked: !members.is_empty(),
        taken_up: None,
    };
    // A certificate has to be checked, and there is none for what is read off.
    keep(&conclusion);
    let reads_off = !members.is_empty() && !request.certify && request.after.is_none();
    let assertions_alone = request.properties == [Property::UnreachCall];
    let late = assertions_alone && program.instructions().count() < SMALL;
    let shared = match Shared::new() {
        Ok(shared) => shared,
        Err(why) => {
            let why = Verdict::Unknown(Unknown::Internal(format!("no shared memory: {why}")));
            conclusion.ledger.answer("driver", &request.properties, why);
            return (conclusion, Vec::new());
        }
    };
    let read_off = |ledger: &mut Ledger| {
        read_off(
            program,
            &request.properties,
            &request.budget,
            shared,
            ledger,
        );
    };
    if reads_off && !late {
        read_off(&mut conclusion.ledger);
    }
    earlier.into_iter().for_each(|e| note(&mut conclusion, e));
    keep(&conclusion);
    let over = |conclusion: &Conclusion| {
        shared.set_open(|p| conclusion.ledger.is_open(p));
        for (id, _) in conclusion.ledger.questions().iter() {
            if *conclusion.ledger.status(id) != Status::Open {
                shared.close(id);
            }
        }
        let violated = !conclusion.ledger.found().is_empty() && !request.all_violations;
        violated
            || !request
                .properties
                .iter()
                .any(|p| conclusion.ledger.is_open(*p))
    };
    if over(&conclusion) {
        return (conclusion, Vec::new());
    }
    let refused = portfolio::ask(members, question, shared, progress, &mut |heard| {
        let (engine, properties, verdict) = match heard {
            Heard::Statistics(line) => {
                conclusion.statistics = Some(line);
                return false;
            }
            Heard::Single {
                engine,
                question,
                proof,
            } => {
                conclusion.ledger.prove_single(engine, question, proof);
                keep(&conclusion);
                return over(&conclusion);
            }
            Heard::Answer {
                engine,
                properties,
                verdict,
            } => (engine, properties, verdict),
        };
        let judged = judge(question, engine, properties, verdict);
        note(&mut conclusion, judged);
        keep(&conclusion);
        over(&conclusion)
    });
    if reads_off && late && !over(&conclusion) {
        read_off(&mut conclusion.ledger);
        keep(&conclusion);
    }
    (conclusion, refused)
}

/// Replays the violations of an answer.
pub fn judge(
    question: &Question,
    engine: &'static str,
    properties: Vec<Property>,
    verdict: Verdict,
) -> Judged {
    let (program, request) = (question.program, question.request);
    let (verdict, shown) = match verdict {
        Verdict::False(found) => {
            let (verdict, shown) = believe(program, &request.properties, found);
            havoc::judge(program, question.havoc, verdict, shown)
        }
        other => (other, Vec::new()),
    };
    Judged {
        engine,
        properties,
        verdict,
        shown,
        single: None,
    }
}

/// Adds an answer to what is known.
fn note(conclusion: &mut Conclusion, judged: Judged) {
    let (verdict, shown) = (judged.verdict, judged.shown);
    if let Verdict::Unknown(Unknown::Internal(what)) = &verdict {
        eprintln!("raddle: BUG: {what}");
    }
    for one in &shown {
        if let Some(other) = conclusion.ledger.contradicts(&one.found) {
            let (engine, property) = (judged.engine, one.found.property);
            eprintln!("raddle: BUG: {other} proved {property}, and {engine} found a violation");
        }
    }
    let needs = matches!(verdict, Verdict::Unknown(Unknown::Needs(_)));
    match needs {
        // What rests on unknown values is shown if there is nothing else.
        true if conclusion.shown.is_empty() => conclusion.shown = shown,
        true => {}
        false if !shown.is_empty() => {
            let violated = conclusion.ledger.found().len();
            if violated == 0 {
                conclusion.shown.clear();
            }
            let known = |s: &Shown, t: &Shown| {
                s.found.property == t.found.property && s.found.span == t.found.span
            };
            for one in shown {
                if !conclusion.shown.iter().any(|s| known(s, &one)) {
                    conclusion.shown.push(one);
                }
            }
        }
        false => {}
    }
    let ledger = &mut conclusion.ledger;
    let single = judged.single.map(|q| ledger.questions().find(&q));
    match (single, verdict) {
        (Some(Some(id)), Verdict::True(proof)) => ledger.prove_single(judged.engine, id, proof),
        (Some(None), _) => {}
        (_, verdict) => ledger.answer(judged.engine, &judged.properties, verdict),
    }
}

/// `false` only for violations that replay from their schedules alone; the distinct ones of them.
fn believe(program: &Program, properties: &[Property], found: Vec<Found>) -> (Verdict, Vec<Shown>) {
    let internal = |what: &str| (Verdict::Unknown(Unknown::Internal(what.into())), Vec::new());
    if found.is_empty() {
        return internal("`false` without a violation");
    }
    let mut shown: Vec<Shown> = Vec::new();
    let mut refused = None;
    for one in &found {
        if !properties.contains(&one.property) {
            return internal("a violation of a property that was not asked for");
        }
        let replayed = Schedule::from_json(&one.schedule).and_then(|schedule| {
            schedule.check_program(program)?;
            let run = ReplayedRun::new(program, schedule)?;
            match run.violation.property == one.property {
                true => Ok(run),
                false => Err(format!("it shows {} instead", run.violation.property)),
            }
        });
        match replayed {
            Ok(run) => {
                let same = |s: &Shown| s.found.property == one.property && s.found.span == one.span;
                if !shown.iter().any(same) {
                    let needs = havoc::needs(program, &run.schedule, &run.violation);
                    shown.push(Shown {
                        found: one.clone(),
                        run,
                        needs,
                    });
                }
            }
            Err(why) => refused = Some(why),
        }
    }
    match refused {
        Some(why) if shown.is_empty() => {
            return (Verdict::Unknown(Unknown::NotReplayed(why)), shown);
        }
        Some(why) => eprintln!("raddle: BUG: another claimed violation does not replay: {why}"),
        None => {}
    }
    let found = shown.iter().map(|s| s.found.clone()).collect();
    (Verdict::False(found), shown)
}
