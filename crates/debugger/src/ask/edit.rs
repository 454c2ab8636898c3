//! A copy of a program with instructions inserted, and where everything has gone.
//!
//! What is asked about a state is made an assertion that fails there. Before the state in which the question is asked it must not fail, so every
//! inserted assertion holds if an arbitrary bit is set ([`Editor::alarm`]); on the way to that state the bit is always set, from there on
//! engines try both.

use raddle_interp::{Choice, Choices, Machine, ThreadId};
use raddle_ir::{
    Access, BlockId, DebugType, FuncId, Global, GlobalId, Instr, Local, LocalId, Location, Op,
    Operand, Program, Property, Rvalue, Span, SyncOp, TextId, Ty, TypeId,
};
use raddle_verdict::Beginning;
use std::collections::BTreeMap;

/// What is inserted before an instruction.
#[derive(Clone, Debug, Default)]
struct Insertion {
    /// What belongs to the instruction before it: a thread does it at once.
    closing: Vec<Op>,
    /// What belongs to this instruction.
    opening: Vec<Op>,
    /// The same, behind all of that.
    last: Vec<Op>,
}

/// A program that is being changed.
pub struct Editor {
    program: Program,
    insertions: BTreeMap<Location, Insertion>,
}

impl Editor {
    /// A copy. Assertions stop whoever fails them, so that nothing but what is inserted can fail.
    pub fn new(program: &Program) -> Editor {
        let mut program = program.clone();
        let blocks = program.functions.iter_mut().flat_map(|f| &mut f.blocks);
        for instr in blocks.flat_map(|b| &mut b.instrs) {
            if let Op::Assert {
                cond,
                property: Property::UnreachCall,
                ..
            } = instr.op
            {
                instr.op = Op::Assume { cond };
            }
        }
        Editor {
            program,
            insertions: BTreeMap::new(),
        }
    }

    /// The data model's integer that is as wide as a pointer.
    pub fn word(&self) -> Ty {
        self.program.model.pointer_int()
    }

    /// A new register.
    pub fn local(&mut self, function: FuncId, ty: Ty) -> LocalId {
        let locals = &mut self.program.functions[function.0 as usize].locals;
        locals.push(Local {
            name: String::new(),
            ty,
            debug: None,
        });
        LocalId(locals.len() as u32 - 1)
    }

    /// A new global integer of 32 bits that is zero.
    pub fn counter(&mut self) -> GlobalId {
        let ty = TypeId(self.program.types.len() as u32);
        self.program.types.push(DebugType::Int {
            name: "int".into(),
            size: 4,
            signed: true,
        });
        self.program.globals.push(Global {
            name: "(counter)".into(),
            size: 4,
            align: 4,
            ty,
            thread_local: false,
            constant: false,
            external: false,
            init: Vec::new(),
            span: Span::NOWHERE,
        });
        GlobalId(self.program.globals.len() as u32 - 1)
    }

    /// Inserts before an instruction, behind what was inserted there.
    pub fn before(&mut self, at: Location, ops: Vec<Op>) {
        self.insertions.entry(at).or_default().opening.extend(ops);
    }

    /// Inserts directly before an instruction, whatever else is inserted there.
    pub fn last(&mut self, at: Location, ops: Vec<Op>) {
        self.insertions.entry(at).or_default().last.extend(ops);
    }

    /// Inserts before an instruction what belongs to the end of the one before it.
    pub fn behind(&mut self, at: Location, ops: Vec<Op>) {
        self.insertions.entry(at).or_default().closing.extend(ops);
    }

