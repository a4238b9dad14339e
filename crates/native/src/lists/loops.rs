//! Lists as inline loops, without building them. The interpreter handles other kinds of lists.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::memory::buffers::{LISTS_MAX, MEMBERS_MAX};
use crate::translator::cycle::{Body, LoopBody};
use crate::translator::emit::{Translator, offset};
use crate::translator::inlining::DEPTH_MAX;
use crate::translator::known::ScalarValue;
use crate::translator::searching::VisitOrder;
use wyrmgate_program::{
    ExprId, KeyedList, ListUpTo, MemberTest, QueryBody, SEATS_MAX, Set, SetId, Temp, is_searched,
};

/// The maximum nesting of lists.
const NESTING_MAX: u32 = 8;

/// The number of buffers that must be free to iterate over a list.
const BUFFERS_LEFT: usize = 6;

impl<'t> Translator<'t> {
    /// Returns whether the list can be iterated here, without the interpreter.
    pub fn can_walk(&self, set: SetId) -> bool {
        // The code that walks the list may need further buffers.
        self.lists + BUFFERS_LEFT <= LISTS_MAX && self.can_walk_within(set, NESTING_MAX)
    }

    /// Like [`Self::can_walk`], for code that refuses what it cannot iterate.
    pub fn walkable(&self, set: SetId) -> Option<()> {
        self.can_walk(set).then_some(())
    }

    pub fn can_walk_within(&self, set: SetId, nesting: u32) -> bool {
        let program = self.program;
        let Some(nesting) = nesting.checked_sub(1) else {
            return false;
        };
        match program.sets.get(set as usize) {
            Some(&Set::Table(table)) => program.tables.get(table as usize).is_some(),
            Some(&Set::Keyed(list)) => self.keyed_is_whole(list),
            Some(&Set::Bits(mask)) => program.masks.get(mask as usize).is_some(),
            Some(
                &(Set::Where(MemberTest { of, .. })
                | Set::Keys { of, .. }
                | Set::Minus(of, _)
                | Set::UpTo(ListUpTo { of, .. })
                | Set::Take(of, _)
                | Set::Joined { of, .. }
                | Set::LetList { list: of, .. }
                | Set::Let { list: of, .. }),
            ) => self.can_walk_within(of, nesting),
            Some(&Set::Call { query, .. }) => {
                let list = self.list_of(query);
                let list = list.filter(|_| self.inlining.depth < DEPTH_MAX);
                list.is_some_and(|list| self.can_walk_within(list, nesting))
            }
            Some(&Set::Local(local)) => u32::from(local) + 1 < self.flow.effect.slots,
            Some(&Set::LocalAt { base, .. }) => {
                u32::from(base) + 2 * SEATS_MAX as u32 <= self.flow.effect.slots
            }
            Some(Set::List { count, .. }) => usize::from(*count) <= MEMBERS_MAX,
            Some(_) => true,
            None => false,
        }
    }

    /// Returns the body of a query that returns a list.
    pub fn list_of(&self, query: u16) -> Option<SetId> {
        let query = self.program.query(query)?;
        match query.body {
            // Recursive queries are left to the interpreter.
            QueryBody::List(_) if query.deepest > 0 => None,
            QueryBody::List(list) => Some(list),
            QueryBody::Value(_) => None,
        }
    }

    /// Returns whether the tables are consistent: the starts of lists ascend, and no list ends beyond the members.
    pub fn keyed_is_whole(&self, list: KeyedList) -> bool {
        let table = |id: u32| self.program.tables.get(id as usize);
        let (Some(starts), Some(members)) = (table(list.starts), table(list.members)) else {
            return false;
        };
        let end = starts.last().map(|end| usize::try_from(*end));
        let ends_inside = matches!(end, Some(Ok(end)) if end <= members.len());
        starts.len() >= 2
            && starts.is_sorted()
            && starts.first().is_some_and(|first| *first >= 0)
            && ends_inside
    }

    /// Runs a body for each member in order; only if [`Translator::can_walk`].
    pub fn each(&mut self, set: SetId, made: &[Value], body: Body<'_, 't>) -> Vec<Value> {
        // Temps that a walk binds have no meaning after it.
        self.apart(|t| t.each_of(set, LoopBody { made, body }))
    }

