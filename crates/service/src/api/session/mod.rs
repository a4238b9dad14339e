//! Sessions: one file per resource below `/v1/sessions`, and what these share.

pub(crate) mod actions;
pub(crate) mod board;
pub(crate) mod creation;
pub(crate) mod decisions;
pub(crate) mod described;
pub(crate) mod enrichment;
pub(crate) mod event_shapes;
pub(crate) mod events;
pub(crate) mod forks;
pub(crate) mod include;
pub(crate) mod moves;
pub(crate) mod recording;
pub(crate) mod seats;
pub(crate) mod sessions;
pub(crate) mod shared_changes;
pub(crate) mod standing;
pub(crate) mod state;
pub(crate) mod stream;
pub(crate) mod terms;
pub(crate) mod tickets;
pub(crate) mod tokens;
pub(crate) mod undos;
pub(crate) mod view;
pub(crate) mod webhook_messages;
pub(crate) mod webhooks;
