//! A limit of the engine that a game has hit: what its players are told, and what the log tells the operator.
//!
//! Nothing of the move is kept, so the session stays where it was, and its record replays up to there.

use super::Refusal;
use super::live::Live;
use wyrmgate_authoring::rules::{Place, Ruleset};
use wyrmgate_engine::Fault;

/// In a session.
pub(super) fn budget(live: &Live, fault: Fault) -> Refusal {
    let place = place(&live.ruleset, &fault);
    let decisions = live.play.as_ref().map(|play| play.state().decisions_made());
    tracing::warn!(
        session = %live.id,
        game = live.ruleset.name,
        ruleset = live.ruleset.digest,
        seats = live.program.seats,
        decisions,
        limit = fault.kind.name(),
        place = told(place.as_ref()),
        reason = wyrmgate_view::sentence(&fault),
        "the rules hit a limit of the engine; `wyrmgate replay` plays the record of the session up to there"
    );
    Refusal::Budget { fault, place }
}

/// In a game whose state the client keeps.
pub(super) fn stateless_budget(ruleset: &Ruleset, fault: Fault) -> Refusal {
    let place = place(ruleset, &fault);
    tracing::warn!(
        game = ruleset.name,
        ruleset = ruleset.digest,
        limit = fault.kind.name(),
        place = told(place.as_ref()),
        reason = wyrmgate_view::sentence(&fault),
        "the rules hit a limit of the engine in a stateless game"
    );
    Refusal::Budget { fault, place }
}

fn place(ruleset: &Ruleset, fault: &Fault) -> Option<Place> {
    fault.span.and_then(|span| ruleset.place(span))
}

/// `my-game/game.yaml:26:22`
fn told(place: Option<&Place>) -> String {
    place.map_or_else(|| "unknown".into(), ToString::to_string)
}
