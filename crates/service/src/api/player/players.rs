//! `/v1/players`: guests, and what the server keeps of a player.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::request::call::{ApiCall, BodyCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::request::display_name::display_name;
use crate::api::request::extract::{Json, OptionalJson};
use crate::api::response::respond;
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::labels::checked_tags;
use crate::api::session::webhook_messages::EventName;
use crate::api::session::webhooks::NewWebhook;
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_sessions::webhook_sender::SigningSecret;
use wyrmgate_sessions::{
    HookTerms, NoEntropy, PlayerId, PlayerProfile, ProfileWebhook, Refusal, Token, TokenRights,
    WebhookFormat, WebhookOrder,
};

/// A player.
#[derive(Serialize, ToSchema)]
#[schema(as = Player)]
pub struct PlayerDocument {
    #[schema(value_type = String, pattern = "^p_[0-9a-f]{32}$")]
    id: PlayerId,
    /// Display name.
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    /// Where the player wants to be told.
    #[serde(skip_serializing_if = "Option::is_none")]
    webhook: Option<PlayerWebhook>,
}

impl PlayerDocument {
    fn of(id: PlayerId, profile: PlayerProfile) -> PlayerDocument {
        let webhook = profile.webhook.as_ref();
        let is_daily = profile.digest_at_ms.is_some();
        PlayerDocument {
            id,
            name: profile.name,
            webhook: webhook.map(|webhook| PlayerWebhook::of(webhook, is_daily)),
        }
    }
}

/// The webhook of a player, or of the holder of an operator key, in all of its sessions.
#[derive(Serialize, ToSchema)]
pub struct PlayerWebhook {
    #[schema(format = "uri")]
    url: String,
    /// `decision.owed` means the seats of the player alone.
    events: Vec<EventName>,
    format: WebhookFormat,
    /// Of a player: whether a message says once a day how many games wait.
    #[serde(skip_serializing_if = "Option::is_none")]
    digest: Option<DigestPace>,
    /// Of the holder of an operator key: only sessions with one of these tags count, or, if there are none, all.
    #[serde(skip_serializing_if = "Option::is_none")]
    tags: Option<Vec<String>>,
}

impl PlayerWebhook {
    fn of(webhook: &ProfileWebhook, is_daily: bool) -> PlayerWebhook {
        let pace = match is_daily {
            true => DigestPace::Daily,
            false => DigestPace::Never,
        };
        let order = &webhook.order;
        let events = order.events.iter();
        PlayerWebhook {
            url: order.url.clone(),
            events: events.filter_map(|event| EventName::of(*event)).collect(),
            format: order.format,
            digest: webhook.tags.is_none().then_some(pace),
            tags: webhook.tags.clone(),
        }
    }
}

/// Such a webhook, with its secret.
#[derive(Serialize, ToSchema)]
pub struct SecretPlayerWebhook {
    #[serde(flatten)]
    webhook: PlayerWebhook,
    /// The secret that signs messages, in the format of Standard Webhooks. Shown once.
    #[schema(example = "whsec_…")]
    secret: String,
}

/// How often a message says how many games wait for the player, if any do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DigestPace {
    #[default]
    Never,
    /// First now, and then at the same time of the day.
    Daily,
}

/// A webhook for the sessions of a player.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"url": "https://hooks.example.org/ada", "events": ["decision.owed"], "digest": "daily"}))]
pub struct NewPlayerWebhook {
    /// As for a session.
    #[schema(format = "uri", max_length = 512)]
    url: String,
    /// The events to send, each once. Only a digest needs none.
    #[schema(max_items = 4)]
    events: Vec<EventName>,
    #[serde(default)]
    format: WebhookFormat,
    #[serde(default)]
    digest: DigestPace,
}

/// A webhook for the sessions that an operator key creates.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"url": "https://hooks.example.org/games", "events": ["session.finished"], "tags": ["club"]}))]
pub struct NewKeyWebhook {
    /// As for a session.
    #[schema(format = "uri", max_length = 512)]
    url: String,
    /// The events to send, each once.
    #[schema(min_items = 1, max_items = 4)]
    events: Vec<EventName>,
    #[serde(default)]
    format: WebhookFormat,
    /// If there are any, only sessions with one of these tags count.
    #[serde(default)]
    #[schema(max_items = 8)]
    tags: Vec<String>,
}

