//! A game at one table: who sits where, what has happened, and what can be taken back.

use crate::bot::{Bot, Mind, RandomBot};
use crate::brief;
use crate::engine::{
    self, Choice, Collect, Event, Fault, Pending, Seeded, State, StepError, ViewReader, Viewer,
};
use crate::imagine::Made;
use crate::picture::{self, Scene, Sheet, Sight, scene, sheet};
use crate::program::{Language, Program};
use crate::view::{DecisionDoc, Doc, Stopped, decision_docs_in, event_with_label, view};

/// Who decides for a seat.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Player {
    Person,
    Bot(Bot),
}

pub struct Table<'a> {
    pub program: &'a Program,
    pub language: Language,
    pub names: brief::Names,
    players: Vec<Player>,
    seed: [u8; 32],
    now: Rest,
    /// The rests at which a person decided, the latest last.
    past: Vec<Rest>,
    /// The events of each step.
    steps: Vec<Vec<Event>>,
    /// The choices so far, for bots that search.
    made: Vec<Made>,
    /// The samplers of each seat, for bots that search.
    minds: Vec<Option<Mind<'a>>>,
    /// The numbers of the choices of the people, from 1, or what they gave, to repeat the game.
    pub typed: Vec<String>,
    /// The first text that could not be made.
    pub untold: Option<Fault>,
}

/// A game at rest, and what it takes to continue from there.
#[derive(Clone)]
struct Rest {
    state: State,
    dice: RandomBot,
    steps: usize,
    made: usize,
    /// Secret answers to a decision that is still open.
    held: Vec<Made>,
    typed: usize,
}

