//! Phantoms: what may happen on a branch that no run has taken, said so coarsely that it need not be unwound.
//!
//! The concurrent trace abstraction of Fusion (Wang, Chaudhuri, Gupta and Yang, 2009) has for every untaken branch an edge to
//! the point where both branches meet again, on which everything the branch may write is written with arbitrary values, any number of
//! times and in any order. Here the meeting point is the nearest post-dominator; what may be written is found by [`Detours`] beforehand,
//! through calls and pointers; the rest is in three parts.
//!
//! - Locals and memory of this thread alone hold anything afterwards.
//! - For a cell that others touch there is one write that perhaps happens, so that everything that is learned in a pass takes this thread for a
//!   writer of it. Between two marks of this thread ([`Phantom`]) the composition adds as many further writes of anything as the cell has reads
//!   (a write that nobody sees does not matter), which are ordered against nothing else.
//! - A branch that can do more than compute, read and write (lock, wait, fork, join, allocate, free, fail an
//!   assertion, leave the function or the process, access memory that is not known) is no phantom: it stays an end of the
//!   unwinding, which has to be out of reach.
//!
//! Where properties of accesses are asked for (races, memory safety, overflows and so on), no branch with accesses or arithmetic
//! is a phantom: each could be the violation. Only empty detours are left: a branch that leads straight to the meeting point.
//!
//! Why this is an over-approximation: whatever the branch does, its reads are not constrained, its writes are among those
//! above, and its end is the meeting point or (if it never ends, or stops) nothing that another thread could notice. An iteration that
//! leaves a loop by another exit meets the others at the exit's post-dominator.

use crate::event::{EventNo, Kind};
use crate::names::{CellId, ObjectKey, Role};
use crate::state::State;
use crate::unwind::Unwinder;
use raddle_analysis::accesses::{Accesses, Bytes};
use raddle_analysis::calls::CallGraph;
use raddle_analysis::objects::{Object, ObjectId as AbstractId};
use raddle_analysis::points_to::PointsTo;
use raddle_analysis::{LoopNest, PostDominators};
use raddle_ir::{
    BlockId, FuncId, LocalId, Location, Op, Operand, Program, Property, SlotId, Terminator,
};
use raddle_solver::term::Sort;
use raddle_symbolic::{ObjectId, Targets, Value};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// Objects larger than this are not overwritten by phantoms, and no more cells than this.
const LARGEST: u64 = 4096;
const MOST_CELLS: usize = 16;

/// Cells that a branch nobody took may have written.
#[derive(Clone, Debug)]
pub struct Phantom {
    /// When the branch is taken.
    pub guard: crate::guard::Guard,
    /// The cells.
    pub cells: Vec<CellId>,
    /// Marks between which that happens.
    pub between: (EventNo, EventNo),
}

/// What a detour may do.
#[derive(Clone, Debug)]
struct Detour {
    meets: BlockId,
    /// Nothing is on the way.
    empty: bool,
    /// Only what phantoms can stand for.
    plain: bool,
    locals: Vec<LocalId>,
    /// Variables of this activation that are written by name.
    slots: BTreeSet<(SlotId, Bytes)>,
    /// Other objects.
    writes: BTreeSet<(AbstractId, Bytes)>,
}

/// A function, the block that decides, and the block that comes next.
type Branch = (FuncId, BlockId, BlockId);

/// What is known beforehand about all branches of a program.
pub struct Detours {
    points_to: PointsTo,
    calls: CallGraph,
    accesses: Accesses,
    post: RefCell<HashMap<FuncId, Rc<PostDominators>>>,
    known: RefCell<HashMap<Branch, Option<Rc<Detour>>>>,
}

impl Detours {
    /// Prepares for a program.
    pub fn new(program: &Program) -> Detours {
        let points_to = PointsTo::new(program);
        let calls = CallGraph::new(program, &points_to);
        let accesses = Accesses::new(program, &points_to);
        Detours {
            points_to,
            calls,
            accesses,
            post: RefCell::default(),
            known: RefCell::default(),
        }
    }

    /// The detour from a branch, if both ways meet again in this function.
    fn detour(
        &self,
        program: &Program,
        nest: &LoopNest,
        f: FuncId,
        from: BlockId,
        to: BlockId,
    ) -> Option<Rc<Detour>> {
        if let Some(known) = self.known.borrow().get(&(f, from, to)) {
            return known.clone();
        }
        let post = self.post.borrow().get(&f).cloned();
        let post = post.unwrap_or_else(|| {
            let post = Rc::new(PostDominators::new(program.function(f), nest));
            self.post.borrow_mut().insert(f, post.clone());
            post
        });
        let meets = post.merging_point(from);
        let found = meets.map(|meets| Rc::new(self.survey(program, f, to, meets)));
        let known = &mut self.known.borrow_mut();
        known.insert((f, from, to), found.clone());
        found
    }

