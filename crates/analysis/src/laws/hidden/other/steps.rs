//! A step of the line, taken in another world.

use super::others::Others;
use crate::laws::found::Contrast;
use crate::laws::hidden::course::Following;
use crate::laws::hidden::difference::{DifferenceOrigin, WorldDifference};
use crate::laws::hidden::line::{LinePoint, PlayedLine, SecretAnswer};
use wyrmgate_engine::{
    BoundValue, Choice, Observer, Pending, Revelation, State, StepError, Viewer, count_choices,
    has_back, noting, nth_choice, pending, random_choice, sees_as, step,
};
use wyrmgate_program::{BinderInfo, ByNumber, NONE, Program, Type};
use wyrmgate_view::{Rejection, changing_back, lasting_looks, names_by_place};

/// Maximum number of draws for another secret answer that names nothing the viewer sees later.
const ANSWERS_DRAWN: usize = 4;

/// The result of a step in the other world.
pub(super) enum Stepped {
    /// The choice that was made, and what the rules revealed on purpose.
    Done((Pending, Choice), Vec<Revelation>),
    /// The step is impossible there, and nothing has changed.
    Impossible,
    /// The step ended in a fault.
    Broken,
    /// The viewer itself cannot take the step there.
    Refused(Box<WorldDifference>),
}

/// A step of the line that is taken in the other world.
pub(super) struct OtherWorldStep<'l, 'p> {
    pub line: &'l PlayedLine<'p>,
    /// The number of the rest before the step.
    pub number: usize,
    /// Whether secret answers of others differ.
    pub answers: bool,
}

impl OtherWorldStep<'_, '_> {
    /// Takes the step of a rest of the line; `None` if there was none. Adds its differences to `others`.
    pub fn take(
        &self,
        state: &mut State,
        chance: &mut Following<'_>,
        observer: &mut dyn Observer,
        others: &mut Others,
    ) -> Option<Stepped> {
        let program = self.line.program;
        let point = self.line.points.get(self.number)?;
        let (owed, choice) = point.taken.as_ref()?;
        let here = pending(program, state);
        let found = here.iter().find(|other| other.seat == owed.seat);
        let Some(found) = found.filter(|other| other.site == owed.site).copied() else {
            return Some(Stepped::Impossible);
        };
        chance.forced.begin_step(self.number + 1);
        let same = [(*owed, choice.clone())];
        let same = translated(self.line, point, state, chance, &same);
        let Some((_, same)) = same.into_iter().next() else {
            return Some(Stepped::Impossible);
        };
        let other = self.other_answer(state, (&found, &same), chance, others);
        let mut choice = other.unwrap_or(same);
        let is_own = Viewer::Seat(owed.seat) == self.line.viewer;
        let mut make = |state: &mut State, choice: &Choice| {
            noting(|| step(program, state, found.index, choice, chance, observer))
        };
        let (mut taken, mut revealed) = make(state, &choice);
        if !is_own
            && matches!(taken, Err(StepError::Refused(_)))
            && let Some(only) = self.only_choice(state, &found)
        {
            (taken, revealed) = make(state, &only);
            choice = only;
        }
        Some(match taken {
            Ok(()) => Stepped::Done((found, choice), revealed),
            Err(StepError::Refused(refused)) if is_own => {
                Stepped::Refused(Box::new(WorldDifference {
                    what: "whether an offered choice is accepted".to_owned(),
                    contrast: Contrast {
                        member: String::new(),
                        here: "accepted".into(),
                        there: Rejection::of(program, state, owed.seat, refused)
                            .to_string()
                            .into(),
                    },
                    origin: DifferenceOrigin::Site(owed.site),
                }))
            }
            Err(StepError::Refused(_)) => Stepped::Impossible,
            Err(_) => Stepped::Broken,
        })
    }

    /// Returns the only choice of another seat that had another only choice in the line: the rules have answered in its
    /// place.
    fn only_choice(&self, state: &State, found: &Pending) -> Option<Choice> {
        let program = self.line.program;
        let point = self.line.points.get(self.number)?;
        let (owed, _) = point.taken.as_ref()?;
        let is_only = |state: &State, owed| count_choices(program, state, owed) == Ok(1);
        if owed.secret || !is_only(&point.state, owed) || !is_only(state, found) {
            return None;
        }
        nth_choice(program, state, found, 0).ok()?
    }

