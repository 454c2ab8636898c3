//! Answers that rest on answers, and answers to single questions, against the enumeration of all interleavings, on random small programs.
//!
//! Each property is asked of one engine, in turn, and the proofs go into one ledger. What one proof assumes and another proves is
//! discharged, also in a circle. No execution may violate what is then proved without an open assumption. Each
//! assertion is asked alone, too ([`focused`]); one that is proved may not fail in any execution.
//!
//! `RADDLE_FUZZ_LEDGER=n` runs so many programs; `random_programs/campaign.rs` has the other variables.

#[path = "../random_programs/mod.rs"]
#[allow(dead_code)]
mod random_programs;

use raddle_engine_fusion::FusionEngine;
use raddle_engine_refine::RefineEngine;
use raddle_engine_staged::StagedEngine;
use raddle_ir::{Program, Property, Span};
use raddle_verdict::{
    Assumption, AssumptionKind, Budget, Engine, Ledger, Proof, Question, Questions, Request,
    Subject, Unknown, Verdict, focused,
};
use raddle_witness::Replayer;
use random_programs::campaign::Campaign;
use random_programs::truth::enumerate;
use std::time::Duration;

const PATIENCE: Duration = Duration::from_millis(300);
const STEPS: u64 = 40_000;

/// What is asked. Deadlocks are another question: nobody wakes by itself there.
const ASKED: [Property; 7] = [
    Property::UnreachCall,
    Property::ValidDeref,
    Property::NoDivZero,
    Property::NoBadShift,
    Property::NoUninit,
    Property::ValidSync,
    Property::ValidFree,
];

/// What was compared.
#[derive(Debug, Default)]
struct Tally {
    /// Properties that were proved.
    proved: u64,
    /// Proofs with an assumption.
    assuming: u64,
    /// Of those, the ones whose assumptions other proofs discharge.
    discharged: u64,
    /// Pairs of proofs that assume each other's property.
    circles: u64,
    /// Assertions that were proved alone, although the property was not proved.
    singles: u64,
    /// Assertions that were proved alone in programs with a violation elsewhere.
    beside_violations: u64,
}

fn ask(engine: &dyn Engine, program: &Program, property: Property) -> Verdict {
    let request = Request {
        properties: vec![property],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(PATIENCE),
    };
    let mut judge = Replayer::new(program, &request.properties);
    engine.check(program, &request, &mut judge, &mut |_| {})
}

/// The property that must hold for an assumption to be gone; `None` if nothing discharges it.
fn needs(assumption: &Assumption) -> Option<Property> {
    match assumption.kind {
        AssumptionKind::Holds(property) => Some(property),
        AssumptionKind::Defined | AssumptionKind::FewerThreads(_) => None,
    }
}

fn compare(program: &Program, tally: &mut Tally) -> Option<String> {
    let engines: [&dyn Engine; 3] = [
        &StagedEngine::default(),
        &RefineEngine::default(),
        &FusionEngine::default(),
    ];
    let turn = program.fingerprint() as usize;
    let mut ledger = Ledger::new(program, &ASKED).without_limit();
    let mut proofs: Vec<(Property, Proof)> = Vec::new();
    for (number, property) in ASKED.into_iter().enumerate() {
        let engine = engines[(turn + number) % 3];
        match ask(engine, program, property) {
            Verdict::Unknown(Unknown::Internal(why) | Unknown::NotReplayed(why)) => {
                return Some(format!("internal error: {why}"));
            }
            Verdict::True(proof) => {
                proofs.push((property, proof.clone()));
                ledger.answer(engine.name(), &[property], Verdict::True(proof));
            }
            _ => {}
        }
    }
    circle(program, &ledger, proofs, tally).or_else(|| singly(program, engines[turn % 3], tally))
}

/// What is proved without an open assumption holds.
fn circle(
    program: &Program,
    ledger: &Ledger,
    mut proofs: Vec<(Property, Proof)>,
    tally: &mut Tally,
) -> Option<String> {
    tally.proved += proofs.len() as u64;
    let assumes = |proof: &Proof, property: Property| {
        let mut all = proof.assumptions.iter();
        all.any(|a| needs(a) == Some(property))
    };
    for (n, (p, one)) in proofs.iter().enumerate() {
        tally.assuming += u64::from(!one.assumptions.is_empty());
        let circular = |(q, other): &&(Property, Proof)| assumes(one, *q) && assumes(other, *p);
        tally.circles += proofs[n + 1..].iter().filter(circular).count() as u64;
    }
    // The greatest set of proofs that need nothing else.
    loop {
        let known: Vec<Property> = proofs.iter().map(|(p, _)| *p).collect();
        let rests = |a: &Assumption| needs(a).is_some_and(|p| known.contains(&p));
        proofs.retain(|(_, proof)| proof.assumptions.iter().all(rests));
        if proofs.len() == known.len() {
            break;
        }
    }
    let closed: Vec<Property> = proofs.iter().map(|(p, _)| *p).collect();
    let discharged = proofs.iter().filter(|(_, p)| !p.assumptions.is_empty());
    tally.discharged += discharged.count() as u64;
    if closed.is_empty() {
        return None;
    }
    let truth = enumerate(program, &closed, STEPS, true);
    if !truth.violations.is_empty() {
        return Some(format!("proved together: {:?}", truth.violations));
    }
    // The ledger says the same.
    let open = ledger.proof().assumptions;
    let all = ASKED.iter().all(|p| closed.contains(p));
    (all && !open.is_empty()).then(|| format!("not discharged: {open:?}"))
}

