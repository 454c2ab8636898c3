//! Bit-blasting: from terms to gates to clauses.
//!
//! Every bit-vector term becomes a vector of wires, every Boolean term one wire; each term is translated
//! once. Reads of array variables and equalities of arrays become free wires that the array procedure
//! constrains by lemmas ([`arrays`]); reads of other array terms are expanded by the read-over-write law.
//! Integers are refused: they are for external solvers.

mod arrays;
mod circuit;
mod gates;

pub use arrays::{ArrayLemmas, ArrayMode};
pub use gates::{Gates, Polarity, Wire};

use crate::hash::FastMap;
use crate::sat::{Lit, Sat};
use crate::term::{Op, Sort, Term, TermId, TermPool, Value};
use circuit::Shift;

/// A term that cannot be turned into clauses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BlastError {
    /// The term is an integer or compares integers.
    Integer(TermId),
    /// A truth value was needed.
    NotBoolean(TermId),
    /// More array indices than the index width has values, where the procedure needs a spare one.
    TooManyIndices,
}

impl std::fmt::Display for BlastError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            BlastError::Integer(id) => {
                write!(
                    f,
                    "term {} is an integer; only external solvers take integers",
                    id.index()
                )
            }
            BlastError::NotBoolean(id) => write!(f, "term {} is no truth value", id.index()),
            BlastError::TooManyIndices => write!(f, "too many array indices for their width"),
        }
    }
}

impl std::error::Error for BlastError {}

/// Quotient and remainder.
type Division = (Vec<Wire>, Vec<Wire>);

/// The translation of one pool's terms into one solver's clauses.
#[derive(Default)]
pub struct Blaster {
    gates: Gates,
    wires: FastMap<TermId, Vec<Wire>>,
    divisions: FastMap<(TermId, TermId, bool), Division>,
    arrays: ArrayLemmas,
}

impl Blaster {
    /// A translation that handles array congruence in the given way.
    pub fn new(mode: ArrayMode) -> Blaster {
        Blaster {
            arrays: ArrayLemmas::new(mode),
            ..Blaster::default()
        }
    }

    /// Number of gates made so far.
    pub fn gate_count(&self) -> usize {
        self.gates.len()
    }

    /// Asserts a Boolean term for ever.
    pub fn assert(
        &mut self,
        pool: &mut TermPool,
        sat: &mut Sat,
        term: TermId,
    ) -> Result<(), BlastError> {
        let wire = self.wire(pool, sat, term)?;
        self.gates.assert(wire, sat);
        Ok(())
    }

    /// A literal that is defined by the term in the given polarity.
    pub fn literal(
        &mut self,
        pool: &mut TermPool,
        sat: &mut Sat,
        term: TermId,
        polarity: Polarity,
    ) -> Result<Lit, BlastError> {
        let wire = self.wire(pool, sat, term)?;
        Ok(self.gates.define(wire, polarity, sat))
    }

    fn wire(
        &mut self,
        pool: &mut TermPool,
        sat: &mut Sat,
        term: TermId,
    ) -> Result<Wire, BlastError> {
        if pool.sort(term) != Sort::Bool {
            return Err(BlastError::NotBoolean(term));
        }
        self.translate(pool, sat, term)?;
        Ok(self.wires[&term][0])
    }

    /// Translates a term and everything below it, and asserts the array lemmas that new reads need.
    fn translate(
        &mut self,
        pool: &mut TermPool,
        sat: &mut Sat,
        root: TermId,
    ) -> Result<(), BlastError> {
        let mut pending = vec![root];
        while let Some(root) = pending.pop() {
            let todo = pool.reachable_until(&[root], |id| self.wires.contains_key(&id));
            for id in todo {
                if self.wires.contains_key(&id) {
                    continue;
                }
                let bits = match pool.sort(id) {
                    Sort::Int => return Err(BlastError::Integer(id)),
                    Sort::Array { .. } => Vec::new(),
                    Sort::Bool | Sort::BitVec(_) => self.translate_one(pool, sat, id)?,
                };
                self.wires.insert(id, bits);
            }
        }
        Ok(())
    }

    fn bits(&self, id: TermId) -> &[Wire] {
        &self.wires[&id]
    }

