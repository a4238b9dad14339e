//! Sources of chance: the seeded stream, or a tool that forces results.

use crate::choice::Choice;
use crate::limit::FUEL_PER_MOVE;
use crate::rng::Rng;
use crate::state::State;
use wyrmgate_program::{ComponentId, SiteId, Type, ZoneId};

/// Describes a draw, for sources that force results.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Draw<'a> {
    /// The face of a die: number i shows `faces[i]`.
    Die {
        die: ComponentId,
        faces: &'a [i32],
        of: Type,
    },
    /// One of these values, of which a random choice consists.
    Value {
        site: SiteId,
        values: &'a [i32],
        of: Type,
    },
    /// The number of a whole choice in enumeration order.
    Choice { site: SiteId },
    /// One step of a shuffle.
    Shuffle { zone: ZoneId },
}

/// Operations on components that do not move them to a zone of the rules' choice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Handling {
    /// Two components change places. Fewer than two exchange nothing.
    Swap,
    FaceUp,
    FaceDown,
}

/// A moment within a move, from which the game can continue in a copy of its state: before an operation that draws.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    pub(crate) pc: usize,
    pub(crate) base: usize,
    /// The remaining work, and the events so far.
    pub(crate) fuel: u32,
    pub(crate) events: u32,
}

impl Moment {
    /// Returns how much of the work of a move has been done.
    pub fn work(self) -> u32 {
        FUEL_PER_MOVE.saturating_sub(self.fuel)
    }
}

/// The source of random results.
pub trait Chance {
    /// Is called before each operation that draws while an observer wants events. Tools that try other results keep the state.
    fn before(&mut self, _: &State, _: Moment) {}

    /// Returns a number in `0..n`; `n` is at least 1. Larger results count as the last one.
    fn draw(&mut self, rng: &mut Rng, n: u32, what: Draw<'_>) -> u32;

    /// Shuffles the components of a zone (first to last): Fisher–Yates from the last place down. The order is used only
    /// if it contains the same components, unless [`Chance::is_honest`].
    fn shuffle(&mut self, rng: &mut Rng, zone: ZoneId, order: &mut [i32]) {
        for i in (1..order.len()).rev() {
            let j = self.draw(rng, i as u32 + 1, Draw::Shuffle { zone }) as usize;
            order.swap(i, j.min(i));
        }
    }

    /// Returns whether a tool forces the next whole choice. Then [`Chance::forced`] receives all choices.
    fn forces_choice(&self) -> bool {
        false
    }

    /// Returns the position of the choice that a tool forces; `None` draws its number.
    fn forced(&mut self, _site: SiteId, _choices: &[Choice]) -> Option<usize> {
        None
    }

    /// Returns the value to write. Is called when a word of a variable or a field is written while an observer wants
    /// events. Tools note the value, or replace it to see what would follow; play returns it unchanged.
    fn written(&mut self, _: &State, _word: u32, value: i32) -> i32 {
        value
    }

    /// Returns the zone to move a component to. Is called when it is moved while an observer wants events. Tools note the
    /// zone, or replace it; play returns it unchanged.
    fn moved(&mut self, _: &State, _component: i32, zone: i32) -> i32 {
        zone
    }

    /// Returns other components to handle, or `None` for the same ones. Is called when components are exchanged or turned
    /// over while an observer wants events.
    fn handled(&mut self, _: &State, _how: Handling, _components: &[i32]) -> Option<Vec<i32>> {
        None
    }

    /// Returns whether a shuffle is guaranteed to contain the same components.
    fn is_honest(&self) -> bool {
        false
    }
}

/// The stream of the session's seed, which is used in play.
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
