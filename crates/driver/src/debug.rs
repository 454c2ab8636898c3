//! `raddle debug`: a session at the terminal.

use crate::cli::{DebugOptions, InputOptions};
use crate::complaint::Complaint;
use crate::decide::decide;
use crate::engines::ENGINES;
use crate::portfolio::Question;
use crate::property;
use crate::verify::cores;
use crate::{Ending, compile, engines, run};
use raddle_c::Arguments;
use raddle_debugger::Session;
use raddle_debugger::background::Background;
use raddle_debugger::console::Console;
use raddle_debugger::convert::{config_of, history_of};
use raddle_debugger::dap::Loaded;
use raddle_debugger::describe::Sources;
use raddle_interp::Config;
use raddle_interp::schedule::Schedule;
use raddle_ir::{Program, Property};
use raddle_verdict::{Budget, Request};
use std::io::{BufRead, IsTerminal, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// What a session begins with.
pub struct Wanted<'a> {
    /// The program.
    pub input: &'a InputOptions,
    /// A schedule to begin with.
    pub schedule: Option<&'a Path>,
    /// Look for a violation to begin with, for so long.
    pub find: Option<Duration>,
    /// What counts as going wrong.
    pub properties: Vec<Property>,
    /// The inputs it gets.
    pub inputs: Vec<i128>,
    /// Sleepers may wake without a signal.
    pub spurious_wakeups: bool,
    /// The arguments of `main`.
    pub arguments: &'a [String],
}

/// `raddle debug`.
pub fn debug(options: &DebugOptions) -> Ending {
    let properties = match property::parse(&options.property) {
        Ok(properties) => properties,
        Err(mistake) => return Complaint::from(mistake).say(),
    };
    let wanted = Wanted {
        input: &options.input,
        schedule: options.schedule.as_deref(),
        find: options.find.then_some(options.timeout),
        properties,
        inputs: options.inputs.clone(),
        spurious_wakeups: options.spurious_wakeups,
        arguments: &options.args,
    };
    let loaded = match load(&wanted) {
        Ok(loaded) => loaded,
        Err(complaint) => return complaint.say(),
    };
    let mut console = match console(&loaded) {
        Ok(console) => console,
        Err(why) => {
            eprintln!("error: {why}");
            return Ending::BadInput;
        }
    };
    let script = match &options.commands {
        None => String::new(),
        Some(path) => match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("error: cannot read {}: {error}", path.display());
                return Ending::BadInput;
            }
        },
    };
    let terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if options.plain || !terminal {
        // A script goes its way, whatever else could happen; people like to know.
        if !std::io::stdin().is_terminal() {
            return plain(&mut console, &script, None);
        }
        let properties = console.session.branch().rules.checks.iter().collect();
        let inputs = options.inputs.clone();
        return std::thread::scope(|scope| {
            let program = &loaded.program;
            let beside = Background::start(scope, program, &loaded.engines, inputs, properties);
            plain(&mut console, &script, Some(&beside))
        });
    }
    for line in script.lines() {
        if console.execute(line).quit {
            return Ending::Fine;
        }
    }
    match raddle_debugger::tui::run(console, options.inputs.clone()) {
        Ok(()) => Ending::Fine,
        Err(error) => {
            eprintln!("error: the terminal: {error}");
            Ending::Internal
        }
    }
}

/// A program with everything that belongs to it.
pub fn load(wanted: &Wanted<'_>) -> Result<Loaded, Complaint> {
    let mut input = wanted.input.clone();
    let mut schedule = None;
    if let Some(path) = wanted.schedule {
        let read = run::read(path)?;
        if input.files.is_empty() {
            input.files = read.files.iter().map(Into::into).collect();
        }
        schedule = Some((path, read));
    }
    if input.files.is_empty() {
        let what = "name the files of the program, or a schedule of it";
        return Err(Complaint::new(Ending::Usage, what));
    }
    let program = match &schedule {
        Some((path, schedule)) => {
            let program = run::program_of(&input, wanted.arguments, schedule)?;
            if let Err(message) = schedule.check_program(&program) {
                let what = format!("{}: {message}", path.display());
                return Err(Complaint::new(Ending::BadInput, what));
            }
            program
        }
        None => compile::program(&input, Arguments::Given(wanted.arguments.to_vec()))?,
    };
    let mut schedule = schedule.map(|(_, s)| s);
    let program = Arc::new(program);
    if let Some(time) = wanted.find {
        let found = find(&program, &wanted.properties, time, &input);
        match found {
            Some(found) => schedule = Some(found),
            None => eprintln!("no violation was found; the session begins at the start"),
        }
    }
    let text = |name: &String| std::fs::read(name).unwrap_or_default();
    let texts = program
        .files
        .iter()
        .map(|f| String::from_utf8_lossy(&text(f)).into_owned());
    let sources = Sources::new(texts.collect());
    let deadlocks = wanted.properties.contains(&Property::NoDeadlock);
    let config = Config {
        checks: wanted.properties.iter().copied().collect(),
        spurious_wakeups: wanted.spurious_wakeups && !deadlocks,
        ..Config::default()
    };
    Ok(Loaded {
        sources,
        files: compile::file_names(&input),
        arguments: wanted.arguments.to_vec(),
        config,
        schedule,
        inputs: wanted.inputs.clone(),
        engines: engines::answering(ENGINES),
        program: Arc::unwrap_or_clone(program),
    })
}

