//! From a result to its response: documents, pictures, stored responses, selections.

pub(crate) mod compression;
pub(crate) mod fields;
pub(crate) mod patch;
pub(crate) mod pictures;
pub(crate) mod respond;
pub(crate) mod shape;
pub(crate) mod stored_response;
pub(crate) mod storing;
