//! Lists, walked by loops in place; nothing is built. Lists of other kinds are left to the interpreter.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Type, Value, types};

use super::context::{LISTS_MAX, MEMBERS_MAX};
use super::emit::{Scalar, Translator, offset};
use super::expr::DEPTH_MAX;
use crate::engine::layout::NEXT;
use crate::program::{ExprId, QueryBody, SEATS_MAX, Set, SetId, Temp};

/// What a body makes of a member: new values of what has been made so far, and whether that is enough.
pub(super) type Made = (Vec<Value>, Option<Value>);

/// Lists in lists are followed only so deep.
const NESTING_MAX: u32 = 8;

/// Buffers that have to be free for a list to be walked.
const BUFFERS_LEFT: usize = 6;

impl Translator<'_> {
    /// Can it be walked here? Else the interpreter is asked.
    pub fn can_walk(&self, set: SetId) -> bool {
        // Whoever walks it may need some more.
        self.lists + BUFFERS_LEFT <= LISTS_MAX && self.can_walk_within(set, NESTING_MAX)
    }

    pub fn can_walk_within(&self, set: SetId, nesting: u32) -> bool {
        let program = self.program;
        let Some(nesting) = nesting.checked_sub(1) else {
            return false;
        };
        match program.sets.get(set as usize) {
            Some(&Set::Table(table)) => program.tables.get(table as usize).is_some(),
            Some(&Set::Keyed {
                starts, members, ..
            }) => self.keyed_is_whole(starts, members),
            Some(&Set::Bits(mask)) => program.masks.get(mask as usize).is_some(),
            Some(&(Set::Where { of, .. } | Set::Keys { of, .. } | Set::Minus(of, _))) => {
                self.can_walk_within(of, nesting)
            }
            Some(&Set::Call { query, .. }) => {
                let list = self.list_of(query);
                let list = list.filter(|_| self.depth < DEPTH_MAX);
                list.is_some_and(|list| self.can_walk_within(list, nesting))
            }
            Some(&Set::Local(local)) => u32::from(local) + 1 < self.slots,
            Some(&Set::LocalAt { base, .. }) => {
                u32::from(base) + 2 * SEATS_MAX as u32 <= self.slots
            }
            Some(Set::List { count, .. }) => usize::from(*count) <= MEMBERS_MAX,
            Some(_) => true,
            None => false,
        }
    }

    /// The body of a query that answers a list.
    pub fn list_of(&self, query: u16) -> Option<SetId> {
        match self.program.queries.get(usize::from(query))?.body {
            QueryBody::List(list) => Some(list),
            QueryBody::Value(_) => None,
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
        id: SetId,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let program = self.program;
        let Some(set) = program.sets.get(id as usize) else {
            return made.to_vec();
        };
        match *set {
            Set::Empty => made.to_vec(),
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
            } if self.keyed_is_whole(starts, members) => {
                self.each_keyed((starts, members), low, value, made, body)
            }
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
            Set::Minus(of, without) => self.each(of, made, &mut |t, member, made| {
                let among = t.contains_value(without, member);
                let stays = t.b.ins().bxor_imm_u(among, 1);
                t.where_flag(stays, member, made, body)
            }),
            Set::Call { query, args } if self.list_of(query).is_some() => {
                self.each_of_call(query, args, made, body)
            }
            Set::Local(local) => match self.frame_list(local) {
                Some((first, end)) => self.each_value(first, end, made, body),
                None => self.each_gathered(id, made, body),
            },
            Set::LocalAt { base, index } => match self.frame_list_of(base, index) {
                Some((first, end)) => self.each_value(first, end, made, body),
                None => self.each_gathered(id, made, body),
            },
            Set::Temp(temp) => match self.temp(temp) {
                Some(Scalar::List(first, end)) => self.each_value(first, end, made, body),
                _ => self.each_gathered(id, made, body),
            },
            _ => self.each_gathered(id, made, body),
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
        self.where_flag(holds, member, made, body)
    }

    /// The body only if a flag is set; else what has been made stays as it is.
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

    /// The body belongs to the caller and sees the caller's temps.
    pub fn each_of_call(
        &mut self,
        query: u16,
        args: ExprId,
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let program = self.program;
        let list = self.list_of(query);
        let (Some(info), Some(list)) = (program.queries.get(usize::from(query)), list) else {
            return made.to_vec();
        };
        let open = self.lists;
        let window = self.window(info, args, None);
        self.depth += 1;
        let mut caller = std::mem::replace(&mut self.temps, window);
        let made = self.each(list, made, &mut |t, member, made| {
            std::mem::swap(&mut t.temps, &mut caller);
            let made = body(t, member, made);
            std::mem::swap(&mut t.temps, &mut caller);
            made
        });
        self.temps = caller;
        self.depth -= 1;
        self.lists = open;
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
