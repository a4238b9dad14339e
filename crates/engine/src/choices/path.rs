//! Paths: sequences in which the list of each member depends on those before.
//!
//! They are visited one after the other; a path that fails a condition is not followed.

use smallvec::SmallVec;

use super::groups::{Visit, first_failing, names};
use crate::choice::{Arg, Choice};
use crate::eval::{Eval, Values, Walk};
use crate::fault::{FaultKind, Halt};
use wyrmgate_program::{BinderInfo, BinderSize, LENGTH_MAX, PathInfo, SiteOption};

/// A path to find.
pub(super) struct Route<'b> {
    binder: &'b BinderInfo,
    path: PathInfo,
    start: i32,
    pub least: usize,
    pub most: usize,
    /// Whether a path ends only where no member follows.
    pub to_the_end: bool,
}

impl<'b> Route<'b> {
    pub fn of(eval: &mut Eval<'_>, binder: &'b BinderInfo) -> Result<Route<'b>, Halt> {
        let (BinderSize::Path { lengths }, Some(path)) = (binder.count, binder.path) else {
            return Err(eval.scratch.halt(FaultKind::Program));
        };
        let (least, most) = match lengths {
            None => (1, LENGTH_MAX as i32),
            Some((least, most)) => (eval.value(least)?, eval.value(most)?),
        };
        if least.max(most) > LENGTH_MAX as i32 {
            return Err(eval.scratch.halt(FaultKind::Enumeration));
        }
        Ok(Route {
            binder,
            path,
            start: eval.value(path.start)?,
            least: least.max(0) as usize,
            most: most.max(0) as usize,
            to_the_end: lengths.is_none(),
        })
    }

    /// Makes the path so far visible to the list of the next member.
    pub fn stand_at(&self, eval: &mut Eval<'_>, so_far: &[i32]) {
        eval.bind(self.binder, &Arg::Many(SmallVec::from_slice(so_far)));
        let last = so_far.last().copied().unwrap_or(self.start);
        eval.set_temp(self.path.last, last);
    }

    /// Returns the members that can follow.
    pub fn next(&self, eval: &mut Eval<'_>, seat: u8, so_far: &[i32]) -> Result<Values, Halt> {
        if so_far.len() < self.most {
            self.stand_at(eval, so_far);
            return eval.domain(seat, self.binder);
        }
        match self.to_the_end {
            true => Err(eval.scratch.halt(FaultKind::Enumeration)),
            false => Ok(Values::new()),
        }
    }
}

/// Goes through the rest for each path.
pub(super) fn each_path<'a>(
    eval: &mut Eval<'a>,
    seat: u8,
    option: &SiteOption,
    binder: &BinderInfo,
    prefix: &mut Choice,
    visit: Visit<'_, 'a>,
) -> Walk {
    let route = Route::of(eval, binder)?;
    let mut search = Search {
        route,
        seat,
        option,
        prefix,
        visit,
    };
    search.from(eval, &mut Values::new())
}

struct Search<'s, 'v, 'a> {
    route: Route<'s>,
    seat: u8,
    option: &'s SiteOption,
    prefix: &'s mut Choice,
    visit: Visit<'v, 'a>,
}

impl<'a> Search<'_, '_, 'a> {
    /// Visits the paths that begin with these members.
    fn from(&mut self, eval: &mut Eval<'a>, so_far: &mut Values) -> Walk {
        eval.scratch.spend()?;
        let lists = eval.scratch.lists.len();
        let next = self.route.next(eval, self.seat, so_far)?;
        let is_whole = match self.route.to_the_end {
            true => next.is_empty() && !so_far.is_empty(),
            false => so_far.len() >= self.route.least,
        };
        if is_whole {
            self.visit_one(eval, so_far)?;
        }
        eval.scratch.lists.truncate(lists);
        for member in next {
            so_far.push(member);
            self.from(eval, so_far)?;
            so_far.pop();
        }
        Ok(())
    }

    fn visit_one(&mut self, eval: &mut Eval<'a>, so_far: &[i32]) -> Walk {
        let binder = self.route.binder;
        let arg = Arg::Many(SmallVec::from_slice(so_far));
        eval.bind(binder, &arg);
        if first_failing(eval, &binder.together)?.is_some() {
            return Ok(());
        }
        self.prefix.args.push(arg);
        let walk = names(eval, self.seat, self.option, self.prefix, self.visit);
        self.prefix.args.pop();
        walk
    }
}
