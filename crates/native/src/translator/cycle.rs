//! Loops and conditional bodies.

use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Type, Value, types};

use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_program::{Expr, ExprId, ListUpTo, MemberTest};

/// Emits what is done with a member of a list, from the accumulated values so far.
pub(crate) type Body<'b, 't> = &'b mut dyn FnMut(&mut Translator<'t>, Value, &[Value]) -> Made;

/// What a loop over a list does: its body, and the accumulated values with which it begins.
pub(crate) struct LoopBody<'b, 't> {
    pub made: &'b [Value],
    pub body: Body<'b, 't>,
}

/// The result of a body for a member: new accumulated values, and whether that is enough.
pub(crate) type Made = (Vec<Value>, Option<Value>);

impl<'t> Translator<'t> {
    /// Emits a loop. `more` says whether there is another member, and `step` returns this member and the next control
    /// values, both from the control values so far.
    pub fn cycle(
        &mut self,
        control: &[Value],
        made: &[Value],
        more: impl FnOnce(&mut Self, &[Value]) -> Value,
        step: impl FnOnce(&mut Self, &[Value]) -> (Value, Vec<Value>),
        body: Body<'_, 't>,
    ) -> Vec<Value> {
        let [head, inside, after] = self.blocks();
        let now = self.params_like(head, control);
        let so_far = self.params_like(head, made);
        let end = self.params_like(after, made);
        let noted = std::mem::take(&mut self.counts.work);
        let begin = joined(control, made);
        self.jump(head, &begin);
        self.b.switch_to_block(head);
        let goes_on = more(self, &now);
        let out = joined(&[], &so_far);
        self.b.ins().brif(goes_on, inside, &[], after, &out);
        self.b.switch_to_block(inside);
        let (member, next) = step(self, &now);
        let (made, enough) = body(self, member, &so_far);
        self.counts.work += 1;
        self.count_and_refuse();
        self.go_around(enough, head, &joined(&next, &made), after, &made);
        self.b.switch_to_block(after);
        self.counts.loops += 1;
        self.counts.work = noted;
        end
    }

    /// Ends a round of a loop: continues at its head, or leaves it if that was enough.
    pub fn go_around(
        &mut self,
        enough: Option<Value>,
        head: Block,
        again: &[BlockArg],
        after: Block,
        made: &[Value],
    ) {
        match enough {
            Some(enough) => {
                let out = joined(made, &[]);
                self.b.ins().brif(enough, after, &out, head, again);
            }
            None => self.jump(head, again),
        }
    }

    pub fn where_it_holds(
        &mut self,
        test: MemberTest,
        member: Value,
        made: &[Value],
        body: Body<'_, 't>,
    ) -> Made {
        self.set_temp(test.temp, ScalarValue::Word(member));
        self.where_all_hold(test.condition, member, made, body)
    }

    /// Runs the body if all parts of a condition hold. Evaluation ends at the first part that fails.
    fn where_all_hold(
        &mut self,
        condition: ExprId,
        member: Value,
        made: &[Value],
        body: Body<'_, 't>,
    ) -> Made {
        let expr = self.program.exprs.get(condition as usize);
        if let Some(&Expr::And(first, second)) = expr
            && !self.is_short(second)
        {
            let holds = self.truth(first);
            return self.where_flag(holds, member, made, &mut |t, member, made| {
                t.where_all_hold(second, member, made, body)
            });
        }
        let holds = self.truth(condition);
        self.where_flag(holds, member, made, body)
    }

    /// Runs the body for members up to the first that fulfills a condition, with or without it.
    pub fn up_to_it(
        &mut self,
        end: ListUpTo,
        member: Value,
        made: &[Value],
        body: Body<'_, 't>,
    ) -> Made {
        self.set_temp(end.temp, ScalarValue::Word(member));
        let is_last = self.truth(end.condition);
        let (made, enough) = match end.with_it {
            true => body(self, member, made),
            false => {
                let goes_on = self.opposite(is_last);
                self.where_flag(goes_on, member, made, body)
            }
        };
        let stops = match enough {
            Some(enough) => self.b.ins().bor(is_last, enough),
            None => is_last,
        };
        (made, Some(stops))
    }

    /// Runs the body only if a flag is set; otherwise the accumulated values stay the same.
    pub fn where_flag(
        &mut self,
        holds: Value,
        member: Value,
        made: &[Value],
        body: Body<'_, 't>,
    ) -> Made {
        let [inside, after] = self.blocks();
        let end = self.params_like(after, made);
        let enough = self.b.append_block_param(after, types::I8);
        let no = self.b.ins().iconst(types::I8, 0);
        let unchanged = joined(made, &[no]);
        self.b.ins().brif(holds, inside, &[], after, &unchanged);
        let noted = std::mem::take(&mut self.counts.work);
        self.b.switch_to_block(inside);
        let (made, stop) = body(self, member, made);
        self.count();
        let stops = stop.is_some();
        let stop = match stop {
            Some(stop) => stop,
            None => self.b.ins().iconst(types::I8, 0),
        };
        self.jump(after, &joined(&made, &[stop]));
        self.b.switch_to_block(after);
        self.counts.work = noted;
        (end, stops.then_some(enough))
    }

    /// Counts the work so far, then runs code only if a flag is set.
    pub fn run_if(&mut self, flag: Value, inside: impl FnOnce(&mut Self)) {
        let [then, after] = self.blocks();
        self.count();
        self.branch(flag, then, after);
        self.b.switch_to_block(then);
        inside(self);
        self.jump(after, &[]);
        self.b.switch_to_block(after);
    }

    pub fn blocks<const N: usize>(&mut self) -> [Block; N] {
        [(); N].map(|()| self.b.create_block())
    }

    /// Adds a parameter to a block for each of these values, of the same type.
    pub fn params_like(&mut self, block: Block, values: &[Value]) -> Vec<Value> {
        let types: Vec<Type> = values
            .iter()
            .map(|value| self.b.func.dfg.value_type(*value))
            .collect();
        let params = types.iter().map(|of| self.b.append_block_param(block, *of));
        params.collect()
    }

    /// Runs code only if a flag is set; otherwise the accumulated values stay the same.
    pub fn only_where(
        &mut self,
        flag: Value,
        made: &[Value],
        inside: &mut dyn FnMut(&mut Self, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let [then, after] = self.blocks();
        let end = self.params_like(after, made);
        let unchanged = joined(made, &[]);
        self.b.ins().brif(flag, then, &[], after, &unchanged);
        let noted = std::mem::take(&mut self.counts.work);
        self.b.switch_to_block(then);
        let made = inside(self, made);
        self.count();
        self.jump(after, &joined(&made, &[]));
        self.b.switch_to_block(after);
        self.counts.work = noted;
        end
    }
}

/// Returns the only accumulated or control value.
pub(crate) fn value_of(values: &[Value]) -> Value {
    values.first().copied().unwrap_or(Value::from_u32(0))
}

pub(crate) fn joined(one: &[Value], other: &[Value]) -> Vec<BlockArg> {
    let all = one.iter().chain(other);
    all.map(|value| BlockArg::Value(*value)).collect()
}
