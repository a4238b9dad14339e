//! Questions about all selections of several members. Code reads the conditions (`conditions.rs`), a helper finds the
//! selections, and code continues with each of them.

use std::cell::Cell;
use std::sync::Arc;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::memory::buffers::LISTS_MAX;
use crate::selections::selection_helper as helper;
use crate::translator::cycle::{Made, value_of};
use crate::translator::emit::{Translator, offset};
use crate::translator::known::ScalarValue;
use wyrmgate_engine::selections::Judged;
use wyrmgate_program::{Chosen, ExprId, SelectionsAsked, Temp};

/// The buffers of a question: the members, what they add, and the selection.
pub(crate) const BUFFERS: usize = 3;

/// The number of buffers that must be left for what is inside.
pub(crate) const LEFT: usize = 4;

/// A question about selections.
pub(crate) struct SelectionQuestion<'a> {
    /// The temps of the selection: this one and the next.
    pub temp: Temp,
    pub tests: &'a [ExprId],
    /// Each stands there as often as it can be chosen, side by side.
    pub members: (Value, Value),
    pub count: Value,
    pub least: Value,
    pub most: Value,
    /// Whether a member can be chosen more than once.
    pub repeats: bool,
    /// Whether a helper has found out which members are alike.
    pub alike: bool,
    /// Whether nothing but their number is asked for, if conditions can be judged without evaluating them.
    pub counts: bool,
}

/// What is emitted for a selection, of which there are the address of its members, their number, and what was made before.
type OfFound<'b, T> = &'b mut dyn FnMut(&mut T, (Value, Value), &[Value]) -> Made;

