//! Searches for selections, which code requests one after the other.

use std::sync::Arc;

use crate::driver::context::{Context, GIVE_UP};
use crate::function::helper::{Named, alike, with};
use crate::selections::known_selections::{Known, KnownSelections, MEMBERS_MAX, number_of};
use crate::translation::Translation;
use wyrmgate_engine::choices::{Form, Group, Sizes};
use wyrmgate_engine::selections::{Counted, Found, PLANNED_MAX, Plan, Runs, Search, Terms};

/// Result: there is no further selection.
pub(crate) const NOTHING: i32 = -1;

pub(crate) const MEMBERS_PLANNED: i64 = PLANNED_MAX as i64;

/// Searches that have begun, and the memory for others.
pub(crate) struct Selecting {
    forms: Vec<OfTerms>,
    /// The forms of the searches that have begun, the last one last.
    begun: Vec<usize>,
    /// Which members of the next search are alike, if any are.
    alike: Option<Runs>,
}

/// The searches of one question. A question can be asked again while its search is running.
struct OfTerms {
    form: Arc<Terms>,
    searches: Vec<Looking>,
    used: usize,
    known: KnownSelections,
}

/// A search that continues, or one whose selections are known.
struct Looking {
    search: Search,
    sizes: Sizes,
    stage: Stage,
    known: Known,
}

#[derive(Clone, Copy)]
enum Stage {
    /// The selection with this number is next.
    Known(u8),
    /// What is found is noted, to be known later.
    Noted,
    /// Nothing is noted: there is too much, or it is only counted.
    Searched,
}

impl Selecting {
    pub fn new(translation: &Translation) -> Selecting {
        let forms = translation.forms().iter().map(|form| OfTerms {
            form: Arc::clone(form),
            searches: Vec::new(),
            used: 0,
            known: KnownSelections::default(),
        });
        Selecting {
            forms: forms.collect(),
            begun: Vec::new(),
            alike: None,
        }
    }

    /// Ends all searches: code has given up.
    pub fn reset(&mut self) {
        while self.end().is_some() {}
    }

    /// Returns memory for one more search, and what is known of others of the same question.
    fn begin(&mut self, form: usize) -> Option<(&mut Looking, &mut KnownSelections)> {
        let of_terms = self.forms.get_mut(form)?;
        if of_terms.used == of_terms.searches.len() {
            of_terms.searches.push(Looking {
                search: Search::new(Plan::new(Arc::clone(&of_terms.form))),
                sizes: NO_SIZES,
                stage: Stage::Searched,
                known: Known::default(),
            });
        }
        of_terms.used += 1;
        self.begun.push(form);
        let looking = of_terms.searches.get_mut(of_terms.used - 1)?;
        Some((looking, &mut of_terms.known))
    }

    /// Returns the last search that has begun, and what is known of others of the same question.
    fn last(&mut self) -> Option<(&mut Looking, &mut KnownSelections)> {
        let of_terms = self.forms.get_mut(*self.begun.last()?)?;
        let looking = of_terms.searches.get_mut(of_terms.used.checked_sub(1)?)?;
        Some((looking, &mut of_terms.known))
    }

    fn end(&mut self) -> Option<()> {
        let form = self.begun.pop()?;
        let of_terms = self.forms.get_mut(form)?;
        of_terms.used = of_terms.used.saturating_sub(1);
        Some(())
    }
}

