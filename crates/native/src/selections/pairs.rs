//! Questions about all pairs of a few members: two loops test each pair, without a search.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::selections::questions::SelectionQuestion;
use crate::translator::cycle::{Made, value_of};
use crate::translator::emit::{Translator, offset};
use crate::translator::known::ScalarValue;
use wyrmgate_program::{Expr, ExprId};

/// The maximum number of members; a search finds the pairs of more.
const MEMBERS_MAX: i64 = 16;

/// More work than the interpreter's search does to decide about each member after each pair, and to begin.
const OF_PAIR: i64 = 4;
const OF_MEMBER: i64 = 16;

impl Translator<'_> {
    /// Returns whether a question is about pairs.
    pub fn asks_for_pairs(&self, least: ExprId, most: ExprId) -> bool {
        let is_two = |size: ExprId| self.program.exprs.get(size as usize) == Some(&Expr::Const(2));
        is_two(least) && is_two(most)
    }

    /// Emits whether there are pairs of members, and few.
    pub fn are_few(&mut self, count: Value) -> Value {
        let above = self.b.ins().iadd_imm_s(count, -2);
        self.is(IntCC::UnsignedLessThanOrEqual, above, MEMBERS_MAX - 2)
    }

    /// Goes through the pairs that fulfill the conditions, in the order of a search.
    pub fn each_pair(
        &mut self,
        asked: &SelectionQuestion<'_>,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, &[Value]) -> Made,
    ) -> Vec<Value> {
        let number = self.open_buffer();
        let pair = self.buffer_at(number);
        let end_of_pair = self.b.ins().iadd_imm_s(pair, i64::from(offset(2)));
        let squared = self.b.ins().imul(asked.count, asked.count);
        let work = self.b.ins().imul_imm_s(squared, OF_PAIR);
        self.spend(work);
        let work = self.b.ins().imul_imm_s(asked.count, OF_MEMBER);
        self.spend(work);
        let (first, end) = asked.members;
        let results = made.len();
        let no = self.b.ins().iconst(types::I8, 0);
        let begin: Vec<Value> = made.iter().copied().chain([no]).collect();
        let mut made = self.each_address(first, end, &begin, &mut |t, at, made| {
            let one = t.load(types::I32, at, 0);
            t.store(one, pair, 0);
            let next = t.b.ins().iadd_imm_s(at, i64::from(offset(1)));
            let made = t.each_address(next, end, made, &mut |t, at, made| {
                let other = t.load(types::I32, at, 0);
                t.store(other, pair, offset(1));
                t.set_temp(asked.temp, ScalarValue::List(pair, end_of_pair));
                let holds = t.all_true(asked.tests.iter().copied());
                let own = made.get(..results).unwrap_or_default();
                let (own, enough) =
                    t.where_flag(holds, other, own, &mut |t, _, made| body(t, made));
                let enough = enough.unwrap_or(no);
                let made = own.into_iter().chain([enough]).collect();
                (made, Some(enough))
            });
            let enough = made.last().copied();
            (made, enough)
        });
        made.truncate(results);
        self.close_buffer();
        made
    }

    /// Iterates over the addresses of words, from the first one to the end.
    fn each_address(
        &mut self,
        first: Value,
        end: Value,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        self.cycle(
            &[first],
            made,
            |t, at| t.b.ins().icmp(IntCC::UnsignedLessThan, value_of(at), end),
            |t, at| {
                let at = value_of(at);
                let next = t.b.ins().iadd_imm_s(at, i64::from(offset(1)));
                (at, vec![next])
            },
            body,
        )
    }
}
