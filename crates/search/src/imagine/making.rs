//! Takes one step of a world: observed results as the seat has seen them, the rest planned or drawn.

use std::cell::{Cell, RefCell};

use super::draft::{WorldCourse, WorldDraft};
use super::future::Future;
use super::history::Made;
use super::line::{LineStep, ObservedGame, SeenBack};
use super::mark::ReturnPoint;
use super::same::{Same, StepAgreement};
use super::sampling::{ChanceFindings, RandomResult, Sampling, is_open, name};
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Chance, Choice, Event, Observer, State, StepError, Viewer};
use wyrmgate_program::Program;
use wyrmgate_view::{ChangingBack, ViewDoc, changing_back, rename_choice};

/// The inputs for worlds of one line.
pub(super) struct Making<'a> {
    pub program: &'a Program,
    pub seat: u8,
    pub seed: [u8; 32],
    pub line: &'a ObservedGame,
    pub future: &'a Future,
    /// The seat's current view.
    pub view: &'a ViewDoc,
    /// The zone in which the last world looked different.
    pub suspect: Cell<usize>,
    pub findings: &'a RefCell<ChanceFindings>,
}

/// A step in which the seat would notice a difference.
#[derive(Default)]
pub(super) struct NoticedDifference {
    /// How much of the step matched: 2 for each event, and 1 if the next one gave a value to the same, if another.
    pub score: usize,
    /// The event that the seat received next, and the event that occurred instead.
    pub expected: Option<Event>,
    pub other: Option<Event>,
    /// Components where the seat has seen another back.
    pub odd: Vec<(i32, ChangingBack)>,
    /// The state after the step, and the components in their places when it diverged.
    pub after: Option<State>,
    pub names: Vec<i32>,
    /// The course with this step.
    pub outcomes: Vec<RandomResult>,
    pub made: Option<Made>,
    /// Marks within the step.
    pub marks: Vec<ReturnPoint>,
}

/// What a step is taken with.
struct StepInputs<'w> {
    plan: &'w WorldCourse,
    dice: &'w mut Dice,
    /// Places within the step to return to.
    marks: &'w mut Vec<ReturnPoint>,
}

