//! Which objects a value may point to.
//!
//! Inclusion-based (Andersen, 1994), flow- and context-insensitive, with byte offsets where they are constant, and
//! with the call graph found on the way, so that only code reachable from the entry counts. Every value can carry
//! targets, also integers, floats and single bytes of pointers: whatever is computed from an address still knows
//! its object. Context comes from elsewhere: see [`crate::clones`].
//!
//! *Unknown.* A pointer made from an integer that is not certainly computed from an address, one that is an input,
//! and one that a function without a body returns may point to any *exposed* object: a global, an object passed to
//! such a function, to a thread or turned into an integer, and what can be reached from those. A number that becomes
//! a pointer in any other way (through a union, out of uninitialised memory) is taken not to be an address unless
//! an address flowed into it.
//!
//! What it over-approximates: array elements (a member has one offset for all of them), all activations of a function, all objects of an
//! allocation site, the results of all threads together, code that control flow never reaches after a call that does
//! not return.

mod constraints;

use crate::objects::{Object, ObjectId, Objects};
use crate::solve::{Move, NodeId, Offset, Solver, Target};
use raddle_ir::{FuncId, Location, Op, Operand, Program};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Points-to sets of all reachable code.
#[derive(Clone, Debug)]
pub struct PointsTo {
    solver: Solver,
    /// The node of the first local of each reachable function; the node before it is its result.
    locals: Vec<Option<NodeId>>,
    addresses: HashMap<(Option<FuncId>, Operand), NodeId>,
    /// For calls and thread creations: the functions that may run, those without a body included.
    callees: BTreeMap<Location, BTreeSet<FuncId>>,
    exposed: BTreeSet<ObjectId>,
    exposing: Vec<NodeId>,
    thread_results: NodeId,
    thread_arguments: NodeId,
    external_arguments: NodeId,
    /// An unknown address is used for an access.
    unknown_used: bool,
}

impl PointsTo {
    /// Computes everything.
    pub fn new(program: &Program) -> PointsTo {
        constraints::generate(program)
    }

    /// The abstract objects.
    pub fn objects(&self) -> &Objects {
        &self.solver.objects
    }

    /// Whether a function can be reached from the entry.
    pub fn is_reachable(&self, f: FuncId) -> bool {
        self.locals[f.0 as usize].is_some()
    }

