//! Web Push: messages that only one browser can read (RFC 8291, 8188), from a server that says who it is (RFC 8292).

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD as BASE64;
use ring::aead::{AES_128_GCM, Aad, LessSafeKey, Nonce, UnboundKey};
use ring::agreement::{ECDH_P256, EphemeralPrivateKey, UnparsedPublicKey, agree_ephemeral};
use ring::error::{KeyRejected, Unspecified};
use ring::hmac;
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// Length of a public key on P-256, uncompressed.
const POINT: usize = 65;
/// Length of the salt, of the secret of a browser, and of a key of AES-128.
const SALT: usize = 16;
const NONCE: usize = 12;
/// Length of the one record of a message; it bounds messages to what push services accept.
const RECORD: u32 = 4_096;
/// How long a token of the server is valid; at most a day.
const TOKEN_SECONDS: u64 = 12 * 3_600;

/// The keys of a browser.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BrowserKeys {
    /// Its public key, in base64url.
    pub p256dh: String,
    /// What it shares with this server alone, in base64url.
    pub auth: String,
}

/// The keys of a browser cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("`p256dh` must be a point on P-256, and `auth` 16 bytes, in base64url without padding")]
pub struct UnfitKeys;

impl From<Unspecified> for UnfitKeys {
    fn from(_: Unspecified) -> UnfitKeys {
        UnfitKeys
    }
}

impl BrowserKeys {
    /// Encrypts a message for the browser.
    pub fn seal(&self, message: &[u8]) -> Result<Vec<u8>, UnfitKeys> {
        let random = SystemRandom::new();
        let own = EphemeralPrivateKey::generate(&ECDH_P256, &random)?;
        let public = own.compute_public_key()?;
        let browser = decoded(&self.p256dh, POINT)?;
        let mut salt = [0; SALT];
        random.fill(&mut salt)?;
        let of_browser = UnparsedPublicKey::new(&ECDH_P256, &browser);
        agree_ephemeral(own, &of_browser, |shared| {
            self.seal_with(shared, public.as_ref(), &salt, message)
        })?
    }

    /// Encrypts with what both keys have in common.
    fn seal_with(
        &self,
        shared: &[u8],
        public: &[u8],
        salt: &[u8; SALT],
        message: &[u8],
    ) -> Result<Vec<u8>, UnfitKeys> {
        let browser = decoded(&self.p256dh, POINT)?;
        let auth = decoded(&self.auth, SALT)?;
        let prk = mac(&auth, &[shared]);
        let ikm = mac(prk.as_ref(), &[b"WebPush: info\0", &browser, public, &[1]]);
        let prk = mac(salt, &[ikm.as_ref()]);
        let key = mac(prk.as_ref(), &[b"Content-Encoding: aes128gcm\0", &[1]]);
        let nonce = mac(prk.as_ref(), &[b"Content-Encoding: nonce\0", &[1]]);
        let key = key.as_ref().get(..SALT).ok_or(UnfitKeys)?;
        let nonce = nonce.as_ref().get(..NONCE).ok_or(UnfitKeys)?;
        let key = LessSafeKey::new(UnboundKey::new(&AES_128_GCM, key)?);
        let mut record = message.to_vec();
        record.push(2); // the last record
        let nonce = Nonce::try_assume_unique_for_key(nonce)?;
        key.seal_in_place_append_tag(nonce, Aad::empty(), &mut record)?;
        let mut body = salt.to_vec();
        body.extend(RECORD.to_be_bytes());
        body.extend(
            u8::try_from(public.len())
                .map_err(|_| UnfitKeys)?
                .to_be_bytes(),
        );
        body.extend(public);
        body.extend(record);
        Ok(body)
    }
}

/// HKDF of up to 32 bytes is HMAC, once to extract and once to expand.
fn mac(key: &[u8], parts: &[&[u8]]) -> hmac::Tag {
    hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), &parts.concat())
}

fn decoded(text: &str, length: usize) -> Result<Vec<u8>, UnfitKeys> {
    let bytes = BASE64
        .decode(text.trim_end_matches('='))
        .map_err(|_| UnfitKeys)?;
    (bytes.len() == length).then_some(bytes).ok_or(UnfitKeys)
}

/// The key by which push services recognize a server (VAPID).
pub struct ServerKey {
    pair: EcdsaKeyPair,
    random: SystemRandom,
}

impl ServerKey {
    /// Returns a new key in the form in which it is stored.
    pub fn generate() -> Result<Vec<u8>, UnfitKeys> {
        let random = SystemRandom::new();
        let key = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random)?;
        Ok(key.as_ref().to_vec())
    }

    pub fn of(stored: &[u8]) -> Result<ServerKey, KeyRejected> {
        let random = SystemRandom::new();
        let pair = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, stored, &random)?;
        Ok(ServerKey { pair, random })
    }

    /// Returns the public key for browsers, in base64url.
    pub fn public(&self) -> String {
        BASE64.encode(self.pair.public_key())
    }

    /// Returns the value of `Authorization` for a push service, whose origin is given; `contact` is a URL of the operator.
    pub fn authorization(
        &self,
        origin: &str,
        contact: &str,
        seconds: u64,
    ) -> Result<String, UnfitKeys> {
        let mut claims = json!({"aud": origin, "exp": seconds.saturating_add(TOKEN_SECONDS)});
        if let (true, Some(claims)) = (contact.starts_with("https:"), claims.as_object_mut()) {
            claims.insert("sub".into(), contact.into());
        }
        let head = BASE64.encode(r#"{"typ":"JWT","alg":"ES256"}"#);
        let signed = format!("{head}.{}", BASE64.encode(claims.to_string()));
        let signature = self.pair.sign(&self.random, signed.as_bytes())?;
        let signature = BASE64.encode(signature);
        Ok(format!("vapid t={signed}.{signature}, k={}", self.public()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of RFC 8291, appendix A.
    #[test]
    fn a_message_is_sealed_as_in_the_example_of_the_standard() {
        let keys = BrowserKeys {
            p256dh: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4".into(),
            auth: "BTBZMqHH6r4Tts7J_aSIgg".into(),
        };
        let bytes = |text: &str| BASE64.decode(text).unwrap();
        let shared = bytes("kyrL1jIIOHEzg3sM2ZWRHDRB62YACZhhSlknJ672kSs");
        let public = bytes(
            "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8",
        );
        let salt = bytes("DGv6ra1nlYgDCS1FRnbzlw").try_into().unwrap();
        let message = b"When I grow up, I want to be a watermelon";
        let sealed = keys.seal_with(&shared, &public, &salt, message).unwrap();
        assert_eq!(
            BASE64.encode(sealed),
            "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
        );
    }

    #[test]
    fn keys_that_are_none_seal_nothing() {
        let no_point = BASE64.encode([4; POINT]);
        for (p256dh, auth) in [("", ""), (no_point.as_str(), "BTBZMqHH6r4Tts7J_aSIgg")] {
            let keys = BrowserKeys {
                p256dh: p256dh.into(),
                auth: auth.into(),
            };
            assert_eq!(keys.seal(b"x"), Err(UnfitKeys));
        }
    }
}
