//! Maps refusals of the session layer to problems.

use std::time::Duration;

use crate::api::shared::problem::{ClauseText, Problem, ProblemCode, Reason};
use wyrmgate_authoring::rules::{Clause, RulesPlace};
use wyrmgate_sessions::{self as session, Refusal};
use wyrmgate_store::StoreError;

/// The same for what does not exist and for what is private to others.
const NOT_FOUND: &str = "this does not exist here, or it is private and the credential is not one of its tokens; \
     `GET /v1/sessions` lists the public sessions";

const DAMAGED: &str =
    "stored data that this request needs is damaged; other sessions are not affected";

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let said = refusal.to_string();
        match refusal {
            Refusal::Unauthenticated => Problem::new(ProblemCode::Unauthenticated).detail(said),
            Refusal::Forbidden(_) => Problem::new(ProblemCode::Forbidden).detail(said),
            Refusal::PlayerRequired => Problem::new(ProblemCode::PlayerRequired).detail(said),
            Refusal::NotFound => Problem::new(ProblemCode::NotFound).detail(NOT_FOUND),
            Refusal::Unprocessable { pointer, message } => {
                Problem::unprocessable(&pointer, message)
            }
            Refusal::ImpossibleSetup { pointer, reason } if reason.clauses.is_empty() => {
                Problem::unprocessable(&pointer, reason.message)
            }
            Refusal::ImpossibleSetup { pointer, reason } => {
                Problem::unprocessable(&pointer, said).reason((*reason).into())
            }
            Refusal::SeatTaken => Problem::new(ProblemCode::SeatTaken),
            Refusal::SessionFull => Problem::new(ProblemCode::SessionFull),
            Refusal::SessionOver => Problem::new(ProblemCode::SessionOver),
            Refusal::SessionRunning => Problem::new(ProblemCode::SessionRunning),
            Refusal::NotUndoable(_) => Problem::new(ProblemCode::NotUndoable).detail(said),
            Refusal::NotNow(_) => Problem::new(ProblemCode::NotNow).detail(said),
            Refusal::NotYourTurn(_) => Problem::new(ProblemCode::NotYourTurn).detail(said),
            Refusal::IllegalChoice(reason) => Problem::new(ProblemCode::IllegalChoice)
                .detail(said)
                .reason((*reason).into()),
            Refusal::Stale { version } => Problem::new(ProblemCode::StaleVersion)
                .detail(said)
                .version(version),
            Refusal::HistoryRewritten { version } => Problem::new(ProblemCode::HistoryRewritten)
                .detail(said)
                .version(version),
            Refusal::NotTied => Problem::new(ProblemCode::PreconditionRequired).detail(said),
            Refusal::KeyMismatch => Problem::new(ProblemCode::IdempotencyMismatch),
            Refusal::KeyInFlight => Problem::new(ProblemCode::IdempotencyInFlight),
            Refusal::TextRefused(_) => Problem::new(ProblemCode::TextRefused).detail(said),
            Refusal::WebhookRefused(_) => Problem::new(ProblemCode::WebhookRefused).detail(said),
            Refusal::TooManyMessages { wait_ms } => Problem::new(ProblemCode::RateLimited)
                .detail(said)
                .retry_after(Duration::from_millis(wait_ms)),
            Refusal::Budget { fault, place } => budget(&fault, place),
            Refusal::Unfinished(unfinished) => unfinished.into(),
            Refusal::Overloaded => Problem::new(ProblemCode::Overloaded).detail(said),
            Refusal::Ruleset(why) => fault(&why),
            Refusal::Store(error) => store(&error),
            Refusal::Broken(error) => fault(&error.to_string()),
            Refusal::NoEntropy(error) => fault(&error.to_string()),
        }
    }
}

impl From<session::RefusalReason> for Reason {
    fn from(reason: session::RefusalReason) -> Reason {
        let clause = |clause: Clause| ClauseText::new(clause.id, clause.texts);
        let place = reason.place.as_ref();
        Reason {
            message: reason.message,
            clauses: reason.clauses.into_iter().map(clause).collect(),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column),
            file: reason.place.map(|place| place.file),
        }
    }
}

fn budget(fault: &wyrmgate_engine::Fault, place: Option<RulesPlace>) -> Problem {
    let reason = session::RefusalReason {
        message: wyrmgate_view::sentence(fault),
        clauses: Vec::new(),
        place,
    };
    Problem::new(ProblemCode::RulesBudgetExceeded)
        .detail(wyrmgate_view::sentence(fault))
        .limit(fault.kind.name())
        .reason(reason.into())
}

/// Logs the cause and returns a problem that reveals nothing but a code.
fn fault(why: &str) -> Problem {
    tracing::error!(%why, "internal error");
    Problem::new(ProblemCode::Internal)
}

fn store(error: &StoreError) -> Problem {
    tracing::error!(%error, "the store failed");
    match error {
        StoreError::Unavailable(_) | StoreError::Full(_) => {
            Problem::new(ProblemCode::StoreUnavailable)
        }
        StoreError::OutcomeUnknown(_) => Problem::new(ProblemCode::OutcomeUnknown),
        StoreError::Corrupt(_) => Problem::new(ProblemCode::Internal).detail(DAMAGED),
        StoreError::Misconfigured(_) | StoreError::Broken(_) => Problem::new(ProblemCode::Internal),
    }
}
