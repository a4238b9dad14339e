//! The same steps in another world.

mod others;
mod rest;
mod steps;

use std::ops::ControlFlow;

use super::course::{DifferingChance, Following};
use super::difference::{WorldDifference, of_events, of_undo};
use super::line::{LinePoint, PlayedLine};
use super::reveals::Reveals;
use super::writes::Unseen;
use others::Others;
use rest::{ComparedRest, Here, at_rest, lies_alike};
use steps::{OtherWorldStep, Stepped, translated};
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{Collect, Observer, Revelation, State, noting, sees_as, start};
use wyrmgate_program::{Program, SiteId};
use wyrmgate_view::InformationGain;

/// Another world: its differences at the beginning, and its differing results.
pub(super) struct OtherWorld {
    /// The state at the beginning; `None` if it begins with the game.
    pub base: Option<State>,
    /// For each component, the one that plays its part there at the beginning.
    pub names: Vec<i32>,
    pub plan: DifferingChance,
}

/// The result of the same steps.
pub(super) enum WorldVerdict {
    /// The viewer received the same information, up to the end or until it legitimately learned that the worlds differ.
    Same,
    /// The world is the same, or the viewer has legitimately learned at once that it is another one.
    Apart,
    Leaks(Box<Leak>),
}

impl WorldVerdict {
    fn without_leak(was_compared: bool) -> WorldVerdict {
        match was_compared {
            true => WorldVerdict::Same,
            false => WorldVerdict::Apart,
        }
    }
}

pub(super) struct Leak {
    /// The rest at which the difference showed, or on the way to which.
    pub point: usize,
    pub difference: WorldDifference,
    /// The state at that rest in the other world.
    pub there: Option<State>,
    /// The differences on the way there.
    pub others: Others,
}

impl OtherWorld {
    /// Draws another world; `None` if nothing could differ.
    pub fn draw(line: &PlayedLine<'_>, dice: &mut Dice) -> Option<OtherWorld> {
        let Some(base) = &line.base else {
            return Some(OtherWorld {
                base: None,
                names: (0..line.program.components.len() as i32).collect(),
                plan: plan(line, dice),
            });
        };
        let unknown = line.unknown();
        if unknown.is_empty() {
            return None;
        }
        let is_reworded = unknown.has_words() && (unknown.groups().is_empty() || dice.one_in(3));
        let other = match (is_reworded, dice.one_in(2)) {
            (true, _) => unknown.reworded(line.program, base, dice),
            (false, true) => unknown.mixed(line.program, base, dice),
            (false, false) => unknown.exchanged(line.program, base, dice),
        };
        Some(OtherWorld {
            base: Some(other.state),
            names: other.names,
            plan: DifferingChance {
                seed: dice.below(u64::MAX),
                draws: dice.one_in(2),
                ..DifferingChance::default()
            },
        })
    }

