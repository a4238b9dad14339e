//! The values that a number can still take.

use wyrmgate_program::Binary;

/// All whole numbers between two, which are included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub low: i64,
    pub high: i64,
}

impl Range {
    pub const fn new(low: i64, high: i64) -> Range {
        Range { low, high }
    }

    /// Every value that rules can have.
    pub const ANY: Range = Range::new(i32::MIN as i64, i32::MAX as i64);
    /// False or true.
    pub const OPEN: Range = Range::new(0, 1);

    pub const fn only(value: i64) -> Range {
        Range::new(value, value)
    }

    /// Returns the truth value; `None` while both are possible.
    pub fn truth(self) -> Option<bool> {
        match self {
            Range { low: 1.., .. } => Some(true),
            Range { high: ..=0, .. } => Some(false),
            Range { .. } => None,
        }
    }

    pub fn of_truth(truth: Option<bool>) -> Range {
        truth.map_or(Range::OPEN, |truth| Range::only(i64::from(truth)))
    }

    pub fn fits(self) -> bool {
        self.low >= Range::ANY.low && self.high <= Range::ANY.high
    }

    fn exact(self) -> Option<i32> {
        (self.low == self.high).then(|| i32::try_from(self.low).ok())?
    }

    pub fn either(self, other: Range) -> Range {
        Range::new(self.low.min(other.low), self.high.max(other.high))
    }

    pub fn plus(self, other: Range) -> Range {
        Range::new(
            self.low.saturating_add(other.low),
            self.high.saturating_add(other.high),
        )
    }

    pub fn negated(self) -> Range {
        Range::new(self.high.saturating_neg(), self.low.saturating_neg())
    }

    pub fn minus(self, other: Range) -> Range {
        self.plus(other.negated())
    }

    pub fn abs(self) -> Range {
        let high = self.low.saturating_abs().max(self.high.saturating_abs());
        match self {
            Range { low: 0.., .. } => self,
            Range { high: ..=0, .. } => self.negated(),
            Range { .. } => Range::new(0, high),
        }
    }

    fn times(self, other: Range) -> Range {
        let corners = [
            self.low.saturating_mul(other.low),
            self.low.saturating_mul(other.high),
            self.high.saturating_mul(other.low),
            self.high.saturating_mul(other.high),
        ];
        let first = Range::only(corners[0]);
        corners
            .into_iter()
            .fold(first, |all, corner| all.either(Range::only(corner)))
    }

    fn divided_by(self, other: Range) -> Range {
        match other.exact().map(i64::from) {
            // Rounding toward zero keeps the order.
            Some(by @ 1..) => Range::new(self.low / by, self.high / by),
            _ => {
                let most = self.abs().high;
                Range::new(-most, most)
            }
        }
    }

    fn modulo(self, other: Range) -> Range {
        match other.exact().map(i64::from) {
            Some(by @ 1..) if self.low >= 0 && self.high < by => self,
            Some(by @ 1..) => Range::new(0, by - 1),
            _ => Range::ANY,
        }
    }

    /// Returns the values of an operator other than a comparison.
    pub fn calculated(op: Binary, a: Range, b: Range) -> Range {
        if let (Some(a), Some(b)) = (a.exact(), b.exact()) {
            return op
                .of(a, b)
                .map_or(Range::ANY, |value| Range::only(value.into()));
        }
        match op {
            Binary::Add => a.plus(b),
            Binary::Subtract => a.minus(b),
            Binary::Multiply => a.times(b),
            Binary::Divide => a.divided_by(b),
            Binary::Modulo => a.modulo(b),
            Binary::Max => Range::new(a.low.max(b.low), a.high.max(b.high)),
            Binary::Min => Range::new(a.low.min(b.low), a.high.min(b.high)),
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::More
            | Binary::MoreOrEqual => Range::of_truth(Range::compared(op, a.minus(b))),
        }
    }

    /// Returns the truth of a comparison of two numbers with this difference; `None` while both are possible.
    pub fn compared(op: Binary, difference: Range) -> Option<bool> {
        let Range { low, high } = difference;
        let equal = match (low, high) {
            (0, 0) => Some(true),
            _ if low > 0 || high < 0 => Some(false),
            _ => None,
        };
        let below = |limit: i64| {
            if high < limit {
                Some(true)
            } else if low >= limit {
                Some(false)
            } else {
                None
            }
        };
        match op {
            Binary::Equal => equal,
            Binary::NotEqual => equal.map(|equal| !equal),
            Binary::Less => below(0),
            Binary::LessOrEqual => below(1),
            Binary::More => below(1).map(|not| !not),
            Binary::MoreOrEqual => below(0).map(|not| !not),
            Binary::Add
            | Binary::Subtract
            | Binary::Multiply
            | Binary::Divide
            | Binary::Modulo
            | Binary::Max
            | Binary::Min => None,
        }
    }
}
