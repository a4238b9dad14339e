//! Work on a world: its draft, and what is spent on it.

use super::draft::WorldDraft;
use super::making::Making;
use wyrmgate_base::cancel::{checkpoint, is_late};
use wyrmgate_base::dice::Dice;

/// The remaining budget of steps for a world. It counts operations instead of time, so that the same random numbers
/// give the same worlds on any machine.
pub(super) struct Effort(usize);

impl Effort {
    /// Returns how many steps remain.
    pub fn left(&self) -> usize {
        self.0
    }

    pub fn new(steps: usize) -> Effort {
        Effort(steps)
    }

    pub fn spend(&mut self) -> bool {
        checkpoint();
        self.0 = self.0.saturating_sub(1);
        self.0 > 0 && !is_late()
    }
}

/// A world that is built or repaired.
pub(super) struct WorldWork<'w> {
    pub making: &'w Making<'w>,
    pub draft: &'w mut WorldDraft,
    pub dice: &'w mut Dice,
    pub effort: &'w mut Effort,
}
