//! Loops and conditional bodies.

use cranelift_codegen::ir::{BlockArg, InstBuilder, Type, Value, types};

use super::emit::{Scalar, Translator};
use wyrmgate_program::{Expr, ExprId, Temp};

/// The result of a body for a member: new accumulated values, and whether that is enough.
pub(super) type Made = (Vec<Value>, Option<Value>);

impl Translator<'_> {
    /// A loop: from its control values to whether there is another member, the member and the next control values.
    pub fn cycle(
        &mut self,
        control: &[Value],
        made: &[Value],
        more: impl FnOnce(&mut Self, &[Value]) -> Value,
        step: impl FnOnce(&mut Self, &[Value]) -> (Value, Vec<Value>),
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let (head, inside, after) = (
            self.b.create_block(),
            self.b.create_block(),
            self.b.create_block(),
        );
        let types_of = |t: &Self, values: &[Value]| -> Vec<Type> {
            let types = values.iter().map(|value| t.b.func.dfg.value_type(*value));
            types.collect()
        };
        let (of_control, of_made) = (types_of(self, control), types_of(self, made));
        let mut add = |block, types: &[Type]| -> Vec<Value> {
            let params = types.iter().map(|of| self.b.append_block_param(block, *of));
            params.collect()
        };
        let now = add(head, &of_control);
        let so_far = add(head, &of_made);
        let end = add(after, &of_made);
        let noted = std::mem::take(&mut self.work);
        let begin = joined(control, made);
        self.jump(head, &begin);
        self.b.switch_to_block(head);
        let goes_on = more(self, &now);
        let out = joined(&[], &so_far);
        self.b.ins().brif(goes_on, inside, &[], after, &out);
        self.b.switch_to_block(inside);
        let (member, next) = step(self, &now);
        let (made, enough) = body(self, member, &so_far);
        self.work += 1;
        self.count_and_refuse();
        let again = joined(&next, &made);
        match enough {
            Some(enough) => {
                let out = joined(&[], &made);
                self.b.ins().brif(enough, after, &out, head, &again);
            }
            None => self.jump(head, &again),
        }
        self.b.switch_to_block(after);
        self.loops += 1;
        self.work = noted;
        end
    }

    pub fn where_it_holds(
        &mut self,
        temp: Temp,
        condition: ExprId,
        member: Value,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Made {
        self.set_temp(temp, Scalar::Word(member));
        self.where_all_hold(condition, member, made, body)
    }

    /// Leaves a member at the first part of a condition that fails.
    fn where_all_hold(
        &mut self,
        condition: ExprId,
        member: Value,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Made {
        let remembered = self.remembered_value(condition);
        let holds = match (remembered, self.program.exprs.get(condition as usize)) {
            (Some(value), _) => self.flag(value),
            (None, Some(&Expr::And(first, second))) if !self.is_short(second) => {
                let holds = self.truth(first);
                return self.where_flag(holds, member, made, &mut |t, member, made| {
                    t.where_all_hold(second, member, made, body)
                });
            }
            (None, _) => {
                let value = self.evaluated(condition);
                self.flag(value)
            }
        };
        self.where_flag(holds, member, made, body)
    }

    /// Runs the body for members up to the first that fulfils a condition, with or without it.
    pub fn up_to_it(
        &mut self,
        (temp, condition): (Temp, ExprId),
        with_it: bool,
        member: Value,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Made {
        self.set_temp(temp, Scalar::Word(member));
        let is_last = self.truth(condition);
        let (made, enough) = match with_it {
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
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Made {
        let (inside, after) = (self.b.create_block(), self.b.create_block());
        let types: Vec<Type> = made
            .iter()
            .map(|value| self.b.func.dfg.value_type(*value))
            .collect();
        let end: Vec<Value> = types
            .iter()
            .map(|of| self.b.append_block_param(after, *of))
            .collect();
        let enough = self.b.append_block_param(after, types::I8);
        let no = self.b.ins().iconst(types::I8, 0);
        let unchanged = joined(made, &[no]);
        self.b.ins().brif(holds, inside, &[], after, &unchanged);
        let noted = std::mem::take(&mut self.work);
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
        self.work = noted;
        (end, stops.then_some(enough))
    }
}

impl Translator<'_> {
    /// Runs code only if a flag is set; otherwise the accumulated values stay the same.
    pub fn only_where(
        &mut self,
        flag: Value,
        made: &[Value],
        inside: &mut dyn FnMut(&mut Self, &[Value]) -> Vec<Value>,
    ) -> Vec<Value> {
        let (then, after) = (self.b.create_block(), self.b.create_block());
        let end: Vec<Value> = made
            .iter()
            .map(|value| {
                let of = self.b.func.dfg.value_type(*value);
                self.b.append_block_param(after, of)
            })
            .collect();
        self.b
            .ins()
            .brif(flag, then, &[], after, &joined(made, &[]));
        let noted = std::mem::take(&mut self.work);
        self.b.switch_to_block(then);
        let made = inside(self, made);
        self.count();
        self.jump(after, &joined(&made, &[]));
        self.b.switch_to_block(after);
        self.work = noted;
        end
    }
}

/// Returns the only accumulated or control value.
pub(super) fn value_of(values: &[Value]) -> Value {
    values.first().copied().unwrap_or(Value::from_u32(0))
}

pub(super) fn joined(one: &[Value], other: &[Value]) -> Vec<BlockArg> {
    let all = one.iter().chain(other);
    all.map(|value| BlockArg::Value(*value)).collect()
}
