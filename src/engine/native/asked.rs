//! Questions about lists: how many members, is it among them, does one fulfil a condition.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::emit::{Scalar, Translator};
use super::lists::value_of;
use crate::program::{ExprId, Set, SetId, Temp};

impl Translator<'_> {
    pub fn count_list(&mut self, set: SetId) -> Option<Scalar> {
        match self.program.sets.get(set as usize) {
            Some(&Set::Zone(zone)) => return Some(self.zone_word(zone, 2, 0)),
            Some(&Set::Bits(mask)) => {
                let bits = self.members(mask)?;
                return Some(Scalar::Word(self.count_of(bits)));
            }
            // The interpreter does not walk them either.
            Some(Set::Local(_) | Set::Temp(_) | Set::Range(..)) => return None,
            _ => {}
        }
        if !self.can_walk(set) {
            return None;
        }
        let none = self.int(0);
        let made = self.each(set, &[none], &mut |t, _, made| {
            (vec![t.b.ins().iadd_imm_s(value_of(made), 1)], None)
        });
        Some(Scalar::Word(value_of(&made)))
    }

    pub fn is_empty(&mut self, set: SetId) -> Option<Scalar> {
        if !self.can_walk(set) {
            return None;
        }
        let empty = self.b.ins().iconst(types::I8, 1);
        let made = self.each(set, &[empty], &mut |t, _, _| {
            let no = t.b.ins().iconst(types::I8, 0);
            let enough = t.b.ins().iconst(types::I8, 1);
            (vec![no], Some(enough))
        });
        Some(Scalar::Flag(value_of(&made)))
    }

    /// The first member, or the default.
    pub fn first_of(&mut self, set: SetId, default: i32) -> Option<Scalar> {
        if !self.can_walk(set) {
            return None;
        }
        let default = self.int(default);
        let made = self.each(set, &[default], &mut |t, member, _| {
            let enough = t.b.ins().iconst(types::I8, 1);
            (vec![member], Some(enough))
        });
        Some(Scalar::Word(value_of(&made)))
    }

    pub fn contains(&mut self, set: SetId, of: ExprId) -> Option<Scalar> {
        if !self.can_walk(set) {
            return None;
        }
        let wanted = self.value(of);
        let wanted = self.word(wanted);
        if let Some(&Set::Bits(mask)) = self.program.sets.get(set as usize) {
            let domain = self.program.masks.get(mask as usize)?.domain;
            let bits = self.members(mask)?;
            let number = self.b.ins().iadd_imm_s(wanted, -i64::from(domain.first));
            let has = self.has(bits, number);
            return Some(Scalar::Flag(self.is(IntCC::NotEqual, has, 0)));
        }
        let no = self.b.ins().iconst(types::I8, 0);
        let made = self.each(set, &[no], &mut |t, member, _| {
            let same = t.b.ins().icmp(IntCC::Equal, member, wanted);
            (vec![same], Some(same))
        });
        Some(Scalar::Flag(value_of(&made)))
    }

    /// Does some member answer the condition so?
    pub fn some(
        &mut self,
        of: SetId,
        temp: Temp,
        condition: ExprId,
        wanted: bool,
    ) -> Option<Value> {
        if !self.can_walk(of) {
            return None;
        }
        let no = self.b.ins().iconst(types::I8, 0);
        let made = self.each(of, &[no], &mut |t, member, _| {
            t.set_temp(temp, Scalar::Word(member));
            let holds = t.truth(condition);
            let found = match wanted {
                true => holds,
                false => t.b.ins().bxor_imm_u(holds, 1),
            };
            (vec![found], Some(found))
        });
        Some(value_of(&made))
    }

    pub fn sum(&mut self, of: SetId, temp: Temp, key: ExprId) -> Option<Scalar> {
        if !self.can_walk(of) {
            return None;
        }
        let none = self.int(0);
        let made = self.each(of, &[none], &mut |t, member, made| {
            t.set_temp(temp, Scalar::Word(member));
            let value = t.value(key);
            let value = t.word(value);
            let (sum, over) = t.b.ins().sadd_overflow(value_of(made), value);
            t.refuse(over);
            (vec![sum], None)
        });
        Some(Scalar::Word(value_of(&made)))
    }

    /// The extreme value of the key; 0 for no members.
    pub fn extreme(&mut self, of: SetId, temp: Temp, key: ExprId, most: bool) -> Option<Scalar> {
        if !self.can_walk(of) {
            return None;
        }
        let (none, no) = (self.int(0), self.b.ins().iconst(types::I8, 0));
        let made = self.each(of, &[none, no], &mut |t, member, made| {
            t.set_temp(temp, Scalar::Word(member));
            let value = t.value(key);
            let value = t.word(value);
            let other = match most {
                true => t.b.ins().smax(value_of(made), value),
                false => t.b.ins().smin(value_of(made), value),
            };
            let any = made.get(1).copied().unwrap_or(other);
            let extreme = t.b.ins().select(any, other, value);
            (vec![extreme, t.b.ins().iconst(types::I8, 1)], None)
        });
        Some(Scalar::Word(value_of(&made)))
    }
}
