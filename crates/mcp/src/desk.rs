//! The context of one request of the model.

use super::client::Api;
use super::tables::HeldSeats;

/// The context of one request of the model.
pub(crate) struct ModelDesk<'h> {
    pub api: Api,
    pub tables: &'h HeldSeats,
}
