//! What an instruction does to locals and memory, over terms: the symbolic counterpart of the interpreter's steps.
//!
//! Memory is a set of *cells*, scalars at known addresses; which cells an access may mean is told by the [`Scene`], which also
//! holds the values. An instruction reads and writes them through it, adds to the guard ([`Scene::assume`]) and asks for arbitrary
//! values ([`Scene::choose`]). An access that meets none of its cells stops the thread, unless it lies in an object all the same: then it
//! overlaps several cells, and that is for the scene to refuse ([`Scene::refuse`]).
//!
//! Condition variables: sleepers may wake at any time, so only the mutex around them matters, unless the scene keeps who sleeps ([`Scene::sleep`]). Calls, threads and control flow are
//! the caller's business.

use crate::compute::{Operands, Unsupported, fit, rmw, rvalue};
use crate::value::{Value, sort_of};
use raddle_ir::sync::{Before, SyncAlgebra, wakes_from_sleep};
use raddle_ir::{
    ChoiceClass, DataModel, LocalId, Op, Operand, Property, Role, SyncClass, SyncOp, Ty,
};
use raddle_solver::term::{Sort, TermId, TermPool};

/// A cell, by a number of the scene's choice.
pub type CellKey = u32;

/// A cell that an access may mean.
#[derive(Clone, Copy, Debug)]
pub struct Candidate {
    /// Its address.
    pub address: u64,
    /// The cell.
    pub cell: CellKey,
    /// Of a mutex: the cell that holds its kind.
    pub kind: Option<CellKey>,
}

/// Places of an object, any of which an access may mean.
#[derive(Clone, Copy, Debug)]
pub struct Range {
    /// The first address.
    pub first: u64,
    /// The last one.
    pub last: u64,
    /// The access can be treated only at its cells; otherwise at all multiples of its width.
    pub divided: bool,
}

/// Where values live while an instruction is executed.
pub trait Scene {
    /// The value of an operand.
    fn operand(&mut self, pool: &mut TermPool, operand: Operand) -> TermId;
    /// Assigns a local.
    fn assign(&mut self, local: LocalId, value: TermId);
    /// The type of a local.
    fn type_of(&self, local: LocalId) -> Ty;
    /// The cells the present access may mean.
    fn candidates(&self) -> Vec<Candidate>;
    /// Whether the present access may also mean memory that is not kept track of: a load from there yields any value.
    fn elsewhere(&self) -> bool {
        false
    }
    /// A store to such memory.
    fn store_elsewhere(&mut self, _value: TermId) {}
    /// Where the present access may lie, if its place is not known.
    fn ranges(&self) -> Vec<Range> {
        Vec::new()
    }
    /// Where this holds, the instruction does something that is not treated.
    fn refuse(&mut self, _pool: &mut TermPool, _condition: TermId, _what: &'static str) {}
    /// The contents of a cell.
    fn read(&mut self, pool: &mut TermPool, cell: CellKey) -> TermId;
    /// Writes a cell.
    fn write(&mut self, cell: CellKey, value: TermId);
    /// An arbitrary value.
    fn choose(&mut self, pool: &mut TermPool, kind: ChosenKind, sort: Sort) -> TermId;
    /// The thread goes on only if this holds.
    fn assume(&mut self, pool: &mut TermPool, condition: TermId);
    /// The thread stops unless this holds: what it would do otherwise is undefined.
    fn require(&mut self, pool: &mut TermPool, condition: TermId, property: Property);
    /// Where it is kept on what this thread sleeps (0: on nothing), if that is kept at all: then nobody wakes without a signal.
    fn sleep(&self) -> Option<CellKey> {
        None
    }
    /// The same of the others who may sleep.
    fn sleepers(&self) -> Vec<CellKey> {
        Vec::new()
    }
    /// The one of these that a signal wakes; nobody if none of them sleeps on it.
    fn woken(&self) -> Option<CellKey> {
        None
    }
    /// The thread as locks name it: a number of 32 bits, not 0, within [`raddle_ir::layout::OWNER`].
    fn me(&mut self, pool: &mut TermPool) -> TermId;
}

/// Why a value is arbitrary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChosenKind {
    /// The interpreter asks for it, too.
    Answer(ChoiceClass),
    /// Memory whose contents are not tracked: in no schedule.
    Contents,
}

