//! Memory in which code stores one entry after the other.

/// Where the next entry is stored, from the first place up to the last one.
#[repr(C)]
pub(crate) struct Strip<T> {
    pub next: *mut T,
    pub first: *mut T,
    pub last: *mut T,
}

impl<T> Strip<T> {
    /// Returns the strip that begins at this place, for as many entries, at least one.
    pub fn of(first: *mut T, count: usize) -> Strip<T> {
        Strip {
            next: first,
            first,
            last: first.wrapping_add(count - 1),
        }
    }

    /// Returns the number of entries.
    pub fn used(&self) -> usize {
        (self.next as usize).saturating_sub(self.first as usize) / size_of::<T>()
    }
}
