//! What requests and responses have in common: media types, headers, languages, problems.

pub(crate) mod accept;
pub(crate) mod code;
pub(crate) mod finding;
pub(crate) mod headers;
pub(crate) mod language;
pub(crate) mod problem;
pub(crate) mod refusal;
