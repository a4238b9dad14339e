//! The translator of one effect, and its primitives: constants, loads and stores, branches, calls of helpers.

use crate::facts::ConstantFacts;
use crate::memory::context::{Context, GIVE_UP, REST};
use crate::translator::counts::WorkCounts;
use crate::translator::flow::CodeFlow;
use crate::translator::helper;
use crate::translator::inlining::Inlining;
use crate::translator::known::{KnownValues, ScalarValue};
use crate::translator::notes::{FunctionNotes, Part};
use crate::translator::position::AskedPosition;
use crate::translator::regions::Regions;
use crate::translator::searching::Searches;
use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{
    AbiParam, Block, BlockArg, InstBuilder, InstructionData, Signature, StackSlot, StackSlotData,
    StackSlotKind, Type, Value, types,
};
use cranelift_frontend::{FunctionBuilder, Variable};

use wyrmgate_engine::changes::Changes;
use wyrmgate_engine::layout::StateLayout;
use wyrmgate_program::{Binary, ExprId, NONE, Program, Temp};

/// Translates one effect.
pub(crate) struct Translator<'t> {
    pub program: &'t Program,
    pub layout: &'t StateLayout,
    pub facts: &'t ConstantFacts,
    pub b: FunctionBuilder<'t>,
    pub regions: Regions,
    pub context: Value,
    pub words: Value,
    /// The number of buffers in use for lists.
    pub lists: usize,
    pub known: KnownValues,
    pub counts: WorkCounts,
    pub flow: CodeFlow,
    pub inlining: Inlining,
    pub position: AskedPosition,
    pub searches: Searches,
    pub notes: FunctionNotes,
}

/// Returns an offset in the context.
pub(crate) const fn at(offset: usize) -> i32 {
    offset as i32
}

/// The offset of a change count.
pub(crate) const PLACES: i32 = at(offset_of!(Changes, places));
pub(crate) const WORDS: i32 = at(offset_of!(Changes, words));
pub(crate) const COURSE: i32 = at(offset_of!(Changes, course));
pub(crate) const GRIDS: i32 = at(offset_of!(Changes, grids));

const SIZE: i64 = size_of::<i32>() as i64;

