//! The table of problem codes.

use actix_web::http::StatusCode;

/// A row of the table.
#[derive(Debug, Clone, Copy)]
pub struct CodeRow {
    pub code: &'static str,
    pub status: u16,
    /// The same for every occurrence of the code.
    pub title: &'static str,
    /// Advice for the client.
    pub advice: &'static str,
}

macro_rules! codes {
    ($($name:ident $code:literal $status:literal $title:literal $advice:literal;)*) => {
        /// The stable code of a kind of problem.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ProblemCode { $($name),* }

        impl ProblemCode {
            pub const ALL: &'static [ProblemCode] = &[$(ProblemCode::$name),*];

            pub const fn row(self) -> CodeRow {
                match self {
                    $(ProblemCode::$name => CodeRow { code: $code, status: $status, title: $title, advice: $advice },)*
                }
            }
        }
    };
}

codes! {
    Malformed "malformed" 400 "The request is malformed"
        "Compare the request with the OpenAPI document. `errors` points at the invalid part.";
    Unauthenticated "unauthenticated" 401 "A valid credential is required"
        "Send `Authorization: Bearer` with a token of this session.";
    Forbidden "forbidden" 403 "The credential does not allow this request"
        "Use the token of the seat or of the owner.";
    PlayerRequired "player-required" 403 "Only a player can do this"
        "Send the credential of a player, so that the result can be counted. `POST /v1/players` makes one.";
    WebhookRefused "webhook-refused" 403 "The server refuses this webhook"
        "See `detail`. The operator of the server decides whether webhooks are on and which addresses they may call.";
    TextRefused "text-refused" 403 "The server refuses this text"
        "See `detail`. The operator of the server decides whether games with free text are played, and which words they may contain.";
    NotFound "not-found" 404 "Not found"
        "Check the URL. A private session is visible only with one of its tokens.";
    MethodNotAllowed "method-not-allowed" 405 "The resource does not support this method"
        "Use one of the methods in the header `Allow`.";
    NotAcceptable "not-acceptable" 406 "None of the accepted media types is available"
        "Accept `application/json` or another media type that the OpenAPI document lists.";
    Timeout "timeout" 408 "The request did not arrive in time"
        "Send the whole body at once.";
    SeatTaken "seat-taken" 409 "The seat is taken"
        "Take another seat, or join another session.";
    SessionFull "session-full" 409 "Every seat is taken"
        "Join another session.";
    SessionOver "session-over" 409 "The game is over"
        "Read the outcome of the session.";
    SessionRunning "session-running" 409 "The game is not over yet"
        "Try again when the session is finished.";
    NotYourTurn "not-your-turn" 409 "This seat owes no decision"
        "Wait for events, then read the actions again.";
    NotUndoable "not-undoable" 409 "This choice cannot be undone"
        "Another seat has acted or someone has gained information since. Continue the game.";
    NotNow "not-now" 409 "This cannot be done now"
        "See `detail`: the session allows this at other times of the game.";
    IllegalChoice "illegal-choice" 409 "The rules forbid this choice"
        "`reason` names the rule. Take one of the listed choices.";
    IdempotencyInFlight "idempotency-in-flight" 409 "A request with this key is still running"
        "Retry after the time in `Retry-After`.";
    HistoryRewritten "history-rewritten" 410 "This part of the history was lost"
        "The store lost the end of the session's history. Read the session again and continue from its current version.";
    StaleVersion "stale-version" 412 "The session has a newer version"
        "Read the session again. `version` is the current one.";
    TooLarge "too-large" 413 "The body is too large"
        "Reduce the size of the request.";
    UnsupportedMediaType "unsupported-media-type" 415 "The media type of the body is not supported"
        "Send `Content-Type: application/json`.";
    IdempotencyMismatch "idempotency-mismatch" 422 "The idempotency key was used for a different request"
        "Use a new key for a new request.";
    Unprocessable "unprocessable" 422 "The request does not fit this resource"
        "The request is well-formed, but `errors` points at values that do not fit this game, session or record.";
    InvalidRuleset "invalid-ruleset" 422 "The rules have errors"
        "Fix the errors in `diagnostics`. Each gives a place, a message and advice.";
    RulesBudgetExceeded "rules-budget-exceeded" 422 "The rules exceeded a limit"
        "Report it to the author of the game. `limit` names the exceeded limit.";
    PreconditionRequired "precondition-required" 428 "A move must be tied to a position"
        "Send a choice id, `version`, `If-Match` or an `Idempotency-Key`.";
    RateLimited "rate-limited" 429 "Too many requests"
        "Retry after the time in `Retry-After`.";
    HeadersTooLarge "headers-too-large" 431 "The headers are too large"
        "Reduce the size of the request.";
    Internal "internal" 500 "Internal server error"
        "Report the `request_id` to the operator of the server.";
    StoreUnavailable "store-unavailable" 503 "The store is unavailable"
        "Nothing was changed. Retry after the time in `Retry-After`.";
    Draining "draining" 503 "The server is shutting down"
        "Retry after the time in `Retry-After`.";
    Overloaded "overloaded" 503 "The server is overloaded"
        "Retry after the time in `Retry-After`.";
    OutcomeUnknown "outcome-unknown" 503 "It is unknown whether the change was made"
        "Repeat the request with the same `Idempotency-Key`.";
}

impl ProblemCode {
    pub fn from_text(text: &str) -> Option<ProblemCode> {
        ProblemCode::ALL
            .iter()
            .copied()
            .find(|code| code.row().code == text)
    }

    pub fn status(self) -> StatusCode {
        // The table contains only valid statuses; a test checks each row.
        StatusCode::from_u16(self.row().status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Returns the code for an error response that the framework made.
    pub fn of_status(status: StatusCode) -> ProblemCode {
        let known = ProblemCode::ALL
            .iter()
            .copied()
            .find(|code| code.status() == status);
        known.unwrap_or(if status.is_server_error() {
            ProblemCode::Internal
        } else {
            ProblemCode::Malformed
        })
    }

    /// Returns the number of seconds after which a client may retry.
    pub(super) fn retry_after(self) -> Option<u32> {
        match self {
            ProblemCode::IdempotencyInFlight
            | ProblemCode::RateLimited
            | ProblemCode::StoreUnavailable
            | ProblemCode::Draining
            | ProblemCode::Overloaded
            | ProblemCode::OutcomeUnknown => Some(1),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_has_a_status_that_exists_and_a_code_of_its_own() {
        for code in ProblemCode::ALL {
            let row = code.row();
            assert_eq!(code.status().as_u16(), row.status);
            assert_eq!(ProblemCode::from_text(row.code), Some(*code));
            let kebab = |c: char| c.is_ascii_lowercase() || c == '-';
            assert!(row.code.chars().all(kebab), "{}", row.code);
        }
    }
}
