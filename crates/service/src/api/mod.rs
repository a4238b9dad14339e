//! The HTTP API: one file per resource, one table of problems, and the OpenAPI document.
//!
//! ```text
//! request ─ envelope ─▶ JsonContext (who asks) ─▶ handler ─▶ session::Service
//!              └───────────────── every error becomes a problem ◀─────┘
//! ```
//!
//! Each file imports only from its own folder and from those further to the right:
//!
//! ```text
//! startup ─▶ this table ─▶ serving ─▶ operation, stateless ─▶ player ─▶ session ─▶ catalog
//!         ─▶ document ─▶ response ─▶ request ─▶ shared
//! ```
//!
//! This layer has its own response types and does not depend on the rules language. Views of a game arrive here already
//! redacted; nothing in this layer adds to them.

mod catalog;
mod document;
mod operation;
mod player;
mod request;
mod response;
mod serving;
mod session;
mod shared;
mod startup;
mod stateless;

use std::sync::LazyLock;

use actix_web::http::Method;
use catalog::{games, rulebooks, rulesets, uploads};
use document::form::DocumentForm;
use document::openapi;
use operation::{backup, pages, root, service};
use player::{leaderboards, player_events, player_sessions, players, push, tournaments};
use request::path::Patterns;
use request::request_key::KeyScope;
use serde_json::Value;
use serving::router::Route;
use session::{
    actions, batches, board, creation, endings, events, forks, messages, moves, recording, seats,
    seeks, sessions, standing, tickets, tokens, undos, view, webhooks,
};
use shared::problem;
use stateless::{action_space, simulations, steps};
use utoipa::OpenApi;

pub use request::access::{OperatorScope, OwnerKey};
pub use shared::code::{CodeRow, ProblemCode};
pub use startup::{
    RunningService, StartError, Stopper, check_credentials, check_webhooks, serve, start,
};

/// Declares every resource with its path and its handler. The router and the OpenAPI document are generated from this
/// table. A write states where its response is stored for repeated requests; an entry without this states that it
/// writes nothing.
macro_rules! resources {
    ($($method:ident $path:literal => $module:ident :: $handler:ident $(, key in $scope:ident)?;)*) => {
        /// The method and the path of every resource, as `("GET", "/v1/games/{game}")`.
        pub const SERVED: &[(&str, &str)] = &[$((stringify!($method), $path)),*];

        fn routes() -> Vec<Route> {
            vec![$(Route::new(Method::$method, $path, $module::$handler)$(.keyed(KeyScope::$scope))?),*]
        }

        /// The documentation of the handlers, and the schemas that no handler names.
        #[derive(OpenApi)]
        #[openapi(
            paths($($module::$handler),*),
            components(schemas(problem::ProblemDocument, player_events::PlayerSnapshot, player_events::PlayerMessage,
                wyrmgate_sessions::WebhookMessage, wyrmgate_sessions::DigestMessage)),
        )]
        struct Described;
    };
}

