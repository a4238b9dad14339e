//! How far back a seat may go: the choices since then, and what the terms of the session say to them.

use serde::Serialize;
use utoipa::ToSchema;

use crate::Refusal;
use crate::content::budget::budget;
use crate::content::live::Live;
use crate::content::log::LoggedMove;
use crate::content::status::Seat;
use crate::content::terms::Undo;
use crate::history::past::{EffectiveChoices, LoggedEntry, damaged};
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_view::InformationGain;

/// The maximum number of undos that are listed.
pub const UNDOS_MAX: usize = 8;

/// An undo that can be requested now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct PossibleUndo {
    /// The version to go back to.
    #[schema(minimum = 1)]
    pub to: u64,
    pub needs: UndoNeeds,
}

/// Who must agree to an undo.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum UndoNeeds {
    Nobody,
    /// All other people at the table.
    Agreement,
}

impl UndoNeeds {
    /// Returns what an undo of a seat needs, as far as these seats have agreed.
    pub fn of(live: &Live, seat: u8, agreed: &[u8]) -> UndoNeeds {
        // Built-in players always agree.
        let is_person = |held: &Seat| matches!(held, Seat::Taken { .. });
        let waits = (1..)
            .zip(&live.status.seats)
            .filter(|(other, held)| is_person(held) && !live.has_resigned(*other))
            .any(|(other, _)| other != seat && !agreed.contains(&other));
        match live.facts.terms.undo {
            Undo::Agreed | Undo::AnythingAgreed if waits => UndoNeeds::Agreement,
            Undo::Never | Undo::Free | Undo::Agreed | Undo::AnythingAgreed => UndoNeeds::Nobody,
        }
    }
}

/// The game of a seat that wants to go back. Finding out how far replays it many times.
pub(crate) struct Retracing {
    pub live: Live,
    pub seed: [u8; 32],
    pub course: EffectiveChoices,
    pub seat: u8,
}

/// What was passed on the way back.
#[derive(Debug, Default)]
pub(crate) struct Retraced {
    /// The versions before own choices, last first.
    pub own: Vec<u64>,
    /// Whether someone has gained information since.
    pub informs: bool,
    /// Why the way ends before the version that was wanted.
    pub obstacle: Option<&'static str>,
}

impl Retracing {
    /// Goes back to a version, or past this many own choices.
    pub fn back(&self, to: u64, most: usize) -> Result<Retraced, Refusal> {
        let gain = self.followed()?;
        let mut passed = Retraced::default();
        let mut moves = self.course.moves.as_slice();
        let entries = self.course.entries.iter().rev();
        for entry in entries.take_while(|entry| entry.version > to) {
            let first = moves.partition_point(|(version, _)| *version < entry.version);
            let (before, made) = moves.split_at_checked(first).unwrap_or((moves, &[]));
            if made.is_empty() && !entry.begins {
                continue; // words, not deeds
            }
            if passed.own.len() >= most {
                break;
            }
            let numbers = first..moves.len();
            passed.obstacle = self.obstacle(entry, made);
            if passed.obstacle.is_none() && !passed.informs {
                passed.informs = self.is_informative(&gain, numbers);
                passed.obstacle = self.information_as_obstacle(passed.informs);
            }
            if passed.obstacle.is_some() {
                break;
            }
            if made.iter().any(|(_, made)| made.is_of_player(self.seat)) {
                passed.own.extend(entry.version.checked_sub(1));
            }
            moves = before;
        }
        Ok(passed)
    }

    /// Returns why these choices of one change cannot be undone, whatever was learned from them.
    fn obstacle(&self, entry: &LoggedEntry, made: &[(u64, LoggedMove)]) -> Option<&'static str> {
        let is_reply = |made: &LoggedMove| made.seat != self.seat && !made.by_bot;
        let has_replies = made.iter().any(|(_, made)| is_reply(made));
        if entry.begins {
            return Some("the game had not begun at that version; choose a later one");
        }
        if !entry.is_play {
            return Some(
                "a seat has resigned, run out of time or changed hands since that version; choose a later one",
            );
        }
        match self.live.facts.terms.undo {
            Undo::Never | Undo::Free if has_replies => {
                Some("another person has chosen since that version; choose a later one")
            }
            Undo::Never | Undo::Free | Undo::Agreed | Undo::AnythingAgreed => None,
        }
    }

    fn information_as_obstacle(&self, informs: bool) -> Option<&'static str> {
        let stops = informs && self.live.facts.terms.undo != Undo::AnythingAgreed;
        stops.then_some("someone has gained information since that version; choose a later one")
    }

    /// Returns whether one of these choices gave anyone information, as far as the seat knows. The last is judged first.
    fn is_informative(&self, gain: &InformationGain<'_>, choices: std::ops::Range<usize>) -> bool {
        let asker = self.seat.saturating_sub(1);
        let mut choices = choices.rev();
        choices.any(|number| gain.is_informative_for(number, asker))
    }

    /// Follows the game so far.
    fn followed(&self) -> Result<InformationGain<'_>, Refusal> {
        let program = &self.live.program;
        let gain = InformationGain::begin(program, self.seed);
        let gain = gain.map_err(|fault| budget(&self.live, fault))?;
        let mut gain = gain.pausing(checkpoint);
        for (version, made) in &self.course.moves {
            let damaged = || damaged(*version);
            let taken = gain.take(made.decision as usize, made.choice());
            taken.map_err(|_| damaged())?;
        }
        Ok(gain)
    }
}
