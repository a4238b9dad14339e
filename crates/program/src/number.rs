//! What is made of numbers: the arithmetic of the rules, which every execution of them uses.

/// What is made of two numbers.
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
    /// The value, or `None` if it is too large for a number. Truth is 1, and a division by zero makes 0.
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

    /// Is the answer a truth value, by which of two numbers is larger?
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

/// The remainder with the sign of the divisor; of zero it is zero.
pub fn modulo(a: i32, b: i32) -> i32 {
    if b == 0 {
        return 0;
    }
    let rest = i64::from(a) % i64::from(b);
    let same_sign = rest == 0 || (rest < 0) == (b < 0);
    let rest = if same_sign { rest } else { rest + i64::from(b) };
    rest as i32
}

/// The seat `by` places on in turn order, NONE for what is no seat.
pub fn seat_after(seat: i32, by: i32, seats: usize) -> i32 {
    let seats = seats as i32;
    match (0..seats).contains(&seat) {
        true => modulo(seat.saturating_add(by), seats),
        false => super::NONE,
    }
}

/// The side so many quarters clockwise from this one, NONE for what is no side.
pub fn side_turned(side: i32, by: i32) -> i32 {
    match side {
        0..=3 => (side + by.rem_euclid(4)) % 4,
        _ => super::NONE,
    }
}

/// What is made of the numbers of a list. One row says what is made, and whether that can be too large for a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    Product,
    /// The middle one by size; of two the lesser.
    Median,
    /// How many are equal to the one before.
    CountAdjacent,
    /// How many of those that are equal there are most of.
    MostAlike,
    /// How many numbers follow each other without a gap, each counted once.
    LongestRun,
}

impl Fold {
    /// The value, or `None` if it is too large for a number. The order of the numbers is not kept.
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
        }
    }

    pub const fn can_overflow(self) -> bool {
        match self {
            Fold::Product => true,
            Fold::Median | Fold::CountAdjacent | Fold::MostAlike | Fold::LongestRun => false,
        }
    }
}
