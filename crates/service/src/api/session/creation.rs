//! `POST /v1/sessions`: creates a session for a game or a ruleset, from a record, or as a rematch.

use crate::api::catalog::{checking, games};
use crate::api::request::call::{ApiCall, BodyCall, Handled};
use actix_web::http::StatusCode;
use actix_web::http::header::HeaderValue;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::api::request::access::OperatorScope;
use crate::api::request::context::JsonContext;
use crate::api::request::extract::Json;
use crate::api::request::{numbers, object};
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::endings;
use crate::api::session::labels::{NewLabels, external_key};
use crate::api::session::new_seats::{NewSeat, reservations, seated};
use crate::api::session::recording::{record_of, record_of_moves};
use crate::api::session::sessions::{Session, describe};
use crate::api::session::terms::{Spectators, checked_clock, checked_replies};
use crate::api::shared::headers;
use crate::api::shared::problem::Problem;
use wyrmgate_analysis::record;
use wyrmgate_runtime::surroundings::{entropy, now_ms};
use wyrmgate_sessions::{
    Clock, Creation, DescribeCreation, Endings, Forks, IdempotencyKey, MessagePolicy, Refusal,
    Replies, SessionOrder, Terms, Token, Undo, Visibility, WaitTerms, hides_tokens, replay_record,
};
use wyrmgate_store::Bytes;

/// A session to create. Name a game or a ruleset.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"game": "demo", "seats": ["open", "random"]}))]
pub struct NewSession {
    /// The name of a game. The session uses its current ruleset.
    pub game: Option<String>,
    /// A variant of the game. Join several in the order in which they apply, as in `short+windy`.
    pub variant: Option<String>,
    /// The digest of a ruleset.
    ruleset: Option<String>,
    /// Options that differ from their defaults.
    #[serde(default)]
    #[schema(value_type = std::collections::HashMap<String, games::OptionValue>)]
    pub options: Map<String, Value>,
    /// The seats, seat 1 first. Defaults to the smallest number of seats that the game allows, all open.
    #[schema(min_items = 1, max_items = 8)]
    pub seats: Option<Vec<NewSeat>>,
    /// What you attach to the session. The server gives it no meaning.
    #[serde(default, deserialize_with = "object::one")]
    labels: NewLabels,
    #[serde(default)]
    visibility: Visibility,
    #[serde(default, deserialize_with = "object::one")]
    spectators: Spectators,
    #[serde(default)]
    undo: Undo,
    #[serde(default)]
    forks: Forks,
    /// Whether the people at the table can write to each other.
    #[serde(default)]
    messages: MessagePolicy,
    /// Time limits. Without a clock, time is unlimited.
    pub clock: Option<Clock>,
    /// How the game may end besides by its rules.
    #[serde(default, deserialize_with = "object::one")]
    pub endings: Endings,
    /// Whether the game counts for the ratings of its players. Each seat is then one of another player who shows its credential;
    /// there are no built-in players, and nothing that makes the session practice. Who leaves comes last. A game that is called
    /// off does not count.
    #[serde(default)]
    pub rated: bool,
    /// Time after which the session ends unless its game has begun. By default, it waits for as long as the server keeps it.
    #[schema(minimum = 1_000, maximum = 604_800_000)]
    pub expires_after_ms: Option<u64>,
    /// Delay before standing orders answer. Defaults to one to four seconds.
    replies: Option<Replies>,
    /// A record to continue from, as `GET …/record` returns it. You may drop its last choices and its outcome. The
    /// session uses the record's game and options and counts as practice.
    #[schema(value_type = Option<Object>, additional_properties)]
    record: Option<Map<String, Value>>,
    /// The moves with which the session begins, as `GET …/record` writes them with `Accept: text/plain`: in the notation of the
    /// game, `1. e4 e5`, or by option and ids. The session counts as practice. Without `seed`, chance has the seed of zeros.
    #[schema(example = "1. e4 e5")]
    moves: Option<String>,
    /// The position with which the session begins, as views write it: in chess a FEN. The session
    /// counts as practice.
    #[serde(default)]
    #[schema(example = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")]
    position: Option<String>,
    /// The id of a finished session, to play it again with the same people, each moved on by one seat. Only its players
    /// can request a rematch, and no other member is allowed. Their tokens are valid for their new seats. A repeated
    /// request returns the same rematch.
    rematch_of: Option<String>,
    /// A seed of your own, in hexadecimal digits. The session then counts as practice forever.
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    seed: Option<String>,
}

