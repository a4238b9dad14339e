//! `/v1/sessions/{id}/webhooks`: servers that the owner of a session wants to be notified.

use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::call::{ApiCall, BodyCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::request::extract::{Json, OptionalJson};
use crate::api::request::lists;
use crate::api::response::respond::{self, ListPage, page_schema};
use crate::api::response::stored_response::StoredResponse;
use crate::api::session::sessions::SessionPath;
use crate::api::session::webhook_messages::EventName;
use crate::api::shared::problem::Problem;
use wyrmgate_sessions::{
    self as session, Call, CommittedChange, Live, WebhookFormat, WebhookOrder, WebhookSecrets,
    rfc3339,
};

/// Number of different events.
const EVENTS_MAX: usize = 4;
/// Default time for which the previous secret stays valid.
const KEEP_PREVIOUS_MS: u64 = 24 * 3_600_000;
const KEEP_PREVIOUS_MAX_MS: u64 = 7 * KEEP_PREVIOUS_MS;

/// A webhook to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"url": "https://hooks.example.org/games", "events": ["decision.owed", "session.finished"]}))]
pub struct NewWebhook {
    /// An https address on the public internet, unless the operator allows others. Host names must be ASCII.
    #[schema(format = "uri", max_length = 512)]
    pub url: String,
    /// The events to send, each once.
    #[schema(min_items = 1, max_items = 4)]
    pub events: Vec<EventName>,
    /// `json` for programs; `discord`, `slack` or `telegram` for a sentence in a channel.
    #[serde(default)]
    pub format: WebhookFormat,
}

/// A webhook as the owner of its session sees it.
#[derive(Serialize, ToSchema)]
#[schema(as = Webhook)]
pub struct OwnedWebhook {
    id: String,
    #[schema(format = "uri")]
    url: String,
    events: Vec<EventName>,
    format: WebhookFormat,
    status: WebhookStatus,
    /// Why it is disabled: `gone` (the server answered 410) or `failing` (it has failed for too long). A `PUT` enables
    /// it again for future events.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<session::Disabled>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    disabled_at: Option<String>,
    /// Number of changes waiting to be delivered.
    waiting: usize,
    /// Number of changes that were dropped because too many waited while deliveries failed. They are still in the
    /// session's events.
    missed: u64,
    /// Number of consecutive failed attempts.
    failures: u32,
    /// Time of the next attempt.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    next_attempt_at: Option<String>,
    /// Number of secrets that this webhook has had.
    #[schema(minimum = 1)]
    secret_number: u32,
    /// Until then, messages are also signed with the previous secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(format = DateTime)]
    previous_secret_until: Option<String>,
    #[schema(format = DateTime)]
    created_at: String,
    /// The latest attempts, oldest first.
    #[schema(max_items = 8)]
    deliveries: Vec<WebhookDelivery>,
}

/// A webhook with its secret.
#[derive(Serialize, ToSchema)]
pub struct SecretWebhook {
    #[serde(flatten)]
    webhook: OwnedWebhook,
    /// The secret that signs messages, in the format of Standard Webhooks. Shown once.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required, example = "whsec_…")]
    secret: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum WebhookStatus {
    Active,
    Disabled,
}

/// A delivery attempt.
#[derive(Serialize, ToSchema)]
pub struct WebhookDelivery {
    /// The `webhook-id` of the message, the same in every attempt.
    #[schema(example = "msg_…")]
    message: String,
    /// The event: one of the webhook's events, or `webhook.ping`.
    #[schema(example = "decision.owed")]
    event: &'static str,
    /// The version of the session that the message is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<u64>,
    #[schema(format = DateTime)]
    at: String,
    took_ms: u64,
    #[schema(minimum = 1)]
    attempt: u32,
    /// `delivered` (2xx), `redirected` (3xx, not followed), `gone` (410), `rejected` (another status), `unreachable`
    /// (the host has no permitted address or refuses the connection), `untrusted` (invalid certificate), `timed-out`,
    /// or `broken` (the response is not HTTP).
    #[schema(example = "delivered")]
    outcome: &'static str,
    /// The status code of the response.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(minimum = 100, maximum = 999)]
    status: Option<u16>,
}

page_schema!("A page of webhooks.", "Cursor of the next page.", WebhookPage: OwnedWebhook);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct WebhookList {
    /// Maximum number of items in the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// `next` from the previous page.
    #[param(pattern = "^[A-Za-z0-9_-]{22}$")]
    cursor: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct WebhookPath {
    /// The id of a session.
    session: String,
    /// The id of a webhook.
    webhook: String,
}

/// How to rotate a secret.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewWebhookSecret {
    /// Time for which messages are also signed with the previous secret. 0 if it has leaked. Defaults to one day.
    #[schema(minimum = 0, maximum = 604_800_000)]
    keep_previous_ms: Option<u64>,
}

/// No fields.
#[derive(Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewPing {}

/// List the webhooks of a session
///
/// For the owner of the session.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/webhooks",
    operation_id = "listWebhooks", tag = "webhooks", params(SessionPath, WebhookList),
    responses((status = 200, description = "A page of webhooks, oldest first", body = WebhookPage)),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn list(call: ApiCall<SessionPath, WebhookList>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let limit = lists::limit(query.limit)?;
    let live = owned(&context, &path.session).await?;
    let all = live.status.webhooks.as_ref();
    let mut rest = all
        .into_iter()
        .flat_map(|webhooks| webhooks.owned())
        .peekable();
    if let Some(cursor) = &query.cursor {
        // If the webhook of the cursor no longer exists, the rest of the list is unknown and the page is empty.
        rest.by_ref().find(|webhook| webhook.id == *cursor);
    }
    let items: Vec<OwnedWebhook> = rest
        .by_ref()
        .take(limit)
        .map(|webhook| describe(&live, webhook))
        .collect();
    let last = items.last().map(|webhook| webhook.id.clone());
    let next = last.filter(|_| rest.peek().is_some());
    respond::page(&context.request, &ListPage { items, next })
}

/// Create a webhook
///
/// Follows Standard Webhooks: the server sends a `POST` with a small JSON message and the headers `webhook-id`,
/// `webhook-timestamp` and `webhook-signature` (HMAC-SHA256 with the `secret` of this response). A message contains
/// only information that is public to everyone who knows the session, and a link. Each message is delivered at least
/// once and in order. Failed deliveries are retried at growing intervals. For the owner of the session.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/webhooks",
    operation_id = "createWebhook", tag = "webhooks", params(SessionPath), request_body = NewWebhook,
    responses((status = 201, description = "The webhook, with its secret", body = SecretWebhook,
        headers(("Location" = String, description = "URL of the webhook")))),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "webhook-refused"]))),
)]
pub async fn create(call: BodyCall<Json<NewWebhook>, SessionPath>) -> Handled {
    let (context, path, Json(wanted)) = (call.context, call.path, call.body);
    let order = wanted.order()?;
    let service = context.service();
    let id = service.webhook_id()?;
    let location = format!("/v1/sessions/{}/webhooks/{id}", path.session);
    let secrets = service.webhook_secrets(&path.session).await?;
    let describe = |made: &CommittedChange| {
        let location = Some(location.clone());
        with_secret(StatusCode::CREATED, location, made, &id, &secrets)
    };
    let add = async |call: Call<'_>| service.add_webhook(call, &id, &order).await;
    context.change(&path.session, describe, add).await
}

