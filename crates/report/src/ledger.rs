//! What became of the answers of an earlier verification, in words.

use raddle_verdict::{TakenUp, Unused};
use std::collections::BTreeMap;

/// `12 answers taken up, 3 dropped (the schedule no longer replays)`.
pub fn taken_up(taken: &TakenUp) -> String {
    if taken.new {
        return "new".to_string();
    }
    let noun = if taken.taken == 1 {
        "answer"
    } else {
        "answers"
    };
    let mut parts = vec![format!("{} {noun} taken up", taken.taken)];
    for (what, unused) in [
        ("asked again", &taken.asked_again),
        ("dropped", &taken.dropped),
    ] {
        if !unused.is_empty() {
            let number: usize = unused.values().sum();
            parts.push(format!("{number} {what} ({})", reasons(unused)));
        }
    }
    parts.join(", ")
}

/// Each reason, with its number if there are several.
fn reasons(unused: &BTreeMap<Unused, usize>) -> String {
    let one = |(why, number): (&Unused, &usize)| match unused.len() {
        1 => reason(*why).to_string(),
        _ => format!("{number}: {}", reason(*why)),
    };
    let all: Vec<String> = unused.iter().map(one).collect();
    all.join("; ")
}

fn reason(why: Unused) -> &'static str {
    match why {
        Unused::NotReplayed => "the schedule no longer replays",
        Unused::OtherProperty => "the property is not checked",
        Unused::OtherInputs => "the violation needs other inputs",
        Unused::RestsOnValues => "the violation rests on unknown return values",
        Unused::NotCheckable => "the program or an option changed, and the proof cannot be checked",
        Unused::ProofRefused => "the program or an option changed, and the proof no longer holds",
        Unused::NoTime => "no time to check the proof",
        Unused::NoCertificate => "no certificate that can be checked",
        Unused::NoProofText => "no proof text",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_stand_with_their_reasons() {
        let mut taken = TakenUp {
            taken: 12,
            ..TakenUp::default()
        };
        assert_eq!(taken_up(&taken), "12 answers taken up");
        taken.dropped.insert(Unused::NotReplayed, 3);
        let one = "12 answers taken up, 3 dropped (the schedule no longer replays)";
        assert_eq!(taken_up(&taken), one);
        taken.dropped.insert(Unused::OtherProperty, 1);
        taken.taken = 1;
        let two = "1 answer taken up, 4 dropped (3: the schedule no longer replays; 1: the property is not checked)";
        assert_eq!(taken_up(&taken), two);
    }
}
