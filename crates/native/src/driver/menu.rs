//! Choices as machine code records them: bits, and rows of bits if names depend on each other.

use crate::choices::kind::RecordingKind;
use crate::choices::select::Select;
use crate::memory::context::Context;
use crate::memory::row::{BITS, ChoiceRow, LISTED, PAIRS, PREFIX_MAX, ZONE};
use wyrmgate_engine::choices::draw_one_by_one;
use wyrmgate_engine::state::State;

/// The number of rows from which on a choice is looked for by halves.
const FEW_ROWS: usize = 16;

/// The members to which rows refer: those in lists, and those of zones at this rest.
#[derive(Clone, Copy)]
pub(crate) struct RowMembers<'a> {
    pub listed: &'a [i32],
    pub state: &'a State,
}

/// A choice: the option, the first names, and the value of the last one.
pub(crate) struct TakenChoice {
    pub option: usize,
    pub names: [i32; PREFIX_MAX],
    pub value: i32,
}

impl Context {
    /// Returns choice `number`, below the count, of those recorded as bits.
    #[inline]
    pub fn choice(&self, kind: RecordingKind, number: u64, select: Select) -> Option<TakenChoice> {
        let names = [0; PREFIX_MAX];
        Some(match kind {
            RecordingKind::Members(first) => TakenChoice {
                option: 0,
                names,
                value: first
                    .wrapping_add(nth(self.members.low, self.members.high, number, select) as i32),
            },
            RecordingKind::Options => TakenChoice {
                option: select.nth(self.members.low, number as u32) as usize,
                names,
                value: 0,
            },
            RecordingKind::Rows | RecordingKind::Elsewhere => return None,
        })
    }
}

/// Returns choice `number` of those in rows.
pub(crate) fn in_rows(
    rows: &[ChoiceRow],
    members: RowMembers<'_>,
    number: u64,
    select: Select,
) -> Option<TakenChoice> {
    let place = match rows.len() {
        0..FEW_ROWS => rows.iter().position(|row| number < row.end)?,
        _ => rows.partition_point(|row| row.end <= number),
    };
    let before = place.checked_sub(1).and_then(|before| rows.get(before));
    let (row, before) = (rows.get(place)?, before.map_or(0, |row| row.end));
    let number = number - before;
    if row.form == PAIRS {
        let of_each = ((row.end - before) / row.times()).max(1);
        let single = row.single(number / of_each, before, members)?;
        return Some(TakenChoice {
            option: row.option as usize,
            names: single.names,
            value: row.member(members, number % of_each)?,
        });
    }
    let value = match row.form {
        BITS => row
            .first
            .wrapping_add(nth(row.low, row.high, number, select) as i32),
        _ => row.member(members, number)?,
    };
    Some(TakenChoice {
        option: row.option as usize,
        names: row.names,
        value,
    })
}

/// Visits the members of set bits, the lowest first.
pub(crate) fn each_bit([low, high]: [u64; 2], first: i32, visit: &mut dyn FnMut(i32)) {
    for (mut bits, offset) in [(low, 0), (high, u64::BITS)] {
        while bits != 0 {
            visit(first.wrapping_add((bits.trailing_zeros() + offset) as i32));
            bits &= bits - 1;
        }
    }
}

impl ChoiceRow {
    /// Returns the row with the place of its listed members counted from the first listed member of all.
    pub fn counted_from(mut self, first: u64) -> ChoiceRow {
        if matches!(self.form, LISTED | PAIRS) {
            self.low = self.low.wrapping_sub(first);
        }
        if self.form == PAIRS {
            self.high = self.high.wrapping_sub(first);
        }
        self
    }

    /// Returns the row with the address of its listed members; the opposite of [`ChoiceRow::counted_from`].
    pub fn lying_at(mut self, first: u64) -> ChoiceRow {
        if matches!(self.form, LISTED | PAIRS) {
            self.low = self.low.wrapping_add(first);
        }
        if self.form == PAIRS {
            self.high = self.high.wrapping_add(first);
        }
        self
    }

    /// Visits the choices of a row, as many as there are, whose option has this many names.
    pub fn each_choice(
        &self,
        names: usize,
        count: u64,
        members: RowMembers<'_>,
        visit: &mut dyn FnMut(u16, &[i32]),
    ) {
        let option = self.option as u16;
        let Some(before) = names.checked_sub(1) else {
            return visit(option, &[]);
        };
        let mut values = [0; PREFIX_MAX + 1];
        if let Some((to, from)) = values.get_mut(..before).zip(self.names.get(..before)) {
            to.copy_from_slice(from);
        }
        let mut with = |value: i32| {
            if let Some(last) = values.get_mut(before) {
                *last = value;
            }
            visit(option, values.get(..names).unwrap_or_default());
        };
        match self.form {
            BITS => each_bit([self.low, self.high], self.first, &mut with),
            ZONE => members.state.members(self.first).for_each(with),
            _ => (0..count)
                .map_while(|number| self.member(members, number))
                .for_each(with),
        }
    }

    /// Returns a member that is listed or lies in a zone, by its number.
    pub fn member(&self, members: RowMembers<'_>, number: u64) -> Option<i32> {
        if self.form == ZONE {
            return members.state.members(self.first).nth(number as usize);
        }
        members.listed_at(self.low, number)
    }
}

/// Returns the position of the set bit with this rank, of two halves.
#[inline]
pub(crate) fn nth(low: u64, high: u64, number: u64, select: Select) -> u32 {
    if high == 0 {
        return select.nth(low, number as u32);
    }
    match number.checked_sub(select.count(low)) {
        Some(number) => u64::BITS + select.nth(high, number as u32),
        None => select.nth(low, number as u32),
    }
}

/// Returns the number of a choice, drawn like [`wyrmgate_engine::choices::ChoiceMenu::draw`].
pub(crate) fn draw(
    rows: &[ChoiceRow],
    kind: RecordingKind,
    count: u64,
    draw: &mut dyn FnMut(u64) -> u64,
) -> u64 {
    match kind {
        RecordingKind::Members(_) if count < 2 => 0,
        RecordingKind::Members(_) | RecordingKind::Elsewhere => draw(count),
        RecordingKind::Options => draw_one_by_one(count, draw),
        RecordingKind::Rows => {
            let (mut kept, mut before) = (0, 0);
            for row in rows {
                let of_each = (row.end - before) / row.times();
                for _ in 0..row.times() {
                    let end = before + of_each;
                    let number = if end == 1 { 0 } else { draw(end) };
                    if number < of_each {
                        kept = before + number;
                    }
                    before = end;
                }
            }
            kept
        }
    }
}
