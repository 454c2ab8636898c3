//! How many bits of each variable are ever used: a lock's word holds a small number, however wide it is.
//!
//! A fixed point over initial values and updates, by the length of unsigned numbers. What grows for too long has all its bits.

use raddle_actions::system::{Origin, System, VarId};
use raddle_solver::term::{Op, Sort, Term, TermId, TermPool};
use std::collections::HashMap;

/// After so many rounds what still grows is given all its bits.
const ROUNDS: usize = 12;

/// By variable: bits from this one on are always zero.
pub fn widths(system: &System) -> Vec<u32> {
    let full = |v: usize| match system.pool.sort(system.variables[v].term) {
        Sort::BitVec(w) => w,
        _ => 1,
    };
    let mut widths: Vec<u32> = system
        .variables
        .iter()
        .enumerate()
        .map(|(v, variable)| match (variable.initial, variable.origin) {
            (Some(bits), _) => length(bits),
            // Nothing reads a result before it is there; anything else begins with any value.
            (None, Origin::Result(_)) => 0,
            (None, _) => full(v),
        })
        .collect();
    // A local is never read before it is written by its own thread or, an argument, by the maker.
    for (v, variable) in system.variables.iter().enumerate() {
        if let Origin::Local(thread, local) = variable.origin {
            let template = system.ccfg.template(system.instances.get(thread).template);
            let live_at_start = template.live.first().is_some_and(|l| l.contains(&local));
            let argument = template.param == Some(local) && thread.0 != 0;
            if !live_at_start || argument {
                widths[v] = 0;
            }
        }
    }
    for round in 0.. {
        let mut changed = false;
        let mut lengths = Lengths {
            pool: &system.pool,
            system,
            widths: widths.clone(),
            known: HashMap::new(),
        };
        for action in &system.actions {
            for (v, t) in &action.updates {
                let new = lengths.of(*t);
                let old = &mut widths[v.0 as usize];
                if new > *old {
                    *old = if round > ROUNDS {
                        full(v.0 as usize)
                    } else {
                        new
                    };
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    widths
}

fn length(bits: u128) -> u32 {
    128 - bits.leading_zeros()
}

struct Lengths<'a> {
    pool: &'a TermPool,
    system: &'a System,
    widths: Vec<u32>,
    known: HashMap<TermId, u32>,
}

impl Lengths<'_> {
    fn of(&mut self, root: TermId) -> u32 {
        for t in self
            .pool
            .reachable_until(&[root], |t| self.known.contains_key(&t))
        {
            if !self.known.contains_key(&t) {
                let n = self.one(t);
                self.known.insert(t, n);
            }
        }
        self.known[&root]
    }

    fn one(&self, t: TermId) -> u32 {
        let full = match self.pool.sort(t) {
            Sort::BitVec(w) => w,
            _ => 1,
        };
        let args = self.pool.args(t);
        let arg = |i: usize| self.known[&args[i]];
        let length = match *self.pool.term(t) {
            Term::Bits { value, .. } => length(value),
            Term::Var(_) => match self.system.by_term.get(&t) {
                Some(VarId(v)) => self.widths[*v as usize],
                None => full,
            },
            Term::App { op, .. } => match op {
                Op::Ite => arg(1).max(arg(2)),
                Op::BvAnd => arg(0).min(arg(1)),
                Op::BvOr | Op::BvXor => arg(0).max(arg(1)),
                Op::BvAdd => arg(0).max(arg(1)) + 1,
                Op::BvMul => arg(0) + arg(1),
                Op::BvUrem => arg(0),
                Op::BvUdiv | Op::BvLshr => full,
                Op::ZeroExtend { .. } => arg(0),
                Op::SignExtend { by } if arg(0) < full - by => arg(0),
                Op::Extract { high, low: 0 } => arg(0).min(high + 1),
                _ => full,
            },
            _ => full,
        };
        length.min(full)
    }
}
