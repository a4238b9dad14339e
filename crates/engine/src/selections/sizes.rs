//! Subsets and sequences of a domain, by number: how many there are, and which one is number n.
//!
//! Order: all subsets of a domain are numbered in binary, with the first member as the lowest bit. Subsets of limited
//! size, sequences, and selections with repetitions are ordered by size, then lexicographically.

use smallvec::SmallVec;

/// Positions in a domain.
pub type Positions = SmallVec<[usize; 16]>;

/// How members of a selection follow each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberOrder {
    /// Each at most once, in the order of the domain.
    Subset,
    /// Each at most once, in any order.
    Sequence,
    /// Each any number of times, in the order of the domain.
    Repeated,
}

impl MemberOrder {
    /// Returns the form with this number, in their order.
    pub const fn numbered(number: u32) -> MemberOrder {
        match number {
            0 => MemberOrder::Subset,
            1 => MemberOrder::Sequence,
            _ => MemberOrder::Repeated,
        }
    }

    pub const fn of(ordered: bool) -> MemberOrder {
        if ordered {
            MemberOrder::Sequence
        } else {
            MemberOrder::Subset
        }
    }
}

/// How many members are chosen, and in which form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    pub least: usize,
    pub most: usize,
    pub form: MemberOrder,
}

impl Sizes {
    /// Returns the sizes from numbers of the rules; never more than the domain holds.
    pub fn between(least: i32, most: i32, form: MemberOrder, domain: usize) -> Sizes {
        let most = most.max(0) as usize;
        Sizes {
            least: least.max(0) as usize,
            most: match form {
                MemberOrder::Subset | MemberOrder::Sequence => most.min(domain),
                MemberOrder::Repeated if domain == 0 => 0,
                MemberOrder::Repeated => most,
            },
            form,
        }
    }

    /// Returns how often a member can occur.
    pub fn copies(self) -> usize {
        match self.form {
            MemberOrder::Subset | MemberOrder::Sequence => 1,
            MemberOrder::Repeated => self.most.max(1),
        }
    }

    /// Returns whether all subsets are chosen from, in the order of binary numbers.
    pub fn is_any_subset(self, domain: usize) -> bool {
        self.least == 0 && self.most == domain && self.form == MemberOrder::Subset && domain < 64
    }

    /// Returns the number of selections; at least that many if it is `u64::MAX`.
    pub fn count(self, domain: usize) -> u64 {
        if self.is_any_subset(domain) {
            return 1 << domain;
        }
        (self.least..=self.most)
            .map(|size| self.count_of_size(domain, size))
            .fold(0, u64::saturating_add)
    }

    fn count_of_size(self, domain: usize, size: usize) -> u64 {
        match self.form {
            MemberOrder::Subset => subsets(domain, size),
            MemberOrder::Sequence => sequences(domain, size),
            MemberOrder::Repeated => repeated(domain, size),
        }
    }

    /// Replaces the contents of `into` by the members of selection `number`.
    pub fn select(self, members: &[i32], number: u64, into: &mut SmallVec<[i32; 8]>) {
        into.clear();
        self.select_onto(members, number, into);
    }

    /// Appends the members of selection `number`.
    pub fn select_onto(self, members: &[i32], number: u64, into: &mut impl Extend<i32>) {
        if !self.is_any_subset(members.len()) {
            let positions = self.nth(members.len(), number);
            into.extend(positions.iter().filter_map(|&at| members.get(at).copied()));
            return;
        }
        let mut bits = number;
        while bits != 0 {
            into.extend(members.get(bits.trailing_zeros() as usize).copied());
            bits &= bits - 1;
        }
    }

    /// Returns selection `number` of a domain; `number` is less than the count.
    pub fn nth(self, domain: usize, number: u64) -> Positions {
        if self.is_any_subset(domain) {
            return (0..domain).filter(|bit| number >> bit & 1 != 0).collect();
        }
        let mut left = number;
        for size in self.least..=self.most {
            let count = self.count_of_size(domain, size);
            if left < count {
                return match self.form {
                    MemberOrder::Subset => nth_subset(domain, size, left),
                    MemberOrder::Sequence => nth_sequence(domain, size, left),
                    MemberOrder::Repeated => nth_repeated(domain, size, left),
                };
            }
            left -= count;
        }
        Positions::new()
    }
}

fn sequences(domain: usize, size: usize) -> u64 {
    (0..size)
        .map(|taken| domain.saturating_sub(taken) as u64)
        .fold(1, u64::saturating_mul)
}

/// Returns the number of subsets of this size.
pub fn subsets(domain: usize, size: usize) -> u64 {
    if size > domain {
        return 0;
    }
    let size = size.min(domain - size);
    let mut count = 1u64;
    for taken in 0..size {
        let (by, part) = ((domain - taken) as u64, taken as u64 + 1);
        count = match count.checked_mul(by) {
            Some(product) => product / part,
            None => {
                let exact = u128::from(count) * u128::from(by) / u128::from(part);
                match u64::try_from(exact) {
                    Ok(count) => count,
                    Err(_) => return u64::MAX,
                }
            }
        };
    }
    count
}

/// Returns the number of selections of this size in which members may repeat.
pub fn repeated(domain: usize, size: usize) -> u64 {
    match size {
        0 => 1,
        size => subsets((domain + size).saturating_sub(1), size),
    }
}

/// Returns the positions of selection `number` of this size, in lexicographic order, in which members may repeat. They
/// are those of a subset of a longer domain: each member after another is one further there.
pub fn nth_repeated(domain: usize, size: usize, number: u64) -> Positions {
    let apart = nth_subset((domain + size).saturating_sub(1), size, number);
    let positions = apart.into_iter().enumerate();
    positions
        .map(|(before, at)| at.saturating_sub(before))
        .collect()
}

fn nth_sequence(domain: usize, size: usize, number: u64) -> Positions {
    let mut free: Positions = (0..domain).collect();
    let mut left = number;
    let mut chosen = Positions::new();
    for taken in 0..size {
        let block = sequences(domain - taken - 1, size - taken - 1).max(1);
        let at = (left / block).min(free.len() as u64 - 1) as usize;
        left %= block;
        chosen.push(free.remove(at));
    }
    chosen
}

/// Returns the positions of subset `number` of this size, in lexicographic order.
pub fn nth_subset(domain: usize, size: usize, number: u64) -> Positions {
    let mut left = number;
    let mut chosen = Positions::new();
    for position in 0..domain {
        let wanted = size - chosen.len();
        if wanted == 0 {
            break;
        }
        let with_it = subsets(domain - position - 1, wanted - 1);
        if left < with_it {
            chosen.push(position);
        } else {
            left -= with_it;
        }
    }
    chosen
}
