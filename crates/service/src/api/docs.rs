//! `/docs/`: interactive API documentation, served by this binary without other hosts.

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, web};

use super::problem::Problem;

/// Redirects `/docs` to `/docs/`, so that relative links in the page resolve.
pub async fn redirect(_: HttpRequest) -> Result<HttpResponse, Problem> {
    Ok(HttpResponse::PermanentRedirect()
        .insert_header((LOCATION, "/docs/"))
        .finish())
}

/// Registers the pages.
#[cfg(feature = "docs-ui")]
pub fn register(config: &mut web::ServiceConfig) {
    use utoipa_swagger_ui::{Config, SwaggerUi};
    let page = SwaggerUi::new("/docs/{_:.*}").config(Config::from("/openapi.json"));
    config.route("/docs", web::get().to(redirect)).service(page);
}

#[cfg(not(feature = "docs-ui"))]
pub fn register(_: &mut web::ServiceConfig) {}
