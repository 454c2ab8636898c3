//! Why something cannot fail: how that is known, and which locks it takes.
//!
//! Each lock in turn is taken out of the program, all operations on it, and the question is asked again: if an assertion can fail without the lock, the lock is
//! needed. Only locks that are global variables and are locked and unlocked by name are looked at. What is found in a program without a lock is
//! no run of the program itself, so none is told.

use crate::ask::{Answer, Asker, Line};
use raddle_interp::Machine;
use raddle_ir::{GlobalId, Location, MemoryOrder, Op, Operand, Program, Rvalue, Ty};
use raddle_verdict::Beginning;
use std::collections::BTreeSet;

/// The operations that are taken out.
const OPERATIONS: &[&str] = &[
    "pthread_mutex_lock",
    "pthread_mutex_unlock",
    "pthread_spin_lock",
    "pthread_spin_unlock",
    "pthread_rwlock_rdlock",
    "pthread_rwlock_wrlock",
    "pthread_rwlock_unlock",
    "mtx_lock",
    "mtx_unlock",
];

/// Why something cannot fail.
#[derive(Clone, Debug)]
pub struct Why {
    /// Whether it can fail at all.
    pub answer: Answer,
    /// Locks without which it could, by name.
    pub needed: Vec<String>,
    /// Locks without which it cannot fail either.
    pub spare: Vec<String>,
    /// Locks of which neither is known.
    pub open: Vec<String>,
}

impl Asker<'_> {
    /// Why no assertion (in this line) can fail any more.
    pub fn why_not(&self, at: Option<&Line>) -> Why {
        let mut why = Why {
            answer: self.can_fail(at),
            needed: Vec::new(),
            spare: Vec::new(),
            open: Vec::new(),
        };
        if !matches!(why.answer, Answer::No { .. }) {
            return why;
        }
        for lock in locks(self.program) {
            let name = self.program.global(lock).name.clone();
            let calls = calls_on(self.program, lock);
            let without = without(self.program, &calls);
            let carried = skip(self.program, self.beginning, &calls);
            let asked = carried.and_then(|carried| {
                let asker = Asker::new(&without, &carried, &self.engines).ok()?;
                let mut asker = asker.budget(self.budget.clone());
                asker.inputs = self.inputs.clone();
                Some(asker.can_fail(at))
            });
            match asked {
                Some(Answer::Yes(_)) => why.needed.push(name),
                Some(Answer::No { .. }) => why.spare.push(name),
                _ => why.open.push(name),
            }
        }
        why
    }
}

/// Whether an instruction calls an operation on a lock that is a global variable, and on which.
fn operation(program: &Program, op: &Op) -> Option<GlobalId> {
    let Op::Call { callee, args, .. } = op else {
        return None;
    };
    let (Operand::Function(f), [Operand::Global { id, .. }, ..]) = (callee, &args[..]) else {
        return None;
    };
    let f = program.function(*f);
    (f.library && OPERATIONS.contains(&f.name.as_str())).then_some(*id)
}

fn locks(program: &Program) -> BTreeSet<GlobalId> {
    let functions = program.functions.iter().filter(|f| !f.library);
    let instrs = functions.flat_map(|f| f.blocks.iter().flat_map(|b| &b.instrs));
    instrs.filter_map(|i| operation(program, &i.op)).collect()
}

fn calls_on(program: &Program, lock: GlobalId) -> BTreeSet<Location> {
    let all = crate::ask::place::locations(program).into_iter();
    let on = |at: &Location| {
        let op = program.instr(*at).map(|i| &i.op);
        op.and_then(|op| operation(program, op)) == Some(lock)
    };
    all.filter(on).collect()
}

/// The program in which these calls do nothing and succeed.
fn without(program: &Program, calls: &BTreeSet<Location>) -> Program {
    let mut program = program.clone();
    for at in calls {
        let function = &mut program.functions[at.function.0 as usize];
        let instr = &mut function.blocks[at.block.0 as usize].instrs[at.index as usize];
        if let Op::Call { dst, .. } = instr.op {
            instr.op = match dst {
                Some(dst) => Op::Let {
                    dst,
                    value: Rvalue::Use(Operand::int(Ty::I32, 0)),
                },
                None => Op::Fence {
                    order: MemoryOrder::Relaxed,
                },
            };
        }
    }
    program
}

/// The same beginning without what is done inside of these calls.
fn skip(program: &Program, run: &Beginning, calls: &BTreeSet<Location>) -> Option<Beginning> {
    let mut steps = Vec::new();
    let config = raddle_interp::Config {
        checks: raddle_interp::Checks::none(),
        spurious_wakeups: true,
        output: false,
        single: true,
        ..raddle_interp::Config::default()
    };
    let mut left = Answers(&run.before);
    let mut machine = Machine::new(program, config, &mut left);
    for (thread, answers) in &run.steps {
        let t = raddle_interp::ThreadId(*thread);
        let inside = {
            let thread = machine.thread(t);
            let mut callers = thread.stack().rev().skip(1);
            callers.any(|f| {
                let at = f.location();
                let index = at.index.saturating_sub(1);
                calls.contains(&Location { index, ..at })
            })
        };
        let mut left = Answers(answers);
        machine.step(t, &mut left);
        if !inside {
            steps.push((*thread, answers.clone()));
        }
    }
    Some(Beginning {
        before: run.before.clone(),
        steps,
    })
}

/// Answers one after the other.
struct Answers<'a>(&'a [u128]);

impl raddle_interp::Choices for Answers<'_> {
    fn choose(&mut self, _: &raddle_interp::Choice) -> u128 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }
}
