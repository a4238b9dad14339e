//! The same chance in two worlds.
//!
//! Results are drawn from streams of their own: one for each die, each pile and each choice at random. So a hidden draw more
//! in one world changes no other draw.

use std::collections::{HashMap, HashSet};

use crate::dice::Dice;
use crate::engine::{Chance, Draw, Rng};
use crate::program::{Type, ZoneId};

/// A stream, and how many draws were made from it before.
type Key = ((u8, u16), u32);

/// What chance did.
#[derive(Debug, Clone)]
enum Result {
    At(u32),
    Value(i32, Type),
    Order(Vec<i32>),
}

/// Chance in the first world, noted.
#[derive(Debug, Clone)]
pub(super) struct Course {
    seed: u64,
    counts: HashMap<(u8, u16), u32>,
    results: HashMap<Key, Result>,
}

impl Course {
    /// The same once more, from its beginning.
    pub fn again(&self) -> Course {
        Course {
            seed: self.seed,
            counts: HashMap::new(),
            results: HashMap::new(),
        }
    }

    pub fn new(dice: &mut Dice) -> Course {
        Course {
            seed: dice.below(u64::MAX),
            counts: HashMap::new(),
            results: HashMap::new(),
        }
    }
}

fn next(counts: &mut HashMap<(u8, u16), u32>, stream: (u8, u16)) -> Key {
    let count = counts.entry(stream).or_default();
    *count += 1;
    (stream, *count)
}

fn stream_of(what: Draw<'_>) -> (u8, u16) {
    match what {
        Draw::Die { die, .. } => (0, die),
        Draw::Value { site, .. } => (1, site),
        Draw::Choice { site } => (2, site),
        Draw::Shuffle { zone } => (3, zone),
    }
}

fn dice_of(seed: u64, ((what, which), count): Key) -> Dice {
    let name = u64::from(what) << 48 | u64::from(which) << 32 | u64::from(count);
    Dice::new(seed ^ name.wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

impl Chance for Course {
    fn draw(&mut self, _: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let key = next(&mut self.counts, stream_of(what));
        let at = dice_of(self.seed, key).below(u64::from(n)) as u32;
        let result = match what {
            Draw::Value { values, of, .. } => values
                .get(at as usize)
                .map_or(Result::At(at), |value| Result::Value(*value, of)),
            _ => Result::At(at),
        };
        self.results.insert(key, result);
        at
    }

    fn shuffle(&mut self, _: &mut Rng, zone: ZoneId, order: &mut [i32]) {
        let key = next(&mut self.counts, stream_of(Draw::Shuffle { zone }));
        dice_of(self.seed, key).mix(order);
        self.results.insert(key, Result::Order(order.to_vec()));
    }
}

/// Chance in the other world.
pub(super) struct Following<'a> {
    course: &'a Course,
    counts: HashMap<(u8, u16), u32>,
    /// By component: which one has its part here.
    names: &'a [i32],
    /// By component: the seat sees it at some time.
    known: &'a [bool],
    /// Draws whose results the seat does not come to see.
    open: &'a HashSet<(u16, u32)>,
    dice: Dice,
}

impl<'a> Following<'a> {
    pub fn new(
        course: &'a Course,
        names: &'a [i32],
        known: &'a [bool],
        open: &'a HashSet<(u16, u32)>,
        dice: Dice,
    ) -> Following<'a> {
        Following {
            open,
            course,
            counts: HashMap::new(),
            names,
            known,
            dice,
        }
    }

    fn name(&self, component: i32) -> i32 {
        let at = usize::try_from(component).ok();
        let name = at.and_then(|at| self.names.get(at));
        name.copied().unwrap_or(component)
    }

    fn is_known(&self, component: u16) -> bool {
        self.known.get(usize::from(component)) == Some(&true)
    }
}

impl Chance for Following<'_> {
    fn draw(&mut self, _: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let key = next(&mut self.counts, stream_of(what));
        if let Draw::Die { die, .. } = what
            && !self.is_known(die)
        {
            return self.dice.below(u64::from(n)) as u32;
        }
        if let Draw::Value { site, of, .. } = what
            && !matches!(of, Type::Component(_))
            && self.open.contains(&(site, key.1))
        {
            return self.dice.below(u64::from(n)) as u32;
        }
        let drawn = dice_of(self.course.seed, key).below(u64::from(n)) as u32;
        let (Draw::Value { values, .. }, Some(Result::Value(value, of))) =
            (what, self.course.results.get(&key))
        else {
            return match self.course.results.get(&key) {
                Some(Result::At(at)) if *at < n => *at,
                _ => drawn,
            };
        };
        let value = match of {
            Type::Component(_) => self.name(*value),
            _ => *value,
        };
        let at = values.iter().position(|other| *other == value);
        at.map_or(drawn, |at| at as u32)
    }

    fn shuffle(&mut self, _: &mut Rng, zone: ZoneId, order: &mut [i32]) {
        let key = next(&mut self.counts, stream_of(Draw::Shuffle { zone }));
        if let Some(Result::Order(there)) = self.course.results.get(&key) {
            let named: Vec<i32> = there.iter().map(|of| self.name(*of)).collect();
            let (mut one, mut other) = (named.clone(), order.to_vec());
            one.sort_unstable();
            other.sort_unstable();
            if one == other {
                order.copy_from_slice(&named);
                return;
            }
        }
        dice_of(self.course.seed, key).mix(order);
    }
}
