//! Arrays by lemmas.
//!
//! A read of a store, an if-then-else or a constant array is expanded at once by the read-over-write law,
//! so only reads of array *variables* are free. They need congruence (equal indices, equal elements), which
//! is stated for all pairs at once ([`ArrayMode::Eager`]), only for the pairs that a candidate model violates
//! ([`ArrayMode::Lazy`], after Brummayer and Biere, Lemmas on Demand, 2009), or by the number of reads.
//!
//! An equality of arrays is a free truth value. Its negation has a witness index. When a candidate model
//! makes it true although the two arrays differ, the elements at a differing index are equated. Where the
//! arrays differ outside all listed indices, their defaults are equated instead: every array variable has a
//! default element standing for an index that nothing mentions. That needs a spare index, hence is only
//! done for indices of ten bits or more with fewer index terms than indices; narrower ones are enumerated.

use super::{BlastError, Blaster, Wire};
use crate::sat::Sat;
use crate::term::{ArrayValue, Assignment, Op, Sort, Term, TermId, TermPool, Value};
use std::collections::{BTreeMap, HashMap, HashSet};

/// When congruence of array reads is stated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ArrayMode {
    /// For all pairs while an array has few reads, afterwards only where a candidate model violates it.
    #[default]
    Adaptive,
    /// Only where a candidate model violates it.
    Lazy,
    /// For all pairs of reads of one array, as soon as they exist.
    Eager,
}

/// Up to this many reads of one array, stating congruence at once is cheaper; see the decision note on arrays.
const EAGER_READS: usize = 16;

/// Narrowest index for which an unmentioned index is assumed to exist.
const SPARE_INDEX_WIDTH: u32 = 10;

/// A read of an array variable.
#[derive(Clone, Copy)]
struct Read {
    index: TermId,
    /// The index with the reads inside it expanded, so that it can be evaluated before arrays have values.
    flat_index: TermId,
    /// The read itself.
    term: TermId,
}

/// The state of the array procedure.
#[derive(Default)]
pub struct ArrayLemmas {
    mode: ArrayMode,
    reads: BTreeMap<TermId, Vec<Read>>,
    /// Translated reads and equalities, each with a term in which only reads of variables are left.
    flat: HashMap<TermId, TermId>,
    equalities: Vec<(TermId, TermId, TermId)>,
    defaults: HashMap<TermId, TermId>,
    index_terms: HashMap<u32, HashSet<TermId>>,
    /// Lemmas stated so far.
    pub lemma_count: u64,
}

impl ArrayLemmas {
    pub(super) fn new(mode: ArrayMode) -> ArrayLemmas {
        ArrayLemmas {
            mode,
            ..ArrayLemmas::default()
        }
    }
}

impl Blaster {
    /// Number of array lemmas stated so far.
    pub fn array_lemma_count(&self) -> u64 {
        self.arrays.lemma_count
    }

    fn note_index(&mut self, pool: &TermPool, index: TermId) {
        self.arrays
            .index_terms
            .entry(pool.width(index))
            .or_default()
            .insert(index);
    }

    pub(super) fn translate_select(
        &mut self,
        pool: &mut TermPool,
        sat: &mut Sat,
        id: TermId,
        array: TermId,
        index: TermId,
    ) -> Result<Vec<Wire>, BlastError> {
        self.note_index(pool, index);
        let expanded = match *pool.term(array) {
            Term::App {
                op: Op::Store,
                args: [base, at, element],
                ..
            } => {
                self.note_index(pool, at);
                let (same, below) = (pool.eq(index, at), pool.select(base, index));
                pool.ite(same, element, below)
            }
            Term::App {
                op: Op::Ite,
                args: [condition, then, otherwise],
                ..
            } => {
                let (then, otherwise) = (pool.select(then, index), pool.select(otherwise, index));
                pool.ite(condition, then, otherwise)
            }
            Term::App {
                op: Op::ConstArray { .. },
                args: [element, ..],
                ..
            } => element,
            _ => {
                let width = pool.width(id);
                let bits: Vec<Wire> = (0..width).map(|_| self.gates.input()).collect();
                self.wires.insert(id, bits.clone());
                self.arrays.flat.insert(id, id);
                let flat_index = pool.substitute(index, &self.arrays.flat);
                let earlier = self.arrays.reads.entry(array).or_default();
                earlier.push(Read {
                    index,
                    flat_index,
                    term: id,
                });
                let eager = match self.arrays.mode {
                    ArrayMode::Eager => true,
                    ArrayMode::Lazy => false,
                    ArrayMode::Adaptive => earlier.len() <= EAGER_READS,
                };
                if eager {
                    let others = earlier[..earlier.len() - 1].to_vec();
                    for other in others {
                        self.state_congruence(pool, sat, (index, id), (other.index, other.term))?;
                    }
                }
                return Ok(bits);
            }
        };
        self.translate(pool, sat, expanded)?;
        let flat = pool.substitute(expanded, &self.arrays.flat);
        self.arrays.flat.insert(id, flat);
        Ok(self.wires[&expanded].clone())
    }

