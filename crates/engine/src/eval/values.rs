//! Temporary lists. Their memory is reused, so play allocates nothing once it is warm.

use std::cell::RefCell;
use std::ops::{Deref, DerefMut};

/// A temporary list of values.
#[derive(Debug)]
pub struct ValueList(Vec<i32>);

/// The initial capacity of a list in words, so that only unusually long lists must grow.
const ROOM: usize = 2_048;

/// Maximum number of unused lists whose memory a thread keeps.
const SPARE_MAX: usize = 32;

thread_local! {
    static SPARE: RefCell<Vec<Vec<i32>>> = const { RefCell::new(Vec::new()) };
}

impl ValueList {
    pub fn new() -> ValueList {
        // While a thread ends, its spare lists may be gone already.
        let spare = SPARE.try_with(|spare| spare.try_borrow_mut().ok()?.pop());
        ValueList(
            spare
                .ok()
                .flatten()
                .unwrap_or_else(|| Vec::with_capacity(ROOM)),
        )
    }

    pub fn from_slice(values: &[i32]) -> ValueList {
        let mut list = ValueList::new();
        list.extend_from_slice(values);
        list
    }
}

impl Default for ValueList {
    fn default() -> ValueList {
        ValueList::new()
    }
}

impl Drop for ValueList {
    fn drop(&mut self) {
        let mut list = std::mem::take(&mut self.0);
        if list.capacity() == 0 {
            return;
        }
        list.clear();
        let _ = SPARE.try_with(|spare| {
            if let Ok(mut spare) = spare.try_borrow_mut()
                && spare.len() < SPARE_MAX
            {
                spare.push(list);
            }
        });
    }
}

impl Deref for ValueList {
    type Target = Vec<i32>;

    fn deref(&self) -> &Vec<i32> {
        &self.0
    }
}

impl DerefMut for ValueList {
    fn deref_mut(&mut self) -> &mut Vec<i32> {
        &mut self.0
    }
}

impl Clone for ValueList {
    fn clone(&self) -> ValueList {
        ValueList::from_slice(self)
    }
}

impl PartialEq for ValueList {
    fn eq(&self, other: &ValueList) -> bool {
        self.0 == other.0
    }
}

impl Extend<i32> for ValueList {
    fn extend<I: IntoIterator<Item = i32>>(&mut self, values: I) {
        self.0.extend(values);
    }
}

impl FromIterator<i32> for ValueList {
    fn from_iter<I: IntoIterator<Item = i32>>(values: I) -> ValueList {
        let mut list = ValueList::new();
        list.extend(values);
        list
    }
}

impl IntoIterator for ValueList {
    type Item = i32;
    type IntoIter = IntoValues;

    fn into_iter(self) -> IntoValues {
        let ends = 0..self.len();
        IntoValues { values: self, ends }
    }
}

/// Walks a list and gives its memory back in the end.
pub struct IntoValues {
    values: ValueList,
    ends: std::ops::Range<usize>,
}

impl Iterator for IntoValues {
    type Item = i32;

    fn next(&mut self) -> Option<i32> {
        let at = self.ends.next()?;
        self.values.get(at).copied()
    }
}

impl DoubleEndedIterator for IntoValues {
    fn next_back(&mut self) -> Option<i32> {
        let at = self.ends.next_back()?;
        self.values.get(at).copied()
    }
}

impl<'v> IntoIterator for &'v ValueList {
    type Item = &'v i32;
    type IntoIter = std::slice::Iter<'v, i32>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
