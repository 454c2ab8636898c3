//! A program that asks a single question: the other assertions of its property are gone.
//!
//! An engine that proves this program proves the question of the original one, and the proof assumes nothing about the other
//! assertions. Removing an assertion only adds executions: the interpreter ends an execution at a violation, the changed program
//! goes on behind it, as C does (into the call of `abort` that follows, for `assert`). So every execution of the original program up to
//! its violation of the question is one of the changed program. The reverse does not hold: a violation found in the changed program may
//! lie behind another one, so it has to be replayed on the original.
//!
//! Executions that cannot come to the question any more are cut, if the program has only one thread then. This leaves out
//! nothing that can violate the question: no thread is left that could, and none can be made. It is what lets an
//! engine prove an assertion although another part of the program is beyond it. Programs with atomic regions are not cut.
//!
//! What it misses: only assertions ([`Op::Assert`]) can be told apart. Calls of the library's assertions through pointers stay, and so do
//! parts of the program that run beside the question but do not matter to it.

use crate::question::{Question, Subject};
use raddle_ir::{
    Block, FuncId, Function, Global, InitValue, Instr, Op, Operand, Program, Property, SyncOp,
    Target, Terminator, Ty,
};
use std::collections::{BTreeSet, HashMap};

/// The program in which only this question of its property is asked; `None` if that is not an assertion that can be told apart.
pub fn focused(program: &Program, question: &Question) -> Option<Program> {
    let Subject::Place(place) = question.subject else {
        return None;
    };
    let property = question.property;
    if property != Property::UnreachCall {
        return None;
    }
    let mut changed = program.clone();
    let mut silencer = Silencer {
        asserting: asserting(program, property),
        property,
        silent: HashMap::new(),
    };
    let mut kept: BTreeSet<FuncId> = BTreeSet::new();
    for number in 0..program.functions.len() {
        let id = FuncId(number as u32);
        if program.function(id).library {
            continue;
        }
        for b in 0..program.function(id).blocks.len() {
            for i in 0..program.functions[number].blocks[b].instrs.len() {
                let instr = &program.functions[number].blocks[b].instrs[i];
                if !silencer.asks(program, instr) {
                    continue;
                }
                if instr.span == place {
                    kept.insert(id);
                    continue;
                }
                let mut instr = instr.clone();
                silencer.silence(&mut changed, &mut instr);
                changed.functions[number].blocks[b].instrs[i] = instr;
            }
        }
    }
    if kept.is_empty() {
        return None;
    }
    if has_regions(program) {
        return Some(changed);
    }
    // A thread of the library asserts where the user makes it.
    kept.extend(&silencer.asserting);
    kept.extend(leaving(program));
    cut(&mut changed, &kept, &|program, instr| {
        leaves_the_graph(instr) || instr.span == place && silencer.asks(program, instr)
    });
    Some(changed)
}

/// Whether the user's code has atomic regions. A failed assume takes back the region it is in, so nothing may be cut inside of one.
fn has_regions(program: &Program) -> bool {
    let mut user = program.functions.iter().filter(|f| !f.library);
    user.any(|f| {
        let mut instrs = f.blocks.iter().flat_map(|b| &b.instrs);
        instrs.any(|i| matches!(i.op, Op::AtomicBegin { .. }))
    })
}

/// Whether control goes on in a way that is not in the program's graph, so the question may be there.
fn leaves_the_graph(instr: &Instr) -> bool {
    matches!(instr.op, Op::Sync { op, .. } if op.leaves_the_graph())
}

/// The functions with such an instruction.
fn leaving(program: &Program) -> impl Iterator<Item = FuncId> {
    let functions = program.functions.iter().enumerate();
    let leaves = |f: &Function| {
        let mut instrs = f.blocks.iter().flat_map(|b| &b.instrs);
        instrs.any(leaves_the_graph)
    };
    let found = functions.filter(move |(_, f)| leaves(f));
    found.map(|(n, _)| FuncId(n as u32))
}

/// The functions of the library that may assert a property, themselves or in what they call.
fn asserting(program: &Program, property: Property) -> BTreeSet<FuncId> {
    let mut all: BTreeSet<FuncId> = BTreeSet::new();
    loop {
        let before = all.len();
        for (number, function) in program.functions.iter().enumerate() {
            let instrs = function.blocks.iter().flat_map(|b| &b.instrs);
            let mut ops = instrs.map(|i| &i.op);
            let asserts = |op: &Op| match op {
                Op::Assert { property: p, .. } => *p == property,
                Op::Call {
                    callee: Operand::Function(f),
                    ..
                } => all.contains(f),
                _ => false,
            };
            if function.library && ops.any(asserts) {
                all.insert(FuncId(number as u32));
            }
        }
        if all.len() == before {
            return all;
        }
    }
}

/// Takes assertions out.
struct Silencer {
    property: Property,
    /// The functions of the library that assert the property.
    asserting: BTreeSet<FuncId>,
    /// Copies of them that do not.
    silent: HashMap<FuncId, FuncId>,
}

