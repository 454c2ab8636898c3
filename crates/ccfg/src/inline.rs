//! Calls inlined: every thread function becomes one graph with one instruction per edge.
//!
//! A node is a place of the program with copies ([`raddle_analysis::Clones`]) in one activation, and the depth of atomic
//! regions there. Activations are told apart by the path of calls, so recursion cannot be treated; control flow that would
//! recurse, or meets another thing that is not treated, ends at a refusal.

use crate::fold::{Constants, constants, is_constant};
use crate::graph::{Goal, LocId, Object, ObjectId, Refusal, Site, Step, TemplateId, What};
use crate::operands::{access_of, refused_operation};
use raddle_analysis::{Facts, Object as Origin, Target};
use raddle_ir::{
    BlockId, FuncId, GlobalId, Local, LocalId, Location, Op, Operand, Program, Property, Rvalue,
    SlotId, Span, SyncOp, Terminator, Ty,
};
use std::collections::HashMap;

/// More nodes than this in one template are not made.
const NODES: usize = 30_000;
/// More templates than this are not made.
const TEMPLATES: usize = 64;

/// The program without calls, with one instruction per edge.
pub struct Raw {
    pub program: Program,
    pub templates: Vec<RawTemplate>,
    pub objects: Vec<Object>,
    pub globals: HashMap<GlobalId, ObjectId>,
    /// Which objects stand for an abstract one.
    pub origins: HashMap<raddle_analysis::ObjectId, Vec<ObjectId>>,
    pub refusals: Vec<Refusal>,
}

/// A thread function without calls.
#[derive(Default)]
pub struct RawTemplate {
    pub name: String,
    pub param: Option<LocalId>,
    pub locals: Vec<Local>,
    pub slots: Vec<ObjectId>,
    pub sites: Vec<Site>,
    /// Which node each site is at.
    pub site_nodes: Vec<u32>,
    pub edges: Vec<RawEdge>,
    /// For each node, whether it lies in an atomic region.
    pub atomic: Vec<bool>,
}

/// One instruction.
pub struct RawEdge {
    pub from: u32,
    pub step: Option<Step>,
    pub access: Option<RawAccess>,
    pub goal: Goal,
}

/// What an instruction accesses.
#[derive(Clone)]
pub struct RawAccess {
    /// The address, over the template's locals.
    pub address: Operand,
    /// Where it may point.
    pub targets: Vec<Target>,
    pub shape: Shape,
    pub write: bool,
}

/// The bytes of an access.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// So many.
    Bytes(u64),
    /// The state and the kind of a mutex.
    Mutex,
    /// The whole object.
    Whole,
}

struct Activation {
    function: FuncId,
    locals: u32,
    slots: u32,
    constants: Constants,
    /// Where to go on, and where the result goes.
    back: Option<(Key, Option<LocalId>)>,
}

/// A place in an activation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Key {
    activation: u32,
    block: u32,
    index: u32,
    depth: u32,
}

struct Inliner<'a> {
    facts: &'a Facts,
    properties: &'a [Property],
    raw: Raw,
    keys: HashMap<(FuncId, Option<Operand>), TemplateId>,
    waiting: Vec<(TemplateId, FuncId, Option<Operand>)>,
    frees: bool,
}

/// Inlines everything.
pub fn inline(facts: &Facts, properties: &[Property]) -> Result<Raw, Refusal> {
    let program = facts.program();
    let reachable: Vec<FuncId> = facts.points_to.reachable().collect();
    let frees = reachable.iter().any(|f| {
        let blocks = program.function(*f).blocks.iter();
        let mut instrs = blocks.flat_map(|b| &b.instrs);
        instrs.any(|i| matches!(i.op, Op::Free { .. }))
    });
    let mut inliner = Inliner {
        facts,
        properties,
        raw: Raw {
            program: program.clone(),
            templates: Vec::new(),
            objects: Vec::new(),
            globals: HashMap::new(),
            origins: HashMap::new(),
            refusals: Vec::new(),
        },
        keys: HashMap::new(),
        waiting: Vec::new(),
        frees,
    };
    inliner.globals();
    inliner.template(program.entry, None);
    while let Some((id, function, argument)) = inliner.waiting.pop() {
        inliner.graph(id, function, argument)?;
    }
    Ok(inliner.raw)
}

