//! Why a choice is refused, in words and clauses.

use crate::choice::{Choice, Pending};
use crate::choices::{self, Refusal};
use crate::eval::Eval;
use crate::fault::Halt;
use crate::name::Pointing;
use crate::reject::{RejectCode, Rejection};
use crate::see::Viewer;
use crate::state::State;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_program::{BinderInfo, ClauseId, Condition, Program, Site};

/// Why this choice is refused: the first thing that is wrong with it. For a legal choice the answer says so.
pub fn explain(program: &Program, state: &State, pending: &Pending, choice: &Choice) -> Rejection {
    if state.is_finished() {
        return over();
    }
    let Some(site) = program.sites.get(usize::from(pending.site)) else {
        return not_owed();
    };
    let refused = choices::look(program, state, |eval| {
        refusal_with_clauses(eval, site, pending.seat, choice)
    });
    match refused {
        Ok(Some((refusal, clauses))) => explain_refusal(program, state, pending, &refusal, clauses),
        Ok(None) => illegal("this choice is legal"),
        Err(fault) => illegal(fault.to_string()),
    }
}

pub(crate) fn over() -> Rejection {
    Rejection::new(RejectCode::SessionOver, "the game is over")
}

pub(crate) fn not_owed() -> Rejection {
    Rejection::new(RejectCode::NotYourTurn, "no such decision is owed")
}

fn illegal(message: impl Into<String>) -> Rejection {
    Rejection::new(RejectCode::IllegalChoice, message)
}

/// The first thing that is wrong with a choice, and the clauses that the failing condition cites, itself or in the
/// queries it asks.
pub(crate) fn refusal_with_clauses<'p>(
    eval: &mut Eval<'_>,
    site: &'p Site,
    seat: u8,
    choice: &Choice,
) -> Result<Option<(Refusal<'p>, Vec<ClauseId>)>, Halt> {
    let Some(refusal) = choices::refusal(eval, site, seat, choice)? else {
        return Ok(None);
    };
    let clauses = match refusal {
        Refusal::NotOffered(condition)
        | Refusal::NotTogether(condition)
        | Refusal::Forbidden(_, _, condition) => {
            let deeper = eval.blame(condition.test)?;
            if deeper.is_empty() {
                condition.cites.clone()
            } else {
                deeper
            }
        }
        Refusal::NotThere(binder, value) => eval.blame_absence(binder.domain, value)?,
        _ => Vec::new(),
    };
    if clauses.is_empty() {
        let option = site.options.get(usize::from(choice.option));
        let cites = option.map_or(Vec::new(), |option| option.cites.clone());
        return Ok(Some((refusal, cites)));
    }
    Ok(Some((refusal, clauses)))
}

pub(crate) fn explain_refusal(
    program: &Program,
    state: &State,
    pending: &Pending,
    refusal: &Refusal<'_>,
    clauses: Vec<ClauseId>,
) -> Rejection {
    let named = |binder: &BinderInfo, value: i32| {
        let pointing = Pointing {
            program,
            state,
            reader: Viewer::Seat(pending.seat).into(),
        };
        pointing.id(value, binder.of)
    };
    let mut rejection = match *refusal {
        Refusal::NoSuchOption => illegal("there is no such option"),
        Refusal::WrongForm => {
            illegal("the values do not have the form that this decision asks for")
        }
        Refusal::NotOffered(condition) => by_condition("this option is not open now", condition),
        Refusal::NotTogether(condition) => {
            by_condition("these cannot be chosen together", condition)
        }
        Refusal::NotThere(binder, value) => illegal(format!(
            "`{}` cannot be chosen as `{}`",
            named(binder, value),
            binder.name
        )),
        Refusal::Forbidden(binder, value, condition) => by_condition(
            format!(
                "`{}` is not allowed as `{}` now",
                named(binder, value),
                binder.name
            ),
            condition,
        ),
        Refusal::Twice(binder, value) => illegal(format!(
            "`{}` is chosen twice as `{}`",
            named(binder, value),
            binder.name
        )),
        Refusal::TooFew(binder, least) => {
            illegal(format!("`{}` needs at least {least}", binder.name))
        }
        Refusal::TooMany(binder, most) => {
            illegal(format!("`{}` takes at most {most}", binder.name))
        }
        Refusal::Disordered(binder) => illegal(format!(
            "the members of `{}` are not in their order",
            binder.name
        )),
    };
    if !clauses.is_empty() {
        rejection.clauses = clauses;
    }
    if let Some(site) = program.sites.get(usize::from(pending.site)) {
        fall_back(&mut rejection, site);
    }
    rejection
}

fn by_condition(message: impl Into<String>, condition: &Condition) -> Rejection {
    Rejection {
        clauses: condition.cites.clone(),
        span: Some(condition.span),
        ..illegal(message)
    }
}

/// Where a condition cites nothing, the decision's own clauses and place are the best we know.
pub(crate) fn fall_back(rejection: &mut Rejection, site: &Site) {
    let (clauses, span): (&[ClauseId], Span) = (&site.cites, site.span);
    if rejection.clauses.is_empty() {
        rejection.clauses = clauses.to_vec();
    }
    rejection.span.get_or_insert(span);
}
