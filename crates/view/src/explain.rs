//! Refusals in words: a code, the clauses that forbid the choice, and one sentence for the seat that asked.

use std::fmt;

use crate::fault::sentence;
use crate::name::Pointing;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_engine::{
    Choice, ChoiceName, Pending, Refused, RejectCode, RejectionCause, State, Viewer, refused,
};
use wyrmgate_program::{ClauseId, Program, Site};

const GAME_OVER: &str = "the game is over";
const NOT_OWED: &str = "no such decision is pending";

/// The explanation of a refused choice for a player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    pub code: RejectCode,
    /// The clauses that forbid it; may be empty.
    pub clauses: Vec<ClauseId>,
    /// The condition in the rules that failed.
    pub span: Option<Span>,
    /// One lowercase sentence without a final period.
    pub message: String,
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

    /// Explains the refusal of a choice. `seat` asked, counted from 0: a value that it cannot identify is named by its
    /// place.
    pub fn of(program: &Program, state: &State, seat: u8, refused: Refused) -> Rejection {
        let code = refused.code();
        let message = message(program, state, seat, &refused.cause);
        Rejection {
            code,
            clauses: refused.clauses,
            span: refused.span,
            message,
        }
    }

    pub(crate) fn game_over() -> Rejection {
        Rejection::new(RejectCode::SessionOver, GAME_OVER)
    }

    pub(crate) fn not_owed() -> Rejection {
        Rejection::new(RejectCode::NotYourTurn, NOT_OWED)
    }

    /// Uses the decision's own clauses and location if nothing more specific is known.
    pub(crate) fn or_at(mut self, site: &Site) -> Rejection {
        if self.clauses.is_empty() {
            self.clauses.clone_from(&site.cites);
        }
        self.span.get_or_insert(site.span);
        self
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.name(), self.message)
    }
}

impl std::error::Error for Rejection {}

/// Explains why this choice is refused. For a legal choice, the explanation says so.
pub fn explain(program: &Program, state: &State, pending: &Pending, choice: &Choice) -> Rejection {
    let illegal = |message: &str| Rejection::new(RejectCode::IllegalChoice, message);
    match refused(program, state, pending, choice) {
        Ok(Some(refused)) => Rejection::of(program, state, pending.seat, refused),
        Ok(None) => illegal("this choice is legal"),
        Err(fault) => illegal(&sentence(&fault)),
    }
}

fn message(program: &Program, state: &State, seat: u8, cause: &RejectionCause) -> String {
    let pointing = Pointing::of(program, state, Viewer::Seat(seat));
    let id = |named: &ChoiceName, value: i32| pointing.id(value, named.of);
    match cause {
        RejectionCause::GameOver => GAME_OVER.to_owned(),
        RejectionCause::NotOwed => NOT_OWED.to_owned(),
        RejectionCause::NoSuchOption => "there is no such option".to_owned(),
        RejectionCause::WrongForm => {
            "the values do not have the form that this decision asks for".to_owned()
        }
        RejectionCause::NotOffered => "this option is not open now".to_owned(),
        RejectionCause::NotTogether => "these cannot be chosen together".to_owned(),
        RejectionCause::NotThere(named, value) => {
            let id = id(named, *value);
            format!("`{id}` cannot be chosen as `{}`", named.name)
        }
        RejectionCause::Forbidden(named, value) => {
            let id = id(named, *value);
            format!("`{id}` is not allowed as `{}` now", named.name)
        }
        RejectionCause::Twice(named, value) => {
            let id = id(named, *value);
            format!("`{id}` is chosen twice as `{}`", named.name)
        }
        RejectionCause::TooFew(named, least) => format!("`{}` needs at least {least}", named.name),
        RejectionCause::TooMany(named, most) => format!("`{}` takes at most {most}", named.name),
        RejectionCause::Disordered(named) => {
            format!("the members of `{}` are not in their order", named.name)
        }
    }
}
