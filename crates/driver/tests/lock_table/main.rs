//! The lock table: every operation on every state of its object, by a thread that holds it, shares it, or has nothing to do with it; run by
//! the interpreter, over terms, and in the skeleton. They have to agree on what it answers, what it leaves behind, whether it blocks, whether
//! that is a deadlock, and whether it is misuse.
//!
//! A row is a small program (`rows.rs`): another thread prepares the object and ends, `main` prepares it and does the operation. The interpreter
//! runs it (`concrete.rs`) and is the reference; the symbolic semantics gets the word and the kind that the interpreter found, as constants
//! (`over_terms.rs`); the staged engine is asked whether just this answer and this word can be reached (`in_skeleton.rs`).
//!
//! `RADDLE_TABLE=word` restricts the table to rows whose name has the word; with `--nocapture` the table is printed.

mod concrete;
mod in_skeleton;
mod over_terms;
mod rows;

use raddle_ir::{Program, SyncOp};
use rows::Row;

/// What an operation does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It answers with a code and leaves a word.
    Goes {
        /// The result; 0 if it has none.
        code: u32,
        /// The word afterwards.
        word: u32,
    },
    /// It is blocked.
    Blocks,
    /// It is undefined, and the thread stops.
    Stops,
}

/// What the reference says of a row.
pub struct Found {
    /// The word before.
    pub before: u32,
    /// The kind of a mutex.
    pub kind: u32,
    /// What it does.
    pub outcome: Outcome,
    /// Whether it violates `valid-sync`.
    pub misuse: bool,
    /// Whether it violates `no-deadlock`.
    pub deadlock: bool,
}

fn compile(text: String) -> Program {
    let options = raddle_c::Options {
        arguments: raddle_c::Arguments::Given(vec!["program".into()]),
        ..raddle_c::Options::default()
    };
    let compiled = raddle_c::compile_text("row.c", &text, &options);
    let program = compiled.map_err(|f| f.render()).expect(&text);
    assert!(raddle_ir::verify(&program).is_empty(), "{text}");
    program
}

/// What is wrong with a row.
fn disagreements(row: &Row) -> Vec<String> {
    let found = concrete::run(row);
    let mut wrong = Vec::new();
    println!(
        "{:50} {:#010x} kind {} -> {:?}{}{}",
        row.name(),
        found.before,
        found.kind,
        found.outcome,
        if found.misuse { ", misuse" } else { "" },
        if found.deadlock { ", deadlock" } else { "" },
    );
    wrong.extend(over_terms::differs(row, &found));
    wrong.extend(in_skeleton::differs(row, &found));
    let named = |what: String| format!("{}: {what}", row.name());
    wrong.into_iter().map(named).collect()
}

#[test]
fn all_semantics_agree() {
    let builder = std::thread::Builder::new().stack_size(256 << 20);
    let work = || {
        let word = std::env::var("RADDLE_TABLE").unwrap_or_default();
        let all = rows::all().into_iter().filter(|r| r.name().contains(&word));
        let all: Vec<Row> = all.collect();
        let wrong: Vec<String> = all.iter().flat_map(disagreements).collect();
        eprintln!("{} rows", all.len());
        assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong.join("\n"));
    };
    let worker = builder.spawn(work).expect("a thread");
    worker.join().expect("the semantics agree");
}

#[test]
fn every_operation_on_an_object_has_rows() {
    let rows = rows::all();
    let on_object = |op: &&SyncOp| {
        let jump = matches!(op, SyncOp::SetJump | SyncOp::LongJump);
        op.args().first() == Some(&raddle_ir::SyncKind::Ptr)
            && !jump
            && !matches!(op, SyncOp::ThreadNew | SyncOp::ThreadExit)
    };
    for op in SyncOp::ALL.iter().filter(on_object) {
        assert!(rows.iter().any(|r| r.op == *op), "no row for {}", op.name());
    }
}
