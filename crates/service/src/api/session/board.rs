//! `/v1/sessions/{id}/board.svg`, `board.png` and `board.txt`: pictures of the caller's view.

use std::sync::Arc;

use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use crate::api::request::accept::{self, PNG, SVG, TEXT};
use crate::api::request::context::{AnyContext, Context};
use crate::api::request::extract::Query;
use crate::api::request::headers;
use crate::api::request::heavy_work::HeavyWork;
use crate::api::request::language::{self, Listener};
use crate::api::request::numbers;
use crate::api::request::path::Path;
use crate::api::response::problem::{Code, Problem};
use crate::api::response::respond;
use crate::api::session::decisions::{self, Decision, Part};
use crate::api::session::described::describe_events;
use crate::api::session::sessions::SessionPath;
use crate::api::session::view;
use wyrmgate_authoring::picture::{self, Drawing, Sight, Theme};
use wyrmgate_base::visible::pictured;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_sessions::{Live, LogEntry, Seat};
use wyrmgate_view::Doc;

/// The picture contains texts from the rules. With this policy no script in it runs and no resource is fetched.
pub const NOTHING_RUNS: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

/// Maximum number of choices that a picture refers to.
const CHOICES_MAX: usize = 500;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BoardQuery {
    /// The version to draw. Defaults to the current version.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    at: Option<u64>,
    /// The width in pixels.
    #[param(minimum = 320, maximum = 4096, default = 1280)]
    size: Option<u16>,
    /// The colors.
    #[param(inline)]
    theme: Option<ThemeName>,
    /// Draws only this zone or this board: the id of a zone, or the name of a family of zones.
    #[param(max_length = 200)]
    focus: Option<String>,
}

