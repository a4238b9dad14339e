//! `/v1/tournaments`: round robins and Swiss tournaments over sessions.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::api::catalog::{checking, games};
use crate::api::request::access::OperatorScope;
use crate::api::request::call::{ApiCall, BodyCall, Handled, NoParameters};
use crate::api::request::context::JsonContext;
use crate::api::request::display_name::shown_text;
use crate::api::request::extract::Json;
use crate::api::request::lists;
use crate::api::response::respond::{self, ListPage, page_schema};
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::labels::key_of;
use crate::api::session::terms::checked_clock;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{
    Clock, PlayerId, Stage, Terms, Tournament, TournamentEntry, TournamentFormat, TournamentOrder,
    TournamentTable, TournamentTerms, game_and_variant, rfc3339,
};

/// Maximum number of letters of a name.
const NAME_MAX: usize = 100;
const ROUNDS_MAX: u32 = 32;

/// A tournament to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Sunday", "game": "demo", "format": "swiss", "rounds": 5, "clock": {"game_ms": 300_000}}))]
pub struct NewTournament {
    #[schema(max_length = 100)]
    name: String,
    /// The name of a game. All rounds have its present rules.
    game: String,
    variant: Option<String>,
    /// Options that differ from their defaults.
    #[serde(default)]
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    options: Map<String, Value>,
    /// Number of seats of a table. More than two only in a Swiss tournament: tables are then neighbours by points.
    #[serde(default = "two")]
    #[schema(minimum = 2, maximum = 8, default = 2)]
    seats: u8,
    /// Time limits of all games. Who runs out of time loses, or moves at random in games in which no single seat can lose.
    clock: Clock,
    /// Whether the games count for ratings.
    #[serde(default)]
    rated: bool,
    format: TournamentFormat,
    /// Number of rounds of a Swiss tournament. A round robin has as many as it needs.
    #[schema(minimum = 1, maximum = 32)]
    rounds: Option<u32>,
    /// Players for whom you act: `me`, or names of yours. Others join by themselves.
    #[serde(default)]
    #[schema(max_items = 512)]
    players: Vec<String>,
}

const PLAYERS_MAX: usize = 512;

fn two() -> u8 {
    2
}

/// A tournament, with its rounds so far.
#[derive(Serialize, ToSchema)]
#[schema(as = Tournament)]
pub struct TournamentDocument {
    id: String,
    name: String,
    /// Who starts it, if that is a player or the holder of an operator key.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^p_[0-9a-f]{32}$")]
    creator: Option<PlayerId>,
    /// `waiting` while players can join.
    status: Stage,
    #[serde(flatten)]
    played: TournamentGame,
    format: TournamentFormat,
    /// Number of rounds in all; in a round robin that waits, with the players so far.
    rounds: usize,
    /// The best first. Equal points are ordered by `tie_break` and then by `direct`.
    standings: Vec<TournamentPlace>,
    /// The tables of each round so far.
    pairings: Vec<Vec<TournamentPairing>>,
    /// The tag by which `GET /v1/sessions?tag=` finds all sessions.
    tag: String,
    #[schema(format = DateTime)]
    created_at: String,
}

/// What is played at the tables of a tournament.
#[derive(Serialize, ToSchema)]
pub struct TournamentGame {
    game: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    options: Map<String, Value>,
    /// Number of seats of a table.
    #[schema(minimum = 2, maximum = 8)]
    seats: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    rated: bool,
}

/// The place of somebody who takes part.
#[derive(Serialize, ToSchema)]
pub struct TournamentPlace {
    /// From 1. Equal ones share a place.
    #[schema(minimum = 1)]
    place: usize,
    #[serde(flatten)]
    who: TournamentPlayer,
    /// A win is one point, a tie half of one; with more than two seats, divided by the number of opponents. A round without an
    /// opponent is one point.
    points: f64,
    /// In a Swiss tournament Buchholz, the points of all opponents; in a round robin Sonneborn-Berger, the points of each
    /// opponent times the own points against it.
    tie_break: f64,
    /// Points against others with the same points and tie-break.
    direct: f64,
    /// Number of games that are over.
    games: usize,
    /// Present and true if the player plays no further rounds.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(required = false)]
    withdrawn: bool,
}

