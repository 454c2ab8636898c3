//! C11 and the GNU C of real headers, to Raddle's IR.
//!
//! The way: [`preprocess`] gets text, the lexer tokens, the parser a syntax tree, the checker a typed tree, and
//! lowering IR. The last two work on demand: a function is checked and lowered only if it is reached from the
//! entry, so that what a header contains but a program does not use is never refused. Everything up to the
//! IR is private to this crate.
//!
//! The program is linked from all its units and the modelled library under `library/`, which is C that this
//! very front end compiles; it defines only what the program does not define itself.
//!
//! Files: `preprocess.rs`, `source.rs`, `lexer.rs`, `token.rs`, `literal.rs`, `parser/`, `ast.rs`; `types.rs`,
//! `layout.rs`, `sema/` (names, types, conversions, builtins; `asm.rs` is the table of inline assembly) to the typed
//! tree `hir.rs`; `lower/` to IR (`unmodelled.rs` and `formats.rs`: what the library does not do; `attempt` in
//! `stmt.rs`: executions end at what is not supported; `order.rs`: where the order of evaluation may matter;
//! `jumps.rs`, `comparisons.rs`, `memory_order.rs`, `entry.rs`, `entries.rs`); `library.rs` the modelled library.
//!
//! ```
//! let options = raddle_c::Options::default();
//! let program = raddle_c::compile_text("t.i", "int x; int main(void) { x = 1; return x; }", &options);
//! assert!(raddle_ir::verify(&program.unwrap()).is_empty());
//! ```

mod ast;
pub mod diagnostic;
mod hir;
mod layout;
mod lexer;
mod library;
mod literal;
mod lower;
mod parser;
pub mod preprocess;
mod sema;
pub mod source;
mod token;
mod types;

pub use diagnostic::Diagnostic;
pub use preprocess::Flags;
use raddle_ir as ir;
use source::SourceMap;
use std::path::Path;

/// How to translate.
#[derive(Clone, Debug)]
pub struct Options {
    /// The widths of types.
    pub model: ir::DataModel,
    /// For the preprocessor.
    pub flags: Flags,
    /// The function to start at; if there are several, each in a thread of its own.
    pub entries: Vec<String>,
    /// What `main` is called with.
    pub arguments: Arguments,
}

/// What `main` is called with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Arguments {
    /// These; the first is the name of the program. If there are none, there is only a name.
    Given(Vec<String>),
    /// Whatever the user may type, up to a limit that the program notes, if `main` looks at them.
    Any,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            model: ir::DataModel::Lp64,
            flags: Flags::default(),
            entries: vec!["main".to_owned()],
            arguments: Arguments::Given(Vec::new()),
        }
    }
}

/// Why there is no program: what is wrong, and the text it is about.
pub struct Failure {
    /// At least one.
    pub diagnostics: Vec<Diagnostic>,
    /// Resolves the spans of the diagnostics.
    pub sources: SourceMap,
}

impl Failure {
    /// All diagnostics as plain text.
    pub fn render(&self) -> String {
        self.diagnostics
            .iter()
            .map(|d| d.render(&self.sources))
            .collect()
    }

    /// Whether there is no function of this name to start at.
    pub fn lacks_entry(&self, name: &str) -> bool {
        let mut all = self.diagnostics.iter();
        all.any(|d| d.missing_entry.as_deref() == Some(name))
    }

    /// If nothing is wrong with the program but that something in it is not supported: what, and where.
    pub fn unsupported(&self) -> Option<String> {
        let first = self.diagnostics.first()?;
        let place = first.span.and_then(|span| self.sources.locate(span));
        let place = place.map(|l| format!(", {}:{}", self.sources.file_name(l.file), l.line));
        let only = self.diagnostics.iter().all(|d| d.unsupported);
        only.then(|| format!("{}{}", first.message, place.unwrap_or_default()))
    }
}

impl std::fmt::Debug for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.render())
    }
}

