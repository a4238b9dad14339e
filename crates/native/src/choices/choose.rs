//! Decisions whose choices are known at once: the members of one mask, or options without names.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::choices::kind::{RecordingKind, kind_of, only_mask};
use crate::choices::noting::{Into, NotedSite};
use crate::masks::bits::MaskBits;
use crate::memory::context::Context;
use crate::translator::emit::{Translator, at};
use crate::translator::helper;
use crate::translator::known::ScalarValue;
use wyrmgate_engine::layout::header;
use wyrmgate_program::{Address, Condition, ExprId, Site, SiteId, SiteOption};

impl Translator<'_> {
    /// Comes to rest with all choices recorded, or continues if there are none; returns where.
    pub fn choose(&mut self, place: Address, site_id: SiteId) -> Option<Vec<Address>> {
        let site = self.program.site(site_id)?;
        if !site.is_plain() {
            return None;
        }
        let kind = self.kind(site);
        let seat = self.value(site.who);
        let seat = self.word(seat);
        let seats = self.layout.seats as i64;
        let is_seat = self.is(IntCC::UnsignedLessThan, seat, seats);
        let [look, wait, otherwise] = self.blocks();
        self.count();
        self.branch(is_seat, look, otherwise);
        self.b.switch_to_block(look);
        self.known.temps.clear();
        self.set_temp(site.seat_temp, ScalarValue::Word(seat));
        let by_interpreter = self.b.create_block();
        let noted = NotedSite {
            id: site_id,
            site,
            seat,
            by_interpreter,
        };
        let any = self.note_by_kind(kind, noted)?;
        self.count();
        self.branch(any, wait, otherwise);
        self.b.switch_to_block(wait);
        self.wait(place, site_id, seat, kind != RecordingKind::Elsewhere);
        self.look_again(place, site_id);
        self.make_entry(site_id, |t, block| t.take_in(block, kind, site));
        // Reached if the order of components is secret.
        self.b.switch_to_block(by_interpreter);
        let number = self.int(place as i32);
        let perform = helper::perform as *const u8;
        let next = self.call_helper(perform, &[number], Some(types::I32))?;
        self.leave_with(next);
        self.b.switch_to_block(otherwise);
        self.refuse_exhausted();
        Some(self.go_on(place, site.otherwise))
    }

    /// Creates the entry for a rest whose choices are not recorded: the decision records them and comes to rest again,
    /// without changing the state.
    fn look_again(&mut self, place: Address, site: SiteId) {
        let again = self.flow.block_of(place);
        let entry = self.flow.looks.iter_mut().find(|entry| entry.site == site);
        let Some((entry, again)) = entry.zip(again) else {
            return;
        };
        entry.is_made = true;
        let begin = entry.block;
        self.b.switch_to_block(begin);
        self.load_counts();
        self.jump(again, &[]);
    }

    /// Returns the form in which choices are recorded.
    pub fn kind(&self, site: &Site) -> RecordingKind {
        match kind_of(self.program, site) {
            RecordingKind::Rows if !self.fits_in_rows(site) => RecordingKind::Elsewhere,
            kind => kind,
        }
    }

    /// Records the choices of a seat, which is available as a temp; returns whether there are any other than to
    /// decline.
    pub fn note_by_kind(&mut self, kind: RecordingKind, of: NotedSite<'_>) -> Option<Value> {
        if let (RecordingKind::Members(_), Some(mask)) = (kind, only_mask(of.site))
            && !self.is_costly(mask)
        {
            return self.note_as(kind, of);
        }
        // Choices have a budget of their own.
        let secretly = self.b.create_block();
        self.count();
        self.refuse_exhausted();
        let of_move = self.b.use_var(self.counts.fuel);
        let budget = self.part(types::I64, at(offset_of!(Context, remaining.looking)));
        self.b.def_var(self.counts.fuel, budget);
        self.begin_position();
        self.position.is_looking = true;
        let by_interpreter = secretly;
        let any = self.note_as(
            kind,
            NotedSite {
                by_interpreter,
                ..of
            },
        );
        self.position.is_looking = false;
        self.count_and_refuse();
        let left = self.b.use_var(self.counts.fuel);
        self.set_part(left, at(offset_of!(Context, remaining.looking)));
        self.b.def_var(self.counts.fuel, of_move);
        let after = self.b.create_block();
        self.jump(after, &[]);
        self.b.switch_to_block(secretly);
        self.b.def_var(self.counts.fuel, of_move);
        self.jump(of.by_interpreter, &[]);
        self.b.switch_to_block(after);
        any
    }

    fn note_as(&mut self, kind: RecordingKind, of: NotedSite<'_>) -> Option<Value> {
        let site = of.site;
        Some(match kind {
            RecordingKind::Members(_) => {
                self.counts.work += 1;
                let members = self.members(only_mask(site)?)?;
                self.note_all(members);
                self.any(members)
            }
            RecordingKind::Options => {
                let (open, proper) = self.open_options(site);
                match site.options.iter().all(is_always_open) {
                    true => {
                        let all = self.long(site.options.len() as u64);
                        self.note_counted(open, all);
                    }
                    false => self.note_all(open),
                }
                self.any(proper)
            }
            RecordingKind::Rows => self.note_rows(of)?,
            RecordingKind::Elsewhere => {
                self.call_helper(helper::clear_menu as *const u8, &[], None);
                let any = self.note(of, Into::Menu)?;
                let flag = self.b.ins().uextend(types::I32, any);
                self.call_helper(helper::end_menu as *const u8, &[flag], None);
                any
            }
        })
    }

    /// Records these choices.
    fn note_all(&mut self, bits: MaskBits) {
        let count = self.count_of(bits);
        let count = self.b.ins().uextend(types::I64, count);
        self.note_counted(bits, count);
    }

    /// Records these choices with their number.
    fn note_counted(&mut self, bits: MaskBits, count: Value) {
        self.set_bits(bits);
        self.set_part(count, at(offset_of!(Context, rest.choices)));
    }

    pub fn set_bits(&mut self, bits: MaskBits) {
        self.set_part(bits.low, at(offset_of!(Context, members.low)));
        let zero = self.long(0);
        let high = bits.high.unwrap_or(zero);
        self.set_part(high, at(offset_of!(Context, members.high)));
    }

    /// Records the choices in rows of the context. The interpreter, if it is called in between, knows that nothing
    /// changes meanwhile.
    fn note_rows(&mut self, of: NotedSite<'_>) -> Option<Value> {
        let [before, looking] = self.blocks();
        self.count();
        self.jump(before, &[]);
        self.b.switch_to_block(looking);
        let first = self.part(types::I64, at(offset_of!(Context, rest.rows.first)));
        self.set_part(first, at(offset_of!(Context, rest.rows.next)));
        let listed = self.part(types::I64, at(offset_of!(Context, rest.listed.first)));
        self.set_part(listed, at(offset_of!(Context, rest.listed.next)));
        let none = self.long(0);
        self.set_part(none, at(offset_of!(Context, rest.choices)));
        let asks = self.notes.asks;
        let any = self.note(of, Into::Rows);
        let asks = self.notes.asks > asks;
        if asks {
            self.call_helper(helper::end_looking as *const u8, &[], None);
        }
        let after = self.b.create_block();
        self.count();
        self.jump(after, &[]);
        self.b.switch_to_block(before);
        if asks {
            self.call_helper(helper::begin_looking as *const u8, &[], None);
        }
        self.jump(looking, &[]);
        self.b.switch_to_block(after);
        any
    }

    /// Emits the options whose conditions hold, and those of them other than to decline.
    fn open_options(&mut self, site: &Site) -> (MaskBits, MaskBits) {
        let mut open = self.long(0);
        for (number, option) in site.options.iter().enumerate() {
            self.counts.work += 1;
            let flag = self.all_hold(option.conditions.iter());
            let bit = self.b.ins().uextend(types::I64, flag);
            let bit = self.b.ins().ishl_imm_u(bit, number as i64);
            open = self.b.ins().bor(open, bit);
        }
        let proper = (1u128 << site.proper_options().len()) - 1;
        let proper = self.long(proper as u64);
        let of = |low| MaskBits { low, high: None };
        let proper = self.b.ins().band(open, proper);
        (of(open), of(proper))
    }

    pub fn all_hold<'c>(&mut self, conditions: impl Iterator<Item = &'c Condition>) -> Value {
        self.all_true(conditions.map(|condition| condition.test))
    }

    pub fn all_true(&mut self, tests: impl Iterator<Item = ExprId>) -> Value {
        let mut all = None;
        for test in tests {
            let holds = self.truth(test);
            all = Some(match all {
                Some(all) => self.b.ins().band(all, holds),
                None => holds,
            });
        }
        all.unwrap_or_else(|| self.b.ins().iconst(types::I8, 1))
    }

    /// Comes to rest; `noted`: with all choices in the context.
    fn wait(&mut self, place: Address, site: SiteId, seat: Value, noted: bool) {
        let one = self.int(1);
        let owing = self.b.ins().ishl(one, seat);
        self.set_state_word(header::OWING, owing);
        let number = self.int(i32::from(site));
        self.set_state_word(header::SITE, number);
        if noted {
            self.set_part(number, at(offset_of!(Context, rest.site)));
        }
        let open = self.int(0);
        self.set_state_word(header::SECRET, open);
        self.go_on_after(place);
        self.rest();
    }
}

fn is_always_open(option: &SiteOption) -> bool {
    option.conditions.is_empty()
}
