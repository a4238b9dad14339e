//! Reports that a game has exceeded a limit of the engine, to players and to the log.
//!
//! The move is discarded, so the session keeps its position, and its record replays up to there.

use crate::Refusal;
use crate::content::live::Live;
use wyrmgate_authoring::rules::{RulesPlace, Ruleset};
use wyrmgate_engine::Fault;

/// Reports an exceeded limit in a session.
pub(crate) fn budget(live: &Live, fault: Fault) -> Refusal {
    let place = place(&live.ruleset, &fault);
    let decisions = live.play.as_ref().map(|play| play.state().decisions_made());
    tracing::warn!(
        session = %live.id,
        game = live.ruleset.name,
        ruleset = live.ruleset.digest,
        seats = live.program.seats,
        decisions,
        limit = fault.kind.name(),
        place = format_place(place.as_ref()),
        reason = wyrmgate_view::sentence(&fault),
        "the rules exceeded a limit of the engine; `wyrmgate replay` replays the record of the session up to that point"
    );
    Refusal::Budget { fault, place }
}

/// Reports an exceeded limit in a stateless game.
pub(crate) fn stateless_budget(ruleset: &Ruleset, fault: Fault) -> Refusal {
    let place = place(ruleset, &fault);
    tracing::warn!(
        game = ruleset.name,
        ruleset = ruleset.digest,
        limit = fault.kind.name(),
        place = format_place(place.as_ref()),
        reason = wyrmgate_view::sentence(&fault),
        "the rules exceeded a limit of the engine in a stateless game"
    );
    Refusal::Budget { fault, place }
}

fn place(ruleset: &Ruleset, fault: &Fault) -> Option<RulesPlace> {
    fault.span.and_then(|span| ruleset.place(span))
}

/// Formats a place as `my-game/game.yaml:26:22`.
fn format_place(place: Option<&RulesPlace>) -> String {
    place.map_or_else(|| "unknown".into(), ToString::to_string)
}
