//! What those see who have no seat.

use std::sync::Arc;

use super::Refusal;
use super::clock;
use super::live::{Caller, Live};
use super::service::Service;
use super::status::Stage;
use super::terms::Spectators;

impl Service {
    /// The last version that this caller may see.
    pub async fn visible(&self, live: &Live, caller: Caller) -> Result<u64, Refusal> {
        let version = live.version();
        if caller.seat().is_some() || live.stage() != Stage::Running {
            return Ok(version);
        }
        match live.facts.terms.spectators {
            Spectators::Live => Ok(version),
            Spectators::Nothing => Err(Refusal::Forbidden(
                "this game is not for spectators before it is over",
            )),
            Spectators::Behind { versions } => Ok(version.saturating_sub(versions).max(1)),
            Spectators::Later { ms } => {
                let course = self.course(&live.id, version).await?;
                Ok(course.version_at(clock::now_ms().saturating_sub(ms)))
            }
        }
    }

    /// The session as this caller may see it.
    pub async fn as_visible(&self, live: &Arc<Live>, caller: Caller) -> Result<Arc<Live>, Refusal> {
        let version = self.visible(live, caller).await?;
        self.at(live, version).await
    }
}
