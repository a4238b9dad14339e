//! Tokens: 256 random bits after a prefix that names their kind. Only hashes are stored.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use crate::access::player::PlayerId;
use wyrmgate_base::hex;
pub use wyrmgate_runtime::surroundings::{NoEntropy, entropy};

wyrmgate_base::named_enum! {
    /// The permissions of a token. Their names are the prefixes of tokens.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum TokenRights {
        /// Play one seat of one session.
        Seat = "wg_seat_",
        /// Manage one session; play nothing.
        Owner = "wg_owner_",
        /// Take a seat of a private session.
        Invite = "wg_invite_",
        /// Watch one session.
        Spectator = "wg_watch_",
        /// Whatever the operator allows, such as creating sessions.
        Key = "wg_key_",
        /// Act for one person in all sessions.
        Player = "wg_player_",
    }
}

/// A token in plain text, on its way to or from its bearer. Never stored or logged.
#[derive(Clone)]
pub struct Token {
    bits: [u8; 32],
    /// Its bearer, with the hash: computed once because a request needs it several times.
    bearer: Bearer,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.bearer.kind.name())?;
        f.write_str("…")
    }
}

impl Token {
    /// Creates a token from the operating system's random numbers.
    pub fn random(kind: TokenRights) -> Result<Token, NoEntropy> {
        Ok(Token::of(kind, entropy()?))
    }

    /// Derives a token from the session's key and a nonce, so that a retried request finds it again.
    pub fn derived(kind: TokenRights, key: &[u8; 32], seat: u8, nonce: &[u8; 32]) -> Token {
        let mut hasher = blake3::Hasher::new_keyed(key);
        hasher
            .update(kind.name().as_bytes())
            .update(&[seat])
            .update(nonce);
        Token::of(kind, *hasher.finalize().as_bytes())
    }

    fn of(kind: TokenRights, bits: [u8; 32]) -> Token {
        let mut hasher = Sha256::new();
        hasher.update(kind.name());
        hasher.update(bits);
        let bearer = Bearer {
            kind,
            hash: TokenHash(hasher.finalize().into()),
            manages: false,
            seat: None,
        };
        Token { bits, bearer }
    }

    /// Creates the credential of a player for whom an operator key answers.
    pub fn acting(key: &Token, key_name: &str, player: &str) -> Token {
        let bits = key.derive_key("wyrmgate 1 acting player", player.as_bytes());
        Token::vouched("key", [key_name, player], bits)
    }

    /// Creates the credential of a player for whom an issuer of signed tokens answers.
    pub fn signed(issuer: &str, subject: &str) -> Token {
        Token::vouched("issuer", [issuer, subject], [0; 32])
    }

    /// The id of the player depends on who answers for it, not on what proves that.
    fn vouched(kind: &str, parts: [&str; 2], bits: [u8; 32]) -> Token {
        let mut hasher = blake3::Hasher::new_derive_key("wyrmgate 1 player");
        for part in [kind].into_iter().chain(parts) {
            hasher
                .update(&(part.len() as u64).to_le_bytes())
                .update(part.as_bytes());
        }
        let bearer = Bearer {
            kind: TokenRights::Player,
            hash: TokenHash(*hasher.finalize().as_bytes()),
            manages: false,
            seat: None,
        };
        Token { bits, bearer }
    }

    /// Parses a token. Returns `None` if the text does not have the form of one.
    pub fn parse(text: &str) -> Option<Token> {
        let digits = |kind: TokenRights| Some((kind, text.strip_prefix(kind.name())?));
        let (kind, digits) = TokenRights::ALL.into_iter().find_map(digits)?;
        Some(Token::of(kind, hex::decode(digits)?))
    }

    /// Returns whether the token belongs to a single client. Invite codes and spectator tokens are shared, and what an issuer
    /// signs has nothing that stays.
    pub fn is_personal(&self) -> bool {
        match self.bearer.kind {
            TokenRights::Seat | TokenRights::Owner | TokenRights::Key => true,
            TokenRights::Player => self.bits != [0; 32],
            TokenRights::Invite | TokenRights::Spectator => false,
        }
    }

