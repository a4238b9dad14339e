//! Choices as machine code records them: bits, and rows of bits if names depend on each other.

use crate::choices::select::Select;
use crate::driver::context::Context;
use crate::function::code::{Code, Entry};
use wyrmgate_engine::choices::{draw_one_by_one, has_no_names, only_mask};
use wyrmgate_engine::frame::FRAME_HEADER;
use wyrmgate_engine::state::State;
use wyrmgate_program::{BinderInfo, BinderSize, Local, Program, Site, SiteOption};

/// The maximum number of names before the last one in a row.
pub(crate) const PREFIX_MAX: usize = 4;

/// The capacity for rows; code gives up when there are more.
pub(crate) const ROWS_MAX: usize = 2_048;

/// The number of rows from which on a choice is looked for by halves.
const FEW_ROWS: usize = 16;

/// The capacity for members that rows list.
pub(crate) const LISTED_MAX: usize = 8_192;

/// Choices with the same option and the same names except the last.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Row {
    /// The number of choices up to the end of this row.
    pub end: u64,
    /// The possible values of the last name. If they are listed, `low` is the address of the first one.
    pub low: u64,
    pub high: u64,
    /// The member of the lowest bit, or the zone whose contents are the members.
    pub first: i32,
    pub option: u32,
    /// The first names.
    pub names: [i32; PREFIX_MAX],
    /// Where the members are: one of the following.
    pub form: i32,
    /// The number of values of the name before the last one, if these are listed.
    pub times: u32,
}

/// Forms of a row: its bits, members in a list, and all contents of a zone, which are found when one is taken.
pub(crate) const BITS: i32 = 0;
pub(crate) const LISTED: i32 = 1;
pub(crate) const ZONE: i32 = 2;
/// The values of the last two names are listed: those of the last one at `low`, those of the one before at `high`, whose
/// place among the first names is `first`.
pub(crate) const PAIRS: i32 = 3;

/// The members to which rows refer: those in lists, and those of zones at this rest.
#[derive(Clone, Copy)]
pub(crate) struct Members<'a> {
    pub listed: &'a [i32],
    pub state: &'a State,
}

/// Facts about a site that are needed to take a choice.
pub(crate) struct Shape {
    pub kind: Kind,
    pub targets: Vec<Target>,
    /// Continues with a choice, by the position of its bit if choices are bits, and by its number in rows: there is one row then.
    pub taking: Option<Entry>,
    /// Records the choices of one of several seats that decide.
    pub look: Option<Entry>,
}

/// The form in which machine code records choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// In the choice set of the runner, not in the context.
    Elsewhere,
    /// Members of the only name, from this one on, as bits of the context.
    Members(i32),
    /// Options without names, as bits of the context.
    Options,
    Rows,
}

/// The target of an option.
pub(crate) struct Target {
    pub entry: Option<Entry>,
    /// The slots for the values of its names.
    pub slots: Vec<usize>,
}

/// Returns whether the last name of an option has a row of bits. Otherwise each row is one choice: the option itself.
pub(crate) fn ends_in_bits(option: &SiteOption) -> bool {
    !option.binders.is_empty()
}

/// Returns the form in which the choices of a site are recorded.
pub(crate) fn kind_of(program: &Program, site: &Site) -> Kind {
    if !site.is_plain() {
        return Kind::Elsewhere;
    }
    if let Some(mask) = only_mask(site) {
        let mask = program.masks.get(mask as usize);
        return mask.map_or(Kind::Elsewhere, |mask| Kind::Members(mask.domain.first));
    }
    if has_no_names(site) && site.options.len() <= u64::BITS as usize {
        return Kind::Options;
    }
    let fits = |option: &SiteOption| {
        let names = option.binders.len();
        let of_one = |name: &BinderInfo| name.count == BinderSize::One;
        names <= PREFIX_MAX + 1 && option.binders.iter().all(of_one)
    };
    match site.options.iter().all(fits) {
        true => Kind::Rows,
        false => Kind::Elsewhere,
    }
}

impl Shape {
    pub fn of(program: &Program, number: usize, site: &Site, code: &Code) -> Shape {
        let slot = |local: Local| FRAME_HEADER + usize::from(local);
        let targets = site.options.iter().map(|option| Target {
            entry: code.entries.get(option.target as usize).copied().flatten(),
            slots: option.binders.iter().map(|name| slot(name.local)).collect(),
        });
        Shape {
            kind: kind_of(program, site),
            targets: targets.collect(),
            taking: code.takings.get(number).copied().flatten(),
            look: code.looks.get(number).copied().flatten(),
        }
    }
}

/// A choice: the option, the first names, and the value of the last one.
pub(crate) struct Taken {
    pub option: usize,
    pub names: [i32; PREFIX_MAX],
    pub value: i32,
}

impl Context {
    /// Returns choice `number`, below the count, of those recorded as bits.
    #[inline]
    pub fn choice(&self, kind: Kind, number: u64, select: Select) -> Option<Taken> {
        let names = [0; PREFIX_MAX];
        Some(match kind {
            Kind::Members(first) => Taken {
                option: 0,
                names,
                value: first.wrapping_add(nth(self.low, self.high, number, select) as i32),
            },
            Kind::Options => Taken {
                option: select.nth(self.low, number as u32) as usize,
                names,
                value: 0,
            },
            Kind::Rows | Kind::Elsewhere => return None,
        })
    }
}

/// Returns choice `number` of those in rows.
pub(crate) fn in_rows(
    rows: &[Row],
    members: Members<'_>,
    number: u64,
    select: Select,
) -> Option<Taken> {
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
        return Some(Taken {
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
    Some(Taken {
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

impl Row {
    /// Returns the row with the place of its listed members counted from the first listed member of all.
    pub fn counted_from(mut self, first: u64) -> Row {
        if matches!(self.form, LISTED | PAIRS) {
            self.low = self.low.wrapping_sub(first);
        }
        if self.form == PAIRS {
            self.high = self.high.wrapping_sub(first);
        }
        self
    }

    /// Returns the row with the address of its listed members; the opposite of [`Row::counted_from`].
    pub fn lying_at(mut self, first: u64) -> Row {
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
        (names, count): (usize, u64),
        members: Members<'_>,
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
    pub fn member(&self, members: Members<'_>, number: u64) -> Option<i32> {
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

/// Returns the number of a choice, drawn like [`wyrmgate_engine::choices::Menu::draw`].
pub(crate) fn draw(rows: &[Row], kind: Kind, count: u64, draw: &mut dyn FnMut(u64) -> u64) -> u64 {
    match kind {
        Kind::Members(_) if count < 2 => 0,
        Kind::Members(_) | Kind::Elsewhere => draw(count),
        Kind::Options => draw_one_by_one(count, draw),
        Kind::Rows => {
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