    pub fn each_of(&mut self, id: SetId, to: LoopBody<'_, 't>) -> Vec<Value> {
        let Some(set) = self.program.sets.get(id as usize) else {
            return to.made.to_vec();
        };
        let order = std::mem::take(&mut self.searches.order);
        match *set {
            Set::Empty => to.made.to_vec(),
            Set::Zone(zone) => self.in_zone(zone, to.made, to.body),
            Set::List { first, count: 1 } => {
                let member = self.word_of(first);
                self.counts.work += 1;
                (to.body)(self, member, to.made).0
            }
            Set::Range(low, high) => self.each_in_range(low, high, to),
            Set::SeatsFrom(seat) => self.each_seat(seat, 0, to),
            Set::Others(seat) => self.each_seat(seat, 1, to),
            Set::Table(table) => {
                let values = self.program.tables.get(table as usize);
                let values = values.map_or(&[][..], Vec::as_slice);
                let first = self.pointer(values.as_ptr());
                let bytes = self.long(size_of_val(values) as u64);
                let end = self.b.ins().iadd(first, bytes);
                self.each_value(first, end, values, to.made, to.body)
            }
            Set::Keyed(list) if self.keyed_is_whole(list) => self.each_keyed(list, to),
            Set::Bits(mask) => self.each_member_of_mask(mask, to),
            Set::Where(test) => {
                self.searches.order = order;
                self.each(test.of, to.made, &mut |t, member, made| {
                    t.where_it_holds(test, member, made, to.body)
                })
            }
            Set::Keys { of, temp, key } => self.each(of, to.made, &mut |t, member, made| {
                t.set_temp(temp, ScalarValue::Word(member));
                let key = t.word_of(key);
                (to.body)(t, key, made)
            }),
            Set::Minus(of, without) => self.each_but(of, without, order, to),
            Set::UpTo(end) => self.each(end.of, to.made, &mut |t, member, made| {
                t.up_to_it(end, member, made, to.body)
            }),
            Set::Let { value, temp, list } => {
                let value = self.word_of(value);
                self.set_temp(temp, ScalarValue::Word(value));
                self.each(list, to.made, to.body)
            }
            Set::Call { query, args } if self.list_of(query).is_some() => {
                self.each_of_call(query, order, args, to)
            }
            Set::Local(local) => match self.frame_list(local) {
                Some((first, end)) => self.each_value(first, end, &[], to.made, to.body),
                None => self.each_gathered(id, to),
            },
            Set::LocalAt { base, index } => match self.frame_list_of(base, index) {
                Some((first, end)) => self.each_value(first, end, &[], to.made, to.body),
                None => self.each_gathered(id, to),
            },
            Set::Temp(temp) => match self.temp(temp) {
                Some(ScalarValue::List(first, end)) => {
                    self.each_value(first, end, &[], to.made, to.body)
                }
                _ => self.each_gathered(id, to),
            },
            Set::Joined { of, temp, list } => self.each_joined(of, temp, list, to),
            Set::Within(search) if self.can_search(search.next) => {
                self.each_within(search, order, to)
            }
            Set::Take(of, count) => self.each_taken(of, count, to),
            Set::If(condition, then, otherwise) if self.is_nothing(otherwise) => {
                let holds = self.truth(condition);
                self.each_if(holds, then, to)
            }
            Set::If(condition, then, otherwise) if self.is_nothing(then) => {
                let holds = self.truth(condition);
                let fails = self.opposite(holds);
                self.each_if(fails, otherwise, to)
            }
            Set::LetList { value, temp, list } => {
                let lists = self.lists;
                let number = self.open_buffer();
                let count = self.gather_list(value, number);
                let (first, end) = self.ends_of(number, count);
                self.set_temp(temp, ScalarValue::List(first, end));
                let made = self.each(list, to.made, to.body);
                self.lists = lists;
                made
            }
            Set::Words { offset, len } => match self.run_of_words(offset, len) {
                Some((first, end)) => self.each_value(first, end, &[], to.made, to.body),
                None => self.each_gathered(id, to),
            },
            _ => self.each_gathered(id, to),
        }
    }

    /// Iterates over the members that another list does not have. A list that would be searched for each of them is walked
    /// once.
    fn each_but(
        &mut self,
        of: SetId,
        without: SetId,
        order: VisitOrder,
        to: LoopBody<'_, 't>,
    ) -> Vec<Value> {
        let LoopBody { made, body } = to;
        if !is_searched(self.program, without) {
            self.searches.order = order;
            return self.each(of, made, &mut |t, member, made| {
                let is_in = t.contains_value(without, member);
                let stays = t.opposite(is_in);
                t.where_flag(stays, member, made, body)
            });
        }
        self.each_but_gathered(of, without, order, LoopBody { made, body })
    }

