//! One row of the comparison in `benchmarks/fusion`: `table1 METHOD SECONDS FILE [-DNAME=VALUE …]` prints method, answer, executions,
//! steps and seconds of this process, separated by commas. Only `unreach-call`, and no executions at random.

use raddle_engine_fusion::{FusionEngine, Method};
use raddle_ir::Property;
use raddle_verdict::{Budget, Request, Verdict};
use raddle_witness::Replayer;
use std::path::PathBuf;
use std::time::{Duration, Instant};

fn main() -> Result<(), String> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().ok_or("a method is missing")?;
    let method: Method = name.parse()?;
    let seconds = arguments.next().and_then(|s| s.parse().ok());
    let seconds: u64 = seconds.ok_or("a number of seconds is missing")?;
    let file = PathBuf::from(arguments.next().ok_or("a file is missing")?);
    let defines: Vec<String> = arguments.collect();
    let options = raddle_c::Options {
        flags: raddle_c::Flags::parse(&defines).map_err(|_| "these are not defines")?,
        ..raddle_c::Options::default()
    };
    let program = raddle_c::compile(&[file.as_path()], &options).map_err(|why| why.render())?;
    let request = Request {
        properties: vec![Property::UnreachCall],
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(Duration::from_secs(seconds)),
    };
    let engine = FusionEngine {
        walks: 0,
        ..FusionEngine::with(method)
    };
    let work = move || {
        let started = Instant::now();
        let mut judge = Replayer::new(&program, &request.properties);
        let (verdict, effort) = engine.check_counting(&program, &request, &mut judge, &mut |_| {});
        let answer = match verdict {
            Verdict::True(_) => "true",
            Verdict::False(_) => "false",
            Verdict::Unknown(_) => "unknown",
        };
        let seconds = started.elapsed().as_secs_f64();
        println!(
            "{name},{answer},{},{},{seconds:.3}",
            effort.executions, effort.events
        );
    };
    // Unwinding recurses with the program.
    let builder = std::thread::Builder::new().stack_size(256 << 20);
    let worker = builder.spawn(work).map_err(|e| e.to_string())?;
    worker.join().map_err(|_| "a panic".to_string())
}
