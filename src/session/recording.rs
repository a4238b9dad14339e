//! The portable record of a session, made by playing its log again.

use super::Refusal;
use super::change::budget;
use super::live::Live;
use super::log::LoggedMove;
use super::play::Play;
use super::service::Service;
use super::status::Stage;
use crate::engine::{self, Viewer};
use crate::record::{self, Entry, Record};
use crate::store::StoreError;

impl Service {
    /// Everything needed to play a finished session again, its seed included.
    pub async fn record(&self, live: &Live) -> Result<Record, Refusal> {
        if live.stage() != Stage::Finished {
            return Err(Refusal::SessionRunning);
        }
        let seed = self.secrets(&live.id).await?.seed;
        let course = self.course(&live.id, live.version()).await?;
        let moves: Vec<LoggedMove> = course.moves.into_iter().map(|(_, made)| made).collect();
        Ok(Record {
            format: record::FORMAT,
            game: live.facts.game.clone(),
            ruleset: live.facts.ruleset.clone(),
            seats: live.facts.seats,
            options: live.facts.options.clone(),
            seed: Some(record::seed_to_hex(&seed)),
            log: name_choices(live, seed, &moves)?,
            outcome: live.play.as_ref().and_then(|play| outcome(play)),
        })
    }
}

fn outcome(play: &Play) -> Option<record::Outcome> {
    play.state().outcome().map(record::Outcome::from)
}

/// A choice is named as its seat saw it, so the game is played along.
fn name_choices(live: &Live, seed: [u8; 32], moves: &[LoggedMove]) -> Result<Vec<Entry>, Refusal> {
    let (mut play, _) = Play::begin(&live.program, seed).map_err(|fault| budget(live, fault))?;
    let mut log = Vec::with_capacity(moves.len());
    for (number, made) in (1..).zip(moves) {
        let entry = name_choice(live, &mut play, made);
        log.push(entry.ok_or_else(|| damaged(number))?);
    }
    Ok(log)
}

fn name_choice(live: &Live, play: &mut Play, made: &LoggedMove) -> Option<Entry> {
    let choice = made.choice();
    let owed = play.pending(&live.program);
    let pending = owed.get(made.decision as usize)?;
    let viewer = Viewer::Seat(pending.seat);
    let named = engine::choice_to_json(&live.program, play.state(), pending, &choice, viewer);
    let entry = Entry::new(made.seat, pending.index, named)?;
    play.step(&live.program, pending, &choice, made.by_bot)
        .ok()?;
    Some(entry)
}

fn damaged(number: usize) -> Refusal {
    Refusal::Store(StoreError::Corrupt(format!("move {number} of a log")))
}
