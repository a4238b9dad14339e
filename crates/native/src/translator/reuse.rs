//! Values that are known because code has evaluated them before.

use cranelift_codegen::ir::StackSlot;
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

/// The values of an expression.
#[derive(Clone, Copy)]
pub(crate) struct ReusedValues {
    /// `None` if the table is not in use yet.
    pub expr: Option<ExprId>,
    /// The members for which the value is known, one bit each.
    pub known: Variable,
    /// The number of the table, which has its entries at the same place in all decisions.
    pub number: usize,
}

/// Values that are evaluated once.
#[derive(Default)]
pub(crate) struct Reuse {
    /// Expressions whose values are remembered by member while choices are recorded, and where these values are.
    pub tables: Vec<ReusedValues>,
    pub table_slots: Vec<StackSlot>,
    /// How many loops and names are around what is being emitted.
    pub nested: u32,
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
