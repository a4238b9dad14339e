//! What is asked of the keys of all members of a list, which are gathered in a buffer: positions by number, different
//! keys, folds.

use cranelift_codegen::ir::{InstBuilder, Value, types};

use super::context::{Context, GIVE_UP};
use super::cycle::value_of;
use super::emit::{Scalar, Translator};
use super::helper::with_game;
use super::list_helper::UNIQUE;
use crate::history::PositionHash;
use wyrmgate_program::{Expr, ExprId, NONE, PositionId, SetId, Temp};

/// Returns how often the position in a buffer has been recorded.
pub(super) unsafe extern "C" fn recorded(
    context: *mut Context,
    position: u32,
    number: u32,
    count: u32,
) -> i32 {
    with_game(context, |context, _, state| {
        let position = number_of(context, position, (number, count));
        position.map_or(0, |position| state.history.count(position))
    })
}

/// Records the position in a buffer; returns a negative number if the state has no room for it.
pub(super) unsafe extern "C" fn record(
    context: *mut Context,
    position: u32,
    number: u32,
    count: u32,
) -> i32 {
    with_game(context, |context, _, state| {
        match number_of(context, position, (number, count)) {
            Some(position) if state.has_room_for(2).is_some() => state.record(position),
            _ => return GIVE_UP,
        }
        0
    })
}

/// Returns the number of a position, whose values are in a buffer.
fn number_of(context: &mut Context, position: u32, (number, count): (u32, u32)) -> Option<u64> {
    let values = context.buffer(number, count as usize)?;
    let mut hash = PositionHash::of(position as u16);
    values.iter().for_each(|value| hash.add(*value));
    Some(hash.number())
}

/// Folds the numbers in a buffer, as an expression says.
pub(super) unsafe extern "C" fn fold(
    context: *mut Context,
    expr: ExprId,
    number: u32,
    count: u32,
) -> i32 {
    with_game(context, |context, program, _| {
        let fold = program.exprs.get(expr as usize);
        let numbers = context.buffer(number, count as usize);
        let folded = match (fold, numbers) {
            (Some(Expr::Fold { fold, .. }), Some(numbers)) => fold.of(numbers),
            _ => None,
        };
        folded.unwrap_or_else(|| {
            context.failed = 1;
            NONE
        })
    })
}

impl Translator<'_> {
    pub fn recorded(&mut self, position: PositionId, of: SetId) -> Option<Scalar> {
        self.of_position(recorded as *const u8, position, of)
            .map(Scalar::Word)
    }

    pub fn record(&mut self, position: PositionId, of: SetId) -> Option<()> {
        let recorded = self.of_position(record as *const u8, position, of)?;
        let failed = self.b.ins().ushr_imm_u(recorded, 31);
        let failed = self.b.ins().ireduce(types::I8, failed);
        self.refuse(failed);
        Some(())
    }

    fn of_position(&mut self, helper: *const u8, position: PositionId, of: SetId) -> Option<Value> {
        if !self.can_walk(of) {
            return None;
        }
        let number = self.open_buffer();
        let count = self.gather_list(of, number);
        let [position, number] = [usize::from(position), number].map(|it| self.int(it as i32));
        let answer = self.call_helper(helper, &[position, number, count], Some(types::I32));
        self.close_buffer();
        answer
    }

    pub fn distinct(&mut self, of: SetId, temp: Temp, key: ExprId) -> Option<Scalar> {
        let (number, count) = self.gather_keys(of, temp, key)?;
        let count = self.arrange(number, count, UNIQUE);
        self.close_buffer();
        Some(Scalar::Word(count))
    }

    pub fn fold(&mut self, id: ExprId, of: SetId, temp: Temp, key: ExprId) -> Option<Scalar> {
        let (number, count) = self.gather_keys(of, temp, key)?;
        let [id, number] = [id as usize, number].map(|it| self.int(it as i32));
        let arguments = [id, number, count];
        let folded = self.call_helper(fold as *const u8, &arguments, Some(types::I32));
        self.close_buffer();
        folded.map(Scalar::Word)
    }

    /// Stores the keys of all members in a buffer, which stays open; returns its number and theirs.
    fn gather_keys(&mut self, of: SetId, temp: Temp, key: ExprId) -> Option<(usize, Value)> {
        if !self.can_walk(of) {
            return None;
        }
        let number = self.open_buffer();
        let buffer = self.buffer_at(number);
        let none = self.int(0);
        let made = self.each(of, &[none], &mut |t, member, made| {
            t.set_temp(temp, Scalar::Word(member));
            let key = t.plain(key);
            (vec![t.append(buffer, value_of(made), key)], None)
        });
        Some((number, value_of(&made)))
    }
}
