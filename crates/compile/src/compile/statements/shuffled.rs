//! `let order = shuffled(seats)`: chance chooses all members of a list in some order, as `choose ordered … at random` does.

use super::choose::Manner;
use crate::compile::compiler::{Attempt, Compiler};
use crate::compile::terms::value::Value;
use wyrmgate_base::diagnostic::Span;
use wyrmgate_lang::ast::{
    Binder, BinderCount, Choose, ChooseOption, Expr, ExprKind, Form, Name, Stmt, StmtKind,
};

/// The name of the function.
const SHUFFLED: &str = "shuffled";

impl Compiler<'_> {
    /// Binds a name to a shuffled list; `None` for another call.
    pub(crate) fn let_shuffled(&mut self, name: &Name, call: &Expr) -> Attempt<()> {
        let list = self.shuffled_list(call)?;
        let option = ChooseOption {
            name: None,
            label: None,
            binders: vec![Binder {
                name: name.clone(),
                count: BinderCount::All,
                form: Form::Ordered,
                of: list.clone(),
            }],
            condition: None,
            default: None,
            cites: Vec::new(),
            body: None,
            span: call.span,
        };
        let choose = Choose {
            at_random: true,
            options: vec![option],
            ..Choose::default()
        };
        let statement = Stmt {
            kind: StmtKind::Stop,
            span: call.span,
            cites: Vec::new(),
        };
        self.drawn(&choose, &statement);
        Some(Some(()))
    }

    /// Returns the list of `shuffled(list)`, unless the game means something else by this name.
    pub(crate) fn shuffled_list<'e>(&self, call: &'e Expr) -> Option<&'e Expr> {
        let ExprKind::Call(function, args) = &call.kind else {
            return None;
        };
        let [list] = args.as_slice() else {
            return None;
        };
        let is_ours = function.text == SHUFFLED && self.world.declared(SHUFFLED).is_none();
        is_ours.then_some(list)
    }

    /// Translates a draw after which its names stay.
    fn drawn(&mut self, choose: &Choose, statement: &Stmt) {
        let outer = self.scope.mark();
        let site = self.open_site(choose, Manner::AtRandom, statement);
        let target = self.b.here();
        self.bind_options(choose, site, Manner::AtRandom, target, outer);
        self.close(choose, site, Manner::AtRandom, target);
    }

    /// Reports a shuffled list inside of an expression, which cannot draw.
    pub(crate) fn shuffled_in_expression(&mut self, name: Span) -> Option<Value> {
        let message = "a value cannot be drawn inside of an expression";
        let help = "shuffle in an effect, on a line of its own: `let order = shuffled(…)`, then use `order`";
        self.problem("result", name, message, help)
    }
}
