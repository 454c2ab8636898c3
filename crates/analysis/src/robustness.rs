//! Atomic accesses whose weak memory order can show: where executions may be more than interleavings.
//!
//! A program without data races behaves under RC11 as interleavings do if all of its communication beside locks, semaphores,
//! creation and join happens at *one* atomic location. Coherence orders the accesses to one location consistently with
//! happens-before, and every other conflict is ordered by happens-before itself, so program order, reads-from, modification
//! order and from-reads have no cycle together, whatever the memory orders are. With two such locations store buffering is
//! possible. Races, too, then show in some interleaving: in the first prefix of an execution that has one, everything before
//! the racing access is an interleaving, and that access can be given the newest value without losing the race.
//!
//! A location here is a range of bytes of a global object. Accesses that only ever happen while no other thread can access the
//! location (initialisation before threads are created, a look at the result after they were joined) do not count.
//!
//! *Misses:* heap and stack locations; two locations that no two threads share; programs in which release and acquire alone
//! exclude the weak outcomes.

use crate::accesses::{Access, Bytes, Kind};
use crate::facts::Facts;
use crate::objects::Object;
use raddle_ir::{AtomicKind, Location, Op, Program};
use std::collections::BTreeSet;

/// The weak accesses of a program whose order may show in more than data races, as places of the given program.
pub fn orders_that_show(program: &Program) -> Vec<Location> {
    if program.weak_accesses().next().is_none() {
        return Vec::new();
    }
    let jumps = |op: &Op| matches!(op, Op::Sync { op, .. } if op.leaves_the_graph());
    if program.instructions().any(|(_, op)| jumps(op)) {
        return program.weak_accesses().collect();
    }
    let facts = Facts::new(program);
    let weak: BTreeSet<Location> = facts.program().weak_accesses().collect();
    let contested: Vec<&Access> = contested(&facts);
    let shown: Vec<&&Access> = contested.iter().filter(|a| weak.contains(&a.at)).collect();
    if shown.is_empty() || is_one_location(&facts, &contested) {
        return Vec::new();
    }
    let origin = |a: &&&Access| facts.clones.origin_of(a.at);
    let places: BTreeSet<Location> = shown.iter().map(origin).collect();
    places.into_iter().collect()
}

/// The atomic accesses that another thread's access to the same bytes may happen in parallel with.
fn contested(facts: &Facts) -> Vec<&Access> {
    let data = |a: &&Access| a.kind == Kind::Data;
    let all: Vec<&Access> = facts.accesses.iter().filter(data).collect();
    let conflict = |a: &Access, b: &Access| {
        a.object == b.object
            && (a.write || b.write)
            && a.bytes.overlaps(b.bytes)
            && facts.parallel.may_happen_in_parallel(a.at, b.at)
    };
    let atomic = all.iter().filter(|a| a.atomic);
    let meets = |a: &&&Access| all.iter().any(|b| conflict(a, b));
    atomic.filter(meets).copied().collect()
}

/// Whether all of these, and nothing else that tells the order of two threads' steps, are accesses to the same bytes.
fn is_one_location(facts: &Facts, contested: &[&Access]) -> bool {
    let Some(first) = contested.first() else {
        return true;
    };
    let Object::Global(global) = facts.points_to.objects().get(first.object) else {
        return false;
    };
    let alone = !facts.program().global(global).thread_local;
    let exact = matches!(first.bytes, Bytes::Range { .. });
    let same = |a: &&Access| a.object == first.object && a.bytes == first.bytes;
    let plain = |a: &Access| {
        a.object == first.object
            && a.bytes.overlaps(first.bytes)
            && (!a.atomic || a.kind != Kind::Data)
            && contested
                .iter()
                .any(|c| facts.parallel.may_happen_in_parallel(a.at, c.at))
    };
    alone
        && exact
        && contested.iter().all(same)
        && !facts.accesses.iter().any(plain)
        && !tells_order(facts.program())
}

/// Whether a synchronisation operation tells a thread about another one without synchronising with it.
fn tells_order(program: &Program) -> bool {
    let tells = |op: &Op| match op {
        Op::Sync { op, .. } => op.tells_without_synchronising(),
        Op::AtomicBegin { kind } => *kind == AtomicKind::Verifier,
        _ => false,
    };
    program.instructions().any(|(_, op)| tells(op))
}
