//! `/docs/`: interactive API documentation, served by this binary without other hosts; `/llms.txt`: the same for language
//! models, see <https://llmstxt.org>.

use actix_web::{HttpResponse, web};

/// Tells a language model how to play here.
async fn llms() -> HttpResponse {
    HttpResponse::Ok()
        .content_type("text/plain; charset=utf-8")
        .body(include_str!("../../../../../openapi/llms.txt"))
}

/// Registers what is for readers and not part of the API.
pub fn register(config: &mut web::ServiceConfig) {
    config.route("/llms.txt", web::get().to(llms));
    register_pages(config);
}

#[cfg(feature = "docs-ui")]
fn register_pages(config: &mut web::ServiceConfig) {
    crate::api::operation::swagger::register(config);
}

#[cfg(not(feature = "docs-ui"))]
fn register_pages(_: &mut web::ServiceConfig) {}
