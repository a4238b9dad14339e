//! The game played along its log, one public change after the other: what everybody saw at each version.

use std::sync::Arc;

use super::Refusal;
use super::history::Past;
use super::live::Live;
use super::log::Happening;
use super::past::{Course, damaged, replayed, take};
use super::play::Play;
use super::service::Service;

/// A session as it was at one version, which can go on to the next.
#[derive(Clone)]
pub struct Playback {
    live: Arc<Live>,
    seed: [u8; 32],
    version: u64,
    course: Course,
    play: Option<Play>,
}

impl Service {
    /// The session at a version it has had; 0 is before the first.
    pub async fn playback(&self, live: &Arc<Live>, version: u64) -> Result<Playback, Refusal> {
        let course = self.course(&live.id, version).await?;
        let seed = self.game_seed(live).await?;
        let play = if course.has_begun() {
            Some(replayed(live, seed, &course)?)
        } else {
            None
        };
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

    /// Goes on with the next change.
    pub fn go_on(&mut self, past: &Past) -> Result<(), Refusal> {
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
        } else if self.course.has_begun() {
            self.play = Some(replayed(&self.live, self.seed, &self.course)?);
        }
        Ok(())
    }

    /// The session as it was, without clocks: those run on between two versions.
    pub fn live(&self) -> Live {
        self.live
            .at_course(self.version, &self.course, self.play.clone())
    }
}

/// After these the game does not stand where the choices before have led it.
fn is_turning_point(happening: &Happening) -> bool {
    matches!(happening, Happening::Undone { .. }) || super::past::begins(happening)
}
