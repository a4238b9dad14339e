//! Sealed states: whole games that travel through a client who can neither read nor change them.
//!
//! They are encrypted with XChaCha20-Poly1305 under a key that all nodes of a store share. The first node that needs
//! the key creates it in the store.

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};
use serde::{Deserialize, Serialize};

use crate::Refusal;
use crate::access::token::entropy;
use crate::content::encoding::{append, damaged, decode_first, encode};
use crate::content::log::LoggedMove;
use crate::service::Service;
use wyrmgate_store::StoreError;

const FORMAT: u8 = 1;
const NONCE_BYTES: usize = 24;
/// The domain separation string for sealed states.
const SUBJECT: &[u8] = b"wyrmgate 1 sealed state";

/// The content of a sealed state.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Contents {
    /// The digest of the ruleset.
    pub ruleset: String,
    pub seats: u8,
    /// The options as JSON.
    pub options: String,
    /// The game, encoded as in a session. Empty while chance decides how it begins.
    pub play: Vec<u8>,
    /// The history of the game. A sampled state has none, nor has one whose chance the client decides.
    pub past: Option<SealedPast>,
    /// Set if the client decides what chance brings. It is written behind the rest, which states of earlier versions end
    /// with.
    #[serde(skip)]
    pub explicit: Option<Explicit>,
}

/// The chance of a game whose client decides it.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct Explicit {
    pub open: Option<OpenStep>,
}

/// A step that waits for an outcome.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct OpenStep {
    /// `None`: the beginning of the game.
    pub taken: Option<LoggedMove>,
    /// The outcomes so far.
    pub outcomes: Vec<u32>,
    /// How many equally likely outcomes the next draw has.
    pub of: u32,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct SealedPast {
    pub seed: [u8; 32],
    pub moves: Vec<LoggedMove>,
}

/// Seals and opens data under the store's key.
#[derive(Clone)]
pub struct Sealer(XChaCha20Poly1305);

impl Service {
    pub async fn sealer(&self) -> Result<Sealer, Refusal> {
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
    pub(crate) fn seal(&self, contents: &Contents) -> Result<String, Refusal> {
        let plain = encode(FORMAT, contents)?;
        match &contents.explicit {
            None => self.seal_bytes(SUBJECT, &plain),
            Some(explicit) => self.seal_bytes(SUBJECT, &append(plain.to_vec(), explicit)?),
        }
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

    pub(crate) fn open(&self, text: &str) -> Result<Contents, Refusal> {
        let plain = self.open_bytes(SUBJECT, text).ok_or(Refusal::NotFound)?;
        let (contents, rest) = decode_first::<Contents>(FORMAT, &plain)?;
        let explicit = match rest {
            [] => None,
            rest => Some(postcard::from_bytes(rest).map_err(damaged)?),
        };
        Ok(Contents {
            explicit,
            ..contents
        })
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
            explicit: None,
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
