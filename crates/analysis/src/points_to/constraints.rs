//! From instructions to constraints, function by function as they are reached.

use super::PointsTo;
use crate::fold::reachable_blocks;
use crate::objects::{Object, ObjectId};
use crate::solve::{Move, NodeId, Offset, Solver, Target, Use};
use raddle_ir::{
    BinaryOp, BlockId, CastKind, FuncId, Function, InitValue, LocalId, Location, Op, Operand,
    Program, RmwOp, Rvalue, SyncOp, Terminator, Ty, UnaryOp,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A call or thread creation whose callee is found by the solver.
struct Site {
    at: Location,
    thread: bool,
}

struct Generator<'p> {
    program: &'p Program,
    facts: PointsTo,
    sites: Vec<Site>,
    todo: Vec<FuncId>,
    pointer: u32,
}

const UNKNOWN: Target = Target {
    object: ObjectId::UNKNOWN,
    offset: Offset::ANY,
};

pub(super) fn generate(program: &Program) -> PointsTo {
    let mut solver = Solver::new(program.model.pointer_bytes() as u32);
    let (thread_results, thread_arguments, external_arguments) =
        (solver.node(), solver.node(), solver.node());
    let mut generator = Generator {
        program,
        facts: PointsTo {
            solver,
            locals: vec![None; program.functions.len()],
            addresses: HashMap::new(),
            callees: BTreeMap::new(),
            exposed: BTreeSet::new(),
            exposing: vec![thread_results, thread_arguments, external_arguments],
            thread_results,
            thread_arguments,
            external_arguments,
            unknown_used: false,
        },
        sites: Vec::new(),
        todo: Vec::new(),
        pointer: program.model.pointer_bytes() as u32,
    };
    generator.globals();
    generator.reach(program.entry);
    generator.solve();
    generator.facts
}

