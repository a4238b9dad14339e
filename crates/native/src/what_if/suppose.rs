//! What-ifs: which of them are inline code. The interpreter performs the others.

use crate::translator::emit::Translator;
use crate::translator::known::ScalarValue;
use crate::values::recursion::used_by;
use wyrmgate_program::{Expr, Part, SupposedValue};

impl Translator<'_> {
    /// Emits a value in the position after an effect; `None` if the interpreter must evaluate it.
    pub fn after_effect(&mut self, supposed: SupposedValue) -> Option<ScalarValue> {
        // The interpreter remembers results of such queries, as long as all what-ifs are its own.
        if !used_by(self.program, Part::Expr(supposed.value)).is_empty() {
            return None;
        }
        let first = supposed.args;
        let exprs = first..first.checked_add(supposed.count.into())?;
        let is_one = |expr| {
            let expr = self.program.exprs.get(expr as usize);
            !matches!(expr, None | Some(Expr::ListArgument(_)))
        };
        if !exprs.clone().all(is_one) {
            return None;
        }
        self.after_inline(supposed.effect, exprs, supposed.value)
    }
}
