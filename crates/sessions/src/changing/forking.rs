//! Sessions that continue an existing game: forks, imported records and rematches.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::Refusal;
use crate::access::caller::Caller;
use crate::access::token::{Token, TokenRights};
use crate::changing::call::Call;
use crate::changing::create::{Before, Creation, DescribeCreation, SessionOrder};
use crate::changing::pending::writing::Attempt;
use crate::content::facts::SessionLabels;
use crate::content::live::Live;
use crate::content::log::{Happening, LoggedMove};
use crate::content::play::Play;
use crate::content::stage::Stage;
use crate::content::status::Seat;
use crate::content::terms::{Forks, Terms};
use crate::content::waiting::WaitTerms;
use crate::service::Service;
use crate::storing::answering::IdempotencyKey;
use wyrmgate_analysis::record::{self, Record};
use wyrmgate_analysis::replay;
use wyrmgate_authoring::rules::{Ruleset, option_value};
use wyrmgate_base::cancel::checkpoint;
use wyrmgate_engine::eval_query;
use wyrmgate_store::{Digest, session_id};

impl Service {
    /// Creates a session that continues from a version of this one, with its own seats. Its seed is known to everyone
    /// who knows the old game, so it is practice. This session becomes practice too, unless it is over.
    pub async fn fork(
        &self,
        live: &Arc<Live>,
        token: Option<&Token>,
        version: u64,
        seats: Option<Vec<Seat>>,
        key: Option<&IdempotencyKey>,
        describe: DescribeCreation<'_>,
    ) -> Result<Creation, Refusal> {
        may_fork(live, live.caller(token)?)?;
        if version == 0 || version > live.version() {
            return Err(Refusal::unprocessable(
                "/version",
                "the session has no such version; use at most its current one",
            ));
        }
        let mut course = self.course(&live.id, version).await?;
        course.ended = None; // people stopped there; the rules go on
        let play = self.play_of(live, &course).await?;
        let moves = course.moves.into_iter().map(|(_, made)| made).collect();
        let before = play.map(|play| Before { play, moves });
        let seats = seats.unwrap_or_else(|| vec![Seat::Open; usize::from(live.facts.seats)]);
        if seats.len() != usize::from(live.facts.seats) {
            return Err(Refusal::unprocessable(
                "/seats",
                "a fork must have as many seats as its session",
            ));
        }
        let order = SessionOrder {
            ruleset: live.ruleset.clone(),
            options: live.facts.options.clone(),
            seats,
            reserved: Vec::new(),
            host: token.and_then(Token::player),
            labels: SessionLabels::default(),
            visibility: live.facts.visibility,
            seed: Some(self.game_seed(live).await?),
            terms: Terms {
                rated: false,
                ..live.facts.terms
            },
            waits: WaitTerms::default(),
            before,
        };
        self.mark_as_forked(Call::once(&live.id, token)).await?;
        self.create_answering(&order, key, describe).await
    }

    /// Marks an unfinished session as practice, because players of a fork can see hidden information and future random
    /// numbers. This happens before the fork is created, so that no fork exists of an unmarked session, or for a caller who
    /// may not fork it any more.
    async fn mark_as_forked(&self, call: Call<'_>) -> Result<(), Refusal> {
        let mark = |attempt: &Attempt<'_>| {
            let (_, mut change) = attempt.permitted(may_fork)?;
            let live = &change.before;
            if live.stage() != Stage::Finished && !live.is_practice() {
                change.status_mut().was_forked = true;
                change.add_event(Happening::Forked);
            }
            Ok(change)
        };
        self.write(call, &mark).await?;
        Ok(())
    }

    /// Creates the same game again, with every player moved on by one seat and tokens that stay valid for the new
    /// seats. There is one rematch per session, however many players request it.
    pub async fn rematch(&self, live: &Arc<Live>, caller: Caller) -> Result<Creation, Refusal> {
        caller.needs_player_or_owner("a rematch requires the token of a player of the session")?;
        if live.stage() != Stage::Finished || live.is_closed() {
            return Err(Refusal::SessionRunning);
        }
        let mut seats = live.status.seats.clone();
        seats.rotate_right(1);
        let digest = rematch_digest(&live.id);
        let mut order = SessionOrder {
            ruleset: live.ruleset.clone(),
            options: options_of_rematch(live),
            seats,
            reserved: Vec::new(),
            host: live.status.roster.host,
            labels: live.facts.labels.for_rematch(),
            visibility: live.facts.visibility,
            seed: None,
            terms: live.facts.terms,
            waits: WaitTerms::default(),
            before: None,
        };
        // With somebody who has left for good, or older rules, it is a game for fun.
        order.terms.rated = order.terms.rated && self.may_be_rated(&order).await.is_ok();
        let key = IdempotencyKey {
            digest,
            fingerprint: digest,
        };
        self.create(&order, Some(&key)).await
    }

    /// Returns the id of the rematch of a session, if there is one.
    pub async fn rematch_of(&self, live: &Live) -> Result<Option<String>, Refusal> {
        let id = session_id(Some(&rematch_digest(&live.id)))?;
        match self.load(&id).await {
            Ok(_) => Ok(Some(id)),
            Err(Refusal::NotFound) => Ok(None),
            Err(refusal) => Err(refusal),
        }
    }
}

