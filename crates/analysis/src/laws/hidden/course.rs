//! The same chance in two worlds.
//!
//! Results are drawn from separate streams: one for each die, each pile and each choice at random. An additional hidden draw
//! in one world therefore changes no other draw.
//!
//! In the other world, results that the seat does not see can differ: components that it does not see after a shuffle
//! exchange their places, a die that it does not see shows another face, and one choice at random is made again.

use std::collections::HashMap;

use super::glance::{Glance, LooksAfter};
use super::key::{CHOICE, Key, Stream, dice_of, next, stream_of};
use super::writes::{ForcedWrites, WriteTarget, Writes};
use wyrmgate_base::dice::Dice;
use wyrmgate_engine::{Chance, Draw, Handling, Rng, State};
use wyrmgate_program::{ByNumber, Program, SiteId, Type, ZoneId};

/// A result of chance.
#[derive(Debug, Clone)]
enum DrawnChance {
    /// The number that was drawn.
    At(u32),
    /// A choice of one of these values.
    Value(i32, Vec<i32>),
    /// The number of the shuffle, and the order after it.
    Order(usize, Vec<i32>),
}

/// Records the results of chance in the first world.
#[derive(Debug, Clone, Default)]
pub(super) struct ChanceRecorder {
    seed: u64,
    counts: HashMap<Stream, u32>,
    results: HashMap<Key, DrawnChance>,
    /// Number of shuffles.
    pub shuffles: usize,
    /// The choices at random, in order.
    pub choices: Vec<RandomChoice>,
    /// The current step; 0 is the setup.
    pub step: usize,
    /// The hidden writes of the course.
    pub writes: Writes,
}

/// A choice at random.
#[derive(Debug, Clone, Copy)]
pub(super) struct RandomChoice {
    pub key: Key,
    pub site: SiteId,
    pub step: usize,
    /// Number of shuffles before it.
    pub shuffles: usize,
    /// The component that was chosen, if it is one.
    pub component: Option<i32>,
}

impl ChanceRecorder {
    pub fn new(dice: &mut Dice) -> ChanceRecorder {
        ChanceRecorder::of(dice.below(u64::MAX))
    }

    fn of(seed: u64) -> ChanceRecorder {
        ChanceRecorder {
            seed,
            ..ChanceRecorder::default()
        }
    }

    /// Returns the same course, from its beginning.
    pub fn again(&self) -> ChanceRecorder {
        ChanceRecorder::of(self.seed)
    }
}

impl RandomChoice {
    /// Returns the ordinal of the choice at its site, if one number stands for the whole choice.
    pub fn number_of_whole_choice(&self) -> Option<u32> {
        let ((kind, _), count) = self.key;
        (kind == CHOICE).then_some(count)
    }
}

impl Chance for ChanceRecorder {
    fn draw(&mut self, _: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let key = next(&mut self.counts, stream_of(what));
        let at = dice_of(self.seed, key).below(u64::from(n)) as u32;
        let result = match what {
            Draw::Value { values, .. } => values
                .get(at as usize)
                .map_or(DrawnChance::At(at), |value| {
                    DrawnChance::Value(*value, values.to_vec())
                }),
            _ => DrawnChance::At(at),
        };
        let component = match what {
            Draw::Value {
                values,
                of: Type::Component(_),
                ..
            } => values.get(at as usize).copied(),
            _ => None,
        };
        if let Draw::Value { site, .. } | Draw::Choice { site } = what {
            self.choices.push(RandomChoice {
                key,
                site,
                step: self.step,
                shuffles: self.shuffles,
                component,
            });
        }
        self.results.insert(key, result);
        at
    }

    fn shuffle(&mut self, _: &mut Rng, zone: ZoneId, order: &mut [i32]) {
        let key = next(&mut self.counts, stream_of(Draw::Shuffle { zone }));
        dice_of(self.seed, key).mix(order);
        self.results
            .insert(key, DrawnChance::Order(self.shuffles, order.to_vec()));
        self.shuffles += 1;
    }

    fn written(&mut self, _: &State, word: u32, value: i32) -> i32 {
        self.writes.note(self.step, WriteTarget::Word(word), value);
        value
    }

    fn moved(&mut self, _: &State, component: i32, zone: i32) -> i32 {
        self.writes
            .note(self.step, WriteTarget::ZoneOf(component), zone);
        zone
    }

    fn handled(&mut self, _: &State, how: Handling, components: &[i32]) -> Option<Vec<i32>> {
        self.writes.note_handling(self.step, how, components);
        None
    }
}

