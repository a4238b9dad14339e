//! Variables whose values last for a turn or a round.

use cranelift_codegen::ir::Value;
use cranelift_codegen::ir::condcodes::IntCC;

use crate::memory::context::Context;
use crate::memory::lent::with_game;
use crate::translator::emit::{Translator, offset};
use wyrmgate_program::{Lasts, VarInfo};

/// The maximum number of words of a variable that are reset by one store each.
const SINGLE_MAX: u32 = 32;

impl Translator<'_> {
    /// Resets variables at the end of a turn or round.
    pub fn reset(&mut self, lasts: Lasts) -> Option<()> {
        if lasts == Lasts::Turn && !self.layout.forgets_turns {
            return Some(());
        }
        self.can_reset(lasts)?;
        let program = self.program;
        for (var, number) in program.vars.iter().zip(0..) {
            if var.lasts == lasts && var.len > SINGLE_MAX {
                self.note_change(var.offset);
                let number = self.int(number);
                self.call_helper(reset_words as *const u8, &[number], None);
            } else if var.lasts == lasts {
                self.reset_single_words(var)?;
            }
        }
        Some(())
    }

    fn reset_single_words(&mut self, var: &VarInfo) -> Option<()> {
        for word in 0..var.len {
            let start = self.int(var.start_of(word));
            self.put(var.offset + word, start)?;
        }
        Some(())
    }

    /// Returns whether code can reset these variables. What-ifs have no turns, so nothing is noted for them.
    pub fn can_reset(&self, lasts: Lasts) -> Option<()> {
        let mut vars = self.program.vars.iter().filter(|var| var.lasts == lasts);
        let is_inside = vars.all(|var| {
            let end = var.offset as usize + var.len as usize;
            end <= self.layout.vars
        });
        (is_inside && !self.inlining.is_inside()).then_some(())
    }

    /// Resets the values of a seat that last until its turn.
    pub fn reset_own(&mut self, seat: Value) -> Option<()> {
        if !self.layout.forgets_own_turns {
            return Some(());
        }
        let program = self.program;
        let own = |var: &&VarInfo| var.lasts == Lasts::UntilTurn;
        for var in program.vars.iter().filter(own) {
            let is_seat = self.is(IntCC::UnsignedLessThan, seat, i64::from(var.len));
            self.run_if(is_seat, |t| {
                let start = t.first_value(var, seat);
                t.put_value_of(var, seat, start);
            });
        }
        Some(())
    }

    fn first_value(&mut self, var: &VarInfo, word: Value) -> Value {
        if var.starts.is_empty() {
            return self.int(var.start);
        }
        let starts = self.pointer(var.starts.as_ptr());
        let start = self.entry(starts, word, 0, var.starts.len() as u32, var.start);
        self.word(start)
    }

    fn put_value_of(&mut self, var: &VarInfo, word: Value, value: Value) {
        let at = self.layout.vars_at + var.offset as usize;
        let place = self.place(self.words, word);
        self.store(value, place, offset(at));
        self.note_change(var.offset);
    }
}

/// Resets all values of a variable to those with which a game begins.
pub(crate) unsafe extern "C" fn reset_words(context: *mut Context, number: u32) {
    with_game(context, |_, program, state| {
        let Some(var) = program.vars.get(number as usize) else {
            return;
        };
        let first = state.layout.vars_at + var.offset as usize;
        let words = state.words.get_mut(first..first + var.len as usize);
        let words = words.unwrap_or_default();
        words.fill(var.start);
        for (word, start) in words.iter_mut().zip(&var.starts) {
            *word = *start;
        }
    });
}
