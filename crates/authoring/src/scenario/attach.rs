//! Adds the effect texts and conditions of scenarios to the game as effects and queries, so that the same checker reads
//! them and reports mistakes at their place in the scenario file.

use super::{Scenario, StepKind, arrange_name, expect_name, position_name, sides_name};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Span};
use wyrmgate_lang::ast::{
    BinaryOp, Block, Expr, ExprKind, Name, Recursion, Signature, Stmt, StmtKind, Text, TextPart,
};
use wyrmgate_lang::definition::{Definition, EffectDef, QueryDef};
use wyrmgate_lang::load::drawn;

/// Whether the two sides of a failing comparison can be printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sides {
    Printed,
    /// A side alone can be ambiguous although the comparison is not (`fire`: the color or the card?).
    Omitted,
}

/// Adds everything that scenarios run to the definition. Scenarios are numbered in the given order.
pub fn attach(
    definition: &mut Definition,
    scenarios: &[Scenario],
    sides: Sides,
    report: &mut Report,
) {
    for (number, scenario) in scenarios.iter().enumerate() {
        attach_position(definition, number, scenario, report);
        for (i, step) in scenario.steps.iter().enumerate() {
            match &step.kind {
                StepKind::Arrange(block) => {
                    let name = arrange_name(number, i);
                    add_effect(definition, name, block.clone(), step.span);
                }
                StepKind::Expect(conditions) => {
                    for (k, condition) in conditions.iter().enumerate() {
                        attach_condition(definition, condition, sides, number, i, k);
                    }
                }
                StepKind::Waiting(_)
                | StepKind::Play(_)
                | StepKind::Refused(_)
                | StepKind::Luck(_)
                | StepKind::Random(_)
                | StepKind::Late(_)
                | StepKind::Resigns(_)
                | StepKind::Sees(_)
                | StepKind::Events(_)
                | StepKind::NoEvents(_)
                | StepKind::Over(_) => {}
            }
        }
    }
}

/// Adds the effect that arranges the position of a scenario.
fn attach_position(
    definition: &mut Definition,
    number: usize,
    scenario: &Scenario,
    report: &mut Report,
) {
    let Some(position) = &scenario.given.position else {
        return;
    };
    let Some(start) = &mut definition.positions.drawn else {
        let message = "the game does not say how a position is drawn";
        let help = "declare `start` in the game, or use `arrange`";
        report.push(Diagnostic::error("drawn-position", position.span, message).help(help));
        return;
    };
    if let Some(block) = drawn(start, position, report) {
        add_effect(definition, position_name(number), block, position.span);
    }
}

/// Adds a condition as a query. A comparison also becomes an effect that prints both sides if it fails.
fn attach_condition(
    definition: &mut Definition,
    condition: &Expr,
    printed: Sides,
    scenario: usize,
    step: usize,
    k: usize,
) {
    definition.behavior.queries.push(QueryDef {
        signature: call(expect_name(scenario, step, k), condition.span),
        body: truth(condition),
        span: condition.span,
    });
    if let Some((left, right)) = sides(condition)
        && printed == Sides::Printed
    {
        let (name, block) = (
            sides_name(scenario, step, k),
            [left, right].map(say).to_vec(),
        );
        add_effect(definition, name, block, condition.span);
    }
}

/// Returns `if condition then true else false`, because a number would say nothing.
fn truth(condition: &Expr) -> Expr {
    let span = condition.span;
    let [held, failed] = [true, false].map(|value| Expr::new(ExprKind::Bool(value), span));
    let [condition, held, failed] = [condition.clone(), held, failed].map(Box::new);
    Expr::new(ExprKind::If(condition, held, failed), span)
}

/// Returns both sides of a comparison.
pub fn sides(condition: &Expr) -> Option<(&Expr, &Expr)> {
    match &condition.kind {
        ExprKind::Cited(inner, _) => sides(inner),
        ExprKind::Binary(op, left, right) if op.is_comparison() => Some((left, right)),
        _ => None,
    }
}

/// Splits a conjunction into operands, each of which is evaluated and reported alone.
pub fn conjuncts(condition: Expr, all: &mut Vec<Expr>) {
    match condition.kind {
        ExprKind::Binary(BinaryOp::And, left, right) => {
            conjuncts(*left, all);
            conjuncts(*right, all);
        }
        _ => all.push(condition),
    }
}

fn add_effect(definition: &mut Definition, name: String, body: Block, span: Span) {
    definition.behavior.effects.push(EffectDef {
        signature: call(name, span),
        body: body.into(),
        span,
    });
}

fn call(name: String, span: Span) -> Signature {
    Signature::Call {
        recursion: Recursion::default(),
        name: Name::new(name, span),
        params: Vec::new(),
    }
}

/// Returns `say "{side}"`.
fn say(side: &Expr) -> Stmt {
    let text = Text {
        parts: vec![TextPart::Hole(side.clone(), String::new())],
        span: side.span,
    };
    Stmt {
        kind: StmtKind::Say { text, to: None },
        span: side.span,
        cites: Vec::new(),
    }
}
