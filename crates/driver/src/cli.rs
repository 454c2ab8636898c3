//! The command line: one documented field per flag.

use crate::{property, quantity};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::path::PathBuf;
use std::time::Duration;

/// Checks multithreaded C programs over all thread interleavings.
#[derive(Parser, Debug)]
#[command(name = "raddle", version, arg_required_else_help = true)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// What to do.
#[derive(Subcommand, Debug)]
pub enum Command {
    /// Run a program under a controlled scheduler and name every violation it meets
    Run(RunOptions),
    /// Check a program over all interleavings: a violation with its schedule, or a proof
    Verify(Box<VerifyOptions>),
    /// Repeat a recorded schedule: `raddle run` with `--schedule`
    Replay(ReplayOptions),
    /// Check a proof that `raddle verify --engine refine --proof` wrote
    CheckProof(CheckProofOptions),
    /// Print the intermediate representation of a program
    Ir(IrOptions),
    /// Describe a kind of violation, with an example
    Explain(ExplainOptions),
    /// Print completions for a shell
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man,
    /// Show a recorded schedule as a page, or write it for other viewers
    Report(ReportOptions),
    /// Step through a program, forwards and backwards, thread by thread, and ask what else could happen
    Debug(Box<DebugOptions>),
    /// Serve the Debug Adapter Protocol, for editors
    Dap(DapOptions),
    /// Lay out models (.rad files) anew
    Fmt(FmtOptions),
    /// Compile like `cc` (or `$RADDLE_CC`), and record in what comes out how: `make CC='raddle cc'`, then `raddle verify ./program`
    Cc(CcOptions),
}

/// `raddle explain`.
#[derive(Args, Debug, Clone)]
pub struct ExplainOptions {
    /// The kind, as it stands in `false(…)`; all of them, if none is given
    pub kind: Option<String>,
}

/// `raddle report`.
#[derive(Args, Debug, Clone)]
pub struct ReportOptions {
    /// The schedule, as `raddle verify --witness` or `raddle run --record` wrote it
    #[arg(value_name = "SCHEDULE")]
    pub schedule: PathBuf,
    /// The program; if no files are named, those that the schedule names
    #[command(flatten)]
    pub input: InputOptions,
    /// A page with the schedule step by step beside the source
    #[arg(long, short = 'o', value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// The trace format of Chrome, which Perfetto opens
    #[arg(long, value_name = "FILE")]
    pub chrome: Option<PathBuf>,
    /// A log for ShiViz
    #[arg(long, value_name = "FILE")]
    pub shiviz: Option<PathBuf>,
    /// Arguments of the program's `main`
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// `raddle debug`.
#[derive(Args, Debug, Clone)]
pub struct DebugOptions {
    /// The program; if no files are named, those that the schedule names
    #[command(flatten)]
    pub input: InputOptions,
    /// Begin with this run, as `raddle verify --witness` or `raddle run --record` wrote it
    #[arg(long, value_name = "FILE", conflicts_with = "find")]
    pub schedule: Option<PathBuf>,
    /// Look for a violation first, and begin with the run that shows it
    #[arg(long)]
    pub find: bool,
    /// How long to look for it, at most
    #[arg(long, value_name = "TIME", default_value = "60s", value_parser = crate::quantity::duration)]
    pub timeout: std::time::Duration,
    /// What counts as going wrong: properties as for `raddle verify`
    #[arg(long, value_name = "LIST|FILE", default_value = property::DEFAULT)]
    pub property: Vec<String>,
    /// What the program gets for the inputs it asks for, and zero after the last
    #[arg(
        long,
        value_name = "N,…",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub inputs: Vec<i128>,
    /// Sleepers may wake without a signal
    #[arg(long)]
    pub spurious_wakeups: bool,
    /// A command a line, no panes; also if standard input is not a terminal
    #[arg(long)]
    pub plain: bool,
    /// Do what stands in this file first
    #[arg(long, short = 'x', value_name = "FILE")]
    pub commands: Option<PathBuf>,
    /// Arguments of the program's `main`
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// `raddle dap`.
#[derive(Args, Debug, Clone)]
pub struct DapOptions {
    /// Listen on this port of the loopback interface (0: any, which is then told) instead of standard input, for one client after the other
    #[arg(long, value_name = "PORT")]
    pub port: Option<u16>,
}

/// `raddle cc`.
#[derive(Args, Debug, Clone)]
#[command(disable_help_flag = true)]
pub struct CcOptions {
    /// Everything the compiler is to be told
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "WORDS"
    )]
    pub words: Vec<String>,
}

