//! Replays the inputs that are kept of fuzzing, so that nothing of what was found comes back. `fuzz/README.md` says how to look
//! for more.

#![cfg(test)]

mod bodies;

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bodies::{TARGETS, Target, deep};
use wyrmgate::dice::Dice;

/// The root of the project.
pub const ROOT: &str = env!("CARGO_MANIFEST_DIR");

/// All inputs that are kept, in bytes.
const KEPT_MAX: u64 = 2 << 20;
/// One input may take so long where it is built without optimization and the machine is busy.
const INPUT_MAX: Duration = Duration::from_secs(10);

fn inputs(folder: &str, target: &str) -> Vec<PathBuf> {
    let folder = Path::new(ROOT).join("fuzz").join(folder).join(target);
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths
}

/// All inputs of a target, each with what it is called.
fn kept(target: &Target) -> Vec<(String, Vec<u8>)> {
    let mut paths = inputs("corpus", target.name);
    paths.extend(inputs("regressions", target.name));
    let files = paths.iter().map(|path| {
        let name = path.display().to_string();
        (name, fs::read(path).unwrap())
    });
    let seeds = (target.seeds)().into_iter().enumerate();
    let seeds = seeds.map(|(number, seed)| (format!("seed {number}"), seed));
    let all: Vec<(String, Vec<u8>)> = files.chain(seeds).collect();
    assert!(!all.is_empty(), "{} has no inputs", target.name);
    all
}

fn replay(name: &str) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let mut failed = Vec::new();
    for (input, data) in kept(target) {
        let began = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| bodies::run(target.run, &data)));
        if done.is_err() || began.elapsed() > INPUT_MAX {
            failed.push(input);
        }
    }
    assert!(failed.is_empty(), "{name} fails with {failed:#?}");
}

macro_rules! replays {
    ($($name:ident)*) => {
        $(#[test]
        fn $name() {
            replay(stringify!($name));
        })*

        #[test]
        fn every_target_is_replayed_and_can_be_run() {
            let replayed = [$(stringify!($name)),*];
            let targets: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
            assert_eq!(targets, replayed);
            let manifest = fs::read_to_string(Path::new(ROOT).join("fuzz/Cargo.toml")).unwrap();
            for name in targets {
                assert!(manifest.contains(&format!("path = \"targets/{name}.rs\"")), "{name}");
            }
        }
    };
}

replays! { yaml effects overlays choices sealed records snapshots http embedded }

/// The targets that read the text of authors or clients, or what is stored of a game.
const DEEP: [&str; 7] = [
    "yaml",
    "effects",
    "overlays",
    "choices",
    "records",
    "snapshots",
    "http",
];
/// Recipes for each target, unless a number of seconds says how long to try.
const RECIPES: usize = 12;

/// `WYRMGATE_DEEP_SECONDS=3600` tries new recipes for an hour for each target, and keeps the last one in the folder for temporary
/// files: a stack that overflows leaves nothing else.
#[test]
fn what_nests_deep_is_read_or_refused() {
    let seconds = std::env::var("WYRMGATE_DEEP_SECONDS").ok();
    let seconds: Option<u64> = seconds.and_then(|seconds| seconds.parse().ok());
    std::thread::scope(|scope| {
        for name in DEEP {
            scope.spawn(move || try_recipes(name, seconds.map(Duration::from_secs)));
        }
    });
}

fn try_recipes(name: &str, patience: Option<Duration>) {
    let target = TARGETS.iter().find(|target| target.name == name).unwrap();
    let inputs = kept(target);
    let began = Instant::now();
    let seed = patience.map_or(1, |_| u64::from(std::process::id()));
    let mut dice = Dice::new(seed);
    let mut tried = 0;
    while patience.map_or(tried < RECIPES, |patience| began.elapsed() < patience) {
        let (_, input) = &inputs[dice.below(inputs.len() as u64) as usize];
        let recipe = deep::recipe(input, &mut dice);
        if patience.is_some() {
            fs::write(
                std::env::temp_dir().join(format!("wyrmgate-deep-{name}")),
                &recipe,
            )
            .unwrap();
        }
        bodies::run(target.run, &recipe);
        tried += 1;
    }
    eprintln!("{name}: {tried} recipes in {:?}", began.elapsed());
}

#[test]
fn what_is_kept_is_small() {
    let all = TARGETS.iter().flat_map(|target| {
        let mut paths = inputs("corpus", target.name);
        paths.extend(inputs("regressions", target.name));
        paths
    });
    let bytes: u64 = all.map(|path| fs::metadata(path).unwrap().len()).sum();
    assert!(bytes <= KEPT_MAX, "{bytes} bytes are kept");
}
