//! Server-sent events: a snapshot, then every change, until the client disconnects.
//!
//! The reader pulls: the server reads from the store only when the connection can take more, so a slow reader costs no
//! memory. A reader that falls far behind receives `resync` and starts again.

use crate::api::request::call::Handled;
use crate::api::shared::accept;
use std::collections::VecDeque;
use std::rc::Rc;
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

use crate::api::request::app::{Admission, App};
use crate::api::request::context::JsonContext;
use crate::api::request::fields::Selection;
use crate::api::session::additions::{Additions, Extras};
use crate::api::session::enrichment::Enrichment;
use crate::api::session::messages::ReadMessage;
use crate::api::session::rendered::{RenderedChange, message};
use crate::api::session::shared_changes::{ChangeKey, SharedChanges};
use crate::api::session::{position, sessions};
use crate::api::shared::language::{self, Listener};
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_sessions::metrics::OpenStream;
use wyrmgate_sessions::{
    Bearer, Caller, EventCursor, LOOK_ANYWAY, Live, PastChange, Service, Stage,
};
use wyrmgate_store::{Notification, Subscription};

/// Number of changes read at a time.
const READ_AHEAD: usize = 32;
/// Polling interval for readers with a delay.
const LOOK_AGAIN: Duration = Duration::from_secs(1);
/// Time after which a client reconnects.
const RETRY: Duration = Duration::from_secs(2);

/// The request for a stream.
pub struct StreamRequest {
    pub listener: Listener,
    pub bearer: Option<Bearer>,
    pub admission: Admission,
    /// The last change that the client knows.
    pub after: Option<EventCursor>,
    pub extras: Extras,
    /// Whether the client wants the messages of the table.
    pub has_messages: bool,
    /// The members that the client wants of each message.
    pub selection: Option<Rc<Selection>>,
    pub shared: Data<SharedChanges>,
}

/// Opens a stream of one session for one caller.
pub async fn open(context: &JsonContext, live: Arc<Live>, wish: StreamRequest) -> Handled {
    let listener = wish.listener;
    let app = context.app().clone();
    // Subscribe before reading: a change in between is then seen by at least one of the two.
    let subscription = app.service.subscribe(&live.id).await?;
    let hearing = match wish.has_messages {
        true => Some(MessageWatch {
            subscription: app.service.subscribe_messages(&live.id).await?,
            heard: app.service.messages(&live.id).await?.1,
        }),
        false => None,
    };
    let live = app.service.load(&live.id).await?;
    let live = app.service.as_visible(&live, listener.caller).await?;
    let cursor = wish.after.unwrap_or(live.cursor());
    let (shared, extras, version) = (&wish.shared, wish.extras, cursor.version);
    let enrichment = Enrichment::after(&app.service, shared, &live, listener, version, extras);
    let enrichment = enrichment.await?;
    let first = match enrichment.as_ref().filter(|of| of.has_patches()) {
        Some(enrichment) => beginning("snapshot", cursor, &enrichment.view()),
        None => beginning("snapshot", cursor, &position::snapshot(&live, listener)?),
    }?;
    let language = listener.tag(&live).to_owned();
    let reader = StreamReader {
        wish,
        enrichment,
        subscription,
        hearing,
        cursor,
        is_current: false,
        is_behind: false,
        ready: VecDeque::from([first]),
        looked: None,
        comment_at: Instant::now(),
        is_done: false,
        _open: app.service.metrics().stream(),
        live,
        app,
    };
    let response = HttpResponse::Ok()
        .content_type(accept::EVENT_STREAM)
        .insert_header((CACHE_CONTROL, "no-cache, no-transform"))
        .insert_header(("X-Accel-Buffering", "no"))
        .streaming(messages(reader));
    Ok(language::said(response, [language.as_str()]))
}

fn messages(reader: StreamReader) -> impl Stream<Item = Result<Bytes, std::io::Error>> {
    unfold(reader, |mut reader| async move {
        let message = reader.next().await?;
        Some((Ok(message), reader))
    })
}

