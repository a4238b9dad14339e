//! The reasons why a choice is refused: facts without words. The crate `view` puts them into words for the seat that
//! asked.

use crate::choice::{Choice, Named, Pending};
use crate::choices::{self, Refusal};
use crate::eval::Eval;
use crate::fault::{Fault, Halt};
use crate::see::sees;
use crate::state::State;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::{ClauseId, Condition, Program, Site, Type};

/// A choice that the rules do not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub cause: Cause,
    /// The clauses that forbid it; may be empty.
    pub clauses: Vec<ClauseId>,
    /// The condition in the rules that failed.
    pub span: Option<Span>,
}

/// The first error in a choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cause {
    GameOver,
    /// This decision is not pending, or another seat owes it.
    NotOwed,
    NoSuchOption,
    /// The values do not have the form that the option requires.
    WrongForm,
    /// The condition of the option does not hold.
    NotOffered,
    /// The value is not in the domain of this name.
    NotThere(Named, i32),
    /// The value is in the domain, but a filter forbids it.
    Forbidden(Named, i32),
    Twice(Named, i32),
    TooFew(Named, usize),
    TooMany(Named, usize),
    /// Each value may be chosen, but not all of them together.
    NotTogether,
    /// A subset is in another order than its domain.
    Disordered(Named),
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
            Cause::GameOver => RejectCode::SessionOver,
            Cause::NotOwed => RejectCode::NotYourTurn,
            _ => RejectCode::IllegalChoice,
        }
    }

    fn new(cause: Cause) -> Refused {
        Refused {
            cause,
            clauses: Vec::new(),
            span: None,
        }
    }

    pub fn game_over() -> Refused {
        Refused::new(Cause::GameOver)
    }

    pub fn not_owed() -> Refused {
        Refused::new(Cause::NotOwed)
    }

    fn at(mut self, condition: &Condition) -> Refused {
        self.clauses.clone_from(&condition.cites);
        self.span = Some(condition.span);
        self
    }
}

impl From<&Refusal<'_>> for Refused {
    fn from(refusal: &Refusal<'_>) -> Refused {
        match *refusal {
            Refusal::NoSuchOption => Refused::new(Cause::NoSuchOption),
            Refusal::WrongForm => Refused::new(Cause::WrongForm),
            Refusal::NotOffered(condition) => Refused::new(Cause::NotOffered).at(condition),
            Refusal::NotTogether(Some(condition)) => Refused::new(Cause::NotTogether).at(condition),
            Refusal::NotTogether(None) => Refused::new(Cause::NotTogether),
            Refusal::NotThere(binder, value) | Refusal::Hidden(binder, value) => {
                Refused::new(Cause::NotThere(binder.into(), value))
            }
            Refusal::Forbidden(binder, value, condition) => {
                Refused::new(Cause::Forbidden(binder.into(), value)).at(condition)
            }
            Refusal::Twice(binder, value) => Refused::new(Cause::Twice(binder.into(), value)),
            Refusal::TooFew(binder, least) => Refused::new(Cause::TooFew(binder.into(), least)),
            Refusal::TooMany(binder, most) => Refused::new(Cause::TooMany(binder.into(), most)),
            Refusal::Disordered(binder) => Refused::new(Cause::Disordered(binder.into())),
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
const fn without_reason(refusal: Refusal<'_>) -> Refusal<'_> {
    match refusal {
        Refusal::NotThere(binder, value) | Refusal::Forbidden(binder, value, _) => {
            Refusal::Hidden(binder, value)
        }
        Refusal::NotTogether(_) => Refusal::NotTogether(None),
        other => other,
    }
}

/// Returns the clauses that the innermost failing parts cite, in the condition itself or in the queries it calls.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "the others need nothing special"
)]
fn blamed(eval: &mut Eval<'_>, refusal: &Refusal<'_>) -> Result<Vec<ClauseId>, Halt> {
    match *refusal {
        Refusal::NotOffered(condition)
        | Refusal::NotTogether(Some(condition))
        | Refusal::Forbidden(_, _, condition) => eval.blame(condition.test),
        Refusal::NotThere(binder, value) => eval.blame_absence(binder.domain, value),
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
