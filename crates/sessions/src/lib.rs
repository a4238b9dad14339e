//! Sessions: games in play, with their seats, tokens and log of decisions.
//!
//! ```text
//! Facts (fixed) + Status (seats) + Play (state, secret answers) ─ Change ─▶ one commit of the store
//! ```
//!
//! [`Service`] is the entry point. Every change is prepared on a copy of the cached session and written by one commit
//! that names the revision on which it is based. If another writer was faster, the change is prepared again. The cache
//! may be outdated; the store is authoritative. Seats are numbered from 1, here and in the API.

mod access;
mod bots;
mod changing;
mod content;
mod history;
pub mod metrics;
mod refusal;
mod service;
mod standing;
mod stateless;
mod storing;
mod time;
pub mod trace;
mod webhook;
pub mod webhook_sender;

use serde::{Serialize, de::DeserializeOwned};

use wyrmgate_base::presume::{Broken, Presume};
use wyrmgate_store::{Bytes, StoreError};

pub use access::seats::{Claim, Claimed};
pub use access::ticket::{TICKET_LIFETIME_MS, Ticket};
pub use access::token::{Bearer, Kind, NoEntropy, Token, TokenHash, chosen_secret};
pub use changing::create::{Before, Creation, DescribeCreation, Order};
pub use changing::forking::{hides_tokens, replay_record};
pub use changing::moves::{ChoiceId, ChoiceOrder, Move, NoChoiceId, decision_id};
pub use changing::undo::{UNDO_MAX, UndoOrder, UndoWish};
pub use content::facts::{Facts, Visibility, game_and_variant};
pub use content::live::{Caller, Live};
pub use content::play::{Play, seat_of};
pub use content::status::{Seat, Stage, Status};
pub use content::terms::{Clock, Forks, Replies, Spectators, Terms, Undo};
pub use history::cursor::{EventCursor, NoCursor};
pub use history::log::{After, Happening, LogEntry, LoggedMove, Owed};
pub use history::playback::Playback;
pub use history::reading::{LOOK_ANYWAY, Past};
pub use refusal::{Reason, Refusal};
pub use service::{Answered, Call, Describe, Key, Made, Service};
pub use standing::{
    CONDITIONS_MAX, Comparison, EventTest, ORDERS_MAX, Relation, StandingAnswer, StandingOrder,
};
pub use stateless::sealed::{Sealer, open_with, seal_with};
pub use stateless::simulating::{GAMES_MAX, Simulation, SimulationOrder};
pub use stateless::stepping::{Luck, StatelessGame, WORLDS_MAX};
pub use storing::answering::AnswerPlace;
pub use storing::listing::{Summary, index};
pub use time::duty::Duty;
pub use webhook::{
    Deliverer, Delivery, Disabled, MessageId, Outcome, Schedule, WEBHOOKS_MAX, Webhook,
    WebhookEvent, WebhookOrder, WebhookSecrets, Webhooks,
};
pub use wyrmgate_search::bot::Bot;

fn to_json<T: Serialize>(value: &T) -> Result<Bytes, Broken> {
    let bytes = serde_json::to_vec(value);
    bytes
        .map(Bytes::from)
        .presume("the data of a session serializes to JSON")
}

fn from_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, StoreError> {
    serde_json::from_slice(bytes).map_err(|error| StoreError::Corrupt(error.to_string()))
}
