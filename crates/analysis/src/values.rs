//! What locals and memory may hold: intervals, and pointers with objects and offsets, for any number of threads and iterations.
//!
//! Thread-modular abstract interpretation without relations (Miné, "Static analysis of run-time errors in embedded critical parallel C
//! programs", 2011): locals are followed in the order of instructions; a cell of memory holds whatever any thread may ever store there, so no
//! interleaving has to be looked at. Functions are not told apart by caller, but small ones have a copy for every call
//! ([`crate::clones`]). At the heads of loops, bounds that still move go to the next constant of the function (widening with
//! thresholds); conditions make them smaller again.
//!
//! An execution is followed up to its first undefined step: an invalid access or a division without quotient ends the thread.
//! What a function without a body returns is anything; it writes nothing.
//!
//! What it misses: relations between variables (`i < n` with an unknown `n`), the order of threads, floating point, elements of an array.

mod domain;
mod memory;

pub use domain::{Pointer, Value};

use crate::evident::uninit::Flow;
use crate::facts::Facts;
use crate::loops::successors;
use crate::objects::{Object, ObjectId};
use domain::{binary, cast, compare, negated, where_it_holds};
use memory::Memory;
use raddle_ir::{
    BlockId, FuncId, Function, LocalId, Location, Op, Operand, RmwOp, Rvalue, SyncOp, Terminator,
    Ty, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet};

/// After so many changes a value is widened.
const PATIENCE: u32 = 4;
/// Instructions that are evaluated, and values that are copied, before the analysis gives up.
const EFFORT: u64 = 100_000_000;
/// Values that are kept at most: one for each local before each block.
const KEPT: usize = 4_000_000;

/// Sees an instruction, and what an operand may be before it.
pub type See<'s> = dyn FnMut(Location, &Op, &dyn Fn(Operand) -> Value) + 's;

/// The values of locals before a block.
type State = Vec<Value>;

/// What is known of a function.
#[derive(Default)]
struct Known {
    /// Before each block that is reached, and how often it has changed.
    blocks: Vec<Option<(State, u32)>>,
    /// What it returns; `None` as long as it does not return.
    returns: Option<Value>,
    returns_changed: u32,
    /// Blocks that a later block of the function goes to.
    heads: BTreeSet<BlockId>,
    /// Numbers at which bounds stop.
    marks: BTreeSet<i128>,
}

/// The values of a program.
pub struct Values<'a> {
    facts: &'a Facts,
    unwritten: Flow<'a>,
    functions: Vec<Known>,
    memory: Memory,
    /// The blocks that read an object.
    readers: BTreeMap<ObjectId, BTreeSet<(FuncId, BlockId)>>,
    /// The blocks whose state changed, or what they read.
    dirty: BTreeSet<(FuncId, BlockId)>,
    effort: u64,
}

