//! The same steps in another world.

use super::answers::Answer;
use super::course::{Following, Plan};
use super::difference::{Difference, Origin, of_events, of_told};
use super::line::{Line, Point};
use super::reveals::{Reveals, agree};
use super::told::Told;
use crate::laws::found::Contrast;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{
    Arg, Choice, Collect, Event, Observer, Pending, Revelation, State, StepError, Viewer,
    count_choices, has_back, noting, nth_choice, pending, random_choice, sees_as, start, step,
};
use wyrmgate_program::{BinderInfo, NONE, Program, Type};
use wyrmgate_view::{Rejection, changing_back, lasting_looks, names_by_place};

/// Maximum number of draws for another secret answer that names nothing the viewer sees later.
const ANSWERS_DRAWN: usize = 4;

/// Another world: its differences at the beginning, and its differing results.
pub(super) struct World {
    /// The state at the beginning; `None` if it begins with the game.
    pub base: Option<State>,
    /// For each component, the one that plays its part there at the beginning.
    pub names: Vec<i32>,
    pub plan: Plan,
}

/// The result of the same steps.
pub(super) enum Verdict {
    /// The viewer received the same information, up to the end or until it legitimately learned that the worlds differ.
    Same,
    /// The world is the same, or the viewer has legitimately learned at once that it is another one.
    Apart,
    Leaks(Box<Leak>),
}

pub(super) struct Leak {
    /// The rest at which the difference showed, or on the way to which.
    pub point: usize,
    pub difference: Difference,
    /// The state at that rest in the other world.
    pub there: Option<State>,
    /// The differences on the way there.
    pub others: Others,
}

/// The decisions that differ in the other world.
#[derive(Debug, Clone, Default)]
pub(super) struct Others {
    /// The differing secret answers of others, with the rest at which each was owed.
    pub answers: Vec<(usize, Choice)>,
    /// Whether a random choice has the result that the plan states.
    pub is_redrawn: bool,
    /// The rests at which answers may show.
    shows_at: Vec<usize>,
    /// The rests at which decisions with differing answers are complete.
    completed_at: Vec<usize>,
}

/// The result of a step in the other world.
enum Stepped {
    Done(Vec<Revelation>),
    /// The step is impossible there, and nothing has changed.
    Impossible,
    /// The step ended in a fault.
    Broken,
    /// The viewer itself cannot take the step there.
    Refused(Box<Difference>),
}

impl World {
    /// Draws another world; `None` if nothing could differ.
    pub fn draw(line: &Line<'_>, dice: &mut Dice) -> Option<World> {
        let Some(base) = &line.base else {
            return Some(World {
                base: None,
                names: (0..line.program.components.len() as i32).collect(),
                plan: plan(line, dice),
            });
        };
        let unknown = line.unknown();
        if unknown.is_empty() {
            return None;
        }
        let is_reworded =
            unknown.has_words() && (unknown.groups().is_empty() || dice.below(3) == 0);
        let other = match (is_reworded, dice.below(2) == 0) {
            (true, _) => unknown.reworded(line.program, base, dice),
            (false, true) => unknown.mixed(line.program, base, dice),
            (false, false) => unknown.exchanged(line.program, base, dice),
        };
        Some(World {
            base: Some(other.state),
            names: other.names,
            plan: Plan {
                seed: dice.below(u64::MAX),
                draws: dice.below(2) == 0,
                ..Plan::default()
            },
        })
    }

