//! Past positions: replays the log up to a version, without undone moves.

use std::sync::Arc;

use crate::Refusal;
use crate::content::budget::budget;
use crate::content::live::Live;
use crate::content::log::{Happening, LogEntry, LoggedMove};
use crate::content::play::Play;
use crate::content::stage::Stage;
use crate::content::status::Status;
use crate::service::Service;
use wyrmgate_engine::{EndReason, Event, GameOutcome, answered};
use wyrmgate_search::imagine::GameHistory;
use wyrmgate_store::{ChangeMark, Position, StoreError};

/// Number of entries read at a time.
const PAGE: usize = 256;

/// The choices in effect at a version.
#[derive(Debug, Clone, Default)]
pub(crate) struct EffectiveChoices {
    /// Each choice with the version that made it public.
    pub moves: Vec<(u64, LoggedMove)>,
    /// The log entries read so far, first to last.
    pub entries: Vec<LoggedEntry>,
    /// The outcome, if the game ended outside of its rules.
    pub ended: Option<GameOutcome>,
    /// All such ends, with the versions that they made public.
    ends: Vec<(u64, GameOutcome)>,
    /// The mark of the last entry.
    pub mark: ChangeMark,
    /// Choices that are not in effect any more.
    undone: Vec<(u64, LoggedMove)>,
    /// Each version that led back to an earlier one.
    turns: Vec<StepBack>,
}

/// A change that led back.
#[derive(Debug, Clone, Copy)]
struct StepBack {
    at: u64,
    to: u64,
}

/// A log entry without its events.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoggedEntry {
    pub version: u64,
    pub at_ms: u64,
    pub begins: bool,
    /// Whether the entry consists only of choices and their consequences.
    pub is_play: bool,
}

impl EffectiveChoices {
    pub fn add(&mut self, version: u64, entry: LogEntry) {
        let is_game = |happening: &Happening| matches!(happening, Happening::Game(_));
        for happening in &entry.happenings {
            if let Happening::Game(Event::Finished(outcome)) = happening
                && outcome.reason != EndReason::Rules
            {
                self.ends.push((version, outcome.clone()));
                self.ended = Some(outcome.clone());
            }
        }
        for to in entry.happenings.iter().filter_map(Happening::leads_back_to) {
            self.go_back(StepBack { at: version, to });
        }
        self.entries.push(LoggedEntry {
            version,
            at_ms: entry.at_ms,
            begins: entry.happenings.iter().any(begins),
            is_play: !entry.moves.is_empty() && entry.happenings.iter().all(is_game),
        });
        let moves = entry.moves.into_iter();
        self.moves.extend(moves.map(|made| (version, made)));
    }

    /// Puts those choices into effect that were so at an earlier version, where others may have been undone before.
    fn go_back(&mut self, turn: StepBack) {
        let mut spans = Vec::new();
        let mut end = turn.to;
        for earlier in self.turns.iter().rev() {
            if earlier.at <= end {
                spans.push(earlier.at..=end);
                end = earlier.to;
            }
        }
        spans.push(0..=end);
        self.turns.push(turn);
        let mut all = std::mem::take(&mut self.moves);
        all.append(&mut self.undone);
        all.sort_by_key(|(version, _)| *version);
        let is_effective = |version: &u64| spans.iter().any(|span| span.contains(version));
        (self.moves, self.undone) = all.into_iter().partition(|(at, _)| is_effective(at));
        let mut ends = self.ends.iter().filter(|(at, _)| is_effective(at));
        self.ended = ends.next_back().map(|(_, outcome)| outcome.clone());
    }

    pub fn has_begun(&self) -> bool {
        self.entries.iter().any(|entry| entry.begins)
    }

    /// Returns the version before the last choice that the player of a seat has made.
    pub fn before_last_of(&self, seat: u8) -> Option<u64> {
        let mut moves = self.moves.iter().rev();
        let (version, _) = moves.find(|(_, made)| made.is_of_player(seat))?;
        version.checked_sub(1)
    }

