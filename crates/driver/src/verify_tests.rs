//! `raddle verify` with engines that say what a test wants: nothing is believed that does not replay.

use crate::Ending;
use crate::cli::{Cli, Command, VerifyOptions};
use crate::decide::decide;
use crate::portfolio::{EQUAL, Member, Question};
use crate::verify::Conclusion;
use crate::{compile, verify_json, verify_text};
use raddle_c::Arguments;
use raddle_interp::schedule::Schedule;
use raddle_interp::schedulers::{Random, Runner, Stop};
use raddle_interp::{Config, End};
use raddle_ir::{Program, Property, Span};
use raddle_verdict::{
    Assumption, AssumptionKind, Board, Budget, Cut, Engine, Found, Judge, Progress, Proof, Request,
    StopCause, Unknown, Verdict,
};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// An engine that has made up its mind.
struct Says(Verdict);

impl Engine for Says {
    fn name(&self) -> &'static str {
        "says"
    }

    fn work(
        &self,
        _: &Program,
        request: &Request,
        _: &mut dyn Judge,
        progress: &mut dyn FnMut(Progress),
        board: &mut dyn Board,
    ) {
        progress(Progress {
            engine: "says",
            what: "nothing".into(),
        });
        board.answer(&request.properties, self.0.clone());
    }
}

fn options(extra: &[&str]) -> VerifyOptions {
    let file = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/bank_account_race.c"
    );
    let words = [&["raddle", "verify", file], extra].concat();
    match Cli::read(words.into_iter().map(Into::into)).map(|c| c.command) {
        Ok(Command::Verify(options)) => *options,
        other => panic!("{other:?}"),
    }
}

fn program() -> Program {
    compile::program(&options(&[]).input, Arguments::Any).expect("the example compiles")
}

fn request(properties: &[Property]) -> Request {
    Request {
        properties: properties.to_vec(),
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::unlimited(),
    }
}

fn question<'a>(program: &'a Arc<Program>, request: &'a Request) -> Question<'a> {
    Question {
        program,
        request,
        jobs: 1,
        memory: None,
        files: program.files.clone(),
        havoc: None,
    }
}

fn ask(program: &Program, request: &Request, verdicts: Vec<Verdict>) -> Conclusion {
    let member = |v| Member {
        engine: Arc::new(Says(v)),
        weights: EQUAL,
        answers: |_| true,
    };
    let members: Vec<_> = verdicts.into_iter().map(member).collect();
    decide(
        &members,
        &question(&Arc::new(program.clone()), request),
        &mut |_| {},
    )
    .0
}

/// A race, as a run shows it.
fn race(program: &Program) -> Found {
    let config = Config {
        checks: [Property::NoDataRace].into_iter().collect(),
        output: false,
        ..Config::default()
    };
    for seed in 0..100 {
        let mut random = Random::new(seed);
        let mut runner = Runner::new(&mut random);
        let mut machine = runner.start(program, config.clone());
        let stop = runner.run(&mut machine, 10_000, &mut |_| true);
        if let Stop::Ended(End::Violation(v)) = stop {
            let schedule = Schedule {
                program: program.fingerprint(),
                files: program.files.clone(),
                data_model: program.model.name().into(),
                checks: config.checks,
                spurious_wakeups: config.spurious_wakeups,
                reuse_addresses: config.reuse_addresses,
                arguments: Vec::new(),
                events: runner.events,
            };
            return Found {
                property: v.property,
                span: program.span_of(v.at),
                object: v.object,
                message: v.message,
                schedule: schedule.to_json(),
                projection: Vec::new(),
            };
        }
    }
    panic!("the example has a race");
}

fn text(program: &Program, request: &Request, conclusion: &Conclusion, flags: &[&str]) -> String {
    let text = verify_text::text(&options(flags), program, request, conclusion);
    let last = text.lines().last();
    assert_eq!(
        last,
        Some(format!("verdict: {}", conclusion.line()).as_str())
    );
    text
}

fn json(program: &Program, request: &Request, conclusion: &Conclusion) -> serde_json::Value {
    let wall = Duration::from_millis(1500);
    let text = verify_json::json(&options(&[]), program, request, conclusion, wall);
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(value["format"], "raddle-verify");
    assert_eq!(value["version"], 2);
    assert_eq!(value["wall_seconds"], 1.5);
    fields_are_described(&value);
    value
}

/// Every field stands in the documentation; the schedule has a format of its own.
fn fields_are_described(value: &serde_json::Value) {
    let described = include_str!("../../../docs/verify-json.md");
    match value {
        serde_json::Value::Object(fields) => {
            for (name, value) in fields {
                let found = described.contains(&format!("`{name}`"));
                assert!(found, "{name} is not described in docs/verify-json.md");
                if name != "schedule" {
                    fields_are_described(value);
                }
            }
        }
        serde_json::Value::Array(all) => all.iter().for_each(fields_are_described),
        _ => {}
    }
}

