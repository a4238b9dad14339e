//! Faults, for operators: a named limit, or arithmetic that overflows.

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

/// Evaluation has stopped; why is noted where evaluation keeps its scratch. Small, so that results stay in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Halt;
