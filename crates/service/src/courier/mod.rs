//! Messages to strangers' servers, after Standard Webhooks, from a service that must not be made to call others.
//!
//! ```text
//! url ─ Policy ─▶ Target ─ resolve, judge every address ─▶ one of these addresses ─ TLS by the host's name ─▶ POST
//! ```
//!
//! A host is looked up once for each attempt, and the connection goes to an address that was judged: there is no second
//! look-up whose answer could be another one. Redirects are not followed, no proxy is used, and of the answer only its
//! status and `Retry-After` are read. Nothing here knows sessions or games.

mod connect;
mod forbidden;
mod post;
mod resolve;
mod signature;
mod target;
mod tls;

pub use connect::{BoxedStream, Connect, Stream, SystemConnector};
pub use forbidden::is_public;
pub use post::{Answer, Courier, Failure, Letter};
pub use resolve::{Resolve, SystemResolver};
pub use signature::{SigningSecret, signatures};
pub use target::{Policy, Target, URL_BYTES_MAX, Unfit};
pub use tls::{Trust, TrustError};
