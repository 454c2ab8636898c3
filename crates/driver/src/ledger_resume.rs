//! Which answers of an earlier ledger count for the program as it is now.
//!
//! Of the same program and options, everything counts: the digest says that it was not altered, and what has evidence is checked all the same.
//! Evidence that fails then means that the file lies, and it is refused. Of another program or other options, only violations that
//! still replay and proofs that the checker accepts count.
//!
//! What can be read off the program is read off again, so it is never taken from the file.

use crate::cli::VerifyOptions;
use crate::compile;
use crate::decide::{self, Judged};
use crate::engines::{self, ENGINES};
use crate::ledger_file::{Content, LedgerFile, Refusal, Scope, digest};
use crate::portfolio;
use crate::read_off::EVIDENT;
use clap::ValueEnum;
use raddle_interp::schedule::Schedule;
use raddle_ir::{Program, Property};
use raddle_verdict::{Found, Ledger, Proof, Question, Questions, Record, TakenUp, Unused, Verdict};
use raddle_witness::again::{shown_after_change, shown_by};

/// The name of the option whose values a violation is about.
const INPUT: &str = "input";

/// What the present command asks about.
pub fn scope(options: &VerifyOptions, program: &Program, properties: &[Property]) -> Scope {
    let mut names: Vec<String> = properties.iter().map(|p| p.name().to_string()).collect();
    names.sort();
    let mut all: Vec<(String, String)> = Vec::new();
    let mut add = |name: &str, value: Option<String>| {
        all.extend(value.map(|v| (name.to_string(), v)));
    };
    let number = |n: Option<u32>| n.map(|n| n.to_string());
    add("data-model", Some(program.model.name().to_string()));
    add("memory-model", name_of(&options.memory_model));
    add("unwind", number(options.unwind));
    add("rounds", number(options.experiments.rounds));
    add("preemptions", number(options.experiments.preemptions));
    add("switches", number(options.experiments.switches));
    add("threads", number(options.experiments.threads));
    add("depth", number(options.experiments.depth));
    add("havoc", options.havoc.as_ref().and_then(name_of));
    let values = |list: &Vec<i128>| list.iter().map(i128::to_string).collect::<Vec<_>>();
    let inputs = options.inputs.as_ref().map(|list| values(list).join(","));
    add(INPUT, inputs);
    for entry in &options.input.entries {
        add("entry", Some(entry.clone()));
    }
    for argument in &options.args {
        add("argument", Some(argument.clone()));
    }
    Scope {
        raddle: env!("CARGO_PKG_VERSION").to_string(),
        program: digest(raddle_ir::print(program).as_bytes()),
        files: compile::file_names(&options.input),
        properties: names,
        options: all,
    }
}

fn name_of(value: &impl ValueEnum) -> Option<String> {
    value.to_possible_value().map(|v| v.get_name().to_string())
}

/// What answers are needed for besides the verdict.
#[derive(Clone, Copy)]
pub struct Wanted {
    /// A certificate of every proof.
    pub certificates: bool,
    /// The text of every proof.
    pub proof_texts: bool,
}

/// A proof that is kept without being used.
struct Aside {
    engine: &'static str,
    properties: Vec<Property>,
    single: Option<Question>,
    proof: Proof,
}

/// What an earlier ledger contributes.
#[derive(Default)]
pub struct Resumed {
    /// Answers to begin with.
    pub earlier: Vec<Judged>,
    /// Proofs that hold but do not serve this time; they stay in the file.
    aside: Vec<Aside>,
    /// How many of which.
    pub taken_up: TakenUp,
}

/// Takes up what counts.
pub fn take_up(
    content: Option<Content>,
    scope: &Scope,
    asked: &portfolio::Question,
    wanted: Wanted,
) -> Result<Resumed, Refusal> {
    let mut resumed = Resumed::default();
    let Some(Content { scope: old, record }) = content else {
        resumed.taken_up.new = true;
        return Ok(resumed);
    };
    let same = old == *scope;
    let questions = Questions::of(asked.program, &asked.request.properties);
    for one in &record.proved {
        let engine = known(&one.engine)?;
        let (properties, proof) = (one.properties.clone(), one.proof.clone());
        let kept = match engine == EVIDENT {
            true if same && wanted.certificates => Kept::Aside(Unused::NoCertificate),
            // Read off again.
            true => continue,
            false => proof_counts(asked, same, &properties, &proof, wanted)?,
        };
        let number = record.closed_by(one);
        let single = match &one.question {
            None => None,
            Some(name) => {
                let mut all = questions.iter().map(|(_, q)| q);
                match all.find(|q| q.name(asked.program) == *name) {
                    Some(question) => Some(question.clone()),
                    None => {
                        let dropped = &mut resumed.taken_up.dropped;
                        *dropped.entry(Unused::NotCheckable).or_default() += number;
                        continue;
                    }
                }
            }
        };
        let counts = &mut resumed.taken_up;
        match kept {
            Kept::Used => {
                counts.taken += number;
                let verdict = Verdict::True(proof);
                let mut judged = decide::judge(asked, engine, properties, verdict);
                judged.single = single;
                resumed.earlier.push(judged);
            }
            Kept::Aside(why) => {
                if engine != EVIDENT {
                    *counts.asked_again.entry(why).or_default() += number;
                }
                resumed.aside.push(Aside {
                    engine,
                    properties,
                    single,
                    proof,
                });
            }
            Kept::Not(why) => *counts.dropped.entry(why).or_default() += number,
        }
    }
    let input = |scope: &Scope| scope.options.iter().find(|(n, _)| n == INPUT).cloned();
    let other_test = input(scope).is_some() && input(scope) != input(&old);
    for one in record.violated {
        let engine = known(&one.engine)?;
        let judged = match other_test {
            true => Err(Unused::OtherInputs),
            false => violation_counts(asked, same, engine, one.found)?,
        };
        match judged {
            Ok(judged) => {
                resumed.taken_up.taken += 1;
                resumed.earlier.push(judged);
            }
            Err(why) => *resumed.taken_up.dropped.entry(why).or_default() += 1,
        }
    }
    Ok(resumed)
}

