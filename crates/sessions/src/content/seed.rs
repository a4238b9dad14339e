//! The secrets of a session: the seed of its game, with a public commitment, and the key of its tokens.

use crate::access::token::{NoEntropy, entropy};
use wyrmgate_analysis::record::{Entropy, Fairness, commitment_of, mixture};
use wyrmgate_base::hex;
use wyrmgate_store::{Secret, StoreError};

/// Two secrets of 256 bits. Only the seed is ever revealed.
#[derive(Clone, PartialEq, Eq)]
pub struct Secrets {
    /// The server's secret. The entropy of seats is mixed with it before the game begins; see [`Secrets::game_seed`].
    seed: [u8; 32],
    pub token_key: [u8; 32],
}

impl Secrets {
    /// Creates secrets from the operating system, or with a seed from the client.
    pub fn new(seed: Option<[u8; 32]>) -> Result<Secrets, NoEntropy> {
        Ok(Secrets {
            seed: seed.map_or_else(entropy, Ok)?,
            token_key: entropy()?,
        })
    }

    pub fn encode(&self) -> Secret {
        Secret([self.seed, self.token_key].concat().into())
    }

    pub fn decode(secret: &Secret) -> Option<Secrets> {
        let (seed, token_key) = secret.0.split_at_checked(32)?;
        Some(Secrets {
            seed: seed.try_into().ok()?,
            token_key: token_key.try_into().ok()?,
        })
    }

    /// Returns the public commitment: the BLAKE3 hash of the seed. It proves later that the seed was not exchanged.
    pub fn commitment(&self) -> String {
        commitment_of(&self.seed)
    }

    /// Returns the seed of the game.
    pub fn game_seed(&self, entropy: &[Entropy]) -> Result<[u8; 32], StoreError> {
        let damaged = || StoreError::Corrupt("entropy of a seat".into());
        mixture(&self.seed, entropy).ok_or_else(damaged)
    }

    /// Returns the proof that the seed was not chosen, to be shown when the game is over.
    pub fn fairness(&self, entropy: &[Entropy]) -> Fairness {
        Fairness {
            commitment: self.commitment(),
            secret: hex::encode(&self.seed),
            entropy: entropy.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_survive_storage_and_the_commitment_is_the_hash_of_the_seed() {
        let secrets = Secrets::new(Some([7; 32])).unwrap();
        let again = Secrets::decode(&secrets.encode()).unwrap();
        assert!(secrets == again);
        let hash = blake3::hash(&[7; 32]).to_hex();
        assert_eq!(again.commitment(), hash.as_str());
    }
}
