//! The OpenAPI document: collected from the handlers, and completed with what they share.

pub(crate) mod bodies;
pub(crate) mod event_shapes;
pub(crate) mod examples;
pub(crate) mod form;
pub(crate) mod openapi;
pub(crate) mod opening;
pub(crate) mod selecting;
pub(crate) mod stream_shapes;
pub(crate) mod webhooks;