/// Returns the first message. Its id is the cursor from which changes continue.
fn beginning(event: &str, cursor: EventCursor, data: &impl Serialize) -> Result<Bytes, Problem> {
    let retry = format!("retry: {}\n", RETRY.as_millis());
    let message = message(event, Some(&cursor), data)?;
    Ok([retry.as_bytes(), &message].concat().into())
}

struct StreamReader {
    app: Data<App>,
    live: Arc<Live>,
    wish: StreamRequest,
    /// Set if something is added to each change.
    enrichment: Option<Enrichment>,
    subscription: Subscription,
    /// Set if the client wants the messages of the table.
    hearing: Option<MessageWatch>,
    /// The last change sent.
    cursor: EventCursor,
    /// Whether the stream has caught up once.
    is_current: bool,
    /// Whether there are changes that this reader receives with a delay.
    is_behind: bool,
    ready: VecDeque<Bytes>,
    /// When the session was last read; `None` if it may have changed since.
    looked: Option<Instant>,
    /// When the next comment is due. Only messages put it off: changes that this reader must not know of yet would
    /// otherwise show in the times of the comments.
    comment_at: Instant,
    is_done: bool,
    /// Counts the stream as open while it lives.
    _open: OpenStream,
}

/// The messages of the table, which change without a new version of the session.
struct MessageWatch {
    subscription: Subscription,
    /// The last change of the messages that was sent.
    heard: u64,
}

impl MessageWatch {
    /// Waits for a change of the messages; forever without any.
    async fn rung(hearing: &mut Option<MessageWatch>) {
        match hearing {
            Some(hearing) => {
                hearing.subscription.notified().await;
            }
            None => std::future::pending().await,
        }
    }

    /// Returns the messages that were written or deleted since, as far as this caller may read them.
    async fn read(
        &mut self,
        service: &Service,
        live: &Live,
        caller: Caller,
    ) -> Result<Vec<ReadMessage>, Problem> {
        if live.may_read_messages(caller).is_err() {
            return Ok(Vec::new());
        }
        let (board, version) = service.messages(&live.id).await?;
        let before = std::mem::replace(&mut self.heard, version);
        let new = board.read_by(caller).into_iter();
        let new = new.filter(|message| message.changed > before);
        Ok(new.map(ReadMessage::of).collect())
    }
}

