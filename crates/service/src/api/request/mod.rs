//! From a request to its handler: routes, headers, bodies, languages, limits.

pub(crate) mod accept;
pub(crate) mod body_error;
pub(crate) mod caller;
pub(crate) mod client;
pub(crate) mod context;
pub(crate) mod cors;
pub(crate) mod display_name;
pub(crate) mod envelope;
pub(crate) mod extract;
pub(crate) mod headers;
pub(crate) mod heavy_work;
pub(crate) mod language;
pub(crate) mod lists;
pub(crate) mod numbers;
pub(crate) mod object;
pub(crate) mod path;
#[cfg(feature = "pages")]
pub(crate) mod places;
pub(crate) mod pointer;
pub(crate) mod rates;
pub(crate) mod request_ids;
pub(crate) mod router;
pub(crate) mod visible_text;
