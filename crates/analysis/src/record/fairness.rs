//! Fairness of seeds: the server commits to a secret before anyone takes a seat, and the entropy of the seats is mixed
//! with it.
//!
//! The server cannot choose the seed, because it does not know the entropy of the seats when it commits. No seat can,
//! because it does not know the secret. `docs/record-format.md` describes this for other programs.

use serde::{Deserialize, Serialize};
use wyrmgate_base::hex;

use super::seed_from_hex;

/// Domain separation string of the mixture.
const MIXTURE: &[u8] = b"wyrmgate 1 seed";

/// Everything from which a seed is derived.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fairness {
    /// The BLAKE3 hash of the secret, in hexadecimal digits, published when the session was created.
    pub commitment: String,
    /// The server's secret, in hexadecimal digits.
    pub secret: String,
    /// The entropy, in order of the seats.
    #[serde(default)]
    pub entropy: Vec<Entropy>,
}

/// The entropy of one seat.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entropy {
    /// The seat, from 1.
    pub seat: u8,
    /// 64 hexadecimal digits.
    pub value: String,
}

/// Why a seed does not match its commitment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Unfair {
    #[error("the secret and the entropy of each seat must have 64 hexadecimal digits")]
    Malformed,
    #[error("the entropy must be listed in order of the seats, each once")]
    Order,
    #[error("the hash of the secret does not match the commitment")]
    Commitment,
    #[error("the seed does not follow from the secret and the entropy of the seats")]
    Mixture,
}

/// Returns the commitment to a secret.
pub fn commitment_of(secret: &[u8; 32]) -> String {
    hex::encode(blake3::hash(secret).as_bytes())
}

/// Returns the seed of the game, which is the secret itself if no seat contributed entropy. `None` if an entry is
/// malformed.
pub fn mixture(secret: &[u8; 32], entropy: &[Entropy]) -> Option<[u8; 32]> {
    if entropy.is_empty() {
        return Some(*secret);
    }
    let mut hash = blake3::Hasher::new();
    hash.update(MIXTURE).update(secret);
    for Entropy { seat, value } in entropy {
        hash.update(&[*seat]).update(&seed_from_hex(value)?);
    }
    Some(*hash.finalize().as_bytes())
}

impl Fairness {
    /// Checks that this seed matches the commitment.
    pub fn check(&self, seed: &[u8; 32]) -> Result<(), Unfair> {
        let secret = seed_from_hex(&self.secret).ok_or(Unfair::Malformed)?;
        if !self.entropy.is_sorted_by(|one, next| one.seat < next.seat) {
            return Err(Unfair::Order);
        }
        if commitment_of(&secret) != self.commitment {
            return Err(Unfair::Commitment);
        }
        match mixture(&secret, &self.entropy) {
            None => Err(Unfair::Malformed),
            Some(mixed) if mixed != *seed => Err(Unfair::Mixture),
            Some(_) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn brought(seat: u8, byte: u8) -> Entropy {
        Entropy {
            seat,
            value: hex::encode(&[byte; 32]),
        }
    }

    fn fairness(entropy: Vec<Entropy>) -> Fairness {
        Fairness {
            commitment: commitment_of(&[1; 32]),
            secret: hex::encode(&[1; 32]),
            entropy,
        }
    }

    #[test]
    fn without_contributions_the_secret_is_the_seed() {
        assert_eq!(fairness(Vec::new()).check(&[1; 32]), Ok(()));
        let other = fairness(Vec::new()).check(&[2; 32]);
        assert_eq!(other, Err(Unfair::Mixture));
    }

    #[test]
    fn every_contribution_counts_and_so_does_its_seat() {
        let mixed = |entropy: &[Entropy]| mixture(&[1; 32], entropy).unwrap();
        let seed = mixed(&[brought(1, 5), brought(2, 6)]);
        assert_ne!(seed, mixed(&[brought(1, 5), brought(2, 7)]));
        assert_ne!(seed, mixed(&[brought(1, 5), brought(3, 6)]));
        assert_ne!(seed, mixed(&[brought(1, 5)]));
        let fair = fairness(vec![brought(1, 5), brought(2, 6)]);
        assert_eq!(fair.check(&seed), Ok(()));
    }

    #[test]
    fn another_secret_another_order_and_bad_digits_are_noticed() {
        let exchanged = Fairness {
            secret: hex::encode(&[2; 32]),
            ..fairness(Vec::new())
        };
        assert_eq!(exchanged.check(&[2; 32]), Err(Unfair::Commitment));
        let twice = fairness(vec![brought(2, 1), brought(2, 1)]);
        assert_eq!(twice.check(&[1; 32]), Err(Unfair::Order));
        let mut bad = fairness(vec![brought(1, 1)]);
        bad.entropy[0].value.pop();
        assert_eq!(bad.check(&[1; 32]), Err(Unfair::Malformed));
    }
}
