//! Checks rules for clients without slowing down other requests.

use std::sync::Arc;

use crate::api::request::context::JsonContext;
use crate::api::shared::finding::Finding;
use crate::api::shared::problem::{Problem, ProblemCode};
use serde::Deserialize;
use serde_json::Value;
use wyrmgate_authoring::rules::{BrokenRuleset, Bundle, Ruleset};

/// Returns the problem for rules that do not check.
pub fn invalid(broken: &BrokenRuleset) -> Problem {
    let mut problem = Problem::new(ProblemCode::InvalidRuleset);
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
pub async fn check(context: &JsonContext, bundle: Bundle) -> Result<Arc<Ruleset>, Problem> {
    let checking = &context.app().heavy.checking;
    let checked = checking.run(move || Ruleset::from_bundle(&bundle).map(Arc::new));
    checked.await?.map_err(|broken| invalid(&broken))
}

/// Returns rules with another start position.
pub async fn at_position(
    context: &JsonContext,
    ruleset: &Arc<Ruleset>,
    position: &str,
) -> Result<Arc<Ruleset>, Problem> {
    if ruleset.checked.definition.positions.drawn.is_none() {
        let wrong = "the rules do not say how a position of this game is drawn";
        return Err(Problem::unprocessable("/position", wrong));
    }
    let (bundle, position) = (ruleset.bundle(), position.to_owned());
    let checking = &context.app().heavy.checking;
    let checked = checking.run(move || Ruleset::from_position(bundle, &position).map(Arc::new));
    checked.await?.map_err(|broken| {
        let first = broken.report.diagnostics.first();
        let message = first.map(|first| first.message.clone());
        Problem::unprocessable("/position", message.unwrap_or_default())
    })
}

/// Returns the warnings about rules. This takes as long as a check.
pub async fn warnings(
    context: &JsonContext,
    ruleset: &Arc<Ruleset>,
) -> Result<Vec<Finding>, Problem> {
    let looked = ruleset.clone();
    let checking = &context.app().heavy.checking;
    let found = checking.run(move || looked.warnings()).await?;
    findings(&found)
}

/// Returns a game of the catalog with the requested variants. A combination of variants is built on first use.
pub async fn offered(
    context: &JsonContext,
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

/// Returns the findings of a diagnostic report.
pub fn findings(report: &Value) -> Result<Vec<Finding>, Problem> {
    Vec::<Finding>::deserialize(report).map_err(|error| {
        tracing::error!(%error, "a diagnostic report is not readable");
        Problem::new(ProblemCode::Internal)
    })
}
