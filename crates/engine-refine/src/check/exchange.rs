//! States that cover what comes after an action if interchangeable threads are exchanged (`symmetry.rs`).

use super::Checker;
use crate::proof::{Group, State};
use crate::symmetry::runs;
use crate::system::{Status, VarId};
use raddle_ccfg::InstanceId;
use raddle_solver::term::TermId;
use std::collections::HashMap;

impl Checker<'_> {
    /// The groups of a proof's threads that may be exchanged: their errors are looked for alike, and no predicate speaks of one.
    pub(super) fn exchangeable(&self, group: &Group) -> Vec<Vec<InstanceId>> {
        let concerns = |p: &TermId| self.symmetry.concerns(self.system, *p);
        if group.predicates.iter().any(concerns) {
            return Vec::new();
        }
        let all = self.symmetry.groups_within(group.targets);
        all.cloned().collect()
    }

    /// The places with running threads of each group sorted: what states that may cover each other have in common.
    pub(super) fn pattern(groups: &[Vec<InstanceId>], places: &[Status]) -> Vec<Status> {
        let mut pattern = places.to_vec();
        for g in groups {
            let at: Vec<usize> = running(g, places).map(|t| t.0 as usize).collect();
            let mut sorted: Vec<Status> = at.iter().map(|t| places[*t]).collect();
            sorted.sort();
            for (t, s) in at.into_iter().zip(sorted) {
                pattern[t] = s;
            }
        }
        pattern
    }

    /// A state with threads exchanged, so that they are where they are after an action and have its values, if that can be.
    pub(super) fn exchanged(
        &mut self,
        groups: &[Vec<InstanceId>],
        next: &State,
        places: &[Status],
        known: &HashMap<TermId, TermId>,
        updates: &HashMap<TermId, TermId>,
    ) -> Option<State> {
        let mut real: Vec<InstanceId> = (0..places.len() as u32).map(InstanceId).collect();
        for g in groups {
            let mut left: Vec<InstanceId> = running(g, places).collect();
            for t in running(g, &next.places) {
                let says: Vec<(VarId, u128)> = next
                    .values
                    .iter()
                    .copied()
                    .filter(|(v, _)| self.symmetry.owner(*v) == Some(t))
                    .collect();
                let fits = left.iter().position(|u| {
                    places[u.0 as usize] == next.places[t.0 as usize]
                        && says.iter().all(|(v, n)| {
                            let var = self.symmetry.renamed(*v, |_| *u);
                            var.is_some_and(|v| self.is_after(v, *n, known, updates))
                        })
                });
                real[t.0 as usize] = left.remove(fits?);
            }
        }
        let mut state = next.clone();
        for (t, to) in real.iter().enumerate() {
            state.places[to.0 as usize] = next.places[t];
        }
        for (v, _) in &mut state.values {
            *v = self.symmetry.renamed(*v, |t| real[t.0 as usize])?;
        }
        state.sleep = crate::symmetry::renamed_bits(next.sleep, &real);
        (state.places == places).then_some(state)
    }

    /// Whether a variable certainly has a value after the updates.
    fn is_after(
        &mut self,
        var: VarId,
        n: u128,
        known: &HashMap<TermId, TermId>,
        updates: &HashMap<TermId, TermId>,
    ) -> bool {
        let (term, number) = self.equation(var, n);
        let after = updates.get(&term).copied().unwrap_or(term);
        self.system.pool.substitute(after, known) == number
    }
}

fn running<'a>(
    group: &'a [InstanceId],
    places: &'a [Status],
) -> impl Iterator<Item = InstanceId> + 'a {
    let all = group.iter().copied();
    all.filter(|t| runs(places[t.0 as usize]))
}
