//! What all lists have in common.

use super::problem::Problem;

/// The most items of a page.
pub const LIMIT_MAX: usize = 100;
const LIMIT_DEFAULT: usize = 20;

/// The size of a page that was asked for.
pub fn limit(asked: Option<usize>) -> Result<usize, Problem> {
    match asked.unwrap_or(LIMIT_DEFAULT) {
        limit @ 1..=LIMIT_MAX => Ok(limit),
        _ => Err(Problem::malformed(
            "limit",
            format!("`limit` is from 1 to {LIMIT_MAX}"),
        )),
    }
}
