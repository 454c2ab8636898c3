//! Terms: a hash-consed arena of typed expressions.
//!
//! Equal terms have equal ids, and a term's arguments always have smaller ids than the term itself, so
//! every traversal is a loop over ids in increasing order and deep nesting cannot overflow the stack.
//!
//! Sorts are Bool, bit-vectors of 1 to 128 bits, arrays of bit-vectors over bit-vectors, and mathematical
//! integers. Integers are only for external solvers: the bit-blaster refuses them.
//!
//! What is deliberately absent: quantifiers, uninterpreted functions, floating point. Conjunctions are
//! binary, because sharing of sub-conjunctions matters more here than flat printing.

mod build;
mod equations;
mod eval;
mod print;
mod rules;
mod rules_bits;
mod rules_bool;
mod rules_structure;
mod smtlib;
mod substitute;
mod sums;
mod value;

pub use equations::Equations;
pub use eval::{Assignment, EvalError};
pub use rules::{Rule, all_rules, rules_for};
pub use smtlib::{sort_text, symbol_text};
pub use value::{ArrayValue, Value, mask, sign_extend};

use crate::hash::FastMap;
use std::collections::HashMap;

/// The type of a term.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Bit-vectors of the given width, 1 to 128.
    BitVec(u32),
    /// Arrays from bit-vectors of width `index` to bit-vectors of width `element`.
    Array {
        /// Width of an index.
        index: u32,
        /// Width of an element.
        element: u32,
    },
    /// Mathematical integers, for external solvers only.
    Int,
}

/// The widest bit-vector a term may have.
pub const MAX_WIDTH: u32 = 128;

/// A term in a [`TermPool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct TermId(u32);

impl TermId {
    /// The position of the term in its pool; arguments come before the terms that use them.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A named constant symbol in a [`TermPool`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct SymbolId(u32);

/// The operators; semantics are those of SMT-LIB, also for division by zero and large shifts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
#[allow(missing_docs)]
pub enum Op {
    Not,
    And,
    Or,
    Xor,
    Ite,
    Eq,
    BvNot,
    BvNeg,
    BvAnd,
    BvOr,
    BvXor,
    BvAdd,
    BvSub,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvSmod,
    BvShl,
    BvLshr,
    BvAshr,
    BvUlt,
    BvUle,
    BvSlt,
    BvSle,
    Concat,
    Extract { high: u32, low: u32 },
    ZeroExtend { by: u32 },
    SignExtend { by: u32 },
    Select,
    Store,
    ConstArray { index: u32 },
    IntAdd,
    IntSub,
    IntMul,
    IntLe,
    IntLt,
}

/// One node of the arena.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Term {
    /// A truth value.
    Bool(bool),
    /// A bit-vector constant; bits above the width are zero.
    Bits {
        /// Number of bits.
        width: u32,
        /// The value, below two to the width.
        value: u128,
    },
    /// An integer constant.
    Int(i128),
    /// A free constant symbol.
    Var(SymbolId),
    /// An operator applied to one to three arguments.
    App {
        /// The operator.
        op: Op,
        /// The arguments; only the first `count` are meaningful, the rest repeat the first.
        args: [TermId; 3],
        /// How many arguments there are.
        count: u8,
    },
}

/// The arena of all terms of one problem.
#[derive(Clone, Default)]
pub struct TermPool {
    nodes: Vec<Term>,
    sorts: Vec<Sort>,
    unique: FastMap<Term, TermId>,
    symbols: Vec<(String, Sort)>,
    symbol_ids: HashMap<String, SymbolId>,
    fresh: u32,
}

impl TermPool {
    /// An empty pool.
    pub fn new() -> TermPool {
        TermPool::default()
    }

    /// Number of distinct terms made so far.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether no term has been made yet.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node behind an id.
    pub fn term(&self, id: TermId) -> &Term {
        &self.nodes[id.index()]
    }

    /// The sort of a term.
    pub fn sort(&self, id: TermId) -> Sort {
        self.sorts[id.index()]
    }

    /// The width of a bit-vector term.
    ///
    /// # Panics
    /// If the term is no bit-vector, which is a bug of the caller.
    pub fn width(&self, id: TermId) -> u32 {
        match self.sort(id) {
            Sort::BitVec(width) => width,
            other => panic!("expected a bit-vector, found {other:?}"),
        }
    }

    /// The arguments of a term, empty for constants and variables.
    pub fn args(&self, id: TermId) -> &[TermId] {
        match &self.nodes[id.index()] {
            Term::App { args, count, .. } => &args[..*count as usize],
            _ => &[],
        }
    }

