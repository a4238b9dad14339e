//! The seats that a model has taken, with their tokens.

use parking_lot::Mutex;

use crate::client::ApiRequest;

/// A seat at a table.
#[derive(Debug, Clone, PartialEq)]
pub struct HeldSeat {
    pub table: String,
    pub seat: u8,
    pub token: String,
    /// The version up to which the model has heard what happened.
    pub seen: u64,
    /// The prefix of the ids of choices that the model last saw: `12.1`.
    pub ids: Option<String>,
}

impl HeldSeat {
    /// Returns a request of this seat.
    pub fn get(&self, path: impl Into<String>) -> ApiRequest<'_> {
        ApiRequest::get(path).with(Some(&self.token))
    }
}

/// Every seat of one model, the latest last.
#[derive(Default)]
pub struct HeldSeats(Mutex<Vec<HeldSeat>>);

impl HeldSeats {
    /// Returns the seat at this table, or the one that the model took last.
    pub fn find(&self, table: Option<&str>, seat: Option<u8>) -> Option<HeldSeat> {
        let held = self.0.lock();
        let is_meant = |held: &&HeldSeat| {
            table.is_none_or(|table| held.table == table)
                && seat.is_none_or(|seat| held.seat == seat)
        };
        held.iter().rev().find(is_meant).cloned()
    }

    pub fn all(&self) -> Vec<HeldSeat> {
        self.0.lock().clone()
    }

    /// Keeps a seat that the model had before, unless it is known.
    pub fn meet(&self, table: &str, seat: u8, token: &str) {
        let mut all = self.0.lock();
        let is_known = all
            .iter()
            .any(|known| known.table == table && known.seat == seat);
        if !is_known {
            let held = HeldSeat {
                table: table.to_owned(),
                seat,
                token: token.to_owned(),
                seen: 0,
                ids: None,
            };
            all.insert(0, held);
        }
    }

    /// Keeps a seat, or what has changed about it.
    pub fn keep(&self, held: HeldSeat) {
        let mut all = self.0.lock();
        let same = all
            .iter_mut()
            .find(|known| known.table == held.table && known.seat == held.seat);
        match same {
            Some(known) => *known = held,
            None => all.push(held),
        }
    }
}
