//! Two sessions that wait for each other become one: the only player of one of them moves into the other.
//!
//! Two people may begin to seek at the same moment and open a session each. The node that finds two fitting sessions moves the
//! player of the younger one. A move has three steps, each of them one commit, and any node can resume it after any of them:
//!
//! 1. The session of the player says where the player moves. This fails if somebody else has come, and from then on nobody can
//!    come: whatever happens next, the player can be taken in here by nobody.
//! 2. The other session takes the player in, or finds that it cannot, under a key of this move. The first attempt decides for
//!    all: another node that resumes the move gets the same answer, also while this node is still at it.
//! 3. The session of the player ends, or waits again.
//!
//! In another order, a player could be taken in by two sessions: by the other one, and by somebody who comes to its own in the
//! meantime.

use std::cmp::Ordering;
use std::sync::Arc;

use crate::Refusal;
use crate::changing::call::{Answered, Call, CommittedChange};
use crate::changing::pending::PendingChange;
use crate::changing::seeker::{FittingSession, Seeker};
use crate::content::live::Live;
use crate::content::log::Declaration;
use crate::content::status::Seat;
use crate::service::{Service, bot};
use crate::storing::answering::IdempotencyKey;
use wyrmgate_store::Bytes;

/// Number of sessions that are tried at a time. Then it is left to the next look.
const ATTEMPTS: usize = 12;
/// Time after which another node resumes a move. It is longer than one usually takes.
const RESUMED_AFTER_MS: u64 = 3_000;
/// Time after a move that failed until the server looks again.
const AGAIN_AFTER_MS: u64 = 2_000;
const TAKEN_IN: &[u8] = b"taken in";

impl Service {
    /// Finds others for a session that seeks players, of those that wait already.
    pub(crate) async fn find_others(&self, id: &str) -> Result<(), Refusal> {
        for attempt in 0..ATTEMPTS {
            let live = self.load(id).await?;
            let Some(other) = self.other_for(&live, attempt).await? else {
                return Ok(());
            };
            let other = match self.load(&other.session).await {
                Ok(other) => other,
                Err(Refusal::NotFound) => continue, // lists may lag
                Err(refusal) => return Err(refusal),
            };
            if let Some((mover, host)) = in_order(&live, &other) {
                self.begin_move(mover, host).await?;
            }
        }
        Ok(())
    }

    /// Returns a session that fits: the oldest, or, after an attempt, any, so that many at once do not all try the same.
    async fn other_for(
        &self,
        live: &Live,
        attempt: usize,
    ) -> Result<Option<FittingSession>, Refusal> {
        let Some(seek) = live.seek() else {
            return Ok(None);
        };
        let Some(seeker) = self.seeker_of(live, seek).await? else {
            return Ok(None);
        };
        let mut others = self.fitting(&seek.pool, &seeker).await?;
        others.retain(|other| *other.session != *live.id);
        if attempt > 0 && !others.is_empty() {
            let at = bot()?.below(others.len() as u64);
            others.swap(0, usize::try_from(at).unwrap_or(0));
        }
        Ok(others.into_iter().next())
    }

    /// Makes the first step of a move, unless it has become impossible, and then the others.
    async fn begin_move(&self, mover: &Live, host: &Live) -> Result<(), Refusal> {
        let begin = |mut change: PendingChange| {
            if change.before.seek().is_none() || !is_alone(&change.before) {
                return Err(Refusal::SessionFull);
            }
            let resumed_at = change.entry.at_ms.saturating_add(RESUMED_AFTER_MS);
            let wait = &mut change.status_mut().roster.wait;
            wait.moves_to = Some(host.id.to_string());
            wait.moves = wait.moves.saturating_add(1);
            wait.look_at_ms = Some(resumed_at);
            Ok(change)
        };
        match self.write_own(&mover.id, &begin).await {
            Ok(_) => self.finish_move(&mover.id).await,
            Err(Refusal::SessionFull | Refusal::NotFound) => Ok(()),
            Err(refusal) => Err(refusal),
        }
    }