impl StreamReader {
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                self.comment_at = Instant::now() + self.app.config.heartbeat;
                match self.selected(message) {
                    Ok(message) => return Some(message),
                    Err(problem) => {
                        // Later messages may build on this one.
                        self.ready.clear();
                        self.give_up(&problem);
                        continue;
                    }
                }
            }
            if self.is_done || !self.app.admits(&self.wish.admission) {
                return None;
            }
            if self.app.shutdown.is_given() {
                self.say_last("bye", &json!({"retry_ms": RETRY.as_millis() as u64}));
                continue;
            }
            if !self.has_to_look() {
                self.wait().await;
                continue;
            }
            match self.read().await {
                Ok(()) if !self.ready.is_empty() => {}
                Ok(()) => self.looked = Some(Instant::now()),
                Err(problem) => self.give_up(&problem),
            }
        }
    }

    /// Selects from the data of a message, if the client wants less than all of it.
    fn selected(&self, message: Bytes) -> Result<Bytes, Problem> {
        let parts = self.wish.selection.as_ref().and_then(|selection| {
            let text = std::str::from_utf8(&message).ok()?;
            let (head, data) = text.split_once("data: ")?;
            let is_of_game = ["event: change", "event: snapshot"]
                .iter()
                .any(|of| head.contains(of));
            is_of_game.then_some((selection, head, data))
        });
        let Some((selection, head, data)) = parts else {
            return Ok(message);
        };
        let data = selection.applied(data.trim_end().as_bytes())?;
        Ok([head.as_bytes(), b"data: ", &data, b"\n\n"].concat().into())
    }

    fn has_to_look(&self) -> bool {
        let patience = if self.is_behind {
            LOOK_AGAIN
        } else {
            LOOK_ANYWAY
        };
        self.looked
            .is_none_or(|looked| looked.elapsed() >= patience)
    }

    /// Prepares the next messages.
    async fn read(&mut self) -> Result<(), Problem> {
        let service = &self.app.service;
        self.live = service.load(&self.live.id).await?;
        // A seat whose player has left belongs to nobody, and so do its secrets.
        let caller = self.live.caller_of(self.wish.bearer.as_ref())?;
        self.wish.listener.caller = caller;
        let version = service.visible(&self.live, caller).await?;
        self.is_behind = version < self.live.version();
        let behind = version.saturating_sub(self.cursor.version);
        if self.is_current && behind > self.app.config.stream_behind {
            self.say_last("resync", &json!({"version": version}));
            return Ok(());
        }
        let past = service
            .history_after(&self.live, self.cursor, READ_AHEAD)
            .await?;
        for past in past.into_iter().filter(|past| past.version <= version) {
            let rendered = self.rendered(&past).await?;
            self.cursor = past.cursor();
            self.ready.push_back(rendered.message.clone());
        }
        if let Some(hearing) = &mut self.hearing {
            let service = &self.app.service;
            for read in hearing.read(service, &self.live, caller).await? {
                self.ready
                    .push_back(message("message", None, &read)?.into());
            }
        }
        if self.cursor.version >= version {
            self.is_current = true;
            if self.live.stage() == Stage::Finished {
                self.say_end();
            }
        }
        Ok(())
    }

    /// Returns a rendered change, computed here or by another stream that may show the same.
    async fn rendered(&mut self, past: &PastChange) -> Result<Arc<RenderedChange>, Problem> {
        if let Some(enrichment) = &mut self.enrichment {
            return enrichment.next(&self.live, past).await;
        }
        let (live, listener) = (&self.live, self.wish.listener);
        let extras = Extras::default();
        let key = ChangeKey::of(live, listener, past.version, past.mark, extras);
        let compute = || {
            let none = Additions::default();
            RenderedChange::new(live, listener, past, none, None)
        };
        self.wish.shared.rendered(key, compute).await
    }

    fn say_end(&mut self) {
        let outcome = sessions::outcome(&self.live);
        let end = json!({"version": self.live.version(), "outcome": outcome});
        self.say_last("end", &end);
    }

    fn say_last(&mut self, event: &'static str, data: &impl Serialize) {
        self.app.service.metrics().ended_stream(event);
        let last = message(event, None, data).ok();
        self.ready.extend(last.map(Bytes::from));
        self.is_done = true;
    }

    /// Waits for a change, with comments that keep the connection alive.
    async fn wait(&mut self) {
        let late = match self.is_behind {
            true => self.comment_at.min(Instant::now() + LOOK_AGAIN),
            false => self.comment_at,
        };
        tokio::select! {
            ring = timeout_at(late, self.subscription.notified()) => match ring {
                Ok(Notification::Removed) => self.say_last("end", &json!({"version": null, "outcome": null})),
                Ok(Notification::Version(_) | Notification::Missed) => self.looked = None,
                Err(_) => self.comment(),
            },
            () = MessageWatch::rung(&mut self.hearing) => self.looked = None,
            () = self.app.shutdown.given() => {}
        }
    }

    fn comment(&mut self) {
        if Instant::now() >= self.comment_at {
            self.ready
                .push_back(Bytes::from_static(b": still here\n\n"));
        }
    }

    fn give_up(&mut self, problem: &Problem) {
        // The session is gone, or the reader lost access because its token was renewed.
        let ended = [ProblemCode::NotFound, ProblemCode::Unauthenticated];
        if ended.iter().any(|code| problem.code == code.row().code) {
            self.say_last("end", &json!({"version": null, "outcome": null}));
        } else {
            // After reconnecting, the client begins in the current history, in case the old one was lost.
            tracing::warn!(code = %problem.code, "a stream ended early");
            self.say_last("resync", &json!({"version": null}));
        }
    }
}
