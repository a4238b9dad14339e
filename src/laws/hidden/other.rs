//! The same steps in another world.

use super::course::Following;
use super::difference::{Difference, Origin, of_events, of_told};
use super::line::{Line, Point};
use super::told::Told;
use crate::dice::Dice;
use crate::engine::{
    Arg, Choice, Collect, Observer, Pending, Revelation, State, StepError, Unknown, names_by_place,
    noting, pending, start, step,
};
use crate::laws::found::Contrast;
use crate::program::{NONE, Program, Type};

/// Another world, as far as it is another one before anything happens.
pub(super) struct World {
    /// `None`: it begins with the game.
    pub base: Option<State>,
    /// By component: which one has its part there.
    pub names: Vec<i32>,
    /// Of what chance does otherwise.
    pub seed: u64,
    /// Hidden variables or fields have other values: more often than not the seat can work them out.
    pub is_reworded: bool,
}

/// What came of the same steps.
pub(super) enum Verdict {
    /// The seat was told the same.
    Same,
    /// It is the same world, or the seat has learnt by right that it is another one.
    Apart,
    Leaks(Box<Leak>),
}

pub(super) struct Leak {
    /// The rest at which it was told, or on the way to which.
    pub point: usize,
    pub difference: Difference,
    /// The state at that rest in the other world.
    pub there: Option<State>,
}

/// What a step in the other world came to.
enum Stepped {
    Done(Vec<Revelation>),
    /// It cannot be made there.
    Impossible,
    /// The seat itself cannot make it there.
    Refused(Box<Difference>),
}

impl World {
    /// `None` if there is nothing that could be otherwise.
    pub fn draw(line: &Line<'_>, dice: &mut Dice) -> Option<World> {
        let unknown = line.unknown();
        if unknown.is_empty() {
            return None;
        }
        let seed = dice.below(u64::MAX);
        let all = dice.below(2) == 0;
        let Some(base) = &line.base else {
            let names = dealt_otherwise(line.program, &unknown, all, dice);
            return Some(World {
                base: None,
                names,
                seed,
                is_reworded: false,
            });
        };
        let is_reworded =
            unknown.has_words() && (unknown.groups().is_empty() || dice.below(3) == 0);
        let other = match (is_reworded, all) {
            (true, _) => unknown.reworded(line.program, base, dice),
            (false, true) => unknown.mixed(line.program, base, dice),
            (false, false) => unknown.exchanged(line.program, base, dice),
        };
        Some(World {
            base: Some(other.state),
            names: other.names,
            seed,
            is_reworded,
        })
    }

    fn chance<'a>(&'a self, line: &'a Line<'_>) -> Following<'a> {
        let dice = Dice::new(self.seed);
        Following::new(&line.course, &self.names, &line.known, &line.open, dice)
    }

    /// Makes the steps of the line, and compares what the seat is told.
    pub fn compare(&self, line: &Line<'_>) -> Verdict {
        let (program, seat) = (line.program, line.seat);
        let mut chance = self.chance(line);
        let mut heard = Collect::default();
        let (begun, mut revealed) = noting(|| self.begin(program, &mut chance, &mut heard));
        let Some(mut state) = begun else {
            return Verdict::Apart;
        };
        if line.first().is_none_or(|first| first.state == state) {
            return Verdict::Apart;
        }
        for (number, point) in line.points.iter().enumerate() {
            let leaks = |difference, state: &State| {
                Verdict::Leaks(Box::new(Leak {
                    point: number,
                    difference,
                    there: Some(state.clone()),
                }))
            };
            let tries = there(program, point, &state, &point.tries);
            if !same_for(seat, &revealed, &point.revealed) {
                return Verdict::Apart;
            }
            if let Some(difference) = of_events(program, seat, &point.heard, &heard.0) {
                return leaks(difference, &state);
            }
            let (told_here, here) = point.told(line);
            let (told, at_rest) = noting(|| Told::of(program, &state, seat, &tries));
            let (Ok(told_here), Ok(told)) = (told_here, told) else {
                return Verdict::Apart;
            };
            if !same_for(seat, &at_rest, here) {
                return Verdict::Apart;
            }
            if let Some(difference) = of_told(told_here, &told) {
                return leaks(difference, &state);
            }
            heard.0.clear();
            match take(line, point, &mut state, &mut chance, &mut heard) {
                None => return Verdict::Same,
                Some(Stepped::Done(notes)) => revealed = notes,
                Some(Stepped::Impossible) => return Verdict::Apart,
                Some(Stepped::Refused(difference)) => return leaks(*difference, &state),
            }
        }
        Verdict::Same
    }

    /// Makes the steps up to this rest once more, the last one under the eyes of an observer.
    pub fn watch(&self, line: &Line<'_>, point: usize, observer: &mut dyn Observer) {
        let mut chance = self.chance(line);
        let mut nobody = Collect::default();
        let begun = match point {
            0 => self.begin(line.program, &mut chance, observer),
            _ => self.begin(line.program, &mut chance, &mut nobody),
        };
        let Some(mut state) = begun else { return };
        let steps = line.points.iter().take(point).enumerate();
        for (number, from) in steps {
            let ears: &mut dyn Observer = match number + 1 == point {
                true => observer,
                false => &mut nobody,
            };
            take(line, from, &mut state, &mut chance, ears);
        }
    }

    fn begin(
        &self,
        program: &Program,
        chance: &mut Following<'_>,
        observer: &mut dyn Observer,
    ) -> Option<State> {
        match &self.base {
            Some(state) => Some(state.clone()),
            None => start(program, [0; 32], chance, observer).ok(),
        }
    }
}

