//! `/v1/sessions/{id}/events`: everything that happened, as a page, as lines, or as a stream.

use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, ETAG, LINK, VARY};
use actix_web::web::Data;
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Deserializer};
use utoipa::IntoParams;

use crate::api::request::call::{ApiCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::request::fields;
use crate::api::request::lists::{self, BAD_CURSOR};
use crate::api::response::respond::{self, ListPage, page_schema};
use crate::api::session::additions::{Additions, Extras, Form};
use crate::api::session::change::PublicChange;
use crate::api::session::enrichment::Enrichment;
use crate::api::session::include::{Included, IncludedPart};
use crate::api::session::sessions::SessionPath;
use crate::api::session::shared_changes::SharedChanges;
use crate::api::session::stream::{self, StreamRequest};
use crate::api::session::text;
use crate::api::shared::accept::{self, EVENT_STREAM, JSON, JSON_LINES, TEXT};
use crate::api::shared::headers;
use crate::api::shared::language::{self, Listener};
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_sessions::{Bearer, Caller, EventCursor, Live, PastChange, Refusal, Token};

/// Page size for reading entries when all of them are requested.
const READ_AHEAD: usize = 100;

page_schema!("A page of changes.", "Value of `after` for the next page. Absent if this page is the last one so far.", ChangePage: PublicChange<'static>);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EventsQuery {
    /// The last change that the client knows: a message id, `next` from a page, or a version. Ids and `next` also
    /// identify the history. The problem `history-rewritten` means that the server lost that history.
    #[param(value_type = Option<String>, pattern = "^[0-9]{1,15}(-[0-9a-f]{12})?$", default = "0")]
    #[serde(default, deserialize_with = "cursor")]
    after: Option<EventCursor>,
    /// Maximum number of changes in the page.
    #[param(minimum = 1, maximum = 100, default = 20)]
    limit: Option<usize>,
    /// Additional content of each change.
    #[param(inline)]
    form: Option<Form>,
    /// Parts of the game after each change: `view`, `actions` or `actions,view`.
    #[param(value_type = Option<Vec<IncludedPart>>, style = Form, explode = false, inline)]
    include: Option<Included>,
    /// Whether a stream has the messages of the table too.
    #[serde(default)]
    messages: bool,
    /// Replaces the credential of a stream; see `POST …/stream-tickets`.
    ticket: Option<String>,
}

/// The query of a stream, which has no pages; see [`EventsQuery`].
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct StreamQuery {
    /// The last change that the client knows: a message id, or a version.
    #[param(value_type = Option<String>, pattern = "^[0-9]{1,15}(-[0-9a-f]{12})?$")]
    #[serde(default, deserialize_with = "cursor")]
    after: Option<EventCursor>,
    /// Additional content of each change.
    #[param(inline)]
    form: Option<Form>,
    /// Parts of the game after each change: `view`, `actions` or `actions,view`.
    #[param(value_type = Option<Vec<IncludedPart>>, style = Form, explode = false, inline)]
    include: Option<Included>,
    /// Whether the messages of the table are part of the stream, as far as the caller may read them.
    #[serde(default)]
    messages: bool,
    /// Replaces the credential; see `POST …/stream-tickets`.
    ticket: Option<String>,
}

/// List the changes of a session
///
/// - `application/json`: one page. With `Prefer: wait=n` an empty page waits up to n seconds for a change.
/// - `application/jsonl`: all changes after `after`, one per line.
/// - `text/plain`: the page in few words, one event per line, for language models.
/// - `text/event-stream`: the stream that `GET …/stream` is, with the same parameters and `Last-Event-ID`.
///
/// Every change says who owes a decision after it. With `include=actions,view` it also has what a program needs to answer.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/events",
    operation_id = "listEvents", tag = "play",
    params(SessionPath, EventsQuery,
        ("Prefer" = Option<String>, Header, description = "`wait=n` waits up to n seconds for a change, at most 60"),
    ),
    responses(
        (status = 200, description = "The changes, in the media type that the client accepts", content(
            (ChangePage = "application/json"), (PublicChange = "application/jsonl"), (String = "text/plain"))),
    ),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "history-rewritten", "draining"])),
        ("x-tag" = json!(true)), ("x-language" = json!(true))),
)]
pub async fn list(call: ApiCall<SessionPath, EventsQuery>, shared: Data<SharedChanges>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let form = accept::best(&context.request, &[JSON, JSON_LINES, EVENT_STREAM, TEXT])?;
    answer(context, path, query, shared, form).await
}

