//! Creation of sessions.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::access::player::PlayerId;
use crate::access::token::{Token, TokenRights};
use crate::changing::call::Call;
use crate::changing::pending::PendingChange;
use crate::changing::pending::preparing::Prepared;
use crate::changing::pending::writing::Attempt;
use crate::content::facts::{FORMAT, SessionFacts, SessionLabels, Visibility};
use crate::content::live::Live;
use crate::content::log::{Happening, LoggedMove};
use crate::content::play::Play;
use crate::content::seed::Secrets;
use crate::content::status::{Reservation, Roster, Seat, Status};
use crate::content::terms::{SpectatorView, Terms};
use crate::content::waiting::WaitTerms;
use crate::service::{Service, bot};
use crate::storing::answering::IdempotencyKey;
use crate::storing::listing::listing;
use crate::{Refusal, RefusalReason};
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_compile::check::OptionProblem;
use wyrmgate_program::Program;
use wyrmgate_runtime::surroundings::now_ms;
use wyrmgate_store::{Bytes, Create, Created, session_id};

/// The settings of a new session.
#[derive(Debug, Clone)]
pub struct SessionOrder {
    pub ruleset: Arc<Ruleset>,
    pub options: Map<String, Value>,
    /// The initial players, seat 1 first.
    pub seats: Vec<Seat>,
    pub reserved: Vec<Reservation>,
    /// Who opens the session, if it is known across sessions.
    pub host: Option<PlayerId>,
    pub labels: SessionLabels,
    pub visibility: Visibility,
    /// A seed chosen by the client. It makes the session practice.
    pub seed: Option<[u8; 32]>,
    pub terms: Terms,
    pub waits: WaitTerms,
    /// A game in progress to continue.
    pub before: Option<Before>,
}

/// The position from which a fork or an imported record continues.
#[derive(Debug, Clone)]
pub struct Before {
    pub play: Play,
    pub moves: Vec<LoggedMove>,
}

/// A session with the secrets that only its creator receives.
#[derive(Debug, Clone)]
pub struct Creation {
    pub live: Arc<Live>,
    pub owner: Token,
    pub invite: Option<Token>,
    /// The token for spectators of a private session.
    pub watch: Option<Token>,
    /// Whether an earlier attempt of the same request created the session.
    pub is_replayed: bool,
    /// The stored response of that attempt, if there is one.
    pub first_answer: Option<Bytes>,
}

/// Builds the response to a creation, which is stored with the session.
pub type DescribeCreation<'a> = &'a dyn Fn(&Creation) -> Bytes;

impl Service {
    /// Creates a session. A retry with the same key finds the session of the first attempt.
    pub async fn create(
        &self,
        order: &SessionOrder,
        key: Option<&IdempotencyKey>,
    ) -> Result<Creation, Refusal> {
        self.create_answering(order, key, &|_| Bytes::default())
            .await
    }

