//! Which position code asks about.

/// Whether code asks about the position of the game or about another one.
#[derive(Default)]
pub(crate) struct AskedPosition {
    /// Whether the position is only supposed, so that nothing about it is kept.
    pub supposes: bool,
    /// Whether choices are being recorded, so that nothing changes except by what-ifs.
    pub is_looking: bool,
}
