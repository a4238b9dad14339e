//! Tournaments: who takes part, how a round begins, and what follows from the result of a table.
//!
//! The change that begins a round names the sessions of its tables, whose ids follow from the tournament, the round and the table.
//! A node then creates them ([`crate::Duty::Results`]); each of them reports its result, and the last one of a round begins the next.

use std::sync::Arc;

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::access::token::{Token, TokenRights};
use crate::changing::create::{CheckedSetup, SessionOrder};
use crate::content::facts::{SessionLabels, Visibility};
use crate::content::stage::Stage;
use crate::content::status::Seat;
use crate::content::terms::{Endings, Forks, TimeEnd, Undo, can_lose};
use crate::content::tournament::{
    Entrant, Tournament, TournamentFormat, TournamentTable, TournamentTerms,
};
use crate::content::waiting::WaitTerms;
use crate::service::Service;
use crate::storing::answering::IdempotencyKey;
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_store::session_id;

/// Maximum number of players.
const SWISS_MAX: usize = 512;
const ROUND_ROBIN_MAX: usize = 32;

/// A tournament to create.
#[derive(Debug, Clone)]
pub struct TournamentOrder {
    pub terms: TournamentTerms,
    pub ruleset: Arc<Ruleset>,
    /// Players who take part from the beginning.
    pub players: Vec<PlayerId>,
}

impl Service {
    /// Creates a tournament. A retry with the same key finds that of the first attempt.
    pub async fn create_tournament(
        &self,
        order: TournamentOrder,
        key: Option<&IdempotencyKey>,
    ) -> Result<Tournament, Refusal> {
        let TournamentOrder {
            mut terms,
            ruleset,
            players,
        } = order;
        let seats = usize::from(terms.seats);
        let setup = CheckedSetup::of(&ruleset, seats, &terms.options, terms.terms)?;
        (terms.options, terms.terms) = (setup.options, setup.terms);
        terms.terms.undo = Undo::Never;
        terms.terms.forks = Forks::Finished;
        terms.terms.endings = Endings {
            aborts: false,
            ..terms.terms.endings
        };
        if let Some(clock) = &mut terms.terms.clock {
            // Nobody waits for somebody who does not come.
            clock.at_end = Some(match can_lose(&setup.program) {
                true => TimeEnd::Lose,
                false => TimeEnd::Random,
            });
        }
        terms.created_at_ms = now_ms();
        let mut tournament = Tournament {
            id: session_id(key.map(|key| &key.digest))?,
            terms,
            ..Tournament::default()
        };
        for player in players {
            let name = self.player(player).await?.name;
            tournament.admit(player, name)?;
        }
        self.keep_ruleset(&ruleset).await?;
        self.keep_tournament(tournament).await
    }

    /// Lets a player take part.
    pub async fn join_tournament(&self, id: &str, player: PlayerId) -> Result<Tournament, Refusal> {
        let name = self.player(player).await?.name;
        let join = |tournament: &mut Tournament| tournament.admit(player, name.clone());
        self.change_tournament(id, &join).await
    }

    /// Lets a player go. After the beginning, its place stays, and it gets no further tables.
    pub async fn leave_tournament(&self, id: &str, player: PlayerId) -> Result<(), Refusal> {
        let leave = |tournament: &mut Tournament| {
            let entrant = tournament.entrant_of(player).ok_or(Refusal::NotFound)?;
            match tournament.stage {
                Stage::Waiting => drop(tournament.entrants.remove(entrant)),
                Stage::Running => {
                    let entrant = tournament.entrants.get_mut(entrant);
                    entrant.ok_or(Refusal::NotFound)?.is_out = true;
                }
                Stage::Finished => return Err(over()),
            }
            Ok(())
        };
        self.change_tournament(id, &leave).await.map(|_| ())
    }

    /// Begins the first round, for the creator.
    pub async fn start_tournament(
        &self,
        id: &str,
        caller: Option<PlayerId>,
    ) -> Result<Tournament, Refusal> {
        let start = |tournament: &mut Tournament| {
            tournament.managed_by(caller)?;
            match tournament.stage {
                Stage::Waiting => {}
                Stage::Running => return Ok(()),
                Stage::Finished => return Err(over()),
            }
            if tournament.entrants.len() < usize::from(tournament.terms.seats) {
                let few = "there are too few players for a table; wait for others";
                return Err(Refusal::NotNow(few.into()));
            }
            tournament.stage = Stage::Running;
            Ok(tournament.go_on(now_ms())?)
        };
        self.change_tournament(id, &start).await
    }

