//! The components that a seat sees in the course of some steps, and when. They are the same in every other world.
//!
//! Time is counted in shuffles: a seat that has seen a component knows it until it is shuffled.

use std::cell::OnceCell;
use std::collections::{HashMap, HashSet};

use super::backs::Backs;
use super::key::{Key, key_of_choice, key_of_roll};
use crate::laws::JUDGE;
use wyrmgate_engine::{
    AssignmentTarget, Event, EventSight, SeenComponent, SeenValue, State, Viewer, has_back,
    holder_of, reads_back, sees_as,
};
use wyrmgate_program::{BinderSize, ByNumber, Program};
use wyrmgate_view::{ChangingBack, Looks, lasting_looks};

/// An appearance: the family, the constant fields of the back (0: unread), and its changing fields.
pub(super) type LooksAfter = (u16, usize, ChangingBack);

pub(super) struct Glance {
    viewer: Viewer,
    shuffles: usize,
    /// For each component, the number of shuffles before it was last seen.
    seen: Vec<Option<usize>>,
    /// The same for its back.
    read: Vec<Option<usize>>,
    /// For each component, whether its back came into sight at a rest after the first one.
    is_newly_read: Vec<bool>,
    /// For each component, whether there is anything on its back.
    has_back: Vec<bool>,
    /// For each component, its family, and its family with the constant fields of its back; computed at first use.
    looks: OnceCell<Vec<(u16, usize)>>,
    /// The changing fields on backs, over time.
    backs: Backs,
    /// Number of rolls of each die, and the rolls whose result was seen.
    rolls: HashMap<u16, u32>,
    seen_rolls: HashSet<Key>,
    /// Number of random choices at each site, and those choices that were put out of the seat's sight at once.
    draws: HashMap<u16, u32>,
    hidden_draws: HashSet<Key>,
    /// The choices at random whose component was seen to be taken from a certain place.
    seen_takings: HashSet<Key>,
}

impl Glance {
    /// Starts before the first event.
    pub fn new(program: &Program, before: &State, viewer: Viewer) -> Glance {
        let count = program.components.len();
        Glance {
            viewer,
            shuffles: 0,
            seen: vec![None; count],
            read: vec![None; count],
            is_newly_read: vec![false; count],
            has_back: (0..count as i32)
                .map(|component| has_back(program, component))
                .collect(),
            looks: OnceCell::new(),
            backs: Backs::of(program, before),
            rolls: HashMap::new(),
            seen_rolls: HashSet::new(),
            draws: HashMap::new(),
            hidden_draws: HashSet::new(),
            seen_takings: HashSet::new(),
        }
    }

    /// Returns for each component whether it was seen at any time, or its back came into sight.
    pub fn known(&self) -> Vec<bool> {
        let all = self.seen.iter().zip(&self.is_newly_read);
        all.map(|(seen, is_newly_read)| seen.is_some() || *is_newly_read)
            .collect()
    }

    pub fn was_seen(&self, component: i32) -> bool {
        self.seen.at(component).is_some_and(Option::is_some)
    }

    /// Returns whether the component was not seen after this shuffle.
    pub fn is_free(&self, component: i32, shuffle: usize) -> bool {
        after(&self.seen, component).is_none_or(|seen| seen <= shuffle)
    }

    /// Returns the appearance of a component as far as the seat has seen its back after this shuffle: the constant fields,
    /// and the values of the changing ones at the time of the shuffle.
    pub fn looks(&self, program: &Program, component: i32, shuffle: usize) -> LooksAfter {
        self.looks_from(program, component, shuffle + 1, shuffle)
    }

    /// Returns the appearance after an event other than a shuffle that happened after `shuffles` shuffles.
    pub fn looks_between(&self, program: &Program, component: i32, shuffles: usize) -> LooksAfter {
        self.looks_from(program, component, shuffles, shuffles)
    }

    fn looks_from(
        &self,
        program: &Program,
        component: i32,
        shuffles: usize,
        written: usize,
    ) -> LooksAfter {
        let all = self.looks.get_or_init(|| looks_of_all(program));
        let (family, back) = all.at(component).copied().unwrap_or_default();
        match after(&self.read, component).is_some_and(|read| read >= shuffles) {
            true => (family, back, self.backs.at(written, component)),
            false => (family, 0, ChangingBack::default()),
        }
    }

