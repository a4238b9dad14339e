//! Ranges of numbers. The result of arithmetic on small numbers is small, so it needs no test for overflow, and a look-up
//! by it may need no test of its bounds.

use wyrmgate_program::Binary;

/// The least and the largest number that a value can be.
pub(crate) type Range = (i64, i64);

/// Returns the range of the result of an operation, which may exceed 32 bits; `None` if little is known about it.
pub(crate) fn of(op: Binary, a: Range, b: Range) -> Option<Range> {
    let range = match op {
        Binary::Add => (a.0 + b.0, a.1 + b.1),
        Binary::Subtract => (a.0 - b.1, a.1 - b.0),
        Binary::Multiply => {
            let corners = [a.0 * b.0, a.0 * b.1, a.1 * b.0, a.1 * b.1];
            let least = corners.into_iter().min()?;
            (least, corners.into_iter().max()?)
        }
        Binary::Divide if b.0 > 0 && b.0 == b.1 => (a.0 / b.0, a.1 / b.0),
        // A remainder has the sign of the divisor.
        Binary::Modulo if b.0 > 0 && a.0 >= 0 => (0, a.1.min(b.1 - 1)),
        Binary::Modulo if b.0 > 0 => (0, b.1 - 1),
        Binary::Max => (a.0.max(b.0), a.1.max(b.1)),
        Binary::Min => (a.0.min(b.0), a.1.min(b.1)),
        _ => return None,
    };
    let is_known = clipped(range.0) > i32::MIN || clipped(range.1) < i32::MAX;
    is_known.then_some(range)
}

/// Returns whether all numbers of a range fit into 32 bits.
pub(crate) fn fits((least, most): Range) -> bool {
    i32::try_from(least).is_ok() && i32::try_from(most).is_ok()
}

/// Returns the nearest number that fits into 32 bits.
pub(crate) fn clipped(number: i64) -> i32 {
    number.clamp(i32::MIN.into(), i32::MAX.into()) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_contain_every_result_and_no_more_than_needed() {
        let operations = [
            Binary::Add,
            Binary::Subtract,
            Binary::Multiply,
            Binary::Divide,
            Binary::Modulo,
            Binary::Max,
            Binary::Min,
        ];
        let ends = || (-4..=4).flat_map(|low| (low..=4).map(move |high| (low, high)));
        for op in operations {
            for (a, b) in ends().flat_map(|a| ends().map(move |b| (a, b))) {
                let pairs = (a.0..=a.1).flat_map(|x| (b.0..=b.1).map(move |y| (x, y)));
                let results: Vec<i64> = pairs
                    .filter_map(|(x, y)| op.of(x as i32, y as i32))
                    .map(i64::from)
                    .collect();
                let Some((least, most)) = of(op, a, b) else {
                    continue;
                };
                let inside = results.iter().all(|one| (least..=most).contains(one));
                assert!(inside, "{op:?} {a:?} {b:?}: {least} {most}");
                let is_exact = op != Binary::Modulo;
                let ends = (results.iter().min(), results.iter().max());
                assert!(
                    !is_exact || ends == (Some(&least), Some(&most)),
                    "{op:?} {a:?} {b:?}: {least} {most}"
                );
            }
        }
    }
}
