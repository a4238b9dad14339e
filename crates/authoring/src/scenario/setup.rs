//! The setups of scenarios, including those that a game must refuse.

use std::collections::BTreeMap;

use serde_json::Value;

use super::run::ScenarioFailure;
use super::{Given, RefusedSetup, Scenario, position_name};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_compile::check::{Checked, OptionProblem};
use wyrmgate_compile::compile::Setup;
use wyrmgate_lang::load::SET_UP;
use wyrmgate_program::Program;

/// Programs by setup and start position. Scenarios in which both are the same share one.
pub(crate) struct Programs<'c> {
    checked: &'c Checked,
    made: BTreeMap<(Setup, Option<String>), Option<Program>>,
}

/// Why a setup is impossible, and where the scenario requests it.
pub(crate) struct Impossible {
    problem: OptionProblem,
    span: Span,
}

impl<'c> Programs<'c> {
    pub fn new(checked: &'c Checked) -> Programs<'c> {
        Programs {
            checked,
            made: BTreeMap::new(),
        }
    }

    /// Returns the program for scenario `number` of those attached to the definition.
    pub fn of(&mut self, number: usize, scenario: &Scenario) -> Result<&Program, Vec<Impossible>> {
        let (given, span) = (&scenario.given, scenario.name.span);
        let setup = self.setup(given, span)?;
        let checked = self.checked;
        let position = given.position.as_ref().map(|drawn| drawn.text.to_string());
        let made = self.made.entry((setup, position));
        let program = made.or_insert_with_key(|(setup, position)| {
            let program = checked.compile(setup)?;
            Some(match position {
                Some(_) => with_position(program, number),
                None => program,
            })
        });
        program.as_ref().ok_or_else(|| {
            let message = "the rules do not compile for this number of seats and these options";
            let problem = OptionProblem::new("seats", message);
            vec![Impossible { problem, span }]
        })
    }

    pub fn setup(&self, given: &Given, span: Span) -> Result<Setup, Vec<Impossible>> {
        let least = self.checked.seats.first().copied().unwrap_or_default();
        let seats = given.seats.as_ref().map_or(least, |seats| seats.value);
        let options = given.options.iter();
        let text_of = |value: &Value| value.as_str().map_or(value.to_string(), str::to_owned);
        let options = options.map(|(name, value)| (name.text.clone(), text_of(&value.value)));
        let known = &self.checked.options;
        let is_known = |option: &str| known.iter().any(|known| known.name == option);
        let placed = |problem: OptionProblem| Impossible {
            span: place_of(given, &problem.option, is_known(&problem.option)).unwrap_or(span),
            problem,
        };
        self.checked
            .setup(seats, &options.collect())
            .map_err(|problems| problems.into_iter().map(placed).collect())
    }
}

/// Lets the effect that arranges the start position do what the one of a scenario does.
fn with_position(mut program: Program, number: usize) -> Program {
    let of = |name: &str| program.origins.effect_names.get(name).copied();
    let ids = of(SET_UP).zip(of(&position_name(number)));
    if let Some((set_up, own)) = ids
        && let Some(own) = program.effect(own).cloned()
        && let Some(set_up) = program.effects.get_mut(usize::from(set_up))
    {
        *set_up = own;
    }
    program
}

/// Reports a setup that should be possible but is not.
pub(super) fn impossible(found: Impossible) -> ScenarioFailure {
    let message = &found.problem.message;
    let diagnostic = Diagnostic::error("impossible-setup", found.span, message);
    ScenarioFailure::new(diagnostic, "a setup that the game allows", message)
}

/// Checks the refusal of a setup that should be refused.
pub(super) fn refusal_failures(
    stated: &RefusedSetup,
    found: Option<Vec<Impossible>>,
) -> Vec<ScenarioFailure> {
    let Some(found) = found else {
        let diagnostic = Diagnostic::error("refused", stated.span, "this setup is accepted");
        return vec![ScenarioFailure::new(diagnostic, "refused", "accepted")];
    };
    let problems = || found.iter().map(|impossible| &impossible.problem);
    let told: Vec<String> = problems().map(OptionProblem::to_string).collect();
    let told = told.join("; ");
    let failure = |span: Span, message: &str, expected: &str| {
        let diagnostic = Diagnostic::error("refused", span, message);
        ScenarioFailure::new(diagnostic, expected, told.as_str())
    };
    let mut failures = Vec::new();
    if let Some(option) = &stated.option
        && !problems().any(|problem| problem.option == option.value)
    {
        let message = "something else is refused";
        failures.push(failure(option.span, message, &option.value));
    }
    if let Some(clause) = &stated.clause
        && !problems().any(|problem| problem.clauses.contains(&clause.text))
    {
        let message = "another clause refuses it";
        failures.push(failure(clause.span, message, &clause.text));
    }
    failures
}

/// Returns the place where an option or the number of seats is stated.
fn place_of(given: &Given, option: &str, is_known: bool) -> Option<Span> {
    if option == "seats" {
        return given.seats.as_ref().map(|seats| seats.span);
    }
    let stated = given.options.iter().find(|(name, _)| name.text == option);
    stated.map(|(name, value)| if is_known { value.span } else { name.span })
}
