//! The session service: what a node holds to work on the sessions of a store. The folders above add the operations.

pub(crate) mod cache;
pub(crate) mod turns;

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;

use crate::Refusal;
use crate::access::token::entropy;
use crate::bots::Thinkers;
use crate::changing::free_text::FreeText;
use crate::content::encoding::{from_json, to_json};
use crate::content::live::Live;
use crate::content::seed::Secrets;
use crate::metrics::Metrics;
use crate::webhook::deliverer::Deliverer;
use wyrmgate_authoring::rules::{Bundle, Catalog, Library, Ruleset};
use wyrmgate_base::hex;
use wyrmgate_base::presume::Presume;
use wyrmgate_runtime::queue::{Queue, half_of_the_cores};
use wyrmgate_runtime::surroundings::{beside, now_ms};
use wyrmgate_search::bot::RandomBot;
use wyrmgate_store::{Store, StoreError};

use cache::Cache;
use turns::Turns;

pub(crate) const SESSION_ID_LEN: usize = 22;
/// Time budget for computing how far an undo may go.
pub const UNDO_MAX: Duration = Duration::from_secs(10);
/// Polling interval of a request for a game that is still being read.
const OPENING_LOOK_EVERY: Duration = Duration::from_millis(10);

/// All sessions of a store, with a library of rules.
pub struct Service {
    pub(crate) store: Arc<dyn Store>,
    library: Arc<Library>,
    pub(crate) cache: Cache,
    pub(crate) metrics: Arc<Metrics>,
    lifetime_ms: u64,
    kept: Mutex<HashSet<[u8; 32]>>,
    pub(crate) bots: Thinkers,
    /// Queue of computations that decide how far an undo may go.
    pub(crate) undo_limits: Queue,
    /// Simulations play in turns.
    pub(crate) simulation_turns: Turns,
    /// `None` if this node delivers no webhooks.
    pub(crate) deliverer: Option<Deliverer>,
    pub(crate) free_text: FreeText,
}

impl Service {
    pub fn new(
        store: Arc<dyn Store>,
        library: Arc<Library>,
        metrics: Arc<Metrics>,
        lifetime: Duration,
    ) -> Service {
        Service {
            store,
            library,
            cache: Cache::default(),
            metrics,
            lifetime_ms: u64::try_from(lifetime.as_millis()).unwrap_or(u64::MAX),
            kept: Mutex::default(),
            bots: Thinkers::default(),
            undo_limits: Queue::new(half_of_the_cores(), UNDO_MAX, "undo-time"),
            simulation_turns: Turns::default(),
            deliverer: None,
            free_text: FreeText::default(),
        }
    }

    /// Returns this service with what seats may write.
    pub fn allowing_texts(self, free_text: FreeText) -> Service {
        Service { free_text, ..self }
    }

    /// Returns this service with webhook delivery.
    pub fn delivering_webhooks(self, deliverer: Deliverer) -> Service {
        Service {
            deliverer: Some(deliverer),
            ..self
        }
    }

    pub fn library(&self) -> &Library {
        &self.library
    }

    pub fn metrics(&self) -> &Metrics {
        &self.metrics
    }

    pub fn store(&self) -> &dyn Store {
        &*self.store
    }

    /// Queues the session if built-in players owe a decision.
    pub(crate) fn drive(&self, live: &Live) {
        if live.status.bots_since_ms.is_some() {
            self.bots.queue.push(&live.id);
        }
    }

    /// Queues the session if a webhook has a due message.
    pub(crate) fn call_webhooks(&self, live: &Live) {
        let webhooks = live.status.webhooks.as_ref();
        let due = webhooks.and_then(|webhooks| webhooks.due(now_ms()).next());
        if let (Some(deliverer), Some(_)) = (&self.deliverer, due) {
            deliverer.queue.push(&live.id);
        }
    }

    /// Stores the texts of a ruleset, so that sessions on any node survive changes of the rules folder.
    pub async fn keep_ruleset(&self, ruleset: &Arc<Ruleset>) -> Result<(), StoreError> {
        let digest = hex::decode(&ruleset.digest);
        let digest = digest.presume("the digest of a ruleset is 32 bytes in hexadecimal")?;
        if !self.is_kept(&digest) {
            let bundle = to_json(&ruleset.bundle())?;
            self.store.put_blob(&digest, bundle).await?;
            self.kept.lock().insert(digest);
        }
        self.library.keep(ruleset.clone());
        Ok(())
    }

