//! Games as numbers, for programs that learn.
//!
//! [`ActionNumbers`] numbers every choice that can ever occur in a program. [`Observations`] writes what a seat may know into a
//! tensor with named planes. [`Returns`] turns an outcome into a number for each seat.

#![deny(clippy::wildcard_enum_match_arm)]

mod actions;
mod domain;
mod kept;
mod layout;
mod observations;
mod returns;
mod selections;

pub use actions::{ActionNumbers, Argument, Legal, Many, NoNumber, OptionSpace, SpaceError};
pub use domain::{DomainKind, NameDomain, SeatPosition};
pub use kept::Spaces;
pub use layout::Plane;
pub use observations::Observations;
pub use returns::{Measure, Returns};
