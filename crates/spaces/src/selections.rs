//! Numbers of selections: subsets and sequences of the members `0..n`, up to a size.

/// Returns the number of subsets with this many members; `None` above 64 bits.
fn subsets(n: u64, size: u64) -> Option<u64> {
    if size > n {
        return Some(0);
    }
    let size = size.min(n - size);
    let mut count = 1u128;
    for taken in 0..size {
        count = count * u128::from(n - taken) / u128::from(taken + 1);
        u64::try_from(count).ok()?;
    }
    u64::try_from(count).ok()
}

/// Returns the number of selections of exactly this many members; a sequence may repeat members.
fn of_size(n: u64, size: u64, ordered: bool) -> Option<u64> {
    match ordered {
        true => n.checked_pow(u32::try_from(size).ok()?),
        false => subsets(n, size),
    }
}

/// Returns the number of selections of at most this many members; `None` above 64 bits.
pub fn count(n: u64, most: u64, ordered: bool) -> Option<u64> {
    // More sizes than this have more selections than 64 bits can number, unless there are no members.
    let most = if n == 0 { 0 } else { most };
    (0..=most).try_fold(0u64, |sum, size| {
        sum.checked_add(of_size(n, size, ordered)?)
    })
}

/// Returns the number of a selection: the shorter ones come first. Members of a subset ascend.
pub fn number(n: u64, members: &[u32], ordered: bool) -> Option<u64> {
    let size = members.len() as u64;
    let shorter = match size.checked_sub(1) {
        Some(size) => count(n, size, ordered)?,
        None => 0,
    };
    let within = match ordered {
        true => members.iter().try_fold(0u64, |sum, member| {
            sum.checked_mul(n)?.checked_add(u64::from(*member))
        }),
        false => (1..).zip(members).try_fold(0u64, |sum, (size, member)| {
            sum.checked_add(subsets(u64::from(*member), size)?)
        }),
    };
    shorter.checked_add(within?)
}

/// Returns the members of a selection by its number.
pub fn members(n: u64, number: u64, ordered: bool) -> Option<Vec<u32>> {
    let (mut left, mut size) = (number, 0);
    loop {
        let count = of_size(n, size, ordered)?;
        if left < count {
            break;
        }
        if size > n && !ordered {
            return None;
        }
        left -= count;
        size += 1;
    }
    let mut members = Vec::new();
    for size in (1..=size).rev() {
        let member = match ordered {
            true => {
                let member = left % n;
                left /= n;
                member
            }
            false => {
                let member = (0..n)
                    .rev()
                    .find(|member| subsets(*member, size).is_some_and(|below| below <= left))?;
                left -= subsets(member, size)?;
                member
            }
        };
        members.push(u32::try_from(member).ok()?);
    }
    members.reverse();
    Some(members)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_selections_are_one_to_one() {
        for ordered in [false, true] {
            for n in 1..6u64 {
                let most = n.min(4);
                let total = count(n, most, ordered).unwrap();
                for at in 0..total {
                    let selected = members(n, at, ordered).unwrap();
                    assert!(selected.len() as u64 <= most);
                    assert_eq!(
                        number(n, &selected, ordered),
                        Some(at),
                        "{selected:?} of {n}"
                    );
                }
            }
        }
        assert_eq!(count(52, 3, false), Some(1 + 52 + 1_326 + 22_100));
        assert_eq!(count(300, 150, false), None);
    }
}