    /// Derives a key that only the bearer of this token can derive. The server stores no tokens and therefore cannot.
    pub fn derive_key(&self, context: &str, of: &[u8]) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key(context);
        hasher.update(&self.bits).update(of);
        *hasher.finalize().as_bytes()
    }

    pub fn kind(&self) -> TokenRights {
        self.bearer.kind
    }

    /// Marks this operator key as verified to manage every session, or this player as one who means those that it hosts.
    pub fn managing(mut self) -> Token {
        self.bearer.manages = matches!(self.bearer.kind, TokenRights::Key | TokenRights::Player);
        self
    }

    /// Returns the credential of a player for one of several seats.
    pub fn at_seat(mut self, seat: u8) -> Token {
        self.bearer.seat = Some(seat);
        self
    }

    /// Returns the player of this credential.
    pub fn player(&self) -> Option<PlayerId> {
        self.bearer.player()
    }

    /// Returns the text for its bearer.
    pub fn reveal(&self) -> String {
        format!("{}{}", self.bearer.kind.name(), hex::encode(&self.bits))
    }

    pub fn bearer(&self) -> Bearer {
        self.bearer
    }

    pub fn hash(&self) -> TokenHash {
        self.bearer.hash
    }
}

/// The bearer of a token, identified by the hash of the token.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub struct Bearer {
    pub kind: TokenRights,
    pub hash: TokenHash,
    /// Whether it is an operator key that may manage every session, or a player who means the sessions that it hosts.
    pub manages: bool,
    /// The seat that a player means who has several.
    pub seat: Option<u8>,
}

impl Bearer {
    /// Returns the player, if it is the credential of one.
    pub fn player(&self) -> Option<PlayerId> {
        (self.kind == TokenRights::Player).then(|| PlayerId::of(&self.hash.0))
    }
}

/// The stored hash of a token.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenHash(#[serde(with = "hex")] pub [u8; 32]);

impl TokenHash {
    /// Compares in constant time.
    pub fn matches(&self, other: &TokenHash) -> bool {
        // Compares two words; slices would be compared byte by byte.
        let (own, _) = self.0.as_chunks::<16>();
        let (others, _) = other.0.as_chunks::<16>();
        let same = own
            .iter()
            .zip(others)
            .map(|(own, other)| u128::from_ne_bytes(*own).ct_eq(&u128::from_ne_bytes(*other)));
        same.fold(subtle::Choice::from(1), |all, same| all & same)
            .into()
    }
}

/// Minimum and maximum length of a secret that a client chooses, and the number of different characters it needs at least.
const CHOSEN_LENGTH: std::ops::RangeInclusive<usize> = 32..=128;
const CHOSEN_DIFFERENT: usize = 8;

/// Returns the digest of a secret that a client has chosen, or `None` if it is too short, too monotonous, or has other
/// characters than letters, digits, `_` and `-`.
pub fn chosen_secret(text: &str) -> Option<[u8; 32]> {
    let is_ours = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    let mut different: Vec<u8> = text.bytes().collect();
    different.sort_unstable();
    different.dedup();
    let is_fit = CHOSEN_LENGTH.contains(&text.len())
        && text.bytes().all(is_ours)
        && different.len() >= CHOSEN_DIFFERENT;
    is_fit.then(|| blake3::derive_key("wyrmgate 1 chosen secret", text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_survives_its_text_and_shows_nothing_in_debug() {
        let token = Token::random(TokenRights::Seat).unwrap();
        let parsed = Token::parse(&token.reveal()).unwrap();
        assert_eq!(parsed.reveal(), token.reveal());
        assert_eq!(format!("{token:?}"), "wg_seat_…");
        assert!(Token::parse("wg_seat_abc").is_none());
        assert!(Token::parse("something else").is_none());
    }

    #[test]
    fn kinds_with_the_same_bits_have_different_hashes() {
        let one = Token::derived(TokenRights::Seat, &[1; 32], 1, &[2; 32]);
        let owner = Token::of(TokenRights::Owner, one.bits);
        assert!(!one.hash().matches(&owner.hash()));
        assert!(one.hash().matches(&one.hash()));
    }
}
