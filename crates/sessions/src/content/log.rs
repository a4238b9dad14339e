//! Log entries of a session: a public change, complete and unredacted.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::access::token::TokenRights;
use crate::content::encoding::{ROOM, append, damaged, decode_first, encode_onto};
use crate::content::stage::Stage;
use wyrmgate_engine::{BoundValue, Choice, Event, LabelValue};
use wyrmgate_search::bot::Bot;
use wyrmgate_search::imagine::Made;
use wyrmgate_store::{Bytes, StoreError};

/// A change from one version to the next. A secret answer stays in the snapshot and is logged with the change that
/// reveals it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct LogEntry {
    pub at_ms: u64,
    /// The choices, in order.
    pub moves: Vec<LoggedMove>,
    pub happenings: Vec<Happening>,
    /// Whether the game is over after this change.
    pub finished: bool,
    /// The state after this change. `None` in entries of servers that did not note it. It is encoded behind the rest, and
    /// the labels of the choices behind it. Servers that do not know them ignore them.
    #[serde(skip)]
    pub after: Option<After>,
    /// The choices that happened in the notation of the game, empty where it has none; behind the labels, and ignored by
    /// servers that do not know them. There can be fewer than choices.
    #[serde(skip)]
    pub notes: Vec<String>,
    /// What the seats have left for the whole game after this change, seat 1 first, if that is limited; behind the notes.
    #[serde(skip)]
    pub times: Vec<SeatTime>,
}

/// The time that a seat has left for the whole game, without what a running decision takes.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SeatTime {
    pub left_ms: u64,
    /// The periods of byo-yomi that are left after it.
    pub periods_left: Option<u64>,
}

/// Status, owing seats and deadlines after a change.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct After {
    pub stage: Stage,
    /// The seats that owe a decision, as far as everyone may know.
    owed: Vec<Owed>,
}

/// A seat that owes a decision.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Owed {
    pub seat: u8,
    /// When the seat runs out of time, in Unix milliseconds.
    pub deadline_ms: Option<u64>,
    /// Whether the seat has answered in secret, which only the seat itself may know.
    pub answered: bool,
}

impl After {
    pub fn new(stage: Stage, owed: Vec<Owed>) -> After {
        After { stage, owed }
    }

    /// Returns whether a seat has answered in secret. Only the seat itself may know.
    pub fn has_answered(&self, seat: u8) -> bool {
        let mut owed = self.owed.iter();
        owed.any(|owed| owed.seat == seat && owed.answered)
    }

    /// Returns the seats that owe a decision as far as a viewer may know.
    pub fn owed_for(&self, viewer: Option<u8>) -> impl Iterator<Item = Owed> {
        let has_answered = move |owed: &&Owed| owed.answered && Some(owed.seat) == viewer;
        let owed = self.owed.iter().filter(move |owed| !has_answered(owed));
        owed.copied()
    }
}

/// A choice, with the engine's indexes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LoggedMove {
    /// The seat, from 1.
    pub seat: u8,
    pub by_bot: bool,
    /// Index (from 0) among the decisions that were owed at that moment.
    pub decision: u32,
    pub option: u16,
    args: Vec<LoggedArg>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum LoggedArg {
    One(i32),
    Many(Vec<i32>),
}

/// An event of the game or of the session.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Happening {
    SessionCreated,
    SeatTaken {
        seat: u8,
        name: Option<String>,
        bot: Option<Bot>,
    },
    SeatLeft {
        seat: u8,
    },
    Game(Event),
    SeatRenewed {
        seat: u8,
    },
    UndoWished {
        seat: u8,
        to: u64,
    },
    UndoRefused {
        seat: u8,
    },
    Undone {
        seat: u8,
        to: u64,
    },
    /// The game was in progress when the session was created: a fork or a record.
    Resumed,
    /// The seat ran out of time.
    TimedOut {
        seat: u8,
    },
    /// A token of the session was renewed.
    TokenRenewed {
        kind: TokenRights,
    },
    /// A fork was created before the end, so the session is practice from now on.
    Forked,
    /// A seat, or the owner, said something that is not a move.
    Declared {
        seat: Option<u8>,
        what: Declaration,
    },
    /// The owner went back to a version.
    RolledBack {
        to: u64,
    },
}

