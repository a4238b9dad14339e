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

mod others;
mod truth;

use std::collections::BTreeSet;

use wyrmgate_engine::{
    Chance, Choice, Collect, Draw, Event, Fault, Pending, Rng, Seeded, State, StepError, Viewer,
    Viewers,
};

use crate::knowledge::{Knowledge, Taken, viewers_of};
use crate::substitution::Exchange;
use truth::{Truth, docs, same_docs};
use wyrmgate_engine::play;
use wyrmgate_program::{Program, ZoneId};

/// The maximum number of pairs exchanged per viewer; of more pairs, a sample.
const PAIRS: usize = 4_000;
/// The number of other orders for everything unknown, now and some moments ago. Effects of rare combinations show in few
/// of them.
const ORDERS_NOW: u32 = 48;
const ORDERS: u32 = 12;
/// How many choices ago.
const AGO: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];
/// The amounts by which hidden numbers change.
const STEPS: [i32; 5] = [1, 2, 5, 10, 100];

/// A game so far, with everything that each viewer came to know.
#[derive(Clone)]
pub struct InformationGain<'p> {
    program: &'p Program,
    seed: [u8; 32],
    /// The events of the setup.
    started: Vec<Event>,
    moments: Vec<Moment>,
    now: State,
    known: Knowledge,
    /// Called repeatedly during the computation.
    pause: fn(),
}

/// A choice that was made.
#[derive(Clone)]
struct Moment {
    before: State,
    /// The knowledge of each viewer before it.
    known: Knowledge,
    pending: Pending,
    choice: Choice,
    events: Vec<Event>,
}