    /// Creates a session and stores the response with it.
    pub async fn create_answering(
        &self,
        order: &SessionOrder,
        key: Option<&IdempotencyKey>,
        describe: DescribeCreation<'_>,
    ) -> Result<Creation, Refusal> {
        if order.terms.rated {
            self.may_be_rated(order).await?;
        }
        self.keep_ruleset(&order.ruleset).await?;
        let id = session_id(key.map(|key| &key.digest))?;
        let secrets = Secrets::new(order.seed)?;
        let tokens = Tokens::of(&secrets, order.visibility, order.terms);
        let mut profiles = Vec::new();
        let seated = order.seats.iter().filter_map(Seat::player);
        for player in seated.chain(order.labels.key_holder()) {
            profiles.push((player, self.player(player).await?));
        }
        let now = now_ms();
        let session = unborn(&id, order, &secrets, now, &tokens)?;
        self.free_text.allows_game(&session.program)?;
        let mut change = PendingChange::first(session, now);
        change.add_event(Happening::SessionCreated);
        for (player, profile) in &profiles {
            change.introduce(*player, profile);
        }
        if let Some(before) = order.before.clone() {
            change.resume(before.play, before.moves);
            change.play_bots(&mut bot()?);
        } else if change.is_due_to_begin() {
            change.begin(&secrets)?;
            change.play_bots(&mut bot()?);
        }
        let Prepared { made, commit, .. } = change.prepare(None)?;
        let live = made.live;
        let mut create = Create::new(&id);
        create.mark = live.mark;
        create.fixed = live.facts.encode()?;
        create.status = live.status.encode()?;
        create.snapshot = commit.snapshot.unwrap_or_default();
        create.secret = Some(secrets.encode());
        create.entry = commit.entry;
        create.listing = listing(&live);
        create.expires_at_ms = Some(self.expiry());
        let creation = tokens.handed_out(live.clone());
        create.idempotency = key.map(|key| key.recorded(describe(&creation)));
        match self.store.create(create).await? {
            Created::Done(position) => {
                debug_assert_eq!(position, live.position);
                self.cache.slot(&live.id).keep(&live);
                self.drive(&live);
                self.call_webhooks(&live);
                self.tell_players(live.status.players()).await;
                Ok(creation)
            }
            Created::Duplicate(recorded) => match key {
                Some(key) => {
                    let creation = self.created(&id, key.answer_of(recorded)?).await?;
                    // The node of the first attempt may have died before it told them.
                    self.tell_players(creation.live.status.players()).await;
                    Ok(creation)
                }
                None => Err(Refusal::KeyMismatch),
            },
            Created::Exists => Err(Refusal::KeyMismatch),
            Created::Removed => Err(Refusal::NotFound),
        }
    }

    /// Returns the session of an earlier attempt in its current state, with its original tokens.
    async fn created(&self, id: &str, first_answer: Bytes) -> Result<Creation, Refusal> {
        let live = self.load(id).await?;
        let (visibility, terms) = (live.facts.visibility, live.facts.terms);
        let tokens = Tokens::of(&self.secrets(id).await?, visibility, terms);
        Ok(Creation {
            is_replayed: true,
            first_answer: Some(first_answer).filter(|answer| !answer.is_empty()),
            ..tokens.handed_out(live)
        })
    }

    /// Deletes a session and all of its data. If a request with this key was accepted before, the request succeeds again,
    /// whatever is left of the session and of the caller's credential.
    pub async fn remove(
        &self,
        id: &str,
        token: Option<&Token>,
        key: Option<&IdempotencyKey>,
    ) -> Result<(), Refusal> {
        if let Err(refusal) = self.mark_as_removed(id, token, key).await {
            let is_gone = async || matches!(self.load(id).await, Err(Refusal::NotFound));
            if !self.was_accepted(key).await? || !is_gone().await {
                return Err(refusal);
            }
        }
        self.cache.forget(id);
        self.remove_messages(id).await?;
        // Another node, or the first attempt, may have done it.
        self.store.remove(id).await?;
        Ok(())
    }

    /// Removes a session for everybody, in a change like any other: only the owner of that moment can.
    async fn mark_as_removed(
        &self,
        id: &str,
        token: Option<&Token>,
        key: Option<&IdempotencyKey>,
    ) -> Result<(), Refusal> {
        let owned = self.look(id, token).await?.1.needs_owner();
        owned.map_err(|refusal| refusal.for_bearer(token))?;
        self.note_accepted(key).await?;
        let remove = |attempt: &Attempt<'_>| {
            let mut change = attempt.by_owner()?;
            change.before.may_be_removed()?;
            change.status_mut().is_removed = true;
            Ok(change)
        };
        self.write(Call::once(id, token), &remove).await.map(|_| ())
    }
}

/// Tokens derived from the session's own key, so that a retry can receive them again.
struct Tokens {
    owner: Token,
    invite: Option<Token>,
    watch: Option<Token>,
}

