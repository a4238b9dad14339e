//! The program of a game with its spaces, shared by all its states.

use std::sync::{Arc, OnceLock};

use serde_json::{Map, Value};

use wyrmgate_analysis::explore::ends;
use wyrmgate_authoring::brief::Names;
use wyrmgate_authoring::rules::Ruleset;
use wyrmgate_program::Program;
use wyrmgate_spaces::{Observations, Returns, Spaces};

/// A compiled game with its spaces.
pub struct Core {
    pub program: Arc<Program>,
    pub spaces: Arc<Spaces>,
    pub observations: Observations,
    pub(super) returns: OnceLock<Returns>,
    /// `None`: what is found.
    pub(super) points: Option<bool>,
    pub(super) options: Map<String, Value>,
    pub(super) rules: Arc<Ruleset>,
    /// The titles for events in words; made when first needed.
    pub(super) names: OnceLock<Names>,
}

impl Core {
    /// Returns the returns of the seats at the end of this game.
    pub fn returns(&self) -> Returns {
        match self.points {
            None => self.spaces.returns(&self.program, ends),
            points => *self
                .returns
                .get_or_init(|| Returns::found(&self.program, points, ends)),
        }
    }
}
