//! Text from files: `.i` as it is, everything else through the system `cc -E`.
//!
//! The file and the flags are untrusted, so only flags that choose what text is seen are let through, and the
//! preprocessor gets limited time and output. For ILP32 on a machine without 32-bit headers the 64-bit ones
//! are found through the multiarch directory, with an empty stand-in for glibc's list of stubs.
//!
//! `atomic_init` of gcc's `stdatomic.h` is an atomic store. C calls it no atomic access (7.17.2.1), so a header in front of gcc's
//! makes it a plain one. Misses: files that were preprocessed before.

use crate::diagnostic::Diagnostic;
use crate::source::MAX_UNIT_BYTES;
use raddle_ir::DataModel;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long the preprocessor may run.
const TIME_LIMIT: Duration = Duration::from_secs(30);

/// Preprocessor flags that were found harmless.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Flags {
    args: Vec<String>,
    /// What `-m32` or `-m64` asked for.
    pub model: Option<DataModel>,
}

impl Flags {
    /// Takes a list of flags; anything but `-I -D -U -include -std -m32 -m64` is refused.
    pub fn parse(args: &[String]) -> Result<Flags, Diagnostic> {
        let mut flags = Flags::default();
        let rest = flags.take(args);
        match rest.first() {
            None => Ok(flags),
            Some(other) => Err(
                Diagnostic::general(format!("the flag `{other}` is not allowed"))
                    .note("allowed are -I, -D, -U, -include, -std, -m32 and -m64"),
            ),
        }
    }

    /// Picks the allowed flags out of a compiler command, such as one of `compile_commands.json`.
    pub fn pick(args: &[String]) -> Flags {
        let mut flags = Flags::default();
        flags.take(args);
        flags
    }

    /// Adds the flags of another list behind these.
    pub fn extend(&mut self, other: &Flags) {
        self.args.extend(other.args.iter().cloned());
        self.model = other.model.or(self.model);
    }

    /// Keeps what is allowed and returns the rest.
    fn take(&mut self, args: &[String]) -> Vec<String> {
        let mut rest = Vec::new();
        let mut args = args.iter();
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "-m32" => self.model = Some(DataModel::Ilp32),
                "-m64" => self.model = Some(DataModel::Lp64),
                "-I" | "-D" | "-U" => match args.next() {
                    Some(value) => self.args.push(format!("{arg}{value}")),
                    None => rest.push(arg.clone()),
                },
                "-include" => match args.next() {
                    Some(file) => {
                        self.args.push(arg.clone());
                        self.args.push(plain_path(file));
                    }
                    None => rest.push(arg.clone()),
                },
                _ => {
                    let joined = ["-I", "-D", "-U"].iter().any(|p| arg.starts_with(p));
                    let standard = arg
                        .strip_prefix("-std=")
                        .is_some_and(|s| s.chars().all(|c| c.is_ascii_alphanumeric() || c == ':'));
                    if joined || standard {
                        self.args.push(arg.clone());
                    } else {
                        rest.push(arg.clone());
                    }
                }
            }
        }
        rest
    }
}

/// A path that the compiler driver cannot take for a flag or a file of flags.
fn plain_path(path: &str) -> String {
    if path.starts_with(['-', '@']) {
        format!("./{path}")
    } else {
        path.to_owned()
    }
}

/// The text of a file, preprocessed if need be.
pub fn load(path: &Path, flags: &Flags, model: DataModel) -> Result<Vec<u8>, Diagnostic> {
    let shown = path.display();
    let meta = fs::metadata(path)
        .map_err(|e| Diagnostic::general(format!("cannot read `{shown}`: {e}")))?;
    if !meta.is_file() {
        return Err(Diagnostic::general(format!("`{shown}` is not a file")));
    }
    if meta.len() > MAX_UNIT_BYTES as u64 {
        return Err(Diagnostic::general(format!("`{shown}` is too large")));
    }
    if path.extension().is_some_and(|e| e == "i") {
        return fs::read(path)
            .map_err(|e| Diagnostic::general(format!("cannot read `{shown}`: {e}")));
    }
    preprocess(path, flags, model)
}

fn preprocess(path: &Path, flags: &Flags, model: DataModel) -> Result<Vec<u8>, Diagnostic> {
    let mut command = Command::new("cc");
    command.arg("-E").args(["-x", "c", "-U_FORTIFY_SOURCE"]);
    let headers = HeaderDirectory::new()?;
    match model {
        DataModel::Lp64 => {
            command.arg("-m64");
        }
        DataModel::Ilp32 => {
            command.arg("-m32");
            command.arg("-idirafter").arg(headers.0.join("after"));
            if let Some(multiarch) = multiarch() {
                command.arg("-idirafter").arg(multiarch);
            }
        }
    }
    let before = headers.0.join("before");
    command.arg("-isystem").arg(&before);
    command.args(&flags.args);
    command.arg(plain_path(&path.to_string_lossy()));
    let result = run(command);
    drop(headers);
    let (ok, output, messages) = result?;
    if !ok {
        let messages = String::from_utf8_lossy(&messages).into_owned();
        let mut diagnostic =
            Diagnostic::general(format!("the preprocessor failed on `{}`", path.display()));
        for line in messages.lines().take(20) {
            diagnostic = diagnostic.note(line);
        }
        return Err(diagnostic);
    }
    Ok(renamed(output, &before.to_string_lossy()))
}

