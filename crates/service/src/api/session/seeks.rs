//! `/v1/seeks`: finding others who want to play the same.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::{IntoParams, ToSchema};

use crate::api::catalog::games;
use crate::api::request::access::OperatorScope;
use crate::api::request::call::{ApiCall, BodyCall, Handled, NoParameters};
use crate::api::request::context::JsonContext;
use crate::api::request::display_name::display_name;
use crate::api::request::extract::Json;
use crate::api::request::{lists, object};
use crate::api::response::respond::{self, ListPage, page_schema};
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::creation::{self, NewSession};
use crate::api::session::new_seats::NewSeat;
use crate::api::session::sessions::{Session, SessionPath, describe};
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{
    Call, Clock, CommittedChange, Endings, LobbyEntry, NoEntropy, PlayerId, PlayerProfile,
    RatingRange, Refusal, Seat, SeatedPlayer, Seeker, SessionOrder, Sought, Stage, Token,
    TokenRights, game_and_variant, rating_in, rfc3339,
};
use wyrmgate_store::{Index, ListQuery};

/// The game that somebody wants to play. With `game` alone, this is a quick match: the game as its rules recommend it.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "demo"}))]
pub struct NewSeek {
    /// The name of a game.
    game: String,
    /// A variant of the game. Join several in the order in which they apply, as in `short+windy`.
    variant: Option<String>,
    /// Options that differ from their defaults.
    #[serde(default)]
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    options: Map<String, Value>,
    /// Number of seats. Defaults to the smallest number that the game allows.
    #[schema(minimum = 1, maximum = 8)]
    seats: Option<u8>,
    /// Time limits. Without a clock, time is unlimited.
    clock: Option<Clock>,
    /// How the game may end besides by its rules.
    #[serde(default, deserialize_with = "object::one")]
    endings: Endings,
    /// Whether the result counts for the ratings. Only for players.
    #[serde(default)]
    rated: bool,
    /// Which ratings you want to meet, in games like this. Only for players; the first rating of a player is 1500.
    #[serde(default, deserialize_with = "object::one")]
    rating: RatingRange,
    /// Time after which the seek ends. Defaults to ten minutes.
    #[schema(minimum = 1_000, maximum = 604_800_000)]
    expires_after_ms: Option<u64>,
    /// Display name. Defaults to that of the player.
    #[schema(max_length = 64)]
    name: Option<String>,
}

/// The seat of a seeker.
#[derive(Serialize, ToSchema)]
pub struct FoundSeat {
    /// Whether others are there. Otherwise you wait in the session until somebody comes: then its game begins, or it ends and you
    /// sit in another one (`matched_in`), with the same token.
    matched: bool,
    #[schema(minimum = 1, maximum = 8)]
    seat: u8,
    /// Token for the seat, unless you are a player. Shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "wg_seat_…")]
    token: Option<String>,
    session: Session,
}

/// A session that seeks players.
#[derive(Serialize, ToSchema)]
pub struct OpenSeek {
    /// The id of the session.
    id: String,
    game: String,
    /// The variant of the game, or several.
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    /// Every option of the game with its value.
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    options: Map<String, Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    rated: bool,
    /// The ratings that are sought.
    rating: RatingRange,
    /// Number of seats.
    #[schema(minimum = 1, maximum = 8)]
    seats: u8,
    /// Who sits there already.
    players: Vec<WaitingPlayer>,
    #[schema(format = DateTime)]
    created_at: String,
    /// When the session ends unless its game has begun.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    expires_at: Option<String>,
}

/// Somebody who waits for others.
#[derive(Serialize, ToSchema)]
pub struct WaitingPlayer {
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// The player, if it is known across sessions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, pattern = "^p_[0-9a-f]{32}$")]
    player: Option<PlayerId>,
}

page_schema!("A page of open seeks.", "Cursor of the next page.", SeekPage: OpenSeek);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SeekList {
    /// Only seeks for this game.
    game: Option<String>,
    /// Maximum number of items in the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `next` from the previous page.
    #[param(pattern = "^[0-9a-f]{16}[A-Za-z0-9_-]+$")]
    cursor: Option<String>,
}

const EXPIRES_MS: u64 = 600_000;
const RATING_MAX: i32 = 10_000;

/// Seek others to play with
///
/// You get a seat in the oldest session that seeks the same: game, options, number of seats, terms, and ratings that fit. If there
/// is none, you get one in a new session, and others find you. The seat is drawn by lot. You never meet yourself, if you are a
/// player.
#[utoipa::path(
    post, path = "/v1/seeks",
    operation_id = "createSeek", tag = "sessions", request_body = NewSeek,
    responses((status = 201, description = "Your seat", body = FoundSeat,
        headers(("Location" = String, description = "URL of the session")))),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "not-found", "not-now", "rules-budget-exceeded"]))),
)]
pub async fn create(ApiCall { context, body, .. }: BodyCall<Json<NewSeek>>) -> Handled {
    let Json(wanted) = body;
    context.require(OperatorScope::Create)?;
    let range = checked_range(wanted.rating)?;
    if wanted.rated || !range.is_any() {
        context.player()?;
    }
    let name = wanted.name.as_deref().filter(|name| !name.is_empty());
    let name = name.map(display_name).transpose();
    let name = name.map_err(|wrong| Problem::unprocessable("/name", wrong))?;
    let order = order(&context, wanted).await?;
    let token = Token::random(TokenRights::Seat);
    let token = token.map_err(|none: NoEntropy| Problem::from(Refusal::from(none)))?;
    let seeker = seeker(&context, &order, &token, name, range).await?;
    let service = context.service();
    let sought = service.seek(&order, &seeker, context.key()).await?;
    // A repeated request has another token, with which nobody sits there.
    let is_valid = sought.live.status.seat_of(&token.hash()) == Some(sought.seat);
    let is_shown = is_valid && seeker.seat.player().is_none();
    Ok(found(&sought, is_shown.then(|| token.reveal())).respond())
}

