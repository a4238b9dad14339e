//! The schema of what a viewer sees of a game. The engine writes these documents itself, already redacted;
//! a test fits every real answer to this description.

use std::collections::HashMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::sessions::Outcome;

/// What one viewer may know of a game.
#[derive(Serialize, ToSchema)]
pub struct GameState {
    /// The name of the game.
    game: String,
    /// How many seats there are.
    #[schema(minimum = 1, maximum = 8)]
    seats: usize,
    /// The seat whose turn it is.
    #[schema(required)]
    active: Option<u32>,
    round: i32,
    turn: i32,
    #[schema(required)]
    phase: Option<String>,
    /// Seat 1 first.
    scores: Vec<i32>,
    /// The game's own variables, as far as the viewer may know them.
    vars: HashMap<String, Value>,
    /// By id, in the order of the rules.
    zones: HashMap<String, Zone>,
    /// Who owes a decision.
    decisions: Vec<Owing>,
    /// How the game ended, once it has.
    #[schema(required)]
    outcome: Option<Outcome>,
}

/// A seat that owes a decision.
#[derive(Serialize, ToSchema)]
pub struct Owing {
    #[schema(minimum = 1, maximum = 8)]
    seat: u32,
}

/// A place where components lie.
#[derive(Serialize, ToSchema)]
pub struct Zone {
    /// What zones like this are called together.
    family: String,
    /// What people call it.
    title: String,
    /// What tells it from the others of its family.
    keys: HashMap<String, Value>,
    /// Constants of this zone.
    fields: Option<HashMap<String, Value>>,
    /// How many components lie here; null if even that is hidden.
    #[schema(required)]
    count: Option<i32>,
    /// First to last, those of which the viewer may know something.
    components: Vec<Component>,
}

/// A component: a card, a tile, a die, a piece. Besides these members it has the fields of its kind.
#[derive(Serialize, ToSchema)]
pub struct Component {
    /// Only if the viewer may know which one it is.
    id: Option<String>,
    kind: Option<String>,
    /// What people call it.
    title: Option<String>,
    /// From 1, in its zone.
    #[schema(minimum = 1)]
    place: i32,
    /// `up` or `down`; of a die, what it shows.
    face: Option<Value>,
    /// What lies inside it.
    #[schema(no_recursion)]
    holds: Option<Box<Zone>>,
    /// Its place on an open grid: `x,y`.
    cell: Option<String>,
    /// Quarter turns clockwise, on an open grid.
    #[schema(minimum = 0, maximum = 3)]
    turned: Option<i32>,
}
