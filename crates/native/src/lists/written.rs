//! Short lists that the rules write out, such as `[a, b, c]`: their members are registers, and are not stored in a buffer.

use std::ops::Range;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_program::{ExprId, Set, SetId, Temp};

/// The maximum number of members.
const MEMBERS_MAX: u16 = 8;

impl Translator<'_> {
    /// Emits the member of a short list at a place counted from 1, or the default; `None` if nothing was emitted.
    pub fn nth_written(&mut self, set: SetId, place: ExprId, default: i32) -> Option<ScalarValue> {
        let members = self.written_members(set)?;
        let place = self.word_of(place);
        let mut found = self.int(default);
        let values: Vec<Value> = members.map(|member| self.written_member(member)).collect();
        for (number, value) in (1..).zip(values) {
            let here = self.is(IntCC::Equal, place, number);
            found = self.b.ins().select(here, value, found);
        }
        Some(ScalarValue::Word(found))
    }

    /// Emits the extreme value of a key of the members of a short list; `None` if nothing was emitted.
    pub fn extreme_written(
        &mut self,
        of: SetId,
        temp: Temp,
        key: ExprId,
        most: bool,
    ) -> Option<ScalarValue> {
        let members = self.written_members(of).filter(|_| self.is_short(key))?;
        let mut extreme: Option<Value> = None;
        for member in members {
            let member = self.written_member(member);
            self.set_temp(temp, ScalarValue::Word(member));
            let value = self.word_of(key);
            extreme = Some(match (extreme, most) {
                (None, _) => value,
                (Some(so_far), true) => self.b.ins().smax(so_far, value),
                (Some(so_far), false) => self.b.ins().smin(so_far, value),
            });
        }
        extreme.map(ScalarValue::Word)
    }

    fn written_members(&self, set: SetId) -> Option<Range<ExprId>> {
        match *self.program.sets.get(set as usize)? {
            Set::List { first, count } if (1..=MEMBERS_MAX).contains(&count) => {
                Some(first..first.checked_add(count.into())?)
            }
            _ => None,
        }
    }

    fn written_member(&mut self, member: ExprId) -> Value {
        self.counts.work += 1;
        self.word_of(member)
    }
}
