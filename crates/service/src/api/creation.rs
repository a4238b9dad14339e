//! `POST /v1/sessions`: a new session, for a game, a ruleset, a record, or once more.

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use super::access::Scope;
use super::checking;
use super::context::Context;
use super::extract::{Asked, Nothing, Sent};
use super::headers;
use super::problem::{Code, Problem};
use super::recording::record_of;
use super::sessions::{Session, Visibility, describe};
use super::stored_response::StoredResponse;
use super::terms::{Clock, ForkPolicy, Replies, Spectators, UndoPolicy};
use crate::session::{
    Before, Bot, Creation, Order, Seat, Terms, Token, hex, hides_tokens, taken_up,
};
use wyrmgate_analysis::record;

/// A session wanted. Name a game or a ruleset.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "demo", "seats": ["open", "random"]}))]
pub struct NewSession {
    /// The name of a game; its present ruleset is taken.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// A variant of the game; several, in the order they lie on it, as `short+windy`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    /// The digest of a ruleset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    ruleset: Option<String>,
    /// Options that are not to have their default.
    #[serde(default)]
    #[schema(value_type = std::collections::HashMap<String, super::games::OptionValue>)]
    options: Map<String, Value>,
    /// Who sits where, seat 1 first. Without it: as few seats as the game allows, all open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_items = 1, max_items = 8)]
    seats: Option<Vec<NewSeat>>,
    #[serde(default)]
    visibility: Visibility,
    #[serde(default)]
    spectators: Spectators,
    #[serde(default)]
    undo: UndoPolicy,
    #[serde(default)]
    forks: ForkPolicy,
    /// Without one everybody has all the time in the world.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<Clock>,
    /// From one to four seconds, if nothing is said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    replies: Option<Replies>,
    /// A record to go on from, as `GET …/record` answers or shortened by its last choices and without its outcome. Its
    /// game and options are taken, and the session is practice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>, additional_properties)]
    record: Option<Map<String, Value>>,
    /// The id of a finished session to play once more with the same people, everybody one seat further: for those who
    /// played it, and alone. Their tokens open their new seats. Whoever asks again is shown the same rematch.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rematch_of: Option<String>,
    /// A seed of your own, in hexadecimal digits: the session is marked as practice for ever.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    seed: Option<String>,
}

/// What a seat is at the beginning.
#[derive(Debug, Clone, Copy, Deserialize, Serialize, ToSchema)]
pub enum NewSeat {
    /// For anybody to take.
    #[serde(rename = "open")]
    Open,
    /// For a built-in player: this one chooses at random.
    #[serde(rename = "random")]
    Random,
    #[serde(rename = "greedy")]
    Greedy,
    #[serde(rename = "search-1")]
    Search1,
    #[serde(rename = "search-2")]
    Search2,
    #[serde(rename = "search-3")]
    Search3,
}

/// A new session, with what only its creator is told.
#[derive(Serialize, ToSchema)]
pub struct CreatedSession {
    #[serde(flatten)]
    session: Session,
    /// For managing the session. Shown once, to whoever created it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "wg_owner_…")]
    owner_token: Option<String>,
    /// For taking a seat of a private session. Shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "wg_invite_…")]
    invite_code: Option<String>,
    /// For watching a private session. Shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "wg_watch_…")]
    spectator_token: Option<String>,
}

/// Create a session
///
/// The game begins when every seat is taken. With an `Idempotency-Key` a repeated request gets the first response. It shows
/// the tokens again only to a caller with an operator's key: without a credential a key identifies nobody.
#[utoipa::path(
    post, path = "/v1/sessions",
    operation_id = "createSession", tag = "sessions", request_body = NewSession,
    responses((status = 201, description = "The session, and the tokens of its creator", body = CreatedSession,
        headers(("Location" = String, description = "Where the session is")))),
    extensions(("x-codes" = json!(["malformed", "unprocessable", "forbidden", "not-found", "session-running", "too-large", "unsupported-media-type",
        "idempotency-mismatch", "rules-budget-exceeded", "outcome-unknown"]))),
)]
pub async fn create(
    context: Context,
    request: HttpRequest,
    _: Asked<Nothing>,
    body: Sent<NewSession>,
) -> Result<HttpResponse, Problem> {
    let Sent(wanted) = body;
    if let Some(id) = &wanted.rematch_of {
        return rematch(&context, &request, id, &wanted).await;
    }
    context.require(Scope::Create)?;
    let order = order(&context, wanted).await?;
    let describe = context.storing_creation(created);
    let service = context.service();
    let creation = service.create_answering(&order, context.key(), &describe);
    respond(&context, creation.await?)
}

