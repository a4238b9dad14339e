//! Searches (`within`, `group`, `border`): what can be reached is marked in bytes and queued, both on the native stack;
//! a member is visited before the search goes on from it, as in the interpreter.

use std::collections::HashSet;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    Block, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Type, Value, types,
};

use super::cycle::{Made, joined, value_of};
use super::emit::{Scalar, Translator};
use wyrmgate_program::{Expr, ExprId, QueryBody, Set, SetId, TableId, Temp};

/// One more than the largest member that can be marked.
const MARKS_MAX: u32 = 1_000;

/// Bytes that are cleared at once.
const CLEARED: u32 = 16;

/// Bytes of a member in the queue.
const QUEUED: u32 = 4;

/// The maximum nesting of lists and expressions that are examined.
const DEEPEST: u32 = 12;

/// A `within`.
#[derive(Clone, Copy)]
pub(super) struct Search {
    pub from: SetId,
    pub steps: ExprId,
    pub temp: Temp,
    pub next: SetId,
}

/// Memory of a search on the native stack.
#[derive(Clone, Copy)]
pub(super) struct SearchMemory {
    marks: StackSlot,
    queue: StackSlot,
    parents: StackSlot,
}

/// Where members are marked and queued.
#[derive(Clone, Copy)]
pub(super) struct Reached {
    marks: Value,
    bound: u32,
    pub queue: Value,
    /// The number of the path to the member that is looked for, if it is kept, and the places of the queue from which its
    /// members have been discovered.
    pub keeps: Option<(usize, Value)>,
}

