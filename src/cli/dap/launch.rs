//! Finds what an editor wants to debug on disk.

use std::path::Path;

use crate::debugger::BYTES_MAX;
use crate::debugger::protocol::{Debugged, Wanted};
use crate::editor::Project;
use crate::record::Record;
use crate::rules::find;

/// Plays the game that is to be debugged.
pub fn debugged(wanted: &Wanted, rules: &Path) -> Result<Debugged, String> {
    if let Some(file) = &wanted.record {
        let text = std::fs::read_to_string(file);
        let text = text.map_err(|error| format!("{}: {error}", file.display()))?;
        let record = Record::from_json(&text).map_err(|error| error.to_string())?;
        return Debugged::of_record(&project(&record.game, rules)?, &record, BYTES_MAX);
    }
    let game = wanted.game.as_deref();
    let game = game.ok_or("`game` is missing: a game by name or folder")?;
    Debugged::of(project(game, rules)?, wanted, BYTES_MAX)
}

fn project(game: &str, rules: &Path) -> Result<Project, String> {
    let stack = find(game, rules).map_err(|error| error.to_string())?;
    Project::of_stack(stack).map_err(|error| error.to_string())
}