impl Generator<'_> {
    fn solve(&mut self) {
        let read = self
            .facts
            .solver
            .everything(ObjectId::UNKNOWN, self.pointer);
        self.facts.solver.add(read, UNKNOWN);
        loop {
            while let Some(f) = self.todo.pop() {
                self.function(f);
            }
            let entered = self.facts.solver.run();
            for (site, target) in &entered {
                self.enter(*site as usize, *target);
            }
            if !self.todo.is_empty() || !entered.is_empty() {
                continue;
            }
            if !self.facts.connect_exposed(self.program, self.pointer) {
                break;
            }
        }
        self.facts.unknown_used = self.uses_unknown();
    }

    fn uses_unknown(&self) -> bool {
        let unknown = |at: Location| {
            let targets = self.facts.accessed(self.program, at);
            targets.iter().any(|t| t.object == ObjectId::UNKNOWN)
        };
        self.facts.reachable().any(|f| {
            let blocks = self.program.function(f).blocks.iter().enumerate();
            blocks
                .flat_map(|(b, block)| (0..block.instrs.len()).map(move |i| (b, i)))
                .any(|(b, i)| {
                    unknown(Location {
                        function: f,
                        block: BlockId(b as u32),
                        index: i as u32,
                    })
                })
        })
    }

    fn globals(&mut self) {
        for (i, g) in self.program.globals.iter().enumerate() {
            let id = raddle_ir::GlobalId(i as u32);
            let object = self.object(Object::Global(id), Some(g.size));
            for init in &g.init {
                if let InitValue::Address { target, addend } = init.value {
                    let to = match target {
                        raddle_ir::Target::Global(id) => Operand::Global { id, offset: addend },
                        raddle_ir::Target::Function(f) => Operand::Function(f),
                    };
                    let value = self.address(None, to);
                    let place = Offset::at(init.offset);
                    let cell = self.facts.solver.initial(object, place, self.pointer);
                    self.facts.solver.edge(value, cell, Move::Same);
                }
            }
            if g.external {
                let cell = self.facts.solver.initial(object, Offset::ANY, self.pointer);
                self.facts.solver.add(cell, UNKNOWN);
            }
        }
    }

    fn object(&mut self, object: Object, size: Option<u64>) -> ObjectId {
        self.facts.solver.objects.add(object, size)
    }

    /// The node of a constant address.
    fn address(&mut self, f: Option<FuncId>, o: Operand) -> NodeId {
        let key = match o {
            Operand::Slot { .. } => (f, o),
            _ => (None, o),
        };
        if let Some(n) = self.facts.addresses.get(&key) {
            return *n;
        }
        let n = self.facts.solver.node();
        let target = match (o, f) {
            (Operand::Global { id, offset }, _) => {
                let size = self.program.global(id).size;
                Some((self.object(Object::Global(id), Some(size)), offset))
            }
            (Operand::Slot { id, offset }, Some(f)) => {
                let size = self.program.function(f).slots[id.0 as usize].size;
                Some((self.object(Object::Slot(f, id), Some(size)), offset))
            }
            (Operand::Function(f), _) => Some((self.object(Object::Function(f), Some(1)), 0)),
            _ => None,
        };
        if let Some((object, offset)) = target {
            let offset = u64::try_from(offset).map_or(Offset::ANY, Offset::at);
            self.facts.solver.add(n, Target { object, offset });
        }
        self.facts.addresses.insert(key, n);
        n
    }

    fn local(&self, f: FuncId, l: LocalId) -> NodeId {
        let first = self.facts.locals[f.0 as usize].map_or(0, |n| n.0);
        NodeId(first + l.0)
    }

    fn result(&self, f: FuncId) -> NodeId {
        NodeId(self.facts.locals[f.0 as usize].map_or(0, |n| n.0) - 1)
    }

    /// The node of an operand; `None` for numbers.
    fn operand(&mut self, f: FuncId, o: Operand) -> Option<NodeId> {
        match o {
            Operand::Local(l) => Some(self.local(f, l)),
            Operand::Const { .. } => None,
            o => Some(self.address(Some(f), o)),
        }
    }

    fn flow(&mut self, f: FuncId, from: Operand, to: NodeId, by: Move) {
        if let Some(from) = self.operand(f, from) {
            self.facts.solver.edge(from, to, by);
        }
    }

    fn reach(&mut self, f: FuncId) {
        if self.facts.locals[f.0 as usize].is_some() {
            return;
        }
        let _result = self.facts.solver.node();
        let first = self.facts.solver.node();
        for _ in 1..self.program.function(f).locals.len() {
            self.facts.solver.node();
        }
        self.facts.locals[f.0 as usize] = Some(first);
        self.todo.push(f);
    }

    fn function(&mut self, id: FuncId) {
        let program = self.program;
        let function = program.function(id);
        let reachable = reachable_blocks(function);
        let derived = derived_from_addresses(function);
        for (b, block) in function.blocks.iter().enumerate() {
            if !reachable[b] {
                continue;
            }
            for (i, instr) in block.instrs.iter().enumerate() {
                let at = Location {
                    function: id,
                    block: BlockId(b as u32),
                    index: i as u32,
                };
                self.instruction(at, &instr.op, &derived);
            }
            if let Terminator::Return(Some(o)) = block.terminator {
                let result = self.result(id);
                self.flow(id, o, result, Move::Same);
            }
        }
    }

    fn instruction(&mut self, at: Location, op: &Op, derived: &[bool]) {
        let f = at.function;
        let function = self.program.function(f);
        let model = self.program.model;
        let width = |ty: Ty, access: &raddle_ir::Access| match access.bits {
            Some(b) => b.location,
            None => ty.bytes(model) as u32,
        };
        match op {
            Op::Let { dst, value } => self.value(f, *dst, value, derived),
            Op::Nondet { dst } => {
                if function.local(*dst).ty == Ty::Ptr {
                    let dst = self.local(f, *dst);
                    self.facts.solver.add(dst, UNKNOWN);
                }
            }
            Op::Load {
                dst,
                ty,
                addr,
                access,
            } => {
                let dst = self.local(f, *dst);
                self.load(f, *addr, dst, width(*ty, access));
            }
            Op::Store {
                ty,
                addr,
                value,
                access,
            } => {
                let length = width(*ty, access);
                self.store(f, *addr, *value, length);
            }
            Op::Rmw {
                dst,
                op,
                ty,
                addr,
                value,
                ..
            } => {
                let length = ty.bytes(model) as u32;
                let old = match dst {
                    Some(dst) => self.local(f, *dst),
                    None => self.facts.solver.node(),
                };
                self.load(f, *addr, old, length);
                if *op == RmwOp::Exchange {
                    self.store(f, *addr, *value, length);
                } else {
                    let new = self.facts.solver.node();
                    self.facts.solver.edge(old, new, Move::Any);
                    self.flow(f, *value, new, Move::Index);
                    self.store_node(f, *addr, new, length);
                }
            }
            Op::Cas {
                old,
                ty,
                addr,
                desired,
                ..
            } => {
                let length = ty.bytes(model) as u32;
                if let Some(old) = old {
                    let old = self.local(f, *old);
                    self.load(f, *addr, old, length);
                }
                self.store(f, *addr, *desired, length);
            }
            Op::Alloc { dst, size, .. } => {
                let size = match size {
                    Operand::Const { bits, .. } => Some(*bits as u64),
                    _ => None,
                };
                let object = self.object(Object::Allocated(at), size);
                let dst = self.local(f, *dst);
                let offset = Offset::at(0);
                self.facts.solver.add(dst, Target { object, offset });
            }
            Op::Call { callee, .. } => self.enter_when_known(at, *callee, false),
            Op::Sync { dst, op, args } => self.sync(at, *dst, *op, args),
            // The addresses of objects that only come and go have to exist for those who ask.
            Op::StorageLive { slot } | Op::StorageDead { slot } => {
                let (id, offset) = (*slot, 0);
                self.address(Some(f), Operand::Slot { id, offset });
            }
            Op::Free { addr, .. } | Op::ObjectSize { addr, .. } => {
                self.operand(f, *addr);
            }
            Op::Havoc { .. }
            | Op::Fence { .. }
            | Op::AtomicBegin { .. }
            | Op::AtomicEnd
            | Op::Assert { .. }
            | Op::Assume { .. }
            | Op::Output { .. } => {}
        }
    }

    fn sync(&mut self, at: Location, dst: Option<LocalId>, op: SyncOp, args: &[Operand]) {
        let f = at.function;
        match op {
            SyncOp::ThreadNew => {
                if let Some(dst) = dst {
                    let object = self.object(Object::Thread(at), Some(1));
                    let offset = Offset::at(0);
                    let dst = self.local(f, dst);
                    self.facts.solver.add(dst, Target { object, offset });
                }
                let arguments = self.facts.thread_arguments;
                self.flow(f, args[1], arguments, Move::Same);
                self.enter_when_known(at, args[0], true);
            }
            SyncOp::ThreadExit => {
                let results = self.facts.thread_results;
                self.flow(f, args[0], results, Move::Same);
            }
            SyncOp::ThreadJoin => {
                if let Some(dst) = dst {
                    let (results, dst) = (self.facts.thread_results, self.local(f, dst));
                    self.facts.solver.edge(results, dst, Move::Same);
                }
            }
            // Which creation this thread comes from is not followed.
            SyncOp::ThreadSelf => {
                if let Some(dst) = dst {
                    let dst = self.local(f, dst);
                    self.facts.solver.add(dst, UNKNOWN);
                }
            }
            _ => {
                for a in args {
                    self.operand(f, *a);
                }
            }
        }
    }

    fn load(&mut self, f: FuncId, addr: Operand, dst: NodeId, length: u32) {
        if let Some(addr) = self.operand(f, addr) {
            let what = Use::Load { dst, length };
            self.facts.solver.on_targets(addr, what);
        }
    }

    fn store(&mut self, f: FuncId, addr: Operand, value: Operand, length: u32) {
        let value = self.operand(f, value);
        if let Some(src) = value {
            self.store_node(f, addr, src, length);
        } else {
            self.operand(f, addr);
        }
    }

    fn store_node(&mut self, f: FuncId, addr: Operand, src: NodeId, length: u32) {
        if let Some(addr) = self.operand(f, addr) {
            let what = Use::Store { src, length };
            self.facts.solver.on_targets(addr, what);
        }
    }

    fn value(&mut self, f: FuncId, dst: LocalId, value: &Rvalue, derived: &[bool]) {
        let to = self.local(f, dst);
        match value {
            Rvalue::Use(a) => self.flow(f, *a, to, Move::Same),
            Rvalue::Compare { .. } => {}
            Rvalue::Unary { a, .. } => self.flow(f, *a, to, Move::Any),
            Rvalue::Binary { op, ty, a, b, .. } => {
                let pointer = *ty == self.program.model.pointer_int();
                match (op, constant(*a, *ty), constant(*b, *ty)) {
                    (BinaryOp::Add, _, Some(n)) if pointer => self.flow(f, *a, to, Move::By(n)),
                    (BinaryOp::Add, Some(n), _) if pointer => self.flow(f, *b, to, Move::By(n)),
                    (BinaryOp::Sub, _, Some(n)) if pointer => {
                        self.flow(f, *a, to, Move::By(n.wrapping_neg()));
                    }
                    _ => {
                        self.flow(f, *a, to, Move::Any);
                        self.flow(f, *b, to, Move::Any);
                    }
                }
            }
            Rvalue::Cast { kind, a, .. } => {
                let by = match kind {
                    CastKind::PtrToInt | CastKind::IntToPtr => Move::Same,
                    _ => Move::Any,
                };
                self.flow(f, *a, to, by);
                match kind {
                    CastKind::PtrToInt => {
                        if let Some(n) = self.operand(f, *a) {
                            self.facts.exposing.push(n);
                        }
                    }
                    CastKind::IntToPtr if !is_derived(*a, derived) => {
                        self.facts.solver.add(to, UNKNOWN);
                    }
                    _ => {}
                }
            }
            Rvalue::PtrAdd {
                base,
                index,
                scale,
                offset,
            } => {
                let word = self.program.model.pointer_int();
                match constant(*index, word) {
                    Some(n) => {
                        let by = n.wrapping_mul(*scale as i64).wrapping_add(*offset);
                        self.flow(f, *base, to, Move::By(by));
                    }
                    None => {
                        // First to an element, then to its member.
                        let element = self.facts.solver.node();
                        self.flow(f, *base, element, Move::Every(*scale));
                        self.facts.solver.edge(element, to, Move::By(*offset));
                    }
                }
                // `(char *)0 + (size_t)p`; a number that is merely an index brings nothing.
                self.flow(f, *index, to, Move::Index);
            }
            Rvalue::Select { a, b, .. } => {
                self.flow(f, *a, to, Move::Same);
                self.flow(f, *b, to, Move::Same);
            }
            Rvalue::Pure { args, .. } => {
                for a in args {
                    self.flow(f, *a, to, Move::Any);
                }
            }
        }
    }

    fn enter_when_known(&mut self, at: Location, callee: Operand, thread: bool) {
        let site = self.sites.len();
        self.sites.push(Site { at, thread });
        self.facts.callees.entry(at).or_default();
        if let (Operand::Function(g), false) = (callee, thread) {
            self.bind(site, g);
        } else if let Some(n) = self.operand(at.function, callee) {
            let known = self.facts.solver.on_targets(n, Use::Enter(site as u32));
            for (_, t) in known {
                self.enter(site, t);
            }
        }
    }

    fn enter(&mut self, site: usize, t: Target) {
        match self.facts.solver.objects.get(t.object) {
            Object::Function(g) => self.bind(site, g),
            // Any function whose address was ever used.
            Object::Unknown => {
                for id in self.facts.solver.objects.ids() {
                    if let Object::Function(g) = self.facts.solver.objects.get(id) {
                        self.bind(site, g);
                    }
                }
            }
            _ => {}
        }
    }

    /// Connects arguments and result of a site with a function that it may run.
    fn bind(&mut self, site: usize, g: FuncId) {
        let Site { at, thread } = self.sites[site];
        let program = self.program;
        if !self.facts.callees.entry(at).or_default().insert(g) {
            return;
        }
        let Some(instr) = program.instr(at) else {
            return;
        };
        let callee = program.function(g);
        let (args, dst): (&[Operand], _) = match &instr.op {
            Op::Call { args, dst, .. } => (args, *dst),
            Op::Sync { args, .. } => (&args[1..], None),
            _ => return,
        };
        if !callee.has_body() {
            for a in args {
                let all = self.facts.external_arguments;
                self.flow(at.function, *a, all, Move::Same);
            }
            if let Some(dst) = dst
                && callee.ret == Some(Ty::Ptr)
            {
                let dst = self.local(at.function, dst);
                self.facts.solver.add(dst, UNKNOWN);
            }
            return;
        }
        self.reach(g);
        for (i, a) in args.iter().enumerate().take(callee.params as usize) {
            let param = self.local(g, LocalId(i as u32));
            self.flow(at.function, *a, param, Move::Same);
        }
        let result = self.result(g);
        if thread {
            let results = self.facts.thread_results;
            self.facts.solver.edge(result, results, Move::Same);
        } else if let Some(dst) = dst {
            let dst = self.local(at.function, dst);
            self.facts.solver.edge(result, dst, Move::Same);
        }
    }
}

