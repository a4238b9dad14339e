//! Reports results of scenarios, for people and for programs.

use serde_json::{Value, json};

use super::run::ScenarioFailure;
use super::suite::{PlayedScenario, SuiteResults};
use wyrmgate_base::diagnostic::{Diagnostic, Report, Sources};

/// Maximum width of a column.
const COLUMN_MAX: usize = 58;

/// Returns the command that runs a scenario again, by its name.
pub type Again<'a> = Option<&'a dyn Fn(&str) -> String>;

/// Formats the results for people.
pub fn to_text(outcome: &SuiteResults, color: bool, again: Again<'_>) -> String {
    let mut text = format!("{}\n", outcome.game);
    text += &outcome.report.render(&outcome.sources, color);
    for played in &outcome.played {
        text += &scenario_text(played, &outcome.sources, color);
        if let (Some(again), false) = (again, played.passed()) {
            text += &format!("        reproduce: `{}`\n", again(&played.name));
        }
    }
    text + &summary(outcome)
}

/// Formats the first thing that is wrong: the errors of the rules and of scenarios that could not be read, or else the
/// first scenario that failed.
pub fn first_problem(outcome: &SuiteResults, color: bool) -> String {
    if outcome.report.has_errors() {
        return outcome.report.render(&outcome.sources, color);
    }
    let failed = outcome.played.iter().find(|played| !played.passed());
    failed.map_or_else(String::new, |played| {
        scenario_text(played, &outcome.sources, color)
    })
}

fn scenario_text(played: &PlayedScenario, sources: &Sources, color: bool) -> String {
    let mark = if played.passed() { "ok  " } else { "FAIL" };
    let mut text = format!("  {mark}  {}\n", played.name);
    for failure in &played.failures {
        text += &render(&failure.diagnostic, sources, color);
        text += &side_by_side(&failure.expected, &failure.found);
    }
    for warning in &played.warnings {
        text += &render(warning, sources, color);
    }
    text
}

fn render(diagnostic: &Diagnostic, sources: &Sources, color: bool) -> String {
    Report::from(vec![diagnostic.clone()]).render(sources, color)
}

/// ```text
///         expected │ found
///         3        │ 4
/// ```
fn side_by_side(expected: &str, found: &str) -> String {
    let left = wrapped(expected);
    let right = wrapped(found);
    let widths = left.iter().map(|line| line.chars().count());
    let width = widths.fold("expected".len(), usize::max);
    let mut text = format!("        {:width$} │ found\n", "expected");
    for i in 0..left.len().max(right.len()) {
        let line = |column: &[String]| column.get(i).cloned().unwrap_or_default();
        text += format!("        {:width$} │ {}", line(&left), line(&right)).trim_end();
        text.push('\n');
    }
    text
}

/// Wraps a text into lines of at most [`COLUMN_MAX`] characters, at spaces where possible.
fn wrapped(text: &str) -> Vec<String> {
    let mut lines = Vec::new();
    for whole in text.lines() {
        let mut line = String::new();
        for word in whole.split(' ') {
            let longer = line.chars().count() + 1 + word.chars().count();
            if !line.is_empty() && longer > COLUMN_MAX {
                lines.push(std::mem::take(&mut line));
            }
            if !line.is_empty() {
                line.push(' ');
            }
            line.push_str(word);
        }
        lines.push(line);
    }
    lines
}

fn summary(outcome: &SuiteResults) -> String {
    let passed = outcome.played.iter().filter(|played| played.passed());
    let passed = passed.count();
    let failed = outcome.played.len() - passed;
    let coverage = &outcome.coverage;
    let number = outcome.played.len();
    let plural = if number == 1 { "" } else { "s" };
    let ran = format!("  {number} scenario{plural}: {passed} passed, {failed} failed");
    if outcome.report.has_errors() {
        // A scenario with a mistake does not run, so it has no result.
        return match number {
            0 => String::new(),
            _ => format!("{ran}; those with errors did not run\n"),
        };
    }
    let mut text = format!(
        "{ran}\n  clauses: {} of {} shown, {} %\n",
        coverage.shown.len(),
        coverage.total,
        coverage.percent(),
    );
    for (id, sentence) in &coverage.missing {
        text += &format!("    not shown: {id} {sentence}\n");
    }
    text
}

/// Returns the results as JSON.
pub fn to_json(outcome: &SuiteResults, again: Again<'_>) -> Value {
    let missing = outcome.coverage.missing.iter();
    let missing = missing.map(|(id, text)| json!({"clause": id, "text": text}));
    let scenarios = outcome.played.iter();
    let scenarios = scenarios.map(|played| scenario_json(played, &outcome.sources, again));
    json!({
        "game": outcome.game,
        "ok": outcome.passed(),
        "diagnostics": outcome.report.documents(&outcome.sources),
        "scenarios": scenarios.collect::<Value>(),
        "coverage": {
            "clauses": outcome.coverage.total,
            "shown": outcome.coverage.shown,
            "missing": missing.collect::<Value>(),
            "percent": outcome.coverage.percent(),
        },
    })
}

fn scenario_json(played: &PlayedScenario, sources: &Sources, again: Again<'_>) -> Value {
    let (line, _) = sources.line_column(played.span.file, played.span.start);
    let warnings = Report::from(played.warnings.clone());
    json!({
        "scenario": played.name,
        "file": sources.get(played.span.file).map(|source| &source.path),
        "line": line,
        "passed": played.passed(),
        "command": again.filter(|_| !played.passed()).map(|again| again(&played.name)),
        "shows": played.shows,
        "failures": played.failures.iter().map(|failure| failure_json(failure, sources)).collect::<Vec<_>>(),
        "warnings": warnings.documents(sources),
    })
}

/// Returns the diagnostic with the values that it compares.
fn failure_json(failure: &ScenarioFailure, sources: &Sources) -> Value {
    let report = Report::from(vec![failure.diagnostic.clone()]);
    let told = report.documents(sources);
    let mut told = json!(told.first());
    if let Some(members) = told.as_object_mut() {
        members.insert("expected".into(), failure.expected.clone().into());
        members.insert("found".into(), failure.found.clone().into());
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expected_and_found_stand_side_by_side() {
        let text = side_by_side("count: 32", "count: 16");
        assert_eq!(
            text,
            "        expected  │ found\n        count: 32 │ count: 16\n"
        );
    }

    #[test]
    fn long_columns_are_broken_at_spaces() {
        let lines = wrapped(&"word ".repeat(30));
        assert!(lines.len() > 1);
        assert!(lines.iter().all(|line| line.chars().count() <= COLUMN_MAX));
    }
}
