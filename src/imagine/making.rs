//! One attempt at a world: the history once more, with what the seat has seen as it was and the rest drawn.

use std::ops::Range;

use super::future::Future;
use super::history::Made;
use super::line::{Line, Step};
use super::same::Same;
use super::sampling::{Course, Sampling, is_open, name};
use crate::dice::Dice;
use crate::engine::{self, Arg, Chance, Choice, Observer, State, StepError};
use crate::program::{Program, Type};

/// What happens at once is tried so often.
const TRIES_AT_ONCE: usize = 64;

/// A world in the making.
pub(super) struct Draft {
    /// `None` before the setup.
    pub state: Option<State>,
    pub course: Course,
    pub made: Vec<Made>,
}

/// Where a draft was, to go back to.
struct Mark {
    state: Option<State>,
    names: Vec<i32>,
    outcomes: usize,
    made: usize,
}

impl Draft {
    fn mark(&self) -> Mark {
        Mark {
            state: self.state.clone(),
            names: self.course.names.clone(),
            outcomes: self.course.outcomes.len(),
            made: self.made.len(),
        }
    }

    fn go_back(&mut self, mark: &Mark) {
        self.state.clone_from(&mark.state);
        self.course.names.clone_from(&mark.names);
        self.course.outcomes.truncate(mark.outcomes);
        self.made.truncate(mark.made);
    }
}

pub(super) struct Making<'a> {
    pub program: &'a Program,
    pub seat: u8,
    pub seed: [u8; 32],
    pub line: &'a Line,
    pub future: &'a Future,
}

impl Making<'_> {
    /// From the setup to the present; `None` as soon as the seat would notice a difference.
    pub fn draft(&self, dice: &mut Dice) -> Option<Draft> {
        let mut draft = self.blank();
        let mut at = 0;
        while at < self.line.steps.len() {
            let together = self.together(at);
            self.go_on(&mut draft, together.clone(), dice)?;
            at = together.end;
        }
        Some(draft)
    }

    fn blank(&self) -> Draft {
        let course = Course {
            names: (0..self.program.components.len() as i32).collect(),
            outcomes: Vec::new(),
        };
        Draft {
            state: None,
            course,
            made: Vec::new(),
        }
    }

    fn is_hidden(&self, step: &Step) -> bool {
        let made = step.made.as_ref();
        made.is_some_and(|made| made.secret && made.seat != self.seat)
    }

    /// Steps that stand or fall together: secret answers are known by what the last of them brings.
    fn together(&self, first: usize) -> Range<usize> {
        let is_secret = |step: &Step| step.made.as_ref().is_some_and(|made| made.secret);
        let secret = self.line.steps.iter().skip(first);
        let secret = secret.take_while(|step| is_secret(step)).count();
        // Of one decision every seat has at most one answer.
        let mut seats = 0u16;
        let mut count = 0;
        for step in self.line.steps.iter().skip(first).take(secret) {
            let seat = step.made.as_ref().map_or(0, |made| 1 << made.seat.min(15));
            if seats & seat != 0 {
                break;
            }
            seats |= seat;
            count += 1;
        }
        first..first + count.max(1)
    }

    fn is_open(&self, steps: &Range<usize>) -> bool {
        let before = steps.start.checked_sub(1);
        let before = before.and_then(|before| self.line.steps.get(before));
        let first = before.map_or(0, |before| before.operations);
        let steps = self.line.steps.get(steps.clone()).unwrap_or_default();
        let end = steps.last().map_or(first, |step| step.operations);
        let operations = self.line.operations.get(first..end).unwrap_or_default();
        operations.iter().any(is_open) || steps.iter().any(|step| self.is_hidden(step))
    }

    fn go_on(&self, draft: &mut Draft, steps: Range<usize>, dice: &mut Dice) -> Option<()> {
        if !self.is_open(&steps) {
            return steps
                .into_iter()
                .try_for_each(|at| self.step(draft, at, dice));
        }
        let before = draft.mark();
        for _ in 0..TRIES_AT_ONCE {
            let made = steps.clone().try_for_each(|at| self.step(draft, at, dice));
            if made.is_some() {
                return Some(());
            }
            draft.go_back(&before);
        }
        None
    }

    /// `None` as soon as the seat would notice a difference.
    fn step(&self, draft: &mut Draft, at: usize, dice: &mut Dice) -> Option<()> {
        let line = self.line;
        let step = line.steps.get(at)?;
        let program = self.program;
        let mut same = Same::new(program, self.seat, &step.events);
        let choice = match (&step.made, &draft.state) {
            (Some(made), Some(state)) if self.is_hidden(step) => {
                Some(another(program, state, made, dice)?)
            }
            (Some(made), Some(state)) => Some(renamed(program, state, made, &draft.course.names)),
            _ => None,
        };
        let mut chance = Sampling {
            operations: line.operations.get(..step.operations)?,
            future: self.future,
            course: &mut draft.course,
            dice,
            is_lost: false,
        };
        match (&step.made, choice, &mut draft.state) {
            (Some(made), Some(choice), Some(state)) => {
                take(program, state, made, &choice, &mut chance, &mut same).ok()?;
                draft.made.push(Made {
                    choice,
                    ..made.clone()
                });
            }
            (None, _, none) => {
                *none = Some(engine::start(program, self.seed, &mut chance, &mut same).ok()?);
            }
            _ => return None,
        }
        let is_whole = chance.course.outcomes.len() == step.operations;
        (!chance.is_lost && is_whole && same.is_same()).then_some(())
    }
}

/// Makes a choice for its seat.
pub(super) fn take(
    program: &Program,
    state: &mut State,
    made: &Made,
    choice: &Choice,
    chance: &mut dyn Chance,
    ears: &mut dyn Observer,
) -> Result<(), StepError> {
    let owed = engine::pending(program, state);
    let index = owed.iter().position(|owed| owed.seat == made.seat);
    let index = index.unwrap_or(usize::MAX); // refused as not owed
    engine::step(program, state, index, choice, chance, ears)
}

/// The choice with the components that lie there now.
pub(super) fn renamed(program: &Program, state: &State, made: &Made, names: &[i32]) -> Choice {
    let mut choice = made.choice.clone();
    let owed = engine::pending(program, state);
    let site = owed
        .first()
        .and_then(|owed| program.sites.get(usize::from(owed.site)));
    let option = site.and_then(|site| site.options.get(usize::from(choice.option)));
    let binders = option.into_iter().flat_map(|option| &option.binders);
    for (arg, binder) in choice.args.iter_mut().zip(binders) {
        if !matches!(binder.of, Type::Component(_)) {
            continue;
        }
        match arg {
            Arg::One(value) => *value = name(names, *value),
            Arg::Many(values) => {
                for value in values {
                    *value = name(names, *value);
                }
            }
        }
    }
    choice
}

/// Any choice of the seat.
fn another(program: &Program, state: &State, made: &Made, dice: &mut Dice) -> Option<Choice> {
    let owed = engine::pending(program, state);
    let owed = owed.iter().find(|owed| owed.seat == made.seat)?;
    let choice = engine::random_choice(program, state, owed, &mut |n| dice.below(n));
    choice.ok()?
}
