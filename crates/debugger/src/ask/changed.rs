//! Programs in which an assertion fails where a question is answered with yes.
//!
//! *Reach*: before every instruction of the line. *Meet*: every thread counts itself in when it enters one of the two lines and out when it
//! leaves, and whoever comes second sees that the other is there. Counting out happens just before the last instruction of the line, where
//! the thread still is at the line; but behind a call into the library, because somebody who is blocked or asleep in there is at the line, too.
//! Both are exact: counting blocks nobody, so a thread can always be thought to count as late or as early as it likes. *Values*: before
//! the line, unless the variable has one of the values that are known.
//!
//! There are no atomic regions in what is inserted: programs without them are explored much faster.

use crate::ask::edit::{Edited, Editor};
use crate::ask::place::{Places, predecessors, successors};
use raddle_ir::{
    Access, BinaryOp, BlockId, CompareOp, DebugType, FuncId, GlobalId, InitValue, LocalId,
    Location, Op, Operand, Ordering, Program, RmwOp, Rvalue, SyncOp, Target, Ty, TypeId,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A program that fails when the line is reached, by somebody or by the thread with this handle.
pub fn reach(program: &Program, places: &Places, handle: Option<u64>) -> Edited {
    let mut editor = Editor::new(program);
    for at in places.iter() {
        let mut ops = Vec::new();
        let is = handle.map(|h| editor.is_thread(at.function, h, &mut ops));
        editor.alarm(at.function, is, &mut ops);
        editor.before(at, ops);
    }
    editor.finish()
}

/// A program that fails when somebody (or the thread with this handle) is at the first line while another is at the second; or why that cannot
/// be told exactly.
pub fn meet(
    program: &Program,
    one: &Places,
    handle: Option<u64>,
    other: &Places,
    same: bool,
) -> Result<Edited, String> {
    let mut editor = Editor::new(program);
    let mut presence = [
        Presence::new(program, one, handle, editor.counter())?,
        Presence::new(program, other, None, editor.counter())?,
    ];
    for p in &mut presence {
        p.begin(&mut editor);
    }
    // Whoever leaves one line and enters the other must not be taken for two.
    for p in &presence {
        p.leave(program, &mut editor);
    }
    let [mine, theirs] = &presence;
    for at in mine.enters(program) {
        let mut ops = Vec::new();
        let is = mine.enter(at, &mut editor, &mut ops);
        if same && theirs.enters(program).contains(&at) {
            theirs.enter(at, &mut editor, &mut ops);
        }
        let count = editor.read(at.function, theirs.counter, &mut ops);
        let least = 1 + i128::from(same);
        let mut there = at_least(&mut editor, at.function, count, least, &mut ops);
        if let Some(is) = is {
            there = editor.both(at.function, is, there, &mut ops);
        }
        editor.alarm(at.function, Some(there), &mut ops);
        if same && let Some(h) = handle {
            // The others come second here.
            let me = editor.is_thread(at.function, h, &mut ops);
            let count = editor.read(at.function, mine.counter, &mut ops);
            let there = at_least(&mut editor, at.function, count, 1, &mut ops);
            let another = negate(&mut editor, at.function, me, &mut ops);
            let both = editor.both(at.function, another, there, &mut ops);
            editor.alarm(at.function, Some(both), &mut ops);
        }
        editor.before(at, ops);
    }
    if !same {
        for at in theirs.enters(program) {
            let mut ops = Vec::new();
            theirs.enter(at, &mut editor, &mut ops);
            let count = editor.read(at.function, mine.counter, &mut ops);
            let there = at_least(&mut editor, at.function, count, 1, &mut ops);
            editor.alarm(at.function, Some(there), &mut ops);
            editor.before(at, ops);
        }
    }
    Ok(editor.finish())
}

fn at_least(
    editor: &mut Editor,
    function: FuncId,
    count: LocalId,
    least: i128,
    ops: &mut Vec<Op>,
) -> LocalId {
    let dst = editor.local(function, Ty::I1);
    ops.push(Op::Let {
        dst,
        value: Rvalue::Compare {
            op: CompareOp::SGe,
            ty: Ty::I32,
            a: Operand::Local(count),
            b: Operand::int(Ty::I32, least),
        },
    });
    dst
}

fn negate(editor: &mut Editor, function: FuncId, a: LocalId, ops: &mut Vec<Op>) -> LocalId {
    let dst = editor.local(function, Ty::I1);
    ops.push(Op::Let {
        dst,
        value: Rvalue::Select {
            ty: Ty::I1,
            cond: Operand::Local(a),
            a: Operand::int(Ty::I1, 0),
            b: Operand::int(Ty::I1, 1),
        },
    });
    dst
}

/// Who is at a line, as a counter.
struct Presence<'a> {
    places: &'a Places,
    handle: Option<u64>,
    counter: GlobalId,
    /// By function: whether this activation has counted itself in.
    flags: BTreeMap<FuncId, LocalId>,
    /// Instructions before which it counts itself out.
    out_before: BTreeSet<Location>,
    /// Instructions behind a call of the library before which it does.
    out_behind: BTreeSet<Location>,
}

