//! The step `expect`: conditions on the complete state.

use super::ScenarioRunner;
use crate::scenario::{AUTHOR, attach, expect_name, sides_name};
use wyrmgate_base::diagnostic::Diagnostic;
use wyrmgate_engine::{self as engine, Collect, Seeded};
use wyrmgate_lang::ast::Expr;

impl ScenarioRunner<'_> {
    pub(super) fn expect(&mut self, i: usize, conditions: &[Expr]) {
        for (k, condition) in conditions.iter().enumerate() {
            let name = expect_name(self.number, i, k);
            match engine::eval_query(self.program, &self.state, &name) {
                Some(0) => self.not_so(i, k, condition),
                Some(_) => {}
                // The checker has accepted the query, so only a limit can be the cause.
                None => {
                    let message = "this cannot be evaluated within the engine's limits";
                    let sides = ("true", "no answer");
                    self.differs("expect", condition.span, message, sides);
                }
            }
        }
    }

    fn not_so(&mut self, i: usize, k: usize, condition: &Expr) {
        let diagnostic = Diagnostic::error("expect", condition.span, "this does not hold");
        let sides = attach::sides(condition).and_then(|_| self.sides(i, k));
        match sides {
            Some((left, right)) => {
                let diagnostic = diagnostic.label(format!("the left side is {left}"));
                self.fail(diagnostic, right, left);
            }
            None => self.fail(diagnostic, "true", "false"),
        }
    }

    /// Returns the values of both sides of a comparison, as the rules name them.
    fn sides(&self, i: usize, k: usize) -> Option<(String, String)> {
        let name = sides_name(self.number, i, k);
        let (mut copy, mut said) = (self.state.clone(), Collect::default());
        let program = self.program;
        engine::run_effect(program, &mut copy, &name, &mut Seeded, &mut said).ok()?;
        let mut texts = said.0.iter().filter_map(|event| {
            let doc = wyrmgate_view::event_doc(program, event, AUTHOR)?;
            doc.get("text")?.as_str().map(str::to_owned)
        });
        Some((texts.next()?, texts.next()?))
    }
}
