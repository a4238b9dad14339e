//! `/v1/sessions/{id}/board.svg`, `board.png`, `board.gif` and `board.txt`: pictures of the caller's view.

use actix_web::http::header::CONTENT_SECURITY_POLICY;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::request::call::{ApiCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::request::numbers;
use crate::api::response::pictures::{
    NOTHING_RUNS, PaintedTheme, Pixels, ThemeName, drawing, painted, pixels, sized,
};
use crate::api::response::respond;
use crate::api::session::sessions::SessionPath;
use crate::api::session::table::CallerTable;
use crate::api::shared::accept::{GIF, PNG, SVG, TEXT};
use crate::api::shared::problem::{Problem, ProblemCode};
use crate::api::shared::{headers, language};
use wyrmgate_authoring::picture::{self, DrawingOptions, Sight};
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_base::visible::pictured;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BoardQuery {
    /// The version to draw. Defaults to the current version.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::past_version")]
    at: Option<u64>,
    /// The width in pixels.
    #[param(minimum = 320, maximum = 4096, default = 1280)]
    size: Option<u16>,
    /// The colors.
    #[param(inline)]
    theme: Option<ThemeName>,
    /// Draws only this zone or this board: the id of a zone, or the name of a family of zones.
    focus: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BoardPixelsQuery {
    /// The version to draw. Defaults to the current version.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::past_version")]
    at: Option<u64>,
    /// The width in pixels. A picture of more than 4 million pixels is made smaller.
    #[param(minimum = 320, maximum = 4096, default = 1280)]
    size: Option<u16>,
    /// The colors.
    #[param(inline)]
    theme: Option<PaintedTheme>,
    /// Draws only this zone or this board: the id of a zone, or the name of a family of zones.
    focus: Option<String>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BoardTextQuery {
    /// The version to draw. Defaults to the current version.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::past_version")]
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
    responses((status = 200, description = "The picture as SVG", body = String, content_type = "image/svg+xml")),
    extensions(("x-codes" = json!(["forbidden", "rules-budget-exceeded", "overloaded"])), ("x-tag" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn get(call: ApiCall<SessionPath, BoardQuery>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let (focus, theme) = (query.focus, query.theme.unwrap_or_default());
    let drawing = drawing(query.size, theme)?;
    let table = CallerTable::of(&context, &path, query.at).await?;
    let draw = move |sight: &Sight<'_>| drawn(sight, drawing, focus.as_deref());
    let answer = table.answer(&context, SVG, draw);
    let mut response = answer.await?;
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, NOTHING_RUNS);
    Ok(response)
}

fn drawn(
    sight: &Sight<'_>,
    drawing: DrawingOptions<'_>,
    focus: Option<&str>,
) -> Result<String, Problem> {
    picture::svg(sight, DrawingOptions { focus, ..drawing }).ok_or_else(|| {
        let detail = "the picture has no such zone; use an id of `state.zones` in the view";
        Problem::new(ProblemCode::NotFound).detail(detail)
    })
}

/// Draw a picture of the caller's view in pixels
///
/// The same as `board.svg`, for programs that show no SVG: chats, language models, notebooks.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/board.png",
    operation_id = "getBoardPixels", tag = "play", params(SessionPath, BoardPixelsQuery),
    responses((status = 200, description = "The picture as PNG", body = inline(Pixels), content_type = "image/png")),
    extensions(("x-codes" = json!(["forbidden", "rules-budget-exceeded", "overloaded"])), ("x-tag" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn get_pixels(call: ApiCall<SessionPath, BoardPixelsQuery>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let (focus, theme) = (query.focus, query.theme.unwrap_or_default());
    let drawing = drawing(query.size, theme)?;
    let table = CallerTable::of(&context, &path, query.at).await?;
    let draw = move |sight: &Sight<'_>| pixels(&drawn(sight, drawing, focus.as_deref())?);
    table.answer(&context, PNG, draw).await
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct FilmQuery {
    /// The width in pixels.
    #[param(minimum = 320, maximum = 800, default = 640)]
    size: Option<u16>,
    /// The colors.
    #[param(inline)]
    theme: Option<PaintedTheme>,
}

/// The most pictures of an animation.
const PICTURES_MAX: usize = 120;
/// The width of an animation, unless someone asks for another one, and its greatest.
const FILM_WIDTH: u16 = 640;
const FILM_WIDTH_MAX: u16 = 800;

/// Draw the game so far as an animation
///
/// The pictures that `board.png` draws of the caller's view, after each choice in effect, as an animated GIF. A game of more than 120
/// choices skips some, evenly.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/board.gif",
    operation_id = "getBoardFilm", tag = "play", params(SessionPath, FilmQuery),
    responses((status = 200, description = "The animation as GIF", body = inline(Pixels), content_type = "image/gif")),
    extensions(("x-codes" = json!(["forbidden", "rules-budget-exceeded", "overloaded"])), ("x-tag" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn get_film(call: ApiCall<SessionPath, FilmQuery>) -> Handled {
    let (context, query) = (call.context, call.query);
    let limits = picture::WIDTH_MIN..=FILM_WIDTH_MAX;
    let drawing = DrawingOptions {
        size: sized(query.size, FILM_WIDTH, limits)?,
        theme: query.theme.unwrap_or_default().into(),
        focus: None,
    };
    let table = CallerTable::of(&context, &call.path, None).await?;
    let (live, listener) = (table.live.clone(), table.listener);
    let tag = listener.entity_tag(&live);
    let mut film = Vec::new();
    if !headers::is_cached(&context.request, &tag) {
        let mut tables = Vec::new();
        for moment in context.service().moments(&live, PICTURES_MAX).await? {
            tables.push(CallerTable::at(&context, moment, listener).await?);
        }
        if tables.is_empty() {
            tables.push(table);
        }
        let draw = move || {
            let pictures = tables.iter().map(|table| {
                checkpoint();
                table.see(None, |sight| drawn(sight, drawing, None))
            });
            let pictures = pictures.collect::<Result<Vec<String>, Problem>>()?;
            painted(picture::gif(&pictures))
        };
        film = context.app().heavy.film(draw).await?;
    }
    let response = respond::tagged_as(&context.request, &tag, GIF, || Ok(film))?;
    Ok(language::said(response, [listener.tag(&live)]))
}

/// Draw a picture of the caller's view with characters
///
/// The same as `board.svg`, for terminals, screen readers and language models. A star marks what the last change
/// touched.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/board.txt",
    operation_id = "getBoardText", tag = "play", params(SessionPath, BoardTextQuery),
    responses((status = 200, description = "The picture as text", body = String, content_type = "text/plain")),
    extensions(("x-codes" = json!(["forbidden", "rules-budget-exceeded", "overloaded"])), ("x-tag" = json!(true)),
        ("x-language" = json!(true))),
)]
pub async fn get_text(call: ApiCall<SessionPath, BoardTextQuery>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let size = sized(
        query.size,
        picture::COLUMNS,
        picture::COLUMNS_MIN..=picture::COLUMNS_MAX,
    )?;
    let table = CallerTable::of(&context, &path, query.at).await?;
    let draw = move |sight: &Sight<'_>| Ok(pictured(&picture::text(sight, size)).into_owned());
    table.answer(&context, TEXT, draw).await
}

impl CallerTable {
    /// Draws the picture off the workers, unless the client has it.
    async fn answer<B: Into<Vec<u8>> + Send + 'static>(
        self,
        context: &JsonContext,
        media: &'static str,
        draw: impl FnOnce(&Sight<'_>) -> Result<B, Problem> + Send + 'static,
    ) -> Handled {
        let live = self.live.clone();
        let (tag, language) = (self.listener.entity_tag(&live), self.listener.tag(&live));
        let mut drawn = Vec::new();
        if !headers::is_cached(&context.request, &tag) {
            let draw = move || self.see(self.decision()?.as_ref(), draw);
            drawn = context.app().heavy.draw(draw).await?.into();
        }
        let response = respond::tagged_as(&context.request, &tag, media, || Ok(drawn))?;
        Ok(language::said(response, [language]))
    }
}