/// Returns the options of a session, those of a campaign with their values at its end, as far as they are allowed.
fn options_of_rematch(live: &Live) -> Map<String, Value> {
    let mut options = live.facts.options.clone();
    let state = live.play.as_ref().map(|play| play.state());
    for fact in &live.ruleset.checked.options {
        let value = fact.campaign.as_ref().zip(state);
        let value = value.and_then(|(query, state)| eval_query(&live.program, state, query));
        if let Some(value) = value.filter(|value| fact.shape.allows(*value)) {
            let before = options.insert(fact.name.clone(), option_value(fact, value));
            if live.ruleset.setup(live.program.seats, &options).is_err() {
                options.extend(before.map(|before| (fact.name.clone(), before)));
            }
        }
    }
    options
}

fn rematch_digest(id: &str) -> Digest {
    blake3::derive_key("wyrmgate 1 rematch", id.as_bytes())
}

fn may_fork(live: &Live, caller: Caller) -> Result<(), Refusal> {
    caller.needs_player_or_owner("only the players and the owner can fork this session")?;
    match live.facts.terms.forks {
        Forks::Always => Ok(()),
        Forks::Finished if live.stage() == Stage::Finished => Ok(()),
        Forks::Finished => Err(Refusal::SessionRunning),
        Forks::Never => Err(Refusal::Forbidden("this session does not allow forks")),
    }
}

/// Replays a record to its end to continue from there. Verifies its commitment, its random operations and its outcome
/// where it contains them.
pub fn replay_record(ruleset: &Ruleset, record: &Record) -> Result<([u8; 32], Before), Refusal> {
    let wrong = |message: String| Refusal::unprocessable("/record", message);
    let seed = record
        .seed_bytes()
        .map_err(|error| wrong(error.to_string()))?;
    let program = ruleset.program(usize::from(record.seats), &record.options);
    let program = program.map_err(|problems| {
        let messages: Vec<String> = problems.iter().map(ToString::to_string).collect();
        wrong(messages.join("; "))
    })?;
    replay::play_beginning(record, &program).map_err(|error| wrong(error.to_string()))?;
    let (mut play, _) =
        Play::begin(&program, seed).map_err(|fault| wrong(wyrmgate_view::sentence(&fault)))?;
    let mut moves = Vec::with_capacity(record.log.len());
    for (number, entry) in (1..).zip(&record.log) {
        checkpoint();
        let made = replay_choice(&program, &mut play, entry);
        moves.push(made.map_err(|why| wrong(format!("choice {number}: {why}")))?);
    }
    Ok((seed, Before { play, moves }))
}

fn replay_choice(
    program: &wyrmgate_program::Program,
    play: &mut Play,
    entry: &record::Entry,
) -> Result<LoggedMove, String> {
    let read = entry.read(program, play.state());
    let (pending, choice) = read.map_err(|problem| match problem {
        Some(rejection) => rejection.to_string(),
        None => "this seat does not owe this decision".to_owned(),
    })?;
    let stepped = play.step(program, &pending, &choice, false);
    stepped.map_err(|error| format!("{error:?}"))?;
    Ok(LoggedMove::new(entry.seat, false, pending.index, &choice))
}

/// Returns whether the caller must not receive the tokens of a rematch, because it is not new.
pub fn hides_tokens(creation: &Creation, caller_token: Option<&Token>) -> bool {
    let owner = creation.live.hash_of(TokenRights::Owner);
    let is_owner = caller_token
        .zip(owner)
        .is_some_and(|(token, owner)| owner.matches(&token.hash()));
    creation.is_replayed && !is_owner
}
