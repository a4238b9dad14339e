//! Sessions: games in play, with their seats, tokens and log of decisions.
//!
//! ```text
//! SessionFacts (fixed) + Status (seats) + Play (state, secret answers) ─ PendingChange ─▶ one commit of the store
//! ```
//!
//! [`Service`] is the entry point. Every change is prepared on a copy of the cached session and written by one commit
//! that names the revision on which it is based. If another writer was faster, the change is prepared again. The cache
//! may be outdated; the store is authoritative. Seats are numbered from 1, here and in the API.

mod access;
mod bots;
mod changing;
mod content;
mod duty;
mod history;
pub mod metrics;
mod queue;
mod refusal;
mod service;
mod stateless;
mod storing;
pub mod trace;
mod watching;
mod webhook;
pub mod webhook_sender;

pub use access::caller::Caller;
pub use access::player::{NoPlayerId, PlayerId};
pub use access::token::{Bearer, NoEntropy, Token, TokenHash, TokenRights, chosen_secret};
pub use changing::call::{Answered, Call, CommittedChange, Describe};
pub use changing::create::{Before, Creation, DescribeCreation, SessionOrder};
pub use changing::forking::{hides_tokens, replay_record};
pub use changing::free_text::FreeText;
pub use changing::moves::{ChoiceId, ChoiceOrder, Move, NoChoiceId, decision_id};
pub use changing::reach::{PossibleUndo, UNDOS_MAX, UndoNeeds};
pub use changing::seats::{Claim, Claimed};
pub use changing::seeker::{Seeker, rating_in};
pub use changing::seeking::Sought;
pub use changing::tournaments::TournamentOrder;
pub use changing::undo::{UndoOffers, UndoOrder};
pub use content::contest::{Contest, SeatRating};
pub use content::cursor::{EventCursor, NoCursor};
pub use content::facts::{SessionFacts, SessionLabels, Visibility, game_and_variant};
pub use content::live::Live;
pub use content::log::{After, Declaration, Happening, LogEntry, LoggedMove, Owed, SeatTime};
pub use content::messages::{MESSAGES_MAX, MessageBoard, TableMessage};
pub use content::outbox::Webhooks;
pub use content::play::{Play, seat_of, untold};
pub use content::rating::{ClockClass, NoRatingClass, Rating, RatingClass, Ratings};
pub use content::stage::Stage;
pub use content::standing::{
    CONDITIONS_MAX, Comparison, EventTest, ORDERS_MAX, PresetAnswer, StandingAnswer, ValueRelation,
};
pub use content::status::{Reservation, Roster, Seat, Status, UndoWish};
pub use content::terms::{
    Clock, DelayKind, Endings, Forks, MessagePolicy, Replies, Resignations, SpectatorView, Terms,
    TimeEnd, Undo,
};
pub use content::times::{Deadline, rfc3339};
pub use content::tournament::{
    Entrant, Tournament, TournamentFormat, TournamentRank, TournamentTable, TournamentTerms,
};
pub use content::waiting::{RatingRange, SeekTerms, WaitTerms};
pub use content::webhook::{
    Delivery, DeliveryOutcome, Disabled, MessageId, WEBHOOKS_MAX, Webhook, WebhookEvent,
    WebhookFormat, WebhookOrder,
};
pub use duty::Duty;
pub use history::playback::Playback;
pub use history::reading::{LOOK_ANYWAY, PastChange};
pub use refusal::{Refusal, RefusalReason};
pub use service::{Service, UNDO_MAX};
pub use stateless::sealed::{Sealer, open_with, seal_with};
pub use stateless::simulating::{GAMES_MAX, SimulationOrder, StoredSimulation};
pub use stateless::stepping::{ChanceDecider, StatelessGame, WORLDS_MAX};
pub use storing::answering::{AnswerPlace, IdempotencyKey};
pub use storing::listing::{LobbyEntry, Urgency, index, player_index, tag_index};
pub use storing::players::{
    CountedGame, HookTerms, PlayerProfile, ProfileWebhook, player_of, rating_index,
};
pub use storing::seeks::{SeatedPlayer, SeekEntry};
pub use storing::tournaments::TournamentEntry;
pub use watching::messages::MessageOrder;
pub use watching::player::{PlayerEvent, PlayerNews, PlayerWatch, Wakeup};
pub use watching::ticket::{TICKET_LIFETIME_MS, Ticket};
pub use webhook::deliverer::Deliverer;
pub use webhook::message::{DigestMessage, WebhookMessage};
pub use webhook::schedule::Schedule;
pub use webhook::secrets::WebhookSecrets;
pub use wyrmgate_runner::choices;
pub use wyrmgate_search::bot::Bot;
