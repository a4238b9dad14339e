//! Converts between the recorded choices of a rest and their numbers.

use crate::choices::kind::RecordingKind;
use crate::driver::menu::{TakenChoice, in_rows};
use crate::driver::run::Native;
use crate::memory::row::{BITS, ChoiceRow, PREFIX_MAX};
use wyrmgate_engine::choice::{BoundValue, Choice};

impl Native {
    /// Returns choice `number`, which is below the count; `None` if code has recorded none.
    pub fn choice(&self, number: u64) -> Option<Choice> {
        let (shape, context, select) = (self.shape()?, self.context(), self.select());
        let taken = match shape.kind {
            RecordingKind::Rows => in_rows(self.noted_rows(), self.noted_list(), number, select)?,
            kind => context.choice(kind, number, select)?,
        };
        let names = shape.targets.get(taken.option)?.slots.len();
        Some(Choice {
            option: taken.option as u16,
            args: taken.values(names).map(BoundValue::One).collect(),
        })
    }

    /// Returns the number of a recorded choice; `None` if it is not among them.
    pub fn number_of(&self, choice: &Choice) -> Option<u64> {
        let (shape, context) = (self.shape()?, self.context());
        let bits = [context.members.low, context.members.high];
        match shape.kind {
            RecordingKind::Elsewhere => None,
            RecordingKind::Members(first) => match choice.args.as_slice() {
                [BoundValue::One(value)] if choice.option == 0 => {
                    number_of_bit(bits, first, *value)
                }
                _ => None,
            },
            // A choice of another decision can have names.
            RecordingKind::Options if !choice.args.is_empty() => None,
            RecordingKind::Options => {
                number_of_bit([context.members.low, 0], 0, i32::from(choice.option))
            }
            RecordingKind::Rows => {
                let names = shape.targets.get(usize::from(choice.option))?.slots.len();
                let mut values = [0; PREFIX_MAX + 1];
                let values = values.get_mut(..names)?;
                if choice.args.len() != names {
                    return None;
                }
                for (value, arg) in values.iter_mut().zip(&choice.args) {
                    let BoundValue::One(one) = arg else {
                        return None;
                    };
                    *value = *one;
                }
                self.number_in_rows(choice.option, values)
            }
        }
    }

    fn number_in_rows(&self, option: u16, values: &[i32]) -> Option<u64> {
        let mut before = 0;
        for row in self.noted_rows() {
            let count = row.end - before;
            if row.option == u32::from(option)
                && let Some(number) = number_in_row(row, values, count, self.noted_list())
            {
                return Some(before + number);
            }
            before = row.end;
        }
        None
    }
}

/// Returns the number of a choice in a row of its option, which has this many choices.
fn number_in_row(row: &ChoiceRow, values: &[i32], count: u64, listed: &[i32]) -> Option<u64> {
    let Some((last, names)) = values.split_last() else {
        return Some(0);
    };
    if row.names.get(..names.len()) != Some(names) {
        return None;
    }
    match row.form {
        BITS => number_of_bit([row.low, row.high], row.first, *last),
        _ => (0..count).find(|number| row.member(listed, *number) == Some(*last)),
    }
}

/// Returns how many set bits are below that of a member, if it is set.
fn number_of_bit(bits: [u64; 2], first: i32, member: i32) -> Option<u64> {
    let bits = u128::from(bits[1]) << u64::BITS | u128::from(bits[0]);
    let bit = 1u128.checked_shl(u32::try_from(member.checked_sub(first)?).ok()?)?;
    (bits & bit != 0).then(|| u64::from((bits & (bit - 1)).count_ones()))
}

impl TakenChoice {
    /// Returns the values of this many names.
    fn values(&self, names: usize) -> impl Iterator<Item = i32> + '_ {
        let before = self.names.iter().take(names.saturating_sub(1)).copied();
        before.chain((names > 0).then_some(self.value))
    }
}
