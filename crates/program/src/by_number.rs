//! Lists whose members are found by the numbers that values of the rules are: components, zones, seats.

/// A list by number.
pub trait ByNumber<T> {
    /// Returns the member with this number. `none` has none.
    fn at(&self, number: i32) -> Option<&T>;

    /// Returns the member with this number, to be changed.
    fn at_mut(&mut self, number: i32) -> Option<&mut T>;
}

impl<T> ByNumber<T> for [T] {
    #[inline]
    fn at(&self, number: i32) -> Option<&T> {
        self.get(usize::try_from(number).ok()?)
    }

    #[inline]
    fn at_mut(&mut self, number: i32) -> Option<&mut T> {
        self.get_mut(usize::try_from(number).ok()?)
    }
}