impl<'a> Inliner<'a> {
    fn globals(&mut self) {
        let program = self.facts.program();
        for (i, g) in program.globals.iter().enumerate() {
            let id = GlobalId(i as u32);
            if g.thread_local {
                continue;
            }
            let origin = self.facts.points_to.objects().id(Origin::Global(id));
            let object = self.object(&g.name, g.size, None, origin);
            self.raw.globals.insert(id, object);
        }
    }

    fn object(
        &mut self,
        name: &str,
        size: u64,
        owner: Option<TemplateId>,
        origin: Option<raddle_analysis::ObjectId>,
    ) -> ObjectId {
        let id = ObjectId(self.raw.objects.len() as u32);
        let private = origin.is_none_or(|o| self.facts.escape.is_private(o));
        self.raw.objects.push(Object {
            name: if name.is_empty() { "tmp" } else { name }.to_string(),
            base: 0,
            size,
            owner,
            private,
            escaped: origin.is_none_or(|o| self.facts.escape.has_escaped(o)),
            heap: false,
        });
        if let Some(o) = origin {
            self.raw.origins.entry(o).or_default().push(id);
        }
        id
    }

    /// The template of a thread function, which is inlined later.
    fn template(&mut self, function: FuncId, argument: Option<Operand>) -> TemplateId {
        if let Some(id) = self.keys.get(&(function, argument)) {
            return *id;
        }
        let id = TemplateId(self.raw.templates.len() as u32);
        self.keys.insert((function, argument), id);
        self.raw.templates.push(RawTemplate {
            name: self.facts.program().function(function).name.clone(),
            ..RawTemplate::default()
        });
        self.waiting.push((id, function, argument));
        id
    }

    fn graph(
        &mut self,
        id: TemplateId,
        function: FuncId,
        argument: Option<Operand>,
    ) -> Result<(), Refusal> {
        let mut walk = Walk {
            owner: id,
            template: std::mem::take(&mut self.raw.templates[id.0 as usize]),
            activations: Vec::new(),
            nodes: HashMap::new(),
            todo: Vec::new(),
        };
        let mut params = Constants::new();
        if let Some(a) = argument {
            params.insert(LocalId(0), a);
        }
        let first = walk.enter(self, function, params, None);
        let body = self.facts.program().function(function);
        let constant = walk.activations[0].constants.contains_key(&LocalId(0));
        if body.params > 0 && !constant {
            walk.template.param = Some(LocalId(0));
        }
        walk.node(first);
        while let Some((node, key)) = walk.todo.pop() {
            walk.visit(self, node, key);
            if walk.template.atomic.len() > NODES {
                let what = "a thread that is too large once its calls are inlined".into();
                let span = body.span;
                return Err(Refusal { what, span });
            }
        }
        self.raw.templates[id.0 as usize] = walk.template;
        Ok(())
    }

    fn refuse(&mut self, what: &str, span: Span) -> Goal {
        let refusal = Refusal {
            what: what.to_string(),
            span,
        };
        let found = self.raw.refusals.iter().position(|r| *r == refusal);
        let id = found.unwrap_or_else(|| {
            self.raw.refusals.push(refusal);
            self.raw.refusals.len() - 1
        });
        Goal::Refused(id as u32)
    }
}

struct Walk {
    owner: TemplateId,
    template: RawTemplate,
    activations: Vec<Activation>,
    nodes: HashMap<Key, u32>,
    todo: Vec<(u32, Key)>,
}

