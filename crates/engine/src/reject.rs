//! The reasons why a choice is refused: facts without words. The crate `view` puts them into words for the seat that
//! asked.

use crate::choice::{Choice, ChoiceName, Pending};
use crate::choices::{self, IllegalChoice};
use crate::eval::Eval;
use crate::fault::{Fault, Halt};
use crate::owed::has_resigned;
use crate::see::sees;
use crate::state::State;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::{ClauseId, Condition, Program, Site, Type};

/// A choice that the rules do not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub cause: RejectionCause,
    /// The clauses that forbid it; may be empty.
    pub clauses: Vec<ClauseId>,
    /// The condition in the rules that failed.
    pub span: Option<Span>,
}

/// The first error in a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RejectionCause {
    GameOver,
    /// This decision is not pending, or another seat owes it.
    NotOwed,
    NoSuchOption,
    /// The values do not have the form that the option requires.
    WrongForm,
    /// The condition of the option does not hold.
    NotOffered,
    /// The value is not in the domain of this name.
    NotThere(ChoiceName, i32),
    /// The value is in the domain, but a filter forbids it.
    Forbidden(ChoiceName, i32),
    Twice(ChoiceName, i32),
    TooFew(ChoiceName, usize),
    TooMany(ChoiceName, usize),
    /// Each value may be chosen, but not all of them together.
    NotTogether,
    /// A subset is in another order than its domain.
    Disordered(ChoiceName),
}

wyrmgate_base::named_enum! {
    /// The stable codes of refusals.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum RejectCode {
        /// This decision is not pending, or another seat owes it.
        NotYourTurn = "not-your-turn",
        IllegalChoice = "illegal-choice",
        SessionOver = "session-over",
        /// Not a choice at all: an unknown option, a missing argument, a wrong type.
        Malformed = "malformed",
    }
}

impl Refused {
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the others need nothing special"
    )]
    pub const fn code(&self) -> RejectCode {
        match self.cause {
            RejectionCause::GameOver => RejectCode::SessionOver,
            RejectionCause::NotOwed => RejectCode::NotYourTurn,
            _ => RejectCode::IllegalChoice,
        }
    }

    fn new(cause: RejectionCause) -> Refused {
        Refused {
            cause,
            clauses: Vec::new(),
            span: None,
        }
    }

    pub fn game_over() -> Refused {
        Refused::new(RejectionCause::GameOver)
    }

    pub fn not_owed() -> Refused {
        Refused::new(RejectionCause::NotOwed)
    }

    fn at(mut self, condition: &Condition) -> Refused {
        self.clauses.clone_from(&condition.cites);
        self.span = Some(condition.span);
        self
    }
}

impl From<&IllegalChoice<'_>> for Refused {
    fn from(refusal: &IllegalChoice<'_>) -> Refused {
        match *refusal {
            IllegalChoice::NoSuchOption => Refused::new(RejectionCause::NoSuchOption),
            IllegalChoice::WrongForm => Refused::new(RejectionCause::WrongForm),
            IllegalChoice::NotOffered(condition) => {
                Refused::new(RejectionCause::NotOffered).at(condition)
            }
            IllegalChoice::NotTogether(Some(condition)) => {
                Refused::new(RejectionCause::NotTogether).at(condition)
            }
            IllegalChoice::NotTogether(None) => Refused::new(RejectionCause::NotTogether),
            IllegalChoice::NotThere(binder, value) | IllegalChoice::Hidden(binder, value) => {
                Refused::new(RejectionCause::NotThere(binder.into(), value))
            }
            IllegalChoice::Forbidden(binder, value, condition) => {
                Refused::new(RejectionCause::Forbidden(binder.into(), value)).at(condition)
            }
            IllegalChoice::Twice(binder, value) => {
                Refused::new(RejectionCause::Twice(binder.into(), value))
            }
            IllegalChoice::TooFew(binder, least) => {
                Refused::new(RejectionCause::TooFew(binder.into(), least))
            }
            IllegalChoice::TooMany(binder, most) => {
                Refused::new(RejectionCause::TooMany(binder.into(), most))
            }
            IllegalChoice::Disordered(binder) => {
                Refused::new(RejectionCause::Disordered(binder.into()))
            }
        }
    }
}

