//! Gates: an and-inverter graph with exclusive-or, multiplexer and majority nodes, and its way into clauses.
//!
//! Gates are hash-consed after local simplification, so constants propagate and equal structure is shared
//! before any clause exists. Clauses follow Plaisted and Greenbaum (1986): a gate used only positively gets
//! only the clauses that make its literal imply its meaning. Each gate remembers which of the two
//! directions it already has, so a later use in the other polarity adds the missing half; that is what
//! keeps the encoding right when formulas are added between solves.
//!
//! Missed on purpose: two-level rewriting and cut-based matching; CaDiCaL's preprocessing finds those.

use crate::hash::FastMap;
use crate::sat::{Lit, Sat};

/// A gate output or its complement: twice the gate number, plus one for the complement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Wire(u32);

impl Wire {
    /// The constant false.
    pub const FALSE: Wire = Wire(0);
    /// The constant true.
    pub const TRUE: Wire = Wire(1);

    /// The constant wire of a truth value.
    pub fn constant(value: bool) -> Wire {
        if value { Wire::TRUE } else { Wire::FALSE }
    }

    /// The truth value of a constant wire.
    pub fn as_constant(self) -> Option<bool> {
        (self.0 < 2).then_some(self.0 == 1)
    }

    fn gate(self) -> usize {
        (self.0 >> 1) as usize
    }

    fn is_complement(self) -> bool {
        self.0 & 1 == 1
    }
}

impl std::ops::Not for Wire {
    type Output = Wire;
    fn not(self) -> Wire {
        Wire(self.0 ^ 1)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Gate {
    False,
    Input,
    And(Wire, Wire),
    Xor(Wire, Wire),
    /// Condition, then, otherwise.
    Mux(Wire, Wire, Wire),
    Majority(Wire, Wire, Wire),
}

/// Which directions of a gate's definition are wanted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Polarity {
    /// The literal implies the wire.
    Positive,
    /// The wire implies the literal.
    Negative,
    /// Both.
    Both,
}

impl Polarity {
    fn mask(self) -> u8 {
        match self {
            Polarity::Positive => 1,
            Polarity::Negative => 2,
            Polarity::Both => 3,
        }
    }
}

/// The gate graph of one solver.
pub struct Gates {
    gates: Vec<Gate>,
    unique: FastMap<Gate, Wire>,
    literals: Vec<Option<Lit>>,
    emitted: Vec<u8>,
}

impl Default for Gates {
    fn default() -> Gates {
        Gates {
            gates: vec![Gate::False],
            unique: FastMap::default(),
            literals: vec![None],
            emitted: vec![3],
        }
    }
}

impl Gates {
    /// Number of gates, inputs included.
    pub fn len(&self) -> usize {
        self.gates.len()
    }

    /// Whether there are no gates but the constant.
    pub fn is_empty(&self) -> bool {
        self.gates.len() == 1
    }

    fn push(&mut self, gate: Gate) -> Wire {
        let wire = Wire((self.gates.len() as u32) << 1);
        self.gates.push(gate);
        self.literals.push(None);
        self.emitted.push(0);
        wire
    }

    fn intern(&mut self, gate: Gate) -> Wire {
        if let Some(&wire) = self.unique.get(&gate) {
            return wire;
        }
        let wire = self.push(gate);
        self.unique.insert(gate, wire);
        wire
    }

    /// A fresh free wire.
    pub fn input(&mut self) -> Wire {
        self.push(Gate::Input)
    }

    /// Conjunction.
    pub fn and(&mut self, a: Wire, b: Wire) -> Wire {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        match (a, b) {
            (Wire::FALSE, _) => Wire::FALSE,
            (Wire::TRUE, _) => b,
            _ if a == b => a,
            _ if a == !b => Wire::FALSE,
            _ => self.intern(Gate::And(a, b)),
        }
    }