/// Stream the changes of a session
///
/// Server-sent events: first a `snapshot` (the same as `view?include=actions`), then a `change` for each change, as JSON
/// lines have it. `end` means the game is over, `resync` means the client reads too slowly, and `bye` means the server is
/// stopping. The message id identifies the version, so `Last-Event-ID` or `after` resumes without gaps or repeats. Without
/// either, the stream begins at the current version. With `form=patch` the snapshot is the view to which the first patch
/// applies, as `view?at=` returns it for the version in the message id.
///
/// With `include=actions,view` a change has what a program needs to answer: it then plays with one request per move. With
/// `messages=true`, a `message` follows whenever one is written or deleted; it has no id, so read them again after reconnecting. Browsers
/// open a stream with a `ticket`, because `EventSource` cannot send headers.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/stream",
    operation_id = "streamEvents", tag = "play",
    params(SessionPath, StreamQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last message received, to resume"),
    ),
    responses((status = 200, description = "The changes, until the game is over", body = ref("#/components/schemas/StreamMessage"), content_type = "text/event-stream")),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "history-rewritten"])), ("x-language" = json!(true))),
)]
pub async fn stream(
    call: ApiCall<SessionPath, StreamQuery>,
    shared: Data<SharedChanges>,
) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let query = EventsQuery {
        after: query.after,
        limit: None,
        form: query.form,
        include: query.include,
        messages: query.messages,
        ticket: query.ticket,
    };
    answer(context, path, query, shared, EVENT_STREAM).await
}

async fn answer(
    context: JsonContext,
    path: SessionPath,
    query: EventsQuery,
    shared: Data<SharedChanges>,
    form: &'static str,
) -> Handled {
    let (live, bearer, caller) = match &query.ticket {
        Some(ticket) => admit(&context, form, &path.session, ticket).await?,
        None => {
            let (live, caller) = context.look(&path.session, None).await?;
            (live, context.token.as_ref().map(Token::bearer), caller)
        }
    };
    let listener = context.listener(&live, caller);
    let service = context.service();
    let after = match form {
        EVENT_STREAM => resume_at(&context.request, query.after)?,
        _ => query.after,
    };
    let visible = service.visible(&live, caller).await?;
    service
        .confirm(&live, after.unwrap_or(EventCursor::START), visible)
        .await?;
    if form == EVENT_STREAM {
        // A mark proves that the client has seen the version; a number may be guessed.
        let is_ahead = |after: &EventCursor| after.version > visible && after.mark.is_none();
        if let Some(after) = after.filter(is_ahead) {
            let ahead =
                format!("the session has not reached version {after} yet; use a smaller `after`");
            return Err(Problem::unprocessable("after", ahead));
        }
        let wish = StreamRequest {
            listener,
            bearer,
            admission: context.admission(),
            after,
            extras: query.extras(),
            has_messages: query.messages,
            selection: fields::noted(&context.request),
            shared,
        };
        return stream::open(&context, live, wish).await;
    }
    let wanted = ChangesRequest {
        context,
        live,
        listener,
        query,
        shared,
    };
    match form {
        TEXT => wanted.page_text().await,
        JSON_LINES => wanted.lines().await,
        _ => wanted.page().await,
    }
}

impl EventsQuery {
    fn extras(&self) -> Extras {
        Extras::new(self.form, self.include)
    }

    /// Returns the last version that the client knows.
    fn known(&self) -> u64 {
        self.after.unwrap_or(EventCursor::START).version
    }
}

/// Authorizes the caller. A ticket excludes other credentials and opens only a stream.
async fn admit(
    context: &JsonContext,
    form: &str,
    session: &str,
    ticket: &str,
) -> Result<(Arc<Live>, Option<Bearer>, Caller), Problem> {
    if form != EVENT_STREAM {
        let only = "a ticket is valid only for streams; send `Accept: text/event-stream`";
        return Err(Problem::new(ProblemCode::Forbidden).detail(only));
    }
    if context.token.is_some() {
        let either = "a ticket and a credential exclude each other; send only one of them";
        return Err(Problem::new(ProblemCode::Forbidden).detail(either));
    }
    let admitted = context.service().admit(session, ticket).await;
    admitted.map_err(|refusal| match refusal {
        Refusal::Unauthenticated => Problem::new(ProblemCode::Unauthenticated).detail(
            "the ticket is expired, already used or from another session; create a new one",
        ),
        refusal => refusal.into(),
    })
}

fn cursor<'de, D: Deserializer<'de>>(from: D) -> Result<Option<EventCursor>, D::Error> {
    use serde::de::Error;
    let text = String::deserialize(from)?;
    let wrong = |_| D::Error::custom(BAD_CURSOR);
    text.parse().map(Some).map_err(wrong)
}

/// Returns the cursor to resume from. The header takes precedence over the query, because a browser sends it when it
/// reconnects.
fn resume_at(
    request: &HttpRequest,
    after: Option<EventCursor>,
) -> Result<Option<EventCursor>, Problem> {
    let Some(header) = request.headers().get(headers::LAST_EVENT_ID) else {
        return Ok(after);
    };
    let text = header.to_str().unwrap_or_default();
    if text.is_empty() {
        return Ok(after);
    }
    let bad = || {
        Problem::malformed(
            "Last-Event-ID",
            "invalid event id; use the id of the last message received",
        )
    };
    text.parse().map(Some).map_err(|_| bad())
}

/// A request for the changes that there are.
struct ChangesRequest {
    context: JsonContext,
    live: Arc<Live>,
    listener: Listener,
    query: EventsQuery,
    shared: Data<SharedChanges>,
}