    /// Returns the versions before the choices, the last one first.
    pub fn before_each(&self) -> impl Iterator<Item = u64> {
        let is_in_effect = |entry: &&LoggedEntry| {
            let found = self
                .moves
                .binary_search_by_key(&entry.version, |(at, _)| *at);
            found.is_ok() && !entry.begins
        };
        let entries = self.entries.iter().rev().filter(is_in_effect);
        entries.filter_map(|entry| entry.version.checked_sub(1))
    }

    /// Returns the last version at a time, or the first version if there was none yet.
    pub fn version_at(&self, ms: u64) -> u64 {
        let before = self.entries.iter().filter(|entry| entry.at_ms <= ms);
        before.map(|entry| entry.version).max().unwrap_or(1)
    }
}

impl Service {
    /// Returns the choices in effect at a version.
    pub(crate) async fn course(&self, id: &str, version: u64) -> Result<EffectiveChoices, Refusal> {
        let mut course = EffectiveChoices::default();
        let mut after = 0;
        while after < version {
            let page = self.history(id, after, PAGE).await?;
            let Some(last) = page.last() else { break };
            after = last.version;
            for past in page.into_iter().filter(|past| past.version <= version) {
                course.mark = past.mark;
                course.add(past.version, past.entry);
            }
        }
        Ok(course)
    }

    /// Returns the session as it was at an earlier version.
    pub async fn at(&self, live: &Arc<Live>, version: u64) -> Result<Arc<Live>, Refusal> {
        if version == live.version() {
            return Ok(live.clone());
        }
        if version == 0 || version > live.version() {
            return Err(Refusal::NotFound);
        }
        let course = self.course(&live.id, version).await?;
        let play = self.play_of(live, &course).await?;
        Ok(Arc::new(live.at_course(version, &course, play)))
    }

    /// Returns the session after the choices in effect, first to last: after at most this many of them, evenly apart, with the
    /// last one. Empty before the game has begun.
    ///
    /// # Errors
    ///
    /// As [`Service::at`].
    pub async fn moments(&self, live: &Arc<Live>, most: usize) -> Result<Vec<Arc<Live>>, Refusal> {
        let course = self.course(&live.id, live.version()).await?;
        let begun = course.entries.iter().filter(|entry| entry.begins);
        let begun = begun.map(|entry| entry.version);
        let made = course.moves.iter().map(|(version, _)| *version);
        let mut versions: Vec<u64> = begun.take(1).chain(made).collect();
        versions.dedup();
        let apart = versions.len().div_ceil(most.max(1)).max(1);
        let mut shown: Vec<u64> = versions.iter().rev().step_by(apart).copied().collect();
        if shown.is_empty() {
            return Ok(Vec::new());
        }
        let (mut play, _) = Play::begin(&live.program, self.game_seed(live).await?)
            .map_err(|fault| budget(live, fault))?;
        let mut moves = course.moves.iter().peekable();
        let mut moments = Vec::with_capacity(shown.len());
        while let Some(version) = shown.pop() {
            while let Some((at, made)) = moves.next_if(|(at, _)| *at <= version) {
                take(live, &mut play, made).ok_or_else(|| damaged(*at))?;
            }
            if shown.is_empty()
                && let Some(outcome) = &course.ended
            {
                play.end(outcome.clone());
            }
            let past = live.at_course(version, &course, Some(play.clone()));
            moments.push(Arc::new(past));
        }
        Ok(moments)
    }

    /// Returns the game of a course, or `None` before the game has begun.
    pub(crate) async fn play_of(
        &self,
        live: &Live,
        course: &EffectiveChoices,
    ) -> Result<Option<Play>, Refusal> {
        if !course.has_begun() {
            return Ok(None);
        }
        let seed = self.game_seed(live).await?;
        replayed(live, seed, course).map(Some)
    }

