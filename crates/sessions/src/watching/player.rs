//! What happens in all sessions of a player, as one sequence.
//!
//! Nothing is stored for it: the sessions are found in the index of the player, and each of them has its own log. Each session
//! announces its changes, and the record of the player announces new sessions.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use futures_util::future::join_all;
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::Refusal;
use crate::access::player::PlayerId;
use crate::content::live::Live;
use crate::content::log::{Declaration, Happening, LoggedMove};
use crate::content::stage::Stage;
use crate::history::reading::{LOOK_ANYWAY, PastChange};
use crate::service::Service;
use crate::storing::listing::{Urgency, player_index};
use crate::storing::players::record_of;
use wyrmgate_store::{ListedSession, Subscription};

/// Maximum number of sessions that are watched for a player, the most urgent ones.
const WATCHED_MAX: usize = 1_000;
/// Number of sessions or changes read at a time.
const READ_AHEAD: usize = 100;
/// What was written up to so long before a moment may have become known after it.
const OVERLAP_MS: u64 = 10_000;

wyrmgate_base::named_enum! {
    /// What a change means to a player, the most important first.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum PlayerEvent {
        /// The game is over.
        Finished = "finished",
        /// The ratings of the players have changed.
        Rated = "rated",
        /// The player owes a decision that it did not owe before, or another one after its own move.
        Turn = "turn",
        /// Somebody offers or asks for something.
        Offer = "offer",
        /// The game has begun, or the player has come to it.
        Started = "started",
        /// A seat is reserved for the player.
        Invited = "invited",
        /// Whom the player has challenged declined, and the session is over.
        Declined = "declined",
        /// No seat is the player's any more, and none is reserved for it.
        Left = "left",
        /// Anything else.
        Moved = "moved",
    }
}

/// A change of one of the sessions of a player.
pub struct PlayerNews {
    pub live: Arc<Live>,
    pub seat: u8,
    pub past: PastChange,
    pub event: PlayerEvent,
}

/// Why a watch woke up: a session, or the player itself, has news; or it is time to look anyway.
pub struct Wakeup(Option<Bell>);

/// A subscription that has rung: that of a session, or that of the player itself (`None`).
type Bell = (Option<String>, Subscription);

/// What was told of a session last.
#[derive(Clone, Copy, Default)]
struct Told {
    version: u64,
    /// Whether the player owed a decision.
    owed: bool,
    /// The seat that the player had or that was reserved for it.
    seat: Option<u8>,
}

/// All sessions of a player that go on, with what was told of them.
pub struct PlayerWatch {
    player: PlayerId,
    told: HashMap<String, Told>,
    bells: JoinSet<Bell>,
    news: VecDeque<PlayerNews>,
}

impl Service {
    /// Begins to watch the sessions of a player. With a moment, the changes since then come first, and perhaps some of the
    /// seconds before it again.
    pub async fn watch_player(
        &self,
        player: PlayerId,
        since_ms: Option<u64>,
    ) -> Result<PlayerWatch, Refusal> {
        let mut watch = PlayerWatch {
            player,
            told: HashMap::new(),
            bells: JoinSet::new(),
            news: VecDeque::new(),
        };
        let record = self.store.subscribe(&record_of(player)).await?;
        watch.wait_for(None, record);
        let since_ms = since_ms.map(|since| since.saturating_sub(OVERLAP_MS));
        watch.join_all(self, since_ms, false).await?;
        let news = watch.news.make_contiguous();
        news.sort_by_key(|news| news.past.entry.at_ms);
        Ok(watch)
    }
}

impl PlayerWatch {
    /// Returns the next change that was read.
    pub fn news(&mut self) -> Option<PlayerNews> {
        self.news.pop_front()
    }

    /// Waits until there is something to read. Nothing is lost if this is dropped.
    pub async fn wait(&mut self) -> Wakeup {
        let rung = timeout(LOOK_ANYWAY, self.bells.join_next()).await;
        Wakeup(rung.ok().flatten().and_then(Result::ok))
    }

    /// Reads what has happened.
    pub async fn read_on(&mut self, service: &Service, wakeup: Wakeup) -> Result<(), Refusal> {
        match wakeup.0 {
            Some((Some(session), bell)) => {
                let live = self.load(service, &session).await?;
                if let Some(live) = live
                    && self.read(service, &live).await?
                {
                    self.wait_for(Some(session), bell);
                }
                Ok(())
            }
            Some((None, bell)) => {
                self.wait_for(None, bell);
                self.join_all(service, None, true).await
            }
            None => self.join_all(service, None, true).await,
        }
    }

