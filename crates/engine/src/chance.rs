//! Sources of chance: the seeded stream, or a tool that forces results.

use crate::rng::Rng;
use wyrmgate_program::{ComponentId, SiteId, Type, ZoneId};

/// What is drawn, for those who want to force it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw<'a> {
    /// The side of a die: number i shows `faces[i]`.
    Die {
        die: ComponentId,
        faces: &'a [i32],
        of: Type,
    },
    /// One of these values, of which a choice at random consists.
    Value {
        site: SiteId,
        values: &'a [i32],
        of: Type,
    },
    /// The number of a whole choice in the order of enumeration.
    Choice { site: SiteId },
    /// One step of a shuffle.
    Shuffle { zone: ZoneId },
}

/// The source of random results.
pub trait Chance {
    /// A number in `0..n`; `n` is at least 1. Answers beyond are taken as the last one.
    fn draw(&mut self, rng: &mut Rng, n: u32, what: Draw<'_>) -> u32;

    /// Puts the components of a zone (first to last) into a random order: Fisher–Yates from the last place down.
    /// The order is used only if it holds the same components, unless [`Chance::is_honest`].
    fn shuffle(&mut self, rng: &mut Rng, zone: ZoneId, order: &mut [i32]) {
        for i in (1..order.len()).rev() {
            let j = self.draw(rng, i as u32 + 1, Draw::Shuffle { zone }) as usize;
            order.swap(i, j.min(i));
        }
    }

    /// What is written into a word of a variable or a field, in play that somebody listens to. A tool can note it, or see what
    /// would follow from something else; whoever plays answers the value.
    fn written(&mut self, _word: u32, value: i32) -> i32 {
        value
    }

    /// What it shuffles is the same components for certain.
    fn is_honest(&self) -> bool {
        false
    }
}

/// The stream of the session's seed: what is used in play.
#[derive(Debug, Clone, Copy, Default)]
pub struct Seeded;

impl Chance for Seeded {
    fn draw(&mut self, rng: &mut Rng, n: u32, _: Draw<'_>) -> u32 {
        rng.below(n)
    }

    fn is_honest(&self) -> bool {
        true
    }
}