impl Happening {
    /// Returns the version to which the game goes back.
    pub fn leads_back_to(&self) -> Option<u64> {
        let (Happening::Undone { to, .. } | Happening::RolledBack { to }) = self else {
            return None;
        };
        Some(*to)
    }
}

wyrmgate_base::named_enum! {
    /// What somebody says about the seats, or about how the game ends or pauses, by the type of its event.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    pub enum Declaration {
        Resigned = "resigned",
        DrawOffered = "draw-offered",
        DrawAccepted = "draw-accepted",
        DrawDeclined = "draw-declined",
        DrawWithdrawn = "draw-withdrawn",
        Aborted = "aborted",
        Claimed = "claimed",
        PauseWanted = "pause-wanted",
        PauseDeclined = "pause-declined",
        Paused = "paused",
        Unpaused = "unpaused",
        Reserved = "seat-reserved",
        Forgotten = "player-forgotten",
        Voted = "absence-voted",
        Rated = "rated",
        Matched = "matched",
        Declined = "declined",
        Withdrawn = "withdrawn",
        Expired = "expired",
    }
}

/// The format number at the beginning of every entry.
const FORMAT: u8 = 1;

impl LogEntry {
    pub fn encode(&self) -> Result<Bytes, StoreError> {
        let mut bytes = encode_onto(Vec::with_capacity(ROOM), FORMAT, self)?;
        let Some(after) = &self.after else {
            return Ok(bytes.into());
        };
        bytes = append(bytes, after)?;
        let labels = || self.happenings.iter().filter_map(label);
        let has_notes = !self.notes.is_empty() || !self.times.is_empty();
        if labels().any(|label| !label.is_empty()) || has_notes {
            bytes = append(bytes, &labels().collect::<Vec<_>>())?;
        }
        if has_notes {
            bytes = append(bytes, &self.notes)?;
        }
        if !self.times.is_empty() {
            bytes = append(bytes, &self.times)?;
        }
        Ok(bytes.into())
    }

    /// Notes how the last choice that happened is written.
    pub fn note(&mut self, text: String) {
        let last = self.happenings.iter().filter_map(label).count();
        self.notes.resize(last.saturating_sub(1), String::new());
        self.notes.push(text);
    }

    pub fn decode(bytes: &[u8]) -> Result<LogEntry, StoreError> {
        let (mut entry, rest) = decode_first::<LogEntry>(FORMAT, bytes)?;
        if rest.is_empty() {
            return Ok(entry);
        }
        let (after, rest) = postcard::take_from_bytes(rest).map_err(damaged)?;
        entry.after = Some(after);
        if !rest.is_empty() {
            let (labels, rest) =
                postcard::take_from_bytes::<Vec<Vec<LabelValue>>>(rest).map_err(damaged)?;
            if !rest.is_empty() {
                let (notes, rest) = postcard::take_from_bytes(rest).map_err(damaged)?;
                entry.notes = notes;
                if !rest.is_empty() {
                    entry.times = postcard::from_bytes(rest).map_err(damaged)?;
                }
            }
            let own = entry.happenings.iter_mut().filter_map(label_mut);
            own.zip(labels).for_each(|(own, label)| *own = label);
        }
        Ok(entry)
    }
}

/// Returns what fills the label of a choice.
fn label(happening: &Happening) -> Option<&Vec<LabelValue>> {
    match happening {
        Happening::Game(Event::Chose { label, .. }) => Some(label),
        _ => None,
    }
}

