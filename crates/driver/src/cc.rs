//! `raddle cc`: a compiler that remembers what it was given.
//!
//! It runs the real compiler with the same words and ends as that does. Into what comes out it writes a section with the commands
//! of all C files in it. Linkers join sections of one name, and archives keep them, so at the end of a build every executable knows its sources and
//! their flags, wherever the objects came from, and `raddle verify ./program` needs nothing else. A build goes through as
//! before even where nothing can be recorded; a warning says so.
//!
//! What it misses: object formats other than ELF, and files that are compiled from standard input.

use crate::Ending;
use crate::cli::CcOptions;
use crate::elf;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The section's name.
const SECTION: &str = ".raddle";

/// What a command line makes of its C files.
#[derive(Debug, PartialEq, Eq)]
struct Plan {
    /// The C files.
    sources: Vec<String>,
    /// What comes out, and which of the sources go into it.
    outputs: Vec<(PathBuf, Vec<usize>)>,
}

/// Compiles, and records.
pub fn cc(options: &CcOptions) -> Ending {
    let compiler = std::env::var_os("RADDLE_CC").unwrap_or("cc".into());
    let status = match Command::new(&compiler).args(&options.words).status() {
        Ok(status) => status,
        Err(error) => {
            eprintln!("error: cannot run {}: {error}", compiler.display());
            return Ending::BadInput;
        }
    };
    if status.success()
        && let Err(why) = record(&options.words)
    {
        eprintln!("raddle: warning: not recorded: {why}");
    }
    match status.success() {
        true => Ending::Fine,
        // As the compiler ended.
        false => std::process::exit(status.code().unwrap_or(1)),
    }
}

/// Writes the commands into what came out.
fn record(words: &[String]) -> Result<(), String> {
    let Some(plan) = plan(words) else {
        return Ok(());
    };
    let directory = std::env::current_dir().map_err(|e| e.to_string())?;
    for (output, sources) in &plan.outputs {
        let mut lines = String::new();
        for &source in sources {
            let command =
                json!({"directory": directory, "file": plan.sources[source], "arguments": words});
            lines += &format!("{command}\n");
        }
        if !lines.is_empty() {
            add_section(output, lines.as_bytes())?;
        }
    }
    Ok(())
}

/// What a command line makes; `None` if it makes neither objects nor programs.
fn plan(words: &[String]) -> Option<Plan> {
    let mut sources = Vec::new();
    let mut output = None;
    let mut objects = false;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "-E" | "-S" | "-M" | "-MM" | "-fsyntax-only" => return None,
            "-c" => objects = true,
            "-o" => output = words.next(),
            "-I" | "-D" | "-U" | "-include" | "-L" | "-l" | "-x" | "-MF" | "-MT" | "-MQ"
            | "-isystem" | "-idirafter" | "-iquote" | "-Xlinker" | "-T" | "-u" => {
                words.next();
            }
            w if w.starts_with("-o") => output = Some(word),
            w if !w.starts_with('-') && w.ends_with(".c") => sources.push(w.to_string()),
            _ => {}
        }
    }
    let output = output.map(|o| PathBuf::from(o.strip_prefix("-o").unwrap_or(o)));
    let all: Vec<usize> = (0..sources.len()).collect();
    let outputs = match (objects, output) {
        (true, Some(output)) => vec![(output, all)],
        (true, None) => {
            let object = |at: usize| {
                let name = Path::new(&sources[at]).with_extension("o");
                (
                    name.file_name().map(PathBuf::from).unwrap_or(name),
                    vec![at],
                )
            };
            all.into_iter().map(object).collect()
        }
        (false, output) => vec![(output.unwrap_or("a.out".into()), all)],
    };
    Some(Plan { sources, outputs })
}

/// Adds a section to an object or a program, behind what it may have of it already.
fn add_section(file: &Path, new: &[u8]) -> Result<(), String> {
    let bytes = std::fs::read(file).map_err(|e| format!("{}: {e}", file.display()))?;
    if !elf::is_elf(&bytes) {
        return Err(format!("{} is not ELF", file.display()));
    }
    let old = elf::section(&bytes, SECTION);
    let contents = [old.unwrap_or_default(), new].concat();
    let name = format!("raddle-{}-{}", std::process::id(), file.display()).replace('/', "_");
    let kept = std::env::temp_dir().join(name);
    std::fs::write(&kept, contents).map_err(|e| e.to_string())?;
    let how = match old {
        Some(_) => "--update-section",
        None => "--add-section",
    };
    let outcome = Command::new("objcopy")
        .arg(how)
        .arg(format!("{SECTION}={}", kept.display()))
        .arg(file)
        .output();
    let _ = std::fs::remove_file(&kept);
    match outcome {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_string()),
        Err(error) => Err(format!("objcopy: {error}")),
    }
}

/// The commands that are recorded in a file; `None` if it is no object and no program.
pub fn recorded(file: &Path) -> Option<Result<Vec<Value>, String>> {
    use std::io::Read;
    let mut start = [0; 4];
    let mut reader = std::fs::File::open(file).ok()?;
    reader.read_exact(&mut start).ok()?;
    if !elf::is_elf(&start) {
        return None;
    }
    Some(commands(file))
}

fn commands(file: &Path) -> Result<Vec<Value>, String> {
    let shown = file.display();
    let bytes = std::fs::read(file).map_err(|e| format!("cannot read {shown}: {e}"))?;
    let Some(section) = elf::section(&bytes, SECTION) else {
        return Err(format!(
            "{shown} was not compiled by `raddle cc`, so its sources are not known; name them, or build with CC='raddle cc'"
        ));
    };
    let mut all: Vec<Value> = Vec::new();
    for line in section.split(|b| matches!(b, 0 | b'\n')) {
        if line.is_empty() {
            continue;
        }
        let command = serde_json::from_slice(line)
            .map_err(|e| format!("what is recorded in {shown} is not readable: {e}"))?;
        if !all.contains(&command) {
            all.push(command);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes out, and from which sources.
    type Outputs = Vec<(String, Vec<usize>)>;

    fn planned(command: &str) -> Option<(Vec<String>, Outputs)> {
        let words: Vec<String> = command.split_whitespace().map(String::from).collect();
        let plan = plan(&words)?;
        let outputs = plan.outputs.into_iter();
        let outputs = outputs.map(|(o, s)| (o.display().to_string(), s)).collect();
        Some((plan.sources, outputs))
    }

    #[test]
    fn what_comes_out_of_a_command() {
        let one = |o: &str, s: &[usize]| vec![(o.to_string(), s.to_vec())];
        let cases = [
            ("-c a.c", vec!["a.c"], one("a.o", &[0])),
            (
                "-c src/a.c -o out/x.o",
                vec!["src/a.c"],
                one("out/x.o", &[0]),
            ),
            ("a.c b.o -lpthread", vec!["a.c"], one("a.out", &[0])),
            ("-oprog a.c b.c", vec!["a.c", "b.c"], one("prog", &[0, 1])),
            ("-I x.c a.o -o p", vec![], one("p", &[])),
        ];
        for (command, sources, outputs) in cases {
            let (s, o) = planned(command).expect(command);
            assert_eq!(
                (s, o),
                (sources.iter().map(|s| s.to_string()).collect(), outputs),
                "{command}"
            );
        }
        let two = planned("-c a.c d/b.c").expect("two objects").1;
        assert_eq!(two, [one("a.o", &[0]), one("b.o", &[1])].concat());
        assert_eq!(planned("-E a.c"), None);
        assert_eq!(planned("-MM a.c"), None);
    }
}
