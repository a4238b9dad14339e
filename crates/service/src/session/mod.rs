//! Sessions: games in play, with their seats, tokens and log of decisions.
//!
//! ```text
//! Facts (fixed) + Status (seats) + Play (state, secret answers) ─ Change ─▶ one commit of the store
//! ```
//!
//! [`Service`] is the entry point. Every change is prepared on a copy of the cached session and written by one commit
//! that names the revision on which it is based. If another writer was faster, the change is prepared again. The cache
//! may be outdated; the store is authoritative. Seats are numbered from 1, here and in the API.

mod answering;
mod budget;
mod cache;
mod change;
mod clock;
mod create;
mod cursor;
mod duty;
mod facts;
mod forking;
pub mod hex;
mod history;
mod listing;
mod live;
mod log;
mod minds;
mod moves;
mod past;
mod play;
mod playback;
mod recording;
mod refusal;
mod renewing;
mod sealed;
mod seats;
mod seed;
mod service;
mod simulating;
mod standing;
mod status;
mod stepping;
mod terms;
mod thinking;
mod ticket;
mod timing;
mod token;
mod undo;
mod watching;
mod webhook;

use serde::{Serialize, de::DeserializeOwned};

use wyrmgate_base::presume::{Broken, Presume};
use wyrmgate_store::{Bytes, StoreError};

pub use answering::AnswerPlace;
pub use create::{Before, Creation, DescribeCreation, Order};
pub use cursor::{EventCursor, NoCursor};
pub use duty::Duty;
pub use facts::{Facts, Visibility, game_and_variant};
pub use forking::{hides_tokens, taken_up};
pub use history::{LOOK_ANYWAY, Past};
pub use listing::{Summary, index};
pub use live::{Caller, Live};
pub use log::{After, Happening, LogEntry, LoggedMove, Owed};
pub use moves::{ChoiceId, ChoiceOrder, Move, NoChoiceId, decision_id};
pub use play::{Play, seat_of};
pub use playback::Playback;
pub use refusal::{Reason, Refusal};
pub use renewing::Renewed;
pub use sealed::{Sealer, open_with, seal_with};
pub use seats::{Claim, Claimed};
pub use service::{Answered, Answers, Key, Made, NoAnswers, Service};
pub use simulating::{GAMES_MAX, Simulation, SimulationOrder};
pub use standing::{
    CONDITIONS_MAX, Comparison, EventTest, ORDERS_MAX, Relation, StandingAnswer, StandingOrder,
};
pub use status::{Seat, Stage, Status};
pub use stepping::{Luck, StatelessGame, WORLDS_MAX};
pub use terms::{Clock, Forks, Replies, Spectators, Terms, Undo};
pub use ticket::{TICKET_LIFETIME_MS, Ticket};
pub use token::{Bearer, Kind, NoEntropy, Token, TokenHash};
pub use undo::{UNDO_MAX, UndoOrder, UndoWish};
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
