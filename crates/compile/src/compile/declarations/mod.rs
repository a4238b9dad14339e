//! Declarations to code: effects, queries, handlers, and who sees a zone.

pub(crate) mod depth;
pub(crate) mod effect;
pub(crate) mod handler;
pub(crate) mod handler_body;
pub(crate) mod listed;
pub(crate) mod modifier;
pub(crate) mod ordered;
pub(crate) mod pattern;
pub(crate) mod primitive;
pub(crate) mod query;
pub(crate) mod resigning;
pub(crate) mod result;
pub(crate) mod see;
pub(crate) mod trigger;
mod unmet;
mod untyped;
pub(crate) mod watch;
