//! A tournament: who takes part, the tables of each round, and the standings.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;

use crate::access::player::PlayerId;
use crate::content::pairing::{Pairing, round_robin, swiss};
use crate::content::stage::Stage;
use crate::content::terms::Terms;
use wyrmgate_store::{Digest, StoreError, session_id};

/// Points for a round without an opponent.
const BYE: f64 = 1.0;

wyrmgate_base::named_enum! {
    /// Who plays whom: everybody everybody else once (`round-robin`), or each round those with about the same points who have
    /// not met yet (`swiss`).
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
    #[serde(rename_all = "kebab-case")]
    pub enum TournamentFormat {
        #[default]
        RoundRobin = "round-robin",
        Swiss = "swiss",
    }
}

/// What is settled when a tournament is created.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct TournamentTerms {
    pub name: String,
    /// The game with its overlays.
    pub game: String,
    /// The digest of its rules.
    pub ruleset: String,
    pub options: Map<String, Value>,
    /// Number of seats of a table.
    pub seats: u8,
    pub terms: Terms,
    pub format: TournamentFormat,
    /// Number of rounds of a Swiss tournament.
    pub rounds: u32,
    /// Who starts it: a player, or the holder of an operator key.
    pub creator: Option<PlayerId>,
    /// The name of the operator key that created it; empty without one.
    pub key: String,
    pub created_at_ms: u64,
}

/// A tournament at one moment.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Tournament {
    #[serde(skip)]
    pub id: String,
    pub terms: TournamentTerms,
    pub stage: Stage,
    /// In the order in which they joined, which is their rank before the first round.
    pub entrants: Vec<Entrant>,
    pub rounds: Vec<Vec<TournamentTable>>,
    /// Since when the sessions of a round wait for being created, in Unix milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_at_ms: Option<u64>,
}

/// Somebody who takes part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Entrant {
    /// `None` once the player is forgotten.
    pub player: Option<PlayerId>,
    pub name: Option<String>,
    /// Whether the entrant plays no further rounds.
    pub is_out: bool,
}

/// A table of a round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TournamentTable {
    /// Indexes of the entrants, seat 1 first.
    pub entrants: Vec<usize>,
    /// `None` for somebody without an opponent.
    pub session: Option<String>,
    /// The points of each seat, once the game is over.
    pub points: Option<Vec<f64>>,
}

/// The place of an entrant.
#[derive(Debug, Clone, PartialEq)]
pub struct TournamentRank {
    pub entrant: usize,
    /// From 1; equal ones share a place.
    pub place: usize,
    pub points: f64,
    /// In a Swiss tournament Buchholz: the sum of the points of all opponents. In a round robin Sonneborn-Berger: the points
    /// of each opponent times the own points against it.
    pub tie_break: f64,
    /// Points at tables with others who are equal in both.
    pub direct: f64,
    pub games: usize,
}

impl Tournament {
    /// Returns the key of the creation of a session, from which its id follows.
    pub fn key_of_table(&self, round: usize, table: usize) -> Digest {
        let place = format!("{} {round} {table}", self.id);
        blake3::derive_key("wyrmgate 1 table of a tournament", place.as_bytes())
    }

    /// Returns the tag of all sessions of the tournament.
    pub fn tag(&self) -> String {
        format!("tournament-{}", self.id)
    }

    /// Returns the number of rounds in all.
    pub fn rounds_in_all(&self) -> usize {
        match self.terms.format {
            TournamentFormat::Swiss => self.terms.rounds as usize,
            TournamentFormat::RoundRobin => {
                self.entrants.len().next_multiple_of(2).saturating_sub(1)
            }
        }
    }

    /// Returns the entrant who is this player.
    pub fn entrant_of(&self, player: PlayerId) -> Option<usize> {
        let mut all = self.entrants.iter();
        all.position(|entrant| entrant.player == Some(player))
    }

    /// Returns the creator and the players, each once.
    pub fn people(&self) -> impl Iterator<Item = PlayerId> {
        let creator = self
            .terms
            .creator
            .filter(|of| self.entrant_of(*of).is_none());
        creator.into_iter().chain(self.players())
    }

    /// Returns the players, each once.
    pub fn players(&self) -> impl Iterator<Item = PlayerId> {
        self.entrants.iter().filter_map(|entrant| entrant.player)
    }

    /// Begins the next round, or ends the tournament after the last one.
    pub fn go_on(&mut self, now_ms: u64) -> Result<(), StoreError> {
        while self.is_between_rounds() {
            let active = self.entrants.iter().filter(|entrant| !entrant.is_out);
            if self.rounds.len() >= self.rounds_in_all() || active.count() < 2 {
                self.stage = Stage::Finished;
                return Ok(());
            }
            let tables = self.next_tables()?;
            self.rounds.push(tables);
            self.due_at_ms = Some(now_ms);
        }
        Ok(())
    }