/// A new session, with the secrets that only its creator receives.
#[derive(Serialize, ToSchema)]
pub struct CreatedSession {
    #[serde(flatten)]
    session: Session,
    /// Token for managing the session. Shown once, to the creator.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "wg_owner_…")]
    owner_token: Option<String>,
    /// Code for taking a seat of a private session. Shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "wg_invite_…")]
    invite_code: Option<String>,
    /// Token for watching a private session. Shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "wg_watch_…")]
    spectator_token: Option<String>,
}

/// Create a session
///
/// The game begins when every seat is taken. A repeated request with the same `Idempotency-Key` receives the first
/// response. It contains the tokens only if the caller shows an operator key, because a key alone does not identify a
/// caller.
#[utoipa::path(
    post, path = "/v1/sessions",
    operation_id = "createSession", tag = "sessions", request_body = NewSession,
    responses((status = 201, description = "The session, with the tokens of its creator", body = CreatedSession,
        headers(("Location" = String, description = "URL of the session")))),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "not-found", "session-running", "rules-budget-exceeded", "text-refused"]))),
)]
pub async fn create(ApiCall { context, body, .. }: BodyCall<Json<NewSession>>) -> Handled {
    let Json(wanted) = body;
    if let Some(id) = &wanted.rematch_of {
        return rematch(&context, id, &wanted).await;
    }
    context.require(OperatorScope::Create)?;
    let order = order(&context, wanted).await?;
    let describe = context.storing(created);
    respond(
        &context,
        placed(&context, &order, context.key(), &describe).await?,
    )
}

/// Creates a session. Where the creator has a name of its own for it, the name makes the request the same as an earlier one.
async fn placed(
    context: &JsonContext,
    order: &SessionOrder,
    key: Option<&IdempotencyKey>,
    describe: DescribeCreation<'_>,
) -> Result<Creation, Problem> {
    let service = context.service();
    let creation = match external_key(&order.labels, order.host) {
        Some(own) => service.create(order, Some(&own)).await,
        None => service.create_answering(order, key, describe).await,
    };
    Ok(creation?)
}

/// Creates one of many sessions. Its place in the request makes it the same in a repeated request.
pub async fn create_one(
    context: &JsonContext,
    number: usize,
    wanted: NewSession,
) -> Result<CreatedSession, Problem> {
    let order = order(context, wanted).await?;
    let key = context.key().map(|key| key.part(number as u64));
    let creation = placed(context, &order, key.as_ref(), &|_| Bytes::default()).await?;
    Ok(document(&creation, may_have_tokens(context, &creation)))
}

/// Returns whether the caller gets the tokens: who guesses the name of a session that exists must not.
fn may_have_tokens(context: &JsonContext, creation: &Creation) -> bool {
    !creation.is_replayed || context.holds_key()
}

async fn rematch(context: &JsonContext, id: &str, wanted: &NewSession) -> Handled {
    if wanted.game.is_some() || wanted.ruleset.is_some() || wanted.record.is_some() {
        return Err(Problem::malformed(
            "",
            "`rematch_of` excludes all other members; remove them",
        ));
    }
    let (live, caller) = context.look(id, None).await?;
    let creation = context.service().rematch(&live, caller).await?;
    let shows_tokens = !hides_tokens(&creation, context.token.as_ref());
    let mut response = described(&creation, shows_tokens).respond();
    if creation.is_replayed {
        let replayed = HeaderValue::from_static("true");
        response.headers_mut().insert(headers::REPLAYED, replayed);
    }
    Ok(response)
}

/// Returns the response to a creation, made now or by an earlier request.
pub fn respond(context: &JsonContext, creation: Creation) -> Handled {
    match (&creation.first_answer, &context.request_key) {
        (Some(first), Some(key)) => StoredResponse::replay(first, key),
        _ => {
            let shows_tokens = may_have_tokens(context, &creation);
            Ok(described(&creation, shows_tokens).respond())
        }
    }
}

/// Returns the response to the creator of a session.
pub fn created(creation: &Creation) -> StoredResponse {
    described(creation, true)
}

fn described(creation: &Creation, shows_tokens: bool) -> StoredResponse {
    let location = format!("/v1/sessions/{}", creation.live.id);
    let body = document(creation, shows_tokens);
    StoredResponse::new(StatusCode::CREATED, Some(location), &body)
}

fn document(creation: &Creation, shows_tokens: bool) -> CreatedSession {
    let shown = |token: Option<&Token>| {
        let token = token.filter(|_| shows_tokens);
        token.map(Token::reveal)
    };
    CreatedSession {
        session: describe(&creation.live, None),
        owner_token: shows_tokens.then(|| creation.owner.reveal()),
        invite_code: shown(creation.invite.as_ref()),
        spectator_token: shown(creation.watch.as_ref()),
    }
}

