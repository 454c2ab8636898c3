//! `raddle verify --batch`: many programs, each in a process of its own, several at a time; interrupted, it goes on where it was.

mod html;
mod journal;
mod table;
mod tasks;

use crate::cli::VerifyOptions;
use crate::{Ending, limits, property};
use journal::{Answer, Journal, Row, Status};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tasks::Task;

/// A process that does not end by itself is ended this long behind its time limit.
const GRACE: Duration = Duration::from_secs(10);
const LOOK: Duration = Duration::from_millis(5);

/// A task at work.
struct Running {
    number: usize,
    child: Child,
    started: Instant,
    answer: PathBuf,
}

/// Verifies everything there is; the tables are written at the end, and what was found until then if it is interrupted.
pub fn batch(options: &VerifyOptions, from: &Path) -> Ending {
    match Batch::new(options, from).and_then(|mut b| b.work()) {
        Ok(ending) => ending,
        Err(message) => {
            eprintln!("error: {message}");
            Ending::BadInput
        }
    }
}

struct Batch<'a> {
    options: &'a VerifyOptions,
    out: PathBuf,
    tasks: Vec<Task>,
    keys: Vec<String>,
    journal: Journal,
    flags: Vec<OsString>,
    longest: Duration,
    started: Instant,
    new: usize,
}

impl Batch<'_> {
    fn new<'a>(options: &'a VerifyOptions, from: &Path) -> Result<Batch<'a>, String> {
        let tasks = tasks::tasks(from)?;
        let flags = passed_on();
        let keys = tasks.iter().map(|t| key(t, &flags)).collect();
        let out = options.out.clone();
        let out = out.unwrap_or_else(|| "raddle-batch.csv".into());
        let journal = out.with_extension("journal");
        Ok(Batch {
            options,
            out,
            tasks,
            keys,
            journal: Journal::open(&journal, options.restart)?,
            flags,
            longest: crate::verify::timeout(options) + GRACE,
            started: Instant::now(),
            new: 0,
        })
    }

    fn work(&mut self) -> Result<Ending, String> {
        limits::catch_interrupts();
        let jobs = self
            .options
            .jobs
            .unwrap_or_else(crate::verify::cores)
            .max(1);
        let done = |k: &String| self.journal.done.contains_key(k);
        let left = (0..self.tasks.len()).filter(|n| !done(&self.keys[*n]));
        let mut left: VecDeque<usize> = left.collect();
        let before = self.tasks.len() - left.len();
        if before > 0 {
            eprintln!(
                "{before} of {} tasks were finished before (--restart begins anew)",
                self.tasks.len()
            );
        }
        let mut running: Vec<Running> = Vec::new();
        while !left.is_empty() || !running.is_empty() {
            if limits::is_interrupted() {
                for r in &mut running {
                    let _ = r.child.kill();
                    let _ = r.child.wait();
                    let _ = std::fs::remove_file(&r.answer);
                }
                self.tables()?;
                eprintln!("\ninterrupted; the same command goes on from here");
                return Ok(Ending::Unknown);
            }
            while running.len() < jobs
                && let Some(number) = left.pop_front()
            {
                running.push(self.begin(number)?);
            }
            let mut still = Vec::new();
            for mut r in running {
                match self.ended(&mut r)? {
                    Some(row) => {
                        self.journal.add(row)?;
                        self.new += 1;
                    }
                    None => still.push(r),
                }
            }
            running = still;
            self.tell(left.len() + running.len());
            std::thread::sleep(LOOK);
        }
        self.tables()?;
        let rows = self.rows();
        if std::io::stderr().is_terminal() {
            eprint!("\r\x1b[K");
        }
        println!("{}", summary(&rows));
        Ok(match rows.iter().any(|r| r.is_right() == Some(false)) {
            true => Ending::Violation,
            false => Ending::Fine,
        })
    }

    fn begin(&self, number: usize) -> Result<Running, String> {
        let task = &self.tasks[number];
        let program = std::env::current_exe().map_err(|e| e.to_string())?;
        let answer =
            std::env::temp_dir().join(format!("raddle-batch-{}-{number}.json", std::process::id()));
        let file =
            std::fs::File::create(&answer).map_err(|e| format!("{}: {e}", answer.display()))?;
        let mut command = Command::new(program);
        command.arg("verify").args(&task.files);
        // What the definition says comes before what the command line says.
        let mut flags = self.flags.clone();
        let own = [
            ("--property", &task.property),
            ("--data-model", &task.data_model),
        ];
        for (name, value) in own {
            if let Some(value) = value {
                flags = without(&flags, &[name]);
                command.args([name, value]);
            }
        }
        command.args(flags);
        command.args(["--format", "json", "--jobs", "1"]);
        command
            .stdin(Stdio::null())
            .stdout(file)
            .stderr(Stdio::null());
        limits::die_with_parent(&mut command);
        let child = command
            .spawn()
            .map_err(|e| format!("cannot begin a task: {e}"))?;
        Ok(Running {
            number,
            child,
            started: Instant::now(),
            answer,
        })
    }

    /// The result of a task, if it is finished.
    fn ended(&self, r: &mut Running) -> Result<Option<Row>, String> {
        let wall = r.started.elapsed();
        if wall > self.longest {
            let _ = r.child.kill();
        }
        let Some(used) = limits::wait(&mut r.child)? else {
            return Ok(None);
        };
        let text = std::fs::read(&r.answer).unwrap_or_default();
        let _ = std::fs::remove_file(&r.answer);
        let value: serde_json::Value = serde_json::from_slice(&text).unwrap_or_default();
        let word = |name: &str| value[name].as_str().unwrap_or_default().to_string();
        let task = &self.tasks[r.number];
        let verdict = match value["verdict"].as_str() {
            Some("false") => {
                let property = value["violations"][0]["property"].as_str();
                Answer::new("false", property.unwrap_or("?"))
            }
            Some(other) => Answer::new(other, &word("reason")),
            None if wall > self.longest => Answer::new("unknown", "killed"),
            None => Answer::new("unknown", &format!("exit code {}", used.code)),
        };
        let names = match &task.property {
            Some(own) => property::parse(&[own]),
            None => property::parse(&self.options.property),
        };
        let names = names.unwrap_or_default();
        let names: Vec<&str> = names.iter().map(|p| p.name()).collect();
        Ok(Some(Row {
            key: self.keys[r.number].clone(),
            name: task.name.clone(),
            property: names.join("+"),
            expected: task.expected.map_or(String::new(), |e| e.to_string()),
            verdict,
            engine: word("engine"),
            cpu: used.cpu.as_secs_f64(),
            wall: wall.as_secs_f64(),
            memory: used.memory as f64 / 1e6,
        }))
    }

    /// What is finished, in the order of the tasks.
    fn rows(&self) -> Vec<Row> {
        let found = self.keys.iter().filter_map(|k| self.journal.done.get(k));
        found.cloned().collect()
    }

    fn tables(&self) -> Result<(), String> {
        let rows = self.rows();
        write_whole(&self.out, &table::csv(&rows))?;
        if let Some(path) = &self.options.html {
            let other = match &self.options.compare {
                Some(path) => Some((path.display().to_string(), table::read(path)?)),
                None => None,
            };
            let other = other
                .as_ref()
                .map(|(name, rows)| (name.as_str(), &rows[..]));
            let title = self.out.display().to_string();
            write_whole(path, &html::page(&title, &rows, other))?;
        }
        Ok(())
    }

    fn tell(&self, left: usize) {
        if !std::io::stderr().is_terminal() || self.new == 0 {
            return;
        }
        let each = self.started.elapsed() / self.new as u32;
        let estimate = each * left as u32;
        let all = self.tasks.len();
        let wide = 24 * (all - left) / all.max(1);
        eprint!(
            "\r\x1b[K[{}{}] {}/{all}, about {} s left",
            "#".repeat(wide),
            ".".repeat(24 - wide),
            all - left,
            estimate.as_secs()
        );
        let _ = std::io::stderr().flush();
    }
}

