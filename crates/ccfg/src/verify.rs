//! What a well-formed graph is.
//!
//! - Every edge begins at a location of its template, and leads to one, if to a location.
//! - Locals, slots, sites and cells that steps name exist.
//! - A cell lies within its object; cells of an object do not overlap.
//! - A join is the first step of its edge; instructions are neither calls nor thread operations.

use crate::graph::{Ccfg, Goal, What};
use raddle_ir::{Op, Operand, SyncOp};

/// The first rule that is broken, in words.
pub fn verify(ccfg: &Ccfg) -> Result<(), String> {
    for (t, template) in ccfg.templates.iter().enumerate() {
        let fail = |what: String| Err(format!("template {t} ({}): {what}", template.name));
        for (e, edge) in template.edges.iter().enumerate() {
            let to = match edge.goal {
                Goal::At(l) => l.0,
                Goal::Refused(r) if r as usize >= ccfg.refusals.len() => {
                    return fail(format!("edge {e} names no refusal"));
                }
                _ => 0,
            };
            if edge.from.0 >= template.locations || to >= template.locations {
                return fail(format!("edge {e} leaves the graph"));
            }
            for (s, step) in edge.steps.iter().enumerate() {
                if step
                    .cells
                    .iter()
                    .any(|p| p.cell.0 as usize >= ccfg.cells.len())
                {
                    return fail(format!("edge {e}, step {s} names no cell"));
                }
                match &step.what {
                    What::Instr(op) => {
                        let mut op = op.clone();
                        let locals = template.locals.len();
                        let slots = template.slots.len();
                        let bad = op.operands_mut().into_iter().any(|o| match o {
                            Operand::Local(l) => l.0 as usize >= locals,
                            Operand::Slot { id, .. } => id.0 as usize >= slots,
                            _ => false,
                        });
                        let lost = op.destinations_mut().iter().any(|d| d.0 as usize >= locals);
                        let foreign = matches!(
                            op,
                            Op::Call { .. }
                                | Op::Sync {
                                    op: SyncOp::ThreadNew
                                        | SyncOp::ThreadStart
                                        | SyncOp::ThreadJoin
                                        | SyncOp::ThreadExit
                                        | SyncOp::Exit
                                        | SyncOp::Abort
                                        | SyncOp::Unmodelled
                                        | SyncOp::SetJump
                                        | SyncOp::LongJump,
                                    ..
                                }
                        );
                        if bad || lost || foreign {
                            return fail(format!("edge {e}, step {s} is not local"));
                        }
                    }
                    What::New { site, .. } if *site as usize >= template.sites.len() => {
                        return fail(format!("edge {e}, step {s} names no site"));
                    }
                    What::Join { .. } if s > 0 => {
                        return fail(format!("edge {e}: a join is not its first step"));
                    }
                    _ => {}
                }
            }
        }
    }
    for (i, cell) in ccfg.cells.iter().enumerate() {
        let end = cell.offset + cell.size;
        if end > ccfg.object(cell.object).size {
            return Err(format!("cell {i} leaves its object"));
        }
        let overlaps = ccfg.cells[..i]
            .iter()
            .any(|c| c.object == cell.object && c.offset < end && cell.offset < c.offset + c.size);
        // Objects with overlapping cells are only named by refused accesses.
        let named = ccfg.templates.iter().flat_map(|t| &t.edges).any(|e| {
            let mut cells = e.steps.iter().flat_map(|s| &s.cells);
            cells.any(|p| p.cell.0 as usize == i)
        });
        if overlaps && named {
            return Err(format!("cell {i} overlaps another"));
        }
    }
    Ok(())
}
