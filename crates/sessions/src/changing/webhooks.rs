//! Operations of a session owner on webhooks.

use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;

use crate::Refusal;
use crate::access::token::{NoEntropy, Token, entropy};
use crate::changing::call::{Answered, Call};
use crate::changing::pending::PendingChange;
use crate::changing::pending::writing::{Attempt, MakeChange};
use crate::content::live::Live;
use crate::content::outbox::Webhooks;
use crate::content::webhook::{
    Addressee, Delivery, DeliveryOutcome, WEBHOOKS_MAX, Webhook, WebhookOrder,
};
use crate::service::Service;
use crate::webhook::deliverer::Deliverer;
use crate::webhook::message::Message;
use crate::webhook::secrets::WebhookSecrets;
use crate::webhook_sender::ServerKey;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_store::{ChangeMark, Create, Secret, StoreError};

/// The record with the key for push services. The name is longer than any session id, so the two cannot collide.
const SERVER_KEY: &str = "key-for-push-services-of-this-store";

impl Webhook {
    pub(crate) fn new(id: &str, order: &WebhookOrder, version: u64, now_ms: u64) -> Webhook {
        Webhook {
            id: id.to_owned(),
            url: order.url.clone(),
            events: order.events.clone(),
            addressee: Addressee {
                format: order.format,
                player: None,
                push: None,
            },
            created_at_ms: now_ms,
            secret_number: 1,
            previous_until_ms: None,
            disabled: None,
            delivered_version: version,
            part: 0,
            next_at_ms: None,
            attempts: 0,
            failing_since_ms: None,
            missed: 0,
            deliveries: Default::default(),
        }
    }
}

impl Service {
    /// Returns the webhooks of a session, for its owner.
    pub async fn webhooks(&self, id: &str, token: Option<&Token>) -> Result<Arc<Live>, Refusal> {
        let (live, caller) = self.look(id, token).await?;
        caller.needs_owner()?;
        Ok(live)
    }

