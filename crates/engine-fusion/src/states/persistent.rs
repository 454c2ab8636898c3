//! Threads that can go on alone: persistent sets of one thread (Godefroid 1996).
//!
//! From a state in which the next step of a thread commutes with everything that the others may do until the thread takes it, nothing is
//! missed by letting that thread go on and leaving the others for later: violations of single threads, data races and deadlocks all show
//! behind the step as well. Whether others can disturb a place is read off the program ([`Undisturbed`]); a step is taken back if it turns out to touch
//! something else than what was judged.
//!
//! Where no data race is possible, nobody disturbs an access that is not atomic, whatever is known of its place: another access that conflicts
//! would be a race with it. If besides no lock is misused, or misuse is looked for in the same search, nobody disturbs the unlock of a mutex
//! by its owner to which others do nothing but locking and unlocking it: those who lock it are blocked, and who unlocks it does not hold it and
//! is wrong before and after.
//!
//! Nothing is chosen in such a step; choices belong to steps of which the search tries all.

use raddle_analysis::{Facts, Undisturbed};
use raddle_interp::footprint::{Cell, Mode, Ready, Touch};
use raddle_interp::{Machine, ThreadId};
use raddle_ir::layout::OWNER;
use raddle_ir::{FuncId, Location, Memory, Op, Program, Property, SyncClass, SyncOp};

/// What is known of steps before they are taken.
pub(crate) struct Persistent {
    undisturbed: Undisturbed,
    race_free: bool,
    locks_used_well: bool,
    everything_is_freed: bool,
}

/// A step that may be one of a thread that can go on alone.
pub(crate) struct Step {
    kind: Kind,
    /// Nobody can disturb the access.
    calm: bool,
    /// The functions the thread is in.
    stack: Vec<FuncId>,
}

/// What the step does first, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// An access to memory.
    Access,
    /// An access to a synchronisation object.
    Synchronisation,
    /// The unlock of a mutex or spin lock.
    Unlock,
    Allocation,
    Release,
    Join,
    /// A return, which may end the thread.
    Return,
    /// Nothing that anybody notices.
    Silent,
}

impl Persistent {
    /// What can be read off a program. `race_free`: it is known to have no data races.
    pub fn new(
        program: &Program,
        checked: &dyn Fn(Property) -> bool,
        race_free: bool,
    ) -> Persistent {
        let undisturbed = Undisturbed::new(&Facts::new(program));
        Persistent {
            race_free: race_free || undisturbed.race_free,
            locks_used_well: undisturbed.locks_used_well || checked(Property::ValidSync),
            everything_is_freed: checked(Property::ValidMemcleanup),
            undisturbed,
        }
    }

    /// The next step of a thread, if it may turn out to be one that nobody disturbs.
    pub fn candidate(&self, machine: &Machine<'_>, t: ThreadId) -> Option<Step> {
        if machine.ready(t) != Ready::Now {
            return None;
        }
        let thread = machine.thread(t);
        let at = thread.location();
        let op = at.and_then(|at| machine.program.instr(at)).map(|i| &i.op);
        let kind = match op {
            Some(op) => kind(op)?,
            None => Kind::Return,
        };
        let calm = at.is_some_and(|at| self.undisturbed.holds_at(at));
        let able = match kind {
            Kind::Access => calm || (self.race_free && op.is_some_and(is_plain)),
            Kind::Release => !self.everything_is_freed && (calm || self.race_free),
            Kind::Unlock => calm || self.is_usual_unlock(at),
            Kind::Synchronisation | Kind::Allocation | Kind::Join => calm,
            Kind::Return | Kind::Silent => true,
        };
        let stack = || thread.stack().map(|f| f.function).collect();
        able.then(|| Step {
            kind,
            calm,
            stack: stack(),
        })
    }

    fn is_usual_unlock(&self, at: Option<Location>) -> bool {
        let usual = at.is_some_and(|at| self.undisturbed.is_plain_unlock(at));
        usual && self.race_free && self.locks_used_well
    }

    /// Whether the step that was just taken touched nothing but what was judged.
    pub fn is_undisturbed(&self, step: &Step, machine: &Machine<'_>, t: ThreadId) -> bool {
        let touches = machine.footprint();
        machine.newly_started().is_empty() && touches.iter().all(|x| self.allows(step, x, t))
    }

    fn allows(&self, step: &Step, touch: &Touch, t: ThreadId) -> bool {
        match touch.cell {
            // A variable that others know ends with its function.
            Cell::Memory if touch.quiet => {
                touch.mode == Mode::Write
                    && step
                        .stack
                        .iter()
                        .all(|f| self.undisturbed.leaves_nothing(*f))
            }
            Cell::Memory => match step.kind {
                Kind::Access | Kind::Release => {
                    step.calm || (self.race_free && !touch.atomic && !touch.in_block)
                }
                Kind::Synchronisation => step.calm,
                Kind::Unlock => {
                    let own = touch.word.is_some_and(|w| w & OWNER == t.0 + 1);
                    let looks = touch.word.is_none() && touch.mode == Mode::Read;
                    step.calm || own || looks
                }
                Kind::Allocation | Kind::Join | Kind::Return | Kind::Silent => false,
            },
            Cell::Heap => matches!(step.kind, Kind::Allocation | Kind::Release),
            Cell::Thread if touch.owner == t => {
                step.kind == Kind::Return && !self.undisturbed.ends_are_seen
            }
            Cell::Thread | Cell::Handle | Cell::Handles => step.kind == Kind::Join,
            Cell::Sleepers | Cell::Sleep | Cell::Everything => false,
        }
    }
}

fn is_plain(op: &Op) -> bool {
    match op {
        Op::Load { access, .. } | Op::Store { access, .. } => !access.ordering.is_atomic(),
        _ => false,
    }
}

/// The kind of a step that begins with an operation; `None` if it is for the search.
fn kind(op: &Op) -> Option<Kind> {
    use SyncOp::*;
    Some(match op {
        Op::Load { .. } | Op::Store { .. } | Op::Rmw { .. } | Op::Cas { .. } => Kind::Access,
        Op::StorageDead { .. } => Kind::Access,
        Op::Alloc {
            memory: Memory::Heap,
            ..
        } => Kind::Allocation,
        Op::Free {
            memory: Memory::Heap,
            ..
        } => Kind::Release,
        Op::AtomicBegin { .. } | Op::AtomicEnd | Op::ObjectSize { .. } | Op::Free { .. } => {
            return None;
        }
        Op::Sync { op, .. } => match op {
            op if op.gives_back_owned() => Kind::Unlock,
            ThreadJoin => Kind::Join,
            Yield | ThreadSelf | ThreadJoinCode => Kind::Silent,
            ThreadNew | ThreadStart | ThreadHasEnded | ThreadDetach | Exit | Abort | SetJump
            | LongJump | Unmodelled => return None,
            ThreadExit => Kind::Return,
            op if op.class() == SyncClass::Cond => return None,
            _ => Kind::Synchronisation,
        },
        _ => Kind::Silent,
    })
}
