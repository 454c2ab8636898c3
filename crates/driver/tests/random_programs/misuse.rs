//! Statements that use handles, locks and lists in odd ways: too late, twice, before they are initialised, after they are gone.

use super::features::Feature::{self, *};
use super::generate::{Generator, Place};
use super::tree::Node;

impl Generator {
    pub fn odd(&mut self, f: Feature, p: &mut Place) -> Option<Vec<Node>> {
        let line = |text: String| Some(vec![Node::line(text)]);
        match f {
            Handles if p.main && p.depth == 0 && !p.block && self.once_in(2) => {
                self.fuel = self.fuel.saturating_sub(2);
                let (h, c) = (self.fresh("h"), self.condition(p));
                let first = self.pick(&["0", "0", "pthread_self()"]);
                Some(vec![
                    Node::line(format!("pthread_t {h} = {first};")),
                    Node::line(format!("if ({c}) pthread_create(&{h}, 0, brief, 0);")),
                    Node::line(match first {
                        "0" => format!("pthread_join({h}, 0);"),
                        _ => format!("pthread_detach({h});"),
                    }),
                ])
            }
            Handles if p.handles > 0 => {
                let (v, t) = (self.variable(p), self.below(p.handles as u64));
                line(match self.below(3) {
                    0 => format!("{v} = pthread_join(t{t}, 0);"),
                    1 => format!("{v} = pthread_detach(t{t});"),
                    _ => "pthread_detach(pthread_self());".into(),
                })
            }
            LocalSync => line(
                self.pick(&[
                    "{ pthread_mutex_t l; pthread_mutex_lock(&l); x++; pthread_mutex_unlock(&l); }",
                    "{ pthread_mutex_t l = {0}; pthread_mutex_lock(&l); y++; pthread_mutex_unlock(&l); }",
                    "{ sem_t l; sem_init(&l, 0, 0); sem_post(&l); sem_wait(&l); }",
                    "{ sem_t l; if (x) sem_init(&l, 0, 1); sem_trywait(&l); }",
                    "{ pthread_rwlock_t l; if (y) pthread_rwlock_init(&l, 0); pthread_rwlock_wrlock(&l); pthread_rwlock_unlock(&l); }",
                    "{ pthread_cond_t l; pthread_cond_signal(&l); }",
                    "{ pthread_mutex_t l; pthread_mutex_init(&l, 0); pthread_mutex_t k = l; pthread_mutex_lock(&k); x = y; }",
                    "{ pthread_mutex_t l; y = pthread_mutex_destroy(&l); }",
                ])
                .into(),
            ),
            RwOdd if !p.block => {
                let v = self.variable(p);
                line(match self.below(8) {
                    0 => "pthread_rwlock_unlock(&rw);".into(),
                    1 => format!("{v} = pthread_rwlock_unlock(&rw);"),
                    2 => "pthread_rwlock_rdlock(&rw);".into(),
                    3 => format!("{v} = pthread_rwlock_trywrlock(&rw);"),
                    4 => format!("{v} = pthread_rwlock_tryrdlock(&rw);"),
                    5 => format!("{v} = pthread_rwlock_destroy(&rw);"),
                    6 => "pthread_rwlock_init(&rw, 0);".into(),
                    _ => "pthread_rwlock_wrlock(&rw);".into(),
                })
            }
            List => {
                let (v, e) = (self.variable(p), self.expression(p, 1));
                line(match self.below(7) {
                    0 | 1 => format!(
                        "{{ struct cell *link = malloc(sizeof *link); link->next = list; link->v = {e}; list = link; }}"
                    ),
                    2 => "if (list) { struct cell *link = list; list = link->next; free(link); }".into(),
                    3 => format!("if (list) {v} = list->v;"),
                    4 => "if (list) list->next = 0;".into(),
                    5 => "list = 0;".into(),
                    _ => "{ struct cell *link = malloc(sizeof *link); link->next = link; if (y) list = link; }".into(),
                })
            }
            Ends => line(
                self.pick(&[
                    "if (x) pthread_cond_destroy(&gone_cv);",
                    "pthread_cond_broadcast(&gone_cv);",
                    "{ pthread_mutex_lock(&gone_m); if (!y) pthread_cond_wait(&gone_cv, &gone_m); pthread_mutex_unlock(&gone_m); }",
                    "pthread_mutex_destroy(&gone_m);",
                ])
                .into(),
            ),
            _ => None,
        }
    }
}