impl<'a> Presence<'a> {
    fn new(
        program: &Program,
        places: &'a Places,
        handle: Option<u64>,
        counter: GlobalId,
    ) -> Result<Presence<'a>, String> {
        let mut flags = BTreeMap::new();
        let (mut out_before, mut out_behind) = (BTreeSet::new(), BTreeSet::new());
        let users_only = !points_into_library(program);
        for at in places.iter() {
            // Filled in by `begin`.
            flags.insert(at.function, LocalId(0));
            let start = Location {
                block: BlockId(0),
                index: 0,
                ..at
            };
            if !predecessors(program, start).is_empty() {
                return Err("a function that begins with a loop".into());
            }
            let next = successors(program, at);
            let leaves = next.is_empty() || next.iter().any(|n| !places.has(*n));
            match callee(program, at) {
                Callee::User => {
                    out_before.insert(at);
                }
                Callee::Library(f) if ends_thread(program, f) => {
                    if program.function_named("pthread_key_create").is_some() {
                        return Err("a thread that ends in this line with destructors".into());
                    }
                    out_before.insert(at);
                }
                Callee::Unknown if users_only => {
                    out_before.insert(at);
                }
                // Somebody called through a pointer is taken for the library: it may seem to be here when it is not, which is found out.
                Callee::Library(_) | Callee::Unknown => {
                    out_behind.extend(next.into_iter().filter(|n| !places.has(*n)));
                }
                Callee::None if leaves => {
                    out_before.insert(at);
                }
                Callee::None => {}
            }
        }
        Ok(Presence {
            places,
            handle,
            counter,
            flags,
            out_before,
            out_behind,
        })
    }

    /// Nobody is there when an activation begins.
    fn begin(&mut self, editor: &mut Editor) {
        for (function, flag) in &mut self.flags {
            *flag = editor.local(*function, Ty::I32);
            let start = Location {
                function: *function,
                block: BlockId(0),
                index: 0,
            };
            let set = Op::Let {
                dst: *flag,
                value: Rvalue::Use(Operand::int(Ty::I32, 0)),
            };
            editor.before(start, vec![set]);
        }
    }

    /// Where somebody may come to the line, or come back to it.
    fn enters(&self, program: &Program) -> BTreeSet<Location> {
        let fresh = |at: &Location| {
            let before = predecessors(program, *at);
            let start = at.block == BlockId(0) && at.index == 0;
            let ends_region =
                |p: &Location| matches!(program.instr(*p).map(|i| &i.op), Some(Op::AtomicEnd));
            let out = |p: &Location| {
                !self.places.has(*p) || self.out_before.contains(p) || ends_region(p)
            };
            start || before.iter().any(out)
        };
        self.places.iter().filter(fresh).collect()
    }

    /// Counts in, once; tells whether this is the thread that is meant, if one is.
    fn enter(&self, at: Location, editor: &mut Editor, ops: &mut Vec<Op>) -> Option<LocalId> {
        let f = at.function;
        let flag = self.flags[&f];
        let more = editor.local(f, Ty::I32);
        let binary = |op, a, b| Rvalue::Binary {
            op,
            ty: Ty::I32,
            a,
            b,
            checked: false,
        };
        let (one, zero) = (Operand::int(Ty::I32, 1), Operand::int(Ty::I32, 0));
        ops.push(Op::Let {
            dst: more,
            value: binary(BinaryOp::Sub, one, Operand::Local(flag)),
        });
        let is = self.handle.map(|h| editor.is_thread(f, h, ops));
        if let Some(is) = is {
            ops.push(Op::Let {
                dst: more,
                value: Rvalue::Select {
                    ty: Ty::I32,
                    cond: Operand::Local(is),
                    a: Operand::Local(more),
                    b: zero,
                },
            });
        }
        ops.push(Op::Let {
            dst: flag,
            value: binary(BinaryOp::Add, Operand::Local(flag), Operand::Local(more)),
        });
        ops.push(self.count(RmwOp::Add, more));
        is
    }

    fn leave(&self, program: &Program, editor: &mut Editor) {
        let out = |f: FuncId| {
            let flag = self.flags[&f];
            let clear = Op::Let {
                dst: flag,
                value: Rvalue::Use(Operand::int(Ty::I32, 0)),
            };
            vec![self.count(RmwOp::Sub, flag), clear]
        };
        for at in &self.out_behind {
            editor.behind(*at, out(at.function));
        }
        let enters = self.enters(program);
        // Who enters and leaves with the same instruction enters first, so this comes last there.
        for at in self.out_before.iter().filter(|at| !enters.contains(at)) {
            editor.before(*at, out(at.function));
        }
        for at in self.out_before.iter().filter(|at| enters.contains(at)) {
            editor.last(*at, out(at.function));
        }
    }

    fn count(&self, op: RmwOp, by: LocalId) -> Op {
        Op::Rmw {
            dst: None,
            op,
            ty: Ty::I32,
            addr: Operand::Global {
                id: self.counter,
                offset: 0,
            },
            value: Operand::Local(by),
            ordering: Ordering::SEQ_CST,
        }
    }
}