impl Walk {
    /// The node of a place, to be visited once.
    fn node(&mut self, key: Key) -> u32 {
        if let Some(n) = self.nodes.get(&key) {
            return *n;
        }
        let n = self.template.atomic.len() as u32;
        self.template.atomic.push(key.depth > 0);
        self.nodes.insert(key, n);
        self.todo.push((n, key));
        n
    }

    fn goal(&mut self, key: Key) -> Goal {
        Goal::At(LocId(self.node(key)))
    }

    /// A new activation; the key of its first instruction.
    fn enter(
        &mut self,
        inliner: &mut Inliner<'_>,
        function: FuncId,
        params: Constants,
        back: Option<(Key, Option<LocalId>)>,
    ) -> Key {
        let program = inliner.facts.program();
        let body = program.function(function);
        let activation = self.activations.len() as u32;
        let locals = self.template.locals.len() as u32;
        let slots = self.template.slots.len() as u32;
        self.template.locals.extend(body.locals.iter().cloned());
        for (i, slot) in body.slots.iter().enumerate() {
            let origin = Origin::Slot(function, SlotId(i as u32));
            let origin = inliner.facts.points_to.objects().id(origin);
            let object = inliner.object(&slot.name, slot.size, Some(self.owner), origin);
            self.template.slots.push(object);
        }
        let rename = |o: Operand, known: &Constants| renamed(o, known, locals, slots);
        let constants = constants(body, params, &rename);
        self.activations.push(Activation {
            function,
            locals,
            slots,
            constants,
            back,
        });
        Key {
            activation,
            block: 0,
            index: 0,
            depth: back.map_or(0, |(k, _)| k.depth),
        }
    }

    fn operand(&self, activation: u32, o: Operand) -> Operand {
        let a = &self.activations[activation as usize];
        renamed(o, &a.constants, a.locals, a.slots)
    }

    fn local(&self, activation: u32, l: LocalId) -> LocalId {
        LocalId(self.activations[activation as usize].locals + l.0)
    }

    fn edge(&mut self, from: u32, step: Option<Step>, goal: Goal) {
        self.template.edges.push(RawEdge {
            from,
            step,
            access: None,
            goal,
        });
    }