/// Translates and links files: `.i` is taken as it is, anything else is preprocessed first.
pub fn compile(files: &[impl AsRef<Path>], options: &Options) -> Result<ir::Program, Box<Failure>> {
    let texts = load(files, options)?;
    run(&texts, options, true)
}

/// As [`compile`], with flags for each file, which come after those of the options.
pub fn compile_units(
    units: &[(std::path::PathBuf, Flags)],
    options: &Options,
) -> Result<ir::Program, Box<Failure>> {
    let mut texts = Vec::new();
    for (file, flags) in units {
        let mut all = options.flags.clone();
        all.extend(flags);
        let text = preprocess::load(file, &all, options.model).map_err(general)?;
        texts.push((file.display().to_string(), text));
    }
    run(&texts, options, true)
}

/// Translates one preprocessed text.
pub fn compile_text(
    name: &str,
    text: impl AsRef<[u8]>,
    options: &Options,
) -> Result<ir::Program, Box<Failure>> {
    run(&[(name.to_owned(), text.as_ref().to_vec())], options, true)
}

/// Accepts or refuses the declarations of files, without lowering anything.
pub fn check(files: &[impl AsRef<Path>], options: &Options) -> Result<(), Box<Failure>> {
    let texts = load(files, options)?;
    run(&texts, options, false).map(|_| ())
}

type Texts = Vec<(String, Vec<u8>)>;

fn load(files: &[impl AsRef<Path>], options: &Options) -> Result<Texts, Box<Failure>> {
    let mut texts = Vec::new();
    for file in files {
        let file = file.as_ref();
        match preprocess::load(file, &options.flags, options.model) {
            Ok(text) => texts.push((file.display().to_string(), text)),
            Err(diagnostic) => return Err(general(diagnostic)),
        }
    }
    Ok(texts)
}

fn general(diagnostic: Diagnostic) -> Box<Failure> {
    Box::new(Failure {
        diagnostics: vec![diagnostic],
        sources: SourceMap::default(),
    })
}

/// The passes recurse over trees whose height is bounded, but not small.
const STACK: usize = 256 << 20;

fn run(
    texts: &[(String, Vec<u8>)],
    options: &Options,
    lower: bool,
) -> Result<ir::Program, Box<Failure>> {
    std::thread::scope(|scope| {
        let work = std::thread::Builder::new().stack_size(STACK);
        let handle = work.spawn_scoped(scope, || {
            let mut sources = SourceMap::default();
            match translate(&mut sources, texts, options, lower) {
                Ok(program) => Ok(program),
                Err(diagnostic) => Err(Box::new(Failure {
                    diagnostics: vec![*diagnostic],
                    sources,
                })),
            }
        });
        match handle.map(|h| h.join()) {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(e) => Err(general(Diagnostic::general(format!(
                "cannot start a thread: {e}"
            )))),
        }
    })
}

fn translate(
    sources: &mut SourceMap,
    texts: &[(String, Vec<u8>)],
    options: &Options,
    lower: bool,
) -> diagnostic::Result<ir::Program> {
    let mut names = token::Interner::default();
    let mut units = Vec::new();
    let user = texts
        .iter()
        .map(|(name, text)| (name.clone(), text.clone(), false));
    let library = library::FILES.iter().filter(|_| lower);
    let library =
        library.map(|(name, text)| (format!("<library>/{name}"), text.as_bytes().to_vec(), true));
    for (name, text, is_library) in user.chain(library) {
        let Some(base) = sources.add(&name, text) else {
            return Err(Box::new(Diagnostic::general(format!(
                "`{name}` is too large"
            ))));
        };
        let text = sources.unit_text(base);
        let tokens = lexer::lex(text, base, &mut names)?;
        units.push((parser::parse(&tokens, text, base, &mut names)?, is_library));
    }
    let mut sema = sema::Sema::new(options.model, &mut names);
    for (unit, is_library) in &units {
        sema.add_unit(unit, *is_library)?;
    }
    if !lower {
        return Ok(ir::Program::new(options.model));
    }
    lower::lower_program(&mut sema, sources, &options.entries, &options.arguments)
}