    /// The functions that can be reached from the entry, by calls or as threads.
    pub fn reachable(&self) -> impl Iterator<Item = FuncId> + '_ {
        let all = self.locals.iter().enumerate();
        all.filter(|(_, n)| n.is_some())
            .map(|(f, _)| FuncId(f as u32))
    }

    /// Where an operand of a reachable function may point; sorted by object.
    pub fn targets(&self, f: FuncId, o: Operand) -> &[Target] {
        let node = match o {
            Operand::Local(l) => self.locals[f.0 as usize].map(|n| NodeId(n.0 + l.0)),
            Operand::Slot { .. } => self.addresses.get(&(Some(f), o)).copied(),
            _ => self.addresses.get(&(None, o)).copied(),
        };
        node.map_or(&[], |n| self.solver.targets(n))
    }

    /// Where the address that an instruction accesses may point; empty if it accesses nothing.
    pub fn accessed(&self, program: &Program, at: Location) -> &[Target] {
        let Some(instr) = program.instr(at) else {
            return &[];
        };
        let address = match &instr.op {
            Op::Load { addr, .. }
            | Op::Store { addr, .. }
            | Op::Rmw { addr, .. }
            | Op::Cas { addr, .. }
            | Op::Free { addr, .. }
            | Op::ObjectSize { addr, .. } => *addr,
            Op::StorageLive { slot } | Op::StorageDead { slot } => Operand::Slot {
                id: *slot,
                offset: 0,
            },
            Op::Sync { op, args, .. } if op.args().first() == Some(&raddle_ir::SyncKind::Ptr) => {
                args[0]
            }
            _ => return &[],
        };
        self.targets(at.function, address)
    }

    /// Whether one of the targets may be the object.
    pub fn may_be(&self, targets: &[Target], object: ObjectId) -> bool {
        let hit = |t: &Target| {
            t.object == object || (t.object == ObjectId::UNKNOWN && self.is_exposed(object))
        };
        targets.iter().any(hit)
    }

    /// Whether an unknown address may point to the object.
    pub fn is_exposed(&self, object: ObjectId) -> bool {
        self.exposed.contains(&object)
    }

    /// All objects an unknown address may point to.
    pub fn exposed(&self) -> &BTreeSet<ObjectId> {
        &self.exposed
    }

    /// Whether some access goes through an unknown address.
    pub fn unknown_is_used(&self) -> bool {
        self.unknown_used
    }

    /// The functions a call may enter, or a thread creation may start.
    pub fn callees(&self, at: Location) -> impl Iterator<Item = FuncId> + '_ {
        self.callees.get(&at).into_iter().flatten().copied()
    }

    /// All calls and thread creations with what they may run.
    pub fn sites(&self) -> impl Iterator<Item = (Location, &BTreeSet<FuncId>)> + '_ {
        self.callees.iter().map(|(at, all)| (*at, all))
    }

    /// Everything that was ever stored in an object.
    pub fn contents(&self, o: ObjectId) -> Vec<Target> {
        self.solver.contents(o)
    }

    /// What threads are given as argument.
    pub fn thread_arguments(&self) -> &[Target] {
        self.solver.targets(self.thread_arguments)
    }

    /// What threads return.
    pub fn thread_results(&self) -> &[Target] {
        self.solver.targets(self.thread_results)
    }

    /// What is passed to functions without a body.
    pub fn external_arguments(&self) -> &[Target] {
        self.solver.targets(self.external_arguments)
    }

    /// The objects that can be reached from some by following stored pointers, these included.
    pub fn closure(&self, from: impl IntoIterator<Item = ObjectId>) -> BTreeSet<ObjectId> {
        self.solver.closure(from).into_iter().collect()
    }

    /// The globals that all threads share.
    pub fn shared_globals<'a>(
        &'a self,
        program: &'a Program,
    ) -> impl Iterator<Item = ObjectId> + 'a {
        self.objects().ids().filter(|id| {
            matches!(self.objects().get(*id), Object::Global(g) if !program.global(g).thread_local)
        })
    }

    /// Whether a target set is one place of one object; which.
    pub fn single(targets: &[Target]) -> Option<Target> {
        match targets {
            [t] if t.object != ObjectId::UNKNOWN => Some(*t),
            _ => None,
        }
    }

    /// What an unknown address reads may lie in any exposed object, what it writes may end in any.
    fn connect_exposed(&mut self, program: &Program, pointer: u32) -> bool {
        let mut roots: Vec<ObjectId> = self.shared_globals(program).collect();
        for n in &self.exposing {
            roots.extend(self.solver.targets(*n).iter().map(|t| t.object));
        }
        let exposed = self.closure(roots);
        let new: Vec<ObjectId> = exposed.difference(&self.exposed).copied().collect();
        self.exposed = exposed;
        let read = self.solver.everything(ObjectId::UNKNOWN, pointer);
        let written = self.solver.initial(ObjectId::UNKNOWN, Offset::ANY, pointer);
        for &o in &new {
            if self.solver.objects.is_memory(o) {
                let from = self.solver.everything(o, pointer);
                self.solver.edge(from, read, Move::Same);
                let into = self.solver.initial(o, Offset::ANY, pointer);
                self.solver.edge(written, into, Move::Same);
            }
        }
        !new.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use raddle_c::{Options, compile_text};

    fn sets(text: &str, variable: &str) -> Vec<String> {
        let program = compile_text("t.i", text, &Options::default()).expect("valid C");
        let facts = PointsTo::new(&program);
        let main = program.function_named("main").expect("main");
        let locals = &program.function(main).locals;
        let at = locals.iter().position(|l| l.name == variable);
        let local = Operand::Local(raddle_ir::LocalId(at.expect("the variable") as u32));
        let name = |t: &Target| {
            let full = facts.objects().name(&program, t.object);
            let short = full.split('#').next().unwrap_or("").to_string();
            format!("{short}{:?}", t.offset)
        };
        facts.targets(main, local).iter().map(name).collect()
    }

    #[test]
    fn fields_are_kept_apart() {
        let text = "int x, y; struct { int *a, *b; } s;
            int main(void) { s.a = &x; s.b = &y; int *p = s.b; return *p; }";
        assert_eq!(sets(text, "p"), ["@y+0"]);
    }

    #[test]
    fn integers_remember_their_object() {
        let text = "int x, y; long n;
            int main(void) { n = (long)&x | 1; int *p = (int *)(n & ~1L); return *p; }";
        assert_eq!(sets(text, "p"), ["unknown+?", "@x+?"]);
        let text = "int x[4];
            int main(void) { unsigned long n = (unsigned long)x; int *p = (int *)(n + 4); return *p; }";
        assert_eq!(sets(text, "p"), ["@x+4"]);
    }

    #[test]
    fn bytes_of_pointers_are_followed() {
        let text = "int x; int *a = &x, *b;
            int main(void) { char *f = (char *)&a, *t = (char *)&b;
            for (int i = 0; i < 8; i++) t[i] = f[i]; int *p = b; return *p; }";
        assert_eq!(sets(text, "p"), ["@x+?"]);
    }

    #[test]
    fn calls_through_pointers_are_resolved() {
        let text = "int x, y; int *f(void) { return &x; } int *g(void) { return &y; }
            int *(*table[2])(void) = { f, f }; int (*other)(void) = (int (*)(void))g;
            int main(int c, char **v) { int *p = table[c & 1](); return *p; }";
        assert_eq!(sets(text, "p"), ["@x+0"]);
    }

    #[test]
    fn an_unknown_address_reaches_what_is_exposed() {
        let text = "int **where(void); int x, *q = &x;
            int main(void) { int *p = *where(); return *p + *q; }";
        let found = sets(text, "p");
        assert!(found.contains(&"@x+0".to_string()), "{found:?}");
    }
}