    fn chance<'a>(&'a self, line: &'a PlayedLine<'_>) -> Following<'a> {
        let (course, glance) = (&line.course, &line.glance);
        Following::new(line.program, course, glance, &self.plan, self.names.clone())
    }

    /// Takes the steps of the line and compares the information of the viewer.
    pub fn compare(&self, line: &PlayedLine<'_>, reveals: &mut Reveals) -> WorldVerdict {
        let mut chance = self.chance(line);
        let mut heard = Collect::default();
        let (begun, revealed) = noting(|| self.begin(line.program, &mut chance, &mut heard));
        let Some(state) = begun else {
            return WorldVerdict::Apart;
        };
        let gain = line
            .asks_back
            .map(|_| InformationGain::from_rest(line.program, state.clone(), heard.0.clone()));
        let comparison = RestComparison {
            world: self,
            line,
            chance,
            state,
            heard,
            revealed,
            others: Others::default(),
            gain,
            is_other: false,
            was_compared: false,
            may_show: false,
            shown: 0,
            numbers: 0,
        };
        comparison.verdict(reveals)
    }

    /// Returns whether all differences for the viewer on the way to this rest depend on hidden writes. If so, the same new choice
    /// makes no difference while the hidden writes keep their values.
    fn shows_what_is_hidden(&self, line: &PlayedLine<'_>, point: usize) -> bool {
        let program = line.program;
        let unseen = line.unseen.get_or_init(|| Unseen::of(line));
        let mut chance = self.chance(line);
        chance.forced.at = Some((point, unseen));
        let mut heard = Collect::default();
        let Some(state) = self.repeat(line, point, &mut chance, &mut heard) else {
            return false;
        };
        let put_away = chance.forced.differs_in(unseen);
        let Some(rest) = line.points.get(point).filter(|_| put_away) else {
            return false;
        };
        let of_events = of_events(program, line.viewer, &rest.heard, &heard.0);
        let tried = translated(line, rest, &state, &chance, &rest.tries);
        let at_rest = || at_rest(line, rest, &state, &tried, &mut Reveals::default());
        of_events.is_none() && matches!(at_rest(), ComparedRest::Same)
    }

    /// Repeats the steps up to this rest, the last one with an observer.
    pub fn watch(&self, line: &PlayedLine<'_>, point: usize, observer: &mut dyn Observer) {
        self.repeat(line, point, &mut self.chance(line), observer);
    }

    /// Repeats the steps up to this rest, the last one with an observer. Returns the state there; `None` if a step is impossible.
    fn repeat(
        &self,
        line: &PlayedLine<'_>,
        point: usize,
        chance: &mut Following<'_>,
        observer: &mut dyn Observer,
    ) -> Option<State> {
        let mut nobody = Collect::default();
        let mut state = match point {
            0 => self.begin(line.program, chance, observer)?,
            _ => self.begin(line.program, chance, &mut nobody)?,
        };
        for number in 0..point {
            let observer: &mut dyn Observer = match number + 1 == point {
                true => observer,
                false => &mut nobody,
            };
            let answers = self.plan.answers;
            let step = OtherWorldStep {
                line,
                number,
                answers,
            };
            let taken = step.take(&mut state, chance, observer, &mut Others::default());
            if !matches!(taken, Some(Stepped::Done(..))) {
                return None;
            }
        }
        Some(state)
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

/// The state of a comparison between two rests.
struct RestComparison<'w, 'p> {
    world: &'w OtherWorld,
    line: &'w PlayedLine<'p>,
    chance: Following<'w>,
    state: State,
    /// The events since the previous rest.
    heard: Collect,
    revealed: Vec<Revelation>,
    others: Others,
    /// The steps so far, if the viewer asks to take one back.
    gain: Option<InformationGain<'p>>,
    /// Whether the state has differed from that of the line.
    is_other: bool,
    /// Whether the information at a rest of the differing world was compared.
    was_compared: bool,
    /// Whether new choices of chance and secret answers of others may show now.
    may_show: bool,
    /// `chance.shown` and `chance.numbers` at the previous rest.
    shown: usize,
    numbers: usize,
}

impl RestComparison<'_, '_> {
    fn verdict(mut self, reveals: &mut Reveals) -> WorldVerdict {
        let points = self.line.points.iter().enumerate();
        let mut verdict = points.map(|(number, point)| {
            self.rest(number, point, reveals)?;
            self.step(number, point, reveals)
        });
        let verdict = verdict.find_map(ControlFlow::break_value);
        verdict.unwrap_or_else(|| self.same())
    }

    /// Compares the information at a rest.
    fn rest(
        &mut self,
        number: usize,
        point: &LinePoint,
        reveals: &mut Reveals,
    ) -> ControlFlow<WorldVerdict> {
        let (line, world) = (self.line, self.world);
        let put_otherwise = self.chance.forced.differs();
        self.is_other |= point.state != self.state;
        self.may_show = self.others.shows_at.contains(&number) || self.chance.shown != self.shown;
        self.shown = self.chance.shown;
        self.others.is_redrawn = self.chance.is_redrawn;
        let here = Here {
            state: &self.state,
            heard: &self.heard.0,
            revealed: &self.revealed,
            tries: translated(line, point, &self.state, &self.chance, &point.tries),
        };
        match here.compare(line, point, self.may_show, reveals) {
            ComparedRest::Same if self.goes_back_otherwise(number) => {
                let difference = of_undo(line.goes_back(), self.site_before(number));
                return ControlFlow::Break(self.leak(number, difference));
            }
            ComparedRest::Same => self.was_compared |= self.is_other && number > 0,
            ComparedRest::Apart => return ControlFlow::Break(self.parted()),
            ComparedRest::Differs(difference) => {
                let is_hidden = || put_otherwise && world.shows_what_is_hidden(line, number);
                return ControlFlow::Break(match !self.may_show || is_hidden() {
                    true => self.leak(number, *difference),
                    false => self.parted(),
                });
            }
        }
        // A number can determine the place of a component, where the viewer legitimately sees it later.
        let is_complete = self.others.completed_at.contains(&number);
        let parts = is_complete && !lies_alike(line, point, &self.state, &self.chance, |_| true);
        // It can also determine the number of components taken from a pile, more of which comes into sight later.
        let has_other_numbers = self.chance.numbers != self.numbers;
        self.numbers = self.chance.numbers;
        let comes_into_sight = |component: i32| {
            let is_seen = sees_as(line.program, &point.state, line.viewer, component);
            line.glance.was_seen(component) && !is_seen
        };
        let matters = |zone| point.state.members(zone).any(comes_into_sight);
        let piles_part = || !lies_alike(line, point, &self.state, &self.chance, matters);
        match parts || has_other_numbers && piles_part() {
            true => ControlFlow::Break(self.parted()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Takes the step after a rest.
    fn step(
        &mut self,
        number: usize,
        point: &LinePoint,
        reveals: &mut Reveals,
    ) -> ControlFlow<WorldVerdict> {
        self.heard.0.clear();
        let steps = OtherWorldStep {
            line: self.line,
            number,
            answers: self.world.plan.answers,
        };
        let (chance, heard) = (&mut self.chance, &mut self.heard);
        let stepped = steps.take(&mut self.state, chance, heard, &mut self.others);
        ControlFlow::Break(match stepped {
            Some(Stepped::Done((pending, choice), revealed)) => {
                self.revealed = revealed;
                let heard = self.heard.0.clone();
                if let Some(gain) = &mut self.gain {
                    gain.follow(pending, choice, self.state.clone(), heard);
                }
                return ControlFlow::Continue(());
            }
            None => self.same(),
            // Compares the information up to here before it reports that the worlds diverge.
            Some(Stepped::Impossible) if !point.is_close && !self.may_show => {
                match at_rest(self.line, point, &self.state, &[], reveals) {
                    ComparedRest::Differs(difference) => self.leak(number, *difference),
                    ComparedRest::Same | ComparedRest::Apart => self.parted(),
                }
            }
            Some(Stepped::Impossible | Stepped::Broken) => self.parted(),
            Some(Stepped::Refused(difference)) => self.leak(number, *difference),
        })
    }

    /// Returns whether this is the rest at which the viewer asks to take its step back, and the answer is another one here.
    fn goes_back_otherwise(&self, number: usize) -> bool {
        let asked = self
            .line
            .asks_back
            .filter(|asked| asked.last + 1 == number && self.is_other);
        let here = asked.zip(self.gain.as_ref());
        here.is_some_and(|(asked, gain)| {
            asked.is_granted(self.line.viewer, gain) != self.line.goes_back()
        })
    }

    fn site_before(&self, rest: usize) -> SiteId {
        let before = self.line.points.get(rest.saturating_sub(1));
        let taken = before.and_then(|point| point.taken.as_ref());
        taken.map_or(SiteId::MAX, |(owed, _)| owed.site)
    }

    fn leak(&self, point: usize, difference: WorldDifference) -> WorldVerdict {
        WorldVerdict::Leaks(Box::new(Leak {
            point,
            difference,
            there: Some(self.state.clone()),
            others: self.others.clone(),
        }))
    }

    /// Reports that the worlds have diverged, after all comparisons before agreed.
    fn parted(&self) -> WorldVerdict {
        WorldVerdict::without_leak(self.was_compared)
    }

    /// Reports that all comparisons up to the end agreed.
    fn same(&self) -> WorldVerdict {
        WorldVerdict::without_leak(self.is_other)
    }
}

/// Draws the differences of a game from its beginning.
fn plan(line: &PlayedLine<'_>, dice: &mut Dice) -> DifferingChance {
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
    let is_still = redrawn.is_some() && dice.one_in(2);
    DifferingChance {
        seed: dice.below(u64::MAX),
        shuffles_from: (!is_still).then_some(from),
        all: dice.one_in(2),
        redrawn: redrawn.map(|chosen| chosen.key),
        is_put_away: redrawn.is_some_and(|chosen| line.puts_away(chosen)),
        among: among.unwrap_or_default(),
        answers: line.answers.iter().any(Option::is_some) && dice.one_in(2),
        draws: dice.one_in(2),
    }
}
