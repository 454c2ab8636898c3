//! Lines of the source that have code.

use raddle_ir::{FileId, FuncId, Op, Program};
use std::collections::BTreeSet;

/// The lines of a program's files with code in them.
#[derive(Clone, Debug, Default)]
pub struct Lines {
    files: Vec<String>,
    lines: BTreeSet<(FileId, u32)>,
}

impl Lines {
    /// Those of a program. Its library has none.
    pub fn new(program: &Program) -> Lines {
        let mut lines = BTreeSet::new();
        for (number, function) in program.functions.iter().enumerate() {
            if function.library || FuncId(number as u32) == program.entry {
                continue;
            }
            for block in &function.blocks {
                let storage =
                    |op: &Op| matches!(op, Op::StorageLive { .. } | Op::StorageDead { .. });
                let statements = block.instrs.iter().filter(|i| !storage(&i.op));
                let spans = statements.map(|i| i.span);
                for span in spans.chain([block.terminator_span]) {
                    if span.is_somewhere() {
                        lines.insert((span.file, span.line));
                    }
                }
            }
        }
        Lines {
            files: program.files.clone(),
            lines,
        }
    }

    /// The file of that name: as it was given, or any whose path ends like that.
    pub fn file(&self, name: &str) -> Option<FileId> {
        let position = |fits: &dyn Fn(&String) -> bool| self.files.iter().position(fits);
        let ends = |a: &str, b: &str| a.strip_suffix(b).is_some_and(|r| r.ends_with('/'));
        let found = position(&|f| f == name)
            .or_else(|| position(&|f| ends(f, name)))
            .or_else(|| position(&|f| ends(name, f)));
        found.map(|at| FileId(at as u32))
    }

    /// The first file with code.
    pub fn first_file(&self) -> Option<FileId> {
        self.lines.first().map(|(file, _)| *file)
    }

    /// The first line with code, at this one or behind it.
    pub fn at_or_after(&self, file: FileId, line: u32) -> Option<u32> {
        let mut rest = self.lines.range((file, line)..);
        rest.next().filter(|(f, _)| *f == file).map(|(_, l)| *l)
    }

    /// The lines of a file with code, in order.
    pub fn of(&self, file: FileId) -> impl Iterator<Item = u32> + '_ {
        self.lines
            .range((file, 0)..=(file, u32::MAX))
            .map(|(_, line)| *line)
    }
}