impl ChangesRequest {
    /// Waits, if the client prefers it, until there is a visible change after this version. The session and the caller are then
    /// those of this moment, because the seat may have changed hands in the meantime.
    async fn wait(&mut self, after: u64) -> Result<(), Problem> {
        let service = self.context.service();
        if let Some(patience) = headers::wait(&self.context.request) {
            let (live, caller) = (self.live.clone(), self.listener.caller);
            let live = tokio::select! {
                live = service.wait_to_know(live, caller, after.saturating_add(1), patience) => live?,
                () = self.context.app().shutdown.given() => return Err(Problem::new(ProblemCode::Draining)),
            };
            let caller = live.caller(self.context.token.as_ref())?;
            self.listener = self.context.listener(&live, caller);
            self.live = live;
        }
        self.live = service.as_visible(&self.live, self.listener.caller).await?;
        Ok(())
    }

    /// Returns the changes of the page that the client wants, once there are any or it does not wait any longer.
    async fn past(&mut self) -> Result<Vec<PastChange>, Problem> {
        let limit = lists::limit(self.query.limit)?;
        let after = self.query.known();
        self.wait(after).await?;
        let service = self.context.service();
        let mut past = service.history(&self.live.id, after, limit).await?;
        past.retain(|past| past.version <= self.live.version());
        Ok(past)
    }

    async fn page(mut self) -> Handled {
        let past = self.past().await?;
        let (request, live) = (&self.context.request, &self.live);
        let last = past.last().map(PastChange::cursor);
        let next = last.filter(|last| last.version < live.version());
        let page = ListPage {
            items: self.changes(&past).await?,
            next: next.map(|last| last.to_string()),
        };
        let mut response = respond::localized(request, live, self.listener, || Ok(&page))?;
        let headers = response.headers_mut();
        let link = page.next.as_ref();
        let link = link.map(|next| respond::next_link(request, "after", next).parse());
        if let Some(Ok(link)) = link {
            headers.insert(LINK, link);
        }
        if let Some(waited) = headers::wait(request) {
            let applied = format!("wait={}", waited.as_secs()).parse();
            if let Ok(applied) = applied {
                headers.insert(headers::PREFERENCE_APPLIED, applied);
            }
        }
        Ok(response)
    }

    /// Returns a page in words.
    async fn page_text(mut self) -> Handled {
        let past = self.past().await?;
        let (live, listener) = (&self.live, self.listener);
        text::respond(&self.context.request, live, listener, || {
            Ok(text::history(live, listener, past.iter()))
        })
    }

    /// Streams all changes, one per line.
    async fn lines(mut self) -> Handled {
        let mut after = self.query.known();
        self.wait(after).await?;
        let (live, listener) = (&self.live, self.listener);
        let service = self.context.service();
        let mut enrichment = match after < live.version() {
            true => self.enrichment(after).await?,
            false => None,
        };
        let mut text = Vec::new();
        while after < live.version() {
            let mut past = service.history(&live.id, after, READ_AHEAD).await?;
            past.retain(|past| past.version <= live.version());
            let Some(last) = past.last() else { break };
            after = last.version;
            for past in &past {
                let change = self.change(past, enrichment.as_mut()).await?;
                text.extend(respond::bytes(&change)?);
                text.push(b'\n');
            }
        }
        let response = HttpResponse::Ok()
            .content_type(JSON_LINES)
            .insert_header((ETAG, listener.entity_tag(live)))
            .insert_header((CACHE_CONTROL, "private, no-cache"))
            .insert_header((VARY, "Authorization, Accept"))
            .body(text);
        Ok(language::said(response, [listener.tag(live)]))
    }

    async fn changes<'a>(
        &'a self,
        past: &'a [PastChange],
    ) -> Result<Vec<PublicChange<'a>>, Problem> {
        let before = past.first().and_then(|first| first.version.checked_sub(1));
        let mut enrichment = match before {
            Some(before) => self.enrichment(before).await?,
            None => None,
        };
        let mut changes = Vec::with_capacity(past.len());
        for past in past {
            changes.push(self.change(past, enrichment.as_mut()).await?);
        }
        Ok(changes)
    }

    /// Prepares what the client wants added to the changes after this version.
    async fn enrichment(&self, after: u64) -> Result<Option<Enrichment>, Problem> {
        let (service, extras) = (self.context.service(), self.query.extras());
        Enrichment::after(
            service,
            &self.shared,
            &self.live,
            self.listener,
            after,
            extras,
        )
        .await
    }

    /// Returns one change as the caller may know it.
    async fn change<'a>(
        &'a self,
        past: &'a PastChange,
        enrichment: Option<&mut Enrichment>,
    ) -> Result<PublicChange<'a>, Problem> {
        let additions = match enrichment {
            Some(enrichment) => enrichment.next(&self.live, past).await?.additions.clone(),
            None => Additions::default(),
        };
        Ok(PublicChange::new(
            &self.live,
            self.listener,
            past,
            additions,
        ))
    }
}
