//! The game that an editor debugs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::request::Wanted;
use crate::debugger::{
    Course, DebuggedGame, Tape, of_choices, of_random_game, of_record, of_scenario,
};
use crate::editor::Project;
use crate::rules::Ruleset;
use wyrmgate_analysis::record::Record;
use wyrmgate_base::diagnostic::FileId;
use wyrmgate_compile::check::OptionProblem;

/// A recorded game, and the paths under which the editor knows its files.
#[derive(Debug)]
pub struct Debugged {
    pub course: Arc<Course>,
    paths: Vec<PathBuf>,
}

impl Debugged {
    /// Plays what an editor wants to debug, on a tape with room for this many bytes.
    pub fn of(project: Project, wanted: &Wanted, room: usize) -> Result<Debugged, String> {
        let tape = Tape::of(room);
        let files = project.clone();
        let course = match (&wanted.scenario, &wanted.choices) {
            (Some(scenario), _) => {
                let name = project.name().to_owned();
                of_scenario(&name, project.with_scenarios(), scenario, tape)?
            }
            (None, Some(choices)) => {
                of_choices(wanted.seed()?, choices, game(&project, wanted)?, tape)
            }
            (None, None) => of_random_game(wanted.seed()?, game(&project, wanted)?, tape),
        };
        Ok(Debugged::with_paths(course, &files))
    }

    /// Plays a record again.
    pub fn of_record(project: &Project, record: &Record, room: usize) -> Result<Debugged, String> {
        let ruleset = ruleset(project)?;
        let game = DebuggedGame::of(&ruleset, record.seats.into(), &record.options);
        let game = game.map_err(|problems| in_words(&problems))?;
        let course = of_record(record, game, Tape::of(room));
        Ok(Debugged::with_paths(course, project))
    }

    fn with_paths(course: Course, project: &Project) -> Debugged {
        let files = course.game.sources.iter();
        let paths = files.map(|(file, source)| {
            let path = project
                .path(file)
                .unwrap_or_else(|| source.path.clone().into());
            std::path::absolute(&path).unwrap_or(path)
        });
        Debugged {
            paths: paths.collect(),
            course: Arc::new(course),
        }
    }

    /// Returns the file of the rules at a path. Editors may know a file by another path with the same end.
    pub(super) fn file_at(&self, path: &Path) -> Option<FileId> {
        let same = self.paths.iter().position(|known| known == path);
        let similar = || {
            let mut sources = self.course.game.sources.iter();
            sources.position(|(_, source)| path.ends_with(&source.path))
        };
        u16::try_from(same.or_else(similar)?).ok().map(FileId)
    }

    pub(super) fn path(&self, file: FileId) -> Option<&Path> {
        self.paths.get(usize::from(file.0)).map(PathBuf::as_path)
    }
}

fn game(project: &Project, wanted: &Wanted) -> Result<DebuggedGame, String> {
    let ruleset = ruleset(project)?;
    let least = ruleset.checked.seats.first().copied().unwrap_or_default();
    let seats = wanted.seats.unwrap_or(least);
    let game = DebuggedGame::of(&ruleset, seats, &wanted.options);
    game.map_err(|problems| in_words(&problems))
}

fn ruleset(project: &Project) -> Result<Ruleset, String> {
    let ruleset = Ruleset::from_bundle(project.bundle());
    ruleset.map_err(|broken| broken.report.render(&broken.sources, false))
}

fn in_words(problems: &[OptionProblem]) -> String {
    let problems = problems.iter().map(ToString::to_string);
    problems.collect::<Vec<String>>().join("; ")
}
