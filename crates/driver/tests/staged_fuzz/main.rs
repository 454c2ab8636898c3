//! The staged engine against exhaustive enumeration, on random small programs.
//!
//! `random_programs` makes a program from a seed, `oracle.rs` asks the engine about every property and holds its answer against all
//! interleavings, `shrink.rs` reduces what goes wrong. What the enumeration cannot finish is not compared; inputs are such that it
//! tries all of them.
//!
//! - `RADDLE_FUZZ_STAGED=n` runs so many programs, `RADDLE_FUZZ_SEED=s` begins with that seed.
//! - `RADDLE_FUZZ_OUT=dir` is where reduced programs are written.
//! - `RADDLE_FUZZ_KNOWN=words;words` does not reduce defects whose description contains one of these.
//! - `RADDLE_FUZZ_WITH=Feature,Feature` and `RADDLE_FUZZ_WITHOUT=…` make programs with or without these features of `random_programs/features.rs`.
//! - `RADDLE_FUZZ_SHOW=s` prints the program of a seed.

mod oracle;
mod regressions;
mod shrink;

#[path = "../random_programs/mod.rs"]
#[allow(dead_code)]
mod random_programs;

use oracle::{Defect, Kind, Outcome, Patience, Question, compare};
use raddle_ir::Property;
use random_programs::features::Feature;
use random_programs::generate::{HEADER, generate, generate_with};
use random_programs::{compile, tree};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How many programs a normal run of the tests takes, and for how long at most.
const FEW: u64 = 60;
const SHORT: Duration = Duration::from_secs(20);

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// What is asked about the program of a seed.
fn questions(seed: u64, spins: bool) -> Vec<Question> {
    let bounded = (spins && !seed.is_multiple_of(3)) || seed.is_multiple_of(7);
    let unwind = bounded.then_some(1 + (seed % 3) as u32);
    let question = |properties: Vec<Property>| Question {
        properties,
        unwind,
        certify: seed.is_multiple_of(5),
        all: seed.is_multiple_of(6),
    };
    let mut all: Vec<Question> = Property::ALL.iter().map(|p| question(vec![*p])).collect();
    all.push(question(vec![
        Property::UnreachCall,
        Property::NoOverflow,
        Property::NoDivZero,
        Property::NoBadShift,
        Property::ValidDeref,
    ]));
    all
}

#[derive(Default)]
struct Tally {
    programs: u64,
    refused: u64,
    by_verdict: BTreeMap<(String, String), u64>,
    truths: BTreeMap<(String, &'static str), u64>,
    defects: Vec<(u64, Defect)>,
}

impl Tally {
    fn add(&mut self, asked: &Question, outcome: &Outcome) {
        let names: Vec<&str> = asked.properties.iter().map(|p| p.name()).collect();
        let name = match names[..] {
            [one] => one,
            _ => "several",
        };
        let key = (name.to_string(), outcome.verdict.clone());
        *self.by_verdict.entry(key).or_default() += 1;
        let key = (outcome.verdict.clone(), outcome.truth);
        *self.truths.entry(key).or_default() += 1;
    }

