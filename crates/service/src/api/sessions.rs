//! `/v1/sessions`: the lobby, and one session.

use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use super::context::Context;
use super::extract::{Asked, Nothing};
use super::lists;
use super::numbers;
use super::path::Named;
use super::problem::Problem;
use super::respond::{self, Page};
use super::stored_response::StoredResponse;
use super::terms::{self, Clock, Deadline, ForkPolicy, Replies, Spectators, UndoPolicy};
use crate::session::{
    Bot, Live, Refusal, Seat, Stage, Summary, Visibility as Visible, game_and_variant, index,
};
use wyrmgate_analysis::record;
use wyrmgate_engine as engine;
use wyrmgate_store::{Cursor, ListQuery};

/// A session as everybody may see it.
#[derive(Serialize, ToSchema)]
pub struct Session {
    /// Opaque; gives no right by itself.
    id: String,
    /// The name of its game.
    game: String,
    /// The variant of the game, or several: `short+windy`.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    /// The digest of the rules it is played by.
    ruleset: String,
    /// Every option of the game with its value.
    #[schema(value_type = std::collections::HashMap<String, super::games::OptionValue>)]
    options: Map<String, Value>,
    visibility: Visibility,
    spectators: Spectators,
    undo: UndoPolicy,
    forks: ForkPolicy,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    replies: Replies,
    /// Somebody may have known its chance: the creator brought the seed, or another session was forked from it before it was
    /// over. Once true it stays so.
    practice: bool,
    /// BLAKE3 hash of the secret seed, in hexadecimal digits. The record of the finished game shows the seed.
    #[schema(min_length = 64, max_length = 64)]
    commitment: String,
    /// What seats have brought for the seed, before the game began.
    entropy: Vec<SeatEntropy>,
    status: SessionStatus,
    /// Grows by one with every public change.
    #[schema(minimum = 1)]
    version: u64,
    seats: Vec<SeatState>,
    /// The seats that owe a decision.
    #[schema(example = json!([2]))]
    owing: Vec<u8>,
    /// When their time is up, where there are clocks.
    deadlines: Vec<Deadline>,
    /// How the game ended, once it has.
    #[schema(required)]
    outcome: Option<Outcome>,
    #[schema(format = DateTime)]
    created_at: String,
}

/// What one seat has brought: it is mixed with the server's secret, as `docs/record-format.md` says.
#[derive(Serialize, ToSchema)]
pub struct SeatEntropy {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    #[schema(min_length = 64, max_length = 64)]
    value: String,
}

impl From<&record::Entropy> for SeatEntropy {
    fn from(brought: &record::Entropy) -> SeatEntropy {
        SeatEntropy {
            seat: brought.seat,
            value: brought.value.clone(),
        }
    }
}

/// Who finds a session.
#[derive(Debug, Clone, Copy, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// Listed; anybody may watch what the public sees and take an open seat.
    #[default]
    Public,
    /// Exists only for those who hold one of its tokens or its invite code.
    Private,
}

/// How far a session has come.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SessionStatus {
    /// The game begins when every seat is taken.
    Waiting,
    Running,
    Finished,
}

