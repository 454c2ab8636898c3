//! Accesses that evidently lie within a live object.
//!
//! The address is that of known objects ([`crate::values`]), not null, with all its bytes inside each of them, and none of them may have ended
//! ([`super::ended`]). A call through a pointer goes to functions that take what it passes.

use super::ended::Ended;
use super::places::at_user;
use crate::accesses::{Bytes, Kind};
use crate::facts::Facts;
use crate::objects::{Object, ObjectId};
use crate::values::{Value, Values};
use raddle_ir::{Location, Op, Operand, Subject, SyncKind, SyncOp};
use std::collections::{BTreeMap, BTreeSet};

/// Where an access may be invalid.
pub fn unclear(facts: &Facts, values: &Values<'_>) -> BTreeSet<Subject> {
    // First what only time can tell: which objects have to be alive where.
    let mut left = BTreeSet::new();
    let mut alive: Vec<(Location, ObjectId)> = Vec::new();
    let sizes = sizes(facts, values);
    for f in facts.points_to.reachable() {
        values.visit(
            f,
            &mut |at, op, value| match needs(facts, &sizes, at, op, value) {
                Some(objects) => alive.extend(objects.into_iter().map(|o| (at, o))),
                None => {
                    left.insert(at);
                }
            },
        );
    }
    let asked = alive.iter().map(|(_, o)| *o).collect();
    let ended = Ended::new(facts, &asked);
    let gone = alive.iter().filter(|(at, o)| ended.may_be(*at, *o));
    left.extend(gone.map(|(at, _)| *at));
    left.into_iter().flat_map(|at| at_user(facts, at)).collect()
}

/// How many bytes every object of an allocation has at least, if its size is a number that is computed.
fn sizes(facts: &Facts, values: &Values<'_>) -> BTreeMap<ObjectId, u64> {
    let mut sizes = BTreeMap::new();
    for f in facts.points_to.reachable() {
        values.visit(f, &mut |at, op, value| {
            let Op::Alloc { size, .. } = op else {
                return;
            };
            let Some(object) = facts.points_to.objects().id(Object::Allocated(at)) else {
                return;
            };
            // As a number without sign: one that may be negative may be small, too.
            let least = match value(*size) {
                Value::Int { low, high } if low >= 0 && high <= i128::from(i64::MAX) => low as u64,
                _ => 0,
            };
            let known = sizes.entry(object).or_insert(least);
            *known = least.min(*known);
        });
    }
    sizes
}

/// The objects that must be alive for an instruction to be valid; `None` if it may be invalid all the same.
fn needs(
    facts: &Facts,
    sizes: &BTreeMap<ObjectId, u64>,
    at: Location,
    op: &Op,
    value: &dyn Fn(Operand) -> Value,
) -> Option<Vec<ObjectId>> {
    let within = |address, bytes, writes| within(facts, sizes, address, bytes, writes, value);
    let model = facts.program().model;
    match op {
        Op::Load {
            ty, addr, access, ..
        }
        | Op::Store {
            ty, addr, access, ..
        } => {
            let bytes = match access.bits {
                Some(b) => u64::from(b.location),
                None => ty.bytes(model),
            };
            let writes = matches!(op, Op::Store { .. });
            within(*addr, bytes, writes)
        }
        Op::Rmw { ty, addr, .. } | Op::Cas { ty, addr, .. } => within(*addr, ty.bytes(model), true),
        Op::Call { callee, args, dst } => {
            let types = |f: raddle_ir::FuncId| {
                let function = facts.program().function(f);
                let caller = facts.program().function(at.function);
                let wanted = dst.map(|d| caller.local(d).ty);
                !function.has_body() || function.accepts(args.len(), wanted)
            };
            functions(facts, *callee, value, &types)
        }
        Op::Sync {
            op: SyncOp::ThreadNew,
            args,
            ..
        } => functions(facts, args[0], value, &|f| {
            facts.program().function(f).has_body()
        }),
        Op::Sync { op, args, .. } if op.args().first() == Some(&SyncKind::Ptr) => {
            let mut accesses = facts.accesses.at(at);
            let sync = |k: Kind| matches!(k, Kind::Sync(_));
            let bytes = accesses.find_map(|a| match a.bytes {
                Bytes::Range { from, to } if sync(a.kind) => Some(to - from),
                _ => None,
            });
            within(args[0], bytes?, true)
        }
        Op::ObjectSize { .. } => None,
        _ => Some(Vec::new()),
    }
}

/// The objects of an address, if the bytes there are certainly inside.
fn within(
    facts: &Facts,
    sizes: &BTreeMap<ObjectId, u64>,
    address: Operand,
    bytes: u64,
    writes: bool,
    value: &dyn Fn(Operand) -> Value,
) -> Option<Vec<ObjectId>> {
    let Value::Pointer(p) = value(address) else {
        return None;
    };
    if p.null || p.low < 0 {
        return None;
    }
    let program = facts.program();
    let by_name = matches!(address, Operand::Slot { .. } | Operand::Global { .. });
    let mut objects = Vec::new();
    for object in p.objects.iter() {
        let size = facts.points_to.objects().size(*object);
        let size = size.or(sizes.get(object).copied())?;
        if (p.high as u64).checked_add(bytes)? > size {
            return None;
        }
        let lives_on = match facts.points_to.objects().get(*object) {
            Object::Global(g) => {
                let global = program.global(g);
                if global.external || writes && global.constant {
                    return None;
                }
                !global.thread_local || by_name
            }
            Object::Slot(..) => by_name,
            Object::Allocated(_) => false,
            _ => return None,
        };
        if !lives_on {
            objects.push(*object);
        }
        let local_to_thread = matches!(
            facts.points_to.objects().get(*object),
            Object::Global(g) if program.global(g).thread_local
        );
        // It ends with its thread, which is noted nowhere.
        if local_to_thread && !lives_on {
            return None;
        }
    }
    Some(objects)
}

/// Whether an operand is certainly one of some functions.
fn functions(
    facts: &Facts,
    operand: Operand,
    value: &dyn Fn(Operand) -> Value,
    is_fine: &dyn Fn(raddle_ir::FuncId) -> bool,
) -> Option<Vec<ObjectId>> {
    if let Operand::Function(f) = operand {
        return is_fine(f).then(Vec::new);
    }
    let Value::Pointer(p) = value(operand) else {
        return None;
    };
    let one = |o: &ObjectId| match facts.points_to.objects().get(*o) {
        Object::Function(f) => is_fine(f),
        _ => false,
    };
    let fine = !p.null && (p.low, p.high) == (0, 0) && p.objects.iter().all(one);
    fine.then(Vec::new)
}
