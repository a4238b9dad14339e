//! `POST /v1/rulesets` and `/v1/ruleset-checks`: rules that clients upload.

use std::collections::BTreeMap;
use std::sync::Arc;

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::api::catalog::checking;
use crate::api::request::access::OperatorScope;
use crate::api::request::call::{ApiCall, BodyCall, Handled};
use crate::api::request::context::JsonContext;
use crate::api::request::extract::LargeJson;
use crate::api::response::respond;
use crate::api::shared::finding::Finding;
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_authoring::rules::{Bundle, Ruleset, Submission};

/// Rules to check: a whole game, or an overlay that extends a game of this server.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"files": {"house.yaml": "extends: some-game\nchange: {data.length: 6}\n"}}))]
pub struct NewRuleset {
    /// The texts by file name, at most 64: YAML (`.yaml`), and tables of comma-separated values (`.csv`).
    files: BTreeMap<String, String>,
    /// The root file. Defaults to `game.yaml`, the only file, or the only overlay.
    #[schema(example = "house.yaml")]
    root: Option<String>,
    /// The digest of the rules that the overlay applies to: an uploaded ruleset or an earlier version of a game.
    /// Defaults to the current game of this server.
    base: Option<String>,
}

/// Rules that passed the check.
#[derive(Serialize, ToSchema)]
pub struct CheckedRuleset {
    /// Use it as `ruleset` to create sessions.
    digest: String,
    /// The game and its overlays, as in `some-game+house`.
    name: String,
    /// The supported numbers of seats.
    players: Vec<usize>,
    /// Warnings about the rules.
    warnings: Vec<Finding>,
    /// Link to the ruleset. It exists only after an upload.
    #[schema(example = "/v1/rulesets/…")]
    ruleset_link: String,
}

/// Upload rules
///
/// Uploads a house rule or a whole game. A ruleset is identified by a digest of its texts, so uploading it twice has no
/// further effect and needs no `Idempotency-Key`. Use the digest to create sessions on every node of this store. If the
/// server has keys, this requires one with the scope `upload`.
#[utoipa::path(
    post, path = "/v1/rulesets",
    operation_id = "createRuleset", tag = "games", request_body = NewRuleset,
    responses((status = 201, description = "The rules are stored", body = CheckedRuleset,
        headers(("Location" = String, description = "URL of the ruleset")))),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "invalid-ruleset", "rules-budget-exceeded"]))),
)]
pub async fn create(ApiCall { context, body, .. }: BodyCall<LargeJson<NewRuleset>>) -> Handled {
    let ruleset = check_sent(&context, body.0).await?;
    let kept = context.service().keep_ruleset(&ruleset).await;
    kept.map_err(|error| {
        tracing::warn!(%error, "cannot store a ruleset");
        Problem::new(ProblemCode::StoreUnavailable)
    })?;
    let checked = describe(&context, ruleset).await?;
    let mut response = HttpResponse::Created();
    response.insert_header((LOCATION, checked.ruleset_link.as_str()));
    respond::finish(response, &checked)
}

/// Check rules without storing them
///
/// Reports every mistake with its file, line and column, and advice. The rules may extend a game of the server.
#[utoipa::path(
    post, path = "/v1/ruleset-checks",
    operation_id = "checkRuleset", tag = "games", request_body = NewRuleset,
    responses((status = 200, description = "The rules have no errors", body = CheckedRuleset)),
    extensions(("x-codes" = json!(["unprocessable", "forbidden", "invalid-ruleset", "rules-budget-exceeded"]))),
)]
pub async fn check(ApiCall { context, body, .. }: BodyCall<LargeJson<NewRuleset>>) -> Handled {
    let ruleset = check_sent(&context, body.0).await?;
    respond::ok(&describe(&context, ruleset).await?)
}

async fn check_sent(context: &JsonContext, sent: NewRuleset) -> Result<Arc<Ruleset>, Problem> {
    context.require(OperatorScope::Upload)?;
    let submission = Submission {
        files: sent.files,
        root: sent.root,
    };
    let bundle = match sent.base {
        None => {
            context.app().opened().await;
            submission.bundle(&context.service().library().catalog())
        }
        Some(digest) => submission.bundle_on(kept(context, &digest).await?),
    };
    let bundle = bundle.map_err(|bad| Problem::unprocessable("/files", bad.to_string()))?;
    checking::check(context, bundle).await
}

/// Returns the texts of rules that this server has.
async fn kept(context: &JsonContext, digest: &str) -> Result<Bundle, Problem> {
    let ruleset = context.service().ruleset(digest).await?;
    let unknown = || Problem::unprocessable("/base", "no ruleset has this digest; upload it first");
    ruleset.map(|ruleset| ruleset.bundle()).ok_or_else(unknown)
}

async fn describe(context: &JsonContext, ruleset: Arc<Ruleset>) -> Result<CheckedRuleset, Problem> {
    Ok(CheckedRuleset {
        digest: ruleset.digest.clone(),
        name: ruleset.name.clone(),
        players: ruleset.checked.seats.clone(),
        warnings: checking::warnings(context, &ruleset).await?,
        ruleset_link: format!("/v1/rulesets/{}", ruleset.digest),
    })
}
