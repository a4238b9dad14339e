//! Components that a seat cannot tell apart except by their numbers: copies in the same zone, the order of which means
//! nothing, with the same values.
//!
//! Choices contain one of each kind: of several alike, the first ones. The others stay legal.

use smallvec::SmallVec;

use super::{look, site_of};
use crate::choice::{Arg, Choice, Pending};
use crate::eval::{Eval, Values};
use crate::fault::{Fault, Halt};
use crate::see::{Viewer, sees, viewers_of_var};
use crate::state::State;
use wyrmgate_program::{BinderInfo, NONE, Program, Site, Type};

/// The members of a list, with those that are alike.
#[derive(Debug)]
pub(crate) struct Alike {
    members: Values,
    /// By member: the place of the first one that is like it.
    first_like: SmallVec<[u16; 32]>,
}

/// The names that a choice has bound so far, with their values.
pub(crate) type Before<'b> = (&'b [BinderInfo], &'b [Arg]);

/// Everything of a component that a seat may know, except its number.
type Looks = SmallVec<[i32; 12]>;

impl Alike {
    /// Returns the members that are listed if one is chosen.
    pub fn firsts(&self) -> Values {
        let places = self.first_like.iter().enumerate();
        let firsts = places.filter(|(place, first)| *place == usize::from(**first));
        firsts
            .filter_map(|(place, _)| self.members.get(place).copied())
            .collect()
    }

    /// Returns the places of the members, with those side by side that are alike, and for each of them where the next
    /// kind begins.
    pub fn side_by_side(&self) -> (Vec<u16>, Vec<u16>) {
        let mut order: Vec<u16> = (0..self.first_like.len() as u16).collect();
        order.sort_by_key(|place| self.first_of(*place));
        let firsts: Vec<u16> = order.iter().map(|place| self.first_of(*place)).collect();
        let after = firsts
            .iter()
            .map(|first| firsts.partition_point(|other| other <= first) as u16);
        let after = after.collect();
        (order, after)
    }

    fn first_of(&self, place: u16) -> u16 {
        let first = self.first_like.get(usize::from(place));
        first.copied().unwrap_or(place)
    }

    /// Returns the first member that is like this one.
    fn first(&self, member: i32) -> i32 {
        let place = self.members.iter().position(|other| *other == member);
        let first = place.and_then(|place| self.first_like.get(place));
        let first = first.and_then(|first| self.members.get(usize::from(*first)));
        first.copied().unwrap_or(member)
    }

    /// Returns the selection of as many members of each kind that is listed.
    fn firsts_of(&self, chosen: &[i32]) -> SmallVec<[i32; 8]> {
        let mut left: SmallVec<[i32; 8]> =
            chosen.iter().map(|member| self.first(*member)).collect();
        let mut listed = SmallVec::new();
        for member in &self.members {
            let first = self.first(*member);
            if let Some(at) = left.iter().position(|other| *other == first) {
                left.swap_remove(at);
                listed.push(*member);
            }
        }
        listed
    }
}

impl Eval<'_> {
    /// Returns which members of the list of a name are alike, if any are. `before`: the choice as far as it is made.
    pub(crate) fn alike(
        &self,
        seat: u8,
        (binder, before): (&BinderInfo, Before<'_>),
        members: &[i32],
    ) -> Option<Alike> {
        if !binder.alike || members.len() < 2 || members.len() > usize::from(u16::MAX) {
            return None;
        }
        let (program, state) = (self.program, self.state);
        let classes = program.classes();
        let place_of = |member: i32| {
            let zone = state.zone_of(member);
            let class = classes.shared(member)?;
            program.has_any_order(zone).then_some((class, zone))
        };
        let places: SmallVec<[_; 32]> = members.iter().map(|member| place_of(*member)).collect();
        let is_alone = |at: usize| {
            let place = places.get(at).copied().flatten();
            place.is_none() || places.iter().filter(|other| **other == place).count() < 2
        };
        if (0..members.len()).all(is_alone) {
            return None;
        }
        let named = named(program, state, seat, before);
        let mut known: SmallVec<[(Looks, u16); 8]> = SmallVec::new();
        let mut first_like = SmallVec::new();
        let mut any = false;
        for (place, &member) in (0u16..).zip(members) {
            let is_single = is_alone(usize::from(place)) || named.contains(&member);
            let looks = match is_single {
                false => looks(program, state, seat, member),
                true => None,
            };
            let same = looks.as_ref();
            let same = same.and_then(|looks| known.iter().find(|(other, _)| other == looks));
            let first = same.map_or(place, |(_, first)| *first);
            any |= first != place;
            first_like.push(first);
            known.extend(looks.filter(|_| first == place).map(|looks| (looks, place)));
        }
        any.then(|| Alike {
            members: Values::from_slice(members),
            first_like,
        })
    }
}

