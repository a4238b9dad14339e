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
mod pointer;
mod problem;
mod rates;
mod recording;
mod refusal;
mod reload;
mod respond;
mod root;
mod rulesets;
mod schemas;
mod seats;
mod service;
mod sessions;
mod shutdown;
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
mod unmatched;
mod uploads;
mod view;
mod webhook_messages;
mod webhooks;
mod wire;

use utoipa_actix_web::service_config::ServiceConfig;

pub use access::{OwnerKey, Scope};
pub use problem::{Code, Row};
pub use startup::{Running, StartError, Stopper, serve, start};

/// Every resource. Those a game in progress asks for most come first, because they are tried in order.
fn routes(config: &mut ServiceConfig<'_>) {
    config
        .service(moves::make)
        .service(view::get)
        .service(actions::get)
        .service(events::list)
        .service(moves::get)
        .service(moves::check)
        .service(sessions::get)
        .service(sessions::remove)
        .service(sessions::list)
        .service(creation::create)
        .service(board::get)
        .service(standing::get)
        .service(standing::set)
        .service(tickets::create)
        .service(tokens::renew)
        .service(webhooks::list)
        .service(webhooks::create)
        .service(webhooks::get)
        .service(webhooks::change)
        .service(webhooks::remove)
        .service(webhooks::renew_secret)
        .service(webhooks::ping)
        .service(seats::claim)
        .service(seats::get)
        .service(seats::leave)
        .service(recording::get)
        .service(undos::undo)
        .service(forks::fork)
        .service(steps::step)
        .service(simulations::create)
        .service(simulations::list)
        .service(simulations::get)
        .service(games::list)
        .service(games::get)
        .service(rulesets::get)
        .service(uploads::create)
        .service(uploads::check)
        .service(root::root)
        .service(service::livez)
        .service(service::readyz)
        .service(service::metrics)
        .service(backup::get)
        .service(service::problem)
        .service(service::openapi);
}

/// The OpenAPI document, as committed at `openapi/openapi.json`.
pub fn openapi_json() -> String {
    openapi::text()
}