    /// Adds a webhook. `name` is its id, from [`Service::webhook_id`]; a second one of that id would never be told
    /// anything, so an existing one stays.
    pub async fn add_webhook(
        &self,
        call: Call<'_>,
        name: &str,
        order: &WebhookOrder,
    ) -> Result<Answered, Refusal> {
        self.webhooks(call.session, call.token).await?;
        self.may_call(order)?;
        let add = |attempt: &Attempt<'_>| {
            let mut change = attempt.by_owner()?;
            let (now, version) = (change.entry.at_ms, change.before.version());
            let status = change.status_mut();
            let webhooks = status.webhooks.get_or_insert_default();
            if webhooks.find(name).is_some() {
                return Ok(change);
            }
            if webhooks.owned().count() >= WEBHOOKS_MAX {
                return Err(Refusal::WebhookRefused(
                    "a session can have at most 5 webhooks; delete one first".into(),
                ));
            }
            webhooks.all.push(Webhook::new(name, order, version, now));
            Ok(change)
        };
        self.write(call, &add).await
    }

    /// Changes a webhook. Enables a disabled webhook again for future events.
    pub async fn change_webhook(
        &self,
        call: Call<'_>,
        name: &str,
        order: &WebhookOrder,
    ) -> Result<Answered, Refusal> {
        self.webhooks(call.session, call.token).await?;
        self.may_call(order)?;
        let alter = |attempt: &Attempt<'_>| {
            let change = attempt.by_owner()?;
            let version = change.before.version();
            altered(change, name, |webhook| {
                webhook.become_as(order, version, now_ms())
            })
        };
        self.write_and_call(call, &alter).await
    }

    /// Changes a session, and delivers what is due then.
    async fn write_and_call(
        &self,
        call: Call<'_>,
        change: MakeChange<'_>,
    ) -> Result<Answered, Refusal> {
        let answered = self.write(call, change).await?;
        if let Answered::Fresh(made) = &answered {
            self.call_webhooks(&made.live);
        }
        Ok(answered)
    }

    /// Rotates the secret. For the given time, messages are also signed with the previous one.
    pub async fn renew_webhook_secret(
        &self,
        call: Call<'_>,
        name: &str,
        keep_previous_ms: u64,
    ) -> Result<Answered, Refusal> {
        let renew = |attempt: &Attempt<'_>| {
            altered(attempt.by_owner()?, name, |webhook| {
                webhook.secret_number = webhook.secret_number.saturating_add(1);
                let until = now_ms().saturating_add(keep_previous_ms);
                webhook.previous_until_ms = (keep_previous_ms > 0).then_some(until);
            })
        };
        self.write(call, &renew).await
    }

    /// Removes a webhook.
    pub async fn remove_webhook(&self, call: Call<'_>, name: &str) -> Result<Answered, Refusal> {
        let remove = |attempt: &Attempt<'_>| {
            let mut change = attempt.by_owner()?;
            found(&change.before, name)?;
            change.with_webhooks(|webhooks| {
                webhooks.all.retain(|webhook| webhook.id != name);
                webhooks.tidy();
                true
            });
            let status = change.status_mut();
            status.webhooks = status.webhooks.take().filter(|left| !left.all.is_empty());
            Ok(change)
        };
        self.write(call, &remove).await
    }

    /// Sends a test message now and records the result as the last delivery. If it succeeds, pending messages are sent
    /// too.
    pub async fn ping_webhook(&self, call: Call<'_>, name: &str) -> Result<Answered, Refusal> {
        let live = self.webhooks(call.session, call.token).await?;
        let webhook = found(&live, name)?;
        let delivery = self.ping(self.calling()?, &live, webhook).await?;
        let note = |attempt: &Attempt<'_>| {
            altered(attempt.by_owner()?, name, |webhook| {
                webhook.remember(delivery.clone());
                if delivery.outcome == DeliveryOutcome::Delivered {
                    webhook.call_soon(now_ms());
                }
            })
        };
        self.write_and_call(call, &note).await
    }

    /// Sends a test message, even if the webhook is disabled.
    async fn ping(
        &self,
        deliverer: &Deliverer,
        live: &Live,
        webhook: &Webhook,
    ) -> Result<Delivery, Refusal> {
        let secrets = self.webhook_secrets(&live.id).await?;
        let message = Message::ping(live, webhook, now_ms(), &deliverer.base_url)?;
        let secrets = secrets.in_force(webhook, now_ms());
        let called = deliverer
            .call(&self.metrics, webhook, message, 1, &secrets)
            .await;
        called
            .map(|(delivery, _)| delivery)
            .ok_or(Refusal::Overloaded)
    }

    pub async fn webhook_secrets(&self, id: &str) -> Result<WebhookSecrets, Refusal> {
        Ok(WebhookSecrets::of(&self.secrets(id).await?))
    }

    /// Returns the key by which push services recognize the servers of this store.
    pub async fn server_key(&self) -> Result<&ServerKey, Refusal> {
        let key = &self.calling()?.server_key;
        key.get_or_try_init(|| async {
            let stored = match self.store.secret(SERVER_KEY).await? {
                Some(stored) => stored,
                None => self.new_server_key().await?,
            };
            let damaged = |_| StoreError::Corrupt("the key for push services".into());
            Ok(ServerKey::of(&stored.0).map_err(damaged)?)
        })
        .await
    }

    async fn new_server_key(&self) -> Result<Secret, Refusal> {
        let mut create = Create::new(SERVER_KEY);
        create.mark = ChangeMark::draw()?;
        let new = ServerKey::generate().map_err(|_| NoEntropy)?;
        create.secret = Some(Secret(new.into()));
        // Another node may have been faster.
        self.store.create(create).await?;
        self.store
            .secret(SERVER_KEY)
            .await?
            .ok_or(Refusal::NotFound)
    }

    /// Returns a new webhook id.
    pub fn webhook_id(&self) -> Result<String, Refusal> {
        Ok(BASE64.encode(entropy::<16>()?))
    }

    /// Returns whether webhooks are enabled on this node.
    pub fn calls_webhooks(&self) -> bool {
        self.deliverer.is_some()
    }

    fn calling(&self) -> Result<&Deliverer, Refusal> {
        let off = "webhooks are off on this server; its operator can enable them with `--webhooks`";
        let deliverer = self.deliverer.as_ref();
        deliverer.ok_or_else(|| Refusal::WebhookRefused(off.into()))
    }

    pub(crate) fn may_call(&self, order: &WebhookOrder) -> Result<(), Refusal> {
        let target = self.calling()?.sender.policy().target(&order.url);
        target
            .map(|_| ())
            .map_err(|unfit| match unfit.is_malformed() {
                true => Refusal::unprocessable("/url", unfit.to_string()),
                false => Refusal::WebhookRefused(unfit.to_string()),
            })
    }
}

/// Returns the webhook with this id.
fn found<'a>(live: &'a Live, name: &str) -> Result<&'a Webhook, Refusal> {
    let webhooks = live.status.webhooks.as_ref();
    let webhook = webhooks.and_then(|webhooks| webhooks.find(name));
    let webhook = webhook.filter(|webhook| webhook.player().is_none());
    webhook.ok_or(Refusal::NotFound)
}

fn altered(
    mut change: PendingChange,
    name: &str,
    alter: impl FnOnce(&mut Webhook),
) -> Result<PendingChange, Refusal> {
    found(&change.before, name)?;
    change.with_webhooks(|webhooks| {
        if let Some(webhook) = webhooks.all.iter_mut().find(|webhook| webhook.id == name) {
            alter(webhook);
        }
        webhooks.tidy();
        true
    });
    Ok(change)
}

impl PendingChange {
    /// Changes the webhooks of the session, if it has any. `alter` returns whether it changed something.
    pub(crate) fn with_webhooks(&mut self, alter: impl FnOnce(&mut Webhooks) -> bool) {
        let Some(mut webhooks) = self.status().webhooks.clone() else {
            return;
        };
        if alter(&mut webhooks) {
            self.status_mut().webhooks = Some(webhooks);
        }
    }
}
