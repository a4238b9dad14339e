//! The arithmetic of the rules. Every execution uses it.

use super::{CellForm, ways};

/// An operator with two operands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binary {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    More,
    MoreOrEqual,
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    Max,
    Min,
}

impl Binary {
    /// Returns the value, or `None` on overflow. True is 1, and a division by zero is 0.
    #[inline(always)]
    pub fn of(self, a: i32, b: i32) -> Option<i32> {
        match self {
            Binary::Equal => Some(i32::from(a == b)),
            Binary::NotEqual => Some(i32::from(a != b)),
            Binary::Less => Some(i32::from(a < b)),
            Binary::LessOrEqual => Some(i32::from(a <= b)),
            Binary::More => Some(i32::from(a > b)),
            Binary::MoreOrEqual => Some(i32::from(a >= b)),
            Binary::Add => a.checked_add(b),
            Binary::Subtract => a.checked_sub(b),
            Binary::Multiply => a.checked_mul(b),
            Binary::Divide if b == 0 => Some(0),
            Binary::Divide => a.checked_div(b),
            Binary::Modulo => Some(modulo(a, b)),
            Binary::Max => Some(a.max(b)),
            Binary::Min => Some(a.min(b)),
        }
    }

    /// Returns whether some operands overflow.
    pub const fn can_overflow(self) -> bool {
        match self {
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide => true,
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::More
            | Binary::MoreOrEqual
            | Binary::Modulo
            | Binary::Max
            | Binary::Min => false,
        }
    }

    /// Returns whether the value is a truth value that depends on the order of two numbers.
    pub const fn is_comparison(self) -> bool {
        match self {
            Binary::Equal
            | Binary::NotEqual
            | Binary::Less
            | Binary::LessOrEqual
            | Binary::More
            | Binary::MoreOrEqual => true,
            Binary::Add
            | Binary::Subtract
            | Binary::Multiply
            | Binary::Divide
            | Binary::Modulo
            | Binary::Max
            | Binary::Min => false,
        }
    }
}

/// Returns the remainder with the sign of the divisor; for the divisor zero it is zero.
pub fn modulo(a: i32, b: i32) -> i32 {
    if b == 0 {
        return 0;
    }
    let rest = i64::from(a) % i64::from(b);
    let same_sign = rest == 0 || (rest < 0) == (b < 0);
    let rest = if same_sign { rest } else { rest + i64::from(b) };
    rest as i32
}

/// Returns the seat that is `by` places further in turn order, NONE for a number that is not a seat.
pub fn seat_after(seat: i32, by: i32, seats: usize) -> i32 {
    let seats = seats as i32;
    match (0..seats).contains(&seat) {
        true => modulo(seat.saturating_add(by), seats),
        false => super::NONE,
    }
}

/// Returns the side that is this many sides further clockwise, NONE for a number that is not a side.
pub fn side_turned(side: i32, by: i32, cells: CellForm) -> i32 {
    let sides = cells.count();
    match (0..sides).contains(&side) {
        true => (side + by.rem_euclid(sides)) % sides,
        false => super::NONE,
    }
}

/// A function of the different numbers of a list. It never decreases when the list grows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kinds {
    /// How many there are.
    Distinct,
    /// How many of them are consecutive.
    LongestRun,
    /// How often the most common one occurs.
    MostAlike,
}

/// A function of the numbers of a list. Its name and documentation are a row in `compile/expressions/function.rs`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Fold {
    Product,
    /// The median; the lower one of two; 0 for an empty list.
    Median,
    /// The number of members that are equal to the member before.
    CountAdjacent,
    /// The number of members with the most common value.
    MostAlike,
    /// The length of the longest run of consecutive numbers; equal ones count once.
    LongestRun,
    /// The length of the longest way along edges: see [`ways::longest`].
    LongestPath,
    /// The length of the shortest way between two nodes: see [`ways::shortest`].
    Distance,
}

impl Fold {
    /// Returns the value, or `None` on overflow. Reorders the numbers.
    pub fn of(self, numbers: &mut [i32]) -> Option<i32> {
        match self {
            Fold::Product => numbers
                .iter()
                .try_fold(1, |all: i32, one| all.checked_mul(*one)),
            Fold::Median => {
                numbers.sort_unstable();
                let middle = numbers.len().saturating_sub(1) / 2;
                Some(numbers.get(middle).copied().unwrap_or(0))
            }
            Fold::CountAdjacent => {
                let pairs = numbers.iter().zip(numbers.iter().skip(1));
                Some(pairs.filter(|(one, next)| one == next).count() as i32)
            }
            Fold::MostAlike => {
                numbers.sort_unstable();
                let alike = numbers.chunk_by(|one, next| one == next);
                Some(alike.map(<[i32]>::len).max().unwrap_or(0) as i32)
            }
            Fold::LongestRun => {
                numbers.sort_unstable();
                let follows = |one: &i32, next: &i32| i64::from(*next) - i64::from(*one) <= 1;
                let runs = numbers.chunk_by(follows);
                let length = |run: &[i32]| match (run.first(), run.last()) {
                    (Some(first), Some(last)) => last.saturating_sub(*first).saturating_add(1),
                    _ => 0,
                };
                Some(runs.map(length).max().unwrap_or(0))
            }
            Fold::LongestPath => ways::longest(numbers),
            Fold::Distance => ways::shortest(numbers),
        }
    }

    /// Returns what it asks about the different numbers, if their order does not matter.
    pub const fn of_kinds(self) -> Option<Kinds> {
        match self {
            Fold::MostAlike => Some(Kinds::MostAlike),
            Fold::LongestRun => Some(Kinds::LongestRun),
            Fold::Product
            | Fold::Median
            | Fold::CountAdjacent
            | Fold::LongestPath
            | Fold::Distance => None,
        }
    }

    /// Returns whether some numbers overflow.
    pub const fn can_overflow(self) -> bool {
        match self {
            Fold::Product | Fold::LongestPath | Fold::Distance => true,
            Fold::Median | Fold::CountAdjacent | Fold::MostAlike | Fold::LongestRun => false,
        }
    }
}