/// Get a webhook and its latest deliveries
///
/// Its address, its events, its latest attempts with their results, and what is still to be delivered.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/webhooks/{webhook}",
    operation_id = "getWebhook", tag = "webhooks", params(WebhookPath),
    responses((status = 200, description = "The webhook", body = OwnedWebhook)),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<WebhookPath>) -> Handled {
    let live = owned(&context, &path.session).await?;
    let webhook = found(&live, &path.webhook);
    let webhook = webhook.ok_or_else(|| unknown(&live, &path.webhook))?;
    respond::ok(&describe(&live, webhook))
}

/// Change a webhook
///
/// Changes the address or the events. Pending messages are sent at once. A disabled webhook is enabled again for future
/// events. The secret stays the same.
#[utoipa::path(
    put, path = "/v1/sessions/{session}/webhooks/{webhook}",
    operation_id = "changeWebhook", tag = "webhooks", params(WebhookPath), request_body = NewWebhook,
    responses((status = 200, description = "The changed webhook", body = OwnedWebhook)),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "webhook-refused"]))),
)]
pub async fn change(call: BodyCall<Json<NewWebhook>, WebhookPath>) -> Handled {
    let (context, path, Json(wanted)) = (call.context, call.path, call.body);
    let order = wanted.order()?;
    let describe = |made: &CommittedChange| {
        let webhook = found(&made.live, &path.webhook).map(|webhook| describe(&made.live, webhook));
        StoredResponse::new(StatusCode::OK, None, &webhook)
    };
    let (id, service) = (&path.webhook, context.service());
    let change = async |call: Call<'_>| service.change_webhook(call, id, &order).await;
    context.change(&path.session, describe, change).await
}

