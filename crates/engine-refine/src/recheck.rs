//! Proof files checked against a program: each proof in a file is read for the graph of its part, and the checker (`check/`) does the rest.

use crate::check::check;
use crate::engine::{ANY_NUMBER, of_graph};
use crate::parts::{self, parts};
use crate::proof::{apart, named_properties, read};
use crate::readable::readable;
use raddle_ir::{Program, Property};
use raddle_solver::term::{TermId, TermPool};
use raddle_verdict::Budget;

/// What a proof that was accepted says.
pub struct Checked {
    /// How large it is.
    pub size: String,
    /// What holds, per thread and location.
    pub readable: String,
}

/// Checks the text of proofs of a program, which have to speak of all these properties; what is wrong, if anything is.
pub fn check_proof(
    program: &Program,
    properties: &[Property],
    text: &str,
    budget: &Budget,
) -> Result<Checked, String> {
    let (mut sizes, mut readable) = (Vec::new(), String::new());
    let mut shown: Vec<Property> = Vec::new();
    for part in apart(text)? {
        let checked = check_part(program, part, &mut shown, budget)?;
        sizes.push(checked.size);
        readable.push_str(&checked.readable);
    }
    match properties.iter().find(|p| !shown.contains(p)) {
        Some(p) => Err(format!("this is no proof of {p}")),
        None => Ok(Checked {
            size: sizes.join("; "),
            readable,
        }),
    }
}

/// Checks the proof of one part, and adds the properties it speaks of.
fn check_part(
    program: &Program,
    text: &str,
    shown: &mut Vec<Property>,
    budget: &Budget,
) -> Result<Checked, String> {
    // How many threads there are and what is asked has to be known before variables mean something.
    let bound = text.lines().find_map(|l| l.strip_prefix("threads "));
    let bound: u32 = bound
        .and_then(|b| b.parse().ok())
        .ok_or("no number of threads")?;
    if bound != ANY_NUMBER && !(1..=64).contains(&bound) {
        return Err("an impossible number of threads".into());
    }
    let named = text.lines().find_map(|l| l.strip_prefix("properties "));
    let named = named.and_then(named_properties).ok_or("no properties")?;
    if parts(&named) != (vec![named.clone()], Vec::new()) {
        return Err("properties that are not asked together".into());
    }
    if let Some(why) = parts::is_plain(program, &named) {
        let proof = read(text, &mut TermPool::new(), &|_| None)?;
        if proof.fingerprint != program.fingerprint() || proof.properties != named {
            return Err("a proof of another program".into());
        }
        shown.extend(&named);
        return Ok(Checked {
            size: why,
            readable: String::new(),
        });
    }
    let ccfg = parts::graph(program, &named).map_err(|r| r.what)?;
    raddle_ccfg::verify(&ccfg)?;
    let mut system = of_graph(ccfg, bound).map_err(|r| r.what)?;
    let terms: Vec<TermId> = system.variables.iter().map(|v| v.term).collect();
    let variable = |n: u32| terms.get(n as usize).copied();
    let proof = read(text, &mut system.pool, &variable)?;
    if proof.fingerprint != program.fingerprint() {
        return Err("a proof of another program".into());
    }
    if proof.properties != named || proof.bound != bound {
        return Err("a proof that says two things of itself".into());
    }
    check(&mut system, &proof, budget)?;
    shown.extend(&named);
    let states: usize = proof.groups.iter().map(|g| g.states.len()).sum();
    let predicates: usize = proof.groups.iter().map(|g| g.predicates.len()).sum();
    let places = proof.invariants.holds.len();
    Ok(Checked {
        size: format!("{states} states and {predicates} predicates, invariants at {places} places"),
        readable: readable(program, &system, &proof),
    })
}