/// A new guest.
#[derive(Serialize, ToSchema)]
pub struct NewGuest {
    #[serde(flatten)]
    player: PlayerDocument,
    /// The credential of the player, on any device. Shown once: not in the response to a repeated request.
    #[schema(example = "wg_player_…", required = false)]
    token: String,
}

/// What others see of a player.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"name": "Ada"}))]
pub struct PlayerSettings {
    /// Display name, as for a seat. Seats that the player takes later have it unless they state another one.
    #[schema(max_length = 64)]
    name: Option<String>,
}

impl PlayerSettings {
    fn name(&self) -> Result<Option<String>, Problem> {
        let name = self.name.as_deref().map(display_name).transpose();
        name.map_err(|wrong| Problem::unprocessable("/name", wrong))
    }
}

/// Become a guest
///
/// Returns a token with which a person is the same player in all sessions, on every device that has the token. Nobody can
/// replace a lost token.
#[utoipa::path(
    post, path = "/v1/players",
    operation_id = "createGuest", tag = "players", request_body = Option<PlayerSettings>,
    responses((status = 201, description = "The player, with its token", body = NewGuest,
        headers(("Location" = String, description = "URL of the player")))),
    extensions(("x-codes" = json!(["unprocessable"]))),
)]
pub async fn create(call: BodyCall<OptionalJson<PlayerSettings>>) -> Handled {
    let (context, OptionalJson(wanted)) = (call.context, call.body);
    let name = wanted.name()?;
    let token = Token::random(TokenRights::Player);
    let token = token.map_err(|none: NoEntropy| Problem::from(Refusal::from(none)))?;
    let id = token.player().ok_or(Refusal::Unauthenticated)?;
    let profile = named(&context, id, name).await?;
    let body = NewGuest {
        player: PlayerDocument::of(id, profile),
        token: token.reveal(),
    };
    let location = Some("/v1/players/me".to_owned());
    Ok(StoredResponse::new(StatusCode::CREATED, location, &body).respond())
}

async fn named(
    context: &JsonContext,
    id: PlayerId,
    name: Option<String>,
) -> Result<PlayerProfile, Problem> {
    let rename = |profile: &mut PlayerProfile| profile.name.clone_from(&name);
    Ok(context.service().change_player(id, &rename).await?)
}

/// Get the player who calls
///
/// The id and the name of the player, and where it wants to be told.
#[utoipa::path(
    get, path = "/v1/players/me",
    operation_id = "getPlayer", tag = "players",
    responses((status = 200, description = "The player", body = PlayerDocument)),
)]
pub async fn get(ApiCall { context, .. }: ApiCall) -> Handled {
    let id = context.player()?;
    let profile = context.service().player(id).await?;
    respond::ok(&PlayerDocument::of(id, profile))
}

/// Change the player who calls
///
/// Replaces the display name. Seats that the player has already keep theirs.
#[utoipa::path(
    put, path = "/v1/players/me",
    operation_id = "changePlayer", tag = "players", request_body = PlayerSettings,
    responses((status = 200, description = "The player", body = PlayerDocument)),
    extensions(("x-codes" = json!(["unprocessable"]))),
)]
pub async fn change(call: BodyCall<Json<PlayerSettings>>) -> Handled {
    let (context, Json(wanted)) = (call.context, call.body);
    let id = context.player()?;
    let profile = named(&context, id, wanted.name()?).await?;
    respond::ok(&PlayerDocument::of(id, profile))
}

/// Set the webhook of the player
///
/// A webhook for all sessions of the player, now and later, instead of the one before. Messages are like those of the webhooks of a
/// session; in the formats of chat services they are sentences with a link.
#[utoipa::path(
    put, path = "/v1/players/me/webhook",
    operation_id = "setPlayerWebhook", tag = "players", request_body = NewPlayerWebhook,
    responses((status = 200, description = "The webhook, with its secret", body = SecretPlayerWebhook)),
    extensions(("x-codes" = json!(["unprocessable", "webhook-refused"]))),
)]
pub async fn set_webhook(call: BodyCall<Json<NewPlayerWebhook>>) -> Handled {
    let (context, Json(wanted)) = (call.context, call.body);
    let is_daily = wanted.digest == DigestPace::Daily;
    if wanted.events.is_empty() && !is_daily {
        let nothing = "name an event, or ask for a daily digest";
        return Err(Problem::unprocessable("/events", nothing));
    }
    let order = NewWebhook {
        url: wanted.url,
        events: wanted.events,
        format: wanted.format,
    };
    let terms = HookTerms {
        tags: None,
        is_daily,
    };
    let id = context.player()?;
    put_webhook(&context, id, &order.order_of(is_daily)?, terms).await
}