impl ChosenKind {
    /// A name for variables.
    pub fn name(self) -> &'static str {
        match self {
            ChosenKind::Answer(class) => class.name(),
            ChosenKind::Contents => "contents",
        }
    }

    /// Whether the value is one of memory whose contents are not known.
    pub fn is_unknown_memory(self) -> bool {
        let unwritten = ChosenKind::Answer(ChoiceClass::Uninitialised);
        self == unwritten || self == ChosenKind::Contents
    }
}

impl From<ChoiceClass> for ChosenKind {
    fn from(class: ChoiceClass) -> ChosenKind {
        ChosenKind::Answer(class)
    }
}

struct Bridge<'a>(&'a mut dyn Scene, DataModel);

impl Operands for Bridge<'_> {
    fn operand(&mut self, pool: &mut TermPool, operand: Operand) -> Value {
        Value::number(self.0.operand(pool, operand))
    }
    fn arbitrary(&mut self, pool: &mut TermPool, ty: Ty) -> TermId {
        self.0
            .choose(pool, ChoiceClass::BadShift.into(), sort_of(ty, self.1))
    }
}

/// Executes one instruction.
pub fn execute(
    pool: &mut TermPool,
    model: DataModel,
    op: &Op,
    scene: &mut dyn Scene,
) -> Result<(), Unsupported> {
    match op {
        Op::Let { dst, value } => {
            let computed = rvalue(pool, model, value, &mut Bridge(scene, model))?;
            for check in computed.checks.iter().filter(|c| c.stops) {
                let fine = pool.not(check.violated);
                scene.require(pool, fine, Property::NoDivZero);
            }
            let sort = sort_of(scene.type_of(*dst), model);
            let bits = fit(pool, computed.value.bits, sort);
            scene.assign(*dst, bits);
        }
        Op::Havoc { dst } => {
            let sort = sort_of(scene.type_of(*dst), model);
            let any = scene.choose(pool, ChoiceClass::Uninitialised.into(), sort);
            scene.assign(*dst, any);
        }
        Op::Nondet { dst } => {
            let sort = sort_of(scene.type_of(*dst), model);
            let any = scene.choose(pool, ChoiceClass::Input.into(), sort);
            scene.assign(*dst, any);
        }
        Op::Load { dst, addr, ty, .. } => {
            let found = found(pool, *addr, ty.bytes(model), scene);
            let value = load(pool, &found, sort_of(*ty, model), scene)?;
            scene.assign(*dst, value);
        }
        Op::Store {
            addr, value, ty, ..
        } => {
            let found = found(pool, *addr, ty.bytes(model), scene);
            let value = scene.operand(pool, *value);
            store(pool, &found, value, scene);
        }
        Op::Rmw {
            dst,
            op,
            ty,
            addr,
            value,
            ..
        } => {
            let found = found(pool, *addr, ty.bytes(model), scene);
            let old = load(pool, &found, sort_of(*ty, model), scene)?;
            let operand = Value::number(scene.operand(pool, *value));
            let new = rmw(pool, *op, *ty, &Value::number(old), &operand)?;
            store(pool, &found, new.bits, scene);
            if let Some(dst) = dst {
                scene.assign(*dst, old);
            }
        }
        Op::Cas {
            old,
            ok,
            ty,
            addr,
            expected,
            desired,
            weak,
            ..
        } => {
            let found = found(pool, *addr, ty.bytes(model), scene);
            let before = load(pool, &found, sort_of(*ty, model), scene)?;
            let expected = scene.operand(pool, *expected);
            let desired = scene.operand(pool, *desired);
            let mut equal = pool.eq(before, expected);
            if *weak {
                let fails = scene.choose(pool, ChoiceClass::WeakCas.into(), Sort::Bool);
                let succeeds = pool.not(fails);
                equal = pool.and(equal, succeeds);
            }
            let new = pool.ite(equal, desired, before);
            store(pool, &found, new, scene);
            if let Some(old) = old {
                scene.assign(*old, before);
            }
            if let Some(ok) = ok {
                scene.assign(*ok, equal);
            }
        }
        Op::StorageLive { .. } => {
            for c in scene.candidates() {
                let now = scene.read(pool, c.cell);
                let any = scene.choose(pool, ChoiceClass::Uninitialised.into(), pool.sort(now));
                scene.write(c.cell, any);
            }
        }
        Op::Assume { cond } => {
            let cond = scene.operand(pool, *cond);
            scene.assume(pool, cond);
        }
        Op::Sync { dst, op, args } => {
            let result = sync(pool, *op, args, scene)?;
            if let (Some(dst), Some(value)) = (dst, result) {
                scene.assign(*dst, value);
            }
        }
        Op::Fence { .. } | Op::Output { .. } | Op::StorageDead { .. } | Op::Free { .. } => {}
        Op::AtomicBegin { .. } | Op::AtomicEnd | Op::Assert { .. } => {}
        Op::Alloc { .. } | Op::ObjectSize { .. } | Op::Call { .. } => {
            return Err(Unsupported("an instruction that is no single step".into()));
        }
    }
    Ok(())
}

