//! Lists, walked by loops in place; nothing is built. Lists of other kinds are left to the interpreter.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Type, Value, types};

use super::emit::{Scalar, Translator, offset};
use crate::engine::layout::NEXT;
use crate::program::{ExprId, QueryBody, Set, SetId, Temp};

/// What a body makes of a member: new values of what has been made so far, and whether that is enough.
pub(super) type Made = (Vec<Value>, Option<Value>);

/// Lists in lists are followed only so deep.
const NESTING_MAX: u32 = 8;

impl Translator<'_> {
    /// Can it be walked in place?
    pub fn can_walk(&self, set: SetId) -> bool {
        self.can_walk_within(set, NESTING_MAX)
    }

    pub fn can_walk_within(&self, set: SetId, nesting: u32) -> bool {
        let program = self.program;
        let Some(nesting) = nesting.checked_sub(1) else {
            return false;
        };
        match program.sets.get(set as usize) {
            Some(Set::Empty | Set::Zone(_) | Set::Range(..)) => true,
            Some(Set::SeatsFrom(_) | Set::Others(_)) => true,
            Some(&Set::Table(table)) => program.tables.get(table as usize).is_some(),
            Some(&Set::Keyed {
                starts, members, ..
            }) => self.keyed_is_whole(starts, members),
            Some(&Set::Bits(mask)) => program.masks.get(mask as usize).is_some(),
            Some(&(Set::Where { of, .. } | Set::Keys { of, .. })) => {
                self.can_walk_within(of, nesting)
            }
            Some(&Set::Call { query, args }) => {
                let list = self.list_of(query, args);
                list.is_some_and(|list| self.can_walk_within(list, nesting))
            }
            _ => false,
        }
    }

    /// The body of a query that answers a list and takes no lists.
    pub fn list_of(&self, query: u16, args: ExprId) -> Option<SetId> {
        let info = self.program.queries.get(usize::from(query))?;
        let mut args = args..args + u32::from(info.params);
        let plain = args.all(|arg| {
            let arg = self.program.exprs.get(arg as usize);
            !matches!(arg, None | Some(crate::program::Expr::ListArgument(_)))
        });
        match info.body {
            QueryBody::List(list) if plain => Some(list),
            _ => None,
        }
    }

    /// Where each list begins goes up, and none ends beyond the members.
    pub fn keyed_is_whole(&self, starts: u32, members: u32) -> bool {
        let tables = &self.program.tables;
        let (Some(starts), Some(members)) =
            (tables.get(starts as usize), tables.get(members as usize))
        else {
            return false;
        };
        let end = starts.last().map(|end| usize::try_from(*end));
        let ends_inside = matches!(end, Some(Ok(end)) if end <= members.len());
        starts.len() >= 2
            && starts.is_sorted()
            && starts.first().is_some_and(|first| *first >= 0)
            && ends_inside
    }

    /// Runs a body for each member in order; only if it [`Translator::can_walk`].
    pub fn each(
        &mut self,
        set: SetId,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        // What a walk binds means nothing after it.
        let before = self.temps.clone();
        let made = self.each_of(set, made, body);
        self.temps = before;
        made
    }

    pub fn each_of(
        &mut self,
        set: SetId,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let program = self.program;
        let Some(set) = program.sets.get(set as usize) else {
            return made.to_vec();
        };
        match *set {
            Set::Zone(zone) => self.each_in_zone(zone, made, body),
            Set::Range(low, high) => self.each_in_range(low, high, made, body),
            Set::SeatsFrom(seat) => self.each_seat(seat, 0, made, body),
            Set::Others(seat) => self.each_seat(seat, 1, made, body),
            Set::Table(table) => {
                let values = program.tables.get(table as usize);
                let values = values.map_or(&[][..], Vec::as_slice);
                let first = self.pointer(values.as_ptr());
                let bytes = self.long(size_of_val(values) as u64);
                let end = self.b.ins().iadd(first, bytes);
                self.each_value(first, end, made, body)
            }
            Set::Keyed {
                starts,
                members,
                low,
                value,
                ..
            } => self.each_keyed((starts, members), low, value, made, body),
            Set::Bits(mask) => self.each_member_of_mask(mask, made, body),
            Set::Where {
                of,
                temp,
                condition,
            } => self.each(of, made, &mut |t, member, made| {
                t.where_it_holds(temp, condition, member, made, body)
            }),
            Set::Keys { of, temp, key } => self.each(of, made, &mut |t, member, made| {
                t.set_temp(temp, Scalar::Word(member));
                let key = t.value(key);
                let key = t.word(key);
                body(t, key, made)
            }),
            Set::Call { query, args } => self.each_of_call(query, args, made, body),
            _ => made.to_vec(),
        }
    }

    /// A loop: from its control values to whether there is another member, to the member and the next control values.
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
        self.count();
        self.refuse_exhausted();
        let again = joined(&next, &made);
        match enough {
            Some(enough) => {
                let out = joined(&[], &made);
                self.b.ins().brif(enough, after, &out, head, &again);
            }
            None => self.jump(head, &again),
        }
        self.b.switch_to_block(after);
        self.work = noted;
        end
    }

    /// As [`Translator::each`] of what lies in a zone.
    pub fn in_zone(
        &mut self,
        zone: ExprId,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        self.each_in_zone(zone, made, body)
    }

    pub fn each_in_zone(
        &mut self,
        zone: ExprId,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let first = self.first_in(zone);
        self.cycle(
            &[first],
            made,
            |t, now| t.is_there(now),
            |t, now| {
                let member = value_of(now);
                let next = t.row_of(member, NEXT);
                (member, vec![t.word(next)])
            },
            body,
        )
    }

    pub fn is_there(&mut self, now: &[Value]) -> Value {
        self.is(IntCC::SignedGreaterThanOrEqual, value_of(now), 0)
    }

    pub fn each_in_range(
        &mut self,
        low: ExprId,
        high: ExprId,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let low = self.value(low);
        let low = self.word(low);
        let high = self.value(high);
        let high = self.word(high);
        let low = self.b.ins().sextend(types::I64, low);
        let high = self.b.ins().sextend(types::I64, high);
        self.cycle(
            &[low],
            made,
            |t, now| {
                let at = value_of(now);
                t.b.ins().icmp(IntCC::SignedLessThanOrEqual, at, high)
            },
            |t, now| {
                let at = value_of(now);
                let member = t.b.ins().ireduce(types::I32, at);
                (member, vec![t.b.ins().iadd_imm_s(at, 1)])
            },
            body,
        )
    }

    pub fn each_seat(
        &mut self,
        seat: ExprId,
        skipped: i64,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let seats = self.layout.seats as i64;
        let first = self.value(seat);
        let first = self.word(first);
        let is_seat = self.is(IntCC::UnsignedLessThan, first, seats);
        let begin = self.int(skipped as i32);
        let beyond = self.int(seats as i32);
        let begin = self.b.ins().select(is_seat, begin, beyond);
        self.cycle(
            &[begin],
            made,
            |t, now| t.is(IntCC::SignedLessThan, value_of(now), seats),
            |t, now| {
                let step = value_of(now);
                let member = t.b.ins().iadd(first, step);
                let around = t.b.ins().iadd_imm_s(member, -seats);
                let is_beyond = t.is(IntCC::SignedGreaterThanOrEqual, member, seats);
                let member = t.b.ins().select(is_beyond, around, member);
                (member, vec![t.b.ins().iadd_imm_s(step, 1)])
            },
            body,
        )
    }

    /// Words from one address up to another.
    pub fn each_value(
        &mut self,
        first: Value,
        end: Value,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        self.cycle(
            &[first],
            made,
            |t, now| {
                let at = value_of(now);
                t.b.ins().icmp(IntCC::UnsignedLessThan, at, end)
            },
            |t, now| {
                let at = value_of(now);
                let member = t.load(types::I32, at, 0);
                (member, vec![t.b.ins().iadd_imm_s(at, i64::from(offset(1)))])
            },
            body,
        )
    }

    pub fn each_keyed(
        &mut self,
        (starts, members): (u32, u32),
        low: i32,
        value: ExprId,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let tables = &self.program.tables;
        let table = |id: u32| tables.get(id as usize).map_or(&[][..], Vec::as_slice);
        let (starts, members) = (table(starts), table(members));
        let lists = starts.len().saturating_sub(1) as i64;
        let number = self.value(value);
        let number = self.word(number);
        let number = self.b.ins().iadd_imm_s(number, -i64::from(low));
        let inside = self.is(IntCC::UnsignedLessThan, number, lists);
        let zero = self.int(0);
        let number = self.b.ins().select(inside, number, zero);
        let starts = self.pointer(starts.as_ptr());
        let members = self.pointer(members.as_ptr());
        let place = self.place(starts, number);
        let first = self.load(types::I32, place, 0);
        let end = self.load(types::I32, place, offset(1));
        let end = self.b.ins().select(inside, end, first);
        let first = self.place(members, first);
        let end = self.place(members, end);
        self.each_value(first, end, made, body)
    }

    pub fn each_member_of_mask(
        &mut self,
        mask: u32,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let domain = self
            .program
            .masks
            .get(mask as usize)
            .map(|mask| mask.domain);
        let (Some(domain), Some(bits)) = (domain, self.members(mask)) else {
            return made.to_vec();
        };
        self.each_bit(bits, made, |t, number, made| {
            let member = t.member(domain, number);
            body(t, member, made)
        })
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
        let holds = self.truth(condition);
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

    /// The body belongs to the caller and sees the caller's temps.
    pub fn each_of_call(
        &mut self,
        query: u16,
        args: ExprId,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let program = self.program;
        let list = self.list_of(query, args);
        let (Some(info), Some(list)) = (program.queries.get(usize::from(query)), list) else {
            return made.to_vec();
        };
        self.work += 1;
        let mut window = Vec::new();
        for temp in 0..info.params {
            let value = self.value(args + u32::from(temp));
            window.push((temp, value));
        }
        let mut caller = std::mem::replace(&mut self.temps, window);
        let made = self.each(list, made, &mut |t, member, made| {
            std::mem::swap(&mut t.temps, &mut caller);
            let made = body(t, member, made);
            std::mem::swap(&mut t.temps, &mut caller);
            made
        });
        self.temps = caller;
        made
    }
}

/// The only value of what a walk has made or is controlled by.
pub(super) fn value_of(values: &[Value]) -> Value {
    values.first().copied().unwrap_or(Value::from_u32(0))
}

pub(super) fn joined(one: &[Value], other: &[Value]) -> Vec<BlockArg> {
    let all = one.iter().chain(other);
    all.map(|value| BlockArg::Value(*value)).collect()
}
