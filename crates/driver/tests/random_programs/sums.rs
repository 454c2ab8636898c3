//! Statements that add to shared variables, mostly under a lock that protects them, and look at what came of it.

use super::generate::{Generator, Place};
use super::tree::Node;

impl Generator {
    /// One that adds, or looks, and rarely one that spoils it.
    pub fn sum(&mut self, p: &Place) -> Vec<Node> {
        let deep = p.depth >= 2;
        match self.below(17) {
            16 => {
                let claim = self.claim_of_sums();
                vec![Node::line(format!("__VERIFIER_assert({claim});"))]
            }
            0 => vec![Node::line(self.spoiling(p))],
            1 | 2 => vec![Node::line(self.adding_atomically())],
            3 | 4 => {
                let claim = self.claim_of_sums();
                let looks = Node::line(format!("__VERIFIER_assert({claim});"));
                vec![self.under_lock(vec![looks])]
            }
            5 if !deep => {
                let c = self.condition(p);
                let then = Node::around("{", self.sum(&deeper(p)), "}");
                vec![Node::around(format!("if ({c})"), vec![then], "")]
            }
            _ => {
                let body: Vec<Node> = (0..1 + self.below(3)).map(|_| self.adding(p)).collect();
                vec![self.under_lock(body)]
            }
        }
    }

    fn under_lock(&mut self, body: Vec<Node>) -> Node {
        Node::around(
            "pthread_mutex_lock(&sm);",
            body,
            "pthread_mutex_unlock(&sm);",
        )
    }

    fn adding(&mut self, p: &Place) -> Node {
        let (v, w) = (
            self.pick(&["acc1", "acc2", "acc1", "acc3"]),
            self.pick(&["acc1", "acc2"]),
        );
        let (k, m) = (1 + self.below(3), self.below(4));
        let e = self.expression(p, 1);
        Node::line(match self.below(14) {
            0..3 => format!("{v} += {k};"),
            3 => format!("{v} -= {k};"),
            4 | 5 => format!("if ({v} > {m}) {v} -= {k};"),
            6 => format!("if ({v} == {m}) {{ acc1 += {k}; acc2 -= {k}; }}"),
            7 => "acc1++; acc2--;".into(),
            8 => format!("{v} = {v} + {w} - {k};"),
            9 => format!("{v} += ({e}) & 3;"),
            11 => format!("{v}++; {w}++; {v}--;"),
            12 => format!("{v} -= {k}; {w}++; if ({w} & 1) {v} += {k};"),
            10 => format!("if ({w} & 1) {v}++; else {v} += {k};"),
            _ => format!("{v}++; if ({w} < {m}) {v}++;"),
        })
    }

    fn adding_atomically(&mut self) -> String {
        let k = 1 + self.below(3);
        match self.below(4) {
            0 => "acc4++;".into(),
            1 => format!("acc4 -= {k};"),
            2 => format!("__atomic_fetch_add(&acc2, {k}, 5);"),
            _ => format!("__sync_fetch_and_sub(&acc1, {k});"),
        }
    }

    fn spoiling(&mut self, p: &Place) -> String {
        let v = self.pick(&["acc1", "acc2", "acc3", "acc4"]);
        let k = self.below(4);
        match self.below(8) {
            5 => "__atomic_exchange_n((int *)&sm, 0, 5);".into(),
            6 => "pthread_mutex_init(&sm, 0);".into(),
            0 => format!("{v} = {k};"),
            1 => format!("{v}++;"),
            2 => "pthread_mutex_lock(&sm); int kept = acc1; pthread_mutex_unlock(&sm); pthread_mutex_lock(&sm); acc1 = kept + 1; pthread_mutex_unlock(&sm);"
                .replace("kept", &self.fresh("kept")),
            3 => format!("pthread_mutex_lock(&sm); {v} = {k}; pthread_mutex_unlock(&sm);"),
            4 => "if (pthread_mutex_trylock(&sm) == 0) { acc1++; pthread_mutex_unlock(&sm); } else acc2++;".into(),
            _ => format!("{} = {v};", self.variable(p)),
        }
    }

    fn claim_of_sums(&mut self) -> String {
        let (k, m) = (self.below(5), self.below(4));
        match self.below(6) {
            0 => format!("acc1 + acc2 == {k}"),
            1 => format!("acc1 >= {k}"),
            2 => format!("!(acc1 == {k} && acc2 == {m})"),
            3 => format!("acc3 != {}", 250 + k),
            4 => format!("acc1 != {k} || acc4 == {m}"),
            _ => format!("acc1 - acc2 != {k}"),
        }
    }
}

fn deeper(p: &Place) -> Place {
    let mut inner = p.clone();
    inner.depth += 1;
    inner
}
