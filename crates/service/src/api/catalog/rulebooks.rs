//! `/v1/rulesets/{digest}/rulebook` and `board.svg` and `board.png`: rules as people read them, and a picture of the game.

use std::sync::Arc;

use actix_web::HttpRequest;
use actix_web::http::header::CONTENT_SECURITY_POLICY;
use actix_web::web::Bytes;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::catalog::rulesets::RulesetPath;
use crate::api::request::call::{ApiCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::response::pictures::{
    NOTHING_RUNS, PaintedTheme, Pixels, ThemeName, drawing, pixels,
};
use crate::api::response::respond;
use crate::api::shared::accept::{PNG, SVG};
use crate::api::shared::language;
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_authoring::picture::{self, DrawingOptions, Midgame, Sight};
use wyrmgate_authoring::rulebook;
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_engine::Viewer;
use wyrmgate_program::Language;
use wyrmgate_view::{event_doc, view};

/// Number of random choices before the picture of a game.
const STEPS: u32 = 24;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct GamePictureQuery {
    /// The width in pixels.
    #[param(minimum = 320, maximum = 4096, default = 1280)]
    size: Option<u16>,
    /// The colors.
    #[param(inline)]
    theme: Option<ThemeName>,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct GamePixelsQuery {
    /// The width in pixels. A picture of more than 4 million pixels is made smaller.
    #[param(minimum = 320, maximum = 4096, default = 1280)]
    size: Option<u16>,
    /// The colors.
    #[param(inline)]
    theme: Option<PaintedTheme>,
}

/// Get the rulebook of a ruleset
///
/// A page for players: the clauses, components, options and terms, with pictures of the boards and of examples, and with
/// marks of what a variant changes. It has no scripts and loads nothing.
#[utoipa::path(
    get, path = "/v1/rulesets/{digest}/rulebook",
    operation_id = "getRulebook", tag = "games", params(RulesetPath),
    responses(
        (status = 200, description = "The rulebook as HTML", body = String, content_type = "text/html"),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-codes" = json!(["overloaded"])), ("x-language" = json!(true))),
)]
pub async fn get(ApiCall { context, path, .. }: ApiCall<RulesetPath>) -> Handled {
    let shown = ShownRuleset::of(&context, &path).await?;
    let mut hasher = blake3::Hasher::new();
    for (_, text) in &shown.ruleset.examples {
        hasher.update(text.as_bytes());
    }
    let form = format!("rulebook {}", hasher.finalize().to_hex());
    let (ruleset, language) = (shown.ruleset.clone(), shown.language);
    let write = move || {
        let page = rulebook::collect(&ruleset, language).map(|page| rulebook::html(&page));
        page.ok_or_else(|| Problem::new(ProblemCode::Internal))
    };
    let written = context.app().heavy.draw(write);
    let answer = shown.answer(&context.request, &form, "text/html; charset=utf-8", written);
    answer.await
}

/// Draw a picture of a game
///
/// The public view after some random choices, always the same ones, with the smallest number of seats. For lists of
/// games; the pictures of a session are at `/v1/sessions/{session}/board.svg`.
#[utoipa::path(
    get, path = "/v1/rulesets/{digest}/board.svg",
    operation_id = "getRulesetBoard", tag = "games", params(RulesetPath, GamePictureQuery),
    responses(
        (status = 200, description = "The picture as SVG", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-codes" = json!(["rules-budget-exceeded", "overloaded"])), ("x-language" = json!(true))),
)]
pub async fn draw(call: ApiCall<RulesetPath, GamePictureQuery>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let drawing = drawing(query.size, query.theme.unwrap_or_default())?;
    let shown = ShownRuleset::of(&context, &path).await?;
    let form = format!("{} {:?}", drawing.size, drawing.theme);
    let own = shown.clone();
    let drawn = context.app().heavy.draw(move || drawn(&own, drawing));
    shown.answer(&context.request, &form, SVG, drawn).await
}

/// Draw a picture of a game in pixels
///
/// The same as `board.svg`, for programs that show no SVG.
#[utoipa::path(
    get, path = "/v1/rulesets/{digest}/board.png",
    operation_id = "getRulesetBoardPixels", tag = "games", params(RulesetPath, GamePixelsQuery),
    responses(
        (status = 200, description = "The picture as PNG", body = inline(Pixels), content_type = "image/png"),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-codes" = json!(["rules-budget-exceeded", "overloaded"])), ("x-language" = json!(true))),
)]
pub async fn paint(call: ApiCall<RulesetPath, GamePixelsQuery>) -> Handled {
    let (context, path, query) = (call.context, call.path, call.query);
    let drawing = drawing(query.size, query.theme.unwrap_or_default())?;
    let shown = ShownRuleset::of(&context, &path).await?;
    let form = format!("pixels {} {:?}", drawing.size, drawing.theme);
    let own = shown.clone();
    let drawn = context
        .app()
        .heavy
        .draw(move || pixels(&drawn(&own, drawing)?));
    shown.answer(&context.request, &form, PNG, drawn).await
}

