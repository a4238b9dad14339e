//! `/v1/simulations`: many games between built-in players, with statistics.

use crate::api::catalog::games;
use crate::api::request::call::{ApiCall, BodyCall, Handled, NoParameters};
use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::access::OperatorScope;
use crate::api::request::context::JsonContext;
use crate::api::request::extract::Json;
use crate::api::request::{lists, numbers};
use crate::api::response::respond::{self, ListPage, page_schema};
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::sessions::BotName;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{self as session, Bot, GAMES_MAX, SimulationOrder, rfc3339};

/// A simulation to run. Name a game or a ruleset.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "demo", "players": ["search-1", "random"], "games": 100}))]
pub struct NewSimulation {
    game: Option<String>,
    /// The digest of a ruleset.
    ruleset: Option<String>,
    #[serde(default)]
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    options: Map<String, Value>,
    /// One built-in player for each seat. They change seats from game to game.
    #[schema(value_type = Vec<BotName>, min_items = 1, max_items = 8)]
    players: Vec<Bot>,
    #[schema(minimum = 1, maximum = 10_000)]
    games: u64,
    /// Seed in hexadecimal digits. The same seed gives the same games.
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    seed: Option<String>,
}

/// A simulation and its progress.
#[derive(Serialize, ToSchema)]
pub struct Simulation {
    id: String,
    game: String,
    ruleset: String,
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    options: Map<String, Value>,
    #[schema(value_type = Vec<BotName>)]
    players: Vec<Bot>,
    #[schema(minimum = 1)]
    games: u64,
    #[schema(min_length = 64, max_length = 64)]
    seed: String,
    status: SimulationStatus,
    /// Number of finished games.
    played: u64,
    #[schema(format = DateTime)]
    created_at: String,
    /// The result of a finished simulation: wins by seat and by player with 95 % Wilson intervals, draws, and the
    /// length of the games. The same as `wyrmgate simulate --json` prints.
    #[schema(required, value_type = Option<Object>, additional_properties)]
    summary: Option<Value>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SimulationStatus {
    Running,
    Finished,
    /// Every server that started it stopped before the end, or it took more than an hour of playing.
    Failed,
}

page_schema!("A page of simulations.", "Cursor of the next page.", SimulationPage: Simulation);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SimulationList {
    /// Maximum number of items in the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `next` from the previous page.
    #[param(pattern = "^[0-9a-f]{16}[A-Za-z0-9_-]+$")]
    cursor: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SimulationPath {
    /// The id of a simulation.
    simulation: String,
}

/// Start a simulation
///
/// The server that receives the request plays the games one after the other; callers take turns, so that one with many
/// games holds up nobody. Poll the `Location` for progress, and delete the simulation to end it. If that server stops,
/// another one plays the same games again.
#[utoipa::path(
    post, path = "/v1/simulations",
    operation_id = "simulate", tag = "games", request_body = NewSimulation,
    responses((status = 201, description = "The simulation has started", body = Simulation,
        headers(("Location" = String, description = "URL of the simulation")))),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "not-found"]))),
)]
pub async fn create(ApiCall { context, body, .. }: BodyCall<Json<NewSimulation>>) -> Handled {
    context.require(OperatorScope::Simulate)?;
    let order = order(&context, body.0).await?;
    let simulation = context.service().simulate(order, context.key()).await?;
    let mut response = HttpResponse::Created();
    response.insert_header((LOCATION, format!("/v1/simulations/{}", simulation.id)));
    respond::finish(response, &describe(simulation))
}

async fn order(context: &JsonContext, wanted: NewSimulation) -> Result<SimulationOrder, Problem> {
    if !(1..=GAMES_MAX).contains(&wanted.games) {
        let range = format!("the number of games must be between 1 and {GAMES_MAX}");
        return Err(Problem::malformed("/games", range));
    }
    let service = context.service();
    let (game, digest) = (wanted.game.as_deref(), wanted.ruleset.as_deref());
    let either = "send exactly one of `game` and `ruleset`";
    Ok(SimulationOrder {
        ruleset: games::named(service, game, digest, either).await?,
        options: wanted.options,
        players: wanted.players,
        games: wanted.games,
        seed: numbers::seed(wanted.seed.as_deref())?,
        caller: context.caller(),
    })
}

/// List simulations, newest first
///
/// The simulations that this operator key has started, with their progress.
#[utoipa::path(
    get, path = "/v1/simulations",
    operation_id = "listSimulations", tag = "games", params(SimulationList),
    responses((status = 200, description = "A page of simulations", body = SimulationPage)),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn list(
    ApiCall { context, query, .. }: ApiCall<NoParameters, SimulationList>,
) -> Handled {
    context.require(OperatorScope::Simulate)?;
    let limit = lists::limit(query.limit)?;
    let cursor = lists::cursor(query.cursor.as_deref())?;
    let (found, next) = context.service().simulations(cursor, limit).await?;
    let items = found.into_iter().map(describe).collect();
    let next = next.map(|cursor| cursor.encode());
    respond::page(&context.request, &ListPage { items, next })
}

/// Get a simulation
///
/// Its progress, and its results so far.
#[utoipa::path(
    get, path = "/v1/simulations/{simulation}",
    operation_id = "getSimulation", tag = "games", params(SimulationPath),
    responses((status = 200, description = "The simulation", body = Simulation)),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<SimulationPath>) -> Handled {
    context.require(OperatorScope::Simulate)?;
    let simulation = context.service().simulation(&path.simulation).await?;
    respond::ok(&describe(simulation))
}

/// Delete a simulation
///
/// Ends it if it is running. Its results so far are lost.
#[utoipa::path(
    delete, path = "/v1/simulations/{simulation}",
    operation_id = "removeSimulation", tag = "games", params(SimulationPath),
    responses((status = 204, description = "Deleted")),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn remove(ApiCall { context, path, .. }: ApiCall<SimulationPath>) -> Handled {
    context.require(OperatorScope::Simulate)?;
    let (service, key) = (context.service(), context.key());
    service.remove_simulation(&path.simulation, key).await?;
    Ok(StoredResponse::empty().respond())
}

fn describe(of: session::StoredSimulation) -> Simulation {
    let status = match &of.summary {
        Some(_) => SimulationStatus::Finished,
        None if of.is_given_up => SimulationStatus::Failed,
        None => SimulationStatus::Running,
    };
    Simulation {
        id: of.id,
        game: of.game,
        ruleset: of.ruleset,
        options: of.options,
        players: of.players,
        games: of.games,
        seed: of.seed,
        status,
        played: of.played,
        created_at: rfc3339(of.created_at_ms),
        summary: of.summary,
    }
}