    fn state_lemma(
        &mut self,
        pool: &mut TermPool,
        sat: &mut Sat,
        lemma: TermId,
    ) -> Result<(), BlastError> {
        self.arrays.lemma_count += 1;
        self.assert(pool, sat, lemma)
    }

    fn state_congruence(
        &mut self,
        pool: &mut TermPool,
        sat: &mut Sat,
        (i, a): (TermId, TermId),
        (j, b): (TermId, TermId),
    ) -> Result<(), BlastError> {
        let (same_index, same_element) = (pool.eq(i, j), pool.eq(a, b));
        let lemma = pool.implies(same_index, same_element);
        self.state_lemma(pool, sat, lemma)
    }

    pub(super) fn array_equality(
        &mut self,
        pool: &mut TermPool,
        sat: &mut Sat,
        id: TermId,
        a: TermId,
        b: TermId,
    ) -> Result<(), BlastError> {
        let Sort::Array { index, .. } = pool.sort(a) else {
            return Ok(());
        };
        let store_indices: Vec<TermId> = pool
            .reachable(&[a, b])
            .into_iter()
            .filter_map(|term| match *pool.term(term) {
                Term::App {
                    op: Op::Store,
                    args,
                    ..
                } => Some(args[1]),
                _ => None,
            })
            .collect();
        for at in store_indices {
            self.translate(pool, sat, at)?;
            self.note_index(pool, at);
        }
        self.arrays.equalities.push((id, a, b));
        self.arrays.flat.insert(id, id);
        let witness = pool.fresh_var("array-difference", Sort::BitVec(index));
        let (left, right) = (pool.select(a, witness), pool.select(b, witness));
        let differ = pool.ne(left, right);
        let lemma = pool.or(id, differ);
        self.state_lemma(pool, sat, lemma)
    }

    /// The values of all variables in the solver's current model, arrays included.
    pub fn model(&mut self, pool: &mut TermPool, sat: &mut Sat) -> Result<Assignment, BlastError> {
        let mut model = Assignment::new();
        let mut fixed = Assignment::new();
        for (&id, bits) in &self.wires {
            let sort = pool.sort(id);
            let is_array = matches!(sort, Sort::Array { .. });
            if matches!(pool.term(id), Term::Var(_)) && !is_array {
                model.insert(id, self.input_value(sat, sort, bits));
            }
        }
        for reads in self.arrays.reads.values() {
            for &Read { term: read, .. } in reads {
                fixed.insert(
                    read,
                    self.input_value(sat, pool.sort(read), &self.wires[&read]),
                );
            }
        }
        for &(equality, _, _) in &self.arrays.equalities {
            fixed.insert(
                equality,
                self.input_value(sat, Sort::Bool, &self.wires[&equality]),
            );
        }
        // Index terms may contain reads and equalities; those have the value of their free wires.
        fixed.extend(model.iter().map(|(id, value)| (*id, value.clone())));
        let arrays: Vec<TermId> = self
            .wires
            .keys()
            .copied()
            .filter(|&id| {
                matches!(pool.term(id), Term::Var(_)) && matches!(pool.sort(id), Sort::Array { .. })
            })
            .collect();
        for array in arrays {
            let Sort::Array { index, .. } = pool.sort(array) else {
                continue;
            };
            let default = match self.arrays.defaults.get(&array) {
                Some(default) => match model.get(default) {
                    Some(Value::Bits(value)) => *value,
                    _ => 0,
                },
                None => 0,
            };
            let mut value = ArrayValue::constant(index, default);
            for &Read {
                flat_index,
                term: read,
                ..
            } in self.arrays.reads.get(&array).into_iter().flatten()
            {
                let at = pool
                    .eval(flat_index, &fixed)
                    .map_err(|_| BlastError::Integer(flat_index))?;
                if let (Value::Bits(at), Some(Value::Bits(element))) = (at, fixed.get(&read)) {
                    value.set(at, *element);
                }
            }
            model.insert(array, Value::Array(value));
        }
        Ok(model)
    }

    /// States every array lemma that the solver's current model violates; zero means the model is one.
    pub fn refine_arrays(
        &mut self,
        pool: &mut TermPool,
        sat: &mut Sat,
    ) -> Result<usize, BlastError> {
        if self.arrays.reads.is_empty() && self.arrays.equalities.is_empty() {
            return Ok(0);
        }
        let model = self.model(pool, sat)?;
        let mut fixed = model.clone();
        for reads in self.arrays.reads.values() {
            for &Read { term: read, .. } in reads {
                fixed.insert(
                    read,
                    self.input_value(sat, pool.sort(read), &self.wires[&read]),
                );
            }
        }
        for &(equality, _, _) in &self.arrays.equalities {
            fixed.insert(
                equality,
                self.input_value(sat, Sort::Bool, &self.wires[&equality]),
            );
        }
        let mut lemmas = self.violated_congruences(pool, &fixed)?;
        if lemmas.is_empty() {
            lemmas = self.violated_equalities(pool, &fixed)?;
        }
        for &lemma in &lemmas {
            self.state_lemma(pool, sat, lemma)?;
        }
        Ok(lemmas.len())
    }

