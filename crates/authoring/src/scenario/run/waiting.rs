//! The step `waiting`: who owes a decision, and what can be chosen.

use std::collections::HashSet;
use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::ScenarioRunner;
use super::possible::{some_choices, written};
use crate::scenario::{ExpectedDecisions, ScenarioChoice, compare};
use wyrmgate_base::diagnostic::{Diagnostic, Span};
use wyrmgate_engine::{self as engine, Fault, Pending, RejectCode};

pub(super) fn check(runner: &mut ScenarioRunner<'_>, stated: &ExpectedDecisions, span: Span) {
    if let Some(seats) = &stated.seats {
        check_seats(runner, seats, span);
    }
    let only_seats = ExpectedDecisions {
        seats: stated.seats.clone(),
        ..ExpectedDecisions::default()
    };
    if stated.seats.is_some() && *stated == only_seats {
        return;
    }
    let Some(pending) = runner.owed_by(stated.seat, span) else {
        return;
    };
    if let Err(fault) = check_decision(runner, &pending, stated, span) {
        let found = wyrmgate_view::sentence(&fault);
        let sides = ("choices that can be listed", found.clone());
        runner.differs("fault", span, found, sides);
    }
}

fn check_seats(runner: &mut ScenarioRunner<'_>, seats: &[u8], span: Span) {
    let owed = engine::pending(runner.program, &runner.state);
    let mut found: Vec<u8> = owed.iter().map(|p| p.seat + 1).collect();
    let mut wanted = seats.to_vec();
    found.sort_unstable();
    wanted.sort_unstable();
    if found != wanted {
        let sides = (format!("seats {wanted:?}"), format!("seats {found:?}"));
        runner.differs("waiting", span, "other seats owe a decision", sides);
    }
}

fn check_decision(
    runner: &mut ScenarioRunner<'_>,
    pending: &Pending,
    stated: &ExpectedDecisions,
    span: Span,
) -> Result<(), Fault> {
    check_words(runner, pending, stated, span)?;
    if let Some(option) = &stated.option
        && !offers(runner, pending, option)?
    {
        let message = format!("`{option}` is not offered");
        let sides = (option.clone(), some_choices(runner, pending));
        runner.differs("waiting", span, message, sides);
        return Ok(());
    }
    if let Some(count) = stated.count {
        let found = count_of(runner, pending, stated.option.as_deref())?;
        if found != count {
            let choices = some_choices(runner, pending);
            let diagnostic = Diagnostic::error("waiting", span, "the number of choices differs")
                .help(format!("possible here: {choices}"));
            runner.fail(
                diagnostic,
                format!("count: {count}"),
                format!("count: {found}"),
            );
        }
    }
    if let Some(choices) = &stated.choices {
        check_exact(runner, pending, choices, stated.option.as_deref(), span)?;
    }
    for choice in &stated.includes {
        check_one(runner, pending, choice, true);
    }
    for choice in &stated.excludes {
        check_one(runner, pending, choice, false);
    }
    Ok(())
}

/// Checks the prompt, the kind and the names of the options.
fn check_words(
    runner: &mut ScenarioRunner<'_>,
    pending: &Pending,
    stated: &ExpectedDecisions,
    span: Span,
) -> Result<(), Fault> {
    let doc = wyrmgate_view::decision_docs(runner.program, &runner.state, pending, 0, 0)?;
    let words = [
        ("prompt", json!(stated.prompt)),
        ("kind", json!(stated.kind)),
        ("options", json!(stated.options)),
    ];
    let stated = words.into_iter().filter(|(_, words)| !words.is_null());
    let wanted: Value = stated.collect();
    let found = wyrmgate_view::as_json(&doc);
    for difference in compare::differences(&wanted, &found) {
        let message = format!("`{}` of the decision differs", difference.path);
        let sides = (difference.expected, difference.found);
        runner.differs("waiting", span, message, sides);
    }
    Ok(())
}

