//! Lists determined by one or two values from small domains: a row of bits for each combination. `keys(-1..1,
//! square(p.square.column + it, p.square.row + forward))` is one row for each column and row.

use super::super::simplify::children::Child;
use super::build::{Masks, span};
use super::compared::ROWS_MAX;
use super::constant::{self, Known};
use super::inline::Replace;
use super::lists::{List, is_rising};
use super::range::range;
use super::rewrite::rewrite_set;
use super::tree::{self, add, depends, get, get_set, parts, parts_of_set, same};
use wyrmgate_program::*;

/// More things than this make too many combinations.
const OTHERS_MAX: usize = 2;

pub fn list(masks: &mut Masks, id: SetId) -> Option<List> {
    // Others are short, or have a form of their own.
    let (Set::Where { .. } | Set::Keys { .. }) = get_set(masks.program, id) else {
        return None;
    };
    // What is read from the state itself costs least to look up; what is made of it takes fewer values.
    let (others, ranges) = [Depth::Read, Depth::Made]
        .into_iter()
        .find_map(|depth| others_and_ranges(masks, id, depth))?;
    let lists = combinations(masks, id, &others, &ranges)?;
    if !lists.iter().all(|members| is_rising(members)) {
        return None;
    }
    let domain = span(&lists.concat())?;
    let row = |members: &Vec<i32>| {
        let bits = members.iter().map(|member| domain.bit(*member));
        bits.fold(0, |row, bit| row | bit)
    };
    let rows = lists.iter().map(row).collect();
    let (index, low) = masks.index_of(&others, &ranges)?;
    let mask = masks.row(domain, rows, low, index);
    Some(List {
        domain,
        mask,
        pays: true,
        ordered: true,
    })
}

/// How far a part that does not depend on the list is taken apart.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    /// Down to what is read from the state.
    Read,
    /// Not at all.
    Made,
}

/// What a list depends on; of each the lowest value, and how many there are.
type Others = (Vec<ExprId>, Vec<(i32, i32)>);

fn others_and_ranges(masks: &Masks, id: SetId, depth: Depth) -> Option<Others> {
    let mut others = Vec::new();
    others_of_set(masks.program, id, depth, &mut Vec::new(), &mut others)?;
    let ranges = ranges(masks, &others)?;
    Some((others, ranges))
}

/// The lowest value of each, and how many there are.
fn ranges(masks: &Masks, others: &[ExprId]) -> Option<Vec<(i32, i32)>> {
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

/// The list for each combination of values, the last one fastest. None of them holds nothing.
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
    let count: i32 = ranges.iter().map(|(_, count)| *count).product();
    let of_number = |number: i32| {
        let mut left = number;
        let mut known = Known::default();
        for (temp, (low, count)) in temps.iter().zip(ranges).rev() {
            known = known.and(*temp, low + left % count);
            left /= count;
        }
        let members = constant::list(masks.program, list, &mut known)?;
        members.iter().all(|member| *member >= 0).then_some(members)
    };
    (0..count).map(of_number).collect()
}

/// The largest parts that do not depend on what the list goes through, and are not constant.
fn others_of_set(
    program: &Program,
    id: SetId,
    depth: Depth,
    bound: &mut Vec<Temp>,
    found: &mut Vec<ExprId>,
) -> Option<()> {
    let set = get_set(program, id);
    let own = tree::temp_of_set(set);
    bound.extend(own);
    for part in parts_of_set(program, set) {
        match part {
            Child::Set(of) => others_of_set(program, of, depth, bound, found)?,
            Child::Expr(of) => others_of_expr(program, of, depth, bound, found)?,
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
    if constant::value(program, id, &mut Known::default()).is_some() {
        return Some(());
    }
    let expr = get(program, id);
    let apart = bound.iter().any(|temp| depends(program, id, *temp));
    if !apart && (depth == Depth::Made || is_read(expr)) {
        if !found.iter().any(|known| same(program, *known, id)) {
            found.push(id);
        }
        return (found.len() <= OTHERS_MAX).then_some(());
    }
    if tree::temp_of(expr).is_some() {
        return None;
    }
    for part in parts(program, expr) {
        match part {
            Child::Expr(id) => others_of_expr(program, id, depth, bound, found)?,
            Child::Set(_) => return None,
        }
    }
    Some(())
}

/// Is it read from the state, a name or a call, and not made of other expressions?
fn is_read(expr: Expr) -> bool {
    !matches!(
        expr,
        Expr::Table { .. }
            | Expr::ZoneAt { .. }
            | Expr::ComponentAt { .. }
            | Expr::ZoneIn { .. }
            | Expr::Inside(_)
            | Expr::HolderOf(_)
            | Expr::OwnerOf(_)
            | Expr::IsKind { .. }
            | Expr::SeatAfter { .. }
            | Expr::SideTurned { .. }
            | Expr::Not(_)
            | Expr::Negate(_)
            | Expr::Abs(_)
            | Expr::Binary(..)
            | Expr::And(..)
            | Expr::Or(..)
            | Expr::If(..)
    )
}