    fn violated_congruences(
        &self,
        pool: &mut TermPool,
        fixed: &Assignment,
    ) -> Result<Vec<TermId>, BlastError> {
        let mut lemmas = Vec::new();
        for reads in self.arrays.reads.values() {
            let mut first: HashMap<Value, (TermId, TermId)> = HashMap::new();
            for &Read {
                index,
                flat_index,
                term: read,
            } in reads
            {
                let at = pool
                    .eval(flat_index, fixed)
                    .map_err(|_| BlastError::Integer(flat_index))?;
                let (other_index, other) = *first.entry(at).or_insert((index, read));
                if fixed.get(&other) != fixed.get(&read) {
                    let (same_index, same_element) =
                        (pool.eq(index, other_index), pool.eq(read, other));
                    lemmas.push(pool.implies(same_index, same_element));
                }
            }
        }
        Ok(lemmas)
    }

    fn violated_equalities(
        &mut self,
        pool: &mut TermPool,
        fixed: &Assignment,
    ) -> Result<Vec<TermId>, BlastError> {
        let mut lemmas = Vec::new();
        for (equality, a, b) in self.arrays.equalities.clone() {
            if fixed.get(&equality) != Some(&Value::Bool(true)) {
                continue;
            }
            let values = pool
                .eval_all(&[a, b], fixed)
                .map_err(|_| BlastError::Integer(equality))?;
            let (Value::Array(left), Value::Array(right)) = (&values[&a], &values[&b]) else {
                continue;
            };
            if left.same(right) {
                continue;
            }
            let listed = left.entries.keys().chain(right.entries.keys()).copied();
            let consequence = match listed.into_iter().find(|&at| left.get(at) != right.get(at)) {
                Some(at) => {
                    let index = self.index_with_value(pool, left.index_width, at, fixed)?;
                    let (x, y) = (pool.select(a, index), pool.select(b, index));
                    pool.eq(x, y)
                }
                None => self.default_consequence(pool, left, right, a, b)?,
            };
            lemmas.push(pool.implies(equality, consequence));
        }
        Ok(lemmas)
    }

    /// An index term that has the value in the candidate model, so that the lemma generalises; else a constant.
    fn index_with_value(
        &mut self,
        pool: &mut TermPool,
        width: u32,
        at: u128,
        fixed: &Assignment,
    ) -> Result<TermId, BlastError> {
        let mut candidates: Vec<TermId> = self
            .arrays
            .index_terms
            .get(&width)
            .into_iter()
            .flatten()
            .copied()
            .collect();
        candidates.sort_unstable();
        for index in candidates {
            if pool
                .eval(index, fixed)
                .map_err(|_| BlastError::Integer(index))?
                == Value::Bits(at)
            {
                return Ok(index);
            }
        }
        Ok(pool.bits(width, at))
    }

    fn default_consequence(
        &mut self,
        pool: &mut TermPool,
        left: &ArrayValue,
        right: &ArrayValue,
        a: TermId,
        b: TermId,
    ) -> Result<TermId, BlastError> {
        let width = left.index_width;
        if width < SPARE_INDEX_WIDTH {
            let unlisted = (0..1u128 << width)
                .find(|at| !left.entries.contains_key(at) && !right.entries.contains_key(at));
            let at = unlisted.ok_or(BlastError::TooManyIndices)?;
            let index = pool.bits(width, at);
            let (x, y) = (pool.select(a, index), pool.select(b, index));
            return Ok(pool.eq(x, y));
        }
        let count = self.arrays.index_terms.get(&width).map_or(0, HashSet::len) as u128;
        if width < 64 && count >= 1u128 << width {
            return Err(BlastError::TooManyIndices);
        }
        let (x, y) = (self.default_of(pool, a), self.default_of(pool, b));
        Ok(pool.eq(x, y))
    }

    /// The element of an array at an index that nothing mentions.
    fn default_of(&mut self, pool: &mut TermPool, root: TermId) -> TermId {
        let mut defaults: HashMap<TermId, TermId> = HashMap::new();
        for id in pool.reachable(&[root]) {
            let Sort::Array { element, .. } = pool.sort(id) else {
                continue;
            };
            let default = match *pool.term(id) {
                Term::App {
                    op: Op::Store,
                    args,
                    ..
                } => defaults[&args[0]],
                Term::App {
                    op: Op::ConstArray { .. },
                    args,
                    ..
                } => args[0],
                Term::App {
                    op: Op::Ite, args, ..
                } => pool.ite(args[0], defaults[&args[1]], defaults[&args[2]]),
                _ => match self.arrays.defaults.get(&id) {
                    Some(&known) => known,
                    None => {
                        let fresh = pool.fresh_var("array-default", Sort::BitVec(element));
                        self.arrays.defaults.insert(id, fresh);
                        fresh
                    }
                },
            };
            defaults.insert(id, default);
        }
        defaults[&root]
    }
}
