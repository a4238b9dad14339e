//! A game as it was followed so far, choice by choice.

use crate::knowledge::Knowledge;
use wyrmgate_engine::{Choice, Event, Pending, State};
use wyrmgate_program::Program;

pub(super) const ORDERS: u32 = 12;

/// The maximum number of ways, unnoticed by the seat that asks, that a choice can go and that are examined for what others
/// learn there.
pub(super) const COURSES: usize = 8;

/// A game so far, with everything that each viewer came to know.
#[derive(Clone)]
pub struct InformationGain<'p> {
    pub(super) program: &'p Program,
    /// `None` in a game that was not followed from its beginning: then the setup is as it is.
    pub(super) seed: Option<[u8; 32]>,
    /// The events of the setup.
    pub(super) started: Vec<Event>,
    pub(super) moments: Vec<MadeChoice>,
    pub(super) now: State,
    pub(super) known: Knowledge,
    /// Called repeatedly during the computation.
    pub(super) pause: fn(),
}

/// A choice that was made.
#[derive(Clone)]
pub(super) struct MadeChoice {
    pub(super) before: State,
    /// The knowledge of each viewer before it.
    pub(super) known: Knowledge,
    pub(super) pending: Pending,
    pub(super) choice: Choice,
    pub(super) events: Vec<Event>,
}

/// The choices from one to another, by their numbers.
#[derive(Clone, Copy)]
pub(super) struct ChoiceSpan {
    pub(super) first: usize,
    pub(super) last: usize,
}

impl ChoiceSpan {
    pub(super) fn of(first: usize, last: usize) -> ChoiceSpan {
        ChoiceSpan { first, last }
    }
}

/// The number of other orders for everything unknown, now and some moments ago. Effects of rare combinations show in few
/// of them.
pub(super) const ORDERS_NOW: u32 = 48;