/// What program to work on, and how to read it.
#[derive(Args, Debug, Clone)]
pub struct InputOptions {
    /// C files (preprocessed first) and .i files (taken as they are), several of which are linked into one program; what `raddle cc` made of such
    /// files; or one model (.rad)
    #[arg(value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// Widths of C types
    #[arg(long, value_enum, default_value = "LP64", ignore_case = true)]
    pub data_model: Model,
    /// Add a directory to the include path
    #[arg(short = 'I', value_name = "DIR")]
    pub include_dirs: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME")]
    pub undefines: Vec<String>,
    /// Include a file before the program
    #[arg(long = "include", value_name = "FILE")]
    pub includes: Vec<String>,
    /// A compilation database to take each file's flags from (only -I -D -U -include -std -m32 -m64 are taken)
    #[arg(long, value_name = "FILE")]
    pub compile_commands: Option<PathBuf>,
    /// The C standard, as for cc
    #[arg(long, value_name = "STANDARD")]
    pub std: Option<String>,
    /// Start at this function instead of `main`; several run at the same time, each in a thread of its own
    #[arg(long = "entry", value_name = "FUNCTION")]
    pub entries: Vec<String>,
    /// A parameter of a model
    #[arg(long = "param", value_name = "NAME=N", value_parser = parameter)]
    pub params: Vec<(String, i128)>,
}

/// How memory behaves.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum MemoryModel {
    /// That of C11
    #[default]
    C11,
    /// Sequential consistency, whatever order the program asks for
    Sc,
}

/// Widths of C types.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Model {
    /// `long` and pointers have 64 bits
    #[value(name = "LP64")]
    Lp64,
    /// `int`, `long` and pointers have 32 bits
    #[value(name = "ILP32")]
    Ilp32,
}

/// How threads are scheduled.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// Every enabled thread is as likely as any other
    Random,
    /// Random priorities with a few change points: finds rare orders
    Pct,
    /// Turn by turn
    RoundRobin,
}

/// `raddle run`.
#[derive(Args, Debug, Clone)]
pub struct RunOptions {
    /// The program.
    #[command(flatten)]
    pub input: InputOptions,
    /// Run the one schedule this number stands for
    #[arg(long, value_name = "N", conflicts_with_all = ["schedule", "tries"])]
    pub seed: Option<u64>,
    /// How many schedules to try until one violates a property (the output of the first is shown);
    /// by default up to 1000, for at most two seconds
    #[arg(long, value_name = "N", conflicts_with = "schedule")]
    pub tries: Option<u64>,
    /// Repeat a recorded schedule
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
    /// Write the schedule of the run that is reported to a file
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// What to check, separated by commas: unreach-call, no-data-race, valid-memsafety, no-overflow,
    /// no-deadlock, valid-sync, no-uninit, no-div-zero, no-bad-shift, all, none
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "all"
    )]
    pub property: Vec<String>,
    /// How threads are scheduled; by default random and pct take turns
    #[arg(long, value_enum)]
    pub policy: Option<Policy>,
    /// Stop after so many steps
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub max_steps: u64,
    /// Arguments of the program's `main`
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// `raddle replay`.
#[derive(Args, Debug, Clone)]
pub struct ReplayOptions {
    /// The program.
    #[command(flatten)]
    pub input: InputOptions,
    /// The schedule, as `raddle verify --witness` or `raddle run --record` wrote it
    #[arg(long, value_name = "FILE")]
    pub schedule: PathBuf,
    /// Arguments of the program's `main`
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// What is made of a violation that rests on a value that a function without a body returned.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Havoc {
    /// The function may return any value: it is a violation
    Any,
    /// What the function returns is not known: neither is the answer
    Unknown,
}

/// How much one step is.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Granularity {
    /// One shared access, or one atomic region
    Statement,
    /// Together with what nobody can notice behind it
    Transaction,
}