    fn wait_for(&mut self, session: Option<String>, mut bell: Subscription) {
        self.bells.spawn(async move {
            bell.notified().await;
            (session, bell)
        });
    }

    /// Watches the sessions that are not watched yet.
    async fn join_all(
        &mut self,
        service: &Service,
        since_ms: Option<u64>,
        is_new: bool,
    ) -> Result<(), Refusal> {
        let mut after = None;
        while self.told.len() < WATCHED_MAX {
            let query = player_index(self.player).page(after, READ_AHEAD);
            let page = service.list(query).await?;
            // Finished sessions matter only if they ended after that moment.
            let is_past = |listed: &ListedSession| {
                let ended = listed.score - Urgency::Finished.scores().start();
                let is_over = Urgency::Finished.scores().contains(&listed.score);
                is_over && since_ms.is_none_or(|since| ended < since)
            };
            let is_last = page.next.is_none() || page.items.iter().any(is_past);
            let wanted = page.items.into_iter().take_while(|listed| !is_past(listed));
            let new = wanted.filter(|listed| !self.told.contains_key(&listed.session));
            let opened = join_all(new.map(|listed| opened(service, listed.session))).await;
            for opened in opened {
                if let Some((live, bell)) = opened? {
                    self.join(service, &live, bell, since_ms, is_new).await?;
                }
            }
            after = page.next;
            if is_last {
                return Ok(());
            }
        }
        Ok(())
    }

    async fn join(
        &mut self,
        service: &Service,
        live: &Arc<Live>,
        bell: Subscription,
        since_ms: Option<u64>,
        is_new: bool,
    ) -> Result<(), Refusal> {
        let version = match since_ms {
            Some(since) => version_at(service, live, since).await?,
            None => live.version() - u64::from(is_new),
        };
        let is_told = version == live.version();
        let told = Told {
            version,
            owed: is_told && self.owes(live),
            seat: live.status.place_of(self.player).filter(|_| is_told),
        };
        self.told.insert(live.id.to_string(), told);
        if self.read(service, live).await? {
            self.wait_for(Some(live.id.to_string()), bell);
        }
        Ok(())
    }

    async fn load(
        &mut self,
        service: &Service,
        session: &str,
    ) -> Result<Option<Arc<Live>>, Refusal> {
        match service.load(session).await {
            Ok(live) => Ok(Some(live)),
            Err(Refusal::NotFound) => {
                self.told.remove(session);
                Ok(None)
            }
            Err(refusal) => Err(refusal),
        }
    }

    fn owes(&self, live: &Live) -> bool {
        let mut seats = live.status.seats_of(self.player);
        seats.any(|seat| live.owing(Some(seat)).contains(&seat))
    }

    /// Reads what was not told yet of a session; returns whether more can come.
    async fn read(&mut self, service: &Service, live: &Arc<Live>) -> Result<bool, Refusal> {
        let session = &*live.id;
        let mut told = self.told.get(session).copied().unwrap_or_default();
        let Some(seat) = live.status.seats_of(self.player).next() else {
            return self.read_from_outside(service, live, told).await;
        };
        while told.version < live.version() {
            let past = service.history(session, told.version, READ_AHEAD).await?;
            let Some(last) = past.last() else { break };
            told.version = last.version;
            for past in past {
                let owes = self.owes_after(live, &past);
                // Who has moved and owes the next decision, too, has a turn again.
                let moved = |made: &LoggedMove| made.seat == seat;
                let is_anew = !told.owed || past.entry.moves.iter().any(moved);
                let event = meaning(&past, seat, owes && is_anew);
                told.owed = owes;
                self.news.push_back(PlayerNews {
                    live: live.clone(),
                    seat,
                    past,
                    event,
                });
            }
        }
        told.seat = Some(seat);
        self.told.insert(session.to_owned(), told);
        // What a game does to the ratings is told after its end.
        Ok(live.stage() != Stage::Finished || live.due_contest().is_some())
    }

