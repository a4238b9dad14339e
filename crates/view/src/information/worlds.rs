//! Other worlds, and how a choice goes there.

use std::collections::HashSet;
use std::mem::{Discriminant, discriminant};

use super::gain::{COURSES, ChoiceSpan, InformationGain, MadeChoice, ORDERS};
use super::truth::Truth;
use crate::knowledge::{Knowledge, TakenStep, bit};
use crate::otherwise::Otherwise;
use crate::substitution::Exchange;
use wyrmgate_engine::layout::{FACE_DOWN, SHOWN_SHIFT};
use wyrmgate_engine::play::blank;
use wyrmgate_engine::{Event, State, Viewer, Viewers};

/// Another state before a choice.
pub(super) struct AlternativeState {
    pub state: State,
    /// The state after the choice, if it does the same there.
    pub after: State,
    /// By component: the one that is in its place there.
    pub names: Vec<i32>,
    /// The viewers that cannot tell it apart by what was exchanged.
    pub among: Viewers,
}

/// How a choice went in another state.
#[expect(
    clippy::large_enum_variant,
    reason = "there is one at a time, and nearly all go on"
)]
pub(super) enum Gone {
    On(State, Vec<Event>),
    /// The choice is impossible there.
    Refused,
}

impl Gone {
    /// Returns whether the viewer would be told, see and be asked the same as by the true choice. `after` is the state in
    /// which all lies as it truly does, but for what was exchanged: then there is nothing else to see.
    pub fn is_same(&self, truth: &Truth<'_>, viewer: Viewer, number: usize, after: &State) -> bool {
        match self {
            Gone::On(there, events) => {
                truth.is_told(viewer, number, events)
                    && (there == after || truth.is_seen(viewer, number + 1, there))
                    && truth.is_asked(viewer, number + 1, there)
            }
            Gone::Refused => false,
        }
    }

    pub fn draws_since(&self, before: &State) -> bool {
        match self {
            Gone::On(there, _) => there.draws_made() != before.draws_made(),
            Gone::Refused => false,
        }
    }
}

/// The ways that a choice can go without the seat that asks noticing: one world of each.
#[derive(Default)]
pub(super) struct Courses<'p> {
    pub asker: Option<Viewer>,
    /// Each way by the kinds of its events and the draws made.
    known: HashSet<(u32, Vec<Discriminant<Event>>)>,
    pub worlds: Vec<InformationGain<'p>>,
}

impl Courses<'_> {
    pub fn of(asker: Viewer) -> Self {
        Courses {
            asker: Some(asker),
            ..Courses::default()
        }
    }

    /// Returns whether the choice goes a way of which there is no world yet.
    pub fn are_new(
        &mut self,
        moment: &MadeChoice,
        world: &AlternativeState,
        gone: (&State, &[Event]),
    ) -> bool {
        let (there, events) = gone;
        let does_the_same = *there == world.after && events.len() == moment.events.len();
        let is_hidden = self.asker.is_some_and(|asker| asker.is_among(world.among));
        if does_the_same || !is_hidden || self.worlds.len() >= COURSES {
            return false;
        }
        let way = |draws, events: &[Event]| (draws, events.iter().map(discriminant).collect());
        let way = way(there.draws_made(), events);
        self.known.insert(way)
    }
}