    /// Ends a tournament, for the creator: no further round begins. Games that go on are played, and count.
    pub async fn end_tournament(&self, id: &str, caller: Option<PlayerId>) -> Result<(), Refusal> {
        let end = |tournament: &mut Tournament| {
            tournament.managed_by(caller)?;
            tournament.stage = Stage::Finished;
            Ok(())
        };
        self.change_tournament(id, &end).await.map(|_| ())
    }

    /// Notes the result of a table. The last one of a round begins the next.
    pub(crate) async fn report_table(
        &self,
        id: &str,
        session: &str,
        points: &[f64],
    ) -> Result<(), Refusal> {
        let report = |tournament: &mut Tournament| {
            if tournament.report(session, points) {
                tournament.go_on(now_ms())?;
            }
            Ok(())
        };
        match self.change_tournament(id, &report).await {
            Ok(_) | Err(Refusal::NotFound) => Ok(()),
            Err(refusal) => Err(refusal),
        }
    }

    /// Creates the sessions of a round that wait for it.
    pub(crate) async fn open_tables(&self, id: &str) -> Result<(), Refusal> {
        let tournament = self.tournament(id).await?;
        if tournament.due_at_ms.is_none() {
            return Ok(());
        }
        let round = tournament.rounds.len().saturating_sub(1);
        let tables = tournament.rounds.last().into_iter().flatten();
        for (number, table) in tables.enumerate() {
            if table.session.is_some() && table.points.is_none() {
                let digest = tournament.key_of_table(round, number);
                let key = IdempotencyKey {
                    digest,
                    fingerprint: digest,
                };
                let order = self.table_order(&tournament, table).await?;
                match self.create(&order, Some(&key)).await {
                    Ok(_) | Err(Refusal::NotFound) => {}
                    Err(refusal) => return Err(refusal),
                }
            }
        }
        let settle = |tournament: &mut Tournament| {
            let is_later = tournament.rounds.len() > round + 1;
            tournament.due_at_ms = tournament.due_at_ms.filter(|_| is_later);
            Ok(())
        };
        self.change_tournament(id, &settle).await.map(|_| ())
    }

    async fn table_order(
        &self,
        tournament: &Tournament,
        table: &TournamentTable,
    ) -> Result<SessionOrder, Refusal> {
        let terms = &tournament.terms;
        let mut seats = Vec::with_capacity(table.entrants.len());
        for entrant in &table.entrants {
            let entrant = tournament.entrants.get(*entrant);
            let player = entrant.and_then(|entrant| entrant.player);
            // Nobody gets this token: the player acts by itself.
            let token = Token::random(TokenRights::Seat)?.hash();
            seats.push(match player {
                Some(_) => Seat::Taken {
                    token,
                    name: None,
                    player,
                },
                None => Seat::Open,
            });
        }
        Ok(SessionOrder {
            ruleset: self.kept_ruleset(&terms.ruleset).await?,
            options: terms.options.clone(),
            seats,
            reserved: Vec::new(),
            host: None,
            labels: SessionLabels {
                tags: vec![tournament.tag()],
                key: terms.key.clone(),
                tournament: Some(tournament.id.clone()),
                ..SessionLabels::default()
            },
            visibility: Visibility::Public,
            seed: None,
            terms: terms.terms,
            waits: WaitTerms::default(),
            before: None,
        })
    }
}

impl Tournament {
    /// Refuses everybody but the creator.
    fn managed_by(&self, caller: Option<PlayerId>) -> Result<(), Refusal> {
        let caller = caller.ok_or(Refusal::Unauthenticated)?;
        match self.terms.creator == Some(caller) {
            true => Ok(()),
            false => Err(Refusal::Forbidden("the tournament is its creator's")),
        }
    }

    /// Adds a player, unless it takes part.
    fn admit(&mut self, player: PlayerId, name: Option<String>) -> Result<(), Refusal> {
        if self.entrant_of(player).is_some() {
            return Ok(());
        }
        if self.stage != Stage::Waiting {
            return Err(Refusal::NotNow("the tournament has begun".into()));
        }
        let most = match self.terms.format {
            TournamentFormat::Swiss => SWISS_MAX,
            TournamentFormat::RoundRobin => ROUND_ROBIN_MAX,
        };
        if self.entrants.len() >= most {
            return Err(Refusal::NotNow(format!("at most {most} players take part")));
        }
        self.entrants.push(Entrant {
            player: Some(player),
            name,
            is_out: false,
        });
        Ok(())
    }
}

fn over() -> Refusal {
    Refusal::NotNow("the tournament is over".into())
}
