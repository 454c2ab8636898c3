//! A row over terms: the word and the kind that the interpreter found are constants, so everything else is.

use crate::rows::Row;
use crate::{Found, Outcome};
use raddle_ir::{ChoiceClass, DataModel, LocalId, Op, Operand, Property, SyncClass, SyncOp, Ty};
use raddle_solver::term::{Sort, Term, TermId, TermPool};
use raddle_symbolic::{Candidate, CellKey, ChosenKind, Scene, execute, wrong};

const MODEL: DataModel = DataModel::Lp64;
const ADDRESS: u128 = 0x1000;

/// An object, its kind, and a thread before it.
struct Table {
    cells: [TermId; 2],
    result: Option<TermId>,
    /// Whether it goes on.
    goes: TermId,
}

impl Scene for Table {
    fn operand(&mut self, pool: &mut TermPool, operand: Operand) -> TermId {
        match operand {
            Operand::Const { bits, .. } => pool.bits(32, bits),
            _ => pool.bits(64, ADDRESS),
        }
    }
    fn assign(&mut self, _: LocalId, value: TermId) {
        self.result = Some(value);
    }
    fn type_of(&self, _: LocalId) -> Ty {
        Ty::I32
    }
    fn candidates(&self) -> Vec<Candidate> {
        vec![Candidate {
            address: ADDRESS as u64,
            cell: 0,
            kind: Some(1),
        }]
    }
    fn read(&mut self, _: &mut TermPool, cell: CellKey) -> TermId {
        self.cells[cell as usize]
    }
    fn write(&mut self, cell: CellKey, value: TermId) {
        self.cells[cell as usize] = value;
    }
    fn choose(&mut self, pool: &mut TermPool, kind: ChosenKind, sort: Sort) -> TermId {
        assert_eq!(kind, ChosenKind::Answer(ChoiceClass::TimedWait));
        assert_eq!(sort, Sort::Bool);
        pool.bool(false)
    }
    fn assume(&mut self, pool: &mut TermPool, condition: TermId) {
        self.goes = pool.and(self.goes, condition);
    }
    fn require(&mut self, pool: &mut TermPool, condition: TermId, _: Property) {
        self.goes = pool.and(self.goes, condition);
    }
    fn me(&mut self, pool: &mut TermPool) -> TermId {
        pool.bits(32, 1)
    }
}

fn truth(pool: &TermPool, term: TermId) -> bool {
    match pool.term(term) {
        Term::Bool(value) => *value,
        other => panic!("no constant: {other:?}"),
    }
}

fn number(pool: &TermPool, term: TermId) -> u32 {
    match pool.term(term) {
        Term::Bits { value, .. } => *value as u32,
        other => panic!("no constant: {other:?}"),
    }
}

/// What the symbolic semantics says otherwise than the reference.
pub fn differs(row: &Row, found: &Found) -> Vec<String> {
    if row.op.class() == SyncClass::Thread {
        return Vec::new();
    }
    // Condition variables need not be there, their words are not looked at, and who sleeps is for the scene.
    // Who gives back a reader-writer lock has to know that it is held.
    if row.op.class() == SyncClass::Cond || (row.op == SyncOp::RwUnlock && found.misuse) {
        return Vec::new();
    }
    let mut pool = TermPool::new();
    let mut table = Table {
        cells: [
            pool.bits(32, found.before.into()),
            pool.bits(32, found.kind.into()),
        ],
        result: None,
        goes: pool.bool(true),
    };
    let mut args = vec![Operand::Local(LocalId(0))];
    args.extend(row.argument.map(|a| Operand::Const {
        ty: Ty::I32,
        bits: a.into(),
    }));
    let op = Op::Sync {
        dst: row.op.result().map(|_| LocalId(1)),
        op: row.op,
        args,
    };
    let misuse = wrong(&mut pool, MODEL, (Property::ValidSync, &op), &mut table);
    let mut different = Vec::new();
    if let Ok(misuse) = misuse {
        // Whether a semaphore was initialised, and whether a thread took the lock whose word names it, is not told by a word.
        let is = truth(&pool, misuse);
        let told = !row.state.starts_with("never") && !row.state.starts_with("word of mine");
        if is != found.misuse && (told || is) {
            different.push(format!("terms: misuse {is}"));
        }
    }
    if let Err(why) = execute(&mut pool, MODEL, &op, &mut table) {
        different.push(format!("terms: {why:?}"));
        return different;
    }
    let goes = truth(&pool, table.goes);
    let is = match goes {
        true => Outcome::Goes {
            code: table.result.map_or(0, |r| number(&pool, r)),
            word: number(&pool, table.cells[0]),
        },
        false => Outcome::Blocks,
    };
    if is != found.outcome {
        let expected = found.outcome;
        different.push(format!(
            "terms: {is:?}, but {expected:?} in the interpreter"
        ));
    }
    different
}
