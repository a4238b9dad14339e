//! A broken law, reported once: what happened, where in the rules, in which settings, and the command that reproduces
//! it.

use serde_json::{Value, json};

use crate::cli::laws::args::Asked;
use crate::diagnostic::{Diagnostic, Report};
use crate::laws::{Setting, Violation};

/// Maximum number of settings in the text report. JSON has all of them.
const SETTINGS_SHOWN: usize = 6;

/// Indentation of texts with several lines.
const INDENT: &str = "    ";

/// A cause of violations, wherever it occurred.
pub struct Cause {
    /// The first violation.
    first: Violation,
    /// Settings, with the number of affected games of each.
    settings: Vec<(Setting, u64)>,
}

impl Cause {
    /// Adds a violation to the cause that it shares with others, or as a new cause.
    pub fn add(causes: &mut Vec<Cause>, setting: &Setting, violation: &Violation) {
        let same = |cause: &&mut Cause| {
            cause.first.law == violation.law && cause.first.found.cause() == violation.found.cause()
        };
        let Some(cause) = causes.iter_mut().find(same) else {
            causes.push(Cause {
                first: violation.clone(),
                settings: vec![(setting.clone(), 1)],
            });
            return;
        };
        match cause.settings.last_mut() {
            Some((last, games)) if last == setting => *games += 1,
            _ => cause.settings.push((setting.clone(), 1)),
        }
    }

    pub fn text(&self, asked: &Asked, seed: &str, of: usize) -> String {
        let found = &self.first.found;
        let mut lines = vec![format!(
            "  BROKEN {}: {} (after {} decisions)",
            self.first.law, found.sentence, self.first.decisions
        )];
        if let Some(report) = self.report() {
            let rendered = report.render(&asked.ruleset.sources, false);
            // The sentence is printed already.
            let excerpt = rendered.lines().skip(1).filter(|line| !line.is_empty());
            lines.extend(excerpt.map(|line| format!("{INDENT}{line}")));
        }
        if let Some(told) = &found.told {
            lines.push(format!("{INDENT}{}", member(&told.member)));
            lines.push(format!("{INDENT}  in one world: {}", pretty(&told.here)));
            lines.push(format!("{INDENT}  in the other: {}", pretty(&told.there)));
        }
        let notes = found.notes.iter();
        lines.extend(notes.map(|note| format!("{INDENT}{note}")));
        lines.push(format!("{INDENT}{}", self.settings_in_words(of)));
        let command = self.command(asked, seed);
        lines.push(format!("{INDENT}reproduce: `{command}`"));
        lines.join("\n")
    }

    pub fn json(&self, asked: &Asked, seed: &str) -> Value {
        let found = &self.first.found;
        let sources = &asked.ruleset.sources;
        let report = self.report();
        let place = report.as_ref().map(|report| report.documents(sources));
        let place = place.and_then(|documents| documents.into_iter().next());
        let settings = self.settings.iter().map(|(setting, games)| {
            json!({"seats": setting.seats, "options": setting.options, "games": games})
        });
        json!({
            "law": self.first.law,
            "found": found.sentence,
            "place": place,
            "told": found.told,
            "notes": found.notes,
            "game": self.first.game.number,
            "decisions": self.first.decisions,
            "settings": settings.collect::<Vec<_>>(),
            "command": self.command(asked, seed),
        })
    }

    /// Returns the excerpt of the rules, in the format of the other commands.
    fn report(&self) -> Option<Report> {
        let found = &self.first.found;
        let span = found.span?;
        let broken = Diagnostic::error("broken-law", span, found.sentence.clone());
        Some(Report::from(vec![broken]))
    }

    fn settings_in_words(&self, of: usize) -> String {
        let told = self.settings.iter().take(SETTINGS_SHOWN);
        let told = told.map(|(setting, _)| format!("{} seats {setting}", setting.seats));
        let mut told: Vec<String> = told.collect();
        let more = self.settings.len().saturating_sub(SETTINGS_SHOWN);
        if more > 0 {
            told.push(format!("{more} more"));
        }
        let settings = self.settings.len();
        format!("in {settings} of {of} settings: {}", told.join("; "))
    }

    /// Returns the command that reproduces the violation.
    fn command(&self, asked: &Asked, seed: &str) -> String {
        let Some((setting, _)) = self.settings.first() else {
            return String::new();
        };
        let again = asked.again.clone().flag("--seats", setting.seats);
        let again = again.set("--defaults", setting.options.is_empty());
        let again = again.options(&setting.options);
        let again = again.flag("--law", self.first.law).flag("--seed", seed);
        again.flag("--game", self.first.game.number).to_string()
    }
}

fn member(member: &str) -> String {
    match member {
        "" => "it is told".to_owned(),
        member => format!("`{member}` is"),
    }
}

/// Formats a short value on one line and a long one on several.
fn pretty(value: &Value) -> String {
    let short = value.to_string();
    if short.chars().count() <= 100 {
        return short;
    }
    let long = serde_json::to_string_pretty(value).unwrap_or(short);
    long.replace('\n', &format!("\n{INDENT}  "))
}
