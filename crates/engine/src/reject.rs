//! What a player is told when a choice is refused.

use std::fmt;

use crate::Fault;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::ClauseId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    pub code: RejectCode,
    /// The clauses that forbid it; may be empty.
    pub clauses: Vec<ClauseId>,
    /// The condition in the rules that failed.
    pub span: Option<Span>,
    /// One lower-case sentence without a final stop.
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RejectCode {
    /// This decision is not owed, or not by this seat.
    NotYourTurn,
    IllegalChoice,
    SessionOver,
    /// Not even the form of a choice: an unknown option, a missing argument, a wrong type.
    Malformed,
}

impl RejectCode {
    pub const fn name(self) -> &'static str {
        match self {
            RejectCode::NotYourTurn => "not-your-turn",
            RejectCode::IllegalChoice => "illegal-choice",
            RejectCode::SessionOver => "session-over",
            RejectCode::Malformed => "malformed",
        }
    }
}

impl Rejection {
    pub fn new(code: RejectCode, message: impl Into<String>) -> Self {
        Rejection {
            code,
            clauses: Vec::new(),
            span: None,
            message: message.into(),
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}

impl std::error::Error for Rejection {}

/// Why a step was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepError {
    /// The state is untouched.
    Rejected(Rejection),
    /// The state is not to be used any more.
    Fault(Fault),
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StepError::Rejected(rejection) => rejection.fmt(f),
            StepError::Fault(fault) => fault.fmt(f),
        }
    }
}

impl std::error::Error for StepError {}

impl From<Fault> for StepError {
    fn from(fault: Fault) -> Self {
        StepError::Fault(fault)
    }
}

impl From<Rejection> for StepError {
    fn from(rejection: Rejection) -> Self {
        StepError::Rejected(rejection)
    }
}