    /// Disjunction.
    pub fn or(&mut self, a: Wire, b: Wire) -> Wire {
        !self.and(!a, !b)
    }

    /// Exclusive or.
    pub fn xor(&mut self, a: Wire, b: Wire) -> Wire {
        let complement = a.is_complement() != b.is_complement();
        let (a, b) = (Wire(a.0 & !1), Wire(b.0 & !1));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        let plain = match (a, b) {
            (Wire::FALSE, _) => b,
            _ if a == b => Wire::FALSE,
            _ => self.intern(Gate::Xor(a, b)),
        };
        if complement { !plain } else { plain }
    }

    /// Equivalence.
    pub fn iff(&mut self, a: Wire, b: Wire) -> Wire {
        !self.xor(a, b)
    }

    /// If-then-else.
    pub fn mux(&mut self, condition: Wire, then: Wire, otherwise: Wire) -> Wire {
        if condition.is_complement() {
            return self.mux(!condition, otherwise, then);
        }
        if then.is_complement() {
            return !self.mux(condition, !then, !otherwise);
        }
        match (condition, then, otherwise) {
            (Wire::FALSE, _, _) => otherwise,
            _ if then == otherwise => then,
            _ if then == !otherwise => self.iff(condition, then),
            (_, Wire::FALSE, _) => self.and(!condition, otherwise),
            (_, _, Wire::FALSE) => self.and(condition, then),
            (_, _, Wire::TRUE) => self.or(!condition, then),
            _ if condition == then => self.or(condition, otherwise),
            _ if condition == otherwise => self.and(condition, then),
            _ if condition == !otherwise => self.or(!condition, then),
            _ => self.intern(Gate::Mux(condition, then, otherwise)),
        }
    }

    /// At least two of three: the carry of a full adder.
    pub fn majority(&mut self, a: Wire, b: Wire, c: Wire) -> Wire {
        let mut sorted = [a, b, c];
        sorted.sort_unstable();
        let [a, b, c] = sorted;
        match a {
            Wire::FALSE => return self.and(b, c),
            Wire::TRUE => return self.or(b, c),
            _ => {}
        }
        if a == b || b == c {
            return b;
        }
        if a == !b {
            return c;
        }
        if b == !c {
            return a;
        }
        if a.is_complement() && b.is_complement() && c.is_complement() {
            return !self.majority(!a, !b, !c);
        }
        self.intern(Gate::Majority(a, b, c))
    }

    /// The literal of a wire that is no constant, without any clause; made on first use.
    fn literal(&mut self, wire: Wire, sat: &mut Sat) -> Lit {
        let slot = &mut self.literals[wire.gate()];
        let literal = *slot.get_or_insert_with(|| sat.new_literal());
        if wire.is_complement() {
            !literal
        } else {
            literal
        }
    }

    /// The literal of a wire, if one was made.
    pub fn existing_literal(&self, wire: Wire) -> Option<Lit> {
        let literal = self.literals[wire.gate()]?;
        Some(if wire.is_complement() {
            !literal
        } else {
            literal
        })
    }

    /// A literal for the wire together with the clauses that define it in the given polarity.
    pub fn define(&mut self, wire: Wire, polarity: Polarity, sat: &mut Sat) -> Lit {
        if wire.as_constant().is_some() && self.literals[0].is_none() {
            let never = self.literal(Wire::FALSE, sat);
            sat.add_clause(&[!never]);
        }
        let mut stack = vec![(wire, polarity.mask())];
        while let Some((wire, wanted)) = stack.pop() {
            let wanted = if wire.is_complement() {
                swap(wanted)
            } else {
                wanted
            };
            let gate = wire.gate();
            let missing = wanted & !self.emitted[gate];
            if missing == 0 {
                continue;
            }
            self.emitted[gate] |= missing;
            self.emit(gate, missing, &mut stack, sat);
        }
        self.literal(wire, sat)
    }

