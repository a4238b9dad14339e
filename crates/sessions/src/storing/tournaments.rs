//! Where tournaments are stored: each in a record of its own, which lists it for everybody and for its players, and for the nodes
//! while sessions of a round wait for being created.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::content::encoding::{from_json, to_json};
use crate::content::facts::game_and_variant;
use crate::content::stage::Stage;
use crate::content::times::rfc3339;
use crate::content::tournament::{Tournament, TournamentFormat};
use crate::service::Service;
use crate::storing::records::RecordChange;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_store::{ChangeMark, Create, Created, Cursor, Index, Listing, StoreError};

/// Number of attempts to write when other writers interfere: all tables of a round may end at once.
const TRIES: usize = 32;
/// Number of records read at a time.
const READ_AHEAD: usize = 100;
/// The name is longer than any session id, so the two cannot collide.
const RECORD: &str = "tournament-";

/// A tournament as it is listed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[schema(as = TournamentSummary)]
pub struct TournamentEntry {
    id: String,
    name: String,
    game: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    variant: Option<String>,
    format: TournamentFormat,
    status: Stage,
    /// Number of players.
    players: usize,
    #[schema(format = DateTime)]
    created_at: String,
}

/// Changes a tournament. If it is the same afterwards, nothing is written.
pub(crate) type ChangeTournament<'c> = &'c (dyn Fn(&mut Tournament) -> Result<(), Refusal> + Sync);

impl Service {
    pub async fn tournament(&self, id: &str) -> Result<Tournament, Refusal> {
        let record = self.store.load(&record_of(id)).await?;
        let record = record.ok_or(Refusal::NotFound)?;
        Ok(decode(id, &record.status)?)
    }

    /// Stores a new tournament; returns the one of its id if there is one.
    pub(crate) async fn keep_tournament(&self, new: Tournament) -> Result<Tournament, Refusal> {
        let mut create = Create::new(&record_of(&new.id));
        create.mark = ChangeMark::draw()?;
        create.status = to_json(&new)?;
        create.listing = new.listing();
        create.expires_at_ms = Some(self.expiry());
        match self.store.create(create).await? {
            Created::Done(_) => Ok(new),
            Created::Duplicate(_) | Created::Exists => self.tournament(&new.id).await,
            Created::Removed => Err(Refusal::NotFound),
        }
    }

    /// Changes a tournament, whoever else changes it at the same time; returns it.
    pub(crate) async fn change_tournament(
        &self,
        id: &str,
        change: ChangeTournament<'_>,
    ) -> Result<Tournament, Refusal> {
        let name = record_of(id);
        for _ in 0..TRIES {
            let record = self.store.load(&name).await?.ok_or(Refusal::NotFound)?;
            let before = decode(id, &record.status)?;
            let mut tournament = before.clone();
            change(&mut tournament)?;
            if tournament == before {
                return Ok(tournament);
            }
            let how = RecordChange {
                is_announced: false,
                stays: tournament.stage == Stage::Running,
                listing: Some(tournament.listing()),
            };
            if self.write_record(&name, &record, &tournament, how).await? {
                return Ok(tournament);
            }
        }
        Err(Refusal::Overloaded)
    }

    /// Returns a page of all tournaments or of those that a player plays or has created, newest first, and the position of the next one.
    pub async fn tournaments(
        &self,
        player: Option<PlayerId>,
        after: Option<Cursor>,
        limit: usize,
    ) -> Result<(Vec<TournamentEntry>, Option<Cursor>), Refusal> {
        let index = player.map_or(Index::TOURNAMENTS, index_of);
        let page = self.list(index.page(after, limit));
        let page = page.await?;
        let entries = page.items.iter().map(|listed| {
            let id = listed.session.strip_prefix(RECORD).unwrap_or_default();
            Ok(decode(id, &listed.status)?.entry())
        });
        Ok((entries.collect::<Result<_, StoreError>>()?, page.next))
    }

    /// Removes a player from all tournaments.
    pub(crate) async fn forget_entrant(&self, player: PlayerId) -> Result<(), Refusal> {
        let forget = |tournament: &mut Tournament| {
            tournament.forget(player);
            Ok(tournament.go_on(now_ms())?)
        };
        loop {
            let (found, _) = self.tournaments(Some(player), None, READ_AHEAD).await?;
            if found.is_empty() {
                return Ok(());
            }
            for entry in found {
                self.change_tournament(&entry.id, &forget).await?;
            }
        }
    }
}

impl Tournament {
    fn listing(&self) -> Listing {
        let score = self.terms.created_at_ms;
        let people = self.people().map(index_of);
        let shown = [Index::TOURNAMENTS].into_iter().chain(people);
        let shown = shown.map(|index| index.at(score));
        let due = self.due_at_ms.map(|score| Index::RESULTS.at(score));
        Listing {
            placements: shown.chain(due).collect(),
        }
    }

    fn entry(self) -> TournamentEntry {
        let (game, variant) = game_and_variant(&self.terms.game);
        TournamentEntry {
            game: game.to_owned(),
            variant: variant.map(str::to_owned),
            format: self.terms.format,
            status: self.stage,
            players: self.entrants.len(),
            created_at: rfc3339(self.terms.created_at_ms),
            id: self.id,
            name: self.terms.name,
        }
    }
}

fn decode(id: &str, bytes: &[u8]) -> Result<Tournament, StoreError> {
    let tournament: Tournament = from_json(bytes)?;
    let id = id.to_owned();
    Ok(Tournament { id, ..tournament })
}

fn index_of(player: PlayerId) -> Index {
    Index::TOURNAMENTS.of(&player.to_string())
}

fn record_of(id: &str) -> String {
    format!("{RECORD}{id}")
}

/// Returns the tournament of a record.
pub(crate) fn tournament_of(record: &str) -> Option<&str> {
    record.strip_prefix(RECORD)
}
