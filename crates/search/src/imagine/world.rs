//! Sampled worlds that a seat cannot distinguish from the true state.

use std::cell::{Cell, RefCell};

use super::draft::WorldDraft;
use super::future::Future;
use super::history::{GameHistory, Made};
use super::line::{LineStep, Listening, ObservedGame, RecordingSource};
use super::making::{Making, renamed, take};
use super::same::{Same, StepAgreement};
use super::sampling::{ChanceFindings, GivenResults};
use super::work::Effort;
use wyrmgate_base::cancel::is_late;
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{self as engine, Chance, Seeded, State, StepError, Viewer};
use wyrmgate_program::Program;
use wyrmgate_view::ViewDoc;

/// Number of steps allowed for all worlds of a decision, plus this many for each step of the game.
const STEPS: usize = 24_000;
const STEPS_EACH: usize = 240;
/// The share of them that one world may take: one that cannot be saved leaves enough for others.
const SHARE: usize = 4;

/// Number of steps after which a call seeks no further worlds if it has these.
const STEPS_TOGETHER: usize = 1_500;
const WORLDS_LEAST: usize = 2;
/// Number of worlds that are sought while there is none.
const TRIES_WITHOUT: usize = 3;

/// The number of worlds that are built without changes, to find out whether random worlds are consistent often enough:
/// one hit is enough.
const PROBES: usize = 48;
/// The number of worlds that are then built without changes to find one that does not diverge.
const TRIES: usize = 400;
/// A constant seed: the probes are the same in every game that the seat cannot tell from the true one.
const PROBE_SEED: u64 = 0;

/// The observations of one seat, from which worlds are sampled.
pub struct Imagination<'p> {
    program: &'p Program,
    memory: ImaginationMemory,
}

/// An [`Imagination`] without its program, to be kept from one decision of a seat to its next.
pub struct ImaginationMemory {
    seat: u8,
    seed: [u8; 32],
    truth: State,
    line: RefCell<ObservedGame>,
    /// Derived from the line on first use.
    future: Option<(Future, ViewDoc)>,
    /// Whether random worlds are consistent often enough. `None` until it is needed.
    is_likely: Option<bool>,
    /// What [`Imagination::worlds`] has found out about chance.
    findings: RefCell<ChanceFindings>,
    /// Number of steps that the last call has taken.
    spent: usize,
    /// Worlds found so far, to be continued when more is observed.
    kept: Vec<WorldDraft>,
    /// The world that came farthest of those that could not be continued.
    unfinished: Option<WorldDraft>,
    /// Whether a world was not found within the budget, when it was built from the setup.
    is_hard: bool,
}

impl ImaginationMemory {
    /// Returns whether it is the beginning of this game for this seat.
    pub fn begins(&self, history: &GameHistory, seat: u8) -> bool {
        let line = self.line.borrow();
        let mut observed = line.steps.iter().filter_map(|step| step.made.as_ref());
        let mut made = history.made.iter();
        let is_same = observed.all(|observed| made.next() == Some(observed));
        is_same && self.seat == seat && self.seed == history.seed
    }

    /// Returns about how many bytes it holds.
    pub fn bytes(&self) -> usize {
        let line = self.line.borrow();
        let steps = line.steps.len() * size_of::<LineStep>();
        let events: usize = line.steps.iter().map(|step| step.events.len()).sum();
        let worlds = self.kept.iter().chain(&self.unfinished);
        let worlds: usize = worlds.map(WorldDraft::bytes).sum();
        steps + events * size_of::<engine::Event>() + worlds
    }
}

