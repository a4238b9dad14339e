//! The language server of the workbench: JSON-RPC over a WebSocket at `/workbench/language-server`.
//!
//! The buffers of the editor are all files that there are, so a client reads nothing from this machine, and nothing is stored.
//! Browsers cannot send `Authorization` with a WebSocket; the key, if the server has keys, is a member of `initialize`, the first
//! message. Answers are computed in the queue of checks, within its budget. Studies (`wyrmgate/audit`, `wyrmgate/impact`) have a
//! queue of their own, tell their progress, and end at `$/cancelRequest`, with their connection, or after some time.
//! `wyrmgate/debug` carries requests to the debugger.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use actix_web::http::header::{HOST, HeaderMap, ORIGIN};
use actix_web::{HttpRequest, web};
use actix_ws::{AggregatedMessage, AggregatedMessageStream, Session};
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::time::timeout;

use crate::api::operation::debugging::Debugging;
use crate::api::operation::refusals::{failed, refused};
use crate::api::request::access::OperatorScope;
use crate::api::request::call::Handled;
use crate::api::request::context::JsonContext;
use crate::api::request::heavy_work::STUDY_TIME;
use crate::api::request::places::{CallerPlaces, TakenPlace};
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_authoring::desk::{self, Desk, Home, RequestRefusal, StudyProgress};

/// Diagnostics wait for this time without typing.
const QUIET: Duration = Duration::from_millis(200);
/// A connection that has not begun with `initialize` is closed after this time: anybody can open one.
const OPENING: Duration = Duration::from_secs(5);
/// A connection without messages is closed after this time.
const IDLE: Duration = Duration::from_secs(30 * 60);
/// Bytes of a message, and of all texts of one editor.
const MESSAGE_MAX: usize = 1 << 20;
const TEXTS_MAX: usize = 1 << 20;
/// How often an editor hears of the progress of its study.
const TELLING: Duration = Duration::from_millis(250);
/// Editors that are connected at a time, in all and of one caller.
static EDITORS: CallerPlaces = CallerPlaces::new(128, 16);

const NOT_INITIALIZED: i32 = -32002;

/// Opens a connection for an editor.
pub async fn open(request: HttpRequest, body: web::Payload) -> Handled {
    if !is_ours(request.headers()) {
        return Err(Problem::new(ProblemCode::Forbidden)
            .detail("only pages of this server may open the language server"));
    }
    let context = JsonContext::of(&request).await?;
    let caller = context.caller();
    let place = EDITORS.take(caller.clone());
    let place = place.ok_or_else(|| Problem::new(ProblemCode::Overloaded))?;
    let opened = actix_ws::handle(&request, body);
    let (response, out, messages) = opened.map_err(|error| {
        Problem::new(ProblemCode::Malformed).detail(format!("this is no WebSocket: {error}"))
    })?;
    let messages = messages
        .max_frame_size(MESSAGE_MAX)
        .aggregate_continuations()
        .max_continuation_size(MESSAGE_MAX);
    let talk = Talk {
        context,
        caller,
        desk: None,
        out,
        study: None,
        debugging: None,
        may_study: false,
        _place: place,
    };
    actix_web::rt::spawn(talk.run(messages));
    Ok(response)
}

/// Returns whether the page that asks comes from this server: browsers let any page open a WebSocket.
fn is_ours(headers: &HeaderMap) -> bool {
    let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
    let Some(origin) = text(ORIGIN) else {
        return true;
    };
    let host = origin.split_once("://").map(|(_, host)| host);
    host.is_some() && host == text(HOST)
}

/// One editor.
struct Talk {
    context: JsonContext,
    caller: String,
    /// `None` before `initialize`.
    desk: Option<Arc<Mutex<Desk>>>,
    out: Session,
    study: Option<RunningStudy>,
    debugging: Option<Debugging>,
    may_study: bool,
    _place: TakenPlace,
}

/// A study that runs for an editor. It ends when this is dropped.
struct RunningStudy(Arc<StudyProgress>);

impl Drop for RunningStudy {
    fn drop(&mut self) {
        self.0.stop.store(true, Ordering::Relaxed);
    }
}

impl Talk {
    async fn run(mut self, mut messages: AggregatedMessageStream) {
        let app = self.context.app().clone();
        let began = Instant::now();
        loop {
            let has_changed = self.has_changed();
            let wait = match &self.desk {
                None => OPENING.saturating_sub(began.elapsed()),
                Some(_) if has_changed => QUIET,
                Some(_) => IDLE,
            };
            let message = tokio::select! {
                message = timeout(wait, messages.recv()) => message,
                () = app.shutdown.given() => break,
            };
            let goes_on = match message {
                Err(_) => has_changed && self.publish().await,
                Ok(Some(Ok(AggregatedMessage::Text(text)))) => self.hear(&text).await,
                Ok(Some(Ok(AggregatedMessage::Ping(bytes)))) => self.out.pong(&bytes).await.is_ok(),
                Ok(Some(Ok(AggregatedMessage::Pong(_)))) => true,
                Ok(_) => false,
            };
            if !goes_on {
                break;
            }
        }
        let _ = self.out.close(None).await;
    }

    fn has_changed(&self) -> bool {
        let desk = self.desk.as_ref();
        desk.is_some_and(|desk| desk.lock().has_changed())
    }