impl<'a> Values<'a> {
    /// Finds them, if that does not take too long.
    pub fn new(facts: &'a Facts) -> Option<Values<'a>> {
        let program = facts.program();
        let all = program.instructions();
        let reached: Vec<(Location, &Op)> = all
            .filter(|(at, _)| facts.parallel.is_reached(*at))
            .collect();
        let size = |f: FuncId| {
            let function = program.function(f);
            function.blocks.len() * function.locals.len()
        };
        if facts.points_to.reachable().map(size).sum::<usize>() > KEPT {
            return None;
        }
        let mut readers: BTreeMap<ObjectId, BTreeSet<(FuncId, BlockId)>> = BTreeMap::new();
        for (at, op) in &reached {
            if let Op::Load { .. } | Op::Rmw { .. } | Op::Cas { .. } = op {
                for t in facts.points_to.accessed(program, *at) {
                    let all = readers.entry(t.object).or_default();
                    all.insert((at.function, at.block));
                }
            }
        }
        let mut values = Values {
            facts,
            unwritten: Flow::new(facts),
            memory: Memory::new(facts, &reached),
            functions: program.functions.iter().map(known).collect(),
            readers,
            dirty: BTreeSet::new(),
            effort: 0,
        };
        let entry = program.function(program.entry);
        let anything = vec![Value::Any; entry.params as usize];
        values.enter(program.entry, &anything);
        while let Some((f, block)) = values.dirty.pop_first() {
            values.block(f, block)?;
        }
        Some(values)
    }

    /// Shows every instruction that may be reached, with what an operand may be before it.
    pub fn visit(&self, f: FuncId, see: &mut See<'_>) {
        let function = self.facts.program().function(f);
        for (b, block) in function.blocks.iter().enumerate() {
            let Some((before, _)) = self.functions[f.0 as usize]
                .blocks
                .get(b)
                .and_then(|s| s.as_ref())
            else {
                continue;
            };
            let mut state = before.clone();
            for (i, instr) in block.instrs.iter().enumerate() {
                let at = Location {
                    function: f,
                    block: BlockId(b as u32),
                    index: i as u32,
                };
                see(at, &instr.op, &|o| self.operand(f, &state, o));
                if !self.step(at, &instr.op, &mut state) {
                    break;
                }
            }
        }
    }

    /// Branches of reached blocks that are always taken to the same side: of which function, behind which block, and where to.
    pub fn dead_branches(&self) -> Vec<(FuncId, BlockId, BlockId)> {
        let mut dead = Vec::new();
        for f in self.facts.points_to.reachable() {
            for (b, block) in self.facts.program().function(f).blocks.iter().enumerate() {
                let (
                    b,
                    Terminator::Branch {
                        then, otherwise, ..
                    },
                ) = (BlockId(b as u32), &block.terminator)
                else {
                    continue;
                };
                if let Some(end) = self.end_of(f, b)
                    && then != otherwise
                {
                    let goes = |to: BlockId| self.cross(f, b, to, &end).is_some();
                    match (goes(*then), goes(*otherwise)) {
                        (true, false) => dead.push((f, b, *then)),
                        (false, true) => dead.push((f, b, *otherwise)),
                        _ => {}
                    }
                }
            }
        }
        dead
    }

    /// The state behind the last instruction of a block, if it is reached.
    fn end_of(&self, f: FuncId, b: BlockId) -> Option<State> {
        let known = self.functions[f.0 as usize].blocks.get(b.0 as usize)?;
        let mut state = known.as_ref()?.0.clone();
        let instrs = self.facts.program().function(f).block(b).instrs.iter();
        for (i, instr) in instrs.enumerate() {
            let at = Location {
                function: f,
                block: b,
                index: i as u32,
            };
            if !self.step(at, &instr.op, &mut state) {
                return None;
            }
        }
        Some(state)
    }

    /// Follows a block, if it is reached; `None` if that is too much.
    fn block(&mut self, f: FuncId, b: BlockId) -> Option<()> {
        let function = self.facts.program().function(f);
        let block = function.block(b);
        let Some((before, _)) = &self.functions[f.0 as usize].blocks[b.0 as usize] else {
            return Some(());
        };
        let mut state = before.clone();
        self.effort += (1 + block.instrs.len() + function.locals.len()) as u64;
        if self.effort > EFFORT {
            return None;
        }
        for (i, instr) in block.instrs.iter().enumerate() {
            let at = Location {
                function: f,
                block: b,
                index: i as u32,
            };
            self.effects(at, &instr.op, &state);
            if !self.step(at, &instr.op, &mut state) {
                return Some(());
            }
        }
        if let Terminator::Return(value) = &block.terminator {
            let value = value.map_or(Value::Any, |v| self.operand(f, &state, v));
            self.returned(f, value);
        }
        let mut to = successors(&block.terminator);
        to.dedup();
        for next in to {
            if let Some(there) = self.cross(f, b, next, &state)
                && self.merge(f, next, &there)
            {
                self.dirty.insert((f, next));
            }
        }
        Some(())
    }

    /// The state in which a block goes on to another, if it can.
    fn cross(&self, f: FuncId, from: BlockId, to: BlockId, state: &State) -> Option<State> {
        let function = self.facts.program().function(f);
        let block = function.block(from);
        let Terminator::Branch {
            cond,
            then,
            otherwise,
        } = &block.terminator
        else {
            return Some(state.clone());
        };
        if then == otherwise {
            return Some(state.clone());
        }
        let holds = to == *then;
        if self.operand(f, state, *cond) == Value::int(i128::from(!holds)) {
            return None;
        }
        self.assume(f, block.instrs.len(), from, *cond, holds, state.clone())
    }

    /// Uses a condition that was computed in the block before an instruction.
    fn assume(
        &self,
        f: FuncId,
        before: usize,
        block: BlockId,
        cond: Operand,
        holds: bool,
        mut state: State,
    ) -> Option<State> {
        let Operand::Local(cond) = cond else {
            return Some(state);
        };
        let instrs = &self.facts.program().function(f).block(block).instrs[..before];
        let assigns = |op: &Op, l: LocalId| op.clone().destinations_mut().iter().any(|d| **d == l);
        let Some(i) = instrs.iter().rposition(|i| assigns(&i.op, cond)) else {
            return Some(state);
        };
        let Op::Let {
            value: Rvalue::Compare { op, a, b, .. },
            ..
        } = &instrs[i].op
        else {
            return Some(state);
        };
        let op = if holds { *op } else { negated(*op) };
        let (x, y) = (self.operand(f, &state, *a), self.operand(f, &state, *b));
        let stays = |o: Operand| match o {
            Operand::Local(l) => !instrs[i..].iter().any(|j| assigns(&j.op, l)),
            _ => true,
        };
        if !stays(*a) || !stays(*b) {
            return Some(state);
        }
        let (x, y) = where_it_holds(op, &x, &y)?;
        for (operand, value) in [(a, x), (b, y)] {
            if let Operand::Local(l) = operand {
                state[l.0 as usize] = value;
            }
        }
        Some(state)
    }

    /// Adds a state before a block; whether that is news.
    fn merge(&mut self, f: FuncId, to: BlockId, state: &State) -> bool {
        let known = &mut self.functions[f.0 as usize];
        let there = &mut known.blocks[to.0 as usize];
        let Some((old, times)) = there else {
            *there = Some((state.clone(), 0));
            return true;
        };
        let patient = *times < PATIENCE || !known.heads.contains(&to);
        let mut changed = false;
        for (old, new) in old.iter_mut().zip(state) {
            let joined = old.join(new);
            if joined != *old {
                changed = true;
                *old = match patient {
                    true => joined,
                    false => old.widened(&joined, &known.marks),
                };
            }
        }
        *times += u32::from(changed);
        changed
    }

    /// Adds arguments of a function.
    fn enter(&mut self, f: FuncId, arguments: &[Value]) {
        let function = self.facts.program().function(f);
        if !function.has_body() {
            return;
        }
        let mut state = vec![Value::Any; function.locals.len()];
        for (local, argument) in state
            .iter_mut()
            .zip(arguments)
            .take(function.params as usize)
        {
            *local = argument.clone();
        }
        let known = &mut self.functions[f.0 as usize];
        // What many callers pass is widened as at the head of a loop.
        known.heads.insert(BlockId(0));
        if self.merge(f, BlockId(0), &state) {
            self.dirty.insert((f, BlockId(0)));
        }
    }

    fn returned(&mut self, f: FuncId, value: Value) {
        let known = &mut self.functions[f.0 as usize];
        let new = match &known.returns {
            None => value,
            Some(old) => {
                let joined = old.join(&value);
                match known.returns_changed > PATIENCE {
                    true => old.widened(&joined, &known.marks),
                    false => joined,
                }
            }
        };
        if known.returns.as_ref() != Some(&new) {
            known.returns = Some(new);
            known.returns_changed += 1;
            let callers = self.facts.calls.incoming(f).iter();
            self.dirty
                .extend(callers.map(|e| (e.at.function, e.at.block)));
        }
    }

    fn ty(&self, f: FuncId, operand: Operand) -> Ty {
        match operand {
            Operand::Local(l) => self.facts.program().function(f).local(l).ty,
            Operand::Const { ty, .. } => ty,
            _ => Ty::Ptr,
        }
    }

    fn operand(&self, f: FuncId, state: &State, operand: Operand) -> Value {
        let model = self.facts.program().model;
        let address = |object: Object, offset: i64| {
            let id = self.facts.points_to.objects().id(object);
            id.map_or(Value::Any, |id| Value::address(id, offset))
        };
        match operand {
            Operand::Local(l) => state[l.0 as usize].clone(),
            Operand::Const { ty, bits } => Value::constant(ty, bits, model),
            Operand::Global { id, offset } => address(Object::Global(id), offset),
            Operand::Slot { id, offset } => address(Object::Slot(f, id), offset),
            Operand::Function(g) => address(Object::Function(g), 0),
        }
    }

    /// What an instruction does to memory, other functions and threads.
    fn effects(&mut self, at: Location, op: &Op, state: &State) {
        let f = at.function;
        let model = self.facts.program().model;
        let (ty, value) = match op {
            Op::Store {
                ty, value, access, ..
            } if access.bits.is_none() => (*ty, self.operand(f, state, *value)),
            Op::Rmw {
                ty,
                op: RmwOp::Exchange,
                value,
                ..
            } => (*ty, self.operand(f, state, *value)),
            Op::Rmw { ty, .. } => (*ty, Value::top(*ty, model)),
            Op::Cas { ty, desired, .. } => (*ty, self.operand(f, state, *desired)),
            Op::Call { callee, args, .. } => {
                let direct = matches!(callee, Operand::Function(_));
                for g in self.callees(at, *callee) {
                    let values: Vec<Value> = args
                        .iter()
                        .enumerate()
                        .map(|(i, a)| self.passed(f, state, *a, g, i, direct))
                        .collect();
                    self.enter(g, &values);
                }
                return;
            }
            Op::Sync {
                op: SyncOp::ThreadNew,
                args,
                ..
            } => {
                for g in self.callees(at, args[0]) {
                    let value = self.passed(f, state, args[1], g, 0, false);
                    self.enter(g, &[value]);
                }
                return;
            }
            _ => return,
        };
        let facts = self.facts;
        let targets = facts.points_to.accessed(facts.program(), at);
        let marks = &self.functions[f.0 as usize].marks;
        for object in self.memory.write(targets, ty.bytes(model), &value, marks) {
            self.dirty
                .extend(self.readers.get(&object).into_iter().flatten());
        }
    }

    fn callees(&self, at: Location, callee: Operand) -> Vec<FuncId> {
        match callee {
            Operand::Function(g) => vec![g],
            _ => self.facts.points_to.callees(at).collect(),
        }
    }

    /// What a parameter gets for an argument.
    fn passed(
        &self,
        f: FuncId,
        state: &State,
        argument: Operand,
        to: FuncId,
        number: usize,
        direct: bool,
    ) -> Value {
        let callee = self.facts.program().function(to);
        let wanted = callee.locals.get(number).map(|l| l.ty);
        let same = wanted == Some(self.ty(f, argument));
        match same || direct && wanted.is_none() {
            true => self.operand(f, state, argument),
            false => Value::Any,
        }
    }

    /// What an instruction does to locals; whether what follows it is reached.
    fn step(&self, at: Location, op: &Op, state: &mut State) -> bool {
        let f = at.function;
        let function = self.facts.program().function(f);
        let model = self.facts.program().model;
        let top = |l: LocalId| Value::top(function.local(l).ty, model);
        match op {
            Op::Let { dst, value } => state[dst.0 as usize] = self.value(f, *dst, value, state),
            Op::Nondet { dst } => state[dst.0 as usize] = top(*dst),
            Op::Load {
                dst, ty, access, ..
            } => {
                let targets = self.facts.points_to.accessed(self.facts.program(), at);
                let early = self.unwritten.reads_unwritten(at) || access.keeps != 0;
                let found = match (access.bits, early) {
                    (_, true) => Value::Any,
                    (Some(_), _) => top(*dst),
                    (None, _) => self.memory.read(targets, ty.bytes(model)),
                };
                // Nothing is stored there yet: this is not reached so far.
                if found == Value::Never {
                    return false;
                }
                state[dst.0 as usize] = match ty.is_float() {
                    true => Value::Any,
                    false => found,
                };
            }
            Op::Alloc { dst, .. } => {
                let id = self.facts.points_to.objects().id(Object::Allocated(at));
                state[dst.0 as usize] = id.map_or(Value::Any, |id| Value::address(id, 0));
            }
            Op::ObjectSize { dst, .. } => {
                state[dst.0 as usize] = Value::Int {
                    low: 0,
                    high: i128::from(i64::MAX),
                };
            }
            Op::Call { dst, callee, .. } => {
                let mut result = None;
                for g in self.callees(at, *callee) {
                    let callee = self.facts.program().function(g);
                    let same = dst.map(|d| function.local(d).ty) == callee.ret;
                    let one = match (callee.has_body(), same) {
                        (true, true) => self.functions[g.0 as usize].returns.clone(),
                        (true, false) => {
                            let returns = &self.functions[g.0 as usize].returns;
                            returns.as_ref().map(|_| Value::Any)
                        }
                        (false, _) => Some(Value::Any),
                    };
                    result = match (result, one) {
                        (Some(a), Some(b)) => Some(Value::join(&a, &b)),
                        (a, b) => a.or(b),
                    };
                }
                let Some(result) = result else {
                    return false;
                };
                if let Some(dst) = dst {
                    state[dst.0 as usize] = result;
                }
            }
            Op::Assume { cond } => {
                let holds = self.operand(f, state, *cond) != Value::int(0);
                let before = at.index as usize;
                let after = holds
                    .then(|| self.assume(f, before, at.block, *cond, true, state.clone()))
                    .flatten();
                match after {
                    Some(after) => *state = after,
                    None => return false,
                }
            }
            _ => {
                for dst in op.clone().destinations_mut() {
                    state[dst.0 as usize] = Value::Any;
                }
            }
        }
        true
    }

    fn value(&self, f: FuncId, dst: LocalId, value: &Rvalue, state: &State) -> Value {
        let model = self.facts.program().model;
        let of = |o: &Operand| self.operand(f, state, *o);
        match value {
            Rvalue::Use(a) => of(a),
            Rvalue::Unary { op, ty, a, .. } => {
                let from = match op {
                    UnaryOp::Neg => 0,
                    UnaryOp::Not if *ty == Ty::I1 => 1,
                    UnaryOp::Not => -1,
                };
                binary(
                    raddle_ir::BinaryOp::Sub,
                    *ty,
                    &Value::int(from),
                    &of(a),
                    model,
                )
            }
            Rvalue::Binary { ty, .. } if *ty == Ty::Ptr || ty.is_float() => Value::Any,
            Rvalue::Binary { op, ty, a, b, .. } => binary(*op, *ty, &of(a), &of(b), model),
            Rvalue::Compare { op, ty, a, b } => {
                let known = match ty.is_float() {
                    true => None,
                    false => compare(*op, &of(a), &of(b)),
                };
                match known {
                    Some(holds) => Value::int(i128::from(holds)),
                    None if [a, b].iter().any(|o| of(o) == Value::Any) && !ty.is_float() => {
                        Value::Any
                    }
                    None => Value::Int { low: 0, high: 1 },
                }
            }
            Rvalue::Cast { kind, from, to, a } => cast(*kind, *from, *to, &of(a), model),
            Rvalue::PtrAdd {
                base,
                index,
                scale,
                offset,
            } => match (of(base), of(index)) {
                (Value::Pointer(p), Value::Int { low, high }) => {
                    let scale = i128::from(*scale);
                    let offset = i128::from(*offset);
                    p.moved(low * scale + offset, high * scale + offset)
                }
                (Value::Never, _) | (_, Value::Never) => Value::Never,
                _ => Value::Any,
            },
            Rvalue::Select { cond, a, b, .. } => match of(cond) {
                Value::Int { low: 0, high: 0 } => of(b),
                Value::Int { low: 1, high: 1 } => of(a),
                _ => of(a).join(&of(b)),
            },
            Rvalue::Pure { .. } => {
                Value::top(self.facts.program().function(f).local(dst).ty, model)
            }
        }
    }
}

/// Nothing so far.
fn known(function: &Function) -> Known {
    let mut known = Known {
        blocks: vec![None; function.blocks.len()],
        ..Known::default()
    };
    // Blocks that control comes back to, found by walking depth first.
    let mut open = BTreeSet::new();
    let mut done = BTreeSet::new();
    let mut stack = vec![(BlockId(0), 0usize)];
    while let Some((b, next)) = stack.pop() {
        if function.blocks.is_empty() {
            break;
        }
        open.insert(b);
        match successors(&function.block(b).terminator).get(next) {
            Some(to) => {
                stack.push((b, next + 1));
                if open.contains(to) {
                    known.heads.insert(*to);
                } else if !done.contains(to) {
                    stack.push((*to, 0));
                }
            }
            None => {
                open.remove(&b);
                done.insert(b);
            }
        }
    }
    let bits = [0, 8, 16, 32, 63, 64];
    known.marks.extend(
        bits.iter()
            .flat_map(|b| [-(1i128 << b) >> 1, (1i128 << b) - 1, (1i128 << b >> 1) - 1]),
    );
    known
        .marks
        .extend([-(1i128 << 63), (1i128 << 63) - 1, 0, 1]);
    for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
        for operand in instr.op.clone().operands_mut() {
            if let Operand::Const { ty, bits } = operand
                && ty.is_int()
                && *bits <= u128::from(u64::MAX)
            {
                let value = Value::constant(*ty, *bits, raddle_ir::DataModel::Lp64);
                if let Value::Int { low: n, .. } = value {
                    known.marks.extend([n - 1, n, n + 1]);
                }
            }
        }
    }
    known
}
