//! Straight lines on bounded grids of any size: code walks from a space as long as the condition holds.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::translator::cycle::value_of;
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_program::{ExprId, LineSearch, Temp};

/// A grid on which code walks, and the condition on its spaces.
#[derive(Clone, Copy)]
struct GridWalk<'s> {
    steps: &'s [i32],
    first: i64,
    count: i64,
    /// The number of ways and their opposites.
    directions: i64,
    temp: Temp,
    condition: ExprId,
}

impl Translator<'_> {
    /// Emits the length of the longest line through a space whose spaces fulfill a condition.
    pub fn in_a_row(&mut self, line: LineSearch) -> Option<ScalarValue> {
        let facts = self.facts;
        let steps = facts.steps.get(&(line.family, line.ways))?.as_slice();
        let family = self.program.family(line.family)?;
        let walk = GridWalk {
            steps,
            first: i64::from(family.first),
            count: i64::from(family.count),
            directions: 2 * i64::from(line.ways.count_ones()),
            temp: line.temp,
            condition: line.condition,
        };
        let start = self.word_of(line.zone);
        let number = self.b.ins().iadd_imm_s(start, -walk.first);
        let inside = self.is(IntCC::UnsignedLessThan, number, walk.count);
        let none = self.int(0);
        let length = self.only_where(inside, &[none], &mut |t, none| {
            t.counts.work += 1;
            let begins = t.holds_of(walk, start);
            t.only_where(begins, none, &mut |t, _| vec![t.longest_way(walk, number)])
        });
        Some(ScalarValue::Word(value_of(&length)))
    }

    fn holds_of(&mut self, walk: GridWalk<'_>, space: Value) -> Value {
        let holds = self.with_temp(walk.temp, ScalarValue::Word(space), walk.condition);
        self.flag(holds)
    }

    /// Emits the length of the longest line through the space with this number, which is counted.
    fn longest_way(&mut self, walk: GridWalk<'_>, number: Value) -> Value {
        let none = self.int(0);
        let more = |t: &mut Self, now: &[Value]| {
            t.is(IntCC::SignedLessThan, value_of(now), walk.directions)
        };
        let step = |t: &mut Self, now: &[Value]| {
            let direction = value_of(now);
            (direction, vec![t.b.ins().iadd_imm_s(direction, 1)])
        };
        let lengths = self.cycle(
            &[none],
            &[none, none],
            more,
            step,
            &mut |t, direction, made| {
                let [longest, one_way] = *made else {
                    return (made.to_vec(), None);
                };
                let row = t.b.ins().imul_imm_s(direction, walk.count);
                let steps = t.steps_along(walk, row, number);
                let line = t.b.ins().iadd(one_way, steps);
                let with_it = t.b.ins().iadd_imm_s(line, 1);
                let longer = t.b.ins().smax(longest, with_it);
                let is_back = t.b.ins().band_imm_u(direction, 1);
                let longest = t.b.ins().select(is_back, longer, longest);
                let one_way = t.b.ins().select(is_back, none, line);
                (vec![longest, one_way], None)
            },
        );
        value_of(&lengths)
    }

    /// Emits the number of steps in a direction for which the condition holds. The spaces of the direction are in this
    /// row of the table.
    fn steps_along(&mut self, walk: GridWalk<'_>, row: Value, number: Value) -> Value {
        let next = |t: &mut Self, number: Value| {
            let place = t.b.ins().iadd(row, number);
            let steps = t.pointer(walk.steps.as_ptr());
            let place = t.place(steps, place);
            t.load(types::I32, place, 0)
        };
        let (begin, none) = (next(self, number), self.int(0));
        let more =
            |t: &mut Self, now: &[Value]| t.is(IntCC::SignedGreaterThanOrEqual, value_of(now), 0);
        let step = |t: &mut Self, now: &[Value]| {
            let space = value_of(now);
            let number = t.b.ins().iadd_imm_s(space, -walk.first);
            (space, vec![next(t, number)])
        };
        let made = self.cycle(&[begin], &[none], more, step, &mut |t, space, made| {
            let holds = t.holds_of(walk, space);
            let one = t.b.ins().uextend(types::I32, holds);
            let ends = t.opposite(holds);
            (vec![t.b.ins().iadd(value_of(made), one)], Some(ends))
        });
        value_of(&made)
    }
}
