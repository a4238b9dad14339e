//! The form in which the choices of a decision are recorded.

use crate::memory::row::PREFIX_MAX;
use wyrmgate_engine::choices::{has_no_names, only_mask};
use wyrmgate_program::{BinderInfo, BinderSize, Program, Site, SiteOption};

/// The form in which machine code records choices.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordingKind {
    /// In the choice set of the runner, not in the context.
    Elsewhere,
    /// Members of the only name, from this one on, as bits of the context.
    Members(i32),
    /// Options without names, as bits of the context.
    Options,
    Rows,
}

/// Returns whether the last name of an option has a row of bits. Otherwise each row is one choice: the option itself.
pub(crate) fn ends_in_bits(option: &SiteOption) -> bool {
    !option.binders.is_empty()
}

/// Returns the form in which the choices of a site are recorded.
pub(crate) fn kind_of(program: &Program, site: &Site) -> RecordingKind {
    if !site.is_plain() {
        return RecordingKind::Elsewhere;
    }
    if let Some(mask) = only_mask(site) {
        let mask = program.masks.get(mask as usize);
        return mask.map_or(RecordingKind::Elsewhere, |mask| {
            RecordingKind::Members(mask.domain.first)
        });
    }
    if has_no_names(site) && site.options.len() <= u64::BITS as usize {
        return RecordingKind::Options;
    }
    let fits = |option: &SiteOption| {
        let names = option.binders.len();
        let of_one = |name: &BinderInfo| name.count == BinderSize::One;
        names <= PREFIX_MAX + 1 && option.binders.iter().all(of_one)
    };
    match site.options.iter().all(fits) {
        true => RecordingKind::Rows,
        false => RecordingKind::Elsewhere,
    }
}