impl Silencer {
    /// Whether an instruction asserts the property, itself or by calling the library.
    fn asks(&self, program: &Program, instr: &Instr) -> bool {
        match &instr.op {
            Op::Assert { property, .. } => *property == self.property,
            Op::Call {
                callee: Operand::Function(f),
                ..
            } => program.function(*f).library && self.asserting.contains(f),
            _ => false,
        }
    }

    fn silence(&mut self, program: &mut Program, instr: &mut Instr) {
        match &mut instr.op {
            Op::Assert { cond, property, .. } if *property == self.property => {
                *cond = Operand::int(Ty::I1, 1);
            }
            Op::Call {
                callee: callee @ Operand::Function(_),
                ..
            } => {
                if let Operand::Function(f) = *callee
                    && self.asserting.contains(&f)
                {
                    *callee = Operand::Function(self.copy(program, f));
                }
            }
            _ => {}
        }
    }

    /// A copy of a function of the library that does not assert the property.
    fn copy(&mut self, program: &mut Program, f: FuncId) -> FuncId {
        if let Some(copy) = self.silent.get(&f) {
            return *copy;
        }
        let id = FuncId(program.functions.len() as u32);
        self.silent.insert(f, id);
        let mut function = program.function(f).clone();
        program.functions.push(function.clone());
        for block in &mut function.blocks {
            for instr in &mut block.instrs {
                self.silence(program, instr);
            }
        }
        program.functions[id.0 as usize] = function;
        id
    }
}

/// What a function mentions.
#[derive(Default)]
struct Mentions {
    /// What it calls by name.
    called: BTreeSet<FuncId>,
    /// What it has the address of.
    values: BTreeSet<FuncId>,
    /// It calls through pointers, or makes threads.
    elsewhere: bool,
}

impl Mentions {
    fn instr(&mut self, instr: &Instr) {
        let mut op = instr.op.clone();
        if let Op::Call { callee, .. } = &op {
            match callee {
                Operand::Function(f) => _ = self.called.insert(*f),
                _ => self.elsewhere = true,
            }
        }
        if let Op::Sync {
            op: SyncOp::ThreadNew,
            ..
        } = op
        {
            self.elsewhere = true;
        }
        let skipped = usize::from(matches!(op, Op::Call { .. }));
        for operand in op.operands_mut().into_iter().skip(skipped) {
            self.operand(operand);
        }
    }

    fn operand(&mut self, operand: &Operand) {
        if let Operand::Function(f) = operand {
            self.values.insert(*f);
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        if let Some(operand) = terminator.clone().operand_mut() {
            self.operand(operand);
        }
    }

    fn of(function: &Function) -> Mentions {
        let mut all = Mentions::default();
        for block in &function.blocks {
            block.instrs.iter().for_each(|i| all.instr(i));
            all.terminator(&block.terminator);
        }
        all
    }
}

/// What is known of functions, for [`cut`].
struct Reach {
    /// From whose entry the question can be reached before it returns.
    to: Vec<bool>,
    /// After whose return it can be reached.
    after: Vec<bool>,
    /// What may be called through pointers that are in memory from the start.
    initial: bool,
    /// Which functions may make threads or leave the address of a function behind.
    dirty: Vec<bool>,
    /// Whose entry is reached only with one thread and no such address.
    clean: Vec<bool>,
}

/// Ends executions where the question is out of reach and there is one thread.
fn cut(program: &mut Program, kept: &BTreeSet<FuncId>, asks: &dyn Fn(&Program, &Instr) -> bool) {
    let mentions: Vec<Mentions> = program.functions.iter().map(Mentions::of).collect();
    let given: BTreeSet<FuncId> = program.globals.iter().flat_map(initial_functions).collect();
    let count = program.functions.len();
    let mut reach = Reach {
        to: vec![false; count],
        after: vec![false; count],
        initial: false,
        dirty: vec![false; count],
        clean: vec![true; count],
    };
    kept.iter().for_each(|f| reach.to[f.0 as usize] = true);
    // Least fixed points: the question can be reached, something is left behind.
    let mut again = true;
    while std::mem::take(&mut again) {
        reach.initial = given.iter().any(|f| reach.to[f.0 as usize]);
        for (n, m) in mentions.iter().enumerate() {
            let mut all = m.called.iter().chain(&m.values);
            let to = all.any(|f| reach.to[f.0 as usize]) || m.elsewhere && reach.initial;
            let dirty = m.elsewhere
                || !m.values.is_empty()
                || m.called.iter().any(|f| reach.dirty[f.0 as usize]);
            again |= to && !reach.to[n] || dirty && !reach.dirty[n];
            reach.to[n] |= to;
            reach.dirty[n] |= dirty;
        }
    }
    for m in &mentions {
        // Who calls these, and when, is not known.
        for f in m.values.iter().chain(&given) {
            reach.after[f.0 as usize] = true;
            reach.clean[f.0 as usize] = false;
        }
    }
    again = true;
    while std::mem::take(&mut again) {
        for n in 0..count {
            let function = &program.functions[n];
            let ahead = reach.ahead(program, n, asks);
            let clean = reach.clean_blocks(function, n);
            for (b, block) in function.blocks.iter().enumerate() {
                let mut still = clean[b];
                for (i, instr) in block.instrs.iter().enumerate() {
                    if let Op::Call {
                        callee: Operand::Function(f),
                        ..
                    } = &instr.op
                    {
                        let f = f.0 as usize;
                        let after = reach.rest(program, n, block, i + 1, &ahead, asks);
                        again |= after && !reach.after[f] || !still && reach.clean[f];
                        reach.after[f] |= after;
                        reach.clean[f] &= still;
                    }
                    still &= !reach.leaves(instr);
                }
            }
        }
    }
    for n in 0..count {
        let function = &program.functions[n];
        if function.library || !function.has_body() {
            continue;
        }
        let ahead = reach.ahead(program, n, asks);
        let clean = reach.clean_blocks(function, n);
        for b in 0..ahead.len() {
            if clean[b] && !ahead[b] {
                let block = &mut program.functions[n].blocks[b];
                block.instrs = vec![Instr {
                    op: Op::Assume {
                        cond: Operand::int(Ty::I1, 0),
                    },
                    ..end(block)
                }];
            }
        }
    }
}

/// The functions whose address a global holds from the start.
fn initial_functions(global: &Global) -> Vec<FuncId> {
    let address = |value: &InitValue| match value {
        InitValue::Address {
            target: Target::Function(f),
            ..
        } => Some(*f),
        _ => None,
    };
    let values = global.init.iter().map(|i| &i.value);
    values.filter_map(address).collect()
}

/// An instruction with the place of a block's end.
fn end(block: &Block) -> Instr {
    Instr {
        op: Op::AtomicEnd,
        span: block.terminator_span,
        text: raddle_ir::TextId(0),
    }
}

impl Reach {
    /// Whether an instruction can lead to the question.
    fn leads(
        &self,
        program: &Program,
        instr: &Instr,
        asks: &dyn Fn(&Program, &Instr) -> bool,
    ) -> bool {
        let mut m = Mentions::default();
        m.instr(instr);
        let mut all = m.called.iter().chain(&m.values);
        asks(program, instr) || all.any(|f| self.to[f.0 as usize]) || m.elsewhere && self.initial
    }

