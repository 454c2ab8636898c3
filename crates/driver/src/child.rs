//! An engine in a process of its own, so that it can fail alone.
//!
//! A child is a fork: it has the program without any copying. It says what it finds over a pipe, a line of JSON each; a page of shared memory
//! tells it what is still open and when to stop. Whatever happens to it (a stack overflow, a panic, memory, a loop that does not look at the
//! budget), what it has said stands, and the parent goes on. It stops and continues by signals, so turns need no help from the engine.
//!
//! Why processes: a stack overflow in a thread aborts everything, and a thread cannot be ended from outside. The same messages serve a
//! worker on another machine. What it costs: `docs/decisions/0090-the-ledger.md`.

use raddle_ir::{Property, Subject};
use raddle_verdict::{Board, Proof, QuestionId, StopCause, Verdict};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

/// What a child says.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Said {
    /// What it does now.
    Progress(String),
    /// About these properties.
    Answer(Vec<Property>, Verdict),
    /// That a property can be violated nowhere else.
    Elsewhere(Property, BTreeSet<Subject>),
    /// A proof of a single question, by its number.
    Single(u32, Proof),
    /// What its work cost, in the engine's words.
    Statistics(String),
    /// It has come to its end; what it claimed and what did not replay.
    Done(Vec<Refused>),
}

/// A claim that did not replay: the candidate in full, and why not.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Refused {
    /// The candidate, for people.
    pub candidate: String,
    /// What happened instead.
    pub why: String,
}

/// What parent and children see at the same time.
#[derive(Clone, Copy)]
pub struct Shared(&'static Page);

#[repr(C)]
struct Page {
    /// The properties with open questions, a bit each.
    open: AtomicU32,
    /// Zero, or why to stop.
    stop: AtomicU8,
    /// The closed questions, a bit each; those with larger numbers are taken for open.
    closed: [AtomicU64; CLOSED],
}

/// The name of the thread of a child that works: its panics are the child's own.
pub const ENGINE: &str = "engine";

/// Words of bits of closed questions.
const CLOSED: usize = 256;

impl Shared {
    /// A page of memory that children made later share.
    pub fn new() -> Result<Shared, String> {
        let size = std::mem::size_of::<Page>();
        let protection = libc::PROT_READ | libc::PROT_WRITE;
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS;
        // SAFETY: a fresh mapping at no particular address, never unmapped, zeroed, aligned to a page: a valid `Page` for ever.
        let page = unsafe {
            let at = libc::mmap(std::ptr::null_mut(), size, protection, flags, -1, 0);
            if at == libc::MAP_FAILED {
                return Err(std::io::Error::last_os_error().to_string());
            }
            &*at.cast::<Page>()
        };
        Ok(Shared(page))
    }

    /// Changes which properties are open.
    pub fn set_open(self, is_open: impl Fn(Property) -> bool) {
        let open = Property::ALL.into_iter().filter(|p| is_open(*p));
        let bits = open.fold(0, |bits, p| bits | 1 << p as u32);
        self.0.open.store(bits, Ordering::SeqCst);
    }

    /// Notes that a question is closed.
    pub fn close(self, question: QuestionId) {
        let (word, bit) = (question.0 / 64, question.0 % 64);
        if let Some(word) = self.0.closed.get(word as usize) {
            word.fetch_or(1 << bit, Ordering::SeqCst);
        }
    }

    /// Whether a question is closed.
    pub fn is_closed(self, question: QuestionId) -> bool {
        let (word, bit) = (question.0 / 64, question.0 % 64);
        let word = self.0.closed.get(word as usize);
        word.is_some_and(|w| w.load(Ordering::Relaxed) >> bit & 1 == 1)
    }

    /// Whether a property has open questions.
    pub fn is_open(self, property: Property) -> bool {
        self.0.open.load(Ordering::Relaxed) >> property as u32 & 1 == 1
    }

    /// Tells all children to stop.
    pub fn stop(self, cause: StopCause) {
        self.0.stop.store(cause as u8, Ordering::SeqCst);
    }

    /// Why to stop, if so.
    pub fn stopped(self) -> Option<StopCause> {
        let causes = [
            StopCause::Time,
            StopCause::Cpu,
            StopCause::Memory,
            StopCause::Cancelled,
        ];
        let now = self.0.stop.load(Ordering::Relaxed);
        causes.into_iter().find(|c| *c as u8 == now)
    }
}

/// The child's end of the pipe.
pub struct Voice {
    pipe: File,
    shared: Shared,
}

impl Voice {
    /// The same once more, for what is said besides answers.
    pub fn duplicate(&self) -> Option<Voice> {
        Some(Voice {
            pipe: self.pipe.try_clone().ok()?,
            shared: self.shared,
        })
    }

    /// Says something; whether anybody listens shows when the process is ended.
    pub fn say(&mut self, said: &Said) {
        if let Ok(mut line) = serde_json::to_vec(said) {
            line.push(b'\n');
            let _ = self.pipe.write_all(&line);
        }
    }
}

impl Board for Voice {
    fn is_open(&self, property: Property) -> bool {
        self.shared.is_open(property)
    }

    fn answer(&mut self, properties: &[Property], verdict: Verdict) {
        self.say(&Said::Answer(properties.to_vec(), verdict));
    }

    fn statistics(&mut self, line: String) {
        self.say(&Said::Statistics(line));
    }
}

/// A child process, seen from its parent.
pub struct Child {
    pid: libc::pid_t,
    /// What this process had in memory when it was made.
    base: u64,
    running: bool,
    over: bool,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// With this code.
    Exited(i32),
    /// By this signal.
    Killed(i32),
}

/// Makes a child that works on a large stack, and a reader of what it says.
pub fn spawn(
    shared: Shared,
    stack: usize,
    work: impl FnOnce(&mut Voice) + Send,
) -> Result<(Child, BufReader<File>), String> {
    let failed = |_| std::io::Error::last_os_error().to_string();
    let mut ends = [0; 2];
    // SAFETY: pipe2 writes two descriptors into the array.
    if unsafe { libc::pipe2(ends.as_mut_ptr(), libc::O_CLOEXEC) } != 0 {
        return Err(failed(()));
    }
    // SAFETY: both descriptors are new and belong to nobody else.
    let [reader, writer] = ends.map(|fd| File::from(unsafe { OwnedFd::from_raw_fd(fd) }));
    let base = crate::limits::resident_memory(None).unwrap_or(0);
    let _ = std::io::stdout().flush();
    // SAFETY: the child goes on with a copy of this thread only; it takes no lock that another thread may hold but the allocator's, which the
    // C library keeps usable across a fork, and ends with `_exit`.
    match unsafe { libc::fork() } {
        -1 => Err(failed(())),
        0 => {
            drop(reader);
            die_with_parent();
            let mut voice = Voice {
                pipe: writer,
                shared,
            };
            let code = on_a_large_stack(stack, || work(&mut voice));
            // SAFETY: nothing of the parent's is cleaned up twice.
            unsafe { libc::_exit(code) }
        }
        pid => {
            drop(writer);
            crate::limits::register(pid);
            let child = Child {
                pid,
                base,
                running: true,
                over: false,
            };
            Ok((child, BufReader::new(reader)))
        }
    }
}

fn on_a_large_stack(stack: usize, work: impl FnOnce() + Send) -> i32 {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name(ENGINE.into());
        let thread = builder.stack_size(stack).spawn_scoped(scope, work);
        match thread.map(|t| t.join()) {
            Ok(Ok(())) => 0,
            Ok(Err(_)) => 101,
            Err(_) => 71,
        }
    })
}