/// Who is called by an instruction.
enum Callee {
    None,
    User,
    Library(FuncId),
    Unknown,
}

fn callee(program: &Program, at: Location) -> Callee {
    match program.instr(at).map(|i| &i.op) {
        Some(Op::Call { callee, .. }) => match callee {
            Operand::Function(f) if program.function(*f).library => Callee::Library(*f),
            Operand::Function(f) if program.function(*f).has_body() => Callee::User,
            // Nothing of it is executed.
            Operand::Function(_) => Callee::None,
            _ => Callee::Unknown,
        },
        _ => Callee::None,
    }
}

/// Whether the user's code may have a pointer to a function of the library.
fn points_into_library(program: &Program) -> bool {
    let library = |f: FuncId| program.function(f).library;
    let in_data = program.globals.iter().flat_map(|g| &g.init).any(
        |i| matches!(i.value, InitValue::Address { target: Target::Function(f), .. } if library(f)),
    );
    let mut in_code = false;
    for f in program.functions.iter().filter(|f| !f.library) {
        for instr in f.blocks.iter().flat_map(|b| &b.instrs) {
            let mut op = instr.op.clone();
            // Whoever is called is not pointed to.
            let called = usize::from(matches!(op, Op::Call { .. }));
            let mut pointed = op.operands_mut().into_iter().skip(called);
            in_code |= pointed.any(|o| matches!(o, Operand::Function(f) if library(*f)));
        }
    }
    in_data || in_code
}

/// Whether a function, or one that it calls, may end the thread.
fn ends_thread(program: &Program, function: FuncId) -> bool {
    let (mut todo, mut seen) = (vec![function], BTreeSet::new());
    while let Some(f) = todo.pop() {
        if !seen.insert(f) {
            continue;
        }
        for instr in program.function(f).blocks.iter().flat_map(|b| &b.instrs) {
            match &instr.op {
                Op::Sync {
                    op: SyncOp::ThreadExit,
                    ..
                } => return true,
                Op::Call {
                    callee: Operand::Function(f),
                    ..
                } => todo.push(*f),
                _ => {}
            }
        }
    }
    false
}

/// By function: the register that holds the value that was asked for, and its type.
pub type Registers = HashMap<FuncId, (LocalId, Ty)>;

