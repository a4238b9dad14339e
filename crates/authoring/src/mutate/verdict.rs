//! What became of a mutant.

/// The result of a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MutantVerdict {
    /// A scenario failed.
    Killed,
    /// A scenario exceeded a limit of the engine, which it does not without the change.
    TimedOut,
    /// All scenarios passed with the change.
    Survived,
    /// It does not compile.
    Stillborn,
}
