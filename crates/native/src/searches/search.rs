//! Searches (`within`, `group`, `border`): what can be reached is marked in bytes and queued, both on the native stack;
//! a member is visited before the search continues from it, as in the interpreter.

use std::collections::HashSet;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::translator::cycle::{LoopBody, joined, value_of};
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use crate::translator::searching::{SearchMemory, VisitOrder};
use wyrmgate_program::{MemberTest, Set, SetId, WithinSearch, may_repeat, range_of_members};

/// One more than the largest member that can be marked.
pub(crate) const MARKS_MAX: u32 = 1_000;

/// Bytes that are cleared at once.
pub(crate) const CLEARED: u32 = 16;

/// Bytes of a member in the queue.
const QUEUED: u32 = 4;

/// The memory in which members are marked and queued.
#[derive(Clone, Copy)]
pub(crate) struct SearchMarks {
    marks: Value,
    bound: u32,
    pub queue: Value,
    /// The places of the queue from which its members have been discovered, if the way is kept.
    pub parents: Value,
    /// The number of the path that is kept, if one is; see [`crate::searches::path`].
    pub way: Option<usize>,
}

impl<'t> Translator<'t> {
    /// Returns whether members are small numbers, so that they can be marked.
    pub fn can_search(&self, next: SetId) -> bool {
        self.marks_of(next).is_some()
    }

    /// Returns a number of steps that is enough to reach everything: each leads to a member that has not been reached before.
    pub fn farthest(&self, next: SetId) -> Option<u32> {
        let values = match *self.program.sets.get(next as usize)? {
            Set::Table(values) => values,
            Set::Keyed(list) => list.members,
            Set::Where(MemberTest { of, .. }) => return self.farthest(of),
            Set::If(_, then, otherwise) => {
                return Some(self.farthest(then)? + self.farthest(otherwise)?);
            }
            Set::Empty => return Some(0),
            _ => return None,
        };
        let values = self.program.tables.get(values as usize)?;
        let distinct: HashSet<i32> = values.iter().copied().collect();
        u32::try_from(distinct.len()).ok()
    }

    /// Returns the number of marks for a search with such steps.
    pub fn marks_of(&self, next: SetId) -> Option<u32> {
        let (_, highest) = range_of_members(self.program, next, &[])?;
        let above = u32::try_from(highest).map_or(0, |highest| highest + 1);
        let things = self.layout.zones.max(self.layout.components);
        let bound = above.max(u32::try_from(things).ok()?);
        (bound <= MARKS_MAX).then_some(bound)
    }

    /// Runs a body for each thing that a search finds.
    pub fn each_within(
        &mut self,
        search: WithinSearch,
        order: VisitOrder,
        to: LoopBody<'_, 't>,
    ) -> Vec<Value> {
        let keeps = self.searches.keeps_path.take();
        let Some(bound) = self.marks_of(search.next) else {
            return to.made.to_vec();
        };
        let steps = self.value(search.steps);
        let farthest = self.farthest(search.next).unwrap_or(bound);
        let is_far = matches!(steps, ScalarValue::Known(steps) if steps >= farthest as i32);
        if !is_far || order == VisitOrder::AsListed {
            let steps = self.word(steps);
            return self.each_in_order(search, bound, steps, is_far, to);
        }
        self.each_discovered(search, bound, keeps, to)
    }

    /// Visits all members when they are discovered, or one after the other if that is not possible.
    pub fn each_discovered(
        &mut self,
        search: WithinSearch,
        bound: u32,
        way: Option<usize>,
        to: LoopBody<'_, 't>,
    ) -> Vec<Value> {
        let Some(steps) = self.steps_of(search) else {
            let enough = self.int(0);
            return self.each_in_order(search, bound, enough, true, to);
        };
        let memory = self.search_memory(bound);
        let reached = self.uncleared(memory, bound, way);
        self.clear_marks(reached);
        self.searches.running += 1;
        let made = self.discover_all(search, steps, reached, to);
        self.searches.running -= 1;
        made
    }