impl<'p> InformationGain<'p> {
    /// Starts a game in which nothing was chosen yet.
    pub fn begin(program: &'p Program, seed: [u8; 32]) -> Result<InformationGain<'p>, Fault> {
        let mut heard = Collect::default();
        let now = play::start(program, seed, &mut Seeded, &mut heard)?;
        let known = Knowledge::of_start(program, seed, &now, &heard.0);
        Ok(InformationGain {
            program,
            seed,
            started: heard.0,
            moments: Vec::new(),
            now,
            known,
            pause: || (),
        })
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
        let owed = play::pending(self.program, &self.now);
        let mut after = self.now.clone();
        let mut heard = Collect::default();
        let chance = &mut Seeded;
        play::step(self.program, &mut after, index, &choice, chance, &mut heard)?;
        let Some(pending) = owed.get(index).copied() else {
            return Ok(());
        };
        let known = self.known.clone();
        let before = std::mem::replace(&mut self.now, after);
        let taken = Taken {
            before: &before,
            after: &self.now,
            events: &heard.0,
        };
        self.known.follow(self.program, taken);
        self.moments.push(Moment {
            before,
            known,
            pending,
            choice,
            events: heard.0,
        });
        Ok(())
    }

    /// Returns whether any viewer learned anything from a choice, counted from 0. A choice that was not made counts as
    /// informative.
    pub fn is_informative(&self, number: usize) -> bool {
        let Some(moment) = self.moments.get(number) else {
            return true;
        };
        let after = self.after(number);
        if after.draws_made() != moment.before.draws_made() {
            return true;
        }
        let step = Taken {
            before: &moment.before,
            after,
            events: &moment.events,
        };
        moment.known.clone().follow(self.program, step) || self.follows_from_hidden(number)
    }

    fn before(&self, number: usize) -> &State {
        let moment = self.moments.get(number);
        moment.map_or(&self.now, |moment| &moment.before)
    }

    fn after(&self, number: usize) -> &State {
        self.before(number + 1)
    }

    /// Returns whether the choice reveals anything that depends on hidden state, to any viewer.
    fn follows_from_hidden(&self, number: usize) -> bool {
        let Some(moment) = self.moments.get(number) else {
            return true;
        };
        let truth = Truth::of(self);
        self.another_now_differs(&truth, number, moment)
            || viewers_of(self.program)
                .any(|viewer| self.another_past_differs(&truth, viewer, number))
    }

    /// Exchanges what is hidden now: two components or one word at a time. Each exchanged state is played once, for all
    /// viewers from whom the exchange is hidden.
    fn another_now_differs(&self, truth: &Truth<'_>, number: usize, moment: &Moment) -> bool {
        let known: Vec<_> = viewers_of(self.program).collect();
        let pairs = self.pairs(number, moment);
        let exchanged = pairs.into_iter().any(|((one, other), among)| {
            let mut exchange = Exchange::new(self.program, &moment.before);
            exchange.swap(one, other);
            let names = exchange.names().to_vec();
            let other = moment.before.renamed(&names);
            other != moment.before
                && self.differs_for(&known, among, (truth, number), &other, &names)
        });
        let unchanged: Vec<i32> = (0..self.program.components.len() as i32).collect();
        exchanged
            || self
                .other_words(moment)
                .into_iter()
                .any(|((word, value), among)| {
                    let mut other = moment.before.clone();
                    other.set_var(word, value);
                    self.differs_for(&known, among, (truth, number), &other, &unchanged)
                })
    }

    /// Returns whether one of these viewers would be told something else by this choice in another state that it cannot
    /// tell from the true one.
    fn differs_for(
        &self,
        viewers: &[Viewer],
        among: Viewers,
        (truth, number): (&Truth<'_>, usize),
        other: &State,
        names: &[i32],
    ) -> bool {
        (self.pause)();
        let Some(moment) = self.moments.get(number) else {
            return false;
        };
        let gone = self.play(other, moment, names);
        // Where all lies as it does, but for the components that were exchanged, there is nothing else to see.
        let lies_the_same =
            (gone.as_ref()).is_some_and(|(there, _)| *there == self.after(number).renamed(names));
        let mut viewers = viewers.iter().filter(|viewer| viewer.is_among(among));
        viewers.any(|viewer| {
            let is_same = gone.as_ref().is_some_and(|(there, events)| {
                truth.is_told(*viewer, number, events)
                    && (lies_the_same || truth.is_seen(*viewer, number + 1, there))
                    && truth.is_asked(*viewer, number + 1, there)
            });
            !is_same && truth.is_received(*viewer, number, other)
        })
    }

    /// Puts what was hidden some moments ago into other orders.
    fn another_past_differs(&self, truth: &Truth<'_>, viewer: Viewer, number: usize) -> bool {
        let mut ago = std::iter::once(0)
            .chain(AGO)
            .filter_map(|ago| number.checked_sub(ago));
        let orders = |first| self.orders(viewer, (first, number));
        ago.any(|first| {
            let orders = orders(first);
            let mut orders = orders.iter();
            orders.any(|names| self.differs(truth, viewer, (first, number), names))
        }) || orders(0)
            .iter()
            .any(|names| self.differs_from_setup(truth, viewer, number, names))
    }

    /// Returns the same as [`InformationGain::differs`], if these components had been exchanged in the setup.
    fn differs_from_setup(
        &self,
        truth: &Truth<'_>,
        viewer: Viewer,
        number: usize,
        names: &[i32],
    ) -> bool {
        let mut heard = Collect::default();
        let mut chance = Exchanging {
            names,
            exchanged: BTreeSet::new(),
        };
        let started = play::start(self.program, self.seed, &mut chance, &mut heard);
        let Ok(state) = started else {
            return false;
        };
        let told = |events| docs(self.program, events, viewer);
        (self.started == heard.0 || same_docs(&told(&self.started), &told(&heard.0)))
            && self.would_differ(truth, viewer, (0, number), (state, names))
    }

    /// Returns whether the viewer would be told something else by choice `last`, if these components had been exchanged
    /// before choice `first`, and the viewer had been told the same in between.
    fn differs(
        &self,
        truth: &Truth<'_>,
        viewer: Viewer,
        span: (usize, usize),
        names: &[i32],
    ) -> bool {
        let Some(moment) = self.moments.get(span.0) else {
            return false;
        };
        let other = moment.before.renamed(names);
        other != moment.before && self.would_differ(truth, viewer, span, (other, names))
    }

    fn would_differ(
        &self,
        truth: &Truth<'_>,
        viewer: Viewer,
        (first, last): (usize, usize),
        (other, names): (State, &[i32]),
    ) -> bool {
        (self.pause)();
        let mut state = other.clone();
        for number in first..=last {
            let Some(moment) = self.moments.get(number) else {
                return false;
            };
            let same = self.play(&state, moment, names).filter(|(there, events)| {
                // Where all lies as it does, but for the components that were exchanged, there is nothing else to see.
                truth.is_told(viewer, number, events)
                    && (*there == self.after(number).renamed(names)
                        || truth.is_seen(viewer, number + 1, there))
                    && truth.is_asked(viewer, number + 1, there)
            });
            match same {
                Some((there, _)) => state = there,
                // A world that the viewer could tell apart before proves nothing.
                None if number == last => return truth.is_received(viewer, first, &other),
                None => return false,
            }
        }
        false
    }

    /// Makes the choice of a moment in another state; `None` if that is impossible.
    fn play(&self, state: &State, moment: &Moment, names: &[i32]) -> Option<(State, Vec<Event>)> {
        let owed = play::pending(self.program, state);
        let index = moment.pending.index;
        let is_owed = owed
            .get(index)
            .is_some_and(|owed| owed.seat == moment.pending.seat);
        if !is_owed {
            return None;
        }
        let mut state = state.clone();
        let mut heard = Collect::default();
        let choice = self.renamed(moment, names);
        let chance = &mut Seeded;
        play::step(self.program, &mut state, index, &choice, chance, &mut heard).ok()?;
        Some((state, heard.0))
    }
}

/// Chance by the seed, except that components come out of shuffles exchanged.
struct Exchanging<'n> {
    names: &'n [i32],
    /// Components that have been shuffled: they are exchanged once.
    exchanged: BTreeSet<i32>,
}

impl Chance for Exchanging<'_> {
    fn draw(&mut self, rng: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        Seeded.draw(rng, n, what)
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
