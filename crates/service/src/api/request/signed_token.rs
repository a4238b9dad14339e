//! Signed tokens (JWT): whether one of the keys of an issuer has signed a token, and whether it is meant for this server.
//!
//! `jsonwebtoken` reads and judges tokens; *ring*, which TLS uses as well, verifies signatures. A key says which algorithms it
//! is for. A token only chooses among them, and none of them has a shared secret.

use jsonwebtoken::crypto::{CryptoProvider, JwtVerifier, KeyUtils};
use jsonwebtoken::dangerous::insecure_decode_claims;
use jsonwebtoken::errors::{Error, ErrorKind};
use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, PublicKeyUse};
use jsonwebtoken::signature::{self, Verifier};
use jsonwebtoken::{Algorithm, DecodingKey, DecodingKeyKind, Validation, decode, decode_header};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED as P256_SHA256, ECDSA_P384_SHA384_FIXED as P384_SHA384, ED25519,
    RSA_PKCS1_2048_8192_SHA256, RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512,
    RSA_PSS_2048_8192_SHA256, RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters,
    RsaPublicKeyComponents, UnparsedPublicKey, VerificationAlgorithm,
};
use serde::Deserialize;
use serde_json::{Map, Value};

/// Maximum size of a token.
const BYTES_MAX: usize = 8 * 1024;
/// Tolerated difference between the clocks of the issuer and of the server, in seconds.
pub const LEEWAY: u64 = 60;

/// The claims of a token.
pub type Claims = Map<String, Value>;

/// Why a token is refused.
#[derive(Debug, thiserror::Error)]
pub enum TokenRefusal {
    #[error("the token is malformed: {0}")]
    Malformed(String),
    #[error("the token has expired; get a new one from its issuer")]
    Expired,
    #[error("the token is not valid yet (`nbf`)")]
    Early,
    #[error("the token is meant for another audience (`aud`)")]
    OtherAudience,
    #[error("this server does not know the issuer of the token (`iss`)")]
    UnknownIssuer,
    #[error("the issuer has no such key (`kid`); get a new token from it")]
    UnknownKey,
    #[error("the key of the token is not for its algorithm (`alg`)")]
    OtherAlgorithm,
    #[error("the signature of the token is wrong")]
    BadSignature,
}

impl From<Error> for TokenRefusal {
    fn from(error: Error) -> TokenRefusal {
        match error.kind() {
            ErrorKind::ExpiredSignature => TokenRefusal::Expired,
            ErrorKind::ImmatureSignature => TokenRefusal::Early,
            ErrorKind::InvalidAudience => TokenRefusal::OtherAudience,
            ErrorKind::InvalidIssuer => TokenRefusal::UnknownIssuer,
            ErrorKind::InvalidAlgorithm => TokenRefusal::OtherAlgorithm,
            ErrorKind::InvalidSignature => TokenRefusal::BadSignature,
            other => TokenRefusal::Malformed(Error::from(other.clone()).to_string()),
        }
    }
}

/// Statements of a token that nothing has verified: where to look for its key.
pub struct TokenOrigin {
    pub issuer: String,
    pub key: Option<String>,
}

impl TokenOrigin {
    pub fn of(token: &str) -> Result<TokenOrigin, TokenRefusal> {
        #[derive(Deserialize)]
        struct Unverified {
            iss: String,
        }
        if token.len() > BYTES_MAX {
            let size = format!("it must have at most {BYTES_MAX} characters");
            return Err(TokenRefusal::Malformed(size));
        }
        let claims: Unverified = insecure_decode_claims(token)?;
        Ok(TokenOrigin {
            issuer: claims.iss,
            key: decode_header(token)?.kid,
        })
    }
}

/// A public key of an issuer.
#[derive(Debug)]
pub struct IssuerKey {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
}

impl IssuerKey {
    /// Returns the key, if it is for signatures that the server can verify.
    pub fn of(jwk: &Jwk) -> Option<IssuerKey> {
        let usage = jwk.common.public_key_use.as_ref();
        let mut algorithms = algorithms_of(&jwk.algorithm);
        if let Some(only) = jwk.common.key_algorithm {
            let only = Algorithm::try_from(only).ok()?;
            algorithms.retain(|algorithm| *algorithm == only);
        }
        let is_fit = usage.is_none_or(|of| *of == PublicKeyUse::Signature);
        (is_fit && !algorithms.is_empty()).then_some(IssuerKey {
            id: jwk.common.key_id.clone(),
            algorithms,
            key: DecodingKey::from_jwk(jwk).ok()?,
        })
    }

