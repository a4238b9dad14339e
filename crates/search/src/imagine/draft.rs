//! A world in the making: how far it has come, how it came there, and the places to go back to.

use super::history::Made;
use super::sampling::Outcome;
use wyrmgate_engine::State;

/// A world up to some step.
pub(super) struct Draft {
    /// Steps taken, the setup among them.
    pub steps: usize,
    /// `None` before the setup.
    pub state: Option<State>,
    /// By component of the true game: which one lies in its place.
    pub names: Vec<i32>,
    pub course: Course,
    /// Before steps that can go otherwise, in order.
    marks: Vec<Mark>,
}

/// Everything that decides how a world comes about: results of chance, one an operation, and the choices of all seats.
#[derive(Debug, Clone, Default)]
pub(super) struct Course {
    pub outcomes: Vec<Outcome>,
    pub made: Vec<Made>,
}

impl Course {
    /// What is planned for a step.
    pub fn made_at(&self, step: usize) -> Option<&Made> {
        self.made.get(step.checked_sub(1)?)
    }
}

struct Mark {
    step: usize,
    outcomes: usize,
    state: Option<State>,
    names: Vec<i32>,
}

/// What was cut off, to be put back.
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

    /// Notes where it is, to go back to.
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

    /// Forgets that it was here.
    pub fn forget_mark(&mut self) {
        if self
            .marks
            .last()
            .is_some_and(|mark| mark.step == self.steps)
        {
            self.marks.pop();
        }
    }

    /// Steps that can be gone back to.
    pub fn marked(&self) -> impl DoubleEndedIterator<Item = usize> {
        self.marks.iter().map(|mark| mark.step)
    }

    /// Goes back to the last mark at a step or before it. The mark is used up.
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

    /// Another state to take the next step from; answers what it was.
    pub fn swap(&mut self, state: Option<State>, names: Vec<i32>) -> (Option<State>, Vec<i32>) {
        (
            std::mem::replace(&mut self.state, state),
            std::mem::replace(&mut self.names, names),
        )
    }

    /// As it was before a step that was only tried: after so many operations and choices.
    pub fn untake(&mut self, operations: usize, made: usize) {
        self.steps = self.steps.saturating_sub(1);
        self.course.outcomes.truncate(operations);
        self.course.made.truncate(made);
    }

    /// Takes back what came after [`Draft::cut`].
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