async fn put_webhook(
    context: &JsonContext,
    holder: PlayerId,
    order: &WebhookOrder,
    terms: HookTerms,
) -> Handled {
    let (service, is_daily) = (context.service(), terms.is_daily);
    let set = service.put_player_webhook(holder, Some(order), terms);
    let set = set.await?.ok_or(Refusal::NotFound)?;
    respond::ok(&SecretPlayerWebhook {
        webhook: PlayerWebhook::of(&set, is_daily),
        secret: SigningSecret::new(set.secret).reveal(),
    })
}

/// Delete the webhook of the player
///
/// Messages that are under way may still arrive.
#[utoipa::path(
    delete, path = "/v1/players/me/webhook",
    operation_id = "removePlayerWebhook", tag = "players",
    responses((status = 204, description = "Deleted")),
)]
pub async fn remove_webhook(ApiCall { context, .. }: ApiCall) -> Handled {
    let id = context.player()?;
    context
        .service()
        .put_player_webhook(id, None, HookTerms::default())
        .await?;
    Ok(StoredResponse::empty().respond())
}

/// Set the webhook of an operator key
///
/// A webhook for all sessions that the key has created and that are not over, and for all that it creates later, instead of the one
/// before. Messages are like those of the webhooks of a session.
#[utoipa::path(
    put, path = "/v1/keys/me/webhook",
    operation_id = "setKeyWebhook", tag = "webhooks", request_body = NewKeyWebhook,
    responses((status = 200, description = "The webhook, with its secret", body = SecretPlayerWebhook)),
    extensions(("x-codes" = json!(["unprocessable", "webhook-refused"]))),
)]
pub async fn set_key_webhook(call: BodyCall<Json<NewKeyWebhook>>) -> Handled {
    let (context, Json(wanted)) = (call.context, call.body);
    let holder = key_holder(&context)?;
    let tags = checked_tags(wanted.tags, "/tags")?;
    let order = NewWebhook {
        url: wanted.url,
        events: wanted.events,
        format: wanted.format,
    };
    let terms = HookTerms {
        tags: Some(tags),
        is_daily: false,
    };
    put_webhook(&context, holder, &order.order()?, terms).await
}

/// Delete the webhook of an operator key
///
/// Messages that are under way may still arrive.
#[utoipa::path(
    delete, path = "/v1/keys/me/webhook",
    operation_id = "removeKeyWebhook", tag = "webhooks",
    responses((status = 204, description = "Deleted")),
)]
pub async fn remove_key_webhook(ApiCall { context, .. }: ApiCall) -> Handled {
    let holder = key_holder(&context)?;
    let service = context.service();
    service
        .put_player_webhook(holder, None, HookTerms::default())
        .await?;
    Ok(StoredResponse::empty().respond())
}

fn key_holder(context: &JsonContext) -> Result<PlayerId, Problem> {
    let key = context.operator_key().ok_or_else(|| {
        Problem::new(ProblemCode::Unauthenticated).detail("this requires an operator key")
    })?;
    Ok(PlayerId::of_key(&key.name))
}

/// Forget the player who calls
///
/// The player leaves the games that are not over. Its name and its id are then shown nowhere, and the records of its games name
/// nobody. The credential stays valid and stands for a player without a past.
#[utoipa::path(
    delete, path = "/v1/players/me",
    operation_id = "forgetPlayer", tag = "players",
    responses((status = 204, description = "Forgotten")),
)]
pub async fn forget(ApiCall { context, .. }: ApiCall) -> Handled {
    let id = context.player()?;
    context.service().forget_player(id).await?;
    Ok(StoredResponse::empty().respond())
}