impl<'p> InformationGain<'p> {
    /// Returns the game in which each viewer knows what this one knows it to know.
    pub(super) fn as_told_to(&self, asker: Viewer) -> InformationGain<'p> {
        let mut game = self.clone();
        let mut before = self.unshown(self.before(0).clone(), asker);
        game.known = Knowledge::of_start(self.program, &before, &self.started, bit(asker));
        for (number, moment) in game.moments.iter_mut().enumerate() {
            moment.known = game.known.clone();
            let after = self.unshown(self.after(number).clone(), asker);
            let step = TakenStep {
                before: &before,
                after: &after,
                events: &moment.events,
            };
            game.known.follow(self.program, step);
            before = after;
        }
        game
    }

    /// Returns the game from one choice to another in a world that depends only on what a seat knows: components that it knows
    /// neither before the first choice nor before the last lie in the order of the rules, and hidden words have their first
    /// values, as far as the seat would have received the same. If it would not, the game is as it truly is.
    pub(super) fn fixed(
        &self,
        truth: &Truth<'_>,
        asker: Viewer,
        span: ChoiceSpan,
    ) -> Option<InformationGain<'p>> {
        let mut worlds = self.received(truth, asker, span);
        worlds.find_map(|(state, names)| self.replayed(truth, asker, span, state, &names))
    }

    /// Returns the states in which such a game can begin, with the names of the components; the true one last.
    pub(super) fn received<'t>(
        &'t self,
        truth: &'t Truth<'_>,
        asker: Viewer,
        span: ChoiceSpan,
    ) -> impl Iterator<Item = (State, Vec<i32>)> + 't {
        let moment = self.moments.get(span.first);
        let names = [self.in_order(asker, span), self.still()];
        let tried = names
            .into_iter()
            .flat_map(|names| [(names.clone(), true), (names, false)]);
        moment.into_iter().flat_map(move |moment| {
            tried.clone().filter_map(move |(names, rewords)| {
                let mut state = self.unshown(moment.before.renamed(&names), asker);
                if rewords {
                    self.reset_words(&mut state, asker, moment);
                }
                let is_true = state == moment.before;
                let is_received = is_true || truth.is_received(asker, span.first, &state);
                is_received.then_some((state, names))
            })
        })
    }

    /// Returns the game from another state on; `None` if it is impossible there, or if the seat would have noticed before the
    /// last choice.
    pub(super) fn replayed(
        &self,
        truth: &Truth<'_>,
        asker: Viewer,
        span: ChoiceSpan,
        state: State,
        names: &[i32],
    ) -> Option<InformationGain<'p>> {
        let ChoiceSpan { first, last } = span;
        let mut game = self.resumed(self.moments.get(first)?, state, names);
        for number in first..=last {
            let moment = self.moments.get(number)?;
            let Gone::On(there, events) = self.play(&game.now, moment, names)? else {
                return None;
            };
            let is_same = || {
                truth.is_told(asker, number, &events)
                    && truth.is_received(asker, number + 1, &there)
            };
            if number < last && !is_same() {
                return None;
            }
            let choice = self.renamed(moment, names);
            game.follow(moment.pending, choice, there, events);
        }
        Some(game)
    }

    /// Returns the state in which the others were shown nothing that this viewer was not shown too.
    fn unshown(&self, mut state: State, asker: Viewer) -> State {
        for component in 0..self.program.components.len() as i32 {
            let flags = state.flags(component);
            if !asker.is_among((flags >> SHOWN_SHIFT) as Viewers) {
                state.set_flags(component, flags & FACE_DOWN);
            }
        }
        state
    }

    /// Gives hidden words their first values.
    fn reset_words(&self, state: &mut State, viewer: Viewer, moment: &MadeChoice) {
        if let Ok(first) = blank(self.program, [0; 32]) {
            for (word, _) in self.hidden_words(viewer, moment) {
                state.set_var(word, first.var(word));
            }
        }
    }

    /// Returns the components that the viewer does not know in the order of the rules, by place.
    fn in_order(&self, viewer: Viewer, span: ChoiceSpan) -> Vec<i32> {
        let mut exchange = Exchange::new(self.program, self.before(span.first));
        for places in self.groups(viewer, span, true) {
            let mut members = places.clone();
            members.sort_unstable();
            for (place, member) in places.into_iter().zip(members) {
                exchange.put(place, member);
            }
        }
        exchange.names().to_vec()
    }

    /// Returns the game at one choice, as it goes in another world.
    pub(super) fn as_if(
        &self,
        moment: &MadeChoice,
        world: AlternativeState,
        there: State,
        events: Vec<Event>,
    ) -> InformationGain<'p> {
        let choice = self.renamed(moment, &world.names);
        let mut game = self.resumed(moment, world.state, &world.names);
        game.follow(moment.pending, choice, there, events);
        game
    }

    /// Returns the game before a moment, in another state with these names.
    fn resumed(&self, moment: &MadeChoice, now: State, names: &[i32]) -> InformationGain<'p> {
        InformationGain {
            seed: None,
            started: Vec::new(),
            moments: Vec::new(),
            now,
            known: moment.known.renamed(names),
            ..*self
        }
    }

    /// Returns the names of components that lie where they truly do.
    pub(super) fn still(&self) -> Vec<i32> {
        (0..self.program.components.len() as i32).collect()
    }

    /// Returns the world before the first choice in which components are exchanged.
    pub(super) fn renamed_world(&self, names: Vec<i32>, among: Viewers) -> AlternativeState {
        AlternativeState {
            state: self.before(0).renamed(&names),
            after: self.after(0).renamed(&names),
            names,
            among,
        }
    }

    /// Returns the world before the first choice in which a word has another value, which the choice does not change.
    pub(super) fn reworded_world(&self, word: u32, value: i32, among: Viewers) -> AlternativeState {
        let (mut state, mut after) = (self.before(0).clone(), self.after(0).clone());
        if after.var(word) == state.var(word) {
            after.set_var(word, value);
        }
        state.set_var(word, value);
        AlternativeState {
            state,
            after,
            names: self.still(),
            among,
        }
    }

    /// Returns other states before choice `first`, with the names of the components: what the first viewer did not know then
    /// and does not know before choice `last` lies in other orders. For the seat that asks, hidden words have other values
    /// too in every second state, and in all of them if there is nothing to put into another order.
    pub(super) fn pasts(&self, viewer: Viewer, asker: Viewer, span: ChoiceSpan) -> Vec<Otherwise> {
        let Some(moment) = self.moments.get(span.first) else {
            return Vec::new();
        };
        let words = match viewer == asker {
            true => self.hidden_words(viewer, moment),
            false => Vec::new(),
        };
        let mut orders = self.orders(viewer, span);
        let rewords_all = orders.is_empty() && !words.is_empty();
        if rewords_all {
            orders = vec![self.still(); ORDERS as usize];
        }
        let pasts = orders.into_iter().enumerate().map(|(order, names)| {
            let mut state = moment.before.renamed(&names);
            let reworded = words.iter().filter(|_| rewords_all || order % 2 == 1);
            for (at, (word, values)) in reworded.enumerate() {
                let value = values.iter().cycle().nth(at + order);
                state.set_var(*word, value.copied().unwrap_or_default());
            }
            Otherwise { state, names }
        });
        pasts.filter(|past| past.state != moment.before).collect()
    }
}
