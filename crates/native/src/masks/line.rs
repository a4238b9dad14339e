//! Questions about whole masks: the lowest member, the longest line.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::masks::bits::is_wide;
use crate::reuse::invariant::mask_asks;
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_program::{
    Binary, Bits, Domain, Expr, ExprId, Lines, LinesId, MaskId, Set, SetId, Temp,
};

impl Translator<'_> {
    pub fn first_bit(&mut self, mask: MaskId, default: i32) -> Option<ScalarValue> {
        let domain = self.program.masks.get(mask as usize)?.domain;
        let bits = self.members(mask)?;
        let any = self.any(bits);
        let number = self.lowest(bits);
        let member = self.member(domain, number);
        let default = self.int(default);
        Some(ScalarValue::Word(self.b.ins().select(any, member, default)))
    }

    /// Emits the spaces of a mask, and the bit of one space if the mask has it.
    fn line_start(
        &mut self,
        zone: ExprId,
        of: MaskId,
        lines: LinesId,
    ) -> Option<(Value, Value, Lines)> {
        let lines = *self.program.lines.get(usize::from(lines))?;
        let domain = self.program.masks.get(of as usize)?.domain;
        if is_wide(domain) || lines.ways.iter().any(|(by, _)| *by >= BY_MAX) {
            return None;
        }
        let zone = self.word_of(zone);
        let bits = self.members(of)?.low;
        let number = self.b.ins().iadd_imm_s(zone, -i64::from(domain.first));
        let inside = self.is(IntCC::UnsignedLessThan, number, i64::from(domain.len));
        let number = self.b.ins().uextend(types::I64, number);
        let one = self.b.ins().uextend(types::I64, inside);
        let start = self.b.ins().ishl(one, number);
        let start = self.b.ins().band(start, bits);
        Some((bits, start, lines))
    }

    /// Emits whether a line of at least some length leads through a member of a list: `some s in S has in_a_row(s, …) >= 5`.
    /// All lines are found at once.
    pub fn some_line(&mut self, of: SetId, temp: Temp, condition: ExprId) -> Option<Value> {
        let program = self.program;
        let Some(&Expr::Binary(op, left, right)) = program.exprs.get(condition as usize) else {
            return None;
        };
        let Some(&Expr::LineOfBits {
            zone,
            of: mask,
            lines,
        }) = program.exprs.get(left as usize)
        else {
            return None;
        };
        let is_member =
            matches!(program.exprs.get(zone as usize), Some(&Expr::Temp(member)) if member == temp);
        if !is_member || mask_asks(program, mask, temp) {
            return None;
        }
        let least = self.least_length(op, right, (mask, lines))?;
        let domain = program.masks.get(mask as usize)?.domain;
        let lines = *program.lines.get(usize::from(lines))?;
        if is_wide(domain) || lines.ways.iter().any(|(by, _)| *by >= BY_MAX) {
            return None;
        }
        let wanted = self.wanted_bits(of, domain)?;
        let bits = self.members(mask)?.low;
        let mut found = self.long(0);
        for (by, from) in lines.ways {
            let by = u32::from(by);
            let begins = self.beginnings(bits, by, from, least);
            // All spaces of the lines that begin there.
            let mut spaces = begins;
            let mut joined = 1;
            while joined < least {
                let more = joined.min(least - joined);
                let moved = self.b.ins().ishl_imm_u(spaces, i64::from(by * more));
                spaces = self.b.ins().bor(spaces, moved);
                joined += more;
            }
            found = self.b.ins().bor(found, spaces);
        }
        // The interpreter looks at each space.
        self.counts.work += i64::from(domain.len) * WORK_OF_LINES;
        let found = self.b.ins().band(found, wanted);
        Some(self.is(IntCC::NotEqual, found, 0))
    }

    /// Emits the members of a list as bits of a domain, if the list is a constant range of it or a mask.
    fn wanted_bits(&mut self, of: SetId, domain: Domain) -> Option<Value> {
        let program = self.program;
        let constant = |expr: ExprId| match program.exprs.get(expr as usize) {
            Some(&Expr::Const(value)) => Some(value),
            _ => None,
        };
        match *program.sets.get(of as usize)? {
            Set::Range(low, high) => {
                let (low, high) = (constant(low)?, constant(high)?);
                let inside = |value: i32| low <= value && value <= high;
                let members = (0..i32::from(domain.len)).filter(|bit| inside(domain.first + bit));
                let bits = members.fold(0u64, |bits, bit| bits | 1 << bit);
                Some(self.long(bits))
            }
            Set::Bits(mask) if program.masks.get(mask as usize)?.domain == domain => {
                Some(self.members(mask)?.low)
            }
            _ => None,
        }
    }

    /// Returns the minimum length for which a comparison holds.
    fn least_length(&self, op: Binary, right: ExprId, line: (MaskId, LinesId)) -> Option<u32> {
        let Some(&Expr::Const(length)) = self.program.exprs.get(right as usize) else {
            return None;
        };
        let least = match op {
            Binary::MoreOrEqual => length,
            Binary::Equal if length == self.longest(line.0, line.1)? => length,
            _ => return None,
        };
        let least = u32::try_from(least).ok();
        least.filter(|least| (2..=8).contains(least))
    }

    /// Emits where lines of at least this length begin in a direction.
    fn beginnings(&mut self, bits: Value, by: u32, from: Bits, least: u32) -> Value {
        let from = self.long((from & Bits::from(u64::MAX)) as u64);
        let next = self.b.ins().ushr_imm_u(bits, i64::from(by));
        let step = self.b.ins().band(bits, from);
        let step = self.b.ins().band(step, next);
        self.doubled(step, by, least - 1, |t, one, other| {
            t.b.ins().band(one, other)
        })
    }

    /// Emits whether a line has at least this length, which costs less than its length.
    pub fn line_reaches(&mut self, op: Binary, left: ExprId, right: ExprId) -> Option<ScalarValue> {
        let exprs = &self.program.exprs;
        let Some(&Expr::LineOfBits { zone, of, lines }) = exprs.get(left as usize) else {
            return None;
        };
        let least = self.least_length(op, right, (of, lines))?;
        let (bits, start, lines) = self.line_start(zone, of, lines)?;
        let mut found = self.long(0);
        for (by, from) in lines.ways {
            let by = u32::from(by);
            // The beginnings of such lines, and the spaces where a line through this space would begin.
            let begins = self.beginnings(bits, by, from, least);
            let wanted = self.doubled(start, by, least, |t, one, other| t.b.ins().bor(one, other));
            let line = self.b.ins().band(begins, wanted);
            found = self.b.ins().bor(found, line);
        }
        Some(ScalarValue::Flag(self.is(IntCC::NotEqual, found, 0)))
    }

    /// Combines bits, by `join`, with themselves shifted down, `times` of them in all.
    fn doubled(
        &mut self,
        mut bits: Value,
        by: u32,
        times: u32,
        join: impl Fn(&mut Self, Value, Value) -> Value,
    ) -> Value {
        let mut joined = 1;
        while joined < times {
            let more = joined.min(times - joined);
            let moved = self.b.ins().ushr_imm_u(bits, i64::from(by * more));
            bits = join(self, bits, moved);
            joined += more;
        }
        bits
    }

    /// Returns the maximum length of a line.
    fn longest(&self, of: MaskId, lines: LinesId) -> Option<i32> {
        let lines = self.program.lines.get(usize::from(lines))?;
        let all = self.program.masks.get(of as usize)?.domain.all() as u64;
        let ways = lines.ways.iter().filter(|(by, _)| *by < BY_MAX);
        let spaces = ways.map(|(by, from)| spaces(*from as u64, u32::from(*by), all));
        spaces.max().map(|most| most as i32)
    }

    /// Emits the length of the longest line of spaces of the mask through one of them; see [`wyrmgate_program::Lines`].
    pub fn line_of_bits(
        &mut self,
        zone: ExprId,
        of: MaskId,
        lines: LinesId,
    ) -> Option<ScalarValue> {
        let all = self.program.masks.get(of as usize)?.domain.all() as u64;
        let Some((bits, start, lines)) = self.line_start(zone, of, lines) else {
            return self.in_a_row_of_bits(zone, of, lines);
        };
        // Empty for a space that is not in the mask, which has no line.
        let mut longest = self.int(0);
        for (by, from) in lines.ways {
            let from = (from & Bits::from(u64::MAX)) as u64;
            let line = self.line(start, bits, from, u32::from(by), all);
            let length = self.b.ins().popcnt(line);
            let length = self.b.ins().ireduce(types::I32, length);
            longest = self.b.ins().smax(longest, length);
        }
        Some(ScalarValue::Word(longest))
    }

    /// Emits all bits of the line through `start` in one direction, by doubling steps, without loops or branches.
    fn line(&mut self, start: Value, bits: Value, from: u64, by: u32, all: u64) -> Value {
        let stages = stages(from, by, all);
        // The spaces that a step upwards or downwards can reach.
        let up = self.long(from.wrapping_shl(by));
        let up = self.b.ins().band(bits, up);
        let down = self.long(from);
        let down = self.b.ins().band(bits, down);
        let by = i64::from(by);
        let up = self.filled(start, up, stages, |t, bits, stage| {
            t.b.ins().ishl_imm_u(bits, by << stage)
        });
        let down = self.filled(start, down, stages, |t, bits, stage| {
            t.b.ins().ushr_imm_u(bits, by << stage)
        });
        self.b.ins().bor(up, down)
    }

    /// Emits everything that can be reached from `start` in `1 << stages` - 1 steps.
    fn filled(
        &mut self,
        start: Value,
        mut open: Value,
        stages: u32,
        step: impl Fn(&mut Self, Value, u32) -> Value,
    ) -> Value {
        let mut filled = start;
        for stage in 0..stages {
            let next = step(self, filled, stage);
            let next = self.b.ins().band(next, open);
            filled = self.b.ins().bor(filled, next);
            if stage + 1 < stages {
                let further = step(self, open, stage);
                open = self.b.ins().band(open, further);
            }
        }
        filled
    }
}

/// The work of the interpreter for the lines through one space.
const WORK_OF_LINES: i64 = 6;

/// The maximum distance of spaces; the interpreter handles larger ones.
const BY_MAX: u8 = 16;

/// Returns the maximum length of a line in a direction, at least one.
fn spaces(from: u64, by: u32, all: u64) -> u32 {
    let (mut left, mut spaces) = (all, 0u32);
    while left != 0 && spaces < u64::BITS {
        left = (left & from).checked_shl(by).unwrap_or(0) & all;
        spaces += 1;
    }
    spaces.max(1)
}

/// Returns the number of doublings after which no line can continue.
fn stages(from: u64, by: u32, all: u64) -> u32 {
    // A line has one step less than spaces.
    u32::BITS - (spaces(from, by, all) - 1).leading_zeros()
}
