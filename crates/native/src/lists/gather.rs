//! Lists that must be built before iteration, in buffers. The interpreter builds those that are not supported here.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value, types};

use crate::lists::list_helper as helper;
use crate::memory::buffers::{LISTS_MAX, MEMBERS_MAX, NAMES_MAX, STRIDE};
use crate::memory::context::Context;
use crate::translator::cycle::{LoopBody, value_of};
use crate::translator::emit::{Translator, at, offset};
use crate::translator::known::ScalarValue;
use crate::translator::notes;
use crate::translator::searching::VisitOrder;
use wyrmgate_program::{Expr, ExprId, QueryInfo, Set, SetId, Temp};

impl<'t> Translator<'t> {
    // ---- buffers

    /// Returns the number of an unused buffer. There are as many as lists can be nested.
    pub fn open_buffer(&mut self) -> usize {
        if self.lists >= LISTS_MAX {
            let always = self.b.ins().iconst(types::I8, 1);
            self.refuse(always);
        }
        let number = NAMES_MAX + self.lists.min(LISTS_MAX - 1);
        self.lists += 1;
        number
    }

    pub fn close_buffer(&mut self) {
        self.lists -= 1;
    }

    /// Emits the address of a buffer.
    pub fn buffer_at(&mut self, number: usize) -> Value {
        let first = self.part(types::I64, at(offset_of!(Context, members.buffers)));
        let bytes = offset(number * STRIDE);
        self.b.ins().iadd_imm_s(first, i64::from(bytes))
    }

    /// Appends a member to a buffer, and returns the next place.
    pub fn append(&mut self, buffer: Value, at: Value, member: Value) -> Value {
        let full = self.is(IntCC::SignedGreaterThanOrEqual, at, MEMBERS_MAX as i64);
        self.refuse(full);
        let place = self.place(buffer, at);
        self.store(member, place, 0);
        self.b.ins().iadd_imm_s(at, 1)
    }

    /// Emits the first and the end address of a buffer's members.
    pub fn ends_of(&mut self, number: usize, count: Value) -> (Value, Value) {
        let first = self.buffer_at(number);
        (first, self.place(first, count))
    }

    // ---- lists

