//! From a result to its response: documents, problems, stored answers.

pub(crate) mod code;
pub(crate) mod compression;
pub(crate) mod fields;
pub(crate) mod finding;
pub(crate) mod idempotency;
pub(crate) mod patch;
pub(crate) mod problem;
pub(crate) mod refusal;
pub(crate) mod respond;
pub(crate) mod stored_response;
pub(crate) mod transport_errors;
