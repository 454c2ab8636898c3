//! What steps of an execution did, instruction by instruction: the branches they took, and their events in a skeleton.

use raddle_interp::follow::Taken;
use raddle_interp::{Choice, ChoiceKind, Config, Observed, ThreadId};
use raddle_ir::{Location, Op, Program, SyncOp};
use raddle_skeleton::event::EventNo;
use raddle_skeleton::follow::Follower;
use raddle_skeleton::names::Names;
use raddle_skeleton::ways::{Recorder, Ways};
use raddle_verdict::Beginning;

/// What one step of an execution did.
#[derive(Default)]
pub(crate) struct Done {
    /// Instructions, with the activations around them.
    executed: Vec<(u32, Vec<Location>)>,
    told: Vec<(u32, ChoiceKind, u128)>,
    made: Vec<(u32, u32)>,
}

impl Done {
    pub(crate) fn new(
        made: &[(ThreadId, Location, ThreadId)],
        asked: &[(Choice, u128)],
        observed: Vec<Observed>,
    ) -> Done {
        let mut done = Done::default();
        for (maker, _, new) in made {
            done.made.push((maker.0, new.0));
        }
        for (choice, value) in asked {
            done.told.push((choice.thread.0, choice.kind, *value));
        }
        for what in observed {
            if let Observed::Executes { thread, stack, .. } = what {
                done.executed.push((thread.0, stack));
            }
        }
        done
    }
}

/// The steps of a beginning.
pub(crate) fn of_beginning(
    program: &Program,
    config: &Config,
    after: &Beginning,
) -> Result<Vec<Done>, String> {
    let config = Config {
        observe: true,
        output: false,
        ..config.clone()
    };
    let mut steps = Vec::new();
    let mut listen = |taken: Taken<'_>| {
        steps.push(Done::new(taken.made, taken.asked, taken.observed));
    };
    raddle_interp::follow::follow(program, &config, &after.before, &after.steps, &mut listen)?;
    Ok(steps)
}

/// Opens the branches that steps from the start of a program took.
pub(crate) fn record(program: &Program, steps: &[Done], names: &mut Names, ways: &mut Ways) {
    let mut recorder = Recorder::new(program, names);
    for step in steps {
        let mut made = step.made.iter();
        for (thread, stack) in &step.executed {
            recorder.executes(*thread, stack, ways);
            if makes(program, stack)
                && let Some((maker, new)) = made.next()
            {
                recorder.made(*maker, *new);
            }
        }
    }
}

/// Whether the instruction on top of a stack makes a thread.
fn makes(program: &Program, stack: &[Location]) -> bool {
    let op = stack.last().and_then(|at| program.instr(*at));
    let new = SyncOp::ThreadNew;
    matches!(op.map(|i| &i.op), Some(Op::Sync { op, .. }) if *op == new)
}

/// The events of all steps; `None` if they cannot be followed.
pub(crate) fn follow(
    program: &Program,
    steps: &[Done],
    follower: &mut Follower<'_>,
) -> Option<Vec<Vec<EventNo>>> {
    let mut all = Vec::new();
    for step in steps {
        let mut events = Vec::new();
        let mut made = step.made.iter();
        for (thread, kind, value) in &step.told {
            match kind {
                ChoiceKind::Uninitialised(_) => return None,
                ChoiceKind::ReuseAddress | ChoiceKind::ReuseHandle if *value != 0 => return None,
                ChoiceKind::ReuseAddress | ChoiceKind::ReuseHandle => {}
                _ => follower.tell(*thread, kind.class(), *value),
            }
        }
        for (thread, stack) in &step.executed {
            if makes(program, stack)
                && let Some((maker, new)) = made.next()
            {
                follower.made(*maker, *new).ok()?;
            }
            let at = stack.last()?;
            events.extend(follower.step(*thread, *at).ok()?);
        }
        all.push(events);
    }
    Some(all)
}
