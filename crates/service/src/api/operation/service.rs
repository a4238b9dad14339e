//! Operations on the server itself: `/livez`, `/readyz`, `/metrics`, `/problems/{code}`, `/openapi.json`.

use crate::api::request::call::{ApiCall, Handled};
use crate::api::shared::accept;
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::api::request::access::OperatorScope;
use crate::api::response::respond;
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_store::StoreError;

/// The state of the process.
#[derive(Serialize, ToSchema)]
pub struct Health {
    #[schema(example = "ok")]
    status: &'static str,
}

/// The readiness of the server and the state of its rules.
#[derive(Serialize, ToSchema)]
pub struct Readiness {
    #[schema(example = "ok")]
    status: &'static str,
    /// Number of available games.
    games: usize,
    /// Games and variants whose newest rules have errors. If an older version was valid, the server offers that one.
    #[schema(example = json!([]))]
    broken: Vec<String>,
}

/// The explanation of a kind of problem.
#[derive(Serialize, ToSchema)]
pub struct ProblemKind {
    #[schema(example = "stale-version")]
    code: &'static str,
    #[schema(minimum = 400, maximum = 599)]
    status: u16,
    title: &'static str,
    /// Advice for the client.
    advice: &'static str,
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ProblemPath {
    /// The code of a problem.
    code: String,
}

/// Check liveness
///
/// Answers as long as the process needs no restart. It asks nothing of the store, so a process is not restarted because the
/// store is away. It fails when an embedded store could not open its file again for a minute.
#[utoipa::path(
    get, path = "/livez",
    operation_id = "getLiveness", tag = "service",
    responses((status = 200, description = "The process needs no restart", body = Health)),
    extensions(("x-codes" = json!(["store-unavailable", "draining"]))),
)]
pub async fn livez(ApiCall { context, .. }: ApiCall) -> Handled {
    match context.service().store().needs_restart() {
        false => respond::ok(&Health { status: "ok" }),
        true => Err(Problem::new(ProblemCode::StoreUnavailable)),
    }
}

/// Check readiness
///
/// Waits until all games have been read. Answers with an error while the store cannot be read and written or the server is
/// about to stop, so that it gets no new requests. Follows the store within two seconds.
#[utoipa::path(
    get, path = "/readyz",
    operation_id = "getReadiness", tag = "service",
    responses((status = 200, description = "The server is ready", body = Readiness)),
    extensions(("x-codes" = json!(["store-unavailable", "draining"]))),
)]
pub async fn readyz(ApiCall { context, .. }: ApiCall) -> Handled {
    context.app().opened().await;
    if context.app().shutdown.is_given() {
        return Err(Problem::new(ProblemCode::Draining));
    }
    let probe = context.service().store().probe().await;
    probe.map_err(|error| {
        tracing::warn!(%error, "not ready, because of the store");
        let problem = Problem::new(ProblemCode::StoreUnavailable);
        match error {
            StoreError::Misconfigured(why) => problem.detail(why),
            StoreError::Full(_) => problem.detail("the store is full"),
            StoreError::Unavailable(_)
            | StoreError::OutcomeUnknown(_)
            | StoreError::Corrupt(_)
            | StoreError::Broken(_) => problem,
        }
    })?;
    let catalog = context.service().library().catalog();
    let broken = catalog.broken.iter();
    respond::ok(&Readiness {
        status: "ok",
        games: catalog.games.len(),
        broken: broken.map(|broken| broken.name.clone()).collect(),
    })
}

/// Get Prometheus metrics
///
/// Returns the metrics of this node in the OpenMetrics text format: moves by people and bots, latency by route and by
/// store call, lost races between writers, open streams, cached rulesets, executed steps, and webhooks.
#[utoipa::path(
    get, path = "/metrics",
    operation_id = "getMetrics", tag = "service",
    responses((status = 200, description = "The metrics", body = String,
        content_type = "application/openmetrics-text")),
    extensions(("x-codes" = json!(["unauthenticated", "forbidden"])), ("x-bearer" = json!(true))),
)]
pub async fn metrics(ApiCall { context, .. }: ApiCall) -> Handled {
    context.require(OperatorScope::Metrics)?;
    let service = context.service();
    let metrics = service.metrics();
    metrics.rulesets_are(service.library().count());
    for queue in context.app().heavy.queues() {
        metrics.load().queue_is(queue.figures());
    }
    let file = context.app().config.store.strip_prefix("embedded:");
    let size = file.and_then(|file| Some(std::fs::metadata(file).ok()?.len()));
    if let Some(size) = size {
        metrics.load().file_is(size);
    }
    let mut response = HttpResponse::Ok();
    response.content_type(wyrmgate_sessions::metrics::MEDIA_TYPE);
    Ok(response.body(metrics.text()))
}

/// Explain a problem code
///
/// The meaning of a `code` and what to do about it. The `type` of a problem leads here.
#[utoipa::path(
    get, path = "/problems/{code}",
    operation_id = "getProblemKind", tag = "service", params(ProblemPath),
    responses((status = 200, description = "The explanation of the problem", body = ProblemKind)),
)]
pub async fn problem(ApiCall { path, .. }: ApiCall<ProblemPath>) -> Handled {
    let code = ProblemCode::from_text(&path.code).ok_or_else(|| {
        let codes = ProblemCode::ALL
            .iter()
            .map(|code| code.row().code.to_owned());
        Problem::unknown("problem", &path.code, codes.collect())
    })?;
    let row = code.row();
    respond::ok(&ProblemKind {
        code: row.code,
        status: row.status,
        title: row.title,
        advice: row.advice,
    })
}

/// Get this document
///
/// The whole API as OpenAPI 3.1. The document of a release is also in its repository.
#[utoipa::path(
    get, path = "/openapi.json",
    operation_id = "getOpenApi", tag = "service",
    responses((status = 200, description = "An OpenAPI 3.1 document", body = Object)),
)]
pub async fn openapi(ApiCall { context, .. }: ApiCall) -> Handled {
    let mut response = HttpResponse::build(StatusCode::OK);
    response.content_type(accept::JSON);
    Ok(response.body(String::clone(&context.app().document)))
}
