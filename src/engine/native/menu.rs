//! Choices as machine code notes them: bits, and rows of bits where names depend on each other.

use super::code::{Code, Entry};
use super::context::Context;
use super::select::Select;
use crate::engine::choices::{draw_one_by_one, has_no_names, only_mask};
use crate::engine::frame::FRAME_HEADER;
use crate::program::{BinderInfo, BinderSize, Local, Program, Site, SiteOption};

/// Names before the last one that a row has room for.
pub(super) const PREFIX_MAX: usize = 3;

/// Rows there is room for; code gives up when there are more.
pub(super) const ROWS_MAX: usize = 8_192;

/// Choices that have an option and all names but the last one in common.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    /// How many choices there are up to the end of this row.
    pub end: u64,
    /// The members that the last name can stand for.
    pub low: u64,
    pub high: u64,
    /// The member of the lowest bit.
    pub first: i32,
    pub option: u32,
    /// The names before.
    pub names: [i32; PREFIX_MAX],
    /// 1 where the row after it belongs to the same group of choices.
    pub joins: u32,
}

/// What is known of a site for whoever takes one of its choices.
pub(super) struct Shape {
    pub kind: Kind,
    pub targets: Vec<Target>,
}

/// In what form machine code notes choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// In the menu of the runner.
    Listed,
    /// Members of the only name, from this one on: bits of the context.
    Members(i32),
    /// Options without names: bits of the context.
    Options,
    Rows,
}

/// Where an option leads.
pub(super) struct Target {
    pub address: u32,
    pub entry: Option<Entry>,
    /// Where in the frame the values of its names go.
    pub slots: Vec<usize>,
}

/// In what form the choices of a site are noted.
pub(super) fn kind_of(program: &Program, site: &Site) -> Kind {
    if let Some(mask) = only_mask(site) {
        let mask = program.masks.get(mask as usize);
        return mask.map_or(Kind::Listed, |mask| Kind::Members(mask.domain.first));
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
        false => Kind::Listed,
    }
}

impl Shape {
    pub fn of(program: &Program, site: &Site, code: &Code) -> Shape {
        let slot = |local: Local| FRAME_HEADER + usize::from(local);
        let targets = site.options.iter().map(|option| Target {
            address: option.target,
            entry: code.entries.get(option.target as usize).copied().flatten(),
            slots: option.binders.iter().map(|name| slot(name.local)).collect(),
        });
        Shape {
            kind: kind_of(program, site),
            targets: targets.collect(),
        }
    }
}

/// A choice: the option, the names before the last one, and the value of that.
pub(super) struct Taken {
    pub option: usize,
    pub names: [i32; PREFIX_MAX],
    pub value: i32,
}

impl Context {
    /// Choice `number` of those noted here as bits, of less than their count.
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
                option: select(self.low, number as u32) as usize,
                names,
                value: 0,
            },
            Kind::Rows | Kind::Listed => return None,
        })
    }
}

/// Choice `number` of those in rows.
pub(super) fn in_rows(rows: &[Row], number: u64, select: Select) -> Option<Taken> {
    let at = rows.partition_point(|row| row.end <= number);
    let (before, rest) = rows.split_at_checked(at)?;
    let row = rest.first()?;
    let before = before.last().map_or(0, |row| row.end);
    let bit = nth(row.low, row.high, number - before, select);
    Some(Taken {
        option: row.option as usize,
        names: row.names,
        value: row.first.wrapping_add(bit as i32),
    })
}

#[inline]
fn nth(low: u64, high: u64, number: u64, select: Select) -> u32 {
    if high == 0 {
        return select(low, number as u32);
    }
    let in_low = u64::from(low.count_ones());
    match number.checked_sub(in_low) {
        Some(number) => u64::BITS + select(high, number as u32),
        None => select(low, number as u32),
    }
}

/// The number of a choice, drawn as [`crate::engine::choices::Menu::draw`] does.
pub(super) fn draw(rows: &[Row], kind: Kind, count: u64, draw: &mut dyn FnMut(u64) -> u64) -> u64 {
    match kind {
        Kind::Members(_) if count < 2 => 0,
        Kind::Members(_) | Kind::Listed => draw(count),
        Kind::Options => draw_one_by_one(count, draw),
        Kind::Rows => {
            let (mut kept, mut before) = (0, 0);
            // What is drawn from is a group, which ends with the row that nothing joins.
            for row in rows.iter().filter(|row| row.joins == 0) {
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
