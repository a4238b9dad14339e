//! An edit that is impossible, with advice.

use std::ops::Range;

/// An impossible edit, with advice.
#[derive(Debug)]
pub(crate) struct ImpossibleEdit {
    pub code: &'static str,
    pub message: String,
    pub help: String,
    pub related: Vec<(Range<usize>, String)>,
}

impl ImpossibleEdit {
    pub(super) fn new(
        code: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> ImpossibleEdit {
        ImpossibleEdit {
            code,
            message: message.into(),
            help: help.into(),
            related: Vec::new(),
        }
    }
}
