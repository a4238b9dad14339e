//! Violations of laws.

use serde::Serialize;
use serde_json::Value;

use crate::simulate::seed_of_game;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_base::hex;
use wyrmgate_engine::{Choice, Fault, Pending, State, StepError, Viewer};
use wyrmgate_program::Program;
use wyrmgate_view::{choice_to_json, sentence};

#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct LawFinding {
    /// One lower-case sentence without a final stop.
    #[serde(rename = "found")]
    pub sentence: String,
    /// The same for the same cause, whatever the values are; the sentence itself, if it says nothing of its own.
    #[serde(skip)]
    pub cause: Option<String>,
    /// The line of the rules that causes it, if known.
    #[serde(skip)]
    pub span: Option<Span>,
    /// Whether the cause is the same wherever it occurs.
    #[serde(skip)]
    pub is_anywhere: bool,
    /// The differing information in each of two worlds.
    pub told: Option<Contrast>,
    /// Notes, one sentence each.
    pub notes: Vec<String>,
}

/// A game of the run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GameId {
    #[serde(rename = "game")]
    pub number: u64,
    /// The seed of this game, in hexadecimal digits.
    pub seed: String,
}

impl GameId {
    /// Returns a game of the run with this seed.
    pub(crate) fn of(seed: &[u8; 32], number: u64) -> GameId {
        let seed = hex::encode(&seed_of_game(seed, number));
        GameId { number, seed }
    }
}

/// A law that was broken.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Violation {
    pub law: &'static str,
    #[serde(flatten)]
    pub game: GameId,
    /// How many decisions had been made.
    pub decisions: u32,
    #[serde(flatten)]
    pub found: LawFinding,
}

/// A member of the viewer's information, in two worlds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Contrast {
    /// The path of the member: `zones.deck.count`.
    pub member: String,
    pub here: Value,
    pub there: Value,
}

impl LawFinding {
    /// Returns the cause: two violations with equal causes are reported once.
    pub fn cause(&self) -> (Option<Span>, &str) {
        let span = self.span.filter(|_| !self.is_anywhere);
        (span, self.cause.as_deref().unwrap_or(&self.sentence))
    }

    /// Returns this violation at the place of a decision, unless a better place is known.
    pub(super) fn asked(mut self, program: &Program, owed: &Pending) -> LawFinding {
        let site = program.site(owed.site);
        self.span = self.span.or(site.map(|site| site.span));
        self
    }

    /// Creates a violation by a choice; the cause is the same for all choices.
    pub(super) fn of_choice(of: &str, choice: &str, cause: &str) -> LawFinding {
        LawFinding {
            cause: Some(cause.to_owned()),
            ..format!("{choice} {of}").into()
        }
    }
}

/// Formats a choice as its seat sends it, or as numbers if it is malformed.
pub(super) fn choice_in_words(
    program: &Program,
    state: &State,
    owed: &Pending,
    choice: &Choice,
) -> String {
    let option = program.option(owed.site, choice.option);
    match option.filter(|option| option.binders.len() == choice.args.len()) {
        Some(_) => {
            let json = choice_to_json(program, state, owed, choice, Viewer::Seat(owed.seat));
            format!("the choice {json}")
        }
        None => format!(
            "a choice of option {} with {} values",
            choice.option,
            choice.args.len()
        ),
    }
}

impl From<String> for LawFinding {
    fn from(sentence: String) -> LawFinding {
        LawFinding {
            sentence,
            ..LawFinding::default()
        }
    }
}

impl From<&str> for LawFinding {
    fn from(sentence: &str) -> LawFinding {
        sentence.to_owned().into()
    }
}

impl From<Fault> for LawFinding {
    fn from(fault: Fault) -> LawFinding {
        LawFinding {
            sentence: sentence(&fault),
            span: fault.span,
            ..LawFinding::default()
        }
    }
}

impl From<StepError> for LawFinding {
    fn from(error: StepError) -> LawFinding {
        match error {
            StepError::Fault(fault) => fault.into(),
            StepError::Refused(refused) => LawFinding {
                sentence: format!(
                    "a choice that is listed was refused: {}",
                    refused.code().name()
                ),
                span: refused.span,
                ..LawFinding::default()
            },
        }
    }
}
