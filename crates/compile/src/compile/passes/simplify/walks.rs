//! A filter that repeats the condition of the walk below it: of `slides(s, compass, it is free) where it is free`, only the last
//! space of each direction can fail. The walk then ends before it, and the filter is not needed.

use super::known::cites_nothing;
use crate::compile::passes::masks::inline::Put;
use crate::compile::passes::masks::rewrite::rewrite;
use crate::compile::passes::masks::tree::{add, add_set, get, get_set, same};
use wyrmgate_program::*;

pub fn simplify(program: &mut Program) {
    for id in 0..program.sets.len() as SetId {
        if let Some(new) = without_filter(program, id)
            && let Some(old) = program.sets.get_mut(id as usize)
        {
            *old = new;
        }
    }
}

fn without_filter(program: &mut Program, id: SetId) -> Option<Set> {
    let Set::Where {
        of,
        temp,
        condition,
    } = get_set(program, id)
    else {
        return None;
    };
    let filter = (temp, condition);
    match get_set(program, of) {
        Set::Joined { of, temp, list } => {
            let shorter = ends_before(program, list, filter)?;
            let list = add_set(program, shorter);
            Some(Set::Joined { of, temp, list })
        }
        _ => ends_before(program, of, filter),
    }
}

/// Returns a walk that ends before the first member that fails, if the filter only leaves out that one.
fn ends_before(program: &mut Program, walk: SetId, filter: (Temp, ExprId)) -> Option<Set> {
    let Set::UpTo {
        of,
        temp,
        condition,
        with_it: true,
    } = get_set(program, walk)
    else {
        return None;
    };
    let Expr::Not(goes_on) = get(program, condition) else {
        return None;
    };
    if !cites_nothing(program, filter.1) || !is_plain(program, filter.1) {
        return None;
    }
    let value = add(program, Expr::Temp(temp));
    let mut put = Put {
        temp: filter.0,
        value,
    };
    let passes = rewrite(program, filter.1, &mut put);
    same(program, passes, goes_on).then_some(Set::UpTo {
        of,
        temp,
        condition,
        with_it: false,
    })
}

/// Returns whether two copies of an expression can be compared structurally: it has no parts that are compared only by
/// their numbers.
fn is_plain(program: &Program, id: ExprId) -> bool {
    program.every_node(Part::Expr(id), &mut |node| {
        !matches!(
            node,
            Node::Expr(
                Expr::AnyBit(_)
                    | Expr::CountBits(_)
                    | Expr::FirstBit(..)
                    | Expr::LineOfBits { .. }
                    | Expr::After { .. }
            ) | Node::Set(Set::Bits(_) | Set::After { .. })
        )
    })
}