#[cfg(target_os = "linux")]
fn die_with_parent() {
    // SAFETY: changes only which signal this process gets when its parent ends.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    }
}

#[cfg(not(target_os = "linux"))]
fn die_with_parent() {}

impl Child {
    /// The processor time it has used; `None` where that cannot be seen.
    pub fn used(&self) -> Option<Duration> {
        crate::limits::cpu_time_of(self.pid)
    }

    /// The memory it has used beyond what it shares with its parent.
    pub fn memory(&self) -> u64 {
        let now = crate::limits::resident_memory(Some(self.pid));
        now.unwrap_or(0).saturating_sub(self.base)
    }

    /// Lets it run, or has it wait.
    pub fn run(&mut self, on: bool) {
        if on != self.running && !self.over {
            self.signal(if on { libc::SIGCONT } else { libc::SIGSTOP });
            self.running = on;
        }
    }

    fn signal(&self, signal: libc::c_int) {
        // SAFETY: the process is a child that was not waited for, so the number is still its own.
        unsafe {
            libc::kill(self.pid, signal);
        }
    }

    /// Waits for it to end by itself.
    pub fn wait(&mut self) -> Ended {
        if self.over {
            return Ended::Exited(0);
        }
        let mut status: libc::c_int = 0;
        // SAFETY: writes one integer; the process is a child that was not waited for.
        while unsafe { libc::waitpid(self.pid, &mut status, 0) } < 0
            && std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted
        {}
        self.over = true;
        crate::limits::forget(self.pid);
        match libc::WIFSIGNALED(status) {
            true => Ended::Killed(libc::WTERMSIG(status)),
            false => Ended::Exited(libc::WEXITSTATUS(status)),
        }
    }

    /// Ends it.
    pub fn kill(&mut self) {
        if !self.over {
            self.signal(libc::SIGKILL);
            self.wait();
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Everything a child says until it ends, one after the other.
pub fn listen(reader: BufReader<File>, hear: &mut dyn FnMut(Said)) {
    for line in reader.lines() {
        let Ok(line) = line else { return };
        // A line that was cut off is the end.
        let Ok(said) = serde_json::from_str(&line) else {
            return;
        };
        hear(said);
    }
}
