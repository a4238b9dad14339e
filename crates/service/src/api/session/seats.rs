//! `/v1/sessions/{id}/seats/{seat}`: take, inspect and leave seats.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::call::{ApiCall, BodyCall, Handled};
use crate::api::request::display_name::display_name;
use crate::api::request::extract::OptionalJson;
use crate::api::response::respond;
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::sessions::{BotName, SeatState, seat_state};
use crate::api::shared::problem::Problem;
use wyrmgate_base::hex;
use wyrmgate_sessions::{
    Bot, Call, Claim, CommittedChange, PlayerProfile, Token, TokenRights, chosen_secret,
};

/// The player who takes the seat.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Ada"}))]
pub struct NewClaim {
    /// Display name. Space around it is removed. It must not be blank or contain control characters or other invisible
    /// characters, except joiners between letters that need them and in emoji.
    #[schema(max_length = 64)]
    name: Option<String>,
    /// Seats this built-in player, also in place of a person. Only the owner of the session can do this.
    #[schema(value_type = Option<BotName>)]
    bot: Option<Bot>,
    /// Issues a new token for a taken seat and invalidates the old one. For the player of the seat, and, if it is not known across sessions, for the owner of
    /// the session, who can hand the new token to a player that has lost the old one.
    #[serde(default)]
    renew: bool,
    /// Leaves the seat to this player, who alone can take it then: `me`, an id (`p_…`), or a name of yours. For the player of
    /// the seat and for the owner of the session. Excludes all other members.
    #[schema(pattern = "^[A-Za-z0-9._:@|-]{1,64}$")]
    reserve_for: Option<String>,
    /// The invite code of a private session. Needed if no other credential grants access.
    invite_code: Option<String>,
    /// Random number of your own, in hexadecimal digits. It is mixed into the seed, so that nobody else can have chosen
    /// the random numbers of the game. Only people can send it, and only before the game begins.
    #[schema(min_length = 64, max_length = 64, pattern = "^[0-9a-f]{64}$")]
    entropy: Option<String>,
    /// A secret of your own, new for each claim and unpredictable, such as 32 random hexadecimal digits. It makes the claim
    /// repeatable: if the response is lost, the same claim with the same secret receives the same token again, and one with another
    /// name is refused. Only its digest is kept. Only people who take a seat can send it.
    #[schema(min_length = 32, max_length = 128, pattern = "^[A-Za-z0-9_-]{32,128}$")]
    secret: Option<String>,
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
    /// `Idempotency-Key` receives it again only with the same credential, which must belong to the caller alone, or with
    /// the `secret` that the caller has chosen. Bots have none.
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
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "player-required", "not-now", "seat-taken", "session-full", "session-over", "rules-budget-exceeded"]))),
)]
pub async fn claim(call: BodyCall<OptionalJson<NewClaim>, SeatPath>) -> Handled {
    let (context, path, OptionalJson(wanted)) = (call.context, call.path, call.body);
    let reserved = wanted.reserve_for.clone();
    let mut claim = order(path.seat, wanted)?;
    if let Some(name) = reserved {
        claim.reserve_for = Some(context.named_player(&name)?.0);
    }
    let token = context.token.as_ref();
    claim.player = token
        .and_then(Token::player)
        .filter(|_| claim.bot.is_none());
    if let Some(player) = claim.player {
        claim.profile = context.service().player(player).await?;
        let issued = || context.issuer_name.clone();
        claim.profile.name = claim.profile.name.or_else(issued);
    }
    let describe = |made: &CommittedChange| claimed(&path, made);
    let claim = async |call: Call<'_>| Ok(context.service().claim(call, &claim).await?.answered);
    context.change(&path.session, describe, claim).await
}

fn order(seat: u8, wanted: NewClaim) -> Result<Claim, Problem> {
    let name = wanted.name.filter(|name| !name.is_empty());
    let name = name.as_deref().map(display_name).transpose();
    let name = name.map_err(|wrong| Problem::unprocessable("/name", wrong))?;
    let invite = wanted.invite_code.as_deref().map(|text| {
        let invite = Token::parse(text).filter(|token| token.kind() == TokenRights::Invite);
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
    let secret = wanted.secret.as_deref().map(|text| {
        let form = "a secret must have 32 to 128 letters, digits, `_` or `-`, at least 8 of them different";
        chosen_secret(text).ok_or_else(|| Problem::unprocessable("/secret", form))
    });
    let is_person = wanted.bot.is_none() && !wanted.renew && wanted.reserve_for.is_none();
    if wanted.reserve_for.is_some() && (wanted.bot.is_some() || wanted.renew || name.is_some()) {
        let wrong = "`reserve_for` excludes all other members; remove them";
        return Err(Problem::unprocessable("/reserve_for", wrong));
    }
    for (member, is_sent) in [("entropy", entropy.is_some()), ("secret", secret.is_some())] {
        if is_sent && !is_person {
            let wrong = format!("only a person who takes a seat can send `{member}`; remove it");
            return Err(Problem::unprocessable(&format!("/{member}"), wrong));
        }
    }
    Ok(Claim {
        seat,
        name,
        bot: wanted.bot,
        renew: wanted.renew,
        player: None,
        profile: PlayerProfile::default(),
        reserve_for: None,
        invite: invite.transpose()?,
        secret: secret.transpose()?,
        entropy: entropy.transpose()?,
    })
}

fn claimed(path: &SeatPath, made: &CommittedChange) -> StoredResponse {
    let SeatPath { session, seat } = path;
    let location = format!("/v1/sessions/{session}/seats/{seat}");
    let state = seat_state(*seat, &made.live.status);
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
    responses((status = 200, description = "The seat", body = SeatState)),
    extensions(("x-tag" = json!(true))),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<SeatPath>) -> Handled {
    let (live, caller) = context.look(&path.session, None).await?;
    let seat = seat_state(path.seat, &live.status);
    let seat = seat.ok_or_else(|| {
        let seats = 1..=live.facts.seats;
        let seats = seats.map(|seat| seat.to_string()).collect();
        Problem::unknown("seat", &path.seat.to_string(), seats)
    })?;
    // The tag of the session would tell a spectator with a delay that there is a new version.
    match context.service().known(&live, caller).await? == live.version() {
        true => respond::tagged(&context.request, &live.tag(caller), || Ok(seat)),
        false => respond::tagged_by_content(&context.request, &seat),
    }
}

/// Leave a seat
///
/// Invalidates the token of the seat. Another player can take the seat and continue. For the player of the seat, for
/// the one for whom it is reserved, and for the owner of the session. A challenge ends (`declined`) when the only one whom a
/// player has invited declines.
#[utoipa::path(
    delete, path = "/v1/sessions/{session}/seats/{seat}",
    operation_id = "leaveSeat", tag = "seats", params(SeatPath),
    responses((status = 204, description = "The seat is open again")),
    extensions(("x-codes" = json!(["forbidden", "session-over", "not-now"]))),
)]
pub async fn leave(ApiCall { context, path, .. }: ApiCall<SeatPath>) -> Handled {
    let describe = |_: &CommittedChange| StoredResponse::empty();
    let leave = async |call: Call<'_>| context.service().leave(call, path.seat).await;
    context.change(&path.session, describe, leave).await
}