/// A constant as a signed number of its width.
fn constant(o: Operand, ty: Ty) -> Option<i64> {
    match o {
        Operand::Const { bits, .. } => Some(match ty {
            Ty::I32 => i64::from(bits as u32 as i32),
            _ => bits as u64 as i64,
        }),
        _ => None,
    }
}

fn is_derived(o: Operand, derived: &[bool]) -> bool {
    match o {
        Operand::Local(l) => derived[l.0 as usize],
        // Null points nowhere; any other constant may be anything.
        Operand::Const { bits, .. } => bits == 0,
        _ => true,
    }
}

/// The locals whose every definition computes with an address: casting one of them to a pointer is no guess.
fn derived_from_addresses(function: &Function) -> Vec<bool> {
    let mut derived = vec![true; function.locals.len()];
    derived[..function.params as usize].fill(false);
    loop {
        let mut changed = false;
        for instr in function.blocks.iter().flat_map(|b| &b.instrs) {
            let holds = |o: &Operand| matches!(o, Operand::Local(l) if derived[l.0 as usize]);
            let ok = match &instr.op {
                Op::Let { value, .. } => match value {
                    Rvalue::Use(a) => holds(a),
                    Rvalue::Cast {
                        kind: CastKind::PtrToInt,
                        ..
                    } => true,
                    Rvalue::Unary {
                        op: UnaryOp::Neg | UnaryOp::Not,
                        a,
                        ..
                    } => holds(a),
                    Rvalue::Binary { a, b, .. } => holds(a) || holds(b),
                    Rvalue::Select { a, b, .. } => holds(a) && holds(b),
                    _ => false,
                },
                _ => false,
            };
            if !ok {
                for dst in instr.op.clone().destinations_mut() {
                    changed |= std::mem::replace(&mut derived[dst.0 as usize], false);
                }
            }
        }
        if !changed {
            return derived;
        }
    }
}