    fn visit(&mut self, inliner: &mut Inliner<'_>, node: u32, key: Key) {
        let facts = inliner.facts;
        let program = facts.program();
        let function = self.activations[key.activation as usize].function;
        let body = program.function(function);
        let block = &body.blocks[key.block as usize];
        let copied = Location {
            function,
            block: BlockId(key.block),
            index: key.index,
        };
        let at = facts.clones.origin_of(copied);
        let Some(instr) = block.instrs.get(key.index as usize) else {
            return self.terminator(inliner, node, key, &block.terminator, at);
        };
        let next = Key {
            index: key.index + 1,
            ..key
        };
        let span = instr.span;
        if let Some(what) = refused_operation(facts, function, &instr.op, inliner.frees) {
            let goal = inliner.refuse(&what, span);
            return self.edge(node, None, goal);
        }
        let step = |what: What| Step {
            what,
            at,
            cells: Vec::new(),
        };
        match &instr.op {
            Op::Let { dst, .. }
                if self.activations[key.activation as usize]
                    .constants
                    .contains_key(dst) =>
            {
                let goal = self.goal(next);
                self.edge(node, None, goal);
            }
            Op::Fence | Op::Output { .. } | Op::StorageDead { .. } | Op::Free { .. } => {
                let goal = self.goal(next);
                self.edge(node, None, goal);
            }
            Op::AtomicBegin { .. } | Op::AtomicEnd => {
                let begins = matches!(instr.op, Op::AtomicBegin { .. });
                let depth = match begins {
                    true => key.depth + 1,
                    false => key.depth.saturating_sub(1),
                };
                let goal = self.goal(Key { depth, ..next });
                self.edge(node, None, goal);
            }
            Op::Assert { cond, property, .. } => {
                let cond = self.operand(key.activation, *cond);
                if inliner.properties.contains(property) {
                    let failed = step(What::Test(cond, false));
                    self.edge(node, Some(failed), Goal::Error(*property, at));
                    let goal = self.goal(next);
                    self.edge(node, Some(step(What::Test(cond, true))), goal);
                } else {
                    let goal = self.goal(next);
                    self.edge(node, None, goal);
                }
            }
            Op::Call { dst, callee, args } => {
                self.call(inliner, node, next, copied, (*dst, *callee, args), at, span);
            }
            Op::Sync { dst, op, args } => {
                let dst = dst.map(|d| self.local(key.activation, d));
                let args: Vec<Operand> = args
                    .iter()
                    .map(|a| self.operand(key.activation, *a))
                    .collect();
                self.sync(inliner, node, next, copied, at, (dst, *op, &args));
            }
            op => {
                let mut op = op.clone();
                self.rename(key.activation, &mut op);
                if let Op::StorageLive { slot } = &mut op {
                    slot.0 += self.activations[key.activation as usize].slots;
                }
                let goal = self.goal(next);
                if let Op::Alloc { size, .. } = &op {
                    let Operand::Const { bits, .. } = size else {
                        let goal = inliner.refuse("an object of unknown size", span);
                        return self.edge(node, None, goal);
                    };
                    let origin = facts.points_to.objects().id(Origin::Allocated(copied));
                    let name = format!("heap{}", span.line);
                    let object = inliner.object(&name, *bits as u64, Some(self.owner), origin);
                    inliner.raw.objects[object.0 as usize].heap = true;
                    // An allocation names its object like a slot.
                    let slot = SlotId(self.template.slots.len() as u32);
                    self.template.slots.push(object);
                    self.allocation(node, &op, slot, at, goal);
                    return;
                }
                let access = access_of(facts, copied, &op);
                self.template.edges.push(RawEdge {
                    from: node,
                    step: Some(step(What::Instr(op))),
                    access,
                    goal,
                });
            }
        }
    }

    /// An allocation becomes: the object's contents are made, then its address is assigned.
    fn allocation(&mut self, node: u32, op: &Op, slot: SlotId, at: Location, goal: Goal) {
        let Op::Alloc { dst, zeroed, .. } = op else {
            return;
        };
        let between = self.template.atomic.len() as u32;
        let inside = self.template.atomic[node as usize];
        self.template.atomic.push(inside);
        let address = Operand::Slot {
            id: slot,
            offset: 0,
        };
        // A zeroed object: a store of zero to every cell, which `memory` spells out.
        let first = match zeroed {
            true => Op::Store {
                ty: Ty::I8,
                addr: address,
                value: Operand::int(Ty::I8, 0),
                access: raddle_ir::Access::PLAIN,
            },
            false => Op::StorageLive { slot },
        };
        let step = |op: Op| {
            Some(Step {
                what: What::Instr(op),
                at,
                cells: Vec::new(),
            })
        };
        self.template.edges.push(RawEdge {
            from: node,
            step: step(first),
            access: Some(RawAccess {
                address,
                targets: Vec::new(),
                shape: Shape::Whole,
                write: true,
            }),
            goal: Goal::At(LocId(between)),
        });
        let value = Rvalue::Use(address);
        self.edge(between, step(Op::Let { dst: *dst, value }), goal);
    }

    fn rename(&self, activation: u32, op: &mut Op) {
        for o in op.operands_mut() {
            *o = self.operand(activation, *o);
        }
        for d in op.destinations_mut() {
            *d = self.local(activation, *d);
        }
    }

