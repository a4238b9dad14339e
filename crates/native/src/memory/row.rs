//! Rows of choices, as code records them if names depend on each other.

/// The maximum number of names before the last one in a row.
pub(crate) const PREFIX_MAX: usize = 4;

/// The capacity for rows; code gives up when there are more.
pub(crate) const ROWS_MAX: usize = 2_048;

/// The capacity for members that rows list.
pub(crate) const LISTED_MAX: usize = 8_192;

/// Choices with the same option and the same names except the last.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ChoiceRow {
    /// The number of choices up to the end of this row.
    pub end: u64,
    /// The possible values of the last name. If they are listed, `low` is the address of the first one.
    pub low: u64,
    pub high: u64,
    /// The member of the lowest bit.
    pub first: i32,
    pub option: u32,
    /// The first names.
    pub names: [i32; PREFIX_MAX],
    /// Where the members are: one of the following.
    pub form: i32,
}

/// Forms of a row: its bits, and members in a list.
pub(crate) const BITS: i32 = 0;
pub(crate) const LISTED: i32 = 1;
