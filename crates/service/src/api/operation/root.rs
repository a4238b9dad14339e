//! `/v1`: the entry point with limits and links.

use serde::Serialize;
use utoipa::ToSchema;

use crate::api::request::call::{ApiCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::request::heavy_work;
use crate::api::request::lists::LIMIT_MAX;
use crate::api::response::respond;
use wyrmgate_sessions::{UNDO_MAX, WEBHOOKS_MAX};

/// The entry point of the API.
#[derive(Serialize, ToSchema)]
pub struct Root {
    #[schema(example = "wyrmgate")]
    name: &'static str,
    #[schema(example = "0.1.0")]
    version: &'static str,
    /// The failures that an acknowledged write survives: `memory`, `local`, `fsync` or `replicated`.
    durability: String,
    limits: Limits,
    links: Links,
}

/// The limits of this server. Requests that exceed them are refused.
#[derive(Serialize, ToSchema)]
pub struct Limits {
    /// Maximum size of a request body, in bytes.
    body_bytes: usize,
    /// Maximum number of items in a page.
    #[schema(minimum = 1)]
    page_items: usize,
    /// Maximum time for a body to arrive.
    body_ms: u64,
    /// Time budget of `imagine` (`imagine-time`).
    imagine_ms: u64,
    /// Maximum number of steps in one request.
    #[schema(minimum = 1)]
    steps: usize,
    /// Time budget of a list of steps (`step-time`).
    steps_ms: u64,
    /// Time budget for checking rules (`check-time`).
    check_ms: u64,
    /// Time budget for replaying a record (`replay-time`).
    replay_ms: u64,
    /// Time budget for finding out how far back an undo may go (`undo-time`).
    undo_ms: u64,
    /// A session expires after this time without changes.
    session_lifetime_ms: u64,
    /// Maximum number of webhooks of a session. 0 if webhooks are off.
    session_webhooks: usize,
}

/// Links, as relative references.
#[derive(Serialize, ToSchema)]
pub struct Links {
    games: &'static str,
    sessions: &'static str,
    /// Seek others to play with.
    seeks: &'static str,
    tournaments: &'static str,
    /// Upload rules.
    rulesets: &'static str,
    /// Check rules without storing them.
    ruleset_checks: &'static str,
    simulations: &'static str,
    steps: &'static str,
    openapi: &'static str,
    docs: &'static str,
    problems: &'static str,
}

/// Get the entry point
///
/// Returns the name and version of the server, its limits, and links to everything else.
#[utoipa::path(
    get, path = "/v1",
    operation_id = "getRoot", tag = "service",
    responses((status = 200, description = "The entry point", body = Root)),
)]
pub async fn root(ApiCall { context, .. }: ApiCall) -> Handled {
    entry(&context)
}

/// Returns the entry point.
pub fn entry(context: &JsonContext) -> Handled {
    let config = context.config();
    let milliseconds = |time: std::time::Duration| u64::try_from(time.as_millis());
    respond::ok(&Root {
        name: "wyrmgate",
        version: env!("CARGO_PKG_VERSION"),
        durability: context.service().store().durability().to_string(),
        limits: Limits {
            body_bytes: config.body_max,
            page_items: LIMIT_MAX,
            body_ms: milliseconds(config.body_deadline).unwrap_or(u64::MAX),
            imagine_ms: milliseconds(heavy_work::IMAGINE_MAX).unwrap_or(u64::MAX),
            steps: heavy_work::STEPS_MAX,
            steps_ms: milliseconds(heavy_work::STEPS_TIME).unwrap_or(u64::MAX),
            check_ms: milliseconds(heavy_work::CHECK_MAX).unwrap_or(u64::MAX),
            replay_ms: milliseconds(heavy_work::REPLAY_MAX).unwrap_or(u64::MAX),
            undo_ms: milliseconds(UNDO_MAX).unwrap_or(u64::MAX),
            session_lifetime_ms: milliseconds(config.session_lifetime).unwrap_or(u64::MAX),
            session_webhooks: match context.service().calls_webhooks() {
                true => WEBHOOKS_MAX,
                false => 0,
            },
        },
        links: Links {
            games: "/v1/games",
            sessions: "/v1/sessions",
            seeks: "/v1/seeks",
            tournaments: "/v1/tournaments",
            rulesets: "/v1/rulesets",
            ruleset_checks: "/v1/ruleset-checks",
            simulations: "/v1/simulations",
            steps: "/v1/steps",
            openapi: "/openapi.json",
            docs: "/docs/",
            problems: "/problems/{code}",
        },
    })
}
