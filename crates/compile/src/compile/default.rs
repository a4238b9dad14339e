//! What is played for a seat that does not decide in time.

use super::Compiler;
use wyrmgate_base::diagnostic::Diagnostic;
use wyrmgate_lang::ast::{ByDefault, Choose};
use wyrmgate_program::Condition;

impl Compiler<'_> {
    /// The conditions on the choice, with its names bound.
    pub(super) fn default_conditions(&mut self, default: &ByDefault) -> Vec<Condition> {
        let mut conditions = Vec::new();
        if let Some(condition) = &default.condition {
            self.conjuncts(condition, &mut conditions);
        }
        conditions
    }

    /// There is one default, and somebody to whom it matters.
    pub(super) fn one_default(&mut self, choose: &Choose) {
        let declared = choose.options.iter().filter_map(|o| o.default.as_ref());
        let mut declared = declared.map(|default| default.span);
        let Some(first) = declared.next() else {
            return;
        };
        if choose.at_random {
            let help = "leave `default` out: chance is never late";
            self.problem::<()>("chance-default", first, "chance decides at once", help);
        }
        for other in declared {
            let message = "a second default of the same decision";
            let twice = Diagnostic::error("second-default", other, message)
                .related(first, "the first one")
                .help("only one option is played for a seat whose time is up");
            self.report.push(twice);
        }
    }
}
