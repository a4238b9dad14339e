//! A new session.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::facts::{FORMAT, Facts, Visibility};
use super::live::Live;
use super::log::{Happening, LoggedMove};
use super::play::Play;
use super::seed::Secrets;
use super::service::{Key, Service};
use super::status::{Seat, Stage, Status};
use super::terms::{Spectators, Terms};
use super::token::{Kind, Token};
use super::{Reason, Refusal, change::Change, clock};
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_compile::check::OptionProblem;
use wyrmgate_store::{Bytes, Create, Created, session_id};

/// What a client wants.
#[derive(Debug, Clone)]
pub struct Order {
    pub ruleset: Arc<Ruleset>,
    pub options: Map<String, Value>,
    /// Who sits where from the start.
    pub seats: Vec<Seat>,
    pub visibility: Visibility,
    /// A seed of the client's own, for practice.
    pub seed: Option<[u8; 32]>,
    pub terms: Terms,
    /// A game that is under way.
    pub before: Option<Before>,
}

/// Where a fork or an imported record goes on.
#[derive(Debug, Clone)]
pub struct Before {
    pub play: Play,
    pub moves: Vec<LoggedMove>,
}

/// A session, and what only its creator is told.
#[derive(Debug, Clone)]
pub struct Creation {
    pub live: Arc<Live>,
    pub owner: Token,
    pub invite: Option<Token>,
    /// For spectators of a private session.
    pub watch: Option<Token>,
    /// Created before by the same request.
    pub is_replayed: bool,
    /// What was answered then, where that was recorded.
    pub first_answer: Option<Bytes>,
}

/// Makes the answer to a creation that is recorded with it.
pub type DescribeCreation<'a> = &'a dyn Fn(&Creation) -> Bytes;

impl Service {
    /// Creates a session. A retry with the same key finds the session of the first attempt.
    pub async fn create(&self, order: &Order, key: Option<&Key>) -> Result<Creation, Refusal> {
        self.create_answering(order, key, &|_| Bytes::default())
            .await
    }

    /// As [`Service::create`], recording the answer with the session.
    pub async fn create_answering(
        &self,
        order: &Order,
        key: Option<&Key>,
        describe: DescribeCreation<'_>,
    ) -> Result<Creation, Refusal> {
        self.keep_ruleset(&order.ruleset).await?;
        let id = session_id(key.map(|key| &key.digest))?;
        let secrets = Secrets::new(order.seed)?;
        let tokens = Tokens::of(&secrets, order.visibility, order.terms);
        let now = clock::now_ms();
        let live = unborn(&id, order, &secrets, now, &tokens)?;
        let mut change = Change::of(live, now);
        change.tell(Happening::SessionCreated);
        if let Some(before) = order.before.clone() {
            change.resume(before.play, before.moves);
            change.play_bots(&mut super::service::bot()?);
        } else if change.is_due_to_begin() {
            change.begin(&secrets)?;
            change.play_bots(&mut super::service::bot()?);
        }
        let prepared = change.prepare()?;
        let mut create = Create::new(&id);
        create.mark = prepared.live.mark;
        create.fixed = prepared.live.facts.encode()?;
        create.status = prepared.live.status.encode()?;
        create.snapshot = prepared.written.snapshot.unwrap_or_default();
        create.secret = Some(secrets.encode());
        create.entry = prepared.written.entry;
        create.listing = super::listing::listing(&prepared.live.facts, &prepared.live.status)?;
        create.expires_at_ms = Some(self.expiry());
        let creation = tokens.handed_out(prepared.live.clone());
        create.idempotency = key.map(|key| key.recorded(describe(&creation)));
        match self.store.create(create).await? {
            Created::Done(position) => {
                debug_assert_eq!(position, prepared.live.position);
                self.cache.slot(&prepared.live.id).keep(&prepared.live);
                self.drive(&prepared.live);
                Ok(creation)
            }
            Created::Duplicate(recorded) => match key {
                Some(key) => self.created(&id, key.answer_of(recorded)?).await,
                None => Err(Refusal::KeyMismatch),
            },
            Created::Exists => Err(Refusal::KeyMismatch),
        }
    }

    /// The session of an earlier attempt, as it is now, with the tokens it was given then.
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

    /// Forgets a session and everything of it. A request whose key was accepted before finds it gone, and that is success.
    pub async fn remove(
        &self,
        id: &str,
        token: Option<&Token>,
        key: Option<&Key>,
    ) -> Result<(), Refusal> {
        let (live, caller) = match self.look(id, token).await {
            Err(Refusal::NotFound) if self.was_accepted(key).await? => return Ok(()),
            found => found?,
        };
        super::seats::owner_only(caller)?;
        self.note_accepted(key).await?;
        self.cache.forget(&live.id);
        match self.store.remove(id).await? {
            true => Ok(()),
            // Another node may have served the same request.
            false if key.is_some() => Ok(()),
            false => Err(Refusal::NotFound),
        }
    }
}

/// Derived from the session's own key, so that they can be told again to a retry.
struct Tokens {
    owner: Token,
    invite: Option<Token>,
    watch: Option<Token>,
}

impl Tokens {
    fn of(secrets: &Secrets, visibility: Visibility, terms: Terms) -> Tokens {
        let derived = |kind| Token::derived(kind, &secrets.token_key, 0, &[0; 32]);
        let is_private = visibility == Visibility::Private;
        let is_watched = is_private && terms.spectators != Spectators::Nothing;
        Tokens {
            owner: derived(Kind::Owner),
            invite: is_private.then(|| derived(Kind::Invite)),
            watch: is_watched.then(|| derived(Kind::Spectator)),
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
    order: &Order,
    secrets: &Secrets,
    now_ms: u64,
    tokens: &Tokens,
) -> Result<Arc<Live>, Refusal> {
    let seats = u8::try_from(order.seats.len())
        .map_err(|_| Refusal::unprocessable("/seats", "too many seats"))?;
    let options = order
        .ruleset
        .complete_options(order.seats.len(), &order.options)
        .map_err(|problems| bad_options(&order.ruleset, &problems))?;
    let program = order
        .ruleset
        .program(order.seats.len(), &options)
        .map_err(|problems| bad_options(&order.ruleset, &problems))?;
    let facts = Facts {
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
        terms: order.terms,
    };
    let status = Status {
        stage: Stage::Waiting,
        seats: order.seats.clone(),
        undo: None,
        renewed: Vec::new(),
        standing: Vec::new(),
        clocks: Vec::new(),
        bots_since_ms: None,
        entropy: Vec::new(),
        was_forked: false,
        webhooks: None,
    };
    let live = Live {
        id: id.into(),
        position: Default::default(),
        mark: Default::default(),
        version_mark: Default::default(),
        facts: Arc::new(facts),
        ruleset: order.ruleset.clone(),
        program,
        status: Arc::new(status),
        play: None,
    };
    Ok(live.unwritten())
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
    let reason = Reason {
        message: messages.join("; "),
        clauses: clauses.filter_map(|id| ruleset.clause_called(id)).collect(),
        place: None,
    };
    Refusal::ImpossibleSetup {
        pointer,
        reason: Box::new(reason),
    }
}
