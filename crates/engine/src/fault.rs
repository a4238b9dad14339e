//! What goes wrong for the operator: a named limit, or arithmetic that does not fit.

use std::fmt;

use wyrmgate_base::diagnostic::Span;

/// The rules asked for more than there is. The state it happened in is not to be used any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// Where in the rules, if known.
    pub span: Option<Span>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultKind {
    /// More work than [`super::limit::FUEL_PER_MOVE`].
    Fuel,
    /// Effects nested deeper than [`super::limit::CALL_DEPTH_MAX`], or expressions deeper than
    /// [`super::limit::EVALUATION_DEPTH_MAX`].
    Depth,
    /// More events than [`super::limit::EVENTS_PER_MOVE`].
    Events,
    /// More words than [`super::limit::STATE_WORDS_MAX`].
    StateSize,
    /// Listing the choices takes more than [`super::limit::FUEL_PER_ENUMERATION`].
    Enumeration,
    /// A number left the range of 32 bits.
    Overflow,
    /// A variable was given a value for a number that is not among its keys.
    Key,
    /// The program is not one that our compiler makes.
    Program,
    /// A decision where none can be made: in an effect that a tool runs.
    Decision,
}

impl FaultKind {
    /// The stable name of the limit.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::Fuel => "fuel",
            FaultKind::Depth => "depth",
            FaultKind::Events => "events",
            FaultKind::StateSize => "state-size",
            FaultKind::Enumeration => "enumeration",
            FaultKind::Overflow => "overflow",
            FaultKind::Key => "key",
            FaultKind::Program => "program",
            FaultKind::Decision => "decision",
        }
    }

    /// What an author can do about it. The numbers are those of [`super::limit`].
    pub const fn advice(self) -> &'static str {
        match self {
            FaultKind::Fuel => {
                "a move may cost 1,000,000 units of work (operations, calls of queries, members looked at): look for a loop \
                 that does not end"
            }
            FaultKind::Depth => {
                "256 effects may wait for each other, and 1,000 expressions may be nested: look for an effect or a query that \
                 calls itself"
            }
            FaultKind::Events => {
                "a move may cause 10,000 events: look for a loop that does not end"
            }
            FaultKind::StateSize => {
                "a state may have 65,536 words: use fewer zones, components and variables, or nest fewer effects"
            }
            FaultKind::Enumeration => {
                "looking for choices may cost 4,000,000 units of work: ask in several steps, or offer less to choose from"
            }
            FaultKind::Overflow => {
                "numbers lie between -2,147,483,648 and 2,147,483,647: keep this one between them with `min` or `max`"
            }
            FaultKind::Key => {
                "look at the `each` of the variable, and ask whether the number is one of its keys before you set a value"
            }
            FaultKind::Program => {
                "this is a defect of Wyrmgate, not of the rules; please report it"
            }
            FaultKind::Decision => "a scenario may only arrange what asks nobody for a decision",
        }
    }

    const fn sentence(self) -> &'static str {
        match self {
            FaultKind::Fuel => "one move caused more work than is allowed",
            FaultKind::Depth => "effects or queries call each other too deeply",
            FaultKind::Events => "one move caused more events than are allowed",
            FaultKind::StateSize => "the state has grown larger than is allowed",
            FaultKind::Enumeration => "there is too much to look at to list the choices",
            FaultKind::Overflow => "a number became too large",
            FaultKind::Key => "a variable has no value for this number",
            FaultKind::Program => "the program is damaged",
            FaultKind::Decision => "nothing can be chosen here",
        }
    }
}

impl Fault {
    /// The same fault, at this place if no better one is known.
    pub(crate) fn or_at(self, place: Option<Span>) -> Fault {
        Fault {
            span: self.span.or(place),
            ..self
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} (limit `{}`)", self.kind.sentence(), self.kind.name())
    }
}

impl std::error::Error for Fault {}

/// Evaluation has stopped; why is noted where evaluation keeps its scratch. Small, so that results stay in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Halt;
