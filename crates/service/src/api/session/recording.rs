//! `/v1/sessions/{id}/record`: the record of a finished game.

use crate::api::catalog::games;
use crate::api::request::call::{ApiCall, Handled};
use serde::Serialize;
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::api::request::numbers::make_whole;
use crate::api::response::respond;
use crate::api::session::sessions::{SeatEntropy, SessionOutcome, SessionPath};
use crate::api::shared::accept;
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_analysis::notation::{GameText, games_in, noted_game, recorded};
use wyrmgate_analysis::record::{Record, RecordError};
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_compile::check::OptionProblem;
use wyrmgate_engine::EndReason;
use wyrmgate_program::Syntax;
use wyrmgate_sessions::{Refusal, Stage};

/// Everything needed to replay a game: rules, seed and choices.
#[derive(Serialize, ToSchema)]
pub struct GameRecord {
    #[schema(minimum = 1)]
    format: u32,
    game: String,
    /// The digest of the ruleset.
    ruleset: String,
    #[schema(minimum = 1, maximum = 8)]
    seats: u8,
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    options: Map<String, Value>,
    /// The seed, in hexadecimal digits. It is derived from the members of `fairness`.
    #[schema(min_length = 64, max_length = 64)]
    seed: Option<String>,
    fairness: Option<RecordedFairness>,
    /// Every choice, in order.
    log: Vec<RecordedChoice>,
    /// Every random operation, in order, so that the seed can be verified without the rules.
    chance: Option<Vec<RecordedChance>>,
    outcome: Option<SessionOutcome>,
    /// Present and true if choices were undone although someone had learned something from them, or may have.
    #[schema(required = false)]
    past_information: bool,
}

/// The values from which the seed is derived.
#[derive(Serialize, ToSchema)]
pub struct RecordedFairness {
    /// BLAKE3 hash of the secret. The session showed it from the beginning.
    #[schema(min_length = 64, max_length = 64)]
    commitment: String,
    /// The server's secret. It is the seed itself if no seat contributed entropy.
    #[schema(min_length = 64, max_length = 64)]
    secret: String,
    /// The entropy of the seats, in order of the seats.
    entropy: Vec<SeatEntropy>,
}

/// One random operation.
#[derive(Serialize, ToSchema)]
pub struct RecordedChance {
    /// Number of choices in the log before it.
    after: usize,
    /// Number of random operations before it.
    number: u32,
    /// One of `shuffle`, `roll`, `draw` and `choice`, with its result; see `docs/record-format.md`.
    #[schema(value_type = Object, additional_properties)]
    result: Map<String, Value>,
}

/// One choice.
#[derive(Serialize, ToSchema)]
pub struct RecordedChoice {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    /// Index (from 0) among the decisions that were owed at that moment.
    decision: usize,
    option: Option<String>,
    /// The chosen values, with the names that the deciding seat sees.
    #[schema(value_type = Object, additional_properties)]
    args: Map<String, Value>,
    /// Present and true if the seat resigned instead of choosing, in a game whose rules say what follows.
    #[schema(required = false)]
    resigns: bool,
    /// Why it left the game, if the seat resigned, ran out of time or was absent.
    #[schema(value_type = Option<String>, required = false)]
    reason: EndReason,
}

/// Reads a record that a client sends.
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

/// Returns the record of a game that begins with these moves.
pub fn record_of_moves(
    ruleset: &Ruleset,
    seats: usize,
    options: &Map<String, Value>,
    seed: [u8; 32],
    moves: &str,
) -> Result<Record, Problem> {
    let wrong = |problem: String| Problem::unprocessable("/moves", problem);
    let refused = |problems: Vec<OptionProblem>| Problem::from(Refusal::of_options(problems));
    let program = ruleset.program(seats, options).map_err(refused)?;
    let options = ruleset.complete_options(seats, options).map_err(refused)?;
    let syntax = program.prose.notation.syntax.unwrap_or(Syntax::Pgn);
    let game = games_in(moves, syntax).next();
    let game = game.unwrap_or_else(|| Ok(GameText::default()));
    let game = game.map_err(|problem| wrong(problem.to_string()))?;
    recorded(&program, &game, seed, &options).map_err(|problem| wrong(problem.to_string()))
}

/// Get the record of a finished game
///
/// With `Accept: text/plain`: as a text that other programs read, in the syntax that the rules of the game name (PGN, PDN, SGF).
///
/// `wyrmgate replay` plays a saved record again and verifies every shuffle and roll.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/record",
    operation_id = "getRecord", tag = "sessions", params(SessionPath),
    responses((status = 200, description = "The record of the game", content((GameRecord = "application/json"), (String = "text/plain")))),
    extensions(("x-codes" = json!(["session-running", "forbidden"])), ("x-tag" = json!(true))),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<SessionPath>) -> Handled {
    let (live, caller) = context.look(&path.session, None).await?;
    if live.stage() != Stage::Finished || live.is_closed() {
        return Err(Problem::new(ProblemCode::SessionRunning)
            .detail("the record is available after the end of the game"));
    }
    live.may_watch(caller)?;
    let form = accept::best(&context.request, &[accept::JSON, accept::TEXT])?;
    let record = context.service().record(&live).await?;
    if form == accept::TEXT {
        let program = live.program.clone();
        let replaying = &context.app().heavy.replaying;
        let text = replaying.run(move || noted_game(&record, &program)).await?;
        let text = text.map_err(|error| Problem::unprocessable("", error.to_string()))?;
        let tag = live.tag(caller);
        return respond::tagged_as(&context.request, &tag, accept::PLAIN, || Ok(text.into()));
    }
    respond::tagged(&context.request, &live.tag(caller), || Ok(record))
}
