//! Searches for a member that fulfills a condition: the neighbors of the beginning are tested first. Most such searches
//! end there, and need no marks and no queue.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::function::cycle::{Body, Made};
use crate::function::emit::{Scalar, Translator};
use crate::searches::discovery::Steps;
use crate::searches::search::Search;
use wyrmgate_program::{ExprId, Overflow, Set, SetId};

/// The maximum work of a condition that may be evaluated twice for a member.
const SHORT: i64 = 40;

/// The maximum nesting of expressions and lists that are examined.
const DEEPEST: u32 = 8;

/// In which order the members of a list are visited.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Order {
    #[default]
    AsListed,
    Any,
    /// In any order, and a member may be visited more than once: visiting it again changes nothing. The conditions on it
    /// are short and cannot fail.
    Repeated,
}

impl Order {
    /// Returns the order if more is done for each member that is visited than what the order is about.
    pub fn with_more(self) -> Order {
        match self {
            Order::Repeated => Order::Any,
            _ => self,
        }
    }
}

/// Values that visits pass on: those of the body, then whether that is enough.
fn own(made: &[Value]) -> &[Value] {
    made.split_last().map_or(&[], |(_, own)| own)
}

impl<'t> Translator<'t> {
    /// Returns the order if each member must also fulfill another condition.
    pub fn order_with(&self, order: Order, condition: ExprId) -> Order {
        match order {
            Order::Repeated if !self.is_short_work(condition) => Order::Any,
            _ => order,
        }
    }

    /// Returns whether a condition may be evaluated more often than by the interpreter.
    fn is_short_work(&self, condition: ExprId) -> bool {
        let work = self.work_of(condition, DEEPEST);
        work.is_some_and(|work| work <= SHORT)
            && !Overflow::new(self.program, &[]).of_expr(condition)
    }

    /// Returns the steps of a search that begins in one place, if the neighbors of that place can be tested first.
    pub fn steps_nearby(&self, search: Search) -> Option<Steps> {
        if !self.is_one_place(search.from, DEEPEST) {
            return None;
        }
        let steps = self.steps_of(search.next)?;
        let is_short = steps.only.is_none_or(|only| self.is_short_work(only));
        is_short.then_some(steps)
    }

    fn is_one_place(&self, set: SetId, deepest: u32) -> bool {
        match self.program.sets.get(set as usize) {
            Some(Set::List { count: 1, .. }) => true,
            Some(&Set::Where { of, .. }) if deepest > 0 => self.is_one_place(of, deepest - 1),
            _ => false,
        }
    }

    /// Visits the place where a search begins and its neighbors; emits the values of the body, and whether that is
    /// enough. Members are below `bound`.
    pub fn each_nearby(
        &mut self,
        (search, steps): (Search, Steps),
        bound: u32,
        made: &[Value],
        body: Body<'_, 't>,
    ) -> (Vec<Value>, Value) {
        let no = self.b.ins().iconst(types::I8, 0);
        let begin: Vec<Value> = made.iter().copied().chain([no]).collect();
        let found = self.each(search.from, &begin, &mut |t, member, made| {
            t.visit((member, bound), steps.work, made, &mut |t, member, made| {
                let (made, enough) = body(t, member, made);
                let enough = enough.unwrap_or(no);
                let made: Vec<Value> = made.into_iter().chain([enough]).collect();
                t.set_temp(search.temp, Scalar::Word(member));
                let goes_on = t.opposite(enough);
                let goes_on = match steps.only {
                    Some(condition) => {
                        let joins = t.truth(condition);
                        t.b.ins().band(joins, goes_on)
                    }
                    None => goes_on,
                };
                let mut made = t.only_where(goes_on, &made, &mut |t, made| {
                    t.each(steps.next, made, &mut |t, beside, made| {
                        t.visit((beside, bound), steps.work, made, body)
                    })
                });
                let enough = made.pop();
                (made, enough)
            })
        });
        let enough = found.last().copied().unwrap_or(no);
        (own(&found).to_vec(), enough)
    }

    /// Visits a member, unless it is NONE.
    fn visit(
        &mut self,
        (member, bound): (Value, u32),
        work: i64,
        made: &[Value],
        body: Body<'_, 't>,
    ) -> Made {
        let before = self.temps.clone();
        let no = self.b.ins().iconst(types::I8, 0);
        let mut visit = |t: &mut Self, member: Value, made: &[Value]| {
            let (own, enough) = body(t, member, own(made));
            // Counts as if all of its neighbors had been visited, as a search does.
            t.work += work;
            let enough = enough.unwrap_or(no);
            let made: Vec<Value> = own.into_iter().chain([enough]).collect();
            (made, Some(enough))
        };
        let made = match self.is_within(member, 0, bound) {
            true => visit(self, member, made),
            false => {
                let inside = self.is(IntCC::UnsignedLessThan, member, i64::from(bound));
                self.where_flag(inside, member, made, &mut visit)
            }
        };
        self.temps = before;
        made
    }
}