/// A seat, and who sits there.
#[derive(Serialize, ToSchema)]
pub struct SeatState {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    status: SeatStatus,
    /// What the player is called.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The built-in player that sits there.
    #[serde(skip_serializing_if = "Option::is_none")]
    bot: Option<BotName>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SeatStatus {
    /// Anybody may take it.
    Open,
    /// A person or a program of somebody else sits there.
    Taken,
    /// A player that the server brings sits there.
    Bot,
}

/// A player that the server brings.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
pub enum BotName {
    /// Chooses uniformly among its legal choices.
    #[serde(rename = "random")]
    Random,
    /// Takes the choice after which its score is the best.
    #[serde(rename = "greedy")]
    Greedy,
    /// Thinks ahead, a little.
    #[serde(rename = "search-1")]
    Search1,
    #[serde(rename = "search-2")]
    Search2,
    /// Thinks ahead for as long as the server allows.
    #[serde(rename = "search-3")]
    Search3,
}

/// How a game ended.
#[derive(Serialize, ToSchema)]
pub struct Outcome {
    /// The seats that won; none if the game was drawn.
    winners: Vec<u8>,
    drawn: bool,
    /// The best first.
    ranking: Vec<Rank>,
}

#[derive(Serialize, ToSchema)]
pub struct Rank {
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    /// From 1; equal seats share a place.
    #[schema(minimum = 1, maximum = 8)]
    place: u8,
    /// What was compared, in order.
    keys: Vec<i32>,
}

/// A line of the lobby.
#[derive(Serialize, ToSchema)]
pub struct SessionSummary {
    id: String,
    game: String,
    /// The variant of the game, or several.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    ruleset: String,
    status: SessionStatus,
    /// How many seats there are.
    #[schema(minimum = 1, maximum = 8)]
    seats: u8,
    /// The seats that anybody may take.
    open_seats: Vec<u8>,
    practice: bool,
    #[schema(format = DateTime)]
    created_at: String,
}

/// A page of sessions.
#[derive(ToSchema)]
#[expect(dead_code, reason = "only its schema is used")]
pub struct SessionPage {
    items: Vec<SessionSummary>,
    /// The cursor of the next page.
    #[schema(required)]
    next: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SessionList {
    /// Only sessions of this game.
    game: Option<String>,
    /// Sessions at this stage; those that wait for players, if nothing is said.
    #[param(inline)]
    status: Option<SessionStatus>,
    /// Only sessions with an open seat. A page may then have fewer items than `limit` and still a next one.
    open_seats: Option<bool>,
    /// The most items of the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `next` of the page before.
    #[param(pattern = "^[0-9a-f]{16}[A-Za-z0-9_-]+$")]
    cursor: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SessionPath {
    /// The id of a session.
    pub session: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct MinVersion {
    /// Waits, for a short time, until the session has this version.
    #[param(minimum = 0, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    pub min_version: Option<u64>,
}

/// The lobby: public sessions, newest first
#[utoipa::path(
    get, path = "/v1/sessions",
    operation_id = "listSessions", tag = "sessions", params(SessionList),
    responses((status = 200, description = "One page of sessions", body = SessionPage)),
    extensions(("x-codes" = json!(["malformed"]))),
)]
pub async fn list(
    context: Context,
    request: HttpRequest,
    query: Asked<SessionList>,
) -> Result<HttpResponse, Problem> {
    let Asked(query) = query;
    let cursor = query.cursor.as_deref().map(|text| {
        let bad = || Problem::malformed("cursor", "this is no cursor of ours");
        Cursor::decode(text).ok_or_else(bad)
    });
    let stage = query.status.map_or(Stage::Waiting, Stage::from);
    let index = index(stage);
    let page = context.service().list(ListQuery {
        index: query
            .game
            .as_deref()
            .map_or(index.clone(), |game| index.of(game)),
        after: cursor.transpose()?,
        limit: lists::limit(query.limit)?,
    });
    let page = page.await?;
    let mut items = Vec::with_capacity(page.items.len());
    for listed in page.items {
        let summary = Summary::decode(&listed.summary).map_err(Refusal::Store)?;
        let wanted = query.open_seats != Some(true) || !summary.open_seats.is_empty();
        if wanted {
            items.push(summarize(listed.session, summary));
        }
    }
    let next = page.next.map(|cursor| cursor.encode());
    respond::page(&request, &Page { items, next })
}

/// A session, as everybody may see it
#[utoipa::path(
    get, path = "/v1/sessions/{session}",
    operation_id = "getSession", tag = "sessions", params(SessionPath, MinVersion),
    responses(
        (status = 200, description = "The session", body = Session),
        (status = 304, description = "Nothing has changed"),
    ),
    extensions(("x-codes" = json!(["malformed", "unauthenticated", "not-found", "stale-version"])), ("x-tag" = json!(true))),
)]
pub async fn get(
    context: Context,
    request: HttpRequest,
    path: Named<SessionPath>,
    query: Asked<MinVersion>,
) -> Result<HttpResponse, Problem> {
    let (live, caller) = context
        .look(&request, &path.session, query.0.min_version)
        .await?;
    respond::tagged(&request, &live.tag(caller), || {
        Ok(describe(&live, caller.seat()))
    })
}

/// Remove a session and everything of it
///
/// For its owner only.
#[utoipa::path(
    delete, path = "/v1/sessions/{session}",
    operation_id = "removeSession", tag = "sessions", params(SessionPath),
    responses((status = 204, description = "It is gone")),
    extensions(("x-codes" = json!(["unauthenticated", "forbidden", "not-found", "outcome-unknown"]))),
)]
pub async fn remove(
    context: Context,
    path: Named<SessionPath>,
    _: Asked<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (token, key) = (context.token.as_ref(), context.key());
    context.service().remove(&path.session, token, key).await?;
    Ok(StoredResponse::empty().respond())
}

