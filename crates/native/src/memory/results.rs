//! The results of recursive queries that are remembered as long as the position is the same.

/// The maximum number of recursive queries; further ones are left to the interpreter.
pub(crate) const QUERIES_MAX: usize = 8;

/// The number of results that are remembered at the same time.
pub(crate) const RESULTS: usize = 1_024;

/// A remembered result, or an empty place for one.
#[derive(Clone, Copy, Default)]
pub(crate) struct RememberedResult {
    /// The number of the question; 0 for no result.
    pub question: u64,
    pub value: i32,
    /// The work that computing it took.
    pub cost: u32,
    /// How much deeper the recursion went.
    pub height: i32,
}

/// The remembered results.
pub(crate) struct Results(Box<[RememberedResult]>);

impl Results {
    pub fn new(queries: usize) -> Results {
        let count = if queries == 0 { 0 } else { RESULTS };
        Results(vec![RememberedResult::default(); count].into_boxed_slice())
    }

    pub fn place(&mut self, question: u64) -> Option<&mut RememberedResult> {
        let count = self.0.len() as u64;
        let at = question.checked_rem(count)?;
        self.0.get_mut(at as usize)
    }
}
