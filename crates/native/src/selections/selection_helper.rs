//! Searches for selections, which code requests one after the other.

use crate::memory::context::{Context, GIVE_UP};
use crate::memory::lent::with;
use crate::memory::selecting::Selecting;
use crate::translator::helper::{NamePlace, alike};
use wyrmgate_engine::choices::{Group, MemberOrder, Sizes};
use wyrmgate_engine::selections::{PLANNED_MAX, Runs, SelectionStep};

/// Result: there is no further selection.
pub(crate) const NOTHING: i32 = -1;

pub(crate) const MEMBERS_PLANNED: i64 = PLANNED_MAX as i64;

/// Modes of [`begin`]: members can be chosen more than once; selections are only counted; [`lay_out_alike`] has said which
/// members are alike.
pub(crate) const REPEATED: u32 = 1;
pub(crate) const COUNTED: u32 = 2;
pub(crate) const ALIKE: u32 = 4;

/// Begins a search with the values that conditions compare with, and what the members add to each measure; returns a
/// negative number if that is impossible.
pub(crate) unsafe extern "C" fn begin(
    context: *mut Context,
    form: u32,
    known: *const i32,
    gains: *const i32,
    count: u32,
    least: i32,
    most: i32,
    how: u32,
) -> i32 {
    let context = context_of(context);
    let count = count as usize;
    let Some(selecting) = selecting(context) else {
        return GIVE_UP;
    };
    let alike = selecting.alike.take().filter(|_| how & ALIKE != 0);
    let Some((looking, all)) = selecting.begin(form as usize) else {
        return GIVE_UP;
    };
    let plan = &mut looking.search.plan;
    // SAFETY: «room for members»: code has put as many values there as the form has, and as many gains as there are
    // members, measure by measure.
    let (known, gains) = unsafe {
        let known = std::slice::from_raw_parts(known, plan.known_values());
        let gains = std::slice::from_raw_parts(gains, plan.measured() * count);
        (known, gains)
    };
    let form = match how & REPEATED {
        0 => MemberOrder::Subset,
        _ => MemberOrder::Repeated,
    };
    looking.sizes = Sizes::between(least, most, form, count);
    match (how & COUNTED, alike) {
        (0, None) => looking.begin(known, gains, count, all),
        (_, None) => looking.begin_anew(known, gains, count, Runs::Of(looking.sizes.copies())),
        (_, Some(runs)) => looking.begin_anew(known, gains, count, runs),
    }
    context.remaining.fuel -= i64::from(looking.known.begun);
    0
}

/// Stores the next selection; returns twice its length, plus one if it certainly fulfills the conditions.
pub(crate) unsafe extern "C" fn next(
    context: *mut Context,
    members: *const i32,
    count: u32,
    into: *mut i32,
) -> i32 {
    let context = context_of(context);
    let Some((looking, all)) = selecting(context).and_then(Selecting::last) else {
        return GIVE_UP;
    };
    let found = looking.next(all, &mut context.remaining.fuel);
    let is_sure = match found {
        SelectionStep::Sure => 1,
        SelectionStep::Perhaps => 0,
        SelectionStep::Nothing => return NOTHING,
        SelectionStep::Exhausted => return GIVE_UP,
    };
    // SAFETY: «room for members»: `count` members lie at the first address. A selection has each of them at most once, so
    // it fits into the second buffer, which is another one.
    let (members, into) = unsafe {
        let count = count as usize;
        let members = std::slice::from_raw_parts(members, count);
        (members, std::slice::from_raw_parts_mut(into, count))
    };
    2 * looking.select_into(members, into) + is_sure
}

/// Counts the selections and ends the search; returns a negative number if they must be looked at, or are too many.
pub(crate) unsafe extern "C" fn count(context: *mut Context, members: u32) -> i32 {
    let context = context_of(context);
    let Some(selecting) = selecting(context) else {
        return GIVE_UP;
    };
    let Some((looking, _)) = selecting.last() else {
        return GIVE_UP;
    };
    let count = looking.count(members as usize, &mut context.remaining.fuel);
    selecting.end();
    count.unwrap_or(GIVE_UP)
}