    /// Whether this thread is the one with a handle: a truth value.
    pub fn is_thread(&mut self, function: FuncId, handle: u64, ops: &mut Vec<Op>) -> LocalId {
        let ty = self.word();
        let me = self.local(function, ty);
        let is = self.local(function, Ty::I1);
        ops.push(Op::Sync {
            dst: Some(me),
            op: SyncOp::ThreadSelf,
            args: Vec::new(),
        });
        ops.push(Op::Let {
            dst: is,
            value: Rvalue::Compare {
                op: raddle_ir::CompareOp::Eq,
                ty,
                a: Operand::Local(me),
                b: Operand::int(ty, i128::from(handle)),
            },
        });
        is
    }

    /// Both of two truth values.
    pub fn both(&mut self, function: FuncId, a: LocalId, b: LocalId, ops: &mut Vec<Op>) -> LocalId {
        let dst = self.local(function, Ty::I1);
        ops.push(Op::Let {
            dst,
            value: Rvalue::Select {
                ty: Ty::I1,
                cond: Operand::Local(a),
                a: Operand::Local(b),
                b: Operand::int(Ty::I1, 0),
            },
        });
        dst
    }

    /// Fails, or goes on, if the condition is true (or in any case).
    pub fn alarm(&mut self, function: FuncId, condition: Option<LocalId>, ops: &mut Vec<Op>) {
        let calm = self.local(function, Ty::I1);
        ops.push(Op::Havoc { dst: calm });
        let cond = match condition {
            None => calm,
            Some(condition) => {
                let fine = self.local(function, Ty::I1);
                ops.push(Op::Let {
                    dst: fine,
                    value: Rvalue::Select {
                        ty: Ty::I1,
                        cond: Operand::Local(condition),
                        a: Operand::Local(calm),
                        b: Operand::int(Ty::I1, 1),
                    },
                });
                fine
            }
        };
        let message = self.program.intern("this is what was asked for");
        ops.push(Op::Assert {
            cond: Operand::Local(cond),
            property: Property::UnreachCall,
            message,
        });
    }

    /// Reads a counter.
    pub fn read(&mut self, function: FuncId, counter: GlobalId, ops: &mut Vec<Op>) -> LocalId {
        let dst = self.local(function, Ty::I32);
        ops.push(Op::Load {
            dst,
            ty: Ty::I32,
            addr: Operand::Global {
                id: counter,
                offset: 0,
            },
            access: Access::ATOMIC,
        });
        dst
    }

    /// The changed program.
    pub fn finish(self) -> Edited {
        let mut program = self.program;
        let mut origins = Vec::new();
        for (f, function) in program.functions.iter_mut().enumerate() {
            let mut blocks = Vec::new();
            for (b, block) in function.blocks.iter_mut().enumerate() {
                let old = std::mem::take(&mut block.instrs);
                let count = old.len() as u32;
                let mut origin = Vec::new();
                let mut old = old.into_iter();
                for index in 0..=count {
                    let at = Location {
                        function: FuncId(f as u32),
                        block: BlockId(b as u32),
                        index,
                    };
                    let instr = old.next();
                    if let Some(new) = self.insertions.get(&at) {
                        let span = instr.as_ref().map_or(block.terminator_span, |i| i.span);
                        let closing = new.closing.iter().map(|op| (op, Origin::Closing));
                        let opening = new.opening.iter().chain(&new.last);
                        let opening = opening.map(|op| (op, Origin::Opening));
                        for (op, kind) in closing.chain(opening) {
                            origin.push(kind);
                            block.instrs.push(Instr {
                                op: op.clone(),
                                span,
                                text: TextId::default(),
                            });
                        }
                    }
                    origin.push(Origin::Old(index));
                    block.instrs.extend(instr);
                }
                blocks.push(origin);
            }
            origins.push(blocks);
        }
        Edited { program, origins }
    }
}

/// Where an instruction of a changed program comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Origin {
    /// It was there, at this position.
    Old(u32),
    /// It was inserted.
    Opening,
    /// It was inserted, and belongs to the instruction before it.
    Closing,
}

/// A changed program.
pub struct Edited {
    /// The program.
    pub program: Program,
    /// By function, block and position.
    origins: Vec<Vec<Vec<Origin>>>,
}

