//! What a proof takes for granted: that threads stop at nothing undefined, unless that was shown, too.

use crate::system::System;
use raddle_ir::{Program, Property};

/// How an assumption begins, by the property that shows it.
const SHOWN: [(Property, &str); 2] = [
    (Property::ValidDeref, "no invalid access at "),
    (Property::NoDivZero, "no division by zero at "),
];

/// Leaves assumptions out that were shown together with the rest.
pub fn leave_out_what_was_shown(assumptions: &mut Vec<String>, shown: &[Property]) {
    for (property, text) in SHOWN {
        if shown.contains(&property) {
            assumptions.retain(|a| !a.starts_with(text));
        }
    }
}

/// Where threads are taken to stop.
pub(crate) fn stops(program: &Program, system: &System) -> Vec<String> {
    let mut assumptions: Vec<String> = Vec::new();
    for action in &system.actions {
        for (what, at) in &action.stops {
            let span = program.span_of(*at);
            let file = program.files.get(span.file.0 as usize);
            let file = file.map_or("?", |f| f.as_str());
            let what = what.trim_start_matches("an ");
            let text = format!("no {what} at {file}:{}", span.line);
            if !assumptions.contains(&text) && assumptions.len() < 20 {
                assumptions.push(text);
            }
        }
    }
    assumptions
}