    fn chance<'a>(&'a self, line: &'a Line<'_>) -> Following<'a> {
        let (course, glance) = (&line.course, &line.glance);
        Following::new(line.program, course, glance, &self.plan, self.names.clone())
    }

    /// Takes the steps of the line and compares the information of the viewer.
    pub fn compare(&self, line: &Line<'_>, reveals: &mut Reveals) -> Verdict {
        let program = line.program;
        let mut chance = self.chance(line);
        let mut heard = Collect::default();
        let (begun, mut revealed) = noting(|| self.begin(program, &mut chance, &mut heard));
        let Some(mut state) = begun else {
            return Verdict::Apart;
        };
        let mut others = Others::default();
        let mut is_other = false;
        let mut was_compared = false;
        let (mut shown, mut numbers) = (0, 0);
        for (number, point) in line.points.iter().enumerate() {
            let put_otherwise = chance.forced.differs();
            is_other |= point.state != state;
            // New choices of chance and secret answers of others may show now.
            let may_show = others.shows_at.contains(&number) || chance.shown != shown;
            shown = chance.shown;
            others.is_redrawn = chance.is_redrawn;
            let here = Here {
                state: &state,
                heard: &heard.0,
                revealed: &revealed,
                tries: there(line, point, &state, &chance, &point.tries),
            };
            match here.compare(line, point, may_show, reveals) {
                Compared::Same => was_compared |= is_other && number > 0,
                Compared::Apart => return parted(was_compared),
                Compared::Differs(difference) if may_show => {
                    let is_hidden = put_otherwise && self.shows_what_is_hidden(line, number);
                    return match is_hidden {
                        true => leak(number, *difference, &state, others),
                        false => parted(was_compared),
                    };
                }
                Compared::Differs(difference) => return leak(number, *difference, &state, others),
            }
            // A number can determine the place of a component, where the viewer legitimately sees it later.
            if others.completed_at.contains(&number) && !lies_alike(line, point, &state, &chance) {
                return parted(was_compared);
            }
            // It can also determine the number of components taken from a pile, more of which comes into sight later.
            let has_other_numbers = chance.numbers != numbers;
            numbers = chance.numbers;
            if has_other_numbers && !piles_are_alike(line, point, &state, &chance) {
                return parted(was_compared);
            }
            heard.0.clear();
            let steps = Steps {
                line,
                number,
                answers: self.plan.answers,
            };
            match steps.take(&mut state, &mut chance, &mut heard, &mut others) {
                None => break,
                Some(Stepped::Done(notes)) => revealed = notes,
                // Compares the information up to here before it reports that the worlds diverge.
                Some(Stepped::Impossible) if !point.is_close && !may_show => {
                    return match at_rest(line, point, &state, &[], reveals) {
                        Compared::Differs(difference) => leak(number, *difference, &state, others),
                        Compared::Same | Compared::Apart => parted(was_compared),
                    };
                }
                Some(Stepped::Impossible | Stepped::Broken) => return parted(was_compared),
                Some(Stepped::Refused(difference)) => {
                    return leak(number, *difference, &state, others);
                }
            }
        }
        match is_other {
            true => Verdict::Same,
            false => Verdict::Apart,
        }
    }

    /// Returns whether all differences for the viewer on the way to this rest depend on hidden writes. If so, the same new choice
    /// makes no difference while the hidden writes keep their values.
    fn shows_what_is_hidden(&self, line: &Line<'_>, point: usize) -> bool {
        let program = line.program;
        let unseen = line.unseen.of(line);
        let mut chance = self.chance(line);
        chance.forced.at = Some((point, unseen));
        let mut heard = Collect::default();
        let Some(mut state) = self.begin(program, &mut chance, &mut heard) else {
            return false;
        };
        for number in 0..point {
            heard.0.clear();
            let steps = Steps {
                line,
                number,
                answers: self.plan.answers,
            };
            let taken = steps.take(&mut state, &mut chance, &mut heard, &mut Others::default());
            if !matches!(taken, Some(Stepped::Done(_))) {
                return false;
            }
        }
        let put_away = chance.forced.differs_in(unseen);
        let Some(rest) = line.points.get(point).filter(|_| put_away) else {
            return false;
        };
        let of_events = of_events(program, line.eyes, &rest.heard, &heard.0);
        let tried = there(line, rest, &state, &chance, &rest.tries);
        let at_rest = || at_rest(line, rest, &state, &tried, &mut Reveals::default());
        of_events.is_none() && matches!(at_rest(), Compared::Same)
    }

    /// Repeats the steps up to this rest, the last one with an observer.
    pub fn watch(&self, line: &Line<'_>, point: usize, observer: &mut dyn Observer) {
        let mut chance = self.chance(line);
        let mut nobody = Collect::default();
        let begun = match point {
            0 => self.begin(line.program, &mut chance, observer),
            _ => self.begin(line.program, &mut chance, &mut nobody),
        };
        let Some(mut state) = begun else { return };
        let mut others = Others::default();
        for number in 0..point {
            let ears: &mut dyn Observer = match number + 1 == point {
                true => observer,
                false => &mut nobody,
            };
            let steps = Steps {
                line,
                number,
                answers: self.plan.answers,
            };
            steps.take(&mut state, &mut chance, ears, &mut others);
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

/// A rest of the other world.
struct Here<'a> {
    state: &'a State,
    heard: &'a [Event],
    revealed: &'a [Revelation],
    tries: Vec<(Pending, Choice)>,
}

impl Here<'_> {
    /// Compares with the same rest of the line; `closely` includes views and choices.
    fn compare(
        &self,
        line: &Line<'_>,
        point: &Point,
        closely: bool,
        reveals: &mut Reveals,
    ) -> Compared {
        let (program, eyes) = (line.program, line.eyes);
        if !agree(eyes, &point.revealed, self.revealed, reveals) {
            return Compared::Apart;
        }
        if let Some(difference) = of_events(program, eyes, &point.heard, self.heard) {
            return Compared::Differs(Box::new(difference));
        }
        match point.is_close || closely {
            true => at_rest(line, point, self.state, &self.tries, reveals),
            false => Compared::Same,
        }
    }
}

