//! Arithmetic. Code gives up if a result does not fit.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::emit::{Scalar, Translator};
use wyrmgate_program::{Binary, ExprId};

/// Within this distance of zero, numbers of pairs cannot overflow.
const NEAR: i64 = 1 << 15;

impl Translator<'_> {
    pub fn binary(&mut self, op: Binary, left: ExprId, right: ExprId) -> Scalar {
        if let Some(reaches) = self.line_reaches(op, left, right) {
            return reaches;
        }
        let (a, b) = (self.value(left), self.value(right));
        let divisor = match b {
            Scalar::Known(divisor) => Some(divisor),
            _ => None,
        };
        let (a, b) = (self.word(a), self.word(b));
        let compare = match op {
            Binary::Equal => IntCC::Equal,
            Binary::NotEqual => IntCC::NotEqual,
            Binary::Less => IntCC::SignedLessThan,
            Binary::LessOrEqual => IntCC::SignedLessThanOrEqual,
            Binary::More => IntCC::SignedGreaterThan,
            Binary::MoreOrEqual => IntCC::SignedGreaterThanOrEqual,
            Binary::Add => {
                let (sum, over) = self.b.ins().sadd_overflow(a, b);
                self.refuse(over);
                return Scalar::Word(sum);
            }
            Binary::Subtract => {
                let (rest, over) = self.b.ins().ssub_overflow(a, b);
                self.refuse(over);
                return Scalar::Word(rest);
            }
            Binary::Multiply => {
                let (product, over) = self.b.ins().smul_overflow(a, b);
                self.refuse(over);
                return Scalar::Word(product);
            }
            Binary::Divide => return Scalar::Word(self.divided(a, b, divisor)),
            Binary::Modulo => return Scalar::Word(self.modulo(a, b, divisor)),
            Binary::Max => return Scalar::Word(self.b.ins().smax(a, b)),
            Binary::Min => return Scalar::Word(self.b.ins().smin(a, b)),
        };
        Scalar::Flag(self.b.ins().icmp(compare, a, b))
    }

    /// Division by zero gives zero. In 64 bits nothing overflows; code gives up if the result does not fit.
    pub fn divided(&mut self, a: Value, b: Value, divisor: Option<i32>) -> Value {
        if let Some(divisor @ 1..) = divisor {
            let by = self.int(divisor);
            return self.b.ins().sdiv(a, by);
        }
        let (a, b, by_zero) = self.widened(a, b);
        let quotient = self.b.ins().sdiv(a, b);
        let narrow = self.b.ins().ireduce(types::I32, quotient);
        let again = self.b.ins().sextend(types::I64, narrow);
        let lost = self.b.ins().icmp(IntCC::NotEqual, again, quotient);
        let not_zero = self.b.ins().bxor_imm_u(by_zero, 1);
        let lost = self.b.ins().band(lost, not_zero);
        self.refuse(lost);
        let zero = self.int(0);
        self.b.ins().select(by_zero, zero, narrow)
    }

    /// The remainder with the sign of the divisor; modulo zero gives zero.
    pub fn modulo(&mut self, a: Value, b: Value, divisor: Option<i32>) -> Value {
        if let Some(divisor @ 1..) = divisor {
            let by = self.int(divisor);
            let rest = self.b.ins().srem(a, by);
            let below = self.is(IntCC::SignedLessThan, rest, 0);
            let more = self.b.ins().iadd(rest, by);
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

    /// Both in 64 bits, the second one replaced by 1 if it is zero.
    pub fn widened(&mut self, a: Value, b: Value) -> (Value, Value, Value) {
        let by_zero = self.is(IntCC::Equal, b, 0);
        let one = self.int(1);
        let b = self.b.ins().select(by_zero, one, b);
        let a = self.b.ins().sextend(types::I64, a);
        let b = self.b.ins().sextend(types::I64, b);
        (a, b, by_zero)
    }

    /// The number of a pair. If numbers are so large that the interpreter would have to clamp them, it is called.
    pub fn pair(
        &mut self,
        (one, low_of_one): (ExprId, i32),
        (other, low_of_other): (ExprId, i32),
        count: i32,
    ) -> Option<Scalar> {
        if i64::from(count.unsigned_abs()) >= NEAR {
            return None;
        }
        let one = self.near(one, low_of_one);
        let other = self.near(other, low_of_other);
        let one = self.b.ins().imul_imm_s(one, i64::from(count));
        Some(Scalar::Word(self.b.ins().iadd(one, other)))
    }

    pub fn near(&mut self, of: ExprId, low: i32) -> Value {
        let value = self.plain(of);
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
