//! The table: the page at `/` with which people play, the workbench at `/workbench`, and their files under `/pages/`.
//!
//! The page is a client like any other: it uses the public API and knows no game. Its files are part of the program, so a
//! browser loads nothing from elsewhere, and the policy below forbids everything else.

use std::future::ready;

use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, web};

use serde::Deserialize;
use utoipa::IntoParams;

use crate::api::operation::root;
use crate::api::request::call::{ApiCall, Handled, NoParameters};
use crate::api::request::context::JsonContext;
use crate::api::request::numbers;
use crate::api::response::respond;
use crate::api::session::sessions::SessionPath;
use crate::api::session::table::CallerTable;
use crate::api::shared::accept::{self, HTML, JSON};
use crate::config::PageOrigin;
use wyrmgate_authoring::picture::escaped;

/// Scripts, styles and data come from this server, and from nowhere else; nothing is inline; no other page may receive its
/// address, and none but those of `frames` may frame it.
macro_rules! only_ours {
    ($frames:literal) => {
        concat!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; ",
            "base-uri 'none'; form-action 'none'; frame-ancestors ",
            $frames
        )
    };
}
const ONLY_OURS: HeaderValue = HeaderValue::from_static(only_ours!("'none'"));
/// The script that works without a window also serves the page itself, which lies one folder higher, where there is no network.
const WORKER: &str = "/worker.js";
const WORKER_SCOPE: HeaderName = HeaderName::from_static("service-worker-allowed");
const REFERRER_POLICY: HeaderName = HeaderName::from_static("referrer-policy");
const NO_REFERRER: HeaderValue = HeaderValue::from_static("no-referrer");

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct TableQuery {
    /// A public session, for programs that show what a link leads to. The page itself goes by what follows `#`.
    t: Option<String>,
    /// A version of the session.
    #[param(minimum = 1, maximum = 9_007_199_254_740_991_u64)]
    #[serde(default, deserialize_with = "numbers::past_version")]
    at: Option<u64>,
}

/// Returns what programs show of a link to a public session (Open Graph): its game, its people and its picture. `None` for
/// links to anything else.
async fn preview(context: &JsonContext, query: &TableQuery) -> Option<String> {
    let session = query.t.clone()?;
    let path = SessionPath { session };
    let table = CallerTable::of(context, &path, query.at).await.ok()?;
    let tags = table.see(None, |sight| {
        let title = sight.program.prose.texts.title.get(sight.language);
        let names: Vec<&str> = sight.names.iter().flatten().map(String::as_str).collect();
        [
            ("og:title", title.to_owned()),
            ("og:description", names.join(" – ")),
        ]
    });
    let origin = context.config().pages.public_url.as_ref();
    let origin = origin.map_or_else(String::new, |origin| origin.0.clone());
    let at = query.at.map_or_else(String::new, |at| format!("?at={at}"));
    let image = format!("{origin}/v1/sessions/{}/board.png{at}", path.session);
    let tags = tags.into_iter().chain([("og:image", image)]);
    let tags = tags.filter(|(_, content)| !content.is_empty());
    let written = |tag: (&str, String)| {
        let (name, content) = tag;
        format!(
            "<meta property=\"{name}\" content=\"{}\">\n",
            escaped(&content)
        )
    };
    Some(tags.map(written).collect())
}

/// Get the table, or the entry point
///
/// Browsers, which accept `text/html`, get the page with which people play every game of this server. Everyone else gets
/// the same as `GET /v1`. Servers without pages always answer with the entry point.
#[utoipa::path(
    get, path = "/",
    operation_id = "getTable", tag = "service", params(TableQuery),
    responses((status = 200, description = "The page or the entry point, by what the client accepts", content(
        (root::Root = "application/json"), (String = "text/html")))),
    extensions(("x-codes" = json!(["not-acceptable"]))),
)]
pub async fn table(call: ApiCall<NoParameters, TableQuery>) -> Handled {
    let (context, query) = (&call.context, &call.query);
    let offers: &[&'static str] = match files::INDEX {
        Some(_) if !context.config().pages.no_pages => &[JSON, HTML],
        _ => &[JSON],
    };
    let mut response = match (accept::best(&context.request, offers)?, files::INDEX) {
        (HTML, Some(index)) => match preview(context, query).await {
            Some(tags) => {
                let text = String::from_utf8_lossy(index.content);
                let text = text.replacen("</title>", &format!("</title>\n{tags}"), 1);
                send(&context.request, index, text.into())
            }
            None => page(&context.request, index),
        },
        _ => root::entry(context)?,
    };
    let headers = response.headers_mut();
    headers.insert(
        actix_web::http::header::VARY,
        HeaderValue::from_static("Accept"),
    );
    Ok(response)
}

