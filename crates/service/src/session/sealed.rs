//! Sealed states: whole games that travel through a client who can neither read nor change them.
//!
//! They are encrypted with XChaCha20-Poly1305 under a key that all nodes of a store share. The first node that needs
//! the key creates it in the store.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};

use super::Refusal;
use super::log::{LoggedMove, decode, encode};
use super::service::Service;
use super::token::entropy;
use wyrmgate_store::StoreError;

const FORMAT: u8 = 1;
const NONCE_BYTES: usize = 24;
/// The domain separation string for sealed states.
const SUBJECT: &[u8] = b"wyrmgate 1 sealed state";

/// The content of a sealed state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Contents {
    /// The digest of the ruleset.
    pub ruleset: String,
    pub seats: u8,
    /// The options as JSON.
    pub options: String,
    /// The game, encoded as in a session.
    pub play: Vec<u8>,
    /// The history of the game. A sampled state has none.
    pub past: Option<Past>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Past {
    pub seed: [u8; 32],
    pub moves: Vec<LoggedMove>,
}

/// Seals and opens data under the store's key.
pub(super) struct Sealer(XChaCha20Poly1305);

impl Service {
    pub(super) async fn sealer(&self) -> Result<Sealer, Refusal> {
        let name = *blake3::hash(b"wyrmgate 1 sealing key").as_bytes();
        let mut key = self.store.blob(&name).await?;
        if key.is_none() {
            // If two nodes do this at once, the store keeps the first key for both.
            let fresh = entropy::<32>()?;
            self.store.put_blob(&name, fresh.to_vec().into()).await?;
            key = self.store.blob(&name).await?;
        }
        let damaged = || StoreError::Corrupt("the key of sealed states".into());
        let key = key.ok_or_else(damaged)?;
        let cipher = XChaCha20Poly1305::new_from_slice(&key).map_err(|_| damaged())?;
        Ok(Sealer(cipher))
    }
}

/// Seals data under another key than the store's.
pub fn seal_with(key: &[u8; 32], subject: &[u8], plain: &[u8]) -> Result<String, Refusal> {
    Sealer(XChaCha20Poly1305::new(key.into())).seal_bytes(subject, plain)
}

/// Opens data sealed by [`seal_with`] under the same key and for the same subject.
pub fn open_with(key: &[u8; 32], subject: &[u8], text: &str) -> Option<Vec<u8>> {
    Sealer(XChaCha20Poly1305::new(key.into())).open_bytes(subject, text)
}

impl Sealer {
    pub fn seal(&self, contents: &Contents) -> Result<String, Refusal> {
        self.seal_bytes(SUBJECT, &encode(FORMAT, contents)?)
    }

    /// Seals data for a subject. It cannot be opened for another subject.
    pub fn seal_bytes(&self, subject: &[u8], plain: &[u8]) -> Result<String, Refusal> {
        let nonce = entropy::<NONCE_BYTES>()?;
        let payload = Payload {
            msg: plain,
            aad: subject,
        };
        let sealed = self.0.encrypt(&XNonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| StoreError::Corrupt("cannot seal a state".into()))?;
        Ok(BASE64.encode([nonce.as_slice(), &sealed].concat()))
    }

    pub fn open(&self, text: &str) -> Result<Contents, Refusal> {
        let plain = self.open_bytes(SUBJECT, text);
        let plain = plain.ok_or(Refusal::NotFound)?;
        Ok(decode(FORMAT, &plain)?)
    }

    /// Opens data. Returns `None` unless it was sealed here for this subject.
    pub fn open_bytes(&self, subject: &[u8], text: &str) -> Option<Vec<u8>> {
        let bytes = BASE64.decode(text).ok()?;
        let (nonce, sealed) = bytes.split_first_chunk::<NONCE_BYTES>()?;
        let payload = Payload {
            msg: sealed,
            aad: subject,
        };
        self.0.decrypt(&XNonce::from(*nonce), payload).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_is_opened_and_what_was_touched_is_not() {
        let sealer = Sealer(XChaCha20Poly1305::new(&[7; 32].into()));
        let contents = Contents {
            ruleset: "abc".into(),
            seats: 2,
            options: "{}".into(),
            play: vec![1, 2, 3],
            past: None,
        };
        let text = sealer.seal(&contents).unwrap();
        assert_ne!(text, sealer.seal(&contents).unwrap());
        assert_eq!(sealer.open(&text).unwrap().play, [1, 2, 3]);
        let other = Sealer(XChaCha20Poly1305::new(&[8; 32].into()));
        assert!(other.open(&text).is_err());
        let touched = text.replacen(&text[50..52], "AA", 1);
        assert!(touched == text || sealer.open(&touched).is_err());
        assert!(sealer.open("").is_err());
        assert!(sealer.open_bytes(b"something else", &text).is_none());
    }
}
