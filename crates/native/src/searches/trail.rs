//! Trails: short ways that searches in what-ifs have found, one for each seat in turn and each place where they begin.
//!
//! Rules ask in many supposed positions whether a group has a free neighbor. A trail may come from any position, so the
//! conditions on each of its members are tested again; only adjacency is constant. One that holds is counted as the most
//! work that a search can be, because the interpreter searches.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::driver::context::Context;
use crate::function::cycle::{Body, joined, value_of};
use crate::function::emit::{Scalar, Translator, at};
use crate::function::helper::parts_of;
use crate::searches::discovery::Steps;
use crate::searches::search::{Search, Way, WayBack};
use wyrmgate_program::{Expr, Set, VAR_ACTIVE};

/// The maximum number of trails.
pub(crate) const TRAILS_MAX: usize = 4_096;

/// The numbers of a trail: how many members follow the first one, then these.
pub(crate) const TRAIL: usize = 8;

const BYTES: i64 = (TRAIL * size_of::<u16>()) as i64;

/// The trails of a question.
#[derive(Clone, Copy)]
pub(crate) struct Trails {
    first: u32,
    last: u32,
    active: usize,
    bound: u32,
    /// The maximum work of a search.
    work: i64,
}

/// Keeps the trail from the beginning of a search to a member that was discovered from place `from` of the queue.
///
/// `queue` and `parents` have as many words as code has stored there: each member, and the place from which it was
/// discovered, which comes before its own.
pub(crate) unsafe extern "C" fn keep_trail(
    context: *mut Context,
    number: u32,
    queue: *const i32,
    parents: *const i32,
    found: i32,
    from: i32,
) {
    let (context, _) = parts_of(context);
    let Some(trail) = context.trail(number as usize) else {
        return;
    };
    *trail = [0; TRAIL];
    let mut way = [0; TRAIL];
    let mut count = 0;
    // SAFETY: code has stored `queue` and `parents`.
    for member in unsafe { WayBack::new((queue, parents), (found, from)) } {
        let (Some(step), Ok(number)) = (way.get_mut(count), u16::try_from(member)) else {
            return;
        };
        *step = number;
        count += 1;
    }
    let (places, steps) = (trail.iter_mut().skip(1), way.iter().take(count).rev());
    places
        .zip(steps.skip(1))
        .for_each(|(place, step)| *place = *step);
    trail[0] = count as u16 - 1;
}

impl<'t> Translator<'t> {
    /// Visits members farther than one step from the beginning of a search until one is enough; the first one is the end
    /// of a trail. `asked`: the maximum work of the body.
    pub fn each_farther(
        &mut self,
        (search, steps): (Search, Steps),
        (bound, asked): (u32, i64),
        made: &[Value],
        body: Body<'_, 't>,
    ) -> Vec<Value> {
        let Some(trails) = self.trails_of((search, steps), (bound, asked)) else {
            return self.each_discovered(search, (bound, Way::Forgotten), made, body);
        };
        let none = self.int(-1);
        let begun = self.each(search.from, &[none], &mut |_, member, _| {
            (vec![member], None)
        });
        let (member, number) = self.trail_from(trails, value_of(&begun));
        let mut made = self.end_of_trail((search, steps, trails), (member, number), made, body);
        let enough = made.pop().unwrap_or(none);
        let goes_on = self.opposite(enough);
        self.only_where(goes_on, &made, &mut |t, made| {
            t.each_discovered(search, (bound, Way::Trail(number)), made, body)
        })
    }

    /// Returns the trails of a question, if keeping trails is worthwhile: the question is asked in many supposed
    /// positions, and the neighbors of a member are constant.
    fn trails_of(
        &mut self,
        (search, steps): (Search, Steps),
        (bound, asked): (u32, i64),
    ) -> Option<Trails> {
        let active = self.built_in(VAR_ACTIVE)? as usize;
        let &Set::Keyed { value, .. } = self.program.sets.get(steps.next as usize)? else {
            return None;
        };
        let index = match *self.program.exprs.get(value as usize)? {
            Expr::Table { index, .. } => index,
            _ => value,
        };
        let is_constant = matches!(self.program.exprs.get(index as usize)?, Expr::Temp(temp) if *temp == search.temp);
        let count = u32::try_from(self.layout.seats).ok()? * bound;
        let last = self.trails.checked_add(count)?;
        let end = last + 1;
        if self.scope.supposed == 0 || !is_constant || end as usize > TRAILS_MAX {
            return None;
        }
        let first = std::mem::replace(&mut self.trails, end);
        Some(Trails {
            first,
            last,
            active: self.layout.vars_at + active,
            bound,
            work: i64::from(bound + 1) * (steps.work + asked + 2),
        })
    }

