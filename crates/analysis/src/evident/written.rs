//! Where memory that begins without contents is read before all bytes that are read were certainly written.
//!
//! Forward data flow of the bits that may not have been written yet, of objects of which a thread can mean only one: a slot that no other thread knows
//! of a function that does not recurse (an earlier object of the slot is dead), and what exists once in every execution. All are open at the beginning; the birth
//! of a slot opens all its bytes again, a store to one known place takes its bytes away, and nothing else brings them back: a store of something unwritten is
//! followed by [`super::uninit`]. What is open where a thread is started is open for the thread.

use crate::facts::Facts;
use crate::flow::{Graph, Problem, solve};
use crate::objects::{Object, ObjectId};
use crate::once::exists_once;
use crate::points_to::PointsTo;
use raddle_ir::{FuncId, Location, Op, SyncOp};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashSet};
use std::rc::Rc;

/// Larger objects are not looked at.
const MOST_BYTES: u64 = 256;

/// Bits that may not have been written, a byte each of an object; an object that was written whole is absent. Shared, because states of
/// neighbouring places differ in few objects.
type Open = BTreeMap<ObjectId, Rc<Vec<u8>>>;

/// Adds the open bits of another state; whether there were more.
fn unite(into: &mut Open, with: &Open) -> bool {
    let mut changed = false;
    for (object, bytes) in with {
        match into.entry(*object) {
            Entry::Vacant(none) => {
                none.insert(bytes.clone());
                changed = true;
            }
            Entry::Occupied(mut old) if !Rc::ptr_eq(old.get(), bytes) => {
                let more = |(old, new): (&u8, &u8)| new & !old != 0;
                if old.get().iter().zip(bytes.iter()).any(more) {
                    let old = Rc::make_mut(old.get_mut());
                    old.iter_mut()
                        .zip(bytes.iter())
                        .for_each(|(old, new)| *old |= new);
                    changed = true;
                }
            }
            Entry::Occupied(_) => {}
        }
    }
    changed
}

/// All bits of an object.
fn all_open(size: u64) -> Rc<Vec<u8>> {
    Rc::new(vec![u8::MAX; size as usize])
}

/// Those of the bits of an access that lie in one of its bytes.
fn bits_in(bits: u128, byte: u64) -> u8 {
    match byte {
        0..16 => (bits >> (8 * byte)) as u8,
        _ => 0,
    }
}

/// Reads of objects that are followed.
pub struct Written {
    followed: BTreeMap<ObjectId, u64>,
    early: HashSet<(Location, ObjectId)>,
}

struct Unwritten<'a> {
    graph: Graph<'a>,
    sizes: &'a BTreeMap<ObjectId, u64>,
    /// What may not be written when a thread begins.
    later: Open,
}

impl Written {
    /// Follows the bytes of all objects that can be followed.
    pub fn new(facts: &Facts) -> Written {
        let graph = Graph {
            program: facts.program(),
            points_to: &facts.points_to,
            calls: &facts.calls,
        };
        let followed = followed(facts);
        let mut problem = Unwritten {
            graph,
            sizes: &followed,
            later: Open::new(),
        };
        let mut early = HashSet::new();
        loop {
            let mut later = problem.later.clone();
            early.clear();
            solve(graph, &problem).visit(graph, &problem, &mut |at, open| {
                let op = graph.program.instr(at).map(|i| &i.op);
                if let Some(Op::Sync {
                    op: SyncOp::ThreadStart,
                    ..
                }) = op
                {
                    unite(&mut later, open);
                }
                let (ty, unused) = match op {
                    Some(Op::Load { ty, access, .. }) if access.bits.is_none() => {
                        (ty, access.keeps)
                    }
                    Some(Op::Load { access, .. }) if access.keeps == u128::MAX => return,
                    Some(Op::Load { ty, .. } | Op::Rmw { ty, .. } | Op::Cas { ty, .. }) => (ty, 0),
                    _ => return,
                };
                let bytes = ty.bytes(graph.program.model);
                for t in graph.points_to.accessed(graph.program, at) {
                    let from = t.offset.known();
                    let Some(there) = open.get(&t.object) else {
                        continue;
                    };
                    let read = |(b, bits): (u64, &u8)| {
                        from.is_none_or(|from| {
                            let inside = b >= from && b < from + bytes;
                            inside && bits & !bits_in(unused, b - from) != 0
                        })
                    };
                    if (0..).zip(there.iter()).any(read) {
                        early.insert((at, t.object));
                    }
                }
            });
            if later == problem.later {
                return Written { followed, early };
            }
            problem.later = later;
        }
    }

