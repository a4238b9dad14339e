//! Why the service did not do what it was asked.

use super::token::NoEntropy;
use wyrmgate_authoring::rules::{Clause, Place};
use wyrmgate_base::presume::Broken;
use wyrmgate_engine::Fault;
use wyrmgate_runtime::queue::Unfinished;
use wyrmgate_store::StoreError;

/// One reason. Everything in it may be told to the caller, except what is inside `Store`.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Refusal {
    #[error("a credential for this session is needed")]
    Unauthenticated,
    #[error("{0}")]
    Forbidden(&'static str),
    /// Absent, or private to others: nobody can tell which.
    #[error("there is no such resource")]
    NotFound,
    /// What was sent has the right form and means nothing here.
    #[error("{message}")]
    Unprocessable {
        /// A JSON Pointer into the request.
        pointer: String,
        message: String,
    },
    /// The game is not for so many seats or for these options.
    #[error("{}", .reason.message)]
    ImpossibleSetup {
        /// A JSON Pointer into the request: to the option, or to the seats.
        pointer: String,
        reason: Box<Reason>,
    },
    #[error("this seat is taken")]
    SeatTaken,
    #[error("every seat of this session is taken")]
    SessionFull,
    #[error("the game is over")]
    SessionOver,
    #[error("the game is not over yet")]
    SessionRunning,
    #[error("{0}")]
    NotUndoable(&'static str),
    #[error("{0}")]
    NotYourTurn(&'static str),
    #[error("{}", .0.message)]
    IllegalChoice(Box<Reason>),
    #[error("the session is at version {version}")]
    Stale { version: u64 },
    /// What was named was acknowledged and is lost, and something else may have happened since.
    #[error("the session has lost that version; it is at version {version} of another history")]
    HistoryRewritten { version: u64 },
    #[error("a move needs a choice id, a version, an If-Match or an Idempotency-Key")]
    NotTied,
    #[error("this key was used with other content")]
    KeyMismatch,
    #[error("a request with this key is still running")]
    KeyInFlight,
    /// Webhooks are turned off, that address is not called, or there are too many.
    #[error("{0}")]
    WebhookRefused(String),
    #[error("{}", wyrmgate_view::sentence(.fault))]
    Budget { fault: Fault, place: Option<Place> },
    /// What had to be computed took too long, or had to wait too long.
    #[error(transparent)]
    Unfinished(#[from] Unfinished),
    #[error("too many others write to this session")]
    Overloaded,
    #[error("the rules of this session cannot be used any more")]
    Ruleset(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A defect of this program.
    #[error(transparent)]
    Broken(#[from] Broken),
    #[error(transparent)]
    NoEntropy(#[from] NoEntropy),
}

/// Which rule forbids a choice or a setup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reason {
    /// One lower-case sentence without a final stop.
    pub message: String,
    pub clauses: Vec<Clause>,
    pub place: Option<Place>,
}

impl Refusal {
    pub fn unprocessable(pointer: &str, message: impl Into<String>) -> Refusal {
        Refusal::Unprocessable {
            pointer: pointer.to_owned(),
            message: message.into(),
        }
    }
}
