//! A played game as a file: what has to be known to play it again, and nothing else.
//!
//! ```json
//! {"format": 1, "game": "demo", "ruleset": "…", "seats": 2, "options": {"blocks": 0}, "seed": "…64 hex digits…",
//!  "log": [{"seat": 1, "decision": 0, "option": "move", "args": {"e": "fire"}}], "outcome": {"winners": [1], …}}
//! ```
//!
//! Everything else (states, events, dice, deals) follows from these by replay, see `crate::replay`. Results of chance are
//! written down all the same, so that they can be checked by the seed alone. The format is described for other programs in
//! `docs/record-format.md`.

mod chance;
mod fairness;

pub use chance::{Drawn, Noting, Operation, Rolled};
pub use fairness::{Entropy, Fairness, Unfair, commitment_of, mixture};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use wyrmgate_engine::Viewer;

/// Whoever keeps the record of a game.
#[expect(
    clippy::disallowed_methods,
    reason = "a record contains the whole game, and only of a game that is over or practice"
)]
pub(crate) const RECORDER: Viewer = Viewer::omniscient();

/// The number this version writes, and the only one it reads.
pub const FORMAT: u32 = 1;

/// One game, from its first choice to where it stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// See [`FORMAT`].
    pub format: u32,
    pub game: String,
    /// The digest of the ruleset it was played by.
    pub ruleset: String,
    pub seats: u8,
    /// Every declared option in order, with its value: a number, true or false, or a name.
    #[serde(default)]
    pub options: Map<String, Value>,
    /// 64 hexadecimal digits; absent while it is secret, and then the record cannot be replayed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<String>,
    /// Where the seed comes from; absent where nobody has promised one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fairness: Option<Fairness>,
    /// Every choice, in the order made.
    pub log: Vec<Entry>,
    /// Every random operation, in the order it happened: for those who check it without playing. It follows from the
    /// rest, so it may be left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<Vec<Operation>>,
    /// Absent while the game goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Who chose, from 1.
    pub seat: u8,
    /// Which of the decisions owed at that moment, from 0: all seats' decisions, in the engine's order.
    #[serde(default)]
    pub decision: usize,
    /// The option, where the decision lists options.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub option: Option<String>,
    /// The names bound by the choice, as the deciding seat names them (a hidden component by its place).
    #[serde(default)]
    pub args: Map<String, Value>,
}

/// How it ended. Seats are numbered from 1.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outcome {
    pub winners: Vec<u8>,
    pub drawn: bool,
    /// Best first.
    pub ranking: Vec<Rank>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rank {
    pub seat: u8,
    /// From 1; equal seats share a place.
    pub place: u8,
    /// What was compared, in order; empty in a game that is won without comparing.
    pub keys: Vec<i32>,
}

/// Why a text is not a record that can be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("this is not a record: {0}")]
    Malformed(#[from] serde_json::Error),
    #[error("the record has format {0}, but this version reads format {FORMAT}")]
    Format(u32),
    #[error("the record has no seed: it is secret until the game is over")]
    NoSeed,
    #[error("the record's seed is not 64 hexadecimal digits")]
    Seed,
    #[error(transparent)]
    Unfair(#[from] Unfair),
}

impl From<&wyrmgate_engine::Outcome> for Outcome {
    fn from(outcome: &wyrmgate_engine::Outcome) -> Outcome {
        let rank = |ranked: &wyrmgate_engine::Ranked| Rank {
            seat: ranked.seat + 1,
            place: ranked.place,
            keys: ranked.keys.clone(),
        };
        Outcome {
            winners: outcome.winners.iter().map(|seat| seat + 1).collect(),
            drawn: outcome.drawn,
            ranking: outcome.ranking.iter().map(rank).collect(),
        }
    }
}

impl Record {
    /// Reads a record; other formats are refused by their number before anything else is looked at.
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

    /// The seed, if it is the one that was promised, should one have been.
    pub fn fair_seed(&self) -> Result<[u8; 32], RecordError> {
        let seed = self.seed_bytes()?;
        if let Some(fairness) = &self.fairness {
            fairness.check(&seed)?;
        }
        Ok(seed)
    }
}

impl Entry {
    /// The choice `{"option": …, "args": {…}}` of a seat as a line of the log; `None` if it is not of that form.
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
            option: option.filter(|name| !name.is_empty()).map(str::to_owned),
            args,
        })
    }

    /// The choice as the engine reads it: `{"option": …, "args": {…}}`.
    pub fn choice_json(&self) -> Value {
        let mut choice = Map::new();
        if let Some(option) = &self.option {
            choice.insert("option".into(), option.clone().into());
        }
        choice.insert("args".into(), self.args.clone().into());
        choice.into()
    }
}

/// The seed as it stands in a record.
pub fn seed_to_hex(seed: &[u8; 32]) -> String {
    seed.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// `None` unless the text is exactly 64 hexadecimal digits.
pub fn seed_from_hex(text: &str) -> Option<[u8; 32]> {
    let digits: Vec<u8> = text
        .chars()
        .map(|c| c.to_digit(16).map(|d| d as u8))
        .collect::<Option<_>>()?;
    let bytes: Vec<u8> = digits
        .chunks(2)
        .map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit))
        .collect();
    if digits.len() == 64 {
        bytes.try_into().ok()
    } else {
        None
    }
}

/// The seed that a short number stands for (`--seed 7`, `seed: 7` in a scenario): its hash, so that near numbers give
/// unlike games.
pub fn seed_from_number(number: u64) -> [u8; 32] {
    *blake3::hash(&number.to_le_bytes()).as_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_survives_its_hexadecimal_form() {
        let seed = seed_from_number(7);
        assert_eq!(seed_from_hex(&seed_to_hex(&seed)), Some(seed));
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
