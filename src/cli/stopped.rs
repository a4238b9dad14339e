//! The report of a game that stopped, for every command: what happened, where in the rules, and the command that
//! replays it.

use std::fmt::{self, Display};
use std::path::PathBuf;

use serde_json::{Value, json};

use super::setup::{Game, GameArgs, RulesArgs};
use crate::diagnostic::{Diagnostic, Report, Sources, Span, excerpt, place};
use crate::program::Program;
use crate::view::Stopped;

/// A game that stopped before its end, with everything its author needs to reproduce it.
pub struct Case<'a> {
    pub stopped: &'a Stopped,
    pub sources: &'a Sources,
    /// Identifies the game: `game 12 of the run, 3 seats, blocks=2`.
    pub which: String,
    pub again: Again,
    /// The file with the record of the game, if there is one.
    pub record: Option<PathBuf>,
}

impl Case<'_> {
    /// Formats the report for people, with the excerpt of the rules.
    pub fn text(&self, color: bool) -> String {
        Report::from(vec![self.diagnostic()]).render(self.sources, color)
    }

    fn diagnostic(&self) -> Diagnostic {
        let span = self.stopped.span.unwrap_or(Span::NOWHERE);
        let mut diagnostic = Diagnostic::error(self.stopped.code, span, &*self.stopped.reason);
        diagnostic.help = self.stopped.help.map(str::to_owned);
        diagnostic = diagnostic
            .note(format!("{}, {}", self.which, after(self.stopped.decisions)))
            .note(format!("reproduce: `{}`", self.again));
        match &self.record {
            Some(file) => {
                let replay = Again::new("replay").arg(file.display());
                diagnostic.note(format!("show every step of its record: `{replay}`"))
            }
            None => diagnostic,
        }
    }

    /// Returns the report as JSON.
    pub fn json(&self) -> Value {
        let stopped = self.stopped;
        let mut doc = json!({
            "code": stopped.code,
            "reason": stopped.reason,
            "limit": stopped.limit,
            "help": stopped.help,
            "decisions": stopped.decisions,
            "excerpt": stopped.span.map(|span| excerpt(span, self.sources)),
            "command": self.again.to_string(),
            "record": self.record.as_ref().map(|file| file.display().to_string()),
        });
        let at = json!(place(stopped.span.unwrap_or(Span::NOWHERE), self.sources));
        merge(&mut doc, at);
        doc
    }

    /// Prints the report at the end of a command: for people on standard error, for programs as the only object on
    /// standard output.
    pub fn print(&self, json: bool) {
        if json {
            say_json!({"ok": false, "failure": self.json()});
        } else {
            let color = super::setup::is_colored(&std::io::stderr());
            complain_inline!("{}", self.text(color));
        }
    }
}

/// Formats `after 12 decisions` or `before the first decision`.
pub fn after(decisions: u32) -> String {
    match decisions {
        0 => "before the first decision".into(),
        1 => "after 1 decision".into(),
        _ => format!("after {decisions} decisions"),
    }
}

/// Returns a place in the rules with more members.
pub fn placed(span: Span, sources: &Sources, more: Value) -> Value {
    let mut doc = json!(place(span, sources));
    merge(&mut doc, more);
    doc
}

/// Adds the members of one object to another.
pub fn merge(doc: &mut Value, more: Value) {
    if let (Value::Object(doc), Value::Object(more)) = (doc, more) {
        doc.extend(more);
    }
}

/// A command line that repeats the current command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Again(String);

impl Again {
    pub fn new(command: &str) -> Again {
        Again(format!("wyrmgate {command}"))
    }

    /// Adds a game as it was named, and where it was found.
    pub fn game(self, game: &str, rules: &RulesArgs) -> Again {
        self.arg(game).rules(rules)
    }

    pub fn rules(self, rules: &RulesArgs) -> Again {
        if rules.is_default() {
            return self;
        }
        self.flag("--rules", rules.rules.display())
    }

    pub fn options(self, options: impl IntoIterator<Item = (impl Display, impl Display)>) -> Again {
        let options = options.into_iter();
        options.fold(self, |again, (name, value)| {
            again.flag("--option", format!("{name}={value}"))
        })
    }

    pub fn arg(self, arg: impl Display) -> Again {
        Again(format!("{} {}", self.0, quoted(&arg.to_string())))
    }

    pub fn flag(self, flag: &str, value: impl Display) -> Again {
        self.bare(flag).arg(value)
    }

    /// Adds a flag, if it has a value.
    pub fn given(self, flag: &str, value: Option<impl Display>) -> Again {
        match value {
            Some(value) => self.flag(flag, value),
            None => self,
        }
    }

    /// Adds a flag without a value, if it is set.
    pub fn set(self, flag: &str, is_set: bool) -> Again {
        if is_set { self.bare(flag) } else { self }
    }

    /// Adds a flag without a value.
    pub fn bare(self, flag: &str) -> Again {
        Again(format!("{} {flag}", self.0))
    }

    /// Adds lines for standard input.
    pub fn typing(self, lines: &[String]) -> Again {
        if lines.is_empty() {
            return self;
        }
        let lines: Vec<String> = lines.iter().map(|line| quoted(line)).collect();
        Again(format!("printf '%s\\n' {} | {}", lines.join(" "), self.0))
    }
}

impl Display for Again {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Quotes a word for the shell.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./=+:,@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

impl Game {
    /// Returns the report of a game that stopped.
    pub fn case<'a>(&'a self, args: &GameArgs, stopped: &'a Stopped, again: Again) -> Case<'a> {
        Case {
            stopped,
            sources: &self.sources,
            which: args.which(&self.program),
            again,
            record: None,
        }
    }
}

impl GameArgs {
    /// Returns a command for the same game with the same setup.
    pub fn again(&self, command: &str, program: &Program) -> Again {
        let again = Again::new(command)
            .game(&self.game, &self.rules)
            .flag("--seats", program.seats)
            .given("--position", self.position.as_ref());
        again.options(self.options.iter().map(|(name, value)| (name, value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_back_what_was_meant() {
        let again = Again::new("simulate")
            .arg("my game's")
            .options([("way", "a b"), ("size", "3")])
            .typing(&["1".to_owned(), "2".to_owned()]);
        assert_eq!(
            again.to_string(),
            r"printf '%s\n' 1 2 | wyrmgate simulate 'my game'\''s' --option 'way=a b' --option size=3"
        );
    }
}