/// Somebody who takes part. Nothing is left of a player who is forgotten.
#[derive(Serialize, ToSchema)]
pub struct TournamentPlayer {
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^p_[0-9a-f]{32}$")]
    player: Option<PlayerId>,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

/// A table of a round.
#[derive(Serialize, ToSchema)]
pub struct TournamentPairing {
    /// The session, which begins within seconds. None for somebody without an opponent.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<String>,
    /// Seat 1 first.
    seats: Vec<TournamentSeat>,
}

/// A seat of a table.
#[derive(Serialize, ToSchema)]
pub struct TournamentSeat {
    #[serde(flatten)]
    who: TournamentPlayer,
    /// Once the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<f64>,
}

page_schema!("A page of tournaments.", "Cursor of the next page.", TournamentPage: TournamentEntry);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct TournamentPath {
    /// The id of a tournament.
    tournament: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TournamentList {
    /// `me`, or the id of a player: only tournaments in which it takes part or that it has created.
    #[param(pattern = "^(me|p_[0-9a-f]{32})$")]
    player: Option<String>,
    /// Maximum number of items in the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `next` from the previous page.
    #[param(pattern = "^[0-9a-f]{16}[A-Za-z0-9_-]+$")]
    cursor: Option<String>,
}

/// Create a tournament
///
/// Players join until its creator starts it. Then its sessions are created round by round, as soon as all games of the round
/// before are over, with everybody seated: who does not come loses by the clock. A round robin follows the Berger tables; a Swiss
/// tournament pairs equal points, upper half against lower half, and nobody meets an opponent or has no opponent twice as long as
/// that is possible.
#[utoipa::path(
    post, path = "/v1/tournaments",
    operation_id = "createTournament", tag = "players", request_body = NewTournament,
    responses((status = 201, description = "The tournament", body = TournamentDocument,
        headers(("Location" = String, description = "URL of the tournament")))),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "not-found", "not-now"]))),
)]
pub async fn create(call: BodyCall<Json<NewTournament>>) -> Handled {
    let (context, Json(wanted)) = (call.context, call.body);
    context.require(OperatorScope::Create)?;
    let order = order(&context, wanted).await?;
    let created = context
        .service()
        .create_tournament(order, context.key())
        .await?;
    let location = Some(format!("/v1/tournaments/{}", created.id));
    let body = TournamentDocument::of(&created);
    Ok(StoredResponse::new(StatusCode::CREATED, location, &body).respond())
}

