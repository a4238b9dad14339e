//! A crash of the engine is something to be told, with the game it happened in, and no reason to lose all other games.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Returns the result of `run`, or the message of its panic.
pub(crate) fn caught<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    // Nobody looks at the mutably borrowed values again after a crash.
    catch_unwind(AssertUnwindSafe(run)).map_err(|cause| format!("crashed: {}", message(&*cause)))
}

fn message(cause: &(dyn Any + Send)) -> &str {
    let text = cause.downcast_ref::<&str>().copied();
    text.or_else(|| cause.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crash_is_an_answer() {
        let nothing: Vec<u8> = Vec::new();
        let answer = caught(|| nothing[0]);
        assert!(answer.unwrap_err().starts_with("crashed: index out of"));
        assert_eq!(caught(|| 7), Ok(7));
    }
}