    /// Returns whether the seat saw the place in a pile from which the randomly chosen component was taken.
    pub fn saw_taking(&self, key: Key) -> bool {
        self.seen_takings.contains(&key)
    }

    /// Returns whether this is the result of a die that the seat does not see.
    pub fn is_unseen_roll(&self, key: Key) -> bool {
        !self.seen_rolls.contains(&key)
    }

    /// Returns whether chance chose a component here that the rules put out of the seat's sight at once.
    pub fn is_hidden_draw(&self, key: Key) -> bool {
        self.hidden_draws.contains(&key)
    }

    /// Notes what the seat sees at a rest; `before` is the previous rest.
    pub fn look(&mut self, program: &Program, state: &State, before: Option<&State>) {
        for component in 0..program.components.len() {
            let has_back = self.has_back.get(component) == Some(&true);
            let component = component as i32;
            if sees_as(program, state, self.viewer, component) {
                self.know(program, state, component);
            } else if has_back && reads_back(program, state, self.viewer, component) {
                note(&mut self.read, component, self.shuffles);
                let was_hidden =
                    before.is_some_and(|it| !reads_back(program, it, self.viewer, component));
                let is_newly_read = self.is_newly_read.at_mut(component);
                if let Some(is_newly_read) = is_newly_read.filter(|_| was_hidden) {
                    *is_newly_read = true;
                }
            }
        }
    }

    /// Notes that the seat knows a component and its holder.
    fn know(&mut self, program: &Program, state: &State, component: i32) {
        let mut component = component;
        for _ in 0..program.components.len() {
            note(&mut self.seen, component, self.shuffles);
            if let Ok(die) = u16::try_from(component)
                && let Some(count) = self.rolls.get(&die)
            {
                self.seen_rolls.insert(key_of_roll(die, *count));
            }
            match holder_of(program, state.zone_of(component)) {
                Some(holder) => component = holder,
                None => return,
            }
        }
    }

    /// Notes the events on the way to this state.
    pub fn hear(&mut self, program: &Program, state: &State, heard: &[Event]) {
        for (number, event) in heard.iter().enumerate() {
            self.backs.hear(program, event);
            match event {
                Event::Shuffled { .. } => self.shuffles += 1,
                Event::ShuffledInside { holder, .. } => {
                    self.see(program, state, holder);
                    self.shuffles += 1;
                }
                Event::Moved { what, noticed, .. } => {
                    self.see(program, state, what);
                    self.read_in_passing(what, *noticed);
                    let component = what.component_for(JUDGE).map(i32::from);
                    if component.is_some_and(|it| sees_as(program, state, self.viewer, it)) {
                        self.know_holder(program, state, what);
                    }
                }
                Event::Turned { what, .. } => self.see(program, state, what),
                Event::Given { to, value, seen_by } if self.is_among(*seen_by) => {
                    if let AssignmentTarget::Field { what, .. } = to {
                        self.see(program, state, what);
                    }
                    self.see_all(program, state, &[vec![*value]]);
                }
                Event::Rolled { dice } => {
                    for (die, _) in dice {
                        if let Some(rolled) = die.component_for(JUDGE) {
                            *self.rolls.entry(rolled).or_default() += 1;
                        }
                        self.see(program, state, die);
                    }
                }
                Event::Shown { what, to } if self.is_among(*to) => {
                    for component in what.iter().filter_map(|seen| seen.component_for(JUDGE)) {
                        self.know(program, state, i32::from(component));
                    }
                }
                Event::Chose {
                    args, secret, seat, ..
                } if !secret || Viewer::Seat(*seat) == self.viewer => {
                    self.see_all(program, state, args);
                }
                Event::Said { holes, to, .. } if self.is_among(*to) => {
                    self.see_all(program, state, holes);
                }
                Event::Drawn { .. } => {
                    self.hear_of_draw(program, event, heard.get(number + 1..));
                }
                _ => {}
            }
        }
    }

