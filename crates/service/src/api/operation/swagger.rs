//! Swagger UI at `/docs/`. Its files are part of the program, compressed as they are sent; `build.rs` prepares them.

use std::io::Read;

use actix_web::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_SECURITY_POLICY, HeaderValue, VARY,
};
use actix_web::{HttpRequest, HttpResponse, web};
use flate2::read::GzDecoder;

use crate::api::response::compression::accepts_gzip;

/// The page and the script that starts it.
const PAGE: &str = include_str!("../../../swagger/index.html");
const START: &str = include_str!("../../../swagger/start.js");

/// The interface sets the style of its elements from scripts and draws pictures that it contains. It calls this server alone.
const ONLY_OURS: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; \
     base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
);

/// A compressed file of Swagger UI.
#[derive(Clone, Copy)]
struct SwaggerFile {
    path: &'static str,
    media_type: &'static str,
    gzip: &'static [u8],
}

const FILES: [SwaggerFile; 2] = [
    SwaggerFile {
        path: "/docs/swagger-ui.css",
        media_type: "text/css; charset=utf-8",
        gzip: include_bytes!(concat!(env!("OUT_DIR"), "/swagger-ui.css.gz")),
    },
    SwaggerFile {
        path: "/docs/swagger-ui-bundle.js",
        media_type: "text/javascript; charset=utf-8",
        gzip: include_bytes!(concat!(env!("OUT_DIR"), "/swagger-ui-bundle.js.gz")),
    },
];

/// Registers the page and its files.
pub fn register(config: &mut web::ServiceConfig) {
    // With the slash, relative links in the page resolve. The target is relative, too: a proxy may show this below a path.
    config.service(web::redirect("/docs", "docs/").permanent());
    config.route("/docs/", web::get().to(page));
    config.route("/docs/start.js", web::get().to(start));
    for file in FILES {
        let serve = move |request: HttpRequest| async move { send(&request, file) };
        config.route(file.path, web::get().to(serve));
    }
}

async fn page() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/html; charset=utf-8")
        .insert_header((CONTENT_SECURITY_POLICY, ONLY_OURS))
        .body(PAGE)
}

async fn start() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/javascript; charset=utf-8")
        .body(START)
}

/// Sends a file as it is stored, or decompressed to a client that does not accept gzip.
fn send(request: &HttpRequest, file: SwaggerFile) -> HttpResponse {
    let mut response = HttpResponse::Ok();
    response
        .content_type(file.media_type)
        .insert_header((CACHE_CONTROL, "max-age=86400"))
        .insert_header((VARY, "Accept-Encoding"));
    if accepts_gzip(request) {
        return response
            .insert_header((CONTENT_ENCODING, "gzip"))
            .body(file.gzip);
    }
    let mut plain = Vec::new();
    match GzDecoder::new(file.gzip).read_to_end(&mut plain) {
        Ok(_) => response.body(plain),
        Err(error) => {
            tracing::error!(%error, file = file.path, "a file of Swagger UI is damaged");
            HttpResponse::InternalServerError().finish()
        }
    }
}