/// Returns whether the choice has this option or binds this name.
fn is_of(
    runner: &ScenarioRunner<'_>,
    pending: &Pending,
    choice: &engine::Choice,
    name: &str,
) -> bool {
    let option = runner.program.option(pending.site, choice.option);
    option.is_some_and(|option| {
        option.name == name || option.binders.iter().any(|binder| binder.name == name)
    })
}

fn offers(runner: &ScenarioRunner<'_>, pending: &Pending, name: &str) -> Result<bool, Fault> {
    let mut found = false;
    engine::for_each_choice(runner.program, &runner.state, pending, &mut |choice| {
        found = is_of(runner, pending, choice, name);
        if found {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    })?;
    Ok(found)
}

fn count_of(
    runner: &ScenarioRunner<'_>,
    pending: &Pending,
    option: Option<&str>,
) -> Result<u64, Fault> {
    let Some(name) = option else {
        return engine::count_choices(runner.program, &runner.state, pending);
    };
    let mut count = 0;
    engine::for_each_choice(runner.program, &runner.state, pending, &mut |choice| {
        count += u64::from(is_of(runner, pending, choice, name));
        ControlFlow::Continue(())
    })?;
    Ok(count)
}

/// Checks that the stated choices are all choices (of this option, if one is named).
fn check_exact(
    runner: &mut ScenarioRunner<'_>,
    pending: &Pending,
    stated: &[ScenarioChoice],
    option: Option<&str>,
    span: Span,
) -> Result<(), Fault> {
    let mut wanted = HashSet::new();
    for choice in stated {
        match runner.read_choice(pending, choice) {
            Ok(internal) => drop(wanted.insert(internal)),
            Err(_) => check_one(runner, pending, choice, true),
        }
    }
    let mut more = Vec::new();
    engine::for_each_choice(runner.program, &runner.state, pending, &mut |choice| {
        let counts = option.is_none_or(|name| is_of(runner, pending, choice, name));
        if counts && !wanted.remove(choice) {
            more.push(choice.clone());
        }
        ControlFlow::Continue(())
    })?;
    if !wanted.is_empty() || !more.is_empty() {
        let missing = list(runner, pending, wanted.iter());
        let more = list(runner, pending, more.iter());
        let sides = (
            format!("only expected: {missing}"),
            format!("only found: {more}"),
        );
        runner.differs("waiting", span, "the choices differ", sides);
    }
    Ok(())
}

fn check_one(
    runner: &mut ScenarioRunner<'_>,
    pending: &Pending,
    choice: &ScenarioChoice,
    wanted: bool,
) {
    let read = runner.read_choice(pending, choice);
    let legal = match &read {
        Ok(internal) => engine::is_legal(runner.program, &runner.state, pending, internal),
        Err(_) => Ok(false),
    };
    // A choice that cannot be parsed is a typing mistake, even if it should be impossible.
    let unreadable = read
        .as_ref()
        .err()
        .filter(|r| r.code == RejectCode::Malformed);
    let says = |legal| if legal { "possible" } else { "not possible" };
    if let Some(rejection) = unreadable {
        let sides = (says(wanted), "not a choice of this decision");
        runner.differs("waiting", choice.span, &rejection.message, sides);
    } else if legal != Ok(wanted) {
        let found = legal.map_or_else(
            |fault| wyrmgate_view::sentence(&fault),
            |legal| says(legal).into(),
        );
        let message = format!("this choice is {found}");
        runner.differs("waiting", choice.span, message, (says(wanted), found));
    }
}

fn list<'c>(
    runner: &ScenarioRunner<'_>,
    pending: &Pending,
    choices: impl Iterator<Item = &'c engine::Choice>,
) -> String {
    let texts: Vec<String> = choices
        .map(|choice| compare::short(&written(runner, pending, choice).into()))
        .collect();
    if texts.is_empty() {
        return "nothing".into();
    }
    texts.join(" · ")
}
