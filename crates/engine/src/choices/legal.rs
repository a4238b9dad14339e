//! Validates one choice without enumerating the others, and finds the first error in it.

use super::route::SoughtPath;
use crate::choice::{BoundValue, Choice};
use crate::eval::{Eval, ValueList};
use crate::fault::Halt;
use crate::selections::{MemberOrder, Sizes};
use wyrmgate_base::visible::is_hidden;
use wyrmgate_program::{BinderInfo, BinderSize, Condition, Site};

/// Why a choice is illegal.
#[derive(Debug, Clone, Copy)]
pub enum IllegalChoice<'p> {
    NoSuchOption,
    /// The option has other names, or a value where a list belongs.
    WrongForm,
    /// The condition of the option does not hold.
    NotOffered(&'p Condition),
    /// Not in the domain of this name.
    NotThere(&'p BinderInfo, i32),
    /// In the domain, but this filter forbids it.
    Forbidden(&'p BinderInfo, i32, &'p Condition),
    /// One of the two, of a component that the seat cannot identify.
    Hidden(&'p BinderInfo, i32),
    Twice(&'p BinderInfo, i32),
    TooFew(&'p BinderInfo, usize),
    TooMany(&'p BinderInfo, usize),
    /// Each value may be chosen, but not all of them together. Without a condition if that would tell too much.
    NotTogether(Option<&'p Condition>),
    /// A subset in another order than that of its domain.
    Disordered(&'p BinderInfo),
}

/// The first error, if there is one.
type Refusal<'p> = Result<Option<IllegalChoice<'p>>, Halt>;

/// Returns the first error in a choice.
pub fn refusal<'p>(eval: &mut Eval<'_>, site: &'p Site, seat: u8, choice: &Choice) -> Refusal<'p> {
    let Some(option) = site.options.get(usize::from(choice.option)) else {
        return Ok(Some(IllegalChoice::NoSuchOption));
    };
    if option.binders.len() != choice.args.len() {
        return Ok(Some(IllegalChoice::WrongForm));
    }
    eval.set_temp(site.seat_temp, i32::from(seat));
    if let Some(condition) = eval.first_failing(&option.conditions)? {
        return Ok(Some(IllegalChoice::NotOffered(condition)));
    }
    for (binder, arg) in option.binders.iter().zip(&choice.args) {
        if let Some(refusal) = eval.refused_arg(seat, binder, arg)? {
            return Ok(Some(refusal));
        }
        eval.bind(binder, arg);
        if let Some(condition) = eval.first_failing(&binder.together)? {
            return Ok(Some(IllegalChoice::NotTogether(Some(condition))));
        }
    }
    Ok(None)
}

impl Eval<'_> {
    fn refused_arg<'p>(
        &mut self,
        seat: u8,
        binder: &'p BinderInfo,
        arg: &BoundValue,
    ) -> Refusal<'p> {
        match (binder.count, arg) {
            (BinderSize::One, BoundValue::One(value)) => self.refused_member(binder, *value),
            (BinderSize::One, BoundValue::Many(_)) | (_, BoundValue::One(_)) => {
                Ok(Some(IllegalChoice::WrongForm))
            }
            (BinderSize::Path { .. }, BoundValue::Many(values)) => {
                self.refused_path(seat, binder, values)
            }
            (BinderSize::Text { most, .. }, BoundValue::Many(letters)) => {
                let most = self.text_length(most)?;
                Ok(match letters.len() {
                    0 => Some(IllegalChoice::TooFew(binder, 1)),
                    length if length > most => Some(IllegalChoice::TooMany(binder, most)),
                    _ => {
                        let is_letter = |letter: i32| {
                            let letter = u32::try_from(letter).ok().and_then(char::from_u32);
                            letter.is_some_and(|letter| !is_hidden(letter))
                        };
                        let other = letters.iter().find(|letter| !is_letter(**letter));
                        other.map(|other| IllegalChoice::NotThere(binder, *other))
                    }
                })
            }
            (_, BoundValue::Many(values)) => self.refused_list(seat, binder, values),
        }
    }

    fn refused_member<'p>(&mut self, binder: &'p BinderInfo, value: i32) -> Refusal<'p> {
        if !self.contains(binder.domain, value)? {
            return Ok(Some(IllegalChoice::NotThere(binder, value)));
        }
        let failing = self.failing(binder, value)?;
        Ok(failing.map(|condition| IllegalChoice::Forbidden(binder, value, condition)))
    }

    fn refused_list<'p>(
        &mut self,
        seat: u8,
        binder: &'p BinderInfo,
        values: &[i32],
    ) -> Refusal<'p> {
        let domain = self.domain(seat, binder)?;
        for &value in values {
            if !domain.contains(&value) {
                let refusal = self.refused_member(binder, value)?;
                return Ok(refusal.or(Some(IllegalChoice::NotThere(binder, value))));
            }
        }
        if let Some(value) = repeated(values).filter(|_| !binder.count.repeats()) {
            return Ok(Some(IllegalChoice::Twice(binder, value)));
        }
        let sizes = self.sizes(binder, domain.len())?;
        Ok(sizes.and_then(|sizes| refused_sizes(binder, values, &domain, sizes)))
    }

    fn refused_path<'p>(
        &mut self,
        seat: u8,
        binder: &'p BinderInfo,
        values: &[i32],
    ) -> Refusal<'p> {
        let lists = self.scratch.lists.len();
        let refused = self.refused_steps(seat, binder, values)?;
        // A refusal is explained with the path as it is where it fails.
        if refused.is_none() {
            self.scratch.lists.truncate(lists);
        }
        Ok(refused)
    }

    fn refused_steps<'p>(
        &mut self,
        seat: u8,
        binder: &'p BinderInfo,
        values: &[i32],
    ) -> Refusal<'p> {
        let route = SoughtPath::of(self, binder)?;
        for (before, &value) in values.iter().enumerate() {
            if before == route.most {
                return Ok(Some(IllegalChoice::TooMany(binder, route.most)));
            }
            route.stand_at(self, values.get(..before).unwrap_or_default());
            if let Some(refusal) = self.refused_member(binder, value)? {
                return Ok(Some(refusal));
            }
        }
        if values.len() < route.least {
            return Ok(Some(IllegalChoice::TooFew(binder, route.least)));
        }
        let goes_on = route.to_the_end && !route.next(self, seat, values)?.is_empty();
        Ok(goes_on.then(|| IllegalChoice::TooFew(binder, values.len() + 1)))
    }
}

