//! Maps refusals of the session layer to problems.

use crate::api::shared::problem::{ClauseText, Code, Problem, Reason};
use wyrmgate_authoring::rules::{Clause, Place};
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
            Refusal::Unauthenticated => Problem::new(Code::Unauthenticated).detail(said),
            Refusal::Forbidden(_) => Problem::new(Code::Forbidden).detail(said),
            Refusal::NotFound => Problem::new(Code::NotFound).detail(NOT_FOUND),
            Refusal::Unprocessable { pointer, message } => {
                Problem::unprocessable(&pointer, message)
            }
            Refusal::ImpossibleSetup { pointer, reason } if reason.clauses.is_empty() => {
                Problem::unprocessable(&pointer, reason.message)
            }
            Refusal::ImpossibleSetup { pointer, reason } => {
                Problem::unprocessable(&pointer, said).reason((*reason).into())
            }
            Refusal::SeatTaken => Problem::new(Code::SeatTaken),
            Refusal::SessionFull => Problem::new(Code::SessionFull),
            Refusal::SessionOver => Problem::new(Code::SessionOver),
            Refusal::SessionRunning => Problem::new(Code::SessionRunning),
            Refusal::NotUndoable(_) => Problem::new(Code::NotUndoable).detail(said),
            Refusal::NotYourTurn(_) => Problem::new(Code::NotYourTurn).detail(said),
            Refusal::IllegalChoice(reason) => Problem::new(Code::IllegalChoice)
                .detail(said)
                .reason((*reason).into()),
            Refusal::Stale { version } => Problem::new(Code::StaleVersion)
                .detail(said)
                .version(version),
            Refusal::HistoryRewritten { version } => Problem::new(Code::HistoryRewritten)
                .detail(said)
                .version(version),
            Refusal::NotTied => Problem::new(Code::PreconditionRequired).detail(said),
            Refusal::KeyMismatch => Problem::new(Code::IdempotencyMismatch),
            Refusal::KeyInFlight => Problem::new(Code::IdempotencyInFlight),
            Refusal::WebhookRefused(_) => Problem::new(Code::WebhookRefused).detail(said),
            Refusal::Budget { fault, place } => budget(&fault, place),
            Refusal::Unfinished(unfinished) => unfinished.into(),
            Refusal::Overloaded => Problem::new(Code::Overloaded).detail(said),
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

fn budget(fault: &wyrmgate_engine::Fault, place: Option<Place>) -> Problem {
    let reason = session::RefusalReason {
        message: wyrmgate_view::sentence(fault),
        clauses: Vec::new(),
        place,
    };
    Problem::new(Code::RulesBudgetExceeded)
        .detail(wyrmgate_view::sentence(fault))
        .limit(fault.kind.name())
        .reason(reason.into())
}

/// Logs the cause and returns a problem that reveals nothing but a code.
fn fault(why: &str) -> Problem {
    tracing::error!(%why, "internal error");
    Problem::new(Code::Internal)
}

fn store(error: &StoreError) -> Problem {
    tracing::error!(%error, "the store failed");
    match error {
        StoreError::Unavailable(_) | StoreError::Full(_) => Problem::new(Code::StoreUnavailable),
        StoreError::OutcomeUnknown(_) => Problem::new(Code::OutcomeUnknown),
        StoreError::Corrupt(_) => Problem::new(Code::Internal).detail(DAMAGED),
        StoreError::Misconfigured(_) | StoreError::Broken(_) => Problem::new(Code::Internal),
    }
}
