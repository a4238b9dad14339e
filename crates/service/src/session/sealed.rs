//! Sealed states: whole games that travel through a client who can neither read nor change them.
//!
//! XChaCha20-Poly1305 under a key that all nodes of a store share; they find it in the store, where the first node that
//! needed it has put it.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};

use super::Refusal;
use super::log::{LoggedMove, decode, encode};
use super::service::Service;
use super::token::entropy;
use wyrmgate_base::presume::Presume;
use wyrmgate_store::StoreError;

const FORMAT: u8 = 1;
const NONCE_BYTES: usize = 24;
/// What is sealed is a state and nothing else.
const SUBJECT: &[u8] = b"wyrmgate 1 sealed state";

/// What is inside.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Contents {
    /// The digest of the ruleset.
    pub ruleset: String,
    pub seats: u8,
    /// As JSON.
    pub options: String,
    /// As a session keeps it.
    pub play: Vec<u8>,
    /// How it came to this; an imagined state has no past.
    pub past: Option<Past>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Past {
    pub seed: [u8; 32],
    pub moves: Vec<LoggedMove>,
}

/// Seals and opens.
pub(super) struct Sealer(XChaCha20Poly1305);

impl Service {
    pub(super) async fn sealer(&self) -> Result<Sealer, Refusal> {
        let name = *blake3::hash(b"wyrmgate 1 sealing key").as_bytes();
        let mut key = self.store.blob(&name).await?;
        if key.is_none() {
            // Of two nodes that do this at once the store keeps the first one's, for both.
            let fresh = entropy()?;
            self.store.put_blob(&name, fresh.to_vec().into()).await?;
            key = self.store.blob(&name).await?;
        }
        let damaged = || StoreError::Corrupt("the key of sealed states".into());
        let key = key.ok_or_else(damaged)?;
        let cipher = XChaCha20Poly1305::new_from_slice(&key).map_err(|_| damaged())?;
        Ok(Sealer(cipher))
    }
}

/// Seals under a key that is not the store's.
pub fn seal_with(key: &[u8; 32], subject: &[u8], plain: &[u8]) -> Result<String, Refusal> {
    Sealer(XChaCha20Poly1305::new(key.into())).seal_bytes(subject, plain)
}

/// Opens what [`seal_with`] has sealed under the same key, as the same subject.
pub fn open_with(key: &[u8; 32], subject: &[u8], text: &str) -> Option<Vec<u8>> {
    Sealer(XChaCha20Poly1305::new(key.into())).open_bytes(subject, text)
}

impl Sealer {
    pub fn seal(&self, contents: &Contents) -> Result<String, Refusal> {
        self.seal_bytes(SUBJECT, &encode(FORMAT, contents)?)
    }

    /// What is sealed as one subject is not opened as another.
    pub fn seal_bytes(&self, subject: &[u8], plain: &[u8]) -> Result<String, Refusal> {
        let random = entropy()?;
        let nonce = random.first_chunk::<NONCE_BYTES>();
        let nonce = nonce.presume("there are as many random bytes as a nonce has")?;
        let payload = Payload {
            msg: plain,
            aad: subject,
        };
        let sealed = self.0.encrypt(&XNonce::from(*nonce), payload);
        let sealed = sealed.map_err(|_| StoreError::Corrupt("a state cannot be sealed".into()))?;
        Ok(BASE64.encode([nonce.as_slice(), &sealed].concat()))
    }

    pub fn open(&self, text: &str) -> Result<Contents, Refusal> {
        let plain = self.open_bytes(SUBJECT, text);
        let plain = plain.ok_or(Refusal::NotFound)?;
        Ok(decode(FORMAT, &plain)?)
    }

    /// `None` unless it was sealed here, as this subject.
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
