//! Every game keeps every law.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use wyrmgate::check::{Checked, check};
use wyrmgate::diagnostic::{Report, Sources};
use wyrmgate::lang::definition::Definition;
use wyrmgate::lang::load::{load, load_dir};
use wyrmgate::laws::{LAWS, Plan, Proof, Setting, prove, settings};
use wyrmgate::rules::{Ruleset, game_folders, variant, variants_of};

/// The seed of all games played here.
const SEED: [u8; 32] = [7; 32];

pub fn rules() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
}

/// Every game: its name and what its files say.
fn games() -> Vec<(String, Checked)> {
    let mut games = vec![("the reference's example".to_owned(), example_of_reference())];
    for folder in game_folders(&rules()).unwrap() {
        let loaded = load_dir(&folder).unwrap();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let checked = checked(loaded.definition, loaded.report, &loaded.sources);
        games.push((name, checked));
    }
    games
}

pub fn example_of_reference() -> Checked {
    let text = fs::read_to_string(rules().join("guide/reference.md")).unwrap();
    let (_, rest) = text.split_once("```yaml game\n").unwrap();
    let (game, _) = rest.split_once("```").unwrap();
    game_of(game)
}

/// The game that a text describes.
pub fn game_of(text: &str) -> Checked {
    let files = [("example/game.yaml".to_owned(), text.to_owned())];
    let mut sources = Sources::default();
    let (definition, report) = load(&mut sources, &files, "example/game.yaml");
    checked(definition, report, &sources)
}

fn checked(definition: Option<Definition>, mut report: Report, sources: &Sources) -> Checked {
    let checked = definition.and_then(|definition| check(&definition, &mut report));
    assert!(!report.has_errors(), "{}", report.render(sources, false));
    checked.unwrap()
}

/// The defaults with every number of seats, and every other set of options with one number of seats after the other.
fn short(checked: &Checked) -> Vec<Setting> {
    let mut turn = 0;
    let mut all = settings(checked, &checked.seats, &SEED);
    all.retain(|setting| {
        turn += 1;
        let seats = checked.seats[turn % checked.seats.len()];
        setting.options.is_empty() || setting.seats == seats
    });
    all
}

fn plan() -> Plan {
    Plan {
        games: 1..=1,
        seed: SEED,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        laws: LAWS.iter().collect(),
        oftener: 10,
    }
}

fn proof(checked: &Checked, setting: &Setting, plan: &Plan) -> Proof {
    let setup = checked.setup(setting.seats, &setting.options).unwrap();
    let program = checked.compile_with_reveals(&setup).unwrap();
    prove(&program, plan, &AtomicBool::new(false), &mut || {})
}

#[test]
fn every_game_keeps_every_law() {
    let all = plan();
    let mut looked = vec![0; all.laws.len()];
    for (name, checked) in games() {
        for setting in short(&checked) {
            let proof = proof(&checked, &setting, &all);
            let seats = setting.seats;
            assert!(
                proof.holds(),
                "{name}, {seats} seats, {setting}: {proof:#?}"
            );
            assert_eq!(proof.lengths.total(), 1, "{name}, {seats} seats, {setting}");
            for (looked, times) in looked.iter_mut().zip(proof.looked) {
                *looked += times;
            }
        }
    }
    for (law, times) in all.laws.iter().zip(looked) {
        let by_playing = ["ends", "acts"].contains(&law.name);
        assert!(by_playing || times > 0, "{} was never looked at", law.name);
    }
}

#[test]
fn the_same_seed_gives_the_same_proof_on_any_number_of_threads() {
    let checked = example_of_reference();
    let mut plan = Plan {
        games: 1..=20,
        ..plan()
    };
    let [one, other] = [1, 4].map(|threads| {
        plan.threads = threads;
        let settings = settings(&checked, &[3], &SEED);
        settings
            .iter()
            .map(|setting| proof(&checked, setting, &plan))
            .collect::<Vec<_>>()
    });
    assert_eq!(one, other);
    assert!(one.len() > 5, "{}", one.len());
}

