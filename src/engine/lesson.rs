//! Whether a choice teaches anybody anything.
//!
//! Three things can. **A draw**: nobody knew the result. **Something comes into sight**: a viewer is shown, or told of, a
//! component that it did not know (`knowledge.rs`). **Something follows from what is hidden**: a sum over a hidden hand is
//! announced, or a choice was possible only because of a card that lies face down. The last is found by exchanging what a
//! viewer cannot tell apart, each component with others like it and hidden words with other values, and looking whether
//! the viewer would then have been told, or have seen, something else.

use super::chance::Seeded;
use super::choice::{Arg, Choice, Pending};
use super::disguise::{Exchange, looks_of, renamed_zone, spoken_of};
use super::event::{Collect, Event};
use super::event_doc::event_doc;
use super::knowledge::{Knowledge, Taken, viewers_of};
use super::play;
use super::rng::{Label, Rng};
use super::see::{Viewer, viewers_of_var};
use super::state::State;
use super::view::{ViewDoc, view};
use crate::program::{Program, Type};

/// Each component is exchanged with those so far behind it among its like.
const EXCHANGES: [usize; 4] = [1, 3, 7, 13];
/// Whole groups are put into so many other orders.
const ORDERS: u32 = 8;

/// A choice that was made, and the moment before it.
pub struct Lesson<'a> {
    pub program: &'a Program,
    pub before: &'a State,
    /// What everybody knew before.
    pub known: &'a Knowledge,
    pub pending: Pending,
    pub choice: &'a Choice,
}

/// What a viewer is told and sees.
#[derive(PartialEq)]
struct Observed {
    told: Vec<String>,
    view: ViewDoc,
}

