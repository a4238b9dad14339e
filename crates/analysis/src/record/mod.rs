//! Records: the minimal data for replaying a game, as a file.
//!
//! ```json
//! {"format": 1, "game": "demo", "ruleset": "…", "seats": 2, "options": {"blocks": 0}, "seed": "…64 hex digits…",
//!  "log": [{"seat": 1, "decision": 0, "option": "move", "args": {"e": "fire"}}], "outcome": {"winners": [1], …}}
//! ```
//!
//! Everything else (states, events, dice, deals) follows by replay; see `crate::replay`. Random results are recorded
//! too, so that they can be verified with the seed alone. `docs/record-format.md` describes the format for other
//! programs.

mod chance;
mod fairness;

pub use chance::{DrawRecorder, Drawn, Operation, Rolled};
pub use fairness::{Entropy, Fairness, Unfair, commitment_of, mixture};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use wyrmgate_base::hex;
use wyrmgate_engine::{Choice, EndReason, GameOutcome, Pending, State, Viewer, answered, pending};
use wyrmgate_program::Program;
use wyrmgate_view::{Rejection, choice_from_json};

/// Records are written with full knowledge of the game.
#[expect(
    clippy::disallowed_methods,
    reason = "a record contains the whole game, which must be over or practice"
)]
pub(crate) const RECORDER: Viewer = Viewer::omniscient();

/// The format number that this version writes and reads.
pub const FORMAT: u32 = 1;

/// A game from its first choice to its current position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The format number; see [`FORMAT`].
    pub format: u32,
    pub game: String,
    /// The digest of its ruleset.
    pub ruleset: String,
    pub seats: u8,
    /// Every declared option in order, with its value: a number, a Boolean or a name.
    #[serde(default)]
    pub options: Map<String, Value>,
    /// 64 hexadecimal digits. Absent while it is secret; the record cannot be replayed then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// The origin of the seed. Absent if there was no commitment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    /// Every choice, in order.
    pub log: Vec<Entry>,
    /// Every random operation, in order, for verification without playing. It follows from the rest and may be omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<Vec<Operation>>,
    /// Absent while the game is in progress.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Whether choices were undone although someone had learned something from them, or may have.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub past_information: bool,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The seat that chose, from 1.
    pub seat: u8,
    /// Index (from 0) among the decisions of all seats that were owed at that moment, in the engine's order.
    #[serde(default)]
    pub decision: usize,
    /// The option, if the decision has options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// The chosen values, with the names that the deciding seat sees (a hidden component by its place).
    #[serde(default)]
    pub args: Map<String, Value>,
    /// Whether the seat left the game instead of choosing, and the rules say what follows.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub resigns: bool,
    /// Why it left the game. Earlier versions did not note it.
    #[serde(default, skip_serializing_if = "EndReason::is_by_rules")]
    pub reason: EndReason,
}

impl Entry {
    /// Returns the decision that the choice answers, and the choice. The problem is `None` if the seat does not owe it.
    pub fn read(
        &self,
        program: &Program,
        state: &State,
    ) -> Result<(Pending, Choice), Option<Rejection>> {
        let seat = self.seat.checked_sub(1).ok_or(None)?;
        if self.resigns {
            if !self.reason.is_of_one_seat() {
                return Err(None);
            }
            let (index, choice) = (seat.into(), Choice::resigning(self.reason));
            let pending = answered(state, index, &choice).ok_or(None)?;
            return Ok((pending, choice));
        }
        let owed = pending(program, state).get(self.decision).copied();
        let owed = owed.filter(|owed| owed.seat == seat).ok_or(None)?;
        let choice = choice_from_json(program, state, &owed, &self.choice_json())?;
        Ok((owed, choice))
    }

    /// Returns the entry of a seat, from 1, that leaves the game.
    pub fn resigning(seat: u8, reason: EndReason) -> Entry {
        Entry {
            seat,
            decision: 0,
            option: None,
            args: Map::new(),
            resigns: true,
            reason,
        }
    }
}

/// The outcome. Seats are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    pub winners: Vec<u8>,
    pub drawn: bool,
    /// The ranking, best seat first.
    pub ranking: Vec<Rank>,
    #[serde(default)]
    pub reason: EndReason,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rank {
    pub seat: u8,
    /// The place, from 1. Tied seats share a place.
    pub place: u8,
    /// The compared values, in order. Empty if the game is won without a ranking.
    pub keys: Vec<i32>,
}