/// The session as one viewer may see it; only `owing` can differ between viewers.
pub fn describe(live: &Live, viewer: Option<u8>) -> Session {
    let facts = &live.facts;
    let (game, variant) = game_and_variant(&facts.game);
    Session {
        id: live.id.to_string(),
        game: game.to_owned(),
        variant: variant.map(str::to_owned),
        ruleset: facts.ruleset.clone(),
        options: facts.options.clone(),
        visibility: facts.visibility.into(),
        spectators: facts.terms.spectators.into(),
        undo: facts.terms.undo.into(),
        forks: facts.terms.forks.into(),
        clock: facts.terms.clock.map(Clock::from),
        replies: facts.terms.replies.into(),
        practice: live.is_practice(),
        commitment: facts.commitment.clone(),
        entropy: live.status.entropy.iter().map(SeatEntropy::from).collect(),
        status: live.stage().into(),
        version: live.version(),
        seats: (1..).zip(&live.status.seats).map(seat_state).collect(),
        owing: live.owing(viewer),
        deadlines: terms::deadlines(live, viewer),
        outcome: outcome(live),
        created_at: respond::time(facts.created_at_ms),
    }
}

pub fn seat_state((number, seat): (u8, &Seat)) -> SeatState {
    let (status, name, bot) = match seat {
        Seat::Open => (SeatStatus::Open, None, None),
        Seat::Taken { name, .. } => (SeatStatus::Taken, name.clone(), None),
        Seat::Bot(bot) => (SeatStatus::Bot, None, Some(BotName::from(*bot))),
    };
    SeatState {
        seat: number,
        status,
        name,
        bot,
    }
}

/// How the game ended, if it has.
pub fn outcome(live: &Live) -> Option<Outcome> {
    live.play.as_ref()?.state().outcome().map(outcome_of)
}

pub fn outcome_of(outcome: &engine::Outcome) -> Outcome {
    let outcome = record::Outcome::from(outcome);
    let rank = |rank: record::Rank| Rank {
        seat: rank.seat,
        place: rank.place,
        keys: rank.keys,
    };
    Outcome {
        winners: outcome.winners,
        drawn: outcome.drawn,
        ranking: outcome.ranking.into_iter().map(rank).collect(),
    }
}

fn summarize(id: String, summary: Summary) -> SessionSummary {
    let (game, variant) = game_and_variant(&summary.game);
    SessionSummary {
        id,
        game: game.to_owned(),
        variant: variant.map(str::to_owned),
        ruleset: summary.ruleset,
        status: summary.stage.into(),
        seats: summary.seats,
        open_seats: summary.open_seats,
        practice: summary.practice,
        created_at: respond::time(summary.created_at_ms),
    }
}

impl From<BotName> for Bot {
    fn from(name: BotName) -> Bot {
        match name {
            BotName::Random => Bot::Random,
            BotName::Greedy => Bot::Greedy,
            BotName::Search1 => Bot::Search1,
            BotName::Search2 => Bot::Search2,
            BotName::Search3 => Bot::Search3,
        }
    }
}

impl From<Bot> for BotName {
    fn from(bot: Bot) -> BotName {
        match bot {
            Bot::Random => BotName::Random,
            Bot::Greedy => BotName::Greedy,
            Bot::Search1 => BotName::Search1,
            Bot::Search2 => BotName::Search2,
            Bot::Search3 => BotName::Search3,
        }
    }
}

impl From<Visibility> for Visible {
    fn from(visibility: Visibility) -> Visible {
        match visibility {
            Visibility::Public => Visible::Public,
            Visibility::Private => Visible::Private,
        }
    }
}

impl From<Visible> for Visibility {
    fn from(visibility: Visible) -> Visibility {
        match visibility {
            Visible::Public => Visibility::Public,
            Visible::Private => Visibility::Private,
        }
    }
}

impl From<SessionStatus> for Stage {
    fn from(status: SessionStatus) -> Stage {
        match status {
            SessionStatus::Waiting => Stage::Waiting,
            SessionStatus::Running => Stage::Running,
            SessionStatus::Finished => Stage::Finished,
        }
    }
}

impl From<Stage> for SessionStatus {
    fn from(stage: Stage) -> SessionStatus {
        match stage {
            Stage::Waiting => SessionStatus::Waiting,
            Stage::Running => SessionStatus::Running,
            Stage::Finished => SessionStatus::Finished,
        }
    }
}
