//! How a change is written: prepared on the cached session and committed, again and again until no other writer is faster.
//!
//! Who may make a change is decided on the same version of the session that the change applies to. Types see to that: a
//! change begins only here, as the [`Attempt`] of a caller who was authenticated against this version, or as a change that
//! the server makes on its own. After a lost race the caller is authenticated again.

use std::sync::Arc;

use crate::Refusal;
use crate::access::caller::Caller;
use crate::changing::call::{Answered, Call, CommittedChange};
use crate::changing::pending::PendingChange;
use crate::changing::pending::preparing::Prepared;
use crate::content::live::Live;
use crate::content::log::LogEntry;
use crate::service::Service;
use crate::service::cache::Slot;
use crate::storing::answering::{AnswerPlace, IdempotencyKey};
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_store::Committed;

/// Number of attempts to write a change when other writers interfere.
const TRIES: usize = 16;
/// Maximum time for which the data of a removed session stay.
const REMOVED_FOR_MS: u64 = 60_000;
/// Time for which a session stays that ended before its game began, so that all can read why.
const CLOSED_FOR_MS: u64 = 3_600_000;

/// An attempt of a caller to change a session at one version. [`Service::write`] alone makes one.
pub(crate) struct Attempt<'a> {
    live: &'a Arc<Live>,
    caller: Caller,
}

impl Attempt<'_> {
    /// Begins the change if this caller may make it. `permission` also returns what the change needs to know of it.
    pub fn permitted<T>(
        &self,
        permission: impl FnOnce(&Live, Caller) -> Result<T, Refusal>,
    ) -> Result<(T, PendingChange), Refusal> {
        let granted = permission(self.live, self.caller)?;
        Ok((granted, PendingChange::of(self.live.clone(), now_ms())))
    }

    /// Begins a change that only the owner of the session may make.
    pub fn by_owner(&self) -> Result<PendingChange, Refusal> {
        let (_, change) = self.permitted(|_, caller| caller.needs_owner())?;
        Ok(change)
    }

    /// Begins a change that only a seat may make, and returns the seat. Others are refused for this reason.
    pub fn by_seat(&self, reason: &'static str) -> Result<(u8, PendingChange), Refusal> {
        self.permitted(|_, caller| caller.needs_seat(reason))
    }
}

/// Makes a change for a caller, or refuses it.
pub(crate) type MakeChange<'c> = &'c dyn Fn(&Attempt<'_>) -> Result<PendingChange, Refusal>;

/// Makes a change of the server's own.
pub(crate) type ChangeOwn<'c> = &'c dyn Fn(PendingChange) -> Result<PendingChange, Refusal>;

/// What an attempt has come to.
#[expect(
    clippy::large_enum_variant,
    reason = "nearly every attempt commits, and a box would be one more allocation for each of them"
)]
enum WriteOutcome {
    Commit(Prepared),
    /// There is nothing to write.
    Nothing(CommittedChange),
}

impl Service {
    /// Changes a session for a caller.
    ///
    /// `change` may run on an outdated session. If it refuses or has nothing to do, it is repeated on the current session
    /// from the store before that is returned.
    pub(crate) async fn write(
        &self,
        call: Call<'_>,
        change: MakeChange<'_>,
    ) -> Result<Answered, Refusal> {
        let authenticated = |live: &Arc<Live>| {
            let caller = live.caller(call.token)?;
            change(&Attempt { live, caller }).map_err(|refusal| refusal.for_bearer(call.token))
        };
        self.write_as(call, &authenticated).await
    }

    /// Changes a session on the server's own account: when time is up, for bots, and for deliveries.
    pub(crate) async fn write_own(
        &self,
        id: &str,
        change: ChangeOwn<'_>,
    ) -> Result<Answered, Refusal> {
        self.write_own_once(Call::once(id, None), change).await
    }

    /// Changes a session on the server's own account under a key: of all attempts, the first one counts, also if it finds
    /// nothing to change.
    pub(crate) async fn write_own_once(
        &self,
        call: Call<'_>,
        change: ChangeOwn<'_>,
    ) -> Result<Answered, Refusal> {
        let own = |live: &Arc<Live>| change(PendingChange::of(live.clone(), now_ms()));
        self.write_as(call, &own).await
    }

