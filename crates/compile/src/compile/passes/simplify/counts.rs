//! `count(dice where .face = e)`: the number of words of a run with a value.

use super::{all, constant_range, equality, expr, replace, set};
use wyrmgate_program::*;

pub fn simplify(program: &mut Program) {
    for id in all(program) {
        if let Some(new) = count(program, id) {
            replace(program, id, new);
        }
    }
}

fn count(program: &Program, id: ExprId) -> Option<Expr> {
    let Some(Expr::Count(of)) = expr(program, id) else {
        return None;
    };
    let Some(Set::Where {
        of,
        temp,
        condition,
    }) = set(program, of)
    else {
        return None;
    };
    let (first, last) = constant_range(program, of)?;
    let (offset, value) = equality(program, condition, temp, |program, field| {
        words(program, field, temp, first, last)
    })?;
    Some(Expr::CountWords {
        offset,
        len: (last - first) as u32 + 1,
        value,
    })
}

/// Returns where the words of the components `first..=last` begin, if `field` is a changing field of the member.
fn words(program: &Program, field: ExprId, temp: Temp, first: i32, last: i32) -> Option<u32> {
    let Some(Expr::WordAt {
        offset,
        low,
        len,
        index,
        ..
    }) = expr(program, field)
    else {
        return None;
    };
    let is_member = expr(program, index) == Some(Expr::Temp(temp));
    let before = u32::try_from(first.checked_sub(low)?).ok()?;
    let inside = u32::try_from(last.checked_sub(low)?).ok()? < len;
    (is_member && inside).then(|| offset + before)
}
