//! All facts about a program, with how long each took.

use crate::accesses::Accesses;
use crate::calls::CallGraph;
use crate::clones::Clones;
use crate::escape::Escape;
use crate::families::Families;
use crate::locks::{Lock, Locks};
use crate::modref::ModRef;
use crate::parallel::Parallel;
use crate::points_to::PointsTo;
use crate::postdom::PostDominators;
use crate::values::Values;
use raddle_ir::{FuncId, Location, Program, Terminator};
use std::fmt;
use std::time::{Duration, Instant};

/// Everything this crate knows about a program. All ids and places are those of [`Facts::program`], the program with
/// copies; [`Clones`] says which copy runs where and where it comes from.
#[derive(Clone, Debug)]
pub struct Facts {
    /// The program with copies, and their origins.
    pub clones: Clones,
    /// Where pointers point.
    pub points_to: PointsTo,
    /// Who calls whom.
    pub calls: CallGraph,
    /// What memory is touched where.
    pub accesses: Accesses,
    /// What functions do to memory.
    pub modref: ModRef,
    /// What can run beside what, and the thread families.
    pub parallel: Parallel,
    /// What only one thread touches.
    pub escape: Escape,
    /// What is held where.
    pub locks: Locks,
    /// How long each took.
    pub times: Vec<(&'static str, Duration)>,
}

impl Facts {
    /// Computes all facts.
    pub fn new(program: &Program) -> Facts {
        Facts::of(|| Clones::new(program))
    }

    /// The same without the branches that no value takes ([`crate::values`]): finer, at twice the cost.
    pub fn without_dead_branches(program: &Program) -> Facts {
        let facts = Facts::new(program);
        let dead = Values::new(&facts).map_or_else(Vec::new, |values| values.dead_branches());
        if dead.is_empty() {
            return facts;
        }
        let mut clones = facts.clones;
        for (f, b, alive) in dead {
            let function = &mut clones.program.functions[f.0 as usize];
            function.blocks[b.0 as usize].terminator = Terminator::Goto(alive);
        }
        Facts::of(|| clones)
    }

    /// Computes all facts of the program as it is, without copies of functions: much coarser.
    pub fn without_clones(program: &Program) -> Facts {
        Facts::of(|| Clones::none(program))
    }

    fn of(clones: impl FnOnce() -> Clones) -> Facts {
        let mut times = Vec::new();
        let mut last = Instant::now();
        let mut lap = |what: &'static str| {
            times.push((what, last.elapsed()));
            last = Instant::now();
        };
        let clones = clones();
        let program = &clones.program;
        lap("clones");
        let points_to = PointsTo::new(program);
        lap("points-to");
        let calls = CallGraph::new(program, &points_to);
        lap("calls");
        let accesses = Accesses::new(program, &points_to);
        lap("accesses");
        let modref = ModRef::new(program, &points_to, &calls, &accesses);
        lap("mod/ref");
        let families = Families::new(program, &points_to, &calls);
        let parallel = Parallel::new(program, &points_to, &calls, &accesses, families);
        lap("parallel");
        let escape = Escape::new(program, &points_to, &accesses, parallel.families());
        lap("escape");
        let locks = Locks::new(program, &points_to, &calls, &accesses, &parallel);
        lap("locks");
        Facts {
            points_to,
            calls,
            accesses,
            modref,
            parallel,
            escape,
            locks,
            times,
            clones,
        }
    }

    /// The program with copies.
    pub fn program(&self) -> &Program {
        &self.clones.program
    }

    /// The post-dominators of a reachable function.
    pub fn post_dominators(&self, f: FuncId) -> Option<PostDominators> {
        let nest = self.calls.loops(f)?;
        Some(PostDominators::new(self.program().function(f), nest))
    }

    /// The places in the program with copies that stand for a place of the given program and can be reached.
    pub fn copies(&self, at: Location) -> impl Iterator<Item = Location> + '_ {
        let all = self.clones.all(at.function);
        let places = all.map(move |function| Location { function, ..at });
        places.filter(|at| self.parallel.is_reached(*at))
    }

    /// How long everything took.
    pub fn total_time(&self) -> Duration {
        self.times.iter().map(|(_, t)| *t).sum()
    }
}

