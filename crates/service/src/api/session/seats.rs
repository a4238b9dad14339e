//! `/v1/sessions/{id}/seats/{seat}`: take, inspect and leave seats.

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::context::Context;
use crate::api::request::extract::{NoQuery, OptionalJson, Query};
use crate::api::request::path::Path;
use crate::api::request::visible_text::{code_point, invisible_in_name};
use crate::api::response::problem::Problem;
use crate::api::response::respond;
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::sessions::{BotName, SeatState, seat_state};
use wyrmgate_base::hex;
use wyrmgate_sessions::{Bot, Call, Claim, Kind, Made, Token};

const NAME_LETTERS_MAX: usize = 64;

/// The player who takes the seat.
#[derive(Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Ada"}))]
pub struct NewClaim {
    /// Display name. It must not be blank or contain control characters, format characters or other invisible
    /// characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(max_length = 64)]
    name: Option<String>,
    /// Seats this built-in player instead. Only the owner of the session can do this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BotName>)]
    bot: Option<Bot>,
    /// Issues a new token for a taken seat and invalidates the old one. For the player of the seat and for the owner of
    /// the session, who can hand the new token to a player that has lost the old one.
    #[serde(default)]
    renew: bool,
    /// The invite code of a private session. Needed if no other credential grants access.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    invite_code: Option<String>,
    /// Random number of your own, in hexadecimal digits. It is mixed into the seed, so that nobody else can have chosen
    /// the random numbers of the game. Only people can send it, and only before the game begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    entropy: Option<String>,
}

/// A seat that the caller has taken.
#[derive(Serialize, ToSchema)]
pub struct ClaimedSeat {
    #[serde(flatten)]
    seat: SeatState,
    /// The version of the session after the change.
    #[schema(minimum = 1)]
    version: u64,
    /// Token for this seat. Send it as `Authorization: Bearer`. Shown once: a repeated request with the same
    /// `Idempotency-Key` receives it again only with the same credential, which must belong to the caller alone. Bots
    /// have none.
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
/// Returns the token that lets you play. The game begins when every seat is taken. With `renew` the seat keeps its
/// player, who receives a new token.
#[utoipa::path(
    put, path = "/v1/sessions/{session}/seats/{seat}",
    operation_id = "claimSeat", tag = "seats", params(SeatPath), request_body = Option<NewClaim>,
    responses((status = 201, description = "The taken seat", body = ClaimedSeat,
        headers(("Location" = String, description = "URL of the seat")))),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "seat-taken", "session-full", "session-over", "rules-budget-exceeded"]))),
)]
pub async fn claim(
    context: Context,
    path: Path<SeatPath>,
    _: Query<NoQuery>,
    body: OptionalJson<NewClaim>,
) -> Result<HttpResponse, Problem> {
    let OptionalJson(wanted) = body;
    let claim = order(path.seat, wanted)?;
    let describe = |made: &Made| claimed(&path, made);
    let claim = async |call: Call<'_>| Ok(context.service().claim(call, &claim).await?.answered);
    context.change(&path.session, describe, claim).await
}

/// Checks a display name: other players must be able to see it.
fn check_name(name: &str) -> Result<(), Problem> {
    let wrong = |what: &str| Err(Problem::malformed("/name", what));
    if name.chars().count() > NAME_LETTERS_MAX {
        return wrong("a name must have at most 64 characters");
    }
    if name.trim().is_empty() {
        return wrong("a name must have at least one visible character");
    }
    match invisible_in_name(name) {
        Some(hidden) => wrong(&format!(
            "a name must not contain invisible or control characters; remove {}",
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
        invite.ok_or_else(|| {
            Problem::malformed(
                "/invite_code",
                "malformed invite code; it begins with `wg_invite_`",
            )
        })
    });
    let bad = |problem: &str| Problem::malformed("/entropy", problem);
    let entropy = wanted.entropy.as_deref().map(|text| {
        hex::decode(text).ok_or_else(|| bad("entropy must have exactly 64 hexadecimal digits"))
    });
    if entropy.is_some() && (wanted.bot.is_some() || wanted.renew) {
        return Err(bad(
            "only a person who takes a seat can send `entropy`; remove it",
        ));
    }
    Ok(Claim {
        seat,
        name,
        bot: wanted.bot,
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

/// Get a seat
///
/// Who sits there, as far as others may know it.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/seats/{seat}",
    operation_id = "getSeat", tag = "seats", params(SeatPath),
    responses(
        (status = 200, description = "The seat", body = SeatState),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-tag" = json!(true))),
)]
pub async fn get(
    context: Context,
    request: HttpRequest,
    path: Path<SeatPath>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let (live, caller) = context.look(&request, &path.session, None).await?;
    let seat = live.status.seat(path.seat);
    let seat = seat.ok_or_else(|| {
        let seats = 1..=live.facts.seats;
        let seats = seats.map(|seat| seat.to_string()).collect();
        Problem::unknown("seat", &path.seat.to_string(), seats)
    })?;
    let seat = seat_state((path.seat, seat));
    // The tag of the session would tell a spectator with a delay that there is a new version.
    match context.service().known(&live, caller).await? == live.version() {
        true => respond::tagged(&request, &live.tag(caller), || Ok(seat)),
        false => respond::tagged_by_content(&request, &seat),
    }
}

/// Leave a seat
///
/// Invalidates the token of the seat. Another player can take the seat and continue. For the player of the seat and for
/// the owner of the session.
#[utoipa::path(
    delete, path = "/v1/sessions/{session}/seats/{seat}",
    operation_id = "leaveSeat", tag = "seats", params(SeatPath),
    responses((status = 204, description = "The seat is open again")),
    extensions(("x-codes" = json!(["forbidden", "session-over"]))),
)]
pub async fn leave(
    context: Context,
    path: Path<SeatPath>,
    _: Query<NoQuery>,
) -> Result<HttpResponse, Problem> {
    let describe = |_: &Made| StoredResponse::empty();
    let leave = async |call: Call<'_>| context.service().leave(call, path.seat).await;
    context.change(&path.session, describe, leave).await
}
