//! What a client wants added to each change, and the additions.

use serde::Deserialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::response::patch::PatchOperation;
use crate::api::session::include::Included;

/// The additions to each change that a client requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Extras {
    pub patch: bool,
    pub included: Included,
}

/// Additional content of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Form {
    /// `patch`: the change of the caller's view as operations of JSON Patch (RFC 6902).
    Patch,
}

impl Extras {
    pub fn new(form: Option<Form>, included: Option<Included>) -> Extras {
        Extras {
            patch: form == Some(Form::Patch),
            included: included.unwrap_or_default(),
        }
    }

    /// Returns whether the additions follow from views.
    pub fn need_view(self) -> bool {
        self.patch || self.included.view
    }
}

/// The additions to a change.
#[derive(Debug, Clone, Default)]
pub struct Additions {
    pub patch: Option<Vec<PatchOperation>>,
    pub view: Option<Value>,
    pub decisions: Option<Value>,
}
