//! A proof for any number of threads, thread by thread (`crowd.rs` of `raddle-actions`, `modular/`): tried where no number of instances will do.

use crate::assumed::stops;
use crate::check::check;
use crate::engine::{ANY_NUMBER, RefineEngine, of_graph};
use crate::logic::Logic;
use crate::modular::infer;
use crate::proof::ProofFile;
use crate::symmetry::Symmetry;
use crate::system::System;
use raddle_ccfg::Ccfg;
use raddle_ir::{Program, Property, layout};
use raddle_verdict::{Proof, Request, Unknown, Verdict};

/// What became of a proof for any number of threads.
pub(crate) enum Tried {
    Verdict(Verdict),
    /// There is none in the language of invariants.
    InVain,
    /// It took too long.
    GivenUp,
}

impl RefineEngine {
    /// A proof for any number of threads, thread by thread, in so many questions.
    pub(crate) fn any_number(
        &self,
        program: &Program,
        request: &Request,
        graph: &Ccfg,
        questions: u64,
    ) -> Tried {
        if request.properties.contains(&Property::NoDeadlock) {
            return Tried::InVain;
        }
        let mut ccfg = graph.clone();
        let sites = ccfg.templates.iter_mut().flat_map(|t| &mut t.sites);
        sites.for_each(|s| s.repeats |= self.crowds);
        let Some(mut system) = crowds(ccfg) else {
            return Tried::InVain;
        };
        let mut logic = Logic::new(request.budget.clone());
        let Ok(Some((invariants, impossible))) = infer(&mut system, &mut logic, questions) else {
            return Tried::GivenUp;
        };
        if system.errors().any(|e| !impossible.contains(&e)) {
            return Tried::InVain;
        }
        let places = invariants.holds.len();
        let proof = ProofFile {
            fingerprint: program.fingerprint(),
            properties: request.properties.clone(),
            bound: ANY_NUMBER,
            invariants,
            groups: Vec::new(),
        };
        if let Err(why) = check(&mut system, &proof, &request.budget) {
            if request.budget.stopped().is_some() {
                return Tried::GivenUp;
            }
            let why = format!("a proof that the checker refuses: {why}");
            return Tried::Verdict(Verdict::Unknown(Unknown::Internal(why)));
        }
        self.write(&system, &proof);
        let mut assumptions = stops(program, &system);
        assumptions.push(format!("fewer than {} threads", layout::OWNER));
        Tried::Verdict(Verdict::True(Proof {
            how: format!(
                "inductive proof for any number of threads: invariants at {places} places, checked again"
            ),
            assumptions,
            certificate: request
                .certify
                .then(|| format!("invariants at {places} places, each of which was checked again")),
        }))
    }
}

/// The system in which two threads of every creation that can repeat stand for any number; `None` if they cannot.
pub(crate) fn crowds(ccfg: Ccfg) -> Option<System> {
    let mut system = of_graph(ccfg, ANY_NUMBER).ok()?;
    let names = Symmetry::without_groups(&system);
    let pairs = system.crowds.clone();
    let same = |(a, b)| names.interchangeable(&mut system, a, b);
    pairs.into_iter().all(same).then_some(system)
}
