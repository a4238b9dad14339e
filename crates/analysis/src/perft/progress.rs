//! How far a walk has come.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize};

/// The progress of a walk.
#[derive(Debug, Default)]
pub struct Progress {
    pub branches: AtomicUsize,
    pub done: AtomicUsize,
    pub nodes: AtomicU64,
    pub over: AtomicBool,
}
