//! What a client wants added to each change, and the additions.

use serde_json::Value;

use crate::api::response::patch::Operation;
use crate::api::session::include::Included;

/// The additions to each change that a client requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Extras {
    pub patch: bool,
    pub included: Included,
}

/// The additions to a change.
#[derive(Debug, Clone, Default)]
pub struct Additions {
    pub patch: Option<Vec<Operation>>,
    pub view: Option<Value>,
    pub decisions: Option<Value>,
}
