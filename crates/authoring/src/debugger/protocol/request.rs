//! The requests of an editor, in JSON.

use std::path::PathBuf;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::super::walk::StopMark;
use wyrmgate_analysis::record::{seed_from_hex, seed_from_number};

/// A request of an editor.
#[derive(Debug, Clone, Deserialize)]
pub struct Request {
    #[serde(rename = "seq", default)]
    pub number: i64,
    pub command: String,
    #[serde(default)]
    pub arguments: Value,
}

impl Request {
    /// Reads the arguments. A request without arguments has `null` or no such member.
    pub(super) fn read(&self) -> Result<Arguments, String> {
        match &self.arguments {
            Value::Null => Ok(Arguments::default()),
            arguments => {
                serde_json::from_value(arguments.clone()).map_err(|error| error.to_string())
            }
        }
    }
}

/// The arguments of all requests but `launch`. Editors add members of their own.
#[derive(Debug, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub(super) struct Arguments {
    pub source: SourceFile,
    pub breakpoints: Vec<Breakpoint>,
    /// From 1.
    pub frame_id: usize,
    /// From 1.
    pub variables_reference: usize,
    pub expression: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct SourceFile {
    pub path: PathBuf,
}

/// A line, from 1, or the name of a clause.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(super) struct Breakpoint {
    line: usize,
    name: String,
    condition: Option<String>,
}

impl Breakpoint {
    pub fn of_line(&self) -> StopMark<usize> {
        self.with(self.line)
    }

    pub fn of_clause(&self) -> StopMark<&str> {
        self.with(&self.name)
    }

    /// Editors send an empty condition for none.
    fn with<T>(&self, at: T) -> StopMark<T> {
        let condition = self.condition.clone();
        StopMark {
            at,
            condition: condition.filter(|text| !text.trim().is_empty()),
        }
    }
}

/// The arguments of `launch`. Editors add members of their own.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Wanted {
    pub game: Option<String>,
    pub scenario: Option<String>,
    pub record: Option<PathBuf>,
    pub seats: Option<usize>,
    pub options: Map<String, Value>,
    seed: Seed,
    /// Choices from the beginning of the game, each with its seat.
    pub choices: Option<Vec<Value>>,
    pub stop_on_entry: bool,
}

/// A short number, or all 64 hexadecimal digits.
#[derive(Debug, Clone, Deserialize)]
#[serde(untagged)]
enum Seed {
    Number(u64),
    Digits(String),
}

impl Default for Seed {
    fn default() -> Seed {
        Seed::Number(1)
    }
}

impl Wanted {
    pub fn seed(&self) -> Result<[u8; 32], String> {
        match &self.seed {
            Seed::Number(number) => Ok(seed_from_number(*number)),
            Seed::Digits(digits) => {
                let seed = seed_from_hex(digits);
                seed.ok_or_else(|| "`seed` is a number or 64 hexadecimal digits".to_owned())
            }
        }
    }
}
