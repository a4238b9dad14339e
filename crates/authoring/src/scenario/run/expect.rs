//! The step `expect`: conditions on the complete state.

use super::ScenarioRunner;
use crate::scenario::{AUTHOR, attach, expect_name, sides_name};
use wyrmgate_base::diagnostic::Diagnostic;
use wyrmgate_engine::{self as engine, Collect};
use wyrmgate_lang::ast::Expr;

impl ScenarioRunner<'_> {
    pub(super) fn expect(&mut self, i: usize, conditions: &[Expr]) {
        for (k, condition) in conditions.iter().enumerate() {
            let name = expect_name(self.number, i, k);
            match engine::eval_query(self.program, &self.state, &name) {
                Some(0) => self.not_so(i, k, condition),
                Some(_) => {}
                None => self.cannot_tell(condition),
            }
        }
    }

    /// Reports a condition that cannot be evaluated. The checker has accepted the query, so only a limit can be the
    /// cause.
    pub(super) fn cannot_tell(&mut self, condition: &Expr) {
        let message = "this cannot be evaluated within the engine's limits";
        self.differs("expect", condition.span, message, ("true", "no answer"));
    }

    pub(super) fn not_so(&mut self, i: usize, k: usize, condition: &Expr) {
        let diagnostic = Diagnostic::error("expect", condition.span, "this does not hold");
        let sides = attach::sides(condition).and_then(|_| self.sides(i, k));
        match sides {
            Some((left, right)) => self.fail(
                diagnostic.label(format!("the left side is {left}")),
                right,
                left,
            ),
            None => self.fail(diagnostic, "true", "false"),
        }
    }

    /// Returns the values of both sides of a comparison, as the rules name them.
    pub(super) fn sides(&self, i: usize, k: usize) -> Option<(String, String)> {
        let name = sides_name(self.number, i, k);
        let mut said = Collect::default();
        let mut copy = self.state.clone();
        engine::run_effect(
            self.program,
            &mut copy,
            &name,
            &mut engine::Seeded,
            &mut said,
        )
        .ok()?;
        let mut texts = said.0.iter().filter_map(|event| {
            let doc = wyrmgate_view::event_doc(self.program, event, AUTHOR)?;
            match doc.get("text")? {
                wyrmgate_view::Doc::Text(text) => Some(text.clone().into_owned()),
                _ => None,
            }
        });
        Some((texts.next()?, texts.next()?))
    }
}