/// The results of chance that differ in the other world.
#[derive(Debug, Clone, Default)]
pub(super) struct DifferingChance {
    /// The seed of the differing results.
    pub seed: u64,
    /// The first shuffle whose result can differ; `None`: none.
    pub shuffles_from: Option<usize>,
    /// The components that can exchange places: all hidden ones, or two.
    pub all: bool,
    /// A choice at random that is made again; of components, only among those for which this holds.
    pub redrawn: Option<Key>,
    pub among: Vec<bool>,
    /// The rules put the chosen component out of the viewer's sight at once, so it must not show.
    pub is_put_away: bool,
    /// Whether secret answers of others differ.
    pub answers: bool,
    /// Chance chooses differently where the rules put the chosen component out of the viewer's sight at once.
    pub draws: bool,
}

/// Chance in the other world.
pub(super) struct Following<'a> {
    program: &'a Program,
    course: &'a ChanceRecorder,
    glance: &'a Glance,
    plan: &'a DifferingChance,
    counts: HashMap<Stream, u32>,
    /// For each component, the one that plays its part here.
    names: Vec<i32>,
    pub dice: Dice,
    /// Whether two components have exchanged places.
    is_exchanged: bool,
    /// Whether the choice of the plan was made again.
    pub is_redrawn: bool,
    /// Number of differing choices at random whose results may show in their own step.
    pub shown: usize,
    /// Number of differing numbers: dice, and choices at random that are not of components.
    pub numbers: usize,
    /// The writes out of the viewer's sight.
    pub forced: ForcedWrites<'a>,
}

impl<'a> Following<'a> {
    pub fn new(
        program: &'a Program,
        course: &'a ChanceRecorder,
        glance: &'a Glance,
        plan: &'a DifferingChance,
        names: Vec<i32>,
    ) -> Following<'a> {
        Following {
            program,
            course,
            glance,
            plan,
            counts: HashMap::new(),
            names,
            dice: Dice::new(plan.seed),
            is_exchanged: false,
            is_redrawn: false,
            shown: 0,
            numbers: 0,
            forced: ForcedWrites::new(&course.writes),
        }
    }

    /// Returns the component that plays the part of this one here.
    pub fn name(&self, component: i32) -> i32 {
        self.names.at(component).copied().unwrap_or(component)
    }

    fn set_name(&mut self, component: i32, name: i32) {
        if let Some(place) = self.names.at_mut(component) {
            *place = name;
        }
    }

    /// Exchanges the parts of two components from now on.
    pub fn swap_parts(&mut self, one: i32, other: i32) {
        let part_of = |component: i32| self.names.iter().position(|name| *name == component);
        if let (Some(one), Some(other)) = (part_of(one), part_of(other)) {
            self.names.swap(one, other);
        }
    }

    /// Draws a number below `n` that does not depend on the line.
    fn fresh_number(&mut self, n: u32) -> u32 {
        self.dice.below(u64::from(n)) as u32
    }

    fn other_number(&mut self, n: u32) -> u32 {
        self.numbers += 1;
        self.fresh_number(n)
    }

    fn value(&mut self, key: Key, n: u32, values: &[i32], of: Type) -> u32 {
        let course = self.course;
        let Some(DrawnChance::Value(value, among)) = course.results.get(&key) else {
            return dice_of(course.seed, key).below(u64::from(n)) as u32;
        };
        let is_component = matches!(of, Type::Component(_));
        if !is_component && !same_members(among, values) {
            // The odds depend on hidden state, and the result may show.
            return self.fresh_number(n);
        }
        let value = match is_component {
            true => self.name(*value),
            false => *value,
        };
        let at = values.iter().position(|other| *other == value);
        match at {
            Some(at) => at as u32,
            None if is_component => self.instead(key, value, values, n),
            None => dice_of(course.seed, key).below(u64::from(n)) as u32,
        }
    }

    /// Chooses a component where chance cannot choose the one that plays the part of the first choice. If the viewer does not
    /// see this, it is another unseen component, which plays the part from now on.
    fn instead(&mut self, key: Key, part: i32, values: &[i32], n: u32) -> u32 {
        let at_random =
            |number: usize| dice_of(self.course.seed, key).below(number as u64) as usize;
        if !self.glance.was_seen(part) {
            let places = values.iter().enumerate();
            let unseen = places.filter(|(_, value)| !self.glance.was_seen(**value));
            let unseen: Vec<(usize, i32)> = unseen.map(|(place, value)| (place, *value)).collect();
            if let Some((place, chosen)) = unseen.get(at_random(unseen.len())).copied() {
                self.swap_parts(part, chosen);
                return place as u32;
            }
        }
        at_random(n as usize) as u32
    }

    /// Returns one of the components that can replace it. If the seat does not see it, it exchanges parts with the
    /// first choice from now on.
    fn redrawn(&mut self, key: Key, values: &[i32], n: u32) -> u32 {
        let can_be = |value: &i32| self.plan.among.at(*value) == Some(&true);
        let places = values.iter().enumerate();
        let places: Vec<(usize, i32)> = places
            .filter(|(_, value)| can_be(value))
            .map(|(place, value)| (place, *value))
            .collect();
        let at = self.dice.below(places.len() as u64) as usize;
        let Some((place, chosen)) = places.get(at).copied() else {
            return self.fresh_number(n);
        };
        if let Some(DrawnChance::Value(first, _)) = self.course.results.get(&key) {
            let first = *first;
            if !self.glance.was_seen(first) {
                self.swap_parts(self.name(first), chosen);
            }
        }
        place as u32
    }

    /// Exchanges the places of components that the seat does not see, from this shuffle on.
    fn vary(&mut self, number: usize, order: &[i32]) {
        let is_due = self.plan.shuffles_from.is_some_and(|from| number >= from);
        if !is_due || self.is_exchanged {
            return;
        }
        let free = |component: &&i32| {
            self.name(**component) == **component && self.glance.is_free(**component, number)
        };
        let free: Vec<i32> = order.iter().filter(free).copied().collect();
        let mut groups: Vec<(LooksAfter, Vec<i32>)> = Vec::new();
        for component in free {
            let looks = self.glance.looks(self.program, component, number);
            match groups.iter_mut().find(|(other, _)| *other == looks) {
                Some((_, members)) => members.push(component),
                None => groups.push((looks, vec![component])),
            }
        }
        groups.retain(|(_, members)| members.len() > 1);
        if self.plan.all {
            for (_, members) in groups {
                let mut mixed = members.clone();
                self.dice.mix(&mut mixed);
                for (one, other) in members.iter().zip(mixed) {
                    self.set_name(*one, other);
                }
            }
            return;
        }
        let group = self.dice.below(groups.len() as u64) as usize;
        let Some((_, members)) = groups.get(group) else {
            return;
        };
        let one = self.dice.below(members.len() as u64) as usize;
        let on = 1 + self.dice.below(members.len() as u64 - 1) as usize;
        let (one, other) = (members.get(one), members.get((one + on) % members.len()));
        if let (Some(one), Some(other)) = (one, other) {
            let (one, other) = (*one, *other);
            self.set_name(one, other);
            self.set_name(other, one);
            self.is_exchanged = true;
        }
    }
}