resources! {
    POST "/v1/sessions/{session}/moves" => moves::make, key in Session;
    GET "/v1/sessions/{session}/view" => view::get;
    GET "/v1/sessions/{session}/actions" => actions::get;
    GET "/v1/sessions/{session}/events" => events::list;
    GET "/v1/sessions/{session}/stream" => events::stream;
    GET "/v1/sessions/{session}/moves/{number}" => moves::get;
    POST "/v1/sessions/{session}/action-checks" => moves::check;
    GET "/v1/sessions/{session}" => sessions::get;
    DELETE "/v1/sessions/{session}" => sessions::remove, key in Server;
    GET "/v1/sessions" => sessions::list;
    POST "/v1/sessions" => creation::create, key in NewSession;
    POST "/v1/seeks" => seeks::create, key in Server;
    GET "/v1/seeks" => seeks::list;
    DELETE "/v1/seeks/{session}" => seeks::withdraw, key in Session;
    POST "/v1/session-batches" => batches::create, key in Server;
    GET "/v1/session-batches" => batches::get;
    GET "/v1/sessions/{session}/board.svg" => board::get;
    GET "/v1/sessions/{session}/board.png" => board::get_pixels;
    GET "/v1/sessions/{session}/board.gif" => board::get_film;
    GET "/v1/sessions/{session}/board.txt" => board::get_text;
    GET "/v1/sessions/{session}/standing-orders" => standing::get;
    PUT "/v1/sessions/{session}/standing-orders" => standing::set, key in Session;
    POST "/v1/sessions/{session}/stream-tickets" => tickets::create, key in Server;
    PUT "/v1/sessions/{session}/tokens/{kind}" => tokens::renew, key in Session;
    GET "/v1/sessions/{session}/webhooks" => webhooks::list;
    POST "/v1/sessions/{session}/webhooks" => webhooks::create, key in Session;
    GET "/v1/sessions/{session}/webhooks/{webhook}" => webhooks::get;
    PUT "/v1/sessions/{session}/webhooks/{webhook}" => webhooks::change, key in Session;
    DELETE "/v1/sessions/{session}/webhooks/{webhook}" => webhooks::remove, key in Session;
    PUT "/v1/sessions/{session}/webhooks/{webhook}/secret" => webhooks::renew_secret, key in Session;
    POST "/v1/sessions/{session}/webhooks/{webhook}/pings" => webhooks::ping, key in Session;
    PUT "/v1/sessions/{session}/seats/{seat}" => seats::claim, key in Session;
    GET "/v1/sessions/{session}/seats/{seat}" => seats::get;
    DELETE "/v1/sessions/{session}/seats/{seat}" => seats::leave, key in Session;
    GET "/v1/sessions/{session}/messages" => messages::list;
    POST "/v1/sessions/{session}/messages" => messages::write, key in Server;
    DELETE "/v1/sessions/{session}/messages/{message}" => messages::remove, key in Server;
    GET "/v1/sessions/{session}/record" => recording::get;
    GET "/v1/sessions/{session}/undos" => undos::list;
    POST "/v1/sessions/{session}/undos" => undos::undo, key in Session;
    POST "/v1/sessions/{session}/resignations" => endings::resign, key in Session;
    POST "/v1/sessions/{session}/draw-offers" => endings::draw, key in Session;
    POST "/v1/sessions/{session}/abort" => endings::abort, key in Session;
    POST "/v1/sessions/{session}/claims" => endings::claim, key in Session;
    PUT "/v1/sessions/{session}/pause" => endings::pause, key in Session;
    POST "/v1/sessions/{session}/forks" => forks::fork, key in NewSession;
    POST "/v1/players" => players::create, key in Server;
    GET "/v1/players/me" => players::get;
    PUT "/v1/players/me" => players::change, key in Server;
    DELETE "/v1/players/me" => players::forget, key in Server;
    PUT "/v1/players/me/webhook" => players::set_webhook, key in Server;
    DELETE "/v1/players/me/webhook" => players::remove_webhook, key in Server;
    GET "/v1/push-key" => push::key;
    PUT "/v1/players/me/push" => push::put, key in Server;
    DELETE "/v1/players/me/push" => push::remove, key in Server;
    PUT "/v1/keys/me/webhook" => players::set_key_webhook, key in Server;
    DELETE "/v1/keys/me/webhook" => players::remove_key_webhook, key in Server;
    GET "/v1/players/me/sessions" => player_sessions::list;
    GET "/v1/players/me/events" => player_events::stream;
    GET "/v1/players/me/ratings" => leaderboards::own;
    GET "/v1/players/{player}" => leaderboards::get;
    GET "/v1/games/{game}/leaderboard" => leaderboards::list;
    POST "/v1/tournaments" => tournaments::create, key in Server;
    GET "/v1/tournaments" => tournaments::list;
    GET "/v1/tournaments/{tournament}" => tournaments::get;
    DELETE "/v1/tournaments/{tournament}" => tournaments::end, key in Server;
    POST "/v1/tournaments/{tournament}/start" => tournaments::start, key in Server;
    PUT "/v1/tournaments/{tournament}/players/me" => tournaments::join, key in Server;
    DELETE "/v1/tournaments/{tournament}/players/me" => tournaments::leave, key in Server;
    POST "/v1/steps" => steps::step;
    POST "/v1/simulations" => simulations::create, key in Server;
    GET "/v1/simulations" => simulations::list;
    GET "/v1/simulations/{simulation}" => simulations::get;
    DELETE "/v1/simulations/{simulation}" => simulations::remove, key in Server;
    GET "/v1/games" => games::list;
    GET "/v1/games/{game}" => games::get;
    GET "/v1/rulesets/{digest}" => rulesets::get;
    GET "/v1/rulesets/{digest}/actions" => action_space::get;
    GET "/v1/rulesets/{digest}/rulebook" => rulebooks::get;
    GET "/v1/rulesets/{digest}/board.svg" => rulebooks::draw;
    GET "/v1/rulesets/{digest}/board.png" => rulebooks::paint;
    POST "/v1/rulesets" => uploads::create, key in Server;
    POST "/v1/ruleset-checks" => uploads::check;
    GET "/" => pages::table;
    GET "/v1" => root::root;
    GET "/livez" => service::livez;
    GET "/readyz" => service::readyz;
    GET "/metrics" => service::metrics;
    GET "/backup" => backup::get;
    GET "/problems/{code}" => service::problem;
    GET "/openapi.json" => service::openapi;
}

/// The paths of the resources.
static PATTERNS: LazyLock<Patterns> =
    LazyLock::new(|| Patterns::of(SERVED.iter().map(|(_, path)| *path)));

/// The OpenAPI document of the resources, against which the router checks which members a client may select.
static DOCUMENT: LazyLock<Value> = LazyLock::new(|| openapi_document(DocumentForm::Strict));

fn openapi_document(form: DocumentForm) -> Value {
    let routes = routes();
    let writes = routes.iter().filter(|route| route.scope.is_some());
    let writes = writes.map(|route| (route.method.as_str(), route.path));
    openapi::document(&Described::openapi(), &writes.collect(), form)
}

/// Returns the OpenAPI document, as committed at `openapi/openapi.json`.
pub fn openapi_json() -> String {
    format!("{:#}", openapi_document(DocumentForm::Clients))
}

/// Returns the OpenAPI document with every constraint, for tests of the contract.
pub fn strict_openapi_json() -> String {
    format!("{:#}", openapi_document(DocumentForm::Strict))
}
