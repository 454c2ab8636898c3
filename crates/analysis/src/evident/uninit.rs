//! Whether a value that nobody wrote can decide anything.
//!
//! One pass over the program without an order of instructions, repeated until nothing changes: locals and objects that may hold such a value.
//! It begins with stack objects (but for those that are written whole right where their life begins), heap memory that is not zeroed (but for what is
//! certainly written before it is read, [`super::written`]), and results of functions that have none.

use super::reached;
use super::written::Written;
use crate::facts::Facts;
use crate::liveness::Liveness;
use crate::objects::{Object, ObjectId};
use raddle_ir::{
    BlockId, FuncId, Function, LocalId, Location, Op, Operand, SlotId, SyncOp, Terminator,
};
use std::collections::BTreeSet;

/// The decisions that may depend on a value that nobody wrote.
pub fn decisive(facts: &Facts) -> Vec<Location> {
    let flow = Flow::new(facts);
    let program = facts.program();
    let mut places = Vec::new();
    for f in facts.points_to.reachable() {
        for (b, block) in program.function(f).blocks.iter().enumerate() {
            let depends = match &block.terminator {
                Terminator::Branch { cond, .. } => flow.has(f, *cond),
                Terminator::Switch { value, .. } => flow.has(f, *value),
                _ => false,
            };
            if depends {
                places.push(Location {
                    function: f,
                    block: BlockId(b as u32),
                    index: block.instrs.len() as u32,
                });
            }
        }
    }
    places
}

/// Locals that may be read before anything is assigned to them: a jump led past their declaration.
fn read_before_assigned(facts: &Facts) -> BTreeSet<(FuncId, LocalId)> {
    let mut all = BTreeSet::new();
    for f in facts.points_to.reachable() {
        let function = facts.program().function(f);
        let live = Liveness::new(function);
        let own = (function.params..function.locals.len() as u32).map(LocalId);
        all.extend(own.filter(|l| live.is_live(BlockId(0), *l)).map(|l| (f, l)));
    }
    all
}

/// The objects that may be read before they are written.
fn unwritten_objects(facts: &Facts) -> BTreeSet<ObjectId> {
    let program = facts.program();
    let objects = facts.points_to.objects();
    let unwritten = |id: &ObjectId| match objects.get(*id) {
        Object::Slot(f, slot) => !is_written_at_birth(facts, program.function(f), slot),
        Object::Allocated(at) => !matches!(
            program.instr(at).map(|i| &i.op),
            Some(Op::Alloc { zeroed: true, .. })
        ),
        Object::Unknown => true,
        _ => false,
    };
    objects.ids().filter(unwritten).collect()
}

/// Whether every birth of a slot is followed by stores to all its bytes before anything else can see it.
fn is_written_at_birth(facts: &Facts, function: &Function, slot: SlotId) -> bool {
    let size = function.slots[slot.0 as usize].size;
    let model = facts.program().model;
    let born = |i: &raddle_ir::Instr| i.op == (Op::StorageLive { slot });
    if !function.blocks.iter().flat_map(|b| &b.instrs).any(born) {
        return false;
    }
    function.blocks.iter().all(|block| {
        let instrs = block.instrs.iter().enumerate();
        let mut births = instrs.filter(|(_, i)| born(i));
        births.all(|(at, _)| {
            let mut open: BTreeSet<u64> = (0..size).collect();
            for instr in &block.instrs[at + 1..] {
                match &instr.op {
                    Op::Store {
                        ty,
                        addr: Operand::Slot { id, offset },
                        access,
                        ..
                    } if *id == slot && access.bits.is_none() && access.keeps == 0 => {
                        let from = *offset as u64;
                        open.retain(|b| *b < from || *b >= from + ty.bytes(model));
                    }
                    Op::Store { .. } | Op::Let { .. } | Op::StorageLive { .. } => {}
                    _ => break,
                }
            }
            size <= 4096 && open.is_empty()
        })
    })
}

/// Where values that nobody wrote may get to.
pub(crate) struct Flow<'a> {
    facts: &'a Facts,
    locals: BTreeSet<(FuncId, LocalId)>,
    objects: BTreeSet<ObjectId>,
    written: Written,
    changed: bool,
}

/// The objects that may hold something that nobody wrote.
pub fn objects_that_may_be_unwritten(facts: &Facts) -> BTreeSet<ObjectId> {
    Flow::new(facts).objects
}