    fn print(&self) {
        eprintln!("{} programs, {} not compiled", self.programs, self.refused);
        for ((property, verdict), n) in &self.by_verdict {
            eprintln!("{n:6}  {property}: {verdict}");
        }
        for ((verdict, truth), n) in &self.truths {
            if !truth.is_empty() {
                eprintln!("{n:6}  engine {verdict}, enumeration {truth}");
            }
        }
    }
}

fn out() -> PathBuf {
    match std::env::var("RADDLE_FUZZ_OUT") {
        Ok(dir) => dir.into(),
        Err(_) => PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("staged-fuzz"),
    }
}

fn run() -> Tally {
    let asked_for = number("RADDLE_FUZZ_STAGED");
    let first = number("RADDLE_FUZZ_SEED").unwrap_or(1);
    let patience = Patience {
        engine: Duration::from_millis(1500),
        steps: 60_000,
    };
    let started = Instant::now();
    let mut tally = Tally::default();
    for seed in first..first + asked_for.unwrap_or(FEW) {
        if asked_for.is_none() && started.elapsed() > SHORT {
            break;
        }
        // Every third one is about sums, which random statements hardly ever are.
        let about: &[Feature] = match seed.is_multiple_of(3) {
            true => &[Feature::Sum],
            false => &[],
        };
        let generated = generate_with(seed, about);
        let all = questions(seed, generated.spins);
        check(seed, &generated.nodes, &all, patience, &mut tally);
        // Other claims about the same program ask which final states are reachable.
        let few = if asked_for.is_none() { 1 } else { usize::MAX };
        for claim in generated.claims.iter().take(few) {
            let nodes = generated.claiming(claim);
            check(seed, &nodes, &all[..1], patience, &mut tally);
        }
    }
    tally
}

/// Asks everything about one program.
fn check(
    seed: u64,
    nodes: &[tree::Node],
    questions: &[Question],
    patience: Patience,
    tally: &mut Tally,
) {
    tally.programs += 1;
    let program = match compile(&tree::print(nodes)) {
        Ok(program) => program,
        Err(why) => {
            eprintln!("seed {seed} does not compile: {why}");
            tally.refused += 1;
            return;
        }
    };
    for asked in questions {
        let outcome = compare(&program, asked, patience);
        tally.add(asked, &outcome);
        if let Some(defect) = outcome.defect {
            let alike = tally.defects.iter().filter(|(_, d)| {
                d.resembles(&defect) && d.asked.properties == defect.asked.properties
            });
            let often = alike.count() >= 3;
            let again = |(s, d): &(u64, Defect)| *s == seed && d.resembles(&defect);
            if often || tally.defects.iter().any(again) || known(&defect) {
                let name = asked.name();
                eprintln!(
                    "seed {seed}: {:?} of {name}: {}",
                    defect.kind, defect.detail
                );
            } else {
                report(seed, nodes, &defect, patience);
            }
            tally.defects.push((seed, defect));
        }
        if outcome.verdict.starts_with("stopped") {
            return;
        }
    }
}

/// Whether somebody works on it already.
fn known(defect: &Defect) -> bool {
    let list = std::env::var("RADDLE_FUZZ_KNOWN").unwrap_or_default();
    let text = format!(
        "{:?} of {}: {}",
        defect.kind,
        defect.asked.name(),
        defect.detail
    );
    list.split(';')
        .any(|words| !words.is_empty() && text.contains(words))
}

/// Reduces the program, prints it and writes it down.
fn report(seed: u64, nodes: &[tree::Node], defect: &Defect, patience: Patience) {
    let (small, defect) = shrink::shrink(nodes, defect, patience);
    let text = format!(
        "// seed {seed}, {:?} of {}: {}\n{HEADER}{}",
        defect.kind,
        defect.asked.name(),
        defect.detail,
        tree::print(&small)
    );
    eprintln!("{text}");
    let dir = out();
    let name = format!(
        "{:?}-{}-{seed}.c",
        defect.kind,
        defect.asked.properties[0].name()
    );
    let written =
        std::fs::create_dir_all(&dir).and_then(|()| std::fs::write(dir.join(&name), &text));
    match written {
        Ok(()) => eprintln!("written to {}", dir.join(name).display()),
        Err(why) => eprintln!("{name} cannot be written: {why}"),
    }
}

#[test]
fn the_staged_engine_agrees_with_enumeration() {
    if let Some(seed) = number("RADDLE_FUZZ_SHOW") {
        let generated = generate(seed);
        eprintln!("{HEADER}{}", tree::print(&generated.nodes));
        return;
    }
    let big = std::thread::Builder::new().stack_size(512 << 20);
    let tally = big.spawn(run).expect("a thread").join().expect("no panic");
    tally.print();
    let mut kinds: BTreeMap<Kind, Vec<u64>> = BTreeMap::new();
    for (seed, d) in &tally.defects {
        kinds.entry(d.kind).or_default().push(*seed);
    }
    assert!(tally.refused == 0, "the generator makes broken programs");
    assert!(kinds.is_empty(), "defects by kind and seed: {kinds:?}");
}

#[test]
fn a_seed_always_makes_the_same_program() {
    for seed in 0..20 {
        let (a, b) = (generate(seed), generate(seed));
        assert_eq!(tree::print(&a.nodes), tree::print(&b.nodes));
    }
}
