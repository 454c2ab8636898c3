//! Random small multithreaded programs, for every test that compares answers.
//!
//! `generate` makes a program from a seed, with the features of `features`; `tree` prints programs and makes them simpler; `campaign` goes through
//! many of them.

pub mod campaign;
pub mod engines;
mod expressions;
pub mod features;
pub mod generate;
mod misuse;
mod statements;
mod sums;
pub mod tree;
pub mod truth;

use generate::HEADER;
use raddle_ir::{DataModel, Program};
use std::sync::OnceLock;

/// The text of the headers, preprocessed once.
fn headers() -> &'static [u8] {
    static TEXT: OnceLock<Vec<u8>> = OnceLock::new();
    TEXT.get_or_init(|| {
        let name = format!("raddle-fuzz-{}.c", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, HEADER).expect("a temporary file");
        let flags = raddle_c::Flags::default();
        let text = raddle_c::preprocess::load(&path, &flags, DataModel::Lp64);
        let _ = std::fs::remove_file(&path);
        text.expect("the headers can be preprocessed")
    })
}

/// Compiles the text behind the headers.
pub fn compile(body: &str) -> Result<Program, String> {
    let options = raddle_c::Options {
        arguments: raddle_c::Arguments::Given(vec!["program".into()]),
        ..raddle_c::Options::default()
    };
    let mut text = headers().to_vec();
    text.extend_from_slice(b"\n# 1 \"program.c\"\n");
    text.extend_from_slice(body.as_bytes());
    let program = raddle_c::compile_text("program.i", text, &options).map_err(|f| f.render())?;
    match raddle_ir::verify(&program).first() {
        None => Ok(program),
        Some(broken) => Err(format!("invalid IR: {broken}")),
    }
}
