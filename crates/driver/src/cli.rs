//! The command line: one documented field per flag.

use crate::experiments::Experiments;
use crate::{property, quantity};
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

const INPUT: &str = "The program";
const CHECK: &str = "What to check, and how";
const LIMITS: &str = "Limits";
const OUTPUT: &str = "Output";
const BATCH: &str = "Many programs";

/// Checks multithreaded C programs over all thread interleavings.
#[derive(Parser, Debug)]
#[command(
    name = "raddle",
    version,
    arg_required_else_help = true,
    disable_help_flag = true,
    max_term_width = 100
)]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

impl Cli {
    /// The command line as clap sees it: `--help` is as short as `-h`, because the manual pages say more, and `raddle cc`
    /// leaves both to the compiler.
    pub fn described() -> clap::Command {
        let help = || {
            let help = clap::Arg::new("help").long("help").short('h');
            let about = "Print help; `raddle man` says more";
            help.action(clap::ArgAction::HelpShort).help(about)
        };
        let with_help = |c: clap::Command| match c.get_name() {
            "cc" => c,
            _ => c.disable_help_flag(true).arg(help()),
        };
        Cli::command().arg(help()).mut_subcommands(with_help)
    }

    /// Reads a command line.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
        let found = Cli::described().try_get_matches_from(words)?;
        Cli::from_arg_matches(&found)?.with_experiments()
    }

    /// Reads the settings behind `-Z`.
    fn with_experiments(mut self) -> Result<Cli, clap::Error> {
        if let Command::Verify(options) = &mut self.command {
            options.experiments = Experiments::read(&options.settings)?;
        }
        Ok(self)
    }
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
    /// Print the manual page of raddle, or of one of its commands
    Man {
        /// Which command
        command: Option<String>,
    },
    /// Show a recorded schedule as a page, or write it for other viewers
    Report(ReportOptions),
    /// Step through a program, forwards and backwards, thread by thread, and ask what else could happen
    Debug(Box<DebugOptions>),
    /// Serve the Debug Adapter Protocol, for editors
    Dap(DapOptions),
    /// Format models (.rad files)
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
    /// C files, linked into one program; what `raddle cc` made of them; or one model (.rad)
    ///
    /// C files are preprocessed first, .i files are taken as they are.
    #[arg(value_name = "FILES")]
    pub files: Vec<PathBuf>,
    /// The widths of `long` and pointers: LP64 or ILP32
    #[arg(long, value_enum, default_value = "LP64", ignore_case = true, hide_possible_values = true, help_heading = INPUT)]
    pub data_model: Model,
    /// Add a directory to the include path
    #[arg(short = 'I', value_name = "DIR", help_heading = INPUT)]
    pub include_dirs: Vec<String>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]", help_heading = INPUT)]
    pub defines: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "NAME", help_heading = INPUT)]
    pub undefines: Vec<String>,
    /// Include a file before the program
    #[arg(long = "include", value_name = "FILE", help_heading = INPUT)]
    pub includes: Vec<String>,
    /// Take each file's flags from a compilation database
    ///
    /// Only -I, -D, -U, -include, -std, -m32 and -m64 are taken.
    #[arg(long, value_name = "FILE", help_heading = INPUT)]
    pub compile_commands: Option<PathBuf>,
    /// The C standard, as for cc
    #[arg(long, value_name = "STANDARD", help_heading = INPUT)]
    pub std: Option<String>,
    /// Start at this function; several run at once, a thread each
    #[arg(long = "entry", value_name = "FUNCTION", help_heading = INPUT)]
    pub entries: Vec<String>,
    /// A parameter of a model
    #[arg(long = "param", value_name = "NAME=N", value_parser = parameter, help_heading = INPUT)]
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
    /// Stop after N steps
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
    /// What to check: names separated by commas, or a .prp file; repeatable [default: all but no-overflow and valid-memcleanup]
    ///
    /// The names are those of `raddle run --property`. The default is unreach-call, no-data-race, no-deadlock, valid-memsafety,
    /// valid-sync, no-div-zero, no-bad-shift, no-uninit.
    #[arg(long, value_name = "LIST|FILE", default_value = property::DEFAULT, hide_default_value = true, help_heading = CHECK)]
    pub property: Vec<String>,
    /// c11, or sc: sequentially consistent
    ///
    /// c11: races are decided by happens-before, and a proof that rests on sequential consistency where the program asks for
    /// less is no proof. sc: every atomic access is sequentially consistent, whatever the program asks for.
    #[arg(long, value_enum, value_name = "MODEL", default_value = "c11", hide_possible_values = true, help_heading = CHECK)]
    pub memory_model: MemoryModel,
    /// Take what a function without a body returns as `any` value or as `unknown`
    ///
    /// any: a violation that rests on the value is one. unknown: it is not, and the answer is `unknown`.
    /// By default, `unknown` for pointers, for memory that it could write and for unknown assembly, and `any` for other values.
    #[arg(long, value_enum, hide_possible_values = true, help_heading = CHECK)]
    pub havoc: Option<Havoc>,
    /// Check only this test: what each thread reads, in order, then zeros
    #[arg(
        long = "input",
        value_name = "N,…",
        value_delimiter = ',',
        allow_hyphen_values = true,
        help_heading = CHECK
    )]
    pub inputs: Option<Vec<i128>>,
    /// Unwind every loop and recursion exactly N times [default: iterative deepening]
    #[arg(long, value_name = "N", help_heading = CHECK)]
    pub unwind: Option<u32>,
    /// Use only this engine: staged, fusion, refine or project
    #[arg(long, value_name = "NAME", value_parser = crate::engines::names(), hide_possible_values = true, help_heading = CHECK)]
    pub engine: Option<String>,
    /// Look for all distinct violations, not only the first
    #[arg(long, help_heading = CHECK)]
    pub all_violations: bool,
    /// Ask for a certificate of `true`, which is checked
    #[arg(long, help_heading = CHECK)]
    pub certify: bool,
    /// Wall-clock limit
    ///
    /// By default 60s, or half as much again as the CPU limit if only that is given.
    #[arg(long, value_name = "TIME", value_parser = quantity::duration, help_heading = LIMITS)]
    pub timeout: Option<Duration>,
    /// CPU time over all threads and children
    #[arg(long, value_name = "TIME", value_parser = quantity::duration, help_heading = LIMITS)]
    pub cpu_limit: Option<Duration>,
    /// Memory
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = quantity::size, help_heading = LIMITS)]
    pub memory: u64,
    /// How many engines, or programs, work at once [default: all processors]
    #[arg(long, short = 'j', value_name = "N", help_heading = LIMITS)]
    pub jobs: Option<usize>,
    /// How to print the answer: text, json or sarif
    ///
    /// text: for people; the last line is the verdict. json: one object, described in docs/verify-json.md. sarif: SARIF 2.1.0,
    /// for code scanning.
    #[arg(long, value_enum, default_value = "text", hide_possible_values = true, help_heading = OUTPUT)]
    pub format: Format,
    /// List all open questions, not only the first ten
    #[arg(long, help_heading = OUTPUT)]
    pub verbose: bool,
    /// Write the answer as a page: the schedule of a violation beside the source
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
    /// Write the violation as a schedule, or (.yml, .graphml) as a witness
    ///
    /// A schedule is what `raddle replay`, `raddle debug` and `raddle report` read. For a program that is safe, a witness of the
    /// software-verification competition says what holds where.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub witness: Option<PathBuf>,
    /// Write the proof of the refinement engine, for `raddle check-proof`
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub proof: Option<PathBuf>,
    /// Keep every answer with its evidence in FILE, and resume from it
    ///
    /// Closed questions are not asked again. For a changed program, only violations that still replay and proofs that are
    /// checked again count. docs/ledger-file.md describes the format.
    #[arg(long, value_name = "FILE", help_heading = OUTPUT)]
    pub ledger: Option<PathBuf>,
    /// Verify all programs of a directory, a list or a task definition
    ///
    /// There is one process for each, `--jobs` at a time. After an interruption, the same command resumes. With
    /// `--html`, the page is a table of the results.
    #[arg(long, value_name = "DIR|LIST|YML", conflicts_with_all = ["files", "witness", "proof", "ledger"], help_heading = BATCH)]
    pub batch: Option<PathBuf>,
    /// The table of results [default: raddle-batch.csv]
    ///
    /// What is finished is kept beside it, in a file with the ending .journal.
    #[arg(long, value_name = "FILE", requires = "batch", help_heading = BATCH)]
    pub out: Option<PathBuf>,
    /// With --html: plot the times against the table of another run
    #[arg(long, value_name = "FILE", requires = "html", requires = "batch", help_heading = BATCH)]
    pub compare: Option<PathBuf>,
    /// Forget what was finished before
    #[arg(long, requires = "batch", help_heading = BATCH)]
    pub restart: bool,
    /// Experiments; `-Z help` lists them
    #[arg(short = 'Z', value_name = "NAME[=VALUE]", hide = true)]
    pub settings: Vec<String>,
    /// What the settings say, once they are read.
    #[arg(skip)]
    pub experiments: Experiments,
    /// Arguments of the program's `main` [default: any up to 3 arguments of up to 7 characters]
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