    /// Visits the members one after the other. `steps`: how many there may be, and whether that is always enough.
    fn each_in_order(
        &mut self,
        search: WithinSearch,
        bound: u32,
        steps: Value,
        is_far: bool,
        to: LoopBody<'_, 't>,
    ) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let memory = self.search_memory(bound);
        self.searches.running += 1;
        let may_begin = self.is(IntCC::SignedGreaterThanOrEqual, steps, 0);
        let made = self.only_where(may_begin, made, &mut |t, made| {
            let reached = t.uncleared(memory, bound, None);
            let steps = (!is_far).then_some(steps);
            if may_repeat(t.program, search.from) {
                t.clear_marks(reached);
                let none = t.int(0);
                let begun = t.each(search.from, &[none], &mut |t, member, made| {
                    (vec![t.reach(reached, member, value_of(made))], None)
                });
                return t.search_on(
                    search,
                    reached,
                    value_of(&begun),
                    steps,
                    LoopBody { made, body },
                );
            }
            let begun = t.queue_all(search.from, reached);
            let is_some = t.is(IntCC::SignedGreaterThan, begun, 0);
            t.only_where(is_some, made, &mut |t, made| {
                t.clear_marks(reached);
                t.mark_queued(reached, begun);
                t.search_on(search, reached, begun, steps, LoopBody { made, body })
            })
        });
        self.searches.running -= 1;
        made
    }

    /// Queues the members of a list without duplicates; returns their number. Needs no marks, because the list is often
    /// empty.
    fn queue_all(&mut self, from: SetId, reached: SearchMarks) -> Value {
        let none = self.int(0);
        let begun = self.each(from, &[none], &mut |t, member, made| {
            let count = value_of(made);
            let more = match t.is_within(member, 0, reached.bound) {
                true => t.int(1),
                false => {
                    let inside = t.is_inside(reached, member);
                    t.b.ins().uextend(types::I32, inside)
                }
            };
            t.put_in_queue(reached, member, count);
            (vec![t.b.ins().iadd(count, more)], None)
        });
        value_of(&begun)
    }

    /// Marks the first members of the queue.
    fn mark_queued(&mut self, reached: SearchMarks, count: Value) {
        let [inside, after] = self.blocks();
        let at = self.b.append_block_param(inside, types::I32);
        let first = self.int(0);
        self.jump(inside, &[first.into()]);
        self.b.switch_to_block(inside);
        let member = self.queued(reached, at);
        self.mark_reached(reached, member);
        let next = self.b.ins().iadd_imm_s(at, 1);
        let more = self.b.ins().icmp(IntCC::SignedLessThan, next, count);
        self.b.ins().brif(more, inside, &[next.into()], after, &[]);
        self.b.switch_to_block(after);
    }

    fn uncleared(&mut self, memory: SearchMemory, bound: u32, way: Option<usize>) -> SearchMarks {
        SearchMarks {
            marks: self.b.ins().stack_addr(types::I64, memory.marks, 0),
            bound,
            queue: self.b.ins().stack_addr(types::I64, memory.queue, 0),
            parents: self.b.ins().stack_addr(types::I64, memory.parents, 0),
            way,
        }
    }

    /// Returns memory that no running search uses.
    fn search_memory(&mut self, bound: u32) -> SearchMemory {
        let key = (self.searches.running, bound);
        if let Some(memory) = self.searches.memory.get(&key) {
            return *memory;
        }
        let mut slot = |bytes| self.native_memory(bytes, CLEARED);
        let memory = SearchMemory {
            marks: slot((bound + 1).next_multiple_of(CLEARED)),
            // Members that are not new are stored behind the last one, too.
            queue: slot((bound + 1) * QUEUED),
            parents: slot((bound + 1) * QUEUED),
        };
        self.searches.memory.insert(key, memory);
        memory
    }

    /// Visits the queue, which grows with every step. `steps`: unless there are always enough.
    fn search_on(
        &mut self,
        search: WithinSearch,
        reached: SearchMarks,
        begun: Value,
        steps: Option<Value>,
        to: LoopBody<'_, 't>,
    ) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let [head, inside, after] = self.blocks();
        let none = self.int(0);
        // The place in the queue, its end, the end of the members that are equally far, how many steps are left.
        let begin = [none, begun, begun, steps.unwrap_or(none)];
        let control: Vec<Value> = begin
            .iter()
            .map(|_| self.b.append_block_param(head, types::I32))
            .collect();
        let so_far = self.params_like(head, made);
        let end = self.params_like(after, made);
        let noted = std::mem::take(&mut self.counts.work);
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
        self.counts.work += 1;
        self.count_and_refuse();
        if let Some(enough) = enough {
            let goes_on = self.b.create_block();
            let out = joined(&made, &[]);
            self.b.ins().brif(enough, after, &out, goes_on, &[]);
            self.b.switch_to_block(goes_on);
        }
        self.set_temp(search.temp, ScalarValue::Word(member));
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
        self.counts.loops += 1;
        self.counts.work = noted;
        end
    }

    /// Clears the marks of all values below the bound, and sets the one for all others.
    fn clear_marks(&mut self, SearchMarks { marks, bound, .. }: SearchMarks) {
        let bytes = (bound + 1).next_multiple_of(CLEARED);
        self.clear_bytes(marks, bytes);
        let one = self.b.ins().iconst(types::I8, 1);
        self.b
            .ins()
            .store(self.regions.searches, one, marks, bound as i32);
    }

    /// Clears some bytes, a multiple of [`CLEARED`].
    pub fn clear_bytes(&mut self, first: Value, bytes: u32) {
        let zero = self.b.ins().iconst(types::I8, 0);
        let none = self.b.ins().splat(types::I8X16, zero);
        for at in (0..bytes).step_by(CLEARED as usize) {
            self.b
                .ins()
                .store(self.regions.searches, none, first, at as i32);
        }
    }

    /// Marks a member and appends it to the queue, unless it is NONE or marked; returns the new end.
    fn reach(&mut self, reached: SearchMarks, member: Value, count: Value) -> Value {
        let is_new = self.mark_new(reached, member);
        self.put_in_queue(reached, member, count);
        let more = self.b.ins().uextend(types::I32, is_new);
        self.b.ins().iadd(count, more)
    }

    /// Marks a member; returns whether it was not marked before. NONE is always marked.
    pub fn mark_new(&mut self, reached: SearchMarks, member: Value) -> Value {
        let was = self.mark_reached(reached, member);
        self.is(IntCC::Equal, was, 0)
    }

    /// Marks a member; returns its mark before. NONE is always marked.
    pub fn mark_reached(&mut self, reached: SearchMarks, member: Value) -> Value {
        let mark = match self.is_within(member, 0, reached.bound) {
            true => member,
            false => self.mark_or_none(reached, member),
        };
        let mark = self.b.ins().uextend(types::I64, mark);
        let mark = self.b.ins().iadd(reached.marks, mark);
        let was = self.b.ins().load(types::I8, self.regions.searches, mark, 0);
        let now = self.b.ins().iconst(types::I8, 1);
        self.b.ins().store(self.regions.searches, now, mark, 0);
        was
    }

    /// Stores a member at a place of the queue, which has room for one more than all members.
    pub fn put_in_queue(&mut self, reached: SearchMarks, member: Value, place: Value) {
        let place = self.place(reached.queue, place);
        self.b.ins().store(self.regions.searches, member, place, 0);
    }

    pub fn queued(&mut self, reached: SearchMarks, place: Value) -> Value {
        let place = self.place(reached.queue, place);
        let flags = self.regions.searches;
        let member = self.b.ins().load(types::I32, flags, place, 0);
        let range = (0, reached.bound as i32 - 1);
        self.known.ranges.insert(member, range);
        member
    }

    fn mark_or_none(&mut self, reached: SearchMarks, member: Value) -> Value {
        let inside = self.is_inside(reached, member);
        let outside = self.int(reached.bound as i32);
        self.b.ins().select(inside, member, outside)
    }

    /// Emits whether a value is a member that can be marked; otherwise it is NONE.
    fn is_inside(&mut self, reached: SearchMarks, member: Value) -> Value {
        let bound = i64::from(reached.bound);
        let beyond = self.is(IntCC::SignedGreaterThanOrEqual, member, bound);
        self.refuse(beyond);
        self.is(IntCC::UnsignedLessThan, member, bound)
    }
}
