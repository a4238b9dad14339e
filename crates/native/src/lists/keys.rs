//! Questions about the keys of all members of a list, which are gathered in a buffer: the number of distinct keys, folds.

use cranelift_codegen::ir::{Value, types};

use crate::lists::list_helper::UNIQUE;
use crate::memory::context::Context;
use crate::memory::lent::with_game;
use crate::translator::cycle::value_of;
use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use wyrmgate_program::{Expr, ExprId, FoldedKeys, NONE, SetId, Temp};

/// Applies the fold of an expression to the numbers in a buffer.
pub(crate) unsafe extern "C" fn fold(
    context: *mut Context,
    expr: ExprId,
    number: u32,
    count: u32,
) -> i32 {
    with_game(context, |context, program, _| {
        let fold = program.exprs.get(expr as usize);
        let numbers = context.buffer(number, count as usize);
        let folded = match (fold, numbers) {
            (Some(Expr::Fold(FoldedKeys { fold, .. })), Some(numbers)) => fold.of(numbers),
            _ => None,
        };
        folded.unwrap_or_else(|| {
            context.rest.failed = 1;
            NONE
        })
    })
}

impl Translator<'_> {
    pub fn distinct(&mut self, of: SetId, temp: Temp, key: ExprId) -> Option<ScalarValue> {
        let (number, count) = self.gather_keys(of, temp, key)?;
        let count = self.arrange(number, count, UNIQUE);
        self.close_buffer();
        Some(ScalarValue::Word(count))
    }

    pub fn fold(&mut self, id: ExprId, of: SetId, temp: Temp, key: ExprId) -> Option<ScalarValue> {
        let (number, count) = self.gather_keys(of, temp, key)?;
        let [id, number] = [id as usize, number].map(|it| self.int(it as i32));
        let arguments = [id, number, count];
        let folded = self.call_helper(fold as *const u8, &arguments, Some(types::I32));
        self.close_buffer();
        folded.map(ScalarValue::Word)
    }

    /// Stores the keys of all members in a buffer, which stays open; returns the number of the buffer and the number of
    /// keys.
    fn gather_keys(&mut self, of: SetId, temp: Temp, key: ExprId) -> Option<(usize, Value)> {
        self.walkable(of)?;
        let number = self.open_buffer();
        let buffer = self.buffer_at(number);
        let none = self.int(0);
        let made = self.each(of, &[none], &mut |t, member, made| {
            t.set_temp(temp, ScalarValue::Word(member));
            let key = t.word_of(key);
            (vec![t.append(buffer, value_of(made), key)], None)
        });
        Some((number, value_of(&made)))
    }
}