/// Returns the order for a session that a client describes.
pub async fn order(context: &JsonContext, wanted: NewSession) -> Result<SessionOrder, Problem> {
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
                "send exactly one of `game` (with an optional `variant`), `ruleset` and `record`",
            ));
        }
    };
    let ruleset = ruleset.ok_or_else(|| {
        let catalog = service.library().catalog();
        match (&wanted.game, &wanted.variant) {
            (Some(game), Some(variant)) => games::unknown_variant(&catalog, game, variant),
            (Some(game), None) => games::unknown(&catalog, game),
            (None, _) => games::unknown_ruleset(&catalog, named.as_deref().unwrap_or_default()),
        }
    })?;
    let mut seed = numbers::seed(wanted.seed.as_deref())?;
    let ruleset = match &wanted.position {
        None => ruleset,
        Some(_) if record.is_some() => {
            let wrong = "a record contains its position; remove `position`";
            return Err(Problem::malformed("/position", wrong));
        }
        Some(position) => {
            let fresh = entropy().map_err(Refusal::from)?;
            seed.get_or_insert(fresh);
            checking::at_position(context, &ruleset, position).await?
        }
    };
    let fewest = ruleset.checked.seats.first().copied().unwrap_or(1);
    let fewest = record.as_ref().map_or(fewest, |record| record.seats.into());
    let seats = wanted.seats.unwrap_or_else(|| vec![NewSeat::OPEN; fewest]);
    let labels = wanted.labels.checked(context)?;
    let terms = Terms {
        spectators: wanted.spectators.of()?,
        undo: wanted.undo,
        forks: wanted.forks,
        messages: wanted.messages,
        clock: wanted
            .clock
            .map(|clock| checked_clock(clock, seats.len()))
            .transpose()?,
        endings: endings::checked(wanted.endings)?,
        replies: wanted
            .replies
            .map(checked_replies)
            .transpose()?
            .unwrap_or_default(),
        rated: wanted.rated,
    };
    let order = SessionOrder {
        ruleset,
        options: wanted.options,
        reserved: reservations(context, &seats)?,
        host: context.token.as_ref().and_then(Token::player),
        seats: seated(context, seats)?,
        labels,
        visibility: wanted.visibility,
        seed,
        terms,
        waits: WaitTerms {
            until_ms: wanted.expires_after_ms.map(checked_expiry).transpose()?,
            seek: None,
        },
        before: None,
    };
    match (record, wanted.moves) {
        (Some(_), Some(_)) => Err(Problem::malformed(
            "/moves",
            "a record contains its moves; remove `moves`",
        )),
        (Some(record), None) => taking_up(context, order, record).await,
        (None, Some(moves)) => after_moves(context, order, moves).await,
        (None, None) => Ok(order),
    }
}

const EXPIRY_MS: std::ops::RangeInclusive<u64> = 1_000..=7 * 86_400_000;

/// Returns when a session ends that waits for so long.
fn checked_expiry(after_ms: u64) -> Result<u64, Problem> {
    if !EXPIRY_MS.contains(&after_ms) {
        let wanted = "`expires_after_ms` must be between a second and seven days";
        return Err(Problem::unprocessable("/expires_after_ms", wanted));
    }
    Ok(now_ms().saturating_add(after_ms))
}

/// Returns the order for a session that begins with moves.
async fn after_moves(
    context: &JsonContext,
    mut order: SessionOrder,
    moves: String,
) -> Result<SessionOrder, Problem> {
    let ruleset = order.ruleset.clone();
    let options = std::mem::take(&mut order.options);
    let seed = order.seed.take().unwrap_or_default();
    let seats = order.seats.len();
    let replaying = &context.app().heavy.replaying;
    let played = replaying.run(move || record_of_moves(&ruleset, seats, &options, seed, &moves));
    let record = played.await??;
    taking_up(context, order, record).await
}

/// Returns the order for a session that continues from a record.
async fn taking_up(
    context: &JsonContext,
    order: SessionOrder,
    record: record::Record,
) -> Result<SessionOrder, Problem> {
    if order.seed.is_some() || !order.options.is_empty() {
        return Err(Problem::malformed(
            "/record",
            "a record contains its seed and options; remove `seed` and `options`",
        ));
    }
    if order.seats.len() != usize::from(record.seats) {
        let seats = format!(
            "the record has {} seats; send as many `seats`",
            record.seats
        );
        return Err(Problem::unprocessable("/seats", seats));
    }
    let (ruleset, options) = (order.ruleset.clone(), record.options.clone());
    let replaying = &context.app().heavy.replaying;
    let replayed = replaying.run(move || replay_record(&ruleset, &record));
    let (seed, before) = replayed.await??;
    Ok(SessionOrder {
        options,
        seed: Some(seed),
        before: Some(before),
        ..order
    })
}