/// How `raddle verify` tells its answer.
#[derive(ValueEnum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// For people; the last line is the verdict
    Text,
    /// One JSON object, described in docs/verify-json.md
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
}

/// `raddle verify`.
#[derive(Args, Debug, Clone)]
pub struct VerifyOptions {
    /// The program.
    #[command(flatten)]
    pub input: InputOptions,
    /// What to check: names separated by commas (as for `raddle run`), or a .prp file; may be given several times
    #[arg(long, value_name = "LIST|FILE", default_value = property::DEFAULT)]
    pub property: Vec<String>,
    /// List all open questions, not only the first ten
    #[arg(long)]
    pub verbose: bool,
    /// How memory behaves: c11 (races by happens-before; a proof that rests on sequential consistency where the program asks for less is
    /// no proof), or sc (every atomic access is sequentially consistent)
    #[arg(long, value_enum, value_name = "MODEL", default_value = "c11")]
    pub memory_model: MemoryModel,
    /// How many engines work at the same time; by default as many as there are processors
    #[arg(long, short = 'j', value_name = "N")]
    pub jobs: Option<usize>,
    /// Verify many programs: all below a directory, those a list names, or the tasks of a definition (.yml); one process for each, `--jobs` at a
    /// time. Interrupted or killed, the same command goes on where it was
    #[arg(long, value_name = "DIR|LIST|YML", conflicts_with_all = ["files", "witness", "proof", "ledger"])]
    pub batch: Option<PathBuf>,
    /// With --batch: the table of results, by default raddle-batch.csv; what is finished is kept beside it, in a file with the ending .journal
    #[arg(long, value_name = "FILE", requires = "batch")]
    pub out: Option<PathBuf>,
    /// The answer as a page: the schedule of a violation step by step beside the source; with --batch, the table of results
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// With --batch and --html: plot the times against the table of another run
    #[arg(long, value_name = "FILE", requires = "html", requires = "batch")]
    pub compare: Option<PathBuf>,
    /// With --batch: forget what was finished before
    #[arg(long, requires = "batch")]
    pub restart: bool,
    /// Use only this engine
    #[arg(long, value_name = "NAME", value_parser = crate::engines::names())]
    pub engine: Option<String>,
    /// What the staged engine leaves to the solver, for comparison: nothing (full), no-summaries, eager, clocks; + between several
    #[arg(long, value_name = "MODE", default_value = "full")]
    pub staged_mode: raddle_engine_staged::Mode,
    /// Let the staged engine look only at executions of so many rounds, in which every thread gets one turn; never `true`
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub rounds: Option<u32>,
    /// How the execution engine works: auto; reads-from, optimal, dpor or all (explore so many executions); states (remember them); driven (by a solver); prune (both)
    #[arg(long, value_name = "METHOD", default_value = "auto")]
    pub fusion_mode: raddle_engine_fusion::Method,
    /// Let the execution engine explore only executions in which threads are interrupted so often; never `true`
    #[arg(long, value_name = "N")]
    pub preemptions: Option<u32>,
    /// The same for how often another thread goes on than the last one
    #[arg(long, value_name = "N")]
    pub switches: Option<u32>,
    /// The refinement engine: so many threads of every creation that can repeat, instead of more and more
    #[arg(long, value_name = "N")]
    pub threads: Option<u32>,
    /// The refinement engine without partial-order reduction, for comparison
    #[arg(long)]
    pub no_reduction: bool,
    /// The projection engine: one question for all executions up to so many steps, instead of longer and longer ones
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// How much one step of the projection engine is
    #[arg(long, value_enum, default_value = "transaction")]
    pub granularity: Granularity,
    /// The projection engine looks at all executions, not only at projections
    #[arg(long)]
    pub no_projection: bool,
    /// The projection engine uses the paper's constraint even where it has a sharper one
    #[arg(long)]
    pub projection_as_printed: bool,
    /// The projection engine keeps independent neighbours in the order of their threads
    #[arg(long)]
    pub ordered: bool,
    /// The projection engine tells threads apart that are the same
    #[arg(long)]
    pub no_symmetry: bool,
    /// The projection engine treats memory that only one thread touches like any other, for comparison
    #[arg(long)]
    pub no_own_cells: bool,
    /// The projection engine asks only for violations, not whether there are longer executions; never `true`
    #[arg(long)]
    pub bounded_only: bool,
    /// Tell on standard error what the projection engine's answer cost
    #[arg(long)]
    pub statistics: bool,
    /// Wall time until the answer has to be there; by default 60s, or half as much again as the CPU limit if only that is given
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub timeout: Option<Duration>,
    /// CPU time over all threads and children; by default there is no limit
    #[arg(long, value_name = "TIME", value_parser = quantity::duration)]
    pub cpu_limit: Option<Duration>,
    /// Memory
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = quantity::size)]
    pub memory: u64,
    /// Unwind every loop and recursion exactly so often, instead of deeper and deeper
    #[arg(long, value_name = "N")]
    pub unwind: Option<u32>,
    /// Check only this test: what each thread gets for the inputs it asks for, one after the other, then zeros
    #[arg(
        long = "input",
        value_name = "N,…",
        value_delimiter = ',',
        allow_hyphen_values = true
    )]
    pub inputs: Option<Vec<i128>>,
    /// Violations that rest on the result of a function without a body are violations (`any`) or not (`unknown`); by default,
    /// `unknown` for pointers, for memory that it could write and for unknown assembly, `any` for other values
    #[arg(long, value_enum)]
    pub havoc: Option<Havoc>,
    /// Make `true` carry a certificate that was checked
    #[arg(long)]
    pub certify: bool,
    /// Look for all distinct violations, not only the first
    #[arg(long)]
    pub all_violations: bool,
    /// How to tell the answer
    #[arg(long, value_enum, default_value = "text")]
    pub format: Format,
    /// Write the first violation to a file: as a schedule for `raddle replay`, or, if its name ends in .yml or .graphml, as a witness of the
    /// software-verification competition; for a program that is safe, these say what holds where
    #[arg(long, value_name = "FILE")]
    pub witness: Option<PathBuf>,
    /// Write the proof of the refinement engine to a file, for `raddle check-proof`
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Keep every answer with its evidence in FILE, and resume from it: closed questions are not asked again. For a changed program, only violations
    /// that still replay and proofs that are checked again count. The format is described in docs/ledger-file.md
    #[arg(long, value_name = "FILE")]
    pub ledger: Option<PathBuf>,
    /// Arguments of the program's `main`; if none are given, any few
    #[arg(last = true, value_name = "ARGS", conflicts_with = "batch")]
    pub args: Vec<String>,
}

