//! Time, memory and Ctrl-C: a thread that looks every few milliseconds, raises the budget, and has the last word.
//!
//! An engine that sees the raised budget answers by itself. One that does not (a solver deep in a loop, a preprocessor
//! that hangs) is not waited for longer than [`GRACE`]: the watcher prints the honest verdict and ends the process. Whoever
//! claims the answer first prints it, so there is always exactly one.
//!
//! Memory is looked at from outside, every few milliseconds; a burst between two looks can exceed the limit.

use crate::Ending;
use raddle_verdict::{Budget, StopCause};
use std::fmt;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

/// For how long the answer may take after everything was told to stop. Engines that do not stop are ended sooner, by the portfolio.
const GRACE: Duration = Duration::from_millis(1000);
/// The same for processor time: several engines may be finishing.
const CPU_GRACE: Duration = Duration::from_millis(2000);
const INTERVAL: Duration = Duration::from_millis(10);

/// Somebody has answered, or is about to.
static ANSWERED: AtomicBool = AtomicBool::new(false);
static INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// What to print if nobody else does, from the reason why not.
static LAST_WORDS: OnceLock<Mutex<LastWords>> = OnceLock::new();

/// Why the process ends without an answer of the engines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unanswered {
    /// A limit was reached, or the user stopped it.
    Stopped(StopCause),
    /// The program cannot be read: it uses something that is not supported.
    Unsupported(String),
    /// A bug of ours.
    Internal,
}

impl fmt::Display for Unanswered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unanswered::Stopped(cause) => cause.fmt(f),
            Unanswered::Unsupported(what) => write!(f, "unsupported: {what}"),
            Unanswered::Internal => f.write_str("internal error"),
        }
    }
}

impl Unanswered {
    /// How the process ends.
    pub fn ending(&self) -> Ending {
        match self {
            Unanswered::Internal => Ending::Internal,
            Unanswered::Stopped(_) | Unanswered::Unsupported(_) => Ending::Unknown,
        }
    }
}

/// From the reason why nobody answered to everything that has to be on standard output, and how the process ends.
pub type LastWords = Box<dyn Fn(&Unanswered) -> (String, Ending) + Send>;

/// What may be used up.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Since this process began, over all its threads and ended children.
    pub cpu: Option<Duration>,
    /// Resident bytes.
    pub memory: Option<u64>,
}

/// Begins to watch.
pub fn watch(budget: Budget, limits: Limits, last_words: LastWords) {
    let _ = LAST_WORDS.set(Mutex::new(last_words));
    catch_interrupts();
    let watcher = std::thread::Builder::new().name("limits".into());
    let spawned = watcher.spawn(move || look(&budget, limits));
    if let Err(error) = spawned {
        eprintln!("warning: limits are not watched: {error}");
    }
}

/// Changes what is said if nobody answers; without effect if nobody watches.
pub fn set_last_words(last_words: LastWords) {
    if let Some(Ok(mut words)) = LAST_WORDS.get().map(Mutex::lock) {
        *words = last_words;
    }
}

/// Interrupts are noted from now on instead of ending the process.
pub fn catch_interrupts() {
    // SAFETY: the handler only stores to an atomic, which is allowed in a signal handler.
    unsafe {
        libc::signal(libc::SIGINT, interrupted as *const () as libc::sighandler_t);
        libc::signal(
            libc::SIGTERM,
            interrupted as *const () as libc::sighandler_t,
        );
    }
}

/// Whether somebody wants this to end.
pub fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

extern "C" fn interrupted(_: libc::c_int) {
    INTERRUPTED.store(true, Ordering::SeqCst);
}

fn look(budget: &Budget, limits: Limits) {
    let mut raised: Option<(Instant, Duration)> = None;
    loop {
        let cpu = cpu_time();
        let memory = resident_memory(None);
        let over = |limit: Option<u64>| limit.zip(memory).is_some_and(|(l, m)| m >= l);
        if INTERRUPTED.load(Ordering::SeqCst) {
            budget.stop(StopCause::Cancelled);
        } else if budget.deadline().is_some_and(|d| Instant::now() >= d) {
            budget.stop(StopCause::Time);
        } else if limits.cpu.is_some_and(|l| cpu >= l) {
            budget.stop(StopCause::Cpu);
        } else if over(limits.memory) {
            budget.stop(StopCause::Memory);
        }
        if let Some(cause) = budget.stopped() {
            let (since, used) = *raised.get_or_insert((Instant::now(), cpu));
            let late = since.elapsed() >= GRACE || cpu.saturating_sub(used) >= CPU_GRACE;
            let bursting = over(limits.memory.map(|l| l.saturating_add(l / 4)));
            if late || bursting {
                let cause = if bursting { StopCause::Memory } else { cause };
                say_last_words(&Unanswered::Stopped(cause));
                if ANSWERED.load(Ordering::SeqCst) {
                    return;
                }
            }
        }
        std::thread::sleep(INTERVAL);
    }
}

/// Whether the caller is the one to print the answer; if not, the process is about to end.
pub fn claim_answer() -> bool {
    !ANSWERED.swap(true, Ordering::SeqCst)
}

