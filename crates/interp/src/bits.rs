//! Sets of threads, as bits: adding or taking away a whole set costs a word for every 64 threads.

use crate::machine::ThreadId;

/// A set of threads.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Bits {
    words: Vec<u64>,
    count: usize,
}

impl Bits {
    /// How many are in it.
    pub fn len(&self) -> usize {
        self.count
    }

    pub fn has(&self, t: ThreadId) -> bool {
        let word = self.words.get(t.0 as usize / 64);
        word.is_some_and(|w| w >> (t.0 % 64) & 1 == 1)
    }

    /// Adds a thread or takes it away.
    pub fn set(&mut self, t: ThreadId, on: bool) {
        let at = t.0 as usize / 64;
        if self.words.len() <= at {
            self.words.resize(at + 1, 0);
        }
        let bit = 1 << (t.0 % 64);
        match (on, self.words[at] & bit != 0) {
            (true, false) => self.count += 1,
            (false, true) => self.count -= 1,
            _ => return,
        }
        self.words[at] ^= bit;
    }

    /// Adds all of another set, or takes them away.
    pub fn set_all(&mut self, others: &Bits, on: bool) {
        if self.words.len() < others.words.len() {
            self.words.resize(others.words.len(), 0);
        }
        for (mine, other) in self.words.iter_mut().zip(&others.words) {
            match on {
                true => *mine |= other,
                false => *mine &= !other,
            }
        }
        self.count = self.words.iter().map(|w| w.count_ones() as usize).sum();
    }

    /// The k-th of them, from 0.
    pub fn nth(&self, k: usize) -> Option<ThreadId> {
        let mut left = k;
        for (at, word) in self.words.iter().enumerate() {
            let here = word.count_ones() as usize;
            if left < here {
                let mut word = *word;
                for _ in 0..left {
                    word &= word - 1;
                }
                return Some(ThreadId(at as u32 * 64 + word.trailing_zeros()));
            }
            left -= here;
        }
        None
    }

    /// All of them, in order.
    pub fn iter(&self) -> impl Iterator<Item = ThreadId> + '_ {
        self.words.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros())?;
                left &= left - 1;
                Some(ThreadId(at as u32 * 64 + bit))
            })
        })
    }

    /// The first of them at or behind a number.
    pub fn from(&self, number: u32) -> Option<ThreadId> {
        let at = number as usize / 64;
        let mut mask = u64::MAX << (number % 64);
        for (n, word) in self.words.iter().enumerate().skip(at) {
            if word & mask != 0 {
                return Some(ThreadId(n as u32 * 64 + (word & mask).trailing_zeros()));
            }
            mask = u64::MAX;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_knows_its_members_in_order() {
        let mut bits = Bits::default();
        for n in [3, 64, 200, 5] {
            bits.set(ThreadId(n), true);
            bits.set(ThreadId(n), true);
        }
        assert_eq!(bits.len(), 4);
        let all: Vec<u32> = (0..5).filter_map(|k| bits.nth(k)).map(|t| t.0).collect();
        assert_eq!(all, [3, 5, 64, 200]);
        assert_eq!(bits.iter().map(|t| t.0).collect::<Vec<_>>(), all);
        assert_eq!(bits.from(6), Some(ThreadId(64)));
        assert_eq!(bits.from(201), None);
        let mut some = Bits::default();
        some.set(ThreadId(64), true);
        some.set(ThreadId(65), true);
        bits.set_all(&some, false);
        assert_eq!((bits.len(), bits.has(ThreadId(64))), (3, false));
        bits.set_all(&some, true);
        assert_eq!((bits.len(), bits.has(ThreadId(65))), (5, true));
    }
}
