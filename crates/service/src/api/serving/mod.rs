//! What every request passes on its way to a handler and back: the connection, the envelope, the router, repeated requests.

pub(crate) mod audit;
pub(crate) mod envelope;
pub(crate) mod idempotency;
pub(crate) mod router;
pub(crate) mod transport_errors;
