//! The server itself: its probes, its pages, and what operators ask of it.

pub(crate) mod backup;
#[cfg(feature = "pages")]
pub(crate) mod debugging;
pub(crate) mod docs;
#[cfg(feature = "pages")]
pub(crate) mod language_server;
pub(crate) mod names;
pub(crate) mod pages;
#[cfg(feature = "pages")]
pub(crate) mod refusals;
pub(crate) mod reload;
pub(crate) mod root;
pub(crate) mod service;
#[cfg(feature = "docs-ui")]
pub(crate) mod swagger;