    fn is_between_rounds(&self) -> bool {
        let last = self.rounds.last().into_iter().flatten();
        self.stage == Stage::Running && last.clone().all(|table| table.points.is_some())
    }

    fn pairing(&self) -> Pairing {
        let all = self.entrants.iter().enumerate();
        let present = all.filter(|(_, entrant)| !entrant.is_out);
        let mut pairing = Pairing::new(self.points(), present.map(|(at, _)| at).collect());
        for (round, tables) in (1..).zip(&self.rounds) {
            tables
                .iter()
                .for_each(|table| pairing.note(round, &table.entrants));
        }
        pairing
    }

    fn next_tables(&self) -> Result<Vec<TournamentTable>, StoreError> {
        let round = self.rounds.len();
        let tables = match self.terms.format {
            TournamentFormat::RoundRobin => round_robin(self.entrants.len(), round),
            TournamentFormat::Swiss => swiss(self.pairing(), usize::from(self.terms.seats)),
        };
        let mut placed = Vec::new();
        for entrants in tables {
            let present: Vec<usize> = entrants
                .into_iter()
                .filter(|of| self.entrants.get(*of).is_some_and(|of| !of.is_out))
                .collect();
            let is_full = present.len() == usize::from(self.terms.seats);
            let key = self.key_of_table(round, placed.len());
            match is_full {
                true => placed.push(TournamentTable {
                    entrants: present,
                    session: Some(session_id(Some(&key))?),
                    points: None,
                }),
                false => placed.extend(present.into_iter().map(|entrant| TournamentTable {
                    entrants: vec![entrant],
                    session: None,
                    points: Some(vec![BYE]),
                })),
            }
        }
        Ok(placed)
    }

    /// Notes the result of a session, unless it is noted; returns whether this is its table.
    pub fn report(&mut self, session: &str, points: &[f64]) -> bool {
        let mut tables = self.rounds.iter_mut().flatten();
        let table = tables.find(|table| table.session.as_deref() == Some(session));
        if let Some(table) = table {
            table.points.get_or_insert_with(|| points.to_vec());
            return true;
        }
        false
    }

    /// Returns every result so far: who, with whom, and the points.
    fn results(&self) -> impl Iterator<Item = (usize, &TournamentTable, f64)> {
        let tables = self.rounds.iter().flatten();
        tables.flat_map(|table| {
            let points = table.points.iter().flatten();
            let of = table.entrants.iter().zip(points);
            of.map(move |(entrant, points)| (*entrant, table, *points))
        })
    }

    /// Returns the points of each entrant.
    pub fn points(&self) -> Vec<f64> {
        let mut all = vec![0.0; self.entrants.len()];
        for (entrant, _, points) in self.results() {
            if let Some(sum) = all.get_mut(entrant) {
                *sum += points;
            }
        }
        all
    }

    /// Returns the entrants in their order.
    pub fn standings(&self) -> Vec<TournamentRank> {
        let points = self.points();
        let of = |entrant: &usize| points.get(*entrant).copied().unwrap_or_default();
        let mut ranks: Vec<TournamentRank> = (0..self.entrants.len())
            .map(|entrant| TournamentRank {
                entrant,
                place: 1,
                points: of(&entrant),
                tie_break: 0.0,
                direct: 0.0,
                games: 0,
            })
            .collect();
        for (entrant, table, won) in self.results() {
            let others = table.entrants.iter().filter(|other| **other != entrant);
            let sum: f64 = others.map(of).sum();
            if let Some(rank) = ranks.get_mut(entrant).filter(|_| table.session.is_some()) {
                rank.games += 1;
                rank.tie_break += match self.terms.format {
                    TournamentFormat::Swiss => sum,
                    TournamentFormat::RoundRobin => sum * won,
                };
            }
        }
        let before = ranks.clone();
        let level = |entrant: usize| {
            let rank = before.get(entrant);
            rank.map(|rank| (rank.points, rank.tie_break))
        };
        for (entrant, table, won) in self.results() {
            let mut others = table.entrants.iter().filter(|other| **other != entrant);
            if others.any(|other| level(*other) == level(entrant))
                && let Some(rank) = ranks.get_mut(entrant)
            {
                rank.direct += won;
            }
        }
        ranks.sort_by(|a, b| {
            b.order()
                .partial_cmp(&a.order())
                .unwrap_or(a.entrant.cmp(&b.entrant))
        });
        let mut last: Option<([f64; 3], usize)> = None;
        for (at, rank) in ranks.iter_mut().enumerate() {
            let shared = last.filter(|(order, _)| *order == rank.order());
            rank.place = shared.map_or(at + 1, |(_, place)| place);
            last = Some((rank.order(), rank.place));
        }
        ranks
    }

