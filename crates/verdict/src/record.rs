//! A ledger as data that outlives the process: answers with their evidence, and the state of every question.
//!
//! The answers are what counts. The list of questions is derived from them, for readers and to count what an answer closed. Reasons why
//! something is open are kept for readers only: a resumed verification asks again.

use crate::{Found, Ledger, Proof, Status, Unknown};
use raddle_ir::{Program, Property};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything a ledger says.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The proofs, in the order in which they were given.
    pub proved: Vec<ProvedRecord>,
    /// The violations, in the order in which they were found.
    pub violated: Vec<ViolatedRecord>,
    /// Why properties are open, as each engine says that tried.
    pub open: Vec<OpenRecord>,
    /// All questions.
    pub questions: Vec<QuestionRecord>,
}

/// A proof.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProvedRecord {
    /// The engine that gave it.
    pub engine: String,
    /// The properties whose questions it closed.
    pub properties: Vec<Property>,
    /// The name of the only question it closed, if it is a proof of a single one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// Why they hold.
    pub proof: Proof,
}

/// A violation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ViolatedRecord {
    /// The engine that found it.
    pub engine: String,
    /// What was found, with its schedule.
    pub found: Found,
}

/// Why an engine left a property open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OpenRecord {
    /// The property.
    pub property: Property,
    /// The engine.
    pub engine: String,
    /// What it said.
    pub why: Unknown,
}

/// A question and the state of its answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct QuestionRecord {
    /// Its name in source terms.
    pub id: String,
    /// Its property.
    pub property: Property,
    /// Whether it is answered.
    pub status: StatusRecord,
    /// The engine that proved it.
    pub by: Option<String>,
}

/// The state of an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StatusRecord {
    /// No execution violates it, within the limits of the program.
    Proved,
    /// An execution that violates it was replayed.
    Violated,
    /// Neither is known.
    Open,
}

impl Record {
    /// What a ledger says of a program.
    pub fn of(ledger: &Ledger, program: &Program) -> Record {
        let proved = ledger.proofs().iter().map(|p| ProvedRecord {
            engine: p.engine.to_string(),
            properties: p.properties.clone(),
            question: p.single.map(|id| ledger.questions().get(id).name(program)),
            proof: p.proof.clone(),
        });
        let violated = ledger.found().iter().zip(ledger.finders());
        let violated = violated.map(|(found, engine)| ViolatedRecord {
            engine: engine.to_string(),
            found: found.clone(),
        });
        let open = Property::ALL.into_iter().filter(|p| ledger.is_open(*p));
        let open = open.flat_map(|property| {
            let attempts = ledger.attempts(property).iter();
            attempts.map(move |a| OpenRecord {
                property,
                engine: a.engine.to_string(),
                why: a.why.clone(),
            })
        });
        let questions = ledger.questions().iter();
        let questions = questions.map(|(id, question)| QuestionRecord {
            id: question.name(program),
            property: question.property,
            status: match ledger.status(id) {
                Status::Proved { .. } => StatusRecord::Proved,
                Status::Violated { .. } => StatusRecord::Violated,
                Status::Open => StatusRecord::Open,
            },
            by: match ledger.status(id) {
                Status::Proved { proof } => Some(ledger.proofs()[*proof].engine.to_string()),
                _ => None,
            },
        });
        Record {
            proved: proved.collect(),
            violated: violated.collect(),
            open: open.collect(),
            questions: questions.collect(),
        }
    }

    /// How many questions a proof closed: of a property, all of its engine's that no proof of a single question had closed.
    pub fn closed_by(&self, proof: &ProvedRecord) -> usize {
        if proof.question.is_some() {
            return 1;
        }
        let closed = |q: &&QuestionRecord| {
            q.by.as_deref() == Some(&proof.engine) && proof.properties.contains(&q.property)
        };
        let single = |p: &&ProvedRecord| {
            p.question.is_some()
                && p.engine == proof.engine
                && p.properties.iter().all(|q| proof.properties.contains(q))
        };
        let all = self.questions.iter().filter(closed).count();
        all.saturating_sub(self.proved.iter().filter(single).count())
    }
}

/// Why an answer of an earlier verification is not used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unused {
    /// The program changed, and the schedule does not lead to the violation any more.
    NotReplayed,
    /// The violation is of a property that is not asked for.
    OtherProperty,
    /// The violation is of a test with other inputs.
    OtherInputs,
    /// The violation rests on a value that is not taken for granted.
    RestsOnValues,
    /// The program or its options changed, and nothing in the proof can be checked again.
    NotCheckable,
    /// The program changed, and the checker refuses the proof.
    ProofRefused,
    /// There was no time to check the proof.
    NoTime,
    /// A certificate is asked for, and there is none that can be checked again.
    NoCertificate,
    /// The text of the proof is asked for, and there is none.
    NoProofText,
}

/// What was made of an earlier ledger, counted in questions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TakenUp {
    /// There was no earlier ledger.
    pub new: bool,
    /// Answered by it.
    pub taken: usize,
    /// Answers that hold but do not serve this time: asked again, and kept in the file.
    pub asked_again: BTreeMap<Unused, usize>,
    /// Answers that are gone.
    pub dropped: BTreeMap<Unused, usize>,
}