impl Making<'_> {
    /// Takes the next step, if it matches; nobody asks how it diverges, so it ends there.
    pub fn goes_on(&self, draft: &mut WorldDraft, plan: &WorldCourse, dice: &mut Dice) -> bool {
        self.step_unless(draft, plan, dice, usize::MAX).is_ok()
    }

    /// Takes the next step. A failure leaves the draft unchanged. It ends where it diverges if its score is then lower than
    /// `least`: only the score of such a failure counts.
    pub fn step_unless(
        &self,
        draft: &mut WorldDraft,
        plan: &WorldCourse,
        dice: &mut Dice,
        least: usize,
    ) -> Result<(), Box<NoticedDifference>> {
        let Some(step) = self.line.steps.get(draft.steps) else {
            return Ok(());
        };
        if draft.begun.is_some() || self.is_open(draft.steps) {
            draft.mark();
        }
        let (state, names) = (draft.state.clone(), draft.names.clone());
        let (outcomes, made) = (draft.course.outcomes.len(), draft.course.made.len());
        let (begun, mut marks) = (draft.begun, Vec::new());
        let way = StepInputs {
            plan,
            dice,
            marks: &mut marks,
        };
        let tried = self.try_step(draft, step, way, least);
        let Err(mut failure) = tried else {
            draft.begun = None;
            draft.add_marks(marks);
            draft.steps += 1;
            return Ok(());
        };
        failure.marks = marks;
        draft.begun = begun;
        failure.after = std::mem::replace(&mut draft.state, state);
        failure.names = std::mem::replace(&mut draft.names, names);
        failure.outcomes = draft.course.outcomes.split_off(outcomes);
        failure.made = draft.course.made.split_off(made).pop();
        Err(failure)
    }

    fn try_step(
        &self,
        draft: &mut WorldDraft,
        step: &LineStep,
        way: StepInputs<'_>,
        least: usize,
    ) -> Result<(), Box<NoticedDifference>> {
        let progress = StepAgreement::from(draft.begun);
        let same = Same::new(self.program, self.seat, &step.events, &progress);
        let mut same = same.unless(least / 2);
        let went = self.go(draft, step, way, &mut same, &progress);
        let told = same.matched();
        let is_same = same.is_same();
        let (expected, other) = same.difference();
        let is_alike = matches!((expected, &other), (Some(Event::Given { to, .. }), Some(Event::Given { to: there, .. })) if to == there);
        let mut failure = Box::new(NoticedDifference {
            score: 2 * told + usize::from(is_alike),
            expected: expected.cloned(),
            other,
            ..NoticedDifference::default()
        });
        if went.is_none() || !is_same {
            return Err(failure);
        }
        failure.odd = self.odd(draft, &step.sights);
        failure.score += 2 * (1 + step.sights.len() - failure.odd.len());
        let is_last = draft.steps + 1 == self.line.steps.len();
        if failure.odd.is_empty() && (!is_last || self.looks_right(draft)) {
            return Ok(());
        }
        Err(failure)
    }

    fn looks_right(&self, draft: &WorldDraft) -> bool {
        let state = draft.state.as_ref();
        let viewer = Viewer::Seat(self.seat);
        state.is_some_and(|state| {
            let suspect = &self.suspect;
            self.view.is_of(self.program, state, viewer, suspect)
        })
    }

    /// Returns the components where the seat has seen another back.
    fn odd(&self, draft: &WorldDraft, sights: &[SeenBack]) -> Vec<(i32, ChangingBack)> {
        let Some(state) = &draft.state else {
            return Vec::new();
        };
        let lying = sights.iter().filter_map(|sight| {
            let component = name(&draft.names, sight.component);
            let back = changing_back(self.program, state, component);
            (back != sight.back).then(|| (component, sight.back.clone()))
        });
        lying.collect()
    }

    /// Takes a step. Returns `None` if the world diverges from the true game.
    fn go(
        &self,
        draft: &mut WorldDraft,
        step: &LineStep,
        way: StepInputs<'_>,
        same: &mut Same<'_>,
        progress: &StepAgreement,
    ) -> Option<()> {
        let program = self.program;
        let StepInputs { plan, dice, marks } = way;
        let planned = plan.made_at(draft.steps);
        let choice = match (&step.made, &draft.state) {
            _ if draft.begun.is_some() => None,
            (Some(made), Some(_)) if self.is_hidden(step) => {
                Some(self.answer(draft, made, planned, dice)?)
            }
            (Some(made), Some(state)) => Some(renamed(program, state, made, &draft.names)),
            _ => None,
        };
        let mut chance = Sampling {
            operations: self.line.operations.get(..step.operations)?,
            future: self.future,
            names: &mut draft.names,
            outcomes: &mut draft.course.outcomes,
            plan: &plan.outcomes,
            findings: draft.is_repaired.then_some(self.findings),
            line: self.line,
            program,
            backs: Vec::new(),
            shuffled: Vec::new(),
            dice,
            progress,
            step: draft.steps,
            marks,
            marked: (draft.is_repaired).then(|| draft.begun.map_or(0, |begun| begun.moment.work())),
        };
        match (&step.made, choice, &mut draft.state) {
            (_, None, Some(state)) if let Some(begun) = draft.begun => {
                engine::go_on(program, state, begun.moment, &mut chance, same).ok()?;
            }
            (Some(made), Some(choice), Some(state)) => {
                draft.course.made.push(Made {
                    choice: choice.clone(),
                    ..made.clone()
                });
                take(program, state, made, &choice, &mut chance, same).ok()?;
            }
            (None, _, none) => {
                *none = Some(engine::start(program, self.seed, &mut chance, same).ok()?);
            }
            _ => return None,
        }
        if let (Some(state), [_, ..]) = (&draft.state, chance.shuffled.as_slice()) {
            let mut findings = self.findings.borrow_mut();
            findings.look(program, state, &chance.shuffled);
        }
        let is_whole = draft.course.outcomes.len() == step.operations;
        (!progress.is_lost.get() && is_whole).then_some(())
    }

    /// Returns whether the answer is hidden from the seat.
    pub fn is_hidden(&self, step: &LineStep) -> bool {
        let made = step.made.as_ref();
        made.is_some_and(|made| made.secret && made.seat != self.seat)
    }

    /// Returns whether the step has alternatives that the seat would not notice.
    fn is_open(&self, step: usize) -> bool {
        let steps = &self.line.steps;
        let first = step.checked_sub(1).and_then(|before| steps.get(before));
        let first = first.map_or(0, |before| before.operations);
        let Some(step) = steps.get(step) else {
            return false;
        };
        let operations = self.line.operations.get(first..step.operations);
        operations.unwrap_or_default().iter().any(is_open) || self.is_hidden(step)
    }
}

/// Makes a choice for its seat.
pub(super) fn take(
    program: &Program,
    state: &mut State,
    made: &Made,
    choice: &Choice,
    chance: &mut dyn Chance,
    observer: &mut dyn Observer,
) -> Result<(), StepError> {
    let owed = engine::pending(program, state);
    let index = match choice.is_resigning() {
        true => Some(made.seat.into()),
        false => owed.iter().position(|owed| owed.seat == made.seat),
    };
    let index = index.unwrap_or(usize::MAX); // refused as not owed
    engine::step(program, state, index, choice, chance, observer)
}

/// Returns the choice with the components that are in those places now.
pub(super) fn renamed(program: &Program, state: &State, made: &Made, names: &[i32]) -> Choice {
    let mut choice = made.choice.clone();
    each_component(program, state, &mut choice, &mut |component| {
        name(names, component)
    });
    choice
}

/// Maps the components in a choice, both direct ones and holders of zones.
pub(super) fn each_component(
    program: &Program,
    state: &State,
    choice: &mut Choice,
    change: &mut dyn FnMut(i32) -> i32,
) {
    if let Some(owed) = engine::pending(program, state).first() {
        rename_choice(program, owed.site, choice, change);
    }
}
