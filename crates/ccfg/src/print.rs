//! The text form, for people and tests.

use crate::graph::{Ccfg, Goal, Initial, What};
use raddle_ir::{Operand, Program};
use std::fmt::Write;

/// Prints a graph; the program it was built from gives texts and lines.
pub fn print(ccfg: &Ccfg, program: &Program) -> String {
    let mut out = String::new();
    for (i, cell) in ccfg.cells.iter().enumerate() {
        let name = ccfg.cell_name(crate::CellId(i as u32));
        let object = ccfg.object(cell.object);
        let first = match cell.initial {
            Initial::Bits(b) => b.to_string(),
            Initial::Any => "?".into(),
        };
        let owner = object
            .owner
            .map_or(String::new(), |o| format!(" of t{}", o.0));
        let private = if object.private { " private" } else { "" };
        let constant = if cell.written { "" } else { " constant" };
        let _ = writeln!(
            out,
            "cell {i} {name} i{}{owner}{private}{constant} = {first}",
            8 * cell.size
        );
    }
    for (t, template) in ccfg.templates.iter().enumerate() {
        let _ = writeln!(out, "template {t} {}", template.name);
        for (s, site) in template.sites.iter().enumerate() {
            let many = if site.repeats { " repeats" } else { "" };
            let _ = writeln!(out, "  site {s}: template {}{many}", site.template.0);
        }
        for (e, edge) in template.edges.iter().enumerate() {
            let goal = match edge.goal {
                Goal::At(l) => format!("l{}", l.0),
                Goal::Finish => "finish".into(),
                Goal::End => "end".into(),
                Goal::Error(p, _) => format!("error({p})"),
                Goal::Refused(r) => format!("refused: {}", ccfg.refusals[r as usize].what),
            };
            let _ = writeln!(out, "  e{e}: l{} -> {goal}", edge.from.0);
            for step in &edge.steps {
                let line = program.span_of(step.at).line;
                let text = program.instr(step.at).map_or("", |i| program.text(i.text));
                let cells: Vec<String> =
                    step.cells.iter().map(|p| ccfg.cell_name(p.cell)).collect();
                let cells = match cells.is_empty() {
                    true => String::new(),
                    false => format!(" [{}]", cells.join(", ")),
                };
                let _ = writeln!(out, "    {}{cells}  ; {line} {text}", what(&step.what));
            }
        }
    }
    out
}

fn operand(o: &Operand) -> String {
    match o {
        Operand::Local(l) => format!("%{}", l.0),
        Operand::Const { bits, ty } => format!("{bits}:{ty}"),
        Operand::Global { id, offset } => format!("@{}+{offset}", id.0),
        Operand::Slot { id, offset } => format!("${}+{offset}", id.0),
        Operand::Function(f) => format!("&{}", f.0),
    }
}

fn what(what: &What) -> String {
    match what {
        What::Instr(op) => {
            let mut copy = op.clone();
            let dst: Vec<String> = copy
                .destinations_mut()
                .iter()
                .map(|d| format!("%{}", d.0))
                .collect();
            let args: Vec<String> = copy.operands_mut().iter().map(|o| operand(o)).collect();
            let debug = format!("{op:?}");
            let name = debug.split([' ', '{', '(']).next().unwrap_or_default();
            format!("{} = {name} {}", dst.join(", "), args.join(", "))
        }
        What::External(d) => format!("%{} = external", d.0),
        What::Unknown(d) => format!("%{} = unknown", d.0),
        What::Test(o, true) => format!("when {}", operand(o)),
        What::Test(o, false) => format!("when not {}", operand(o)),
        What::Case {
            value,
            among,
            holds,
            ..
        } => {
            let relation = if *holds { "in" } else { "not in" };
            format!("when {} {relation} {among:?}", operand(value))
        }
        What::New { site, argument, .. } => format!("new {site} ({})", operand(argument)),
        What::Start { handle } => format!("start {}", operand(handle)),
        What::Join { handle, .. } => format!("join {}", operand(handle)),
        What::Result(o) => format!("result {}", operand(o)),
        What::Invalid(op) => format!("invalid {op:?}"),
        What::Wrong(property, op) => format!("wrong {property} {op:?}"),
        What::Watch(watch, o) => format!("{watch:?} {}", operand(o)),
    }
}