impl<'a> Flow<'a> {
    pub(crate) fn new(facts: &'a Facts) -> Flow<'a> {
        let written = Written::new(facts);
        let mut objects = unwritten_objects(facts);
        objects.retain(|o| !written.follows(*o));
        let mut flow = Flow {
            facts,
            locals: read_before_assigned(facts),
            objects,
            written,
            changed: true,
        };
        while std::mem::take(&mut flow.changed) {
            for (at, op) in reached(facts) {
                flow.step(at, op);
            }
        }
        flow
    }

    fn has(&self, f: FuncId, operand: Operand) -> bool {
        matches!(operand, Operand::Local(l) if self.locals.contains(&(f, l)))
    }

    fn taint(&mut self, f: FuncId, local: Option<LocalId>) {
        if let Some(local) = local {
            self.changed |= self.locals.insert((f, local));
        }
    }

    /// Whether what lies where an instruction accesses memory may be unwritten.
    pub(crate) fn reads_unwritten(&self, at: Location) -> bool {
        let targets = self.facts.points_to.accessed(self.facts.program(), at);
        let unwritten = |o: ObjectId| self.objects.contains(&o) || self.written.is_early(at, o);
        targets.is_empty() || targets.iter().any(|t| unwritten(t.object))
    }

    fn write(&mut self, at: Location) {
        let program = self.facts.program();
        for t in self.facts.points_to.accessed(program, at) {
            self.changed |= self.objects.insert(t.object);
            if t.object == ObjectId::UNKNOWN {
                let exposed = self.facts.points_to.exposed().iter().copied();
                let before = self.objects.len();
                self.objects.extend(exposed);
                self.changed |= self.objects.len() != before;
            }
        }
    }

    fn step(&mut self, at: Location, op: &Op) {
        let f = at.function;
        let mut copy = op.clone();
        let uses = copy.operands_mut().into_iter().map(|o| *o);
        let uses: Vec<Operand> = uses.collect();
        let tainted = uses.iter().any(|o| self.has(f, *o));
        match op {
            Op::Let { dst, .. } if tainted => self.taint(f, Some(*dst)),
            Op::Havoc { dst } => self.taint(f, Some(*dst)),
            Op::Load { access, .. } if access.keeps == u128::MAX && !tainted => {}
            Op::Load { dst, .. } if tainted || self.reads_unwritten(at) => {
                self.taint(f, Some(*dst));
            }
            Op::Store { value, .. } if self.has(f, *value) => self.write(at),
            Op::Rmw { dst, .. } if tainted || self.reads_unwritten(at) => {
                self.taint(f, *dst);
                self.write(at);
            }
            Op::Cas { old, ok, .. } if tainted || self.reads_unwritten(at) => {
                self.taint(f, *old);
                self.taint(f, *ok);
                self.write(at);
            }
            Op::Call { dst, args, .. } => {
                let callees: Vec<FuncId> = self.facts.points_to.callees(at).collect();
                for callee in callees {
                    self.enter(callee, f, args);
                    if self.returns_tainted(callee) {
                        self.taint(f, *dst);
                    }
                }
            }
            Op::Sync { dst, op, args } => self.sync(f, *dst, *op, args),
            _ => {}
        }
    }

    fn enter(&mut self, callee: FuncId, from: FuncId, args: &[Operand]) {
        for (n, arg) in args.iter().enumerate() {
            if self.has(from, *arg) {
                self.taint(callee, Some(LocalId(n as u32)));
            }
        }
    }

    fn returns_tainted(&self, callee: FuncId) -> bool {
        let blocks = self.facts.program().function(callee).blocks.iter();
        let mut returns = blocks.filter_map(|b| match b.terminator {
            Terminator::Return(value) => Some(value),
            _ => None,
        });
        returns.any(|v| v.is_none_or(|v| self.has(callee, v)))
    }

    fn sync(&mut self, f: FuncId, dst: Option<LocalId>, op: SyncOp, args: &[Operand]) {
        let entries = self.facts.calls.thread_entries();
        match op {
            // Any thread function may get the argument.
            SyncOp::ThreadNew if self.has(f, args[1]) => {
                for entry in entries {
                    self.taint(entry, Some(LocalId(0)));
                }
            }
            SyncOp::ThreadJoin => {
                let exits = |(at, op): (Location, &Op)| match op {
                    Op::Sync { op, args, .. } => {
                        *op == SyncOp::ThreadExit && self.has(at.function, args[0])
                    }
                    _ => false,
                };
                let ended = entries.iter().any(|e| self.returns_tainted(*e));
                if ended || reached(self.facts).any(exits) {
                    self.taint(f, dst);
                }
            }
            _ => {}
        }
    }
}