/// A program that fails when somebody (or the thread with this handle) gets to the line and the variable has none of these values, and where
/// the value is then.
pub fn other_value(
    program: &Program,
    places: &Places,
    handle: Option<u64>,
    variable: &str,
    known: &[u128],
) -> Result<(Edited, Registers), String> {
    let mut editor = Editor::new(program);
    let mut registers = Registers::new();
    for at in places.entries(program) {
        let f = at.function;
        let source = find(program, f, variable)?;
        let ty = source.ty();
        let (dst, _) = *registers
            .entry(f)
            .or_insert_with(|| (editor.local(f, ty), ty));
        let mut ops = vec![source.read(dst)];
        let is = handle.map(|h| editor.is_thread(f, h, &mut ops));
        let mut fresh = is;
        for value in known {
            let differs = editor.local(f, Ty::I1);
            ops.push(Op::Let {
                dst: differs,
                value: Rvalue::Compare {
                    op: CompareOp::Ne,
                    ty,
                    a: Operand::Local(dst),
                    b: Operand::Const { ty, bits: *value },
                },
            });
            fresh = Some(match fresh {
                Some(fresh) => editor.both(f, fresh, differs, &mut ops),
                None => differs,
            });
        }
        editor.alarm(f, fresh, &mut ops);
        editor.before(at, ops);
    }
    Ok((editor.finish(), registers))
}

/// Where a variable is.
enum Source {
    Register(LocalId, Ty),
    Memory(Operand, Ty),
}

impl Source {
    fn ty(&self) -> Ty {
        match self {
            Source::Register(_, ty) | Source::Memory(_, ty) => *ty,
        }
    }

    fn read(&self, dst: LocalId) -> Op {
        match *self {
            Source::Register(l, _) => Op::Let {
                dst,
                value: Rvalue::Use(Operand::Local(l)),
            },
            Source::Memory(addr, ty) => Op::Load {
                dst,
                ty,
                addr,
                access: Access::ATOMIC,
            },
        }
    }
}

/// The variable of a name that is meant in a function: one of its own, or a global one.
fn find(program: &Program, function: FuncId, name: &str) -> Result<Source, String> {
    let f = program.function(function);
    let mut all = Vec::new();
    for (n, local) in f.locals.iter().enumerate().filter(|(_, l)| l.name == name) {
        all.push(Ok(Source::Register(LocalId(n as u32), local.ty)));
    }
    for (n, slot) in f.slots.iter().enumerate().filter(|(_, s)| s.name == name) {
        let addr = Operand::Slot {
            id: raddle_ir::SlotId(n as u32),
            offset: 0,
        };
        all.push(slot.debug.and_then(|ty| scalar(program, ty)).map_or(
            Err(format!("`{name}` is no integer and no pointer")),
            |ty| Ok(Source::Memory(addr, ty)),
        ));
    }
    if all.is_empty() {
        let globals = program.globals.iter().enumerate();
        for (n, global) in globals.filter(|(_, g)| g.name == name) {
            let addr = Operand::Global {
                id: GlobalId(n as u32),
                offset: 0,
            };
            all.push(
                scalar(program, global.ty)
                    .map(|ty| Source::Memory(addr, ty))
                    .ok_or(format!("`{name}` is no integer and no pointer")),
            );
        }
    }
    match all.len() {
        0 => Err(format!("there is no `{name}` in {}", f.name)),
        1 => match all.remove(0) {
            Ok(source) if is_plain(source.ty()) => Ok(source),
            Ok(_) => Err(format!("`{name}` is no integer and no pointer")),
            Err(why) => Err(why),
        },
        _ => Err(format!("there are several `{name}` in {}", f.name)),
    }
}

fn is_plain(ty: Ty) -> bool {
    matches!(
        ty,
        Ty::I8 | Ty::I16 | Ty::I32 | Ty::I64 | Ty::I128 | Ty::Ptr
    )
}

fn scalar(program: &Program, ty: TypeId) -> Option<Ty> {
    match &program.types[ty.0 as usize] {
        DebugType::Int { size, .. } | DebugType::Enum { size, .. } => match size {
            1 => Some(Ty::I8),
            2 => Some(Ty::I16),
            4 => Some(Ty::I32),
            8 => Some(Ty::I64),
            16 => Some(Ty::I128),
            _ => None,
        },
        DebugType::Pointer { .. } => Some(Ty::Ptr),
        _ => None,
    }
}