    /// Whether an instruction makes threads or leaves the address of a function behind.
    fn leaves(&self, instr: &Instr) -> bool {
        let mut m = Mentions::default();
        m.instr(instr);
        m.elsewhere || !m.values.is_empty() || m.called.iter().any(|f| self.dirty[f.0 as usize])
    }

    /// Whether the question can be reached from an instruction of a block on, given the same of blocks.
    fn rest(
        &self,
        program: &Program,
        function: usize,
        block: &Block,
        from: usize,
        ahead: &[bool],
        asks: &dyn Fn(&Program, &Instr) -> bool,
    ) -> bool {
        let mut last = Mentions::default();
        last.terminator(&block.terminator);
        let returns = matches!(block.terminator, Terminator::Return(_));
        block.instrs[from..]
            .iter()
            .any(|i| self.leads(program, i, asks))
            || last.values.iter().any(|f| self.to[f.0 as usize])
            || returns && self.after[function]
            || successors(&block.terminator).into_iter().any(|s| ahead[s])
    }

    /// From the beginning of which blocks the question can be reached.
    fn ahead(
        &self,
        program: &Program,
        function: usize,
        asks: &dyn Fn(&Program, &Instr) -> bool,
    ) -> Vec<bool> {
        let blocks = &program.functions[function].blocks;
        let mut ahead = vec![false; blocks.len()];
        let mut again = true;
        while std::mem::take(&mut again) {
            for (b, block) in blocks.iter().enumerate().rev() {
                if !ahead[b] && self.rest(program, function, block, 0, &ahead, asks) {
                    ahead[b] = true;
                    again = true;
                }
            }
        }
        ahead
    }

    /// At the beginning of which blocks there is one thread and no address of a function was left behind.
    fn clean_blocks(&self, function: &Function, number: usize) -> Vec<bool> {
        let mut clean = vec![true; function.blocks.len()];
        if let Some(first) = clean.first_mut() {
            *first = self.clean[number];
        }
        let mut again = true;
        while std::mem::take(&mut again) {
            for (b, block) in function.blocks.iter().enumerate() {
                let mut last = Mentions::default();
                last.terminator(&block.terminator);
                let left = block.instrs.iter().any(|i| self.leaves(i)) || !last.values.is_empty();
                if clean[b] && !left {
                    continue;
                }
                for s in successors(&block.terminator) {
                    again |= std::mem::take(&mut clean[s]);
                }
            }
        }
        clean
    }
}

fn successors(terminator: &Terminator) -> Vec<usize> {
    let all = match terminator {
        Terminator::Goto(to) => vec![*to],
        Terminator::Branch {
            then, otherwise, ..
        } => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            let cases = cases.iter().map(|(_, to)| *to);
            cases.chain([*default]).collect()
        }
        Terminator::Return(_) | Terminator::Unreachable => Vec::new(),
    };
    all.into_iter().map(|b| b.0 as usize).collect()
}