impl Translator<'_> {
    // ---- values

    pub fn int(&mut self, value: i32) -> Value {
        self.b.ins().iconst(types::I32, i64::from(value))
    }

    pub fn long(&mut self, value: u64) -> Value {
        self.b.ins().iconst(types::I64, value as i64)
    }

    pub fn pointer<T>(&mut self, to: *const T) -> Value {
        self.long(to as usize as u64)
    }

    pub fn word(&mut self, scalar: ScalarValue) -> Value {
        match scalar {
            ScalarValue::Known(value) => self.int(value),
            ScalarValue::Word(value) => value,
            ScalarValue::Flag(flag) => self.b.ins().uextend(types::I32, flag),
            ScalarValue::List(..) => self.int(NONE),
        }
    }

    /// Notes that a value is one of these constants, or another one.
    pub fn note_range(&mut self, value: Value, of: &[i32], or: Option<i32>) {
        let all = of.iter().copied().chain(or);
        if let (Some(least), Some(most)) = (all.clone().min(), all.max()) {
            self.known.ranges.insert(value, (least, most));
        }
    }

    /// Returns whether a value is known to be one of `count` numbers from `first`.
    pub fn is_within(&self, value: Value, first: i32, count: u32) -> bool {
        let range = self.known.ranges.get(&value);
        range.is_some_and(|(least, most)| {
            let end = i64::from(first) + i64::from(count);
            *least >= first && i64::from(*most) < end
        })
    }

    /// Evaluates a condition.
    pub fn flag(&mut self, scalar: ScalarValue) -> Value {
        match scalar {
            ScalarValue::Known(value) => self.b.ins().iconst(types::I8, i64::from(value > 0)),
            ScalarValue::Word(value) => self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, value, 0),
            ScalarValue::Flag(flag) => flag,
            ScalarValue::List(..) => self.b.ins().iconst(types::I8, 0),
        }
    }

    /// Emits all bits or none.
    pub fn all_if(&mut self, flag: Value) -> Value {
        let one = self.b.ins().uextend(types::I64, flag);
        self.b.ins().ineg(one)
    }

    pub fn is(&mut self, compare: IntCC, value: Value, with: i64) -> Value {
        self.b.ins().icmp_imm_s(compare, value, with)
    }

    /// Emits a number, or zero instead of a negative one.
    pub fn at_least_zero(&mut self, number: Value) -> Value {
        let zero = self.int(0);
        self.b.ins().smax(number, zero)
    }

    /// Emits the opposite of a flag: of a comparison the opposite one, on which a branch needs no further instruction.
    pub fn opposite(&mut self, flag: Value) -> Value {
        let dfg = &self.b.func.dfg;
        let compared = dfg.value_def(flag).inst().map(|inst| dfg.insts[inst]);
        match compared {
            Some(InstructionData::IntCompare {
                cond,
                args: [one, other],
                ..
            }) => self.b.ins().icmp(cond.complement(), one, other),
            _ => self.is(IntCC::Equal, flag, 0),
        }
    }

    // ---- memory

    /// Loads from memory outside of the context and the change counts.
    pub fn load(&mut self, of: Type, base: Value, offset: i32) -> Value {
        self.b.ins().load(of, self.regions.rest, base, offset)
    }

    pub fn store(&mut self, value: Value, base: Value, offset: i32) {
        self.b.ins().store(self.regions.rest, value, base, offset);
    }

    /// Loads a part of the context.
    pub fn part(&mut self, of: Type, offset: i32) -> Value {
        self.b
            .ins()
            .load(of, self.regions.context, self.context, offset)
    }

    pub fn set_part(&mut self, value: Value, offset: i32) {
        self.b
            .ins()
            .store(self.regions.context, value, self.context, offset);
    }

    /// Loads a change count.
    pub fn changes(&mut self, kind: i32) -> Value {
        let changes = self.part(types::I64, at(offset_of!(Context, changes)));
        self.b
            .ins()
            .load(types::I64, self.regions.counts, changes, kind)
    }

    pub fn count_change(&mut self, kind: i32) {
        let changes = self.part(types::I64, at(offset_of!(Context, changes)));
        let flags = self.regions.counts;
        let before = self.b.ins().load(types::I64, flags, changes, kind);
        let after = self.b.ins().iadd_imm_s(before, 1);
        self.b
            .ins()
            .store(self.regions.counts, after, changes, kind);
    }

    /// Emits the address of word `index` (a small 32-bit number) of a run.
    pub fn place(&mut self, base: Value, index: Value) -> Value {
        let index = self.b.ins().uextend(types::I64, index);
        let bytes = self.b.ins().imul_imm_s(index, SIZE);
        self.b.ins().iadd(base, bytes)
    }

    /// Loads a word of the state.
    pub fn state_word(&mut self, at: usize) -> Value {
        self.load(types::I32, self.words, offset(at))
    }

    pub fn set_state_word(&mut self, at: usize, value: Value) {
        self.store(value, self.words, offset(at));
    }

    pub fn frame(&mut self) -> Value {
        self.part(types::I64, at(offset_of!(Context, frames.frame)))
    }

    /// Returns memory on the native stack, for this many bytes.
    pub fn native_memory(&mut self, bytes: u32, align: u32) -> StackSlot {
        let kind = StackSlotKind::ExplicitSlot;
        let slot = StackSlotData::new(kind, bytes, align.ilog2() as u8);
        self.b.create_sized_stack_slot(slot)
    }

    // ---- control

    pub fn jump(&mut self, to: Block, arguments: &[BlockArg]) {
        self.b.ins().jump(to, arguments);
    }

    pub fn branch(&mut self, flag: Value, then: Block, otherwise: Block) {
        self.b.ins().brif(flag, then, &[], otherwise, &[]);
    }

    /// Gives up if the flag is set.
    pub fn refuse(&mut self, flag: Value) {
        let goes_on = self.b.create_block();
        self.branch(flag, self.flow.give_up, goes_on);
        self.b.switch_to_block(goes_on);
    }

    /// Gives up if a number is negative.
    pub fn refuse_negative(&mut self, number: Value) {
        let negative = self.is(IntCC::SignedLessThan, number, 0);
        self.refuse(negative);
    }

    pub fn leave_with(&mut self, answer: Value) {
        self.store_counts();
        self.b.ins().return_(&[answer]);
    }

    /// Comes to rest, unless too much work was done, so that the driver need not check.
    pub fn rest(&mut self) {
        self.refuse_exhausted();
        let answer = self.int(REST);
        self.b.ins().return_(&[answer]);
    }

    pub fn finish_giving_up(&mut self) {
        self.b.set_cold_block(self.flow.give_up);
        self.b.switch_to_block(self.flow.give_up);
        // The counts are not needed any more.
        let answer = match self.flow.is_query {
            true => self.long(i64::from(GIVE_UP) as u64),
            false => self.int(GIVE_UP),
        };
        self.b.ins().return_(&[answer]);
    }

    /// Completes entries without code: they give up.
    pub fn close_entries(&mut self) {
        let decision_entries = self.flow.looks.iter().chain(&self.flow.takings);
        let closed = decision_entries.filter(|entry| !entry.is_made);
        let closed: Vec<Block> = closed.map(|entry| entry.block).collect();
        for block in closed {
            self.b.switch_to_block(block);
            self.jump(self.flow.give_up, &[]);
        }
    }

    /// Counts the work and the events recorded since the last time.
    pub fn count(&mut self) {
        let (work, new_events) = (
            std::mem::take(&mut self.counts.work),
            std::mem::take(&mut self.counts.new_events),
        );
        self.lower(self.counts.fuel, work);
        self.lower(self.counts.events, new_events);
    }

    fn lower(&mut self, what: Variable, by: i64) {
        if by != 0 {
            let before = self.b.use_var(what);
            let after = self.b.ins().iadd_imm_s(before, -by);
            self.b.def_var(what, after);
        }
    }

    /// Counts this much more work now.
    pub fn spend(&mut self, work: Value) {
        let left = self.b.use_var(self.counts.fuel);
        let work = self.b.ins().uextend(types::I64, work);
        let left = self.b.ins().isub(left, work);
        self.b.def_var(self.counts.fuel, left);
    }

    /// Stores the counters in the context.
    pub fn store_counts(&mut self) {
        let (fuel, events) = (
            self.b.use_var(self.counts.fuel),
            self.b.use_var(self.counts.events),
        );
        self.set_part(fuel, at(offset_of!(Context, remaining.fuel)));
        self.set_part(events, at(offset_of!(Context, remaining.events)));
    }

    /// Loads the counters from the context.
    pub fn load_counts(&mut self) {
        let fuel = self.part(types::I64, at(offset_of!(Context, remaining.fuel)));
        let events = self.part(types::I64, at(offset_of!(Context, remaining.events)));
        self.b.def_var(self.counts.fuel, fuel);
        self.b.def_var(self.counts.events, events);
    }

    /// Gives up when work or events exceed their limits, before anything is repeated.
    pub fn refuse_exhausted(&mut self) {
        let (fuel, events) = (
            self.b.use_var(self.counts.fuel),
            self.b.use_var(self.counts.events),
        );
        let either = self.b.ins().bor(fuel, events);
        self.refuse_negative(either);
    }

    /// Counts the recorded work, and gives up when it exceeds the limit. Expressions emit no events.
    pub fn count_and_refuse(&mut self) {
        let work = std::mem::take(&mut self.counts.work);
        self.lower(self.counts.fuel, work);
        let left = self.b.use_var(self.counts.fuel);
        self.refuse_negative(left);
    }

    /// Calls a helper: the context, then these arguments.
    pub fn call_helper(
        &mut self,
        helper: *const u8,
        arguments: &[Value],
        answer: Option<Type>,
    ) -> Option<Value> {
        self.count();
        let mut signature = Signature::new(self.b.func.signature.call_conv);
        signature.params.push(AbiParam::new(types::I64));
        for argument in arguments {
            let of = self.b.func.dfg.value_type(*argument);
            signature.params.push(AbiParam::new(of));
        }
        signature.returns.extend(answer.map(AbiParam::new));
        let signature = self.b.import_signature(signature);
        self.store_counts();
        let helper = self.pointer(helper);
        let all: Vec<Value> = [self.context]
            .into_iter()
            .chain(arguments.iter().copied())
            .collect();
        let call = self.b.ins().call_indirect(signature, helper, &all);
        self.load_counts();
        self.b.inst_results(call).first().copied()
    }

    // ---- temps

    pub fn temp(&self, temp: Temp) -> Option<ScalarValue> {
        let mut temps = self.known.temps.iter().rev();
        let known = temps.find(|(known, _)| *known == temp);
        known.map(|(_, value)| *value)
    }

    pub fn set_temp(&mut self, temp: Temp, value: ScalarValue) {
        self.known.temps.retain(|(known, _)| *known != temp);
        self.known.temps.push((temp, value));
    }

    /// Emits code whose temps have no meaning outside of it.
    pub fn apart<T>(&mut self, emit: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.known.temps.clone();
        let emitted = emit(self);
        self.known.temps = before;
        emitted
    }

    /// Stores the temps where the interpreter reads them.
    pub fn spill_temps(&mut self) {
        if self.known.temps.is_empty() {
            return;
        }
        let base = self.part(types::I64, at(offset_of!(Context, temps)));
        for (temp, value) in self.known.temps.clone() {
            let at = offset(usize::from(temp));
            match value {
                ScalarValue::List(first, end) => self.spill_list(first, end, base, at),
                value => {
                    let value = self.word(value);
                    self.store(value, base, at);
                }
            }
        }
    }

    /// Notes a call of the interpreter. The frames of inline effects do not exist for the interpreter, so inlining has
    /// failed.
    pub fn note_ask(&mut self, what: Part) {
        self.notes.asks += 1;
        self.notes.leave(what);
        // Nor does it know the depth of a recursive query.
        self.inlining.fails |= self.inlining.is_inside() || self.flow.is_query;
    }

    /// Lets the interpreter evaluate an expression.
    pub fn ask(&mut self, expr: ExprId) -> ScalarValue {
        self.note_ask(Part::Value);
        self.spill_temps();
        let id = self.int(expr as i32);
        let helper = helper::value as *const u8;
        let value = self.call_helper(helper, &[id], Some(types::I32));
        value.map_or(ScalarValue::Known(0), ScalarValue::Word)
    }
}

/// Returns the byte offset of the word with this number from the first.
pub(crate) fn offset(word: usize) -> i32 {
    (word * size_of::<i32>()) as i32
}

/// Returns how words are compared; `None` for other operators.
pub(crate) fn comparison(op: Binary) -> Option<IntCC> {
    Some(match op {
        Binary::Equal => IntCC::Equal,
        Binary::NotEqual => IntCC::NotEqual,
        Binary::Less => IntCC::SignedLessThan,
        Binary::LessOrEqual => IntCC::SignedLessThanOrEqual,
        Binary::More => IntCC::SignedGreaterThan,
        Binary::MoreOrEqual => IntCC::SignedGreaterThanOrEqual,
        _ => return None,
    })
}
