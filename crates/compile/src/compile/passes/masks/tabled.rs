//! Lists determined by one or two values from small domains: a row of bits for each combination. `keys(-1..1,
//! square(p.square.column + it, p.square.row + forward))` is one row for each column and row.

use super::build::{Masks, bits_of, span};
use super::inline::Replace;
use super::list::{List, is_rising};
use super::rewrite::rewrite_set;
use super::tree::{add, depends, get, get_set, same};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// The maximum number of values; more would make too many combinations.
const OTHERS_MAX: usize = 2;

pub fn list(masks: &mut Masks, id: SetId) -> Option<List> {
    // Others are short, or have a form of their own.
    let (Set::Where(_) | Set::Keys { .. }) = get_set(masks.program, id) else {
        return None;
    };
    // A value that is read from the state is the cheapest to look up; a computed one has fewer values.
    let (others, ranges) = [Depth::Read, Depth::Made]
        .into_iter()
        .find_map(|depth| others_and_ranges(masks, id, depth))?;
    let lists = combinations(masks, id, &others, &ranges)?;
    if !lists.iter().all(|members| is_rising(members)) {
        return None;
    }
    let domain = span(&lists.concat())?;
    let rows = lists.iter().map(|list| bits_of(domain, list)).collect();
    let (index, low) = masks.index_of(&others, &ranges)?;
    let mask = masks.row(domain, rows, low, index);
    Some(List {
        pays: true,
        ..List::in_order(domain, mask)
    })
}

/// Which parts become the values by which a list is tabulated.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Only parts that are read from the state.
    Read,
    /// Any part that does not depend on the list, read or computed.
    Made,
}

/// The values on which a list depends, with the lowest value and the number of values of each.
type Others = (Vec<ExprId>, Vec<(i32, i32)>);

fn others_and_ranges(masks: &Masks, id: SetId, depth: Depth) -> Option<Others> {
    let mut others = Vec::new();
    others_of_set(masks.program, id, depth, &mut Vec::new(), &mut others)?;
    let ranges = ranges(masks, &others)?;
    Some((others, ranges))
}

/// Returns the lowest value and the number of values of each.
pub fn ranges(masks: &Masks, others: &[ExprId]) -> Option<Vec<(i32, i32)>> {
    let mut ranges = Vec::new();
    let mut combinations = 1i64;
    for other in others {
        let (low, high) = range(masks.program, *other, &masks.ranges)?;
        let count = i64::from(high) - i64::from(low) + 1;
        combinations = combinations.checked_mul(count)?;
        ranges.push((low, i32::try_from(count).ok()?));
    }
    (!others.is_empty() && (1..=ROWS_MAX).contains(&combinations)).then_some(ranges)
}

/// Returns the list for each combination of values, the last one fastest. No list contains NONE.
fn combinations(
    masks: &mut Masks,
    id: SetId,
    others: &[ExprId],
    ranges: &[(i32, i32)],
) -> Option<Vec<Vec<i32>>> {
    let mut list = id;
    let mut temps = Vec::new();
    for other in others {
        let temp = masks.fresh();
        let new = add(masks.program, Expr::Temp(temp));
        list = rewrite_set(masks.program, list, &mut Replace { old: *other, new });
        temps.push(temp);
    }
    all_known(&temps, ranges)
        .map(|mut known| {
            let members = pure::list(masks.program, list, &mut known)?;
            members.iter().all(|member| *member >= 0).then_some(members)
        })
        .collect()
}

/// Returns each combination of values of these temps, the last one fastest.
pub fn all_known(temps: &[Temp], ranges: &[(i32, i32)]) -> impl Iterator<Item = Known> {
    let count: i32 = ranges.iter().map(|(_, count)| *count).product();
    (0..count).map(move |number| {
        let mut left = number;
        let mut known = Known::default();
        for (temp, (low, count)) in temps.iter().zip(ranges).rev() {
            known = known.and(*temp, low + left % count);
            left /= count;
        }
        known
    })
}

/// Finds the largest parts that are neither constant nor dependent on the member.
fn others_of_set(
    program: &Program,
    id: SetId,
    depth: Depth,
    bound: &mut Vec<Temp>,
    found: &mut Vec<ExprId>,
) -> Option<()> {
    let set = get_set(program, id);
    let own = set.bound();
    bound.extend(own);
    for part in set.parts(program) {
        match part {
            Part::Set(of) => others_of_set(program, of, depth, bound, found)?,
            Part::Expr(of) => others_of_expr(program, of, depth, bound, found)?,
        }
    }
    if own.is_some() {
        bound.pop();
    }
    Some(())
}

fn others_of_expr(
    program: &Program,
    id: ExprId,
    depth: Depth,
    bound: &[Temp],
    found: &mut Vec<ExprId>,
) -> Option<()> {
    if pure::value(program, id, &mut Known::default()).is_some() {
        return Some(());
    }
    let expr = get(program, id);
    let apart = bound.iter().any(|temp| depends(program, id, *temp));
    if !apart && (depth == Depth::Made || is_read(program, expr)) {
        if !found.iter().any(|known| same(program, *known, id)) {
            found.push(id);
        }
        return (found.len() <= OTHERS_MAX).then_some(());
    }
    if expr.bound().is_some() {
        return None;
    }
    for part in expr.parts(program) {
        match part {
            Part::Expr(id) => others_of_expr(program, id, depth, bound, found)?,
            Part::Set(_) => return None,
        }
    }
    Some(())
}

/// Returns whether it is read from the state, a name or a call, and not composed of other expressions.
fn is_read(program: &Program, expr: Expr) -> bool {
    let parts = expr.parts(program);
    let of_lists = parts.iter().any(|part| matches!(part, Part::Set(_)));
    // There are too many cells to tabulate what lies beside them.
    let of_cells = matches!(expr, Expr::CellBeside { .. });
    !expr.facts().pure || parts.is_empty() || of_lists || of_cells
}

/// The maximum number of constants of one condition by its compared value.
pub(super) const ROWS_MAX: i64 = 512;
