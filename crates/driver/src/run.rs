//! `raddle run`: one schedule, or many until something goes wrong.

use crate::Ending;
use crate::cli::{InputOptions, Policy, ReplayOptions, RunOptions};
use crate::compile;
use crate::complaint::Complaint;
use crate::property;
use crate::render::Renderer;
use raddle_c::Arguments;
use raddle_interp::schedule::Schedule;
use raddle_interp::schedulers::{Pct, Random, Replay, RoundRobin, Runner, Scheduler, Stop};
use raddle_interp::{Checks, Config, End, Machine};
use raddle_ir::{Program, Property};
use raddle_witness::ReplayedRun;
use std::io::{IsTerminal, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// Without `--tries`: how many schedules, and for how long.
const DEFAULT_TRIES: u64 = 1000;
const DEFAULT_TIME: Duration = Duration::from_secs(2);

/// Runs the program.
pub fn run(options: &RunOptions) -> Ending {
    let checks = match checks(&options.property) {
        Ok(checks) => checks,
        Err(message) => {
            eprintln!("error: {message}");
            return Ending::Usage;
        }
    };
    let schedule = match options.schedule.as_deref().map(read).transpose() {
        Ok(schedule) => schedule,
        Err(complaint) => return complaint.say(),
    };
    let given = || Arguments::Given(options.args.clone());
    let program = match &schedule {
        Some(schedule) => program_of(&options.input, &options.args, schedule),
        None => compile::program(&options.input, given()),
    };
    let program = match program {
        Ok(program) => program,
        Err(complaint) => return complaint.say(),
    };
    let ending = match (&options.schedule, &schedule) {
        (Some(path), Some(schedule)) => replay(options, &program, path, schedule),
        _ => search(options, &program, checks),
    };
    for assumption in &program.assumptions {
        let span = assumption.span;
        let place = match (program.files.get(span.file.0 as usize), span.line) {
            (Some(file), line) if line > 0 => format!("{file}:{line}: "),
            _ => String::new(),
        };
        eprintln!("assumed: {place}{}", assumption.what);
    }
    ending
}

/// The program that a schedule was made for, perhaps for any arguments.
pub fn program_of(
    input: &InputOptions,
    arguments: &[String],
    schedule: &Schedule,
) -> Result<Program, Complaint> {
    if arguments.is_empty() {
        let program = compile::program(input, Arguments::Any)?;
        if program.limits.is_empty() || program.fingerprint() == schedule.program {
            return Ok(program);
        }
    }
    compile::program(input, Arguments::Given(arguments.to_vec()))
}

/// A schedule from its file.
pub fn read(path: &Path) -> Result<Schedule, Complaint> {
    let text = std::fs::read_to_string(path).map_err(|error| {
        let what = format!("cannot read {}: {error}", path.display());
        Complaint::new(Ending::BadInput, what)
    })?;
    Schedule::from_json(&text).map_err(|message| {
        let what = format!("{}: {message}", path.display());
        Complaint::new(Ending::BadInput, what)
    })
}

fn checks(names: &[String]) -> Result<Checks, String> {
    let mut all: Vec<Property> = Vec::new();
    for name in names {
        all.extend(property::named(name)?);
    }
    Ok(all.into_iter().collect())
}

/// One finished run.
struct Trial {
    stop: Stop,
    schedule: Schedule,
}

fn search(options: &RunOptions, program: &Program, checks: Checks) -> Ending {
    let started = Instant::now();
    let (first, tries, patience) = match (options.seed, options.tries) {
        (Some(seed), _) => (seed, 1, Duration::MAX),
        (None, Some(tries)) => (0, tries.max(1), Duration::MAX),
        (None, None) => (0, DEFAULT_TRIES, DEFAULT_TIME),
    };
    let mut steps = 0;
    let favourites = raddle_interp::constants::interesting(program);
    let mut first_ending = Ending::Fine;
    for n in 0..tries {
        let seed = first.wrapping_add(n);
        let config = config(checks, seed, n == 0);
        let mut scheduler = scheduler(options.policy, seed, steps, &favourites);
        let deadline = match n {
            0 => None,
            _ => started.checked_add(patience),
        };
        let (trial, taken) = trial(
            options,
            program,
            config,
            scheduler.as_mut(),
            n == 0,
            deadline,
        );
        steps = steps.max(taken);
        if let Stop::Ended(End::Violation(_)) = &trial.stop {
            let replay = format!("raddle run {} --seed {seed}", command_line(options));
            return finish(options, program, &trial, &replay, seed, n);
        }
        if n == 0 {
            first_ending = finish(options, program, &trial, "", seed, n);
        }
        if started.elapsed() > patience {
            break;
        }
    }
    first_ending
}

fn config(checks: Checks, seed: u64, output: bool) -> Config {
    // With deadlocks checked a sleeper wakes only by a signal; the other half of the seeds looks for what a
    // spurious wake-up can do, and not for deadlocks.
    let spurious_wakeups = seed % 2 == 1 || !checks.has(Property::NoDeadlock);
    let looked_for = |p: &Property| !(spurious_wakeups && *p == Property::NoDeadlock);
    Config {
        checks: checks.iter().filter(looked_for).collect(),
        spurious_wakeups,
        output,
        ..Config::default()
    }
}

fn scheduler(
    policy: Option<Policy>,
    seed: u64,
    steps: u64,
    favourites: &[i128],
) -> Box<dyn Scheduler> {
    let favourites = favourites.to_vec();
    let policy = policy.unwrap_or(match seed / 2 % 2 {
        0 => Policy::Random,
        _ => Policy::Pct,
    });
    match policy {
        Policy::Random => Box::new(Random::new(seed).favouring(favourites)),
        Policy::Pct => Box::new(Pct::new(seed, 3, steps.max(20)).favouring(favourites)),
        Policy::RoundRobin => Box::new(RoundRobin::new(1 + (seed % 64) as u32)),
    }
}

fn trial(
    options: &RunOptions,
    program: &Program,
    config: Config,
    scheduler: &mut dyn Scheduler,
    show: bool,
    deadline: Option<Instant>,
) -> (Trial, u64) {
    let mut runner = Runner::new(scheduler);
    let mut machine = runner.start(program, config.clone());
    let mut go_on = |machine: &mut Machine<'_>| {
        if show {
            print_output(machine);
        }
        deadline.is_none_or(|d| Instant::now() < d)
    };
    let stop = runner.run(&mut machine, options.max_steps, &mut go_on);
    if show {
        print_output(&mut machine);
    }
    let schedule = Schedule {
        program: program.fingerprint(),
        files: files(options),
        data_model: program.model.name().to_string(),
        checks: config.checks,
        spurious_wakeups: config.spurious_wakeups,
        reuse_addresses: config.reuse_addresses,
        arguments: options.args.clone(),
        events: runner.events,
    };
    (Trial { stop, schedule }, machine.steps())
}