/// How many are what.
fn summary(rows: &[Row]) -> String {
    let count = |status| rows.iter().filter(|r| r.verdict.status == status).count();
    let right = rows.iter().filter(|r| r.is_right() == Some(true)).count();
    let wrong = rows.iter().filter(|r| r.is_right() == Some(false)).count();
    let cpu: f64 = rows.iter().map(|r| r.cpu).sum();
    format!(
        "{} tasks: {} true, {} false, {} unknown; {right} as expected, {wrong} wrong; {cpu:.1} s CPU",
        rows.len(),
        count(Status::True),
        count(Status::False),
        count(Status::Unknown)
    )
}

/// Writes a file so that it is there as a whole or not at all.
fn write_whole(path: &Path, text: &str) -> Result<(), String> {
    let wrong = |e: std::io::Error| format!("cannot write {}: {e}", path.display());
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    std::fs::write(&name, text).map_err(wrong)?;
    std::fs::rename(&name, path).map_err(wrong)
}

/// What went into a task.
fn key(task: &Task, flags: &[OsString]) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |bytes: &[u8]| {
        for b in bytes.iter().chain(&[0xff]) {
            hash = (hash ^ u64::from(*b)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    add(env!("CARGO_PKG_VERSION").as_bytes());
    for file in &task.files {
        add(file.as_os_str().as_encoded_bytes());
        add(&std::fs::read(file).unwrap_or_default());
    }
    for flag in flags {
        add(flag.as_encoded_bytes());
    }
    for word in [&task.property, &task.data_model].into_iter().flatten() {
        add(word.as_bytes());
    }
    format!("{}#{hash:016x}", task.name)
}

/// The flags of this command that every task gets, too.
fn passed_on() -> Vec<OsString> {
    let ours = [
        "--batch",
        "--out",
        "--html",
        "--compare",
        "--jobs",
        "-j",
        "--format",
    ];
    let mut flags = without(&std::env::args_os().skip(2).collect::<Vec<_>>(), &ours);
    flags.retain(|f| f != "--restart" && !f.to_string_lossy().starts_with("-j"));
    flags
}

/// These words without some flags and their values.
fn without(words: &[OsString], flags: &[&str]) -> Vec<OsString> {
    let mut left = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = word.to_string_lossy();
        let (name, value) = match text.split_once('=') {
            Some((name, _)) => (name, true),
            None => (&*text, false),
        };
        match flags.contains(&name) {
            true if !value => {
                words.next();
            }
            true => {}
            false => left.push(word.clone()),
        }
    }
    left
}
