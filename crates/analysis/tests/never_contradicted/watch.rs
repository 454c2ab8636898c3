//! Holds every fact against one run of the interpreter.

use raddle_analysis::accesses::Kind;
use raddle_analysis::once::exists_once;
use raddle_analysis::{Bytes, Facts, FamilyId, Lock, Object, ObjectId, Value, Values};
use raddle_interp::memory::ObjectKind;
use raddle_interp::thread::ThreadStatus;
use raddle_interp::value::ObjectId as Concrete;
use raddle_interp::{Machine, Observed, ThreadId};
use raddle_ir::{FuncId, Location, Op, SyncOp, layout};
use std::collections::{HashMap, HashSet};

/// A thread of the run, as the facts see it.
struct Seen {
    root: FuncId,
    family: FamilyId,
}

/// The address that each instruction that may be reached may access, if it accesses one.
pub type Addresses = HashMap<Location, Option<Value>>;

/// What the values of a program say; nothing if they were not found in time.
pub fn addresses(facts: &Facts) -> Option<Addresses> {
    let values = Values::new(facts)?;
    let mut all = Addresses::new();
    for f in facts.points_to.reachable() {
        values.visit(f, &mut |at, op, value| {
            let address = match op {
                Op::Load { addr, .. }
                | Op::Store { addr, .. }
                | Op::Rmw { addr, .. }
                | Op::Cas { addr, .. } => Some(value(*addr)),
                _ => None,
            };
            all.insert(at, address);
        });
    }
    Some(all)
}

/// Watches a run.
pub struct Watch<'a> {
    facts: &'a Facts,
    values: Option<&'a Addresses>,
    threads: Vec<Seen>,
    objects: HashMap<Concrete, ObjectId>,
    touched_by: HashMap<Concrete, ThreadId>,
    made: HashMap<ObjectId, Concrete>,
    executed: HashSet<Location>,
    /// Where each thread stands that was active before the present step.
    standing: Vec<(ThreadId, Location)>,
    /// What contradicts a fact.
    pub contradictions: Vec<String>,
    /// How many statements were held against facts.
    pub checks: u64,
    /// How many instructions were executed.
    pub instructions: u64,
}

