//! Inlines calls, so that a condition is visible as a whole, and turns membership in a list into a condition.

use std::collections::BTreeMap;

use super::rewrite::{Rule, rewrite, rewrite_set};
use super::tree::{add, add_set, get, get_set, weight};
use wyrmgate_program::*;

/// The maximum size of conditions to inline.
pub const WEIGHT_MAX: usize = 600;

/// The share of [`WEIGHT_MAX`] that each inlined call takes, whatever its size: calls in bodies are inlined too.
const CALL_COST: usize = 16;

/// The maximum size of an expression that is evaluated more than once.
const REPEATED_MAX: usize = 8;

/// Inlines calls, as long as the expression stays small; `fresh` is the first unused temp.
pub fn inline(program: &mut Program, id: ExprId, fresh: &mut Temp) -> Option<ExprId> {
    let new = with_calls_inlined(fresh, |rule| rewrite(program, id, rule));
    weight(program, new, WEIGHT_MAX).map(|_| new)
}

/// Inlines the calls in a list; `fresh` is the first unused temp.
pub fn inline_set(program: &mut Program, id: SetId, fresh: &mut Temp) -> SetId {
    with_calls_inlined(fresh, |rule| rewrite_set(program, id, rule))
}

fn with_calls_inlined<T>(fresh: &mut Temp, rewritten: impl FnOnce(&mut Inline) -> T) -> T {
    let mut rule = Inline {
        fresh: *fresh,
        budget: WEIGHT_MAX,
    };
    let new = rewritten(&mut rule);
    *fresh = rule.fresh;
    new
}

struct Inline {
    fresh: Temp,
    /// How much may still be inlined: [`CALL_COST`] for each call.
    budget: usize,
}

impl Rule for Inline {
    fn expr(&mut self, program: &mut Program, id: ExprId) -> Option<ExprId> {
        match get(program, id) {
            Expr::Call { query, .. } => {
                let QueryBody::Value(body) = self.body(program, query)? else {
                    return None;
                };
                let args = get(program, id).parts(program);
                let mut arguments = self.arguments(program, query, &args)?;
                let body = rewrite(program, body, &mut arguments);
                Some(rewrite(program, body, self))
            }
            Expr::Contains(set, member) => {
                weight(program, member, REPEATED_MAX)?;
                let set = rewrite_set(program, set, self);
                let member = rewrite(program, member, self);
                Some(membership(program, set, member))
            }
            _ => None,
        }
    }

    fn set(&mut self, program: &mut Program, id: SetId) -> Option<SetId> {
        let Set::Call { query, .. } = get_set(program, id) else {
            return None;
        };
        let QueryBody::List(body) = self.body(program, query)? else {
            return None;
        };
        let args = get_set(program, id).parts(program);
        let mut arguments = self.arguments(program, query, &args)?;
        let body = rewrite_set(program, body, &mut arguments);
        Some(rewrite_set(program, body, self))
    }
}

impl Inline {
    fn body(&mut self, program: &Program, query: QueryId) -> Option<QueryBody> {
        self.budget = self.budget.checked_sub(CALL_COST)?;
        let query = program.query(query)?;
        if query.deepest > 0 {
            return None;
        }
        let small = match query.body {
            QueryBody::Value(body) => weight(program, body, WEIGHT_MAX).is_some(),
            QueryBody::List(_) => true,
        };
        small.then_some(query.body)
    }

    /// Returns the meanings of the called query's temps.
    fn arguments(
        &mut self,
        program: &mut Program,
        query: QueryId,
        args: &[Part],
    ) -> Option<Arguments> {
        let info = program.query(query)?;
        let (params, temps) = (info.params, info.temps);
        let mut arguments = Arguments {
            shift: self.fresh,
            ..Arguments::default()
        };
        self.fresh = self.fresh.checked_add(temps.max(params))?;
        let mut temp = 0;
        for arg in args {
            let Part::Expr(arg) = *arg else {
                return None;
            };
            if let Expr::ListArgument(set) = get(program, arg) {
                let set = rewrite_set(program, set, self);
                arguments.lists.insert(temp, set);
                temp += 2;
            } else {
                let arg = rewrite(program, arg, self);
                arguments.values.insert(temp, arg);
                temp += 1;
            }
        }
        Some(arguments)
    }
}

/// Substitutes arguments for parameters, and renumbers the other temps of a query.
#[derive(Default)]
struct Arguments {
    values: BTreeMap<Temp, ExprId>,
    lists: BTreeMap<Temp, SetId>,
    shift: Temp,
}

impl Rule for Arguments {
    fn expr(&mut self, program: &mut Program, id: ExprId) -> Option<ExprId> {
        let Expr::Temp(temp) = get(program, id) else {
            return None;
        };
        let known = self.values.get(&temp).copied();
        Some(known.unwrap_or_else(|| add(program, Expr::Temp(self.bound(temp)))))
    }

    fn set(&mut self, program: &mut Program, id: SetId) -> Option<SetId> {
        let Set::Temp(temp) = get_set(program, id) else {
            return None;
        };
        let known = self.lists.get(&temp).copied();
        Some(known.unwrap_or_else(|| add_set(program, Set::Temp(self.bound(temp)))))
    }

    fn bound(&self, temp: Temp) -> Temp {
        temp.saturating_add(self.shift)
    }
}

/// Substitutes an expression for all that are equal to another.
pub struct Replace {
    pub old: ExprId,
    pub new: ExprId,
}

impl Rule for Replace {
    fn expr(&mut self, program: &mut Program, id: ExprId) -> Option<ExprId> {
        super::tree::same(program, id, self.old).then_some(self.new)
    }
}

/// Turns `member in set` into a condition on the member.
fn membership(program: &mut Program, set: SetId, member: ExprId) -> ExprId {
    let plain = Expr::Contains(set, member);
    let new = match get_set(program, set) {
        Set::Empty => Expr::Const(0),
        Set::Range(low, high) => {
            let from = add(program, Expr::Binary(Binary::LessOrEqual, low, member));
            let to = add(program, Expr::Binary(Binary::LessOrEqual, member, high));
            Expr::And(from, to)
        }
        Set::Where(test) => {
            let inside = membership(program, test.of, member);
            let old = add(program, Expr::Temp(test.temp));
            let mut put = Replace { old, new: member };
            let holds = rewrite(program, test.condition, &mut put);
            Expr::And(inside, holds)
        }
        Set::Zone(zone) => {
            let lies = add(program, Expr::ZoneOf(member));
            let there = add(program, Expr::Binary(Binary::Equal, lies, zone));
            let nothing = add(program, Expr::Const(NONE));
            let is_zone = add(program, Expr::Binary(Binary::NotEqual, zone, nothing));
            Expr::And(is_zone, there)
        }
        Set::Concat(one, other) => {
            let one = membership(program, one, member);
            let other = membership(program, other, member);
            Expr::Or(one, other)
        }
        Set::Minus(of, without) => {
            let of = membership(program, of, member);
            let without = membership(program, without, member);
            let not = add(program, Expr::Not(without));
            Expr::And(of, not)
        }
        Set::List { first, count } if usize::from(count) <= REPEATED_MAX => {
            let mut any = Expr::Const(0);
            for listed in first..first + u32::from(count) {
                let before = add(program, any);
                let equal = add(program, Expr::Binary(Binary::Equal, listed, member));
                any = Expr::Or(before, equal);
            }
            any
        }
        _ => plain,
    };
    add(program, new)
}
