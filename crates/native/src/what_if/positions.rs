//! Positions that the game records: their numbers, computed from lists in buffers and from runs of words.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

use crate::memory::context::{Context, GIVE_UP};
use crate::memory::lent::{parts_of, with_game};
use crate::memory::positions::{ChangedWords, NumberedPosition};
use crate::translator::emit::{Translator, at};
use wyrmgate_program::{PositionId, QueryId, Set, SetId, WordId};

/// Begins the number of a position.
pub(crate) unsafe extern "C" fn begin(context: *mut Context, position: u32) {
    if let Some(positions) = positions_of(parts_of(context).0) {
        positions.begin(position as PositionId);
    }
}

/// Adds words of the state, from this one on.
pub(crate) unsafe extern "C" fn add_words(context: *mut Context, position: u32, at: u32, len: u32) {
    with_game(context, |context, _, state| {
        let at = at as usize;
        let words = state.words.get(at..at + len as usize);
        let changed = ChangedWords {
            base: context.what_if.base_number,
            words: context.undone(),
        };
        match (positions_of(context), words) {
            (Some(positions), Some(words)) => {
                positions.add_run(position as u16, at, words, changed);
            }
            _ => context.rest.failed = 1,
        }
    });
}

/// Adds the members of a buffer.
pub(crate) unsafe extern "C" fn add_list(context: *mut Context, number: u32, count: u32) {
    let (context, _) = parts_of(context);
    let positions = positions_of(context);
    let (Some(positions), Some(values)) = (positions, context.buffer(number, count as usize))
    else {
        context.rest.failed = 1;
        return;
    };
    values.iter().for_each(|value| positions.hash.add(*value));
}

/// Returns how often the position has been recorded.
pub(crate) unsafe extern "C" fn recorded(context: *mut Context) -> i32 {
    with_game(context, |context, _, state| {
        let positions = positions_of(context);
        positions.map_or(0, |positions| state.history.count(positions.hash.number()))
    })
}

/// Returns how often the position that consists of these words has been recorded.
pub(crate) unsafe extern "C" fn recorded_run(
    context: *mut Context,
    position: u32,
    at: u32,
    len: u32,
) -> i32 {
    with_game(context, |context, _, state| {
        let at = at as usize;
        let (base, words) = (context.what_if.base_number, context.undone());
        let run = state.words.get(at..at + len as usize);
        let (Some(positions), Some(run)) = (positions_of(context), run) else {
            context.rest.failed = 1;
            return 0;
        };
        let position = position as PositionId;
        positions.begin(position);
        positions.add_run(position, at, run, ChangedWords { base, words });
        state.history.count(positions.hash.number())
    })
}

/// Records the position; returns a negative number if the state has no room for it.
pub(crate) unsafe extern "C" fn record(context: *mut Context) -> i32 {
    with_game(context, |context, _, state| {
        match positions_of(context).zip(state.has_room_for(2)) {
            Some((positions, ())) => state.record(positions.hash.number()),
            None => return GIVE_UP,
        }
        0
    })
}

fn positions_of<'p>(context: &Context) -> Option<&'p mut NumberedPosition> {
    // SAFETY: «the memory of the driver waits»: the driver uses this only between moves.
    unsafe { context.what_if.positions.as_mut() }
}

/// Returns a nonzero code for a position. 0 stands for no position.
fn numbered_as(position: PositionId) -> i64 {
    i64::from(position) + 1
}

/// The parts of a position.
enum PositionPart {
    /// Words of the state, from this one on.
    Words(usize, u32),
    List(SetId),
}

