//! Takes choices from a choice set: by number, at random, or all of them one after the other.

use smallvec::SmallVec;

use super::{ChoiceMenu, Last, MenuRow};
use crate::choice::{Answer, BoundValue, Choice};
use crate::eval;
use wyrmgate_program::{BinderSize, Bits, Site, nth_bit};

/// A choice taken from a choice set.
#[derive(Default)]
pub struct Picked {
    option: u16,
    values: Vec<i32>,
    /// Where the values of each name end.
    ends: Vec<usize>,
}

impl Picked {
    /// Returns the choice in the form in which it is passed on.
    pub fn choice(&self, site: &Site) -> Choice {
        let option = site.options.get(usize::from(self.option));
        let binders = option.map_or(&[][..], |option| &option.binders);
        let args = binders.iter().enumerate().map(|(name, binder)| {
            let values = self.values(name).unwrap_or_default();
            match (binder.count, values) {
                (BinderSize::One, [value]) => BoundValue::One(*value),
                _ => BoundValue::Many(SmallVec::from_slice(values)),
            }
        });
        Choice {
            option: self.option,
            args: args.collect(),
        }
    }
}

impl Answer for Picked {
    fn option(&self) -> u16 {
        self.option
    }

    fn values(&self, name: usize) -> Option<&[i32]> {
        let end = *self.ends.get(name)?;
        let first = match name.checked_sub(1) {
            Some(before) => *self.ends.get(before)?,
            None => 0,
        };
        self.values.get(first..end)
    }
}

impl ChoiceMenu {
    /// Returns the number of a choice, all equally likely, drawn group by group like [`crate::random_choice`]: the same
    /// numbers of `draw` give the same choice.
    pub fn draw(&self, draw: &mut dyn FnMut(u64) -> u64) -> u64 {
        let (mut kept, mut before) = (0, 0);
        for row in &self.rows {
            let number = if row.end == 1 { 0 } else { draw(row.end) };
            if number < row.end - before {
                kept = before + number;
            }
            before = row.end;
        }
        kept
    }

    /// Returns choice `number` of a site in the form in which it is passed on; `None` if it is not recorded.
    pub fn choice(&self, site: &Site, number: u64) -> Option<Choice> {
        (number < self.count).then(|| {
            let mut picked = Picked::default();
            self.pick(number, &mut picked);
            picked.choice(site)
        })
    }

    /// Returns choice `number`, which is below the count, in the order of [`crate::for_each_choice`].
    pub fn pick(&self, number: u64, into: &mut Picked) {
        into.values.clear();
        into.ends.clear();
        let at = self.rows.partition_point(|row| row.end <= number);
        let Some(row) = self.rows.get(at) else {
            return;
        };
        let before = at.checked_sub(1).and_then(|at| self.rows.get(at));
        let number = number - before.map_or(0, |row| row.end);
        into.option = row.option;
        self.pick_prefix(row, into);
        let members = self.values.get(row.members..row.end_of_members);
        let members = members.unwrap_or(&[]);
        match row.last {
            Last::Nothing => return,
            Last::One => into.values.extend(members.get(number as usize)),
            Last::Bits(first, [low, high]) => {
                let bits = Bits::from(high) << 64 | Bits::from(low);
                into.values
                    .push(first.wrapping_add(nth_bit(bits, number) as i32));
            }
            Last::Many(sizes) => sizes.select_onto(members, number, &mut into.values),
            Last::Counted(at) => {
                if let Some(selections) = self.counted.get(at) {
                    selections.select_onto(number, &mut into.values);
                }
            }
        }
        into.ends.push(into.values.len());
    }

    /// Visits the choices in the order of [`crate::for_each_choice`], each with its option and the values of its names.
    /// Returns whether it has: if a name can stand for several members, it visits none.
    pub fn each_choice(&self, visit: &mut dyn FnMut(u16, &[i32])) -> bool {
        let mut names = Vec::new();
        if !self
            .rows
            .iter()
            .all(|row| self.stand_for_one(row, &mut names))
        {
            return false;
        }
        for row in &self.rows {
            names.clear();
            self.stand_for_one(row, &mut names);
            let members = self.values.get(row.members..row.end_of_members);
            let mut with = |value: i32, names: &mut Vec<i32>| {
                names.push(value);
                visit(row.option, names);
                names.pop();
            };
            match row.last {
                Last::One => {
                    let members = members.unwrap_or_default();
                    members.iter().for_each(|value| with(*value, &mut names));
                }
                Last::Bits(first, [low, high]) => {
                    let bits = Bits::from(high) << 64 | Bits::from(low);
                    eval::members(first, bits).for_each(|member| with(member, &mut names));
                }
                Last::Nothing => visit(row.option, &names),
                Last::Many(_) | Last::Counted(_) => {}
            }
        }
        true
    }

    /// Adds the names before the last one; returns whether every name stands for one member.
    fn stand_for_one(&self, row: &MenuRow, names: &mut Vec<i32>) -> bool {
        let prefix = self.values.get(row.prefix..row.members).unwrap_or_default();
        let (pairs, rest) = prefix.as_chunks::<2>();
        names.extend(pairs.iter().map(|[_, value]| *value));
        let apart = pairs.iter().all(|[count, _]| *count == 1) && rest.is_empty();
        apart && !matches!(row.last, Last::Many(_) | Last::Counted(_))
    }

    fn pick_prefix(&self, row: &MenuRow, into: &mut Picked) {
        let mut rest = self.values.get(row.prefix..row.members).unwrap_or(&[]);
        while let Some((count, names)) = rest.split_first() {
            let (values, others) = names.split_at(names.len().min((*count).max(0) as usize));
            into.values.extend_from_slice(values);
            into.ends.push(into.values.len());
            rest = others;
        }
    }
}