    /// Makes the other steps of a move that has begun.
    pub(crate) async fn finish_move(&self, id: &str) -> Result<(), Refusal> {
        let live = self.load(id).await?;
        let wait = &live.status.roster.wait;
        let host = wait.moves_to.as_ref().filter(|_| wait.is_moving());
        let (Some(host), Some(seek)) = (host, &live.facts.waits.seek) else {
            return Ok(());
        };
        let Some(seeker) = self.seeker_of(&live, seek).await? else {
            return Ok(());
        };
        let is_in = match self.take_in(host, &seeker, &key_of_move(&live)).await {
            Ok(is_in) => is_in,
            // The other session is gone, or its game cannot begin.
            Err(Refusal::NotFound | Refusal::Budget { .. }) => false,
            Err(refusal) => return Err(refusal),
        };
        let settle = |mut change: PendingChange| {
            if change.before.status.roster.wait != *wait {
                return Ok(change); // another node has done it
            }
            if is_in {
                change.close(None, Declaration::Matched);
                return Ok(change);
            }
            let again_at = change.entry.at_ms.saturating_add(AGAIN_AFTER_MS);
            let wait = &mut change.status_mut().roster.wait;
            wait.moves_to = None;
            wait.look_at_ms = Some(again_at);
            Ok(change)
        };
        self.write_own(id, &settle).await?;
        if is_in {
            self.tell_players(seeker.player()).await;
        }
        Ok(())
    }

    /// Seats somebody in a session, unless there is no place. All attempts with the same key have the same result, which this
    /// returns.
    async fn take_in(
        &self,
        host: &str,
        seeker: &Seeker,
        key: &IdempotencyKey,
    ) -> Result<bool, Refusal> {
        let secrets = self.secrets(host).await?;
        let take_in = |mut change: PendingChange| {
            if let Some(seat) = seeker.place_in(&change.before) {
                change.fill(seat, seeker.seat.clone(), &seeker.profile, &secrets)?;
            }
            Ok(change)
        };
        let is_in = |made: &CommittedChange| seeker.seat_in(&made.live.status).is_some();
        let describe = |made: &CommittedChange| match is_in(made) {
            true => Bytes::from(TAKEN_IN),
            false => Bytes::default(),
        };
        let call = Call {
            session: host,
            token: None,
            key: Some(key),
            describe: &describe,
        };
        Ok(match self.write_own_once(call, &take_in).await? {
            Answered::Fresh(made) => is_in(&made),
            Answered::Replayed(answer) => *answer == *TAKEN_IN,
        })
    }
}

/// Returns the key of the present move.
fn key_of_move(live: &Live) -> IdempotencyKey {
    let name = format!("{}\n{}", live.id, live.status.roster.wait.moves);
    let digest = blake3::derive_key("wyrmgate 1 move", name.as_bytes());
    IdempotencyKey::new(digest, digest)
}

/// Returns the one whose player moves and the one that takes it in: the older one, if the younger one has just one player. All
/// nodes judge this alike, so that two sessions do not move into each other.
fn in_order<'l>(one: &'l Arc<Live>, other: &'l Arc<Live>) -> Option<(&'l Live, &'l Live)> {
    let age = |live: &Live| (live.facts.created_at_ms, live.id.clone());
    let (older, younger) = match age(one).cmp(&age(other)) {
        Ordering::Less => (one, other),
        Ordering::Greater => (other, one),
        Ordering::Equal => return None,
    };
    if is_alone(younger) {
        return Some((younger, older));
    }
    is_alone(older).then_some((older, younger))
}

fn is_alone(live: &Live) -> bool {
    let seats = live.status.seats.iter();
    seats.filter(|seat| !matches!(seat, Seat::Open)).count() == 1
}