async fn order(context: &JsonContext, wanted: NewTournament) -> Result<TournamentOrder, Problem> {
    let wrong = |pointer: &str, what: &str| Problem::unprocessable(pointer, what);
    let name = shown_text("name", &wanted.name, NAME_MAX);
    let name = name.map_err(|why| Problem::unprocessable("/name", why))?;
    let rounds = match (wanted.format, wanted.rounds) {
        (TournamentFormat::RoundRobin, None) => 0,
        (TournamentFormat::Swiss, Some(rounds @ 1..=ROUNDS_MAX)) => rounds,
        (TournamentFormat::RoundRobin, Some(_)) => {
            let needed = "a round robin has as many rounds as it needs; remove `rounds`";
            return Err(wrong("/rounds", needed));
        }
        (TournamentFormat::Swiss, _) => {
            return Err(wrong("/rounds", "name 1 to 32 rounds"));
        }
    };
    if wanted.format == TournamentFormat::RoundRobin && wanted.seats != 2 {
        return Err(wrong("/seats", "tables of a round robin have two seats"));
    }
    if wanted.seats < 2 {
        return Err(wrong("/seats", "a table has at least two seats"));
    }
    let variant = wanted.variant.as_deref();
    let ruleset = checking::offered(context, &wanted.game, variant).await?;
    let ruleset = ruleset.ok_or_else(|| {
        let catalog = context.service().library().catalog();
        match variant {
            Some(variant) => games::unknown_variant(&catalog, &wanted.game, variant),
            None => games::unknown(&catalog, &wanted.game),
        }
    })?;
    if wanted.players.len() > PLAYERS_MAX {
        let many = format!("at most {PLAYERS_MAX} players");
        return Err(wrong("/players", &many));
    }
    let mut players = Vec::new();
    for (at, name) in wanted.players.iter().enumerate() {
        let (player, is_acting) = context.named_player(name)?;
        if !is_acting {
            let others = "name only players for whom you act; others join by themselves";
            return Err(wrong(&format!("/players/{at}"), others));
        }
        players.push(player);
    }
    let terms = TournamentTerms {
        name,
        game: ruleset.name.clone(),
        ruleset: ruleset.digest.clone(),
        options: wanted.options,
        seats: wanted.seats,
        terms: Terms {
            clock: Some(checked_clock(wanted.clock, usize::from(wanted.seats))?),
            rated: wanted.rated,
            ..Terms::default()
        },
        format: wanted.format,
        rounds,
        creator: Some(creator(context)?),
        key: key_of(context),
        created_at_ms: 0,
    };
    Ok(TournamentOrder {
        terms,
        ruleset,
        players,
    })
}

/// Returns the player who calls, or the holder of the operator key.
fn creator(context: &JsonContext) -> Result<PlayerId, Problem> {
    let holder = context
        .operator_key()
        .map(|key| PlayerId::of_key(&key.name));
    context.player().or_else(|none| holder.ok_or(none))
}

/// List tournaments, newest first
///
/// Of everybody, or those that one player plays or has created.
#[utoipa::path(
    get, path = "/v1/tournaments",
    operation_id = "listTournaments", tag = "players", params(TournamentList),
    responses((status = 200, description = "A page of tournaments", body = TournamentPage)),
    extensions(("x-codes" = json!(["unprocessable"]))),
)]
pub async fn list(
    ApiCall { context, query, .. }: ApiCall<NoParameters, TournamentList>,
) -> Handled {
    let player = query.player.as_deref();
    let player = player.map(|name| context.named_player(name)).transpose()?;
    let (after, limit) = (
        lists::cursor(query.cursor.as_deref())?,
        lists::limit(query.limit)?,
    );
    let player = player.map(|(player, _)| player);
    let (items, next) = context.service().tournaments(player, after, limit).await?;
    let next = next.map(|cursor| cursor.encode());
    respond::page(&context.request, &ListPage { items, next })
}

/// Get a tournament
///
/// Its standings, and the sessions of each round so far.
#[utoipa::path(
    get, path = "/v1/tournaments/{tournament}",
    operation_id = "getTournament", tag = "players", params(TournamentPath),
    responses((status = 200, description = "The tournament", body = TournamentDocument)),
    extensions(("x-tag" = json!(true))),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<TournamentPath>) -> Handled {
    let tournament = context.service().tournament(&path.tournament).await?;
    respond::tagged_by_content(&context.request, &TournamentDocument::of(&tournament))
}

/// Start a tournament
///
/// For its creator. Nobody can join any more, and the first round begins.
#[utoipa::path(
    post, path = "/v1/tournaments/{tournament}/start",
    operation_id = "startTournament", tag = "players", params(TournamentPath),
    responses((status = 200, description = "The tournament", body = TournamentDocument)),
    extensions(("x-codes" = json!(["forbidden", "not-now"]))),
)]
pub async fn start(ApiCall { context, path, .. }: ApiCall<TournamentPath>) -> Handled {
    let caller = creator(&context).ok();
    let started = context.service().start_tournament(&path.tournament, caller);
    respond::ok(&TournamentDocument::of(&started.await?))
}

