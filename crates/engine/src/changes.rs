//! Change counts, which tell whether values computed from a state are still valid.

use wyrmgate_program::Reads;

/// Counts changes, to tell whether cached values are still valid. Not a part of the state's identity: all are equal.
#[derive(Debug, Clone, Copy, Default)]
pub struct Changes {
    pub places: u64,
    pub words: u64,
    pub course: u64,
    /// Changes of the contents of open grids.
    pub grids: u64,
    /// The last component that came onto an open grid.
    pub laid: Laid,
}

/// A component came onto an open grid, as the last one of its zone: the counts of changes of grids before and after.
#[derive(Debug, Clone, Copy, Default)]
pub struct Laid {
    pub component: i32,
    pub before: u64,
    pub after: u64,
}

impl Changes {
    /// Counts a change of everything.
    #[inline]
    pub fn count_all(&mut self) {
        let all = [
            &mut self.places,
            &mut self.words,
            &mut self.course,
            &mut self.grids,
        ];
        all.into_iter().for_each(|count| *count += 1);
    }

    /// Returns the component that came onto a grid, if nothing else has changed on any grid since this count.
    #[inline]
    pub fn laid_since(&self, count: u64) -> Option<i32> {
        let is_all = self.laid.before == count && self.laid.after == self.grids;
        (is_all && count < self.grids).then_some(self.laid.component)
    }

    /// Returns the changes of positions and of everything else that matters.
    #[inline]
    pub fn of(self, reads: Reads) -> u64 {
        let words = if reads.words { self.words } else { 0 };
        let course = if reads.course { self.course } else { 0 };
        self.places + words + course
    }
}

impl PartialEq for Changes {
    fn eq(&self, _: &Changes) -> bool {
        true
    }
}

impl Eq for Changes {}