impl fmt::Display for Facts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let program = self.program();
        let objects = self.points_to.objects();
        let name = |o| objects.name(program, o);
        let place = |at: Location| {
            let function = &program.function(at.function).name;
            let line = program.span_of(at).line;
            format!(
                "{function}#{}:b{}.{} line {line}",
                at.function.0, at.block.0, at.index
            )
        };
        writeln!(f, "families")?;
        let families = self.parallel.families();
        for id in families.ids() {
            let family = families.get(id);
            let entries: Vec<String> = family
                .entries
                .iter()
                .map(|e| format!("{}#{}", program.function(*e).name, e.0))
                .collect();
            let several = if family.several { " several" } else { "" };
            writeln!(f, "  {}: {}{several}", id.0, entries.join(", "))?;
        }
        writeln!(f, "objects")?;
        for o in objects.ids().filter(|o| objects.is_memory(*o)) {
            let private = if self.escape.is_private(o) {
                "private"
            } else {
                "shared"
            };
            let by: Vec<u32> = self.escape.touched_by(o).map(|x| x.0).collect();
            writeln!(f, "  {}: {private}, touched by {by:?}", name(o))?;
        }
        writeln!(f, "locks")?;
        let lock_name = |l: &Lock| match l {
            Lock::AtomicBlock => "atomic block".to_string(),
            Lock::At(o, offset) => format!("{}+{offset}", name(*o)),
        };
        for l in self.locks.reliable() {
            writeln!(f, "  {}", lock_name(l))?;
        }
        writeln!(f, "accesses")?;
        for a in self.accesses.iter() {
            if self.escape.is_private(a.object) || !self.parallel.is_reached(a.at) {
                continue;
            }
            let held = self.locks.held_at(a.at).iter();
            let held: Vec<String> = held.map(|h| lock_name(&h.lock)).collect();
            let alive: Vec<u32> = self.parallel.alive_at(a.at).iter().map(|x| x.0).collect();
            let kind = if a.write { "writes" } else { "reads" };
            writeln!(
                f,
                "  {}: {kind} {} {:?} holding {held:?} beside {alive:?}",
                place(a.at),
                name(a.object),
                a.bytes
            )?;
        }
        writeln!(f, "times")?;
        for (what, t) in &self.times {
            writeln!(f, "  {what}: {t:?}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use raddle_ir::{BlockId, Op};

    const HEAD: &str = "
        typedef unsigned long pthread_t; typedef union { char b[40]; long a; } pthread_mutex_t;
        typedef union { char b[48]; long a; } pthread_cond_t;
        int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
        int pthread_join(pthread_t, void **); int pthread_detach(pthread_t);
        int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
        int pthread_mutex_destroy(pthread_mutex_t *); int pthread_mutex_trylock(pthread_mutex_t *);
        int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *); void *malloc(unsigned long);
        void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void);\n";

    /// The facts of a C program with the declarations above.
    pub(crate) fn facts(text: &str) -> Facts {
        let options = raddle_c::Options::default();
        let text = format!("{HEAD}{text}");
        let program = raddle_c::compile_text("t.i", &text, &options).expect("valid C");
        Facts::new(&program)
    }

    /// The reached places that store a constant: tests mark places by `x = 17`.
    pub(crate) fn mark(facts: &Facts, number: u128) -> Vec<Location> {
        let program = facts.program();
        let mut found = Vec::new();
        for f in facts.points_to.reachable() {
            for (b, block) in program.function(f).blocks.iter().enumerate() {
                for (i, instr) in block.instrs.iter().enumerate() {
                    let at = Location {
                        function: f,
                        block: BlockId(b as u32),
                        index: i as u32,
                    };
                    if let Op::Store {
                        value: raddle_ir::Operand::Const { bits, .. },
                        ..
                    } = instr.op
                        && bits == number
                        && facts.parallel.is_reached(at)
                    {
                        found.push(at);
                    }
                }
            }
        }
        found
    }

    #[test]
    fn everything_is_printed() {
        let facts = facts(
            "int x; void *w(void *a) { x = 1; return a; }
            int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x = 2; return 0; }",
        );
        let text = facts.to_string();
        assert!(text.contains("families") && text.contains("@x#"), "{text}");
        assert!(facts.times.len() >= 8);
        let origin = facts.clones.origin_of(mark(&facts, 1)[0]);
        assert_eq!(facts.copies(origin).collect::<Vec<_>>(), mark(&facts, 1));
    }
}
