//! A world under construction: its current step, the course that led there, and the marks to return to.

use super::history::Made;
use super::sampling::Outcome;
use wyrmgate_engine::State;

/// A world up to some step.
#[derive(Clone)]
pub(super) struct Draft {
    /// Number of steps taken, including the setup.
    pub steps: usize,
    /// The state. `None` before the setup.
    pub state: Option<State>,
    /// For each component of the true game, the component that lies in its place.
    pub names: Vec<i32>,
    pub course: Course,
    /// Marks before steps that have alternatives, in order.
    marks: Vec<Mark>,
}

/// Everything that determines a world: one result per random operation, and the choices of all seats.
#[derive(Debug, Clone, Default)]
pub(super) struct Course {
    pub outcomes: Vec<Outcome>,
    pub made: Vec<Made>,
}

impl Course {
    /// Returns the planned choice of a step.
    pub fn made_at(&self, step: usize) -> Option<&Made> {
        self.made.get(step.checked_sub(1)?)
    }
}

#[derive(Clone)]
struct Mark {
    step: usize,
    outcomes: usize,
    state: Option<State>,
    names: Vec<i32>,
}

/// The part of a course that was cut off, to be restored.
pub(super) struct Tail {
    steps: usize,
    state: Option<State>,
    names: Vec<i32>,
    course: Course,
    marks: Vec<Mark>,
}

impl Draft {
    pub fn blank(components: usize) -> Draft {
        Draft {
            steps: 0,
            state: None,
            names: (0..components as i32).collect(),
            course: Course::default(),
            marks: Vec::new(),
        }
    }

    /// Returns about how many bytes it holds.
    pub fn bytes(&self) -> usize {
        let states = self.marks.iter().map(|mark| &mark.state);
        let states = states.chain([&self.state]).flatten();
        let each = self.names.len() * size_of::<i32>();
        let course = self.course.outcomes.len() * size_of::<Outcome>()
            + self.course.made.len() * size_of::<Made>();
        states.map(|state| state.bytes() + each).sum::<usize>() + course
    }

    /// Sets a mark at the current step.
    pub fn mark(&mut self) {
        if self
            .marks
            .last()
            .is_some_and(|mark| mark.step == self.steps)
        {
            return;
        }
        self.marks.push(Mark {
            step: self.steps,
            outcomes: self.course.outcomes.len(),
            state: self.state.clone(),
            names: self.names.clone(),
        });
    }

    /// Returns the state before a step that has a mark.
    pub fn state_before(&self, step: usize) -> Option<&State> {
        let at = self
            .marks
            .binary_search_by_key(&step, |mark| mark.step)
            .ok()?;
        self.marks.get(at)?.state.as_ref()
    }

    /// Removes the mark at the current step.
    pub fn forget_mark(&mut self) {
        if self
            .marks
            .last()
            .is_some_and(|mark| mark.step == self.steps)
        {
            self.marks.pop();
        }
    }

    /// Returns the steps with marks.
    pub fn marked(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.marks.iter().map(|mark| mark.step)
    }

    /// Returns to the last mark at or before a step, and removes the mark.
    pub fn cut(&mut self, step: usize) -> Option<Tail> {
        let at = self.marks.partition_point(|mark| mark.step <= step);
        let marks = self.marks.split_off(at.checked_sub(1)?);
        let mark = marks.first()?;
        let outcomes = self.course.outcomes.split_off(mark.outcomes);
        let made = self.course.made.split_off(mark.step.saturating_sub(1));
        let tail = Tail {
            steps: std::mem::replace(&mut self.steps, mark.step),
            state: std::mem::replace(&mut self.state, mark.state.clone()),
            names: std::mem::replace(&mut self.names, mark.names.clone()),
            course: Course { outcomes, made },
            marks,
        };
        Some(tail)
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
        self.course.outcomes.truncate(operations);
        self.course.made.truncate(made);
    }

    /// Restores what was removed by [`Draft::cut`].
    pub fn put_back(&mut self, tail: Tail) {
        let Some(mark) = tail.marks.first() else {
            return;
        };
        let at = self.marks.partition_point(|other| other.step < mark.step);
        self.marks.truncate(at);
        self.course.outcomes.truncate(mark.outcomes);
        self.course.made.truncate(mark.step.saturating_sub(1));
        self.course.outcomes.extend(tail.course.outcomes);
        self.course.made.extend(tail.course.made);
        self.marks.extend(tail.marks);
        (self.steps, self.state, self.names) = (tail.steps, tail.state, tail.names);
    }
}
