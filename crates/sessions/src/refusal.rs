//! Why the service refuses a request.

use crate::access::token::Token;
use wyrmgate_authoring::rules::{Clause, RulesPlace};
use wyrmgate_base::presume::BrokenInvariant;
use wyrmgate_engine::Fault;
use wyrmgate_runtime::queue::Unfinished;
use wyrmgate_runtime::surroundings::NoEntropy;
use wyrmgate_store::StoreError;

/// A refusal. Everything in it may be sent to the caller, except the content of `Store`.
#[derive(Debug, Clone, thiserror::Error)]
pub enum Refusal {
    #[error("this requires a credential for the session")]
    Unauthenticated,
    #[error("{0}")]
    Forbidden(&'static str),
    #[error("only players take part in a game that counts; send the credential of one")]
    PlayerRequired,
    /// The session does not exist or is private; the caller cannot tell which.
    #[error("no such resource")]
    NotFound,
    /// The request is well-formed but does not fit this session or game.
    #[error("{message}")]
    Unprocessable {
        /// A JSON Pointer into the request.
        pointer: String,
        message: String,
    },
    /// The game does not support this number of seats or these options.
    #[error("{}", .reason.message)]
    ImpossibleSetup {
        /// A JSON Pointer into the request, to the option or to the seats.
        pointer: String,
        reason: Box<RefusalReason>,
    },
    #[error("the seat is taken")]
    SeatTaken,
    #[error("every seat of the session is taken")]
    SessionFull,
    #[error("the game is over")]
    SessionOver,
    #[error("the game is not over yet")]
    SessionRunning,
    #[error("{0}")]
    NotUndoable(&'static str),
    /// The session allows this, but the game does not stand so that it could be done.
    #[error("{0}")]
    NotNow(String),
    #[error("{0}")]
    NotYourTurn(&'static str),
    #[error("{}", .0.message)]
    IllegalChoice(Box<RefusalReason>),
    #[error("the session is at version {version}")]
    Stale { version: u64 },
    /// The store lost a version that it had acknowledged, and the history may have continued differently.
    #[error(
        "the store lost that version; the session is now at version {version} of another history"
    )]
    HistoryRewritten { version: u64 },
    #[error(
        "a move must be tied to a position; send a choice id, `version`, `If-Match` or an `Idempotency-Key`"
    )]
    NotTied,
    #[error("the key was used for a different request")]
    KeyMismatch,
    #[error("a request with this key is still running")]
    KeyInFlight,
    /// Webhooks are off, the address is not allowed, or there are too many.
    #[error("{0}")]
    WebhookRefused(String),
    /// The operator does not allow this text, or texts at all.
    #[error("{0}")]
    TextRefused(&'static str),
    #[error("{}", wyrmgate_view::sentence(.fault))]
    Budget {
        fault: Fault,
        place: Option<RulesPlace>,
    },
    /// A computation exceeded its time budget or waited too long.
    #[error(transparent)]
    Unfinished(#[from] Unfinished),
    #[error("that is too much to read; write the next message later")]
    TooManyMessages { wait_ms: u64 },
    #[error("too many concurrent writes to this session; try again")]
    Overloaded,
    #[error("the rules of this session can no longer be used")]
    Ruleset(String),
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A defect of this program.
    #[error(transparent)]
    Broken(#[from] BrokenInvariant),
    #[error(transparent)]
    NoEntropy(#[from] NoEntropy),
}

/// The rule that forbids a choice or a setup.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RefusalReason {
    /// One sentence in lower case without a final period.
    pub message: String,
    pub clauses: Vec<Clause>,
    pub place: Option<RulesPlace>,
}

impl Refusal {
    /// Returns the refusal for a caller with this credential, if it has one: it is good, but not here, so to renew it is of no use.
    pub(crate) fn for_bearer(self, token: Option<&Token>) -> Refusal {
        match (self, token) {
            (Refusal::Unauthenticated, Some(_)) => Refusal::Forbidden(
                "the credential has no seat in this session and does not manage it",
            ),
            (refusal, _) => refusal,
        }
    }

    /// Refuses a choice that is not among those that are offered.
    pub(crate) fn not_offered(message: impl Into<String>) -> Refusal {
        Refusal::IllegalChoice(Box::new(RefusalReason {
            message: message.into(),
            ..RefusalReason::default()
        }))
    }

    pub fn unprocessable(pointer: &str, message: impl Into<String>) -> Refusal {
        Refusal::Unprocessable {
            pointer: pointer.to_owned(),
            message: message.into(),
        }
    }
}