/// Cells with the condition that they are meant.
pub(crate) type Found = Vec<(TermId, Candidate)>;

/// When the access of an instruction lies in none of the objects that it may mean; of a `free`, when its address is neither null nor that
/// of one of its candidates.
pub fn invalid(pool: &mut TermPool, model: DataModel, op: &Op, scene: &mut dyn Scene) -> TermId {
    let addr = match op {
        Op::Load { addr, .. }
        | Op::Store { addr, .. }
        | Op::Rmw { addr, .. }
        | Op::Cas { addr, .. }
        | Op::Free { addr, .. } => *addr,
        Op::Sync { args, .. } => args[0],
        _ => return pool.bool(false),
    };
    let address = scene.operand(pool, addr);
    let (_, any) = meant(pool, address, scene);
    let mut fine = any;
    if matches!(op, Op::Free { .. }) {
        let null = pool.bits(model.pointer_bits(), 0);
        let null = pool.eq(address, null);
        fine = pool.or(fine, null);
    }
    for r in scene.ranges() {
        let here = lies_in(pool, address, r);
        fine = pool.or(fine, here);
    }
    pool.not(fine)
}

/// The cells that an address may be that of, and whether it is that of any.
pub(crate) fn meant(
    pool: &mut TermPool,
    address: TermId,
    scene: &mut dyn Scene,
) -> (Found, TermId) {
    let width = pool.width(address);
    let never = pool.bool(false);
    let mut found = Vec::new();
    let mut any = never;
    for c in scene.candidates() {
        let there = pool.bits(width, u128::from(c.address));
        let is = pool.eq(address, there);
        if is != never {
            found.push((is, c));
            any = pool.or(any, is);
        }
    }
    (found, any)
}

fn lies_in(pool: &mut TermPool, address: TermId, r: Range) -> TermId {
    let width = pool.width(address);
    let first = pool.bits(width, u128::from(r.first));
    let last = pool.bits(width, u128::from(r.last));
    let too_low = pool.bv_ult(address, first);
    let too_high = pool.bv_ult(last, address);
    let (behind, before) = (pool.not(too_low), pool.not(too_high));
    pool.and(behind, before)
}

fn found(pool: &mut TermPool, addr: Operand, bytes: u64, scene: &mut dyn Scene) -> Found {
    let address = scene.operand(pool, addr);
    let never = pool.bool(false);
    let (found, any) = meant(pool, address, scene);
    let aligned = match bytes {
        0 | 1 => pool.bool(true),
        _ => {
            let low = pool.extract(bytes.ilog2() - 1, 0, address);
            let zero = pool.bits(bytes.ilog2(), 0);
            pool.eq(low, zero)
        }
    };
    let mut between = never;
    for r in scene.ranges() {
        let here = lies_in(pool, address, r);
        let treated = if r.divided { any } else { aligned };
        let other = pool.not(treated);
        let here = pool.and(here, other);
        between = pool.or(between, here);
    }
    if between != never {
        scene.refuse(pool, between, "an access that overlaps two elements");
    }
    let fine = match scene.elsewhere() {
        false => any,
        true => pool.or(any, aligned),
    };
    scene.require(pool, fine, Property::ValidDeref);
    found
}

