//! The context of one request of the model.

use super::client::Api;
use super::tables::Tables;

/// The context of one request of the model.
pub(crate) struct Desk<'h> {
    pub api: Api,
    pub tables: &'h Tables,
}
