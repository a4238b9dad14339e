//! Webhook messages. They contain only information that is public to everyone who knows the session.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use serde::Serialize;
use serde_json::json;
use utoipa::ToSchema;

use crate::content::facts::game_and_variant;
use crate::content::live::Live;
use crate::content::log::After;
use crate::content::outbox::OutboxEntry;
use crate::content::stage::Stage;
use crate::content::times::{Deadline, rfc3339};
use crate::content::webhook::{MessageId, Webhook, WebhookEvent, WebhookFormat};
use wyrmgate_base::presume::{BrokenInvariant, Presume};
use wyrmgate_program::Language;

/// A message before signing.
#[derive(Debug, Clone)]
pub(crate) struct Message {
    pub id: MessageId,
    pub event: WebhookEvent,
    pub version: Option<u64>,
    pub body: Vec<u8>,
    pub trace: Option<String>,
}

/// A message of a webhook.
#[derive(Serialize, ToSchema)]
pub struct WebhookMessage<'a> {
    /// One of the webhook's events, or `webhook.ping`.
    #[schema(example = "decision.owed")]
    r#type: &'static str,
    /// The time of the event.
    #[schema(format = DateTime)]
    timestamp: String,
    data: WebhookData<'a>,
}

/// Content of a message. It contains only information that is public to everyone who knows the session.
#[derive(Serialize, ToSchema)]
pub struct WebhookData<'a> {
    /// The id of the session.
    session: &'a str,
    game: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    variant: Option<&'a str>,
    /// The name of its creator for the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    external_id: Option<&'a str>,
    /// The version that the message is about.
    version: u64,
    status: Stage,
    /// For `decision.owed`: the seats that owe a new decision since this version.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<u8>>, min_items = 1)]
    seats: Option<&'a [u8]>,
    /// The seats that owe a decision since this version. Absent in a ping.
    #[serde(skip_serializing_if = "Option::is_none")]
    owing: Option<Vec<u8>>,
    /// When these seats run out of time, if the session has a clock. Absent in a ping.
    #[serde(skip_serializing_if = "Option::is_none")]
    deadlines: Option<Vec<Deadline>>,
    /// Link to the session. Relative, unless the operator has configured the public address of the server.
    #[schema(format = "uri-reference")]
    url: String,
}

/// The daily message to a player for whom games wait.
#[derive(Serialize, ToSchema)]
pub struct DigestMessage {
    /// `games.waiting`.
    #[schema(example = "games.waiting")]
    r#type: &'static str,
    #[schema(format = DateTime)]
    timestamp: String,
    data: WaitingSessions,
}

#[derive(Serialize, ToSchema)]
pub struct WaitingSessions {
    /// Where the player owes a decision, the earliest deadline first.
    #[schema(min_items = 1, max_items = 100)]
    sessions: Vec<WaitingSession>,
}

#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct WaitingSession {
    /// The id of the session.
    pub session: String,
    pub game: String,
    /// Link to the session, as in other messages.
    #[schema(format = "uri-reference", required)]
    pub url: Option<String>,
}

/// Maximum number of links in a sentence.
const LINKS_MAX: usize = 10;

/// The subject of a message.
struct About<'a> {
    event: WebhookEvent,
    version: u64,
    at_ms: u64,
    stage: Stage,
    seats: Option<&'a [u8]>,
    after: Option<&'a After>,
}

impl MessageId {
    fn of(live: &Live, webhook: &Webhook, event: WebhookEvent, version: u64, at_ms: u64) -> Self {
        let mut hasher = blake3::Hasher::new_derive_key("wyrmgate 1 webhook message");
        for part in [&*live.id, &*webhook.id, event.name()] {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part.as_bytes());
        }
        // The time distinguishes a version from one that the store has lost.
        hasher
            .update(&version.to_le_bytes())
            .update(&at_ms.to_le_bytes());
        let mut bits = [0; 16];
        hasher.finalize_xof().fill(&mut bits);
        MessageId(format!("msg_{}", BASE64.encode(bits)))
    }
}

impl Message {
    /// Returns the message that games wait for a player.
    pub fn digest(
        id: String,
        format: WebhookFormat,
        waiting: &[WaitingSession],
        now_ms: u64,
        base_url: &str,
    ) -> Result<Message, BrokenInvariant> {
        let event = WebhookEvent::Waiting;
        let body = match format {
            WebhookFormat::Json => {
                let sessions = waiting.iter().map(|of| WaitingSession {
                    url: Some(format!("{base_url}/v1/sessions/{}", of.session)),
                    ..of.clone()
                });
                let body = DigestMessage {
                    r#type: event.name(),
                    timestamp: rfc3339(now_ms),
                    data: WaitingSessions {
                        sessions: sessions.collect(),
                    },
                };
                serde_json::to_vec(&body).presume("a digest serializes to JSON")?
            }
            format => {
                let told = match waiting.len() {
                    1 => "1 game waits for you".to_owned(),
                    count => format!("{count} games wait for you"),
                };
                let linked = waiting
                    .iter()
                    .take(LINKS_MAX)
                    .filter(|_| !base_url.is_empty());
                let links = linked.map(|of| format!(" {base_url}/#/t/{}", of.session));
                in_channel(format, &format!("{told}.{}", links.collect::<String>()))?
            }
        };
        Ok(Message {
            id: MessageId(format!("msg_{id}")),
            event,
            version: None,
            body,
            trace: None,
        })
    }