/// A file of the page.
#[derive(Clone, Copy)]
struct PageFile {
    path: &'static str,
    media_type: &'static str,
    content: &'static [u8],
}

/// Returns a file, unless the browser has it.
fn page(request: &HttpRequest, file: PageFile) -> HttpResponse {
    send(request, file, web::Bytes::from_static(file.content))
}

/// Returns a file with this content, unless the browser has it.
fn send(request: &HttpRequest, file: PageFile, content: web::Bytes) -> HttpResponse {
    let hash = blake3::hash(&content).to_hex();
    let tag = format!("\"{}\"", hash.get(..16).unwrap_or_default());
    let (mut response, is_known) = respond::with_tag(request, &tag, "no-cache");
    response
        .content_type(file.media_type)
        .insert_header((CONTENT_SECURITY_POLICY, ONLY_OURS))
        .insert_header((REFERRER_POLICY, NO_REFERRER));
    if file.path == WORKER {
        response.insert_header((WORKER_SCOPE, HeaderValue::from_static("../")));
    }
    match is_known {
        true => response.finish(),
        false => response.body(content),
    }
}

/// Returns the policy of the page in frames of these origins.
fn framed(origins: &[PageOrigin]) -> Option<HeaderValue> {
    let origins: Vec<&str> = origins.iter().map(|origin| origin.0.as_str()).collect();
    let policy = [only_ours!(""), &origins.join(" ")].concat();
    HeaderValue::from_str(&policy)
        .ok()
        .filter(|_| !origins.is_empty())
}

/// Registers the page for frames, if there are origins that may show it.
fn register_embedded(config: &mut web::ServiceConfig, origins: &[PageOrigin]) {
    if let (Some(embedded), Some(policy)) = (files::EMBEDDED, framed(origins)) {
        let serve = move |request: HttpRequest| {
            let mut response = page(&request, embedded);
            let headers = response.headers_mut();
            headers.insert(CONTENT_SECURITY_POLICY, policy.clone());
            ready(response)
        };
        config.route(embedded.path, web::get().to(serve));
    }
}

/// Registers the files of the page.
pub fn register(config: &mut web::ServiceConfig, origins: &[PageOrigin]) {
    register_embedded(config, origins);
    let mut pages = web::scope("/pages");
    for file in files::ALL.iter().copied() {
        let serve = move |request: HttpRequest| async move { page(&request, file) };
        pages = pages.route(file.path, web::get().to(serve));
    }
    config.service(pages);
    if let Some(workbench) = files::WORKBENCH {
        let serve = move |request: HttpRequest| async move { page(&request, workbench) };
        config.route("/workbench", web::get().to(serve));
        #[cfg(feature = "pages")]
        config.route(
            "/workbench/language-server",
            web::get().to(crate::api::operation::language_server::open),
        );
    }
}

#[cfg(feature = "pages")]
mod files {
    use super::PageFile;

    /// All scripts of the page in one file, see `build/script.rs`: a browser loads it with one request.
    const SCRIPT: PageFile = PageFile {
        path: "/page.js",
        media_type: "text/javascript; charset=utf-8",
        content: include_bytes!(concat!(env!("OUT_DIR"), "/page.js")),
    };

    /// The client of the TypeScript package, as it is.
    const CLIENT: PageFile = PageFile {
        path: "/client.js",
        media_type: "text/javascript; charset=utf-8",
        content: include_bytes!("../../../../../clients/typescript/src/index.js"),
    };

    macro_rules! files {
        ($($name:literal: $media_type:literal,)*) => {
            /// Every file under `/pages/`.
            pub const ALL: &[PageFile] = &[SCRIPT, CLIENT, $(PageFile {
                path: concat!("/", $name),
                media_type: $media_type,
                content: include_bytes!(concat!("../../../pages/", $name)),
            }),*];
        };
    }

