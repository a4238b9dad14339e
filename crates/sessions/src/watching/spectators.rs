//! The view of spectators.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::Refusal;
use crate::access::caller::Caller;
use crate::content::live::Live;
use crate::content::stage::Stage;
use crate::content::terms::SpectatorView;
use crate::history::reading::wait_for_news;
use crate::service::Service;
use wyrmgate_runtime::surroundings::now_ms;

/// The part of a session that a caller may see now.
struct VisiblePart {
    /// The last visible version.
    version: u64,
    /// When one more version becomes visible, if that depends on time.
    next_at_ms: Option<u64>,
}

/// The only version that spectators who see nothing of the game know of: the creation of the session.
const FIRST: u64 = 1;

impl Live {
    /// Fails for spectators of a game that is not shown to them, and for guests once it has begun.
    pub fn may_watch(&self, caller: Caller) -> Result<(), Refusal> {
        match self.spectators(caller) {
            Some(SpectatorView::Nothing) if caller == Caller::Guest => Err(Refusal::Forbidden(
                "an invite code takes a seat and shows nothing of the game; send a seat or spectator token",
            )),
            Some(SpectatorView::Nothing) => Err(Refusal::Forbidden(
                "spectators can see this game only after it is over",
            )),
            _ => Ok(()),
        }
    }

    /// Returns whether a caller sees what happens at once.
    pub(crate) fn watches_live(&self, caller: Caller) -> bool {
        matches!(self.spectators(caller), None | Some(SpectatorView::Live))
    }

    /// Returns the terms for a caller who has no seat in the game.
    fn spectators(&self, caller: Caller) -> Option<SpectatorView> {
        match (caller, self.stage()) {
            (_, Stage::Waiting) | (Caller::Seat(_), _) => None,
            (Caller::Guest, _) => Some(SpectatorView::Nothing),
            (Caller::Public | Caller::Owner, Stage::Finished) => None,
            (Caller::Public | Caller::Owner, Stage::Running) => Some(self.facts.terms.spectators),
        }
    }
}

impl Service {
    /// Returns the last version that this caller may see.
    pub async fn visible(&self, live: &Live, caller: Caller) -> Result<u64, Refusal> {
        live.may_watch(caller)?;
        self.known(live, caller).await
    }

    /// Returns the last version that this caller may know of, also if it may see nothing of it.
    pub async fn known(&self, live: &Live, caller: Caller) -> Result<u64, Refusal> {
        Ok(self.sight(live, caller).await?.version)
    }

    /// Returns the session at the last version that this caller may know of, or `None` if that is the current version.
    pub async fn as_known(
        &self,
        live: &Arc<Live>,
        caller: Caller,
    ) -> Result<Option<Arc<Live>>, Refusal> {
        let version = self.known(live, caller).await?;
        match version == live.version() {
            true => Ok(None),
            false => Ok(Some(self.at(live, version).await?)),
        }
    }

    /// Waits until this caller may know of a version, the time is up, or the game is over. Returns the session as of then.
    pub async fn wait_to_know(
        &self,
        live: Arc<Live>,
        caller: Caller,
        version: u64,
        patience: Duration,
    ) -> Result<Arc<Live>, Refusal> {
        let deadline = Instant::now() + patience;
        let (mut live, mut subscription) = (live, None);
        loop {
            let sight = self.sight(&live, caller).await?;
            let is_late = Instant::now() >= deadline;
            if sight.version >= version || live.stage() == Stage::Finished || is_late {
                return Ok(live);
            }
            match &mut subscription {
                // Read again after subscribing: a change may have come in between.
                None => subscription = Some(self.subscribe(&live.id).await?),
                Some(subscription) => {
                    let next = sight.next_at_ms.map(|at| at.saturating_sub(now_ms()));
                    let next = next.map(|ms| Instant::now() + Duration::from_millis(ms.max(1)));
                    wait_for_news(subscription, next.unwrap_or(deadline).min(deadline)).await;
                }
            }
            live = self.load(&live.id).await?;
        }
    }

    async fn sight(&self, live: &Live, caller: Caller) -> Result<VisiblePart, Refusal> {
        let version = live.version();
        let up_to = |version| VisiblePart {
            version,
            next_at_ms: None,
        };
        match live.spectators(caller) {
            None | Some(SpectatorView::Live) => Ok(up_to(version)),
            Some(SpectatorView::Nothing) => Ok(up_to(FIRST)),
            Some(SpectatorView::Behind { versions }) => {
                Ok(up_to(version.saturating_sub(versions).max(FIRST)))
            }
            Some(SpectatorView::Later { ms }) => {
                let course = self.course(&live.id, version).await?;
                let seen = course.version_at(now_ms().saturating_sub(ms));
                let mut hidden = course.entries.iter().filter(|entry| entry.version > seen);
                Ok(VisiblePart {
                    version: seen,
                    next_at_ms: hidden.next().map(|entry| entry.at_ms.saturating_add(ms)),
                })
            }
        }
    }

    /// Returns the session as this caller may see it.
    pub async fn as_visible(&self, live: &Arc<Live>, caller: Caller) -> Result<Arc<Live>, Refusal> {
        let version = self.visible(live, caller).await?;
        self.at(live, version).await
    }
}
