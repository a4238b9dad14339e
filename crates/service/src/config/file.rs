//! Settings in a YAML file: defaults in place of those of the flags.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Command;
use clap::error::ErrorKind;
use serde_json::Value;

use wyrmgate_base::diagnostic::did_you_mean;

/// Why a settings file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum SettingsError {
    #[error("cannot read {0}: {1}")]
    Unreadable(String, std::io::Error),
    #[error("{0}: {1}")]
    Malformed(String, String),
}

/// The values that a settings file states, as flags take them.
#[derive(Debug)]
pub struct SettingsFile(Vec<(String, String)>);

impl SettingsFile {
    /// Reads and checks a file.
    pub fn read(file: &Path) -> Result<SettingsFile, SettingsError> {
        let name = file.display().to_string();
        match std::fs::read_to_string(file) {
            Ok(text) => SettingsFile::parse(&name, &text),
            Err(error) => Err(SettingsError::Unreadable(name, error)),
        }
    }

    fn parse(name: &str, text: &str) -> Result<SettingsFile, SettingsError> {
        let read = serde_yaml::from_str::<Option<BTreeMap<String, Value>>>(text);
        let entries = read
            .map_err(|error| SettingsError::Malformed(name.to_owned(), error.to_string()))?
            .unwrap_or_default();
        let mut stated = Vec::new();
        for (setting, value) in entries {
            let value = written(&value).and_then(|value| check(&setting, value));
            let value = value.map_err(|message| {
                let is_of_it = |line: &str| {
                    let rest = line.trim_start().strip_prefix(&setting);
                    rest.is_some_and(|rest| rest.trim_start().starts_with(':'))
                };
                let line = text.lines().position(is_of_it).map_or(1, |at| at + 1);
                SettingsError::Malformed(format!("{name}:{line}"), message)
            })?;
            stated.extend(value.map(|value| (setting, value)));
        }
        Ok(SettingsFile(stated))
    }

    /// Returns a command that has the flags of the settings, with these values as their defaults.
    pub fn as_defaults(self, command: Command) -> Command {
        self.0
            .into_iter()
            .fold(command, |command, (setting, value)| {
                command.mut_arg(setting, |arg| arg.default_value(value))
            })
    }
}

/// Returns a value as a flag takes it, or `None` if it is unset.
fn written(value: &Value) -> Result<Option<String>, String> {
    Ok(match value {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        Value::Array(members) => {
            let members = members.iter().map(written);
            let members: Vec<Option<String>> = members.collect::<Result<_, _>>()?;
            let members: Vec<String> = members.into_iter().flatten().collect();
            (!members.is_empty()).then(|| members.join(","))
        }
        Value::Bool(_) | Value::Number(_) => Some(value.to_string()),
        Value::Object(_) => return Err("a setting is one value or a list, not a map".into()),
    })
}

/// Returns the value of a setting if its flag takes it.
fn check(setting: &str, value: Option<String>) -> Result<Option<String>, String> {
    let settings = super::settings();
    let names: Vec<&str> = settings
        .get_arguments()
        .map(|arg| arg.get_id().as_str())
        .collect();
    if !names.contains(&setting) {
        let nearest = did_you_mean(setting, names.iter().copied());
        let nearest = nearest.map(|meant| format!("; did you mean `{meant}`?"));
        return Err(format!(
            "there is no setting `{setting}`{}",
            nearest.unwrap_or_default()
        ));
    }
    let flag = |value| format!("--{}={value}", setting.replace('_', "-"));
    let Err(error) = settings.try_get_matches_from(value.as_ref().map(flag)) else {
        return Ok(value);
    };
    let (text, source) = (error.to_string(), std::error::Error::source(&error));
    Err(match (error.kind(), source) {
        (ErrorKind::ValueValidation, Some(reason)) => format!("`{setting}`: {reason}"),
        _ => text
            .lines()
            .next()
            .unwrap_or_default()
            .replace("error: ", ""),
    })
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches;

    use super::*;
    use crate::config::{Config, settings};

    fn read(text: &str, flags: &[&str]) -> Result<Config, String> {
        let stated = SettingsFile::parse("settings.yaml", text);
        let stated = stated.map_err(|error| error.to_string())?;
        let command = stated.as_defaults(settings());
        let matches = command.try_get_matches_from(flags).unwrap();
        Ok(Config::from_arg_matches(&matches).unwrap())
    }

    #[test]
    fn a_flag_counts_then_the_file_then_the_default() {
        let file = "listen: 127.0.0.1:2\nsession_lifetime: 2h\nworkers: 3\nopen: true\nkeys:\n\
                    allow_origins: [https://a.example, https://b.example]\nrates: [create=5/h, list=9/s]";
        let config = read(file, &["--listen=127.0.0.1:1"]).unwrap();
        assert_eq!(config.listen, "127.0.0.1:1");
        assert_eq!(config.session_lifetime.as_secs(), 7200);
        assert_eq!((config.workers, config.open), (3, true));
        assert_eq!(config.allow_origins.len(), 2);
        assert_eq!(config.rates, "create=5/h,list=9/s".parse().unwrap());
        assert_eq!(config.store, Config::default().store);
        assert!(
            read("allow_origins: []", &[])
                .unwrap()
                .allow_origins
                .is_empty()
        );
        assert_eq!(
            read("", &[]).unwrap().heartbeat,
            Config::default().heartbeat
        );
    }

    #[test]
    fn a_slip_is_named_at_its_line_in_our_words() {
        for (text, said) in [
            (
                "wrokers: 2",
                ":1: there is no setting `wrokers`; did you mean `workers`?",
            ),
            (
                "log: info\nheartbeat: soon",
                ":2: `heartbeat`: `soon` is not a duration; write one like 500ms, 15s",
            ),
            (
                "workers: many",
                ":1: `workers`: invalid digit found in string",
            ),
            ("workers: 1000", ":1: `workers`: 1000 is not in 1..=512"),
            (
                "body_max: 1.5",
                ":1: `body_max`: invalid digit found in string",
            ),
            ("workers: 2\nwork: 3", ":2: there is no setting `work`"),
            (
                "log_format: xml",
                ":1: invalid value 'xml' for '--log-format <FORM>'",
            ),
            (
                "listen: {a: 1}",
                ":1: a setting is one value or a list, not a map",
            ),
            ("- listen", "settings.yaml: "),
        ] {
            let error = read(text, &[]).unwrap_err();
            assert!(error.contains(said), "{text}: {error}");
        }
    }
}
