//! `/v1/sessions/{id}/seats/{seat}`: sitting down, looking, leaving.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::context::Context;
use super::extract::{Asked, MaySend, Nothing};
use super::idempotency;
use super::path::Named;
use super::problem::{Code, Problem};
use super::respond;
use super::sessions::{BotName, SeatState, seat_state};
use super::stored_response::StoredResponse;
use super::visible_text::{code_point, invisible_in_name};
use crate::session::{Bot, Claim, Kind, Made, Token, hex};

const NAME_LETTERS_MAX: usize = 64;

/// Who sits down.
#[derive(Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Ada"}))]
pub struct NewClaim {
    /// What the others call you. Without invisible characters: no control and format characters, and not blank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 64)]
    name: Option<String>,
    /// Seats a player of the server instead; for the owner of the session.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    bot: Option<BotName>,
    /// A new token for this seat instead, which is taken: the old one is of no use any more. For its player, and for the
    /// owner of the session, who hands it to a player that has lost the old one.
    #[serde(default)]
    renew: bool,
    /// For private sessions, where no other credential opens them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invite_code: Option<String>,
    /// A number of your own, in hexadecimal digits, to be mixed into the seed: with it nobody else can have chosen the
    /// game's chance. For people who sit down before the game begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    entropy: Option<String>,
}

/// A seat that was taken.
#[derive(Serialize, ToSchema)]
pub struct ClaimedSeat {
    #[serde(flatten)]
    seat: SeatState,
    /// The version of the session with it.
    #[schema(minimum = 1)]
    version: u64,
    /// What lets you play this seat, as `Authorization: Bearer`. Shown once: a repeated request with an `Idempotency-Key` is
    /// shown it again only with the same credential, and only if that is the caller's own. Bots have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "wg_seat_…")]
    token: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SeatPath {
    /// The id of a session.
    session: String,
    /// The number of a seat, from 1.
    #[param(minimum = 1, maximum = 8)]
    seat: u8,
}

/// Take a seat
///
/// The answer holds the token that lets you play. The game begins when every seat is taken. With `renew` the seat keeps its
/// player, and the player gets another token.
#[utoipa::path(
    put, path = "/v1/sessions/{session}/seats/{seat}",
    operation_id = "claimSeat", tag = "seats", params(SeatPath), request_body = Option<NewClaim>,
    responses((status = 201, description = "The seat is yours", body = ClaimedSeat,
        headers(("Location" = String, description = "Where the seat is")))),
    extensions(("x-codes" = json!(["malformed", "unprocessable", "unauthenticated", "forbidden", "not-found", "seat-taken",
        "session-full", "session-over", "idempotency-in-flight", "idempotency-mismatch", "too-large",
        "unsupported-media-type", "rules-budget-exceeded", "outcome-unknown"]))),
)]
pub async fn claim(
    context: Context,
    path: Named<SeatPath>,
    _: Asked<Nothing>,
    body: MaySend<NewClaim>,
) -> Result<HttpResponse, Problem> {
    let MaySend(wanted) = body;
    let token = context.token.as_ref();
    let claim = order(path.seat, wanted)?;
    let describe = |made: &Made| claimed(&path, made);
    let service = context.service();
    let storing = context.storing(describe);
    let claimed = service.claim(&path.session, token, &claim, context.key(), &storing);
    idempotency::respond(&context, claimed.await?.answered, describe)
}

/// A name is shown to others, who must see what it is.
fn check_name(name: &str) -> Result<(), Problem> {
    let wrong = |what: &str| Err(Problem::malformed("/name", what));
    if name.chars().count() > NAME_LETTERS_MAX {
        return wrong("a name has at most 64 characters");
    }
    if name.trim().is_empty() {
        return wrong("a name has characters that can be seen");
    }
    match invisible_in_name(name) {
        Some(hidden) => wrong(&format!(
            "a name has no invisible characters and no controls: this one has {}",
            code_point(hidden)
        )),
        None => Ok(()),
    }
}

fn order(seat: u8, wanted: NewClaim) -> Result<Claim, Problem> {
    let name = wanted.name.filter(|name| !name.is_empty());
    if let Some(name) = &name {
        check_name(name)?;
    }
    let invite = wanted.invite_code.as_deref().map(|text| {
        let invite = Token::parse(text).filter(|token| token.kind() == Kind::Invite);
        invite.ok_or_else(|| Problem::malformed("/invite_code", "this is no invite code"))
    });
    let bad = |problem: &str| Problem::malformed("/entropy", problem);
    let entropy = wanted
        .entropy
        .as_deref()
        .map(|text| hex::decode(text).ok_or_else(|| bad("entropy has 64 hexadecimal digits")));
    if entropy.is_some() && (wanted.bot.is_some() || wanted.renew) {
        return Err(bad("only a person who sits down brings entropy"));
    }
    Ok(Claim {
        seat,
        name,
        bot: wanted.bot.map(Bot::from),
        renew: wanted.renew,
        invite: invite.transpose()?,
        entropy: entropy.transpose()?,
    })
}

fn claimed(path: &SeatPath, made: &Made) -> StoredResponse {
    let SeatPath { session, seat } = path;
    let location = format!("/v1/sessions/{session}/seats/{seat}");
    let state = made
        .live
        .status
        .seat(*seat)
        .map(|state| seat_state((*seat, state)));
    let body = state.map(|seat| ClaimedSeat {
        seat,
        version: made.live.version(),
        token: made.token.as_ref().map(Token::reveal),
    });
    StoredResponse::new(StatusCode::CREATED, Some(location), &body)
}

/// Who sits on a seat
#[utoipa::path(
    get, path = "/v1/sessions/{session}/seats/{seat}",
    operation_id = "getSeat", tag = "seats", params(SeatPath),
    responses(
        (status = 200, description = "The seat", body = SeatState),
        (status = 304, description = "Nothing has changed"),
    ),
    extensions(("x-codes" = json!(["unauthenticated", "not-found"])), ("x-tag" = json!(true))),
)]
pub async fn get(
    context: Context,
    request: HttpRequest,
    path: Named<SeatPath>,
    _: Asked<Nothing>,
) -> Result<HttpResponse, Problem> {
    let (live, caller) = context.look(&request, &path.session, None).await?;
    let seat = live.status.seat(path.seat);
    let seat = seat.ok_or_else(|| Problem::new(Code::NotFound))?;
    respond::tagged(&request, &live.tag(caller), || {
        Ok(seat_state((path.seat, seat)))
    })
}

/// Leave a seat
///
/// Its token is of no use any more; somebody else may take the seat and play on. For its player and for
/// the owner of the session.
#[utoipa::path(
    delete, path = "/v1/sessions/{session}/seats/{seat}",
    operation_id = "leaveSeat", tag = "seats", params(SeatPath),
    responses((status = 204, description = "The seat is open")),
    extensions(("x-codes" = json!(["unauthenticated", "forbidden", "not-found", "session-over",
        "idempotency-in-flight", "idempotency-mismatch", "outcome-unknown"]))),
)]
pub async fn leave(
    context: Context,
    path: Named<SeatPath>,
    _: Asked<Nothing>,
) -> Result<HttpResponse, Problem> {
    let token = context.token.as_ref();
    let describe = |_: &Made| StoredResponse::empty();
    let storing = context.storing(describe);
    let service = context.service();
    let left = service.leave(&path.session, token, path.seat, context.key(), &storing);
    idempotency::respond(&context, left.await?, describe)
}
