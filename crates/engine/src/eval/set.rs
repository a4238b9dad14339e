//! Lists: iterated lazily, member by member; a list is built only if its order requires it.

use smallvec::SmallVec;

use super::{Eval, ValueList};
use crate::fault::Halt;
use wyrmgate_program::{
    ExprId, ExtremeKey, KeyedList, ListUpTo, Local, MemberTest, SEATS_MAX, Set, SetId, SortedList,
    TableId, Temp, is_searched,
};

/// Why an iteration ended before the last member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IterationStop {
    /// The visitor has seen enough.
    Enough,
    Halt,
}

impl From<Halt> for IterationStop {
    fn from(_: Halt) -> IterationStop {
        IterationStop::Halt
    }
}

/// Members with a key and their place in the list, so that sorting needs no memory to keep equal ones in order.
type Keyed = SmallVec<[(i32, usize, i32); 32]>;

pub type Walk = Result<(), IterationStop>;

/// Visits a member of a list, and says whether the walk continues.
pub trait Visit<'a>: FnMut(&mut Eval<'a>, i32) -> Walk {}

impl<'a, F: FnMut(&mut Eval<'a>, i32) -> Walk> Visit<'a> for F {}

/// Called for each member.
pub type Each<'v, 'a> = &'v mut dyn FnMut(&mut Eval<'a>, i32) -> Walk;

/// Returns the result of a walk. Ending early is not a failure.
pub fn settle(walk: Walk) -> Result<(), Halt> {
    match walk {
        Ok(()) | Err(IterationStop::Enough) => Ok(()),
        Err(IterationStop::Halt) => Err(Halt),
    }
}

impl<'a> Eval<'a> {
    /// Visits the members in order.
    pub fn each(&mut self, set: SetId, visit: Each<'_, 'a>) -> Walk {
        let program = self.program;
        let Some(set) = program.sets.get(set as usize) else {
            return Ok(());
        };
        self.deeper()?;
        let walk = self.each_of(set, visit);
        self.shallower();
        walk
    }

    /// Visits the members in order, without an indirect call for every member of the most common lists.
    #[inline(always)]
    pub fn walk(&mut self, set: SetId, visit: impl Visit<'a>) -> Walk {
        match self.program.sets.get(set as usize) {
            Some(&Set::Where(test)) => self.walk_where(test, visit),
            _ => self.walk_unfiltered(set, visit),
        }
    }

    #[inline(always)]
    fn walk_where(&mut self, test: MemberTest, mut visit: impl Visit<'a>) -> Walk {
        self.walk_unfiltered(test.of, |eval, member| {
            eval.set_temp(test.temp, member);
            if eval.truth(test.condition)? {
                visit(eval, member)?;
            }
            Ok(())
        })
    }

    #[inline(always)]
    fn walk_unfiltered(&mut self, set: SetId, mut visit: impl Visit<'a>) -> Walk {
        match self.program.sets.get(set as usize) {
            Some(&Set::Zone(zone)) => self.walk_zone(zone, visit),
            Some(&Set::Range(low, high)) => self.walk_range(low, high, visit),
            Some(&Set::Table(table)) => self.walk_values(self.table_values(table), visit),
            Some(&Set::Keyed(list)) => {
                let members = self.keyed(list)?;
                self.walk_values(members, visit)
            }
            Some(&Set::Bits(mask)) => self.walk_bits(mask, visit),
            _ => self.each(set, &mut visit),
        }
    }

    #[inline(always)]
    fn walk_zone(&mut self, zone: ExprId, mut visit: impl Visit<'a>) -> Walk {
        let zone = self.value(zone)?;
        let mut at = self.state.zone_first(zone);
        while at >= 0 {
            self.scratch.spend()?;
            visit(self, at)?;
            at = self.state.next(at);
        }
        Ok(())
    }

    #[inline(always)]
    fn walk_range(&mut self, low: ExprId, high: ExprId, visit: impl Visit<'a>) -> Walk {
        let (low, high) = (self.value(low)?, self.value(high)?);
        self.walk_numbers(low, high, visit)
    }

    #[inline(always)]
    pub fn walk_numbers(&mut self, low: i32, high: i32, mut visit: impl Visit<'a>) -> Walk {
        let mut at = i64::from(low);
        while at <= i64::from(high) {
            self.scratch.spend()?;
            visit(self, at as i32)?;
            at += 1;
        }
        Ok(())
    }

