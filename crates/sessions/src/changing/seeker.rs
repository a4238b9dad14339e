//! Somebody who seeks a game, and the sessions that fit.

use futures_util::future::try_join_all;

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::content::live::Live;
use crate::content::rating::{ClockClass, RatingClass};
use crate::content::status::{Seat, Status};
use crate::content::terms::Clock;
use crate::content::waiting::{RatingRange, SeekTerms, parts_for};
use crate::service::Service;
use crate::storing::listing::LobbyEntry;
use crate::storing::players::PlayerProfile;
use crate::storing::seeks::{SeekEntry, pool_index};
use wyrmgate_store::Index;

/// Number of sessions that are looked at in each part of a pool, and how many of them are read at a time. In the way of others
/// lie only own seeks and those with another range.
const LOOKED_AT: usize = 200;
const READ_AHEAD: usize = 20;

/// Why nobody can leave a session from which its player moves.
pub(super) const MOVING: &str = "others are found at this moment; read the session again";

/// Somebody who seeks a game.
#[derive(Debug, Clone)]
pub struct Seeker {
    /// The taken seat that it brings along.
    pub seat: Seat,
    /// What is kept of the player, if it is known across sessions.
    pub profile: PlayerProfile,
    pub rating: Option<i32>,
    pub range: RatingRange,
}

/// A session that fits, and when it was created.
pub(super) struct FittingSession {
    pub session: String,
    pub created_at_ms: u64,
}

impl Seeker {
    pub(super) fn player(&self) -> Option<PlayerId> {
        self.seat.player()
    }

    /// Returns the seat in which it sits.
    pub(super) fn seat_in(&self, status: &Status) -> Option<u8> {
        status.seat_of(&self.seat.token()?)
    }

    /// Returns the seat that is free for it in a session that seeks players, unless the two do not fit.
    pub(super) fn place_in(&self, live: &Live) -> Option<u8> {
        let seek = live.seek()?;
        let player = self.player();
        let is_there = player.is_some_and(|player| live.status.seats_of(player).next().is_some());
        let mut open = live.status.open_seats();
        let free = open.find(|seat| live.status.reserved_for(*seat).is_none());
        free.filter(|_| !is_there && self.suits(seek.rating, seek.range))
    }

    /// Returns whether both want each other's rating.
    fn suits(&self, rating: Option<i32>, range: RatingRange) -> bool {
        range.admits(self.rating) && self.range.admits(rating)
    }

    fn fits(&self, entry: &SeekEntry) -> bool {
        let player = self.player();
        let mut others = entry.players.iter();
        let is_there = player.is_some() && others.any(|of| of.player == player);
        !is_there && self.suits(entry.rating, entry.range)
    }
}

impl Service {
    /// Returns sessions of a pool that fit, the oldest first, as the lists of the store know them.
    pub(super) async fn fitting(
        &self,
        pool: &str,
        seeker: &Seeker,
    ) -> Result<Vec<FittingSession>, Refusal> {
        let parts = parts_for(seeker.rating);
        let lists = parts.iter().map(|part| pool_index(pool, part));
        let found = try_join_all(lists.map(|index| self.fitting_in(index, seeker))).await?;
        let mut found: Vec<FittingSession> = found.into_iter().flatten().collect();
        found.sort_by(|one, other| {
            let key = |of: &FittingSession| (of.created_at_ms, of.session.clone());
            key(one).cmp(&key(other))
        });
        Ok(found)
    }

    async fn fitting_in(
        &self,
        index: Index,
        seeker: &Seeker,
    ) -> Result<Vec<FittingSession>, Refusal> {
        let (mut found, mut after, mut looked_at) = (Vec::new(), None, 0);
        while looked_at < LOOKED_AT && found.is_empty() {
            let page = self.list(index.clone().page(after, READ_AHEAD)).await?;
            looked_at += READ_AHEAD;
            for listed in page.items {
                let entry = LobbyEntry::read(&listed)?;
                if entry.seek.is_some_and(|seek| seeker.fits(&seek)) {
                    found.push(FittingSession {
                        session: listed.session,
                        created_at_ms: entry.created_at_ms,
                    });
                }
            }
            after = page.next;
            if after.is_none() {
                break;
            }
        }
        Ok(found)
    }

    /// Returns who seeks others in a session: its first player, if anybody is left.
    pub(super) async fn seeker_of(
        &self,
        live: &Live,
        seek: &SeekTerms,
    ) -> Result<Option<Seeker>, Refusal> {
        let mut seats = live.status.seats.iter();
        let Some(seat) = seats.find(|seat| matches!(seat, Seat::Taken { .. })) else {
            return Ok(None);
        };
        let profile = match seat.player() {
            Some(player) => self.player(player).await?,
            None => PlayerProfile::default(),
        };
        Ok(Some(Seeker {
            seat: seat.clone(),
            profile,
            rating: seek.rating,
            range: seek.range,
        }))
    }
}

/// Returns the rating of a player in games like this; `None` for somebody who is no player.
pub fn rating_in(
    player: Option<PlayerId>,
    profile: &PlayerProfile,
    game: &str,
    clock: Option<&Clock>,
) -> Option<i32> {
    player?;
    let class = RatingClass {
        game: game.to_owned(),
        clock: ClockClass::of(clock),
    };
    let rating = profile.ratings.get(&class).copied().unwrap_or_default();
    Some(rating.rating.round() as i32)
}