    /// Emits a place where the search may begin, and the number of the trail from there. For NONE, it is the last trail
    /// of the question, which stays empty, because a search from nowhere finds nothing.
    fn trail_from(&mut self, trails: Trails, begin: Value) -> (Value, Value) {
        let seats = self.layout.seats as i64;
        let none = self.int(0);
        let is_place = self.is(IntCC::UnsignedLessThan, begin, i64::from(trails.bound));
        let member = self.b.ins().select(is_place, begin, none);
        let range = (0, trails.bound as i32 - 1);
        self.ranges.insert(member, range);
        let seat = self.state_word(trails.active);
        let is_seat = self.is(IntCC::UnsignedLessThan, seat, seats);
        let seat = self.b.ins().select(is_seat, seat, none);
        let number = self.b.ins().imul_imm_s(seat, i64::from(trails.bound));
        let number = self.b.ins().iadd(number, member);
        let number = self.b.ins().iadd_imm_s(number, i64::from(trails.first));
        let last = self.int(trails.last as i32);
        let number = self.b.ins().select(is_place, number, last);
        (member, number)
    }

    /// Visits the end of a trail if the search would continue from each member before it; emits the values of the body,
    /// then whether that is enough.
    fn end_of_trail(
        &mut self,
        (search, steps, trails): (Search, Steps, Trails),
        (begin, number): (Value, Value),
        made: &[Value],
        body: Body<'_, 't>,
    ) -> Vec<Value> {
        let before = self.temps.clone();
        let noted = std::mem::take(&mut self.work);
        let [head, asks, step, end, fails, after] = self.blocks();
        let [member, place] = [(); 2].map(|()| self.b.append_block_param(head, types::I32));
        let no = self.b.ins().iconst(types::I8, 0);
        let mut made_then = made.to_vec();
        made_then.push(no);
        let results = self.params_like(after, &made_then);
        let trail = self.trail_at(number);
        let flags = self.regions.rest;
        let count = self.b.ins().load(types::I16, flags, trail, 0);
        let count = self.b.ins().uextend(types::I32, count);
        let none = self.int(0);
        let begins = [begin, none].map(BlockArg::from);
        let is_there = self.is(IntCC::NotEqual, count, 0);
        self.b.ins().brif(is_there, head, &begins, fails, &[]);

        self.b.switch_to_block(head);
        // «Trails hold members.»
        self.ranges.insert(member, (0, trails.bound as i32 - 1));
        let goes_on = self.b.ins().icmp(IntCC::UnsignedLessThan, place, count);
        self.branch(goes_on, asks, end);

        self.b.switch_to_block(asks);
        self.set_temp(search.temp, Scalar::Word(member));
        match steps.only {
            Some(condition) => {
                let joins = self.truth(condition);
                self.branch(joins, step, fails);
            }
            None => self.jump(step, &[]),
        }
        self.b.switch_to_block(step);
        let place = self.b.ins().iadd_imm_s(place, 1);
        let bytes = self.b.ins().uextend(types::I64, place);
        let bytes = self.b.ins().imul_imm_s(bytes, size_of::<u16>() as i64);
        let next = self.b.ins().iadd(trail, bytes);
        let next = self.b.ins().load(types::I16, flags, next, 0);
        let next = self.b.ins().uextend(types::I32, next);
        self.jump(head, &[next, place].map(BlockArg::from));

        self.b.switch_to_block(end);
        self.temps.clone_from(&before);
        let (own, enough) = body(self, member, made);
        let enough = enough.unwrap_or(no);
        let (all, none) = (self.long(trails.work as u64), self.long(0));
        let work = self.b.ins().select(enough, all, none);
        let left = self.b.use_var(self.fuel);
        let left = self.b.ins().isub(left, work);
        self.b.def_var(self.fuel, left);
        self.jump(after, &joined(&own, &[enough]));
        self.b.switch_to_block(fails);
        self.jump(after, &joined(&made_then, &[]));
        self.b.switch_to_block(after);
        // The interpreter follows no trail, so this counts no work.
        (self.temps, self.work) = (before, noted);
        results
    }

    fn trail_at(&mut self, number: Value) -> Value {
        let first = self.part(types::I64, at(offset_of!(Context, trails)));
        let number = self.b.ins().uextend(types::I64, number);
        let bytes = self.b.ins().imul_imm_s(number, BYTES);
        self.b.ins().iadd(first, bytes)
    }
}
