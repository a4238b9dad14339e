//! The possible values of a name: how they are obtained, and the buffers that hold them.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::choices::noting::{NameSource, NotedName, Noting};
use crate::lists::list_helper;
use crate::masks::bits::MaskBits;
use crate::memory::buffers::MEMBERS_MAX;
use crate::memory::context::Context;
use crate::translator::emit::{Translator, at};
use crate::translator::helper;
use crate::translator::known::ScalarValue;
use crate::translator::notes;
use wyrmgate_program::{
    self as program, BinderInfo, BinderSize, LISTED_MAX, Set as List, Type, range_of_members,
};

/// Where members are stored, and how many fit.
#[derive(Clone, Copy)]
pub(crate) struct Buffer {
    pub first: Value,
    pub room: NameRoom,
}

#[derive(Clone, Copy)]
pub(crate) enum NameRoom {
    Of(usize),
    /// Up to this place.
    UpTo(Value),
}

impl Translator<'_> {
    pub fn source(&self, name: &BinderInfo) -> NameSource {
        let lies = matches!(
            self.program.sets.get(name.domain as usize),
            Some(List::Zone(_))
        );
        match name.mask {
            Some(mask) if self.program.masks.get(mask as usize).is_none() => NameSource::Asked,
            Some(mask) if lies => NameSource::Lying(mask),
            Some(mask) => NameSource::Mask(mask),
            None if self.is_open(name) => NameSource::Asked,
            None if self.can_walk(name.domain) => NameSource::Listed,
            None => NameSource::Asked,
        }
    }

    /// Returns whether the rules state a range of numbers that is too long to be listed.
    fn is_open(&self, name: &BinderInfo) -> bool {
        let range = name
            .range(self.program)
            .and_then(|_| range_of_members(self.program, name.domain, &[]));
        range.is_some_and(|(low, high)| i64::from(high) - i64::from(low) >= LISTED_MAX)
    }

    /// Gives up if a range whose length the rules do not state is too long to be listed.
    fn refuse_open(&mut self, name: &BinderInfo) {
        let range = name.range(self.program);
        let is_stated = range_of_members(self.program, name.domain, &[]).is_some();
        if let Some((low, high)) = range.filter(|_| !is_stated) {
            let [low, high] = [low, high].map(|end| self.word_of(end));
            let [low, high] = [low, high].map(|end| self.b.ins().sextend(types::I64, end));
            let length = self.b.ins().isub(high, low);
            let open = self.is(IntCC::SignedGreaterThanOrEqual, length, LISTED_MAX);
            self.refuse(open);
        }
    }

    pub fn may_repeat(&self, name: NotedName<'_>) -> bool {
        matches!(name.source, NameSource::Listed)
            && !name.binder.repeats
            && program::may_repeat_by_tables(self.program, name.binder.domain)
    }

    /// Stores the possible values of a name in its buffer; returns their number.
    pub fn gather(&mut self, name: NotedName<'_>, buffer: Buffer) -> Option<Value> {
        let NotedName { binder, source, .. } = name;
        if matches!(source, NameSource::Asked) {
            let count = self.ask_members(name);
            return Some(self.firsts(name, buffer, count));
        }
        self.refuse_open(binder);
        let none = self.int(0);
        let put = |t: &mut Self, member: Value, made: &[Value]| {
            let number = made.first().copied().unwrap_or(none);
            (vec![t.put_into(buffer, number, member)], None)
        };
        let made = match source {
            NameSource::Mask(mask) => {
                let domain = self.program.masks.get(mask as usize)?.domain;
                let bits = self.members(mask)?;
                self.each_bit(bits, &[none], |t, number, made| {
                    let member = t.member(domain, number);
                    put(t, member, made)
                })
            }
            NameSource::Lying(mask) => {
                let domain = self.program.masks.get(mask as usize)?.domain;
                let bits = self.members(mask)?;
                self.each(binder.domain, &[none], &mut |t, member, made| {
                    let number = t.position_in(domain, member);
                    let is_in = t.has(bits, number);
                    let is_in = t.is(IntCC::NotEqual, is_in, 0);
                    t.where_flag(is_in, member, made, &mut { put })
                })
            }
            NameSource::Listed => self.each(binder.domain, &[none], &mut |t, member, made| {
                t.set_temp(binder.temp, ScalarValue::Word(member));
                let passes = t.all_hold(binder.filters.iter());
                t.where_flag(passes, member, made, &mut { put })
            }),
            NameSource::Asked => return None,
        };
        let mut count = made.first().copied()?;
        if self.may_repeat(name) {
            count = self.arrange(name.number, count, list_helper::UNIQUE);
        }
        if matches!(binder.of, Type::Component(_)) && !self.facts.sights.is_open {
            let seat = name.noting.of.seat;
            let hidden = self.gathered_hidden(binder, buffer.first, count, seat);
            self.run_if(hidden, |t| {
                let arguments = [seat, buffer.first, count];
                t.call_helper(helper::put_hidden_last as *const u8, &arguments, None);
            });
        }
        Some(self.firsts(name, buffer, count))
    }

    /// Keeps only the first one of components that are alike; returns how many members remain.
    fn firsts(&mut self, name: NotedName<'_>, buffer: Buffer, count: Value) -> Value {
        if !name.binder.alike || name.binder.count != BinderSize::One {
            return count;
        }
        self.of_several(count, |t| {
            let [seat, site, option, name] = t.place_of(name);
            let arguments = [seat, site, option, name, buffer.first, count];
            t.count_from(helper::firsts as *const u8, &arguments)
        })
    }

    /// Lets the interpreter store the members in the buffer.
    fn ask_members(&mut self, name: NotedName<'_>) -> Value {
        self.note_ask(notes::Part::Names);
        self.spill_temps();
        let arguments = self.place_of(name);
        self.count_from(helper::domain as *const u8, &arguments)
    }

    /// Emits where a name stands, as helpers expect it.
    pub fn place_of(&mut self, NotedName { noting, number, .. }: NotedName<'_>) -> [Value; 4] {
        let place = [i32::from(noting.of.id), noting.number, number as i32];
        let [site, option, name] = place.map(|number| self.int(number));
        [noting.of.seat, site, option, name]
    }

    /// Leaves the choices to the interpreter if the seat cannot identify some component: then the order is another one.
    pub fn all_known(&mut self, name: NotedName<'_>, bits: MaskBits) {
        let NotedName { noting, binder, .. } = name;
        if !matches!(binder.of, Type::Component(_)) || self.facts.sights.is_open {
            return;
        }
        let mask = binder
            .mask
            .and_then(|mask| self.program.masks.get(mask as usize));
        let Some(domain) = mask.map(|mask| mask.domain) else {
            return;
        };
        let hidden = self.members_hidden(bits, domain, noting.of.seat);
        self.run_if(hidden, |t| {
            t.set_bits(bits);
            let first = t.int(domain.first);
            let arguments = [noting.of.seat, first];
            let helper = helper::all_seen as *const u8;
            if let Some(seen) = t.call_helper(helper, &arguments, Some(types::I32)) {
                t.or_by_interpreter(noting, seen);
            }
        });
    }

    fn or_by_interpreter(&mut self, noting: Noting<'_>, flag: Value) {
        let goes_on = self.b.create_block();
        self.count();
        self.branch(flag, goes_on, noting.of.by_interpreter);
        self.b.switch_to_block(goes_on);
    }

    /// Stores this many members where a row lists them.
    pub fn list(&mut self, from: Value, count: Value) {
        let listing = self.listing();
        let end = self.place(from, count);
        let none = self.int(0);
        self.each_value(from, end, &[], &[none], &mut |t, member, made| {
            let number = made.first().copied().unwrap_or(none);
            (vec![t.put_into(listing, number, member)], None)
        });
    }

    /// Returns where members that a row lists are stored.
    pub fn listing(&mut self) -> Buffer {
        Buffer {
            first: self.part(types::I64, at(offset_of!(Context, rest.listed.next))),
            room: NameRoom::UpTo(self.part(types::I64, at(offset_of!(Context, rest.listed.last)))),
        }
    }

    /// Returns where the possible values of a name are stored.
    pub fn buffer_of(&mut self, name: usize) -> Buffer {
        Buffer {
            first: self.buffer_at(name),
            room: NameRoom::Of(MEMBERS_MAX),
        }
    }

    /// Stores a member at this place of a buffer; returns the next one.
    fn put_into(&mut self, buffer: Buffer, number: Value, member: Value) -> Value {
        let place = self.place(buffer.first, number);
        let full = match buffer.room {
            NameRoom::Of(most) => self.is(IntCC::SignedGreaterThanOrEqual, number, most as i64),
            NameRoom::UpTo(last) => self.b.ins().icmp(IntCC::UnsignedGreaterThan, place, last),
        };
        self.refuse(full);
        self.store(member, place, 0);
        self.b.ins().iadd_imm_s(number, 1)
    }
}
