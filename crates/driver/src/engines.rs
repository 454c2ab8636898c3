//! The engine registry: one row per engine. The command line, `verify`, ledgers and the debugger read it.
//!
//! A new engine is one crate and one row here.

use crate::cli::VerifyOptions;
use crate::experiments;
use crate::portfolio::{EQUAL, Member, Weights};
use raddle_engine_fusion::FusionEngine;
use raddle_engine_project::{Granularity, ProjectEngine};
use raddle_engine_refine::RefineEngine;
use raddle_engine_staged::{Mode, StagedEngine};
use raddle_ir::Property;
use raddle_verdict::Engine;
use std::sync::Arc;

/// An engine of the registry.
pub struct Entry {
    /// Its name on the command line and in ledgers.
    pub name: &'static str,
    /// What it does, for the help.
    pub about: &'static str,
    /// The engine as the options of `verify` want it, or with its defaults.
    pub make: fn(Option<&VerifyOptions>) -> Arc<dyn Engine>,
    /// Whether it can answer a property. It is not asked for others.
    pub answers: fn(Property) -> bool,
    /// Its share of the time where nothing is known of the program.
    pub weights: Weights,
    /// Whether it works if no engine is named.
    pub in_portfolio: bool,
    /// Whether it answers questions of the debugger.
    pub in_debugger: bool,
}

/// The engines, the one to begin with in front.
pub const ENGINES: &[Entry] = &[
    Entry {
        name: "staged",
        about: "bounded model checking of unwound threads, with deeper bounds until nothing is cut",
        make: staged,
        answers: |_| true,
        weights: EQUAL,
        in_portfolio: true,
        in_debugger: true,
    },
    Entry {
        name: "fusion",
        about: "systematic execution with partial-order reduction",
        make: fusion,
        answers: |_| true,
        weights: EQUAL,
        in_portfolio: true,
        in_debugger: true,
    },
    Entry {
        name: "refine",
        about: "trace abstraction refinement: inductive proofs, also for loops without end",
        make: refine,
        answers: raddle_engine_refine::answers,
        weights: EQUAL,
        in_portfolio: true,
        in_debugger: true,
    },
    Entry {
        name: "project",
        about: "step-indexed bounded model checking with projections; only by name",
        make: project,
        answers: raddle_engine_project::answers,
        weights: EQUAL,
        // What it decides, the others decide as fast.
        in_portfolio: false,
        in_debugger: false,
    },
];

fn staged(options: Option<&VerifyOptions>) -> Arc<dyn Engine> {
    let mode = options.map(|o| Mode {
        rounds: o.experiments.rounds,
        ..o.experiments.staged_mode
    });
    Arc::new(StagedEngine {
        mode: mode.unwrap_or_default(),
    })
}

fn fusion(options: Option<&VerifyOptions>) -> Arc<dyn Engine> {
    let engine = options.map(|o| FusionEngine {
        preemptions: o.experiments.preemptions,
        switches: o.experiments.switches,
        ..FusionEngine::with(o.experiments.fusion_mode)
    });
    Arc::new(engine.unwrap_or_default())
}

fn refine(options: Option<&VerifyOptions>) -> Arc<dyn Engine> {
    let engine = options.map(|o| RefineEngine {
        reduce: !o.experiments.no_reduction,
        threads: o.experiments.threads,
        // A ledger keeps what can be checked again.
        write_proofs: o.proof.is_some() || o.ledger.is_some(),
        ..RefineEngine::default()
    });
    Arc::new(engine.unwrap_or_default())
}

fn project(options: Option<&VerifyOptions>) -> Arc<dyn Engine> {
    let mut engine = ProjectEngine::default();
    if let Some(options) = options.map(|o| &o.experiments) {
        engine.depth = options.depth;
        engine.threads = options.threads;
        engine.complete = !options.bounded_only;
        engine.reductions.projection = !options.no_projection;
        engine.reductions.as_printed = options.projection_as_printed;
        engine.reductions.order = options.ordered;
        engine.reductions.symmetry = !options.no_symmetry;
        engine.own_cells = !options.no_own_cells;
        engine.granularity = match options.granularity {
            experiments::Granularity::Statement => Granularity::Statement,
            experiments::Granularity::Transaction => Granularity::Transaction,
        };
    }
    Arc::new(engine)
}

/// The names that `--engine` takes, with what each does.
pub fn names() -> clap::builder::PossibleValuesParser {
    let value = |e: &Entry| clap::builder::PossibleValue::new(e.name).help(e.about);
    ENGINES.iter().map(value).collect::<Vec<_>>().into()
}

/// The name as it stands in a table, if there is such an engine.
pub fn known<'a>(table: &'a [Entry], name: &str) -> Option<&'a Entry> {
    table.iter().find(|e| e.name == name)
}

/// The engines of a table that work on a program: the one that is named, or the portfolio.
pub fn members(table: &[Entry], options: Option<&VerifyOptions>) -> Vec<Member> {
    let name = options.and_then(|o| o.engine.as_deref());
    let wanted = |e: &&Entry| name.map_or(e.in_portfolio, |n| n == e.name);
    let member = |e: &Entry| Member {
        engine: (e.make)(options),
        weights: e.weights,
        answers: e.answers,
    };
    table.iter().filter(wanted).map(member).collect()
}

/// The engines of a table that answer questions of the debugger, with their defaults. Exploration is first: behind the beginning of a run
/// there is only that.
pub fn answering(table: &[Entry]) -> Vec<Arc<dyn Engine>> {
    let mut all: Vec<&Entry> = table.iter().filter(|e| e.in_debugger).collect();
    all.sort_by_key(|e| e.name != "fusion");
    all.into_iter().map(|e| (e.make)(None)).collect()
}
