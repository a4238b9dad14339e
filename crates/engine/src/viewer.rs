//! Viewers of a game, and sets of them.

use wyrmgate_program::{Language, SEATS_MAX};

/// A viewer of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Viewer {
    /// A seat, counted from 0.
    Seat(u8),
    /// A viewer without a seat.
    Public,
    /// A viewer from whom nothing is withheld: see [`Viewer::omniscient`].
    Omniscient(Omniscience),
}

/// Only [`Viewer::omniscient`] can create it, and its callers state a reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Omniscience(());

/// A viewer and its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ViewReader {
    pub viewer: Viewer,
    pub language: Language,
}

impl Viewer {
    /// Returns a viewer from whom nothing is withheld: for records, scenarios, and tools that play games of their own.
    /// `clippy.toml` rejects callers that do not state a reason.
    pub const fn omniscient() -> Viewer {
        Viewer::Omniscient(Omniscience(()))
    }

    pub fn is_omniscient(self) -> bool {
        matches!(self, Viewer::Omniscient(_))
    }

    pub fn reading(self, language: Language) -> ViewReader {
        ViewReader {
            viewer: self,
            language,
        }
    }
}

/// The default language is that of the rules.
impl From<Viewer> for ViewReader {
    fn from(viewer: Viewer) -> ViewReader {
        viewer.reading(Language::default())
    }
}

/// A set of viewers: bit s is seat s, bit 8 the public.
pub type Viewers = u16;

/// The bit of the public in [`Viewers`].
const PUBLIC: Viewers = 1 << SEATS_MAX;
pub(crate) const SEATS: i32 = PUBLIC as i32 - 1;
pub const EVERYBODY: Viewers = PUBLIC | SEATS as Viewers;

/// In the audience of something shown: nobody else notices.
pub const SECRETLY: Viewers = 1 << 15;

/// Returns the bit of a seat (from 0) in [`Viewers`].
#[inline]
pub fn bit_of_seat(seat: impl Into<u32>) -> Viewers {
    1 << seat.into().min(Viewers::BITS - 1)
}

impl Viewer {
    pub fn is_among(self, viewers: Viewers) -> bool {
        match self {
            Viewer::Seat(seat) => viewers & bit_of_seat(seat) != 0,
            Viewer::Public => viewers & PUBLIC != 0,
            Viewer::Omniscient(_) => true,
        }
    }
}