pub(crate) fn load(
    pool: &mut TermPool,
    found: &Found,
    sort: Sort,
    scene: &mut dyn Scene,
) -> Result<TermId, Unsupported> {
    let mut value = match scene.elsewhere() {
        true => Some(scene.choose(pool, ChosenKind::Contents, sort)),
        false => None,
    };
    for (is, c) in found.iter().rev() {
        let here = scene.read(pool, c.cell);
        value = Some(match value {
            None => here,
            Some(v) => pool.ite(*is, here, v),
        });
    }
    // The guard is false then: the thread stops here, always.
    value.ok_or_else(|| Unsupported("an access that is always invalid".into()))
}

fn store(pool: &mut TermPool, found: &Found, value: TermId, scene: &mut dyn Scene) {
    if scene.elsewhere() {
        scene.store_elsewhere(value);
    }
    for (is, c) in found {
        let before = scene.read(pool, c.cell);
        let after = pool.ite(*is, value, before);
        scene.write(c.cell, after);
    }
}

fn load_kind(pool: &mut TermPool, found: &Found, scene: &mut dyn Scene) -> TermId {
    let mut value = pool.bits(32, 0);
    for (is, c) in found.iter().rev() {
        if let Some(kind) = c.kind {
            let here = scene.read(pool, kind);
            value = pool.ite(*is, here, value);
        }
    }
    value
}

pub(crate) fn number(pool: &mut TermPool, n: u32) -> TermId {
    pool.bits(32, u128::from(n))
}

pub(crate) fn is(pool: &mut TermPool, word: TermId, n: u32) -> TermId {
    let n = number(pool, n);
    pool.eq(word, n)
}

/// What happens at a condition variable where it is kept who sleeps.
fn sleep(
    pool: &mut TermPool,
    op: SyncOp,
    args: &[Operand],
    (scene, mine): (&mut dyn Scene, CellKey),
) -> Result<Option<TermId>, Unsupported> {
    let place = scene.operand(pool, args[0]);
    let width = pool.width(place);
    let nowhere = pool.bits(width, 0);
    if op == SyncOp::CondBlock {
        let now = scene.read(pool, mine);
        let woken = pool.eq(now, nowhere);
        let timed = scene.operand(pool, args[1]);
        let timed = is(pool, timed, 1);
        let goes_on = pool.or(woken, timed);
        scene.assume(pool, goes_on);
        scene.write(mine, nowhere);
        return Ok(Some(wakes_from_sleep(&mut Terms(pool), woken, timed)));
    }
    // It has to be there.
    let cells = found(pool, args[0], 4, scene);
    load(pool, &cells, Sort::BitVec(32), scene)?;
    match op {
        SyncOp::CondEnqueue => scene.write(mine, place),
        SyncOp::CondSignal => {
            let only = scene.woken();
            for other in scene.sleepers() {
                let on = scene.read(pool, other);
                let here = pool.eq(on, place);
                match only {
                    Some(one) if one == other => {
                        scene.assume(pool, here);
                        scene.write(one, nowhere);
                    }
                    Some(_) => {}
                    None => {
                        let elsewhere = pool.not(here);
                        scene.assume(pool, elsewhere);
                    }
                }
            }
        }
        _ => {
            for other in scene.sleepers() {
                let on = scene.read(pool, other);
                let here = pool.eq(on, place);
                let then = pool.ite(here, nowhere, on);
                scene.write(other, then);
            }
        }
    }
    Ok(None)
}

/// What a primitive is described with, over terms.
pub(crate) struct Terms<'a>(pub(crate) &'a mut TermPool);