fn drawn(shown: &ShownRuleset, drawing: DrawingOptions<'_>) -> Result<String, Problem> {
    let (ruleset, language) = (&shown.ruleset, shown.language);
    let seats = ruleset.checked.seats.first().copied().unwrap_or(1);
    let internal = |_| Problem::new(ProblemCode::Internal);
    let program = ruleset
        .program(seats, &Default::default())
        .map_err(internal)?;
    let game = Midgame::of(&program, STEPS).map_err(|stopped| {
        Problem::new(ProblemCode::RulesBudgetExceeded).detail(stopped.reason.to_string())
    })?;
    let reader = Viewer::Public.reading(language);
    let seen = view(&program, &game.state, reader);
    let events = game.events.iter();
    let events: Vec<_> = events
        .filter_map(|event| event_doc(&program, event, reader))
        .collect();
    let sight = Sight {
        events: &events,
        answers: &picture::answers(&program, &game.state),
        ..Sight::of(&program, &seen, language)
    };
    picture::svg(&sight, drawing).ok_or_else(|| Problem::new(ProblemCode::Internal))
}

/// A ruleset in the language of the client.
#[derive(Clone)]
struct ShownRuleset {
    ruleset: Arc<Ruleset>,
    language: Language,
}

impl ShownRuleset {
    async fn of(context: &JsonContext, path: &RulesetPath) -> Result<ShownRuleset, Problem> {
        let ruleset = context.service().ruleset(&path.digest).await?;
        let ruleset = ruleset.ok_or_else(|| Problem::new(ProblemCode::NotFound))?;
        let language = context.accepted.among(&ruleset.checked.languages);
        Ok(ShownRuleset { ruleset, language })
    }

    /// Answers with what never changes under this digest, but may with another version of this program.
    async fn answer<T: Into<Bytes>>(
        &self,
        request: &HttpRequest,
        form: &str,
        media_type: &'static str,
        body: impl Future<Output = Result<T, Problem>>,
    ) -> Handled {
        let language = language::tag_of(&self.ruleset.checked.languages, self.language);
        let version = env!("CARGO_PKG_VERSION");
        let of = format!("{};{language};{form};{version}", self.ruleset.digest);
        let hash = blake3::hash(of.as_bytes()).to_hex();
        let tag = format!("\"{}\"", hash.get(..16).unwrap_or_default());
        let (mut response, is_known) = respond::with_tag(request, &tag, "public, max-age=3600");
        response.insert_header((CONTENT_SECURITY_POLICY, NOTHING_RUNS));
        let response = match is_known {
            true => response.finish(),
            false => response.content_type(media_type).body(body.await?.into()),
        };
        Ok(language::said(response, [language]))
    }
}
