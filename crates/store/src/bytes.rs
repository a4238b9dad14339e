//! Bytes as a store keeps them.

use std::fmt;
use std::sync::Arc;

/// Opaque bytes, cheap to clone.
pub type Bytes = Arc<[u8]>;

/// A 256-bit name: of an idempotency key with its caller, of a request's content, of a blob.
pub type Digest = [u8; 32];

/// Bytes that must not be printed, such as the seed of a session.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub Bytes);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
