//! Returns to a rest again and again, to take one choice after the other there.

use super::Runner;
#[cfg(feature = "native")]
use crate::native::Noted;
use crate::state::State;

/// A rest of a game, and its choices if machine code has recorded them.
pub struct Rest {
    state: State,
    #[cfg(feature = "native")]
    noted: Noted,
}

impl Rest {
    /// Returns the state at this rest.
    pub fn state(&self) -> &State {
        &self.state
    }
}

impl Runner<'_> {
    /// Stores the present rest, reusing memory.
    pub fn keep(&mut self, rest: &mut Option<Rest>) {
        match rest {
            Some(rest) => rest.state.clone_from(&self.game.state),
            None => {
                *rest = Some(Rest {
                    state: self.game.state.clone(),
                    #[cfg(feature = "native")]
                    noted: Noted::default(),
                });
            }
        }
        #[cfg(feature = "native")]
        if let Some(rest) = rest {
            self.fast.note(&mut rest.noted);
        }
    }

    /// Continues from a rest that this runner has stored. Its choices are known again if they were known then: see
    /// [`Runner::counted`].
    pub fn return_to(&mut self, rest: &Rest) {
        self.take_up(&rest.state);
        #[cfg(feature = "native")]
        self.fast.come_back(&rest.noted);
    }

    /// Returns the number of choices of the first pending decision if it is known without looking for them.
    pub fn counted(&self) -> Option<u64> {
        #[cfg(feature = "native")]
        return self.fast.count();
        #[cfg(not(feature = "native"))]
        None
    }
}