/// Returns the first error in this choice; `None` for a legal choice.
pub fn refused(
    program: &Program,
    state: &State,
    pending: &Pending,
    choice: &Choice,
) -> Result<Option<Refused>, Fault> {
    if state.is_finished() {
        return Ok(Some(Refused::game_over()));
    }
    if choice.is_resigning() {
        let is_seat = usize::from(pending.seat) < program.seats;
        let may = program.code.resigns.is_some() && !has_resigned(program, state, pending.seat);
        return Ok((!is_seat || !may).then(Refused::not_owed));
    }
    let Some(site) = program.site(pending.site) else {
        return Ok(Some(Refused::not_owed()));
    };
    choices::look(program, state, |eval| {
        refused_at(eval, site, pending.seat, choice)
    })
}

fn refused_at(
    eval: &mut Eval<'_>,
    site: &Site,
    seat: u8,
    choice: &Choice,
) -> Result<Option<Refused>, Halt> {
    let Some(refusal) = choices::refusal(eval, site, seat, choice)? else {
        return Ok(None);
    };
    let refusal = match names_unknown(eval, site, seat, choice) {
        true => without_reason(refusal),
        false => refusal,
    };
    let mut refused = Refused::from(&refusal);
    let deeper = blamed(eval, &refusal)?;
    if !deeper.is_empty() {
        refused.clauses = deeper;
    }
    if refused.clauses.is_empty() {
        let option = site.options.get(usize::from(choice.option));
        refused.clauses = option.map_or(&site.cites, |option| &option.cites).clone();
    }
    if refused.clauses.is_empty() {
        refused.clauses.clone_from(&site.cites);
    }
    refused.span.get_or_insert(site.span);
    Ok(Some(refused))
}

/// Returns whether a choice names a component that the seat cannot identify.
fn names_unknown(eval: &Eval<'_>, site: &Site, seat: u8, choice: &Choice) -> bool {
    let Some(option) = site.options.get(usize::from(choice.option)) else {
        return false;
    };
    let is_unknown = |value: &i32| {
        eval.state.is_component(*value) && !sees(eval.program, eval.state, seat, *value)
    };
    let mut named = option.binders.iter().zip(&choice.args);
    named.any(|(binder, arg)| {
        matches!(binder.of, Type::Component(_)) && arg.values().iter().any(is_unknown)
    })
}

/// Hides the reason if the seat chose a component that it cannot identify: the failing condition, or the list in which
/// the component is missing, would reveal which one it is.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the others do not depend on the values chosen"
)]
const fn without_reason(refusal: IllegalChoice<'_>) -> IllegalChoice<'_> {
    match refusal {
        IllegalChoice::NotThere(binder, value) | IllegalChoice::Forbidden(binder, value, _) => {
            IllegalChoice::Hidden(binder, value)
        }
        IllegalChoice::NotTogether(_) => IllegalChoice::NotTogether(None),
        other => other,
    }
}

/// Returns the clauses that the innermost failing parts cite, in the condition itself or in the queries it calls.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the others need nothing special"
)]
fn blamed(eval: &mut Eval<'_>, refusal: &IllegalChoice<'_>) -> Result<Vec<ClauseId>, Halt> {
    match *refusal {
        IllegalChoice::NotOffered(condition)
        | IllegalChoice::NotTogether(Some(condition))
        | IllegalChoice::Forbidden(_, _, condition) => eval.blame(condition.test),
        IllegalChoice::NotThere(binder, value) => eval.blame_absence(binder.domain, value),
        _ => Ok(Vec::new()),
    }
}

/// The reason why a step was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StepError {
    /// The state is unchanged.
    Refused(Refused),
    /// The state must not be used any more.
    Fault(Fault),
}

wyrmgate_base::from_variants!(StepError { Fault: Fault; Refused: Refused });