/// End a tournament
///
/// For its creator. No further round begins. Games that go on are played to their end, and count.
#[utoipa::path(
    delete, path = "/v1/tournaments/{tournament}",
    operation_id = "endTournament", tag = "players", params(TournamentPath),
    responses((status = 204, description = "The tournament is over")),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn end(ApiCall { context, path, .. }: ApiCall<TournamentPath>) -> Handled {
    let caller = creator(&context).ok();
    let ended = context.service().end_tournament(&path.tournament, caller);
    ended.await?;
    Ok(StoredResponse::empty().respond())
}

/// Join a tournament
///
/// For the player who calls, until the tournament is started.
#[utoipa::path(
    put, path = "/v1/tournaments/{tournament}/players/me",
    operation_id = "joinTournament", tag = "players", params(TournamentPath),
    responses((status = 200, description = "The tournament", body = TournamentDocument)),
    extensions(("x-codes" = json!(["not-now"]))),
)]
pub async fn join(ApiCall { context, path, .. }: ApiCall<TournamentPath>) -> Handled {
    let player = context.player()?;
    let joined = context.service().join_tournament(&path.tournament, player);
    respond::ok(&TournamentDocument::of(&joined.await?))
}

/// Leave a tournament
///
/// For the player who calls. After the start it keeps its points and gets no further tables; its game goes on.
#[utoipa::path(
    delete, path = "/v1/tournaments/{tournament}/players/me",
    operation_id = "leaveTournament", tag = "players", params(TournamentPath),
    responses((status = 204, description = "The player takes no further part")),
    extensions(("x-codes" = json!(["not-now"]))),
)]
pub async fn leave(ApiCall { context, path, .. }: ApiCall<TournamentPath>) -> Handled {
    let player = context.player()?;
    let left = context.service().leave_tournament(&path.tournament, player);
    left.await?;
    Ok(StoredResponse::empty().respond())
}

impl TournamentDocument {
    fn of(of: &Tournament) -> TournamentDocument {
        let terms = &of.terms;
        let (game, variant) = game_and_variant(&terms.game);
        let standings = of.standings().into_iter();
        let rounds = of.rounds.iter();
        let pairings = rounds.map(|tables| tables.iter().map(|table| pairing(of, table)).collect());
        TournamentDocument {
            id: of.id.clone(),
            name: terms.name.clone(),
            creator: terms.creator,
            status: of.stage,
            played: TournamentGame {
                game: game.to_owned(),
                variant: variant.map(str::to_owned),
                options: terms.options.clone(),
                seats: terms.seats,
                clock: terms.terms.clock,
                rated: terms.terms.rated,
            },
            format: terms.format,
            rounds: of.rounds_in_all(),
            standings: standings
                .map(|rank| TournamentPlace {
                    place: rank.place,
                    who: player(of, rank.entrant),
                    points: rank.points,
                    tie_break: rank.tie_break,
                    direct: rank.direct,
                    games: rank.games,
                    withdrawn: of.entrants.get(rank.entrant).is_some_and(|of| of.is_out),
                })
                .collect(),
            pairings: pairings.collect(),
            tag: of.tag(),
            created_at: rfc3339(terms.created_at_ms),
        }
    }
}

fn pairing(of: &Tournament, table: &TournamentTable) -> TournamentPairing {
    let seats = table.entrants.iter().enumerate();
    let points = |seat: usize| table.points.as_ref()?.get(seat).copied();
    let seats = seats.map(|(seat, entrant)| TournamentSeat {
        who: player(of, *entrant),
        points: points(seat),
    });
    TournamentPairing {
        session: table.session.clone(),
        seats: seats.collect(),
    }
}

fn player(of: &Tournament, entrant: usize) -> TournamentPlayer {
    let entrant = of.entrants.get(entrant);
    TournamentPlayer {
        player: entrant.and_then(|entrant| entrant.player),
        name: entrant.and_then(|entrant| entrant.name.clone()),
    }
}
