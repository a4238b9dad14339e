//! Webhooks as a node calls them.
//!
//! Delivery follows the outbox pattern. The commit of a public change adds an outbox entry to the status of
//! the session, which stays until every webhook has received it, and lists the session in the index of webhooks.
//! Nothing is lost when a node stops, and a session without webhooks costs nothing. The node that wrote the change
//! delivers at once under a *lease* that is part of the commit. If it does not finish in time, any other node finds the
//! session and continues. Message ids are derived from the content, so receivers can recognize duplicates.
//!
//! A message is thin: it contains public information and a link.

pub(crate) mod deliverer;
pub(crate) mod message;
mod receivers;
pub(crate) mod schedule;
pub(crate) mod secrets;
pub(crate) mod settling;