fn label_mut(happening: &mut Happening) -> Option<&mut Vec<LabelValue>> {
    match happening {
        Happening::Game(Event::Chose { label, .. }) => Some(label),
        _ => None,
    }
}

impl LoggedMove {
    pub fn new(seat: u8, by_bot: bool, decision: usize, choice: &Choice) -> LoggedMove {
        LoggedMove {
            seat,
            by_bot,
            decision: u32::try_from(decision).unwrap_or(u32::MAX),
            option: choice.option,
            args: choice.args.iter().map(LoggedArg::from).collect(),
        }
    }

    pub fn made(&self, secret: bool) -> Made {
        Made {
            seat: self.seat.saturating_sub(1),
            secret,
            choice: self.choice(),
        }
    }

    /// Returns whether the player of this seat has made it.
    pub fn is_of_player(&self, seat: u8) -> bool {
        self.seat == seat && !self.by_bot
    }

    /// Returns whether the decisions that were owed are asked again after it: a seat has resigned.
    pub fn asks_again(&self) -> bool {
        self.choice().is_resigning()
    }

    pub fn choice(&self) -> Choice {
        Choice {
            option: self.option,
            args: self.args.iter().map(BoundValue::from).collect(),
        }
    }
}

impl From<&BoundValue> for LoggedArg {
    fn from(arg: &BoundValue) -> Self {
        match arg {
            BoundValue::One(value) => LoggedArg::One(*value),
            BoundValue::Many(values) => LoggedArg::Many(values.to_vec()),
        }
    }
}

impl From<&LoggedArg> for BoundValue {
    fn from(arg: &LoggedArg) -> Self {
        match arg {
            LoggedArg::One(value) => BoundValue::One(*value),
            LoggedArg::Many(values) => BoundValue::Many(SmallVec::from_slice(values)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_without_what_holds_after_it_is_read_as_before() {
        let old = LogEntry {
            at_ms: 7,
            happenings: vec![Happening::SeatLeft { seat: 2 }],
            ..LogEntry::default()
        };
        let bytes = old.encode().unwrap();
        assert_eq!(LogEntry::decode(&bytes).unwrap(), old);
        let owed = |seat, answered| Owed {
            seat,
            deadline_ms: Some(9),
            answered,
        };
        let after = After::new(Stage::Running, vec![owed(1, true), owed(2, false)]);
        let new = LogEntry {
            after: Some(after.clone()),
            ..old
        };
        let longer = new.encode().unwrap();
        assert!(
            longer.starts_with(&bytes),
            "older servers read the beginning"
        );
        assert_eq!(LogEntry::decode(&longer).unwrap(), new);
        let labeled = LogEntry {
            happenings: vec![Happening::Game(Event::Chose {
                seat: 1,
                site: 0,
                option: 0,
                args: Vec::new(),
                secret: false,
                label: vec![LabelValue::to_everybody(7)],
            })],
            ..new.clone()
        };
        let mut noted = labeled.clone();
        noted.note("e4".to_owned());
        assert!(
            noted
                .encode()
                .unwrap()
                .starts_with(&labeled.encode().unwrap())
        );
        let mut timed = noted.clone();
        timed.times.push(SeatTime {
            left_ms: 7,
            periods_left: None,
        });
        let mut only_timed = labeled.clone();
        only_timed.times.clone_from(&timed.times);
        assert!(
            timed
                .encode()
                .unwrap()
                .starts_with(&noted.encode().unwrap())
        );
        for entry in [labeled, noted, timed, only_timed] {
            assert_eq!(LogEntry::decode(&entry.encode().unwrap()).unwrap(), entry);
        }
        let seats = |viewer| {
            after
                .owed_for(viewer)
                .map(|owed| owed.seat)
                .collect::<Vec<_>>()
        };
        assert_eq!(seats(None), [1, 2]);
        assert_eq!(seats(Some(1)), [2]);
        assert_eq!(seats(Some(2)), [1, 2]);
    }
}