impl<'p> Imagination<'p> {
    /// Replays the history once from the perspective of a seat (from 0).
    pub fn new(
        program: &'p Program,
        history: &GameHistory,
        seat: u8,
    ) -> Result<Imagination<'p>, StepError> {
        let mut imagination = Imagination::begin(program, history.seed, seat)?;
        for made in &history.made {
            imagination.observe(made)?;
        }
        Ok(imagination)
    }

    /// Creates the observations for a game without any choice yet.
    pub fn begin(
        program: &'p Program,
        seed: [u8; 32],
        seat: u8,
    ) -> Result<Imagination<'p>, StepError> {
        Imagination::begin_with(program, seed, seat, &mut Seeded)
    }

    fn begin_with(
        program: &'p Program,
        seed: [u8; 32],
        seat: u8,
        source: &mut dyn Chance,
    ) -> Result<Imagination<'p>, StepError> {
        let mut line = ObservedGame::new(program);
        line.look_before(program, &engine::blank(program, seed)?, seat);
        let line = RefCell::new(line);
        let mut listening = Listening::new(program, seat, &line);
        let mut chance = RecordingSource {
            line: &line,
            source,
        };
        let truth = engine::start(program, seed, &mut chance, &mut listening)?;
        let told = listening.told;
        let memory = ImaginationMemory {
            seat,
            seed,
            truth,
            line,
            future: None,
            is_likely: None,
            findings: RefCell::default(),
            spent: 0,
            kept: Vec::new(),
            unfinished: None,
            is_hard: false,
        };
        let mut imagination = Imagination { program, memory };
        imagination.note(None, told);
        Ok(imagination)
    }

    /// Observes a choice of any seat. Answers to a decision that is still open must not be observed, because nobody may
    /// know them.
    pub fn observe(&mut self, made: &Made) -> Result<(), StepError> {
        self.observe_with(made, &mut Seeded)
    }

    fn observe_with(&mut self, made: &Made, source: &mut dyn Chance) -> Result<(), StepError> {
        let mut listening = Listening::new(self.program, self.memory.seat, &self.memory.line);
        let mut chance = RecordingSource {
            line: &self.memory.line,
            source,
        };
        let (state, choice) = (&mut self.memory.truth, &made.choice);
        take(
            self.program,
            state,
            made,
            choice,
            &mut chance,
            &mut listening,
        )?;
        let told = listening.told;
        self.note(Some(made.clone()), told);
        Ok(())
    }

    fn note(&mut self, made: Option<Made>, events: Vec<engine::Event>) {
        let line = self.memory.line.get_mut();
        let sights = line.look(self.program, &self.memory.truth, self.memory.seat);
        let operations = line.operations.len();
        line.steps.push(LineStep {
            made,
            events,
            sights,
            operations,
        });
        self.memory.future = None;
        self.memory.is_likely = None;
    }

    /// Continues from what was observed before, in the same game.
    pub fn recall(program: &'p Program, memory: ImaginationMemory) -> Imagination<'p> {
        Imagination { program, memory }
    }

    /// Returns what was observed, and the worlds found so far, without the program.
    pub fn into_memory(self) -> ImaginationMemory {
        self.memory
    }

    /// Returns whether the seat knows every part of the last observed choice.
    pub fn knows_last_choice(&self) -> bool {
        let line = self.memory.line.borrow();
        let events = line.steps.last().map_or(&[][..], |step| &step.events);
        let viewer = Viewer::Seat(self.memory.seat);
        let is_chose = |event: &engine::Event| matches!(event, engine::Event::Chose { .. });
        let at = events.iter().position(is_chose).unwrap_or(events.len());
        let (chose, later) = (events.get(at), events.iter().skip(at + 1));
        chose.is_some_and(|chose| wyrmgate_view::is_choice_known(chose, later, viewer))
    }

    /// Returns the number of observed choices.
    pub fn choices(&self) -> usize {
        self.memory.line.borrow().steps.len().saturating_sub(1)
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Returns the seat, from 0.
    pub fn seat(&self) -> u8 {
        self.memory.seat
    }

    /// Returns the true state. A fair player reads only what the seat may know.
    pub fn truth(&self) -> &State {
        &self.memory.truth
    }

    /// Samples a state that the seat cannot distinguish from the true one, with fresh random numbers. `None` if none
    /// was found.
    pub fn world(&mut self, dice: &mut Dice) -> Option<State> {
        let mut state = self.sample_alone(dice)?.state?;
        state.reseed(dice.bytes());
        Some(state)
    }

    /// Samples states that the seat cannot distinguish from the true one, or fewer if they are hard to find. Continues
    /// the worlds of the previous call, which is cheaper than building new ones.
    pub fn worlds(&mut self, count: usize, dice: &mut Dice) -> Vec<State> {
        let mut kept = std::mem::take(&mut self.memory.kept);
        kept.truncate(count);
        self.memory.spent = 0;
        self.resume_all(&mut kept, dice);
        let mut tries = TRIES_WITHOUT;
        while kept.len() < count && tries > 0 && !self.has_enough(&kept) {
            match self.another(&kept, dice) {
                Some(draft) => kept.push(draft),
                None if kept.is_empty() => tries -= 1,
                None => break,
            }
        }
        if kept.is_empty() {
            self.memory.findings.get_mut().barred.clear();
        }
        let states = kept.iter().filter_map(|draft| draft.state.clone());
        let mut states: Vec<State> = states.collect();
        self.memory.kept = kept;
        for state in &mut states {
            state.reseed(dice.bytes());
        }
        states
    }

    fn has_enough(&self, kept: &[WorldDraft]) -> bool {
        kept.len() >= WORLDS_LEAST && self.memory.spent > STEPS_TOGETHER
    }

    /// Returns the observations that the seat would have in one of its worlds. They are equal; a test uses this to
    /// verify that worlds do not depend on hidden information.
    pub fn twin(&mut self, dice: &mut Dice) -> Option<Imagination<'p>> {
        let world = self.sample_alone(dice)?;
        let outcomes = world.course.outcomes.iter();
        let mut given = GivenResults { outcomes };
        let (program, seed, seat) = (self.program, self.memory.seed, self.memory.seat);
        let mut twin = Imagination::begin_with(program, seed, seat, &mut given).ok()?;
        for made in &world.course.made {
            twin.observe_with(made, &mut given).ok()?;
        }
        Some(twin)
    }

    fn prepare(&mut self) {
        if self.memory.future.is_none() {
            let future = Future::of(self.program, self.memory.line.get_mut());
            let viewer = Viewer::Seat(self.memory.seat);
            let view = wyrmgate_view::view(self.program, &self.memory.truth, viewer);
            self.memory.future = Some((future, view));
        }
    }

    /// Samples a world without what was found out by earlier ones.
    fn sample_alone(&mut self, dice: &mut Dice) -> Option<WorldDraft> {
        let (known, unfinished) = (self.memory.findings.take(), self.memory.unfinished.take());
        self.memory.spent = 0;
        let world = (0..SHARE).find_map(|_| self.sample(dice));
        self.memory.findings.replace(known);
        self.memory.unfinished = unfinished;
        world
    }

    fn sample(&mut self, dice: &mut Dice) -> Option<WorldDraft> {
        if self.is_likely()
            && let Some(draft) = self.plain(TRIES, dice)
        {
            return Some(draft);
        }
        let mut draft = WorldDraft::blank(self.program.components.len());
        if self.working(|making, effort| making.draft(&mut draft, dice, effort))? {
            return Some(draft);
        }
        keep_farther(&mut self.memory.unfinished, draft);
        None
    }

    /// Returns a world that chance produced within this number of tries.
    fn plain(&mut self, tries: usize, dice: &mut Dice) -> Option<WorldDraft> {
        self.working(|making, effort| (0..tries).find_map(|_| making.plain(dice, effort)))?
    }

    /// Returns whether random worlds are consistent often enough that they need not be repaired.
    fn is_likely(&mut self) -> bool {
        if let Some(is_likely) = self.memory.is_likely {
            return is_likely;
        }
        let is_likely = self.plain(PROBES, &mut Dice::new(PROBE_SEED)).is_some();
        // What could not be found out in time is found out later.
        self.memory.is_likely = (!is_late()).then_some(is_likely);
        is_likely
    }

    /// Continues worlds, and removes those that cannot be continued. If none is left, continues the one that came farthest.
    fn resume_all(&mut self, kept: &mut Vec<WorldDraft>, dice: &mut Dice) {
        let is_likely = self.is_likely();
        let mut farthest = self.memory.unfinished.take().filter(|_| !is_likely);
        for mut draft in std::mem::take(kept) {
            if self.has_enough(kept) {
                break;
            }
            match self.resume(&mut draft, dice) {
                true => kept.push(draft),
                false if is_likely => {}
                false => keep_farther(&mut farthest, draft),
            }
        }
        if kept.is_empty()
            && let Some(mut draft) = farthest.take()
        {
            match self.resume(&mut draft, dice) {
                true => kept.push(draft),
                false => farthest = Some(draft),
            }
        }
        self.memory.unfinished = farthest;
    }

    /// Samples a world from the setup on. Once that has failed, it varies one of the worlds that were found before.
    fn another(&mut self, kept: &[WorldDraft], dice: &mut Dice) -> Option<WorldDraft> {
        if !self.memory.is_hard || kept.is_empty() || self.is_likely() {
            let draft = self.sample(dice);
            self.memory.is_hard = draft.is_none();
            if draft.is_some() {
                return draft;
            }
        }
        let mut draft = kept.get(dice.below(kept.len() as u64) as usize)?.clone();
        let varied = self.working(|making, effort| making.vary(&mut draft, dice, effort));
        (varied == Some(true)).then_some(draft)
    }

    /// Continues a draft. A diverged world is abandoned if random worlds are often consistent.
    fn resume(&mut self, draft: &mut WorldDraft, dice: &mut Dice) -> bool {
        let is_likely = self.is_likely();
        let resumed = self.working(|making, effort| match is_likely {
            true => making.go_on(draft, dice, effort),
            false => making.resume(draft, dice, effort),
        });
        resumed == Some(true)
    }

    /// Works on a world with what is left of the budget.
    fn working<T>(&mut self, make: impl FnOnce(Making<'_>, &mut Effort) -> T) -> Option<T> {
        let all = STEPS + STEPS_EACH * self.choices();
        let left = all.saturating_sub(self.memory.spent).min(all / SHARE);
        let mut effort = Effort::new(left);
        let made = self.making(|making| make(making, &mut effort));
        self.memory.spent += left - effort.left();
        made
    }

    fn making<T>(&mut self, make: impl FnOnce(Making<'_>) -> T) -> Option<T> {
        self.prepare();
        let (future, view) = self.memory.future.as_ref()?;
        let line = self.memory.line.borrow();
        Some(make(Making {
            program: self.program,
            seat: self.memory.seat,
            seed: self.memory.seed,
            line: &line,
            future,
            view,
            suspect: Cell::new(0),
            findings: &self.memory.findings,
        }))
    }

    /// Returns whether the seat would gain information by this choice (of any seat) beyond knowing the choice itself, or
    /// whether the choice draws randomly. Based on samples: a yes is certain, a no is not. Tests compare this with
    /// [`InformationGain`](wyrmgate_view::InformationGain), which decides.
    pub fn draws_or_informs(&mut self, made: &Made, worlds: usize, dice: &mut Dice) -> bool {
        let mut after = self.memory.truth.clone();
        let heard = RefCell::new(self.memory.line.get_mut().clone());
        let mut listening = Listening::new(self.program, self.memory.seat, &heard);
        let choice = &made.choice;
        let taken = take(
            self.program,
            &mut after,
            made,
            choice,
            &mut Seeded,
            &mut listening,
        );
        if taken.is_err() || after.draws_made() != self.memory.truth.draws_made() {
            return true;
        }
        let told = listening.told;
        let view = wyrmgate_view::view(self.program, &after, Viewer::Seat(self.memory.seat));
        (0..worlds).any(|_| match self.sample_alone(dice) {
            Some(world) => self.would_tell(world, made, &told, &view).is_none(),
            None => false,
        })
    }

    /// Returns `None` if the seat receives other events in this world.
    fn would_tell(
        &self,
        world: WorldDraft,
        made: &Made,
        told: &[engine::Event],
        view: &ViewDoc,
    ) -> Option<()> {
        let program = self.program;
        let mut state = world.state?;
        let choice = renamed(program, &state, made, &world.names);
        let progress = StepAgreement::from(None);
        let mut same = Same::new(program, self.memory.seat, told, &progress);
        take(program, &mut state, made, &choice, &mut Seeded, &mut same).ok()?;
        let seen = wyrmgate_view::view(program, &state, Viewer::Seat(self.memory.seat));
        (same.is_same() && seen == *view).then_some(())
    }
}

/// Keeps the world that has come farther, or the newer one.
fn keep_farther(farthest: &mut Option<WorldDraft>, draft: WorldDraft) {
    let steps = farthest.as_ref().map_or(0, |farthest| farthest.steps);
    if draft.steps >= steps {
        *farthest = Some(draft);
    }
}
