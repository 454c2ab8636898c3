//! Substitution: replacing terms by terms, with simplification on the way up.

use super::{Term, TermId, TermPool};
use std::collections::HashMap;

impl TermPool {
    /// Replaces every occurrence of a key of `map` in `root` by its value, simultaneously.
    ///
    /// # Panics
    /// If a key and its value have different sorts.
    pub fn substitute(&mut self, root: TermId, map: &HashMap<TermId, TermId>) -> TermId {
        let mut done: HashMap<TermId, TermId> = HashMap::new();
        for id in self.reachable_until(&[root], |id| map.contains_key(&id)) {
            let image = match map.get(&id) {
                Some(&image) => {
                    assert!(
                        self.sort(image) == self.sort(id),
                        "substitution changes the sort"
                    );
                    image
                }
                None => match *self.term(id) {
                    Term::App { op, .. } => {
                        let args: Vec<TermId> = self.args(id).iter().map(|arg| done[arg]).collect();
                        if args == self.args(id) {
                            id
                        } else {
                            self.apply_op(op, &args)
                        }
                    }
                    _ => id,
                },
            };
            done.insert(id, image);
        }
        done[&root]
    }
}
