//! The step `waiting`: who owes a decision, and what can be chosen.

use std::collections::HashSet;
use std::ops::ControlFlow;

use serde_json::{Value, json};

use super::ScenarioRunner;
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
    let mut check = DecisionCheck {
        runner,
        pending,
        stated,
        span,
    };
    if let Err(fault) = check.as_stated() {
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

/// Compares a decision with what a scenario states about it.
struct DecisionCheck<'c, 'a> {
    runner: &'c mut ScenarioRunner<'a>,
    pending: Pending,
    stated: &'c ExpectedDecisions,
    span: Span,
}

impl DecisionCheck<'_, '_> {
    fn as_stated(&mut self) -> Result<(), Fault> {
        let (stated, span) = (self.stated, self.span);
        self.words()?;
        if let Some(option) = &stated.option
            && !self.is_offered()?
        {
            let message = format!("`{option}` is not offered");
            let sides = (option.clone(), self.runner.some_choices(&self.pending));
            self.runner.differs("waiting", span, message, sides);
            return Ok(());
        }
        if let Some(count) = stated.count {
            let found = self.count()?;
            if found != count {
                let choices = self.runner.some_choices(&self.pending);
                let message = "the number of choices differs";
                let diagnostic = Diagnostic::error("waiting", span, message)
                    .help(format!("possible here: {choices}"));
                let [count, found] = [count, found].map(|count| format!("count: {count}"));
                self.runner.fail(diagnostic, count, found);
            }
        }
        if let Some(choices) = &stated.choices {
            self.all(choices)?;
        }
        for choice in &stated.includes {
            self.one(choice, true);
        }
        for choice in &stated.excludes {
            self.one(choice, false);
        }
        Ok(())
    }

    /// Checks the prompt, the kind and the names of the options.
    fn words(&mut self) -> Result<(), Fault> {
        let (program, state) = (self.runner.program, &self.runner.state);
        let doc = wyrmgate_view::decision_docs(program, state, &self.pending, 0, 0)?;
        let words = [
            ("prompt", json!(self.stated.prompt)),
            ("kind", json!(self.stated.kind)),
            ("options", json!(self.stated.options)),
        ];
        let stated = words.into_iter().filter(|(_, words)| !words.is_null());
        let wanted: Value = stated.collect();
        let found = wyrmgate_view::as_json(&doc);
        for difference in compare::differences(&wanted, &found) {
            let message = format!("`{}` of the decision differs", difference.path);
            let sides = (difference.expected, difference.found);
            self.runner.differs("waiting", self.span, message, sides);
        }
        Ok(())
    }

    /// Calls a function for each choice that has the stated option or binds this name; without one, for all.
    fn each(&self, visit: &mut dyn FnMut(&engine::Choice) -> ControlFlow<()>) -> Result<(), Fault> {
        let program = self.runner.program;
        let is_of = |choice: &engine::Choice, name: &String| {
            let option = program.option(self.pending.site, choice.option);
            option.is_some_and(|option| {
                option.name == *name || option.binders.iter().any(|binder| binder.name == *name)
            })
        };
        let mut visit = |choice: &engine::Choice| {
            let name = self.stated.option.as_ref();
            match name.is_none_or(|name| is_of(choice, name)) {
                true => visit(choice),
                false => ControlFlow::Continue(()),
            }
        };
        engine::for_each_choice(program, &self.runner.state, &self.pending, &mut visit)
    }

    fn is_offered(&self) -> Result<bool, Fault> {
        let mut found = false;
        self.each(&mut |_| {
            found = true;
            ControlFlow::Break(())
        })?;
        Ok(found)
    }

    fn count(&self) -> Result<u64, Fault> {
        if self.stated.option.is_none() {
            return engine::count_choices(self.runner.program, &self.runner.state, &self.pending);
        }
        let mut count = 0;
        self.each(&mut |_| {
            count += 1;
            ControlFlow::Continue(())
        })?;
        Ok(count)
    }

    /// Checks that the stated choices are all choices (of this option, if one is named).
    fn all(&mut self, stated: &[ScenarioChoice]) -> Result<(), Fault> {
        let mut wanted = HashSet::new();
        for choice in stated {
            match self.runner.read_choice(&self.pending, choice) {
                Ok(internal) => drop(wanted.insert(internal)),
                Err(_) => self.one(choice, true),
            }
        }
        let mut more = Vec::new();
        self.each(&mut |choice| {
            if !wanted.remove(choice) {
                more.push(choice.clone());
            }
            ControlFlow::Continue(())
        })?;
        if !wanted.is_empty() || !more.is_empty() {
            let sides = (
                format!("only expected: {}", self.listed(wanted.iter())),
                format!("only found: {}", self.listed(more.iter())),
            );
            let message = "the choices differ";
            self.runner.differs("waiting", self.span, message, sides);
        }
        Ok(())
    }

    fn one(&mut self, choice: &ScenarioChoice, wanted: bool) {
        let runner = &mut *self.runner;
        let read = runner.read_choice(&self.pending, choice);
        let legal = match &read {
            Ok(internal) => {
                engine::is_legal(runner.program, &runner.state, &self.pending, internal)
            }
            Err(_) => Ok(false),
        };
        let says = |legal| if legal { "possible" } else { "not possible" };
        // A choice that cannot be parsed is a typing mistake, even if it should be impossible.
        if let Err(rejection) = read
            && rejection.code == RejectCode::Malformed
        {
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

    fn listed<'c>(&self, choices: impl Iterator<Item = &'c engine::Choice>) -> String {
        let written = |choice| self.runner.written(&self.pending, choice);
        let texts = choices.map(|choice| compare::short(&written(choice).into()));
        let texts: Vec<String> = texts.collect();
        match texts.is_empty() {
            true => "nothing".into(),
            false => texts.join(" · "),
        }
    }
}
