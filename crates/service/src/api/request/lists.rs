//! Limits that all lists share.

use crate::api::response::problem::Problem;

/// Maximum number of items in a page.
pub const LIMIT_MAX: usize = 100;
const LIMIT_DEFAULT: usize = 20;

/// Returns the requested page size.
pub fn limit(asked: Option<usize>) -> Result<usize, Problem> {
    match asked.unwrap_or(LIMIT_DEFAULT) {
        limit @ 1..=LIMIT_MAX => Ok(limit),
        _ => Err(Problem::malformed(
            "limit",
            format!("`limit` must be between 1 and {LIMIT_MAX}"),
        )),
    }
}
