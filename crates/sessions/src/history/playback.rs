//! Replays the log one public change at a time, to reconstruct what everyone saw at each version.

use std::sync::Arc;

use crate::Refusal;
use crate::content::live::Live;
use crate::content::log::Happening;
use crate::content::play::Play;
use crate::history::past::{EffectiveChoices, begins, damaged, replayed, take};
use crate::history::reading::PastChange;
use crate::service::Service;

/// A session at an earlier version, which can advance to the next one.
#[derive(Clone)]
pub struct Playback {
    live: Arc<Live>,
    seed: [u8; 32],
    version: u64,
    course: EffectiveChoices,
    play: Option<Play>,
}

impl Service {
    /// Returns the session at an earlier version. Version 0 is before the first change.
    pub async fn playback(&self, live: &Arc<Live>, version: u64) -> Result<Playback, Refusal> {
        let course = self.course(&live.id, version).await?;
        let seed = self.game_seed(live).await?;
        let begun = course.has_begun();
        let play = begun.then(|| replayed(live, seed, &course)).transpose()?;
        Ok(Playback {
            live: live.clone(),
            seed,
            version,
            course,
            play,
        })
    }
}

impl Playback {
    pub fn version(&self) -> u64 {
        self.version
    }

    /// Advances by the next change.
    pub fn go_on(&mut self, past: &PastChange) -> Result<(), Refusal> {
        if past.version != self.version.saturating_add(1) {
            return Err(damaged(past.version));
        }
        let went_on = !past.entry.happenings.iter().any(is_turning_point);
        self.course.add(past.version, past.entry.clone());
        self.course.mark = past.mark;
        self.version = past.version;
        if let (true, Some(play)) = (went_on, &mut self.play) {
            for made in &past.entry.moves {
                take(&self.live, play, made).ok_or_else(|| damaged(past.version))?;
            }
            if let Some(outcome) = &self.course.ended {
                play.end(outcome.clone());
            }
        } else if self.course.has_begun() {
            self.play = Some(replayed(&self.live, self.seed, &self.course)?);
        }
        Ok(())
    }

    /// Returns the session as it was, without clocks, because those advance between versions.
    pub fn live(&self) -> Live {
        self.live
            .at_course(self.version, &self.course, self.play.clone())
    }
}

/// Returns whether the position after this event does not follow from the choices before it.
fn is_turning_point(happening: &Happening) -> bool {
    happening.leads_back_to().is_some() || begins(happening)
}
