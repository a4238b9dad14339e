//! Lists as masks: ranges, tables, kinds, zones, and filters of these.

use super::build::{Masks, Member, bits_of, span};
use super::list::{List, is_rising};
use super::tree::{add, get, get_set};
use super::{inline, tabled};
use wyrmgate_program::pure::{self, Known};
use wyrmgate_program::*;

fn with_condition(masks: &mut Masks, test: MemberTest) -> Option<List> {
    let list = list(masks, test.of)?;
    narrowed(masks, list, test.temp, test.condition)
}

/// Restricts a list by a condition: parts with a mask first, the rest for the remaining members. Parts that can overflow
/// stay in their place, so that they are evaluated for the same members as written.
pub fn narrowed(masks: &mut Masks, list: List, temp: Temp, condition: ExprId) -> Option<List> {
    let whole = inline::inline(masks.program, condition, &mut masks.fresh)?;
    let mut parts = Vec::new();
    split(masks.program, whole, &mut parts);
    let (mut mask, mut pays) = (list.mask, list.pays);
    let mut rest: Option<ExprId> = None;
    let member = Member::new(temp, list.domain);
    for part in parts {
        let found = masks.condition(part, member);
        if found.is_some()
            && rest.is_some_and(|rest| condition_overflows(masks, rest, temp, list.domain))
            || found.is_some_and(|found| masks.can_overflow(found))
        {
            mask = each_of(masks, list.domain, mask, temp, rest.take());
        }
        match found {
            Some(found) => {
                mask = masks.both(list.domain, mask, found);
                pays = true;
            }
            None => {
                rest = Some(match rest {
                    None => part,
                    Some(before) => add(masks.program, Expr::And(before, part)),
                });
            }
        }
    }
    mask = each_of(masks, list.domain, mask, temp, rest);
    Some(List { mask, pays, ..list })
}

/// Restricts a mask by a condition that is evaluated for one member after the other.
fn each_of(
    masks: &mut Masks,
    domain: Domain,
    mask: MaskId,
    temp: Temp,
    condition: Option<ExprId>,
) -> MaskId {
    let Some(condition) = condition else {
        return mask;
    };
    let each = masks.mask(domain, Mask::Each { temp, condition });
    masks.both(domain, mask, each)
}

/// Returns whether this condition on a member can overflow.
fn condition_overflows(masks: &Masks, condition: ExprId, temp: Temp, domain: Domain) -> bool {
    let mut temps = masks.ranges.clone();
    temps.push((temp, domain.first, domain.first + i32::from(domain.len) - 1));
    Overflow::new(masks.program, &temps).of_expr(condition)
}

pub fn split(program: &Program, condition: ExprId, into: &mut Vec<ExprId>) {
    match get(program, condition) {
        Expr::And(left, right) => {
            split(program, left, into);
            split(program, right, into);
        }
        _ => into.push(condition),
    }
}

pub fn list(masks: &mut Masks, id: SetId) -> Option<List> {
    known_form(masks, id).or_else(|| tabled::list(masks, id))
}

fn known_form(masks: &mut Masks, id: SetId) -> Option<List> {
    match get_set(masks.program, id) {
        Set::Range(..) | Set::Table(_) => {
            match pure::list(masks.program, id, &mut Known::default()) {
                Some(members) => constant_list(masks, &members),
                None => open_range(masks, id),
            }
        }
        Set::Zone(zone) => {
            let len = u16::try_from(masks.program.components.len()).ok()?;
            let domain = Domain { first: 0, len };
            if len == 0 || usize::from(len) > DOMAIN_BITS {
                return None;
            }
            let zone = masks.once(zone);
            let mask = masks.mask(domain, Mask::Inside(zone));
            // Several conditions ask for the contents of the same zone.
            let mask = masks.kept_for_temps(mask);
            Some(List {
                ordered: false,
                ..List::in_order(domain, mask)
            })
        }
        Set::Where(test) => with_condition(masks, test),
        Set::Call { .. } => {
            let body = inline::inline_set(masks.program, id, &mut masks.fresh);
            let is_list = !matches!(get_set(masks.program, body), Set::Call { .. });
            if is_list { list(masks, body) } else { None }
        }
        _ => None,
    }
}

pub fn constant_list(masks: &mut Masks, members: &[i32]) -> Option<List> {
    if !is_rising(members) || members.first().is_none_or(|first| *first < 0) {
        return None;
    }
    let domain = span(members)?;
    let mask = masks.constant(domain, bits_of(domain, members));
    Some(List::in_order(domain, mask))
}

/// Compiles a range from a constant to a value from a small domain.
fn open_range(masks: &mut Masks, id: SetId) -> Option<List> {
    let Set::Range(low, high) = get_set(masks.program, id) else {
        return None;
    };
    let first = pure::value(masks.program, low, &mut Known::default())?;
    let (_, last) = range(masks.program, high, &masks.ranges)?;
    let len = u16::try_from(i64::from(last) - i64::from(first) + 1).ok()?;
    if first < 0 || !(1..=DOMAIN_BITS).contains(&usize::from(len)) {
        return None;
    }
    let domain = Domain { first, len };
    let up_to = |last: i32| (first..=last).fold(0, |row, value| row | domain.bit(value));
    let rows = (first - 1..=last).map(up_to).collect();
    let mask = masks.row(domain, rows, first - 1, high);
    Some(List::in_order(domain, mask))
}
