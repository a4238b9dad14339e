//! Signatures of Standard Webhooks: HMAC-SHA256 over the id, the time and the body of a message.

use std::fmt;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as BASE64;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// A shared secret of 256 bits.
#[derive(Clone, PartialEq, Eq)]
pub struct SigningSecret([u8; 32]);

impl fmt::Debug for SigningSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("whsec_…")
    }
}

impl SigningSecret {
    pub fn new(bits: [u8; 32]) -> SigningSecret {
        SigningSecret(bits)
    }

    /// Returns the text form for the receiver.
    pub fn reveal(&self) -> String {
        format!("whsec_{}", BASE64.encode(self.0))
    }

    fn sign(&self, id: &str, seconds: u64, body: &[u8]) -> String {
        let mut key = [0; 64]; // HMAC fills the block of its hash up with zeros
        key.iter_mut().zip(self.0).for_each(|(byte, of)| *byte = of);
        let mut mac = Hmac::<Sha256>::new(&key.into());
        mac.update(format!("{id}.{seconds}.").as_bytes());
        mac.update(body);
        format!("v1,{}", BASE64.encode(mac.finalize().into_bytes()))
    }
}

/// Returns the value of `webhook-signature`: one signature for each valid secret.
pub fn signatures(secrets: &[SigningSecret], id: &str, seconds: u64, body: &[u8]) -> String {
    let signatures = secrets.iter().map(|secret| secret.sign(id, seconds, body));
    signatures.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected value was computed with Python's `hmac`, following the specification.
    #[test]
    fn signatures_are_those_of_the_specification() {
        let secret = SigningSecret::new([7; 32]);
        assert_eq!(
            secret.reveal(),
            "whsec_BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc="
        );
        let signed = signatures(
            std::slice::from_ref(&secret),
            "msg_1",
            1_700_000_000,
            b"{\"a\":1}",
        );
        assert_eq!(signed, "v1,LInk7lWC3DLGgRP3k/Xpm933fgj/SEGrik4mpkLgnKE=");
        let both = signatures(&[secret, SigningSecret::new([8; 32])], "m", 1, b"");
        assert_eq!(both.split(' ').count(), 2);
        assert!(
            both.split(' ')
                .all(|one| one.starts_with("v1,") && one.len() == 47)
        );
    }
}