    /// Prepares a change on the cached session and writes it. After a lost race, repeats this on the newer session.
    ///
    /// Rare work is boxed: the future of every request is as large as the largest thing that it may wait for, and it is
    /// copied several times on its way into the framework.
    async fn write_as(
        &self,
        call: Call<'_>,
        change: &dyn Fn(&Arc<Live>) -> Result<PendingChange, Refusal>,
    ) -> Result<Answered, Refusal> {
        let Call {
            session: id, key, ..
        } = call;
        let (slot, mut live) = self.placed(id).await?;
        let _writing = slot.writing.lock().await;
        live = slot.live().unwrap_or(live);
        for _ in 0..TRIES {
            let newer = match self.prepared(&live, change, call) {
                Ok(WriteOutcome::Commit(Prepared { made, commit, fuel })) => {
                    match self.store.commit(commit).await? {
                        Committed::Done(_) => {
                            self.note(&slot, &made, fuel);
                            return Ok(Answered::Fresh(made));
                        }
                        Committed::Duplicate(recorded) => {
                            let answer = key.ok_or(Refusal::Overloaded)?.answer_of(recorded)?;
                            return Ok(Answered::Replayed(answer));
                        }
                        Committed::Stale(record) => Box::pin(self.decode(id, &record)).await?,
                        Committed::Absent => {
                            self.cache.forget(id);
                            return Err(Refusal::NotFound);
                        }
                    }
                }
                // If the store has lost what this process knows, there is something to do.
                Ok(WriteOutcome::Nothing(made)) => match Box::pin(self.newer_than(&live)).await? {
                    Some(newer) => newer,
                    None => return Ok(Answered::Fresh(made)),
                },
                Err(refusal) => match Box::pin(self.newer_than(&live)).await? {
                    Some(newer) => newer,
                    None => return Box::pin(self.refuse(id, refusal, key)).await,
                },
            };
            self.metrics.lost_a_race();
            // Accept a lower number too: the store has then lost what we knew.
            slot.replace(&newer);
            live = newer;
        }
        Err(Refusal::Overloaded)
    }

    /// Prepares the change and the response to store.
    fn prepared(
        &self,
        live: &Arc<Live>,
        change: &dyn Fn(&Arc<Live>) -> Result<PendingChange, Refusal>,
        call: Call<'_>,
    ) -> Result<WriteOutcome, Refusal> {
        live.still_exists()?;
        let change = change(live)?;
        if change.is_empty() && call.key.is_none() {
            return Ok(WriteOutcome::Nothing(CommittedChange {
                live: live.clone(),
                entry: LogEntry::default(),
                is_public: false,
                token: change.token,
            }));
        }
        let deliverer = self.deliverer.as_ref();
        let lease = deliverer.map(|deliverer| deliverer.lease(now_ms()));
        let mut prepared = change.prepare(lease)?;
        let Prepared { made, commit, .. } = &mut prepared;
        commit.idempotency = call.key.map(|key| key.recorded((call.describe)(made)));
        let at_ms = made.entry.at_ms;
        commit.expires_at_ms = Some(if made.live.status.is_removed {
            // In case this node dies before it removes the data.
            at_ms.saturating_add(REMOVED_FOR_MS)
        } else if made.live.is_closed() {
            at_ms.saturating_add(CLOSED_FOR_MS)
        } else {
            self.expiry_from(at_ms)
        });
        Ok(WriteOutcome::Commit(prepared))
    }

    /// Returns the stored response if another node has used the key in the meantime.
    async fn refuse(
        &self,
        id: &str,
        refusal: Refusal,
        key: Option<&IdempotencyKey>,
    ) -> Result<Answered, Refusal> {
        let first = match key {
            Some(key) => self.first_answer(AnswerPlace::Session(id), key).await?,
            None => None,
        };
        first.map(Answered::Replayed).ok_or(refusal)
    }

    async fn newer_than(&self, live: &Live) -> Result<Option<Arc<Live>>, Refusal> {
        let record = self.store.load(&live.id).await?.ok_or(Refusal::NotFound)?;
        if (record.position, record.mark) == (live.position, live.mark) {
            return Ok(None);
        }
        self.decode(&live.id, &record).await.map(Some)
    }

    /// Handles a change that is stored: keeps the session in the cache, counts the moves, and starts bots and webhooks.
    fn note(&self, slot: &Slot, made: &CommittedChange, fuel: u64) {
        slot.keep(&made.live);
        self.count(made, fuel);
        self.drive(&made.live);
        if made.is_public {
            self.call_webhooks(&made.live);
        }
    }

    /// Counts a change in the metrics. Secret answers are counted when they are revealed.
    fn count(&self, made: &CommittedChange, fuel: u64) {
        let moves = &made.entry.moves;
        let by_bots = moves.iter().filter(|made| made.by_bot).count();
        let by_people = moves.len() - by_bots;
        self.metrics.moved(by_people as u64, by_bots as u64, fuel);
    }
}
