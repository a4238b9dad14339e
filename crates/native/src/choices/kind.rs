//! The form in which the choices of a decision are recorded.

use crate::memory::row::PREFIX_MAX;
use wyrmgate_program::{BinderInfo, BinderSize, MaskId, Program, Site, SiteOption, Type};

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
    let has_name = |option: &SiteOption| !option.binders.is_empty();
    if site.options.len() <= u64::BITS as usize && !site.options.iter().any(has_name) {
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

/// Returns the mask of a site that asks for one value of one, without more conditions, in the order of their numbers.
pub(crate) fn only_mask(site: &Site) -> Option<MaskId> {
    let [option] = site.options.as_slice() else {
        return None;
    };
    let [binder] = option.binders.as_slice() else {
        return None;
    };
    // Components go in an order that the seat may know.
    let plain = option.conditions.is_empty()
        && !site.may_decline
        && binder.count == BinderSize::One
        && !matches!(binder.of, Type::Component(_));
    binder.mask.filter(|_| plain)
}
