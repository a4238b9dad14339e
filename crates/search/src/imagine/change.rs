//! A change to a world that has diverged from the true game.

use super::draft::{WorldCourse, WorldDraft};
use super::making::NoticedDifference;
use super::mark::ReturnPoint;
use super::sampling::RandomResult;
use wyrmgate_engine::Choice;

/// Number of recent unseen results and answers that may have caused the difference.
pub(super) const RECENT: usize = 8;

/// A change of a world's course.
pub(super) enum CourseChange {
    /// Exchanges two components from an operation on.
    Exchange(Vec<CourseExchange>),
    /// Another secret answer at a step. `None` for any.
    Answer { step: usize, choice: Option<Choice> },
    /// Another result of an operation.
    Redraw(usize),
    /// Other values of numbers that operations have drawn.
    Numbers(Vec<(usize, i32)>),
}

#[derive(Clone, Copy)]
pub(super) struct CourseExchange {
    pub operation: usize,
    pub one: i32,
    pub other: i32,
}

impl CourseChange {
    /// Returns the first operation that it changes, unless it changes an answer.
    pub fn operation(&self) -> Option<usize> {
        match self {
            CourseChange::Exchange(exchanges) => exchanges.iter().map(|one| one.operation).min(),
            CourseChange::Answer { .. } => None,
            CourseChange::Redraw(operation) => Some(*operation),
            CourseChange::Numbers(numbers) => numbers.iter().map(|(operation, _)| *operation).min(),
        }
    }

    /// Applies the change to the course.
    pub fn apply(&self, course: &mut WorldCourse) {
        match self {
            CourseChange::Exchange(exchanges) => {
                for exchange in exchanges {
                    exchange.apply(&mut course.outcomes);
                }
            }
            CourseChange::Answer { step, choice } => {
                // No option has this index, so that any is drawn.
                let none = || Choice {
                    option: u16::MAX,
                    ..Choice::default()
                };
                let made = step.checked_sub(1).and_then(|at| course.made.get_mut(at));
                if let Some(made) = made {
                    made.choice = choice.clone().unwrap_or_else(none);
                }
            }
            CourseChange::Redraw(operation) => {
                course.plan(*operation, RandomResult::Open);
            }
            CourseChange::Numbers(numbers) => {
                for (operation, value) in numbers {
                    course.plan(*operation, RandomResult::of_value(*value));
                }
            }
        }
    }
}

impl CourseExchange {
    pub fn new(operation: usize, one: i32, other: i32) -> CourseExchange {
        CourseExchange {
            operation,
            one,
            other,
        }
    }

    /// Returns what a component becomes.
    pub fn of(self, component: i32) -> i32 {
        exchanged(component, self.one, self.other)
    }

    /// Exchanges both until they are mixed again.
    pub fn apply(self, outcomes: &mut [RandomResult]) {
        let end = self.mixed_again(outcomes).unwrap_or(outcomes.len());
        for outcome in outcomes.iter_mut().take(end).skip(self.operation) {
            outcome.rename(|component| self.of(component));
        }
    }

    /// Returns the next operation that mixes both.
    pub fn mixed_again(self, outcomes: &[RandomResult]) -> Option<usize> {
        let mut later = outcomes.iter().enumerate().skip(self.operation + 1);
        let again = later.find(|(_, outcome)| {
            let mixed = outcome.mixed();
            mixed.contains(&self.one) && mixed.contains(&self.other)
        });
        again.map(|(number, _)| number)
    }
}

/// Returns what a component becomes where two are exchanged.
pub(super) fn exchanged(component: i32, one: i32, other: i32) -> i32 {
    match component {
        _ if component == one => other,
        _ if component == other => one,
        _ => component,
    }
}

/// A diverged world: its course up to there, and the difference.
pub(super) struct Stray {
    pub course: WorldCourse,
    pub failure: Box<NoticedDifference>,
    /// Components not yet tried in place of the last one.
    pub(super) untried: Option<Vec<i32>>,
}

impl Stray {
    pub fn new(draft: &WorldDraft, failure: Box<NoticedDifference>) -> Stray {
        let mut course = draft.course.clone();
        course.outcomes.extend(failure.outcomes.iter().cloned());
        course.made.extend(failure.made.clone());
        Stray {
            course,
            failure,
            untried: None,
        }
    }

    /// Returns the marks within the step that has diverged, up to an operation.
    pub fn marks_before(&self, operation: usize) -> &[ReturnPoint] {
        let marks = &self.failure.marks;
        let before = marks.partition_point(|mark| mark.is_before(operation));
        marks.get(..before).unwrap_or_default()
    }

    /// Continues from another diverged world that has come at least as far.
    pub fn take_over(&mut self, other: Stray) {
        let same = other.failure.score == self.failure.score;
        let untried = self.untried.take().filter(|_| same);
        *self = Stray { untried, ..other };
    }
}
