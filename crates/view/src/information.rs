//! Information gain: whether a viewer learns anything from a choice.
//!
//! There are three ways. **A draw**: nobody knew the result. **Something becomes visible**: a viewer is shown, or told
//! of, a component that it did not know (`knowledge.rs`). **Something depends on hidden state**: a card's rank is
//! announced, a sum over a hidden hand is scored, a choice was possible only because of a face-down card, or what a seat may
//! choose next depends on one.
//!
//! The last has one rule: *a viewer learns from a choice if the game could have been in another state, indistinguishable
//! for that viewer from the true one, in which the viewer would then have been told, or would see, or be asked, something
//! else.* The other states are constructed by exchanging what the viewer does not know, now and some moments ago:
//!
//! - **Now**, every two components that look alike are exchanged, all of them are put into other orders, and every
//!   hidden word, including the faces of hidden dice, gets other values. This finds everything that is revealed about
//!   one component. Among the orders are some in which what rules ask of several cards together comes true
//!   (`arranged.rs`), which is rare in orders at random: a flush, four of a kind, a hand of high cards.
//! - **Some moments ago**, they are put into other orders, and the choices since are replayed. If the viewer would have
//!   been told something else on the way, the attempt does not count. This also finds a value that was computed from
//!   hidden state earlier and is revealed only now, whether it was stored in a variable, in a name (`let`), or in the
//!   path that the rules took. The setup is one of these moments: its shuffles get other results.
//!
//! **The answer itself must tell nothing.** The seat that made the choice asks, so the answer is found in a world that
//! depends only on what this seat knows: what it does not know has a fixed arrangement there (`worlds.rs`). The true world
//! counts only as far as the seat has received something of it. A choice at random that nobody notices, and what another
//! seat learns, count if they occur in any of the worlds that the seat cannot tell apart, whether or not they occurred.
//! Of another seat, only that counts as known which this seat knows it to know. Anything that the other seat was told in
//! secret counts as if it learned it now.

mod gain;
mod others;
mod truth;
mod worlds;

use std::collections::BTreeSet;

use wyrmgate_engine::viewer::EVERYBODY;
use wyrmgate_engine::{
    Chance, Choice, Collect, Draw, Event, Fault, Pending, Rng, Seeded, State, StepError, Viewer,
    answered, play,
};

use crate::knowledge::{Knowledge, TakenStep, bit, viewers_of};
use crate::otherwise::Otherwise;
use crate::substitution::Exchange;
pub use gain::InformationGain;
use gain::{ChoiceSpan, MadeChoice};
use truth::{Truth, docs};
use worlds::{AlternativeState, Courses, Gone};
use wyrmgate_program::{Program, ZoneId};

/// The maximum number of pairs exchanged per viewer; of more pairs, a sample.
const PAIRS: usize = 4_000;

/// How many choices ago.
const AGO: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];
/// The maximum number of other words tried, and of numbers of the rules among their values; of more, a sample.
const WORDS: usize = 1_000;
const NUMBERS: usize = 24;

/// The maximum number of draws in the setup that have other results, and of results of each.
const DRAWS: u32 = 8;
const DRAWN: u32 = 6;
/// The amounts by which hidden numbers change.
const STEPS: [i32; 5] = [1, 2, 5, 10, 100];