/// Repeats the members of a buffer, each this many times, side by side.
pub(crate) unsafe extern "C" fn lay_out(
    context: *mut Context,
    number: u32,
    count: u32,
    copies: u32,
) {
    let context = context_of(context);
    let (count, copies) = (count as usize, copies as usize);
    let Some(buffer) = context.buffer(number, count * copies) else {
        context.rest.failed = 1;
        return;
    };
    // The last one first, so that none is lost.
    for from in (0..count).rev() {
        let Some(member) = buffer.get(from).copied() else {
            continue;
        };
        if let Some(places) = buffer.get_mut(from * copies..(from + 1) * copies) {
            places.fill(member);
        }
    }
}

/// Arranges the members of a buffer so that those stand side by side that are alike for the seat, for the next search. The
/// values of earlier names are known.
pub(crate) unsafe extern "C" fn lay_out_alike(
    context: *mut Context,
    seat: u32,
    site: u32,
    option: u32,
    name: u32,
    members: *mut i32,
    count: u32,
) {
    // SAFETY: «room for members»: code has stored `count` members from this address on, without gaps.
    let members = unsafe { std::slice::from_raw_parts_mut(members, count as usize) };
    let place = NamePlace { site, option, name };
    let alike = with(context, |context, m| {
        alike(context, m, seat, place, members)
    });
    let runs = alike.map(|alike| Runs::of_kinds(&alike));
    if let Some(runs) = &runs {
        let laid_out = runs.lay_out(members);
        members.copy_from_slice(&laid_out);
    }
    if let Some(all) = selecting(context_of(context)) {
        all.alike = runs;
    }
}

/// Counts the selections of the last search, which ends, and records them as one group: the first names, then a selection
/// of the members. Returns whether there are any; a negative number if each of them must be looked at.
pub(crate) unsafe extern "C" fn note_counted(
    context: *mut Context,
    option: u32,
    names: u32,
    members: *const i32,
    count: u32,
) -> i32 {
    with(context, |context, m| {
        let prefix = context.members.prefix;
        let (Some(all), Some(prefix)) = (selecting(context), prefix.get(..names as usize)) else {
            return GIVE_UP;
        };
        let (Some((looking, _)), Some(menu)) = (all.last(), &mut m.menu) else {
            return GIVE_UP;
        };
        // SAFETY: «room for members»: `count` members lie at this address.
        let members = unsafe { std::slice::from_raw_parts(members, count as usize) };
        let counted = looking.counted(members.to_vec(), &mut context.remaining.fuel);
        all.end();
        let Some(counted) = counted else {
            return GIVE_UP;
        };
        let group = Group::Counted(&counted);
        menu.note_group(option as u16, prefix, &group);
        i32::from(group.weight() > 0)
    })
}

/// Records a choice: the first names, then this selection.
pub(crate) unsafe extern "C" fn note_found(
    context: *mut Context,
    option: u32,
    names: u32,
    selection: *const i32,
    count: u32,
) {
    with(context, |context, m| {
        let prefix = context.members.prefix.get(..names as usize);
        if let (Some(menu), Some(prefix)) = (&mut m.menu, prefix) {
            // SAFETY: «room for members»: a selection of `count` members has been stored at this address.
            let members = unsafe { std::slice::from_raw_parts(selection, count as usize) };
            menu.note_selection(option as u16, prefix, members);
        }
    });
}

/// Ends the last search.
pub(crate) unsafe extern "C" fn end(context: *mut Context) {
    if let Some(all) = selecting(context_of(context)) {
        all.end();
    }
}

fn context_of<'c>(context: *mut Context) -> &'c mut Context {
    // SAFETY: «one context»: as for the other helpers.
    unsafe { &mut *context }
}

fn selecting<'s>(context: &Context) -> Option<&'s mut Selecting> {
    // SAFETY: «the memory of the driver waits»: the driver uses this only between moves.
    unsafe { context.selecting.as_mut() }
}