    /// Returns whether a token with this `kid` may be signed by the key.
    pub fn may_be(&self, id: Option<&str>) -> bool {
        let both = self.id.as_deref().zip(id);
        both.is_none_or(|(own, wanted)| own == wanted)
    }
}

fn algorithms_of(key: &AlgorithmParameters) -> Vec<Algorithm> {
    if let AlgorithmParameters::RSA(_) = key {
        return RSA.iter().map(|row| row.0).collect();
    }
    let curve = if let AlgorithmParameters::EllipticCurve(key) = key {
        &key.curve
    } else if let AlgorithmParameters::OctetKeyPair(key) = key {
        &key.curve
    } else {
        return Vec::new();
    };
    let fit = CURVES.iter().filter(|row| row.0 == *curve);
    fit.map(|row| row.1).collect()
}

/// Returns the claims of a token that one of these keys has signed for one of these audiences.
pub fn verified(
    token: &str,
    origin: &TokenOrigin,
    keys: &[IssuerKey],
    audiences: &[String],
) -> Result<Claims, TokenRefusal> {
    let mut refusal = TokenRefusal::UnknownKey;
    for key in keys.iter().filter(|key| key.may_be(origin.key.as_deref())) {
        refusal = match decode(token, &key.key, &requirements(key, origin, audiences)) {
            Ok(read) => return Ok(read.claims),
            Err(error) => error.into(),
        };
        if !matches!(
            refusal,
            TokenRefusal::OtherAlgorithm | TokenRefusal::BadSignature
        ) {
            break;
        }
    }
    Err(refusal)
}

fn requirements(key: &IssuerKey, origin: &TokenOrigin, audiences: &[String]) -> Validation {
    let mut required = Validation::default();
    required.algorithms.clone_from(&key.algorithms);
    required.leeway = LEEWAY;
    required.validate_nbf = true;
    required.set_required_spec_claims(&["iss", "sub", "aud", "exp"]);
    required.set_issuer(&[&origin.issuer]);
    required.set_audience(audiences);
    required
}

/// What verifies each algorithm for keys of RSA.
static RSA: [(Algorithm, &RsaParameters); 6] = [
    (Algorithm::RS256, &RSA_PKCS1_2048_8192_SHA256),
    (Algorithm::RS384, &RSA_PKCS1_2048_8192_SHA384),
    (Algorithm::RS512, &RSA_PKCS1_2048_8192_SHA512),
    (Algorithm::PS256, &RSA_PSS_2048_8192_SHA256),
    (Algorithm::PS384, &RSA_PSS_2048_8192_SHA384),
    (Algorithm::PS512, &RSA_PSS_2048_8192_SHA512),
];

/// The algorithm for keys of each curve, and what verifies it.
static CURVES: [(EllipticCurve, Algorithm, &dyn VerificationAlgorithm); 3] = [
    (EllipticCurve::P256, Algorithm::ES256, &P256_SHA256),
    (EllipticCurve::P384, Algorithm::ES384, &P384_SHA384),
    (EllipticCurve::Ed25519, Algorithm::EdDSA, &ED25519),
];

/// Makes `jsonwebtoken` verify with *ring*. Needed once before the first token; it signs nothing.
pub fn verify_with_ring() {
    static RING: CryptoProvider = CryptoProvider {
        signer_factory: |_, _| Err(ErrorKind::UnsupportedAlgorithm.into()),
        verifier_factory: |algorithm, key| Ok(Box::new(RingVerifier(*algorithm, key.clone()))),
        key_utils: KeyUtils::new_unimplemented(),
    };
    let _ = RING.install_default(); // fails if it was done before
}

struct RingVerifier(Algorithm, DecodingKey);

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.0
    }
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, message: &[u8], signature: &Vec<u8>) -> Result<(), signature::Error> {
        let RingVerifier(algorithm, key) = self;
        let verified = match key.kind() {
            DecodingKeyKind::RsaModulusExponent { n, e } => {
                let row = RSA.iter().find(|(of, _)| of == algorithm);
                let key = RsaPublicKeyComponents { n, e };
                row.map(|(_, rsa)| key.verify(rsa, message, signature))
            }
            DecodingKeyKind::SecretOrDer(point) => {
                let row = CURVES.iter().find(|(_, of, _)| of == algorithm);
                let key = row.map(|(.., curve)| UnparsedPublicKey::new(*curve, point));
                key.map(|key| key.verify(message, signature))
            }
        };
        let is_good = matches!(verified, Some(Ok(())));
        is_good.then_some(()).ok_or_else(signature::Error::new)
    }
}