async fn order(context: &JsonContext, wanted: NewSeek) -> Result<SessionOrder, Problem> {
    let seats = wanted.seats.map(|seats| vec![NewSeat::OPEN; seats.into()]);
    let mut session = NewSession::default();
    (session.game, session.variant) = (Some(wanted.game), wanted.variant);
    (session.options, session.seats) = (wanted.options, seats);
    (session.clock, session.endings) = (wanted.clock, wanted.endings);
    session.expires_after_ms = wanted.expires_after_ms.or(Some(EXPIRES_MS));
    let mut order = creation::order(context, session).await?;
    order.terms.rated = wanted.rated;
    order.host = None; // nobody manages a session in which strangers meet
    Ok(order)
}

async fn seeker(
    context: &JsonContext,
    order: &SessionOrder,
    token: &Token,
    name: Option<String>,
    range: RatingRange,
) -> Result<Seeker, Problem> {
    let player = context.token.as_ref().and_then(Token::player);
    let profile = match player {
        Some(player) => context.service().player(player).await?,
        None => PlayerProfile::default(),
    };
    let known = || profile.name.clone().or_else(|| context.issuer_name.clone());
    let seat = Seat::Taken {
        token: token.hash(),
        name: name.or_else(known),
        player,
    };
    let clock = order.terms.clock.as_ref();
    let rating = rating_in(player, &profile, &order.ruleset.name, clock);
    Ok(Seeker {
        seat,
        profile,
        rating,
        range,
    })
}

fn checked_range(range: RatingRange) -> Result<RatingRange, Problem> {
    let ends = [range.least, range.most].into_iter().flatten();
    let are_ratings = ends.clone().all(|end| (0..=RATING_MAX).contains(&end));
    if !are_ratings || !ends.is_sorted() {
        let wanted =
            format!("`least` and `most` are from 0 to {RATING_MAX}, `least` the lower one");
        return Err(Problem::unprocessable("/rating", wanted));
    }
    Ok(range)
}

fn found(sought: &Sought, token: Option<String>) -> StoredResponse {
    let live = &sought.live;
    let taken = live.status.seats.iter();
    let taken = taken.filter(|seat| matches!(seat, Seat::Taken { .. }));
    let body = FoundSeat {
        matched: live.stage() == Stage::Running || taken.count() > 1,
        seat: sought.seat,
        token,
        session: describe(live, Some(sought.seat)),
    };
    let location = format!("/v1/sessions/{}", live.id);
    StoredResponse::new(StatusCode::CREATED, Some(location), &body)
}

/// List open seeks, newest first
///
/// Seek the same to take a seat, or take one of the session: `PUT /v1/sessions/{session}/seats/{seat}`.
#[utoipa::path(
    get, path = "/v1/seeks",
    operation_id = "listSeeks", tag = "sessions", params(SeekList),
    responses((status = 200, description = "A page of seeks", body = SeekPage)),
)]
pub async fn list(ApiCall { context, query, .. }: ApiCall<NoParameters, SeekList>) -> Handled {
    let page = context.service().list(ListQuery {
        index: match &query.game {
            Some(game) => Index::SEEKS.of(game),
            None => Index::SEEKS,
        },
        after: lists::cursor(query.cursor.as_deref())?,
        limit: lists::limit(query.limit)?,
    });
    let page = page.await?;
    let mut items = Vec::with_capacity(page.items.len());
    for listed in page.items {
        let entry = LobbyEntry::read(&listed).map_err(Refusal::Store)?;
        items.extend(OpenSeek::of(listed.session, entry));
    }
    let next = page.next.map(|cursor| cursor.encode());
    respond::page(&context.request, &ListPage { items, next })
}

impl OpenSeek {
    fn of(id: String, entry: LobbyEntry) -> Option<OpenSeek> {
        let seek = entry.seek?;
        let (game, variant) = game_and_variant(&entry.game);
        let players = seek.players.into_iter();
        let players = players.map(|SeatedPlayer { name, player }| WaitingPlayer { name, player });
        Some(OpenSeek {
            id,
            game: game.to_owned(),
            variant: variant.map(str::to_owned),
            options: seek.options,
            clock: seek.clock,
            rated: seek.rated,
            rating: seek.range,
            seats: entry.seats,
            players: players.collect(),
            created_at: rfc3339(entry.created_at_ms),
            expires_at: seek.until_ms.map(rfc3339),
        })
    }
}

/// Withdraw a seek
///
/// Gives your seat up while the game has not begun. The session ends if nobody else is there.
#[utoipa::path(
    delete, path = "/v1/seeks/{session}",
    operation_id = "withdrawSeek", tag = "sessions", params(SessionPath),
    responses((status = 204, description = "You seek no more")),
    extensions(("x-codes" = json!(["forbidden", "session-over", "not-now"]))),
)]
pub async fn withdraw(ApiCall { context, path, .. }: ApiCall<SessionPath>) -> Handled {
    let describe = |_: &CommittedChange| StoredResponse::empty();
    let withdraw = async |call: Call<'_>| context.service().withdraw(call).await;
    context.change(&path.session, describe, withdraw).await
}
