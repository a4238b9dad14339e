//! Explores a game through the engine's public interface: enumerates all continuations of a start or a step, by choice
//! and by chance. Used by counting (`perft`).

use std::ops::ControlFlow;

use wyrmgate_engine::{
    self as engine, Chance, ChancePath, Choice, Collect, Event, Fault, GameOutcome, Observer,
    Pending, Seeded, Silent, State,
};
use wyrmgate_program::Program;
use wyrmgate_view::Stopped;

/// Maximum number of continuations of one step. A shuffled deck of ten cards stays below it.
const WAYS_MAX: f64 = 1e8;

/// How the walk treats chance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Luck {
    /// Expands every outcome of every draw.
    Every,
    /// Draws from this seed.
    Seeded([u8; 32]),
}

/// Why a game cannot be explored.
#[derive(Debug, thiserror::Error)]
pub enum ExploreError {
    #[error(transparent)]
    Stopped(#[from] Stopped),
    #[error("one step has too many random outcomes to expand; give a seed")]
    Chance,
    #[error("{0}")]
    Limit(String),
}

wyrmgate_base::from_variants!(ExploreError { Stopped: Fault });

/// One continuation of a start or a step.
pub struct Continuation<'w> {
    pub after: &'w State,
    /// The events, if the walk listens.
    pub events: &'w [Event],
    /// Number of chance nodes that no earlier continuation passed through.
    pub new_chance_nodes: usize,
}

/// The callback for each continuation.
pub type Visit<'v> = &'v mut dyn FnMut(Continuation<'_>) -> Result<(), ExploreError>;

/// A game to explore.
#[derive(Debug, Clone, Copy)]
pub struct Explorer<'p> {
    pub program: &'p Program,
    pub luck: Luck,
    /// Whether to report events, which take time to describe.
    pub listens: bool,
}

impl<'p> Explorer<'p> {
    /// Creates an explorer that reports no events.
    pub fn new(program: &'p Program, luck: Luck) -> Explorer<'p> {
        Explorer {
            program,
            luck,
            listens: false,
        }
    }

    /// Enumerates all beginnings of the game.
    pub fn starts(&self, visit: Visit<'_>) -> Result<(), ExploreError> {
        let seed = self.seed();
        let mut first = None;
        self.each_way(visit, &mut first, &mut |after, chance, events| {
            *after = Some(engine::start(self.program, seed, chance, events)?);
            Ok(())
        })
    }

    /// Enumerates all continuations of a choice. `room` is a buffer for states.
    pub fn steps(
        &self,
        before: &State,
        pending: &Pending,
        choice: &Choice,
        room: &mut Option<State>,
        visit: Visit<'_>,
    ) -> Result<(), ExploreError> {
        self.each_way(visit, room, &mut |after, chance, events| {
            let after = match after {
                Some(after) => {
                    after.clone_from(before);
                    after
                }
                None => after.insert(before.clone()),
            };
            let (program, index) = (self.program, pending.index);
            let stepped = engine::step_legal(program, after, index, choice, chance, events);
            let decisions = before.decisions_made();
            stepped.map_err(|error| Stopped::from(error).after(decisions))?;
            Ok(())
        })
    }

    /// Returns the next decision and writes its choices to `choices`. If several seats decide at once, the first one
    /// answers first.
    pub fn choices(
        &self,
        state: &State,
        choices: &mut Vec<Choice>,
    ) -> Result<Pending, ExploreError> {
        let owed = engine::pending(self.program, state);
        let pending = owed.first().copied();
        let pending = pending.ok_or_else(|| Stopped::stuck(self.program, state))?;
        choices.clear();
        let listed = engine::for_each_choice(self.program, state, &pending, &mut |choice| {
            choices.push(choice.clone());
            ControlFlow::Continue(())
        });
        listed.map_err(|fault| Stopped::from(fault).after(state.decisions_made()))?;
        if choices.is_empty() {
            return Err(Stopped::stuck(self.program, state).into());
        }
        Ok(pending)
    }

    fn seed(&self) -> [u8; 32] {
        match self.luck {
            Luck::Every => [0; 32],
            Luck::Seeded(seed) => seed,
        }
    }

    fn each_way(
        &self,
        visit: Visit<'_>,
        room: &mut Option<State>,
        run: Run<'_>,
    ) -> Result<(), ExploreError> {
        let mut path = ChancePath::default();
        let mut events = self.listens.then(Collect::default);
        // The number of chance nodes at the front of the path that an earlier continuation passed through.
        let mut known = 0;
        loop {
            if let Some(events) = &mut events {
                events.0.clear();
            }
            let observer: &mut dyn Observer = match &mut events {
                Some(events) => events,
                None => &mut Silent,
            };
            let chance: &mut dyn Chance = match self.luck {
                Luck::Every => &mut path,
                Luck::Seeded(_) => &mut Seeded,
            };
            run(room, chance, observer)?;
            let forks = path.forks();
            let ways: f64 = forks.iter().map(|fork| f64::from(fork.of)).product();
            if ways > WAYS_MAX {
                return Err(ExploreError::Chance);
            }
            let Some(after) = room.as_ref() else {
                return Err(ExploreError::Limit("a walk lost its state".into()));
            };
            visit(Continuation {
                after,
                events: events.as_ref().map_or(&[], |events| &events.0),
                new_chance_nodes: forks.len() - known.min(forks.len()),
            })?;
            match path.advance() {
                Some(before) => known = before + 1,
                None => return Ok(()),
            }
        }
    }
}

/// Runs a start or a step into the buffer.
type Run<'r> = &'r mut dyn FnMut(
    &mut Option<State>,
    &mut dyn Chance,
    &mut dyn Observer,
) -> Result<(), ExploreError>;

/// Trees with more nodes, or of longer games, are not walked to their ends.
const NODES_MAX: u64 = 500_000;
const LENGTH_MAX: u32 = 16;

/// Visits every end of a small game. Returns false if the game is larger, or stops early.
pub fn ends(program: &Program, visit: &mut dyn FnMut(&GameOutcome)) -> bool {
    if program.identity.bound > LENGTH_MAX {
        return false;
    }
    let explorer = Explorer::new(program, Luck::Every);
    let mut walk = ToEnds {
        explorer,
        left: NODES_MAX,
        visit,
    };
    explorer.starts(&mut |way| walk.node(&way)).is_ok()
}

struct ToEnds<'p, 'v> {
    explorer: Explorer<'p>,
    left: u64,
    visit: &'v mut dyn FnMut(&GameOutcome),
}

impl ToEnds<'_, '_> {
    fn node(&mut self, way: &Continuation<'_>) -> Result<(), ExploreError> {
        let too_large = || ExploreError::Limit("the tree is too large".into());
        self.left = self.left.checked_sub(1).ok_or_else(too_large)?;
        if let Some(outcome) = way.after.outcome() {
            (self.visit)(outcome);
            return Ok(());
        }
        let explorer = self.explorer;
        let mut choices = Vec::new();
        let owed = explorer.choices(way.after, &mut choices)?;
        for choice in &choices {
            let mut room = None;
            explorer.steps(way.after, &owed, choice, &mut room, &mut |way| {
                self.node(&way)
            })?;
        }
        Ok(())
    }
}
