//! The schema of a view. The engine writes these documents itself, already redacted; a test validates real responses
//! against this description.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::session::sessions::SessionOutcome;

/// The state of a game as one viewer may know it.
#[derive(Serialize, ToSchema)]
pub struct GameState {
    /// The name of the game.
    game: String,
    /// Number of seats.
    #[schema(minimum = 1, maximum = 8)]
    seats: usize,
    /// The seat whose turn it is.
    #[schema(required)]
    active: Option<u32>,
    round: i32,
    turn: i32,
    #[schema(required)]
    phase: Option<String>,
    /// The scores, seat 1 first.
    scores: Vec<i32>,
    /// The variables of the game that the viewer may know. A record is an object with its parts.
    vars: HashMap<String, Value>,
    /// The zones by id, in the order of the rules.
    zones: HashMap<String, Zone>,
    /// The seats that owe a decision.
    decisions: Vec<Owing>,
    /// The outcome, once the game is over.
    #[schema(required)]
    outcome: Option<SessionOutcome>,
}

/// A seat that owes a decision.
#[derive(Serialize, ToSchema)]
pub struct Owing {
    #[schema(minimum = 1, maximum = 8)]
    seat: u32,
}

/// A place that holds components.
#[derive(Serialize, ToSchema)]
pub struct Zone {
    /// The name that similar zones share.
    family: String,
    /// Title for people.
    title: String,
    /// The keys that distinguish it within its family.
    keys: HashMap<String, Value>,
    /// The constant fields of this zone.
    fields: Option<HashMap<String, Value>>,
    /// Number of components in it. Null if the number is hidden.
    #[schema(required)]
    count: Option<i32>,
    /// The components that the viewer may know something about, first to last.
    components: Vec<Component>,
}

/// A component, such as a card, a tile, a die or a piece. It also has the fields of its kind.
#[derive(Serialize, ToSchema)]
pub struct Component {
    /// Present only if the viewer may know which component this is.
    id: Option<String>,
    kind: Option<String>,
    /// Title for people.
    title: Option<String>,
    /// Position in its zone, from 1.
    #[schema(minimum = 1)]
    place: i32,
    /// `up` or `down`. For a die, the side it shows.
    face: Option<Value>,
    /// The zone inside it, if it holds components.
    #[schema(no_recursion)]
    holds: Option<Box<Zone>>,
    /// Its cell on an open grid, as `x,y`.
    cell: Option<String>,
    /// Quarter turns clockwise, on an open grid.
    #[schema(minimum = 0, maximum = 3)]
    turned: Option<i32>,
}
