//! A world under construction: its current step, the course that led there, and the marks to return to.

use super::history::Made;
use super::mark::{Begun, ReturnPoint};
use super::sampling::RandomResult;
use wyrmgate_engine::State;

/// A world up to some step.
#[derive(Clone)]
pub(super) struct WorldDraft {
    /// Number of steps taken, including the setup.
    pub steps: usize,
    /// The state. `None` before the setup.
    pub state: Option<State>,
    /// For each component of the true game, the component that lies in its place.
    pub names: Vec<i32>,
    pub course: WorldCourse,
    /// Whether it is being repaired, so that marks within steps are worth their cost.
    pub is_repaired: bool,
    /// The point at which the next step continues, if it has begun.
    pub begun: Option<Begun>,
    /// Marks before steps that have alternatives and within them, in order.
    marks: Vec<ReturnPoint>,
}

/// Everything that determines a world: one result per random operation, and the choices of all seats.
#[derive(Debug, Clone, Default)]
pub(super) struct WorldCourse {
    pub outcomes: Vec<RandomResult>,
    pub made: Vec<Made>,
}

impl WorldCourse {
    /// Returns the planned choice of a step.
    pub fn made_at(&self, step: usize) -> Option<&Made> {
        self.made.get(step.checked_sub(1)?)
    }

    /// Plans another result of an operation.
    pub fn plan(&mut self, operation: usize, result: RandomResult) {
        if let Some(outcome) = self.outcomes.get_mut(operation) {
            *outcome = result;
        }
    }
}

impl WorldDraft {
    pub fn blank(components: usize) -> WorldDraft {
        WorldDraft {
            steps: 0,
            state: None,
            names: (0..components as i32).collect(),
            course: WorldCourse::default(),
            is_repaired: false,
            begun: None,
            marks: Vec::new(),
        }
    }

    /// Returns about how many bytes it holds.
    pub fn bytes(&self) -> usize {
        let states = self.marks.iter().map(|mark| &mark.state);
        let states = states.chain([&self.state]).flatten();
        let each = self.names.len() * size_of::<i32>();
        let course = self.course.outcomes.len() * size_of::<RandomResult>()
            + self.course.made.len() * size_of::<Made>();
        states.map(|state| state.bytes() + each).sum::<usize>() + course
    }

    /// Sets a mark at the present place.
    pub fn mark(&mut self) {
        if self.is_marked() {
            return;
        }
        self.marks.push(ReturnPoint {
            step: self.steps,
            begun: self.begun,
            outcomes: self.course.outcomes.len(),
            made: self.course.made.len(),
            state: self.state.clone(),
            names: self.names.clone(),
        });
    }

    fn is_marked(&self) -> bool {
        self.marks.last().is_some_and(|mark| {
            mark.step == self.steps
                && mark.begun.is_some() == self.begun.is_some()
                && mark.outcomes == self.course.outcomes.len()
        })
    }

    /// Adds the marks of a step that was taken.
    pub fn add_marks(&mut self, marks: Vec<ReturnPoint>) {
        self.marks.extend(marks);
    }

    /// Removes the marks within steps.
    pub fn forget_marks_within(&mut self) {
        self.marks.retain(|mark| mark.begun.is_none());
    }

    /// Goes into the next step up to the last of its marks, as this course did.
    pub fn go_into(&mut self, marks: &[ReturnPoint], course: &WorldCourse) {
        let Some((last, before)) = marks.split_last() else {
            return;
        };
        self.mark();
        let outcomes = course
            .outcomes
            .get(self.course.outcomes.len()..last.outcomes);
        let made = course.made.get(self.course.made.len()..last.made);
        let own = &mut self.course;
        own.outcomes.extend_from_slice(outcomes.unwrap_or_default());
        own.made.extend_from_slice(made.unwrap_or_default());
        self.marks.extend_from_slice(before);
        (self.state, self.names) = (last.state.clone(), last.names.clone());
        self.begun = last.begun;
    }

