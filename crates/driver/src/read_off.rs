//! What holds for reasons that can be read off the program, in the ledger before any engine begins.
//!
//! The analysis is coarse and mostly quick, but a large program may be too much for it. So it runs in a process of its own, as engines do
//! ([`crate::child`]), for a part of the time there is: what it has said by then counts, and nothing that happens to it harms the others.

use crate::child::{self, Said, Shared};
use crate::portfolio::STACK;
use raddle_analysis::Facts;
use raddle_analysis::evident::unclear;
use raddle_ir::{Program, Property};
use raddle_verdict::{Assumption, AssumptionKind, Budget, Ledger, Proof, Questions};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// The name under which the ledger has what needs no engine.
pub const EVIDENT: &str = "evident";
/// Of the time that is left, it gets at most this part.
const PART: u32 = 3;
/// At most so long without a limit of time.
const LONGEST: Duration = Duration::from_secs(60);
const TICK: Duration = Duration::from_millis(20);

/// Closes the questions that evidently hold.
pub fn read_off(
    program: &Program,
    properties: &[Property],
    budget: &Budget,
    shared: Shared,
    ledger: &mut Ledger,
) {
    let work = |voice: &mut child::Voice| {
        let facts = Facts::without_dead_branches(program);
        for property in properties {
            if let Some(left) = unclear(&facts, *property) {
                voice.say(&Said::Elsewhere(*property, left));
            }
        }
    };
    // The child is ended when this function is left.
    let Ok((mut child, reader)) = child::spawn(shared, STACK, work) else {
        return;
    };
    let begun = Instant::now();
    let left = |d: Instant| d.saturating_duration_since(begun) / PART;
    let most = budget.deadline().map_or(LONGEST, left);
    let (sender, receiver) = channel();
    let listen = move || {
        child::listen(reader, &mut |said| {
            let _ = sender.send(said);
        });
    };
    let listener = std::thread::Builder::new().name("hears evident".into());
    if listener.spawn(listen).is_err() {
        return;
    }
    let proof = Proof {
        how: "read off the program".into(),
        assumptions: may_stop(program),
        ..Proof::default()
    };
    loop {
        match receiver.recv_timeout(TICK) {
            Ok(Said::Elsewhere(property, left)) => {
                ledger.prove_elsewhere(EVIDENT, property, left, proof.clone());
            }
            Ok(_) => {}
            Err(RecvTimeoutError::Timeout) if begun.elapsed() < most => {
                if budget.stopped().is_some() {
                    return;
                }
            }
            Err(RecvTimeoutError::Timeout) => return,
            Err(RecvTimeoutError::Disconnected) => {
                child.wait();
                return;
            }
        }
    }
}

/// Behind an invalid access, which ends its thread, nothing was looked at.
fn may_stop(program: &Program) -> Vec<Assumption> {
    let accesses = Questions::of(program, &[Property::ValidDeref]);
    let assumptions = accesses.iter().map(|(_, q)| Assumption {
        kind: AssumptionKind::Holds(q.property),
        span: q.span(program),
    });
    assumptions.collect()
}
