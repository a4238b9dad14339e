//! Limits and cursors of lists.

use crate::api::shared::problem::Problem;
use wyrmgate_store::Cursor;

/// Maximum number of items in a page.
pub const LIMIT_MAX: usize = 100;
const LIMIT_DEFAULT: usize = 20;
pub const BAD_CURSOR: &str = "invalid cursor; use `next` from the previous page";

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

/// Reads the cursor of a list in the store.
pub fn cursor(text: Option<&str>) -> Result<Option<Cursor>, Problem> {
    text.map(|text| Cursor::decode(text).ok_or_else(bad_cursor))
        .transpose()
}

pub fn bad_cursor() -> Problem {
    Problem::malformed("cursor", BAD_CURSOR)
}
