//! What is due while a session waits for players: to look for others, to resume a move, or to end.

use crate::Refusal;
use crate::changing::pending::PendingChange;
use crate::content::live::Live;
use crate::content::log::Declaration;
use crate::service::Service;

impl Service {
    /// Does what is due in a session that waits.
    pub(super) async fn wait_on(&self, id: &str) -> Result<(), Refusal> {
        let live = self.load(id).await?;
        if live.status.roster.wait.is_moving() {
            return self.finish_move(id).await;
        }
        if live.seek().is_some() {
            self.find_others(id).await?;
        }
        let go_on = |mut change: PendingChange| {
            let now = change.entry.at_ms;
            let live = change.before.clone();
            if live.status.roster.wait.is_moving() || !is_due(&live, now) {
                return Ok(change);
            }
            let waits = &live.facts.waits;
            if waits.until_ms.is_some_and(|until| until <= now) {
                change.close(None, Declaration::Expired);
                return Ok(change);
            }
            let wait = &mut change.status_mut().roster.wait;
            wait.look_at_ms = waits.look_after(live.facts.created_at_ms, now);
            Ok(change)
        };
        self.write_own(id, &go_on).await.map(|_| ())
    }
}

fn is_due(live: &Live, now_ms: u64) -> bool {
    live.wait_due().is_some_and(|at| at <= now_ms)
}