    /// All variables there are.
    pub fn variables(&self) -> impl Iterator<Item = TermId> + '_ {
        let ids = (0..self.nodes.len() as u32).map(TermId);
        ids.filter(|id| matches!(self.term(*id), Term::Var(_)))
    }

    /// The name and sort of a symbol.
    pub fn symbol(&self, symbol: SymbolId) -> (&str, Sort) {
        let (name, sort) = &self.symbols[symbol.0 as usize];
        (name, *sort)
    }

    /// The variable of that name and sort, made on first use.
    ///
    /// # Panics
    /// If the name is already used with another sort.
    pub fn var(&mut self, name: &str, sort: Sort) -> TermId {
        check_sort(sort);
        let symbol = match self.symbol_ids.get(name) {
            Some(&symbol) => {
                let known = self.symbols[symbol.0 as usize].1;
                assert!(
                    known == sort,
                    "{name} is used with sorts {known:?} and {sort:?}"
                );
                symbol
            }
            None => {
                let symbol = SymbolId(self.symbols.len() as u32);
                self.symbols.push((name.to_owned(), sort));
                self.symbol_ids.insert(name.to_owned(), symbol);
                symbol
            }
        };
        self.intern(Term::Var(symbol), sort)
    }

    /// A variable whose name no other variable of this pool has.
    pub fn fresh_var(&mut self, prefix: &str, sort: Sort) -> TermId {
        loop {
            let name = format!("{prefix}!{}", self.fresh);
            self.fresh += 1;
            if !self.symbol_ids.contains_key(&name) {
                return self.var(&name, sort);
            }
        }
    }

    /// Applies an operator without simplifying; for tests, parsers and the rules themselves.
    ///
    /// # Panics
    /// If the arguments do not have the sorts the operator needs.
    pub fn raw(&mut self, op: Op, args: &[TermId]) -> TermId {
        let sorts: Vec<Sort> = args.iter().map(|&a| self.sort(a)).collect();
        let sort = match result_sort(op, &sorts) {
            Some(sort) => sort,
            None => panic!("{op:?} cannot be applied to {sorts:?}"),
        };
        let mut padded = [args[0]; 3];
        padded[..args.len()].copy_from_slice(args);
        self.intern(
            Term::App {
                op,
                args: padded,
                count: args.len() as u8,
            },
            sort,
        )
    }

    fn intern(&mut self, term: Term, sort: Sort) -> TermId {
        if let Some(&id) = self.unique.get(&term) {
            return id;
        }
        let id = TermId(self.nodes.len() as u32);
        self.nodes.push(term);
        self.sorts.push(sort);
        self.unique.insert(term, id);
        id
    }

    /// All terms reachable from the roots, arguments before the terms that use them.
    pub fn reachable(&self, roots: &[TermId]) -> Vec<TermId> {
        self.reachable_until(roots, |_| false)
    }

    /// Like [`TermPool::reachable`], but without looking below the terms that `stop` accepts.
    pub fn reachable_until(&self, roots: &[TermId], stop: impl Fn(TermId) -> bool) -> Vec<TermId> {
        let mut seen = std::collections::HashSet::new();
        let mut stack: Vec<TermId> = roots.to_vec();
        let mut found = Vec::new();
        while let Some(id) = stack.pop() {
            if seen.insert(id) {
                found.push(id);
                if !stop(id) {
                    stack.extend_from_slice(self.args(id));
                }
            }
        }
        found.sort_unstable();
        found
    }

    /// The variables that occur in the roots, in the order in which they were first made.
    pub fn free_variables(&self, roots: &[TermId]) -> Vec<TermId> {
        let mut found = self.reachable(roots);
        found.retain(|&id| matches!(self.term(id), Term::Var(_)));
        found
    }
}

fn check_sort(sort: Sort) {
    let legal = |width: u32| (1..=MAX_WIDTH).contains(&width);
    let good = match sort {
        Sort::Bool | Sort::Int => true,
        Sort::BitVec(width) => legal(width),
        Sort::Array { index, element } => legal(index) && legal(element),
    };
    assert!(good, "no such sort: {sort:?}");
}

/// The sort of an application, or `None` if the operator does not take such arguments.
pub fn result_sort(op: Op, args: &[Sort]) -> Option<Sort> {
    use Sort::{Array, BitVec, Bool, Int};
    let sort = match (op, args) {
        (Op::Not, [Bool]) | (Op::And | Op::Or | Op::Xor, [Bool, Bool]) => Bool,
        (Op::Ite, [Bool, a, b]) if a == b => *a,
        (Op::Eq, [a, b]) if a == b => Bool,
        (Op::BvNot | Op::BvNeg, [BitVec(w)]) => BitVec(*w),
        (
            Op::BvAnd
            | Op::BvOr
            | Op::BvXor
            | Op::BvAdd
            | Op::BvSub
            | Op::BvMul
            | Op::BvUdiv
            | Op::BvUrem
            | Op::BvSdiv
            | Op::BvSrem
            | Op::BvSmod
            | Op::BvShl
            | Op::BvLshr
            | Op::BvAshr,
            [BitVec(a), BitVec(b)],
        ) if a == b => BitVec(*a),
        (Op::BvUlt | Op::BvUle | Op::BvSlt | Op::BvSle, [BitVec(a), BitVec(b)]) if a == b => Bool,
        (Op::Concat, [BitVec(a), BitVec(b)]) if a + b <= MAX_WIDTH => BitVec(a + b),
        (Op::Extract { high, low }, [BitVec(w)]) if low <= high && high < *w => {
            BitVec(high - low + 1)
        }
        (Op::ZeroExtend { by } | Op::SignExtend { by }, [BitVec(w)]) if w + by <= MAX_WIDTH => {
            BitVec(w + by)
        }
        (Op::Select, [Array { index, element }, BitVec(i)]) if i == index => BitVec(*element),
        (Op::Store, [Array { index, element }, BitVec(i), BitVec(e)])
            if i == index && e == element =>
        {
            args[0]
        }
        (Op::ConstArray { index }, [BitVec(element)]) => Array {
            index,
            element: *element,
        },
        (Op::IntAdd | Op::IntSub | Op::IntMul, [Int, Int]) => Int,
        (Op::IntLe | Op::IntLt, [Int, Int]) => Bool,
        _ => return None,
    };
    Some(sort)
}
