//! Conditions over whole domains as masks: see [`wyrmgate_program::Mask`]. This is the last optimization pass.
//!
//! `inline` exposes a condition as a whole, `build` turns it into a mask, and `constant` folds known values. This
//! module applies masks to quantifiers and counts, filtered lists, and the names of choices. Lists keep their form as
//! written, to explain refusals; a condition that a mask replaces stays next to it.

mod around;
mod build;
mod compared;
mod condition;
mod facts;
pub(crate) mod inline;
mod joined;
mod list;
mod lists;
pub(crate) mod quantified;
pub(crate) mod rewrite;
mod sides;
mod tabled;
mod through;
pub(crate) mod tree;

use build::Masks;
use lists::{list, narrowed};
use tree::get_set;
use wyrmgate_program::*;

/// Inserts masks where they are faster, without changing the meaning.
pub fn add_masks(program: &mut Program) {
    let free = temps_used(program);
    let mut masks = Masks::new(program, free);
    let sets = masks.program.sets.len();
    let mut lists = Vec::new();
    for id in 0..sets as SetId {
        masks.fresh = free;
        lists.extend(filtered(&mut masks, id).map(|mask| (id, mask)));
    }
    add_names(&mut masks, free);
    let program = masks.program;
    for (id, mask) in lists {
        if let Some(place) = program.sets.get_mut(id as usize) {
            program.origins.written_sets.push((id, *place));
            *place = Set::Bits(mask);
        }
    }
    make_room(program, free);
}

/// Enlarges the windows of queries for the temps of masks.
fn make_room(program: &mut Program, free: Temp) {
    let used = temps_used(program);
    if used > free {
        for query in &mut program.queries {
            query.temps = query.temps.max(used);
        }
    }
}

/// Returns one more than the highest temp that anything names, and that windows of queries have room for.
fn temps_used(program: &Program) -> Temp {
    let of_queries = program.queries.iter().map(|query| query.temps);
    let most = of_queries.max().unwrap_or(0);
    most.saturating_add(1).max(program.temps_named())
}

/// Compiles a filtered list that is iterated in numeric order.
fn filtered(masks: &mut Masks, id: SetId) -> Option<MaskId> {
    let Set::Where(_) = get_set(masks.program, id) else {
        return None;
    };
    let list = list(masks, id)?;
    (list.pays && list.ordered).then_some(list.mask)
}

/// Gives each name of a choice its mask, or one for each part of a long list.
fn add_names(masks: &mut Masks, free: Temp) {
    let mut sites = std::mem::take(&mut masks.program.sites);
    for option in sites.iter_mut().flat_map(|site| &mut site.options) {
        masks.ranges.clear();
        for binder in &mut option.binders {
            masks.fresh = free;
            let mask = name_of_choice(masks, binder);
            masks.fresh = if mask.is_none() { free } else { masks.fresh };
            // A mask has each member once, so it is of no use where repetitions count.
            if !binder.repeats || !may_repeat(masks.program, binder.domain) {
                binder.mask = mask;
            }
            let range = range_of(masks, binder);
            masks.ranges.extend(range);
        }
    }
    masks.program.sites = sites;
    masks.ranges.clear();
}

/// Returns the values of a name that stands for one number, for conditions on later names.
fn range_of(masks: &mut Masks, binder: &BinderInfo) -> Option<(Temp, i32, i32)> {
    let is_number = binder.count == BinderSize::One && matches!(binder.of, Type::Int);
    let list = list(masks, binder.domain).filter(|_| is_number)?;
    let last = list.domain.first + i32::from(list.domain.len) - 1;
    Some((binder.temp, list.domain.first, last))
}

fn name_of_choice(masks: &mut Masks, binder: &BinderInfo) -> Option<MaskId> {
    let is_zone = matches!(get_set(masks.program, binder.domain), Set::Zone(_));
    let mut list = list(masks, binder.domain)?;
    for filter in &binder.filters {
        list = narrowed(masks, list, binder.member(), filter.test)?;
    }
    (list.pays && (list.ordered || is_zone)).then_some(list.mask)
}
