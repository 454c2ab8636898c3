//! A projection for a reader: only the steps that matter, with their source.

use crate::search::Path;
use raddle_actions::system::System;
use raddle_ir::{Op, Program};

/// One line for each step that was not forced.
pub fn lines(program: &Program, system: &System, path: &Path) -> Vec<String> {
    let mut all = Vec::new();
    for id in &path.actions[path.forced..] {
        let action = system.get(*id);
        let template = system
            .ccfg
            .template(system.instances.get(action.thread).template);
        let edge = &template.edges[action.edge.0 as usize];
        let mut texts: Vec<String> = Vec::new();
        for step in &edge.steps {
            let Some(instr) = program.instr(step.at) else {
                continue;
            };
            if matches!(instr.op, Op::AtomicBegin { .. } | Op::AtomicEnd) {
                continue;
            }
            let text = program.text(instr.text);
            let file = program.files.get(instr.span.file.0 as usize);
            if text.is_empty() || file.is_some_and(|f| f.starts_with("<library>")) {
                continue;
            }
            let line = format!("{}:{}", instr.span.line, text);
            if !texts.contains(&line) {
                texts.push(line);
            }
        }
        all.push(format!(
            "thread {} ({}): {}",
            action.thread.0,
            template.name,
            texts.join("; ")
        ));
    }
    all
}
