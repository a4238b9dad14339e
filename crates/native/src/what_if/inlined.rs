//! Effects of what-ifs as inline code: they run in the state itself, their slots are variables, and the words that they change
//! are put back after the question.
//!
//! Only effects that write words and move components can be inline, with everything that they call. If one turns out to
//! need the interpreter, its function is translated again, and the interpreter performs it.

use std::mem::offset_of;
use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;

use crate::facts::inlinable::{NESTED_MAX, Need, lists_of};
use crate::facts::stretch::{ops_of, range_of};
use crate::memory::context::{Context, MARGIN};
use crate::translator::emit::{Translator, at};
use crate::translator::flow::EffectCode;
use crate::translator::inlining::Inlined;
use crate::translator::inlining::ROOM;
use crate::translator::known::ScalarValue;
use wyrmgate_engine::layout::header;
use wyrmgate_engine::limit::CALL_DEPTH_MAX;
use wyrmgate_program::{Address, ArgsId, EffectId, ExprId, Local, NONE, Op, Program, SetId};

/// The maximum number of effects in the code of one function.
const EFFECTS_MAX: u32 = 24;

impl Translator<'_> {
    /// Emits a value in the position after an effect; `None` if nothing was emitted.
    pub fn after_inline(
        &mut self,
        effect: EffectId,
        args: Range<ExprId>,
        value: ExprId,
    ) -> Option<ScalarValue> {
        let need = *self.facts.inlinable.get(usize::from(effect))?.as_ref()?;
        let nested = self.inlining.effects.len() as u32 + need.depth;
        if !self.inlining.is_on || nested > NESTED_MAX || self.inlining.count >= EFFECTS_MAX {
            return None;
        }
        let values: Vec<Value> = args.map(|arg| self.word_of(arg)).collect();
        self.refuse_without_room(need);
        if !self.position.is_looking && !self.position.supposes {
            self.begin_position();
        }
        let begin = self.part(types::I64, at(offset_of!(Context, what_if.undo.next)));
        let new_events = std::mem::take(&mut self.counts.new_events);
        let noted = std::mem::take(&mut self.counts.work);
        let events = self.b.use_var(self.counts.events);
        let supposed = std::mem::replace(&mut self.position.supposes, true);
        self.inline_effect(effect, &values);
        let asks = self.notes.asks;
        let value = self.word_of(value);
        self.inlining.fails |= self.notes.asks > asks;
        self.position.supposes = supposed;
        self.count_and_refuse();
        self.undo_to(begin, need.moves);
        // A what-if has no events.
        self.b.def_var(self.counts.events, events);
        (self.counts.new_events, self.counts.work) = (new_events, noted);
        self.counts.loops += 1;
        Some(ScalarValue::Word(value))
    }

    /// Gives up if the interpreter might find no room for the frames.
    fn refuse_without_room(&mut self, need: Need) {
        let room = self.part(types::I64, at(offset_of!(Context, what_if.room)));
        let height = self.part(types::I64, at(offset_of!(Context, frames.len)));
        let words = i64::from(need.words) + MARGIN as i64;
        let height = self.b.ins().iadd_imm_s(height, words);
        let too_high = self.b.ins().icmp(IntCC::SignedGreaterThan, height, room);
        let depth = self.state_word(header::DEPTH);
        let deepest =
            i64::from(CALL_DEPTH_MAX) - i64::from(need.depth) - self.inlining.effects.len() as i64;
        let too_deep = self.is(IntCC::SignedGreaterThan, depth, deepest);
        let either = self.b.ins().bor(too_high, too_deep);
        self.refuse(either);
    }

    /// Emits the code of an effect whose first slots have these values; code after it continues at its end.
    fn inline_effect(&mut self, effect: EffectId, values: &[Value]) {
        let program = self.program;
        self.inlining.count += 1;
        let Some((info, range)) = range_of(program, effect) else {
            self.inlining.fails = true;
            return;
        };
        let none = self.int(NONE);
        let slots = (0..usize::from(info.slots)).map(|slot| {
            let variable = self.b.declare_var(types::I32);
            let value = values.get(slot).copied().unwrap_or(none);
            self.b.def_var(variable, value);
            variable
        });
        let slots: Vec<Variable> = slots.collect();
        let arguments = values.iter().zip(0..).map(|(value, slot)| {
            let mut ops = range.clone();
            let changes = ops.any(|at| changes_slot(program, at, slot));
            (!changes).then_some(*value)
        });
        let arguments = arguments.collect();
        let open = self.lists;
        let lists = lists_of(ops_of(program, effect).unwrap_or_default());
        let lists = lists.into_iter().map(|list| (list, self.open_buffer()));
        let lists = lists.collect();
        let blocks = range.clone().map(|_| self.b.create_block()).collect();
        let after = self.b.create_block();
        self.inlining.effects.push(Inlined {
            slots,
            arguments,
            lists,
            after,
        });
        let effect = EffectCode {
            first: range.start,
            blocks,
            slots: u32::from(info.slots),
        };
        let outer = std::mem::replace(&mut self.flow.effect, effect);
        let temps = std::mem::take(&mut self.known.temps);
        let room = self.inlining.room;
        if let Some(begin) = self.flow.block_of(info.entry) {
            self.jump(begin, &[]);
        }
        self.operations(&[info.entry], ROOM);
        self.inlining.effects.pop();
        self.flow.effect = outer;
        (self.known.temps, self.inlining.room, self.lists) = (temps, room, open);
        self.counts.work = 0;
        self.b.switch_to_block(after);
    }

    /// Emits a call inside of an effect that is inline.
    pub fn call_inline(&mut self, place: Address, effect: EffectId, args: ArgsId) -> Vec<Address> {
        let info = self.program.effect(effect);
        let slots = info.map_or(0, |info| usize::from(info.slots));
        match self.arguments(args, slots) {
            Some(values) => {
                self.count();
                self.inline_effect(effect, &values);
            }
            None => self.inlining.fails = true,
        }
        self.go_on(place, place + 1)
    }

    // ---- frames

    fn inline_buffer(&mut self, list: Local) -> Value {
        let lists = self
            .inlining
            .effects
            .last()
            .map_or(&[][..], |inlined| &inlined.lists);
        let number = lists.iter().find(|(local, _)| *local == list);
        match number {
            Some(&(_, number)) => self.buffer_at(number),
            None => {
                self.inlining.fails = true;
                self.context
            }
        }
    }

    pub fn let_inline_list(&mut self, local: Local, set: SetId) -> Option<()> {
        let lists = &self.inlining.effects.last()?.lists;
        let &(_, number) = lists.iter().find(|(list, _)| *list == local)?;
        let count = self.gather_list(set, number);
        let none = self.int(0);
        self.set_local(local, none)?;
        self.set_local(local + 1, count)
    }

    /// Emits the list of a slot, from one address to another.
    pub fn inline_list(&mut self, local: Local) -> (Value, Value) {
        let first = self.inline_buffer(local);
        let (count, none) = (self.local_word(local + 1), self.int(0));
        let count = self.b.ins().smax(count, none);
        (first, self.place(first, count))
    }

    /// Emits a member of the list of a slot, which must exist.
    pub fn inline_member(&mut self, list: Local, number: Value) -> Value {
        let first = self.inline_buffer(list);
        let place = self.place(first, number);
        self.load(types::I32, place, 0)
    }
}

/// Returns whether the operation at an address of an effect that is inline changes a slot.
fn changes_slot(program: &Program, at: Address, slot: Local) -> bool {
    let is_list = |list: Local| list == slot || Some(slot) == list.checked_add(1);
    match program.code.ops.get(at as usize) {
        Some(&Op::Let(local, _)) => local == slot,
        Some(&(Op::LetList(list, _) | Op::Mark(list) | Op::Release(list))) => is_list(list),
        Some(Op::EachNext(step)) => is_list(step.list) || step.index == slot || step.var == slot,
        _ => false,
    }
}
