//! Long constant lists in parts: a condition over more members than a mask has bits becomes one mask for each run of numbers.

use super::build::Masks;
use super::list::List;
use super::lists::{constant_list, narrowed};
use super::quantified::Quantified;
use super::tree::{add, get_set};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

/// Maximum number of parts: more are not worth their code.
const PARTS_MAX: usize = 16;

/// Returns the members of a name of a choice as masks, from the lowest on; empty if it is not a long constant list.
pub fn of_name(masks: &mut Masks, binder: &BinderInfo) -> Vec<MaskId> {
    // The order of components may be secret, and there must be no other conditions on the members.
    let is_plain = binder.count == BinderSize::One
        && binder.together.is_empty()
        && !matches!(binder.of, Type::Component(_));
    if !is_plain {
        return Vec::new();
    }
    let filters = binder.filters.iter();
    let conditions: Vec<ExprId> = filters.map(|filter| filter.test).collect();
    of_list(masks, binder.domain, binder.temp, &conditions).unwrap_or_default()
}

/// Translates `some`, `every`, `count` and `is empty` of a long list.
pub fn question(masks: &mut Masks, expr: Expr) -> Option<Expr> {
    let asked = match expr {
        Expr::Count(of) | Expr::IsEmpty(of) => Quantified::of_list(masks.program, of)?,
        _ => Quantified::of(expr)?,
    };
    let deciding = asked.deciding(masks.program);
    let parts = of_list(masks, asked.of, asked.temp, &[deciding])?;
    answer(masks, expr, &parts)
}

/// Returns the answer to a question from the members that decide it.
pub fn answer(masks: &mut Masks, question: Expr, parts: &[MaskId]) -> Option<Expr> {
    let parts = parts.iter().copied();
    if let Expr::Count(_) = question {
        let counts = parts.map(Expr::CountBits).collect();
        return joined(masks, counts, |one, other| {
            Expr::Binary(Binary::Add, one, other)
        });
    }
    let any = joined(masks, parts.map(Expr::AnyBit).collect(), Expr::Or)?;
    match question {
        Expr::Every { .. } | Expr::IsEmpty(_) => Some(Expr::Not(add(masks.program, any))),
        _ => Some(any),
    }
}

fn joined(
    masks: &mut Masks,
    parts: Vec<Expr>,
    join: impl Fn(ExprId, ExprId) -> Expr,
) -> Option<Expr> {
    parts.into_iter().reduce(|so_far, part| {
        let (so_far, part) = (add(masks.program, so_far), add(masks.program, part));
        join(so_far, part)
    })
}

/// Returns the members of a long list that fulfill conditions, if masks save work in all parts.
fn of_list(
    masks: &mut Masks,
    list: SetId,
    temp: Temp,
    conditions: &[ExprId],
) -> Option<Vec<MaskId>> {
    let (Set::Range(..) | Set::Table(_)) = get_set(masks.program, list) else {
        return None;
    };
    let members = pure::list(masks.program, list, &mut Known::default())?;
    if members.len() <= DOMAIN_BITS || members.len() > PARTS_MAX * DOMAIN_BITS {
        return None;
    }
    let mut parts = Vec::new();
    for members in members.chunks(DOMAIN_BITS) {
        let mut part: List = constant_list(masks, members)?;
        for condition in conditions {
            part = narrowed(masks, part, temp, *condition)?;
        }
        if !part.pays {
            return None;
        }
        parts.push(part.mask);
    }
    Some(parts)
}