    fn emit(&mut self, gate: usize, missing: u8, stack: &mut Vec<(Wire, u8)>, sat: &mut Sat) {
        let out = Wire((gate as u32) << 1);
        let (positive, negative) = (missing & 1 != 0, missing & 2 != 0);
        match self.gates[gate] {
            Gate::False | Gate::Input => {}
            Gate::And(a, b) => {
                let [o, x, y] = [out, a, b].map(|wire| self.literal(wire, sat));
                if positive {
                    sat.add_clause(&[!o, x]);
                    sat.add_clause(&[!o, y]);
                }
                if negative {
                    sat.add_clause(&[o, !x, !y]);
                }
                stack.extend([(a, missing), (b, missing)]);
            }
            Gate::Xor(a, b) => {
                let [o, x, y] = [out, a, b].map(|wire| self.literal(wire, sat));
                if positive {
                    sat.add_clause(&[!o, x, y]);
                    sat.add_clause(&[!o, !x, !y]);
                }
                if negative {
                    sat.add_clause(&[o, !x, y]);
                    sat.add_clause(&[o, x, !y]);
                }
                stack.extend([(a, 3), (b, 3)]);
            }
            Gate::Mux(c, a, b) => {
                let [o, k, x, y] = [out, c, a, b].map(|wire| self.literal(wire, sat));
                if positive {
                    sat.add_clause(&[!o, !k, x]);
                    sat.add_clause(&[!o, k, y]);
                    sat.add_clause(&[!o, x, y]);
                }
                if negative {
                    sat.add_clause(&[o, !k, !x]);
                    sat.add_clause(&[o, k, !y]);
                    sat.add_clause(&[o, !x, !y]);
                }
                stack.extend([(c, 3), (a, missing), (b, missing)]);
            }
            Gate::Majority(a, b, c) => {
                let [o, x, y, z] = [out, a, b, c].map(|wire| self.literal(wire, sat));
                for (p, q) in [(x, y), (x, z), (y, z)] {
                    if positive {
                        sat.add_clause(&[!o, p, q]);
                    }
                    if negative {
                        sat.add_clause(&[o, !p, !q]);
                    }
                }
                stack.extend([(a, missing), (b, missing), (c, missing)]);
            }
        }
    }

    /// Asserts a wire for ever; conjunctions are split and disjunctions become one clause.
    pub fn assert(&mut self, wire: Wire, sat: &mut Sat) {
        let mut conjuncts = vec![wire];
        let mut seen = std::collections::HashSet::new();
        while let Some(wire) = conjuncts.pop() {
            if !seen.insert(wire) || wire == Wire::TRUE {
                continue;
            }
            if let (Gate::And(a, b), false) = (self.gates[wire.gate()], wire.is_complement()) {
                conjuncts.extend([a, b]);
                continue;
            }
            let mut clause = Vec::new();
            self.disjuncts(wire, &mut clause);
            if clause.contains(&Wire::TRUE) {
                continue;
            }
            let literals: Vec<Lit> = clause
                .into_iter()
                .map(|part| self.define(part, Polarity::Positive, sat))
                .collect();
            sat.add_clause(&literals);
        }
    }

    /// The parts of a disjunction, as far as it is a tree of complemented conjunctions of moderate size.
    fn disjuncts(&self, wire: Wire, out: &mut Vec<Wire>) {
        let mut stack = vec![wire];
        while let Some(wire) = stack.pop() {
            match self.gates[wire.gate()] {
                Gate::And(a, b) if wire.is_complement() && out.len() + stack.len() < 64 => {
                    stack.extend([!b, !a])
                }
                Gate::False if !wire.is_complement() => {}
                _ if out.contains(&wire) => {}
                _ if out.contains(&!wire) => out.push(Wire::TRUE),
                _ => out.push(wire),
            }
        }
    }
}

fn swap(mask: u8) -> u8 {
    ((mask & 1) << 1) | (mask >> 1)
}