const NO_SIZES: Sizes = Sizes {
    least: 0,
    most: 0,
    form: Form::Subset,
};

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
        0 => Form::Subset,
        _ => Form::Repeated,
    };
    looking.sizes = Sizes::between(least, most, form, count);
    match (how & COUNTED, alike) {
        (0, None) => looking.begin(known, gains, count, all),
        (_, None) => looking.begin_anew(known, gains, count, Runs::Of(looking.sizes.copies())),
        (_, Some(runs)) => looking.begin_anew(known, gains, count, runs),
    }
    context.fuel -= i64::from(looking.known.begun);
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
    let found = looking.next(all, &mut context.fuel);
    let is_sure = match found {
        Found::Sure => 1,
        Found::Perhaps => 0,
        Found::Nothing => return NOTHING,
        Found::Exhausted => return GIVE_UP,
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
    let count = looking.count(members as usize, &mut context.fuel);
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
        context.failed = 1;
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
    let place = Named { site, option, name };
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
        let prefix = context.prefix;
        let (Some(all), Some(prefix)) = (selecting(context), prefix.get(..names as usize)) else {
            return GIVE_UP;
        };
        let (Some((looking, _)), Some(menu)) = (all.last(), &mut m.menu) else {
            return GIVE_UP;
        };
        // SAFETY: «room for members»: `count` members lie at this address.
        let members = unsafe { std::slice::from_raw_parts(members, count as usize) };
        let counted = looking.counted(members.to_vec(), &mut context.fuel);
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
        let prefix = context.prefix.get(..names as usize);
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

impl Looking {
    /// Begins with these values, unless what they lead to is known.
    fn begin(&mut self, known: &[i32], gains: &[i32], count: usize, all: &KnownSelections) {
        let search = number_of(known, gains, self.sizes, count);
        if let Some(known) = all.find(search) {
            self.known = *known;
            self.stage = Stage::Known(0);
            return;
        }
        self.begin_anew(known, gains, count, Runs::Of(self.sizes.copies()));
        if count <= MEMBERS_MAX {
            self.known = Known::new(search, self.search.plan.work);
            self.stage = Stage::Noted;
        }
    }

    /// Begins with these values, and notes nothing.
    fn begin_anew(&mut self, known: &[i32], gains: &[i32], count: usize, runs: Runs) {
        let sizes = (self.sizes, count);
        self.search.plan.load_runs(known, gains, sizes, runs);
        self.search.begin(self.sizes, count);
        self.known.begun = self.search.plan.work;
        self.stage = Stage::Searched;
    }

    /// Continues to the next selection.
    fn next(&mut self, all: &mut KnownSelections, fuel: &mut i64) -> Found {
        if let Stage::Known(number) = self.stage {
            return self.next_known(number, fuel);
        }
        let before = budget_of(*fuel);
        let mut budget = before;
        let found = self.search.advance(&mut budget);
        let cost = before - budget;
        *fuel -= i64::from(cost);
        if matches!(self.stage, Stage::Noted) {
            match found {
                Found::Sure | Found::Perhaps => {
                    let members = self.search.places();
                    if !self.known.add(members, cost, found == Found::Sure) {
                        self.stage = Stage::Searched;
                    }
                }
                Found::Nothing => {
                    self.known.rest = cost;
                    all.keep(&self.known);
                }
                Found::Exhausted => {}
            }
        }
        found
    }

    fn next_known(&mut self, number: u8, fuel: &mut i64) -> Found {
        let way = self.known.way(number);
        let cost = way.map_or(self.known.rest, |way| way.cost.into());
        if *fuel < i64::from(cost) {
            return Found::Exhausted;
        }
        *fuel -= i64::from(cost);
        self.stage = Stage::Known(number + u8::from(way.is_some()));
        match way {
            Some(way) if way.is_sure => Found::Sure,
            Some(_) => Found::Perhaps,
            None => Found::Nothing,
        }
    }

    /// Stores the members of the present selection, in the order of all members; returns their number.
    fn select_into(&self, members: &[i32], into: &mut [i32]) -> i32 {
        let before = match self.stage {
            Stage::Known(next) => next.checked_sub(1).and_then(|now| self.known.way(now)),
            Stage::Noted | Stage::Searched => None,
        };
        let Some(way) = before else {
            return self.search.select_into(members, into);
        };
        let (mut places, mut count) = (way.members, 0);
        for to in into {
            let Some(member) = members.get(places.trailing_zeros() as usize) else {
                break;
            };
            *to = *member;
            places &= places - 1;
            count += 1;
        }
        count
    }

    /// Returns the selections, counted; `None` if they must be looked at, or are too many.
    fn counted(&mut self, members: Vec<i32>, fuel: &mut i64) -> Option<Arc<Counted>> {
        let plan = &mut self.search.plan;
        if plan.unknown {
            return None;
        }
        let next = plan.fresh();
        let plan = std::mem::replace(plan, next);
        let before = budget_of(*fuel);
        let mut budget = before;
        let counted = Counted::new(members, self.sizes, plan, &mut budget);
        *fuel -= i64::from(before - budget);
        counted.map(Arc::new)
    }

    /// Returns the number of selections; `None` if they must be looked at, or are too many.
    fn count(&self, members: usize, fuel: &mut i64) -> Option<i32> {
        let before = budget_of(*fuel);
        let mut budget = before;
        let count = self.search.plan.count(self.sizes, members, &mut budget);
        *fuel -= i64::from(before - budget);
        count.and_then(|count| i32::try_from(count).ok())
    }
}

/// Returns the budget of a search.
fn budget_of(fuel: i64) -> u32 {
    fuel.clamp(0, i64::from(u32::MAX)) as u32
}

fn context_of<'c>(context: *mut Context) -> &'c mut Context {
    // SAFETY: «one context»: as for the other helpers.
    unsafe { &mut *context }
}

fn selecting<'s>(context: &Context) -> Option<&'s mut Selecting> {
    // SAFETY: «the memory of the driver waits»: the driver uses this only between moves.
    unsafe { context.selecting.as_mut() }
}
