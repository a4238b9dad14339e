//! What is found against a law.

use serde_json::Value;

use crate::diagnostic::Span;
use crate::engine::{Fault, StepError};

#[derive(Debug, Clone, PartialEq, Default)]
pub struct Found {
    /// One lower-case sentence without a final stop.
    pub sentence: String,
    /// The same for the same cause, whatever the values are; the sentence itself, if it says nothing of its own.
    pub cause: Option<String>,
    /// The line of the rules that is to blame, if known.
    pub span: Option<Span>,
    /// What was told in each of two worlds.
    pub told: Option<Contrast>,
    /// More to know, one sentence each.
    pub notes: Vec<String>,
}

/// The same member of what was told, in two worlds.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Contrast {
    /// The way down to the member: `zones.deck.count`.
    pub member: String,
    pub here: Value,
    pub there: Value,
}

impl Found {
    /// What makes it the same cause as another one.
    pub fn cause(&self) -> (Option<Span>, &str) {
        (self.span, self.cause.as_deref().unwrap_or(&self.sentence))
    }
}

impl From<String> for Found {
    fn from(sentence: String) -> Found {
        Found {
            sentence,
            ..Found::default()
        }
    }
}

impl From<&str> for Found {
    fn from(sentence: &str) -> Found {
        sentence.to_owned().into()
    }
}

impl From<Fault> for Found {
    fn from(fault: Fault) -> Found {
        Found {
            sentence: fault.to_string(),
            span: fault.span,
            ..Found::default()
        }
    }
}

impl From<StepError> for Found {
    fn from(error: StepError) -> Found {
        match error {
            StepError::Fault(fault) => fault.into(),
            StepError::Rejected(rejection) => Found {
                sentence: format!("a choice that is listed was refused: {rejection}"),
                span: rejection.span,
                ..Found::default()
            },
        }
    }
}
