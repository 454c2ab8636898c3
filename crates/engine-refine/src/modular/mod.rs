//! Invariants thread by thread: what holds whenever a thread is at a location, whatever the others do meanwhile.
//!
//! After Owicki and Gries, "An axiomatic proof technique for parallel programs" (1976): every location of every thread has an
//! assertion over shared cells and the thread's own locals, kept up by its own actions (with the assertion in front of them) and by every action of
//! another thread that can run at that time (with both assertions). A location is told apart by which of its children a thread has made,
//! started and joined (`control.rs`), so what `main` does before it makes a thread does not disturb that thread. What a joined thread's
//! last assertion says is known to whoever joins it.
//!
//! The assertions come from a fixed language (`domain.rs`): a few values, bounds from the numbers of the program, orders and
//! differences of two variables. The strongest ones in it are found from below (`infer.rs`): a counterexample to induction is
//! joined to what it contradicts, until there is none. For any number of threads, states are told apart by a few tests (`split.rs`). This is symbolic abstraction (Reps, Sagiv and Yorsh, "Symbolic
//! implementation of the best transformer", 2004), so it is bit-precise.
//!
//! Of an object that is not divided into cells, what holds for all its elements at all times is inferred in the same way, from all
//! stores (`contents`).
//!
//! *Misses:* what depends on where another thread is, unless shared cells show it; counting threads; relations between elements.

mod control;
mod domain;
mod infer;
mod relevant;
mod split;

pub use infer::{QUESTIONS, infer};

use crate::system::Status;
use raddle_ccfg::{InstanceId, ObjectId};
use raddle_solver::term::TermId;
use std::collections::{BTreeMap, HashMap};

/// Where a thread is, and how far its children are: `Absent`, `Made`, `At(0)` for running or over, `Joined`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Where {
    /// Whose place.
    pub thread: InstanceId,
    /// `At` a location, or `Finished`.
    pub at: Status,
    /// Its children in order; none if they are not told apart.
    pub children: Vec<Status>,
}

/// What holds at each place; a place that is not listed is never reached.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    /// By place: conjuncts.
    pub holds: HashMap<Where, Vec<TermId>>,
    /// How finely each thread's children are told apart.
    pub detail: Vec<Detail>,
    /// What holds for all elements of an object that is not divided into cells.
    pub contents: BTreeMap<ObjectId, Vec<TermId>>,
}

/// How finely a thread's children are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// Made, started and joined.
    Full,
    /// Made and started.
    Starts,
    /// Not at all.
    Nothing,
}

impl Detail {
    /// A child's status as a thread with this detail sees it.
    pub fn seen(self, status: Status) -> Status {
        match (status, self) {
            (Status::Joined, Detail::Full) => Status::Joined,
            (Status::Absent | Status::Made, _) => status,
            _ => RUNS,
        }
    }
}

/// A child that was started, and perhaps is over.
pub const RUNS: Status = Status::At(raddle_ccfg::LocId(0));

impl Invariants {
    /// What is known in a state of the product because of where one thread is; `None` if nothing was inferred.
    pub fn at(
        &self,
        children: &[Vec<InstanceId>],
        places: &[Status],
        t: usize,
    ) -> Option<&[TermId]> {
        let detail = *self.detail.get(t)?;
        let seen = match detail {
            Detail::Nothing => Vec::new(),
            _ => children[t]
                .iter()
                .map(|c| detail.seen(places[c.0 as usize]))
                .collect(),
        };
        let key = Where {
            thread: InstanceId(t as u32),
            at: places[t],
            children: seen,
        };
        self.holds.get(&key).map(|h| &h[..])
    }
}
