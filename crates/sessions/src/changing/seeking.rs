//! Seeking a game: the seeker takes a seat in the oldest session that fits, or opens one that takes in others.
//!
//! A seek is a session that waits. The atomic step is the commit that takes a seat in it.

use std::sync::Arc;

use crate::Refusal;
use crate::access::token::entropy;
use crate::changing::call::{Answered, Call};
use crate::changing::create::{CheckedSetup, SessionOrder};
use crate::changing::pending::PendingChange;
use crate::changing::pending::writing::Attempt;
use crate::changing::seeker::{MOVING, Seeker};
use crate::content::live::Live;
use crate::content::stage::Stage;
use crate::content::waiting::SeekTerms;
use crate::service::Service;
use crate::storing::answering::IdempotencyKey;
use crate::storing::seeks::pool_index;
use wyrmgate_base::hex;
use wyrmgate_base::presume::Presume;
use wyrmgate_store::session_id;

const BEGUN: &str = "the game has begun; resign or call it off";

/// Where a seeker sits.
#[derive(Debug, Clone)]
pub struct Sought {
    pub live: Arc<Live>,
    pub seat: u8,
}

impl Service {
    /// Seats somebody in a session of others that fits, or else in a new one for this order.
    ///
    /// A request with a key always opens a session, which its retries find again; the seeker may then move. A seat that was
    /// taken in a session of others could not be found by a retry.
    pub async fn seek(
        &self,
        order: &SessionOrder,
        seeker: &Seeker,
        key: Option<&IdempotencyKey>,
    ) -> Result<Sought, Refusal> {
        let pool = pool_of(order)?;
        if key.is_none()
            && let Some(found) = self.join_oldest(&pool, seeker).await?
        {
            return Ok(found);
        }
        let seats = u8::try_from(order.seats.len()).unwrap_or(u8::MAX).max(1);
        let key = match key {
            Some(key) => key.clone(),
            None => IdempotencyKey::new(entropy()?, entropy()?),
        };
        let number = key.digest.first().map_or(0, |byte| byte % seats);
        let key = key_in(&pool, &key)?;
        let mut own = order.clone();
        if let Some(seat) = own.seats.get_mut(usize::from(number)) {
            *seat = seeker.seat.clone();
        }
        own.waits.seek = Some(SeekTerms {
            pool,
            rating: seeker.rating,
            range: seeker.range,
        });
        let opened = self.create(&own, Some(&key)).await?;
        let id = &opened.live.id;
        if let Err(refusal) = Box::pin(self.find_others(id)).await {
            // The seek is open, and the server looks again soon.
            tracing::warn!(session = %id, %refusal, "cannot look for others who seek the same game");
        }
        self.sought(id, number + 1).await
    }

    /// Takes a seat in the oldest session that fits. A session that is full by now, or gone, or whose game cannot begin, is
    /// passed over.
    async fn join_oldest(&self, pool: &str, seeker: &Seeker) -> Result<Option<Sought>, Refusal> {
        for fitting in self.fitting(pool, seeker).await? {
            let id = &fitting.session;
            let secrets = match self.secrets(id).await {
                Ok(secrets) => secrets,
                Err(Refusal::NotFound) => continue,
                Err(refusal) => return Err(refusal),
            };
            let join = |mut change: PendingChange| {
                let seat = seeker.place_in(&change.before);
                let seat = seat.ok_or(Refusal::SessionFull)?;
                change.fill(seat, seeker.seat.clone(), &seeker.profile, &secrets)?;
                Ok(change)
            };
            let live = match self.write_own(id, &join).await {
                Ok(Answered::Fresh(made)) => made.live,
                Ok(Answered::Replayed(_)) => continue,
                Err(Refusal::SessionFull | Refusal::NotFound | Refusal::Budget { .. }) => continue,
                Err(refusal) => return Err(refusal),
            };
            self.tell_players(seeker.player()).await;
            if let Some(seat) = seeker.seat_in(&live.status) {
                return Ok(Some(Sought { live, seat }));
            }
        }
        Ok(None)
    }

    /// Returns where somebody sits now who took this seat of a new session.
    async fn sought(&self, id: &str, seat: u8) -> Result<Sought, Refusal> {
        let live = self.load(id).await?;
        let Some(host) = live.status.roster.wait.matched_in() else {
            return Ok(Sought { live, seat });
        };
        let own = live.status.seat(seat).and_then(|seat| seat.token());
        let live = self.load(host).await?;
        let seat = own.and_then(|token| live.status.seat_of(&token));
        let seat = seat.ok_or(Refusal::NotFound)?;
        Ok(Sought { live, seat })
    }

    /// Gives the seat of the caller up, in a session that seeks players.
    pub async fn withdraw(&self, call: Call<'_>) -> Result<Answered, Refusal> {
        let withdraw = |attempt: &Attempt<'_>| {
            let (seat, mut change) = attempt.permitted(|live, caller| {
                let wait = &live.status.roster.wait;
                live.facts.waits.seek.as_ref().ok_or(Refusal::NotFound)?;
                if wait.is_moving() {
                    return Err(Refusal::NotNow(MOVING.into()));
                }
                if wait.matched_in().is_some() || live.stage() == Stage::Running {
                    return Err(Refusal::NotNow(BEGUN.into()));
                }
                if live.stage() == Stage::Finished {
                    return Err(Refusal::SessionOver);
                }
                caller.needs_seat("only who sits there can withdraw the seek")
            })?;
            change.bring(seat, None);
            change.leave_seat(seat);
            change.close_if_deserted();
            Ok(change)
        };
        self.write(call, &withdraw).await
    }
}

/// Returns the key of a creation whose session has an id that the lists of this pool take.
fn key_in(pool: &str, key: &IdempotencyKey) -> Result<IdempotencyKey, Refusal> {
    let index = pool_index(pool, "");
    let mut parts = (0..).map(|number| key.part(number));
    loop {
        let part = parts.next().ok_or(Refusal::Overloaded)?;
        if index.takes(&session_id(Some(&part.digest))?) {
            return Ok(part);
        }
    }
}

/// Returns the digest of everything that the players of one session must want alike.
fn pool_of(order: &SessionOrder) -> Result<String, Refusal> {
    let (ruleset, seats) = (&order.ruleset, order.seats.len());
    let setup = CheckedSetup::of(ruleset, seats, &order.options, order.terms)?;
    let alike = (
        &order.ruleset.digest,
        &setup.options,
        order.seats.len(),
        &setup.terms,
    );
    let alike = serde_json::to_vec(&alike).presume("the setup of a session serializes to JSON")?;
    Ok(hex::encode(&blake3::derive_key("wyrmgate 1 pool", &alike)))
}