    /// Leaves a step into which it has gone.
    pub fn go_out(&mut self) {
        self.cut(self.steps);
        self.mark();
    }

    /// Returns the state before a step that has a mark.
    pub fn state_before(&self, step: usize) -> Option<&State> {
        let at = self.marks.partition_point(|mark| mark.step < step);
        let mark = self.marks.get(at)?;
        (mark.step == step).then_some(mark.state.as_ref()?)
    }

    /// Removes the mark at the current step.
    pub fn forget_mark(&mut self) {
        if self.is_marked() {
            self.marks.pop();
        }
    }

    /// Returns the steps with marks.
    pub fn marked(&self) -> impl DoubleEndedIterator<Item = usize> {
        let before = self.marks.iter().filter(|mark| mark.begun.is_none());
        before.map(|mark| mark.step)
    }

    /// Returns to the last mark at or before the beginning of a step, and removes the mark. Returns what was cut off.
    pub fn cut(&mut self, step: usize) -> Option<WorldDraft> {
        let is_before = |mark: &ReturnPoint| mark.step <= step && mark.begun.is_none();
        let at = self.marks.iter().rposition(is_before)?;
        self.cut_at(at)
    }

    /// Returns to the last mark before an operation, and removes the mark.
    pub fn cut_before(&mut self, operation: usize) -> Option<WorldDraft> {
        let after = self.marks.partition_point(|mark| mark.is_before(operation));
        self.cut_at(after.checked_sub(1)?)
    }

    fn cut_at(&mut self, at: usize) -> Option<WorldDraft> {
        let marks = self.marks.split_off(at);
        let mark = marks.first()?;
        let course = WorldCourse {
            outcomes: self.course.outcomes.split_off(mark.outcomes),
            made: self.course.made.split_off(mark.made),
        };
        let before = WorldDraft {
            steps: mark.step,
            state: mark.state.clone(),
            names: mark.names.clone(),
            course: std::mem::take(&mut self.course),
            is_repaired: self.is_repaired,
            begun: mark.begun,
            marks: std::mem::take(&mut self.marks),
        };
        let after = std::mem::replace(self, before);
        Some(WorldDraft {
            course,
            marks,
            ..after
        })
    }

    /// Replaces the state from which the next step starts, and returns the old one.
    pub fn swap(&mut self, state: Option<State>, names: Vec<i32>) -> (Option<State>, Vec<i32>) {
        (
            std::mem::replace(&mut self.state, state),
            std::mem::replace(&mut self.names, names),
        )
    }

    /// Restores the course before a step that was only tried: up to these numbers of operations and choices.
    pub fn untake(&mut self, operations: usize, made: usize) {
        self.steps = self.steps.saturating_sub(1);
        while self
            .marks
            .pop_if(|mark| mark.step == self.steps && mark.begun.is_some())
            .is_some()
        {}
        self.course.outcomes.truncate(operations);
        self.course.made.truncate(made);
    }

    /// Restores what was removed by [`WorldDraft::cut`].
    pub fn put_back(&mut self, tail: WorldDraft) {
        let Some(mark) = tail.marks.first() else {
            return;
        };
        // What has been added since begins at that mark again.
        let is_earlier = |other: &ReturnPoint| {
            (other.step, other.begun.is_some(), other.outcomes)
                < (mark.step, mark.begun.is_some(), mark.outcomes)
        };
        let at = self.marks.partition_point(is_earlier);
        self.marks.truncate(at);
        self.course.outcomes.truncate(mark.outcomes);
        self.course.made.truncate(mark.made);
        self.course.outcomes.extend(tail.course.outcomes);
        self.course.made.extend(tail.course.made);
        self.marks.extend(tail.marks);
        (self.steps, self.state, self.names) = (tail.steps, tail.state, tail.names);
        self.begun = tail.begun;
    }
}
