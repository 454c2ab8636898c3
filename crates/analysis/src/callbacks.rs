//! Functions that code outside the program may call, because it was given their addresses.
//!
//! A function without a body is taken to do nothing. If it can reach one of the program's functions through what its arguments
//! point to, it may call that function: now, later, or from another thread. So may any other code that uses a variable that the
//! program does not define, or memory that only such code knows. What holds without these calls is no proof.
//!
//! *Misses:* functions that are the arguments themselves; the front end notes those where it lowers the call.

use crate::clones::Clones;
use crate::objects::{Object, ObjectId};
use crate::points_to::PointsTo;
use raddle_ir::{FuncId, Limit, LimitKind, Location, Op, Operand, Program};
use std::collections::BTreeSet;

/// What a proof does not cover: calls of functions that were given away in memory.
pub fn limits(program: &Program) -> Vec<Limit> {
    let foreign = |f: &raddle_ir::Function| !f.has_body();
    if !program.functions.iter().any(foreign) && !program.globals.iter().any(|g| g.external) {
        return Vec::new();
    }
    let clones = Clones::new(program);
    let program = &clones.program;
    let giving = Giving {
        program,
        points_to: PointsTo::new(program),
    };
    let mut found: Vec<Limit> = Vec::new();
    for (at, op) in giving.instructions() {
        let (whom, given) = match op {
            Op::Call { args, .. } => {
                let callee = giving.points_to.callees(at);
                let Some(callee) = callee.map(|f| program.function(f)).find(|f| foreign(f)) else {
                    continue;
                };
                (
                    format!("`{}` does not call", callee.name),
                    giving.behind(at, args),
                )
            }
            Op::Store { addr, value, .. } if giving.is_foreign(at, *addr) => (
                "code outside the program does not call".to_owned(),
                giving.behind_and_at(at, *value),
            ),
            _ => continue,
        };
        if given.is_empty() {
            continue;
        }
        let names: Vec<String> = given.iter().map(|n| format!("`{n}`")).collect();
        let span = program.span_of(at);
        let names = names.join(" or ");
        let what = format!("runs in which {whom} {names} after line {}", span.line);
        if found.iter().all(|l| l.what != what) {
            let kind = LimitKind::Callbacks;
            found.push(Limit { kind, what, span });
        }
    }
    found
}

struct Giving<'p> {
    program: &'p Program,
    points_to: PointsTo,
}

impl<'p> Giving<'p> {
    fn instructions(&self) -> impl Iterator<Item = (Location, &'p Op)> + '_ {
        let program = self.program;
        self.points_to.reachable().flat_map(move |function| {
            let blocks = program.function(function).blocks.iter().enumerate();
            blocks.flat_map(move |(b, block)| {
                let instrs = block.instrs.iter().enumerate();
                instrs.map(move |(i, instr)| {
                    let at = Location {
                        function,
                        block: raddle_ir::BlockId(b as u32),
                        index: i as u32,
                    };
                    (at, &instr.op)
                })
            })
        })
    }

    /// The functions in memory that the arguments of a call reach.
    fn behind(&self, at: Location, args: &[Operand]) -> BTreeSet<&'p str> {
        let targets = args
            .iter()
            .flat_map(|a| self.points_to.targets(at.function, *a));
        let objects = targets
            .map(|t| t.object)
            .filter(|o| self.points_to.objects().is_memory(*o));
        self.functions(self.points_to.closure(objects))
    }

    /// The functions that a value is or reaches.
    fn behind_and_at(&self, at: Location, value: Operand) -> BTreeSet<&'p str> {
        let targets = self.points_to.targets(at.function, value).iter();
        let objects = targets
            .map(|t| t.object)
            .filter(|o| *o != ObjectId::UNKNOWN);
        self.functions(self.points_to.closure(objects))
    }

    fn functions(&self, objects: BTreeSet<ObjectId>) -> BTreeSet<&'p str> {
        let function = |o| match self.points_to.objects().get(o) {
            Object::Function(f) => Some(f),
            _ => None,
        };
        let own = |f: &FuncId| self.program.function(*f).has_body();
        objects
            .into_iter()
            .filter_map(function)
            .filter(own)
            .map(|f| &*self.program.function(f).name)
            .collect()
    }

    /// Whether an address may lie in memory that code outside the program knows.
    fn is_foreign(&self, at: Location, addr: Operand) -> bool {
        let mut targets = self.points_to.targets(at.function, addr).iter();
        targets.any(|t| match self.points_to.objects().get(t.object) {
            Object::Unknown => true,
            Object::Global(g) => self.program.global(g).external,
            _ => false,
        })
    }
}

#[cfg(test)]
mod tests {
    fn limits(text: &str) -> Vec<String> {
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
        let limits = super::limits(&program);
        limits.into_iter().map(|l| l.what).collect()
    }

    #[test]
    fn a_table_given_away_is_called() {
        let text = "struct ops { int (*open)(int); void (*poll)(void); };
            extern void enters(struct ops *); int opens(int x) { return x; } void polls(void) {}
            struct ops ops = { opens, polls }; int main(void) { enters(&ops); return 0; }";
        assert_eq!(
            limits(text),
            ["runs in which `enters` does not call `opens` or `polls` after line 3"]
        );
    }

    #[test]
    fn what_was_stored_earlier_and_deeper_counts() {
        let text =
            "struct dev { struct ops { void (*poll)(void); } *ops; }; extern void enters(void *);
            void polls(void) {} int main(void) { struct ops o; struct dev d;
            o.poll = polls; d.ops = &o; enters(&d); return 0; }";
        assert_eq!(
            limits(text),
            ["runs in which `enters` does not call `polls` after line 3"]
        );
    }

    #[test]
    fn a_variable_of_others_is_read_by_others() {
        let text = "extern void (*hook)(void); extern struct { void (*f)(void); } *table(void);
            void polls(void) {} void other(void) {}
            int main(void) { hook = polls; table()->f = other; return 0; }";
        assert_eq!(
            limits(text),
            [
                "runs in which code outside the program does not call `polls` after line 3",
                "runs in which code outside the program does not call `other` after line 3"
            ]
        );
    }

    #[test]
    fn what_is_not_given_away_is_not_called() {
        let text = "struct ops { void (*poll)(void); }; extern void enters(int *); int x;
            void polls(void) {} struct ops ops = { polls };
            int main(void) { enters(&x); ops.poll(); return 0; }";
        assert!(limits(text).is_empty());
    }
}
