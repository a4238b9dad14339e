//! Decisions with several names: all choices are recorded in the choice set, group by group, as the interpreter does
//! it.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::choices::kind::ends_in_bits;
use crate::choices::noting::{Into, NameSource, NotedName, NotedSite, Noting};
use crate::memory::buffers::NAMES_MAX;
use crate::memory::context::Context;
use crate::translator::emit::{Translator, at, offset};
use crate::translator::helper;
use crate::translator::known::ScalarValue;
use crate::translator::notes;
use wyrmgate_program::{BinderInfo, BinderSize, Site, SiteOption};

impl Translator<'_> {
    /// Returns whether inline code finds the values of a name and the choices that begin with them. Lists before other
    /// names, paths and sequences with conditions on several members together are left to the interpreter.
    fn is_noted_inline(&self, option: &SiteOption, name: usize) -> bool {
        let Some(binder) = option.binders.get(name) else {
            return true;
        };
        let is_one = binder.count == BinderSize::One;
        let is_last = name + 1 == option.binders.len();
        let is_path = matches!(binder.count, BinderSize::Path { .. });
        let fits = match is_together(binder) {
            false => is_one || is_last && !is_path,
            true => is_last && self.can_note_together(binder),
        };
        name < NAMES_MAX && fits && !binder.is_text()
    }

    /// Returns whether rows of the context can hold the choices.
    pub fn fits_in_rows(&self, site: &Site) -> bool {
        site.options.iter().all(|option| {
            let last = option.binders.last().filter(|_| ends_in_bits(option));
            last.is_none_or(|last| !matches!(self.source(last), NameSource::Asked))
        })
    }

    /// Records all choices; returns whether there are any other than to decline. `seat` decides; if the order of
    /// components is secret, code continues in the block `by_interpreter`.
    pub fn note(&mut self, of: NotedSite<'_>, into: Into) -> Option<Value> {
        let NotedSite { site, seat, .. } = of;
        let proper = site.proper_options().len();
        let mut any = self.b.ins().iconst(types::I8, 0);
        for (number, option) in site.options.iter().enumerate() {
            self.known.temps.clear();
            self.set_temp(site.seat_temp, ScalarValue::Word(seat));
            self.counts.work += 1;
            let open = self.all_hold(option.conditions.iter());
            let [inside, after] = self.blocks();
            let found = self.b.append_block_param(after, types::I8);
            let none = self.b.ins().iconst(types::I8, 0);
            let skipped = [BlockArg::Value(none)];
            self.b.ins().brif(open, inside, &[], after, &skipped);
            let noted = std::mem::take(&mut self.counts.work);
            self.b.switch_to_block(inside);
            let noting = Noting {
                of,
                number: number as i32,
                option,
                into,
            };
            let more = self.note_names(noting, &mut Vec::new())?;
            self.count();
            self.jump(after, &[BlockArg::Value(more)]);
            self.b.switch_to_block(after);
            self.counts.work = noted;
            if number < proper {
                any = self.b.ins().bor(any, found);
            }
        }
        Some(any)
    }

    /// Iterates over the values of a name, and recursively over the rest; returns whether there are any choices.
    fn note_names(&mut self, noting: Noting<'_>, names: &mut Vec<Value>) -> Option<Value> {
        let number = names.len();
        if !self.is_noted_inline(noting.option, number) {
            return Some(self.ask_rest(noting, number));
        }
        let Some(binder) = noting.option.binders.get(number) else {
            return self.note_itself(noting, names);
        };
        let source = self.source(binder);
        let name = NotedName {
            noting,
            number,
            binder,
            source,
        };
        if binder.count != BinderSize::One {
            let buffer = self.buffer_of(number);
            let count = self.gather(name, buffer)?;
            return match is_together(binder) {
                false => self.note_selections(name, count),
                true => self.note_together(name, count),
            };
        }
        match number + 1 == noting.option.binders.len() {
            true => self.note_last(name, names),
            false => self.note_rest(name, names),
        }
    }

    /// Records the choices that the values of the last name complete.
    fn note_last(&mut self, name: NotedName<'_>, names: &[Value]) -> Option<Value> {
        let noting = name.noting;
        if let (NameSource::Mask(mask), false) = (name.source, name.binder.alike) {
            let bits = self.members(mask)?;
            self.all_known(name, bits);
            return match noting.into {
                Into::Rows => self.put_row_of_mask(noting, names, mask, bits),
                Into::Menu => self.note_bits(name, mask, bits),
            };
        }
        let repeats = self.may_repeat(name);
        let buffer = match noting.into {
            Into::Rows if !repeats => self.listing(),
            _ => self.buffer_of(name.number),
        };
        let count = self.gather(name, buffer)?;
        if noting.into == Into::Menu {
            self.note_list(noting, name.number, count);
            return Some(self.is(IntCC::NotEqual, count, 0));
        }
        if repeats {
            self.list(buffer.first, count);
        }
        self.put_row_of_list(noting, names, count)
    }

    /// Records the choices of the names after this one, for each of its values.
    fn note_rest(&mut self, name: NotedName<'_>, names: &mut Vec<Value>) -> Option<Value> {
        let NotedName { noting, binder, .. } = name;
        let no = self.b.ins().iconst(types::I8, 0);
        let mut failed = false;
        let mut rest = |t: &mut Self, member: Value, made: &[Value]| {
            t.set_temp(binder.temp, ScalarValue::Word(member));
            if noting.needs_prefix() {
                t.set_part(
                    member,
                    at(offset_of!(Context, members.prefix)) + offset(name.number),
                );
            }
            let before = t.known.temps.clone();
            names.push(member);
            let more = t.note_names(noting, names);
            names.pop();
            t.known.temps = before;
            failed |= more.is_none();
            let found = match (more, made.first().copied()) {
                (Some(more), Some(so_far)) => t.b.ins().bor(more, so_far),
                _ => no,
            };
            (vec![found], None)
        };
        let made = match name.source {
            NameSource::Mask(mask) if !binder.alike => {
                let domain = self.program.masks.get(mask as usize)?.domain;
                let bits = self.members(mask)?;
                self.all_known(name, bits);
                self.each_bit(bits, &[no], |t, number, made| {
                    let member = t.member(domain, number);
                    rest(t, member, made)
                })
            }
            // The following groups use the same buffers and registers.
            _ => {
                let buffer = self.buffer_of(name.number);
                let count = self.gather(name, buffer)?;
                let end = self.place(buffer.first, count);
                self.each_value(buffer.first, end, &[], &[no], &mut rest)
            }
        };
        if failed {
            return None;
        }
        made.first().copied()
    }

    /// Lets the interpreter record all choices that begin with the names so far, in every decision: the option counts as
    /// left to it. Returns whether there are any.
    fn ask_rest(&mut self, noting: Noting<'_>, names: usize) -> Value {
        self.note_ask(notes::Part::Choices);
        self.call_rest(noting, names)
    }

    /// Lets the interpreter record these choices in decisions that are an exception.
    pub fn call_rest(&mut self, noting: Noting<'_>, names: usize) -> Value {
        self.spill_temps();
        let place = [i32::from(noting.of.id), noting.number, names as i32];
        let [site, option, names] = place.map(|number| self.int(number));
        let arguments = [noting.of.seat, site, option, names];
        let any = self.count_from(helper::note_rest as *const u8, &arguments);
        self.is(IntCC::NotEqual, any, 0)
    }

    /// Records the choice that consists of the option itself.
    fn note_itself(&mut self, noting: Noting<'_>, names: &[Value]) -> Option<Value> {
        let passes = self.b.ins().iconst(types::I8, 1);
        if noting.into == Into::Rows {
            return self.put_row_of_one(noting, names, passes);
        }
        let itself = self.int(-1);
        self.note_list(noting, names.len(), itself);
        Some(passes)
    }
}

/// Returns whether the members of a name are looked at together: for conditions, or because some may be alike.
fn is_together(binder: &BinderInfo) -> bool {
    !binder.together.is_empty() || binder.alike && binder.is_subset()
}
