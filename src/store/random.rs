//! Numbers that no two writers draw.

use std::cell::RefCell;

use rand::TryRng;
use rand::rngs::SysRng;

use super::StoreError;

/// So many are made of one call of the operating system, which takes longer than all the rest of a number.
const STOCKED: usize = 32;

thread_local! {
    static STOCK: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
}

/// 64 bits; fails only if the operating system gives no randomness.
pub(super) fn number() -> Result<u64, StoreError> {
    STOCK.with_borrow_mut(|stock| {
        if stock.is_empty() {
            let mut bytes = [[0; 8]; STOCKED];
            let drawn = SysRng.try_fill_bytes(bytes.as_flattened_mut());
            drawn.map_err(|error| StoreError::Unavailable(format!("no randomness: {error}")))?;
            stock.extend(bytes.map(u64::from_le_bytes));
        }
        Ok(stock.pop().unwrap_or_default())
    })
}
