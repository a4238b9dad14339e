//! What is to be different in an imagined world, and the chance that makes it so.

use std::collections::{BTreeMap, BTreeSet};

use crate::engine::{Chance, Draw, Rng};
use crate::program::{ComponentId, ZoneId};

/// Differences from what has happened. The empty plan is the true game.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    /// Of a shuffle, by its number: component c takes the place that the other one had.
    pub shuffles: BTreeMap<usize, BTreeMap<i32, i32>>,
    /// Of a draw that is no shuffle, by its number: its result.
    pub draws: BTreeMap<usize, u32>,
    /// Choices that are made anew, by their number.
    pub choices: BTreeSet<usize>,
}

impl Plan {
    /// Both together, where they speak of different things.
    pub fn and(&self, other: &Plan) -> Plan {
        let mut both = self.clone();
        for (shuffle, places) in &other.shuffles {
            let known = both.shuffles.entry(*shuffle).or_default();
            known.extend(places);
        }
        both.draws.extend(&other.draws);
        both.choices.extend(&other.choices);
        both
    }

    pub fn is_empty(&self) -> bool {
        self.shuffles.is_empty() && self.draws.is_empty() && self.choices.is_empty()
    }
}

/// A shuffle that has happened, and the step in which it did.
#[derive(Debug, Clone)]
pub(super) struct Shuffled {
    pub step: usize,
    /// First to last, afterwards.
    pub order: Vec<i32>,
}

/// Another random result that has come.
#[derive(Debug, Clone, Copy)]
pub(super) struct Drawn {
    pub step: usize,
    /// It could have been `0..of`.
    pub of: u32,
    pub die: Option<ComponentId>,
}

/// Everything chance has brought.
#[derive(Debug, Clone, Default)]
pub(super) struct Brought {
    pub shuffles: Vec<Shuffled>,
    pub draws: Vec<Drawn>,
}

/// The seed's results, noted.
pub(super) struct Noting {
    pub step: usize,
    pub brought: Brought,
}

impl Chance for Noting {
    fn draw(&mut self, rng: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let die = match what {
            Draw::Die { die, .. } => Some(die),
            _ => None,
        };
        let step = self.step;
        self.brought.draws.push(Drawn { step, of: n, die });
        rng.below(n)
    }

    fn shuffle(&mut self, rng: &mut Rng, _: ZoneId, order: &mut [i32]) {
        fisher_yates(rng, order);
        self.brought.shuffles.push(Shuffled {
            step: self.step,
            order: order.to_vec(),
        });
    }
}

/// As the engine shuffles.
fn fisher_yates(rng: &mut Rng, order: &mut [i32]) {
    for i in (1..order.len()).rev() {
        let j = rng.below(i as u32 + 1) as usize;
        order.swap(i, j.min(i));
    }
}

/// The seed's results, but for what a plan says.
pub(super) struct Altered<'a> {
    plan: &'a Plan,
    brought: &'a Brought,
    shuffles: usize,
    draws: usize,
    /// Which component lies where a component of the true game lies.
    pub names: Vec<i32>,
}

impl<'a> Altered<'a> {
    pub fn new(plan: &'a Plan, brought: &'a Brought, components: usize) -> Altered<'a> {
        Altered {
            plan,
            brought,
            shuffles: 0,
            draws: 0,
            names: (0..components as i32).collect(),
        }
    }

    pub fn name(&self, component: i32) -> i32 {
        let at = usize::try_from(component).ok();
        let name = at.and_then(|at| self.names.get(at));
        name.copied().unwrap_or(component)
    }
}

impl Chance for Altered<'_> {
    fn draw(&mut self, rng: &mut Rng, n: u32, _: Draw<'_>) -> u32 {
        let number = self.draws;
        self.draws += 1;
        // Drawn in any case: the draws of one operation share a stream.
        let drawn = rng.below(n);
        self.plan.draws.get(&number).copied().unwrap_or(drawn)
    }

    fn shuffle(&mut self, rng: &mut Rng, _: ZoneId, order: &mut [i32]) {
        fisher_yates(rng, order);
        let number = self.shuffles;
        self.shuffles += 1;
        let places = self.plan.shuffles.get(&number);
        let truly = self.brought.shuffles.get(number);
        let (Some(places), Some(truly)) = (places, truly) else {
            return;
        };
        let before = self.names.clone();
        for (component, other) in places {
            let at = usize::try_from(*component).ok();
            let place = at.and_then(|at| self.names.get_mut(at));
            let name = usize::try_from(*other).ok().and_then(|at| before.get(at));
            if let (Some(place), Some(name)) = (place, name) {
                *place = *name;
            }
        }
        for (place, component) in order.iter_mut().zip(&truly.order) {
            *place = self.name(*component);
        }
    }
}