/// Why a text is not a usable record.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("not a record: {0}")]
    Malformed(#[from] serde_json::Error),
    #[error("the record has format {0}; this version reads format {FORMAT}")]
    Format(u32),
    #[error("the record has no seed, which is secret until the game is over")]
    NoSeed,
    #[error("the seed of the record must have 64 hexadecimal digits")]
    Seed,
    #[error(transparent)]
    Unfair(#[from] Unfair),
}

impl From<&GameOutcome> for Outcome {
    fn from(outcome: &GameOutcome) -> Outcome {
        let rank = |ranked: &wyrmgate_engine::Ranked| Rank {
            seat: ranked.seat + 1,
            place: ranked.place,
            keys: ranked.keys.clone(),
        };
        Outcome {
            winners: outcome.winners.iter().map(|seat| seat + 1).collect(),
            drawn: outcome.drawn,
            ranking: outcome.ranking.iter().map(rank).collect(),
            reason: outcome.reason,
        }
    }
}

impl Record {
    /// Ends the game after the last choice, if it may have ended outside of its rules as this record says. Returns the outcome.
    pub fn ended(&self, state: &mut State) -> Option<Outcome> {
        let said = self.outcome.as_ref().filter(|_| state.outcome().is_none());
        if let Some(said) = said.filter(|said| self.may_end_as(said)) {
            let winners: Vec<u8> = said.winners.iter().map(|seat| seat - 1).collect();
            let seats = self.seats.into();
            let outcome = GameOutcome::outside_of_rules(seats, &winners, said.reason);
            state.finish(Box::new(outcome));
        }
        state.outcome().map(Outcome::from)
    }

    /// Returns whether a game may end like this outside of its rules.
    fn may_end_as(&self, outcome: &Outcome) -> bool {
        let winners = &outcome.winners;
        let are_seats = winners.iter().all(|seat| (1..=self.seats).contains(seat));
        are_seats
            && match outcome.reason {
                EndReason::Rules => false,
                EndReason::Resigned | EndReason::Time | EndReason::Claimed => {
                    !winners.is_empty() && winners.len() < self.seats.into()
                }
                EndReason::Agreed | EndReason::Abandoned => winners.is_empty(),
                EndReason::Aborted => {
                    winners.is_empty() && !has_moved_twice(self.log.iter().map(|made| made.seat))
                }
            }
    }
}

/// Returns whether a seat has made two choices. Until then, a game can be called off.
pub fn has_moved_twice(seats: impl Iterator<Item = u8>) -> bool {
    let mut moved = Vec::new();
    for seat in seats {
        if moved.contains(&seat) {
            return true;
        }
        moved.push(seat);
    }
    false
}

impl Record {
    /// Parses a record. Refuses other formats before it reads anything else.
    pub fn from_json(text: &str) -> Result<Record, RecordError> {
        let value: Value = serde_json::from_str(text)?;
        match value.get("format").and_then(Value::as_u64) {
            Some(format) if format != u64::from(FORMAT) => Err(RecordError::Format(format as u32)),
            _ => Ok(serde_json::from_value(value)?),
        }
    }

    pub fn seed_bytes(&self) -> Result<[u8; 32], RecordError> {
        let text = self.seed.as_deref().ok_or(RecordError::NoSeed)?;
        seed_from_hex(text).ok_or(RecordError::Seed)
    }

    /// Returns the seed, after checking it against the commitment if there is one.
    pub fn fair_seed(&self) -> Result<[u8; 32], RecordError> {
        let seed = self.seed_bytes()?;
        if let Some(fairness) = &self.fairness {
            fairness.check(&seed)?;
        }
        Ok(seed)
    }
}

impl Entry {
    /// Creates a log entry from the choice `{"option": …, "args": {…}}` of a seat. `None` if the choice has another
    /// form.
    pub fn new(seat: u8, decision: usize, choice: Value) -> Option<Entry> {
        let Value::Object(mut members) = choice else {
            return None;
        };
        let args = match members.remove("args") {
            Some(Value::Object(args)) => args,
            None => Map::new(),
            Some(_) => return None,
        };
        let option = members.get("option").and_then(Value::as_str);
        Some(Entry {
            seat,
            decision,
            resigns: false,
            reason: EndReason::Rules,
            option: option.filter(|name| !name.is_empty()).map(str::to_owned),
            args,
        })
    }

    /// Returns the choice in the form that the engine reads: `{"option": …, "args": {…}}`.
    pub fn choice_json(&self) -> Value {
        choice_json(self.option.as_deref(), &self.args)
    }
}

/// Returns a choice in the form that the engine reads: `{"option": …, "args": {…}}`.
pub fn choice_json(option: Option<&str>, args: &Map<String, Value>) -> Value {
    let mut choice = Map::new();
    if let Some(option) = option {
        choice.insert("option".into(), option.into());
    }
    choice.insert("args".into(), args.clone().into());
    choice.into()
}

/// Returns `None` unless the text has exactly 64 hexadecimal digits, in upper or lower case.
pub fn seed_from_hex(text: &str) -> Option<[u8; 32]> {
    hex::decode(&text.to_ascii_lowercase())
}

/// Returns the seed for a short number (`--seed 7`, `seed: 7` in a scenario): its hash, so that similar numbers give
/// different games.
pub fn seed_from_number(number: u64) -> [u8; 32] {
    *blake3::hash(&number.to_le_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_survives_its_hexadecimal_form() {
        let seed = seed_from_number(7);
        let text = hex::encode(&seed);
        assert_eq!(seed_from_hex(&text), Some(seed));
        assert_eq!(seed_from_hex(&text.to_uppercase()), Some(seed));
        assert_eq!(seed_from_hex("abc"), None);
        assert_eq!(seed_from_hex(&"g".repeat(64)), None);
    }

    #[test]
    fn another_format_is_refused_by_its_number() {
        let error = Record::from_json(r#"{"format": 2, "shape": "unknown"}"#).unwrap_err();
        assert!(matches!(error, RecordError::Format(2)));
    }

    #[test]
    fn unknown_members_are_refused() {
        assert!(Record::from_json(r#"{"format": 1, "moves": []}"#).is_err());
    }
}