/// Delete a webhook
///
/// Messages that have not been delivered are dropped.
#[utoipa::path(
    delete, path = "/v1/sessions/{session}/webhooks/{webhook}",
    operation_id = "removeWebhook", tag = "webhooks", params(WebhookPath),
    responses((status = 204, description = "Deleted")),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn remove(ApiCall { context, path, .. }: ApiCall<WebhookPath>) -> Handled {
    let describe = |_: &CommittedChange| StoredResponse::empty();
    let (id, service) = (&path.webhook, context.service());
    let remove = async |call: Call<'_>| service.remove_webhook(call, id).await;
    context.change(&path.session, describe, remove).await
}

/// Rotate the secret of a webhook
///
/// For a while, messages carry two signatures, so that receivers can switch one after the other.
#[utoipa::path(
    put, path = "/v1/sessions/{session}/webhooks/{webhook}/secret",
    operation_id = "renewWebhookSecret", tag = "webhooks", params(WebhookPath), request_body = Option<NewWebhookSecret>,
    responses((status = 200, description = "The webhook, with its new secret", body = SecretWebhook)),
    extensions(("x-codes" = json!(["forbidden"]))),
)]
pub async fn renew_secret(call: BodyCall<OptionalJson<NewWebhookSecret>, WebhookPath>) -> Handled {
    let (context, path, OptionalJson(wanted)) = (call.context, call.path, call.body);
    let keep = wanted.keep_previous_ms.unwrap_or(KEEP_PREVIOUS_MS);
    if keep > KEEP_PREVIOUS_MAX_MS {
        return Err(Problem::malformed(
            "/keep_previous_ms",
            "`keep_previous_ms` must be at most one week",
        ));
    }
    let (id, service) = (&path.webhook, context.service());
    let secrets = service.webhook_secrets(&path.session).await?;
    let describe = |made: &CommittedChange| with_secret(StatusCode::OK, None, made, id, &secrets);
    let renew = async |call: Call<'_>| service.renew_webhook_secret(call, id, keep).await;
    context.change(&path.session, describe, renew).await
}

/// Send a test message
///
/// Sends a `webhook.ping` once and returns the result. It works for a disabled webhook too. If it succeeds, pending
/// messages are sent at once.
#[utoipa::path(
    post, path = "/v1/sessions/{session}/webhooks/{webhook}/pings",
    operation_id = "pingWebhook", tag = "webhooks", params(WebhookPath), request_body = Option<NewPing>,
    responses((status = 200, description = "The result of the delivery", body = WebhookDelivery)),
    extensions(("x-codes" = json!(["forbidden", "webhook-refused"]))),
)]
pub async fn ping(call: BodyCall<OptionalJson<NewPing>, WebhookPath>) -> Handled {
    let (context, path, OptionalJson(NewPing {})) = (call.context, call.path, call.body);
    let describe = |made: &CommittedChange| {
        let webhook = found(&made.live, &path.webhook);
        let latest = webhook.and_then(|webhook| webhook.deliveries.back());
        StoredResponse::new(StatusCode::OK, None, &latest.map(WebhookDelivery::of))
    };
    let (id, service) = (&path.webhook, context.service());
    let ping = async |call: Call<'_>| service.ping_webhook(call, id).await;
    context.change(&path.session, describe, ping).await
}

