//! What a session consists of at one revision: its facts, its terms, its seats and its game.

pub(crate) mod budget;
pub(crate) mod clock;
pub(crate) mod contest;
pub(crate) mod cursor;
pub(crate) mod deadline;
pub(crate) mod encoding;
pub(crate) mod facts;
pub(crate) mod live;
pub(crate) mod log;
pub(crate) mod messages;
pub(crate) mod outbox;
pub(crate) mod pairing;
pub(crate) mod play;
pub(crate) mod rating;
pub(crate) mod results;
pub(crate) mod seed;
pub(crate) mod stage;
pub(crate) mod standing;
pub(crate) mod status;
pub(crate) mod terms;
pub(crate) mod times;
pub(crate) mod tolerant;
pub(crate) mod tournament;
pub(crate) mod waiting;
pub(crate) mod webhook;
