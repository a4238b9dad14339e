//! The role of a caller in one session.

use crate::Refusal;

/// The role of a caller in one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// Anyone. Sees the public view.
    Public,
    /// Manages the session. Sees the public view.
    Owner,
    /// Holds an invite code. Sees who sits at the table, nothing of a game that has begun, and can take a seat.
    Guest,
    /// Plays this seat, from 1.
    Seat(u8),
}

impl Caller {
    pub fn seat(self) -> Option<u8> {
        match self {
            Caller::Seat(seat) => Some(seat),
            Caller::Public | Caller::Owner | Caller::Guest => None,
        }
    }

    /// Returns the caller's seat, or refuses a caller without one, for this reason.
    pub fn needs_seat(self, reason: &'static str) -> Result<u8, Refusal> {
        self.seat().ok_or_else(|| self.refused(reason))
    }

    /// Refuses everyone but the owner.
    pub fn needs_owner(self) -> Result<(), Refusal> {
        match self {
            Caller::Owner => Ok(()),
            Caller::Public | Caller::Guest | Caller::Seat(_) => {
                Err(self.refused("this requires the owner token of the session, or `Act-As: me;host` of the player who opened it"))
            }
        }
    }

    /// Refuses a caller who neither plays nor manages the session, for this reason.
    pub fn needs_player_or_owner(self, reason: &'static str) -> Result<(), Refusal> {
        match self {
            Caller::Seat(_) | Caller::Owner => Ok(()),
            Caller::Public | Caller::Guest => Err(self.refused(reason)),
        }
    }

    /// Refuses a caller for this reason. A caller without a credential learns that it is missing.
    pub fn refused(self, reason: &'static str) -> Refusal {
        match self {
            Caller::Public => Refusal::Unauthenticated,
            Caller::Owner | Caller::Guest | Caller::Seat(_) => Refusal::Forbidden(reason),
        }
    }
}