    /// Notes a choice of chance and its use by the rules.
    fn hear_of_draw(&mut self, program: &Program, event: &Event, then: Option<&[Event]>) {
        let Event::Drawn { site, args, .. } = event else {
            return;
        };
        let info = program.site(*site);
        let options = info.map_or(&[][..], |info| info.options.as_slice());
        let is_one = matches!(options, [option]
            if matches!(option.binders.as_slice(), [binder] if binder.count == BinderSize::One));
        if !is_one {
            return;
        }
        let count = self.draws.entry(*site).or_default();
        *count += 1;
        let key = key_of_choice(*site, *count);
        let Some(drawn) = args.first().and_then(|values| values.first()) else {
            return;
        };
        let then = then.unwrap_or_default();
        if let Some(Event::Given { value, seen_by, .. }) = then.first()
            && is_same(drawn, value)
            && !self.is_among(*seen_by)
        {
            self.hidden_draws.insert(key);
        }
        let is_taken = |event: &Event| match event {
            Event::Moved { what, .. } => {
                is_same(drawn, &SeenValue::Component(*what))
                    && what.place_for(self.viewer).is_some()
            }
            _ => false,
        };
        if then.iter().any(is_taken) {
            self.seen_takings.insert(key);
        }
    }

    /// Notes a back that shows for a moment while its component moves, even if only rules read it.
    fn read_in_passing(&mut self, what: &SeenComponent, noticed: EventSight) {
        let component = what.component_for(JUDGE).map(i32::from);
        let component = component.filter(|_| self.is_among(noticed.by));
        if let Some(component) = component
            && self.has_back.at(component) == Some(&true)
        {
            note(&mut self.read, component, self.shuffles);
        }
    }

    fn see_all(&mut self, program: &Program, state: &State, values: &[Vec<SeenValue>]) {
        for value in values.iter().flatten() {
            if let SeenValue::Component(seen) | SeenValue::Inside(seen) = value {
                self.see(program, state, seen);
            }
        }
    }

    /// Notes that the seat learns of a component as far as it may know it, and therefore of the component that holds
    /// it.
    fn see(&mut self, program: &Program, state: &State, seen: &SeenComponent) {
        let Some(component) = seen.component_for(self.viewer) else {
            return;
        };
        note(&mut self.seen, i32::from(component), self.shuffles);
        if let Some(count) = self.rolls.get(&component) {
            let key = key_of_roll(component, *count);
            self.seen_rolls.insert(key);
        }
        self.know_holder(program, state, seen);
    }

    /// Notes the holder of a seen component: a seat that sees the contents knows the holder.
    fn know_holder(&mut self, program: &Program, state: &State, seen: &SeenComponent) {
        let zone = seen.place_for(JUDGE).map(|(zone, _)| i32::from(zone));
        if let Some(holder) = zone.and_then(|zone| holder_of(program, zone)) {
            self.know(program, state, holder);
        }
    }

    fn is_among(&self, viewers: u16) -> bool {
        self.viewer.is_among(viewers)
    }
}

fn is_same(one: &SeenValue, other: &SeenValue) -> bool {
    match (one, other) {
        (SeenValue::Component(one), SeenValue::Component(other)) => {
            one.component_for(JUDGE) == other.component_for(JUDGE)
        }
        _ => one == other,
    }
}

fn after(times: &[Option<usize>], component: i32) -> Option<usize> {
    *times.at(component)?
}

fn note(times: &mut [Option<usize>], component: i32, time: usize) {
    if let Some(place) = times.at_mut(component) {
        *place = Some(time);
    }
}

/// Replaces names by numbers; backs count from 1.
fn looks_of_all(program: &Program) -> Vec<(u16, usize)> {
    let mut known: Vec<Looks> = Vec::new();
    let components = 0..program.components.len() as i32;
    let numbered = components.map(|component| {
        let Some(looks) = lasting_looks(program, component) else {
            return (u16::MAX, component as usize + 1);
        };
        let family = looks.0;
        let number = known.iter().position(|other| *other == looks);
        let number = number.unwrap_or_else(|| {
            known.push(looks);
            known.len() - 1
        });
        (family, number + 1)
    });
    numbered.collect()
}
