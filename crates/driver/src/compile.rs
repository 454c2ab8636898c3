//! From files and flags to a program, with diagnostics on the way.

use crate::Ending;
use crate::cli::{InputOptions, Model};
use crate::compile_commands::CompileCommands;
use crate::complaint::Complaint;
use raddle_c::{Arguments, Flags, Options};
use raddle_ir::{DataModel, Limit, LimitKind, Program};
use std::path::{Path, PathBuf};

/// The program the command line names, checked; or what is wrong with it.
pub fn program(input: &InputOptions, arguments: Arguments) -> Result<Program, Complaint> {
    let usage = |what: String| Complaint::new(Ending::Usage, what);
    let bad = |what: String| Complaint::new(Ending::BadInput, what);
    if input.files.is_empty() {
        return Err(usage("which program? Name its files".into()));
    }
    if let Some(file) = input.files.iter().find(|f| is_model(f)) {
        return model_program(file, input);
    }
    if let Some((name, _)) = input.params.first() {
        return Err(usage(format!("--param {name} is for models (.rad)")));
    }
    let flags = flags(input).map_err(usage)?;
    let name = input.files.first().map(|f| f.display().to_string());
    let arguments = match arguments {
        Arguments::Given(list) => Arguments::Given(name.into_iter().chain(list).collect()),
        Arguments::Any => Arguments::Any,
    };
    let mut options = Options {
        model: model(input.data_model),
        flags,
        arguments,
        ..Options::default()
    };
    if !input.entries.is_empty() {
        options.entries = input.entries.clone();
    }
    let units = units(input).map_err(bad)?;
    options.model = agreed_model(options.model, &units).map_err(bad)?;
    let mut program = raddle_c::compile_units(&units, &options).map_err(|failure| {
        let mut text = failure.render();
        if failure.lacks_entry("main") {
            text.push_str("note: --entry FUNCTION starts at another\n");
        }
        Complaint {
            unsupported: failure.unsupported(),
            ..Complaint::diagnosis(Ending::BadInput, text)
        }
    })?;
    program
        .limits
        .extend(raddle_analysis::callbacks::limits(&program));
    let bounded = |l: &Limit| l.kind == LimitKind::Arguments;
    if program.limits.iter().any(bounded) && !raddle_analysis::arguments::matter(&program) {
        program.limits.retain(|l| !bounded(l));
    }
    Ok(valid(program))
}

/// The widths of types: what the command line says, unless files were compiled with `-m32`, which all of them have to be then.
fn agreed_model(said: DataModel, units: &[(PathBuf, Flags)]) -> Result<DataModel, String> {
    let with = |model| units.iter().find(|(_, flags)| flags.model == model);
    let Some((narrow, _)) = with(Some(DataModel::Ilp32)) else {
        return match (said, with(Some(DataModel::Lp64))) {
            (DataModel::Ilp32, Some((wide, _))) => Err(format!(
                "{} was compiled with -m64, which is not --data-model ILP32",
                wide.display()
            )),
            _ => Ok(said),
        };
    };
    match with(Some(DataModel::Lp64)).or(with(None)) {
        Some((other, _)) => Err(format!(
            "{} was compiled with -m32, {} was not: they are no program together",
            narrow.display(),
            other.display()
        )),
        None => Ok(DataModel::Ilp32),
    }
}

/// The arguments that are given; if there are none, any.
pub fn any(arguments: &[String]) -> Arguments {
    match arguments {
        [] => Arguments::Any,
        given => Arguments::Given(given.to_vec()),
    }
}

fn valid(program: Program) -> Program {
    let broken = raddle_ir::verify(&program);
    if let Some(first) = broken.first() {
        panic!("the front end made invalid IR: {first}");
    }
    program
}

/// Whether a file is a model, by its name.
pub fn is_model(file: &Path) -> bool {
    file.extension().is_some_and(|e| e == "rad")
}

/// The program of a model.
fn model_program(file: &Path, input: &InputOptions) -> Result<Program, Complaint> {
    if input.files.len() > 1 {
        let what = "a model is a program by itself; give one file";
        return Err(Complaint::new(Ending::Usage, what));
    }
    let name = file.display().to_string();
    let text = read_model(file)?;
    let program = raddle_model::compile(&name, &text, &input.params).map_err(|diagnostic| {
        Complaint::diagnosis(Ending::BadInput, diagnostic.render(&name, &text))
    })?;
    Ok(valid(program))
}

/// The text of a model; bytes that are no text are shown as such.
pub fn read_model(file: &Path) -> Result<String, Complaint> {
    match std::fs::read(file) {
        Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) => {
            let what = format!("{}: {error}", file.display());
            Err(Complaint::new(Ending::BadInput, what))
        }
    }
}

/// The files, each with the flags that a compilation database has for it.
fn units(input: &InputOptions) -> Result<Vec<(PathBuf, Flags)>, String> {
    let database = match &input.compile_commands {
        Some(path) => Some(CompileCommands::read(path)?),
        None => None,
    };
    let mut all: Vec<(PathBuf, Flags)> = Vec::new();
    for file in &input.files {
        if let Some(commands) = crate::cc::recorded(file) {
            let commands = CompileCommands::recorded(&commands?)?;
            all.extend(
                commands
                    .into_iter()
                    .map(|(f, words)| (f, Flags::pick(&words))),
            );
            continue;
        }
        let flags = match &database {
            Some(database) => Flags::pick(database.words(file)),
            None => Flags::default(),
        };
        all.push((file.clone(), flags));
    }
    Ok(all)
}

fn model(model: Model) -> DataModel {
    match model {
        Model::Lp64 => DataModel::Lp64,
        Model::Ilp32 => DataModel::Ilp32,
    }
}

/// The preprocessor flags, through the same whitelist that guards those of a compilation database.
fn flags(input: &InputOptions) -> Result<Flags, String> {
    let mut words: Vec<String> = Vec::new();
    words.extend(input.include_dirs.iter().map(|d| format!("-I{d}")));
    words.extend(input.defines.iter().map(|d| format!("-D{d}")));
    words.extend(input.undefines.iter().map(|d| format!("-U{d}")));
    for file in &input.includes {
        words.push("-include".into());
        words.push(file.clone());
    }
    words.extend(input.std.iter().map(|s| format!("-std={s}")));
    Flags::parse(&words).map_err(|d| d.message)
}

/// The files as the user named them.
pub fn file_names(input: &InputOptions) -> Vec<String> {
    let names = input.files.iter();
    names.map(|f| f.display().to_string()).collect()
}

/// The words that name the program again on a command line.
pub fn command_line(input: &InputOptions) -> String {
    let mut words = file_names(input);
    if input.data_model == Model::Ilp32 {
        words.push("--data-model ILP32".into());
    }
    words.extend(input.include_dirs.iter().map(|d| format!("-I{d}")));
    words.extend(input.defines.iter().map(|d| format!("-D{d}")));
    words.extend(input.undefines.iter().map(|d| format!("-U{d}")));
    words.extend(input.includes.iter().map(|f| format!("--include {f}")));
    words.extend(input.std.iter().map(|s| format!("--std {s}")));
    words.extend(input.entries.iter().map(|e| format!("--entry {e}")));
    words.extend(input.params.iter().map(|(n, v)| format!("--param {n}={v}")));
    if let Some(path) = &input.compile_commands {
        words.push(format!("--compile-commands {}", path.display()));
    }
    words.join(" ")
}
