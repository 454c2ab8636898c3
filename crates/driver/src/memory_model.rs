//! `--memory-model`: what a proof says about a program with memory orders weaker than `memory_order_seq_cst`.
//!
//! Engines look at sequentially consistent executions, and judge data races in them by C11's happens-before. That is enough for a proof
//! where weak orders cannot show ([`raddle_analysis::robustness`]) and data races are excluded. Elsewhere it is a limit of the proof.

use crate::cli::MemoryModel;
use raddle_analysis::robustness::orders_that_show;
use raddle_ir::{Assumption, Limit, LimitKind, Location, Program, Property};

/// Prepares a program for the model: makes all orders strong, or notes as a limit that proofs assume so.
pub fn apply(model: MemoryModel, program: &mut Program, properties: &[Property]) {
    let weak: Vec<Location> = program.weak_accesses().collect();
    let Some(first) = weak.first() else { return };
    let span = program.span_of(*first);
    if model == MemoryModel::Sc {
        let what = format!(
            "sequential consistency in place of weaker memory orders ({})",
            lines(program, &weak)
        );
        program.assumptions.push(Assumption { what, span });
        program.strengthen_orders();
        return;
    }
    let shown = match properties.contains(&Property::NoDataRace) {
        true => orders_that_show(program),
        // Only a program without races is known to have no other executions.
        false => weak,
    };
    if !shown.is_empty() {
        let what = format!(
            "sequentially consistent executions; weaker memory orders at {}",
            lines(program, &shown)
        );
        let kind = LimitKind::WeakOrders;
        program.limits.push(Limit { kind, what, span });
    }
}

/// The lines of some places: `line 4`, `lines 4, 9, 12`.
fn lines(program: &Program, places: &[Location]) -> String {
    let mut lines: Vec<u32> = places.iter().map(|at| program.span_of(*at).line).collect();
    lines.sort_unstable();
    lines.dedup();
    let numbers: Vec<String> = lines.iter().map(u32::to_string).collect();
    let noun = if lines.len() == 1 { "line" } else { "lines" };
    format!("{noun} {}", numbers.join(", "))
}
