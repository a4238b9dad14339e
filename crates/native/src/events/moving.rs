//! Moves of components as inline code, into zones that have room and are neither inside a component nor an open grid. A
//! helper handles the other zones. In a what-if, the old values of the words that change are noted.

use crate::events::move_helper;
use crate::memory::moves::how_to_move;
use crate::memory::moves::{FACE_DOWN, FIRST};
use crate::translator::emit::{PLACES, Translator, offset};
use crate::translator::known::ScalarValue;
use crate::what_if::undo::MoveLog;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};

use wyrmgate_engine::layout::{self, COUNT, LAST, NEXT, PREVIOUS, ZONE, ZONE_WORDS, header};
use wyrmgate_program::{ComponentDraw, ComponentMove, MoveOfAll, MovePlace, NONE};

/// One direction of a zone's linked list: the words for the near and far ends, and the links in that direction and back,
/// as offsets in bytes.
#[derive(Clone, Copy)]
struct LinkDirection {
    end: i32,
    link: i32,
}

impl LinkDirection {
    fn first() -> LinkDirection {
        LinkDirection {
            end: offset(layout::FIRST),
            link: offset(PREVIOUS),
        }
    }

    fn last() -> LinkDirection {
        LinkDirection {
            end: offset(LAST),
            link: offset(NEXT),
        }
    }
}