    #[allow(clippy::too_many_arguments)]
    fn call(
        &mut self,
        inliner: &mut Inliner<'_>,
        node: u32,
        next: Key,
        copied: Location,
        (dst, callee, args): (Option<LocalId>, Operand, &[Operand]),
        at: Location,
        span: Span,
    ) {
        let facts = inliner.facts;
        let program = facts.program();
        let activation = next.activation;
        let dst = dst.map(|d| self.local(activation, d));
        let callee = match self.operand(activation, callee) {
            Operand::Function(f) => f,
            _ => {
                let mut all = facts.points_to.callees(copied);
                match (all.next(), all.next()) {
                    (Some(f), None) => f,
                    _ => {
                        let what = "a call through a pointer to several functions";
                        let goal = inliner.refuse(what, span);
                        return self.edge(node, None, goal);
                    }
                }
            }
        };
        let body = program.function(callee);
        if !body.has_body() {
            let goal = self.goal(next);
            let step = dst.map(|d| Step {
                what: What::External(d),
                at,
                cells: Vec::new(),
            });
            return self.edge(node, step, goal);
        }
        let origin = facts.clones.origin(callee);
        let mut up = Some(activation);
        while let Some(a) = up {
            let a = &self.activations[a as usize];
            if facts.clones.origin(a.function) == origin {
                let goal = inliner.refuse("recursion", span);
                return self.edge(node, None, goal);
            }
            up = a.back.map(|(k, _)| k.activation);
        }
        let args: Vec<Operand> = args.iter().map(|a| self.operand(activation, *a)).collect();
        let mut params = Constants::new();
        for (i, a) in args.iter().enumerate().take(body.params as usize) {
            if is_constant(*a) {
                params.insert(LocalId(i as u32), *a);
            }
        }
        let first = self.enter(inliner, callee, params, Some((next, dst)));
        let new = &self.activations[first.activation as usize];
        let (base, known) = (new.locals, new.constants.clone());
        let mut from = node;
        for (i, a) in args.iter().enumerate().take(body.params as usize) {
            let param = LocalId(i as u32);
            if known.contains_key(&param) {
                continue;
            }
            let to = self.template.atomic.len() as u32;
            self.template.atomic.push(next.depth > 0);
            let step = Step {
                what: What::Instr(Op::Let {
                    dst: LocalId(base + param.0),
                    value: Rvalue::Use(*a),
                }),
                at,
                cells: Vec::new(),
            };
            self.edge(from, Some(step), Goal::At(LocId(to)));
            from = to;
        }
        let goal = self.goal(first);
        self.edge(from, None, goal);
    }

    fn sync(
        &mut self,
        inliner: &mut Inliner<'_>,
        node: u32,
        next: Key,
        copied: Location,
        at: Location,
        (dst, op, args): (Option<LocalId>, SyncOp, &[Operand]),
    ) {
        let facts = inliner.facts;
        let step = |what: What| {
            Some(Step {
                what,
                at,
                cells: Vec::new(),
            })
        };
        match op {
            SyncOp::ThreadNew => {
                let function = match args[0] {
                    Operand::Function(f) => Some(f),
                    _ => {
                        let mut all = facts.points_to.callees(copied);
                        all.next().filter(|_| all.next().is_none())
                    }
                };
                let span = facts.program().span_of(copied);
                let Some(function) = function.filter(|f| facts.program().function(*f).has_body())
                else {
                    let goal = inliner.refuse("a thread with an unknown function", span);
                    return self.edge(node, None, goal);
                };
                if inliner.raw.templates.len() >= TEMPLATES {
                    let goal = inliner.refuse("too many kinds of threads", span);
                    return self.edge(node, None, goal);
                }
                let passed = match args[1] {
                    o @ (Operand::Const { .. } | Operand::Global { .. }) => Some(o),
                    _ => None,
                };
                let template = inliner.template(function, passed);
                let site = self.template.sites.len() as u32;
                self.template.sites.push(Site {
                    at,
                    template,
                    repeats: true,
                });
                self.template.site_nodes.push(node);
                let goal = self.goal(next);
                let what = What::New {
                    site,
                    handle: dst,
                    argument: args[1],
                };
                self.edge(node, step(what), goal);
            }
            SyncOp::ThreadStart => {
                let goal = self.goal(next);
                self.edge(node, step(What::Start), goal);
            }
            SyncOp::ThreadJoin => {
                let goal = self.goal(next);
                let what = What::Join {
                    handle: args[0],
                    result: dst,
                };
                self.edge(node, step(what), goal);
            }
            SyncOp::ThreadExit => self.edge(node, step(What::Result(args[0])), Goal::Finish),
            SyncOp::Exit | SyncOp::Abort => self.edge(node, None, Goal::End),
            SyncOp::Yield => {
                let goal = self.goal(next);
                self.edge(node, None, goal);
            }
            _ => {
                let op = Op::Sync {
                    dst,
                    op,
                    args: args.to_vec(),
                };
                let access = access_of(facts, copied, &op);
                let goal = self.goal(next);
                self.template.edges.push(RawEdge {
                    from: node,
                    step: step(What::Instr(op)),
                    access,
                    goal,
                });
            }
        }
    }