    // Each arm calls a function, so that this frame, which recursion repeats, does not hold the locals of all kinds of lists.
    fn each_of(&mut self, set: &'a Set, visit: Each<'_, 'a>) -> Walk {
        match *set {
            Set::Empty => Ok(()),
            Set::Zone(zone) => self.walk_zone(zone, visit),
            Set::Range(low, high) => self.walk_range(low, high, visit),
            Set::Table(table) => self.walk_values(self.table_values(table), visit),
            Set::Keyed(list) => {
                let members = self.keyed(list)?;
                self.walk_values(members, visit)
            }
            Set::SeatsFrom(seat) => self.each_seat(seat, 0, visit),
            Set::Others(seat) => self.each_seat(seat, 1, visit),
            Set::Local(local) => self.each_in_frame(local, visit),
            Set::LocalAt { base, index } => self.each_of_seat(base, index, visit),
            Set::Temp(temp) => self.each_in_scratch(temp, visit),
            Set::List { first, count } => self.each_listed(first, count, visit),
            Set::Where(test) => self.walk_where(test, visit),
            Set::Keys { of, temp, key } => self.each(of, &mut |eval, member| {
                eval.set_temp(temp, member);
                let key = eval.value(key)?;
                visit(eval, key)
            }),
            Set::Joined { of, temp, list } => self.each(of, &mut |eval, member| {
                eval.set_temp(temp, member);
                eval.each(list, visit)
            }),
            Set::Sorted(by) => self.each_sorted(by, visit),
            Set::With(by) => self.each_with(by, visit),
            Set::Concat(one, other) => {
                self.each(one, visit)?;
                self.each(other, visit)
            }
            Set::Minus(of, without) => self.each_but(of, without, visit),
            Set::Reversed(of) => self.each_reversed(of, visit),
            Set::PhysicalOrder(of) => self.each_in_physical_order(of, visit),
            Set::UpTo(end) => self.each_up_to(end, visit),
            Set::Words { offset, len } => self.walk_values(self.state.vars(offset, len), visit),
            Set::Take(of, count) => self.each_taken(of, count, visit),
            Set::Unique(of) => self.each_once(of, visit),
            Set::Following(asked) => self.each_following(asked, visit),
            Set::If(condition, then, otherwise) => {
                if self.truth(condition)? {
                    self.each(then, visit)
                } else {
                    self.each(otherwise, visit)
                }
            }
            Set::Call { query, args } => self.each_of_call(query, args, None, visit),
            Set::CallKind { dispatch, args } => self.each_of_call_kind(dispatch, args, visit),
            Set::Within(search) => self.each_within(search, visit),
            Set::Bits(mask) => self.walk_bits(mask, visit),
            Set::Let { value, temp, list } => {
                let value = self.value(value)?;
                self.set_temp(temp, value);
                self.each(list, visit)
            }
            Set::LetList { value, temp, list } => self.each_with_list(value, temp, list, visit),
            Set::After(after) => {
                let gather = |eval: &mut Eval<'_>| eval.gather(after.list);
                let members = self.supposing(after.effect, after.args, after.count, gather)?;
                self.walk_values(&members, visit)
            }
            Set::FreeCells(zone) => self.each_free_cell(zone, visit),
            Set::TakenCells(zone) => self.each_taken_cell(zone, visit),
        }
    }

    /// Visits the members that another list has, or those that it does not have. A list that would be searched for each of
    /// them is built once.
    fn each_but(&mut self, of: SetId, without: SetId, visit: Each<'_, 'a>) -> Walk {
        if !is_searched(self.program, without) {
            return self.each(
                of,
                &mut |eval, member| match eval.contains(without, member)? {
                    true => Ok(()),
                    false => visit(eval, member),
                },
            );
        }
        let mut others = self.gather(without)?;
        others.sort_unstable();
        self.each(of, &mut |eval, member| {
            eval.scratch.spend()?;
            match others.binary_search(&member) {
                Ok(_) => Ok(()),
                Err(_) => visit(eval, member),
            }
        })
    }

    /// Builds a list of all members.
    pub fn gather(&mut self, set: SetId) -> Result<ValueList, Halt> {
        let mut members = ValueList::new();
        settle(self.walk(set, |_, member| {
            members.push(member);
            Ok(())
        }))?;
        Ok(members)
    }

