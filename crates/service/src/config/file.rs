//! Reads a settings file. Each key is read as the flag of its name, so that a value means the same in both places, and a slip
//! gets the same words, with its line.

use std::error::Error;
use std::fmt;
use std::path::Path;

use clap::builder::{OsStr, Resettable};
use clap::error::{ContextKind, ContextValue};
use clap::{Args, Command, FromArgMatches};
use serde_yaml::{Mapping, Value};
use wyrmgate_base::diagnostic::did_you_mean;

use super::Settings;

/// Why a settings file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("cannot read {0}: {1}")]
    Unreadable(String, std::io::Error),
    #[error("{0}:{1}")]
    Malformed(String, Slip),
}

/// A line of a settings file and what is wrong there.
#[derive(Debug)]
pub struct Slip {
    line: usize,
    problem: String,
}

impl fmt::Display for Slip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.line, self.problem)
    }
}

impl Settings {
    /// Reads the settings of a YAML file.
    pub fn read(file: &Path) -> Result<Settings, SettingsError> {
        let name = file.display().to_string();
        match std::fs::read_to_string(file) {
            Ok(text) => Settings::parse(&text).map_err(|slip| SettingsError::Malformed(name, slip)),
            Err(error) => Err(SettingsError::Unreadable(name, error)),
        }
    }

    pub(super) fn parse(text: &str) -> Result<Settings, Slip> {
        let keys: Option<Mapping> = serde_yaml::from_str(text).map_err(|error| Slip {
            line: error.location().map_or(1, |at| at.line()),
            problem:
                "this is not YAML with a setting on each line, such as `listen: 127.0.0.1:8080`"
                    .to_owned(),
        })?;
        let mut settings = Settings::default();
        for (key, value) in keys.unwrap_or_default() {
            let key = scalar(&key).unwrap_or_default();
            let starts = |line: &str| line.trim_start_matches(['"', '\'']).starts_with(&key);
            let line = text.lines().position(starts).map_or(1, |at| at + 1);
            let slip = |problem| Slip { line, problem };
            settings = setting(&key, &value).map_err(slip)?.or(settings);
        }
        Ok(settings)
    }
}

/// Reads one setting, or says what is wrong with it.
fn setting(key: &str, value: &Value) -> Result<Settings, String> {
    let flags = Settings::augment_args(Command::new("settings").no_binary_name(true));
    let mut flags = flags.mut_args(|flag| flag.env(Resettable::<OsStr>::Reset));
    if !flags.get_arguments().any(|flag| flag.get_id() == key) {
        let names = flags.get_arguments().map(|flag| flag.get_id().as_str());
        let meant = did_you_mean(key, names);
        let meant = meant.map_or(String::new(), |meant| format!("; did you mean `{meant}`?"));
        return Err(format!("`{key}` is not a setting{meant}"));
    }
    let words = match value {
        Value::Null => return Ok(Settings::default()),
        Value::Sequence(members) => members.iter().map(scalar).collect::<Option<Vec<_>>>(),
        one => scalar(one).map(|word| vec![word]),
    };
    let words = words.ok_or_else(|| format!("`{key}`: write one value, or a list of values"))?;
    let flag = format!("--{}={}", key.replace('_', "-"), words.join(","));
    let read = flags.try_get_matches_from_mut([flag]);
    let read = read.and_then(|read| Settings::from_arg_matches(&read));
    read.map_err(|error| format!("`{key}`: {}", explained(&error, &words.join(", "))))
}

fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::Bool(is_so) => Some(is_so.to_string()),
        Value::Number(number) => Some(number.to_string()),
        Value::String(text) => Some(text.clone()),
        Value::Null | Value::Sequence(_) | Value::Mapping(_) | Value::Tagged(_) => None,
    }
}

/// Returns what a flag says about a value.
fn explained(error: &clap::Error, found: &str) -> String {
    match (error.source(), error.get(ContextKind::ValidValue)) {
        (Some(why), _) => why.to_string(),
        (None, Some(ContextValue::Strings(valid))) => {
            format!("`{found}` is none of {}", valid.join(", "))
        }
        (None, _) => format!("`{found}` cannot be used here"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_told_with_its_line_in_our_words() {
        for (text, told) in [
            ("colour: red", "1: `colour` is not a setting"),
            (
                "open: true\nlistn: a",
                "2: `listn` is not a setting; did you mean `listen`?",
            ),
            (
                "workers: 1000",
                "1: `workers`: `1000` is not a whole number from 1 to 512",
            ),
            (
                "\nworkers: -1",
                "2: `workers`: `-1` is not a whole number from 1 to 512",
            ),
            ("heartbeat: 30", "1: `heartbeat`: `30` is not a duration"),
            (
                "log_format: xml",
                "1: `log_format`: `xml` is none of text, json",
            ),
            ("open: maybe", "1: `open`: `maybe` is none of true, false"),
            ("listen: {a: 1}", "1: `listen`: write one value"),
            ("open: true\nlisten", "not YAML"),
            ("[a]", "not YAML"),
        ] {
            let slip = Settings::parse(text).unwrap_err().to_string();
            assert!(slip.contains(told), "{text}: {slip}");
        }
        assert!(Settings::parse("").unwrap().listen.is_none());
    }
}
