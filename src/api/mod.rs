//! The service over HTTP: one file a resource, one table of problems, one document that describes it all.
//!
//! ```text
//! request ─ envelope ─▶ Context (who asks) ─▶ handler ─▶ session::Service
//!              └───────────── every error becomes a problem ◀─────┘
//! ```
//!
//! This layer has response types of its own and cannot name the language. What a game looks like to a
//! viewer is said by the engine, already redacted; nothing here adds to that.

mod accept;
mod access;
mod actions;
mod answers;
mod backup;
mod board;
mod bodies;
mod checking;
mod context;
mod cors;
mod creation;
mod decisions;
mod docs;
mod envelope;
mod events;
mod extract;
mod forks;
mod games;
mod headers;
mod language;
mod lists;
mod moves;
mod numbers;
mod openapi;
mod patch;
mod patches;
mod path;
mod pointer;
mod problem;
mod rates;
mod recording;
mod refusal;
mod reload;
mod respond;
mod root;
mod router;
mod rulesets;
mod schemas;
mod seats;
mod service;
mod sessions;
mod signal;
mod simulations;
mod standing;
mod startup;
mod state;
mod steps;
mod stream;
mod terms;
mod tickets;
mod tokens;
mod undos;
mod uploads;
mod view;
mod webhook_messages;
mod webhooks;
mod wire;

use actix_web::http::Method;
use utoipa::OpenApi;

pub use access::{OwnerKey, Scope};
pub use problem::{Code, Row};
use router::Route;
pub use startup::{Running, StartError, Stopper, serve, start};

/// Every resource: where it is, and who answers. Told to whoever serves them and to whoever describes them.
macro_rules! resources {
    ($($method:ident $path:literal => $module:ident :: $handler:ident;)*) => {
        const PATHS: &[&str] = &[$($path),*];

        fn routes() -> Vec<Route> {
            vec![$(Route::new(Method::$method, $path, $module::$handler)),*]
        }

        /// What the handlers say of themselves, and what no handler names.
        #[derive(OpenApi)]
        #[openapi(
            paths($($module::$handler),*),
            components(schemas(problem::Problem, webhook_messages::WebhookMessage)),
        )]
        struct Described;
    };
}

resources! {
    POST "/v1/sessions/{session}/moves" => moves::make;
    GET "/v1/sessions/{session}/view" => view::get;
    GET "/v1/sessions/{session}/actions" => actions::get;
    GET "/v1/sessions/{session}/events" => events::list;
    GET "/v1/sessions/{session}/moves/{number}" => moves::get;
    POST "/v1/sessions/{session}/action-checks" => moves::check;
    GET "/v1/sessions/{session}" => sessions::get;
    DELETE "/v1/sessions/{session}" => sessions::remove;
    GET "/v1/sessions" => sessions::list;
    POST "/v1/sessions" => creation::create;
    GET "/v1/sessions/{session}/board.svg" => board::get;
    GET "/v1/sessions/{session}/standing-orders" => standing::get;
    PUT "/v1/sessions/{session}/standing-orders" => standing::set;
    POST "/v1/sessions/{session}/stream-tickets" => tickets::create;
    PUT "/v1/sessions/{session}/tokens/{kind}" => tokens::renew;
    GET "/v1/sessions/{session}/webhooks" => webhooks::list;
    POST "/v1/sessions/{session}/webhooks" => webhooks::create;
    GET "/v1/sessions/{session}/webhooks/{webhook}" => webhooks::get;
    PUT "/v1/sessions/{session}/webhooks/{webhook}" => webhooks::change;
    DELETE "/v1/sessions/{session}/webhooks/{webhook}" => webhooks::remove;
    PUT "/v1/sessions/{session}/webhooks/{webhook}/secret" => webhooks::renew_secret;
    POST "/v1/sessions/{session}/webhooks/{webhook}/pings" => webhooks::ping;
    PUT "/v1/sessions/{session}/seats/{seat}" => seats::claim;
    GET "/v1/sessions/{session}/seats/{seat}" => seats::get;
    DELETE "/v1/sessions/{session}/seats/{seat}" => seats::leave;
    GET "/v1/sessions/{session}/record" => recording::get;
    POST "/v1/sessions/{session}/undos" => undos::undo;
    POST "/v1/sessions/{session}/forks" => forks::fork;
    POST "/v1/steps" => steps::step;
    POST "/v1/simulations" => simulations::create;
    GET "/v1/simulations" => simulations::list;
    GET "/v1/simulations/{simulation}" => simulations::get;
    GET "/v1/games" => games::list;
    GET "/v1/games/{game}" => games::get;
    GET "/v1/rulesets/{digest}" => rulesets::get;
    POST "/v1/rulesets" => uploads::create;
    POST "/v1/ruleset-checks" => uploads::check;
    GET "/v1" => root::root;
    GET "/livez" => service::livez;
    GET "/readyz" => service::readyz;
    GET "/metrics" => service::metrics;
    GET "/backup" => backup::get;
    GET "/problems/{code}" => service::problem;
    GET "/openapi.json" => service::openapi;
}

/// The OpenAPI document, as committed at `openapi/openapi.json`.
pub fn openapi_json() -> String {
    openapi::text()
}
