//! Arithmetic. Code gives up if a result does not fit, and tests that only if it may not; see [`crate::values::ranges`].

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::translator::emit::Translator;
use crate::translator::emit::comparison;
use crate::translator::known::ScalarValue;
use crate::values::ranges;
use crate::values::ranges::Range;
use wyrmgate_program::{Binary, ExprId, NONE, NumberPair};

/// Within this distance of zero, numbers of pairs cannot overflow.
const NEAR: i64 = 1 << 15;

impl Translator<'_> {
    pub fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) -> ScalarValue {
        let (a, b) = (self.value(left), self.value(right));
        if let (ScalarValue::Known(a), ScalarValue::Known(b)) = (a, b)
            && let Some(value) = op.of(a, b)
        {
            return ScalarValue::Known(value);
        }
        let (of, by) = (self.range_of(a), self.range_of(b));
        let (a, b) = (self.word(a), self.word(b));
        match comparison(op) {
            Some(compare) => ScalarValue::Flag(self.b.ins().icmp(compare, a, b)),
            None => ScalarValue::Word(self.number(op, a, b, of, by)),
        }
    }

    /// Emits a number that is made of two others; code gives up if it does not fit.
    fn number(&mut self, op: Binary, a: Value, b: Value, of: Range, by: Range) -> Value {
        let range = ranges::of(op, of, by);
        let is_small = range.is_some_and(ranges::fits);
        let number = match op {
            Binary::Divide => self.divided(a, b, of, by),
            Binary::Modulo => self.modulo(a, b, of, by),
            Binary::Max => self.b.ins().smax(a, b),
            Binary::Min => self.b.ins().smin(a, b),
            Binary::Subtract if is_small => self.b.ins().isub(a, b),
            Binary::Multiply if is_small => self.b.ins().imul(a, b),
            _ if is_small => self.b.ins().iadd(a, b),
            _ => {
                let (number, over) = match op {
                    Binary::Subtract => self.b.ins().ssub_overflow(a, b),
                    Binary::Multiply => self.b.ins().smul_overflow(a, b),
                    _ => self.b.ins().sadd_overflow(a, b),
                };
                self.refuse(over);
                number
            }
        };
        if let Some((least, most)) = range {
            let clipped = (ranges::clipped(least), ranges::clipped(most));
            self.known.ranges.insert(number, clipped);
        }
        number
    }

    /// Emits a quotient. Division by zero gives zero. In 64 bits nothing overflows; code gives up if the result does not
    /// fit.
    fn divided(&mut self, a: Value, b: Value, of: Range, by: Range) -> Value {
        if by.0 > 0 && by.0 == by.1 {
            return match of.0 >= 0 {
                true => self.b.ins().udiv(a, b),
                false => self.b.ins().sdiv(a, b),
            };
        }
        let (a, b, by_zero) = self.widened(a, b);
        let quotient = self.b.ins().sdiv(a, b);
        let narrow = self.b.ins().ireduce(types::I32, quotient);
        let again = self.b.ins().sextend(types::I64, narrow);
        let lost = self.b.ins().icmp(IntCC::NotEqual, again, quotient);
        let not_zero = self.opposite(by_zero);
        let lost = self.b.ins().band(lost, not_zero);
        self.refuse(lost);
        let zero = self.int(0);
        self.b.ins().select(by_zero, zero, narrow)
    }

    /// Emits the remainder with the sign of the divisor; modulo zero gives zero.
    pub fn modulo(&mut self, a: Value, b: Value, of: Range, by: Range) -> Value {
        if by.0 > 0 && by.0 == by.1 {
            if of.0 >= 0 {
                return self.b.ins().urem(a, b);
            }
            let rest = self.b.ins().srem(a, b);
            let below = self.is(IntCC::SignedLessThan, rest, 0);
            let more = self.b.ins().iadd(rest, b);
            return self.b.ins().select(below, more, rest);
        }
        let (a, b, by_zero) = self.widened(a, b);
        let rest = self.b.ins().srem(a, b);
        let is_rest = self.is(IntCC::NotEqual, rest, 0);
        let signs = self.b.ins().bxor(rest, b);
        let other_sign = self.is(IntCC::SignedLessThan, signs, 0);
        let shifted = self.b.ins().band(is_rest, other_sign);
        let more = self.b.ins().iadd(rest, b);
        let rest = self.b.ins().select(shifted, more, rest);
        let rest = self.b.ins().ireduce(types::I32, rest);
        let zero = self.int(0);
        self.b.ins().select(by_zero, zero, rest)
    }

    /// Returns the least and the largest number that a value can be.
    fn range_of(&self, of: ScalarValue) -> Range {
        let (least, most) = match of {
            ScalarValue::Known(value) => (value, value),
            ScalarValue::Flag(_) => (0, 1),
            ScalarValue::Word(value) => {
                let known = self.known.ranges.get(&value).copied();
                known.unwrap_or((i32::MIN, i32::MAX))
            }
            ScalarValue::List(..) => (NONE, NONE),
        };
        (i64::from(least), i64::from(most))
    }

    /// Emits both numbers in 64 bits, the second one replaced by 1 if it is zero, and whether it is.
    pub fn widened(&mut self, a: Value, b: Value) -> (Value, Value, Value) {
        let by_zero = self.is(IntCC::Equal, b, 0);
        let one = self.int(1);
        let b = self.b.ins().select(by_zero, one, b);
        let a = self.b.ins().sextend(types::I64, a);
        let b = self.b.ins().sextend(types::I64, b);
        (a, b, by_zero)
    }

    /// Emits the number of a pair; code gives up if the interpreter would have to clamp numbers.
    pub fn pair(&mut self, pair: NumberPair) -> Option<ScalarValue> {
        if i64::from(pair.count.unsigned_abs()) >= NEAR {
            return None;
        }
        let one = self.near(pair.one, pair.low_of_one);
        let other = self.near(pair.other, pair.low_of_other);
        let one = self.b.ins().imul_imm_s(one, i64::from(pair.count));
        Some(ScalarValue::Word(self.b.ins().iadd(one, other)))
    }

    pub fn near(&mut self, of: ExprId, low: i32) -> Value {
        let value = self.word_of(of);
        let value = match low {
            0 => value,
            low => self.b.ins().iadd_imm_s(value, -i64::from(low)),
        };
        let above = self.b.ins().iadd_imm_s(value, NEAR);
        let far = self.is(IntCC::UnsignedGreaterThanOrEqual, above, 2 * NEAR);
        self.refuse(far);
        value
    }
}
