//! What the descriptions of primitives are computed with: truth values and words of 32 bits.
//!
//! The interpreter computes with numbers ([`Concrete`]), the symbolic semantics and the skeleton with terms. A description makes
//! no decision by itself, so each of them gets the whole of it.

use super::layout;

/// Truth values and words of 32 bits, concrete or symbolic.
pub trait SyncAlgebra {
    /// A truth value.
    type Truth: Copy;
    /// A word.
    type Word: Copy;

    /// What a truth value is, if that is known.
    #[inline]
    fn known(_: Self::Truth) -> Option<bool> {
        None
    }
    /// A constant.
    fn truth(&mut self, value: bool) -> Self::Truth;
    /// A constant.
    fn word(&mut self, value: u32) -> Self::Word;
    /// Negation.
    fn not(&mut self, a: Self::Truth) -> Self::Truth;
    /// Both.
    fn and(&mut self, a: Self::Truth, b: Self::Truth) -> Self::Truth;
    /// One of them.
    fn or(&mut self, a: Self::Truth, b: Self::Truth) -> Self::Truth;
    /// Equality.
    fn equal(&mut self, a: Self::Word, b: Self::Word) -> Self::Truth;
    /// Unsigned comparison.
    fn less(&mut self, a: Self::Word, b: Self::Word) -> Self::Truth;
    /// Sum, modulo 2³².
    fn add(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// Difference, modulo 2³².
    fn subtract(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// The bits of both.
    fn mask(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// The bits of either.
    fn join(&mut self, a: Self::Word, b: Self::Word) -> Self::Word;
    /// One word or the other.
    fn choose(&mut self, when: Self::Truth, then: Self::Word, otherwise: Self::Word) -> Self::Word;

    /// Whether a word is this number.
    #[inline]
    fn is(&mut self, a: Self::Word, value: u32) -> Self::Truth {
        let value = self.word(value);
        self.equal(a, value)
    }

    /// Whether an object is destroyed. An instance may know that none ever is.
    #[inline]
    fn is_destroyed(&mut self, word: Self::Word) -> Self::Truth {
        self.is(word, layout::DESTROYED)
    }

    /// Whether a recursive mutex can be taken once more. An instance may set aside executions in which it cannot.
    #[inline]
    fn can_nest(&mut self, word: Self::Word) -> Self::Truth {
        let limit = self.word(layout::DESTROYED - layout::ONE_MORE);
        self.less(word, limit)
    }

    /// Whether a writer holds a reader–writer lock.
    #[inline]
    fn has_writer(&mut self, word: Self::Word) -> Self::Truth {
        let bit = self.word(layout::WRITER);
        let bit = self.mask(word, bit);
        let none = self.is(bit, 0);
        self.not(none)
    }
}

/// Numbers.
#[derive(Clone, Copy, Debug, Default)]
pub struct Concrete;

impl SyncAlgebra for Concrete {
    type Truth = bool;
    type Word = u32;

    #[inline]
    fn known(truth: bool) -> Option<bool> {
        Some(truth)
    }
    #[inline]
    fn truth(&mut self, value: bool) -> bool {
        value
    }
    #[inline]
    fn word(&mut self, value: u32) -> u32 {
        value
    }
    #[inline]
    fn not(&mut self, a: bool) -> bool {
        !a
    }
    #[inline]
    fn and(&mut self, a: bool, b: bool) -> bool {
        a & b
    }
    #[inline]
    fn or(&mut self, a: bool, b: bool) -> bool {
        a | b
    }
    #[inline]
    fn equal(&mut self, a: u32, b: u32) -> bool {
        a == b
    }
    #[inline]
    fn less(&mut self, a: u32, b: u32) -> bool {
        a < b
    }
    #[inline]
    fn add(&mut self, a: u32, b: u32) -> u32 {
        a.wrapping_add(b)
    }
    #[inline]
    fn subtract(&mut self, a: u32, b: u32) -> u32 {
        a.wrapping_sub(b)
    }
    #[inline]
    fn mask(&mut self, a: u32, b: u32) -> u32 {
        a & b
    }
    #[inline]
    fn join(&mut self, a: u32, b: u32) -> u32 {
        a | b
    }
    #[inline]
    fn choose(&mut self, when: bool, then: u32, otherwise: u32) -> u32 {
        if when { then } else { otherwise }
    }
}