impl<'a> Table<'a> {
    pub fn new(
        program: &'a Program,
        language: Language,
        players: Vec<Player>,
        seed: [u8; 32],
    ) -> Result<Table<'a>, Fault> {
        let mut seen = Collect::default();
        let state = engine::start(program, seed, &mut Seeded, &mut seen)?;
        Ok(Table {
            program,
            language,
            names: brief::Names::of(program, language),
            minds: players.iter().map(|_| None).collect(),
            players,
            seed,
            now: Rest {
                state,
                dice: RandomBot::for_game(&seed),
                steps: 1,
                made: 0,
                held: Vec::new(),
                typed: 0,
            },
            past: Vec::new(),
            steps: vec![seen.0],
            untold: seen.1,
            made: Vec::new(),
            typed: Vec::new(),
        })
    }

    pub fn state(&self) -> &State {
        &self.now.state
    }

    /// Returns the seats of people, from 0.
    pub fn people(&self) -> impl Iterator<Item = u8> + '_ {
        let seats = self.players.iter().zip(0..);
        seats.filter_map(|(player, seat)| (*player == Player::Person).then_some(seat))
    }

    /// Returns the decision that comes next: of this person, if they owe one, else of any person, else of a bot. `None` if the
    /// game is over.
    pub fn next(&self, person: Option<u8>) -> Option<Pending> {
        let owed = engine::pending(self.program, self.state());
        let is_person = |pending: &&Pending| self.bot_of(pending.seat).is_none();
        let own = owed
            .iter()
            .find(|pending| Some(pending.seat) == person && is_person(pending));
        let any = own.or_else(|| owed.iter().find(is_person));
        any.or(owed.first()).copied()
    }

    /// Returns the bot that decides for a seat.
    pub fn bot_of(&self, seat: u8) -> Option<Bot> {
        match self.players.get(usize::from(seat)) {
            Some(Player::Bot(bot)) => Some(*bot),
            _ => None,
        }
    }

    /// Describes a decision with at most this many of its choices, from one on.
    pub fn decision(
        &self,
        pending: &Pending,
        limit: usize,
        from: u64,
    ) -> Result<DecisionDoc, Fault> {
        decision_docs_in(
            self.language,
            self.program,
            self.state(),
            pending,
            limit,
            from,
        )
    }

    /// Lets a bot decide.
    pub fn let_bot(&mut self, pending: &Pending, bot: Bot) -> Result<(), Stopped> {
        let decisions = self.state().decisions_made();
        let choice = self.bot_choice(pending, bot).map_err(Stopped::from);
        let choice = choice.map_err(|stopped| stopped.after(decisions))?;
        let stuck = || Stopped::stuck(self.program, self.state()).after(decisions);
        let choice = choice.ok_or_else(stuck)?;
        self.step(pending, choice)
    }

    fn bot_choice(&mut self, pending: &Pending, bot: Bot) -> Result<Option<Choice>, StepError> {
        let place = self.minds.get_mut(usize::from(pending.seat));
        let Some(place) = place.filter(|_| bot.thinks()) else {
            let now = &mut self.now;
            return Ok(bot.at_once(self.program, &now.state, pending, now.dice.dice())?);
        };
        let (program, seat) = (self.program, pending.seat);
        let mut amid = Mind::amid(program, self.seed, &self.made, &self.now.held, seat)?;
        let mind = match (&mut amid, place) {
            (Some(mind), _) | (None, Some(mind)) => mind,
            (None, none) => none.insert(Mind::begin(program, self.seed, seat)?),
        };
        for made in self.made.iter().skip(mind.choices()) {
            mind.observe(made)?;
        }
        Ok(bot.choose(mind, self.now.dice.dice())?.choice)
    }

    /// Takes the choice with this number, from 0, for a person.
    pub fn choose(&mut self, pending: &Pending, number: u64) -> Result<(), Stopped> {
        let decisions = self.state().decisions_made();
        let found = engine::nth_choice(self.program, self.state(), pending, number);
        let found = found.map_err(|fault| Stopped::from(fault).after(decisions))?;
        let stuck = || Stopped::stuck(self.program, self.state()).after(decisions);
        let choice = found.ok_or_else(stuck)?;
        self.give(pending, choice, (number + 1).to_string())
    }

    /// Takes a choice for a person, who typed this for it.
    pub fn give(
        &mut self,
        pending: &Pending,
        choice: Choice,
        typed: String,
    ) -> Result<(), Stopped> {
        self.past.push(self.now.clone());
        self.typed.push(typed);
        self.now.typed = self.typed.len();
        self.step(pending, choice)
    }

    fn step(&mut self, pending: &Pending, choice: Choice) -> Result<(), Stopped> {
        let owed = engine::pending(self.program, self.state());
        let decisions = self.state().decisions_made();
        let asked = engine::untold(self.program, self.state(), pending, 0);
        let mut seen = Collect(Vec::new(), self.untold.take().or(asked.ok().flatten()));
        engine::step(
            self.program,
            &mut self.now.state,
            pending.index,
            &choice,
            &mut Seeded,
            &mut seen,
        )
        .map_err(|error| Stopped::from(error).after(decisions))?;
        self.now.held.push(Made {
            seat: pending.seat,
            secret: pending.secret,
            choice,
        });
        if !engine::stays_secret(&owed, pending, &self.now.state) {
            self.made.append(&mut self.now.held);
        }
        self.steps.push(seen.0);
        self.untold = seen.1;
        self.now.steps = self.steps.len();
        self.now.made = self.made.len();
        Ok(())
    }

    /// Goes back to the last rest at which a person decided. Returns false if there is none.
    pub fn undo(&mut self) -> bool {
        let Some(rest) = self.past.pop() else {
            return false;
        };
        self.steps.truncate(rest.steps);
        self.made.truncate(rest.made);
        self.typed.truncate(rest.typed);
        self.minds.fill_with(|| None);
        self.now = rest;
        true
    }

    /// Returns the number of steps so far, counting the setup as one.
    pub fn steps(&self) -> usize {
        self.steps.len()
    }

    /// Returns what happened from a step on, in words, as far as this viewer may know.
    pub fn events_since(&self, viewer: Viewer, from: usize) -> Vec<String> {
        let events: Vec<&Event> = self.steps.iter().skip(from).flatten().collect();
        let reader = self.reading(viewer);
        let docs = events.iter().enumerate().filter_map(|(at, event)| {
            let later = events.iter().skip(at + 1).copied();
            event_with_label(self.program, event, later, reader)
        });
        let docs: Vec<serde_json::Value> = docs.map(Into::into).collect();
        brief::events(&docs, &self.names)
    }

    fn reading(&self, viewer: Viewer) -> ViewReader {
        viewer.reading(self.language)
    }

    /// Shows the table as a viewer sees it; what changed from a step on is marked.
    pub fn see<R>(&self, viewer: Viewer, from: usize, look: impl FnOnce(&Sight<'_>) -> R) -> R {
        let reader = self.reading(viewer);
        let view = view(self.program, self.state(), reader);
        let events = self.steps.iter().skip(from).flatten();
        let events: Vec<Doc> = events
            .filter_map(|event| crate::view::event_doc(self.program, event, reader))
            .collect();
        let seat = match viewer {
            Viewer::Seat(seat) => Some(u32::from(seat) + 1),
            Viewer::Public | Viewer::Omniscient(_) => None,
        };
        look(&Sight {
            seat,
            events: &events,
            answers: &picture::answers(self.program, self.state()),
            ..Sight::of(self.program, &view, self.language)
        })
    }

    /// Shows the table like [`Table::see`], for the parts of a screen.
    pub fn sheet<R>(
        &self,
        viewer: Viewer,
        from: usize,
        decision: Option<&crate::picture::Decision>,
        draw: impl FnOnce(&Sheet<'_>) -> R,
    ) -> R {
        self.see(viewer, from, |sight| {
            let sight = Sight { decision, ..*sight };
            let scene: Scene = scene(&sight);
            draw(&sheet(&scene, &sight))
        })
    }
}