    files! {
        "about.js": "text/javascript; charset=utf-8",
        "api.js": "text/javascript; charset=utf-8",
        "app.js": "text/javascript; charset=utf-8",
        "board.js": "text/javascript; charset=utf-8",
        "book.js": "text/javascript; charset=utf-8",
        "choices.js": "text/javascript; charset=utf-8",
        "drag.js": "text/javascript; charset=utf-8",
        "focus.js": "text/javascript; charset=utf-8",
        "game.js": "text/javascript; charset=utf-8",
        "help.js": "text/javascript; charset=utf-8",
        "hint.js": "text/javascript; charset=utf-8",
        "icon.svg": "image/svg+xml",
        "icon-192.png": "image/png",
        "icon-512.png": "image/png",
        "last.js": "text/javascript; charset=utf-8",
        "lobby.js": "text/javascript; charset=utf-8",
        "log.js": "text/javascript; charset=utf-8",
        "manifest.webmanifest": "application/manifest+json",
        "mine.js": "text/javascript; charset=utf-8",
        "opening.js": "text/javascript; charset=utf-8",
        "orders.js": "text/javascript; charset=utf-8",
        "pace.js": "text/javascript; charset=utf-8",
        "page.css": "text/css; charset=utf-8",
        "parts.js": "text/javascript; charset=utf-8",
        "people.js": "text/javascript; charset=utf-8",
        "plan.js": "text/javascript; charset=utf-8",
        "player.js": "text/javascript; charset=utf-8",
        "reading.js": "text/javascript; charset=utf-8",
        "replay.js": "text/javascript; charset=utf-8",
        "result.js": "text/javascript; charset=utf-8",
        "reveal.js": "text/javascript; charset=utf-8",
        "rulebook.js": "text/javascript; charset=utf-8",
        "settings.js": "text/javascript; charset=utf-8",
        "setup.js": "text/javascript; charset=utf-8",
        "share.js": "text/javascript; charset=utf-8",
        "sound.js": "text/javascript; charset=utf-8",
        "steps.js": "text/javascript; charset=utf-8",
        "table.js": "text/javascript; charset=utf-8",
        "talk.js": "text/javascript; charset=utf-8",
        "theme.js": "text/javascript; charset=utf-8",
        "turned.js": "text/javascript; charset=utf-8",
        "vendor/hooks.js": "text/javascript; charset=utf-8",
        "vendor/htm.js": "text/javascript; charset=utf-8",
        "vendor/preact.js": "text/javascript; charset=utf-8",
        "vendor/qr.js": "text/javascript; charset=utf-8",
        "vendor/signals-core.js": "text/javascript; charset=utf-8",
        "vendor/signals.js": "text/javascript; charset=utf-8",
        "verify.js": "text/javascript; charset=utf-8",
        "words.js": "text/javascript; charset=utf-8",
        "worker.js": "text/javascript; charset=utf-8",
        "workbench/base.js": "text/javascript; charset=utf-8",
        "workbench/debugger.js": "text/javascript; charset=utf-8",
        "workbench/editor.js": "text/javascript; charset=utf-8",
        "workbench/language.js": "text/javascript; charset=utf-8",
        "workbench/classes.js": "text/javascript; charset=utf-8",
        "workbench/marks.js": "text/javascript; charset=utf-8",
        "workbench/share.js": "text/javascript; charset=utf-8",
        "workbench/studies.js": "text/javascript; charset=utf-8",
        "workbench/trial.js": "text/javascript; charset=utf-8",
        "workbench/vendor/codemirror.js": "text/javascript; charset=utf-8",
        "workbench/words.js": "text/javascript; charset=utf-8",
        "workbench/workbench.css": "text/css; charset=utf-8",
        "workbench/workbench.js": "text/javascript; charset=utf-8",
        "workbench/works.js": "text/javascript; charset=utf-8",
    }

    pub const WORKBENCH: Option<PageFile> = Some(PageFile {
        path: "/workbench",
        media_type: "text/html; charset=utf-8",
        content: include_bytes!("../../../pages/workbench/index.html"),
    });

    pub const INDEX: Option<PageFile> = Some(PageFile {
        path: "/",
        media_type: "text/html; charset=utf-8",
        content: include_bytes!("../../../pages/index.html"),
    });

    /// The same page for frames of others.
    pub const EMBEDDED: Option<PageFile> = Some(PageFile {
        path: "/embed/",
        media_type: "text/html; charset=utf-8",
        content: include_bytes!("../../../pages/embed.html"),
    });
}

#[cfg(not(feature = "pages"))]
mod files {
    use super::PageFile;

    pub const ALL: &[PageFile] = &[];
    pub const INDEX: Option<PageFile> = None;
    pub const EMBEDDED: Option<PageFile> = None;
    pub const WORKBENCH: Option<PageFile> = None;
}