/// The text with another name for a directory, which is a different one every time.
fn renamed(text: Vec<u8>, directory: &str) -> Vec<u8> {
    let from = directory.as_bytes();
    let mut all = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&b| b == b'\n') {
        let at = match line.starts_with(b"# ") {
            true => line.windows(from.len()).position(|w| w == from),
            false => None,
        };
        match at {
            Some(at) => {
                all.extend(&line[..at]);
                all.extend(b"<raddle>");
                all.extend(&line[at + from.len()..]);
            }
            None => all.extend(line),
        }
    }
    all
}

/// Where Debian-like systems keep headers that depend on the architecture.
fn multiarch() -> Option<PathBuf> {
    let mut command = Command::new("cc");
    command.arg("-print-multiarch");
    let (ok, output, _) = run(command).ok()?;
    let name = String::from_utf8(output).ok()?;
    let path = Path::new("/usr/include").join(name.trim());
    (ok && !name.trim().is_empty() && path.is_dir()).then_some(path)
}

/// Runs a command within limits; yields success, output and messages.
fn run(mut command: Command) -> Result<(bool, Vec<u8>, Vec<u8>), Diagnostic> {
    let failed = |what: &str| Diagnostic::general(format!("the preprocessor `cc` {what}"));
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| failed(&format!("cannot be run: {e}")))?;
    let (Some(stdout), Some(stderr)) = (child.stdout.take(), child.stderr.take()) else {
        return Err(failed("has no output"));
    };
    let collect = |limit: usize, stream: Box<dyn Read + Send>| {
        std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let result = stream.take(limit as u64 + 1).read_to_end(&mut bytes);
            (result.is_ok() && bytes.len() <= limit, bytes)
        })
    };
    let output = collect(MAX_UNIT_BYTES, Box::new(stdout));
    let messages = collect(1 << 20, Box::new(stderr));
    let deadline = Instant::now() + TIME_LIMIT;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if Instant::now() < deadline => std::thread::sleep(Duration::from_millis(2)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(failed("takes too long"));
            }
        }
    };
    let (complete, output) = output.join().unwrap_or_default();
    let (_, messages) = messages.join().unwrap_or_default();
    if status.success() && !complete {
        return Err(failed("produced too much text"));
    }
    Ok((status.success(), output, messages))
}

/// What stands in front of gcc's `stdatomic.h`.
const STDATOMIC: &str = "\
#include_next <stdatomic.h>
#undef atomic_init
#define atomic_init(PTR, VAL) \\
  __extension__ \\
  ({ \\
    __auto_type __atomic_init_ptr = (PTR); \\
    *(__typeof__ ((void)0, *__atomic_init_ptr) *)(void *)__atomic_init_ptr = (VAL); \\
    (void)0; \\
  })
";

/// A directory with `before/stdatomic.h` and an empty `after/gnu/stubs-32.h`, removed when dropped.
struct HeaderDirectory(PathBuf);

impl HeaderDirectory {
    fn new() -> Result<HeaderDirectory, Diagnostic> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("raddle-headers-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        let (before, after) = (path.join("before"), path.join("after").join("gnu"));
        let made = fs::create_dir_all(&before)
            .and_then(|()| fs::create_dir_all(&after))
            .and_then(|()| fs::write(before.join("stdatomic.h"), STDATOMIC))
            .and_then(|()| fs::write(after.join("stubs-32.h"), ""));
        match made {
            Ok(()) => Ok(HeaderDirectory(path)),
            Err(e) => {
                let _ = fs::remove_dir_all(&path);
                Err(Diagnostic::general(format!(
                    "cannot make a temporary directory: {e}"
                )))
            }
        }
    }
}

impl Drop for HeaderDirectory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strings(list: &[&str]) -> Vec<String> {
        list.iter().map(|s| s.to_string()).collect()
    }

    #[test]
    fn only_harmless_flags_pass() {
        let ok = Flags::parse(&strings(&[
            "-Ia",
            "-D",
            "X=1",
            "-std=gnu11",
            "-m32",
            "-include",
            "@f",
        ]));
        let ok = ok.unwrap();
        assert_eq!(ok.args, ["-Ia", "-DX=1", "-std=gnu11", "-include", "./@f"]);
        assert_eq!(ok.model, Some(DataModel::Ilp32));
        for bad in [
            "-fplugin=x",
            "@file",
            "-o",
            "-wrapper",
            "-std=c11,x",
            "-B.",
            "-I",
        ] {
            assert!(Flags::parse(&strings(&[bad])).is_err(), "{bad}");
        }
        let picked = Flags::pick(&strings(&["cc", "-O2", "-DX", "-c", "a.c", "-o", "a.o"]));
        assert_eq!(picked.args, ["-DX"]);
    }
}
