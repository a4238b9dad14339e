//! What a request says and who sends it: paths, queries, bodies, credentials, limits.

pub(crate) mod access;
pub(crate) mod act_as;
pub(crate) mod app;
pub(crate) mod body_error;
pub(crate) mod call;
pub(crate) mod client;
pub(crate) mod context;
pub(crate) mod cors;
pub(crate) mod display_name;
pub(crate) mod extract;
pub(crate) mod fields;
pub(crate) mod heavy_work;
pub(crate) mod lists;
pub(crate) mod numbers;
pub(crate) mod object;
pub(crate) mod path;
#[cfg(feature = "pages")]
pub(crate) mod places;
pub(crate) mod pointer;
pub(crate) mod rates;
pub(crate) mod request_ids;
pub(crate) mod request_key;
pub(crate) mod signal;
pub(crate) mod visible_text;
