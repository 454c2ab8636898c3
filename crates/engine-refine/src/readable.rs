//! A proof for people: per thread and location, what holds there.
//!
//! Of the invariants of threads, all is printed; of the product, what its states with a thread at a location have in common. A
//! location is shown as the line of the first step that leaves it.

use crate::proof::{Group, ProofFile, sorted};
use crate::system::{Status, System, VarId};
use raddle_ir::Program;
use raddle_solver::term::{Op, Sort, Term, TermId, TermPool, sign_extend};
use std::collections::BTreeSet;
use std::fmt::Write;

/// Prints a proof.
pub fn readable(program: &Program, system: &System, proof: &ProofFile) -> String {
    let mut out = String::new();
    for (w, holds) in sorted(&proof.invariants) {
        let started = w.children.iter().filter(|c| matches!(c, Status::At(_)));
        let started = match started.count() {
            0 => String::new(),
            n => format!(", {n} of its threads started"),
        };
        let place = place(program, system, w.thread.0, w.at);
        let _ = writeln!(out, "{place}{started}:");
        for h in holds {
            let _ = writeln!(out, "    {}", formula(&system.pool, *h));
        }
    }
    for (object, holds) in &proof.invariants.contents {
        let name = &system.ccfg.object(*object).name;
        let _ = writeln!(out, "all elements of {name}:");
        for h in holds {
            let _ = writeln!(out, "    {}", formula(&system.pool, *h));
        }
    }
    for (g, group) in proof.groups.iter().enumerate() {
        let _ = writeln!(out, "product {g}, {} states:", group.states.len());
        product(program, system, group, &mut out);
    }
    out
}

fn product(program: &Program, system: &System, group: &Group, out: &mut String) {
    let mut places: BTreeSet<(u32, Status)> = BTreeSet::new();
    for s in &group.states {
        places.extend(s.places.iter().enumerate().map(|(t, p)| (t as u32, *p)));
    }
    for (t, at) in places {
        if !matches!(at, Status::At(_)) {
            continue;
        }
        let mut there = group.states.iter().filter(|s| s.places[t as usize] == at);
        let Some(first) = there.next() else { continue };
        let mut values: BTreeSet<(VarId, u128)> = first.values.iter().copied().collect();
        let mut predicates: BTreeSet<u32> = first.predicates.iter().copied().collect();
        for s in there {
            values.retain(|v| s.values.binary_search(v).is_ok());
            predicates.retain(|p| s.predicates.contains(p));
        }
        let _ = writeln!(out, "{}:", place(program, system, t, at));
        for (v, n) in values {
            let term = system.variables[v.0 as usize].term;
            let _ = writeln!(
                out,
                "    {} = {}",
                formula(&system.pool, term),
                number(&system.pool, term, n)
            );
        }
        for p in predicates {
            let term = group.predicates[p as usize];
            let _ = writeln!(out, "    {}", formula(&system.pool, term));
        }
    }
}

fn number(pool: &TermPool, term: TermId, n: u128) -> String {
    match pool.sort(term) {
        Sort::BitVec(w) => sign_extend(w, n).to_string(),
        _ => (n == 1).to_string(),
    }
}

fn place(program: &Program, system: &System, thread: u32, at: Status) -> String {
    let instance = system.instances.list[thread as usize];
    let template = system.ccfg.template(instance.template);
    let who = format!("thread {thread} ({})", template.name);
    let Status::At(l) = at else {
        return format!("{who}, at its end");
    };
    let mut leaving = template.edges.iter().filter(|e| e.from == l);
    let line = leaving.find_map(|e| e.steps.first()).map(|s| {
        let span = program.span_of(s.at);
        let file = program.files.get(span.file.0 as usize);
        let file = file.map_or("?", |f| f.rsplit('/').next().unwrap_or(f));
        format!(" before {file}:{}", span.line)
    });
    format!("{who}, location {}{}", l.0, line.unwrap_or_default())
}

/// A term with operators between their arguments, numbers with sign.
fn formula(pool: &TermPool, term: TermId) -> String {
    match *pool.term(term) {
        Term::Bool(b) => b.to_string(),
        Term::Bits { width, value } => sign_extend(width, value).to_string(),
        Term::Var(symbol) => {
            let name = pool.symbol(symbol).0;
            name.split('!').next().unwrap_or(name).to_string()
        }
        Term::App { op, .. } => {
            let args: Vec<String> = pool.args(term).iter().map(|a| formula(pool, *a)).collect();
            let between = match op {
                Op::And => "and",
                Op::Or => "or",
                Op::Eq => "=",
                Op::BvAdd => "+",
                Op::BvSub => "-",
                Op::BvMul => "*",
                Op::BvSlt => "<",
                Op::BvSle => "<=",
                Op::BvUlt => "<u",
                Op::BvUle => "<=u",
                Op::Not => return format!("not {}", args.concat()),
                _ => return pool.display(term),
            };
            format!("({})", args.join(&format!(" {between} ")))
        }
        _ => pool.display(term),
    }
}