impl Translator<'_> {
    /// Returns whether members are small numbers, so that they can be marked.
    pub fn can_search(&self, next: SetId) -> bool {
        self.marks_of(next).is_some()
    }

    /// Returns a number of steps that is enough to reach everything: each leads to a member that has not been reached before.
    pub fn farthest(&self, next: SetId) -> Option<u32> {
        let program = self.program;
        let values = match *program.sets.get(next as usize)? {
            Set::Table(values)
            | Set::Keyed {
                members: values, ..
            } => values,
            Set::Where { of, .. } => return self.farthest(of),
            Set::If(_, then, otherwise) => {
                return Some(self.farthest(then)? + self.farthest(otherwise)?);
            }
            Set::Empty => return Some(0),
            _ => return None,
        };
        let values = program.tables.get(values as usize)?;
        let distinct: HashSet<i32> = values.iter().copied().collect();
        u32::try_from(distinct.len()).ok()
    }

    /// Returns the number of marks for a search with such steps.
    pub fn marks_of(&self, next: SetId) -> Option<u32> {
        let bound = self.bound_of_list(next, DEEPEST)?;
        let things = self.layout.zones.max(self.layout.components);
        let bound = bound.max(u32::try_from(things).ok()?);
        (bound <= MARKS_MAX).then_some(bound)
    }

    /// Like [`Translator::each`], for a search.
    pub fn each_within(
        &mut self,
        (search, any_order): (Search, bool),
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let keeps = self.keeps_path.take();
        let Some(bound) = self.marks_of(search.next) else {
            return made.to_vec();
        };
        let steps = self.value(search.steps);
        let farthest = self.farthest(search.next).unwrap_or(bound);
        let is_far = matches!(steps, Scalar::Known(steps) if steps >= farthest as i32);
        let steps = self.word(steps);
        let reached = self.reached(bound, keeps);
        self.searches += 1;
        let found = match is_far && any_order {
            true => self.discover_all(search, reached, made, body),
            false => None,
        };
        if let Some(found) = found {
            self.searches -= 1;
            return found;
        }
        let may_begin = self.is(IntCC::SignedGreaterThanOrEqual, steps, 0);
        let made = self.only_where(may_begin, made, &mut |t, made| {
            let none = t.int(0);
            let begun = t.each(search.from, &[none], &mut |t, member, made| {
                (vec![t.reach(reached, member, value_of(made))], None)
            });
            let steps = (!is_far).then_some(steps);
            t.search_on(search, reached, (value_of(&begun), steps), made, body)
        });
        self.searches -= 1;
        made
    }

    /// Begins a search from a place that is already known; `keeps`: the number of the path that it keeps.
    pub fn begin_search(&mut self, search: Search, keeps: Option<usize>) -> Option<Reached> {
        let bound = self.marks_of(search.next)?;
        let reached = self.reached(bound, keeps);
        self.searches += 1;
        Some(reached)
    }

    pub fn end_search(&mut self) {
        self.searches -= 1;
    }

    /// Clears the memory of a search; `keeps`: the number of the path that it keeps.
    fn reached(&mut self, bound: u32, keeps: Option<usize>) -> Reached {
        let memory = self.search_memory(bound);
        let parents = |t: &mut Self| t.b.ins().stack_addr(types::I64, memory.parents, 0);
        Reached {
            marks: self.cleared_marks(memory, bound),
            bound,
            queue: self.b.ins().stack_addr(types::I64, memory.queue, 0),
            keeps: keeps.map(|number| (number, parents(self))),
        }
    }

    /// Returns memory that no running search uses.
    fn search_memory(&mut self, bound: u32) -> SearchMemory {
        let key = (self.searches, bound);
        if let Some(memory) = self.searched.get(&key) {
            return *memory;
        }
        let mut slot = |bytes| {
            let kind = StackSlotKind::ExplicitSlot;
            let slot = StackSlotData::new(kind, bytes, CLEARED.ilog2() as u8);
            self.b.create_sized_stack_slot(slot)
        };
        let memory = SearchMemory {
            marks: slot((bound + 1).next_multiple_of(CLEARED)),
            // What is no new member is stored behind the last one, too.
            queue: slot((bound + 1) * QUEUED),
            parents: slot((bound + 1) * QUEUED),
        };
        self.searched.insert(key, memory);
        memory
    }

    /// Visits the queue, which grows with every step. `steps`: unless there are always enough.
    fn search_on(
        &mut self,
        search: Search,
        reached: Reached,
        (begun, steps): (Value, Option<Value>),
        made: &[Value],
        body: &mut dyn FnMut(&mut Self, Value, &[Value]) -> Made,
    ) -> Vec<Value> {
        let [head, inside, after] = [(); 3].map(|()| self.b.create_block());
        let none = self.int(0);
        // The place in the queue, its end, the end of the members that are equally far, how many steps are left.
        let begin = [none, begun, begun, steps.unwrap_or(none)];
        let control: Vec<Value> = begin
            .iter()
            .map(|_| self.b.append_block_param(head, types::I32))
            .collect();
        let so_far = self.params_like(head, made);
        let end = self.params_like(after, made);
        let noted = std::mem::take(&mut self.work);
        self.jump(head, &joined(&begin, made));
        self.b.switch_to_block(head);
        let &[at, count, mut layer, mut left] = control.as_slice() else {
            return end;
        };
        let more = self.b.ins().icmp(IntCC::SignedLessThan, at, count);
        let out = joined(&so_far, &[]);
        self.b.ins().brif(more, inside, &[], after, &out);
        self.b.switch_to_block(inside);
        let member = self.queued(reached, at);
        if steps.is_some() {
            let is_next = self.b.ins().icmp(IntCC::Equal, at, layer);
            let farther = self.b.ins().uextend(types::I32, is_next);
            left = self.b.ins().isub(left, farther);
            layer = self.b.ins().select(is_next, count, layer);
        }
        let (made, enough) = body(self, member, &so_far);
        self.work += 1;
        self.count_and_refuse();
        if let Some(enough) = enough {
            let goes_on = self.b.create_block();
            let out = joined(&made, &[]);
            self.b.ins().brif(enough, after, &out, goes_on, &[]);
            self.b.switch_to_block(goes_on);
        }
        self.set_temp(search.temp, Scalar::Word(member));
        let mut step = |t: &mut Self, count: &[Value]| {
            t.each(search.next, count, &mut |t, neighbor, made| {
                (vec![t.reach(reached, neighbor, value_of(made))], None)
            })
        };
        let count = match steps {
            Some(_) => {
                let may_step = self.is(IntCC::SignedGreaterThan, left, 0);
                self.only_where(may_step, &[count], &mut step)
            }
            None => step(self, &[count]),
        };
        self.count_and_refuse();
        let at = self.b.ins().iadd_imm_s(at, 1);
        let again = [at, value_of(&count), layer, left];
        self.jump(head, &joined(&again, &made));
        self.b.switch_to_block(after);
        self.loops += 1;
        self.work = noted;
        end
    }

    pub fn params_like(&mut self, block: Block, values: &[Value]) -> Vec<Value> {
        let types: Vec<Type> = values
            .iter()
            .map(|value| self.b.func.dfg.value_type(*value))
            .collect();
        let params = types.iter().map(|of| self.b.append_block_param(block, *of));
        params.collect()
    }

    /// Returns marks for values below the bound, and one for all others.
    fn cleared_marks(&mut self, memory: SearchMemory, bound: u32) -> Value {
        let bytes = (bound + 1).next_multiple_of(CLEARED);
        let marks = self.b.ins().stack_addr(types::I64, memory.marks, 0);
        let zero = self.b.ins().iconst(types::I8, 0);
        let none = self.b.ins().splat(types::I8X16, zero);
        let flags = self.regions.searches;
        for at in (0..bytes).step_by(CLEARED as usize) {
            self.b.ins().store(flags, none, marks, at as i32);
        }
        let one = self.b.ins().iconst(types::I8, 1);
        self.b.ins().store(flags, one, marks, bound as i32);
        marks
    }

    /// Marks a member and appends it to the queue, unless it is marked; returns the new end. Nothing is not reached.
    fn reach(&mut self, reached: Reached, member: Value, count: Value) -> Value {
        let is_new = self.mark_new(reached, member);
        self.put_in_queue(reached, member, count);
        let more = self.b.ins().uextend(types::I32, is_new);
        self.b.ins().iadd(count, more)
    }

    /// Marks a member; returns whether it was not marked before. Nothing is always marked.
    pub fn mark_new(&mut self, reached: Reached, member: Value) -> Value {
        let was = self.mark_reached(reached, member);
        self.is(IntCC::Equal, was, 0)
    }

    /// Marks a member; returns its mark before. Nothing is always marked.
    pub fn mark_reached(&mut self, reached: Reached, member: Value) -> Value {
        self.mark_by(reached, member, 1)
    }

    pub fn mark_by(&mut self, reached: Reached, member: Value, mark_now: i64) -> Value {
        let mark = match self.is_within(member, 0, reached.bound) {
            true => member,
            false => self.mark_or_none(reached, member),
        };
        let mark = self.b.ins().uextend(types::I64, mark);
        let mark = self.b.ins().iadd(reached.marks, mark);
        let flags = self.regions.searches;
        let was = self.b.ins().load(types::I8, flags, mark, 0);
        let now = self.b.ins().iconst(types::I8, mark_now);
        self.b.ins().store(flags, now, mark, 0);
        was
    }

    /// Stores a member at a place of the queue, which has one more than there can be members.
    pub fn put_in_queue(&mut self, reached: Reached, member: Value, place: Value) {
        let place = self.place(reached.queue, place);
        let flags = self.regions.searches;
        self.b.ins().store(flags, member, place, 0);
    }

    pub fn queued(&mut self, reached: Reached, place: Value) -> Value {
        let place = self.place(reached.queue, place);
        let flags = self.regions.searches;
        let member = self.b.ins().load(types::I32, flags, place, 0);
        self.ranges.insert(member, (0, reached.bound as i32 - 1));
        member
    }

    fn mark_or_none(&mut self, reached: Reached, member: Value) -> Value {
        let bound = i64::from(reached.bound);
        let beyond = self.is(IntCC::SignedGreaterThanOrEqual, member, bound);
        self.refuse(beyond);
        let inside = self.is(IntCC::UnsignedLessThan, member, bound);
        let outside = self.int(reached.bound as i32);
        self.b.ins().select(inside, member, outside)
    }

    // ---- what the members can be

    /// Returns a number above all members of a list; `None` if it is not known.
    fn bound_of_list(&self, set: SetId, deepest: u32) -> Option<u32> {
        let program = self.program;
        let deepest = deepest.checked_sub(1)?;
        let of = |set| self.bound_of_list(set, deepest);
        match *program.sets.get(set as usize)? {
            Set::Empty => Some(0),
            Set::Zone(_) => u32::try_from(self.layout.components).ok(),
            Set::Table(table) => self.bound_of_table(table),
            Set::Keyed { members, .. } => self.bound_of_table(members),
            Set::Bits(mask) => {
                let domain = program.masks.get(mask as usize)?.domain;
                u32::try_from(domain.first)
                    .ok()?
                    .checked_add(domain.len.into())
            }
            Set::List { first, count } => {
                let exprs = first..first.checked_add(count.into())?;
                let bounds = exprs.map(|expr| self.bound_of(expr, deepest));
                bounds.collect::<Option<Vec<u32>>>()?.into_iter().max()
            }
            Set::Where { of: set, .. }
            | Set::Sorted { of: set, .. }
            | Set::With { of: set, .. }
            | Set::UpTo { of: set, .. }
            | Set::Minus(set, _)
            | Set::Reversed(set)
            | Set::PhysicalOrder(set)
            | Set::Take(set, _)
            | Set::Unique(set)
            | Set::Joined { list: set, .. }
            | Set::Let { list: set, .. }
            | Set::LetList { list: set, .. }
            | Set::After { list: set, .. } => of(set),
            Set::Keys { key, .. } => self.bound_of(key, deepest),
            Set::Concat(one, other) | Set::If(_, one, other) => Some(of(one)?.max(of(other)?)),
            Set::Call { query, .. } => match program.queries.get(usize::from(query))?.body {
                QueryBody::List(list) => of(list),
                QueryBody::Value(_) => None,
            },
            _ => None,
        }
    }

    fn bound_of(&self, expr: ExprId, deepest: u32) -> Option<u32> {
        let deepest = deepest.checked_sub(1)?;
        match *self.program.exprs.get(expr as usize)? {
            Expr::Const(value) => Some(above(value)),
            Expr::Table { table, default, .. } => {
                Some(self.bound_of_table(table)?.max(above(default)))
            }
            Expr::ZoneAt { .. } | Expr::ZoneOf(_) | Expr::ZoneIn { .. } | Expr::Inside(_) => {
                u32::try_from(self.layout.zones).ok()
            }
            Expr::ComponentAt { .. }
            | Expr::HolderOf(_)
            | Expr::ZoneFirst(_)
            | Expr::ZoneLast(_) => u32::try_from(self.layout.components).ok(),
            Expr::If(_, one, other) => {
                let of = |expr| self.bound_of(expr, deepest);
                Some(of(one)?.max(of(other)?))
            }
            _ => None,
        }
    }

    fn bound_of_table(&self, table: TableId) -> Option<u32> {
        let values = self.program.tables.get(table as usize)?;
        Some(values.iter().copied().map(above).max().unwrap_or(0))
    }
}

/// Returns the least number above a value that is not negative.
fn above(value: i32) -> u32 {
    u32::try_from(value).map_or(0, |value| value + 1)
}