    /// Returns the message about an outbox entry for one webhook and event.
    pub fn of(
        live: &Live,
        webhook: &Webhook,
        entry: &OutboxEntry,
        event: WebhookEvent,
        base_url: &str,
    ) -> Result<Message, BrokenInvariant> {
        let about = About {
            event,
            version: entry.version,
            at_ms: entry.at_ms,
            stage: entry.stage,
            seats: (event == WebhookEvent::Owed).then_some(entry.owed_by.as_slice()),
            after: entry.after.as_ref(),
        };
        Ok(Message {
            id: MessageId::of(live, webhook, event, entry.version, entry.at_ms),
            event,
            version: Some(entry.version),
            body: body(live, webhook, &about, base_url)?,
            trace: entry.trace.clone(),
        })
    }

    /// Returns a test message.
    pub fn ping(
        live: &Live,
        webhook: &Webhook,
        now_ms: u64,
        base_url: &str,
    ) -> Result<Message, BrokenInvariant> {
        let event = WebhookEvent::Ping;
        let version = live.version();
        let about = About {
            event,
            version,
            at_ms: now_ms,
            stage: live.stage(),
            seats: None,
            after: None,
        };
        Ok(Message {
            id: MessageId::of(live, webhook, event, version, now_ms),
            event,
            version: None,
            body: body(live, webhook, &about, base_url)?,
            trace: None,
        })
    }
}

fn body(
    live: &Live,
    webhook: &Webhook,
    about: &About<'_>,
    base_url: &str,
) -> Result<Vec<u8>, BrokenInvariant> {
    let sentence = || sentence(live, webhook, about, base_url);
    if webhook.is_push() {
        let body =
            json!({"type": about.event.name(), "session": &*live.id, "title": title_of(live)});
        return serde_json::to_vec(&body).presume("a notification serializes to JSON");
    }
    match webhook.addressee.format {
        WebhookFormat::Json => document(live, about, base_url),
        format => in_channel(format, &sentence()),
    }
}

/// Returns a sentence as a chat service wants it.
fn in_channel(format: WebhookFormat, sentence: &str) -> Result<Vec<u8>, BrokenInvariant> {
    let body = match format {
        WebhookFormat::Discord => json!({"content": sentence, "allowed_mentions": {"parse": []}}),
        WebhookFormat::Json | WebhookFormat::Slack | WebhookFormat::Telegram => {
            json!({"text": sentence})
        }
    };
    serde_json::to_vec(&body).presume("a sentence serializes to JSON")
}

fn title_of(live: &Live) -> &str {
    live.ruleset.checked.texts.title.get(Language::default())
}

/// Returns what a person reads in a channel: nothing that others wrote, so that nobody can put anything in there.
fn sentence(live: &Live, webhook: &Webhook, about: &About<'_>, base_url: &str) -> String {
    let game = title_of(live);
    let happened = match about.event {
        WebhookEvent::Started => "the game has begun".to_owned(),
        WebhookEvent::Changed | WebhookEvent::Waiting => "something has happened".to_owned(),
        WebhookEvent::Finished => "the game is over".to_owned(),
        WebhookEvent::Owed if webhook.is_for_seats() => "it is your turn".to_owned(),
        WebhookEvent::Owed => {
            let seats = about.seats.unwrap_or_default().iter();
            let seats: Vec<String> = seats.map(u8::to_string).collect();
            format!("it is the turn of seat {}", seats.join(" and "))
        }
        WebhookEvent::Ping => "this is a test".to_owned(),
    };
    match base_url.is_empty() {
        true => format!("{game}: {happened}."),
        false => format!("{game}: {happened}. {base_url}/#/t/{}", live.id),
    }
}

fn document(live: &Live, about: &About<'_>, base_url: &str) -> Result<Vec<u8>, BrokenInvariant> {
    let (game, variant) = game_and_variant(&live.facts.game);
    let owed = || about.after.map(|after| after.owed_for(None));
    let body = WebhookMessage {
        r#type: about.event.name(),
        timestamp: rfc3339(about.at_ms),
        data: WebhookData {
            session: &live.id,
            game,
            variant,
            external_id: live.facts.labels.external_id.as_deref(),
            version: about.version,
            status: about.stage,
            seats: about.seats,
            owing: owed().map(|owed| owed.map(|owed| owed.seat).collect()),
            deadlines: owed().map(|owed| owed.filter_map(Deadline::of).collect()),
            url: format!("{base_url}/v1/sessions/{}", live.id),
        },
    };
    serde_json::to_vec(&body).presume("a webhook message serializes to JSON")
}
