//! Where a program looks at the handle of a thread as a number.
//!
//! Which number a new thread's handle has depends on who else makes threads, and on whose handle comes back. Engines do not follow that: to them
//! handles are names, which are equal or not. So a program that adds to one, orders two or compares one with a number of its own is none for
//! them. A handle may be compared with another one and with zero, which is none.
//!
//! Questions of the debugger ask in the program itself, not through the library, whether a thread is one that there is already: its handle is settled.
//!
//! *Misses:* what the modelled library makes of a number that is given to it: the text that `snprintf` writes.

use crate::objects::Object;
use crate::points_to::PointsTo;
use raddle_ir::{CastKind, FuncId, Location, Op, Operand, Program, Rvalue, SyncOp, Terminator};

/// A place where a handle is looked at as a number, if there is one.
pub fn seen_as_number(program: &Program) -> Option<Location> {
    let ops = |f: &raddle_ir::Function| {
        let instrs = f.blocks.iter().flat_map(|b| &b.instrs);
        instrs.map(|i| i.op.clone()).collect::<Vec<Op>>()
    };
    let syncs = |f: &raddle_ir::Function, wanted: SyncOp| {
        let is = |o: &Op| matches!(o, Op::Sync { op, .. } if *op == wanted);
        ops(f).iter().any(is)
    };
    let calls = |wanted: SyncOp| {
        let asks = |f: &FuncId| program.function(*f).library && syncs(program.function(*f), wanted);
        let user = program.functions.iter().filter(|f| !f.library);
        let called = |op: &Op| match op {
            Op::Call {
                callee: Operand::Function(f),
                ..
            } => asks(f),
            _ => false,
        };
        user.flat_map(ops).any(|op| called(&op))
    };
    if !program
        .functions
        .iter()
        .any(|f| syncs(f, SyncOp::ThreadNew))
    {
        return None;
    }
    let looker = Looker {
        points_to: PointsTo::new(program),
        own: calls(SyncOp::ThreadSelf),
    };
    for (f, function) in program.functions.iter().enumerate() {
        if function.library {
            continue;
        }
        let id = FuncId(f as u32);
        for (b, block) in function.blocks.iter().enumerate() {
            let place = |index: usize| Location {
                function: id,
                block: raddle_ir::BlockId(b as u32),
                index: index as u32,
            };
            let asked = |o: &Operand| {
                let by = |i: &raddle_ir::Instr| match i.op {
                    Op::Sync { dst, op, .. } => {
                        op == SyncOp::ThreadSelf && dst.map(Operand::Local) == Some(*o)
                    }
                    _ => false,
                };
                block.instrs.iter().any(by)
            };
            let number = |i: &raddle_ir::Instr| match &i.op {
                Op::Let {
                    value: Rvalue::Compare { op, a, .. },
                    ..
                } if !op.orders() && asked(a) => false,
                Op::Let { value, .. } => looker.looks(id, value),
                _ => false,
            };
            if let Some(i) = block.instrs.iter().position(number) {
                return Some(place(i));
            }
            if let Terminator::Switch { value, .. } = block.terminator
                && looker.is_handle(id, value)
            {
                return Some(place(block.instrs.len()));
            }
        }
    }
    None
}

struct Looker {
    points_to: PointsTo,
    /// Threads ask for their own handles, which may then be anywhere.
    own: bool,
}

impl Looker {
    fn is_handle(&self, f: FuncId, o: Operand) -> bool {
        let objects = self.points_to.objects();
        let mut targets = self.points_to.targets(f, o).iter();
        targets.any(|t| match objects.get(t.object) {
            Object::Thread(_) => true,
            Object::Unknown => self.own,
            _ => false,
        })
    }

    fn looks(&self, f: FuncId, value: &Rvalue) -> bool {
        let is = |o: &Operand| self.is_handle(f, *o);
        let zero = |o: &Operand| matches!(o, Operand::Const { bits: 0, .. });
        match value {
            Rvalue::Unary { a, .. } => is(a),
            Rvalue::Binary { a, b, .. } => is(a) || is(b),
            Rvalue::Compare { op, a, b, .. } if op.orders() => is(a) || is(b),
            Rvalue::Compare { a, b, .. } => {
                let plain = |o: &Operand| is(o) || zero(o);
                (is(a) || is(b)) && !(plain(a) && plain(b))
            }
            Rvalue::Cast { kind, a, .. } => {
                !matches!(kind, CastKind::IntToPtr | CastKind::PtrToInt) && is(a)
            }
            _ => false,
        }
    }
}
