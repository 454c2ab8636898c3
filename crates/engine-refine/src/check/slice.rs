//! What was left out of actions (`slice.rs` of `raddle-actions`): nothing that is left may depend on it.
//!
//! How it was found does not matter here. Terms are searched for the variables again, guards, values and all.

use crate::system::System;
use raddle_solver::term::TermId;
use std::collections::HashSet;

/// What was left out has to be such that nothing depends on it: then states that differ in nothing else can do the same.
pub(super) fn check(system: &System) -> Result<(), String> {
    let out: HashSet<TermId> = system
        .sliced
        .iter()
        .map(|(_, v, _)| system.variables[v.0 as usize].term)
        .collect();
    if out.is_empty() {
        return Ok(());
    }
    if system.ccfg.sleepers || !system.crowds.is_empty() {
        return Err("something is left out of a graph that needs all".into());
    }
    for a in &system.actions {
        let mut terms = vec![a.guard];
        for (v, t) in &a.updates {
            let var = system.variables[v.0 as usize].term;
            if out.contains(&var) {
                return Err("what is left out is left out in part".into());
            }
            terms.push(*t);
        }
        terms.extend(a.stored.iter().map(|s| s.1));
        let hinted = a.acquires.into_iter().chain(a.joins.map(|j| j.0));
        terms.extend(hinted.map(|v| system.variables[v.0 as usize].term));
        let mut read = system.pool.free_variables(&terms).into_iter();
        if read.any(|t| out.contains(&t)) {
            return Err("something depends on what is left out".into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::engine::of_graph;
    use crate::system::{ActionId, System, VarId};
    use raddle_ir::Property;

    fn system() -> System {
        let text = "typedef unsigned long pthread_t; void __VERIFIER_error(void);
            int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
            int n, last, before;
            void *w(void *a) { n = n + 1; before = last; last = n; return a; }
            int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); if (n > 1) __VERIFIER_error(); return 0; }";
        let options = raddle_c::Options::default();
        let program = raddle_c::compile_text("t.i", text, &options).expect("valid C");
        let graph = raddle_ccfg::build(&program, &[Property::UnreachCall]).expect("a graph");
        of_graph(graph, 1).expect("a system")
    }

    #[test]
    fn what_nothing_depends_on_may_be_left_out() {
        let system = system();
        let name = |v: VarId| system.variables[v.0 as usize].term;
        let out: Vec<_> = system.sliced.iter().map(|s| name(s.1)).collect();
        let read = system.actions.iter().flat_map(|a| a.reads.clone());
        assert!(out.len() >= 2, "`last` and `before` are left out");
        assert!(read.map(name).all(|t| !out.contains(&t)));
        assert_eq!(check(&system), Ok(()));
    }

    /// Each variable that something reads or that is still written is left out once, and each time that is noticed.
    #[test]
    fn a_wrong_slice_is_refused() {
        let mut system = system();
        let mut tried = 0;
        for a in 0..system.actions.len() {
            let action = system.actions[a].clone();
            let written = action.updates.iter().map(|u| u.0);
            for v in action.reads.iter().copied().chain(written) {
                let term = system.variables[v.0 as usize].term;
                system.sliced.push((ActionId(a as u32), v, term));
                assert!(check(&system).is_err());
                system.sliced.pop();
                tried += 1;
            }
        }
        assert!(tried > 3);
    }
}
