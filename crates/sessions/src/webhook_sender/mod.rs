//! Sends signed webhook messages (Standard Webhooks) to servers chosen by session owners, without reaching internal
//! addresses.
//!
//! ```text
//! url ─ Policy ─▶ WebhookTarget ─ resolve, check every address ─▶ one of these addresses ─ TLS by the host's name ─▶ POST
//! ```
//!
//! A host is resolved once per attempt, and the connection goes to an address that was checked; no second lookup could
//! return another one. Redirects are not followed, no proxy is used, and only the status and `Retry-After` of a response
//! are read. What an operator names is read in the same way ([`WebhookSender::read`]). Nothing here knows sessions or games.

mod allowed;
mod connect;
mod forbidden;
mod push;
mod receiver;
mod resolve;
mod send;
mod signature;
mod target;
mod tls;

pub use allowed::{Exempt, Network, Ports};
pub use connect::{BoxedStream, Connect, Stream, SystemConnector};
pub use forbidden::is_public;
pub use push::{BrowserKeys, ServerKey, UnfitKeys};
pub use receiver::Receiver;
pub use resolve::{Resolve, SystemResolver};
pub use send::{SealedMessage, SendFailure, SignedMessage, WebhookResponse, WebhookSender};
pub use signature::{SigningSecret, signatures};
pub use target::{Policy, URL_BYTES_MAX, Unfit, WebhookTarget};
pub use tls::{Encryption, Trust, TrustError};
