//! Intervals of bit-vectors, read as signed numbers.
//!
//! Every operation is exact arithmetic; where a result leaves the numbers of its width, nothing is known of it.

use crate::term::Op;

/// All numbers from the first to the last.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Interval {
    /// The least.
    pub low: i128,
    /// The greatest.
    pub high: i128,
}

impl Interval {
    /// All numbers of a width up to 64.
    pub fn all(width: u32) -> Interval {
        let half = 1i128 << (width - 1);
        Interval {
            low: -half,
            high: half - 1,
        }
    }

    /// Whether a number is in it.
    pub fn contains(&self, n: i128) -> bool {
        self.low <= n && n <= self.high
    }

    /// The least interval around both; nothing and an interval is the interval.
    pub(super) fn join(a: Option<Interval>, b: Option<Interval>) -> Option<Interval> {
        let (Some(x), Some(y)) = (a, b) else {
            return a.or(b);
        };
        Some(Interval {
            low: x.low.min(y.low),
            high: x.high.max(y.high),
        })
    }

    fn positive(&self) -> bool {
        self.low >= 0
    }

    /// The same bits read as an unsigned number.
    fn unsigned(self, width: u32) -> Interval {
        let whole = 1i128 << width;
        match (self.low >= 0, self.high < 0) {
            (true, _) => self,
            (_, true) => Interval {
                low: self.low + whole,
                high: self.high + whole,
            },
            _ => Interval {
                low: 0,
                high: whole - 1,
            },
        }
    }

    /// The result of an operator with one or two arguments, each with its width.
    pub(super) fn apply(op: Op, a: (Interval, u32), b: (Interval, u32), width: u32) -> Interval {
        let ((x, wide), (y, narrow)) = (a, b);
        let all = Interval::all(width);
        let number = (y.low == y.high).then_some(y.low);
        let divisor = number.filter(|n| *n > 0);
        let shift = number.filter(|n| *n >= 0 && *n < i128::from(width));
        let found = match op {
            Op::BvAdd => Some((x.low + y.low, x.high + y.high)),
            Op::BvSub => Some((x.low - y.high, x.high - y.low)),
            Op::BvNeg => Some((-x.high, -x.low)),
            Op::BvNot => Some((-1 - x.high, -1 - x.low)),
            Op::BvMul => product(x, y),
            Op::BvShl => shift.and_then(|n| {
                let by = 1i128 << n;
                product(x, Interval { low: by, high: by })
            }),
            Op::BvAshr => shift.map(|n| (x.low >> n, x.high >> n)),
            Op::BvLshr if x.positive() => shift.map(|n| (x.low >> n, x.high >> n)),
            Op::BvUdiv if x.positive() => divisor.map(|n| (x.low / n, x.high / n)),
            Op::BvSdiv => divisor.map(|n| (x.low / n, x.high / n)),
            Op::BvUrem if x.positive() => divisor.map(|n| (0, x.high.min(n - 1))),
            Op::BvSrem => divisor.map(|n| {
                let least = if x.positive() { 0 } else { x.low.max(1 - n) };
                let most = if x.high < 0 { 0 } else { x.high.min(n - 1) };
                (least, most)
            }),
            Op::BvAnd => match (x.positive(), y.positive()) {
                (true, true) => Some((0, x.high.min(y.high))),
                (true, false) => Some((0, x.high)),
                (false, true) => Some((0, y.high)),
                _ => None,
            },
            Op::BvOr | Op::BvXor if x.positive() && y.positive() => {
                let most = x.high.max(y.high);
                let bits = i128::BITS - most.leading_zeros();
                Some((0, (1i128 << bits) - 1))
            }
            Op::SignExtend { .. } => Some((x.low, x.high)),
            Op::ZeroExtend { .. } => {
                let x = x.unsigned(wide);
                Some((x.low, x.high))
            }
            Op::Extract { low, .. } => {
                let x = if low == 0 { x } else { x.unsigned(wide) };
                Some((x.low >> low, x.high >> low))
            }
            Op::Concat => {
                let y = y.unsigned(narrow);
                let by = 1i128 << narrow;
                Some((x.low * by + y.low, x.high * by + y.high))
            }
            _ => None,
        };
        match found {
            Some((low, high)) if low >= all.low && high <= all.high => Interval { low, high },
            _ => all,
        }
    }
}

fn product(x: Interval, y: Interval) -> Option<(i128, i128)> {
    let corners = [
        x.low.checked_mul(y.low)?,
        x.low.checked_mul(y.high)?,
        x.high.checked_mul(y.low)?,
        x.high.checked_mul(y.high)?,
    ];
    let (mut low, mut high) = (corners[0], corners[0]);
    for c in corners {
        low = low.min(c);
        high = high.max(c);
    }
    Some((low, high))
}