#[test]
fn without_an_engine_nothing_is_known() {
    let program = program();
    let request = request(&[Property::NoDataRace]);
    let conclusion = ask(&program, &request, Vec::new());
    assert_eq!(conclusion.line(), "unknown(no engine)");
    assert_eq!(conclusion.ending(), Ending::Unknown);
    text(&program, &request, &conclusion, &[]);
    assert_eq!(json(&program, &request, &conclusion)["reason"], "no engine");
}

#[test]
fn a_proof_is_told_with_what_it_assumes() {
    let program = program();
    let request = request(&[Property::UnreachCall]);
    let proof = Proof {
        how: "complete unwinding".into(),
        assumptions: vec![Assumption {
            kind: AssumptionKind::Holds(Property::ValidDeref),
            span: Span {
                line: 3,
                ..Span::NOWHERE
            },
        }],
        certificate: Some("12 clauses".into()),
        ..Proof::default()
    };
    let assumed = format!("assumed: no invalid access at {}:3", program.files[0]);
    let conclusion = ask(&program, &request, vec![Verdict::True(proof)]);
    assert_eq!(conclusion.ending(), Ending::Fine);
    let text = text(&program, &request, &conclusion, &[]);
    for line in [
        "proved: complete unwinding",
        "certificate: 12 clauses",
        assumed.as_str(),
        "assumed: sequential consistency for a possibly racy program",
        "assumed: data model LP64",
        "assumed: `malloc` never fails",
        "verdict: true",
    ] {
        assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    }
    let value = json(&program, &request, &conclusion);
    assert_eq!(value["verdict"], "true");
    assert_eq!(value["proof"]["how"], "complete unwinding");
}

#[test]
fn a_violation_is_shown_with_its_replay() {
    let program = program();
    let request = request(&[Property::NoDataRace]);
    let found = race(&program);
    let conclusion = ask(&program, &request, vec![Verdict::False(vec![found])]);
    assert_eq!(conclusion.line(), "false(no-data-race)");
    assert_eq!(conclusion.ending(), Ending::Violation);
    let shown = text(&program, &request, &conclusion, &["--witness", "s.json"]);
    assert!(shown.contains("data race"), "{shown}");
    assert!(shown.contains("replay: raddle replay "), "{shown}");
    assert!(shown.contains(" --schedule s.json\n"), "{shown}");
    let value = json(&program, &request, &conclusion);
    assert_eq!(value["verdict"], "false");
    let violation = &value["violations"][0];
    assert_eq!(violation["property"], "no-data-race");
    assert!(violation["place"]["line"].as_u64() > Some(0));
    assert_eq!(violation["schedule"]["format"], "raddle-schedule");
}

#[test]
fn what_does_not_replay_is_not_believed() {
    let program = program();
    let request = request(&[Property::NoDataRace]);
    let good = race(&program);
    let mut nonsense = good.clone();
    nonsense.schedule = "{}".into();
    let mut cut_off = good.clone();
    let mut schedule = Schedule::from_json(&good.schedule).expect("a schedule");
    schedule.events.truncate(2);
    cut_off.schedule = schedule.to_json();
    schedule.program += 1;
    let mut other_program = good.clone();
    other_program.schedule = schedule.to_json();
    for broken in [nonsense, cut_off, other_program] {
        let conclusion = ask(&program, &request, vec![Verdict::False(vec![broken])]);
        assert_eq!(
            conclusion.line(),
            "unknown(a violation that did not replay)"
        );
        assert_eq!(conclusion.ending(), Ending::Unknown);
        text(&program, &request, &conclusion, &[]);
    }
    let mut broken = good.clone();
    broken.schedule = "{}".into();
    let mixed = vec![broken, good.clone(), good.clone()];
    let mixed = ask(&program, &request, vec![Verdict::False(mixed)]);
    assert_eq!(mixed.line(), "false(no-data-race)");
    assert_eq!(mixed.shown.len(), 1, "the real one, once");
    let nothing = ask(&program, &request, vec![Verdict::False(Vec::new())]);
    assert_eq!(nothing.ending(), Ending::Internal);
    let unasked = self::request(&[Property::UnreachCall]);
    let unasked = ask(&program, &unasked, vec![Verdict::False(vec![good])]);
    assert_eq!(unasked.ending(), Ending::Internal);
}

