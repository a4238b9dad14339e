//! The configurations of a session: numbers of seats and option values, and whether they are allowed.

use std::collections::BTreeMap;

use super::checked::Checked;
use super::option::{OptionFact, OptionProblem, Shape};
use super::setups::with_defaults;
use crate::compile::builder::Builder;
use crate::compile::constants::eval::Evaluator;
use crate::compile::{Setup, compile, compile_with_reveals};
use crate::names::constant::Constant;
use crate::names::declaration::EnumDecl;
use crate::names::translation::Translations;
use crate::names::world::{Symbol, World};
use wyrmgate_base::diagnostic::{Diagnostic, Report, did_you_mean};
use wyrmgate_lang::ast::{BinaryOp, Expr, ExprKind};
use wyrmgate_lang::definition::{Definition, OptionDef, OptionType, Wording};
use wyrmgate_program::{NONE, Program, SEATS_MAX, Type};

pub fn facts(
    definition: &Definition,
    translations: &Translations,
    report: &mut Report,
) -> Vec<OptionFact> {
    definition
        .options
        .iter()
        .map(|option| fact(option, translations, report))
        .collect()
}

fn fact(option: &OptionDef, translations: &Translations, report: &mut Report) -> OptionFact {
    let shape = match &option.of {
        OptionType::Bool => Shape::Bool,
        OptionType::Range { low, high, step } => Shape::Range {
            low: *low,
            high: *high,
            step: *step,
        },
        OptionType::OneOf(names) => Shape::OneOf(names.iter().map(|n| n.text.clone()).collect()),
    };
    let named = matches!(&option.default.kind, ExprKind::Name(_));
    let mut silent = Report::default();
    let default = default_of(option, &shape, 0, if named { &mut silent } else { report });
    // a word that is none of its values is reported as such
    let default = if silent.has_errors() { NONE } else { default };
    let with = (1..=SEATS_MAX).map(|seats| (seats, default_of(option, &shape, seats, &mut silent)));
    OptionFact {
        default_with: with.filter(|(_, value)| *value != default).collect(),
        requires: wording(option, false),
        excludes: wording(option, true),
        campaign: option.campaign.as_ref().map(|query| query.text.clone()),
        name: option.name.text.clone(),
        title: translations.title(&option.title, &option.name.text),
        text: translations.text(&option.text.text),
        titles: match &shape {
            Shape::OneOf(names) => names.iter().map(|name| translations.name(name)).collect(),
            Shape::Bool | Shape::Range { .. } => Vec::new(),
        },
        shape,
        default,
    }
}

fn wording(option: &OptionDef, excludes: bool) -> Vec<String> {
    let wordings = option.wordings.iter();
    let wanted = wordings.filter(|wording| wording.excludes == excludes);
    wanted.map(|wording| wording.text.clone()).collect()
}

/// Returns the default of an option for this many seats; 0 for no particular game.
fn default_of(option: &OptionDef, shape: &Shape, seats: usize, report: &mut Report) -> i32 {
    let mut world = if seats == 0 {
        World::default()
    } else {
        World::new(seats)
    };
    let wanted = type_in(&mut world, &option.name.text, shape);
    evaluated(&mut world, report, |evaluator| {
        evaluator.one(&option.default, &Vec::new(), wanted)
    })
}

