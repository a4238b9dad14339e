//! Why a choice is refused, in words and clauses.

use crate::diagnostic::Span;
use crate::engine::choice::{Choice, Pending};
use crate::engine::choices::{self, Refusal};
use crate::engine::name::name_for;
use crate::engine::reject::{RejectCode, Rejection};
use crate::engine::see::Viewer;
use crate::engine::state::State;
use crate::program::{BinderInfo, ClauseId, Condition, Program, Site};

/// Why this choice is refused: the first thing that is wrong with it. For a legal choice the answer says so.
pub fn explain(program: &Program, state: &State, pending: &Pending, choice: &Choice) -> Rejection {
    if state.is_finished() {
        return over();
    }
    let Some(site) = program.sites.get(usize::from(pending.site)) else {
        return not_owed();
    };
    let refused = choices::look(program, state, |eval| {
        choices::refusal(eval, site, pending.seat, choice)
    });
    match refused {
        Ok(Some(refusal)) => explain_refusal(program, state, pending, &refusal),
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

pub(crate) fn explain_refusal(
    program: &Program,
    state: &State,
    pending: &Pending,
    refusal: &Refusal<'_>,
) -> Rejection {
    let named = |binder: &BinderInfo, value: i32| {
        let viewer = Viewer::Seat(pending.seat);
        name_for(program, state, viewer, value, binder.of)
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
fn fall_back(rejection: &mut Rejection, site: &Site) {
    let (clauses, span): (&[ClauseId], Span) = (&site.cites, site.span);
    if rejection.clauses.is_empty() {
        rejection.clauses = clauses.to_vec();
    }
    rejection.span.get_or_insert(span);
}