#[test]
fn the_next_engine_is_asked_if_one_does_not_know() {
    let program = program();
    let mut request = request(&[Property::NoDataRace]);
    let unknown = Verdict::Unknown(Unknown::SafeUpTo(Vec::new()));
    let proof = Verdict::True(Proof::default());
    let both = vec![unknown, proof];
    assert_eq!(ask(&program, &request, both.clone()).line(), "true");
    request.budget = Budget::with_timeout(Duration::ZERO);
    let late = ask(&program, &request, both);
    assert_eq!(late.line(), "unknown(timeout)");
}

/// An engine that works until it is told to stop, or for so long.
struct Works(Duration, Verdict);

impl Engine for Works {
    fn name(&self) -> &'static str {
        "works"
    }

    fn work(
        &self,
        _: &Program,
        request: &Request,
        _: &mut dyn Judge,
        _: &mut dyn FnMut(Progress),
        board: &mut dyn Board,
    ) {
        let used = crate::limits::own_cpu_time;
        while used() < self.0 {
            if let Some(cause) = request.budget.stopped() {
                let stopped = Verdict::Unknown(Unknown::Stopped { cause, bound: None });
                board.answer(&request.properties, stopped);
                return;
            }
        }
        board.answer(&request.properties, self.1.clone());
    }
}

/// An engine with a bug.
struct Fails;

impl Engine for Fails {
    fn name(&self) -> &'static str {
        "fails"
    }

    fn work(
        &self,
        _: &Program,
        _: &Request,
        _: &mut dyn Judge,
        _: &mut dyn FnMut(Progress),
        _: &mut dyn Board,
    ) {
        panic!("on purpose");
    }
}

#[test]
fn the_fastest_engine_answers_and_costs_no_multiple_of_the_slow_ones() {
    let program = Arc::new(program());
    let request = request(&[Property::NoDataRace]);
    let long = Duration::from_secs(3600);
    let member = |time, verdict: Verdict| Member {
        engine: Arc::new(Works(time, verdict)),
        weights: EQUAL,
        answers: |_| true,
    };
    let proof = Verdict::True(Proof::default());
    let unknown = Verdict::Unknown(Unknown::SafeUpTo(Vec::new()));
    let members = [
        member(long, unknown.clone()),
        member(Duration::from_millis(100), unknown.clone()),
        member(Duration::from_millis(200), proof),
        member(long, unknown),
    ];
    let before = crate::limits::cpu_time();
    let started = Instant::now();
    let (conclusion, _) = decide(&members, &question(&program, &request), &mut |_| {});
    assert_eq!(conclusion.line(), "true");
    // Other tests run in this process, too: the bounds are wide.
    assert!(started.elapsed() < Duration::from_secs(20));
    assert!(crate::limits::cpu_time() - before < Duration::from_secs(30));
}

#[test]
fn an_engine_that_fails_does_not_take_the_others_with_it() {
    let program = Arc::new(program());
    let request = request(&[Property::NoDataRace]);
    let says = |v| Member {
        engine: Arc::new(Works(Duration::from_millis(30), v)),
        weights: EQUAL,
        answers: |_| true,
    };
    let fails = Member {
        engine: Arc::new(Fails),
        weights: EQUAL,
        answers: |_| true,
    };
    let proof = says(Verdict::True(Proof::default()));
    let unknown = says(Verdict::Unknown(Unknown::SafeForThreads(3)));
    let ask = |members: &[Member]| decide(members, &question(&program, &request), &mut |_| {}).0;
    assert_eq!(ask(&[fails.clone(), proof]).line(), "true");
    assert_eq!(ask(&[fails, unknown]).ending(), Ending::Internal);
}

/// An engine that fails in a way that would end the whole process.
enum Disaster {
    Overflow,
    Memory,
    Sleep,
    Abort,
}

impl Engine for Disaster {
    fn name(&self) -> &'static str {
        "disaster"
    }

    fn work(
        &self,
        _: &Program,
        _: &Request,
        _: &mut dyn Judge,
        _: &mut dyn FnMut(Progress),
        _: &mut dyn Board,
    ) {
        match self {
            Disaster::Overflow => {
                std::hint::black_box(deep(0));
            }
            Disaster::Memory => {
                let mut all: Vec<Vec<u8>> = Vec::new();
                loop {
                    all.push(std::hint::black_box(vec![1; 1 << 20]));
                }
            }
            Disaster::Sleep => loop {
                std::thread::sleep(Duration::from_secs(1));
            },
            Disaster::Abort => std::process::abort(),
        }
    }
}

#[allow(unconditional_recursion)]
fn deep(n: u64) -> u64 {
    let here = std::hint::black_box([n; 64]);
    deep(n + 1) + here[(n % 64) as usize]
}

