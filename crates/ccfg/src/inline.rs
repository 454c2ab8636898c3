//! Calls inlined: every thread function becomes one graph with one instruction per edge.
//!
//! A node is a place of the program with copies ([`raddle_analysis::Clones`]) in one activation, and the depth of atomic
//! regions there. Activations are told apart by the path of calls, so recursion cannot be treated; control flow that would
//! recurse, or meets another thing that is not treated, ends at a refusal.

use crate::fold::Constants;
use crate::graph::{Goal, Object, ObjectId, Refusal, Site, Spot, Step, TemplateId};
use crate::operands::refused_thread_local;
use crate::walk::Walk;
use raddle_analysis::evident::SyncUses;
use raddle_analysis::{Facts, Object as Origin, Target};
use raddle_ir::{
    AtomicKind, FuncId, GlobalId, InitValue, Local, LocalId, Location, Op, Operand, Program,
    Property, Span, Terminator,
};
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// More nodes than this in one template are not made.
const NODES: usize = 30_000;

/// The program without calls, with one instruction per edge.
pub struct Raw {
    pub program: Program,
    pub templates: Vec<RawTemplate>,
    pub objects: Vec<Object>,
    pub globals: HashMap<GlobalId, ObjectId>,
    /// Which objects stand for an abstract one.
    pub origins: HashMap<raddle_analysis::ObjectId, Vec<ObjectId>>,
    pub refusals: Vec<Refusal>,
    /// See [`crate::Ccfg::sleepers`].
    pub sleepers: bool,
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
    /// The first nodes of atomic regions that lie in no other, and of what kind these are.
    pub regions: Vec<(u32, AtomicKind)>,
    /// The nodes at which an instruction begins.
    pub spots: HashMap<u32, Spot>,
}

/// One instruction.
#[derive(Clone)]
pub struct RawEdge {
    pub from: u32,
    pub step: Option<Step>,
    pub access: Option<RawAccess>,
    pub goal: Goal,
    /// Its place in the program with copies, if it accesses memory.
    pub copied: Option<Location>,
    /// It can be put off until after whatever another thread does next (`movers.rs`).
    pub mover: bool,
    /// Objects whose life ends here.
    pub ends: Option<Ends>,
}

/// Objects whose life ends.
#[derive(Clone, Debug)]
pub enum Ends {
    /// These slots of the template.
    Slots(Range<u32>),
    /// What is at an address, and may be one of these.
    Freed(Operand, Vec<Target>),
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

/// The work of inlining.
pub(crate) struct Inliner<'a> {
    pub(crate) facts: &'a Facts,
    pub(crate) properties: &'a [Property],
    pub(crate) raw: Raw,
    pub(crate) keys: HashMap<(FuncId, Option<Operand>), TemplateId>,
    pub(crate) waiting: Vec<(TemplateId, FuncId, Option<Operand>)>,
    pub(crate) frees: bool,
    /// Which synchronisation is evidently right, if that is asked.
    pub(crate) uses: Option<SyncUses>,
    /// The thread-local objects that are used and treated.
    pub(crate) thread_locals: Vec<GlobalId>,
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
            sleepers: properties.contains(&Property::NoDeadlock),
        },
        keys: HashMap::new(),
        waiting: Vec::new(),
        frees,
        uses: properties
            .contains(&Property::ValidSync)
            .then(|| SyncUses::new(facts)),
        thread_locals: thread_locals(facts, &reachable),
    };
    inliner.globals();
    inliner.template(program.entry, None);
    while let Some((id, function, argument)) = inliner.waiting.pop() {
        inliner.graph(id, function, argument)?;
    }
    Ok(inliner.raw)
}

/// The thread-local objects that functions mention, as far as they are treated.
fn thread_locals(facts: &Facts, functions: &[FuncId]) -> Vec<GlobalId> {
    let program = facts.program();
    let mut all = BTreeSet::new();
    let mut note = |o: &Operand| {
        if let Operand::Global { id, .. } = o
            && program.global(*id).thread_local
            && refused_thread_local(facts, *id).is_none()
        {
            all.insert(*id);
        }
    };
    for f in functions {
        for block in &program.function(*f).blocks {
            for i in &block.instrs {
                i.op.clone().operands_mut().iter().for_each(|o| note(o));
            }
            match &block.terminator {
                Terminator::Branch { cond: o, .. }
                | Terminator::Switch { value: o, .. }
                | Terminator::Return(Some(o)) => note(o),
                _ => {}
            }
        }
    }
    all.into_iter().collect()
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
            let nothing = |i: &raddle_ir::Init| match &i.value {
                InitValue::Bytes(b) => b.iter().all(|b| *b == 0),
                InitValue::Address { .. } => false,
            };
            self.raw.objects[object.0 as usize].zero = !g.external && g.init.iter().all(nothing);
            self.raw.globals.insert(id, object);
        }
    }

    pub(crate) fn object(
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
            zero: false,
        });
        if let Some(o) = origin {
            self.raw.origins.entry(o).or_default().push(id);
        }
        id
    }

    /// The template of a thread function, which is inlined later.
    pub(crate) fn template(&mut self, function: FuncId, argument: Option<Operand>) -> TemplateId {
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
            own: HashMap::new(),
        };
        walk.make_own(self, function);
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

    pub(crate) fn refuse(&mut self, what: &str, span: Span) -> Goal {
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
