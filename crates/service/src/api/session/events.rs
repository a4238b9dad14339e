//! `/v1/sessions/{id}/events`: everything that happened, as a page, as lines, or as a stream.

use std::sync::Arc;

use actix_web::http::header::{CACHE_CONTROL, ETAG, LINK, VARY};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use crate::api::request::accept::{self, EVENT_STREAM, JSON, JSON_LINES, TEXT};
use crate::api::request::context::{AnyContext, Context};
use crate::api::request::extract::Query;
use crate::api::request::headers;
use crate::api::request::language::{self, Listener};
use crate::api::request::lists::{self, BAD_CURSOR};
use crate::api::request::path::Path;
use crate::api::response::fields;
use crate::api::response::patch::Operation;
use crate::api::response::problem::{Code, Problem};
use crate::api::response::respond::{self, Page, page_schema};
use crate::api::session::additions::{Additions, Extras};
use crate::api::session::decisions::Decision;
use crate::api::session::described::describe_events;
use crate::api::session::enrichment::Enrichment;
use crate::api::session::include::{Included, IncludedPart};
use crate::api::session::sessions::SessionPath;
use crate::api::session::stream::{self, Wish};
use crate::api::session::terms::Deadline;
use crate::api::session::text;
use crate::api::session::view::View;
use wyrmgate_sessions::{Bearer, Caller, EventCursor, Live, Past, Refusal, Stage, Token};
use wyrmgate_view::Doc;

/// Page size for reading entries when all of them are requested.
const READ_AHEAD: usize = 100;

/// A public change: the version it led to and its events, as far as the caller may know them.
#[derive(Serialize, ToSchema)]
pub struct Change<'a> {
    /// The version after the change. It is also a cursor: `after=version` continues behind it.
    #[schema(minimum = 1)]
    pub version: u64,
    #[schema(format = DateTime)]
    pub at: String,
    /// The status after the change. Like `owing` and `deadlines`, it is absent in changes that earlier versions of this
    /// program have logged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<Stage>,
    /// The seats that owe a decision after the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owing: Option<Vec<u8>>,
    /// When these seats run out of time, if the session has a clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deadlines: Option<Vec<Deadline>>,
    #[schema(value_type = Vec<GameEvent>)]
    pub events: Vec<Doc<'a>>,
    /// With `form=patch`: the operations from the caller's previous view (`GET …/view?at=version-1`) to the one after
    /// this change. Version 1 is patched from nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<Vec<Operation>>,
    /// With `include=view`: the caller's view after the change, as `GET …/view?at=version` returns it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<View>)]
    pub view: Option<Value>,
    /// With `include=actions`: the decisions that the caller owed after the change, with up to 500 choices each.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Decision>>)]
    pub decisions: Option<Value>,
}

impl<'a> Change<'a> {
    /// Returns a change as this listener may know it.
    pub fn new(
        live: &'a Live,
        listener: Listener,
        past: &'a Past,
        additions: Additions,
    ) -> Change<'a> {
        let viewer = listener.caller.seat();
        let after = past.entry.after.as_ref();
        let owed = || after.map(|after| after.owed_for(viewer));
        Change {
            version: past.version,
            at: respond::time(past.entry.at_ms),
            status: after.map(|after| after.stage),
            owing: owed().map(|owed| owed.map(|owed| owed.seat).collect()),
            deadlines: owed().map(|owed| owed.filter_map(Deadline::of).collect()),
            events: describe_events(live, &past.entry, listener),
            patch: additions.patch,
            view: additions.view,
            decisions: additions.decisions,
        }
    }
}

/// An event. [`crate::api::session::event_shapes`] describes it.
#[derive(ToSchema)]
pub struct GameEvent;

page_schema!("A page of changes.", "Value of `after` for the next page. Absent if this page is the last one so far.", ChangePage: Change<'static>);

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EventsQuery {
    /// The last change that the client knows: a message id, `next` from a page, or a version. Ids and `next` also
    /// identify the history. The problem `history-rewritten` means that the server lost that history.
    #[param(value_type = Option<String>, pattern = "^[0-9]{1,18}(-[0-9a-f]{12})?$", default = "0")]
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
    /// Replaces the credential of a stream; see `POST …/stream-tickets`.
    ticket: Option<String>,
}

/// The query of a stream, which has no pages; see [`EventsQuery`].
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct StreamQuery {
    /// The last change that the client knows: a message id, or a version.
    #[param(value_type = Option<String>, pattern = "^[0-9]{1,18}(-[0-9a-f]{12})?$")]
    #[serde(default, deserialize_with = "cursor")]
    after: Option<EventCursor>,
    /// Additional content of each change.
    #[param(inline)]
    form: Option<Form>,
    /// Parts of the game after each change: `view`, `actions` or `actions,view`.
    #[param(value_type = Option<Vec<IncludedPart>>, style = Form, explode = false, inline)]
    include: Option<Included>,
    /// Replaces the credential; see `POST …/stream-tickets`.
    ticket: Option<String>,
}

/// Additional content of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// `patch`: the change of the caller's view as operations of JSON Patch (RFC 6902).
    Patch,
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
            (ChangePage = "application/json"), (Change = "application/jsonl"), (String = "text/plain"))),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "history-rewritten", "draining"])),
        ("x-tag" = json!(true)), ("x-language" = json!(true))),
)]
pub async fn list(
    context: AnyContext,
    request: HttpRequest,
    path: Path<SessionPath>,
    query: Query<EventsQuery>,
) -> Result<HttpResponse, Problem> {
    let form = accept::best(&request, &[JSON, JSON_LINES, EVENT_STREAM, TEXT])?;
    answer(context.0, request, path, query.0, form).await
}

