//! Counting the results of finished games, each exactly once, whichever nodes die at it.
//!
//! The change that ends a game lists its session ([`wyrmgate_store::Index::RESULTS`]). A node then notes the ratings of all
//! players in the session; gives each player its new rating; and notes what became of them and ends the listing. Each step is one
//! commit, and repeating a step that was made changes nothing: the record of a player names the games that count already until
//! their sessions say so.

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::changing::pending::PendingChange;
use crate::content::contest::SeatRating;
use crate::content::encoding::from_json;
use crate::content::live::Live;
use crate::content::log::Declaration;
use crate::service::Service;
use crate::storing::players::{CountedGame, PlayerProfile, record_of};
use crate::storing::tournaments::tournament_of;

/// Number of attempts to write when other writers interfere.
const TRIES: usize = 8;
/// Number of games that a player's record names before those are removed that their sessions know of.
const COUNTED_MAX: usize = 8;

impl Service {
    /// Counts the results of a session, if they wait.
    pub(super) async fn count_results(&self, id: &str) -> Result<(), Refusal> {
        if let Some(id) = tournament_of(id) {
            return self.open_tables(id).await;
        }
        let mut live = self.load(id).await?;
        if live.is_to_rate()
            && let Some(contest) = live.due_contest()
            && contest.ratings.is_empty()
        {
            self.note_ratings(&live).await?;
            live = self.load(id).await?;
        }
        let Some(contest) = live.due_contest() else {
            return Ok(());
        };
        let mut ratings = contest.ratings.clone();
        for rating in &mut ratings {
            if let Some(player) = contest.contestant(rating.seat)
                && let Some(counted) = self.count_game(id, rating.seat, player).await?
            {
                rating.before = counted.before;
                rating.after = Some(counted.after);
            }
        }
        if let Some(tournament) = &live.facts.labels.tournament {
            let points: Vec<f64> = (1..=live.facts.seats)
                .map(|seat| live.points(seat))
                .collect();
            self.report_table(tournament, id, &points).await?;
        }
        let settle = |mut change: PendingChange| {
            if let Some(contest) = change.due_contest() {
                (contest.due_at_ms, contest.ratings) = (None, ratings.clone());
                contest.contestants.clear();
                if !ratings.is_empty() {
                    change.declare(None, Declaration::Rated);
                }
            }
            Ok(change)
        };
        self.write_own(id, &settle).await?;
        Ok(())
    }

    /// Notes the ratings of all contestants as they are at the end of the game.
    async fn note_ratings(&self, live: &Live) -> Result<(), Refusal> {
        let Some(contest) = live.due_contest() else {
            return Ok(());
        };
        let (class, ended_ms) = (live.rating_class(), contest.due_at_ms.unwrap_or_default());
        let mut ratings = Vec::new();
        for (seat, player) in (1..).zip(&contest.contestants) {
            // Of who is forgotten nothing is known: it counts as somebody new.
            let profile = match player {
                Some(player) => self.player(*player).await?,
                None => PlayerProfile::default(),
            };
            let rating = profile.ratings.get(&class).copied().unwrap_or_default();
            ratings.push(SeatRating {
                seat,
                before: rating.at(ended_ms),
                after: None,
            });
        }
        let note = |mut change: PendingChange| {
            if change
                .before
                .due_contest()
                .is_some_and(|of| of.ratings.is_empty())
                && let Some(contest) = change.due_contest()
            {
                contest.ratings.clone_from(&ratings);
            }
            Ok(change)
        };
        self.write_own(&live.id, &note).await?;
        Ok(())
    }

    /// Gives a contestant its new rating, unless it has it; returns what became of the old one. Returns nothing for a player who
    /// was forgotten meanwhile, and if another node has done all.
    async fn count_game(
        &self,
        id: &str,
        seat: u8,
        player: PlayerId,
    ) -> Result<Option<CountedGame>, Refusal> {
        let name = record_of(player);
        for _ in 0..TRIES {
            let record = self.record_to_change::<PlayerProfile>(&name).await?;
            let mut profile: PlayerProfile = from_json(&record.status)?;
            if let Some(counted) = profile.counted.iter().find(|of| of.session == id) {
                return Ok(Some(counted.clone()));
            }
            // Read after the record: if the session still waits, the record named the game if it counted.
            let live = self.load(id).await?;
            let contest = live.due_contest();
            let contest = contest.filter(|of| of.contestant(seat) == Some(player));
            let Some(ended_ms) = contest.and_then(|of| of.due_at_ms) else {
                return Ok(None);
            };
            if profile.counted.len() >= COUNTED_MAX {
                profile.counted = self.waiting(profile.counted).await;
            }
            let listed = profile.listing();
            let rating = profile.ratings.entry(live.rating_class()).or_default();
            let before = rating.at(ended_ms);
            *rating = rating.after(&live.duels(seat), ended_ms);
            let counted = CountedGame {
                session: id.to_owned(),
                before,
                after: *rating,
            };
            profile.counted.push(counted.clone());
            let how = profile.written(&listed, false)?;
            if self.write_record(&name, &record, &profile, how).await? {
                return Ok(Some(counted));
            }
        }
        Err(Refusal::Overloaded)
    }

    /// Returns the games whose sessions do not know yet that they count.
    async fn waiting(&self, counted: Vec<CountedGame>) -> Vec<CountedGame> {
        let mut waiting = Vec::new();
        for game in counted {
            match self.load(&game.session).await {
                Ok(live) if live.due_contest().is_none() => {}
                Err(Refusal::NotFound) => {}
                Ok(_) | Err(_) => waiting.push(game), // it may be readable again later
            }
        }
        waiting
    }
}
