//! Who may do what: tokens, the seats that are taken with them, tickets for streams, what spectators may see.

pub(crate) mod renewing;
pub(crate) mod seats;
pub(crate) mod ticket;
pub(crate) mod token;
pub(crate) mod watching;