/// Returns the components to which something refers that the seat may know: variables, fields, and the choice so far.
fn named(program: &Program, state: &State, seat: u8, (binders, args): Before<'_>) -> Values {
    let before = binders.iter().zip(args);
    let before = before.filter(|(binder, _)| matches!(binder.of, Type::Component(_)));
    let mut named: Values = before.flat_map(|(_, arg)| arg.values()).copied().collect();
    for (number, var) in program.vars.iter().enumerate() {
        if matches!(var.of, Type::Component(_)) {
            let words = (0..var.len).filter(|index| knows(program, state, seat, number, *index));
            named.extend(words.map(|index| state.var(var.offset + index)));
        }
    }
    for kind in &program.kinds {
        for field in &kind.fields {
            if matches!(field.of, Type::Component(_)) {
                let all = (kind.first..kind.first + kind.count).map(|component| component as i32);
                let seen = all.filter(|component| sees(program, state, seat, *component));
                let words = seen.filter_map(|component| field.word_of(component));
                named.extend(words.map(|word| state.var(word)));
            }
        }
    }
    named.retain(|component| *component != NONE);
    named
}

/// `None` if no other component can look like it.
fn looks(program: &Program, state: &State, seat: u8, component: i32) -> Option<Looks> {
    let class = program.classes().shared(component)?;
    let zone = state.zone_of(component);
    if !program.has_any_order(zone) || !sees(program, state, seat, component) {
        return None;
    }
    let mut looks = Looks::from_slice(&[
        class as i32,
        zone,
        state.flags(component),
        state.cell_of(component),
        state.turned(component),
    ]);
    let fields = &program.kind_of(component)?.fields;
    let words = fields.iter().filter_map(|field| field.word_of(component));
    looks.extend(words.map(|word| state.var(word)));
    for (at, var) in program.vars.iter().enumerate() {
        let index = u32::try_from(component.saturating_sub(var.low)).ok();
        let by_component = matches!(var.index, Some(Type::Component(_)));
        if let Some(index) = index.filter(|index| by_component && *index < var.len)
            && knows(program, state, seat, at, index)
        {
            looks.push(state.var(var.offset + index));
        }
    }
    Some(looks)
}

fn knows(program: &Program, state: &State, seat: u8, var: usize, index: u32) -> bool {
    Viewer::Seat(seat).is_among(viewers_of_var(program, state, var, index))
}

/// Returns the choice that is listed in place of this one: with the first ones of those that are alike.
pub fn listed_alike(
    program: &Program,
    state: &State,
    pending: &Pending,
    choice: &Choice,
) -> Result<Choice, Fault> {
    let Some(site) = site_of(program, pending) else {
        return Ok(choice.clone());
    };
    look(program, state, |eval| {
        with_firsts(eval, site, pending.seat, choice)
    })
}

fn with_firsts(
    eval: &mut Eval<'_>,
    site: &Site,
    seat: u8,
    choice: &Choice,
) -> Result<Choice, Halt> {
    let mut listed = Choice {
        option: choice.option,
        ..Choice::default()
    };
    let binders = site.options.get(usize::from(choice.option));
    let binders = binders.map_or(&[][..], |option| &option.binders);
    eval.set_temp(site.seat_temp, i32::from(seat));
    for (binder, arg) in binders.iter().zip(&choice.args) {
        let alike = match binder.alike {
            true => {
                let members = eval.domain(seat, binder)?;
                eval.alike(seat, (binder, (binders, &listed.args)), &members)
            }
            false => None,
        };
        let arg = match (alike, arg) {
            (Some(alike), Arg::One(member)) => Arg::One(alike.first(*member)),
            (Some(alike), Arg::Many(members)) if binder.is_subset() => {
                Arg::Many(alike.firsts_of(members))
            }
            (_, arg) => arg.clone(),
        };
        eval.bind(binder, &arg);
        listed.args.push(arg);
    }
    let rest = choice.args.get(listed.args.len()..).unwrap_or_default();
    listed.args.extend(rest.iter().cloned());
    Ok(listed)
}