fn print_output(machine: &mut Machine<'_>) {
    for (stream, bytes) in machine.take_output() {
        let _ = match stream {
            2 => std::io::stderr().write_all(&bytes),
            _ => std::io::stdout().write_all(&bytes),
        };
    }
    let _ = std::io::stdout().flush();
}

fn files(options: &RunOptions) -> Vec<String> {
    compile::file_names(&options.input)
}

/// The words that name the program again.
fn command_line(options: &RunOptions) -> String {
    let mut words = vec![compile::command_line(&options.input)];
    if options.property != ["all"] {
        words.push(format!("--property {}", options.property.join(",")));
    }
    words.join(" ")
}

/// Reports a run and says how to repeat it.
fn finish(
    options: &RunOptions,
    program: &Program,
    trial: &Trial,
    replay: &str,
    seed: u64,
    earlier: u64,
) -> Ending {
    if let Some(path) = &options.record
        && let Err(error) = std::fs::write(path, trial.schedule.to_json())
    {
        eprintln!("error: cannot write {}: {error}", path.display());
        return Ending::BadInput;
    }
    match &trial.stop {
        Stop::Ended(End::Violation(violation)) => {
            if earlier > 0 {
                eprintln!(
                    "raddle: {earlier} other schedules went well; the one with seed {seed} does not:"
                );
            }
            let terminal = std::io::stderr().is_terminal();
            let mut renderer = Renderer::new(program, terminal);
            let run = ReplayedRun::known(trial.schedule.clone(), violation.as_ref().clone());
            eprint!("{}", renderer.violation(&run));
            let recorded = options.record.as_ref().map(|path| {
                format!(
                    "raddle run {} --schedule {}",
                    command_line(options),
                    path.display()
                )
            });
            let mut replay = recorded.unwrap_or(replay.to_string());
            if !options.args.is_empty() {
                replay += &format!(" -- {}", options.args.join(" "));
            }
            eprintln!("replay: {replay}");
            Ending::Violation
        }
        Stop::Ended(End::Exit(0)) => Ending::Fine,
        Stop::Ended(End::Exit(status)) => {
            eprintln!("raddle: the program ended with status {status}");
            Ending::Fine
        }
        Stop::Ended(End::Abort) => {
            eprintln!("raddle: the program aborted");
            Ending::Fine
        }
        Stop::Ended(End::Limit(what)) => {
            eprintln!("raddle: stopped: {what}");
            Ending::Unknown
        }
        Stop::Stuck => {
            eprintln!(
                "raddle: no thread can go on (stopped by an assume, or blocked while deadlocks are not checked)"
            );
            Ending::Fine
        }
        Stop::Steps => {
            eprintln!(
                "raddle: stopped after {} steps (--max-steps)",
                options.max_steps
            );
            Ending::Unknown
        }
        Stop::Scheduler | Stop::Interrupted => Ending::Unknown,
    }
}

/// Repeats a recorded schedule.
pub fn replay_only(options: &ReplayOptions) -> Ending {
    run(&RunOptions {
        input: options.input.clone(),
        seed: None,
        tries: None,
        schedule: Some(options.schedule.clone()),
        record: None,
        property: vec!["all".into()],
        policy: None,
        max_steps: u64::MAX,
        args: options.args.clone(),
    })
}

fn replay(options: &RunOptions, program: &Program, path: &Path, schedule: &Schedule) -> Ending {
    if let Err(message) = schedule.check_program(program) {
        eprintln!("error: {}: {message}", path.display());
        return Ending::BadInput;
    }
    let config = Config {
        checks: schedule.checks,
        spurious_wakeups: schedule.spurious_wakeups,
        reuse_addresses: schedule.reuse_addresses,
        ..Config::default()
    };
    let mut scheduler = Replay::new(schedule);
    let (trial, _) = trial(options, program, config, &mut scheduler, true, None);
    if let Some(mismatch) = &scheduler.mismatch {
        eprintln!(
            "error: {}: the program does not follow this schedule: {mismatch}",
            path.display()
        );
        return Ending::BadInput;
    }
    let replay = format!(
        "raddle run {} --schedule {}",
        command_line(options),
        path.display()
    );
    finish(options, program, &trial, &replay, 0, 0)
}
