//! One thread function, walked instruction by instruction with its calls entered.

use crate::fold::{Constants, constants, is_constant};
use crate::graph::{Ccfg, Goal, LocId, Spot, Step, TemplateId, What};
use crate::inline::{Ends, Inliner, RawAccess, RawEdge, RawTemplate, Shape};
use crate::operands::{access_of, is_unknown, refused_operation};
use crate::safety::{does_not_fit, refused_allocation};
use raddle_analysis::evident::may_be_undefined;
use raddle_analysis::{Liveness, Object as Origin};
use raddle_ir::{
    BlockId, FuncId, Global, GlobalId, InitValue, LocalId, Location, Op, Operand, Property, Rvalue,
    SlotId, Span, Terminator, Ty,
};
use std::collections::HashMap;

/// A call is entered in so many functions at most.
pub(crate) const CALLEES: usize = 16;

pub(crate) struct Activation {
    pub(crate) function: FuncId,
    pub(crate) locals: u32,
    pub(crate) slots: u32,
    pub(crate) constants: Constants,
    /// Where to go on, and where the result goes.
    pub(crate) back: Option<(Key, Option<LocalId>)>,
}

/// A place in an activation.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key {
    pub(crate) activation: u32,
    pub(crate) block: u32,
    pub(crate) index: u32,
    pub(crate) depth: u32,
}

pub(crate) struct Walk {
    pub(crate) owner: TemplateId,
    pub(crate) template: RawTemplate,
    pub(crate) activations: Vec<Activation>,
    pub(crate) nodes: HashMap<Key, u32>,
    pub(crate) todo: Vec<(u32, Key)>,
    /// Thread-local objects, which are like slots of the thread function.
    pub(crate) own: HashMap<GlobalId, SlotId>,
}

impl Walk {
    /// The node of a place, to be visited once.
    pub(crate) fn node(&mut self, key: Key) -> u32 {
        if let Some(n) = self.nodes.get(&key) {
            return *n;
        }
        let n = self.template.atomic.len() as u32;
        self.template.atomic.push(key.depth > 0);
        self.nodes.insert(key, n);
        self.todo.push((n, key));
        n
    }

    pub(crate) fn goal(&mut self, key: Key) -> Goal {
        Goal::At(LocId(self.node(key)))
    }

