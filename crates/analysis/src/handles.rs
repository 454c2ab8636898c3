//! Where a program looks at the handle of a thread as a number.
//!
//! Which number a new thread's handle has depends on who else makes threads, and on whose handle comes back. Engines do not follow that: to them
//! handles are names, which are equal or not. So a program that adds to one, orders two or compares one with a number of its own is none for
//! them. A handle may be compared with another one and with zero, which is none.
//!
//! Questions of the debugger ask in the program itself, not through the library, whether a thread is one that there is already: its handle is settled.
//!
//! Facts are those of a program with a copy of `malloc` and `pthread_create` per call: otherwise what lies in one heap object lies in all.
//!
//! *Misses:* what the modelled library makes of a number that is given to it: the text that `snprintf` writes.

use crate::clones::Clones;
use crate::objects::{Object, ObjectId};
use crate::points_to::PointsTo;
use raddle_ir::{
    CastKind, FuncId, Function, Location, Op, Operand, Program, Rvalue, SyncOp, Terminator,
};

/// A place where a handle is looked at as a number, if there is one.
pub fn seen_as_number(program: &Program) -> Option<Location> {
    let syncs = |f: &Function, wanted: SyncOp| {
        let mut instrs = f.blocks.iter().flat_map(|b| &b.instrs);
        instrs.any(|i| matches!(i.op, Op::Sync { op, .. } if op == wanted))
    };
    let mut functions = program.functions.iter();
    if !functions.any(|f| syncs(f, SyncOp::ThreadNew)) {
        return None;
    }
    let clones = Clones::new(program);
    let program = &clones.program;
    // The library is there as far as it is used, be it through a pointer.
    let mut library = program.functions.iter().filter(|f| f.library);
    let looker = Looker {
        points_to: PointsTo::new(program),
        own: library.any(|f| syncs(f, SyncOp::ThreadSelf)),
    };
    for (f, function) in program.functions.iter().enumerate() {
        if function.library {
            continue;
        }
        let id = FuncId(f as u32);
        for (b, block) in function.blocks.iter().enumerate() {
            let place = |index: usize| {
                clones.origin_of(Location {
                    function: id,
                    block: raddle_ir::BlockId(b as u32),
                    index: index as u32,
                })
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

/// Whether nothing is done with handles but to keep them, to pass them on and to wait for their threads or detach them: then it makes no
/// difference to the program which handles new threads get, as long as it uses none of a thread that is over.
///
/// Here the library counts: it keeps tables by handle for some of its functions.
pub fn only_waited_for(program: &Program) -> bool {
    let clones = Clones::new(program);
    let program = &clones.program;
    let looker = Looker {
        points_to: PointsTo::new(program),
        own: true,
    };
    // Bytes of a handle, and handles in memory that are changed or compared there.
    let apart = |at: Location, op: &Op| {
        let looks = match op {
            Op::Load { ty, .. } => ty.bytes(program.model) < 4,
            Op::Rmw { .. } | Op::Cas { .. } => true,
            _ => false,
        };
        let objects = looker.points_to.objects();
        let holds = |o: ObjectId| {
            let all = looker.points_to.contents(o);
            (all.iter()).any(|t| matches!(objects.get(t.object), Object::Thread(_)))
        };
        let accessed = looker.points_to.accessed(program, at);
        let mut accessed = accessed.iter().map(|t| t.object);
        looks && accessed.any(|o| o == ObjectId::UNKNOWN || holds(o))
    };
    let passes_on = |f: FuncId, op: &Op| {
        let mut copy = op.clone();
        let mut operands = copy.operands_mut().into_iter().map(|o| *o);
        let is = |o: &Operand| looker.is_handle(f, *o);
        match op {
            Op::Let {
                value: Rvalue::Use(_) | Rvalue::Select { .. },
                ..
            } => true,
            Op::Let {
                value:
                    Rvalue::Cast {
                        kind: CastKind::IntToPtr | CastKind::PtrToInt,
                        ..
                    },
                ..
            } => true,
            Op::Load { addr, .. } | Op::Store { addr, .. } => !is(addr),
            Op::Call { callee, .. } => match callee {
                Operand::Function(g) if !program.function(*g).has_body() => {
                    !operands.any(|o| is(&o))
                }
                callee => !is(callee),
            },
            Op::Sync {
                op: SyncOp::ThreadStart | SyncOp::ThreadJoin | SyncOp::ThreadDetach,
                ..
            } => true,
            _ => !operands.any(|o| is(&o)),
        }
    };
    program.functions.iter().enumerate().all(|(f, function)| {
        let id = FuncId(f as u32);
        function.blocks.iter().enumerate().all(|(b, block)| {
            let at = |index: usize| Location {
                function: id,
                block: raddle_ir::BlockId(b as u32),
                index: index as u32,
            };
            let decides = match &block.terminator {
                Terminator::Switch { value, .. } => looker.is_handle(id, *value),
                Terminator::Branch { cond, .. } => looker.is_handle(id, *cond),
                _ => false,
            };
            let mut instrs = block.instrs.iter().enumerate();
            !decides && instrs.all(|(n, i)| passes_on(id, &i.op) && !apart(at(n), &i.op))
        })
    })
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

#[cfg(test)]
mod tests {
    use super::seen_as_number;

    fn is_seen(body: &str) -> bool {
        let text = format!(
            "typedef unsigned long pthread_t;
            extern int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
            extern int pthread_join(pthread_t, void **); extern pthread_t pthread_self(void);
            extern int pthread_equal(pthread_t, pthread_t);
            pthread_t t, u; int x; pthread_t (*who)(void); void *w(void *a) {{ return a; }}
            extern void *malloc(unsigned long); void *w0(void *a) {{ return a; }}
            int main(void) {{ pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); {body} pthread_join(t, 0); return 0; }}"
        );
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("t.i", &text, &options).expect("valid C");
        seen_as_number(&program).is_some()
    }

    #[test]
    fn a_handle_is_a_name() {
        for names in [
            "",
            "x = t == u;",
            "x = t != 0;",
            "x = pthread_equal(t, pthread_self());",
            "pthread_t copy = u; pthread_join(copy, 0);",
            "x = x + 1; x = x < 3;",
            "struct { pthread_t t; int id; } w[2]; for (int i = 0; i < 2; i++) { w[i].id = i + 1; pthread_create(&w[i].t, 0, w0, &w[i]); }
             for (int i = 0; i < 2; i++) { x += w[i].id; pthread_join(w[i].t, 0); }",
            "pthread_t *p = malloc(8); int *n = malloc(4); *n = 3; pthread_create(p, 0, w0, n); x = *n + 1;",
        ] {
            assert!(!is_seen(names), "{names}");
        }
    }

    #[test]
    fn what_else_is_done_with_it_depends_on_its_number() {
        for numbers in [
            "x = t < u;",
            "x = t != 2;",
            "x = (int)t;",
            "x = t % 8 == 1;",
            "switch (t) { case 3: x = 1; }",
            "x = pthread_self() == 1;",
            "who = pthread_self; x = who() == 1;",
            "struct { pthread_t t; int id; } w[2]; pthread_create(&w[x].t, 0, w0, 0); x = ((int *)&w[1])[x] + 1;",
            "union { pthread_t t; int n; } w; w.t = t; x = w.n + 1;",
            "unsigned char *p = (unsigned char *)&t; x = p[1] + 1;",
            "pthread_t *p = malloc(8); *p = t; x = *p > 3;",
        ] {
            assert!(is_seen(numbers), "{numbers}");
        }
    }
}
