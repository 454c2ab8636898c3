//! Where executions begin: at the start of the program, or behind a given beginning.
//!
//! A [`Beginning`] is executed once, instruction by instruction, with exactly its answers; the state behind it is the root of all searches
//! and walks. Nothing before it belongs to the trace, so nothing before it is ever reordered, and a data race needs two accesses behind it.
//! From the root on threads take the usual large steps: the first one of each begins wherever the thread stands, also before an
//! instruction that nobody could notice, and such a step conflicts with nothing.

use crate::script::Script;
use crate::trace::Names;
use raddle_interp::choice::Zero;
use raddle_interp::follow::{Taken, follow};
use raddle_interp::{Config, Machine, Snapshot};
use raddle_ir::Program;
use raddle_verdict::Beginning;

/// A state behind a beginning.
#[derive(Clone, Debug)]
pub struct Root {
    snapshot: Snapshot,
    names: Names,
}

impl Root {
    /// The state behind a beginning, or how the beginning differs from every execution of the program.
    pub fn behind(program: &Program, config: &Config, after: &Beginning) -> Result<Root, String> {
        let config = Config {
            footprints: true,
            output: false,
            ..config.clone()
        };
        let mut names = Names::new();
        let mut listen = |taken: Taken<'_>| {
            for (maker, _, new) in taken.made {
                names.add(*maker, *new);
            }
        };
        let machine = follow(program, &config, &after.before, &after.steps, &mut listen)?;
        Ok(Root {
            snapshot: machine.snapshot(),
            names,
        })
    }
}

/// A machine where executions begin, and its threads. Only the start of the program asks anything.
pub(crate) fn begin<'p>(
    program: &'p Program,
    config: &Config,
    root: Option<&Root>,
    script: &mut Script<'_>,
) -> (Machine<'p>, Names) {
    if let Some(root) = root {
        let mut machine = Machine::new(program, config.clone(), &mut Zero);
        machine.restore(&root.snapshot);
        return (machine, root.names.clone());
    }
    let machine = Machine::new(program, config.clone(), script);
    let mut names = Names::new();
    for (maker, _, new) in &script.made {
        names.add(*maker, *new);
    }
    (machine, names)
}
