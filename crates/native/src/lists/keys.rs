//! Questions about the keys of all members of a list: the number of distinct keys, folds. If there can be few different
//! keys, they are bits or counters; otherwise they are gathered in a buffer.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::lists::list_helper::UNIQUE;
use crate::masks::bits::MaskBits;
use crate::memory::context::Context;
use crate::memory::lent::with_game;
use crate::translator::cycle::value_of;
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_program::{Expr, ExprId, Fold, Kinds, NONE, SetId, Temp, range};

/// Applies the fold of an expression to the numbers in a buffer.
pub(crate) unsafe extern "C" fn fold(
    context: *mut Context,
    expr: ExprId,
    number: u32,
    count: u32,
) -> i32 {
    with_game(context, |context, program, _| {
        let fold = program.exprs.get(expr as usize);
        let numbers = context.buffer(number, count as usize);
        let folded = match (fold, numbers) {
            (Some(Expr::Fold { fold, .. }), Some(numbers)) => fold.of(numbers),
            _ => None,
        };
        folded.unwrap_or_else(|| {
            context.rest.failed = 1;
            NONE
        })
    })
}

/// The maximum number of values of keys that are marked by bits, and of those that are counted on the native stack.
const BITS_MAX: i32 = 64;
const COUNTED_MAX: i32 = 32;

/// The size of a counter in bytes.
const COUNTER: u32 = size_of::<i32>() as u32;

impl Translator<'_> {
    pub fn distinct(&mut self, of: SetId, temp: Temp, key: ExprId) -> Option<ScalarValue> {
        if let Some((low, _)) = self.few_keys(of, key, BITS_MAX) {
            let bits = self.bits_of_keys(of, temp, key, low);
            return Some(ScalarValue::Word(self.count_of(MaskBits::new(bits, None))));
        }
        let (number, count) = self.gather_keys(of, temp, key)?;
        let count = self.arrange(number, count, UNIQUE);
        self.close_buffer();
        Some(ScalarValue::Word(count))
    }

    pub fn fold(
        &mut self,
        id: ExprId,
        fold_by: Fold,
        of: SetId,
        temp: Temp,
        key: ExprId,
    ) -> Option<ScalarValue> {
        match fold_by.of_kinds() {
            Some(Kinds::MostAlike) => {
                if let Some((low, count)) = self.few_keys(of, key, COUNTED_MAX) {
                    return Some(self.most_alike(of, temp, key, low, count));
                }
            }
            Some(Kinds::LongestRun) => {
                if let Some((low, _)) = self.few_keys(of, key, BITS_MAX) {
                    let bits = self.bits_of_keys(of, temp, key, low);
                    return Some(self.longest_run_of(bits));
                }
            }
            Some(Kinds::Distinct) | None => {}
        }
        let (number, count) = self.gather_keys(of, temp, key)?;
        let [id, number] = [id as usize, number].map(|it| self.int(it as i32));
        let arguments = [id, number, count];
        let folded = self.call_helper(fold as *const u8, &arguments, Some(types::I32));
        self.close_buffer();
        folded.map(ScalarValue::Word)
    }

    /// Returns the least key of a list and how many different ones there can be, if they are known and not too many.
    fn few_keys(&self, of: SetId, key: ExprId, most: i32) -> Option<(i32, i32)> {
        let (low, high) = range(self.program, key, &[])?;
        let count = high.checked_sub(low)?.checked_add(1)?;
        ((1..=most).contains(&count) && self.can_walk(of)).then_some((low, count))
    }

    /// Emits the keys of all members as bits, beginning with the least one.
    fn bits_of_keys(&mut self, of: SetId, temp: Temp, key: ExprId, low: i32) -> Value {
        let none = self.long(0);
        let made = self.each(of, &[none], &mut |t, member, made| {
            t.set_temp(temp, ScalarValue::Word(member));
            let number = t.number_of_key(key, low);
            // Shifts look at the last six bits only.
            let one = t.long(1);
            let bit = t.b.ins().ishl(one, number);
            (vec![t.b.ins().bor(value_of(made), bit)], None)
        });
        value_of(&made)
    }

    /// Emits a key as a number from 0 on.
    fn number_of_key(&mut self, key: ExprId, low: i32) -> Value {
        let key = self.word_of(key);
        match low {
            0 => key,
            low => self.b.ins().iadd_imm_s(key, -i64::from(low)),
        }
    }

    /// Emits the length of the longest run of set bits: how often what is left has bits if each loses its last one.
    fn longest_run_of(&mut self, bits: Value) -> ScalarValue {
        let none = self.int(0);
        let made = self.cycle(
            &[bits],
            &[none],
            |t, now| t.is(IntCC::NotEqual, value_of(now), 0),
            |t, now| {
                let shifted = t.b.ins().ishl_imm_u(value_of(now), 1);
                let rest = t.b.ins().band(value_of(now), shifted);
                (rest, vec![rest])
            },
            &mut |t, _, made| (vec![t.b.ins().iadd_imm_s(value_of(made), 1)], None),
        );
        ScalarValue::Word(value_of(&made))
    }

    /// Emits how many members share the most common key: counts them on the native stack.
    fn most_alike(
        &mut self,
        of: SetId,
        temp: Temp,
        key: ExprId,
        low: i32,
        count: i32,
    ) -> ScalarValue {
        let counters = self.unmarked(count.cast_unsigned() * COUNTER);
        self.searches.running += 1;
        let (none, last) = (self.int(0), self.int(count - 1));
        let made = self.each(of, &[none], &mut |t, member, made| {
            t.set_temp(temp, ScalarValue::Word(member));
            let number = t.number_of_key(key, low);
            // Never beyond the counters, whatever the key is.
            let number = t.b.ins().umin(number, last);
            let place = t.place(counters, number);
            let alike = t.b.ins().load(types::I32, t.regions.searches, place, 0);
            let alike = t.b.ins().iadd_imm_s(alike, 1);
            t.b.ins().store(t.regions.searches, alike, place, 0);
            (vec![t.b.ins().smax(value_of(made), alike)], None)
        });
        self.searches.running -= 1;
        ScalarValue::Word(value_of(&made))
    }

    /// Stores the keys of all members in a buffer, which stays open; returns the number of the buffer and the number of
    /// keys.
    fn gather_keys(&mut self, of: SetId, temp: Temp, key: ExprId) -> Option<(usize, Value)> {
        if !self.can_walk(of) {
            return None;
        }
        let number = self.open_buffer();
        let buffer = self.buffer_at(number);
        let none = self.int(0);
        let made = self.each(of, &[none], &mut |t, member, made| {
            t.set_temp(temp, ScalarValue::Word(member));
            let key = t.word_of(key);
            (vec![t.append(buffer, value_of(made), key)], None)
        });
        Some((number, value_of(&made)))
    }
}
