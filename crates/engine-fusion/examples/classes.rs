//! Counts the executions of a program: `classes FILE [all|classic|optimal] [-DNAME=VALUE …]`.

use raddle_engine_fusion::Strategy;
use raddle_engine_fusion::search::{Counts, Hit, Options, Watcher, search};
use raddle_engine_fusion::trace::Trace;
use raddle_interp::Config;
use std::path::PathBuf;
use std::time::Instant;

struct Count;

impl Watcher for Count {
    fn hit(&mut self, _: Hit) -> bool {
        true
    }

    fn ended(&mut self, _: &Trace, _: &Counts) -> bool {
        true
    }
}

fn main() {
    let mut strategy = Strategy::Optimal;
    let mut options = raddle_c::Options::default();
    let mut files = Vec::new();
    let mut defines = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "all" => strategy = Strategy::All,
            "classic" => strategy = Strategy::Classic,
            "reads-from" => strategy = Strategy::ReadsFrom,
            "optimal" => strategy = Strategy::Optimal,
            define if define.starts_with("-D") => defines.push(argument),
            file => files.push(PathBuf::from(file)),
        }
    }
    if let Ok(flags) = raddle_c::Flags::parse(&defines) {
        options.flags = flags;
    }
    let paths: Vec<&std::path::Path> = files.iter().map(|f| f.as_path()).collect();
    let program = match raddle_c::compile(&paths, &options) {
        Ok(program) => program,
        Err(why) => {
            eprintln!("{}", why.render());
            return;
        }
    };
    let started = Instant::now();
    let options = Options {
        strategy,
        config: Config {
            checks: raddle_interp::Checks::none(),
            ..Config::default()
        },
        races: false,
        ends_matter: false,
        depth: 10_000,
        whole_states: false,
        preemptions: None,
        switches: None,
        inputs: None,
        root: None,
    };
    let (counts, doubts, _) = search(&program, &options, &mut Count);
    let took = started.elapsed().as_secs_f64();
    println!("{counts:?} {doubts:?}");
    println!(
        "{took:.3} s, {:.0} executions per second, {:.2} events per execution",
        counts.executions as f64 / took,
        counts.events as f64 / counts.executions as f64
    );
}
