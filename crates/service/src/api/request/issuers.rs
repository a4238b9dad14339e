//! Issuers of signed tokens: who says who a player is. The operator lists them in a file.

use std::path::Path;
use std::slice;
use std::sync::Arc;

use serde::Deserialize;

use crate::api::request::display_name::display_name;
use crate::api::request::issuer_keys::IssuerKeys;
use crate::api::request::reread::{RereadFile, UnreadableFile};
use crate::api::request::signed_token::{
    Claims, LEEWAY, TokenOrigin, TokenRefusal, verified, verify_with_ring,
};
use crate::api::shared::problem::{Problem, ProblemCode};
use wyrmgate_sessions::Token;

/// Claims with the display name, the best first.
const NAMES: [&str; 3] = ["name", "preferred_username", "nickname"];
/// Maximum length of a subject, by OpenID Connect.
const SUBJECT_MAX: usize = 255;

/// The contents of the file of issuers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IssuerFile {
    issuers: Vec<IssuerEntry>,
}

/// An issuer as the operator states it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct IssuerEntry {
    /// Its URL, exactly as its tokens state it.
    issuer: String,
    audience: Audiences,
    /// URL or file of its keys.
    jwks: String,
    /// The claim to take display names from.
    name: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audiences {
    One(String),
    Several(Vec<String>),
}

impl Audiences {
    fn all(&self) -> &[String] {
        match self {
            Audiences::One(audience) => slice::from_ref(audience),
            Audiences::Several(audiences) => audiences,
        }
    }
}

struct TrustedIssuer {
    entry: IssuerEntry,
    keys: Arc<IssuerKeys>,
}

/// All issuers in the file.
pub struct IssuerRing(RereadFile<Vec<TrustedIssuer>>);

/// A player for whom an issuer answers.
#[derive(Clone)]
pub struct SignedPlayer {
    pub token: Token,
    /// The name by which the issuer knows the player, if it can be displayed.
    pub name: Option<String>,
    /// Until when the signed token is accepted, in Unix seconds.
    pub until_s: Option<u64>,
}

impl IssuerRing {
    pub fn open(file: &Path) -> Result<IssuerRing, UnreadableFile> {
        verify_with_ring();
        let read = |text: &str, before: &Vec<TrustedIssuer>| issuers(text, before);
        Ok(IssuerRing(RereadFile::open("issuers", file, read)?))
    }

    /// Returns the player of a signed token.
    pub async fn player(&self, token: &str) -> Result<SignedPlayer, Problem> {
        let origin = TokenOrigin::of(token).map_err(refused)?;
        let issuers = self.0.present();
        let issuer = issuers
            .iter()
            .find(|issuer| issuer.entry.issuer == origin.issuer);
        let issuer = issuer.ok_or_else(|| refused(TokenRefusal::UnknownIssuer))?;
        let keys = issuer.keys.with(origin.key.as_deref()).await;
        let keys = keys.ok_or_else(|| {
            Problem::new(ProblemCode::Overloaded)
                .detail("the issuer of the token cannot be reached at the moment; try again")
        })?;
        let claims =
            verified(token, &origin, &keys, issuer.entry.audience.all()).map_err(refused)?;
        issuer.player_of(&claims).map_err(refused)
    }
}

fn refused(refusal: TokenRefusal) -> Problem {
    Problem::new(ProblemCode::Unauthenticated).detail(refusal.to_string())
}

impl TrustedIssuer {
    fn player_of(&self, claims: &Claims) -> Result<SignedPlayer, TokenRefusal> {
        let text = |claim: &str| claims.get(claim)?.as_str();
        let number = |claim: &str| claims.get(claim)?.as_f64();
        let is_fit = |subject: &&str| (1..=SUBJECT_MAX).contains(&subject.chars().count());
        let subject = text("sub").filter(is_fit).ok_or_else(|| {
            let form = format!("`sub` must have 1 to {SUBJECT_MAX} characters");
            TokenRefusal::Malformed(form)
        })?;
        let stated = self.entry.name.as_deref();
        let claims = stated.as_ref().map_or(&NAMES[..], slice::from_ref);
        let mut names = claims.iter().filter_map(|claim| text(claim));
        let until_s = number("exp").map(|exp| (exp as u64).saturating_add(LEEWAY));
        Ok(SignedPlayer {
            token: Token::signed(&self.entry.issuer, subject),
            name: names.find_map(|name| display_name(name).ok()),
            until_s,
        })
    }
}

/// Reads the file. Issuers whose keys are in the same place as before keep them.
fn issuers(text: &str, before: &[TrustedIssuer]) -> Result<Vec<TrustedIssuer>, String> {
    let read: IssuerFile = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
    let entries = read.issuers.into_iter();
    entries.map(|entry| trusted(entry, before)).collect()
}

fn trusted(entry: IssuerEntry, before: &[TrustedIssuer]) -> Result<TrustedIssuer, String> {
    if entry.audience.all().is_empty() {
        return Err(format!("`{}` has no audience", entry.issuer));
    }
    let known = before.iter().find(|known| known.entry.jwks == entry.jwks);
    let keys = match known {
        Some(known) => known.keys.clone(),
        None => Arc::new(IssuerKeys::at(&entry.jwks)?),
    };
    Ok(TrustedIssuer { entry, keys })
}
