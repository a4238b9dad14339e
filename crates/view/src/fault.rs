//! Faults in words, for the authors of rules.

use wyrmgate_engine::{Fault, FaultKind};

/// Describes the fault and the name of the limit: one lowercase sentence without a final period.
pub fn sentence(fault: &Fault) -> String {
    format!("{} (limit `{}`)", reason(fault.kind), fault.kind.name())
}

/// Returns advice for authors. The numbers are those of [`wyrmgate_engine::limit`].
pub const fn advice(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Fuel => {
            "a move may cost 1,000,000 units of work (operations, calls of queries, members looked at): look for a loop \
                 that does not end"
        }
        FaultKind::Depth => {
            "256 effects may wait for each other, 1,000 expressions may be nested, and a query that uses itself as often as its \
                 `up to … deep` says: look for an effect or a query that calls itself"
        }
        FaultKind::Events => "a move may cause 10,000 events: look for a loop that does not end",
        FaultKind::StateSize => {
            "a state may have 65,536 words: use fewer zones, components and variables, or nest fewer effects"
        }
        FaultKind::Enumeration => {
            "looking for choices may cost 4,000,000 units of work: ask in several steps, or offer less to choose from"
        }
        FaultKind::Overflow => {
            "numbers lie between -2,147,483,648 and 2,147,483,647: keep this one between them with `min` or `max`"
        }
        FaultKind::Lacking => {
            "ask before whether there is enough: `if price <= purse[p]`, or `where` at the choice"
        }
        FaultKind::Key => {
            "look at the `each` of the variable, and ask whether the number is one of its keys before you set a value"
        }
        FaultKind::Program => "this is a defect of Wyrmgate, not of the rules; please report it",
        FaultKind::Contents => {
            "components may hold one another 32 deep: ask how deep a component lies before another one moves into it"
        }
        FaultKind::Decision => "a scenario may only arrange what asks nobody for a decision",
    }
}

const fn reason(kind: FaultKind) -> &'static str {
    match kind {
        FaultKind::Fuel => "one move caused more work than is allowed",
        FaultKind::Depth => "effects or queries call each other too deeply",
        FaultKind::Events => "one move caused more events than are allowed",
        FaultKind::StateSize => "the state has grown larger than is allowed",
        FaultKind::Enumeration => "there is too much to look at to list the choices",
        FaultKind::Overflow => "a number became too large",
        FaultKind::Lacking => "more was taken out of a bundle than it contains",
        FaultKind::Key => {
            "a variable has no value for this number, or a list has no room for one more member"
        }
        FaultKind::Program => "the program is damaged",
        FaultKind::Contents => "components lie in one another too deeply",
        FaultKind::Decision => "nothing can be chosen here",
    }
}
