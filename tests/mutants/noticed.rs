//! Mistakes in the shipped rules that their scenarios must notice: larger ones than `wyrmgate mutate` makes.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use serde::Deserialize;
use wyrmgate::scenario::suite;

use crate::support::command::wyrmgate;

const TABLE: &str = "tests/fixtures/mutants/noticed.yaml";

/// A row of the table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Mistake {
    /// The game's folder under `rules`.
    game: String,
    mistake: String,
    file: String,
    instead_of: String,
    write: String,
}

fn table() -> Vec<Mistake> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(TABLE);
    serde_yaml::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

/// A copy of the game without its variants.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_file() {
            fs::copy(&path, target).unwrap();
        } else if path.ends_with("scenarios") {
            copy(&path, &target);
        }
    }
}

/// Returns the mistake of a row; `None` if the rules still compile and a scenario fails.
fn complaint(row: &Mistake) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    let game = folder
        .path()
        .join(Path::new(&row.game).file_name().unwrap());
    copy(
        &Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("rules")
            .join(&row.game),
        &game,
    );
    let file = game.join(&row.file);
    let text = fs::read_to_string(&file).unwrap();
    match text.matches(&row.instead_of).count() {
        1 => {}
        count => return Some(format!("{:?} stands there {count} times", row.instead_of)),
    }
    fs::write(&file, text.replace(&row.instead_of, &row.write)).unwrap();
    let outcome = suite::run_folder(&game).unwrap();
    if outcome.report.has_errors() {
        return Some(format!(
            "the rules have errors:\n{}",
            outcome.report.render(&outcome.sources, false)
        ));
    }
    outcome.passed().then(|| "no scenario notices".to_owned())
}

#[test]
fn scenarios_notice_mistakes_of_the_table() {
    let rows = table();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut complaints = Vec::new();
        while let Some(row) = rows.get(next.fetch_add(1, Ordering::Relaxed)) {
            let complaint =
                complaint(row).map(|text| format!("{}: {}: {text}", row.game, row.mistake));
            complaints.extend(complaint);
        }
        complaints
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let complaints: Vec<String> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}

/// A sample of what `wyrmgate mutate` tries; `wyrmgate mutate rules --at-least 97` tries everything, for some minutes.
#[test]
fn scenarios_of_the_shipped_games_notice_a_sample_of_mutants() {
    let games = [
        "drakon",
        "magic-dragon",
        "mount-drago",
        "sneaky-dragons",
        "way-of-the-dragon",
    ];
    for game in games {
        let args = [
            "mutate",
            game,
            "--limit",
            "40",
            "--seed",
            "16",
            "--at-least",
            "97",
            "--json",
        ];
        let json = wyrmgate(&args).json();
        assert_eq!(json["ok"], true, "{game}: {json:#}");
    }
}
