//! Knowledge: which components each seat can identify, from everything it sees, has seen, and was told.
//!
//! A viewer knows a component from the moment it may see it, or an event reveals it, until something happens that the
//! viewer cannot follow: the zone is shuffled, or something moves out of the zone without the viewer being told what.
//! The contents of a component go out of sight with it. If only one of the components that look alike from outside is
//! unknown, it is known after all.

use std::collections::BTreeMap;
use wyrmgate_engine::{
    AssignmentTarget, Event, SeenComponent, SeenValue, State, Viewer, Viewers, has_back, holder_of,
};

use crate::components::component_in;
use crate::name::whole;
use crate::substitution::looks_of;
use wyrmgate_engine::play::blank;
use wyrmgate_engine::see::{back_readers, viewers};
use wyrmgate_engine::viewer::{EVERYBODY, bit_of_seat};
use wyrmgate_program::{ByNumber, Program};

/// For every component, the viewers that know it, as far as one of some viewers can tell.
#[derive(Debug, Clone)]
pub struct Knowledge {
    known: Vec<Viewers>,
    /// What none of these was told with the others, and does not see them see, counts as unknown to all others.
    told: Viewers,
}

/// A step of a game.
#[derive(Clone, Copy)]
pub struct TakenStep<'a> {
    pub before: &'a State,
    pub after: &'a State,
    /// The events, in order.
    pub events: &'a [Event],
}

impl Knowledge {
    /// Returns the knowledge after the setup of a game, as far as one of these viewers can tell.
    pub fn of_start(
        program: &Program,
        start: &State,
        events: &[Event],
        told: Viewers,
    ) -> Knowledge {
        let known = vec![0; program.components.len()];
        let mut known = Knowledge { known, told };
        if let Ok(before) = blank(program, [0; 32]) {
            let taken = TakenStep {
                before: &before,
                after: start,
                events,
            };
            known.follow(program, taken);
        }
        known
    }

    /// Follows a step. Returns whether any viewer now knows a component that it did not know, or reads a back that it
    /// could not read. Indirect conclusions are not considered here.
    pub fn follow(&mut self, program: &Program, step: TakenStep<'_>) -> bool {
        let mut course = ComponentPositions::of(program, step);
        let mut learned = false;
        for event in step.events {
            learned |= self.hear(program, event, &mut course);
        }
        learned |= self.look(program, step);
        self.eliminate(program, step.after);
        learned
    }

    /// Returns whether this viewer may know which one it is. Nobody knows a component that does not exist.
    pub fn knows(&self, viewer: Viewer, component: i32) -> bool {
        viewer.is_among(self.of(component))
    }

    /// Returns the same knowledge of places where other components lie: by component, the one that is in its place.
    pub(crate) fn renamed(&self, names: &[i32]) -> Knowledge {
        let mut renamed = self.clone();
        for (known, name) in self.known.iter().zip(names) {
            if let Some(there) = renamed.known.at_mut(*name) {
                *there = *known;
            }
        }
        renamed
    }

    /// Returns whether it was new to any of them.
    fn see(&mut self, component: i32, by: Viewers) -> bool {
        let Some(known) = self.known.at_mut(component) else {
            return false;
        };
        let is_new = by & !*known != 0;
        *known |= by;
        is_new
    }

    /// The same of what these were told, which others do not notice.
    fn learn(&mut self, component: i32, by: Viewers) -> bool {
        if by & self.told != 0 {
            return self.see(component, by);
        }
        let known = self.known.at(component);
        known.is_some_and(|known| by & !known != 0)
    }

    fn learn_of(&mut self, seen: &SeenComponent, among: Viewers) -> bool {
        self.learn(i32::from(whole(seen).component), seen.sight().by & among)
    }

    fn hear(
        &mut self,
        program: &Program,
        event: &Event,
        course: &mut ComponentPositions<'_>,
    ) -> bool {
        let everybody = everybody(program);
        match event {
            Event::Moved { what, to, .. } => {
                let (component, by) = (i32::from(whole(what).component), what.sight().by);
                let learned = self.learn_of(what, everybody);
                self.lose_sight(i32::from(whole(what).zone), !by, course);
                if let (0, Some(known)) = (by & self.told, self.known.at_mut(component)) {
                    *known &= self.told;
                }
                course.moves(component, i32::from(*to));
                learned
            }
            Event::Shuffled { zone, .. } => {
                self.lose_sight(i32::from(*zone), EVERYBODY, course);
                false
            }
            Event::Shown { what, to } => what.iter().fold(false, |learned, seen| {
                self.learn(i32::from(whole(seen).component), *to & everybody) | learned
            }),
            Event::Turned { what, .. } => {
                course.is_hidden_now(i32::from(whole(what).component));
                self.learn_of(what, everybody)
            }
            Event::Given { to, value, seen_by } => {
                let value = self.learn_all(std::iter::once(value), *seen_by & everybody);
                match to {
                    AssignmentTarget::Field { what, .. } => self.learn_of(what, everybody) | value,
                    AssignmentTarget::Var { .. } => value,
                }
            }
            Event::ShuffledInside { holder, .. } => {
                if let Some(zone) = program.holds(i32::from(whole(holder).component)) {
                    self.lose_sight(i32::from(zone), EVERYBODY, course);
                }
                self.learn_of(holder, everybody)
            }
            Event::Chose {
                args, secret, seat, ..
            } => {
                let by = if *secret {
                    bit_of_seat(*seat)
                } else {
                    everybody
                };
                self.learn_all(args.iter().flatten(), by)
            }
            Event::Said { holes, to, .. } => {
                self.learn_all(holes.iter().flatten(), *to & everybody)
            }
            Event::GameBegan
            | Event::RoundBegan { .. }
            | Event::RoundEnded { .. }
            | Event::TurnBegan { .. }
            | Event::TurnEnded { .. }
            | Event::PhaseBegan { .. }
            | Event::PhaseEnded { .. }
            | Event::Scored { .. }
            | Event::Drawn { .. }
            | Event::Set { .. }
            | Event::FieldSet { .. }
            | Event::Finished(_)
            | Event::Rolled { .. } => false,
        }
    }

