//! A list as a mask, and the order of its members.

use wyrmgate_program::*;

/// A list as a mask, and whether its order is that of the bits.
pub struct List {
    pub domain: Domain,
    pub mask: MaskId,
    /// Whether a mask saves work: there is a filter, or the members were tabulated.
    pub pays: bool,
    pub ordered: bool,
}

impl List {
    /// Returns a list in the order of the bits, for which a mask saves no work yet.
    pub fn in_order(domain: Domain, mask: MaskId) -> List {
        List {
            domain,
            mask,
            pays: false,
            ordered: true,
        }
    }
}

/// Returns whether each member is larger than the one before, so that none is repeated.
pub fn is_rising(members: &[i32]) -> bool {
    members
        .windows(2)
        .all(|pair| matches!(pair, [a, b] if a < b))
}
