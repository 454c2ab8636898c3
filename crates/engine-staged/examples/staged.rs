//! Runs the staged engine on one file and tells what it does when: `staged FILE.i [--ilp32] [SECONDS]`.

use raddle_ir::{DataModel, Property};
use raddle_verdict::{Budget, Engine, Request};
use std::time::{Duration, Instant};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let model = match args.iter().any(|a| a == "--ilp32") {
        true => DataModel::Ilp32,
        false => DataModel::Lp64,
    };
    let seconds = args.iter().find_map(|a| a.parse().ok()).unwrap_or(10);
    let options = raddle_c::Options {
        model,
        ..raddle_c::Options::default()
    };
    let program = match raddle_c::compile(&[args[0].clone()], &options) {
        Ok(program) => program,
        Err(_) => panic!("the program does not compile"),
    };
    let request = Request {
        properties: vec![Property::UnreachCall],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(seconds)),
    };
    let mut judge = raddle_witness::Replayer::new(&program, &request.properties);
    let start = Instant::now();
    let mut progress = |p: raddle_verdict::Progress| {
        println!("{:8.3} {}", start.elapsed().as_secs_f64(), p.what);
    };
    let engine = raddle_engine_staged::StagedEngine::default();
    let verdict = engine.check(&program, &request, &mut judge, &mut progress);
    println!("{:8.3} {verdict}", start.elapsed().as_secs_f64());
}
