//! Records what rules reveal on purpose, for the search for leaks.
//!
//! Expressions are evaluated in many places, each with its own scratch, and none of them has an observer. Records are
//! therefore kept per thread, and only while the thread requests them. Programs for play contain no such expressions.

use std::cell::RefCell;

use super::Eval;
use crate::fault::Halt;
use wyrmgate_program::{ExprId, RevealId};

/// A value that was revealed on purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Revelation {
    pub number: RevealId,
    pub value: i32,
    /// The only seat it was revealed to; NONE for everybody.
    pub to: i32,
}

thread_local! {
    static NOTES: RefCell<Option<Vec<Revelation>>> = const { RefCell::new(None) };
}

/// Runs something, and also returns what was revealed meanwhile.
pub fn noting<T>(run: impl FnOnce() -> T) -> (T, Vec<Revelation>) {
    let before = NOTES.replace(Some(Vec::new()));
    let answer = run();
    let notes = NOTES.replace(before).unwrap_or_default();
    (answer, notes)
}

impl Eval<'_> {
    #[inline(never)]
    pub(super) fn revealed(
        &mut self,
        of: ExprId,
        to: ExprId,
        number: RevealId,
    ) -> Result<i32, Halt> {
        let value = self.value(of)?;
        let to = self.value(to)?;
        NOTES.with_borrow_mut(|notes| {
            if let Some(notes) = notes {
                notes.push(Revelation { number, value, to });
            }
        });
        Ok(value)
    }
}
