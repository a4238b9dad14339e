//! Look-ups: words, tables, zones and components by key, kinds of components and zones.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::translator::emit::{Translator, offset};
use crate::translator::known::ScalarValue;
use wyrmgate_engine::frame::FRAME_HEADER;
use wyrmgate_engine::layout::{FACE_DOWN, FLAGS, PREVIOUS};
use wyrmgate_program::{
    ExprId, FamilyId, KeyInfo, Local, LocalByIndex, NONE, SEATS_MAX, TableId, TableLookUp,
    WordByIndex,
};

impl Translator<'_> {
    pub fn local(&mut self, local: Local) -> Option<ScalarValue> {
        if u32::from(local) >= self.flow.effect.slots {
            return None;
        }
        Some(ScalarValue::Word(self.local_word(local)))
    }

    pub fn variable(&mut self, word: u32) -> Option<ScalarValue> {
        if word as usize >= self.layout.vars {
            return None;
        }
        let at = self.layout.vars_at + word as usize;
        Some(ScalarValue::Word(self.state_word(at)))
    }

    pub fn word_at(&mut self, word: WordByIndex) -> Option<ScalarValue> {
        let (first, low, len, default) = (word.offset, word.low, word.len, word.default);
        if first as usize + len as usize > self.layout.vars || len == 0 {
            return None;
        }
        let at = self.layout.vars_at + first as usize;
        let index = match self.known.written {
            Some((written, value)) if written == word.index => value,
            _ => self.value(word.index),
        };
        if let ScalarValue::Known(index) = index {
            let index = i64::from(index) - i64::from(low);
            return Some(match u32::try_from(index) {
                Ok(index) if index < len => ScalarValue::Word(self.state_word(at + index as usize)),
                _ => ScalarValue::Known(default),
            });
        }
        let index = self.word(index);
        let base = self.b.ins().iadd_imm_s(self.words, i64::from(offset(at)));
        Some(self.entry(base, index, low, len, default))
    }

    /// Emits entry `index - low` of a run of `len` words, at least one; the default outside.
    pub fn entry(
        &mut self,
        base: Value,
        index: Value,
        low: i32,
        len: u32,
        default: i32,
    ) -> ScalarValue {
        let is_inside = self.is_within(index, low, len);
        let index = match low {
            0 => index,
            low => self.b.ins().iadd_imm_s(index, -i64::from(low)),
        };
        if is_inside {
            let place = self.place(base, index);
            return ScalarValue::Word(self.load(types::I32, place, 0));
        }
        let inside = self.is(IntCC::UnsignedLessThan, index, i64::from(len));
        let zero = self.int(0);
        let safe = self.b.ins().select(inside, index, zero);
        let place = self.place(base, safe);
        let found = self.load(types::I32, place, 0);
        let default = self.int(default);
        ScalarValue::Word(self.b.ins().select(inside, found, default))
    }

    pub fn table(&mut self, look_up: TableLookUp) -> Option<ScalarValue> {
        let (low, default) = (look_up.low, look_up.default);
        let values = self.program.tables.get(look_up.table as usize)?;
        let len = u32::try_from(values.len()).ok()?;
        if len == 0 {
            return None;
        }
        let index = self.value(look_up.index);
        if let ScalarValue::Known(index) = index {
            let index = usize::try_from(i64::from(index) - i64::from(low)).ok();
            let found = index.and_then(|index| values.get(index).copied());
            return Some(ScalarValue::Known(found.unwrap_or(default)));
        }
        let index = self.word(index);
        let all_inside = self.is_within(index, low, len);
        let base = self.pointer(values.as_ptr());
        let entry = self.entry(base, index, low, len, default);
        if let ScalarValue::Word(entry) = entry {
            self.note_range(entry, values, (!all_inside).then_some(default));
        }
        Some(entry)
    }

    pub fn local_at(&mut self, local: LocalByIndex) -> Option<ScalarValue> {
        if u32::from(local.base) + SEATS_MAX as u32 > self.flow.effect.slots
            || self.inlining.is_inside()
        {
            return None;
        }
        let seat = self.word_of(local.index);
        let frame = self.frame();
        let first = i64::from(offset(FRAME_HEADER + usize::from(local.base)));
        let base = self.b.ins().iadd_imm_s(frame, first);
        Some(self.entry(base, seat, 0, SEATS_MAX as u32, local.default))
    }

    pub fn zone_at(&mut self, family: FamilyId, keys: ExprId) -> Option<ScalarValue> {
        let family = self.program.family(family)?;
        if family.keys.iter().any(|key| key.positions.is_empty()) {
            return None;
        }
        let mut zone = self.int(match family.places {
            None => i32::from(family.first),
            Some(_) => 0,
        });
        let mut valid: Option<Value> = None;
        for (number, key) in family.keys.iter().enumerate() {
            let value = self.value(keys + number as ExprId);
            let (position, exists) = self.position(key, value);
            let by = self.b.ins().imul_imm_s(position, i64::from(key.stride));
            zone = self.b.ins().iadd(zone, by);
            valid = match (valid, exists) {
                (Some(others), Some(exists)) => Some(self.b.ins().band(others, exists)),
                (one, other) => one.or(other),
            };
        }
        let (first, last) = (family.first, family.first + family.count - 1);
        let (mut first, last) = (i32::from(first), i32::from(last));
        if let Some(valid) = valid {
            let none = self.int(NONE);
            zone = self.b.ins().select(valid, zone, none);
            first = NONE;
        }
        if let Some(places) = family.places {
            // Some combinations of keys have no zone.
            let zones = self.program.tables.get(places as usize)?;
            let base = self.pointer(zones.as_ptr());
            let found = self.entry(base, zone, 0, zones.len() as u32, NONE);
            zone = self.word(found);
            first = NONE;
        }
        self.known.ranges.insert(zone, (first, last));
        Some(ScalarValue::Word(zone))
    }

    /// Emits the position of a value among those of a key, and whether there is one, unless that is certain.
    fn position(&mut self, key: &KeyInfo, value: ScalarValue) -> (Value, Option<Value>) {
        let len = key.positions.len() as u32;
        let known = match value {
            ScalarValue::Known(value) => position_of(key, value),
            _ => None,
        };
        if let Some(position) = known {
            return (self.int(position), None);
        }
        let value = self.word(value);
        // Most keys are all numbers from the first to the last.
        let is_run = (0..).zip(&key.positions).all(|(at, of)| at == *of);
        if is_run {
            let position = self.b.ins().iadd_imm_s(value, -i64::from(key.low));
            let is_within = self.is_within(value, key.low, len);
            let exists =
                (!is_within).then(|| self.is(IntCC::UnsignedLessThan, position, i64::from(len)));
            return (position, exists);
        }
        let base = self.pointer(key.positions.as_ptr());
        let position = self.entry(base, value, key.low, len, NONE);
        let position = self.word(position);
        let exists = self.is(IntCC::SignedGreaterThanOrEqual, position, 0);
        (position, Some(exists))
    }

    pub fn component_at(
        &mut self,
        table: TableId,
        sizes: TableId,
        keys: ExprId,
    ) -> Option<ScalarValue> {
        let sizes = self.program.tables.get(sizes as usize)?;
        let table = self.program.tables.get(table as usize)?;
        let (pairs, _) = sizes.as_chunks::<2>();
        let all = pairs.iter().try_fold(1i64, |all, [_, size]| {
            all.checked_mul(i64::from(*size)).filter(|all| *all > 0)
        })?;
        if all > i64::from(i32::MAX) || table.is_empty() {
            return None;
        }
        let mut number = self.int(0);
        let mut valid = self.b.ins().iconst(types::I8, 1);
        for (key, [low, size]) in pairs.iter().enumerate() {
            let value = self.word_of(keys + key as ExprId);
            let digit = self.b.ins().iadd_imm_s(value, -i64::from(*low));
            if !self.is_within(value, *low, size.unsigned_abs()) {
                let known = self.is(IntCC::UnsignedLessThan, digit, i64::from(*size));
                valid = self.b.ins().band(valid, known);
            }
            number = self.b.ins().imul_imm_s(number, i64::from(*size));
            number = self.b.ins().iadd(number, digit);
        }
        let outside = self.int(-1);
        let number = self.b.ins().select(valid, number, outside);
        let base = self.pointer(table.as_ptr());
        Some(self.entry(base, number, 0, table.len() as u32, NONE))
    }

    /// Emits a word of the row of a component; NONE for NONE.
    pub fn row(&mut self, of: ExprId, word: usize) -> ScalarValue {
        let component = self.word_of(of);
        self.row_of(component, word)
    }

    pub fn row_of(&mut self, component: Value, word: usize) -> ScalarValue {
        let (rows, row) = (self.layout.components_at + word, self.layout.row);
        self.strided(component, self.layout.components, rows, row, NONE)
    }

    /// Emits the place of a component in its zone, from 1; 0 for none. The interpreter counts no work for what lies before it.
    pub fn place_in_zone(&mut self, of: ExprId) -> ScalarValue {
        let component = self.word_of(of);
        let [head, inside, after] = self.blocks();
        let at = self.b.append_block_param(head, types::I32);
        let before = self.b.append_block_param(head, types::I32);
        let place = self.b.append_block_param(after, types::I32);
        let none = self.int(0);
        self.jump(head, &[component.into(), none.into()]);
        self.b.switch_to_block(head);
        let components = self.layout.components as i64;
        let is_one = self.is(IntCC::UnsignedLessThan, at, components);
        let out = [BlockArg::from(before)];
        self.b.ins().brif(is_one, inside, &[], after, &out);
        self.b.switch_to_block(inside);
        let previous = self.row_of(at, PREVIOUS);
        let previous = self.word(previous);
        let counted = self.b.ins().iadd_imm_s(before, 1);
        self.jump(head, &[previous.into(), counted.into()]);
        self.b.switch_to_block(after);
        self.counts.loops += 1;
        ScalarValue::Word(place)
    }

    pub fn zone_word(&mut self, zone: ExprId, word: usize, default: i32) -> ScalarValue {
        let zone = self.word_of(zone);
        let rows = wyrmgate_engine::layout::header::LEN + word;
        let row = wyrmgate_engine::layout::ZONE_WORDS;
        self.strided(zone, self.layout.zones, rows, row, default)
    }

    /// Emits one of `count` words of the state that begin at `first`, `step` words apart.
    pub fn strided(
        &mut self,
        index: Value,
        count: usize,
        first: usize,
        step: usize,
        default: i32,
    ) -> ScalarValue {
        if count == 0 {
            return ScalarValue::Known(default);
        }
        let is_inside = self.is_within(index, 0, count as u32);
        let inside = self.is(IntCC::UnsignedLessThan, index, count as i64);
        let zero = self.int(0);
        let safe = match is_inside {
            true => index,
            false => self.b.ins().select(inside, index, zero),
        };
        let safe = self.b.ins().imul_imm_s(safe, step as i64);
        let place = self.place(self.words, safe);
        if is_inside {
            return ScalarValue::Word(self.load(types::I32, place, offset(first)));
        }
        let found = self.load(types::I32, place, offset(first));
        let default = self.int(default);
        ScalarValue::Word(self.b.ins().select(inside, found, default))
    }

    pub fn zone_in(&mut self, family: FamilyId, zone: ExprId) -> Option<ScalarValue> {
        let family = self.program.family(family)?;
        let (first, count) = (i64::from(family.first), i64::from(family.count));
        let zone = self.word_of(zone);
        let from_first = self.b.ins().iadd_imm_s(zone, -first);
        let inside = self.is(IntCC::UnsignedLessThan, from_first, count);
        let none = self.int(NONE);
        Some(ScalarValue::Word(self.b.ins().select(inside, zone, none)))
    }

    /// Emits a constant fact about a component or zone, of all of which these are the values; NONE for NONE.
    pub fn fact(&mut self, of: ExprId, values: &[i32]) -> ScalarValue {
        let index = self.word_of(of);
        if values.is_empty() {
            return ScalarValue::Known(NONE);
        }
        let base = self.pointer(values.as_ptr());
        let all_inside = self.is_within(index, 0, values.len() as u32);
        let entry = self.entry(base, index, 0, values.len() as u32, NONE);
        if let ScalarValue::Word(entry) = entry {
            self.note_range(entry, values, (!all_inside).then_some(NONE));
        }
        entry
    }

    /// Emits whether a component lies face up (`Equal`) or face down (`NotEqual`). NONE does neither.
    pub fn lies(&mut self, of: ExprId, with_face_down: IntCC) -> ScalarValue {
        let component = self.word_of(of);
        let count = self.layout.components as i64;
        let is_one = self.is(IntCC::UnsignedLessThan, component, count);
        let flags = self.row_of(component, FLAGS);
        let flags = self.word(flags);
        let flags = self.at_least_zero(flags);
        let down = self.b.ins().band_imm_u(flags, i64::from(FACE_DOWN));
        let lies = self.is(with_face_down, down, 0);
        ScalarValue::Flag(self.b.ins().band(lies, is_one))
    }

    /// Emits whether it is one of `count` numbers from `first`, which is not negative.
    pub fn within(&mut self, of: ExprId, first: i32, count: u32) -> ScalarValue {
        let value = self.word_of(of);
        let from_first = self.b.ins().iadd_imm_s(value, -i64::from(first));
        ScalarValue::Flag(self.is(IntCC::UnsignedLessThan, from_first, i64::from(count)))
    }

    pub fn seat_after(&mut self, seat: ExprId, by: i8) -> ScalarValue {
        let seat = self.word_of(seat);
        ScalarValue::Word(self.after(seat, by))
    }

    /// Emits the next or previous seat; NONE for NONE.
    pub fn after(&mut self, seat: Value, by: i8) -> Value {
        let seats = self.layout.seats as i64;
        let is_seat = self.is(IntCC::UnsignedLessThan, seat, seats);
        let after = self.b.ins().iadd_imm_s(seat, i64::from(by));
        // A step by `by` can cross only one end.
        let (compare, end, round) = match by {
            0.. => (IntCC::SignedGreaterThanOrEqual, seats, -seats),
            _ => (IntCC::SignedLessThan, 0, seats),
        };
        let is_beyond = self.is(compare, after, end);
        let round = self.b.ins().iadd_imm_s(after, round);
        let after = self.b.ins().select(is_beyond, round, after);
        let none = self.int(NONE);
        self.b.ins().select(is_seat, after, none)
    }
}

/// Returns the position of a value among those of a key.
fn position_of(key: &KeyInfo, value: i32) -> Option<i32> {
    let at = usize::try_from(value.checked_sub(key.low)?).ok()?;
    let position = key.positions.get(at).copied()?;
    (position >= 0).then_some(position)
}