/// The colors of a picture.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum ThemeName {
    #[default]
    Light,
    Dark,
    /// Light or dark, as the reader prefers.
    Auto,
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Theme {
        match name {
            ThemeName::Light => Theme::Light,
            ThemeName::Dark => Theme::Dark,
            ThemeName::Auto => Theme::Auto,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BoardPixelsQuery {
    /// The version to draw. Defaults to the current version.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    at: Option<u64>,
    /// The width in pixels. A picture of more than 4 million pixels is made smaller.
    #[param(minimum = 320, maximum = 4096, default = 1280)]
    size: Option<u16>,
    /// The colors.
    #[param(inline)]
    theme: Option<PaintedTheme>,
    /// Draws only this zone or this board: the id of a zone, or the name of a family of zones.
    #[param(max_length = 200)]
    focus: Option<String>,
}

/// A file.
#[derive(ToSchema)]
#[schema(value_type = String, format = Binary)]
pub struct Pixels(#[expect(dead_code, reason = "it describes bytes")] Vec<u8>);

/// The colors of a picture in pixels.
#[derive(Debug, Clone, Copy, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PaintedTheme {
    #[default]
    Light,
    Dark,
}

impl From<PaintedTheme> for Theme {
    fn from(name: PaintedTheme) -> Theme {
        match name {
            PaintedTheme::Light => Theme::Light,
            PaintedTheme::Dark => Theme::Dark,
        }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BoardTextQuery {
    /// The version to draw. Defaults to the current version.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    at: Option<u64>,
    /// The maximum number of columns.
    #[param(minimum = 40, maximum = 400, default = 100)]
    size: Option<u16>,
}

/// Draw a picture of the caller's view
///
/// Shows the players, the boards, all zones and variables that the view contains, the last change, and what the caller
/// can choose, in the look that the rules describe. Every component, zone and space has its id as `id`; `data-choices`
/// lists the ids of the choices that refer to it, and choices that refer to nothing are elements with their own id. The
/// picture shows nothing that the caller's view, decisions and events do not contain. It has no scripts, fonts or links,
/// so you can embed it anywhere.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/board.svg",
    operation_id = "getBoard", tag = "play", params(SessionPath, BoardQuery),
    responses(
        (status = 200, description = "The picture as SVG", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-codes" = json!(["forbidden", "rules-budget-exceeded", "overloaded"])), ("x-tag" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn get(
    context: AnyContext,
    request: HttpRequest,
    path: Path<SessionPath>,
    query: Query<BoardQuery>,
) -> Result<HttpResponse, Problem> {
    let Query(query) = query;
    accept::best(&request, &[SVG])?;
    let (focus, theme) = (query.focus, query.theme.unwrap_or_default());
    let drawing = drawing(query.size, theme)?;
    let app = context.0.app().clone();
    let table = Table::of(context, &request, &path, query.at).await?;
    let draw = move |sight: &Sight<'_>| drawn(sight, drawing, focus.as_deref());
    let answer = table.answer(&app.heavy, &request, SVG, draw);
    let mut response = answer.await?;
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, NOTHING_RUNS);
    Ok(response)
}

/// Returns how to draw a whole picture, if its size is within the limits.
pub fn drawing(size: Option<u16>, theme: impl Into<Theme>) -> Result<Drawing<'static>, Problem> {
    Ok(Drawing {
        size: number("size", size, picture::WIDTH, WIDTHS)?,
        theme: theme.into(),
        focus: None,
    })
}

fn drawn(sight: &Sight<'_>, drawing: Drawing<'_>, focus: Option<&str>) -> Result<String, Problem> {
    picture::svg(sight, Drawing { focus, ..drawing }).ok_or_else(|| {
        let detail = "the picture has no such zone; use an id of `state.zones` in the view";
        Problem::new(Code::NotFound).detail(detail)
    })
}

/// Draw a picture of the caller's view in pixels
///
/// The same as `board.svg`, for programs that show no SVG: chats, language models, notebooks.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/board.png",
    operation_id = "getBoardPixels", tag = "play", params(SessionPath, BoardPixelsQuery),
    responses(
        (status = 200, description = "The picture as PNG", body = inline(Pixels), content_type = "image/png"),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-codes" = json!(["forbidden", "rules-budget-exceeded", "overloaded"])), ("x-tag" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn get_pixels(
    context: AnyContext,
    request: HttpRequest,
    path: Path<SessionPath>,
    query: Query<BoardPixelsQuery>,
) -> Result<HttpResponse, Problem> {
    let Query(query) = query;
    accept::best(&request, &[PNG])?;
    let (focus, theme) = (query.focus, query.theme.unwrap_or_default());
    let drawing = drawing(query.size, theme)?;
    let app = context.0.app().clone();
    let table = Table::of(context, &request, &path, query.at).await?;
    let draw = move |sight: &Sight<'_>| pixels(&drawn(sight, drawing, focus.as_deref())?);
    table.answer(&app.heavy, &request, PNG, draw).await
}

/// Returns a picture in pixels.
pub fn pixels(svg: &str) -> Result<Vec<u8>, Problem> {
    picture::png(svg).map_err(|broken| {
        tracing::error!(%broken, "cannot draw a picture in pixels");
        Problem::new(Code::Internal)
    })
}

/// Draw a picture of the caller's view with characters
///
/// The same as `board.svg`, for terminals, screen readers and language models. A star marks what the last change
/// touched.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/board.txt",
    operation_id = "getBoardText", tag = "play", params(SessionPath, BoardTextQuery),
    responses(
        (status = 200, description = "The picture as text", body = String, content_type = "text/plain"),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-codes" = json!(["forbidden", "rules-budget-exceeded", "overloaded"])), ("x-tag" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn get_text(
    context: AnyContext,
    request: HttpRequest,
    path: Path<SessionPath>,
    query: Query<BoardTextQuery>,
) -> Result<HttpResponse, Problem> {
    let Query(query) = query;
    accept::best(&request, &[TEXT])?;
    let size = number("size", query.size, picture::COLUMNS, COLUMNS)?;
    let app = context.0.app().clone();
    let table = Table::of(context, &request, &path, query.at).await?;
    let draw = move |sight: &Sight<'_>| Ok(pictured(&picture::text(sight, size)).into_owned());
    table.answer(&app.heavy, &request, TEXT, draw).await
}

const WIDTHS: (u16, u16) = (picture::WIDTH_MIN, picture::WIDTH_MAX);
const COLUMNS: (u16, u16) = (picture::COLUMNS_MIN, picture::COLUMNS_MAX);

/// Returns a number of the query within its limits.
fn number(
    name: &str,
    wanted: Option<u16>,
    usual: u16,
    (least, most): (u16, u16),
) -> Result<u16, Problem> {
    let number = wanted.unwrap_or(usual);
    match (least..=most).contains(&number) {
        true => Ok(number),
        false => Err(Problem::malformed(
            name,
            format!("use a number from {least} to {most}"),
        )),
    }
}

/// A caller's view of a session, with the last change.
pub struct Table {
    pub live: Arc<Live>,
    pub listener: Listener,
    is_past: bool,
    last: Option<LogEntry>,
}

impl Table {
    async fn of(
        context: AnyContext,
        request: &HttpRequest,
        path: &SessionPath,
        version: Option<u64>,
    ) -> Result<Table, Problem> {
        let AnyContext(context) = context;
        let (live, caller) = context.look(request, &path.session, None).await?;
        let live = view::at(&context, &live, caller, version).await?;
        let listener = context.listener(&live, caller);
        let table = Table::at(&context, live, listener).await?;
        Ok(Table {
            is_past: version.is_some(),
            ..table
        })
    }

    /// Returns a session as it is, with the change that led to it.
    pub async fn at(
        context: &Context,
        live: Arc<Live>,
        listener: Listener,
    ) -> Result<Table, Problem> {
        let before = live.version().saturating_sub(1);
        let last = context.service().history(&live.id, before, 1).await?;
        let mut last = last.into_iter();
        let last = last.find(|past| past.version == live.version());
        Ok(Table::after(live, listener, last.map(|past| past.entry)))
    }

    /// Returns a session after a change.
    pub fn after(live: Arc<Live>, listener: Listener, last: Option<LogEntry>) -> Table {
        Table {
            live,
            listener,
            is_past: false,
            last,
        }
    }

    /// Calls a function with all that the caller sees.
    pub fn see<R>(
        &self,
        decision: Option<&picture::Decision>,
        look: impl FnOnce(&Sight<'_>) -> R,
    ) -> R {
        let (live, listener) = (&self.live, self.listener);
        let seat = listener.caller.seat();
        let view = view::state(live, listener, &live.owing(seat));
        let (names, clocks) = (self.names(), self.clocks());
        let events = self.events();
        look(&Sight {
            program: &live.program,
            view: view.as_ref(),
            language: listener.language,
            seat: seat.map(u32::from),
            names: &names,
            clocks: &clocks,
            events: &events,
            decision,
        })
    }

    /// Draws the picture off the workers, unless the client has it.
    async fn answer<B: Into<Vec<u8>> + Send + 'static>(
        self,
        heavy: &HeavyWork,
        request: &HttpRequest,
        media: &'static str,
        draw: impl FnOnce(&Sight<'_>) -> Result<B, Problem> + Send + 'static,
    ) -> Result<HttpResponse, Problem> {
        let live = self.live.clone();
        let (tag, language) = (self.listener.entity_tag(&live), self.listener.tag(&live));
        let mut drawn = Vec::new();
        if !headers::is_cached(request, &tag) {
            let draw = move || self.see(self.decision()?.as_ref(), draw);
            drawn = heavy.draw(draw).await?.into();
        }
        let mut response = respond::tagged_as(request, &tag, media, || Ok(drawn))?;
        language::say(&mut response, [language]);
        Ok(response)
    }

    fn names(&self) -> Vec<Option<String>> {
        let seats = self.live.status.seats.iter();
        let name = |seat: &Seat| match seat {
            Seat::Taken { name, .. } => name.clone(),
            Seat::Bot(_) | Seat::Open => None,
        };
        seats.map(name).collect()
    }

    /// Returns the time that each seat has left: for its decision, if it owes one, or for the whole game.
    fn clocks(&self) -> Vec<Option<String>> {
        let deadlines = self.live.deadlines(self.listener.caller.seat());
        let of = |seat: u8| {
            let deadline = deadlines.iter().find(|(owing, _)| *owing == seat);
            let left = deadline.map(|(_, at_ms)| at_ms.saturating_sub(now_ms()));
            let seconds = left.or_else(|| self.live.left_ms(seat))? / 1000;
            Some(format!("{}:{:02}", seconds / 60, seconds % 60))
        };
        let seats = self.live.facts.seats;
        (1..=seats).map(of).collect()
    }

    fn events(&self) -> Vec<Doc<'_>> {
        let entries = self.last.iter();
        entries
            .flat_map(|entry| describe_events(&self.live, entry, self.listener))
            .collect()
    }

    fn decision(&self) -> Result<Option<picture::Decision>, Problem> {
        let seat = self.listener.caller.seat();
        let Some(seat) = seat.filter(|_| self.live.play.is_some() && !self.is_past) else {
            return Ok(None);
        };
        let part = Part {
            offset: 0,
            limit: CHOICES_MAX,
        };
        let owed = decisions::owed(&self.live, seat, self.listener.language, part)?;
        Ok(owed.as_ref().map(Decision::to_draw))
    }
}
