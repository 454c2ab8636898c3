//! What a run does, instruction by instruction, for those who hold facts against it.
//!
//! Off unless [`crate::Config::observe`] is set; then the short cut of `fast.rs` is not taken, so that nothing is
//! missed. A step that is refused leaves no observations.

use crate::execute::Place;
use crate::machine::{Machine, ThreadId};
use crate::memory::Life;
use crate::thread::Frame;
use crate::value::ObjectId;
use raddle_ir::{AtomicKind, Location};

/// Something that happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Observed {
    /// A thread is about to execute an instruction or terminator. What follows, up to the next of these, is its doing.
    Executes {
        /// Who.
        thread: ThreadId,
        /// Where its activations stand, outermost first: each caller at its call, the last at the instruction.
        stack: Vec<Location>,
        /// The locks it holds: object and offset.
        held: Vec<(ObjectId, u64)>,
        /// It is in an atomic block of the user's.
        in_block: bool,
    },
    /// An object was made.
    Made(ObjectId),
    /// Bytes of an object were accessed, or their life ended.
    Touched {
        /// The object.
        object: ObjectId,
        /// From which byte.
        offset: u64,
        /// How many bytes.
        length: u64,
        /// It wrote.
        write: bool,
    },
}

impl Machine<'_> {
    /// Takes what happened since the last call.
    pub fn take_observed(&mut self) -> Vec<Observed> {
        self.observed
            .as_mut()
            .map(std::mem::take)
            .unwrap_or_default()
    }

    /// Notes the instruction a thread is about to execute.
    #[inline]
    pub(crate) fn observe(&mut self, t: ThreadId, frame: &Frame) {
        if self.observed.is_some() {
            self.observe_execution(t, frame);
        }
    }

    #[cold]
    fn observe_execution(&mut self, t: ThreadId, frame: &Frame) {
        let thread = self.thread(t);
        // A caller's position is behind its call.
        let callers = thread.stack().map(|f| Location {
            index: f.index.saturating_sub(1),
            ..f.location()
        });
        let stack = callers.chain(std::iter::once(frame.location())).collect();
        let held = thread.held.iter().map(|h| (h.object, h.offset)).collect();
        let in_block = thread.regions.contains(&AtomicKind::Verifier);
        self.note(Observed::Executes {
            thread: t,
            stack,
            held,
            in_block,
        });
    }

    #[inline]
    pub(crate) fn observe_access(&mut self, place: Place, write: bool) {
        // What has ended is not accessed any more, although the attempt may be a race.
        let live = |m: &Self| m.state.memory.object(place.object).life == Life::Live;
        if self.observed.is_some() && live(self) {
            self.note(Observed::Touched {
                object: place.object,
                offset: place.offset,
                length: place.length,
                write,
            });
        }
    }

    pub(crate) fn note(&mut self, what: Observed) {
        if let Some(all) = &mut self.observed {
            all.push(what);
        }
    }
}
