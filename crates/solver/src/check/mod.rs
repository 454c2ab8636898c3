//! Certificates of unsatisfiability and their independent check.
//!
//! A certificate lists the input clauses that were used, the ordering problem, the lemmas of the ordering
//! theory, and an LRAT proof that refutes all of them together. [`check`] trusts nothing that the solver
//! did: it shares with it only the types. It verifies
//!
//! 1. that nothing was altered since the certificate was sealed,
//! 2. that branching literals mean nothing but the order of their two events (the totality axioms),
//! 3. every ordering lemma, by closing its premises under the rules and finding a cycle ([`ordering`]),
//! 4. every derived clause, by unit propagation along its hints ([`lrat`]),
//! 5. that the conclusion contains only negated assumptions.
//!
//! What it does not cover: the way from terms to clauses. That is what the fuzzers' oracles are for.

pub mod lrat;
pub mod ordering;

use crate::order::{EventId, OrderProblem};
use std::collections::HashSet;

/// A clause with the number that hints use for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NumberedClause {
    /// The number.
    pub id: i64,
    /// The literals, as DIMACS numbers.
    pub literals: Vec<i32>,
}

/// A clause of the ordering theory.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OrderingLemma {
    /// The clause.
    pub clause: NumberedClause,
    /// Always-occurring events that the justification needs; a hint, not a claim.
    pub events: Vec<EventId>,
}

/// A derived clause.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DerivedClause {
    /// The clause.
    pub clause: NumberedClause,
    /// The clauses it follows from by unit propagation, in order.
    pub hints: Vec<i64>,
}

/// A justification of an unsatisfiable answer.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Certificate {
    /// The ordering problem, with the branching literals as axioms.
    pub problem: OrderProblem,
    /// The input clauses that the proof uses.
    pub inputs: Vec<NumberedClause>,
    /// The ordering lemmas that the proof uses.
    pub lemmas: Vec<OrderingLemma>,
    /// The proof.
    pub proof: Vec<DerivedClause>,
    /// What was assumed.
    pub assumptions: Vec<i32>,
    /// The number of the clause that concludes: empty, or negated assumptions only.
    pub conclusion: i64,
    /// A digest of all of the above.
    pub seal: u64,
}

/// Why a certificate is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The content does not match the seal.
    BrokenSeal,
    /// A branching literal is used for something else.
    UnsoundOrderLiteral(i32),
    /// A lemma does not follow from the ordering rules.
    BadLemma(i64),
    /// A derived clause does not follow along its hints.
    BadStep(i64),
    /// A number is used twice or not at all.
    BadNumber(i64),
    /// The conclusion is missing or claims more than the assumptions allow.
    BadConclusion,
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Refusal::BrokenSeal => write!(f, "the certificate was altered after it was sealed"),
            Refusal::UnsoundOrderLiteral(literal) => {
                write!(f, "branching literal {literal} is constrained")
            }
            Refusal::BadLemma(id) => {
                write!(f, "ordering lemma {id} does not follow from the rules")
            }
            Refusal::BadStep(id) => write!(f, "clause {id} does not follow from its hints"),
            Refusal::BadNumber(id) => write!(f, "clause number {id} is unknown or used twice"),
            Refusal::BadConclusion => write!(f, "the conclusion does not refute the assumptions"),
        }
    }
}

impl std::error::Error for Refusal {}

impl Certificate {
    /// The digest of the content (64-bit FNV-1a): it catches accidents, not forgers; the rest of the check
    /// does not rely on it.
    pub fn digest(&self) -> u64 {
        let mut state = 0xcbf2_9ce4_8422_2325u64;
        let mut mix = |number: i64| {
            for byte in number.to_le_bytes() {
                state = (state ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        };
        let lists = [
            (1, self.inputs.iter().collect::<Vec<_>>()),
            (2, self.lemmas.iter().map(|lemma| &lemma.clause).collect()),
            (3, self.proof.iter().map(|step| &step.clause).collect()),
        ];
        for (tag, clauses) in lists {
            mix(tag);
            for clause in clauses {
                mix(clause.id);
                clause
                    .literals
                    .iter()
                    .for_each(|&literal| mix(i64::from(literal)));
                mix(0);
            }
        }
        for step in &self.proof {
            step.hints.iter().for_each(|&hint| mix(hint));
        }
        for lemma in &self.lemmas {
            lemma
                .events
                .iter()
                .for_each(|event| mix(i64::from(event.0)));
        }
        self.assumptions
            .iter()
            .for_each(|&literal| mix(i64::from(literal)));
        mix(self.conclusion);
        for byte in format!("{:?}", self.problem).bytes() {
            mix(i64::from(byte));
        }
        state
    }

    /// Seals the current content.
    pub fn seal(&mut self) {
        self.seal = self.digest();
    }
}

/// Verifies a certificate.
pub fn check(certificate: &Certificate) -> Result<(), Refusal> {
    if certificate.digest() != certificate.seal {
        return Err(Refusal::BrokenSeal);
    }
    check_content(certificate)
}

/// Verifies everything but the seal.
pub fn check_content(certificate: &Certificate) -> Result<(), Refusal> {
    check_order_literals(certificate)?;
    let mut checker = ordering::LemmaChecker::new(&certificate.problem);
    for lemma in &certificate.lemmas {
        if !checker.follows(&lemma.clause.literals, &lemma.events) {
            return Err(Refusal::BadLemma(lemma.clause.id));
        }
    }
    let mut proof = lrat::LratChecker::default();
    let lemmas = certificate.lemmas.iter().map(|lemma| &lemma.clause);
    for clause in certificate.inputs.iter().chain(lemmas) {
        proof.add_premise(clause.id, &clause.literals)?;
    }
    for step in &certificate.proof {
        proof.add_derived(step.clause.id, &step.clause.literals, &step.hints)?;
    }
    let conclusion = proof
        .clause(certificate.conclusion)
        .ok_or(Refusal::BadConclusion)?;
    let refuted = conclusion
        .iter()
        .all(|literal| certificate.assumptions.contains(&-literal));
    if refuted {
        Ok(())
    } else {
        Err(Refusal::BadConclusion)
    }
}

/// A branching literal may decide one pair and nothing else, or it would say more than "one comes first".
fn check_order_literals(certificate: &Certificate) -> Result<(), Refusal> {
    let problem = &certificate.problem;
    let mut taken: HashSet<i32> = certificate
        .inputs
        .iter()
        .flat_map(|clause| &clause.literals)
        .map(|l| l.abs())
        .collect();
    taken.extend(certificate.assumptions.iter().map(|literal| literal.abs()));
    let count = problem.order_literals().len();
    let others = problem.literals().count() - count;
    taken.extend(
        problem
            .literals()
            .take(others)
            .map(|literal| literal.dimacs().abs()),
    );
    for order in problem.order_literals() {
        let variable = order.literal.dimacs().abs();
        if !taken.insert(variable) || order.first == order.second {
            return Err(Refusal::UnsoundOrderLiteral(variable));
        }
    }
    Ok(())
}