/// Stream the changes of a session
///
/// Server-sent events: first a `snapshot` (the same as `view?include=actions`), then a `change` for each change, as JSON
/// lines have it. `end` means the game is over, `resync` means the client reads too slowly, and `bye` means the server is
/// stopping. The message id identifies the version, so `Last-Event-ID` or `after` resumes without gaps or repeats. Without
/// either, the stream begins at the current version. With `form=patch` the snapshot is the view to which the first patch
/// applies, as `view?at=` returns it for the version in the message id.
///
/// With `include=actions,view` a change has what a program needs to answer: it then plays with one request per move. Browsers
/// open a stream with a `ticket`, because `EventSource` cannot send headers.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/stream",
    operation_id = "streamEvents", tag = "play",
    params(SessionPath, StreamQuery,
        ("Last-Event-ID" = Option<String>, Header, description = "The id of the last message received, to resume"),
    ),
    responses((status = 200, description = "The changes, until the game is over", body = String, content_type = "text/event-stream")),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "history-rewritten"])), ("x-language" = json!(true))),
)]
pub async fn stream(
    context: AnyContext,
    request: HttpRequest,
    path: Path<SessionPath>,
    query: Query<StreamQuery>,
) -> Result<HttpResponse, Problem> {
    let StreamQuery {
        after,
        form,
        include,
        ticket,
    } = query.0;
    let query = EventsQuery {
        after,
        limit: None,
        form,
        include,
        ticket,
    };
    answer(context.0, request, path, query, EVENT_STREAM).await
}

async fn answer(
    context: Context,
    request: HttpRequest,
    path: Path<SessionPath>,
    query: EventsQuery,
    form: &'static str,
) -> Result<HttpResponse, Problem> {
    let (live, bearer, caller) = match &query.ticket {
        Some(ticket) => admit(&context, form, &path.session, ticket).await?,
        None => {
            let (live, caller) = context.look(&request, &path.session, None).await?;
            (live, context.token.as_ref().map(Token::bearer), caller)
        }
    };
    let listener = context.listener(&live, caller);
    let service = context.service();
    let after = match form {
        EVENT_STREAM => resume_at(&request, query.after)?,
        _ => query.after,
    };
    let visible = service.visible(&live, caller).await?;
    service
        .confirm(&live, after.unwrap_or(EventCursor::START), visible)
        .await?;
    match form {
        EVENT_STREAM => {
            // A mark proves that the client has seen the version; a number may be guessed.
            let is_ahead = |after: &EventCursor| after.version > visible && after.mark.is_none();
            if let Some(after) = after.filter(is_ahead) {
                let ahead = format!(
                    "the session has not reached version {after} yet; use a smaller `after`"
                );
                return Err(Problem::unprocessable("after", ahead));
            }
            let wish = Wish {
                listener,
                bearer,
                after,
                extras: query.extras(),
                selection: fields::noted(&request),
            };
            stream::open(&context, live, wish).await
        }
        TEXT => page_text(&context, &request, live, listener, &query).await,
        JSON_LINES => lines(&context, &request, live, listener, &query).await,
        _ => page(&context, &request, live, listener, &query).await,
    }
}

impl EventsQuery {
    fn extras(&self) -> Extras {
        Extras::new(self.form, self.include)
    }
}