    fn translate_one(
        &mut self,
        pool: &mut TermPool,
        sat: &mut Sat,
        id: TermId,
    ) -> Result<Vec<Wire>, BlastError> {
        let width = match pool.sort(id) {
            Sort::BitVec(width) => width,
            _ => 1,
        };
        let (op, args) = match *pool.term(id) {
            Term::Bool(value) => return Ok(vec![Wire::constant(value)]),
            Term::Bits { value, .. } => return Ok(circuit::constant(width, value)),
            Term::Int(_) => return Err(BlastError::Integer(id)),
            Term::Var(_) => return Ok((0..width).map(|_| self.gates.input()).collect()),
            Term::App { op, args, .. } => (op, args),
        };
        if op == Op::Select {
            return self.translate_select(pool, sat, id, args[0], args[1]);
        }
        if op == Op::Eq && matches!(pool.sort(args[0]), Sort::Array { .. }) {
            let wire = self.gates.input();
            self.wires.insert(id, vec![wire]);
            self.array_equality(pool, sat, id, args[0], args[1])?;
            return Ok(vec![wire]);
        }
        let [a, b, c] = args.map(|arg| self.wires[&arg].clone());
        let gates = &mut self.gates;
        let one = |wire: Wire| vec![wire];
        Ok(match op {
            Op::Not => one(!a[0]),
            Op::And => one(gates.and(a[0], b[0])),
            Op::Or => one(gates.or(a[0], b[0])),
            Op::Xor => one(gates.xor(a[0], b[0])),
            Op::Ite => circuit::choose(gates, a[0], &b, &c),
            Op::Eq if pool.sort(args[0]) == Sort::Int => return Err(BlastError::Integer(id)),
            Op::Eq => one(circuit::equal(gates, &a, &b)),
            Op::BvNot => circuit::invert(&a),
            Op::BvNeg => circuit::negate(gates, &a),
            Op::BvAnd => a.iter().zip(&b).map(|(&x, &y)| gates.and(x, y)).collect(),
            Op::BvOr => a.iter().zip(&b).map(|(&x, &y)| gates.or(x, y)).collect(),
            Op::BvXor => a.iter().zip(&b).map(|(&x, &y)| gates.xor(x, y)).collect(),
            Op::BvAdd => circuit::add(gates, &a, &b, Wire::FALSE),
            Op::BvSub => circuit::subtract(gates, &a, &b),
            Op::BvMul => circuit::multiply(gates, &a, &b),
            Op::BvUdiv => self.division(args[0], args[1], false).0,
            Op::BvUrem => self.division(args[0], args[1], false).1,
            Op::BvSdiv => {
                let (quotient, _) = self.division(args[0], args[1], true);
                let differ = self.gates.xor(a[a.len() - 1], b[b.len() - 1]);
                self.negate_if(differ, &quotient)
            }
            Op::BvSrem => {
                let (_, remainder) = self.division(args[0], args[1], true);
                self.negate_if(a[a.len() - 1], &remainder)
            }
            Op::BvSmod => self.signed_modulo(args[0], args[1], &a, &b),
            Op::BvShl => circuit::shift(gates, Shift::Left, &a, &b),
            Op::BvLshr => circuit::shift(gates, Shift::Right, &a, &b),
            Op::BvAshr => circuit::shift(gates, Shift::RightSigned, &a, &b),
            Op::BvUlt => one(circuit::less(gates, &a, &b, false)),
            Op::BvUle => one(circuit::less(gates, &a, &b, true)),
            Op::BvSlt => one(circuit::signed_less(gates, &a, &b, false)),
            Op::BvSle => one(circuit::signed_less(gates, &a, &b, true)),
            Op::Concat => b.iter().chain(&a).copied().collect(),
            Op::Extract { high, low } => a[low as usize..=high as usize].to_vec(),
            Op::ZeroExtend { by } => extended(&a, Wire::FALSE, by),
            Op::SignExtend { by } => extended(&a, a[a.len() - 1], by),
            Op::IntAdd | Op::IntSub | Op::IntMul | Op::IntLe | Op::IntLt => {
                return Err(BlastError::Integer(id));
            }
            Op::Select | Op::Store | Op::ConstArray { .. } => Vec::new(),
        })
    }

    fn negate_if(&mut self, condition: Wire, bits: &[Wire]) -> Vec<Wire> {
        let negated = circuit::negate(&mut self.gates, bits);
        circuit::choose(&mut self.gates, condition, &negated, bits)
    }

    fn magnitude(&mut self, bits: &[Wire]) -> Vec<Wire> {
        self.negate_if(bits[bits.len() - 1], bits)
    }

    /// Quotient and remainder of the operands, or of their magnitudes; shared by all uses of the pair.
    fn division(&mut self, a: TermId, b: TermId, signed: bool) -> Division {
        if let Some(known) = self.divisions.get(&(a, b, signed)) {
            return known.clone();
        }
        let (mut x, mut y) = (self.bits(a).to_vec(), self.bits(b).to_vec());
        if signed {
            (x, y) = (self.magnitude(&x), self.magnitude(&y));
        }
        let result = circuit::divide(&mut self.gates, &x, &y);
        self.divisions.insert((a, b, signed), result.clone());
        result
    }

    /// The remainder with the sign of the divisor, case by case as SMT-LIB defines it.
    fn signed_modulo(
        &mut self,
        a_term: TermId,
        b_term: TermId,
        a: &[Wire],
        b: &[Wire],
    ) -> Vec<Wire> {
        let (_, remainder) = self.division(a_term, b_term, true);
        let (a_negative, b_negative) = (a[a.len() - 1], b[b.len() - 1]);
        let signed = self.negate_if(a_negative, &remainder);
        let zero = vec![Wire::FALSE; remainder.len()];
        let exact = circuit::equal(&mut self.gates, &remainder, &zero);
        let signs_differ = self.gates.xor(a_negative, b_negative);
        let correct = self.gates.and(!exact, signs_differ);
        let corrected = circuit::add(&mut self.gates, &signed, b, Wire::FALSE);
        circuit::choose(&mut self.gates, correct, &corrected, &signed)
    }

    /// The value of a translated term whose wires are inputs; wires without a literal do not matter.
    fn input_value(&self, sat: &mut Sat, sort: Sort, bits: &[Wire]) -> Value {
        let mut value = 0u128;
        for (position, &wire) in bits.iter().enumerate() {
            let truth = match wire.as_constant() {
                Some(truth) => truth,
                None => self
                    .gates
                    .existing_literal(wire)
                    .is_some_and(|literal| sat.value(literal)),
            };
            value |= u128::from(truth) << position;
        }
        if sort == Sort::Bool {
            Value::Bool(value == 1)
        } else {
            Value::Bits(value)
        }
    }
}

fn extended(bits: &[Wire], fill: Wire, by: u32) -> Vec<Wire> {
    let mut bits = bits.to_vec();
    bits.extend(std::iter::repeat_n(fill, by as usize));
    bits
}