    fn survey(&self, program: &Program, f: FuncId, to: BlockId, meets: BlockId) -> Detour {
        let mut detour = Detour {
            meets,
            empty: to == meets,
            plain: true,
            locals: Vec::new(),
            slots: BTreeSet::new(),
            writes: BTreeSet::new(),
        };
        let function = program.function(f);
        let mut seen = vec![false; function.blocks.len()];
        let mut todo = vec![to];
        let mut functions = BTreeSet::new();
        while let Some(b) = todo.pop() {
            if b == meets || std::mem::replace(&mut seen[b.0 as usize], true) {
                continue;
            }
            let block = function.block(b);
            for index in 0..block.instrs.len() as u32 {
                let at = Location {
                    function: f,
                    block: b,
                    index,
                };
                detour
                    .locals
                    .extend(assigned(&block.instrs[index as usize].op));
                self.instruction(program, at, &mut detour, &mut functions, true);
            }
            match &block.terminator {
                Terminator::Goto(next) => todo.push(*next),
                Terminator::Branch {
                    then, otherwise, ..
                } => todo.extend([*then, *otherwise]),
                Terminator::Switch { cases, default, .. } => {
                    todo.extend(cases.iter().map(|(_, b)| *b));
                    todo.push(*default);
                }
                Terminator::Return(_) | Terminator::Unreachable => detour.plain = false,
            }
        }
        detour.locals.sort_unstable();
        detour.locals.dedup();
        // Functions on the way, with all they call.
        for f in self.calls.called_from(functions) {
            let function = program.function(f);
            for (b, block) in function.blocks.iter().enumerate() {
                for index in 0..block.instrs.len() as u32 {
                    let at = Location {
                        function: f,
                        block: BlockId(b as u32),
                        index,
                    };
                    self.instruction(program, at, &mut detour, &mut BTreeSet::new(), false);
                }
            }
        }
        detour
    }

    fn instruction(
        &self,
        program: &Program,
        at: Location,
        detour: &mut Detour,
        functions: &mut BTreeSet<FuncId>,
        own: bool,
    ) {
        let Some(instr) = program.instr(at) else {
            return;
        };
        match &instr.op {
            Op::Let { .. } | Op::Havoc { .. } | Op::Nondet { .. } | Op::Fence { .. } => {}
            Op::StorageLive { .. } | Op::StorageDead { .. } | Op::Output { .. } => {}
            Op::Assume { .. } | Op::Load { .. } | Op::ObjectSize { .. } => {}
            Op::Assert { property, .. } => detour.plain &= *property != Property::UnreachCall,
            Op::Store { addr, .. } | Op::Rmw { addr, .. } | Op::Cas { addr, .. } => {
                let writes = self.accesses.at(at).filter(|a| a.write);
                for a in writes {
                    if let Operand::Slot { id, .. } = addr {
                        // A callee's own variables are gone when it returns.
                        if own {
                            detour.slots.insert((*id, a.bytes));
                        }
                        continue;
                    }
                    detour.plain &= a.object != AbstractId::UNKNOWN;
                    detour.writes.insert((a.object, a.bytes));
                }
            }
            Op::Call { callee, .. } => {
                let known = match callee {
                    Operand::Function(f) => BTreeSet::from([*f]),
                    _ => self.points_to.callees(at).collect(),
                };
                let bodies = |f: &FuncId| program.function(*f).has_body();
                detour.plain &= !known.is_empty() && known.iter().all(bodies);
                functions.extend(known);
            }
            Op::Alloc { .. } | Op::Free { .. } | Op::Sync { .. } => detour.plain = false,
            Op::AtomicBegin { .. } | Op::AtomicEnd => detour.plain = false,
        }
    }

    /// Whether an object of the unwinding is one of an abstract object.
    fn stands_for(&self, object: Object, key: &ObjectKey) -> bool {
        match (object, key) {
            (Object::Global(g), ObjectKey::Global(o) | ObjectKey::ThreadLocal(_, o)) => g == *o,
            (Object::Slot(f, s), ObjectKey::Slot(_, _, g, t)) => (f, s) == (*g, *t),
            // Which allocation it comes from is not looked up.
            (Object::Allocated(_), ObjectKey::Heap(..) | ObjectKey::Array(..)) => true,
            _ => false,
        }
    }
}

/// The bytes of an object of that size.
fn range(bytes: Bytes, size: u64) -> (u64, u64) {
    match bytes {
        Bytes::Range { from, to } => (from, to.min(size)),
        Bytes::Any => (0, size),
    }
}

fn assigned(op: &Op) -> Vec<LocalId> {
    match op {
        Op::Let { dst, .. }
        | Op::Havoc { dst }
        | Op::Nondet { dst }
        | Op::Load { dst, .. }
        | Op::Alloc { dst, .. }
        | Op::ObjectSize { dst, .. } => vec![*dst],
        Op::Rmw { dst, .. } | Op::Call { dst, .. } | Op::Sync { dst, .. } => {
            dst.iter().copied().collect()
        }
        Op::Cas { old, ok, .. } => old.iter().chain(ok).copied().collect(),
        _ => Vec::new(),
    }
}

