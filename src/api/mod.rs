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
mod unmatched;
mod uploads;
mod view;
mod webhook_messages;
mod webhooks;
mod wire;

use actix_web::web;
use utoipa_actix_web::service_config::ServiceConfig;

pub use access::{OwnerKey, Scope};
pub use problem::{Code, Row};
pub use startup::{Running, StartError, Stopper, serve, start};

/// Every resource, told to whoever serves them and to whoever describes them. Those a game in progress asks for most come
/// first, because they are tried in order.
macro_rules! resources {
    ($($resource:path),* $(,)?) => {
        /// Serves every resource. Nothing is described here: that takes longer than all else a server does at its start.
        fn routes(config: &mut web::ServiceConfig) {
            config$(.service($resource))*;
        }

        /// Describes every resource.
        fn described_routes(config: &mut ServiceConfig<'_>) {
            config$(.service($resource))*;
        }
    };
}

resources![
    moves::make,
    view::get,
    actions::get,
    events::list,
    moves::get,
    moves::check,
    sessions::get,
    sessions::remove,
    sessions::list,
    creation::create,
    board::get,
    standing::get,
    standing::set,
    tickets::create,
    tokens::renew,
    webhooks::list,
    webhooks::create,
    webhooks::get,
    webhooks::change,
    webhooks::remove,
    webhooks::renew_secret,
    webhooks::ping,
    seats::claim,
    seats::get,
    seats::leave,
    recording::get,
    undos::undo,
    forks::fork,
    steps::step,
    simulations::create,
    simulations::list,
    simulations::get,
    games::list,
    games::get,
    rulesets::get,
    uploads::create,
    uploads::check,
    root::root,
    service::livez,
    service::readyz,
    service::metrics,
    backup::get,
    service::problem,
    service::openapi,
];

/// The OpenAPI document, as committed at `openapi/openapi.json`.
pub fn openapi_json() -> String {
    openapi::text()
}