/// The engine of this name.
fn known(name: &str) -> Result<&'static str, Refusal> {
    let engine = engines::known(ENGINES, name).map(|e| e.name);
    engine
        .or((name == EVIDENT).then_some(EVIDENT))
        .ok_or_else(|| Refusal::NotALedger(format!("there is no engine `{name}`")))
}

/// Whether a proof is used.
enum Kept {
    Used,
    Aside(Unused),
    Not(Unused),
}

fn proof_counts(
    question: &portfolio::Question,
    same: bool,
    properties: &[Property],
    proof: &Proof,
    wanted: Wanted,
) -> Result<Kept, Refusal> {
    let asked = |p: &Property| question.request.properties.contains(p);
    if !properties.iter().any(asked) {
        return Ok(Kept::Not(Unused::OtherProperty));
    }
    let Some(text) = &proof.artefact else {
        return Ok(match same {
            false => Kept::Not(Unused::NotCheckable),
            true if wanted.certificates => Kept::Aside(Unused::NoCertificate),
            true if wanted.proof_texts => Kept::Aside(Unused::NoProofText),
            true => Kept::Used,
        });
    };
    let (program, budget) = (question.program, &question.request.budget);
    let checked = match properties.contains(&Property::NoDataRace) {
        // The checker knows sequential consistency only, as the engine does (`leave_weak_races_open`).
        true if program.weak_accesses().next().is_some() => {
            Err("data races in the presence of weak memory orders".to_string())
        }
        _ => raddle_engine_refine::check_proof(program, properties, text, budget).map(|_| ()),
    };
    let without = wanted.certificates && proof.certificate.is_none();
    match checked {
        Ok(()) if without && same => Ok(Kept::Aside(Unused::NoCertificate)),
        Ok(()) if without => Ok(Kept::Not(Unused::NoCertificate)),
        Ok(()) => Ok(Kept::Used),
        Err(_) if budget.stopped().is_some() && same => Ok(Kept::Aside(Unused::NoTime)),
        Err(_) if budget.stopped().is_some() => Ok(Kept::Not(Unused::NoTime)),
        Err(_) if !same => Ok(Kept::Not(Unused::ProofRefused)),
        Err(why) => Err(Refusal::Contradicted(format!(
            "the checker refuses the proof of {}: {why}",
            properties[0]
        ))),
    }
}

/// The violation as the program shows it now, or why it does not count.
fn violation_counts(
    question: &portfolio::Question,
    same: bool,
    engine: &'static str,
    old: Found,
) -> Result<Result<Judged, Unused>, Refusal> {
    let (program, request) = (question.program, question.request);
    if !same && !request.properties.contains(&old.property) {
        return Ok(Err(Unused::OtherProperty));
    }
    let replayed = Schedule::from_json(&old.schedule).and_then(|schedule| match same {
        true => shown_by(program, &schedule),
        false => shown_after_change(program, &schedule),
    });
    let is_same = |new: &Found| {
        (new.property, new.span) == (old.property, old.span) && new.object == old.object
    };
    let found = match replayed {
        Ok(new) if same && !is_same(&new) => Err("its schedule shows another violation".into()),
        Ok(new) if new.property != old.property => Err("it shows another property".into()),
        other => other,
    };
    let found = match found {
        // An unchanged program has the same steps that matter.
        Ok(_) if same => old,
        Ok(new) => new,
        Err(_) if !same => return Ok(Err(Unused::NotReplayed)),
        Err(why) => {
            let property = old.property;
            let what = format!("the violation of {property} does not replay: {why}");
            return Err(Refusal::Contradicted(what));
        }
    };
    let properties = vec![found.property];
    let judged = decide::judge(question, engine, properties, Verdict::False(vec![found]));
    Ok(match judged.verdict {
        Verdict::False(_) => Ok(judged),
        _ => Err(Unused::RestsOnValues),
    })
}

/// Writes the ledger as it grows.
pub struct Keeper<'a> {
    /// Where to.
    pub file: LedgerFile,
    scope: Scope,
    program: &'a Program,
    aside: Vec<Aside>,
}

impl<'a> Keeper<'a> {
    /// A keeper of what is found out about this program.
    pub fn new(
        file: LedgerFile,
        scope: Scope,
        program: &'a Program,
        resumed: &mut Resumed,
    ) -> Keeper<'a> {
        Keeper {
            file,
            scope,
            program,
            aside: std::mem::take(&mut resumed.aside),
        }
    }

    /// Writes it down, together with what was set aside and is still open.
    pub fn keep(&mut self, ledger: &Ledger) {
        let mut all = ledger.clone();
        for one in &self.aside {
            let proof = one.proof.clone();
            match one.single.as_ref().map(|q| all.questions().find(q)) {
                None => all.answer(one.engine, &one.properties, Verdict::True(proof)),
                Some(Some(id)) => all.prove_single(one.engine, id, proof),
                Some(None) => {}
            }
        }
        self.file.write(&Content {
            scope: self.scope.clone(),
            record: Record::of(&all, self.program),
        });
    }
}
