//! `/v1/sessions/{id}/record`: a finished game to take home.

use actix_web::{HttpRequest, HttpResponse};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::context::Context;
use super::extract::{Asked, Nothing};
use super::numbers::make_whole;
use super::path::Named;
use super::problem::{Code, Problem};
use super::respond;
use super::sessions::{Outcome, SeatEntropy, SessionPath};
use crate::session::Stage;
use wyrmgate_analysis::record::{Record, RecordError};

/// What has to be known to play a game again: rules, seed, choices. Everything else follows.
#[derive(Serialize, ToSchema)]
pub struct GameRecord {
    #[schema(minimum = 1)]
    format: u32,
    game: String,
    /// The digest of the ruleset.
    ruleset: String,
    #[schema(minimum = 1, maximum = 8)]
    seats: u8,
    #[schema(value_type = std::collections::HashMap<String, super::games::OptionValue>)]
    options: Map<String, Value>,
    /// The seed, in hexadecimal digits: it follows from what is in `fairness`.
    #[schema(min_length = 64, max_length = 64)]
    seed: Option<String>,
    fairness: Option<RecordedFairness>,
    /// Every choice, in the order made.
    log: Vec<RecordedChoice>,
    /// Every random operation, in the order it happened, so that it can be checked by the seed without the rules.
    chance: Option<Vec<RecordedChance>>,
    outcome: Option<Outcome>,
}

/// What the seed follows from.
#[derive(Serialize, ToSchema)]
pub struct RecordedFairness {
    /// The BLAKE3 hash of the secret, as the session has shown it from the beginning.
    #[schema(min_length = 64, max_length = 64)]
    commitment: String,
    /// The server's secret; the seed itself, if no seat has brought anything.
    #[schema(min_length = 64, max_length = 64)]
    secret: String,
    /// What seats have brought, in their order.
    entropy: Vec<SeatEntropy>,
}

/// One random operation.
#[derive(Serialize, ToSchema)]
pub struct RecordedChance {
    /// How many choices of the log came before it.
    #[schema(minimum = 0)]
    after: usize,
    /// How many random operations came before it.
    #[schema(minimum = 0)]
    number: u32,
    /// One of `shuffle`, `roll`, `draw` and `choice`, and what it brought; see `docs/record-format.md`.
    #[schema(value_type = Object, additional_properties)]
    result: Map<String, Value>,
}

/// One choice.
#[derive(Serialize, ToSchema)]
pub struct RecordedChoice {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    /// Which of the decisions owed at that moment, from 0.
    #[schema(minimum = 0)]
    decision: usize,
    option: Option<String>,
    /// What was chosen, as the deciding seat named it.
    #[schema(value_type = Object, additional_properties)]
    args: Map<String, Value>,
}

/// A record as a client sends it.
pub fn record_of(sent: Map<String, Value>) -> Result<Record, Problem> {
    let mut sent = Value::Object(sent);
    make_whole(&mut sent);
    Record::from_json(&sent.to_string()).map_err(|error| {
        let said = error.to_string();
        match error {
            RecordError::Malformed(_) => Problem::malformed("/record", said),
            _ => Problem::unprocessable("/record", said),
        }
    })
}

/// The record of a finished game
///
/// Save it and `wyrmgate replay` plays it again, checking every shuffle and roll.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/record",
    operation_id = "getRecord", tag = "sessions", params(SessionPath),
    responses(
        (status = 200, description = "The record", body = GameRecord),
        (status = 304, description = "The client has it already"),
    ),
    extensions(("x-codes" = json!(["unauthenticated", "not-found", "session-running"])), ("x-tag" = json!(true))),
)]
pub async fn get(
    context: Context,
    request: HttpRequest,
    path: Named<SessionPath>,
    _: Asked<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (live, caller) = context.look(&request, &path.session, None).await?;
    if live.stage() != Stage::Finished {
        return Err(Problem::new(Code::SessionRunning)
            .detail("the record is sealed until the game is over"));
    }
    let record = context.service().record(&live).await?;
    respond::tagged(&request, &live.tag(caller), || Ok(record))
}