/// An assertion that is proved alone holds.
fn singly(program: &Program, engine: &dyn Engine, tally: &mut Tally) -> Option<String> {
    let property = Property::UnreachCall;
    let truth = enumerate(program, &[property], STEPS, false);
    let fails = |at: Span| {
        let mut all = truth.violations.iter();
        all.any(|(_, place)| program.span_of(*place) == at)
    };
    for (_, question) in Questions::of(program, &[property]).iter() {
        let Question {
            subject: Subject::Place(at),
            ..
        } = question
        else {
            continue;
        };
        let Some(changed) = focused(program, question) else {
            continue;
        };
        if let Some(broken) = raddle_ir::verify(&changed).first() {
            return Some(format!("invalid IR: {broken}"));
        }
        match ask(engine, &changed, property) {
            Verdict::Unknown(Unknown::Internal(why) | Unknown::NotReplayed(why)) => {
                return Some(format!("internal error, alone: {why}"));
            }
            Verdict::True(proof) if proof.assumptions.is_empty() => {
                if fails(*at) {
                    return Some(format!("proved alone: line {}", at.line));
                }
                tally.singles += 1;
                tally.beside_violations += u64::from(!truth.violations.is_empty());
            }
            // Behind another violation there may be one that the program itself does not show.
            _ => {}
        }
    }
    None
}

#[test]
fn answers_that_rest_on_answers_agree_with_the_enumeration() {
    Campaign {
        name: "ledger",
        few: 60,
        short: Duration::from_secs(25),
        compare,
    }
    .run();
}

/// Two threads in which a division depends on a pointer and the pointer on a division, in all variants; whether either can go wrong
/// depends on the other.
fn entangled() -> Vec<String> {
    let mut all = Vec::new();
    let guards = ["", "if (p)", "if (d)", "if (p && d)"];
    for (divisor, value) in [(0, 1), (1, 0), (1, 1), (2, 1), (1, 2), (2, 2)] {
        for pointer in ["&v", "0"] {
            for (chosen, other) in [("p = 0", "p = &v"), ("p = &v", "p = 0"), ("v = 0", "v = 1")] {
                for (a, b) in guards
                    .iter()
                    .flat_map(|a| guards.iter().map(move |b| (a, b)))
                {
                    all.push(format!(
                        "static int d = {divisor}, v = {value}; static int *p = {pointer};\n\
                         static void *one(void *x) {{ {a} {{ int t = 4 / *p; d = t; }} return x; }}\n\
                         static void *two(void *x) {{ {b} {{ int u = 4 / d; if (u == 2) {chosen}; else {other}; }} return x; }}\n\
                         int main(void) {{ pthread_t a, b; pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }}\n"
                    ));
                }
            }
        }
    }
    all
}

/// Two proofs by two engines that assume each other's property hold together. `RADDLE_FUZZ_CIRCLE=1` takes all variants.
#[test]
fn circles_agree_with_the_enumeration() {
    let every = match std::env::var("RADDLE_FUZZ_CIRCLE") {
        Ok(_) => 1,
        Err(_) => 7,
    };
    let engines: [&dyn Engine; 3] = [
        &StagedEngine::default(),
        &RefineEngine::default(),
        &FusionEngine::default(),
    ];
    let pair = [Property::ValidDeref, Property::NoDivZero];
    let mut tally = Tally::default();
    for (number, text) in entangled().iter().enumerate().step_by(every) {
        let program = random_programs::compile(text).expect("a program");
        let answers: Vec<Vec<Verdict>> = pair
            .iter()
            .map(|p| engines.iter().map(|e| ask(*e, &program, *p)).collect())
            .collect();
        for (first, second) in (0..3).flat_map(|a| (0..3).map(move |b| (a, b))) {
            let both = [&answers[0][first], &answers[1][second]];
            let mut ledger = Ledger::new(&program, &pair).without_limit();
            let mut proofs = Vec::new();
            for (at, verdict) in both.into_iter().enumerate() {
                if let Verdict::True(proof) = verdict {
                    proofs.push((pair[at], proof.clone()));
                    let engine = engines[[first, second][at]].name();
                    ledger.answer(engine, &[pair[at]], verdict.clone());
                }
            }
            let whole = proofs.len() == 2;
            let wrong = circle(&program, &ledger, proofs, &mut tally);
            assert_eq!(wrong, None, "variant {number}:\n{text}");
            if let Some(Verdict::True(proof)) = ledger.verdict().filter(|_| whole)
                && proof.assumptions.is_empty()
            {
                let truth = enumerate(&program, &pair, STEPS, true);
                assert!(truth.violations.is_empty(), "variant {number}:\n{text}");
            }
        }
    }
    eprintln!("{tally:#?}");
    assert!(tally.circles > 0, "no two proofs rest on each other");
}
