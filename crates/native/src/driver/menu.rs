//! Choices as machine code records them: bits, and rows of bits if names depend on each other.

use crate::choices::kind::RecordingKind;
use crate::choices::select::Select;
use crate::memory::context::Context;
use crate::memory::row::{BITS, ChoiceRow, LISTED, PREFIX_MAX};
use wyrmgate_engine::eval::members;
use wyrmgate_program::Bits;

/// The number of rows from which on a choice is looked for by halves.
const FEW_ROWS: usize = 16;

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

/// Returns choice `number` of those in rows, some of which list members.
pub(crate) fn in_rows(
    rows: &[ChoiceRow],
    listed: &[i32],
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
    let value = match row.form {
        BITS => row
            .first
            .wrapping_add(nth(row.low, row.high, number, select) as i32),
        _ => row.member(listed, number)?,
    };
    Some(TakenChoice {
        option: row.option as usize,
        names: row.names,
        value,
    })
}

/// Returns the members of set bits, the lowest first.
pub(crate) fn members_of([low, high]: [u64; 2], first: i32) -> impl Iterator<Item = i32> {
    members(first, Bits::from(high) << u64::BITS | Bits::from(low))
}

impl ChoiceRow {
    /// Returns the row with the address of its listed members moved by this many bytes.
    pub fn moved_by(mut self, bytes: u64) -> ChoiceRow {
        if self.form == LISTED {
            self.low = self.low.wrapping_add(bytes);
        }
        self
    }

    /// Visits the choices of a row, as many as there are, whose option has this many names.
    pub fn each_choice(
        &self,
        names: usize,
        count: u64,
        listed: &[i32],
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
        let with = |value: i32| {
            if let Some(last) = values.get_mut(before) {
                *last = value;
            }
            visit(option, values.get(..names).unwrap_or_default());
        };
        match self.form {
            BITS => members_of([self.low, self.high], self.first).for_each(with),
            _ => (0..count)
                .map_while(|number| self.member(listed, number))
                .for_each(with),
        }
    }

    /// Returns a member of the list of a row by its number. `listed`: the lists of all rows.
    pub fn member(&self, listed: &[i32], number: u64) -> Option<i32> {
        let begin = listed.as_ptr() as u64;
        let first = self.low.checked_sub(begin)? / size_of::<i32>() as u64;
        listed.get((first + number) as usize).copied()
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
        RecordingKind::Options => {
            let drawn = (1..count).filter(|number| draw(number + 1) == 0);
            drawn.last().unwrap_or(0)
        }
        RecordingKind::Rows => {
            let (mut kept, mut before) = (0, 0);
            for row in rows {
                let number = if row.end == 1 { 0 } else { draw(row.end) };
                if number < row.end - before {
                    kept = before + number;
                }
                before = row.end;
            }
            kept
        }
    }
}