impl Chance for Following<'_> {
    fn draw(&mut self, _: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let key = next(&mut self.counts, stream_of(what));
        if self.plan.redrawn == Some(key) {
            self.is_redrawn = true;
            self.shown += usize::from(!self.plan.is_put_away);
            return match what {
                Draw::Value {
                    values,
                    of: Type::Component(_),
                    ..
                } => self.redrawn(key, values, n),
                _ => self.other_number(n),
            };
        }
        if matches!(what, Draw::Die { .. }) && self.glance.is_unseen_roll(key) {
            return self.other_number(n);
        }
        if self.plan.draws && self.glance.is_hidden_draw(key) {
            self.shown += 1;
            return self.other_number(n);
        }
        match (what, self.course.results.get(&key)) {
            (Draw::Value { values, of, .. }, _) => self.value(key, n, values, of),
            (Draw::Die { .. }, None) => self.fresh_number(n),
            (_, Some(DrawnChance::At(at))) if *at < n => *at,
            _ => dice_of(self.course.seed, key).below(u64::from(n)) as u32,
        }
    }

    fn shuffle(&mut self, _: &mut Rng, zone: ZoneId, order: &mut [i32]) {
        let key = next(&mut self.counts, stream_of(Draw::Shuffle { zone }));
        let course = self.course;
        if let Some(DrawnChance::Order(number, there)) = course.results.get(&key) {
            let named: Vec<i32> = there.iter().map(|of| self.name(*of)).collect();
            if same_members(&named, order) {
                self.vary(*number, there);
                for (place, of) in order.iter_mut().zip(there) {
                    *place = self.name(*of);
                }
                return;
            }
        }
        dice_of(course.seed, key).mix(order);
    }

    fn written(&mut self, state: &State, word: u32, value: i32) -> i32 {
        self.forced.written(state, word, value)
    }

    fn moved(&mut self, state: &State, component: i32, zone: i32) -> i32 {
        self.forced.moved(state, component, zone)
    }

    fn handled(&mut self, state: &State, how: Handling, components: &[i32]) -> Option<Vec<i32>> {
        let first = self.forced.first_handled(how);
        let first: Vec<i32> = first.iter().map(|it| self.name(*it)).collect();
        self.forced.handled(state, components, first)
    }
}

fn same_members(one: &[i32], other: &[i32]) -> bool {
    if one == other {
        return true;
    }
    let (mut one, mut other) = (one.to_vec(), other.to_vec());
    one.sort_unstable();
    other.sort_unstable();
    one == other
}