/// `raddle check-proof`.
#[derive(Args, Debug, Clone)]
pub struct CheckProofOptions {
    /// The program.
    #[command(flatten)]
    pub input: InputOptions,
    /// The proof, as `raddle verify --engine refine --proof` wrote it
    #[arg(long, value_name = "FILE")]
    pub proof: PathBuf,
    /// Print what holds, per thread and location
    #[arg(long)]
    pub print: bool,
    /// What was proved: names separated by commas, or a .prp file
    #[arg(long, value_name = "LIST|FILE", default_value = "unreach-call")]
    pub property: Vec<String>,
    /// Arguments of the program's `main`, as they were given to `raddle verify`
    #[arg(last = true, value_name = "ARGS")]
    pub args: Vec<String>,
}

/// `raddle ir`.
#[derive(Args, Debug, Clone)]
pub struct IrOptions {
    /// The program.
    #[command(flatten)]
    pub input: InputOptions,
    /// Read the printed text back, print it again, and say whether all three agree
    #[arg(long)]
    pub check: bool,
}

/// `raddle fmt`.
#[derive(Args, Debug, Clone)]
pub struct FmtOptions {
    /// The models
    #[arg(required = true, value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// Change nothing; say which files would be changed, and fail if there are any
    #[arg(long)]
    pub check: bool,
}

/// `name=number`.
fn parameter(text: &str) -> Result<(String, i128), String> {
    let (name, value) = text.split_once('=').ok_or("write NAME=NUMBER")?;
    let number: i64 = value
        .trim()
        .parse()
        .map_err(|_| format!("`{value}` is no number"))?;
    Ok((name.trim().to_string(), i128::from(number)))
}