/// A schedule that goes wrong, if one is found in time.
fn find(
    program: &Arc<Program>,
    properties: &[Property],
    time: Duration,
    input: &InputOptions,
) -> Option<Schedule> {
    let members = engines::members(ENGINES, None);
    let request = Request {
        properties: properties.to_vec(),
        unwind: None,
        certify: false,
        inputs: None,
        all_violations: false,
        after: None,
        budget: Budget::with_timeout(time),
    };
    let question = Question {
        program,
        request: &request,
        jobs: cores(),
        memory: None,
        files: compile::file_names(input),
        havoc: None,
    };
    let (conclusion, _) = decide(&members, &question, &mut |_| {});
    conclusion.shown.into_iter().next().map(|s| s.run.schedule)
}

/// A session with what was loaded.
pub fn console(loaded: &Loaded) -> Result<Console<'_>, String> {
    let config = match &loaded.schedule {
        Some(schedule) => config_of(schedule),
        None => loaded.config.clone(),
    };
    let mut session = Session::new(&loaded.program, config);
    session.inputs = loaded.inputs.iter().map(|v| *v as u128).collect();
    if let Some(schedule) = &loaded.schedule {
        let run = history_of(&loaded.program, schedule)?;
        session.load(&run, "schedule", None)?;
    }
    session.enter();
    let mut console = Console::new(session, loaded.sources.clone());
    console.files = loaded.files.clone();
    console.arguments = loaded.arguments.clone();
    console.engines = loaded.engines.clone();
    Ok(console)
}

static INTERRUPT: OnceLock<Arc<AtomicBool>> = OnceLock::new();

extern "C" fn interrupted(_: libc::c_int) {
    if let Some(flag) = INTERRUPT.get() {
        flag.store(true, Ordering::SeqCst);
    }
}

/// Ctrl-C stops what the session is doing, not the session.
pub fn catch_interrupts(flag: Arc<AtomicBool>) {
    if INTERRUPT.set(flag).is_ok() {
        // SAFETY: the handler only reads a value that is set once, and stores to an atomic.
        unsafe {
            libc::signal(libc::SIGINT, interrupted as *const () as libc::sighandler_t);
        }
    }
}

/// A command a line, first those of a script.
fn plain(console: &mut Console<'_>, script: &str, beside: Option<&Background<'_>>) -> Ending {
    catch_interrupts(console.session.interrupt());
    let terminal = std::io::stdin().is_terminal();
    let mut out = std::io::stdout();
    let mut mistakes = false;
    let files = console.files.join(" ");
    let steps = console.session.branch().len();
    let _ = match steps {
        _ if !console.session.has_future() => {
            writeln!(out, "{files}: at the beginning; `help` lists the commands")
        }
        _ => writeln!(
            out,
            "{files}: at the beginning of a run of {steps} steps; `help` lists the commands"
        ),
    };
    for line in script.lines() {
        let _ = writeln!(out, "(raddle) {line}");
        match one(console, line, &mut mistakes) {
            true => {}
            false => return ending(mistakes && !terminal),
        }
    }
    let mut input = std::io::stdin().lock();
    loop {
        if console.warning.is_none()
            && let Some(warning) = beside.and_then(Background::news)
        {
            let what = &warning.told.what;
            let _ = writeln!(
                out,
                "another interleaving of this run goes wrong: {what}; `jump` goes there"
            );
            console.warning = Some(warning);
        }
        if terminal {
            let _ = write!(out, "(raddle) ");
        }
        let _ = out.flush();
        let mut line = String::new();
        match input.read_line(&mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        }
        let line = line.trim_end();
        // A script's lines are told, so that what comes out can be read alone; an empty one repeats nothing there.
        if !terminal {
            if line.is_empty() {
                continue;
            }
            let _ = writeln!(out, "(raddle) {line}");
        }
        if !one(console, line, &mut mistakes) {
            break;
        }
    }
    ending(mistakes && !terminal)
}

fn ending(mistakes: bool) -> Ending {
    match mistakes {
        true => Ending::Usage,
        false => Ending::Fine,
    }
}

/// Does what a line says; false if the session is over.
fn one(console: &mut Console<'_>, line: &str, mistakes: &mut bool) -> bool {
    let reply = console.execute(line);
    let mut out = std::io::stdout();
    let _ = write!(out, "{}", reply.text);
    *mistakes |= reply.mistake;
    if let Some((path, text)) = reply.save {
        match std::fs::write(&path, text) {
            Ok(()) => {
                let _ = writeln!(out, "written: {path}");
            }
            Err(error) => {
                let _ = writeln!(out, "cannot write {path}: {error}");
                *mistakes = true;
            }
        }
    }
    !reply.quit
}