    /// Iterates over the lists of all members, one after the other.
    fn each_joined(
        &mut self,
        of: SetId,
        temp: Temp,
        list: SetId,
        to: LoopBody<'_, 't>,
    ) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let results = made.len();
        self.each(of, made, &mut |t, member, made| {
            t.set_temp(temp, ScalarValue::Word(member));
            // If the body ends the inner loop, the outer loop ends, too.
            let goes_on = t.b.ins().iconst(types::I8, 0);
            let begin = with(made, goes_on);
            let mut ends = false;
            let mut after = t.each(list, &begin, &mut |t, inner, made| {
                let (made, enough) = body(t, inner, made.get(..results).unwrap_or_default());
                ends |= enough.is_some();
                (with(&made, enough.unwrap_or(goes_on)), enough)
            });
            let enough = after.pop().filter(|_| ends);
            (after, enough)
        })
    }

    /// Iterates over the first members, up to this number.
    fn each_taken(&mut self, of: SetId, count: ExprId, to: LoopBody<'_, 't>) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let most = self.word_of(count);
        let some = self.is(IntCC::SignedGreaterThan, most, 0);
        self.only_where(some, made, &mut |t, made| {
            let results = made.len();
            let mut after = t.each(of, &with(made, most), &mut |t, member, made| {
                let left = made.last().copied().unwrap_or(most);
                let left = t.b.ins().iadd_imm_s(left, -1);
                let (made, enough) = body(t, member, made.get(..results).unwrap_or_default());
                let last = t.is(IntCC::Equal, left, 0);
                let enough = match enough {
                    Some(enough) => t.b.ins().bor(enough, last),
                    None => last,
                };
                (with(&made, left), Some(enough))
            });
            after.pop();
            after
        })
    }

    /// Iterates over the members if a flag is set.
    fn each_if(&mut self, flag: Value, set: SetId, to: LoopBody<'_, 't>) -> Vec<Value> {
        let LoopBody { made, body } = to;
        self.only_where(flag, made, &mut |t, made| t.each(set, made, body))
    }

    pub fn is_nothing(&self, set: SetId) -> bool {
        matches!(self.program.sets.get(set as usize), Some(Set::Empty))
    }

    /// Returns the addresses where the values of a variable with keys begin and end.
    fn run_of_words(&mut self, first: u32, len: u32) -> Option<(Value, Value)> {
        let end = (first as usize).checked_add(len as usize)?;
        if end > self.layout.vars {
            return None;
        }
        let (words, at) = (self.words, self.layout.vars_at);
        let ends = [first as usize, end].map(|word| i64::from(offset(at + word)));
        let [first, end] = ends.map(|bytes| self.b.ins().iadd_imm_s(words, bytes));
        Some((first, end))
    }

    /// Iterates over the list of a query. The body belongs to the caller and uses the caller's temps.
    pub fn each_of_call(
        &mut self,
        query: u16,
        order: VisitOrder,
        args: ExprId,
        to: LoopBody<'_, 't>,
    ) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let list = self.list_of(query);
        let (Some(info), Some(list)) = (self.program.query(query), list) else {
            return made.to_vec();
        };
        let lists = self.lists;
        let window = self.window(info, args, None);
        self.inlining.depth += 1;
        let mut caller = std::mem::replace(&mut self.known.temps, window);
        self.searches.order = order;
        let made = self.each(list, made, &mut |t, member, made| {
            std::mem::swap(&mut t.known.temps, &mut caller);
            let made = body(t, member, made);
            std::mem::swap(&mut t.known.temps, &mut caller);
            made
        });
        self.known.temps = caller;
        self.inlining.depth -= 1;
        self.lists = lists;
        made
    }

    /// Emits code in which the temps are the arguments of a query.
    pub fn inside_call<T>(
        &mut self,
        query: u16,
        args: ExprId,
        emit: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let info = self.program.query(query)?;
        self.with_arguments(info, args, None, emit)
    }
}

/// Returns accumulated values with one more.
fn with(made: &[Value], one_more: Value) -> Vec<Value> {
    let all = made.iter().copied().chain([one_more]);
    all.collect()
}