    pub(super) fn table_values(&self, table: TableId) -> &'a [i32] {
        let table = self.program.tables.get(table as usize);
        table.map_or(&[], Vec::as_slice)
    }

    /// Returns the components with this value in a constant field, the list with this number.
    pub(super) fn keyed(&mut self, list: KeyedList) -> Result<&'a [i32], Halt> {
        let number = self.value(list.value)?.checked_sub(list.low);
        let listed = |number| self.program.listed(list.starts, list.members, number);
        Ok(number.map_or(&[], listed))
    }

    #[inline(always)]
    pub(super) fn walk_values(&mut self, values: &[i32], mut visit: impl Visit<'a>) -> Walk {
        for &value in values {
            self.scratch.spend()?;
            visit(self, value)?;
        }
        Ok(())
    }

    /// Visits the seats in turn order, without the first `skipped` ones.
    fn each_seat(&mut self, seat: ExprId, skipped: i32, visit: Each<'_, 'a>) -> Walk {
        let first = self.value(seat)?;
        let seats = self.state.layout.seats as i32;
        if !(0..seats).contains(&first) {
            return Ok(());
        }
        for step in skipped..seats {
            self.scratch.spend()?;
            visit(self, (first + step) % seats)?;
        }
        Ok(())
    }

    fn each_in_frame(&mut self, local: Local, visit: Each<'_, 'a>) -> Walk {
        for at in self.frame_list(local) {
            self.scratch.spend()?;
            let member = self.state.slot(at);
            visit(self, member)?;
        }
        Ok(())
    }

    fn each_of_seat(&mut self, base: Local, index: ExprId, visit: Each<'_, 'a>) -> Walk {
        let seat = self.value(index)?;
        if !(0..SEATS_MAX as i32).contains(&seat) {
            return Ok(());
        }
        self.each_in_frame(base.saturating_add(2 * seat as Local), visit)
    }

    fn each_in_scratch(&mut self, temp: Temp, visit: Each<'_, 'a>) -> Walk {
        let offset = self.temp(temp).max(0) as usize;
        let length = self.temp(temp.saturating_add(1)).max(0) as usize;
        for at in offset..offset.saturating_add(length) {
            self.scratch.spend()?;
            let Some(&member) = self.scratch.lists.get(at) else {
                break;
            };
            visit(self, member)?;
        }
        Ok(())
    }

    fn each_listed(&mut self, first: ExprId, count: u16, visit: Each<'_, 'a>) -> Walk {
        for expr in first..first.saturating_add(u32::from(count)) {
            self.scratch.spend()?;
            let value = self.value(expr)?;
            visit(self, value)?;
        }
        Ok(())
    }

    /// Returns the members with their keys and places.
    fn with_keys(&mut self, of: SetId, temp: Temp, key: ExprId) -> Result<Keyed, Halt> {
        let mut keyed = Keyed::new();
        settle(self.walk(of, |eval, member| {
            eval.set_temp(temp, member);
            keyed.push((eval.value(key)?, keyed.len(), member));
            Ok(())
        }))?;
        Ok(keyed)
    }

    fn each_sorted(&mut self, by: SortedList, visit: Each<'_, 'a>) -> Walk {
        let mut keyed = self.with_keys(by.of, by.temp, by.key)?;
        if by.descending {
            keyed.sort_unstable_by_key(|(key, at, _)| (std::cmp::Reverse(*key), *at));
        } else {
            keyed.sort_unstable_by_key(|(key, at, _)| (*key, *at));
        }
        keyed
            .into_iter()
            .try_for_each(|(.., member)| visit(self, member))
    }

    fn each_with(&mut self, by: ExtremeKey, visit: Each<'_, 'a>) -> Walk {
        let keyed = self.with_keys(by.of, by.temp, by.key)?;
        let keys = keyed.iter().map(|(key, ..)| *key);
        let extreme = if by.most { keys.max() } else { keys.min() };
        keyed
            .into_iter()
            .filter(|(key, ..)| Some(*key) == extreme)
            .try_for_each(|(.., member)| visit(self, member))
    }

    fn each_reversed(&mut self, of: SetId, visit: Each<'_, 'a>) -> Walk {
        let members = self.gather(of)?;
        members
            .into_iter()
            .rev()
            .try_for_each(|member| visit(self, member))
    }

    fn each_taken(&mut self, of: SetId, count: ExprId, visit: Each<'_, 'a>) -> Walk {
        let mut left = self.value(count)?;
        if left <= 0 {
            return Ok(());
        }
        // The visitor and the count both end the walk with `Enough`. Only the visitor's must reach the caller.
        let mut stopped = false;
        let walk = self.each(of, &mut |eval, member| {
            left -= 1;
            visit(eval, member).inspect_err(|_| stopped = true)?;
            if left == 0 {
                Err(IterationStop::Enough)
            } else {
                Ok(())
            }
        });
        match walk {
            Err(IterationStop::Enough) if !stopped => Ok(()),
            walk => walk,
        }
    }

    /// Visits the members before the first one that fulfills the condition, and this one too if `with_it`.
    fn each_up_to(&mut self, end: ListUpTo, visit: Each<'_, 'a>) -> Walk {
        // The visitor and the condition both end the walk with `Enough`. Only the visitor's must reach the caller.
        let mut is_last = false;
        let walk = self.walk(end.of, |eval, member| {
            eval.set_temp(end.temp, member);
            is_last = eval.truth(end.condition)?;
            if !is_last || end.with_it {
                visit(eval, member).inspect_err(|_| is_last = false)?;
            }
            if is_last {
                Err(IterationStop::Enough)
            } else {
                Ok(())
            }
        });
        match walk {
            Err(IterationStop::Enough) if is_last => Ok(()),
            walk => walk,
        }
    }

    fn each_once(&mut self, of: SetId, visit: Each<'_, 'a>) -> Walk {
        let mut seen = ValueList::new();
        self.each(of, &mut |eval, member| {
            if seen.contains(&member) {
                return Ok(());
            }
            seen.push(member);
            visit(eval, member)
        })
    }
}
