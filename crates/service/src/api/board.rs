//! `/v1/sessions/{id}/board.svg`: a picture of the caller's view.

use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue};
use actix_web::{HttpRequest, HttpResponse};
use serde::Deserialize;
use utoipa::IntoParams;

use super::accept::{self, SVG};
use super::context::AnyContext;
use super::extract::Query;
use super::language;
use super::numbers;
use super::path::Path;
use super::problem::Problem;
use super::respond;
use super::sessions::SessionPath;
use super::view;
use wyrmgate_authoring::picture;

/// The picture contains texts from the rules. With this policy no script in it runs and no resource is fetched.
const NOTHING_RUNS: HeaderValue =
    HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct BoardQuery {
    /// The version to draw. Defaults to the current version.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::asked_version")]
    at: Option<u64>,
}

/// Draw a picture of the caller's view
///
/// Shows boards, tracks and tables of tiles, and below them piles, rows and hands. The picture is drawn from the
/// caller's view and shows nothing that the view does not contain. It has no scripts, fonts or links, so you can embed
/// it anywhere.
#[utoipa::path(
    get, path = "/v1/sessions/{session}/board.svg",
    operation_id = "getBoard", tag = "play", params(SessionPath, BoardQuery),
    responses(
        (status = 200, description = "The picture as SVG", body = String, content_type = "image/svg+xml"),
        (status = 304, description = "Not modified"),
    ),
    extensions(("x-codes" = json!(["malformed", "unauthenticated", "forbidden", "not-found", "rules-budget-exceeded"])),
        ("x-tag" = json!(true)), ("x-language" = json!(true))),
)]
pub async fn get(
    context: AnyContext,
    request: HttpRequest,
    path: Path<SessionPath>,
    query: Query<BoardQuery>,
) -> Result<HttpResponse, Problem> {
    let (AnyContext(context), Query(query)) = (context, query);
    accept::best(&request, &[SVG])?;
    let (live, caller) = context.look(&request, &path.session, None).await?;
    let live = view::at(&context, &live, caller, query.at).await?;
    let listener = context.listener(&live, caller);
    let draw = || {
        let state = view::state(&live, listener, &[]);
        let picture = picture::table(&live.program, state.as_ref(), listener.language);
        Ok(picture.into_bytes())
    };
    let mut response = respond::tagged_as(&request, &listener.entity_tag(&live), SVG, draw)?;
    language::say(&mut response, [listener.tag(&live)]);
    let headers = response.headers_mut();
    headers.insert(CONTENT_SECURITY_POLICY, NOTHING_RUNS);
    Ok(response)
}