    /// Iterates over a list that is built first.
    pub fn each_gathered(&mut self, set: SetId, to: LoopBody<'_, 't>) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let number = self.open_buffer();
        let count = self.gather_list(set, number);
        let (first, end) = self.ends_of(number, count);
        let made = self.each_value(first, end, &[], made, body);
        self.close_buffer();
        made
    }

    /// Iterates over the members that another list does not have. The other list is built first.
    pub fn each_but_gathered(
        &mut self,
        of: SetId,
        without: SetId,
        order: VisitOrder,
        to: LoopBody<'_, 't>,
    ) -> Vec<Value> {
        let LoopBody { made, body } = to;
        let number = self.open_buffer();
        let count = self.gather_list(without, number);
        let (first, end) = self.ends_of(number, count);
        self.searches.order = order;
        let made = self.each(of, made, &mut |t, member, made| {
            t.counts.work += 1;
            let is_in = t.is_in_buffer(first, end, member);
            let stays = t.opposite(is_in);
            t.where_flag(stays, member, made, body)
        });
        self.close_buffer();
        made
    }

    /// Emits whether a value is among those of a buffer.
    fn is_in_buffer(&mut self, first: Value, end: Value, wanted: Value) -> Value {
        let no = self.b.ins().iconst(types::I8, 0);
        let made = self.each_value(first, end, &[], &[no], &mut |t, member, _| {
            let same = t.b.ins().icmp(IntCC::Equal, member, wanted);
            (vec![same], Some(same))
        });
        value_of(&made)
    }

    /// Builds a list in a buffer; returns its length.
    pub fn gather_list(&mut self, set: SetId, number: usize) -> Value {
        let none = self.int(0);
        if !self.can_walk(set) {
            return self.ask_list(set, number);
        }
        match self.program.sets.get(set as usize) {
            Some(&Set::List { first, count }) => self.gather_listed(first, count, number),
            Some(&Set::Concat(one, other)) => {
                let count = self.gather_more(one, number, none);
                self.gather_more(other, number, count)
            }
            Some(&Set::If(condition, then, otherwise)) => {
                let condition = self.truth(condition);
                self.one_of(
                    types::I32,
                    condition,
                    |t| t.gather_list(then, number),
                    |t| t.gather_list(otherwise, number),
                )
            }
            Some(Set::Within(search)) if !self.can_search(search.next) => {
                self.ask_list(set, number)
            }
            Some(Set::TakenCells(_)) => self.ask_list(set, number),
            Some(&Set::CallKind { dispatch, args }) => {
                match self.gather_of_kind(dispatch, args, number) {
                    Some(count) => count,
                    None => self.ask_list(set, number),
                }
            }
            Some(&Set::PhysicalOrder(of)) => self.arranged(of, number, helper::PHYSICAL_ORDER),
            Some(&Set::Reversed(of)) => self.arranged(of, number, helper::REVERSED),
            Some(&Set::Unique(of)) => self.arranged(of, number, helper::UNIQUE),
            Some(&Set::Sorted(by)) => {
                let how = match by.descending {
                    true => helper::DESCENDING,
                    false => helper::ASCENDING,
                };
                self.by_key(by.of, by.temp, by.key, number, how)
            }
            Some(&Set::With(by)) => {
                let how = if by.most { helper::MOST } else { helper::LEAST };
                self.by_key(by.of, by.temp, by.key, number, how)
            }
            Some(&Set::FreeCells(zone)) => {
                let zone = self.word_of(zone);
                let number = self.int(number as i32);
                self.count_from(helper::free_cells as *const u8, &[zone, number])
            }
            Some(&Set::Temp(temp)) if !matches!(self.temp(temp), Some(ScalarValue::List(..))) => {
                self.ask_list(set, number)
            }

            _ => self.gather_more(set, number, none),
        }
    }

    /// Appends the members of a list to a buffer; returns where it ends.
    fn gather_more(&mut self, set: SetId, number: usize, from: Value) -> Value {
        let buffer = self.buffer_at(number);
        let made = self.each(set, &[from], &mut |t, member, made| {
            (vec![t.append(buffer, value_of(made), member)], None)
        });
        value_of(&made)
    }

    fn gather_listed(&mut self, first: ExprId, count: u16, number: usize) -> Value {
        let buffer = self.buffer_at(number);
        for place in 0..count {
            let value = self.word_of(first + ExprId::from(place));
            self.store(value, buffer, offset(usize::from(place)));
        }
        self.counts.work += i64::from(count);
        self.int(i32::from(count))
    }

    fn arranged(&mut self, of: SetId, number: usize, how: u32) -> Value {
        let count = self.gather_list(of, number);
        self.arrange(number, count, how)
    }

    /// Reorders or filters a buffer; returns how many are left.
    pub fn arrange(&mut self, number: usize, count: Value, how: u32) -> Value {
        self.of_several(count, |t| {
            let (number, how) = (t.int(number as i32), t.int(how as i32));
            t.count_from(helper::arrange as *const u8, &[number, count, how])
        })
    }

    /// Emits the number of members that remain; `left` is evaluated only for two or more.
    pub fn of_several(&mut self, count: Value, left: impl FnOnce(&mut Self) -> Value) -> Value {
        let few = self.is(IntCC::UnsignedLessThan, count, 2);
        let [many, after] = self.blocks();
        let number = self.b.append_block_param(after, types::I32);
        self.count();
        self.b
            .ins()
            .brif(few, after, &[BlockArg::Value(count)], many, &[]);
        self.b.switch_to_block(many);
        let left = left(self);
        self.jump(after, &[BlockArg::Value(left)]);
        self.b.switch_to_block(after);
        number
    }

    fn by_key(&mut self, of: SetId, temp: Temp, key: ExprId, number: usize, how: u32) -> Value {
        let keys = self.open_buffer();
        let (members_at, keys_at) = (self.buffer_at(number), self.buffer_at(keys));
        let none = self.int(0);
        let made = self.each(of, &[none], &mut |t, member, made| {
            t.set_temp(temp, ScalarValue::Word(member));
            let key = t.word_of(key);
            let place = value_of(made);
            let next = t.append(members_at, place, member);
            let place = t.place(keys_at, place);
            t.store(key, place, 0);
            (vec![next], None)
        });
        self.close_buffer();
        let [number, keys, how] = [number, keys, how as usize].map(|it| self.int(it as i32));
        let arguments = [number, keys, value_of(&made), how];
        self.count_from(helper::sort as *const u8, &arguments)
    }

    /// Calls a helper that returns a number, such as how many members there are; gives up if it is negative.
    pub fn count_from(&mut self, helper: *const u8, arguments: &[Value]) -> Value {
        let count = self.call_helper(helper, arguments, Some(types::I32));
        let count = count.unwrap_or(self.context);
        self.refuse_negative(count);
        count
    }

    /// Lets the interpreter build a list in a buffer.
    pub fn ask_list(&mut self, set: SetId, number: usize) -> Value {
        self.note_ask(notes::Part::List);
        self.spill_temps();
        let (set, number) = (self.int(set as i32), self.int(number as i32));
        self.count_from(helper::gather as *const u8, &[set, number])
    }

    /// Stores the list of a temp where the interpreter reads it.
    pub fn spill_list(&mut self, first: Value, end: Value, temps: Value, at: i32) {
        let bytes = self.b.ins().isub(end, first);
        let kept = self.call_helper(helper::keep as *const u8, &[first, bytes], Some(types::I32));
        if let Some(kept) = kept {
            self.store(kept, temps, at);
        }
        let count = self.b.ins().ushr_imm_u(bytes, 2);
        let count = self.b.ins().ireduce(types::I32, count);
        self.store(count, temps, at + offset(1));
    }

    // ---- windows

    /// Binds the temps of a query to its arguments; `me` is the first, if it is already known. Buffers of lists among
    /// them stay open: the caller restores `lists`.
    pub fn window(
        &mut self,
        query: &QueryInfo,
        args: ExprId,
        me: Option<Value>,
    ) -> Vec<(Temp, ScalarValue)> {
        self.counts.work += 1;
        let mut window: Vec<(Temp, ScalarValue)> = Vec::new();
        let (mut temp, mut arg) = (0, args);
        if let Some(me) = me {
            window.push((0, ScalarValue::Word(me)));
            (temp, arg) = (1, args + 1);
        }
        while temp < query.params {
            match self.program.exprs.get(arg as usize) {
                Some(&Expr::ListArgument(set)) => {
                    let (first, end) = self.list_argument(set);
                    window.push((temp, ScalarValue::List(first, end)));
                    temp += 2;
                }
                _ => {
                    let value = self.value(arg);
                    window.push((temp, value));
                    temp += 1;
                }
            }
            arg += 1;
        }
        window
    }

    /// Emits code inside a query, in which the temps are its arguments.
    pub fn with_arguments<T>(
        &mut self,
        info: &QueryInfo,
        args: ExprId,
        me: Option<Value>,
        emit: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let lists = self.lists;
        let window = self.window(info, args, me);
        self.inlining.depth += 1;
        let caller = std::mem::replace(&mut self.known.temps, window);
        let emitted = emit(self);
        self.known.temps = caller;
        self.inlining.depth -= 1;
        self.lists = lists;
        emitted
    }

    fn list_argument(&mut self, set: SetId) -> (Value, Value) {
        if let Some(&Set::Temp(temp)) = self.program.sets.get(set as usize)
            && let Some(ScalarValue::List(first, end)) = self.temp(temp)
        {
            return (first, end);
        }
        let number = self.open_buffer();
        let count = self.gather_list(set, number);
        self.ends_of(number, count)
    }
}
