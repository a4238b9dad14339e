//! Data that others derive from a program and keep with it.

use std::any::Any;
use std::sync::{Arc, OnceLock};

/// A value computed from a program at most once. A copy is empty, because the program may be changed then.
#[derive(Debug)]
pub struct Derived<T>(OnceLock<T>);

/// The number by which states identify a program.
pub type Fingerprint = Derived<u64>;

/// A program translated by an engine to play it faster; only that engine knows its type.
pub type Translation = Derived<Arc<dyn Any + Send + Sync>>;

/// The action space and what belongs to it; only the crate of spaces knows its type.
pub type Numbering = Derived<Arc<dyn Any + Send + Sync>>;

/// The parts of a view that never change, as text; only the crate of views knows its type.
pub type Spelling = Derived<Arc<dyn Any + Send + Sync>>;

impl<T> Derived<T> {
    /// Returns the value; the first caller computes it, and others wait.
    pub fn get_or_init(&self, compute: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(compute)
    }

    /// Returns the value, if it has been computed.
    pub fn get(&self) -> Option<&T> {
        self.0.get()
    }
}

impl<T> Default for Derived<T> {
    fn default() -> Self {
        Derived(OnceLock::new())
    }
}

impl<T> Clone for Derived<T> {
    fn clone(&self) -> Self {
        Derived::default()
    }
}