async fn rematch(
    context: &Context,
    request: &HttpRequest,
    id: &str,
    wanted: &NewSession,
) -> Result<HttpResponse, Problem> {
    if wanted.game.is_some() || wanted.ruleset.is_some() || wanted.record.is_some() {
        return Err(Problem::malformed("", "`rematch_of` stands alone"));
    }
    let (live, caller) = context.look(request, id, None).await?;
    let creation = context.service().rematch(&live, caller).await?;
    let shows_tokens = !hides_tokens(&creation, context.token.as_ref());
    let mut response = described(&creation, shows_tokens).respond();
    if creation.is_replayed {
        let replayed = HeaderValue::from_static("true");
        response.headers_mut().insert(headers::REPLAYED, replayed);
    }
    Ok(response)
}

/// The response to a creation, made now or before.
pub fn respond(context: &Context, creation: Creation) -> Result<HttpResponse, Problem> {
    match (&creation.first_answer, &context.request_key) {
        (Some(first), Some(key)) => StoredResponse::replay(first, key),
        _ => Ok(created(&creation).respond()),
    }
}

/// The response to whoever has created a session.
pub fn created(creation: &Creation) -> StoredResponse {
    described(creation, true)
}

fn described(creation: &Creation, shows_tokens: bool) -> StoredResponse {
    let live = &creation.live;
    let shown = |token: Option<&Token>| {
        let token = token.filter(|_| shows_tokens);
        token.map(Token::reveal)
    };
    let body = CreatedSession {
        session: describe(live, None),
        owner_token: shows_tokens.then(|| creation.owner.reveal()),
        invite_code: shown(creation.invite.as_ref()),
        spectator_token: shown(creation.watch.as_ref()),
    };
    let location = format!("/v1/sessions/{}", live.id);
    StoredResponse::new(StatusCode::CREATED, Some(location), &body)
}

async fn order(context: &Context, wanted: NewSession) -> Result<Order, Problem> {
    let service = context.service();
    let record = wanted.record.map(record_of).transpose()?;
    let of_record = record.as_ref().map(|record| record.ruleset.clone());
    let named = wanted.ruleset.clone().or(of_record);
    let ruleset = match (&wanted.game, &named) {
        (Some(game), None) => checking::offered(context, game, wanted.variant.as_deref()).await?,
        (None, Some(digest)) if wanted.variant.is_none() => service.ruleset(digest).await?,
        _ => {
            return Err(Problem::malformed(
                "",
                "name either a `game`, perhaps with a `variant`, or a `ruleset`, or send a `record`",
            ));
        }
    };
    let ruleset = ruleset.ok_or_else(|| {
        Problem::new(Code::NotFound).detail("there is no such game, variant or ruleset here")
    })?;
    let fewest = ruleset.checked.seats.first().copied().unwrap_or(1);
    let fewest = record.as_ref().map_or(fewest, |record| record.seats.into());
    let seats = wanted.seats.unwrap_or_else(|| vec![NewSeat::Open; fewest]);
    let seed = wanted.seed.as_deref().map(|text| {
        let bad = || Problem::malformed("/seed", "a seed has 64 hexadecimal digits");
        hex::decode(text).ok_or_else(bad)
    });
    let terms = Terms {
        spectators: wanted.spectators.of()?,
        undo: wanted.undo.into(),
        forks: wanted.forks.into(),
        clock: wanted.clock.map(Clock::of).transpose()?,
        replies: wanted
            .replies
            .map(Replies::of)
            .transpose()?
            .unwrap_or_default(),
    };
    let order = Order {
        ruleset,
        options: wanted.options,
        seats: seats.into_iter().map(NewSeat::seat).collect(),
        visibility: wanted.visibility.into(),
        seed: seed.transpose()?,
        terms,
        before: None,
    };
    match record {
        Some(record) => taking_up(context, order, record).await,
        None => Ok(order),
    }
}

/// The order of a session that goes on from a record.
async fn taking_up(
    context: &Context,
    order: Order,
    record: record::Record,
) -> Result<Order, Problem> {
    if order.seed.is_some() || !order.options.is_empty() {
        return Err(Problem::malformed(
            "/record",
            "a record brings its seed and its options",
        ));
    }
    if order.seats.len() != usize::from(record.seats) {
        let seats = format!("the record has {} seats", record.seats);
        return Err(Problem::unprocessable("/seats", seats));
    }
    let (ruleset, options) = (order.ruleset.clone(), record.options.clone());
    let replaying = &context.app().heavy.replaying;
    let taken_up = replaying.run(move || taken_up(&ruleset, &record));
    let (seed, before): ([u8; 32], Before) = taken_up.await??;
    Ok(Order {
        options,
        seed: Some(seed),
        before: Some(before),
        ..order
    })
}

impl NewSeat {
    pub fn seat(self) -> Seat {
        match self {
            NewSeat::Open => Seat::Open,
            NewSeat::Random => Seat::Bot(Bot::Random),
            NewSeat::Greedy => Seat::Bot(Bot::Greedy),
            NewSeat::Search1 => Seat::Bot(Bot::Search1),
            NewSeat::Search2 => Seat::Bot(Bot::Search2),
            NewSeat::Search3 => Seat::Bot(Bot::Search3),
        }
    }
}
