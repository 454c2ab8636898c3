//! Runs the front end over many files and counts: `front [--ilp32] [--check] FILES`.
//!
//! Without `--check` every file is lowered, verified, printed, read back and printed again; with it, only its
//! declarations are resolved (for headers). Files whose names are read from standard input come after `-`.
//! With `--print`, the IR is shown.

use raddle_c::{Options, check, compile};
use std::io::BufRead;
use std::process::ExitCode;
use std::time::{Duration, Instant};

fn round_trip(program: &raddle_ir::Program, show: bool) -> Result<(), String> {
    let printed = raddle_ir::print(program);
    if show {
        println!("{printed}");
    }
    if let Some(invalid) = raddle_ir::verify(program).first() {
        return Err(format!("not valid: {invalid}"));
    }
    match raddle_ir::read(&printed) {
        Ok(again) if raddle_ir::print(&again) == printed => Ok(()),
        Ok(_) => Err("print, read, print differs".to_owned()),
        Err(e) => Err(format!("cannot be read back: {e:?}")),
    }
}

fn main() -> ExitCode {
    let mut options = Options::default();
    let (mut only_check, mut show) = (false, false);
    let mut files = Vec::new();
    for argument in std::env::args().skip(1) {
        match argument.as_str() {
            "--ilp32" => options.model = raddle_ir::DataModel::Ilp32,
            "--check" => only_check = true,
            "--print" => show = true,
            "-" => files.extend(std::io::stdin().lock().lines().map_while(Result::ok)),
            _ => files.push(argument),
        }
    }
    let mut accepted = 0;
    let mut spent = Duration::ZERO;
    for file in &files {
        let start = Instant::now();
        let result = if only_check {
            check(&[file], &options).map_err(|f| f.render())
        } else {
            let program = compile(&[file], &options);
            spent += start.elapsed();
            program
                .map_err(|f| f.render())
                .and_then(|p| round_trip(&p, show))
        };
        if only_check {
            spent += start.elapsed();
        }
        match result {
            Ok(()) => accepted += 1,
            Err(message) => println!("{file}: {}", message.trim_end()),
        }
    }
    println!(
        "{accepted} of {} accepted, front end {:.2} s",
        files.len(),
        spent.as_secs_f64()
    );
    if accepted == files.len() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