impl Tokens {
    fn of(secrets: &Secrets, visibility: Visibility, terms: Terms) -> Tokens {
        let derived = |kind| Token::derived(kind, &secrets.token_key, 0, &[0; 32]);
        let is_private = visibility == Visibility::Private;
        let is_watched = is_private && terms.spectators != SpectatorView::Nothing;
        Tokens {
            owner: derived(TokenRights::Owner),
            invite: is_private.then(|| derived(TokenRights::Invite)),
            watch: is_watched.then(|| derived(TokenRights::Spectator)),
        }
    }

    fn handed_out(self, live: Arc<Live>) -> Creation {
        Creation {
            live,
            owner: self.owner,
            invite: self.invite,
            watch: self.watch,
            is_replayed: false,
            first_answer: None,
        }
    }
}

fn unborn(
    id: &str,
    order: &SessionOrder,
    secrets: &Secrets,
    now_ms: u64,
    tokens: &Tokens,
) -> Result<Live, Refusal> {
    let seats = u8::try_from(order.seats.len())
        .map_err(|_| Refusal::unprocessable("/seats", "too many seats"))?;
    let (seats_in_all, ruleset) = (order.seats.len(), &order.ruleset);
    let CheckedSetup {
        options,
        program,
        terms,
    } = CheckedSetup::of(ruleset, seats_in_all, &order.options, order.terms)?;
    let facts = SessionFacts {
        format: FORMAT,
        game: order.ruleset.name.clone(),
        ruleset: order.ruleset.digest.clone(),
        seats,
        options,
        visibility: order.visibility,
        practice: order.seed.is_some(),
        commitment: secrets.commitment(),
        created_at_ms: now_ms,
        owner: tokens.owner.hash(),
        invite: tokens.invite.as_ref().map(Token::hash),
        watch: tokens.watch.as_ref().map(Token::hash),
        terms,
        labels: order.labels.clone(),
        waits: order.waits.clone(),
    };
    let status = Status {
        seats: order.seats.clone(),
        roster: Roster {
            host: order.host,
            reserved: order.reserved.clone(),
            wait: order.waits.begun(now_ms),
            ..Roster::default()
        },
        ..Status::default()
    };
    Ok(Live {
        id: id.into(),
        position: Default::default(),
        mark: Default::default(),
        version_mark: Default::default(),
        facts: Arc::new(facts),
        ruleset: order.ruleset.clone(),
        program,
        status: Arc::new(status),
        play: None,
    })
}

/// What a session is played with, complete.
pub(crate) struct CheckedSetup {
    pub options: Map<String, Value>,
    pub program: Arc<Program>,
    pub terms: Terms,
}

impl CheckedSetup {
    /// Completes the options and the terms, or says why they do not fit the game.
    pub fn of(
        ruleset: &Ruleset,
        seats: usize,
        options: &Map<String, Value>,
        terms: Terms,
    ) -> Result<CheckedSetup, Refusal> {
        let bad = |problems: Vec<OptionProblem>| bad_options(ruleset, &problems);
        let options = ruleset.complete_options(seats, options).map_err(bad)?;
        let program = ruleset.program(seats, &options).map_err(bad)?;
        let terms = terms.completed(&program);
        let terms = terms.map_err(|(pointer, reason)| Refusal::unprocessable(pointer, reason))?;
        Ok(CheckedSetup {
            options,
            program,
            terms,
        })
    }
}

fn bad_options(ruleset: &Ruleset, problems: &[OptionProblem]) -> Refusal {
    let pointer = match problems.first() {
        Some(problem) if problem.option != "seats" => {
            let name = problem.option.replace('~', "~0").replace('/', "~1");
            format!("/options/{name}")
        }
        _ => "/seats".to_owned(),
    };
    let messages: Vec<&str> = problems.iter().map(|p| p.message.as_str()).collect();
    let clauses = problems.iter().flat_map(|problem| &problem.clauses);
    let reason = RefusalReason {
        message: messages.join("; "),
        clauses: clauses.filter_map(|id| ruleset.clause_called(id)).collect(),
        place: None,
    };
    Refusal::ImpossibleSetup {
        pointer,
        reason: Box::new(reason),
    }
}