fn refused_sizes<'p>(
    binder: &'p BinderInfo,
    values: &[i32],
    domain: &ValueList,
    sizes: Sizes,
) -> Option<IllegalChoice<'p>> {
    if values.len() < sizes.least {
        return Some(IllegalChoice::TooFew(binder, sizes.least));
    }
    if values.len() > sizes.most {
        return Some(IllegalChoice::TooMany(binder, sizes.most));
    }
    let in_order = match sizes.form {
        MemberOrder::Sequence => true,
        MemberOrder::Subset | MemberOrder::Repeated => {
            let place = |value: &i32| domain.iter().position(|other| other == value);
            values.is_sorted_by_key(place)
        }
    };
    (!in_order).then_some(IllegalChoice::Disordered(binder))
}

fn repeated(values: &[i32]) -> Option<i32> {
    let mut seen = ValueList::new();
    for &value in values {
        if seen.contains(&value) {
            return Some(value);
        }
        seen.push(value);
    }
    None
}

/// Returns the same choice with the members of every subset in the order of its domain; unknown ones come last.
pub fn in_order(
    eval: &mut Eval<'_>,
    site: &Site,
    seat: u8,
    choice: &Choice,
) -> Result<Choice, Halt> {
    let mut choice = choice.clone();
    let Some(option) = site.options.get(usize::from(choice.option)) else {
        return Ok(choice);
    };
    eval.set_temp(site.seat_temp, i32::from(seat));
    for (binder, arg) in option.binders.iter().zip(&mut choice.args) {
        if let BoundValue::Many(values) = arg
            && !binder.count.is_ordered()
        {
            let domain = eval.domain(seat, binder)?;
            values.sort_by_cached_key(|value| {
                let place = domain.iter().position(|member| member == value);
                place.unwrap_or(domain.len())
            });
        }
        eval.bind(binder, arg);
    }
    Ok(choice)
}