    /// A new activation; the key of its first instruction.
    pub(crate) fn enter(
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
        let own = &self.own;
        let rename = |o: Operand, known: &Constants| renamed(o, known, locals, slots, own);
        let constants = constants(body, params, program.model, &rename);
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

    pub(crate) fn operand(&self, activation: u32, o: Operand) -> Operand {
        let a = &self.activations[activation as usize];
        renamed(o, &a.constants, a.locals, a.slots, &self.own)
    }

    pub(crate) fn local(&self, activation: u32, l: LocalId) -> LocalId {
        LocalId(self.activations[activation as usize].locals + l.0)
    }

    pub(crate) fn edge(&mut self, from: u32, step: Option<Step>, goal: Goal) {
        self.template.edges.push(RawEdge {
            copied: None,
            mover: false,
            ends: None,
            from,
            step,
            access: None,
            goal,
        });
    }

    /// Where the last edge is in the program with copies, and what ends there.
    pub(crate) fn ends_at(&mut self, at: Location, ends: Option<Ends>) {
        if let Some(edge) = self.template.edges.last_mut() {
            edge.copied = Some(at);
            edge.ends = ends;
        }
    }

    pub(crate) fn visit(&mut self, inliner: &mut Inliner<'_>, node: u32, key: Key) {
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
        let activation = &self.activations[key.activation as usize];
        let spot = Spot {
            at,
            locals: activation.locals,
            slots: activation.slots,
        };
        self.template.spots.insert(node, spot);
        let Some(instr) = block.instrs.get(key.index as usize) else {
            self.terminator(inliner, node, key, &block.terminator, at);
            if matches!(block.terminator, Terminator::Return(_)) {
                let first = self.activations[key.activation as usize].slots;
                let slots = first..first + body.slots.len() as u32;
                self.ends_at(copied, Some(Ends::Slots(slots)));
            }
            return;
        };
        let next = Key {
            index: key.index + 1,
            ..key
        };
        let span = instr.span;
        if let Op::Alloc { memory, .. } = &instr.op
            && let Some(what) = refused_allocation(inliner.properties, *memory)
        {
            let goal = inliner.refuse(what, span);
            return self.edge(node, None, goal);
        }
        if let Some(what) = refused_operation(facts, copied, &instr.op, inliner.frees) {
            let goal = inliner.refuse(&what, span);
            return self.edge(node, None, goal);
        }
        let step = |what: What| Step {
            what,
            at,
            cells: Vec::new(),
            elsewhere: Vec::new(),
            within: Vec::new(),
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
            Op::Let { dst, value } if is_unknown(facts, function, value, inliner.frees) => {
                for property in [Property::NoDivZero, Property::NoBadShift] {
                    let asked = inliner.properties.contains(&property);
                    if asked && may_be_undefined(property, &instr.op, program.model) {
                        let what = "a division or shift of numbers that may be of addresses";
                        let goal = inliner.refuse(what, span);
                        self.edge(node, None, goal);
                    }
                }
                let dst = self.local(key.activation, *dst);
                let goal = self.goal(next);
                self.edge(node, Some(step(What::Unknown(dst))), goal);
            }
            Op::Fence { .. } | Op::Output { .. } => {
                let goal = self.goal(next);
                self.edge(node, None, goal);
            }
            Op::StorageDead { slot } => {
                let slot = self.activations[key.activation as usize].slots + slot.0;
                let goal = self.goal(next);
                self.edge(node, None, goal);
                self.ends_at(copied, Some(Ends::Slots(slot..slot + 1)));
            }
            Op::Free { addr, .. } => {
                let address = self.operand(key.activation, *addr);
                let targets = facts.points_to.accessed(program, copied).to_vec();
                let goal = self.goal(next);
                self.edge(node, None, goal);
                self.ends_at(copied, Some(Ends::Freed(address, targets)));
            }
            Op::AtomicBegin { .. } | Op::AtomicEnd => {
                let begins = matches!(instr.op, Op::AtomicBegin { .. });
                let depth = match begins {
                    true => key.depth + 1,
                    false => key.depth.saturating_sub(1),
                };
                let inside = self.node(Key { depth, ..next });
                if let (Op::AtomicBegin { kind }, 0) = (&instr.op, key.depth) {
                    self.template.regions.push((inside, *kind));
                }
                self.edge(node, None, Goal::At(LocId(inside)));
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
                for property in [Property::NoDivZero, Property::NoBadShift] {
                    let asked = inliner.properties.contains(&property);
                    if asked && may_be_undefined(property, &op, program.model) {
                        let wrong = step(What::Wrong(property, op.clone()));
                        self.edge(node, Some(wrong), Goal::Error(property, at));
                    }
                }
                let access = access_of(facts, copied, &op);
                self.template.edges.push(RawEdge {
                    copied: Some(copied),
                    mover: false,
                    ends: None,
                    from: node,
                    step: Some(step(What::Instr(op))),
                    access,
                    goal,
                });
            }
        }
    }

    /// A thread begins by making its thread-local objects.
    pub(crate) fn make_own(&mut self, inliner: &mut Inliner<'_>, function: FuncId) {
        let program = inliner.facts.program();
        let at = inliner.facts.clones.origin_of(Location {
            function,
            block: BlockId(0),
            index: 0,
        });
        for id in inliner.thread_locals.clone() {
            let global = program.global(id);
            let origin = inliner.facts.points_to.objects().id(Origin::Global(id));
            let object = inliner.object(&global.name, global.size, Some(self.owner), origin);
            let slot = SlotId(self.template.slots.len() as u32);
            self.template.slots.push(object);
            self.own.insert(id, slot);
            let Some((ty, bits)) = initial_scalar(global) else {
                continue;
            };
            let addr = Operand::Slot {
                id: slot,
                offset: 0,
            };
            let step = Step {
                what: What::Instr(Op::Store {
                    ty,
                    addr,
                    value: Operand::int(ty, bits),
                    access: raddle_ir::Access::PLAIN,
                }),
                at,
                cells: Vec::new(),
                elsewhere: Vec::new(),
                within: Vec::new(),
            };
            let from = self.template.atomic.len() as u32;
            self.template.atomic.push(false);
            self.template.edges.push(RawEdge {
                copied: None,
                mover: false,
                ends: None,
                from,
                step: Some(step),
                access: Some(RawAccess {
                    address: addr,
                    targets: Vec::new(),
                    shape: match bits {
                        0 => Shape::Whole,
                        _ => Shape::Bytes(global.size),
                    },
                    write: true,
                }),
                goal: Goal::At(LocId(from + 1)),
            });
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
                elsewhere: Vec::new(),
                within: Vec::new(),
            })
        };
        self.template.edges.push(RawEdge {
            copied: None,
            mover: false,
            ends: None,
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
    pub(crate) fn call(
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
        let activation = next.activation;
        let dst = dst.map(|d| self.local(activation, d));
        let callee = self.operand(activation, callee);
        let result = dst.map(|d| self.template.locals[d.0 as usize].ty);
        let several: Vec<FuncId> = match callee {
            Operand::Function(f) => vec![f],
            _ => facts.points_to.callees(copied).collect(),
        };
        if several.is_empty() || several.len() > CALLEES {
            let what = "a call through a pointer to many functions, or to none that is known";
            let goal = inliner.refuse(what, span);
            return self.edge(node, None, goal);
        }
        let checked = inliner.properties.contains(&Property::ValidDeref);
        let mut all = several.iter();
        if checked && all.any(|f| does_not_fit(facts, *f, args.len(), result)) {
            let goal = inliner.refuse("a call that does not fit", span);
            return self.edge(node, None, goal);
        }
        if matches!(callee, Operand::Function(_)) {
            return self.call_of(inliner, node, next, (dst, several[0], args), at, span);
        }
        let is_one_of = |among: Vec<u128>, holds: bool| Step {
            what: What::Case {
                ty: Ty::Ptr,
                value: callee,
                among,
                holds,
            },
            at,
            cells: Vec::new(),
            elsewhere: Vec::new(),
            within: Vec::new(),
        };
        let address = |f: &FuncId| u128::from(Ccfg::function_address(*f));
        if checked {
            let none = is_one_of(several.iter().map(address).collect(), false);
            self.edge(node, Some(none), Goal::Error(Property::ValidDeref, at));
        }
        for (i, f) in several.iter().enumerate() {
            let last = i + 1 == several.len();
            let step = match last && !checked {
                // What is no function is taken to be the last one: otherwise the thread would have to stop here.
                true => is_one_of(several[..i].iter().map(address).collect(), false),
                false => is_one_of(vec![address(f)], true),
            };
            let to = self.template.atomic.len() as u32;
            self.template.atomic.push(next.depth > 0);
            self.edge(node, Some(step), Goal::At(LocId(to)));
            self.call_of(inliner, to, next, (dst, *f, args), at, span);
        }
    }

    /// Enters a function.
    fn call_of(
        &mut self,
        inliner: &mut Inliner<'_>,
        node: u32,
        next: Key,
        (dst, callee, args): (Option<LocalId>, FuncId, &[Operand]),
        at: Location,
        span: Span,
    ) {
        let facts = inliner.facts;
        let program = facts.program();
        let activation = next.activation;
        let body = program.function(callee);
        if !body.has_body() {
            let goal = self.goal(next);
            let step = dst.map(|d| Step {
                what: What::External(d),
                at,
                cells: Vec::new(),
                elsewhere: Vec::new(),
                within: Vec::new(),
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
        // What a former activation left is not what this one begins with.
        let live = Liveness::new(body);
        for (i, _) in body.locals.iter().enumerate() {
            let local = LocalId(i as u32);
            if known.contains_key(&local) {
                continue;
            }
            let dst = LocalId(base + local.0);
            let given = args.get(i).filter(|_| (i as u32) < body.params);
            let op = match given {
                Some(a) => Op::Let {
                    dst,
                    value: Rvalue::Use(*a),
                },
                None if live.is_live(BlockId(0), local) => Op::Havoc { dst },
                None => continue,
            };
            let to = self.template.atomic.len() as u32;
            self.template.atomic.push(next.depth > 0);
            let step = Step {
                what: What::Instr(op),
                at,
                cells: Vec::new(),
                elsewhere: Vec::new(),
                within: Vec::new(),
            };
            self.edge(from, Some(step), Goal::At(LocId(to)));
            from = to;
        }
        let goal = self.goal(first);
        self.edge(from, None, goal);
    }
}

/// What a thread-local object holds at first: zeros (in bytes), or one number that fills it.
pub(crate) fn initial_scalar(global: &Global) -> Option<(Ty, i128)> {
    let mut bytes = vec![0; global.size as usize];
    for i in &global.init {
        let InitValue::Bytes(b) = &i.value else {
            return None;
        };
        let from = i.offset as usize;
        bytes.get_mut(from..from + b.len())?.copy_from_slice(b);
    }
    if bytes.iter().all(|b| *b == 0) {
        return Some((Ty::I8, 0));
    }
    let ty = match bytes.len() {
        1 => Ty::I8,
        2 => Ty::I16,
        4 => Ty::I32,
        8 => Ty::I64,
        _ => return None,
    };
    let bits = bytes.iter().rev().fold(0, |n, b| n << 8 | i128::from(*b));
    Some((ty, bits))
}

fn renamed(
    o: Operand,
    constants: &Constants,
    locals: u32,
    slots: u32,
    own: &HashMap<GlobalId, SlotId>,
) -> Operand {
    match o {
        Operand::Global { id, offset } => match own.get(&id) {
            Some(slot) => Operand::Slot { id: *slot, offset },
            None => o,
        },
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