impl<'p> InformationGain<'p> {
    /// Starts a game in which nothing was chosen yet.
    pub fn begin(program: &'p Program, seed: [u8; 32]) -> Result<InformationGain<'p>, Fault> {
        let mut heard = Collect::default();
        let now = play::start(program, seed, &mut Seeded, &mut heard)?;
        let gain = InformationGain::from_rest(program, now, heard.0);
        Ok(InformationGain {
            seed: Some(seed),
            ..gain
        })
    }

    /// Starts at a first rest that a tool has reached, with the events of the setup.
    pub fn from_rest(program: &'p Program, now: State, started: Vec<Event>) -> InformationGain<'p> {
        let known = Knowledge::of_start(program, &now, &started, EVERYBODY);
        InformationGain {
            program,
            seed: None,
            started,
            moments: Vec::new(),
            now,
            known,
            pause: || (),
        }
    }

    /// Returns the same game with a callback: finding out what is learned takes long, and callers cancel it by
    /// unwinding from `pause`.
    pub fn pausing(self, pause: fn()) -> InformationGain<'p> {
        InformationGain { pause, ..self }
    }

    /// Returns the current state.
    pub fn state(&self) -> &State {
        &self.now
    }

    /// Makes the next choice, of the pending decision with this index.
    pub fn take(&mut self, index: usize, choice: Choice) -> Result<(), StepError> {
        let owed = answered(&self.now, index, &choice);
        let mut after = self.now.clone();
        let mut heard = Collect::default();
        let chance = &mut Seeded;
        play::step(self.program, &mut after, index, &choice, chance, &mut heard)?;
        if let Some(pending) = owed {
            self.follow(pending, choice, after, heard.0);
        }
        Ok(())
    }

    /// Adds a choice that a tool has made, with the state and the events that it led to.
    pub fn follow(&mut self, pending: Pending, choice: Choice, after: State, events: Vec<Event>) {
        let known = self.known.clone();
        let before = std::mem::replace(&mut self.now, after);
        let taken = TakenStep {
            before: &before,
            after: &self.now,
            events: &events,
        };
        self.known.follow(self.program, taken);
        self.moments.push(MadeChoice {
            before,
            known,
            pending,
            choice,
            events,
        });
    }

    /// Returns whether any viewer can have learned anything from a choice, counted from 0, as far as the seat that made it
    /// knows. A choice that was not made counts as informative.
    pub fn is_informative(&self, number: usize) -> bool {
        let chosen = self.moments.get(number);
        chosen.is_none_or(|moment| self.is_informative_for(number, moment.pending.seat))
    }

    /// Returns the same as far as this seat (from 0) knows, which may be another one than the seat that chose. A secret answer
    /// of another seat is always informative: its choice itself was hidden.
    pub fn is_informative_for(&self, number: usize, asker: u8) -> bool {
        let asker = Viewer::Seat(asker);
        self.as_told_to(asker).is_informative_to(number, asker)
    }

    fn is_informative_to(&self, number: usize, asker: Viewer) -> bool {
        let Some(moment) = self.moments.get(number) else {
            return true;
        };
        let is_own = Viewer::Seat(moment.pending.seat) == asker;
        if moment.pending.secret && !is_own {
            return true;
        }
        let truth = Truth::of(self);
        let span = ChoiceSpan::of(number, number);
        // An own choice was possible in truth. Where another's is impossible, the asker learns that it is not there; another
        // attempt could depend on what is true.
        let tried = if is_own { usize::MAX } else { 1 };
        let mut worlds = self.received(&truth, asker, span).take(tried);
        let fixed =
            worlds.find_map(|(state, names)| self.replayed(&truth, asker, span, state, &names));
        let Some(fixed) = fixed else {
            return true;
        };
        let is_same = fixed.moments.first().is_some_and(|there| {
            truth.is_told(asker, number, &there.events)
                && truth.is_received(asker, number + 1, &fixed.now)
        });
        let mut courses = Courses::of(asker);
        !is_same
            || fixed.teaches(&mut courses)
            || (courses.worlds.iter()).any(|world| world.teaches(&mut Courses::default()))
            || self.another_past_differs(&truth, asker, number)
            || self.another_setup_differs(&truth, asker, number)
    }

    /// Returns whether any viewer learns anything from the first choice, apart from what only the past can show.
    fn teaches(&self, courses: &mut Courses<'p>) -> bool {
        let Some(moment) = self.moments.first() else {
            return true;
        };
        let step = TakenStep {
            before: &moment.before,
            after: self.after(0),
            events: &moment.events,
        };
        let truth = Truth::of(self);
        step.after.draws_made() != step.before.draws_made()
            || moment.known.clone().follow(self.program, step)
            || self.another_now_differs(&truth, moment, courses)
    }

    fn before(&self, number: usize) -> &State {
        let moment = self.moments.get(number);
        moment.map_or(&self.now, |moment| &moment.before)
    }

    fn after(&self, number: usize) -> &State {
        self.before(number + 1)
    }

    /// Exchanges what is hidden now: two components, one word, or all components at a time. Each other state is played once,
    /// for all viewers from whom the exchange is hidden.
    fn another_now_differs(
        &self,
        truth: &Truth<'_>,
        moment: &MadeChoice,
        courses: &mut Courses<'p>,
    ) -> bool {
        let mut differs = |world: AlternativeState| {
            world.state != moment.before && self.differs_for(truth, moment, world, courses)
        };
        let pairs = self.pairs(moment).into_iter();
        let mut exchanged = pairs.map(|((one, other), among)| {
            let mut exchange = Exchange::new(self.program, &moment.before);
            exchange.swap(one, other);
            self.renamed_world(exchange.names().to_vec(), among)
        });
        let words = self.other_words(moment).into_iter();
        let mut reworded =
            words.map(|((word, value), among)| self.reworded_world(word, value, among));
        let mut ordered = viewers_of(self.program).flat_map(|viewer| {
            let orders = self.orders(viewer, ChoiceSpan::of(0, 0)).into_iter();
            orders.map(move |names| self.renamed_world(names, bit(viewer)))
        });
        exchanged.any(&mut differs) || reworded.any(&mut differs) || ordered.any(&mut differs)
    }

    /// Returns whether one of the viewers from whom the exchange is hidden would be told something else by the first choice
    /// in this world. If the choice goes another way there, and the seat that asks does not notice, the world is kept.
    fn differs_for(
        &self,
        truth: &Truth<'_>,
        moment: &MadeChoice,
        world: AlternativeState,
        courses: &mut Courses<'p>,
    ) -> bool {
        (self.pause)();
        // A world in which the game breaks is none.
        let Some(gone) = self.play(&world.state, moment, &world.names) else {
            return false;
        };
        let mut viewers = viewers_of(self.program).filter(|it| it.is_among(world.among));
        let differs = viewers.any(|viewer| {
            let is_same = gone.is_same(truth, viewer, 0, &world.after);
            !is_same && truth.is_received(viewer, 0, &world.state)
        });
        if let (false, Gone::On(there, events)) = (differs, gone) {
            let is_hidden = |asker| truth.is_received(asker, 0, &world.state);
            if courses.are_new(moment, &world, (&there, &events))
                && courses.asker.is_some_and(is_hidden)
            {
                courses
                    .worlds
                    .push(self.as_if(moment, world, there, events));
            }
        }
        differs
    }

    /// Replays the choices since some moments ago, when what was hidden was different.
    fn another_past_differs(&self, truth: &Truth<'_>, asker: Viewer, number: usize) -> bool {
        let ago = AGO.into_iter().filter_map(|ago| number.checked_sub(ago));
        let mut games =
            ago.filter_map(|first| self.fixed(truth, asker, ChoiceSpan::of(first, number)));
        games.any(|game| {
            let truth = Truth::of(&game);
            let span = ChoiceSpan::of(0, game.moments.len().saturating_sub(1));
            viewers_of(self.program).any(|viewer| {
                let mut pasts = game.pasts(viewer, asker, span).into_iter();
                pasts.any(|past| game.would_differ(&truth, viewer, asker, span, past))
            })
        })
    }

    /// Replays the choices since the setup, in which components came out of shuffles exchanged, or one random number was another:
    /// the path of the rules may depend on it, or a name that an effect keeps.
    fn another_setup_differs(&self, truth: &Truth<'_>, asker: Viewer, number: usize) -> bool {
        let still = self.still();
        let draws = 0..self.before(0).draws_made().min(DRAWS);
        let mut others = draws.flat_map(|draw| (1..=DRAWN).map(move |by| (draw, by)));
        let differs = |viewer: Viewer, names: &[i32], other: Option<(u32, u32)>| {
            self.differs_from_setup(truth, viewer, asker, number, names, other)
        };
        viewers_of(self.program).any(|viewer| {
            let orders = self.orders(viewer, ChoiceSpan::of(0, number));
            orders.iter().any(|names| differs(viewer, names, None))
        }) || others.any(|other| differs(asker, &still, Some(other)))
    }

    /// Returns the same as [`InformationGain::would_differ`], if these components had been exchanged in the setup, or another
    /// random number had been drawn there.
    fn differs_from_setup(
        &self,
        truth: &Truth<'_>,
        viewer: Viewer,
        asker: Viewer,
        number: usize,
        names: &[i32],
        other: Option<(u32, u32)>,
    ) -> bool {
        let Some(seed) = self.seed else {
            return false;
        };
        let mut heard = Collect::default();
        let mut chance = Exchanging {
            names,
            exchanged: BTreeSet::new(),
            other,
            drawn: 0,
        };
        let started = play::start(self.program, seed, &mut chance, &mut heard);
        let Ok(state) = started else {
            return false;
        };
        let told = |events| docs(self.program, events, viewer);
        if self.started != heard.0 && told(&self.started) != told(&heard.0) {
            return false;
        }
        let span = ChoiceSpan::of(0, number);
        let names = names.to_vec();
        self.would_differ(truth, viewer, asker, span, Otherwise { state, names })
    }

    /// Returns whether the first viewer would be told something else by choice `last`, if the state before choice `first` had
    /// been another one with these names, and the viewer had been told the same in between. The second viewer is the seat
    /// that asks: a choice at random that it does not notice counts too.
    fn would_differ(
        &self,
        truth: &Truth<'_>,
        viewer: Viewer,
        asker: Viewer,
        span: ChoiceSpan,
        past: Otherwise,
    ) -> bool {
        (self.pause)();
        let ChoiceSpan { first, last } = span;
        let mut state = past.state.clone();
        for number in first..=last {
            let moment = self.moments.get(number);
            let gone = moment.and_then(|moment| self.play(&state, moment, &past.names));
            let Some(gone) = gone else {
                return false;
            };
            let after = self.after(number).renamed(&past.names);
            let is_same = gone.is_same(truth, viewer, number, &after);
            let draws = viewer == asker && gone.draws_since(&state);
            match gone {
                Gone::On(there, _) if is_same && !(draws && number == last) => state = there,
                // A world that the viewer could tell apart before proves nothing.
                Gone::On(..) | Gone::Refused => {
                    return number == last && truth.is_received(viewer, first, &past.state);
                }
            }
        }
        false
    }

    /// Makes the choice of a moment in another state; `None` if the game breaks there.
    fn play(&self, state: &State, moment: &MadeChoice, names: &[i32]) -> Option<Gone> {
        let index = moment.pending.index;
        let is_owed = answered(state, index, &moment.choice)
            .is_some_and(|owed| owed.seat == moment.pending.seat);
        if !is_owed {
            return Some(Gone::Refused);
        }
        let mut state = state.clone();
        let mut heard = Collect::default();
        let choice = self.renamed(moment, names);
        let chance = &mut Seeded;
        match play::step(self.program, &mut state, index, &choice, chance, &mut heard) {
            Ok(()) => Some(Gone::On(state, heard.0)),
            Err(StepError::Refused(_)) => Some(Gone::Refused),
            Err(StepError::Fault(_)) => None,
        }
    }
}

/// Chance by the seed, except that components come out of shuffles exchanged, or that one number is another.
struct Exchanging<'n> {
    names: &'n [i32],
    /// Components that have been shuffled: they are exchanged once.
    exchanged: BTreeSet<i32>,
    /// The number of a draw, from 0, and by how much its result is another.
    other: Option<(u32, u32)>,
    drawn: u32,
}

impl Chance for Exchanging<'_> {
    fn draw(&mut self, rng: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let result = Seeded.draw(rng, n, what);
        let by = self.other.filter(|(draw, _)| *draw == self.drawn);
        self.drawn += 1;
        by.map_or(result, |(_, by)| result.saturating_add(by) % n.max(1))
    }

    fn shuffle(&mut self, rng: &mut Rng, zone: ZoneId, order: &mut [i32]) {
        Seeded.shuffle(rng, zone, order);
        let name = |component: &i32| {
            let at = usize::try_from(*component).ok();
            let name = at.and_then(|at| self.names.get(at));
            name.copied().unwrap_or(*component)
        };
        let is_closed = order.iter().all(|one| order.contains(&name(one)));
        if !is_closed || order.iter().any(|one| self.exchanged.contains(one)) {
            return;
        }
        for component in order.iter_mut() {
            *component = name(component);
        }
        self.exchanged.extend(order.iter().copied());
    }
}
