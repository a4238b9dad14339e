//! Faults, for operators: a named limit, or arithmetic that overflows.

use wyrmgate_base::diagnostic::Span;

/// The rules exceeded a limit. The state in which this happened must not be used any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// The location in the rules, if known.
    pub span: Option<Span>,
}

wyrmgate_base::named_enum! {
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum FaultKind {
        /// More work than [`super::limit::FUEL_PER_MOVE`].
        Fuel = "fuel",
        /// Effects nested deeper than [`super::limit::CALL_DEPTH_MAX`], expressions deeper than
        /// [`super::limit::EVALUATION_DEPTH_MAX`], or what-ifs deeper than [`super::limit::WHAT_IF_DEPTH_MAX`].
        Depth = "depth",
        /// More events than [`super::limit::EVENTS_PER_MOVE`].
        Events = "events",
        /// More words than [`super::limit::STATE_WORDS_MAX`].
        StateSize = "state-size",
        /// Listing the choices took more than [`super::limit::FUEL_PER_ENUMERATION`].
        Enumeration = "enumeration",
        /// A number left the range of 32 bits.
        Overflow = "overflow",
        /// More was taken out of a bundle than it contains.
        Lacking = "lacking",
        /// A variable was assigned at a number that is not among its keys.
        Key = "key",
        /// The program was not created by our compiler.
        Program = "program",
        /// Components in components deeper than [`super::limit::CONTENTS_DEPTH_MAX`].
        Contents = "contents",
        /// A decision where none is possible: in an effect that a tool runs.
        Decision = "decision",
    }
}

impl Fault {
    /// Returns the same fault, with this location if it has none.
    pub fn or_at(self, place: Option<Span>) -> Fault {
        Fault {
            span: self.span.or(place),
            ..self
        }
    }
}

/// Evaluation has stopped; the scratch of the evaluation contains the reason. Small, so that results stay in registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Halt;
