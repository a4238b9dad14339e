//! Log entries of a session: a public change, complete and unredacted.

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use super::token::Kind;
use wyrmgate_engine::{Arg, Choice, Event};
use wyrmgate_search::bot::Bot;
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
        kind: Kind,
    },
    /// A fork was created before the end, so the session is practice from now on.
    Forked,
}

/// The format number at the beginning of every entry.
const FORMAT: u8 = 1;
/// Initial capacity: the size of most entries.
const ROOM: usize = 256;

impl LogEntry {
    pub fn encode(&self) -> Result<Bytes, StoreError> {
        encode(FORMAT, self)
    }

    pub fn decode(bytes: &[u8]) -> Result<LogEntry, StoreError> {
        decode(FORMAT, bytes)
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

    pub fn choice(&self) -> Choice {
        Choice {
            option: self.option,
            args: self.args.iter().map(Arg::from).collect(),
        }
    }
}

impl From<&Arg> for LoggedArg {
    fn from(arg: &Arg) -> Self {
        match arg {
            Arg::One(value) => LoggedArg::One(*value),
            Arg::Many(values) => LoggedArg::Many(values.to_vec()),
        }
    }
}

impl From<&LoggedArg> for Arg {
    fn from(arg: &LoggedArg) -> Self {
        match arg {
            LoggedArg::One(value) => Arg::One(*value),
            LoggedArg::Many(values) => Arg::Many(SmallVec::from_slice(values)),
        }
    }
}

/// Encodes a value with postcard, after its format number.
pub(super) fn encode<T: Serialize>(format: u8, value: &T) -> Result<Bytes, StoreError> {
    encode_onto(Vec::with_capacity(ROOM), format, value)
}

/// Like [`encode`], appending to existing bytes.
pub(super) fn encode_onto<T: Serialize>(
    mut bytes: Vec<u8>,
    format: u8,
    value: &T,
) -> Result<Bytes, StoreError> {
    bytes.push(format);
    let bytes = postcard::to_extend(value, bytes);
    let bytes = bytes.map_err(|error| StoreError::Corrupt(format!("cannot encode: {error}")))?;
    Ok(bytes.into())
}

pub(super) fn decode<T: for<'a> Deserialize<'a>>(
    format: u8,
    bytes: &[u8],
) -> Result<T, StoreError> {
    match bytes.split_first() {
        Some((found, rest)) if *found == format => postcard::from_bytes(rest)
            .map_err(|error| StoreError::Corrupt(format!("cannot decode: {error}"))),
        found => Err(StoreError::Corrupt(format!(
            "unsupported format {:?}; this version reads {format}",
            found.map(|(found, _)| found)
        ))),
    }
}