    /// Returns the game in a snapshot of this session, or `None` if it has not begun. A state that was written by a
    /// version of this program that compiles the rules in another way means nothing here: its choices are made again.
    pub(crate) async fn stored_play(
        &self,
        live: &Live,
        snapshot: &[u8],
    ) -> Result<Option<Arc<Play>>, Refusal> {
        if live.stage() == Stage::Waiting || live.is_closed() {
            return Ok(None);
        }
        let play = match Play::decode(&live.program, snapshot) {
            Ok(play) => play,
            Err(damage) => match Play::answers_of_other_version(&live.program, snapshot)? {
                Some(answers) => Box::pin(self.made_again(live, &answers)).await?,
                None => return Err(damage.into()),
            },
        };
        Ok(Some(Arc::new(play)))
    }

    /// Returns the game after the choices in the log and these secret answers.
    async fn made_again(&self, live: &Live, answers: &[LoggedMove]) -> Result<Play, Refusal> {
        let version = live.version();
        let course = self.course(&live.id, version).await?;
        let play = self.play_of(live, &course).await?;
        let mut play = play.ok_or_else(|| damaged(version))?;
        for answer in answers {
            take(live, &mut play, answer).ok_or_else(|| damaged(version))?;
        }
        play.take_fuel();
        Ok(play)
    }

    /// Returns the public history up to now, for sampling hidden information.
    pub(crate) async fn history_of(&self, live: &Live) -> Result<GameHistory, Refusal> {
        let course = self.course(&live.id, live.version()).await?;
        let seed = self.game_seed(live).await?;
        histories(live, seed, &course)
    }
}

impl Live {
    /// Returns the session as it was at the end of a course.
    pub(crate) fn at_course(
        &self,
        version: u64,
        course: &EffectiveChoices,
        play: Option<Play>,
    ) -> Live {
        let stage = match &play {
            None => Stage::Waiting,
            Some(play) if play.is_over() => Stage::Finished,
            Some(_) => Stage::Running,
        };
        let status = Status {
            stage,
            clocks: Vec::new(),
            ..self.status.as_ref().clone()
        };
        Live {
            position: Position {
                version,
                ..self.position
            },
            version_mark: course.mark,
            status: Arc::new(status),
            play: play.map(Arc::new),
            ..self.clone()
        }
    }
}

/// Returns whether the game is in progress after this event.
pub(crate) fn begins(happening: &Happening) -> bool {
    matches!(
        happening,
        Happening::Resumed | Happening::Game(Event::GameBegan)
    )
}

pub(crate) fn replayed(
    live: &Live,
    seed: [u8; 32],
    course: &EffectiveChoices,
) -> Result<Play, Refusal> {
    let (mut play, _) = Play::begin(&live.program, seed).map_err(|fault| budget(live, fault))?;
    for (version, made) in &course.moves {
        take(live, &mut play, made).ok_or_else(|| damaged(*version))?;
    }
    if let Some(outcome) = &course.ended {
        play.end(outcome.clone());
    }
    Ok(play)
}

/// Makes a logged choice. Returns whether it was one of several secret answers.
pub(crate) fn take(live: &Live, play: &mut Play, made: &LoggedMove) -> Option<bool> {
    let choice = made.choice();
    let pending = answered(play.state(), made.decision as usize, &choice)?;
    play.step(&live.program, &pending, &choice, made.by_bot)
        .ok()?;
    Some(pending.secret)
}

pub(crate) fn histories(
    live: &Live,
    seed: [u8; 32],
    course: &EffectiveChoices,
) -> Result<GameHistory, Refusal> {
    let (mut play, _) = Play::begin(&live.program, seed).map_err(|fault| budget(live, fault))?;
    let mut made = Vec::with_capacity(course.moves.len());
    for (version, logged) in &course.moves {
        let secret = take(live, &mut play, logged).ok_or_else(|| damaged(*version))?;
        made.push(logged.made(secret));
    }
    Ok(GameHistory { seed, made })
}

pub(crate) fn damaged(version: u64) -> Refusal {
    let what = format!("a move in entry {version} of a log is invalid");
    Refusal::Store(StoreError::Corrupt(what))
}
