//! Forgetting a player.

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::changing::pending::PendingChange;
use crate::content::stage::Stage;
use crate::content::status::Seat;
use crate::service::Service;
use crate::storing::listing::player_index;
use crate::storing::players::PlayerProfile;
use wyrmgate_store::ListQuery;

/// Number of sessions read at a time.
const READ_AHEAD: usize = 100;

impl Service {
    /// Removes a player from all sessions, and its name from everything that is shown of them. It leaves the games that are
    /// not over. Returns the number of sessions.
    pub async fn forget_player(&self, player: PlayerId) -> Result<usize, Refusal> {
        self.keep_player(player, &PlayerProfile::default()).await?;
        let (mut after, mut count) = (None, 0);
        loop {
            let query = ListQuery {
                index: player_index(player),
                after,
                limit: READ_AHEAD,
            };
            let page = self.list(query).await?;
            for listed in page.items {
                let forget = |change: PendingChange| Ok(without(change, player));
                match self.write_own(&listed.session, &forget).await {
                    Ok(_) => count += 1,
                    Err(Refusal::NotFound) => {}
                    Err(refusal) => return Err(refusal),
                }
            }
            after = page.next;
            if after.is_none() {
                return Ok(count);
            }
        }
    }
}

fn without(mut change: PendingChange, player: PlayerId) -> PendingChange {
    let seats: Vec<u8> = change.status().seats_of(player).collect();
    let status = change.status_mut();
    status.roster.reserved.retain(|of| of.player != player);
    status.roster.nameless.extend(&seats);
    for number in seats {
        if change.before.stage() != Stage::Finished {
            change.leave_seat(number);
            continue;
        }
        if let Some(Seat::Taken { name, player, .. }) = change.status_mut().seat_mut(number) {
            (*name, *player) = (None, None);
        }
    }
    change
}
