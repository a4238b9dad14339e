//! Why a game stopped before its end: one form for every tool that plays games.

use std::fmt;
use wyrmgate_engine::{Fault, Refused, State, StepError, asked_at};

use crate::explain::Rejection;
use crate::fault::{advice, sentence};
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::Program;

/// A game stopped before its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stopped {
    /// Stable and kebab-case: the name of the limit, or one of the names below.
    pub code: &'static str,
    /// One lowercase sentence without a final period.
    pub reason: String,
    /// The exceeded limit of the engine.
    pub limit: Option<&'static str>,
    /// The location in the rules, if known.
    pub span: Option<Span>,
    /// Advice for authors.
    pub help: Option<&'static str>,
    /// The number of decisions made before.
    pub decisions: u32,
}

impl Stopped {
    fn new(code: &'static str, reason: impl Into<String>) -> Stopped {
        Stopped {
            code,
            reason: reason.into(),
            limit: None,
            span: None,
            help: None,
            decisions: 0,
        }
    }

    /// Returns the stop of a game in which a decision without a choice is pending, or none is pending although the game
    /// is not over.
    pub fn stuck(program: &Program, state: &State) -> Stopped {
        Stopped {
            span: asked_at(program, state),
            help: Some("let the rules say what happens when nobody can act"),
            decisions: state.decisions_made(),
            ..Stopped::new("stuck", "nobody can act and the game is not over")
        }
    }

    /// Returns the stop of a game that exceeds its bound, at the decision that would be one too many.
    pub fn unbounded(program: &Program, state: &State) -> Stopped {
        let bound = program.identity.bound;
        let reason = format!(
            "the game is not over after {bound} decisions, which its rules state as its bound"
        );
        Stopped {
            span: asked_at(program, state),
            help: Some("this is the next decision; raise `bound`, or let the game end"),
            decisions: state.decisions_made(),
            ..Stopped::new("bound", reason)
        }
    }

    /// Returns the report of a text that could not be made. The game goes on.
    pub fn untold(fault: &Fault) -> Stopped {
        let stopped = Stopped::from(fault.clone());
        Stopped {
            code: "untold",
            reason: format!("a text cannot be made: {}", stopped.reason),
            ..stopped
        }
    }

    /// Returns the stop of a game in which the engine itself crashed.
    pub fn crashed(reason: String) -> Stopped {
        Stopped {
            help: Some("this is a defect of Wyrmgate, not of the rules; please report it"),
            ..Stopped::new("crash", reason)
        }
    }

    fn refused(span: Option<Span>, why: &dyn fmt::Display) -> Stopped {
        let reason = format!("a listed choice was refused: {why}");
        Stopped {
            span,
            ..Stopped::new("refused", reason)
        }
    }

    /// Returns the same stop, after this many decisions.
    pub fn after(self, decisions: u32) -> Stopped {
        Stopped { decisions, ..self }
    }
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for Stopped {}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Stopped {
        Stopped {
            limit: Some(fault.kind.name()),
            span: fault.span,
            help: Some(advice(fault.kind)),
            ..Stopped::new(fault.kind.name(), sentence(&fault))
        }
    }
}

/// For measured loops: rare cases take little space in their return values.
impl From<Fault> for Box<Stopped> {
    #[cold]
    fn from(fault: Fault) -> Box<Stopped> {
        Box::new(fault.into())
    }
}

/// The laws state that listed choices are accepted.
impl From<Refused> for Stopped {
    fn from(refused: Refused) -> Stopped {
        Stopped::refused(refused.span, &refused.code().name())
    }
}

impl From<Rejection> for Stopped {
    fn from(rejection: Rejection) -> Stopped {
        Stopped::refused(rejection.span, &rejection)
    }
}

impl From<StepError> for Stopped {
    fn from(error: StepError) -> Stopped {
        match error {
            StepError::Refused(refused) => refused.into(),
            StepError::Fault(fault) => fault.into(),
        }
    }
}
