//! Steps, states and time of the refinement engine on preprocessed programs, with and without partial-order reduction.
//!
//! `cargo run --release -p raddle-engine-refine --example measure -- [--threads N] [--limit SECONDS] FILES.i` prints a line of
//! comma-separated values per program.

use raddle_engine_refine::RefineEngine;
use raddle_ir::Property;
use raddle_verdict::{Budget, Engine, Request};
use raddle_witness::Replayer;
use std::time::{Duration, Instant};

fn main() {
    let big = std::thread::Builder::new().stack_size(256 << 20);
    big.spawn(measure)
        .expect("a thread")
        .join()
        .expect("no panic");
}

fn measure() {
    let mut threads = None;
    let mut limit = 60;
    println!("program,reduction,verdict,refinements,predicates,states,seconds");
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--threads" => threads = args.next().and_then(|n| n.parse().ok()),
            "--limit" => limit = args.next().and_then(|n| n.parse().ok()).unwrap_or(limit),
            file => {
                for reduce in [true, false] {
                    one(file, reduce, threads, limit);
                }
            }
        }
    }
}

fn one(file: &str, reduce: bool, threads: Option<u32>, limit: u64) {
    let text = std::fs::read(file).expect("a readable file");
    let options = raddle_c::Options::default();
    let program = match raddle_c::compile_text(file, text, &options) {
        Ok(program) => program,
        Err(why) => {
            eprintln!("{}", why.render());
            return;
        }
    };
    let request = Request {
        properties: vec![Property::UnreachCall],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(limit)),
    };
    let engine = RefineEngine {
        reduce,
        threads,
        ..RefineEngine::default()
    };
    let mut judge = Replayer::new(&program, &request.properties);
    let started = Instant::now();
    let mut last = String::new();
    let verdict = engine.check(&program, &request, &mut judge, &mut |p| last = p.what);
    let numbers: Vec<&str> = last
        .split(|c: char| !c.is_ascii_digit())
        .filter(|w| !w.is_empty())
        .collect();
    let name = file.rsplit('/').next().unwrap_or(file);
    let number = |i: usize| numbers.get(i).copied().unwrap_or("-");
    println!(
        "{name},{},{},{},{},{},{:.2}",
        if reduce { "on" } else { "off" },
        verdict.to_string().replace(',', ";"),
        number(0),
        number(1),
        number(2),
        started.elapsed().as_secs_f64()
    );
}