/// Returns the information of the viewer at a rest of the line, and at this rest.
fn at_rest(
    line: &Line<'_>,
    point: &Point,
    state: &State,
    tries: &[(Pending, Choice)],
    reveals: &mut Reveals,
) -> Compared {
    let (program, eyes) = (line.program, line.eyes);
    if point.state == *state {
        return Compared::Same;
    }
    let (told_here, here) = point.told(line);
    let told = || Told::of(program, state, eyes, tries, point.page);
    let (told, at_rest) = noting(told);
    let (Ok(told_here), Ok(told)) = (told_here, told) else {
        return Compared::Apart;
    };
    if !agree(eyes, here, &at_rest, reveals) {
        return Compared::Apart;
    }
    match of_told(told_here, &told) {
        Some(difference) => Compared::Differs(Box::new(difference)),
        None => Compared::Same,
    }
}

enum Compared {
    Same,
    Apart,
    Differs(Box<Difference>),
}

fn leak(point: usize, difference: Difference, state: &State, others: Others) -> Verdict {
    Verdict::Leaks(Box::new(Leak {
        point,
        difference,
        there: Some(state.clone()),
        others,
    }))
}

/// Reports that the worlds have diverged, after all comparisons before agreed.
fn parted(was_compared: bool) -> Verdict {
    match was_compared {
        true => Verdict::Same,
        false => Verdict::Apart,
    }
}

/// Returns whether everything lies in the same place as the component whose part it plays in the line.
fn lies_alike(line: &Line<'_>, point: &Point, state: &State, chance: &Following<'_>) -> bool {
    let zones = 0..line.program.zones.len() as i32;
    zones.into_iter().all(|zone| {
        let there = point.state.members(zone).map(|it| chance.name(it));
        there.eq(state.members(zone))
    })
}

/// Returns whether the zones of components that the viewer sees later in these steps agree.
fn piles_are_alike(line: &Line<'_>, point: &Point, state: &State, chance: &Following<'_>) -> bool {
    let comes_into_sight = |component: i32| {
        line.glance.was_seen(component)
            && !sees_as(line.program, &point.state, line.eyes, component)
    };
    let zones = 0..line.program.zones.len() as i32;
    zones.into_iter().all(|zone| {
        let mut members = point.state.members(zone);
        let matters = members.any(comes_into_sight);
        let there = || point.state.members(zone).map(|it| chance.name(it));
        !matters || there().eq(state.members(zone))
    })
}

/// Draws the differences of a game from its beginning.
fn plan(line: &Line<'_>, dice: &mut Dice) -> Plan {
    let shuffles = line.course.shuffles;
    let choices = &line.course.choices;
    let redrawn = match dice.below(3) {
        0 => choices.get(dice.below(choices.len() as u64) as usize),
        _ => None,
    };
    let redrawn = redrawn.and_then(|chosen| Some((chosen, line.could_be(chosen)?)));
    let (redrawn, among) = redrawn.unzip();
    let from = match dice.below(2) {
        0 => 0,
        _ => dice.below(shuffles as u64) as usize,
    };
    let is_still = redrawn.is_some() && dice.below(2) == 0;
    Plan {
        seed: dice.below(u64::MAX),
        shuffles_from: (!is_still).then_some(from),
        all: dice.below(2) == 0,
        redrawn: redrawn.map(|chosen| chosen.key),
        is_put_away: redrawn.is_some_and(|chosen| line.puts_away(chosen)),
        among: among.unwrap_or_default(),
        answers: line.answers.any() && dice.below(2) == 0,
        draws: dice.below(2) == 0,
    }
}

