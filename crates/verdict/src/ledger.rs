//! The ledger: every question with its answer. The verdict is derived from it.
//!
//! Engines add what they find out, one group of properties after the other ([`Board::answer`]). Nothing that is known is taken back: a
//! question that is proved or violated stays so, and a reason why one is open is kept for each engine that tried.

use crate::combine::{both, is_bug, telling, weaker};
use crate::question::{Question, QuestionId, Questions, Subject};
use crate::{Assumption, AssumptionKind, Found, Proof, Unknown, Verdict};
use raddle_ir::{Program, Property, Span};
use std::collections::{BTreeMap, BTreeSet};

/// The answer to a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// No execution violates it.
    Proved {
        /// Which of the ledger's proofs says so.
        proof: usize,
    },
    /// An execution that violates it was replayed.
    Violated {
        /// Which of the ledger's violations it is.
        found: usize,
    },
    /// Neither is known.
    Open,
}

/// Why an engine has left a property open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attempt {
    /// Which engine.
    pub engine: &'static str,
    /// What was in the way, or how far it got.
    pub why: Unknown,
}

/// A proof, and by which engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proved {
    /// Which engine.
    pub engine: &'static str,
    /// The properties whose questions it closed.
    pub properties: Vec<Property>,
    /// The only question it closed, if it is a proof of a single one.
    pub single: Option<QuestionId>,
    /// Why they hold.
    pub proof: Proof,
}

/// How many questions have which answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Proved.
    pub proved: usize,
    /// Violated.
    pub violated: usize,
    /// Open.
    pub open: usize,
}

/// What an engine sees of a ledger while it works.
pub trait Board {
    /// Whether a question of this property is still open.
    fn is_open(&self, property: Property) -> bool;
    /// What was found out about these properties of the whole program.
    fn answer(&mut self, properties: &[Property], verdict: Verdict);
    /// What the work cost, in the engine's own measures, for experiments.
    fn statistics(&mut self, line: String) {
        let _ = line;
    }
}

/// All questions and their answers.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    questions: Questions,
    status: Vec<Status>,
    attempts: BTreeMap<Property, Vec<Attempt>>,
    proofs: Vec<Proved>,
    found: Vec<Found>,
    /// Which engine found each of them.
    finders: Vec<&'static str>,
    /// Inputs were left out when the program was made: what a proof is worth then.
    limit: Option<String>,
}

impl Ledger {
    /// The ledger of a program in which everything is open.
    pub fn new(program: &Program, properties: &[Property]) -> Ledger {
        let questions = Questions::of(program, properties);
        let limits: Vec<&str> = program.limits.iter().map(|l| l.what.as_str()).collect();
        Ledger {
            status: vec![Status::Open; questions.len()],
            questions,
            attempts: BTreeMap::new(),
            proofs: Vec::new(),
            found: Vec::new(),
            finders: Vec::new(),
            limit: (!limits.is_empty()).then(|| limits.join(", ")),
        }
    }

    /// The same for proofs of the program as it was made.
    pub fn without_limit(self) -> Ledger {
        Ledger {
            limit: None,
            ..self
        }
    }

    /// The questions.
    pub fn questions(&self) -> &Questions {
        &self.questions
    }

    /// The answer to one.
    pub fn status(&self, id: QuestionId) -> &Status {
        &self.status[id.0 as usize]
    }

    /// The proofs that were given.
    pub fn proofs(&self) -> &[Proved] {
        &self.proofs
    }

    /// The violations that were replayed, each of a question of its own.
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// The engines that found them.
    pub fn finders(&self) -> &[&'static str] {
        &self.finders
    }

    /// Why a property is open, as each engine says that tried.
    pub fn attempts(&self, property: Property) -> &[Attempt] {
        self.attempts.get(&property).map_or(&[], Vec::as_slice)
    }

    /// What a proof is worth, if inputs were left out when the program was made.
    pub fn limit(&self) -> Option<&str> {
        self.limit.as_deref()
    }

    /// Whether a question of this property is open.
    pub fn is_open(&self, property: Property) -> bool {
        let mut all = self.questions.iter();
        all.any(|(id, q)| q.property == property && *self.status(id) == Status::Open)
    }