/// How many inserted instructions a thread may meet in a row.
const MOST: usize = 10_000;

impl Edited {
    fn origin(&self, at: Location) -> Origin {
        let blocks = &self.origins[at.function.0 as usize];
        blocks[at.block.0 as usize][at.index as usize]
    }

    /// Where an instruction was before, unless it was inserted.
    pub fn original(&self, at: Location) -> Option<Location> {
        match self.origin(at) {
            Origin::Old(index) => Some(Location { index, ..at }),
            Origin::Opening | Origin::Closing => None,
        }
    }

    /// The same run in the changed program, from its start: threads do what was inserted as late as they can, except for
    /// what belongs to the end of an instruction.
    pub fn carry(&self, run: &Beginning) -> Result<Beginning, String> {
        // Only somebody who waits with a time limit notices the difference.
        self.carry_once(run, true)
            .or_else(|_| self.carry_once(run, false))
    }

    fn carry_once(&self, run: &Beginning, spurious_wakeups: bool) -> Result<Beginning, String> {
        let config = raddle_interp::Config {
            checks: raddle_interp::Checks::none(),
            spurious_wakeups,
            output: false,
            single: true,
            ..raddle_interp::Config::default()
        };
        let mut carried = Beginning::default();
        let mut answers = Mixed::new(self, &run.before);
        let mut machine = Machine::new(&self.program, config, &mut answers);
        carried.before = answers.all()?;
        for (thread, given) in &run.steps {
            let t = ThreadId(*thread);
            if !machine.threads().any(|known| known == t) {
                return Err("a thread is missing".into());
            }
            self.inserted(&mut machine, t, false, &mut carried)?;
            let mut answers = Mixed::new(self, given);
            machine.step(t, &mut answers);
            carried.steps.push((t.0, answers.all()?));
            self.inserted(&mut machine, t, true, &mut carried)?;
        }
        Ok(carried)
    }

    /// Lets a thread do what was inserted, or only what belongs to the end of an instruction.
    fn inserted(
        &self,
        machine: &mut Machine<'_>,
        t: ThreadId,
        only_closing: bool,
        carried: &mut Beginning,
    ) -> Result<(), String> {
        for _ in 0..MOST {
            let Some(at) = machine.thread(t).location() else {
                return Ok(());
            };
            match self.origin(at) {
                Origin::Old(_) => return Ok(()),
                Origin::Opening if only_closing => return Ok(()),
                Origin::Opening | Origin::Closing => {}
            }
            let mut answers = Mixed::new(self, &[]);
            machine.step(t, &mut answers);
            carried.steps.push((t.0, answers.all()?));
        }
        Err("too much was inserted".into())
    }
}

/// The given answers for the program's own questions, and a set bit for those of inserted instructions.
struct Mixed<'a> {
    edited: &'a Edited,
    given: std::slice::Iter<'a, u128>,
    all: Vec<u128>,
    short: bool,
}

impl<'a> Mixed<'a> {
    fn new(edited: &'a Edited, given: &'a [u128]) -> Mixed<'a> {
        Mixed {
            edited,
            given: given.iter(),
            all: Vec::new(),
            short: false,
        }
    }

    /// All answers that were given, if they fitted.
    fn all(self) -> Result<Vec<u128>, String> {
        match self.short || self.given.len() > 0 {
            true => Err("the answers do not fit".into()),
            false => Ok(self.all),
        }
    }
}

impl Choices for Mixed<'_> {
    fn choose(&mut self, choice: &Choice) -> u128 {
        let value = match self.edited.original(choice.at) {
            Some(_) => self.given.next().copied(),
            // Of what nobody wrote an inserted instruction must not be the first reader.
            None => (choice.bits == 1).then_some(1),
        };
        self.short |= value.is_none();
        self.all.push(value.unwrap_or(0));
        value.unwrap_or(0)
    }
}
