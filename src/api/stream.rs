//! Server-sent events: the present, then what happens, for as long as somebody listens.
//!
//! The reader pulls: nothing is read from the store before the connection takes it, so a slow reader costs
//! no memory. One that falls far behind while live is told to begin anew.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::CACHE_CONTROL;
use actix_web::web::{Bytes, Data};
use futures_util::Stream;
use futures_util::stream::unfold;
use serde::Serialize;
use serde_json::json;
use tokio::time::{Instant, timeout_at};

use super::context::{App, Context};
use super::events::{self, Change};
use super::language::{self, Listener};
use super::problem::Problem;
use super::sessions;
use super::view;
use crate::metrics::OpenStream;
use crate::session::{Live, Refusal, Stage, Token};
use crate::store::{Doorbell, Ring};

/// Changes read at a time.
const READ_AHEAD: usize = 32;
/// A reader that has been up to date and is so many changes behind is too slow.
const BEHIND_MAX: u64 = 1_000;
/// Whoever is told things later is looked after so often.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// After a lost connection a client waits so long.
const RETRY: Duration = Duration::from_secs(2);

/// A stream of one session for one caller.
pub async fn open(
    context: &Context,
    live: Arc<Live>,
    listener: Listener,
    after: Option<u64>,
) -> Result<HttpResponse, Problem> {
    let app = context.app().clone();
    // Subscribe before reading: what happens in between is then in one or the other.
    let bell = app.service.subscribe(&live.id).await?;
    let live = app.service.load(&live.id).await?;
    let live = app.service.as_visible(&live, listener.caller).await?;
    let cursor = after.unwrap_or(live.version());
    let first = snapshot(&live, listener, cursor)?;
    let language = listener.tag(&live).to_owned();
    let reader = Reader {
        token: context.token.clone(),
        listener,
        bell,
        cursor,
        is_current: false,
        is_behind: false,
        ready: VecDeque::from([first]),
        is_done: false,
        _open: app.service.metrics().stream(),
        heartbeat: app.config.heartbeat,
        live,
        app,
    };
    let mut response = HttpResponse::Ok()
        .content_type(super::accept::EVENT_STREAM)
        .insert_header((CACHE_CONTROL, "no-cache, no-transform"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(messages(reader));
    language::say(&mut response, [language.as_str()]);
    Ok(response)
}

fn messages(reader: Reader) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    unfold(reader, |mut reader| async move {
        let message = reader.next().await?;
        Some((Ok(message), reader))
    })
}

/// Its id is where the changes that follow go on from.
fn snapshot(live: &Live, listener: Listener, cursor: u64) -> Result<Bytes, Problem> {
    let view = view::snapshot(live, listener)?;
    let retry = format!("retry: {}\n", RETRY.as_millis());
    let message = message("snapshot", Some(cursor), &view);
    Ok([retry.as_bytes(), &message].concat().into())
}

struct Reader {
    app: Data<App>,
    live: Arc<Live>,
    token: Option<Token>,
    listener: Listener,
    bell: Doorbell,
    /// The version of the last change sent.
    cursor: u64,
    /// Has once sent all there was.
    is_current: bool,
    /// Something has happened that this reader is told later.
    is_behind: bool,
    ready: VecDeque<Bytes>,
    is_done: bool,
    heartbeat: Duration,
    /// Counted while it lives.
    _open: OpenStream,
}

impl Reader {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            if self.is_done {
                return None;
            }
            if self.app.shutdown.has_begun() {
                self.say_last("bye", &json!({"retry_ms": RETRY.as_millis() as u64}));
                continue;
            }
            match self.read().await {
                Ok(()) if !self.ready.is_empty() => {}
                Ok(()) => self.wait().await,
                Err(refusal) => self.give_up(&refusal),
            }
        }
    }

    /// Makes ready what has happened.
    async fn read(&mut self) -> Result<(), Refusal> {
        let service = &self.app.service;
        self.live = service.load(&self.live.id).await?;
        // A seat that was left is nobody's any more, and neither are its secrets.
        self.listener.caller = self.live.caller(self.token.as_ref())?;
        let version = service.visible(&self.live, self.listener.caller).await?;
        self.is_behind = version < self.live.version();
        if self.is_current && version.saturating_sub(self.cursor) > BEHIND_MAX {
            self.say_last("resync", &json!({"version": version}));
            return Ok(());
        }
        let past = service
            .history(&self.live.id, self.cursor, READ_AHEAD)
            .await?;
        for past in past.into_iter().filter(|past| past.version <= version) {
            let change: Change = events::change(&self.live, self.listener, &past);
            self.cursor = past.version;
            let message = message("change", Some(past.version), &change);
            self.ready.push_back(message.into());
        }
        if self.cursor >= version {
            self.is_current = true;
            if self.live.stage() == Stage::Finished {
                self.say_end();
            }
        }
        Ok(())
    }

    fn say_end(&mut self) {
        let outcome = sessions::outcome(&self.live);
        let end = json!({"version": self.live.version(), "outcome": outcome});
        self.say_last("end", &end);
    }

    fn say_last(&mut self, event: &str, data: &impl Serialize) {
        self.ready.push_back(message(event, None, data).into());
        self.is_done = true;
    }

    /// Until something happens; a comment keeps the connection alive meanwhile.
    async fn wait(&mut self) {
        let patience = if self.is_behind {
            self.heartbeat.min(LOOK_AGAIN)
        } else {
            self.heartbeat
        };
        let late = Instant::now() + patience;
        tokio::select! {
            ring = timeout_at(late, self.bell.rung()) => match ring {
                Ok(Ring::Removed) => self.say_last("end", &json!({"version": null, "outcome": null})),
                Ok(Ring::Version(_) | Ring::Missed) => {}
                Err(_) => self.ready.push_back(Bytes::from_static(b": still here\n\n")),
            },
            () = self.app.shutdown.begun() => {}
        }
    }

    fn give_up(&mut self, refusal: &Refusal) {
        match refusal {
            Refusal::NotFound => {
                self.say_last("end", &json!({"version": null, "outcome": null}));
            }
            refusal => {
                tracing::warn!(%refusal, "a stream breaks off");
                self.say_last("resync", &json!({"version": null}));
            }
        }
    }
}

fn message(event: &str, id: Option<u64>, data: &impl Serialize) -> Vec<u8> {
    let id = id.map_or_else(String::new, |id| format!("id: {id}\n"));
    // Our own documents always have a JSON form, and JSON has no line breaks.
    let data = serde_json::to_string(data).unwrap_or_default();
    format!("event: {event}\n{id}data: {data}\n\n").into_bytes()
}
