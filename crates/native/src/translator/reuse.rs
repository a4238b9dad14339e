//! Values that are known because code has evaluated them before.

use cranelift_frontend::Variable;
use wyrmgate_program::ExprId;

/// A part that is evaluated once.
#[derive(Clone, Copy)]
pub(crate) struct Invariant {
    pub expr: ExprId,
    /// The window of temps and the position in which it is the same.
    pub scope: ReuseScope,
    pub is_known: Variable,
    pub value: Variable,
    pub work: Variable,
}

/// Where an expression has the same value: in a window of temps, and in the position of a what-if.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct ReuseScope {
    pub window: u32,
    pub supposed: u32,
}

/// Values that are evaluated once.
#[derive(Default)]
pub(crate) struct Reuse {
    /// Parts of conditions that are evaluated once.
    pub invariants: Vec<Invariant>,
    pub scope: ReuseScope,
    windows: u32,
    /// Whether the position is only supposed, so that nothing about it is kept.
    pub supposes: bool,
    /// Whether choices are being recorded, so that nothing changes except by what-ifs.
    pub is_looking: bool,
}

impl Reuse {
    /// Begins a new window of temps; returns the scope before.
    pub fn open_window(&mut self) -> ReuseScope {
        self.windows += 1;
        let before = self.scope;
        self.scope.window = self.windows;
        before
    }
}