/// A step of the line that is taken in the other world.
struct Steps<'l, 'p> {
    line: &'l Line<'p>,
    number: usize,
    /// Whether secret answers of others differ.
    answers: bool,
}

impl Steps<'_, '_> {
    /// Takes the step of a rest of the line; `None` if there was none. Adds its differences to `others`.
    fn take(
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
        let same = there(self.line, point, state, chance, &same);
        let Some((_, same)) = same.into_iter().next() else {
            return Some(Stepped::Impossible);
        };
        let other = self.other_answer(state, (&found, &same), chance, others);
        let choice = other.unwrap_or(same);
        let is_own = Viewer::Seat(owed.seat) == self.line.eyes;
        let mut make = |state: &mut State, choice: &Choice| {
            noting(|| step(program, state, found.index, choice, chance, observer))
        };
        let (mut taken, mut revealed) = make(state, &choice);
        if !is_own
            && matches!(taken, Err(StepError::Refused(_)))
            && let Some(only) = self.only_choice(state, &found)
        {
            (taken, revealed) = make(state, &only);
        }
        Some(match taken {
            Ok(()) => Stepped::Done(revealed),
            Err(StepError::Refused(refused)) if is_own => Stepped::Refused(Box::new(Difference {
                what: "whether an offered choice is accepted".to_owned(),
                contrast: Contrast {
                    member: String::new(),
                    here: "accepted".into(),
                    there: Rejection::of(program, state, owed.seat, refused)
                        .to_string()
                        .into(),
                },
                origin: Origin::Site(owed.site),
            })),
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
        otherwise: &mut Others,
    ) -> Option<Choice> {
        let (program, line) = (self.line.program, self.line);
        let answer = line.answers.at(self.number).filter(|_| self.answers)?;
        if chance.dice.below(3) == 0 {
            return None;
        }
        let numbers = answer.is_seen || chance.dice.below(2) == 0;
        for _ in 0..ANSWERS_DRAWN {
            let drawn = random_choice(program, state, found, &mut |n| chance.dice.below(n));
            let choice = partly_otherwise(program, found, drawn.ok()??, same, numbers);
            let can_be = match answer {
                Answer { is_seen: true, .. } => {
                    named(program, found, &choice) == named(program, found, same)
                }
                Answer { is_open: true, .. } => self.lies_open(state, found, &choice),
                _ => self.looks_like(state, found, (&choice, same)),
            };
            if !can_be {
                continue;
            }
            otherwise.shows_at.extend(answer.shows_at);
            otherwise.completed_at.extend(answer.completed_at);
            otherwise.answers.push((self.number, choice.clone()));
            if !answer.is_open {
                let (others, these) = (named(program, found, &choice), named(program, found, same));
                for (other, same) in others.into_iter().zip(these) {
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
        named.all(|component| sees_as(program, state, self.line.eyes, component))
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
    let site = program.sites.get(usize::from(owed.site));
    let option = site.and_then(|site| site.options.get(usize::from(other.option)));
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
    let site = program.sites.get(usize::from(owed.site));
    let option = site.and_then(|site| site.options.get(usize::from(choice.option)));
    let binders = option.into_iter().flat_map(|option| &option.binders);
    for (arg, binder) in choice.args.iter_mut().zip(binders) {
        if matches!(binder.of, Type::Component(_)) {
            match arg {
                Arg::One(value) => change(value),
                Arg::Many(values) => values.iter_mut().for_each(&mut *change),
            }
        }
    }
}

/// Returns the corresponding choices there: the viewer chooses unseen components by their places. All others are the
/// components that play their parts there, if these lie in the same zone.
fn there(
    line: &Line<'_>,
    point: &Point,
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
        let is_own = Viewer::Seat(owed.seat) == line.eyes;
        let mut choice = choice.clone();
        each_component(program, owed, &mut choice, &mut |value| {
            let part = chance.name(*value);
            let is_seen = !is_own || sees_as(program, &point.state, line.eyes, *value);
            if is_seen && state.zone_of(part) == point.state.zone_of(*value) {
                *value = part;
                return;
            }
            let at = usize::try_from(*value).ok();
            let name = at.and_then(|at| by_place.get(at)).copied();
            *value = name.filter(|name| *name != NONE).unwrap_or(*value);
        });
        (*owed, choice)
    });
    translated.collect()
}
