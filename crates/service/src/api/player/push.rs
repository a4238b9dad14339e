//! `/v1/players/me/push`: browsers that get messages from their push services, also while the page is closed.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::call::{ApiCall, BodyCall, Handled, NoParameters};
use crate::api::request::extract::Json;
use crate::api::response::respond;
use crate::api::response::stored_response::StoredResponse;
use wyrmgate_sessions::ProfileWebhook;
use wyrmgate_sessions::webhook_sender::BrowserKeys;

/// The key of this service.
#[derive(Serialize, ToSchema)]
pub struct PushKey {
    /// The public key in base64url, for `applicationServerKey`.
    #[schema(pattern = "^[A-Za-z0-9_-]{87}$")]
    public_key: String,
}

/// The subscription of a browser, as `PushSubscription.toJSON()` returns it, without its time of expiry.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"endpoint": "https://push.example.org/send/1", "keys": {"p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", "auth": "BTBZMqHH6r4Tts7J_aSIgg"}}))]
pub struct NewBrowser {
    /// The address of its push service for it, which must be one that webhooks may call.
    #[schema(format = "uri", max_length = 512)]
    endpoint: String,
    keys: NewBrowserKeys,
}

/// The keys of a browser.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBrowserKeys {
    #[schema(min_length = 87, max_length = 88)]
    p256dh: String,
    #[schema(min_length = 22, max_length = 24)]
    auth: String,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BrowserQuery {
    /// Only this browser. Without it, all of them.
    endpoint: Option<String>,
}

/// Get the key for subscriptions of browsers
///
/// All servers of one store have the same key.
#[utoipa::path(
    get, path = "/v1/push-key",
    operation_id = "getPushKey", tag = "players",
    responses((status = 200, description = "The key", body = PushKey)),
    extensions(("x-codes" = json!(["webhook-refused"]))),
)]
pub async fn key(ApiCall { context, .. }: ApiCall) -> Handled {
    let public_key = context.service().server_key().await?.public();
    respond::ok(&PushKey { public_key })
}

/// Tell the player in a browser
///
/// The browser gets a message when the player owes a decision, and when a game is over. The push service cannot read it. A player has
/// up to five browsers, and a browser that is gone is removed.
#[utoipa::path(
    put, path = "/v1/players/me/push",
    operation_id = "putBrowser", tag = "players", request_body = NewBrowser,
    responses((status = 204, description = "Told from now on")),
    extensions(("x-codes" = json!(["unprocessable", "webhook-refused"]))),
)]
pub async fn put(call: BodyCall<Json<NewBrowser>>) -> Handled {
    let (context, Json(wanted)) = (call.context, call.body);
    let keys = BrowserKeys {
        p256dh: wanted.keys.p256dh,
        auth: wanted.keys.auth,
    };
    let (service, player) = (context.service(), context.player()?);
    service.put_browser(player, &wanted.endpoint, &keys).await?;
    Ok(StoredResponse::empty().respond())
}

/// Tell the player in a browser no more
///
/// Names the browser by its address at the push service.
#[utoipa::path(
    delete, path = "/v1/players/me/push",
    operation_id = "removeBrowsers", tag = "players", params(BrowserQuery),
    responses((status = 204, description = "Removed")),
)]
pub async fn remove(call: ApiCall<NoParameters, BrowserQuery>) -> Handled {
    let (context, endpoint) = (call.context, call.query.endpoint);
    let is_meant =
        |known: &ProfileWebhook| endpoint.as_ref().is_none_or(|of| *of == known.order.url);
    let (service, player) = (context.service(), context.player()?);
    service.remove_browsers(player, &is_meant).await?;
    Ok(StoredResponse::empty().respond())
}