/// Authorizes the caller. A ticket excludes other credentials and opens only a stream.
async fn admit(
    context: &Context,
    form: &str,
    session: &str,
    ticket: &str,
) -> Result<(Arc<Live>, Option<Bearer>, Caller), Problem> {
    if form != EVENT_STREAM {
        let only = "a ticket is valid only for streams; send `Accept: text/event-stream`";
        return Err(Problem::new(Code::Forbidden).detail(only));
    }
    if context.token.is_some() {
        let either = "a ticket and a credential exclude each other; send only one of them";
        return Err(Problem::new(Code::Forbidden).detail(either));
    }
    let admitted = context.service().admit(session, ticket).await;
    admitted.map_err(|refusal| match refusal {
        Refusal::Unauthenticated => Problem::new(Code::Unauthenticated).detail(
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

/// Waits, if the client prefers it, until there is a visible change after this version. Returns the session and the
/// caller as of then, because the seat may have changed hands in the meantime.
async fn wait(
    context: &Context,
    request: &HttpRequest,
    live: Arc<Live>,
    listener: Listener,
    after: u64,
) -> Result<(Arc<Live>, Listener), Problem> {
    let service = context.service();
    let Some(patience) = headers::wait(request) else {
        let live = service.as_visible(&live, listener.caller).await?;
        return Ok((live, listener));
    };
    let wanted = after.saturating_add(1);
    let live = tokio::select! {
        live = service.wait_to_know(live, listener.caller, wanted, patience) => live?,
        () = context.app().shutdown.given() => return Err(Problem::new(Code::Draining)),
    };
    let listener = context.listener(&live, live.caller(context.token.as_ref())?);
    let live = service.as_visible(&live, listener.caller).await?;
    Ok((live, listener))
}

async fn page(
    context: &Context,
    request: &HttpRequest,
    live: Arc<Live>,
    listener: Listener,
    query: &EventsQuery,
) -> Result<HttpResponse, Problem> {
    let limit = lists::limit(query.limit)?;
    let after = query.after.unwrap_or(EventCursor::START).version;
    let service = context.service();
    let (live, listener) = wait(context, request, live, listener, after).await?;
    let mut past = service.history(&live.id, after, limit).await?;
    past.retain(|past| past.version <= live.version());
    let last = past.last().map(Past::cursor);
    let next = last.filter(|last| last.version < live.version());
    let page = Page {
        items: changes(context, &live, listener, &past, query.extras()).await?,
        next: next.map(|last| last.to_string()),
    };
    let mut response = respond::localized(request, &live, listener, || Ok(&page))?;
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
async fn page_text(
    context: &Context,
    request: &HttpRequest,
    live: Arc<Live>,
    listener: Listener,
    query: &EventsQuery,
) -> Result<HttpResponse, Problem> {
    let limit = lists::limit(query.limit)?;
    let after = query.after.unwrap_or(EventCursor::START).version;
    let (live, listener) = wait(context, request, live, listener, after).await?;
    let past = context.service().history(&live.id, after, limit).await?;
    let visible = past.iter().filter(|past| past.version <= live.version());
    text::respond(request, &live, listener, || {
        Ok(text::history(&live, listener, visible))
    })
}

/// Streams all changes, one per line.
async fn lines(
    context: &Context,
    request: &HttpRequest,
    live: Arc<Live>,
    listener: Listener,
    query: &EventsQuery,
) -> Result<HttpResponse, Problem> {
    let mut after = query.after.unwrap_or(EventCursor::START).version;
    let (live, listener) = wait(context, request, live, listener, after).await?;
    let service = context.service();
    let mut enrichment = match after < live.version() {
        true => Enrichment::after(context.app(), &live, listener, after, query.extras()).await?,
        false => None,
    };
    let mut text = Vec::new();
    while after < live.version() {
        let mut past = service.history(&live.id, after, READ_AHEAD).await?;
        past.retain(|past| past.version <= live.version());
        let Some(last) = past.last() else { break };
        after = last.version;
        for past in &past {
            let change = change(context, &live, listener, past, enrichment.as_mut()).await?;
            text.extend(respond::bytes(&change)?);
            text.push(b'\n');
        }
    }
    let mut response = HttpResponse::Ok()
        .content_type(JSON_LINES)
        .insert_header((ETAG, listener.entity_tag(&live)))
        .insert_header((CACHE_CONTROL, "private, no-cache"))
        .insert_header((VARY, "Authorization, Accept"))
        .body(text);
    language::say(&mut response, [listener.tag(&live)]);
    Ok(response)
}

async fn changes<'a>(
    context: &Context,
    live: &'a Arc<Live>,
    listener: Listener,
    past: &'a [Past],
    extras: Extras,
) -> Result<Vec<Change<'a>>, Problem> {
    let before = past.first().and_then(|first| first.version.checked_sub(1));
    let mut enrichment = match before {
        Some(before) => Enrichment::after(context.app(), live, listener, before, extras).await?,
        None => None,
    };
    let mut changes = Vec::with_capacity(past.len());
    for past in past {
        changes.push(change(context, live, listener, past, enrichment.as_mut()).await?);
    }
    Ok(changes)
}

/// Returns one change as this listener may know it.
async fn change<'a>(
    context: &Context,
    live: &'a Arc<Live>,
    listener: Listener,
    past: &'a Past,
    enrichment: Option<&mut Enrichment>,
) -> Result<Change<'a>, Problem> {
    let additions = match enrichment {
        Some(enrichment) => {
            let rendered = enrichment.next(context.app(), live, past).await?;
            rendered.additions.clone()
        }
        None => Additions::default(),
    };
    Ok(Change::new(live, listener, past, additions))
}