/// Returns the session if the caller is its owner.
async fn owned(context: &JsonContext, id: &str) -> Result<std::sync::Arc<Live>, Problem> {
    Ok(context
        .service()
        .webhooks(id, context.token.as_ref())
        .await?)
}

fn found<'a>(live: &'a Live, id: &str) -> Option<&'a session::Webhook> {
    let webhook = live.status.webhooks.as_ref()?.find(id)?;
    Some(webhook).filter(|webhook| webhook.player().is_none())
}

fn unknown(live: &Live, id: &str) -> Problem {
    let all = live.status.webhooks.as_ref();
    let ids = all.into_iter().flat_map(|webhooks| webhooks.owned());
    Problem::unknown(
        "webhook",
        id,
        ids.map(|webhook| webhook.id.clone()).collect(),
    )
}

fn with_secret(
    status: StatusCode,
    location: Option<String>,
    made: &CommittedChange,
    id: &str,
    secrets: &WebhookSecrets,
) -> StoredResponse {
    let webhook = found(&made.live, id).map(|webhook| SecretWebhook {
        secret: Some(secrets.secret(id, webhook.secret_number).reveal()),
        webhook: describe(&made.live, webhook),
    });
    StoredResponse::new(status, location, &webhook)
}

fn describe(live: &Live, webhook: &session::Webhook) -> OwnedWebhook {
    let all = live.status.webhooks.as_ref();
    let (disabled_at, reason) = webhook.disabled.unzip();
    OwnedWebhook {
        id: webhook.id.clone(),
        url: webhook.url.clone(),
        events: webhook
            .events
            .iter()
            .filter_map(|event| EventName::of(*event))
            .collect(),
        format: webhook.addressee.format,
        status: match reason {
            Some(_) => WebhookStatus::Disabled,
            None => WebhookStatus::Active,
        },
        reason,
        disabled_at: disabled_at.map(rfc3339),
        waiting: all.map_or(0, |all| all.waiting(webhook)),
        missed: webhook.missed,
        failures: webhook.failures(),
        next_attempt_at: webhook.next_at_ms().map(rfc3339),
        secret_number: webhook.secret_number,
        previous_secret_until: webhook.previous_until_ms.map(rfc3339),
        created_at: rfc3339(webhook.created_at_ms),
        deliveries: webhook.deliveries.iter().map(WebhookDelivery::of).collect(),
    }
}

impl WebhookDelivery {
    fn of(delivery: &session::Delivery) -> WebhookDelivery {
        WebhookDelivery {
            message: delivery.message.0.clone(),
            event: delivery.event.name(),
            version: delivery.version,
            at: rfc3339(delivery.at_ms),
            took_ms: delivery.took_ms,
            attempt: delivery.attempt,
            outcome: delivery.outcome.public_name(),
            status: delivery.status,
        }
    }
}

impl NewWebhook {
    pub fn order(self) -> Result<WebhookOrder, Problem> {
        self.order_of(false)
    }

    /// The same, for one that may be told of no event.
    pub fn order_of(self, may_be_none: bool) -> Result<WebhookOrder, Problem> {
        let mut events = self.events;
        if events.is_empty() && !may_be_none || events.len() > EVENTS_MAX {
            return Err(Problem::malformed(
                "/events",
                "`events` must name 1 to 4 events",
            ));
        }
        events.sort_unstable();
        events.dedup();
        Ok(WebhookOrder {
            url: self.url,
            events: events.into_iter().map(EventName::event).collect(),
            format: self.format,
        })
    }
}