    fn is_kept(&self, digest: &[u8; 32]) -> bool {
        self.kept.lock().contains(digest)
    }

    /// Returns the current version of a game, with an optional variant: `cliff-race+short`.
    pub async fn game(&self, name: &str) -> Option<Arc<Ruleset>> {
        self.in_library(|library| library.game(name)).await
    }

    /// Returns the catalog. It has this game, unless no game has that name.
    pub async fn catalog_with(&self, game: &str) -> Arc<Catalog> {
        let with_game = |library: &Library| {
            let catalog = library.catalog();
            catalog.offer(game).is_some().then_some(catalog)
        };
        let found = self.in_library(with_game).await;
        found.unwrap_or_else(|| self.library.catalog())
    }

    /// Looks in the library. While its rules are still being read, this waits for what is missing.
    async fn in_library<T>(&self, find: impl Fn(&Library) -> Option<T>) -> Option<T> {
        loop {
            // Read before the look-up: the last game could arrive between the two.
            let is_opening = self.library.is_opening();
            let found = find(&self.library);
            if found.is_some() || !is_opening {
                return found;
            }
            tokio::time::sleep(OPENING_LOOK_EVERY).await;
        }
    }

    /// Returns the ruleset of something stored, which keeps it.
    pub(crate) async fn kept_ruleset(&self, digest: &str) -> Result<Arc<Ruleset>, Refusal> {
        let gone = || Refusal::Ruleset(format!("ruleset {digest} no longer exists"));
        self.ruleset(digest).await?.ok_or_else(gone)
    }

    /// Returns a ruleset by its digest, from the library or from the stored texts.
    pub async fn ruleset(&self, digest: &str) -> Result<Option<Arc<Ruleset>>, Refusal> {
        if let Some(ruleset) = self.library.ruleset(digest) {
            return Ok(Some(ruleset));
        }
        let Some(name) = hex::decode(digest) else {
            return Ok(None);
        };
        let Some(bytes) = self.store.blob(&name).await? else {
            return Ok(self.in_library(|library| library.ruleset(digest)).await);
        };
        let bundle: Bundle = from_json(&bytes)?;
        let reading = beside(move || Ruleset::from_bundle(&bundle)).await;
        let ruleset = reading
            .ok_or_else(|| Refusal::Ruleset(format!("cannot read ruleset {digest}")))?
            .map_err(|broken| Refusal::Ruleset(format!("{:?}", broken.report)))?;
        let ruleset = Arc::new(ruleset.under(digest));
        if ruleset.digest != digest {
            return Err(Refusal::Ruleset(format!("ruleset {digest} has changed")));
        }
        self.library.keep(ruleset.clone());
        Ok(Some(ruleset))
    }

    pub(crate) async fn secrets(&self, id: &str) -> Result<Secrets, Refusal> {
        let secret = self.store.secret(id).await?.ok_or(Refusal::NotFound)?;
        Secrets::decode(&secret).ok_or_else(|| {
            let damaged = "a secret has the wrong size".to_owned();
            Refusal::Store(StoreError::Corrupt(damaged))
        })
    }

    /// Returns the seed of the session's game.
    pub(crate) async fn game_seed(&self, live: &Live) -> Result<[u8; 32], Refusal> {
        let secrets = self.secrets(&live.id).await?;
        Ok(secrets.game_seed(&live.status.entropy)?)
    }

    /// Returns the expiry time, rounded up to whole hours, so that most changes need not update it.
    pub(crate) fn expiry(&self) -> u64 {
        self.expiry_from(now_ms())
    }

    pub(crate) fn expiry_from(&self, now_ms: u64) -> u64 {
        const HOUR_MS: u64 = 3_600_000;
        let at = now_ms.saturating_add(self.lifetime_ms);
        at.div_ceil(HOUR_MS).saturating_mul(HOUR_MS)
    }
}

/// Returns a bot with unpredictable random numbers.
pub(crate) fn bot() -> Result<RandomBot, Refusal> {
    Ok(RandomBot::new(u64::from_le_bytes(entropy()?)))
}
