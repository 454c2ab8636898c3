//! What an operation does to the word of its object: a list of cases, of which the first that holds counts.

use super::{SyncAlgebra, SyncClass, SyncOp};
use super::{condition, mutex, reader_writer, semaphore, spin, word};

/// What an operation finds.
pub struct Before<A: SyncAlgebra> {
    /// The word of the object.
    pub word: A::Word,
    /// The kind of a mutex, as it lies in memory; of anything else, 0.
    pub kind: A::Word,
    /// The thread as words name it: its number + 1.
    pub me: A::Word,
    /// Whether the thread holds a reader–writer lock, whose word does not name its readers.
    pub holds: A::Truth,
    /// The second argument; of operations that have none, 0.
    pub argument: A::Word,
}

/// What happens in a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect<W> {
    /// The object gets a new word; the result is 0.
    Becomes(W),
    /// Nothing changes; the result is an error code.
    Fails(u32),
    /// Nothing changes; this is the result.
    Tells(W),
    /// What happens is undefined.
    Undefined,
}

/// A case.
pub struct Case<A: SyncAlgebra> {
    /// When it is this one, unless an earlier one holds.
    pub when: A::Truth,
    /// What happens then.
    pub effect: Effect<A::Word>,
}

/// No description needs more cases.
const MOST: usize = 6;

/// What an operation does: the first case that holds. If none does, the thread is blocked.
///
/// A case in which something is acquired holds only if no case before it holds, except that of a destroyed object, which comes
/// first: so "it is acquired" is the disjunction of these cases and "it was not destroyed".
pub struct Transition<A: SyncAlgebra> {
    cases: [Option<Case<A>>; MOST],
    length: usize,
}

impl<A: SyncAlgebra> Transition<A> {
    #[inline]
    pub(super) fn new() -> Transition<A> {
        Transition {
            cases: [const { None }; MOST],
            length: 0,
        }
    }

    /// Adds a case behind the others.
    #[inline]
    pub(super) fn case(mut self, when: A::Truth, effect: Effect<A::Word>) -> Transition<A> {
        self.cases[self.length] = Some(Case { when, effect });
        self.length += 1;
        self
    }

    /// Adds what happens if no other case holds.
    #[inline]
    pub(super) fn otherwise(self, algebra: &mut A, effect: Effect<A::Word>) -> Transition<A> {
        let always = algebra.truth(true);
        self.case(always, effect)
    }

    /// The cases, in order.
    #[inline]
    pub fn cases(&self) -> impl DoubleEndedIterator<Item = &Case<A>> {
        self.cases[..self.length].iter().flatten()
    }

    /// When the thread is not blocked.
    pub fn enabled(&self, algebra: &mut A) -> A::Truth {
        let never = algebra.truth(false);
        let cases = self.cases();
        cases.fold(never, |some, case| algebra.or(some, case.when))
    }

    /// The word afterwards, and the result; anything where the thread is blocked or what happens is undefined.
    pub fn outcome(&self, algebra: &mut A, before: &Before<A>) -> (A::Word, A::Word) {
        let zero = algebra.word(0);
        let (mut word, mut result) = (before.word, zero);
        for case in self.cases().rev() {
            let (then, code) = match case.effect {
                Effect::Becomes(new) => (new, zero),
                Effect::Fails(code) => (before.word, algebra.word(code)),
                Effect::Tells(what) => (before.word, what),
                Effect::Undefined => continue,
            };
            word = algebra.choose(case.when, then, word);
            result = algebra.choose(case.when, code, result);
        }
        (word, result)
    }
}

impl Transition<super::Concrete> {
    /// What happens; `None` if the thread is blocked.
    #[inline]
    pub fn effect(&self) -> Option<Effect<u32>> {
        let mut cases = self.cases();
        cases.find(|c| c.when).map(|c| c.effect)
    }
}

impl SyncOp {
    /// What it does to the word of its object; `None` of operations that work on none.
    ///
    /// Of a mutex, [`SyncOp::MutexInit`] also sets the kind to its argument, and [`SyncOp::SemInit`] marks a semaphore.
    #[inline]
    pub fn transition<A: SyncAlgebra>(
        self,
        algebra: &mut A,
        before: &Before<A>,
    ) -> Option<Transition<A>> {
        Some(match self.class() {
            SyncClass::Mutex => mutex::transition(self, algebra, before),
            SyncClass::Spin => spin::transition(self, algebra, before),
            SyncClass::Rw => reader_writer::transition(self, algebra, before),
            SyncClass::Sem => semaphore::transition(self, algebra, before),
            SyncClass::Cond => condition::transition(self, algebra, before),
            SyncClass::Word => word::transition(self, algebra, before),
            SyncClass::Thread | SyncClass::Process => return None,
        })
    }

    /// When the word tells that it is misuse (`valid-sync`); `None` where the word does not tell, besides of destroyed ones: when what is
    /// initialised is held, when somebody sleeps on a condition variable, when a semaphore was never made.
    #[inline]
    pub fn misuse<A: SyncAlgebra>(self, algebra: &mut A, before: &Before<A>) -> Option<A::Truth> {
        match self.class() {
            SyncClass::Mutex => mutex::misuse(self, algebra, before),
            SyncClass::Spin => spin::misuse(self, algebra, before),
            SyncClass::Rw => reader_writer::misuse(self, algebra, before),
            SyncClass::Sem => semaphore::misuse(self, algebra, before),
            SyncClass::Cond => condition::misuse(self, algebra, before),
            SyncClass::Word | SyncClass::Thread | SyncClass::Process => None,
        }
    }
}