impl Translator<'_> {
    pub fn move_one(&mut self, wanted: ComponentMove) -> Option<()> {
        let how = how_to_move(wanted.place, wanted.face_down)?;
        let (what, to) = (self.word_of(wanted.what), self.word_of(wanted.to));
        self.shift(what, to, how);
        Some(())
    }

    pub fn move_all(&mut self, wanted: MoveOfAll) -> Option<()> {
        let how = how_to_move(wanted.place, wanted.face_down)?;
        let number = self.open_buffer();
        let count = self.gather_list(wanted.what, number);
        let to = self.word_of(wanted.to);
        self.close_buffer();
        if self.shifts_in_place() {
            let (first, end) = self.ends_of(number, count);
            self.each_value(first, end, &[], &[], &mut |t, what, _| {
                t.shift(what, to, how);
                (Vec::new(), None)
            });
            self.count_and_refuse();
            return Some(());
        }
        let any = self.is(IntCC::NotEqual, count, 0);
        self.run_if(any, |t| {
            t.spend(count);
            let how = t.how_to_undo(how);
            let (number, how) = (t.int(number as i32), t.int(how as i32));
            let arguments = [number, count, to, how];
            t.call_helper(move_helper::shift_all as *const u8, &arguments, None);
        });
        Some(())
    }

    pub fn draw(&mut self, wanted: ComponentDraw) -> Option<()> {
        let how = how_to_move(MovePlace::Top, wanted.face_down)?;
        let count = self.value(wanted.count);
        let [from, to] = [wanted.from, wanted.to].map(|of| self.word_of(of));
        if let ScalarValue::Known(1) = count
            && self.shifts_in_place()
        {
            self.counts.work += 1;
            let zones = self.layout.zones;
            let top = self.strided(from, zones, header::LEN + LAST, ZONE_WORDS, NONE);
            let top = self.word(top);
            self.shift(top, to, how);
            return Some(());
        }
        let count = self.word(count);
        let how = self.int(how as i32);
        let arguments = [count, from, to, how];
        self.call_helper(move_helper::draw as *const u8, &arguments, None);
        Some(())
    }

    /// Returns whether moves can be inline code here.
    fn shifts_in_place(&self) -> bool {
        let mut room = self.facts.room.iter();
        !self.layout.has_cells() && room.any(|room| *room > 0)
    }

    /// Moves a component to the first or last place of a zone.
    fn shift(&mut self, what: Value, to: Value, how: u32) {
        let [slow, after] = self.blocks();
        self.count();
        match self.shifts_in_place() {
            true => self.shift_in_place(what, to, how, slow, after),
            false => self.jump(slow, &[]),
        }
        self.b.switch_to_block(slow);
        if self.shifts_in_place() {
            self.b.set_cold_block(slow);
        }
        let how = self.how_to_undo(how);
        let how = self.int(how as i32);
        self.call_helper(move_helper::shift as *const u8, &[what, to, how], None);
        self.jump(after, &[]);
        self.b.switch_to_block(after);
    }

    fn shift_in_place(&mut self, what: Value, to: Value, how: u32, slow: Block, after: Block) {
        let (components, zones) = (self.layout.components as i64, self.layout.zones as i64);
        let is_one = self.is(IntCC::UnsignedLessThan, what, components);
        let is_zone = self.is(IntCC::UnsignedLessThan, to, zones);
        let both = self.b.ins().band(is_one, is_zone);
        let known = self.b.create_block();
        self.branch(both, known, after);
        self.b.switch_to_block(known);
        if self.facts.room.iter().any(|room| *room < i32::MAX) {
            let room = self.pointer(self.facts.room.as_ptr());
            let room = self.place(room, to);
            let room = self.load(types::I32, room, 0);
            let zone = self.zone_place(to);
            let count = self.load(types::I32, zone, offset(COUNT));
            let fits = self.b.ins().icmp(IntCC::SignedLessThan, count, room);
            let is_open = self.b.create_block();
            self.branch(fits, is_open, slow);
            self.b.switch_to_block(is_open);
        }
        let row = self.row_place(what);
        let from = self.load(types::I32, row, offset(ZONE));
        // Its zone exists; otherwise there would be no word to change.
        let lies = self.is(IntCC::UnsignedLessThan, from, zones);
        let unlink = self.b.create_block();
        self.branch(lies, unlink, slow);
        self.b.switch_to_block(unlink);
        let mut log = self.begin_log();
        self.unlink(row, from, &mut log);
        self.link(what, row, to, how, &mut log);
        self.end_log(log);
        self.count_change(PLACES);
        self.counts.new_events += 1;
        self.count();
        self.jump(after, &[]);
    }

    pub fn row_place(&mut self, component: Value) -> Value {
        self.place_in_table(component, self.layout.components_at, self.layout.row)
    }

    fn zone_place(&mut self, zone: Value) -> Value {
        self.place_in_table(zone, header::LEN, ZONE_WORDS)
    }

    /// Emits the address of row `number` of a table that begins at this word of the state.
    fn place_in_table(&mut self, number: Value, first: usize, row: usize) -> Value {
        let number = self.b.ins().uextend(types::I64, number);
        let bytes = self.b.ins().imul_imm_s(number, i64::from(offset(row)));
        let place = self.b.ins().iadd(self.words, bytes);
        self.b.ins().iadd_imm_s(place, i64::from(offset(first)))
    }

    /// Emits the address of a link of a component or, for NONE, of the end of a zone. The row of NONE is nowhere, and is
    /// not used.
    fn link_of(&mut self, component: Value, link: i32, zone: Value, end: i32) -> Value {
        let components = self.layout.components as i64;
        let is_one = self.is(IntCC::UnsignedLessThan, component, components);
        let row = self.row_place(component);
        let link = self.b.ins().iadd_imm_s(row, i64::from(link));
        let end = self.b.ins().iadd_imm_s(zone, i64::from(end));
        self.b.ins().select(is_one, link, end)
    }

    fn unlink(&mut self, row: Value, zone: Value, log: &mut Option<MoveLog>) {
        let zone = self.zone_place(zone);
        let next = self.load(types::I32, row, offset(NEXT));
        let previous = self.load(types::I32, row, offset(PREVIOUS));
        let (first, last) = (LinkDirection::first(), LinkDirection::last());
        let before = self.link_of(previous, last.link, zone, first.end);
        self.change(next, before, 0, log);
        let after = self.link_of(next, first.link, zone, last.end);
        self.change(previous, after, 0, log);
        self.count_in_zone(zone, -1, log);
    }

    /// Links a component to the first or last place of a zone.
    fn link(&mut self, what: Value, row: Value, to: Value, how: u32, log: &mut Option<MoveLog>) {
        let (far, near) = match how & FIRST {
            0 => (LinkDirection::first(), LinkDirection::last()),
            _ => (LinkDirection::last(), LinkDirection::first()),
        };
        let flags = match how & FACE_DOWN {
            0 => 0,
            _ => layout::FACE_DOWN,
        };
        let zone = self.zone_place(to);
        let neighbor = self.load(types::I32, zone, near.end);
        let place = self.link_of(neighbor, near.link, zone, far.end);
        self.change(what, place, 0, log);
        self.change(what, zone, near.end, log);
        let (none, flags) = (self.int(NONE), self.int(flags));
        self.change(to, row, offset(ZONE), log);
        self.change(none, row, near.link, log);
        self.change(neighbor, row, far.link, log);
        self.change(flags, row, offset(layout::FLAGS), log);
        self.count_in_zone(zone, 1, log);
    }

    fn count_in_zone(&mut self, zone: Value, by: i64, log: &mut Option<MoveLog>) {
        let count = self.load(types::I32, zone, offset(COUNT));
        let count = self.b.ins().iadd_imm_s(count, by);
        self.change(count, zone, offset(COUNT), log);
    }
}