    fn learn_all<'e>(
        &mut self,
        values: impl Iterator<Item = &'e SeenValue>,
        among: Viewers,
    ) -> bool {
        let components = values.filter_map(component_in);
        components.fold(false, |learned, seen| self.learn_of(seen, among) | learned)
    }

    /// Forgets the contents of a zone that a component has left, or that was shuffled: these viewers no longer know them,
    /// except components that stay visible.
    fn lose_sight(&mut self, zone: i32, by: Viewers, course: &ComponentPositions<'_>) {
        for (component, known) in self.known.iter_mut().enumerate() {
            let component = component as i32;
            if course.lies_in(component, zone) {
                *known &= !(by & !course.in_sight(component));
            }
        }
    }

    /// Records everything visible after the step, and the backs that can be read now.
    fn look(&mut self, program: &Program, step: TakenStep<'_>) -> bool {
        let mut learned = false;
        for component in 0..self.known.len() as i32 {
            let unknown = everybody(program) & !self.of(component);
            let read = back_readers(program, step.after, component)
                & !back_readers(program, step.before, component);
            learned |= read & unknown != 0 && has_back(program, component);
            let by = viewers(program, step.after, component) & everybody(program);
            learned |= self.see(component, by);
        }
        learned
    }

    fn of(&self, component: i32) -> Viewers {
        self.known.at(component).copied().unwrap_or(0)
    }

    /// Finds components that can only be one.
    fn eliminate(&mut self, program: &Program, state: &State) {
        let mut alike: BTreeMap<_, Vec<i32>> = BTreeMap::new();
        for component in 0..self.known.len() as i32 {
            if let Some((family, _)) = looks_of(program, state, component) {
                alike.entry(family).or_default().push(component);
            }
        }
        for viewer in viewers_of(program) {
            for members in alike.values() {
                let unknown = members.iter().filter(|c| !self.knows(viewer, **c));
                let unknown: Vec<i32> = unknown.copied().collect();
                if let [only] = unknown.as_slice() {
                    self.see(*only, bit(viewer));
                }
            }
        }
    }
}

/// Returns the viewers with seats. The public knows nothing that a seat does not.
pub(crate) fn viewers_of(program: &Program) -> impl Iterator<Item = Viewer> {
    (0..program.seats as u8).map(Viewer::Seat)
}

pub(crate) fn bit(viewer: Viewer) -> Viewers {
    match viewer {
        Viewer::Seat(seat) => bit_of_seat(seat),
        Viewer::Public | Viewer::Omniscient(_) => 0,
    }
}

fn everybody(program: &Program) -> Viewers {
    viewers_of(program).fold(0, |all, viewer| all | bit(viewer))
}

/// The positions of all components during a step.
struct ComponentPositions<'a> {
    program: &'a Program,
    step: TakenStep<'a>,
    /// By component.
    zones: Vec<i32>,
    /// By component: whether it has neither moved nor turned so far.
    is_still: Vec<bool>,
}

impl<'a> ComponentPositions<'a> {
    fn of(program: &'a Program, step: TakenStep<'a>) -> ComponentPositions<'a> {
        let components = 0..program.components.len() as i32;
        let zones = components.map(|component| step.before.zone_of(component));
        ComponentPositions {
            program,
            step,
            zones: zones.collect(),
            is_still: vec![true; program.components.len()],
        }
    }

    fn moves(&mut self, component: i32, to: i32) {
        self.is_hidden_now(component);
        if let Some(zone) = self.zones.at_mut(component) {
            *zone = to;
        }
    }

    /// Notes that a component may have been out of sight for a moment.
    fn is_hidden_now(&mut self, component: i32) {
        if let Some(is_still) = self.is_still.at_mut(component) {
            *is_still = false;
        }
    }

    /// Returns whether it lies in the zone, however deep.
    fn lies_in(&self, component: i32, zone: i32) -> bool {
        let mut component = component;
        for _ in 0..=self.zones.len() {
            match self.zones.at(component) {
                Some(lies) if *lies == zone => return true,
                Some(lies) => match holder_of(self.program, *lies) {
                    Some(holder) => component = holder,
                    None => return false,
                },
                None => return false,
            }
        }
        false
    }

    /// Returns who sees it during the whole step.
    fn in_sight(&self, component: i32) -> Viewers {
        match self.is_still.at(component) {
            Some(true) => {
                viewers(self.program, self.step.before, component)
                    & viewers(self.program, self.step.after, component)
            }
            _ => 0,
        }
    }
}
