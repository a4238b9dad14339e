//! Components that a seat cannot tell apart except by their numbers: copies in the same zone, the order of which means
//! nothing, with the same values.
//!
//! Choices contain one of each kind: of several alike, the first ones. The others stay legal.

use std::cell::OnceCell;

use smallvec::SmallVec;

use super::look_at;
use crate::choice::{BoundValue, Choice, Pending};
use crate::eval::{Eval, ValueList};
use crate::fault::{Fault, Halt};
use crate::see::{sees, viewers_of_var};
use crate::selections::Alike;
use crate::state::State;
use crate::viewer::Viewer;
use wyrmgate_program::{BinderInfo, FieldInfo, Program, Site, Type, VarInfo};

/// The names that a choice has bound so far, with their values.
pub type Before<'b> = (&'b [BinderInfo], &'b [BoundValue]);

impl Eval<'_> {
    /// Returns which members of the list of a name are alike, if any are. `before`: the choice as far as it is made.
    pub fn alike(
        &self,
        seat: u8,
        binder: &BinderInfo,
        before: Before<'_>,
        members: &[i32],
    ) -> Option<Alike> {
        match binder.alike {
            true => self.alike_among(seat, before, members),
            false => None,
        }
    }

    fn alike_among(&self, seat: u8, before: Before<'_>, members: &[i32]) -> Option<Alike> {
        if members.len() < 2 || members.len() > usize::from(u16::MAX) {
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
        let looks = ComponentLooks {
            program,
            state,
            seat,
            before,
            named: OnceCell::new(),
        };
        let mut firsts: SmallVec<[(u16, i32); 32]> = SmallVec::new();
        let mut first_like = SmallVec::new();
        for ((number, &member), place) in (0u16..).zip(members).zip(&places) {
            let like = place.and_then(|_| {
                let mut earlier = firsts.iter().copied();
                earlier.find(|&(first, other)| {
                    places.get(usize::from(first)) == Some(place) && looks.are_equal(other, member)
                })
            });
            first_like.push(like.map_or(number, |(first, _)| first));
            if like.is_none() {
                firsts.push((number, member));
            }
        }
        (firsts.len() < members.len()).then(|| Alike {
            members: ValueList::from_slice(members),
            first_like,
        })
    }
}

/// Everything that a seat may know of components, except their numbers.
struct ComponentLooks<'l> {
    program: &'l Program,
    state: &'l State,
    seat: u8,
    before: Before<'l>,
    named: OnceCell<ValueList>,
}

impl ComponentLooks<'_> {
    /// Compares two components of a class in the same zone.
    fn are_equal(&self, one: i32, other: i32) -> bool {
        let (program, state) = (self.program, self.state);
        let both = [one, other];
        state.flags(one) == state.flags(other)
            && state.cell_of(one) == state.cell_of(other)
            && state.turned(one) == state.turned(other)
            && both.iter().all(|it| sees(program, state, self.seat, *it))
            && self.have_equal_values(one, other)
            && !both.iter().any(|it| self.named().contains(it))
    }

    fn have_equal_values(&self, one: i32, other: i32) -> bool {
        let fields = self
            .program
            .kind_of(one)
            .map_or(&[][..], |kind| &kind.fields);
        let in_field = |field: &FieldInfo, component| {
            field.word_of(component).map(|word| self.state.var(word))
        };
        let in_var = |number: usize, var: &VarInfo, component: i32| {
            let index = u32::try_from(component.saturating_sub(var.low)).ok()?;
            let is_known = index < var.len && self.knows(number, index);
            is_known.then(|| self.state.var(var.offset + index))
        };
        let mut vars = self.program.vars.iter().enumerate();
        fields
            .iter()
            .all(|field| in_field(field, one) == in_field(field, other))
            && vars.all(|(number, var)| {
                !matches!(var.index, Some(Type::Component(_)))
                    || in_var(number, var, one) == in_var(number, var, other)
            })
    }

    fn knows(&self, var: usize, index: u32) -> bool {
        let viewers = viewers_of_var(self.program, self.state, var, index);
        Viewer::Seat(self.seat).is_among(viewers)
    }

    /// Returns the components to which something refers that the seat may know: variables, fields, and the choice so
    /// far.
    fn named(&self) -> &ValueList {
        self.named.get_or_init(|| {
            let mut named = self.chosen();
            self.add_named_by_vars(&mut named);
            if self.program.classes().fields_refer {
                self.add_named_by_fields(&mut named);
            }
            named
        })
    }

    fn chosen(&self) -> ValueList {
        let (binders, args) = self.before;
        let before = binders.iter().zip(args);
        let before = before.filter(|(binder, _)| matches!(binder.of, Type::Component(_)));
        before.flat_map(|(_, arg)| arg.values()).copied().collect()
    }

    fn add_named_by_vars(&self, named: &mut ValueList) {
        for (number, var) in self.program.vars.iter().enumerate() {
            if matches!(var.of, Type::Component(_)) {
                let words = (0..var.len).filter(|index| self.knows(number, *index));
                named.extend(words.map(|index| self.state.var(var.offset + index)));
            }
        }
    }

    fn add_named_by_fields(&self, named: &mut ValueList) {
        let (program, state) = (self.program, self.state);
        for kind in &program.kinds {
            for field in kind.fields.iter().filter(|field| field.refers()) {
                let all = (kind.first..kind.first + kind.count).map(|component| component as i32);
                let seen = all.filter(|component| sees(program, state, self.seat, *component));
                let words = seen.filter_map(|component| field.word_of(component));
                named.extend(words.map(|word| state.var(word)));
            }
        }
    }
}

/// Returns the components that are alike for the seat that decides, before it has chosen any. Choices refer to the first
/// ones of each group, and a person who sees them all can mean any of them.
pub fn groups_alike(
    program: &Program,
    state: &State,
    pending: &Pending,
) -> Result<Vec<Vec<i32>>, Fault> {
    let groups = look_at(program, state, pending, |eval, site| {
        let binders = site.options.iter().flat_map(|option| &option.binders);
        if !binders.clone().any(|binder| binder.alike) {
            return Ok(Vec::new());
        }
        let zones = (0..state.zones() as i32).filter(|zone| program.has_any_order(*zone));
        let members = zones.map(|zone| state.members(zone).collect::<Vec<i32>>());
        let alike = members.filter_map(|members| eval.alike_among(pending.seat, NOTHING, &members));
        Ok(alike.flat_map(|alike| alike.groups()).collect())
    })?;
    Ok(groups.unwrap_or_default())
}

/// A choice that has not begun.
const NOTHING: Before<'static> = (&[], &[]);

/// Returns the choice that is listed in place of this one: with the first ones of those that are alike.
pub fn listed_alike(
    program: &Program,
    state: &State,
    pending: &Pending,
    choice: &Choice,
) -> Result<Choice, Fault> {
    let listed = look_at(program, state, pending, |eval, site| {
        with_firsts(eval, site, pending.seat, choice)
    })?;
    Ok(listed.unwrap_or_else(|| choice.clone()))
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
                eval.alike(seat, binder, (binders, &listed.args), &members)
            }
            false => None,
        };
        let arg = match (alike, arg) {
            (Some(alike), BoundValue::One(member)) => BoundValue::One(alike.first(*member)),
            (Some(alike), BoundValue::Many(members)) if binder.is_subset() => {
                BoundValue::Many(alike.firsts_of(members))
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