    /// Whether it is known where this object is read too early.
    pub fn follows(&self, object: ObjectId) -> bool {
        self.followed.contains_key(&object)
    }

    /// Whether a read may find bytes of an object that is followed unwritten.
    pub fn is_early(&self, at: Location, object: ObjectId) -> bool {
        self.early.contains(&(at, object))
    }
}

/// The objects that are followed, with their sizes.
fn followed(facts: &Facts) -> BTreeMap<ObjectId, u64> {
    let program = facts.program();
    let objects = facts.points_to.objects();
    let size = |id: ObjectId| match objects.get(id) {
        Object::Slot(f, slot) => {
            let function = program.function(f);
            let birth = Op::StorageLive { slot };
            let mut instrs = function.blocks.iter().flat_map(|b| &b.instrs);
            let mine = facts.escape.is_private(id) && !facts.calls.is_recursive(f);
            let one = mine || exists_once(program, &facts.points_to, &facts.calls, id);
            let size = function.slots[slot.0 as usize].size;
            (one && instrs.any(|i| i.op == birth)).then_some(size)
        }
        Object::Allocated(at) => {
            let once = exists_once(program, &facts.points_to, &facts.calls, id);
            match program.instr(at).map(|i| &i.op) {
                Some(Op::Alloc {
                    size: raddle_ir::Operand::Const { bits, .. },
                    zeroed: false,
                    ..
                }) if once => u64::try_from(*bits).ok(),
                _ => None,
            }
        }
        _ => None,
    };
    let all = objects.ids().filter_map(|id| Some((id, size(id)?)));
    all.filter(|(_, size)| *size <= MOST_BYTES).collect()
}

impl Unwritten<'_> {
    fn born(&self, object: Object, open: &mut Open) {
        let id = self.graph.points_to.objects().id(object);
        if let Some(id) = id
            && let Some(size) = self.sizes.get(&id)
        {
            open.insert(id, all_open(*size));
        }
    }
}

impl Problem for Unwritten<'_> {
    type State = Open;

    fn start(&self, thread: FuncId) -> Self::State {
        match thread == self.graph.program.entry {
            true => {
                let all = self.sizes.iter();
                all.map(|(id, size)| (*id, all_open(*size))).collect()
            }
            false => self.later.clone(),
        }
    }

    fn merge(&self, into: &mut Self::State, with: &Self::State) -> bool {
        unite(into, with)
    }

    fn step(&self, at: Location, op: &Op, open: &mut Self::State) {
        match op {
            Op::StorageLive { slot } => self.born(Object::Slot(at.function, *slot), open),
            Op::Store { ty, access, .. } if access.bits.is_none() => {
                let targets = self.graph.points_to.accessed(self.graph.program, at);
                if let Some(t) = PointsTo::single(targets)
                    && let Some(from) = t.offset.known()
                {
                    let Entry::Occupied(mut there) = open.entry(t.object) else {
                        return;
                    };
                    let bytes = Rc::make_mut(there.get_mut());
                    let length = ty.bytes(self.graph.program.model);
                    let hit = bytes.iter_mut().skip(from as usize);
                    for (b, bits) in hit.take(length as usize).enumerate() {
                        *bits &= bits_in(access.keeps, b as u64);
                    }
                    if bytes.iter().all(|bits| *bits == 0) {
                        there.remove();
                    }
                }
            }
            _ => {}
        }
    }

    fn enter(&self, open: &Self::State) -> Self::State {
        open.clone()
    }

    fn after(
        &self,
        _at: Location,
        _callee: FuncId,
        before: &Self::State,
        end: &Self::State,
    ) -> Self::State {
        // Slots that the callee opened again are its own, and dead by now.
        let both = before.iter().filter_map(|(object, before)| {
            let end = end.get(object)?;
            if Rc::ptr_eq(before, end) {
                return Some((*object, before.clone()));
            }
            let bits = before.iter().zip(end.iter()).map(|(a, b)| a & b);
            let bits: Vec<u8> = bits.collect();
            bits.iter()
                .any(|b| *b != 0)
                .then(|| (*object, Rc::new(bits)))
        });
        both.collect()
    }
}
