//! The session service: all operations on sessions, over any store.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;
use wyrmgate_base::hex;

use parking_lot::Mutex;

use crate::Refusal;
use crate::access::token::{Token, entropy};
use crate::bots::thinking::Waiting;
use crate::changing::undo::UNDO_MAX;
use crate::content::facts::Facts;
use crate::content::live::{Caller, Live};
use crate::content::seed::Secrets;
use crate::history::log::LogEntry;
use crate::metrics::Metrics;
use crate::stateless::turns::Turns;
use crate::storing::cache::Cache;
use crate::time::clock;
use crate::webhook::Deliverer;
use wyrmgate_authoring::rules::{Bundle, Catalog, Library, Ruleset};
use wyrmgate_base::presume::Presume;
use wyrmgate_runtime::queue::{Queue, half_of_the_cores};
use wyrmgate_runtime::surroundings::beside;
use wyrmgate_search::bot::RandomBot;
use wyrmgate_store::{Bytes, Digest, Idempotency, Record, Store, StoreError};

pub(crate) const SESSION_ID_LEN: usize = 22;
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
    pub(crate) bots: Waiting,
    /// Queue of computations that decide how far an undo may go.
    pub(crate) undo_limits: Queue,
    /// Simulations play in turns.
    pub(crate) simulation_turns: Turns,
    /// `None` if this node delivers no webhooks.
    pub(crate) deliverer: Option<Deliverer>,
}

/// The `Idempotency-Key` of a request.
#[derive(Debug, Clone)]
pub struct Key {
    /// Digest of caller and key.
    pub digest: Digest,
    /// Digest of everything that makes two requests equal.
    pub fingerprint: Digest,
}

/// The response to a request that may carry a key.
#[derive(Debug, Clone)]
pub enum Answered<T> {
    /// Executed now.
    Fresh(T),
    /// Executed earlier under the same key, with the stored response.
    Replayed(Bytes),
}

/// A committed change.
#[derive(Debug, Clone)]
pub struct Made {
    /// The session after the change.
    pub live: Arc<Live>,
    pub entry: LogEntry,
    /// Whether the change is public.
    pub is_public: bool,
    /// The credential that the change issues.
    pub token: Option<Token>,
}

/// Builds the response to a change, which is stored under a key for retries. Called before the change is written.
pub type Describe<'a> = &'a dyn Fn(&Made) -> Bytes;

/// A request that changes a session: which one, who makes it, and what retries of it get.
#[derive(Clone, Copy)]
pub struct Call<'a> {
    pub session: &'a str,
    pub token: Option<&'a Token>,
    pub key: Option<&'a Key>,
    pub describe: Describe<'a>,
}

impl<'a> Call<'a> {
    /// A call that is never retried.
    pub fn once(session: &'a str, token: Option<&'a Token>) -> Call<'a> {
        Call {
            session,
            token,
            key: None,
            describe: &|_| Bytes::default(),
        }
    }
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
            bots: Waiting::default(),
            undo_limits: Queue::new(half_of_the_cores(), UNDO_MAX, "undo-time"),
            simulation_turns: Turns::default(),
            deliverer: None,
        }
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

    /// Reads the current session from the store.
    pub async fn load(&self, id: &str) -> Result<Arc<Live>, Refusal> {
        if id.len() != SESSION_ID_LEN {
            return Err(Refusal::NotFound); // simulations and tickets lie in the store too, under longer names
        }
        let record = self.store.load(id).await?.ok_or(Refusal::NotFound)?;
        self.decode(id, &record).await
    }

    /// Returns the session and the caller.
    pub async fn look(
        &self,
        id: &str,
        token: Option<&Token>,
    ) -> Result<(Arc<Live>, Caller), Refusal> {
        let live = self.load(id).await?;
        let caller = live.caller(token)?;
        Ok((live, caller))
    }

    /// Decodes a record, or returns the cached session if it has the same revision.
    pub(crate) async fn decode(&self, id: &str, record: &Record) -> Result<Arc<Live>, Refusal> {
        let cached = self.cache.get(id).and_then(|slot| slot.live());
        let is_this =
            |live: &Arc<Live>| (live.position, live.mark) == (record.position, record.mark);
        if let Some(live) = cached.filter(is_this) {
            return Ok(live);
        }
        let facts = Facts::decode(&record.fixed)?;
        let ruleset = self.kept_ruleset(&facts.ruleset).await?;
        let mut live = Live::decode(id, record, facts, ruleset)?;
        live.play = self.stored_play(&live, &record.snapshot).await?;
        let live = Arc::new(live);
        self.cache.slot(&live.id).keep(&live);
        Ok(live)
    }

    /// Stores the texts of a ruleset, so that sessions on any node survive changes of the rules folder.
    pub async fn keep_ruleset(&self, ruleset: &Arc<Ruleset>) -> Result<(), StoreError> {
        let digest = hex::decode(&ruleset.digest);
        let digest = digest.presume("the digest of a ruleset is 32 bytes in hexadecimal")?;
        if !self.is_kept(&digest) {
            let bundle = crate::to_json(&ruleset.bundle())?;
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
        let bundle: Bundle = crate::from_json(&bytes)?;
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
        self.expiry_from(clock::now_ms())
    }

    pub(crate) fn expiry_from(&self, now_ms: u64) -> u64 {
        const HOUR_MS: u64 = 3_600_000;
        let at = now_ms.saturating_add(self.lifetime_ms);
        at.div_ceil(HOUR_MS).saturating_mul(HOUR_MS)
    }
}

impl Key {
    pub(crate) fn recorded(&self, answer: Bytes) -> Idempotency {
        Idempotency {
            key: self.digest,
            fingerprint: self.fingerprint,
            answer,
        }
    }
}

/// Returns a bot with unpredictable random numbers.
pub(crate) fn bot() -> Result<RandomBot, Refusal> {
    Ok(RandomBot::new(u64::from_le_bytes(entropy()?)))
}