/// Makes the step that was taken at a rest of the line; `None` if there was none.
fn take(
    line: &Line<'_>,
    point: &Point,
    state: &mut State,
    chance: &mut Following<'_>,
    observer: &mut dyn Observer,
) -> Option<Stepped> {
    let (program, (owed, choice)) = (line.program, point.taken.as_ref()?);
    let here = pending(program, state);
    let found = here.iter().find(|other| other.seat == owed.seat);
    let Some(found) = found.filter(|other| other.site == owed.site).copied() else {
        return Some(Stepped::Impossible);
    };
    let tried = [(*owed, choice.clone())];
    let tried = there(program, point, state, &tried);
    let Some((_, choice)) = tried.first() else {
        return Some(Stepped::Impossible);
    };
    let (taken, revealed) = noting(|| step(program, state, found.index, choice, chance, observer));
    Some(match taken {
        Ok(()) => Stepped::Done(revealed),
        Err(StepError::Rejected(rejection)) if owed.seat == line.seat => {
            Stepped::Refused(Box::new(Difference {
                what: "whether it may choose what it was offered".to_owned(),
                contrast: Contrast {
                    member: String::new(),
                    here: "accepted".into(),
                    there: rejection.to_string().into(),
                },
                origin: Origin::Site(owed.site),
            }))
        }
        Err(_) => Stepped::Impossible,
    })
}

/// The same choices there: components by their places.
fn there(
    program: &Program,
    point: &Point,
    state: &State,
    choices: &[(Pending, Choice)],
) -> Vec<(Pending, Choice)> {
    if choices.is_empty() {
        return Vec::new();
    }
    let names = names_by_place(&point.state, state);
    let name = |value: &mut i32| {
        let at = usize::try_from(*value).ok();
        let name = at.and_then(|at| names.get(at)).copied();
        *value = name.filter(|name| *name != NONE).unwrap_or(*value);
    };
    let translated = choices.iter().map(|(owed, choice)| {
        let mut choice = choice.clone();
        let site = program.sites.get(usize::from(owed.site));
        let option = site.and_then(|site| site.options.get(usize::from(choice.option)));
        let binders = option.into_iter().flat_map(|option| &option.binders);
        for (arg, binder) in choice.args.iter_mut().zip(binders) {
            if matches!(binder.of, Type::Component(_)) {
                match arg {
                    Arg::One(value) => name(value),
                    Arg::Many(values) => values.iter_mut().for_each(name),
                }
            }
        }
        (*owed, choice)
    });
    translated.collect()
}

/// What the rules reveal on purpose to this seat is the same.
fn same_for(seat: u8, one: &[Revelation], other: &[Revelation]) -> bool {
    let is_for = |it: &&Revelation| it.to == NONE || it.to == i32::from(seat);
    one.iter().filter(is_for).eq(other.iter().filter(is_for))
}

/// Components that are dealt from the same place, in each other's parts.
fn dealt_otherwise(program: &Program, unknown: &Unknown, all: bool, dice: &mut Dice) -> Vec<i32> {
    let mut names: Vec<i32> = (0..program.components.len() as i32).collect();
    let start_of = |component: &i32| {
        let at = usize::try_from(*component).ok();
        at.and_then(|at| program.components.get(at))
            .map(|info| info.starts_in)
    };
    for group in unknown.groups() {
        let mut starts: Vec<_> = group.iter().map(start_of).collect();
        starts.sort_unstable();
        starts.dedup();
        for start in starts {
            let members = group.iter().filter(|member| start_of(member) == start);
            let members: Vec<i32> = members.copied().collect();
            let mut mixed = members.clone();
            match all {
                true => dice.mix(&mut mixed),
                false => {
                    let one = dice.below(members.len() as u64) as usize;
                    let other = dice.below(members.len() as u64) as usize;
                    mixed.swap(one, other);
                }
            }
            for (member, other) in members.iter().zip(mixed) {
                let at = usize::try_from(*member).ok();
                if let Some(place) = at.and_then(|at| names.get_mut(at)) {
                    *place = other;
                }
            }
        }
    }
    names
}
