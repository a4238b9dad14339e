//! Paths: sequences in which the list of each member depends on those before.

use smallvec::SmallVec;

use crate::choice::BoundValue;
use crate::eval::{Eval, ValueList};
use crate::fault::{FaultKind, Halt};
use wyrmgate_program::{BinderInfo, BinderSize, LENGTH_MAX, PathInfo};

/// A path to find.
pub(super) struct SoughtPath<'b> {
    pub binder: &'b BinderInfo,
    path: PathInfo,
    start: i32,
    pub least: usize,
    pub most: usize,
    /// Whether a path ends only where no member follows.
    pub to_the_end: bool,
}

impl<'b> SoughtPath<'b> {
    pub fn of(eval: &mut Eval<'_>, binder: &'b BinderInfo) -> Result<SoughtPath<'b>, Halt> {
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
        Ok(SoughtPath {
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
        eval.bind(self.binder, &BoundValue::Many(SmallVec::from_slice(so_far)));
        let last = so_far.last().copied().unwrap_or(self.start);
        eval.set_temp(self.path.last, last);
    }

    /// Returns the members that can follow.
    pub fn next(&self, eval: &mut Eval<'_>, seat: u8, so_far: &[i32]) -> Result<ValueList, Halt> {
        if so_far.len() < self.most {
            self.stand_at(eval, so_far);
            return eval.domain(seat, self.binder);
        }
        match self.to_the_end {
            true => Err(eval.scratch.halt(FaultKind::Enumeration)),
            false => Ok(ValueList::new()),
        }
    }
}
