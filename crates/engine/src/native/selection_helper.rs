//! Searches for selections, which code requests one after the other.

use std::sync::Arc;

use super::context::{Context, GIVE_UP};
use super::translation::Translation;
use crate::choices::{Form, Sizes};
use crate::selections::{Found, PLANNED_MAX, Plan, Search, Terms};

/// Result: there is no further selection.
pub(super) const NOTHING: i32 = -1;

pub(super) const MEMBERS_PLANNED: i64 = PLANNED_MAX as i64;

/// Searches that have begun, and the memory for others.
pub(super) struct Selecting {
    forms: Vec<OfTerms>,
    /// The forms of the searches that have begun, the last one last.
    begun: Vec<usize>,
}

/// The searches of one question. A question can be asked again while its search is running.
struct OfTerms {
    form: Arc<Terms>,
    searches: Vec<(Search, Sizes)>,
    used: usize,
}

impl Selecting {
    pub fn new(translation: &Translation) -> Selecting {
        let forms = translation.forms().iter().map(|form| OfTerms {
            form: Arc::clone(form),
            searches: Vec::new(),
            used: 0,
        });
        Selecting {
            forms: forms.collect(),
            begun: Vec::new(),
        }
    }

    /// Ends all searches: code has given up.
    pub fn reset(&mut self) {
        while self.end().is_some() {}
    }

    /// Returns memory for one more search.
    fn begin(&mut self, form: usize) -> Option<&mut (Search, Sizes)> {
        let of_terms = self.forms.get_mut(form)?;
        if of_terms.used == of_terms.searches.len() {
            let search = Search::new(Plan::new(Arc::clone(&of_terms.form)));
            of_terms.searches.push((search, NO_SIZES));
        }
        of_terms.used += 1;
        self.begun.push(form);
        of_terms.searches.get_mut(of_terms.used - 1)
    }

    /// Returns the last search that has begun.
    fn last(&mut self) -> Option<&mut (Search, Sizes)> {
        let of_terms = self.forms.get_mut(*self.begun.last()?)?;
        of_terms.searches.get_mut(of_terms.used.checked_sub(1)?)
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

/// Begins a search with the values that conditions compare with, and what the members add to each measure; returns a
/// negative number if that is impossible.
pub(super) unsafe extern "C" fn begin(
    context: *mut Context,
    form: u32,
    known: *const i32,
    gains: *const i32,
    count: u32,
    least: i32,
    most: i32,
) -> i32 {
    let context = context_of(context);
    let count = count as usize;
    let Some((search, sizes)) = selecting(context).and_then(|all| all.begin(form as usize)) else {
        return GIVE_UP;
    };
    *sizes = Sizes::between(least, most, Form::Subset, count);
    let plan = &mut search.plan;
    // SAFETY: «room for members»: code has put as many values there as the form has, and as many gains as there are
    // members, measure by measure.
    let (known, gains) = unsafe {
        let known = std::slice::from_raw_parts(known, plan.known_values());
        let gains = std::slice::from_raw_parts(gains, plan.measured() * count);
        (known, gains)
    };
    plan.load(known, gains, *sizes, count);
    search.begin(*sizes, count);
    context.fuel -= i64::from(search.plan.work);
    0
}

/// Stores the next selection; returns twice its length, plus one if it certainly fulfills the conditions.
pub(super) unsafe extern "C" fn next(
    context: *mut Context,
    members: *const i32,
    count: u32,
    into: *mut i32,
) -> i32 {
    let context = context_of(context);
    let Some((search, _)) = selecting(context).and_then(Selecting::last) else {
        return GIVE_UP;
    };
    let before = context.fuel.clamp(0, i64::from(u32::MAX)) as u32;
    let mut budget = before;
    let found = search.advance(&mut budget);
    context.fuel -= i64::from(before - budget);
    let sure = match found {
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
    2 * search.select_into(members, into) + sure
}

/// Counts the selections and ends the search; returns a negative number if they must be looked at, or are too many.
pub(super) unsafe extern "C" fn count(context: *mut Context, members: u32) -> i32 {
    let context = context_of(context);
    let Some(all) = selecting(context) else {
        return GIVE_UP;
    };
    let Some((search, sizes)) = all.last() else {
        return GIVE_UP;
    };
    let before = context.fuel.clamp(0, i64::from(u32::MAX)) as u32;
    let mut budget = before;
    let count = search.plan.count(*sizes, members as usize, &mut budget);
    context.fuel -= i64::from(before - budget);
    all.end();
    let count = count.and_then(|count| i32::try_from(count).ok());
    count.unwrap_or(GIVE_UP)
}

/// Ends the last search.
pub(super) unsafe extern "C" fn end(context: *mut Context) {
    if let Some(all) = selecting(context_of(context)) {
        all.end();
    }
}

fn context_of<'c>(context: *mut Context) -> &'c mut Context {
    // SAFETY: «one context»: as for the other helpers.
    unsafe { &mut *context }
}

fn selecting<'s>(context: &Context) -> Option<&'s mut Selecting> {
    // SAFETY: «what the driver owns waits»: the driver uses this only between moves.
    unsafe { context.selecting.as_mut() }
}