    /// How many questions have which answer; a proof within limits leaves its questions open.
    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for status in &self.status {
            match status {
                Status::Proved { .. } if self.limit.is_some() => counts.open += 1,
                Status::Proved { .. } => counts.proved += 1,
                Status::Violated { .. } => counts.violated += 1,
                Status::Open => counts.open += 1,
            }
        }
        counts
    }

    /// Adds what an engine says about these properties.
    pub fn answer(&mut self, engine: &'static str, properties: &[Property], verdict: Verdict) {
        match verdict {
            Verdict::True(proof) => self.prove(engine, properties, proof),
            Verdict::False(found) => found.into_iter().for_each(|f| self.violate(engine, f)),
            Verdict::Unknown(why) => {
                for property in properties {
                    let attempts = self.attempts.entry(*property).or_default();
                    // What an engine says later includes what it said before.
                    attempts.retain(|a| a.engine != engine || is_bug(&a.why));
                    attempts.push(Attempt {
                        engine,
                        why: why.clone(),
                    });
                }
            }
        }
    }

    /// Adds the proof of a single question.
    pub fn prove_single(&mut self, engine: &'static str, question: QuestionId, proof: Proof) {
        let status = &mut self.status[question.0 as usize];
        if *status != Status::Open {
            return;
        }
        *status = Status::Proved {
            proof: self.proofs.len(),
        };
        self.proofs.push(Proved {
            engine,
            properties: vec![self.questions.get(question).property],
            single: Some(question),
            proof,
        });
    }

    fn prove(&mut self, engine: &'static str, properties: &[Property], proof: Proof) {
        let all = |q: &Question| properties.contains(&q.property);
        self.close(engine, all, proof);
    }

    /// Closes the questions of a property, but for those about some subjects. A subject without a question gets one, so that it stays open.
    pub fn prove_elsewhere(
        &mut self,
        engine: &'static str,
        property: Property,
        left: BTreeSet<Subject>,
        proof: Proof,
    ) {
        for subject in &left {
            let subject = subject.clone();
            self.question(Question { property, subject });
        }
        let elsewhere = |q: &Question| q.property == property && !left.contains(&q.subject);
        self.close(engine, elsewhere, proof);
    }

    /// Closes open questions.
    fn close(&mut self, engine: &'static str, which: impl Fn(&Question) -> bool, proof: Proof) {
        let number = self.proofs.len();
        let mut closed: BTreeSet<Property> = BTreeSet::new();
        for (id, question) in self.questions.iter() {
            let status = &mut self.status[id.0 as usize];
            if which(question) && *status == Status::Open {
                *status = Status::Proved { proof: number };
                closed.insert(question.property);
            }
        }
        if !closed.is_empty() {
            self.proofs.push(Proved {
                engine,
                properties: closed.into_iter().collect(),
                single: None,
                proof,
            });
        }
    }

    /// The number of a question, which is open if it is new.
    fn question(&mut self, question: Question) -> QuestionId {
        let id = self.questions.add(question);
        self.status.resize(self.questions.len(), Status::Open);
        id
    }

    fn violate(&mut self, engine: &'static str, found: Found) {
        let id = self.question_of(&found);
        if let Status::Violated { .. } = self.status[id.0 as usize] {
            return;
        }
        self.status[id.0 as usize] = Status::Violated {
            found: self.found.len(),
        };
        self.found.push(found);
        self.finders.push(engine);
    }

    /// The question that a violation answers; a new one if it was not foreseen.
    fn question_of(&mut self, found: &Found) -> QuestionId {
        self.question(asked_by(found))
    }

    /// Which engine has proved that there is no such violation: one of the two is wrong.
    pub fn contradicts(&self, found: &Found) -> Option<&'static str> {
        match self.status(self.questions.find(&asked_by(found))?) {
            Status::Proved { proof } => Some(self.proofs[*proof].engine),
            _ => None,
        }
    }

    /// What follows for the program; `None` if nobody has answered anything.
    pub fn verdict(&self) -> Option<Verdict> {
        if !self.found.is_empty() {
            return Some(Verdict::False(self.found.clone()));
        }
        let open: Vec<Property> = Property::ALL
            .into_iter()
            .filter(|p| self.is_open(*p))
            .collect();
        let all = self.attempts.values().flatten();
        if let Some(bug) = all.map(|a| &a.why).find(|why| is_bug(why))
            && !open.is_empty()
        {
            return Some(Verdict::Unknown(bug.clone()));
        }
        if open.is_empty() {
            return Some(match &self.limit {
                Some(limit) => Verdict::Unknown(Unknown::SafeWithin(limit.clone())),
                None => Verdict::True(self.proof()),
            });
        }
        let best = open.iter().filter_map(|p| self.best_reason(*p).cloned());
        best.reduce(weaker).map(Verdict::Unknown)
    }

    /// The reason that tells most about why a property is open.
    pub fn best_reason(&self, property: Property) -> Option<&Unknown> {
        let reasons = self.attempts(property).iter().map(|a| &a.why);
        reasons.max_by_key(|why| telling(why))
    }

    /// The engines whose answers the verdict rests on.
    pub fn answered_by(&self) -> Vec<&'static str> {
        let mut names: Vec<&'static str> = match (self.found.is_empty(), self.counts().open) {
            (false, _) => self.finders.clone(),
            (true, 0) => self.proofs.iter().map(|p| p.engine).collect(),
            (true, _) => {
                let open = Property::ALL.into_iter().filter(|p| self.is_open(*p));
                let best = |p| {
                    let attempts = self.attempts(p).iter();
                    attempts.max_by_key(|a| telling(&a.why)).map(|a| a.engine)
                };
                let tried: Vec<&'static str> = open.filter_map(best).collect();
                match tried.is_empty() {
                    true => self.proofs.iter().map(|p| p.engine).collect(),
                    false => tried,
                }
            }
        };
        names.sort_unstable();
        names.dedup();
        names
    }

    /// All proofs as one, without what they assume of each other.
    pub fn proof(&self) -> Proof {
        let several = self.proofs.len() > 1;
        let told = self.proofs.iter().map(|p| {
            let mut proof = p.proof.clone();
            if several {
                let names: Vec<&str> = p.properties.iter().map(|p| p.name()).collect();
                let place = p.single.map(|id| &self.questions.get(id).subject);
                let place = match place {
                    Some(Subject::Place(span)) => format!(" at line {}", span.line),
                    _ => String::new(),
                };
                proof.how = format!("{}{place}: {}", names.join(", "), proof.how);
            }
            proof
        });
        let mut all = told.reduce(both).unwrap_or_default();
        all.assumptions.retain(|a| !self.discharges(a));
        all
    }

    /// Whether an assumption of one proof is proved by another.
    pub fn discharges(&self, assumption: &Assumption) -> bool {
        match assumption.kind {
            AssumptionKind::Holds(property) => self.is_proved(property, assumption.span),
            _ => false,
        }
    }

    /// Whether it is proved that a property is not violated at a place.
    fn is_proved(&self, property: Property, span: Span) -> bool {
        let subject = place(span);
        let here = Question { property, subject };
        match self.questions.find(&here) {
            Some(id) => matches!(self.status(id), Status::Proved { .. }),
            // Places that ask nothing are covered by proofs of the property for the whole program.
            None => {
                let asked = self.questions.iter().any(|(_, q)| q.property == property);
                asked && !self.is_open(property)
            }
        }
    }
}

/// The question that a violation answers.
fn asked_by(found: &Found) -> Question {
    let subject = match (&found.object, found.property) {
        (Some(object), Property::NoDataRace) => Subject::Object(object.clone()),
        _ => place(found.span),
    };
    Question {
        property: found.property,
        subject,
    }
}

fn place(span: Span) -> Subject {
    match span.is_somewhere() {
        true => Subject::Place(span),
        false => Subject::Program,
    }
}

/// A ledger as one engine sees it.
pub struct EngineBoard<'a> {
    /// The ledger.
    pub ledger: &'a mut Ledger,
    /// The engine.
    pub engine: &'static str,
}

impl Board for EngineBoard<'_> {
    fn is_open(&self, property: Property) -> bool {
        self.ledger.is_open(property)
    }

    fn answer(&mut self, properties: &[Property], verdict: Verdict) {
        self.ledger.answer(self.engine, properties, verdict);
    }
}
