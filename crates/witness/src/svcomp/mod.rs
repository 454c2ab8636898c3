//! Witnesses in the formats of the software-verification competition: YAML 2.x and GraphML 1.0.
//!
//! Both tell a violation as lines of the program in order, each with the thread that executes it. Raddle's own schedules (`raddle replay`) say more: every
//! step and every choice. For a proof, they say what holds where (`correctness.rs`); the proof itself has a file of its own (`raddle check-proof`).

mod correctness;
mod expression;
mod graphml;
mod statements;
mod yaml;

pub use correctness::{Claim, Places, correctness_graphml, correctness_yaml};
pub use graphml::graphml;
pub use yaml::yaml;

use crate::Violation;
use crate::story::{Scene, Story};
use raddle_ir::{DataModel, Program, Property};
use std::time::{SystemTime, UNIX_EPOCH};

/// What every witness tells of the task.
pub struct Task<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its files with their contents, as the user named them.
    pub files: Vec<(String, Vec<u8>)>,
    /// The version of this program.
    pub version: &'a str,
    /// When.
    pub time: SystemTime,
}

/// A violation, for a witness.
pub struct Subject<'a> {
    /// The task.
    pub task: Task<'a>,
    /// What was violated.
    pub violation: &'a Violation,
    /// How.
    pub story: &'a Story,
}

/// A property, as the competition writes it.
fn specification(property: Property) -> String {
    let formula = match property {
        Property::UnreachCall => "G ! call(reach_error())",
        Property::NoDataRace => "G ! data-race",
        Property::ValidDeref => "G valid-deref",
        Property::ValidFree => "G valid-free",
        Property::ValidMemtrack => "G valid-memtrack",
        Property::ValidMemcleanup => "G valid-memcleanup",
        Property::NoOverflow => "G ! overflow",
        Property::NoDeadlock => "G ! deadlock",
        other => return format!("CHECK( init(main()), LTL(G {}) )", other.name()),
    };
    format!("CHECK( init(main()), LTL({formula}) )")
}

impl Task<'_> {
    fn bits(&self) -> u32 {
        match self.program.model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }
}

impl Subject<'_> {
    /// The thread that a scene makes, if it makes one.
    fn makes(&self, scene: &Scene) -> Option<usize> {
        let line = |at| {
            let span = self.task.program.span_of(at);
            (span.file, span.line)
        };
        let earlier = |s: &&Scene| s.thread == scene.thread && line(s.at) == line(scene.at);
        let before = self
            .story
            .scenes
            .iter()
            .take_while(|s| !std::ptr::eq(*s, scene));
        let nth = before.filter(earlier).count();
        let made = self
            .story
            .threads
            .iter()
            .enumerate()
            .filter(|(_, t)| t.created.is_some_and(|at| line(at) == line(scene.at)));
        made.map(|(n, _)| n).nth(nth)
    }
}

/// A point of time in the way of ISO 8601, in UTC.
fn iso(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // Days since 1 March of the year 0, in years that begin with March, so that leap days come last.
    let day = days + 719_468;
    let era = day / 146_097;
    let of_era = day % 146_097;
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = year + era * 400 + u64::from(month <= 2);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

/// The SHA-256 of some bytes, in hexadecimal digits.
fn sha256(bytes: &[u8]) -> String {
    use sha2::Digest;
    let digest = sha2::Sha256::digest(bytes);
    digest.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn points_of_time_and_digests() {
        let at = |s| iso(UNIX_EPOCH + Duration::from_secs(s));
        assert_eq!(at(0), "1970-01-01T00:00:00Z");
        assert_eq!(at(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(at(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(at(4_102_444_800), "2100-01-01T00:00:00Z");
        assert!(sha256(b"abc").starts_with("ba7816bf8f01cfea"));
    }
}
