//! The choice that is played for a seat that does not decide in time.

use crate::compile::compiler::Compiler;
use wyrmgate_base::diagnostic::Diagnostic;
use wyrmgate_lang::ast::{ByDefault, Choose};
use wyrmgate_program::Condition;

impl Compiler<'_> {
    /// Translates the conditions on the default, with its names bound.
    pub(crate) fn default_conditions(&mut self, default: &ByDefault) -> Vec<Condition> {
        let mut conditions = Vec::new();
        if let Some(condition) = &default.condition {
            self.conjuncts(condition, &mut conditions);
        }
        conditions
    }

    /// Checks that there is only one default, and a seat that it applies to.
    pub(crate) fn one_default(&mut self, choose: &Choose) {
        let declared = choose.options.iter().filter_map(|o| o.default.as_ref());
        let mut declared = declared.map(|default| default.span);
        let Some(first) = declared.next() else {
            return;
        };
        if choose.at_random {
            let help = "remove `default`: chance never runs out of time";
            self.problem::<()>("chance-default", first, "chance decides immediately", help);
        }
        for other in declared {
            let message = "this decision has two defaults";
            let twice = Diagnostic::error("second-default", other, message)
                .related(first, "the first one")
                .help("only one option can be played when a seat's time runs out");
            self.report.push(twice);
        }
    }
}