/// Evaluates something that needs no program.
fn evaluated<T>(
    world: &mut World,
    report: &mut Report,
    of: impl FnOnce(&mut Evaluator<'_>) -> T,
) -> T {
    let b = &mut Builder::default();
    of(&mut Evaluator { world, b, report })
}

/// Returns the type of the values of an option, which the world knows then.
fn type_in(world: &mut World, option: &str, shape: &Shape) -> Type {
    match shape {
        Shape::Bool => Type::Bool,
        Shape::Range { .. } => Type::Int,
        Shape::OneOf(values) => {
            world.enums.push(EnumDecl {
                name: option.to_owned(),
                values: values.clone(),
            });
            Type::Enum(world.enums.len() as u16 - 1)
        }
    }
}

/// Returns `players: 2..5` as a list.
pub fn seat_counts(definition: &Definition, report: &mut Report) -> Vec<usize> {
    let constant = evaluated(&mut World::default(), report, |evaluator| {
        evaluator.eval(&definition.players, &Vec::new(), None)
    });
    let mut seats: Vec<usize> = constant
        .values()
        .into_iter()
        .filter_map(|n| usize::try_from(n).ok())
        .collect();
    seats.sort_unstable();
    seats.dedup();
    seats
}

/// Checks options: their values, defaults and conditions.
pub fn check_options(definition: &Definition, facts: &[OptionFact], report: &mut Report) {
    let mut world = option_world(facts, &Setup::default());
    for (option, fact) in definition.options.iter().zip(facts) {
        check_shape(option, fact, report);
        for condition in &option.requires {
            evaluated(&mut world, report, |evaluator| {
                evaluator.truth(condition, &Vec::new())
            });
        }
    }
}

fn check_shape(option: &OptionDef, fact: &OptionFact, report: &mut Report) {
    let nothing = match &fact.shape {
        Shape::Bool => None,
        Shape::Range { low, high, .. } if low > high => {
            Some(format!("write the smaller number first: `{high}..{low}`"))
        }
        Shape::Range { step, .. } if *step < 1 => Some("steps are 1 or more".to_string()),
        Shape::Range { .. } => None,
        Shape::OneOf(names) => names
            .is_empty()
            .then(|| "list the names: `[once, twice]`".to_string()),
    };
    if let Some(help) = nothing {
        let message = format!("the option `{}` allows no value", fact.name);
        report.push(Diagnostic::error("no-values", option.name.span, message).help(help));
        return;
    }
    let span = option.default.span;
    let told = |d: &Diagnostic| d.span == span;
    if !fact.shape.allows(fact.default) && !report.diagnostics.iter().any(told) {
        let message = "the default is not an allowed value";
        report.push(
            Diagnostic::error("bad-default", span, message)
                .help(format!("it must be {}", fact.shape.describe())),
        );
    }
}

/// Returns a world that contains only the options and the seats.
pub(super) fn option_world(facts: &[OptionFact], setup: &Setup) -> World {
    let mut world = World::new(setup.seats);
    for fact in facts {
        let given = setup.options.get(&fact.name).copied();
        let value = given.unwrap_or_else(|| fact.default_for(setup.seats));
        let of = type_in(&mut world, &fact.name, &fact.shape);
        world.declare_builtin(&fact.name, Symbol::Constant);
        world
            .constants
            .insert(fact.name.clone(), Constant::One(Some(of), value));
    }
    world
}

/// Formats an unmet condition: draft: true needs count(seats) > 2
fn unmet(fact: &OptionFact, value: i32, wording: &Wording) -> String {
    let verb = if wording.excludes {
        "excludes"
    } else {
        "needs"
    };
    let condition = wording.text.split(" [").next().unwrap_or(&wording.text);
    format!(
        "`{}: {}` {verb} `{}`",
        fact.name,
        fact.shape.show(value),
        condition.trim()
    )
}

impl Checked {
    /// Returns the setup for these seats and options as written (`blocks` = `2`), or every reason against it.
    pub fn setup(
        &self,
        seats: usize,
        options: &BTreeMap<String, String>,
    ) -> Result<Setup, Vec<OptionProblem>> {
        let mut problems = Vec::new();
        let mut setup = with_defaults(seats);
        if !self.seats.contains(&seats) {
            let counts: Vec<String> = self.seats.iter().map(usize::to_string).collect();
            problems.push(OptionProblem {
                option: "seats".into(),
                message: format!("{seats} seats: the game is for {}", counts.join(", ")),
                clauses: cited(&self.definition.players),
            });
        }
        for (name, text) in options {
            match self.option_value(name, text) {
                Ok(value) => {
                    setup.options.insert(name.clone(), value);
                }
                Err(problem) => problems.push(problem),
            }
        }
        if problems.is_empty() {
            problems.extend(self.unmet_requirements(&setup));
        }
        if problems.is_empty() {
            Ok(setup)
        } else {
            Err(problems)
        }
    }

    fn option_value(&self, name: &str, text: &str) -> Result<i32, OptionProblem> {
        let refuse = |message: String| OptionProblem::new(name, message);
        let Some(fact) = self.options.iter().find(|o| o.name == name) else {
            let meant = did_you_mean(name, self.options.iter().map(|o| o.name.as_str()));
            let advice = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
            return Err(refuse(format!("the game has no option `{name}`{advice}")));
        };
        fact.shape.parse(text).ok_or_else(|| {
            refuse(format!(
                "`{name}` must be {}, not `{text}`",
                fact.shape.describe()
            ))
        })
    }

    fn unmet_requirements(&self, setup: &Setup) -> Vec<OptionProblem> {
        let world = option_world(&self.options, setup);
        let mut problems = Vec::new();
        for (option, fact) in self.definition.options.iter().zip(&self.options) {
            let default = fact.default_for(setup.seats);
            let value = setup.options.get(&fact.name).copied().unwrap_or(default);
            if value == default {
                continue;
            }
            for (condition, wording) in option.requires.iter().zip(&option.wordings) {
                if !holds(&world, condition) {
                    problems.push(OptionProblem {
                        option: fact.name.clone(),
                        message: unmet(fact, value, wording),
                        clauses: blamed(&world, condition),
                    });
                }
            }
        }
        problems
    }

    /// Compiles the program in which the engine records what the rules reveal on purpose, for the search for leaks.
    pub fn compile_with_reveals(&self, setup: &Setup) -> Option<Program> {
        let mut silent = Report::default();
        compile_with_reveals(&self.definition, setup, &mut silent)
    }

    /// Compiles the program for a setup that [`Checked::setup`] allowed.
    pub fn compile(&self, setup: &Setup) -> Option<Program> {
        let mut silent = Report::default();
        compile(&self.definition, setup, &mut silent)
    }
}

pub(super) fn holds(world: &World, condition: &Expr) -> bool {
    let mut silent = Report::default();
    let value = evaluated(&mut world.clone(), &mut silent, |evaluator| {
        evaluator.eval(condition, &Vec::new(), None)
    });
    value.value() == 1
}

/// Returns the clauses cited by the parts of a false condition that fail: all parts of `or`, the first of `and`.
fn blamed(world: &World, condition: &Expr) -> Vec<String> {
    match &condition.kind {
        ExprKind::Binary(BinaryOp::And, a, b) => match holds(world, a) {
            true => blamed(world, b),
            false => blamed(world, a),
        },
        ExprKind::Binary(BinaryOp::Or, a, b) => {
            let mut clauses = blamed(world, a);
            clauses.extend(blamed(world, b));
            clauses
        }
        ExprKind::Cited(inner, cites) => {
            let mut clauses = blamed(world, inner);
            if clauses.is_empty() {
                clauses.extend(cites.iter().map(|clause| clause.text.clone()));
            }
            clauses
        }
        _ => Vec::new(),
    }
}

/// Returns the clauses that a constant cites.
fn cited(expr: &Expr) -> Vec<String> {
    match &expr.kind {
        ExprKind::Cited(_, cites) => cites.iter().map(|clause| clause.text.clone()).collect(),
        _ => Vec::new(),
    }
}