impl Translator<'_> {
    /// Notes that from here on, only what-ifs in place change the words of positions.
    pub fn begin_position(&mut self) {
        let place = at(offset_of!(Context, what_if.base_number));
        let number = self.part(types::I64, place);
        let number = self.b.ins().iadd_imm_s(number, 1);
        self.set_part(number, place);
    }

    /// Emits how often the position with these values has been recorded.
    pub fn recorded(&mut self, position: PositionId, of: SetId) -> Option<Value> {
        let mut parts = Vec::new();
        self.parts_of_position(of, &mut parts)?;
        if self.position.supposes {
            return self.recorded_now(position, &parts);
        }
        let numbered = self.b.use_var(self.counts.numbered.position);
        let is_numbered = self.is(IntCC::Equal, numbered, numbered_as(position));
        Some(self.one_of(
            types::I32,
            is_numbered,
            |t| {
                let count = t.call_helper(recorded as *const u8, &[], Some(types::I32));
                let left = t.b.use_var(t.counts.fuel);
                let work = t.b.use_var(t.counts.numbered.work);
                let left = t.b.ins().isub(left, work);
                t.b.def_var(t.counts.fuel, left);
                count.unwrap_or_else(|| t.int(0))
            },
            |t| {
                let count = t.recorded_now(position, &parts);
                count.unwrap_or_else(|| t.int(0))
            },
        ))
    }

    /// Computes the number of a position, and emits how often it has been recorded.
    fn recorded_now(&mut self, position: PositionId, parts: &[PositionPart]) -> Option<Value> {
        if let &[PositionPart::Words(at, len)] = parts {
            self.forget_number();
            self.counts.work += i64::from(len);
            let arguments = [i32::from(position), at as i32, len as i32].map(|it| self.int(it));
            return self.call_helper(recorded_run as *const u8, &arguments, Some(types::I32));
        }
        self.number_position(position, parts);
        self.call_helper(recorded as *const u8, &[], Some(types::I32))
    }

    pub fn record(&mut self, position: PositionId, of: SetId) -> Option<()> {
        let mut parts = Vec::new();
        self.parts_of_position(of, &mut parts)?;
        self.count();
        let before = self.b.use_var(self.counts.fuel);
        self.number_position(position, &parts);
        self.count();
        let left = self.b.use_var(self.counts.fuel);
        let work = self.b.ins().isub(before, left);
        self.count_from(record as *const u8, &[]);
        let position = self.int(numbered_as(position) as i32);
        self.b.def_var(self.counts.numbered.position, position);
        self.b.def_var(self.counts.numbered.work, work);
        Some(())
    }

    /// Forgets the last position that was numbered, because the position may have changed.
    pub fn forget_number(&mut self) {
        let none = self.int(0);
        self.b.def_var(self.counts.numbered.position, none);
    }

    fn number_position(&mut self, position: PositionId, parts: &[PositionPart]) {
        self.forget_number();
        let number = self.int(i32::from(position));
        self.call_helper(begin as *const u8, &[number], None);
        for part in parts {
            match *part {
                PositionPart::Words(at, len) => {
                    self.counts.work += i64::from(len);
                    let run = [at as i32, len as i32].map(|it| self.int(it));
                    let arguments = [number, run[0], run[1]];
                    self.call_helper(add_words as *const u8, &arguments, None);
                }
                PositionPart::List(set) => {
                    let buffer = self.open_buffer();
                    let count = self.gather_list(set, buffer);
                    let buffer = self.int(buffer as i32);
                    self.call_helper(add_list as *const u8, &[buffer, count], None);
                    self.close_buffer();
                }
            }
        }
    }

    fn parts_of_position(&self, of: SetId, parts: &mut Vec<PositionPart>) -> Option<()> {
        match *self.program.sets.get(of as usize)? {
            Set::Concat(one, other) => {
                self.parts_of_position(one, parts)?;
                self.parts_of_position(other, parts)?;
            }
            Set::Words { offset, len } if self.has_words(offset, len) => {
                parts.push(PositionPart::Words(
                    self.layout.vars_at + offset as usize,
                    len,
                ));
            }
            // A position is a query without parameters.
            Set::Call { query, .. } if self.is_alone(query) => {
                self.parts_of_position(self.list_of(query)?, parts)?;
            }
            _ if self.can_walk(of) => parts.push(PositionPart::List(of)),
            _ => return None,
        }
        Some(())
    }

    fn is_alone(&self, query: QueryId) -> bool {
        let info = self.program.query(query);
        info.is_some_and(|info| info.params == 0) && self.list_of(query).is_some()
    }

    fn has_words(&self, offset: WordId, len: u32) -> bool {
        let end = (offset as usize).checked_add(len as usize);
        end.is_some_and(|end| end <= self.layout.vars)
    }
}