#[test]
fn a_disaster_is_one_engines_own() {
    let program = Arc::new(program());
    let properties = [Property::NoDataRace];
    let disasters = [
        Disaster::Overflow,
        Disaster::Memory,
        Disaster::Sleep,
        Disaster::Abort,
    ];
    for disaster in disasters {
        let failing = Member {
            engine: Arc::new(disaster),
            weights: EQUAL,
            answers: |_| true,
        };
        let proof = Verdict::True(Proof::default());
        let working = Member {
            engine: Arc::new(Works(Duration::from_millis(300), proof)),
            weights: EQUAL,
            answers: |_| true,
        };
        let mut request = request(&properties);
        request.budget = Budget::with_timeout(Duration::from_secs(60));
        for jobs in [1, 2] {
            let question = Question {
                memory: Some(1 << 30),
                jobs,
                ..question(&program, &request)
            };
            let members = [failing.clone(), working.clone()];
            let (both, _) = decide(&members, &question, &mut |_| {});
            assert_eq!(both.line(), "true", "{jobs} at a time");
        }
        request.budget = Budget::with_timeout(Duration::from_secs(3));
        let question = Question {
            request: &request,
            memory: Some(1 << 30),
            ..self::question(&program, &request)
        };
        let started = Instant::now();
        let (alone, _) = decide(&[failing], &question, &mut |_| {});
        assert_eq!(alone.ending(), Ending::Unknown, "{}", alone.line());
        assert!(started.elapsed() < Duration::from_secs(20));
    }
}

#[test]
fn unknown_says_why_and_what_to_try() {
    let program = program();
    let request = request(&[Property::NoDataRace]);
    let span = Span {
        line: 7,
        column: 3,
        ..Span::NOWHERE
    };
    let cut = Cut {
        function: "deposit".into(),
        span,
        bound: 8,
    };
    let cases = [
        (
            Unknown::SafeUpTo(vec![cut]),
            "cut: ",
            ":7:3: in deposit",
            "unknown(safe up to 8 iterations)",
        ),
        (
            Unknown::Unsupported {
                what: "floats".into(),
                span,
            },
            "unsupported: ",
            ":7:3: floats",
            "unknown(unsupported: floats)",
        ),
        (
            Unknown::Stopped {
                cause: StopCause::Memory,
                bound: Some(3),
            },
            "try: more --memory",
            "within 3 iterations",
            "unknown(memory, safe up to 3 iterations)",
        ),
    ];
    for (unknown, first, second, line) in cases {
        let conclusion = ask(&program, &request, vec![Verdict::Unknown(unknown)]);
        assert_eq!(conclusion.line(), line);
        assert_eq!(conclusion.ending(), Ending::Unknown);
        let text = text(&program, &request, &conclusion, &[]);
        assert!(text.contains(first) && text.contains(second), "{text}");
        let value = json(&program, &request, &conclusion);
        assert_eq!(value["verdict"], "unknown");
        assert_eq!(
            format!("unknown({})", value["reason"].as_str().unwrap_or("")),
            line
        );
    }
}

/// A dummy engine is one row of the registry: it can be named, works in the portfolio, and is not asked for what it cannot answer.
#[test]
fn an_engine_is_one_row_of_the_registry() {
    use crate::engines::{ENGINES, Entry, answering, known, members};
    let row = Entry {
        name: "says",
        about: "a test",
        make: |_| Arc::new(Says(Verdict::True(Proof::default()))),
        answers: |p| p == Property::NoOverflow,
        weights: EQUAL,
        in_portfolio: true,
        in_debugger: true,
    };
    let table = [row];
    assert!(known(&table, "says").is_some() && known(ENGINES, "says").is_none());
    let program = Arc::new(program());
    let request = request(&[Property::NoOverflow, Property::UnreachCall]);
    let all = members(&table, Some(&options(&[])));
    let (conclusion, _) = decide(&all, &question(&program, &request), &mut |_| {});
    let ledger = &conclusion.ledger;
    assert!(!ledger.is_open(Property::NoOverflow) && ledger.is_open(Property::UnreachCall));
    assert_eq!(
        conclusion.line(),
        "unknown(unsupported: the property unreach-call)"
    );
    assert!(members(&table, Some(&options(&["--engine", "staged"]))).is_empty());
    assert_eq!(answering(&table).len(), 1);
    assert_eq!(answering(ENGINES)[0].name(), "fusion");
    for entry in ENGINES {
        let named = members(ENGINES, Some(&options(&["--engine", entry.name])));
        assert_eq!(named.len(), 1);
        assert_eq!(named[0].engine.name(), entry.name);
    }
}
