//! Portable records of sessions, created by replaying their logs.

use crate::Refusal;
use crate::changing::budget::budget;
use crate::content::live::Live;
use crate::content::status::Stage;
use crate::history::log::LoggedMove;
use crate::service::Service;
use wyrmgate_analysis::record::{self, Entry, Noting, Record};
use wyrmgate_base::hex;
use wyrmgate_engine::{self as engine, Silent, State, Viewer};
use wyrmgate_store::StoreError;

impl Service {
    /// Returns everything needed to replay a finished session, including its seed.
    pub async fn record(&self, live: &Live) -> Result<Record, Refusal> {
        if live.stage() != Stage::Finished {
            return Err(Refusal::SessionRunning);
        }
        let secrets = self.secrets(&live.id).await?;
        let entropy = &live.status.entropy;
        let seed = secrets.game_seed(entropy)?;
        let course = self.course(&live.id, live.version()).await?;
        let moves: Vec<LoggedMove> = course.moves.into_iter().map(|(_, made)| made).collect();
        let played = play_again(live, seed, &moves)?;
        Ok(Record {
            format: record::FORMAT,
            game: live.facts.game.clone(),
            ruleset: live.facts.ruleset.clone(),
            seats: live.facts.seats,
            options: live.facts.options.clone(),
            seed: Some(hex::encode(&seed)),
            fairness: Some(secrets.fairness(entropy)),
            log: played.log,
            chance: Some(played.chance.operations),
            outcome: played.state.outcome().map(record::Outcome::from),
        })
    }
}

/// A log during replay. Choices are named as their seat saw them.
struct Played<'p> {
    state: State,
    log: Vec<Entry>,
    chance: Noting<'p>,
}

fn play_again<'p>(
    live: &'p Live,
    seed: [u8; 32],
    moves: &[LoggedMove],
) -> Result<Played<'p>, Refusal> {
    let mut chance = Noting::of(&live.program);
    let state = engine::start(&live.program, seed, &mut chance, &mut Silent);
    let mut played = Played {
        state: state.map_err(|fault| budget(live, fault))?,
        log: Vec::with_capacity(moves.len()),
        chance,
    };
    for (number, made) in (1..).zip(moves) {
        let taken = take(live, &mut played, made);
        taken.ok_or_else(|| damaged(number))?;
    }
    Ok(played)
}

fn take(live: &Live, played: &mut Played<'_>, made: &LoggedMove) -> Option<()> {
    let program = &live.program;
    let state = &mut played.state;
    let choice = made.choice();
    let owed = engine::pending(program, state);
    let pending = owed.get(made.decision as usize)?;
    let viewer = Viewer::Seat(pending.seat);
    let named = wyrmgate_view::choice_to_json(program, state, pending, &choice, viewer);
    let entry = Entry::new(made.seat, pending.index, named.into())?;
    played.log.push(entry);
    played.chance.after += 1;
    let chance = &mut played.chance;
    engine::step(program, state, pending.index, &choice, chance, &mut Silent).ok()
}

fn damaged(number: usize) -> Refusal {
    Refusal::Store(StoreError::Corrupt(format!(
        "move {number} of a log is invalid"
    )))
}
