//! Finding a session as the store has it now.

use std::sync::Arc;

use crate::Refusal;
use crate::access::caller::Caller;
use crate::access::token::Token;
use crate::content::facts::SessionFacts;
use crate::content::live::Live;
use crate::service::cache::Slot;
use crate::service::{SESSION_ID_LEN, Service};
use wyrmgate_store::SessionRecord;

impl Service {
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
    pub(crate) async fn decode(
        &self,
        id: &str,
        record: &SessionRecord,
    ) -> Result<Arc<Live>, Refusal> {
        let cached = self.cache.get(id).and_then(|slot| slot.live());
        let is_this =
            |live: &Arc<Live>| (live.position, live.mark) == (record.position, record.mark);
        if let Some(live) = cached.filter(is_this) {
            return Ok(live);
        }
        let facts = SessionFacts::decode(&record.fixed)?;
        let ruleset = self.kept_ruleset(&facts.ruleset).await?;
        let mut live = Live::decode(id, record, facts, ruleset)?;
        live.play = self.stored_play(&live, &record.snapshot).await?;
        let live = Arc::new(live);
        self.cache.slot(&live.id).keep(&live);
        Ok(live)
    }

    /// Returns the session as this process last saw it, with its cache slot. It may be outdated but is good enough to
    /// prepare a change on.
    pub(crate) async fn placed(&self, id: &str) -> Result<(Arc<Slot>, Arc<Live>), Refusal> {
        if let Some(slot) = self.cache.get(id)
            && let Some(live) = slot.live()
        {
            return Ok((slot, live));
        }
        let live = Box::pin(self.load(id)).await?;
        Ok((self.cache.slot(&live.id), live))
    }
}