impl<'a> Watch<'a> {
    pub fn new(facts: &'a Facts, values: Option<&'a Addresses>, entry: FuncId) -> Watch<'a> {
        Watch {
            facts,
            values,
            threads: vec![Seen {
                root: entry,
                family: FamilyId::INITIAL,
            }],
            objects: HashMap::new(),
            touched_by: HashMap::new(),
            made: HashMap::new(),
            executed: HashSet::new(),
            standing: Vec::new(),
            contradictions: Vec::new(),
            checks: 0,
            instructions: 0,
        }
    }

    fn name(&self, o: ObjectId) -> String {
        let program = self.facts.program();
        self.facts.points_to.objects().name(program, o)
    }

    fn check(&mut self, ok: bool, at: Location, what: impl FnOnce(&Watch<'a>) -> String) {
        self.checks += 1;
        if !ok {
            let program = self.facts.program();
            let f = &program.function(at.function).name;
            let line = program.span_of(at).line;
            let op = program.instr(at).map(|i| format!("{:?}", i.op));
            let what = what(self);
            self.contradictions.push(format!(
                "{f}#{}:b{}.{} line {line}: {what}: {}",
                at.function.0,
                at.block.0,
                at.index,
                op.unwrap_or_default()
            ));
        }
    }

    /// The places of a stack in the program with copies.
    fn stack(&self, thread: ThreadId, stack: &[Location]) -> Vec<Location> {
        let mut all: Vec<Location> = Vec::with_capacity(stack.len());
        for at in stack {
            let function = match all.last() {
                None => self.threads[thread.0 as usize].root,
                Some(caller) => self.facts.clones.entered(*caller, at.function),
            };
            all.push(Location { function, ..*at });
        }
        all
    }

    /// The threads that can take steps, and where they stand.
    fn active(&self, machine: &Machine<'_>) -> Vec<(ThreadId, Location)> {
        let mut all = Vec::new();
        for t in machine.threads() {
            let thread = machine.thread(t);
            if thread.status != ThreadStatus::Active || t.0 as usize >= self.threads.len() {
                continue;
            }
            let frames: Vec<Location> = thread.stack().map(|f| f.location()).collect();
            let last = frames.len() - 1;
            let stack: Vec<Location> = frames
                .iter()
                .enumerate()
                .map(|(i, at)| Location {
                    index: if i == last {
                        at.index
                    } else {
                        at.index.saturating_sub(1)
                    },
                    ..*at
                })
                .collect();
            if let Some(at) = self.stack(t, &stack).last() {
                all.push((t, *at));
            }
        }
        all
    }

    /// Looks at what happened since the last call.
    pub fn look(&mut self, machine: &mut Machine<'_>, stepped: ThreadId) {
        let events = machine.take_observed();
        let mut now: Option<(ThreadId, Vec<Location>)> = None;
        let mut after: Option<Vec<(ThreadId, Location)>> = None;
        for event in events {
            match event {
                Observed::Executes {
                    thread,
                    stack,
                    held,
                    in_block,
                } => {
                    let stack = self.stack(thread, &stack);
                    self.instructions += 1;
                    let at = stack[stack.len() - 1];
                    self.executes(machine, thread, &stack);
                    self.locks(machine, at, &held, in_block);
                    // Threads that this step started run after it.
                    let others = match thread == stepped {
                        true => std::mem::take(&mut self.standing),
                        false => after.take().unwrap_or_else(|| self.active(machine)),
                    };
                    self.beside(thread, at, &others);
                    match thread == stepped {
                        true => self.standing = others,
                        false => after = Some(others),
                    }
                    now = Some((thread, stack));
                }
                Observed::Made(object) => {
                    if let Some((_, stack)) = &now {
                        self.makes(object, stack[stack.len() - 1]);
                    }
                }
                Observed::Touched {
                    object,
                    offset,
                    length,
                    write,
                } => {
                    if let Some((thread, stack)) = &now {
                        let bytes = Bytes::Range {
                            from: offset,
                            to: offset + length,
                        };
                        self.touches(machine, *thread, stack, object, bytes, write);
                    }
                }
            }
        }
        self.standing = self.active(machine);
    }

    fn executes(&mut self, machine: &Machine<'_>, thread: ThreadId, stack: &[Location]) {
        let facts = self.facts;
        let at = stack[stack.len() - 1];
        self.check(facts.parallel.is_reached(at), at, |_| {
            "is not reached".into()
        });
        if let [.., caller, callee] = stack {
            let ok = facts
                .points_to
                .callees(*caller)
                .any(|f| f == callee.function);
            self.check(ok, *caller, |_| "calls what it cannot".into());
        }
        let family = self.threads[thread.0 as usize].family;
        let runs = facts
            .parallel
            .families()
            .running(at.function)
            .contains(&family);
        self.check(runs, at, |_| "runs in a family that cannot".into());
        let Some(instr) = facts.program().instr(at) else {
            return;
        };
        if let Some(values) = self.values {
            let known = values.contains_key(&at);
            self.check(known, at, |_| "has no values".into());
        }
        let plain = matches!(
            instr.op,
            Op::Let { .. } | Op::Load { .. } | Op::Store { .. }
        );
        if plain && facts.calls.runs_once(at) {
            let first = self.executed.insert(at);
            self.check(first, at, |_| "runs twice".into());
        }
        if let Op::Sync { op, .. } = &instr.op {
            for frame in stack {
                let summary = facts.modref.of(frame.function);
                let block = !op.can_block() || summary.may_block;
                self.check(block, *frame, |_| "cannot block".into());
                let new = *op != SyncOp::ThreadNew || summary.may_create_threads;
                self.check(new, *frame, |_| "cannot create threads".into());
            }
            if *op == SyncOp::ThreadNew {
                self.creates(machine, at);
            }
        }
        if let Op::Alloc {
            memory: raddle_ir::Memory::Heap,
            ..
        } = instr.op
        {
            for frame in stack {
                let ok = facts.modref.of(frame.function).may_allocate;
                self.check(ok, *frame, |_| "cannot allocate".into());
            }
        }
    }

    /// A new thread: its family and first function.
    fn creates(&mut self, machine: &Machine<'_>, at: Location) {
        let family = self.facts.parallel.families().created_at(at);
        self.check(family.is_some(), at, |_| "creates no family".into());
        let new = ThreadId(self.threads.len() as u32);
        // A creation with something that is no function makes no thread.
        if machine.threads().any(|t| t == new) {
            let start = machine.thread(new).start;
            let root = self.facts.clones.entered(at, start);
            self.threads.push(Seen {
                root,
                family: family.unwrap_or(FamilyId::INITIAL),
            });
            let ok = self.facts.points_to.callees(at).any(|f| f == root);
            self.check(ok, at, |_| "starts what it cannot".into());
        }
    }

    fn locks(
        &mut self,
        machine: &Machine<'_>,
        at: Location,
        held: &[(Concrete, u64)],
        in_block: bool,
    ) {
        for h in self.facts.locks.held_at(at) {
            let ok = match h.lock {
                Lock::AtomicBlock => in_block,
                Lock::At(object, offset) => held
                    .iter()
                    .any(|(o, at)| *at == offset && self.abstraction(machine, *o) == Some(object)),
            };
            self.check(ok, at, |w| match h.lock {
                Lock::AtomicBlock => "is not in an atomic block".into(),
                Lock::At(o, _) => format!("does not hold {}", w.name(o)),
            });
        }
    }

    fn beside(&mut self, thread: ThreadId, at: Location, others: &[(ThreadId, Location)]) {
        let parallel = &self.facts.parallel;
        let mine = self.threads[thread.0 as usize].family;
        for (other, place) in others {
            if *other == thread {
                continue;
            }
            let theirs = self.threads[other.0 as usize].family;
            let ok = parallel.may_happen_in_parallel_as(mine, at, theirs, *place)
                && parallel.may_happen_in_parallel_as(theirs, *place, mine, at)
                && parallel.may_live_together(mine, theirs);
            self.check(ok, at, |_| {
                format!(
                    "happens beside {place:?} of family {} (own {})",
                    theirs.0, mine.0
                )
            });
            let excluded = self.facts.locks.exclude(at, *place);
            self.check(!excluded, at, |_| format!("is not excluded from {place:?}"));
        }
    }

    fn abstraction(&self, machine: &Machine<'_>, o: Concrete) -> Option<ObjectId> {
        if let Some(id) = self.objects.get(&o) {
            return Some(*id);
        }
        match machine.memory().object(o).kind {
            ObjectKind::Global(g) => self.facts.points_to.objects().id(Object::Global(g)),
            _ => None,
        }
    }

    fn makes(&mut self, object: Concrete, at: Location) {
        let facts = self.facts;
        let what = match facts.program().instr(at).map(|i| &i.op) {
            Some(Op::StorageLive { slot }) => Object::Slot(at.function, *slot),
            Some(Op::Alloc { .. }) => Object::Allocated(at),
            _ => return,
        };
        let id = facts.points_to.objects().id(what);
        self.check(id.is_some(), at, |_| "makes an object nobody knows".into());
        let Some(id) = id else { return };
        self.objects.insert(object, id);
        let other = self.made.insert(id, object).is_some();
        let once = exists_once(facts.program(), &facts.points_to, &facts.calls, id);
        self.check(!(other && once), at, |_| "makes an object twice".into());
    }

    fn touches(
        &mut self,
        machine: &Machine<'_>,
        thread: ThreadId,
        stack: &[Location],
        concrete: Concrete,
        bytes: Bytes,
        write: bool,
    ) {
        let facts = self.facts;
        let at = stack[stack.len() - 1];
        let Some(object) = self.abstraction(machine, concrete) else {
            self.check(false, at, |_| "touches an object nobody knows".into());
            return;
        };
        let first = *self.touched_by.entry(concrete).or_insert(thread);
        let private = facts.escape.is_private(object) && first != thread;
        self.check(!private, at, |w| format!("shares {}", w.name(object)));
        let instr = facts.program().instr(at).map(|i| &i.op);
        let exits = matches!(
            instr,
            Some(Op::Sync {
                op: SyncOp::ThreadExit,
                ..
            })
        );
        if instr.is_none() || exits {
            self.ends(at, object);
            return;
        }
        let family = self.threads[thread.0 as usize].family;
        let known = facts.escape.touched_by(object).any(|f| f == family);
        self.check(known, at, |w| {
            format!("is another family at {}", w.name(object))
        });
        let targets = facts.points_to.accessed(facts.program(), at);
        let from = match bytes {
            Bytes::Range { from, .. } => from,
            Bytes::Any => 0,
        };
        if let Some(Some(value)) = self.values.and_then(|v| v.get(&at)) {
            let ok = match value {
                Value::Pointer(p) => {
                    let offset = from as i64;
                    p.objects.contains(&object) && p.low <= offset && offset <= p.high
                }
                Value::Any => true,
                Value::Int { .. } | Value::Never => false,
            };
            self.check(ok, at, |w| {
                format!("touches {} +{from}, not {value:?}", w.name(object))
            });
        }
        let ends = matches!(instr, Some(Op::Free { .. } | Op::StorageDead { .. }));
        // Whoever uses a mutex also looks at its kind, which lies further on.
        let mutex = matches!(instr, Some(Op::Sync { .. }));
        let kind = layout::mutex_kind(facts.program().model);
        let there = |o: u64| o == from || (mutex && o + kind == from);
        let hit = targets
            .iter()
            .any(|t| t.object == object && (ends || t.offset.known().is_none_or(there)));
        let unknown = targets.iter().any(|t| t.object == ObjectId::UNKNOWN);
        let ok = hit || (unknown && facts.points_to.is_exposed(object));
        self.check(ok && facts.points_to.may_be(targets, object), at, |w| {
            let names: Vec<String> = targets
                .iter()
                .map(|t| format!("{}{:?}", w.name(t.object), t.offset))
                .collect();
            format!("touches {} +{from}, not one of {names:?}", w.name(object))
        });
        let covered = facts.accesses.at(at).any(|a| {
            a.object == object && a.bytes.covers(bytes) && (a.write || !write) && (a.read || write)
        });
        self.check(covered, at, |w| {
            format!(
                "has no access to {} {bytes:?}, only {:?}",
                w.name(object),
                facts.accesses.at(at).collect::<Vec<_>>()
            )
        });
        for frame in stack {
            let summary = facts.modref.of(frame.function);
            let region = if write {
                &summary.writes
            } else {
                &summary.reads
            };
            let ok = region.covers(object, bytes);
            self.check(ok, *frame, |w| {
                format!("has no effect on {} {bytes:?}", w.name(object))
            });
        }
    }

    /// The end of stack objects is charged to the function they belong to.
    fn ends(&mut self, at: Location, object: ObjectId) {
        let facts = self.facts;
        let owner = match facts.points_to.objects().get(object) {
            Object::Slot(f, _) => f,
            Object::Allocated(made) => made.function,
            _ => return,
        };
        let ends = |a: &raddle_analysis::Access| a.object == object && a.kind == Kind::End;
        let ok = facts.accesses.of(owner).iter().any(ends)
            && facts.modref.of(owner).writes.covers(object, Bytes::Any);
        self.check(ok, at, |w| format!("ends {}", w.name(object)));
    }
}