impl Translator<'_> {
    /// Emits an answer about selections; `None` if nothing was emitted.
    pub fn selections(&mut self, wanted: SelectionsAsked) -> Option<ScalarValue> {
        let (what, condition, key) = (wanted.what, wanted.condition, wanted.key);
        if !self.can_walk(wanted.of) || self.lists + BUFFERS + LEFT > LISTS_MAX {
            return None;
        }
        let open = self.lists;
        let number = self.open_buffer();
        let count = self.gather_list(wanted.of, number);
        let members = self.ends_of(number, count);
        let (least, most) = (self.word_of(wanted.least), self.word_of(wanted.most));
        let (one, both) = ([condition], [condition, key]);
        let tests: &[ExprId] = match what {
            Chosen::Any => &both,
            Chosen::Count | Chosen::Sum | Chosen::Max | Chosen::Min | Chosen::All => &one,
        };
        let asked = SelectionQuestion {
            temp: wanted.temp,
            tests,
            members,
            count,
            least,
            most,
            repeats: false,
            alike: false,
            counts: what == Chosen::Count,
        };
        let answer = self.of_searched(&asked, what, key);
        self.lists = open;
        Some(answer)
    }

    /// Emits an answer about selections for which a helper searches.
    fn of_searched(
        &mut self,
        asked: &SelectionQuestion<'_>,
        what: Chosen,
        key: ExprId,
    ) -> ScalarValue {
        self.apart(|t| {
            let is_judged = t.begin_selections(asked) == Judged::All;
            if what == Chosen::Count && is_judged {
                return t.count_selections(asked);
            }
            let answer = t.of_each_selection(asked, what, key);
            t.call_helper(helper::end as *const u8, &[], None);
            answer
        })
    }

    fn of_each_selection(
        &mut self,
        asked: &SelectionQuestion<'_>,
        what: Chosen,
        key: ExprId,
    ) -> ScalarValue {
        let (no, none) = (self.b.ins().iconst(types::I8, 0), self.int(0));
        match what {
            Chosen::Any => {
                let made = self.each_found(asked, &[no], &mut |t, _, _| {
                    let enough = t.b.ins().iconst(types::I8, 1);
                    (vec![enough], Some(enough))
                });
                ScalarValue::Flag(value_of(&made))
            }
            Chosen::All => {
                let made = self.each_found(asked, &[no], &mut |t, _, _| {
                    let holds = t.truth(key);
                    let fails = t.opposite(holds);
                    (vec![fails], Some(fails))
                });
                let fails = value_of(&made);
                ScalarValue::Flag(self.opposite(fails))
            }
            Chosen::Sum | Chosen::Count => {
                let made = self.each_found(asked, &[none], &mut |t, _, made| {
                    let value = t.word_of(key);
                    let (sum, over) = t.b.ins().sadd_overflow(value_of(made), value);
                    t.refuse(over);
                    (vec![sum], None)
                });
                ScalarValue::Word(value_of(&made))
            }
            Chosen::Max | Chosen::Min => {
                let made = self.each_found(asked, &[none, no], &mut |t, _, made| {
                    let value = t.word_of(key);
                    let further = match what {
                        Chosen::Max => t.b.ins().smax(value_of(made), value),
                        _ => t.b.ins().smin(value_of(made), value),
                    };
                    let any = made.get(1).copied().unwrap_or(further);
                    let extreme = t.b.ins().select(any, further, value);
                    (vec![extreme, t.b.ins().iconst(types::I8, 1)], None)
                });
                ScalarValue::Word(value_of(&made))
            }
        }
    }

    /// Goes through the selections that fulfill the conditions, each with the address of its members and their number.
    pub fn each_found(
        &mut self,
        asked: &SelectionQuestion<'_>,
        made: &[Value],
        body: OfFound<'_, Self>,
    ) -> Vec<Value> {
        let number = self.open_buffer();
        let selection = self.buffer_at(number);
        let (members, count) = (asked.members.0, asked.count);
        // The next selection replaces the one before.
        let found = Cell::new(count);
        self.cycle(
            &[],
            made,
            |t, _| {
                found.set(t.next_selection(members, count, selection));
                t.is(IntCC::SignedGreaterThanOrEqual, found.get(), 0)
            },
            |_, _| (found.get(), Vec::new()),
            &mut |t, found, made| {
                let length = t.b.ins().ushr_imm_u(found, 1);
                let end = t.place(selection, length);
                t.set_temp(asked.temp, ScalarValue::List(selection, end));
                let sure = t.b.ins().ireduce(types::I8, found);
                let sure = t.b.ins().band_imm_u(sure, 1);
                let holds = t.flag_by(
                    sure,
                    |t| t.b.ins().iconst(types::I8, 1),
                    |t| t.all_true(asked.tests.iter().copied()),
                );
                let holds = t.flag(holds);
                t.counts.work += 1;
                t.where_flag(holds, found, made, &mut |t, _, made| {
                    body(t, (selection, length), made)
                })
            },
        )
    }

    fn next_selection(&mut self, members: Value, count: Value, into: Value) -> Value {
        let arguments = [members, count, into];
        let found = self.call_helper(helper::next as *const u8, &arguments, Some(types::I32));
        let found = found.unwrap_or(count);
        let failed = self.is(IntCC::SignedLessThan, found, helper::NOTHING.into());
        self.refuse(failed);
        found
    }

    /// Counts the selections of a search that has begun.
    fn count_selections(&mut self, asked: &SelectionQuestion<'_>) -> ScalarValue {
        ScalarValue::Word(self.count_from(helper::count as *const u8, &[asked.count]))
    }

    /// Reads the conditions, and lets a helper begin to look for selections. Returns which conditions can be judged
    /// without evaluating them.
    pub fn begin_selections(&mut self, asked: &SelectionQuestion<'_>) -> Judged {
        let (gains, known) = (self.open_buffer(), self.open_buffer());
        let (gains, known) = (self.buffer_at(gains), self.buffer_at(known));
        self.set_temp(
            asked.temp,
            ScalarValue::List(asked.members.0, asked.members.1),
        );
        let (form, values) = self.read_conditions(asked, gains);
        for (number, value) in values.iter().enumerate() {
            self.store(*value, known, offset(number));
        }
        let too_many = self.is(
            IntCC::UnsignedGreaterThan,
            asked.count,
            helper::MEMBERS_PLANNED,
        );
        self.refuse(too_many);
        let judged = form.judged();
        self.notes.forms.push(Arc::new(form));
        let form = self.notes.first_form + self.notes.forms.len() as i32 - 1;
        let how = match asked.repeats {
            true => helper::REPEATED,
            false => 0,
        };
        let how = match asked.alike {
            true => how | helper::ALIKE,
            false => how,
        };
        let how = match asked.counts && judged == Judged::All {
            true => how | helper::COUNTED,
            false => how,
        };
        let [number, how] = [form, how as i32].map(|number| self.int(number));
        let SelectionQuestion {
            count, least, most, ..
        } = *asked;
        let arguments = [number, known, gains, count, least, most, how];
        self.count_from(helper::begin as *const u8, &arguments);
        self.close_buffer();
        self.close_buffer();
        judged
    }
}
