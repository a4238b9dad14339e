//! Questions about lists: the number of members, membership, whether a member fulfills a condition.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::translator::cycle::value_of;
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use crate::translator::searching::VisitOrder;
use wyrmgate_engine::layout::{LAST, ZONE};
use wyrmgate_program::{
    ExprId, ExtremeKey, ListUpTo, MaskId, MemberTest, NONE, Set, SetId, SortedList, Temp,
};

impl Translator<'_> {
    pub fn count_list(&mut self, set: SetId) -> Option<ScalarValue> {
        match self.program.sets.get(set as usize) {
            Some(&Set::Zone(zone)) => return Some(self.zone_word(zone, 2, 0)),
            Some(&Set::Bits(mask)) => {
                let bits = self.members(mask)?;
                return Some(ScalarValue::Word(self.count_of(bits)));
            }
            Some(&Set::Range(low, high)) => return Some(self.length_of_range(low, high)),
            Some(&Set::Local(local)) => {
                let (first, end) = self.frame_list(local)?;
                return Some(self.length_between(first, end));
            }
            Some(&Set::Temp(temp)) => {
                return match self.temp(temp) {
                    Some(ScalarValue::List(first, end)) => Some(self.length_between(first, end)),
                    _ => None,
                };
            }
            _ => {}
        }
        self.walkable(set)?;
        let none = self.int(0);
        self.searches.order = VisitOrder::Any;
        let made = self.each(set, &[none], &mut |t, _, made| {
            (vec![t.b.ins().iadd_imm_s(value_of(made), 1)], None)
        });
        Some(ScalarValue::Word(value_of(&made)))
    }

    pub fn is_empty(&mut self, set: SetId) -> Option<ScalarValue> {
        self.walkable(set)?;
        let empty = self.b.ins().iconst(types::I8, 1);
        self.searches.order = VisitOrder::Any;
        let made = self.each(set, &[empty], &mut |t, _, _| {
            let no = t.b.ins().iconst(types::I8, 0);
            let enough = t.b.ins().iconst(types::I8, 1);
            (vec![no], Some(enough))
        });
        Some(ScalarValue::Flag(value_of(&made)))
    }

    /// Emits the first member, or the default.
    pub fn first_of(&mut self, set: SetId, default: i32) -> Option<ScalarValue> {
        self.walkable(set)?;
        if let Some(&Set::Sorted(by)) = self.program.sets.get(set as usize) {
            return Some(self.first_by_key(by, default));
        }
        let default = self.int(default);
        let made = self.each(set, &[default], &mut |t, member, _| {
            let enough = t.b.ins().iconst(types::I8, 1);
            (vec![member], Some(enough))
        });
        Some(ScalarValue::Word(value_of(&made)))
    }

    /// Emits the member with the least (or greatest) key, the first of several, or the default: the first one of the sorted
    /// list, without sorting it.
    fn first_by_key(&mut self, by: SortedList, default: i32) -> ScalarValue {
        let (default, none) = (self.int(default), self.int(0));
        let no = self.b.ins().iconst(types::I8, 0);
        let made = self.each(by.of, &[default, none, no], &mut |t, member, made| {
            t.set_temp(by.temp, ScalarValue::Word(member));
            let value = t.word_of(by.key);
            let &[first, best, any] = made else {
                return (made.to_vec(), None);
            };
            let compare = match by.descending {
                true => IntCC::SignedGreaterThan,
                false => IntCC::SignedLessThan,
            };
            let is_better = t.b.ins().icmp(compare, value, best);
            let is_only = t.opposite(any);
            let takes = t.b.ins().bor(is_better, is_only);
            let first = t.b.ins().select(takes, member, first);
            let best = t.b.ins().select(takes, value, best);
            let yes = t.b.ins().iconst(types::I8, 1);
            (vec![first, best, yes], None)
        });
        ScalarValue::Word(value_of(&made))
    }

    /// Emits the length of a range, including both ends.
    fn length_of_range(&mut self, low: ExprId, high: ExprId) -> ScalarValue {
        let ends = [low, high].map(|end| {
            let end = self.word_of(end);
            self.b.ins().sextend(types::I64, end)
        });
        let [low, high] = ends;
        let length = self.b.ins().isub(high, low);
        let length = self.b.ins().iadd_imm_s(length, 1);
        let (none, most) = (self.long(0), self.long(i32::MAX as u64));
        let length = self.b.ins().smax(length, none);
        let length = self.b.ins().smin(length, most);
        ScalarValue::Word(self.b.ins().ireduce(types::I32, length))
    }

    fn length_between(&mut self, first: Value, end: Value) -> ScalarValue {
        let bytes = self.b.ins().isub(end, first);
        let length = self.b.ins().ushr_imm_u(bytes, 2);
        ScalarValue::Word(self.b.ins().ireduce(types::I32, length))
    }

    pub fn contains(&mut self, set: SetId, of: ExprId) -> Option<ScalarValue> {
        self.walkable(set)?;
        let wanted = self.word_of(of);
        Some(ScalarValue::Flag(self.contains_value(set, wanted)))
    }

    /// Tests membership, without iteration if the list allows it.
    pub fn contains_value(&mut self, set: SetId, wanted: Value) -> Value {
        self.apart(|t| t.is_member(set, wanted))
    }

    fn is_member(&mut self, set: SetId, wanted: Value) -> Value {
        self.counts.work += 1;
        let is_in = match self.program.sets.get(set as usize) {
            Some(&Set::Bits(mask)) => self.is_in_mask(mask, wanted),

            Some(&Set::Zone(zone)) => Some(self.lies_in(wanted, zone)),
            Some(&Set::Range(low, high)) => {
                let (low, high) = (self.word_of(low), self.word_of(high));
                Some(self.is_in_range(low, wanted, high))
            }
            Some(
                &(Set::Sorted(SortedList { of, .. })
                | Set::Reversed(of)
                | Set::Unique(of)
                | Set::PhysicalOrder(of)),
            ) => Some(self.contains_value(of, wanted)),

            Some(&Set::Where(test)) => Some(self.is_member_and(test.of, wanted, |t| {
                t.set_temp(test.temp, ScalarValue::Word(wanted));
                t.truth(test.condition)
            })),
            Some(&Set::UpTo(ListUpTo { of, .. })) => {
                Some(self.is_member_and(of, wanted, |t| t.contains_walking(set, wanted)))
            }
            Some(&Set::Minus(of, without)) => Some(self.is_member_and(of, wanted, |t| {
                let is_out = t.contains_value(without, wanted);
                t.opposite(is_out)
            })),
            Some(&Set::Concat(one, other)) => Some(self.is_in_either(one, other, wanted)),
            Some(&Set::If(condition, then, otherwise)) => {
                Some(self.is_in_one_of(condition, [then, otherwise], wanted))
            }
            Some(&Set::Joined { of, temp, list }) => Some(self.is_in_any(of, temp, list, wanted)),
            Some(&Set::Call { query, args }) => self.list_of(query).and_then(|list| {
                self.inside_call(query, args, |t| Some(t.contains_value(list, wanted)))
            }),
            _ => None,
        };
        is_in.unwrap_or_else(|| self.contains_walking(set, wanted))
    }

    fn lies_in(&mut self, component: Value, zone: ExprId) -> Value {
        let zone = self.word_of(zone);
        let lies = self.row_of(component, ZONE);
        let lies = self.word(lies);
        let same = self.b.ins().icmp(IntCC::Equal, lies, zone);
        let is_zone = self.is(IntCC::SignedGreaterThanOrEqual, zone, 0);
        self.b.ins().band(same, is_zone)
    }

    fn is_member_and(
        &mut self,
        of: SetId,
        wanted: Value,
        condition: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        let is_in = self.contains_value(of, wanted);
        self.and_then(is_in, condition)
    }

    fn is_in_either(&mut self, one: SetId, other: SetId, wanted: Value) -> Value {
        let is_in = self.contains_value(one, wanted);
        let yes = |t: &mut Self| t.b.ins().iconst(types::I8, 1);
        let or_there = |t: &mut Self| t.contains_value(other, wanted);
        let found = self.flag_by(is_in, yes, or_there);
        self.flag(found)
    }

    /// Emits whether the first list contains the value if the condition holds, otherwise whether the second does.
    fn is_in_one_of(
        &mut self,
        condition: ExprId,
        [then, otherwise]: [SetId; 2],
        wanted: Value,
    ) -> Value {
        let condition = self.truth(condition);
        let then = |t: &mut Self| t.contains_value(then, wanted);
        let otherwise = |t: &mut Self| t.contains_value(otherwise, wanted);
        let found = self.flag_by(condition, then, otherwise);
        self.flag(found)
    }

    /// Emits whether the list of any member contains the value.
    fn is_in_any(&mut self, of: SetId, temp: Temp, list: SetId, wanted: Value) -> Value {
        let no = self.b.ins().iconst(types::I8, 0);
        let made = self.each(of, &[no], &mut |t, member, _| {
            t.set_temp(temp, ScalarValue::Word(member));
            let is_in = t.contains_value(list, wanted);
            (vec![is_in], Some(is_in))
        });
        value_of(&made)
    }

    fn is_in_range(&mut self, low: Value, value: Value, high: Value) -> Value {
        let order = IntCC::SignedLessThanOrEqual;
        let above = self.b.ins().icmp(order, low, value);
        let below = self.b.ins().icmp(order, value, high);
        self.b.ins().band(above, below)
    }

    /// Emits a second condition that is evaluated only if the first one holds.
    pub fn and_then(&mut self, first: Value, second: impl FnOnce(&mut Self) -> Value) -> Value {
        let both = self.flag_by(first, second, |t| t.b.ins().iconst(types::I8, 0));
        self.flag(both)
    }

    fn is_in_mask(&mut self, mask: MaskId, wanted: Value) -> Option<Value> {
        let domain = self.program.masks.get(mask as usize)?.domain;
        let bits = self.members(mask)?;
        let number = self.b.ins().iadd_imm_s(wanted, -i64::from(domain.first));
        let has = self.has(bits, number);
        Some(self.is(IntCC::NotEqual, has, 0))
    }

    pub fn contains_walking(&mut self, set: SetId, wanted: Value) -> Value {
        let no = self.b.ins().iconst(types::I8, 0);
        self.searches.order = VisitOrder::Any;
        let made = self.each(set, &[no], &mut |t, member, _| {
            let same = t.b.ins().icmp(IntCC::Equal, member, wanted);
            (vec![same], Some(same))
        });
        value_of(&made)
    }

    /// Emits the last member, or the default.
    pub fn last_of(&mut self, set: SetId, default: i32) -> Option<ScalarValue> {
        if let Some(&Set::Zone(zone)) = self.program.sets.get(set as usize) {
            return Some(self.zone_word(zone, LAST, NONE));
        }
        self.walkable(set)?;
        let default = self.int(default);
        let made = self.each(set, &[default], &mut |_, member, _| (vec![member], None));
        Some(ScalarValue::Word(value_of(&made)))
    }

    /// Emits the member at a place counted from 1, or the default.
    pub fn nth_of(&mut self, set: SetId, place: ExprId, default: i32) -> Option<ScalarValue> {
        self.walkable(set)?;
        let place = self.word_of(place);
        let default = self.int(default);
        let made = self.each(set, &[place, default], &mut |t, member, made| {
            let found = made.get(1).copied().unwrap_or(member);
            let here = t.is(IntCC::Equal, value_of(made), 1);
            let found = t.b.ins().select(here, member, found);
            let left = t.b.ins().iadd_imm_s(value_of(made), -1);
            (vec![left, found], Some(here))
        });
        Some(ScalarValue::Word(made.get(1).copied().unwrap_or(default)))
    }

    /// Emits the place of a value, counted from 1; 0 if it is not a member.
    pub fn index_of(&mut self, set: SetId, of: ExprId) -> Option<ScalarValue> {
        self.walkable(set)?;
        let wanted = self.word_of(of);
        if let Some(&Set::Range(low, high)) = self.program.sets.get(set as usize) {
            let (low, high) = (self.word_of(low), self.word_of(high));
            let inside = self.is_in_range(low, wanted, high);
            let (wanted, low) = (
                self.b.ins().sextend(types::I64, wanted),
                self.b.ins().sextend(types::I64, low),
            );
            let place = self.b.ins().isub(wanted, low);
            let place = self.b.ins().iadd_imm_s(place, 1);
            let most = self.long(i32::MAX as u64);
            let place = self.b.ins().smin(place, most);
            let place = self.b.ins().ireduce(types::I32, place);
            let none = self.int(0);
            return Some(ScalarValue::Word(self.b.ins().select(inside, place, none)));
        }
        let none = self.int(0);
        let made = self.each(set, &[none, none], &mut |t, member, made| {
            let place = t.b.ins().iadd_imm_s(value_of(made), 1);
            let same = t.b.ins().icmp(IntCC::Equal, member, wanted);
            let found = t.b.ins().select(same, place, none);
            (vec![place, found], Some(same))
        });
        Some(ScalarValue::Word(made.get(1).copied().unwrap_or(none)))
    }

    /// Emits whether some member fulfills the condition.
    pub fn some(&mut self, test: MemberTest, wanted: bool) -> Option<Value> {
        self.walkable(test.of)?;
        if wanted && let Some(path_search) = self.path_search(test) {
            let search = |t: &mut Self| t.some_walking(test, true);
            return Some(self.some_on_a_path(path_search, search));
        }
        Some(self.some_walking(test, wanted))
    }

    /// Emits whether the condition holds for any member, or fails for any, by walking the list.
    fn some_walking(&mut self, test: MemberTest, wanted: bool) -> Value {
        let no = self.b.ins().iconst(types::I8, 0);
        self.searches.order = VisitOrder::Any;
        let made = self.each(test.of, &[no], &mut |t, member, _| {
            t.set_temp(test.temp, ScalarValue::Word(member));
            let holds = t.truth(test.condition);
            let found = match wanted {
                true => holds,
                false => t.opposite(holds),
            };
            (vec![found], Some(found))
        });
        value_of(&made)
    }

    pub fn sum(&mut self, of: SetId, temp: Temp, key: ExprId) -> Option<ScalarValue> {
        self.walkable(of)?;
        let none = self.int(0);
        let made = self.each(of, &[none], &mut |t, member, made| {
            t.set_temp(temp, ScalarValue::Word(member));
            let value = t.word_of(key);
            let (sum, over) = t.b.ins().sadd_overflow(value_of(made), value);
            t.refuse(over);
            (vec![sum], None)
        });
        Some(ScalarValue::Word(value_of(&made)))
    }

    /// Emits the extreme value of the key; 0 for no members.
    pub fn extreme(&mut self, by: ExtremeKey) -> Option<ScalarValue> {
        self.walkable(by.of)?;
        let (none, no) = (self.int(0), self.b.ins().iconst(types::I8, 0));
        let made = self.each(by.of, &[none, no], &mut |t, member, made| {
            t.set_temp(by.temp, ScalarValue::Word(member));
            let value = t.word_of(by.key);
            let other = match by.most {
                true => t.b.ins().smax(value_of(made), value),
                false => t.b.ins().smin(value_of(made), value),
            };
            let any = made.get(1).copied().unwrap_or(other);
            let extreme = t.b.ins().select(any, other, value);
            (vec![extreme, t.b.ins().iconst(types::I8, 1)], None)
        });
        Some(ScalarValue::Word(value_of(&made)))
    }
}
