//! Choices of several members that fulfill conditions on all of them together. If all conditions can be judged from what the
//! members add up to, the selections are counted; otherwise each one that is found is recorded.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::choices::noting::NotedName;
use crate::memory::buffers::LISTS_MAX;
use crate::selections::questions::{BUFFERS, LEFT, SelectionQuestion};
use crate::selections::selection_helper as helper;
use crate::translator::cycle::value_of;
use crate::translator::emit::Translator;
use wyrmgate_engine::selections::{Judged, tests_of};
use wyrmgate_program::{BinderInfo, BinderSize, LENGTH_MAX};

impl Translator<'_> {
    /// Returns whether code can look for the selections of a name with conditions on all members.
    pub fn can_note_together(&self, binder: &BinderInfo) -> bool {
        let is_plain = match binder.count {
            BinderSize::Many { ordered, .. } => !ordered,
            BinderSize::Any | BinderSize::Repeated { .. } => true,
            BinderSize::One
            | BinderSize::Permutation
            | BinderSize::Path { .. }
            | BinderSize::Text { .. } => false,
        };
        is_plain && self.lists + BUFFERS + LEFT <= LISTS_MAX
    }

    /// Records the selections of the members in the buffer of the last name; returns whether there are any.
    pub fn note_together(&mut self, name: NotedName<'_>, count: Value) -> Option<Value> {
        let binder = name.binder;
        let (least, most, repeats) = match binder.count {
            BinderSize::Any => (self.int(0), count, false),
            BinderSize::Many { least, most, .. } => {
                (self.word_of(least), self.word_of(most), false)
            }
            BinderSize::Repeated { least, most } => (self.word_of(least), self.word_of(most), true),
            BinderSize::One
            | BinderSize::Permutation
            | BinderSize::Path { .. }
            | BinderSize::Text { .. } => return None,
        };
        let (copies, is_long) = self.copies_of(repeats, least, most);
        let all = self.b.ins().imul(count, copies);
        let is_too_much = self.is(IntCC::SignedGreaterThan, all, helper::MEMBERS_PLANNED);
        let is_too_much = self.b.ins().bor(is_too_much, is_long);
        let any = self.one_of(
            types::I8,
            is_too_much,
            // The interpreter tries one after the other, or finds out what is wrong.
            |t| t.call_rest(name.noting, name.number),
            |t| {
                let before = (t.known.temps.clone(), t.lists);
                if repeats {
                    let arguments = [t.int(name.number as i32), count, copies];
                    t.call_helper(helper::lay_out as *const u8, &arguments, None);
                }
                let alike = binder.alike && !repeats;
                if alike {
                    t.lay_out_alike(name, count);
                }
                let tests = tests_of(&binder.together);
                let asked = SelectionQuestion {
                    temp: binder.temp,
                    tests: &tests,
                    members: t.ends_of(name.number, all),
                    count: all,
                    least,
                    most,
                    repeats,
                    alike,
                    counts: true,
                };
                let any = t.note_asked(name, &asked);
                (t.known.temps, t.lists) = before;
                any
            },
        );
        Some(any)
    }

    /// Arranges the members in the buffer of a name so that those stand side by side that are alike.
    fn lay_out_alike(&mut self, name: NotedName<'_>, count: Value) {
        let [seat, site, option, name_at] = self.place_of(name);
        let first = self.buffer_at(name.number);
        let arguments = [seat, site, option, name_at, first, count];
        self.call_helper(helper::lay_out_alike as *const u8, &arguments, None);
    }

    /// Emits how often a member can occur, and whether selections are longer than allowed.
    fn copies_of(&mut self, repeats: bool, least: Value, most: Value) -> (Value, Value) {
        let one = self.int(1);
        if !repeats {
            return (one, self.b.ins().iconst(types::I8, 0));
        }
        let longest = self.b.ins().smax(least, most);
        let is_long = self.is(IntCC::SignedGreaterThan, longest, LENGTH_MAX as i64);
        let limit = self.int(LENGTH_MAX as i32);
        let copies = self.b.ins().smax(most, one);
        (self.b.ins().smin(copies, limit), is_long)
    }

    fn note_asked(&mut self, name: NotedName<'_>, asked: &SelectionQuestion<'_>) -> Value {
        let [_, _, option, names] = self.place_of(name);
        let no = self.b.ins().iconst(types::I8, 0);
        match self.begin_selections(asked) {
            Judged::All => {
                let arguments = [option, names, asked.members.0, asked.count];
                let any = self.count_from(helper::note_counted as *const u8, &arguments);
                return self.is(IntCC::NotEqual, any, 0);
            }
            // Only the interpreter knows whether they are recorded as one group.
            Judged::Sometimes => {
                self.call_helper(helper::end as *const u8, &[], None);
                return self.call_rest(name.noting, name.number);
            }
            Judged::Some => {}
        }
        let made = self.each_found(asked, &[no], &mut |t, (selection, count), _| {
            let arguments = [option, names, selection, count];
            t.call_helper(helper::note_found as *const u8, &arguments, None);
            (vec![t.b.ins().iconst(types::I8, 1)], None)
        });
        self.call_helper(helper::end as *const u8, &[], None);
        value_of(&made)
    }
}
