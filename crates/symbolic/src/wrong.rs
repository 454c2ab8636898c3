//! When an instruction violates a property, over terms: divisions without a quotient, bad shifts, misuse of synchronisation objects.
//!
//! The counterpart of the interpreter's reports of `no-div-zero`, `no-bad-shift` and, as far as the word of a lock or semaphore decides it,
//! of `valid-sync`. Whether an object was initialised, and whether threads sleep on a condition variable, is not told by a word: that is the
//! caller's business.

use crate::compute::{Operands, Unsupported, rvalue};
use crate::effect::{Found, Scene, is, load, load_kind, meant, number};
use crate::value::{Value, sort_of};
use raddle_ir::{ChoiceClass, DataModel, Op, Operand, Property, SyncOp, Ty, layout};
use raddle_solver::term::{Sort, TermId, TermPool};

/// Operands without choices: what an undefined computation yields does not matter here.
struct Plain<'a>(&'a mut dyn Scene, DataModel);

impl Operands for Plain<'_> {
    fn operand(&mut self, pool: &mut TermPool, operand: Operand) -> Value {
        Value::number(self.0.operand(pool, operand))
    }
    fn arbitrary(&mut self, pool: &mut TermPool, ty: Ty) -> TermId {
        pool.fresh_var(ChoiceClass::BadShift.name(), sort_of(ty, self.1))
    }
}

/// When an instruction violates a property.
pub fn wrong(
    pool: &mut TermPool,
    model: DataModel,
    (property, op): (Property, &Op),
    scene: &mut dyn Scene,
) -> Result<TermId, Unsupported> {
    match op {
        Op::Let { value, .. } => {
            let computed = rvalue(pool, model, value, &mut Plain(scene, model))?;
            let mut checks = computed.checks.iter();
            let found = checks.find(|c| c.property == property);
            Ok(match found {
                Some(check) => check.violated,
                None => pool.bool(false),
            })
        }
        Op::Sync { op, args, .. } if property == Property::ValidSync => {
            misuse(pool, *op, args[0], scene)
        }
        _ => Err(Unsupported("a violation by another instruction".into())),
    }
}

/// When the word of a synchronisation object makes an operation on it a misuse. An address that is none of an object stops the thread, and is
/// no misuse.
fn misuse(
    pool: &mut TermPool,
    op: SyncOp,
    address: Operand,
    scene: &mut dyn Scene,
) -> Result<TermId, Unsupported> {
    use SyncOp::*;
    if scene.elsewhere() {
        let what = "a synchronisation object among many";
        return Err(Unsupported(what.into()));
    }
    let address = scene.operand(pool, address);
    let (cells, any): (Found, TermId) = meant(pool, address, scene);
    if cells.is_empty() {
        return Ok(pool.bool(false));
    }
    let word = load(pool, &cells, Sort::BitVec(32), scene)?;
    let destroyed = is(pool, word, layout::DESTROYED);
    let bad = match op {
        MutexLock | MutexTryLock | MutexTimedLock | SpinLock | SpinTryLock | RwReadLock
        | RwTryReadLock | RwTimedReadLock | RwWriteLock | RwTryWriteLock | RwTimedWriteLock
        | SemWait | SemTryWait | SemTimedWait | SemPost | SemDestroy => destroyed,
        MutexDestroy | SpinDestroy | RwDestroy => {
            let free = is(pool, word, 0);
            pool.not(free)
        }
        MutexUnlock | SpinUnlock => {
            let me = scene.me(pool);
            let mask = number(pool, layout::OWNER);
            let owner = pool.bv_and(word, mask);
            let mine = pool.eq(owner, me);
            let stranger = pool.not(mine);
            let misses = pool.or(stranger, destroyed);
            match op {
                SpinUnlock => misses,
                // An error-checking or recursive mutex says so itself, even if it was destroyed.
                _ => {
                    let kind = load_kind(pool, &cells, scene);
                    let checking = is(pool, kind, layout::ERRORCHECK);
                    let recursive = is(pool, kind, layout::RECURSIVE);
                    let refuses = pool.or(checking, recursive);
                    let gives = pool.not(refuses);
                    pool.and(misses, gives)
                }
            }
        }
        _ => return Err(Unsupported(format!("misuse by {}", op.name()))),
    };
    Ok(pool.and(any, bad))
}
