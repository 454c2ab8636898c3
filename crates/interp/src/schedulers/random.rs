//! Every enabled thread is as likely as any other, by a seed.
//!
//! Inputs and uninitialised values are drawn from a mixture that favours small numbers and the edges of
//! the type, where bugs live.

use super::Scheduler;
use crate::choice::{Choice, ChoiceKind, Choices};
use crate::enabled::Enabled;
use crate::machine::{Machine, ThreadId};
use crate::value::mask;

/// A small, fast generator (SplitMix64, Steele and others, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct SplitMix {
    state: u64,
    /// Values worth trying, from the program.
    favourites: Vec<i128>,
}

impl SplitMix {
    /// A generator from a seed.
    pub fn new(seed: u64) -> SplitMix {
        SplitMix {
            state: seed,
            favourites: Vec::new(),
        }
    }

    /// The next 64 bits.
    pub fn draw(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Draws values from these numbers, too.
    pub fn favour(&mut self, values: Vec<i128>) {
        self.favourites = values;
    }

    /// A number below `n` (0 if `n` is 0).
    pub fn below(&mut self, n: u64) -> u64 {
        match n {
            0 => 0,
            n => ((u128::from(self.draw()) * u128::from(n)) >> 64) as u64,
        }
    }

    /// An answer to a choice.
    pub fn answer(&mut self, choice: &Choice) -> u128 {
        match choice.kind {
            ChoiceKind::WeakCas => u128::from(self.below(8) == 0),
            ChoiceKind::ReuseAddress | ChoiceKind::ReuseHandle if self.below(2) == 0 => 0,
            _ if choice.options > 0 => u128::from(self.below(u64::from(choice.options))),
            _ => {
                let bits = choice.bits.clamp(1, 128);
                let wide = (u128::from(self.draw()) << 64) | u128::from(self.draw());
                let value = match self.below(8) {
                    0..3 if !self.favourites.is_empty() => {
                        let at = self.below(self.favourites.len() as u64) as usize;
                        self.favourites[at] as u128
                    }
                    0..4 => u128::from(self.below(8)),
                    4 => u128::MAX - u128::from(self.below(3)),
                    5 => (1 << (bits - 1)) - u128::from(self.below(2)),
                    6 => wide & 0xff,
                    _ => wide,
                };
                value & mask(bits)
            }
        }
    }
}

/// Random by seed.
#[derive(Clone, Debug)]
pub struct Random {
    random: SplitMix,
}

impl Random {
    /// The same, drawing values from these numbers, too.
    pub fn favouring(mut self, values: Vec<i128>) -> Random {
        self.random.favour(values);
        self
    }

    /// A scheduler from a seed.
    pub fn new(seed: u64) -> Random {
        Random {
            random: SplitMix::new(seed),
        }
    }
}

impl Choices for Random {
    fn choose(&mut self, choice: &Choice) -> u128 {
        self.random.answer(choice)
    }
}

impl Scheduler for Random {
    fn pick(&mut self, _: &Machine<'_>, enabled: &Enabled) -> Option<ThreadId> {
        let at = self.random.below(enabled.len() as u64) as usize;
        enabled.get(at)
    }
}