    /// Takes a message. Returns whether the conversation goes on.
    async fn hear(&mut self, text: &str) -> bool {
        let Ok(message) = serde_json::from_str::<Value>(text) else {
            return false;
        };
        let method = message.get("method").and_then(Value::as_str);
        let method = method.unwrap_or_default().to_owned();
        let params = message.get("params").cloned().unwrap_or_default();
        match (message.get("id").cloned(), method.as_str()) {
            (Some(id), "initialize") => self.begin(id, &params).await,
            (Some(id), "wyrmgate/audit" | "wyrmgate/impact") => {
                self.study(id, &method, &params).await
            }
            (Some(id), "wyrmgate/debug") => self.debug(id, params).await,
            (None, "$/cancelRequest") => {
                self.study = None;
                true
            }
            (Some(id), _) => self.answer(id, method, params).await,
            (None, _) => match &self.desk {
                Some(desk) => {
                    let mut desk = desk.lock();
                    desk.note(&method, &params);
                    desk.size() <= TEXTS_MAX
                }
                None => false,
            },
        }
    }

    async fn begin(&mut self, id: Value, params: &Value) -> bool {
        let key = params.get("key").and_then(Value::as_str);
        let allows = |scope| match key {
            Some(key) => self.context.allows(key, scope),
            None => self.context.require(scope),
        };
        self.may_study = allows(OperatorScope::Simulate).is_ok();
        if let Err(problem) = allows(OperatorScope::Upload) {
            self.send(id, Err(refused(&problem.to_string()))).await;
            return false;
        }
        self.context.app().opened().await;
        let catalog = self.context.service().library().catalog();
        self.desk = Some(Arc::new(Mutex::new(Desk::new(Home::Catalog(catalog)))));
        self.send(id, Ok(desk::capabilities())).await
    }

    async fn answer(&mut self, id: Value, method: String, params: Value) -> bool {
        let Some(desk) = self.desk.clone() else {
            let message = "send `initialize` first".to_owned();
            let code = NOT_INITIALIZED;
            return self.send(id, Err(RequestRefusal { code, message })).await;
        };
        let checking = &self.context.app().heavy.checking;
        let answer = checking.run(move || desk.lock().answer(&method, &params));
        let answer = answer.await;
        let answer = answer.unwrap_or_else(|unfinished| Err(failed(&unfinished)));
        self.send(id, answer).await
    }

    async fn debug(&mut self, id: Value, params: Value) -> bool {
        let Some(desk) = self.desk.clone() else {
            return self.answer(id, String::new(), params).await;
        };
        let begin = || Debugging::begin(self.caller.clone());
        let debugging = match self.debugging.take().map_or_else(begin, Ok) {
            Ok(debugging) => debugging,
            Err(refused) => return self.send(id, Err(refused)).await,
        };
        let answer = debugging
            .answer(&self.context.app().heavy, desk, params)
            .await;
        self.debugging = (!debugging.is_over()).then_some(debugging);
        self.send(id, answer).await
    }

    /// Begins a study in place of the one before, and goes on listening.
    async fn study(&mut self, id: Value, method: &str, params: &Value) -> bool {
        let prepared = self
            .desk
            .as_ref()
            .map(|desk| desk.lock().study(method, params));
        if !self.may_study {
            let reason = "studies need an API key with the scope `simulate`";
            return self.send(id, Err(refused(reason))).await;
        }
        let study = match prepared {
            Some(Ok(study)) => study,
            Some(Err(refused)) => return self.send(id, Err(refused)).await,
            None => return self.answer(id, method.to_owned(), Value::Null).await,
        };
        let progress = Arc::new(StudyProgress::default());
        self.study = Some(RunningStudy(progress.clone()));
        let app = self.context.app().clone();
        let mut out = self.out.clone();
        actix_web::rt::spawn(async move {
            let own = progress.clone();
            let mut working = Box::pin(app.heavy.studying.run(move || study.run(&own)));
            let began = Instant::now();
            let answer = loop {
                if let Ok(answer) = timeout(TELLING, &mut working).await {
                    break answer;
                }
                if began.elapsed() > STUDY_TIME {
                    progress.stop.store(true, Ordering::Relaxed);
                }
                if out.text(progress_message(&id, &progress)).await.is_err() {
                    return;
                }
            };
            let answer = answer.unwrap_or_else(|unfinished| Err(failed(&unfinished)));
            let _ = out.text(answered(&id, answer)).await;
        });
        true
    }

    /// Sends what is wrong with the rules.
    async fn publish(&mut self) -> bool {
        let Some(desk) = self.desk.clone() else {
            return true;
        };
        let checking = &self.context.app().heavy.checking;
        let found = checking.run(move || desk.lock().diagnostics()).await;
        for (method, params) in found.unwrap_or_default() {
            let message = json!({"jsonrpc": "2.0", "method": method, "params": params});
            if self.out.text(message.to_string()).await.is_err() {
                return false;
            }
        }
        true
    }

    async fn send(&mut self, id: Value, answer: Result<Value, RequestRefusal>) -> bool {
        self.out.text(answered(&id, answer)).await.is_ok()
    }
}

/// Returns the message that answers a request.
fn answered(id: &Value, answer: Result<Value, RequestRefusal>) -> String {
    let message = match answer {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err(RequestRefusal { code, message }) => {
            let error = json!({"code": code, "message": message});
            json!({"jsonrpc": "2.0", "id": id, "error": error})
        }
    };
    message.to_string()
}

/// Returns the message that tells how far a study is.
fn progress_message(id: &Value, progress: &StudyProgress) -> String {
    let value = json!({
        "done": progress.done.load(Ordering::Relaxed),
        "all": progress.all.load(Ordering::Relaxed),
    });
    let params = json!({"token": id, "value": value});
    json!({"jsonrpc": "2.0", "method": "$/progress", "params": params}).to_string()
}
