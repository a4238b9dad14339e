//! What a scene is built from.

use std::collections::BTreeSet;

use super::sight::Sight;
use super::styles::Looks;
use super::words::Words;
use crate::picture::build::offers::Offers;

/// The effects of the last change on what is drawn.
#[derive(Debug, Default)]
pub(super) struct Happened {
    /// Ids of components and zones that changed.
    pub(super) touched: BTreeSet<String>,
    /// The moves from zone to zone.
    pub(super) ways: Vec<(String, String)>,
}

pub(super) struct PictureBuilder<'v> {
    pub sight: &'v Sight<'v>,
    pub looks: Looks<'v>,
    pub words: &'static Words,
    pub happened: Happened,
    pub offers: Offers,
}
