//! Portable records of sessions, created by replaying their logs.

use crate::Refusal;
use crate::content::budget::budget;
use crate::content::live::Live;
use crate::content::log::LoggedMove;
use crate::content::stage::Stage;
use crate::service::Service;
use wyrmgate_analysis::record::Record;
use wyrmgate_analysis::simulate::Recorder;
use wyrmgate_engine::{self as engine, Silent, State};
use wyrmgate_store::StoreError;

impl Service {
    /// Returns everything needed to replay a finished session, including its seed.
    pub async fn record(&self, live: &Live) -> Result<Record, Refusal> {
        if live.stage() != Stage::Finished || live.is_closed() {
            return Err(Refusal::SessionRunning);
        }
        let secrets = self.secrets(&live.id).await?;
        let entropy = &live.status.entropy;
        let seed = secrets.game_seed(entropy)?;
        let course = self.course(&live.id, live.version()).await?;
        let moves: Vec<LoggedMove> = course.moves.into_iter().map(|(_, made)| made).collect();
        let mut recorder = Recorder::of(&live.program);
        let mut state = play_again(live, seed, &moves, &mut recorder)?;
        if let Some(outcome) = course.ended {
            state.finish(Box::new(outcome));
        }
        Ok(Record {
            game: live.facts.game.clone(),
            ruleset: live.facts.ruleset.clone(),
            fairness: Some(secrets.fairness(entropy)),
            past_information: live.status.undid_information,
            ..recorder.record(seed, &live.facts.options, state.outcome())
        })
    }
}

/// Plays a log and returns the state after it.
fn play_again(
    live: &Live,
    seed: [u8; 32],
    moves: &[LoggedMove],
    recorder: &mut Recorder<'_>,
) -> Result<State, Refusal> {
    let program = &live.program;
    let state = engine::start(program, seed, &mut recorder.chance, &mut Silent);
    let mut state = state.map_err(|fault| budget(live, fault))?;
    for (number, made) in (1..).zip(moves) {
        let choice = made.choice();
        let answered = engine::answered(&state, made.decision as usize, &choice);
        let taken = answered.and_then(|pending| {
            recorder.chosen(&state, &pending, &choice);
            engine::step(
                program,
                &mut state,
                pending.index,
                &choice,
                &mut recorder.chance,
                &mut Silent,
            )
            .ok()
        });
        taken.ok_or_else(|| damaged(number))?;
    }
    Ok(state)
}

fn damaged(number: usize) -> Refusal {
    Refusal::Store(StoreError::Corrupt(format!(
        "move {number} of a log is invalid"
    )))
}