impl Lesson<'_> {
    /// Whether anybody learns anything. Of a choice that cannot be made nothing is said but that it teaches.
    pub fn teaches(&self) -> bool {
        let Some((after, events)) = self.play(self.before, self.choice) else {
            return true;
        };
        if after.draws_made() != self.before.draws_made() {
            return true;
        }
        let step = Taken {
            before: self.before,
            after: &after,
            events: &events,
        };
        self.known.clone().follow(self.program, step)
            || viewers_of(self.program).any(|viewer| self.follows_from_hidden(viewer, step))
    }

    fn play(&self, state: &State, choice: &Choice) -> Option<(State, Vec<Event>)> {
        let mut state = state.clone();
        let mut collect = Collect::default();
        let index = self.pending.index;
        let owed = play::pending(self.program, &state);
        let same = owed
            .get(index)
            .is_some_and(|owed| owed.seat == self.pending.seat);
        if !same {
            return None;
        }
        play::step(
            self.program,
            &mut state,
            index,
            choice,
            &mut Seeded,
            &mut collect,
        )
        .ok()?;
        Some((state, collect.0))
    }

    fn observed(&self, viewer: Viewer, state: &State, events: &[Event]) -> Observed {
        let told = events
            .iter()
            .filter_map(|event| event_doc(self.program, event, viewer));
        Observed {
            told: told
                .map(|doc| serde_json::to_string(&doc).unwrap_or_default())
                .collect(),
            view: view(self.program, state, viewer),
        }
    }

    fn follows_from_hidden(&self, viewer: Viewer, step: Taken<'_>) -> bool {
        let seen = view(self.program, self.before, viewer);
        let here = self.observed(viewer, step.after, step.events);
        let differs = |other: &State, choice: &Choice| {
            // What the viewer could have told apart before says nothing.
            if *other == *self.before || view(self.program, other, viewer) != seen {
                return false;
            }
            let there = self.play(other, choice);
            there.is_none_or(|(after, events)| self.observed(viewer, &after, &events) != here)
        };
        self.exchanged(viewer)
            .iter()
            .any(|names| differs(&self.before.renamed(names), &self.renamed(names)))
            || self
                .other_words(viewer)
                .iter()
                .any(|other| differs(other, self.choice))
    }

    /// Other names for what the viewer cannot tell apart.
    fn exchanged(&self, viewer: Viewer) -> Vec<Vec<i32>> {
        let groups = self.groups(viewer);
        let mut all = Vec::new();
        for group in &groups {
            for (at, one) in group.iter().enumerate() {
                for distance in EXCHANGES.iter().filter(|distance| **distance < group.len()) {
                    let mut exchange = Exchange::new(self.program, self.before);
                    let other = group.get((at + distance) % group.len());
                    exchange.swap(*one, other.copied().unwrap_or(*one));
                    all.push(exchange.names().to_vec());
                }
            }
        }
        for order in 0..ORDERS {
            let mut rng = Rng::new([0; 32], Label::Shuffle, order);
            let mut exchange = Exchange::new(self.program, self.before);
            for group in &groups {
                for at in (1..group.len()).rev() {
                    let other = rng.below(at as u32 + 1) as usize;
                    if let (Some(one), Some(other)) = (group.get(at), group.get(other)) {
                        exchange.swap(*one, *other);
                    }
                }
            }
            all.push(exchange.names().to_vec());
        }
        all
    }

    /// Components that the viewer does not know, by how they look, in the order in which they lie.
    fn groups(&self, viewer: Viewer) -> Vec<Vec<i32>> {
        let (program, state) = (self.program, self.before);
        let mut groups: Vec<(_, Vec<i32>)> = Vec::new();
        let spoken_of = spoken_of(program, state);
        let lying = (0..state.layout.zones as i32).flat_map(|zone| state.members(zone));
        for component in lying {
            let is_open = self.known.knows(viewer, component);
            if is_open || spoken_of.get(component as usize) == Some(&true) {
                continue;
            }
            let Some(looks) = looks_of(program, state, component) else {
                continue;
            };
            match groups.iter_mut().find(|(other, _)| *other == looks) {
                Some((_, members)) => members.push(component),
                None => groups.push((looks, vec![component])),
            }
        }
        let groups = groups.into_iter().map(|(_, members)| members);
        groups.filter(|members| members.len() > 1).collect()
    }

    /// The same choice among the components that lie there then.
    fn renamed(&self, names: &[i32]) -> Choice {
        let mut choice = self.choice.clone();
        let site = self.program.sites.get(usize::from(self.pending.site));
        let option = site.and_then(|site| site.options.get(usize::from(choice.option)));
        let binders = option.into_iter().flat_map(|option| &option.binders);
        let name = |component: i32| {
            let at = usize::try_from(component).ok();
            at.and_then(|at| names.get(at))
                .copied()
                .unwrap_or(component)
        };
        for (arg, binder) in choice.args.iter_mut().zip(binders) {
            let rename = |value: &mut i32| match binder.of {
                Type::Component(_) => *value = name(*value),
                Type::Zone(_) => *value = renamed_zone(self.program, *value, name),
                _ => {}
            };
            match arg {
                Arg::One(value) => rename(value),
                Arg::Many(values) => values.iter_mut().for_each(rename),
            }
        }
        choice
    }

    /// The state with other values in one word of a variable that the viewer may not see.
    fn other_words(&self, viewer: Viewer) -> Vec<State> {
        let mut others = Vec::new();
        for (number, var) in self.program.vars.iter().enumerate() {
            for word in 0..var.len {
                let seen = viewers_of_var(self.program, self.before, number, word);
                if var.internal || viewer.is_among(seen) {
                    continue;
                }
                let value = self.before.var(var.offset + word);
                for other in other_values(self.program, var.of, value) {
                    let mut state = self.before.clone();
                    state.set_var(var.offset + word, other);
                    others.push(state);
                }
            }
        }
        others
    }
}

fn other_values(program: &Program, of: Type, value: i32) -> Vec<i32> {
    let up_to = |count: usize| (0..count as i32).filter(|other| *other != value).collect();
    match of {
        Type::Bool => vec![1 - value.clamp(0, 1)],
        Type::Seat => up_to(program.seats),
        Type::Side => up_to(4),
        Type::Enum(id) => {
            let info = program.enums.get(usize::from(id));
            up_to(info.map_or(0, |info| info.values.len()))
        }
        Type::Int => vec![value.saturating_sub(1), value.saturating_add(1)],
        // What they speak of is exchanged where it lies.
        Type::Component(_) | Type::Zone(_) | Type::Cell => Vec::new(),
    }
}