impl SyncAlgebra for Terms<'_> {
    type Truth = TermId;
    type Word = TermId;

    fn truth(&mut self, value: bool) -> TermId {
        self.0.bool(value)
    }
    fn word(&mut self, value: u32) -> TermId {
        number(self.0, value)
    }
    fn not(&mut self, a: TermId) -> TermId {
        self.0.not(a)
    }
    fn and(&mut self, a: TermId, b: TermId) -> TermId {
        self.0.and(a, b)
    }
    fn or(&mut self, a: TermId, b: TermId) -> TermId {
        self.0.or(a, b)
    }
    fn equal(&mut self, a: TermId, b: TermId) -> TermId {
        self.0.eq(a, b)
    }
    fn less(&mut self, a: TermId, b: TermId) -> TermId {
        self.0.bv_ult(a, b)
    }
    fn add(&mut self, a: TermId, b: TermId) -> TermId {
        self.0.bv_add(a, b)
    }
    fn subtract(&mut self, a: TermId, b: TermId) -> TermId {
        self.0.bv_sub(a, b)
    }
    fn mask(&mut self, a: TermId, b: TermId) -> TermId {
        self.0.bv_and(a, b)
    }
    fn join(&mut self, a: TermId, b: TermId) -> TermId {
        self.0.bv_or(a, b)
    }
    fn choose(&mut self, when: TermId, then: TermId, otherwise: TermId) -> TermId {
        self.0.ite(when, then, otherwise)
    }
}

/// What an operation finds in the cells that its address may mean. Who gives back a reader-writer lock has to know that it is held: its readers
/// are not told apart.
pub(crate) fn before<'a>(
    terms: &mut Terms<'a>,
    op: SyncOp,
    args: &[Operand],
    cells: &Found,
    scene: &mut dyn Scene,
) -> Result<Before<Terms<'a>>, Unsupported> {
    let pool = &mut *terms.0;
    let zero = number(pool, 0);
    let makes = op.role() == Role::Initialise;
    Ok(Before {
        // What is made may have been anything before.
        word: match makes {
            true => zero,
            false => load(pool, cells, Sort::BitVec(32), scene)?,
        },
        kind: match op.has_kind() && !makes {
            true => load_kind(pool, cells, scene),
            false => zero,
        },
        me: scene.me(pool),
        holds: pool.bool(true),
        argument: args.get(1).map_or(zero, |a| scene.operand(pool, *a)),
    })
}

fn sync(
    pool: &mut TermPool,
    op: SyncOp,
    args: &[Operand],
    scene: &mut dyn Scene,
) -> Result<Option<TermId>, Unsupported> {
    let unsupported = || Unsupported(format!("{} over terms", op.name()));
    match op.class() {
        SyncClass::Cond => return condition(pool, op, args, scene),
        SyncClass::Thread if op == SyncOp::Yield => return Ok(None),
        SyncClass::Thread | SyncClass::Process => return Err(unsupported()),
        _ => {}
    }
    let cells = found(pool, args[0], 4, scene);
    let terms = &mut Terms(pool);
    let before = before(terms, op, args, &cells, scene)?;
    let transition = op.transition(terms, &before);
    let transition = transition.ok_or_else(unsupported)?;
    if op.can_block() {
        let enabled = transition.enabled(terms);
        scene.assume(terms.0, enabled);
    }
    if let Some(new) = transition.new_word(terms) {
        let changes = transition.changes(terms);
        let after = terms.0.ite(changes, new, before.word);
        store(terms.0, &cells, after, scene);
    }
    if op == SyncOp::MutexInit {
        for (meant, c) in &cells {
            if let Some(k) = c.kind {
                let old = scene.read(terms.0, k);
                let new = terms.0.ite(*meant, before.argument, old);
                scene.write(k, new);
            }
        }
    }
    Ok(op.result().map(|_| transition.result(terms)))
}

/// Condition variables. Where it is not kept who sleeps, sleepers may wake at any time, and nothing else matters.
fn condition(
    pool: &mut TermPool,
    op: SyncOp,
    args: &[Operand],
    scene: &mut dyn Scene,
) -> Result<Option<TermId>, Unsupported> {
    if let (true, Some(mine)) = (op.wakes_or_sleeps(), scene.sleep()) {
        return sleep(pool, op, args, (scene, mine));
    }
    match op.role() {
        Role::Sleep => {
            let timed = scene.operand(pool, args[1]);
            let timed = is(pool, timed, 1);
            let expires = scene.choose(pool, ChoiceClass::TimedWait.into(), Sort::Bool);
            let expires = pool.and(timed, expires);
            let asleep = pool.bool(false);
            Ok(Some(wakes_from_sleep(&mut Terms(pool), asleep, expires)))
        }
        _ => Ok(op.result().map(|_| number(pool, 0))),
    }
}
