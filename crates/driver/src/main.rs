//! The `raddle` command.
//!
//! This crate does all input and output: it reads files and flags, calls the library crates, and turns
//! what they found into text and exit codes (0 nothing wrong, 1 a violation, 2 not known, 64 usage, 65 bad
//! input, 70 an internal error).
//!
//! Files: `cli.rs` flags, `experiments.rs` those behind `-Z`. `raddle verify`: `verify.rs`, `compile.rs` (front half), `decide.rs` (the ledger, every
//! violation replayed once more), `engines.rs` (the registry, a row per engine), `portfolio.rs`, `shares.rs`,
//! `child.rs` (turns, weights, processes), `read_off.rs`, `single.rs`, `havoc.rs`, `memory_model.rs`,
//! `ledger_file.rs`, `ledger_resume.rs`, `limits.rs`; output: `verify_text.rs`, `verify_questions.rs`,
//! `verify_json.rs`, `verify_sarif.rs`, `page.rs`, `correctness.rs`, `render.rs`, `progress_lines.rs`. `batch/`: many
//! programs. Other commands: `run.rs`, `check_proof.rs`, `ir.rs`, `fmt.rs`, `explain.rs`, `cc.rs` with `elf.rs`,
//! `debug.rs`, `dap.rs`. Shared: `property.rs`, `quantity.rs`, `compile_commands.rs`, `complaint.rs`.

mod batch;
mod cc;
mod check_proof;
mod child;
mod cli;
mod compile;
mod compile_commands;
mod complaint;
mod correctness;
mod dap;
mod debug;
mod decide;
mod elf;
mod engines;
mod experiments;
mod explain;
mod fmt;
mod havoc;
mod ir;
mod ledger_file;
mod ledger_resume;
mod limits;
mod memory_model;
mod page;
mod portfolio;
mod progress_lines;
mod property;
mod quantity;
mod read_off;
mod render;
mod run;
mod shares;
mod single;
mod verify;
mod verify_json;
mod verify_questions;
mod verify_sarif;
#[cfg(test)]
mod verify_tests;
mod verify_text;

use cli::{Cli, Command};
use std::process::ExitCode;

/// How a command ended, as an exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Nothing wrong.
    Fine = 0,
    /// A violation was found.
    Violation = 1,
    /// Not known: a limit was reached.
    Unknown = 2,
    /// The command line makes no sense.
    Usage = 64,
    /// The input makes no sense.
    BadInput = 65,
    /// A bug of ours.
    Internal = 70,
}

fn main() -> ExitCode {
    // Rust ignores SIGPIPE, so `raddle ir … | head` would end in a panic instead of silence.
    // SAFETY: sets the default action, before any other thread exists.
    unsafe {
        libc::signal(libc::SIGPIPE, libc::SIG_DFL);
    }
    let default_hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        default_hook(info);
        // Another engine may still have the answer (`portfolio`).
        let thread = std::thread::current();
        if thread.name().is_some_and(|n| n == child::ENGINE) {
            return;
        }
        eprintln!("raddle: this is a bug in raddle; please report it with the input that led here");
        limits::say_last_words(&limits::Unanswered::Internal);
        std::process::exit(70);
    }));
    let cli = match Cli::read(std::env::args_os()) {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return match error.use_stderr() {
                true => ExitCode::from(Ending::Usage as u8),
                false => ExitCode::SUCCESS,
            };
        }
    };
    // Deeply nested input recurses in the front end; its limit is set for this stack.
    let worker = std::thread::Builder::new()
        .stack_size(256 << 20)
        .spawn(move || match cli.command {
            Command::Run(options) => run::run(&options),
            Command::Verify(options) => verify::verify(&options),
            Command::Replay(options) => run::replay_only(&options),
            Command::CheckProof(options) => check_proof::check_proof(&options),
            Command::Ir(options) => ir::ir(&options),
            Command::Explain(options) => explain::describe(&options),
            Command::Completions { shell } => explain::completions(shell),
            Command::Man { command } => explain::man(command.as_deref()),
            Command::Fmt(options) => fmt::fmt(&options),
            Command::Cc(options) => cc::cc(&options),
            Command::Report(options) => page::report(&options),
            Command::Debug(options) => debug::debug(&options),
            Command::Dap(options) => dap::dap(&options),
        });
    let ending = worker.map(|w| w.join());
    match ending {
        Ok(Ok(ending)) => ExitCode::from(ending as u8),
        _ => ExitCode::from(70),
    }
}
