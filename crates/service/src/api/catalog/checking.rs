//! Checks rules for clients without slowing down other requests.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::request::context::Context;
use crate::api::response::problem::{Code, Problem};
use wyrmgate_authoring::rules::{Broken, Bundle, Ruleset};

/// A diagnostic about rules.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Finding {
    /// Stable code, in lower case.
    #[schema(example = "unknown-name")]
    code: String,
    severity: Severity,
    message: String,
    /// The label of the marked place.
    label: String,
    /// Advice on how to fix it.
    #[schema(required)]
    help: Option<String>,
    #[serde(flatten)]
    place: FindingPlace,
    /// The source lines around the place.
    excerpt: String,
    /// Related places, such as the text that an overlay replaces or the first declaration of a name.
    related: Vec<Related>,
}

/// Whether the finding makes the rules unplayable or is only suspicious.
#[derive(Debug, Clone, Copy, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Error,
    Warning,
}

/// A related place that explains a finding.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Related {
    message: String,
    #[serde(flatten)]
    place: FindingPlace,
}

/// A range of characters in a file. Lines and columns count from 1.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct FindingPlace {
    #[schema(required, example = "some-game/game.yaml")]
    file: Option<String>,
    #[schema(minimum = 1)]
    line: usize,
    #[schema(minimum = 1)]
    column: usize,
    #[schema(minimum = 1)]
    end_line: usize,
    #[schema(minimum = 1)]
    end_column: usize,
}

/// Returns the findings of a diagnostic report.
pub fn findings(report: &Value) -> Result<Vec<Finding>, Problem> {
    Vec::<Finding>::deserialize(report).map_err(|error| {
        tracing::error!(%error, "a diagnostic report is not readable");
        Problem::new(Code::Internal)
    })
}

/// Returns the problem for rules that do not check.
pub fn invalid(broken: &Broken) -> Problem {
    let mut problem = Problem::new(Code::InvalidRuleset);
    match findings(&broken.findings()) {
        Ok(found) => problem.diagnostics = found,
        Err(internal) => return internal,
    }
    let first = problem
        .diagnostics
        .first()
        .map(|first| first.message.clone());
    match first {
        Some(message) => problem.detail(message),
        None => problem,
    }
}

/// Reads and checks rules.
pub async fn check(context: &Context, bundle: Bundle) -> Result<Arc<Ruleset>, Problem> {
    let checking = &context.app().heavy.checking;
    let checked = checking.run(move || Ruleset::from_bundle(&bundle).map(Arc::new));
    checked.await?.map_err(|broken| invalid(&broken))
}

/// Returns the warnings about rules. This takes as long as a check.
pub async fn warnings(context: &Context, ruleset: &Arc<Ruleset>) -> Result<Vec<Finding>, Problem> {
    let looked = ruleset.clone();
    let checking = &context.app().heavy.checking;
    let found = checking.run(move || looked.warnings()).await?;
    findings(&found)
}

/// Returns a game of the catalog with the requested variants. A combination of variants is built on first use.
pub async fn offered(
    context: &Context,
    game: &str,
    variant: Option<&str>,
) -> Result<Option<Arc<Ruleset>>, Problem> {
    let catalog = context.service().catalog_with(game).await;
    let Some(variant) = variant else {
        return Ok(catalog.offer(game).map(|offer| offer.ruleset.clone()));
    };
    let name = format!("{game}+{variant}");
    let known = catalog.ruleset(&name).cloned();
    if let Some(ruleset) = known.or_else(|| catalog.remembered(&name)) {
        return Ok(Some(ruleset));
    }
    let names: Vec<&str> = variant.split('+').collect();
    let Some(bundle) = catalog.stacked(game, &names) else {
        return Ok(None);
    };
    let ruleset = check(context, bundle).await?;
    catalog.remember(&name, &ruleset);
    Ok(Some(ruleset))
}
