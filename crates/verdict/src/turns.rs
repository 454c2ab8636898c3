//! Parts of what is asked, in turns: none waits for the end of another, which may never come.

use crate::{Board, Request, Unknown, Verdict};
use raddle_ir::Property;
use std::time::Duration;

/// How long the first turn of a part lasts.
const FIRST: Duration = Duration::from_millis(300);
/// How many times longer the next one is: work begins anew, so a third of all may be in vain.
const LONGER: u32 = 4;

/// Has an engine answer these parts, each of them as far as it is open. A part that is not done in its turn has another, longer one; the last that
/// is left has all the time. `work` says `None` if there is nothing to say.
pub fn in_turns(
    mut parts: Vec<Vec<Property>>,
    request: &Request,
    board: &mut dyn Board,
    work: &mut dyn FnMut(&Request) -> Option<Verdict>,
) {
    let mut turn = FIRST;
    while !parts.is_empty() {
        let mut left = Vec::new();
        let count = parts.len();
        for (number, mut part) in parts.into_iter().enumerate() {
            part.retain(|p| board.is_open(*p));
            if part.is_empty() {
                continue;
            }
            let alone = left.is_empty() && number + 1 == count;
            let own = Request {
                properties: part.clone(),
                budget: match alone {
                    true => request.budget.clone(),
                    false => request.budget.turn(turn),
                },
                ..request.clone()
            };
            let Some(verdict) = work(&own) else { continue };
            let cut = matches!(verdict, Verdict::Unknown(Unknown::Stopped { .. }));
            if cut && !alone && request.budget.stopped().is_none() {
                left.push(part);
                continue;
            }
            let violated = matches!(verdict, Verdict::False(_));
            board.answer(&part, verdict);
            if violated && !request.all_violations {
                return;
            }
        }
        parts = left;
        turn = turn.saturating_mul(LONGER);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Proof, StopCause};
    use Property::{NoDataRace, NoDeadlock, UnreachCall};

    struct Answers(Vec<(Vec<Property>, bool)>);

    impl Board for Answers {
        fn is_open(&self, property: Property) -> bool {
            !self.0.iter().any(|(p, _)| p.contains(&property))
        }

        fn answer(&mut self, properties: &[Property], verdict: Verdict) {
            let proved = matches!(verdict, Verdict::True(_));
            self.0.push((properties.to_vec(), proved));
        }
    }

    fn request(budget: Budget) -> Request {
        Request {
            properties: vec![UnreachCall, NoDataRace, NoDeadlock],
            unwind: None,
            certify: false,
            inputs: None,
            after: None,
            all_violations: false,
            budget,
        }
    }

    #[test]
    fn a_part_without_end_keeps_nobody_waiting() {
        let whole = Budget::with_timeout(Duration::from_millis(900));
        let request = request(whole);
        let mut board = Answers(Vec::new());
        let parts = request.properties.iter().map(|p| vec![*p]).collect();
        let mut order = Vec::new();
        in_turns(parts, &request, &mut board, &mut |part| {
            order.push(part.properties[0]);
            if part.properties[0] != UnreachCall {
                return Some(Verdict::True(Proof::default()));
            }
            while part.budget.stopped().is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            let cause = StopCause::Time;
            Some(Verdict::Unknown(Unknown::Stopped { cause, bound: None }))
        });
        assert_eq!(order, [UnreachCall, NoDataRace, NoDeadlock, UnreachCall]);
        let expected = [(NoDataRace, true), (NoDeadlock, true), (UnreachCall, false)];
        assert_eq!(board.0, expected.map(|(p, proved)| (vec![p], proved)));
    }

    #[test]
    fn what_is_answered_elsewhere_is_not_asked() {
        let request = request(Budget::unlimited());
        let mut board = Answers(vec![(vec![NoDataRace], true)]);
        let parts = vec![vec![UnreachCall, NoDataRace], vec![NoDataRace]];
        let mut asked = Vec::new();
        in_turns(parts, &request, &mut board, &mut |part| {
            asked.push(part.properties.clone());
            Some(Verdict::True(Proof::default()))
        });
        assert_eq!(asked, [[UnreachCall]]);
    }
}