    /// Returns another secret answer, if this one could have differed.
    fn other_answer(
        &self,
        state: &State,
        (found, same): (&Pending, &Choice),
        chance: &mut Following<'_>,
        others: &mut Others,
    ) -> Option<Choice> {
        let (program, line) = (self.line.program, self.line);
        let answer = (*line.answers.get(self.number)?).filter(|_| self.answers)?;
        if chance.dice.one_in(3) {
            return None;
        }
        let numbers = answer.is_seen || chance.dice.one_in(2);
        for _ in 0..ANSWERS_DRAWN {
            let drawn = random_choice(program, state, found, &mut |n| chance.dice.below(n));
            let choice = partly_otherwise(program, found, drawn.ok()??, same, numbers);
            let can_be = match answer {
                SecretAnswer { is_seen: true, .. } => {
                    named(program, found, &choice) == named(program, found, same)
                }
                SecretAnswer { is_open: true, .. } => self.lies_open(state, found, &choice),
                _ => self.looks_like(state, found, (&choice, same)),
            };
            if !can_be {
                continue;
            }
            others.shows_at.extend(answer.shows_at);
            others.completed_at.extend(answer.completed_at);
            others.answers.push((self.number, choice.clone()));
            if !answer.is_open {
                let (those, these) = (named(program, found, &choice), named(program, found, same));
                for (other, same) in those.into_iter().zip(these) {
                    chance.swap_parts(other, same);
                }
            }
            return Some(choice);
        }
        None
    }

    /// Returns whether the viewer sees all components that the answer names.
    fn lies_open(&self, state: &State, owed: &Pending, answer: &Choice) -> bool {
        let program = self.line.program;
        let mut named = named(program, owed, answer).into_iter();
        named.all(|component| sees_as(program, state, self.line.viewer, component))
    }

    /// Returns whether the other answer names no component that the viewer sees later, and none that looks different
    /// from outside.
    fn looks_like(&self, state: &State, owed: &Pending, (other, same): (&Choice, &Choice)) -> bool {
        let (program, glance) = (self.line.program, &self.line.glance);
        let (others, these) = (named(program, owed, other), named(program, owed, same));
        if others.iter().any(|component| glance.was_seen(*component)) {
            return false;
        }
        let looks = |component: &i32| {
            let back = changing_back(program, state, *component);
            (lasting_looks(program, *component), back)
        };
        let mut both = others.iter().chain(&these);
        let has_no_backs = !both.any(|component| has_back(program, *component));
        has_no_backs || others.iter().map(looks).eq(these.iter().map(looks))
    }
}

/// Changes only the components of an answer, or only the numbers beside them.
fn partly_otherwise(
    program: &Program,
    owed: &Pending,
    other: Choice,
    same: &Choice,
    numbers: bool,
) -> Choice {
    let option = program.option(owed.site, other.option);
    let binders = option.map_or(&[][..], |option| option.binders.as_slice());
    let is_component = |binder: &BinderInfo| matches!(binder.of, Type::Component(_));
    if other.option != same.option || !binders.iter().any(is_component) {
        return other;
    }
    let args = other.args.into_iter().zip(&same.args).zip(binders);
    let args = args.map(
        |((other, same), binder)| match is_component(binder) != numbers {
            true => other,
            false => same.clone(),
        },
    );
    Choice {
        option: other.option,
        args: args.collect(),
    }
}

/// Returns the components that a choice names.
fn named(program: &Program, owed: &Pending, choice: &Choice) -> Vec<i32> {
    let mut all = Vec::new();
    let mut choice = choice.clone();
    each_component(program, owed, &mut choice, &mut |component| {
        all.push(*component);
    });
    all
}

fn each_component(
    program: &Program,
    owed: &Pending,
    choice: &mut Choice,
    change: &mut dyn FnMut(&mut i32),
) {
    let option = program.option(owed.site, choice.option);
    let binders = option.into_iter().flat_map(|option| &option.binders);
    for (arg, binder) in choice.args.iter_mut().zip(binders) {
        if matches!(binder.of, Type::Component(_)) {
            match arg {
                BoundValue::One(value) => change(value),
                BoundValue::Many(values) => values.iter_mut().for_each(&mut *change),
            }
        }
    }
}

/// Returns the corresponding choices of the other world: the viewer chooses unseen components by their places. All others are the
/// components that play their parts there, if these lie in the same zone.
pub(super) fn translated(
    line: &PlayedLine<'_>,
    point: &LinePoint,
    state: &State,
    chance: &Following<'_>,
    choices: &[(Pending, Choice)],
) -> Vec<(Pending, Choice)> {
    if choices.is_empty() {
        return Vec::new();
    }
    let program = line.program;
    let by_place = names_by_place(&point.state, state);
    let translated = choices.iter().map(|(owed, choice)| {
        let is_own = Viewer::Seat(owed.seat) == line.viewer;
        let mut choice = choice.clone();
        each_component(program, owed, &mut choice, &mut |value| {
            let part = chance.name(*value);
            let is_seen = !is_own || sees_as(program, &point.state, line.viewer, *value);
            if is_seen && state.zone_of(part) == point.state.zone_of(*value) {
                *value = part;
                return;
            }
            let name = by_place.at(*value).copied();
            *value = name.filter(|name| *name != NONE).unwrap_or(*value);
        });
        (*owed, choice)
    });
    translated.collect()
}