    /// Reads a session in which the player has no seat: one may be reserved for it, or it has left.
    async fn read_from_outside(
        &mut self,
        service: &Service,
        live: &Arc<Live>,
        mut told: Told,
    ) -> Result<bool, Refusal> {
        let awaited = live.status.place_of(self.player);
        let news = match (awaited, told.seat) {
            (Some(seat), None) => Some((seat, PlayerEvent::Invited)),
            (None, Some(seat)) => Some((seat, PlayerEvent::Left)),
            (Some(_), Some(_)) | (None, None) => None,
        };
        let before = live.version().saturating_sub(1);
        let last = service.history(&live.id, before, 1).await?.pop();
        if let (Some((seat, event)), Some(mut past)) = (news, last)
            && let Some(event) = event_of_closing(&past, event)
        {
            past.entry.after = None; // the rest is not told to somebody without a seat
            self.news.push_back(PlayerNews {
                live: live.clone(),
                seat,
                past,
                event,
            });
        }
        (told.version, told.seat) = (live.version(), awaited);
        let is_listed = live.status.players().contains(&self.player);
        match is_listed {
            true => self.told.insert(live.id.to_string(), told),
            false => self.told.remove(&*live.id), // it may come back
        };
        Ok(is_listed)
    }

    fn owes_after(&self, live: &Live, past: &PastChange) -> bool {
        let Some(after) = &past.entry.after else {
            return false;
        };
        let mut seats = live.status.seats_of(self.player);
        seats.any(|seat| after.owed_for(Some(seat)).any(|owed| owed.seat == seat))
    }
}

/// Returns a session and what rings when it changes, unless it is gone.
async fn opened(
    service: &Service,
    session: String,
) -> Result<Option<(Arc<Live>, Subscription)>, Refusal> {
    // Subscribe before reading: a change in between is then seen by at least one of the two.
    let bell = service.subscribe(&session).await?;
    match service.load(&session).await {
        Ok(live) => Ok(Some((live, bell))),
        Err(Refusal::NotFound) => Ok(None),
        Err(refusal) => Err(refusal),
    }
}

/// Returns the last version of a session before a moment.
async fn version_at(service: &Service, live: &Live, since_ms: u64) -> Result<u64, Refusal> {
    let mut version = live.version();
    loop {
        let from = version.saturating_sub(READ_AHEAD as u64);
        let past = service.history(&live.id, from, READ_AHEAD).await?;
        let mut before = past.iter().rev().filter(|past| past.version <= version);
        match before.find(|past| past.entry.at_ms < since_ms) {
            Some(past) => return Ok(past.version),
            None if from == 0 => return Ok(0),
            None => version = from,
        }
    }
}

fn meaning(past: &PastChange, seat: u8, is_turn: bool) -> PlayerEvent {
    let happenings = &past.entry.happenings;
    let mut all = PlayerEvent::ALL.into_iter();
    let is_meant = |event: &PlayerEvent| match event {
        PlayerEvent::Finished => past.entry.finished,
        PlayerEvent::Rated => happenings.iter().any(is_rating),
        PlayerEvent::Turn => is_turn,
        PlayerEvent::Offer => happenings.iter().any(is_offer),
        PlayerEvent::Started => happenings.iter().any(|happening| match happening {
            Happening::SeatTaken { seat: taken, .. } => *taken == seat,
            happening => matches!(happening, Happening::SessionCreated | Happening::Resumed),
        }),
        PlayerEvent::Invited | PlayerEvent::Left | PlayerEvent::Declined => false,
        PlayerEvent::Moved => true,
    };
    all.find(is_meant).unwrap_or(PlayerEvent::Moved)
}

fn is_rating(happening: &Happening) -> bool {
    let rated = Declaration::Rated;
    matches!(happening, Happening::Declared { what, .. } if *what == rated)
}

/// Returns what a change means to somebody who has no seat after it. Who has moved to another session hears of that one.
fn event_of_closing(past: &PastChange, event: PlayerEvent) -> Option<PlayerEvent> {
    let mut happenings = past.entry.happenings.iter();
    let is_declared = |happening: &Happening, why| matches!(happening, Happening::Declared { what, .. } if *what == why);
    if event == PlayerEvent::Left
        && happenings
            .clone()
            .any(|of| is_declared(of, Declaration::Declined))
    {
        return Some(PlayerEvent::Declined);
    }
    let has_moved = happenings.any(|of| is_declared(of, Declaration::Matched));
    (!has_moved).then_some(event)
}

fn is_offer(happening: &Happening) -> bool {
    let offers = [Declaration::DrawOffered, Declaration::PauseWanted];
    let is_declared =
        matches!(happening, Happening::Declared { what, .. } if offers.contains(what));
    is_declared || matches!(happening, Happening::UndoWished { .. })
}
