//! The public keys of an issuer (JWKS): fetched at first use, and again when they are old or one of them is missing.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use jsonwebtoken::jwk::Jwk;
use parking_lot::Mutex;
use serde::Deserialize;
use serde_json::Value;
use tokio::sync::Mutex as Turns;
use tokio::time::Instant;

use crate::api::request::signed_token::IssuerKey;
use wyrmgate_sessions::webhook_sender::{Policy, Trust, WebhookSender, WebhookTarget};

/// Maximum size of all keys of an issuer.
const BYTES_MAX: usize = 256 * 1024;
/// Keys of this age are fetched again, beside the requests that use them.
const OLD: Duration = Duration::from_secs(10 * 60);
/// Keys that cannot be fetched again serve for this time.
const LIFETIME: Duration = Duration::from_secs(24 * 60 * 60);
/// Minimum time from one fetch to the next where there are keys.
const PAUSE: Duration = Duration::from_secs(10);
/// The same where there are none.
const PAUSE_WITHOUT_KEYS: Duration = Duration::from_secs(1);

/// The keys of one issuer, shared by all requests.
pub struct IssuerKeys {
    source: KeySource,
    kept: Mutex<KeptKeys>,
    /// Held by the request that fetches.
    turns: Arc<Turns<()>>,
}

#[derive(Default)]
struct KeptKeys {
    keys: Arc<[IssuerKey]>,
    fetched: Option<Instant>,
    /// The time before which nobody fetches again.
    again: Option<Instant>,
}

enum KeySource {
    File(PathBuf),
    Url {
        sender: WebhookSender,
        target: WebhookTarget,
    },
}

impl KeySource {
    fn of(place: &str) -> Result<KeySource, String> {
        if !place.contains("://") {
            return Ok(KeySource::File(place.into()));
        }
        let unfit = |error: &dyn std::error::Error| format!("`{place}`: {error}");
        let policy = Policy::of_operator(place).map_err(|error| unfit(&error))?;
        let target = policy.target(place).map_err(|error| unfit(&error))?;
        let sender = match target.is_encrypted() {
            true => WebhookSender::new(policy, &Trust::System).map_err(|error| unfit(&error))?,
            false => WebhookSender::unencrypted(policy),
        };
        Ok(KeySource::Url { sender, target })
    }

    async fn fetch(&self) -> Result<Vec<IssuerKey>, String> {
        #[derive(Deserialize)]
        struct KeySet {
            keys: Vec<Value>,
        }
        let text = match self {
            KeySource::File(file) => {
                let text = tokio::fs::read(file).await;
                text.map_err(|error| format!("{}: {error}", file.display()))
            }
            KeySource::Url { sender, target } => {
                let text = sender.read(target, BYTES_MAX).await;
                text.map_err(|error| error.to_string())
            }
        };
        let set: KeySet = serde_json::from_slice(&text?).map_err(|error| error.to_string())?;
        // Sets may contain keys of other kinds, for other purposes.
        let keys = set.keys.into_iter().map(serde_json::from_value::<Jwk>);
        Ok(keys.filter_map(|key| IssuerKey::of(&key.ok()?)).collect())
    }
}

impl IssuerKeys {
    /// The keys at an `https` URL, at an `http` URL of this machine, or in a file.
    pub fn at(place: &str) -> Result<IssuerKeys, String> {
        Ok(IssuerKeys {
            source: KeySource::of(place)?,
            kept: Mutex::default(),
            turns: Arc::default(),
        })
    }

    /// Returns the keys, fetched again if none of them can be the one with this id. Returns `None` if there are none because the
    /// issuer cannot be reached.
    pub async fn with(self: &Arc<Self>, id: Option<&str>) -> Option<Arc<[IssuerKey]>> {
        if let Some(keys) = self.containing(id) {
            self.renew_beside();
            return Some(keys);
        }
        let (own, id) = (self.clone(), id.map(str::to_owned));
        let fetching = tokio::spawn(async move {
            let _turn = own.turns.lock().await;
            if own.containing(id.as_deref()).is_none() {
                own.renew().await;
            }
        });
        // A task of its own: others wait for it, too, when this request is given up. Without it, nothing is new.
        let _ = fetching.await;
        self.usable()
    }

    fn usable(&self) -> Option<Arc<[IssuerKey]>> {
        let kept = self.kept.lock();
        let is_usable = kept.fetched.is_some_and(|at| at.elapsed() < LIFETIME);
        is_usable.then(|| kept.keys.clone())
    }

    fn containing(&self, id: Option<&str>) -> Option<Arc<[IssuerKey]>> {
        self.usable()
            .filter(|keys| keys.iter().any(|key| key.may_be(id)))
    }

    /// Fetches old keys again, unless another request does.
    fn renew_beside(self: &Arc<Self>) {
        let is_old = self
            .kept
            .lock()
            .fetched
            .is_some_and(|at| at.elapsed() >= OLD);
        if is_old && let Ok(turn) = self.turns.clone().try_lock_owned() {
            let own = self.clone();
            tokio::spawn(async move {
                own.renew().await;
                drop(turn);
            });
        }
    }

    /// Fetches the keys if it is time for that. Keys that cannot be fetched stay as they are.
    async fn renew(&self) {
        let is_early = |again: Instant| Instant::now() < again;
        if self.kept.lock().again.is_some_and(is_early) {
            return;
        }
        let fetched = self.source.fetch().await;
        let mut kept = self.kept.lock();
        let now = Instant::now();
        let pause = match (kept.fetched, &fetched) {
            (Some(_), _) => PAUSE,
            (None, Ok(_)) => Duration::ZERO,
            (None, Err(_)) => PAUSE_WITHOUT_KEYS,
        };
        kept.again = Some(now + pause);
        match fetched {
            Ok(keys) => (kept.keys, kept.fetched) = (keys.into(), Some(now)),
            Err(error) => tracing::warn!(%error, "cannot fetch the keys of an issuer"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use serde_json::json;
    use tokio::time::{advance, sleep};

    use super::*;

    /// The key of RFC 8037.
    fn publish(file: &Path, id: &str) {
        let key = json!({"kty": "OKP", "crv": "Ed25519", "kid": id, "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"});
        fs::write(file, json!({"keys": [key]}).to_string()).unwrap();
    }

    #[tokio::test(start_paused = true)]
    async fn old_keys_are_fetched_again_and_serve_for_a_day_without_their_issuer() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys.json");
        publish(&file, "one");
        let keys = Arc::new(IssuerKeys::at(file.to_str().unwrap()).unwrap());
        let has = |id: &str| keys.containing(Some(id)).is_some();
        assert!(keys.with(Some("one")).await.is_some() && has("one"));
        publish(&file, "two");
        advance(OLD - Duration::from_secs(1)).await;
        keys.with(Some("one")).await;
        sleep(Duration::from_millis(100)).await;
        assert!(has("one"));

        advance(Duration::from_secs(1)).await;
        // The old keys answer this request, and the new ones the next.
        let old = keys.with(Some("one")).await.unwrap();
        assert!(old.iter().all(|key| key.may_be(Some("one"))));
        sleep(Duration::from_millis(100)).await;
        assert!(has("two") && !has("one"));

        fs::remove_file(&file).unwrap();
        advance(LIFETIME - Duration::from_secs(1)).await;
        assert!(keys.with(Some("two")).await.is_some());
        advance(Duration::from_secs(1)).await;
        assert!(keys.with(Some("two")).await.is_none());
        publish(&file, "three");
        advance(PAUSE).await;
        assert!(keys.with(Some("three")).await.is_some());
    }
}