#[test]
fn settings_change_each_option_alone_and_draw_combinations() {
    let checked = example_of_reference();
    let all = settings(&checked, &checked.seats, &SEED);
    let of_two: Vec<String> = all
        .iter()
        .filter(|setting| setting.seats == 2)
        .map(Setting::to_string)
        .collect();
    let alone = [
        "defaults",
        "hand_size=1",
        "hand_size=2",
        "hand_size=4",
        "hand_size=5",
        "windy=true",
    ];
    assert_eq!(of_two[..6], alone);
    assert_eq!(
        of_two.len(),
        10,
        "all that is left of five by two: {of_two:?}"
    );
    assert_eq!(all, settings(&checked, &checked.seats, &SEED));
    assert_eq!(settings(&checked, &[3], &SEED).len(), 10);
}

/// House rules are rules: with their defaults, for every number of seats.
#[test]
fn every_variant_keeps_every_law() {
    for folder in game_folders(&rules()).unwrap() {
        let plan = plan();
        for (name, file) in variants_of(&folder).unwrap() {
            let stack = variant(&folder, &file, &rules()).unwrap();
            let checked = Ruleset::from_stack(&stack).unwrap().unwrap().checked;
            let mut all = settings(&checked, &checked.seats, &SEED);
            all.retain(|setting| setting.options.is_empty());
            for setting in all {
                let proof = proof(&checked, &setting, &plan);
                assert!(proof.holds(), "{name}: {proof:#?}");
            }
        }
    }
}

/// Games without leaks in which a careless law would find one: see the comments in their files.
#[test]
fn honest_games_keep_the_law_of_what_is_hidden() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/lawful");
    let plan = Plan {
        games: 1..=60,
        laws: LAWS.iter().filter(|law| law.name == "hidden").collect(),
        oftener: 4,
        ..plan()
    };
    for folder in game_folders(&folder).unwrap() {
        let loaded = load_dir(&folder).unwrap();
        let checked = checked(loaded.definition, loaded.report, &loaded.sources);
        for setting in settings(&checked, &checked.seats, &SEED) {
            let proof = proof(&checked, &setting, &plan);
            assert!(proof.holds(), "{}: {proof:#?}", folder.display());
            assert!(proof.compared.pairs > 0, "{}", folder.display());
        }
    }
}

/// Men that are alike are listed once. Which of them a seat takes makes no difference, also where all seats choose at the same
/// time and the game keeps the choice of each until all have chosen.
#[test]
fn what_is_listed_once_is_alike_in_simultaneous_choices_too() {
    let rules = "game: camp\ntitle: Camp\nplayers: 2\nbound: 40\nzones:\n  pot: {each: {owner: seats}, holds: man}\n  \
                 camp: {each: {owner: seats}, holds: man, order: any}\ncomponents:\n  \
                 man: {plural: men, each: {owner: seats, rank: 1..2}, copies: 3, in: camp(owner)}\neffects:\n  play: |\n    \
                 repeat 6 times:\n      CHOOSE\n    finish drawn\n";
    let plan = Plan {
        games: 1..=20,
        laws: LAWS.iter().filter(|law| law.name == "alike").collect(),
        oftener: u64::MAX,
        ..plan()
    };
    let proof = |choose: &str| {
        let checked = game_of(&rules.replace("CHOOSE", choose));
        proof(&checked, &settings(&checked, &[2], &SEED)[0], &plan)
    };
    for choose in [
        "each p in seats chooses m in camp(p)\n      each p in seats: move m[p] to pot(p)",
        "each p in seats:\n        choose m in camp(p) by p\n        move m to pot(p)",
    ] {
        let proof = proof(choose);
        assert!(proof.holds() && proof.looked[0] > 100, "{proof:#?}");
    }
    // Which of them it was still counts where the rules tell them apart.
    let told = proof(
        "each p in seats chooses m in camp(p)\n      each p in seats: if m[p] = man(p, 1, 1): p scores 1",
    );
    assert!(!told.holds(), "{told:#?}");
}
