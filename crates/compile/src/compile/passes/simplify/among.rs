//! Lists that are the same for all members of which a condition asks whether they are in it: such a list is built once for
//! all of them, not searched for each.

use super::{conjuncts, expr, order, replace_each, replace_each_set, set};
use crate::compile::passes::masks::quantified::Quantified;
use crate::compile::passes::masks::tree::{add, add_set};
use wyrmgate_program::*;

/// Searching for the members of shorter lists one after the other costs less.
const SHORT: u16 = 2;

/// A condition as questions about lists, and the rest.
struct Questions {
    /// Each list, and whether members must be in it.
    lists: Vec<(SetId, bool)>,
    rest: Vec<ExprId>,
}

pub fn simplify(program: &mut Program) {
    replace_each_set(program, filtered);
    replace_each(program, asked);
}

fn filtered(program: &mut Program, id: SetId) -> Option<Set> {
    let asked = Quantified::of_list(program, id)?;
    let (of, temp) = (asked.of, asked.temp);
    let questions = questions(program, of, temp, asked.condition)?;
    let list = compared(program, of, temp, questions);
    set(program, list)
}

/// `some` and `every` of such a list.
fn asked(program: &mut Program, id: ExprId) -> Option<Expr> {
    let quantified = Quantified::of(expr(program, id)?)?;
    let (of, temp, every) = (quantified.of, quantified.temp, quantified.every);
    let mut questions = questions(program, of, temp, quantified.condition)?;
    if every {
        let ([(_, wanted)], []) = (questions.lists.as_mut_slice(), &*questions.rest) else {
            return None;
        };
        *wanted = !*wanted;
    }
    let list = compared(program, of, temp, questions);
    let none = Expr::IsEmpty(list);
    Some(match every {
        true => none,
        false => Expr::Not(add(program, none)),
    })
}

/// Adds the list of the members that pass.
fn compared(program: &mut Program, of: SetId, temp: Temp, questions: Questions) -> SetId {
    let rest = questions.rest.into_iter();
    let rest = rest.reduce(|one, other| add(program, Expr::And(one, other)));
    let mut list = match rest {
        Some(condition) => add_set(
            program,
            Set::Where {
                of,
                temp,
                condition,
            },
        ),
        None => of,
    };
    for (other, wanted) in questions.lists {
        let compared = match wanted {
            true => Set::Among(list, other),
            false => Set::Minus(list, other),
        };
        list = add_set(program, compared);
    }
    list
}

/// Splits a condition, if it has such a question and evaluating its parts in another order changes nothing.
fn questions(program: &Program, of: SetId, temp: Temp, condition: ExprId) -> Option<Questions> {
    if matches!(set(program, of)?, Set::List { count, .. } if count <= SHORT) {
        return None;
    }
    let mut questions = Questions {
        lists: Vec::new(),
        rest: Vec::new(),
    };
    for test in conjuncts(program, condition)? {
        let (asks, wanted) = match expr(program, test)? {
            Expr::Not(asks) => (asks, false),
            _ => (test, true),
        };
        match list_of_all(program, asks, temp) {
            Some(list) => questions.lists.push((list, wanted)),
            None => questions.rest.push(test),
        }
    }
    let fails = |test: &ExprId| Overflow::new(program, &[]).of_expr(*test);
    (!questions.lists.is_empty() && !questions.rest.iter().any(fails)).then_some(questions)
}

/// Returns the list of which an expression asks whether the member is in it, if that is the same list for all members.
fn list_of_all(program: &Program, asks: ExprId, temp: Temp) -> Option<SetId> {
    let Expr::Contains(list, member) = expr(program, asks)? else {
        return None;
    };
    let is_plain = program.cites_of(asks).is_empty()
        && expr(program, member) == Some(Expr::Temp(temp))
        && is_searched(program, list);
    (is_plain && order::list_goes_before(program, list, temp)).then_some(list)
}
