//! A problem of rules, as clients get it.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A diagnostic about rules.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Finding {
    /// Stable code, in lower case.
    #[schema(example = "unknown-name")]
    code: String,
    severity: FindingSeverity,
    pub(crate) message: String,
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
#[schema(as = Severity)]
pub enum FindingSeverity {
    Error,
    Warning,
}

/// A related place that explains a finding.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct Related {
    pub(crate) message: String,
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