    /// Removes a player for good, who loses the game that it plays. Nobody could start a tournament of its own.
    pub fn forget(&mut self, player: PlayerId) {
        if self.terms.creator == Some(player) {
            self.terms.creator = None;
            if self.stage == Stage::Waiting {
                self.stage = Stage::Finished;
            }
        }
        let Some(gone) = self.entrant_of(player) else {
            return;
        };
        if let Some(entrant) = self.entrants.get_mut(gone) {
            (entrant.player, entrant.name, entrant.is_out) = (None, None, true);
        }
        for table in self.rounds.iter_mut().flatten() {
            if table.points.is_none() && table.entrants.contains(&gone) {
                let of = |entrant: &usize| if *entrant == gone { 0.0 } else { 1.0 };
                table.points = Some(table.entrants.iter().map(of).collect());
            }
        }
    }
}

impl TournamentRank {
    fn order(&self) -> [f64; 3] {
        [self.points, self.tie_break, self.direct]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(format: TournamentFormat, entrants: usize, rounds: u32) -> Tournament {
        let entrant = Entrant {
            player: None,
            name: None,
            is_out: false,
        };
        Tournament {
            stage: Stage::Running,
            terms: TournamentTerms {
                seats: 2,
                format,
                rounds,
                ..TournamentTerms::default()
            },
            entrants: vec![entrant; entrants],
            ..Tournament::default()
        }
    }

    /// Plays a tournament in which the lower number wins.
    fn played(mut tournament: Tournament) -> Tournament {
        tournament.go_on(1).unwrap();
        while tournament.stage == Stage::Running {
            for table in tournament.rounds.last_mut().unwrap() {
                let best = table.entrants.iter().min();
                let won = |of: &usize| f64::from(u8::from(Some(of) == best));
                let points: Vec<f64> = table.entrants.iter().map(won).collect();
                table.points.get_or_insert(points);
            }
            tournament.go_on(1).unwrap();
        }
        tournament
    }

    fn order(tournament: &Tournament) -> Vec<usize> {
        let standings = tournament.standings();
        standings.iter().map(|rank| rank.entrant).collect()
    }

    #[test]
    fn the_strongest_wins_a_round_robin() {
        let tournament = played(of(TournamentFormat::RoundRobin, 5, 0));
        assert_eq!(tournament.rounds.len(), 5);
        assert_eq!(order(&tournament), [0, 1, 2, 3, 4]);
        let first = &tournament.standings()[0];
        assert_eq!(
            (first.points, first.games),
            (5.0, 4),
            "four games and a bye"
        );
        // 4 + 3 + 2 + 1 points of those it has beaten.
        assert_eq!(first.tie_break, 10.0);
    }

    #[test]
    fn a_swiss_tournament_separates_eight_in_three_rounds() {
        let tournament = played(of(TournamentFormat::Swiss, 8, 3));
        assert_eq!(tournament.rounds.len(), 3);
        let standings = tournament.standings();
        let points: Vec<f64> = standings.iter().map(|rank| rank.points).collect();
        assert_eq!(points, [3.0, 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!((standings[0].entrant, standings[7].entrant), (0, 7));
    }

    #[test]
    fn equal_ones_share_a_place() {
        let mut tournament = of(TournamentFormat::RoundRobin, 2, 0);
        tournament.go_on(1).unwrap();
        let session = tournament.rounds[0][0].session.clone().unwrap();
        assert!(!tournament.report("another", &[1.0, 0.0]));
        assert!(tournament.report(&session, &[0.5, 0.5]));
        assert!(tournament.report(&session, &[1.0, 0.0]), "again, too late");
        tournament.go_on(1).unwrap();
        assert_eq!(tournament.stage, Stage::Finished);
        let places = tournament.standings();
        assert!(
            places
                .iter()
                .all(|rank| rank.place == 1 && rank.points == 0.5)
        );
    }

    #[test]
    fn who_is_out_plays_no_more() {
        let mut tournament = of(TournamentFormat::Swiss, 4, 3);
        tournament.entrants[3].is_out = true;
        let tournament = played(tournament);
        let games = tournament.rounds.iter().flatten();
        assert!(games.clone().all(|table| !table.entrants.contains(&3)));
        let byes = games.filter(|table| table.session.is_none());
        let mut byes: Vec<usize> = byes.map(|table| table.entrants[0]).collect();
        byes.sort_unstable();
        assert_eq!(byes, [0, 1, 2], "each one once");
    }
}