    fn terminator(
        &mut self,
        inliner: &mut Inliner<'_>,
        node: u32,
        key: Key,
        terminator: &Terminator,
        at: Location,
    ) {
        let jump = |b: BlockId| Key {
            block: b.0,
            index: 0,
            ..key
        };
        let step = |what: What| {
            Some(Step {
                what,
                at,
                cells: Vec::new(),
            })
        };
        match terminator {
            Terminator::Goto(b) => {
                let goal = self.goal(jump(*b));
                self.edge(node, None, goal);
            }
            Terminator::Branch {
                cond,
                then,
                otherwise,
            } => {
                let cond = self.operand(key.activation, *cond);
                if let Operand::Const { bits, .. } = cond {
                    let to = if bits & 1 == 1 { then } else { otherwise };
                    let goal = self.goal(jump(*to));
                    return self.edge(node, None, goal);
                }
                for (to, holds) in [(then, true), (otherwise, false)] {
                    let goal = self.goal(jump(*to));
                    self.edge(node, step(What::Test(cond, holds)), goal);
                }
            }
            Terminator::Switch {
                ty,
                value,
                cases,
                default,
            } => {
                let value = self.operand(key.activation, *value);
                let mut others = Vec::new();
                for (bits, to) in cases {
                    let goal = self.goal(jump(*to));
                    let what = What::Case {
                        ty: *ty,
                        value,
                        among: vec![*bits],
                        holds: true,
                    };
                    self.edge(node, step(what), goal);
                    others.push(*bits);
                }
                let goal = self.goal(jump(*default));
                let what = What::Case {
                    ty: *ty,
                    value,
                    among: others,
                    holds: false,
                };
                self.edge(node, step(what), goal);
            }
            Terminator::Return(value) => {
                let value = value.map(|v| self.operand(key.activation, v));
                match self.activations[key.activation as usize].back {
                    Some((back, dst)) => {
                        let back = Key {
                            depth: key.depth,
                            ..back
                        };
                        let goal = self.goal(back);
                        let assign = dst.zip(value).map(|(dst, v)| {
                            What::Instr(Op::Let {
                                dst,
                                value: Rvalue::Use(v),
                            })
                        });
                        self.edge(node, assign.and_then(step), goal);
                    }
                    None => {
                        let what = value.map(What::Result);
                        self.edge(node, what.and_then(step), Goal::Finish);
                    }
                }
            }
            Terminator::Unreachable => {
                let span = inliner.facts.program().span_of(at);
                let goal = inliner.refuse(
                    "control reaches what the compiler took for unreachable",
                    span,
                );
                self.edge(node, None, goal);
            }
        }
    }
}

fn renamed(o: Operand, constants: &Constants, locals: u32, slots: u32) -> Operand {
    match o {
        Operand::Local(l) => match constants.get(&l) {
            Some(c) => *c,
            None => Operand::Local(LocalId(locals + l.0)),
        },
        Operand::Slot { id, offset } => Operand::Slot {
            id: SlotId(slots + id.0),
            offset,
        },
        other => other,
    }
}