/// Prints `unknown` for this reason and ends the process, unless somebody has answered or nobody is watching.
pub fn say_last_words(why: &Unanswered) {
    let Some(words) = LAST_WORDS.get() else {
        return;
    };
    if !claim_answer() {
        return;
    }
    let (text, ending) = match words.lock() {
        Ok(words) => words(why),
        Err(_) => (format!("verdict: unknown({why})\n"), why.ending()),
    };
    let mut out = std::io::stdout();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
    // SAFETY: ends the process without running destructors that other threads may still depend on.
    unsafe { libc::_exit(ending as i32) }
}

/// What a child has used.
#[derive(Clone, Copy, Debug)]
pub struct Used {
    /// CPU time.
    pub cpu: Duration,
    /// The most memory at a time, in bytes.
    pub memory: u64,
    /// Its exit code; above 128 for a signal.
    pub code: i32,
}

/// What a child has used, if it has ended.
pub fn wait(child: &mut std::process::Child) -> Result<Option<Used>, String> {
    let pid = libc::pid_t::try_from(child.id()).map_err(|e| e.to_string())?;
    let mut status: libc::c_int = 0;
    // SAFETY: wait4 only writes the plain values it is given.
    let (found, usage) = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        let found = libc::wait4(pid, &mut status, libc::WNOHANG, &mut usage);
        (found, usage)
    };
    if found == 0 {
        return Ok(None);
    }
    if found < 0 {
        return Err("a task is lost".into());
    }
    let time = |t: libc::timeval| {
        Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64)
    };
    let code = match libc::WIFEXITED(status) {
        true => libc::WEXITSTATUS(status),
        false => 128 + libc::WTERMSIG(status),
    };
    Ok(Some(Used {
        cpu: time(usage.ru_utime) + time(usage.ru_stime),
        memory: (usage.ru_maxrss as u64) << 10,
        code,
    }))
}

/// Has a child end when this process does, however that ends.
pub fn die_with_parent(command: &mut std::process::Command) {
    #[cfg(target_os = "linux")]
    {
        use std::os::unix::process::CommandExt;
        // SAFETY: prctl is safe to call between fork and exec.
        unsafe {
            command.pre_exec(|| {
                libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
                Ok(())
            });
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = command;
}

/// Children that work for this process and have not ended.
static CHILDREN: Mutex<Vec<libc::pid_t>> = Mutex::new(Vec::new());

/// What a child uses counts from now on.
pub fn register(pid: libc::pid_t) {
    if let Ok(mut all) = CHILDREN.lock() {
        all.push(pid);
    }
}

/// A child has ended: the system counts what it used.
pub fn forget(pid: libc::pid_t) {
    if let Ok(mut all) = CHILDREN.lock() {
        all.retain(|p| *p != pid);
    }
}

/// CPU time of a child that has not ended; `None` where that cannot be seen.
pub fn cpu_time_of(pid: libc::pid_t) -> Option<Duration> {
    let mut clock: libc::clockid_t = 0;
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: both calls write the plain values they are given; a process that is gone is refused.
    let failed = unsafe {
        libc::clock_getcpuclockid(pid, &mut clock) != 0
            || libc::clock_gettime(clock, &mut time) != 0
    };
    let time = Duration::new(time.tv_sec as u64, time.tv_nsec as u32);
    (!failed).then_some(time)
}

/// CPU time of this process, of the children it has waited for, and of those that work.
pub fn cpu_time() -> Duration {
    let working = CHILDREN.lock().map(|all| all.clone()).unwrap_or_default();
    let working: Duration = working.into_iter().filter_map(cpu_time_of).sum();
    working + own_cpu_time()
}

/// CPU time of this process and of the children it has waited for.
pub fn own_cpu_time() -> Duration {
    let of = |who| {
        // SAFETY: getrusage only writes the plain struct it is given.
        let usage = unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            libc::getrusage(who, &mut usage);
            usage
        };
        let time = |t: libc::timeval| {
            Duration::from_secs(t.tv_sec as u64) + Duration::from_micros(t.tv_usec as u64)
        };
        time(usage.ru_utime) + time(usage.ru_stime)
    };
    of(libc::RUSAGE_SELF) + of(libc::RUSAGE_CHILDREN)
}

/// Resident bytes of a process, or of this one; `None` where the system does not tell.
pub fn resident_memory(of: Option<libc::pid_t>) -> Option<u64> {
    let text = match of {
        Some(pid) => std::fs::read_to_string(format!("/proc/{pid}/statm")),
        None => std::fs::read_to_string("/proc/self/statm"),
    };
    let text = text.ok()?;
    let pages: u64 = text.split_whitespace().nth(1)?.parse().ok()?;
    // SAFETY: sysconf has no preconditions.
    let page = unsafe { libc::sysconf(libc::_SC_PAGESIZE) };
    Some(pages * u64::try_from(page).unwrap_or(4096))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_can_be_seen() {
        let mut n = 0_u64;
        while cpu_time().is_zero() {
            n = std::hint::black_box(n + 1);
        }
        assert!(resident_memory(None).is_none_or(|m| m > 100_000));
    }
}