impl Unwinder<'_> {
    /// Makes a state what it may be behind a branch that nobody took; where that is, or `None` if no phantom can stand for it.
    pub(crate) fn phantom(
        &mut self,
        nest: &LoopNest,
        f: FuncId,
        from: BlockId,
        to: BlockId,
        state: &mut State,
        at: Location,
    ) -> Option<BlockId> {
        let detours = self.wanted.detours.clone()?;
        let detour = detours.detour(self.program, nest, f, from, to)?;
        if detour.empty {
            return Some(detour.meets);
        }
        let simple = self.wanted.properties == [Property::UnreachCall];
        if !detour.plain || !simple || state.flow.inside.is_some() {
            return None;
        }
        let places = self.written(&detours, &detour, state)?;
        let guard = state.flow.guard;
        let entry = self.enter_log(at, guard);
        let first = self.event(guard, Kind::Mark, None, entry);
        let mut cells = Vec::new();
        self.plain = false;
        for (object, range, pointers) in places {
            self.overwrite_anyhow(state, object, range, pointers, entry, &mut cells);
        }
        let last = self.event(guard, Kind::Mark, None, entry);
        for l in &detour.locals {
            let ty = self.program.function(f).local(*l).ty;
            let sort = raddle_symbolic::sort_of(ty, self.program.model);
            let pointer = !detours.points_to.targets(f, Operand::Local(*l)).is_empty();
            let any = self.anything(sort, pointer);
            state.locals[l.0 as usize] = Some(any);
            state.open.remove(l);
        }
        self.phantoms.push(Phantom {
            guard,
            cells,
            between: (first, last),
        });
        Some(detour.meets)
    }

    fn anything(&mut self, sort: Sort, pointer: bool) -> Value {
        Value {
            bits: self.fresh_as(Role::Untaken, "phantom", sort),
            targets: match pointer {
                true => Targets::Unknown,
                false => Targets::none(),
            },
        }
    }

    /// The ranges of objects that may be written on a detour, and whether they may hold pointers; `None` if that is too much.
    #[allow(clippy::type_complexity)]
    fn written(
        &mut self,
        detours: &Detours,
        detour: &Detour,
        state: &State,
    ) -> Option<Vec<(ObjectId, (u64, u64), bool)>> {
        let mut all = Vec::new();
        for (slot, bytes) in &detour.slots {
            if let Some(id) = state.slots[slot.0 as usize] {
                let size = self.names.get(id).size;
                all.push((id, range(*bytes, size), true));
            }
        }
        for (object, bytes) in &detour.writes {
            let pointers = !detours.points_to.contents(*object).is_empty();
            let what = detours.points_to.objects().get(*object);
            for (id, o) in self.names.objects() {
                if !detours.stands_for(what, &o.key) {
                    continue;
                }
                all.push((id, range(*bytes, o.size), pointers));
            }
        }
        all.retain(|(_, (from, to), _)| from < to);
        let small = all.iter().all(|(_, (from, to), _)| to - from <= LARGEST);
        let thread = self.current.thread;
        let mut cells = 0;
        for (object, (from, to), _) in all.iter().filter(|_| small) {
            if self.facts.touch(*object, thread) {
                cells += self.cells_of(*object, *from, to - from).len();
            }
        }
        (small && cells <= MOST_CELLS).then_some(all)
    }

    /// Writes anything to a range of an object, or does not.
    fn overwrite_anyhow(
        &mut self,
        state: &mut State,
        object: ObjectId,
        (from, to): (u64, u64),
        pointers: bool,
        entry: u32,
        cells: &mut Vec<CellId>,
    ) {
        let thread = self.current.thread;
        if !self.facts.touch(object, thread) {
            let mut at = from;
            while at < to {
                let length = (8 - at % 8).min(to - at);
                let any = self.anything(Sort::BitVec((length * 8) as u32), pointers);
                self.store_anything(&mut state.flow, object, at, length, any);
                at += length;
            }
            return;
        }
        for cell in self.cells_of(object, from, to - from) {
            let bits = (self.names.extent(cell).length * 8) as u32;
            if bits > 128 {
                // Wider than any access, so nobody accesses it: otherwise it would have been cut at the ends of the access.
                continue;
            }
            let happens = self.fresh_as(Role::Untaken, "phantom", Sort::Bool);
            let guard = self.and(state.flow.guard, happens);
            let any = self.anything(Sort::BitVec(bits), pointers);
            self.locking = None;
            self.write_cell(&mut state.flow, guard, cell, any, None, entry);
            cells.push(cell);
        }
    }
}
