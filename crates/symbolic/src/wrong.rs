//! When an instruction violates a property, over terms: divisions without a quotient, bad shifts, misuse of synchronisation objects.
//!
//! The counterpart of the interpreter's reports of `no-div-zero`, `no-bad-shift` and, as far as the word of a lock or semaphore decides it,
//! of `valid-sync`. Whether an object was initialised, and whether threads sleep on a condition variable, is not told by a word: that is the
//! caller's business.

use crate::compute::{Operands, Unsupported, rvalue};
use crate::effect::{Found, Scene, Terms, before, meant};
use crate::value::{Value, sort_of};
use raddle_ir::{ChoiceClass, DataModel, Op, Operand, Property, SyncClass, SyncOp, Ty};
use raddle_solver::term::{TermId, TermPool};

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
            misuse(pool, *op, args, scene)
        }
        _ => Err(Unsupported("a violation by another instruction".into())),
    }
}

/// When the word of a synchronisation object makes an operation on it a misuse. An address that is none of an object stops the thread, and is
/// no misuse.
fn misuse(
    pool: &mut TermPool,
    op: SyncOp,
    args: &[Operand],
    scene: &mut dyn Scene,
) -> Result<TermId, Unsupported> {
    if scene.elsewhere() {
        let what = "a synchronisation object among many";
        return Err(Unsupported(what.into()));
    }
    let unsupported = || Unsupported(format!("misuse by {}", op.name()));
    // The word of a reader-writer lock does not tell who holds it, and that of a condition variable is not kept.
    if op == SyncOp::RwUnlock || op.class() == SyncClass::Cond {
        return Err(unsupported());
    }
    let address = scene.operand(pool, args[0]);
    let (cells, any): (Found, TermId) = meant(pool, address, scene);
    if cells.is_empty() {
        return Ok(pool.bool(false));
    }
    let terms = &mut Terms(pool);
    let before = before(terms, op, args, &cells, scene)?;
    let bad = op.misuse(terms, &before);
    let bad = bad.ok_or_else(unsupported)?;
    Ok(pool.and(any, bad))
}
