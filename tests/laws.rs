//! The laws of the engine, on every game in `rules/` and on the example of the language reference: random play, many
//! seeds. `WYRMGATE_LAWS_GAMES=500 cargo test --release --test laws` plays so many games of every setup.

#![cfg(test)]

use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use wyrmgate::check::{Checked, Shape, check};
use wyrmgate::diagnostic::{Report, Sources};
use wyrmgate::engine::{
    Arg, Choice, Collect, Pending, Seeded, Silent, State, StepError, Viewer, choice_from_json,
    choice_to_json, count_choices, decision_docs, disguise, event_doc, explain, for_each_choice,
    is_legal, nth_choice, pending, random_choice, start, step, step_legal, view,
};
use wyrmgate::lang::definition::Definition;
use wyrmgate::lang::load::{load, load_dir};
use wyrmgate::program::Program;

// ---- the games

fn rules() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("rules")
}

/// Every game: its name and what its files say.
fn games() -> Vec<(String, Checked)> {
    let mut games = vec![("the reference's example".to_owned(), example_of_reference())];
    let mut folders: Vec<PathBuf> = fs::read_dir(rules())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("game.yaml").exists())
        .collect();
    folders.sort();
    for folder in folders {
        let loaded = load_dir(&folder).unwrap();
        let name = folder.file_name().unwrap().to_string_lossy().into_owned();
        let checked = checked(loaded.definition, loaded.report, &loaded.sources);
        games.push((name, checked));
    }
    games
}

fn example_of_reference() -> Checked {
    let text = fs::read_to_string(rules().join("README.md")).unwrap();
    let (_, rest) = text.split_once("```yaml game\n").unwrap();
    let (game, _) = rest.split_once("```").unwrap();
    let files = [("example/game.yaml".to_owned(), game.to_owned())];
    let mut sources = Sources::default();
    let (definition, report) = load(&mut sources, &files, "example/game.yaml");
    checked(definition, report, &sources)
}

fn checked(definition: Option<Definition>, mut report: Report, sources: &Sources) -> Checked {
    let checked = definition.and_then(|definition| check(&definition, &mut report));
    assert!(!report.has_errors(), "{}", report.render(sources, false));
    checked.unwrap()
}

/// Each option at each end of what it allows, the others at their defaults.
fn option_sets(checked: &Checked) -> Vec<BTreeMap<String, String>> {
    let mut sets = Vec::new();
    for option in &checked.options {
        let values = match &option.shape {
            Shape::Bool => vec![0, 1],
            Shape::Range { low, high, .. } => vec![*low, *high],
            Shape::OneOf(names) => (0..names.len() as i32).collect(),
        };
        for value in values.into_iter().filter(|value| *value != option.default) {
            let shown = option.shape.show(value);
            sets.push(BTreeMap::from([(option.name.clone(), shown)]));
        }
    }
    sets
}

/// Every number of seats with the defaults, and every set of options with one number of seats after the other; with
/// all of them if more than one game of each is asked for.
fn setups(checked: &Checked) -> Vec<(usize, BTreeMap<String, String>)> {
    let plain = checked.seats.iter().map(|seats| (*seats, BTreeMap::new()));
    let mut setups: Vec<_> = plain.collect();
    for (number, options) in option_sets(checked).into_iter().enumerate() {
        let one = number % checked.seats.len();
        let wanted = checked.seats.iter().enumerate();
        let wanted = wanted.filter(|(at, _)| games_of_each() > 1 || *at == one);
        setups.extend(wanted.map(|(_, seats)| (*seats, options.clone())));
    }
    setups
}

static PROGRAMS: LazyLock<Vec<(String, Program)>> = LazyLock::new(|| {
    let mut programs = Vec::new();
    for (name, checked) in games() {
        for (seats, options) in setups(&checked) {
            if let Ok(setup) = checked.setup(seats, &options) {
                let program = checked.compile(&setup).unwrap();
                programs.push((format!("{name}, {seats} seats, {options:?}"), program));
            }
        }
    }
    programs
});

fn games_of_each() -> u64 {
    let wanted = std::env::var("WYRMGATE_LAWS_GAMES").ok();
    wanted.and_then(|wanted| wanted.parse().ok()).unwrap_or(1)
}

// ---- chance of the tests

struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) % n.max(1)
    }

    fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }
}

fn seed(number: u64) -> [u8; 32] {
    let mut seed = [7; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

// ---- playing

/// A game under way, and where we are for messages.
struct Game<'p> {
    at: String,
    program: &'p Program,
    state: State,
    dice: Dice,
}

impl<'p> Game<'p> {
    fn begin(name: &str, program: &'p Program, number: u64) -> Game<'p> {
        let state = start(program, seed(number), &mut Seeded, &mut Silent)
            .unwrap_or_else(|fault| panic!("{name}, game {number}: {fault} {:?}", fault.span));
        Game {
            at: format!("{name}, game {number}"),
            program,
            state,
            dice: Dice(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1),
        }
    }

    fn pending(&mut self) -> Option<Pending> {
        let owed = pending(self.program, &self.state);
        let at = self.dice.below(owed.len() as u64) as usize;
        owed.get(at).copied()
    }

    fn draw(&mut self, owed: &Pending) -> Choice {
        let dice = &mut self.dice;
        random_choice(self.program, &self.state, owed, &mut |n| dice.below(n))
            .unwrap_or_else(|fault| panic!("{}: {fault}", self.at))
            .unwrap_or_else(|| panic!("{}: a decision without a choice", self.at))
    }

    fn step(&mut self, owed: &Pending, choice: &Choice) {
        let (program, state) = (self.program, &mut self.state);
        step_legal(program, state, owed.index, choice, &mut Seeded, &mut Silent)
            .unwrap_or_else(|error| panic!("{}: {error:?}", self.at));
    }

    fn all_choices(&self, owed: &Pending, at_most: usize) -> Vec<Choice> {
        let mut all = Vec::new();
        for_each_choice(self.program, &self.state, owed, &mut |choice| {
            all.push(choice.clone());
            if all.len() == at_most {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })
        .unwrap();
        all
    }
}

/// Plays every program and looks at about one rest in `every`.
fn at_rests(every: u64, mut look: impl FnMut(&mut Game<'_>)) {
    for (name, program) in PROGRAMS.iter() {
        for number in 1..=games_of_each() {
            let mut game = Game::begin(name, program, number);
            while let Some(owed) = game.pending() {
                assert!(
                    game.state.decisions_made() <= program.bound,
                    "{}: longer than {} decisions",
                    game.at,
                    program.bound
                );
                if game.dice.one_in(every) {
                    look(&mut game);
                }
                let choice = game.draw(&owed);
                game.step(&owed, &choice);
            }
            assert!(game.state.outcome().is_some(), "{}", game.at);
            look(&mut game);
        }
    }
}

// ---- the laws

#[test]
fn what_is_listed_is_accepted_and_counted() {
    at_rests(20, |game| {
        for owed in pending(game.program, &game.state) {
            let all = game.all_choices(&owed, 200);
            let count = count_choices(game.program, &game.state, &owed).unwrap();
            assert!(count > 0, "{}: a decision without a choice", game.at);
            assert_eq!(count.min(200), all.len() as u64, "{}", game.at);
            for (number, choice) in all.iter().enumerate() {
                let nth = nth_choice(game.program, &game.state, &owed, number as u64).unwrap();
                assert_eq!(nth.as_ref(), Some(choice), "{}", game.at);
                assert!(
                    is_legal(game.program, &game.state, &owed, choice).unwrap(),
                    "{}: {choice:?}",
                    game.at
                );
            }
            let unlike = |choice: &Choice| all.iter().filter(|other| *other == choice).count();
            assert!(all.iter().all(|choice| unlike(choice) == 1), "{}", game.at);
            let choice = game.draw(&owed);
            assert!(all.len() == 200 || all.contains(&choice), "{}", game.at);
        }
    });
}

/// Choices near a legal one: other values, shorter and longer lists, other options.
fn near(choice: &Choice, dice: &mut Dice) -> Choice {
    let mut other = choice.clone();
    let number = dice.below(other.args.len() as u64) as usize;
    match other.args.get_mut(number) {
        Some(Arg::One(value)) => *value += dice.below(9) as i32 - 4,
        Some(Arg::Many(values)) if dice.one_in(2) => {
            let at = dice.below(values.len() as u64 + 1) as usize;
            values.insert(at, dice.below(12) as i32 - 1);
        }
        Some(Arg::Many(values)) => {
            values.pop();
            values.reverse();
        }
        None => other.option += dice.below(3) as u16,
    }
    if dice.one_in(6) {
        other.option = dice.below(4) as u16;
    }
    if dice.one_in(12) {
        other.args.push(Arg::One(0));
    }
    other
}

#[test]
fn what_is_not_listed_is_rejected_and_changes_nothing() {
    at_rests(20, |game| {
        for owed in pending(game.program, &game.state) {
            let all = game.all_choices(&owed, 500);
            if all.len() == 500 {
                continue;
            }
            for _ in 0..20 {
                let choice = all[game.dice.below(all.len() as u64) as usize].clone();
                let other = near(&choice, &mut game.dice);
                let listed = all.contains(&other);
                let legal = is_legal(game.program, &game.state, &owed, &other).unwrap();
                assert_eq!(legal, listed, "{}: {other:?}", game.at);
                if listed {
                    continue;
                }
                let mut state = game.state.clone();
                let mut events = Collect::default();
                let error = step(
                    game.program,
                    &mut state,
                    owed.index,
                    &other,
                    &mut Seeded,
                    &mut events,
                );
                let Err(StepError::Rejected(rejection)) = error else {
                    panic!("{}: {error:?}", game.at);
                };
                let explained = explain(game.program, &game.state, &owed, &other);
                assert_eq!(rejection, explained, "{}", game.at);
                assert!(!rejection.message.is_empty());
                assert_eq!(state, game.state, "{}", game.at);
                assert!(events.0.is_empty(), "{}", game.at);
            }
        }
    });
}

#[test]
fn choices_survive_json() {
    at_rests(30, |game| {
        for owed in pending(game.program, &game.state) {
            let viewer = Viewer::Seat(owed.seat);
            let mut names = Vec::new();
            for choice in game.all_choices(&owed, 100) {
                let json = choice_to_json(game.program, &game.state, &owed, &choice, viewer);
                let back = choice_from_json(game.program, &game.state, &owed, &json);
                assert_eq!(back.as_ref(), Ok(&choice), "{}: {json}", game.at);
                assert!(!names.contains(&json), "{}: {json} twice", game.at);
                names.push(json);
            }
        }
    });
}

#[test]
fn an_unfinished_game_waits_for_somebody() {
    at_rests(1, |game| {
        let owed = pending(game.program, &game.state);
        assert_eq!(
            owed.is_empty(),
            game.state.outcome().is_some(),
            "{}",
            game.at
        );
    });
}

#[test]
fn the_same_seed_and_choices_make_the_same_game() {
    for (name, program) in PROGRAMS.iter() {
        for number in 1..=games_of_each() {
            let one = whole_game(name, program, number);
            let other = whole_game(name, program, number);
            assert!(one == other, "{name}, game {number}");
        }
    }
}

/// The states as bytes and the events as text.
fn whole_game(name: &str, program: &Program, number: u64) -> (Vec<Vec<u8>>, Vec<String>) {
    let mut game = Game::begin(name, program, number);
    let mut states = vec![game.state.encode(program)];
    let mut events = Collect::default();
    while let Some(owed) = game.pending() {
        let choice = game.draw(&owed);
        let mut chance = Seeded;
        step(
            program,
            &mut game.state,
            owed.index,
            &choice,
            &mut chance,
            &mut events,
        )
        .unwrap();
        if game.dice.one_in(10) {
            states.push(game.state.encode(program));
        }
    }
    let told = |event| event_doc(program, event, Viewer::All).map(|doc| doc.to_string());
    (states, events.0.iter().filter_map(told).collect())
}

#[test]
fn looking_on_changes_nothing() {
    at_rests(30, |game| {
        let Some(owed) = game.pending() else {
            return;
        };
        let choice = game.draw(&owed);
        let mut watched = game.state.clone();
        let mut unwatched = game.state.clone();
        let (program, index) = (game.program, owed.index);
        let mut events = Collect::default();
        step(
            program,
            &mut watched,
            index,
            &choice,
            &mut Seeded,
            &mut events,
        )
        .unwrap();
        step_legal(
            program,
            &mut unwatched,
            index,
            &choice,
            &mut Seeded,
            &mut Silent,
        )
        .unwrap();
        assert_eq!(watched, unwatched, "{}", game.at);
    });
}

#[test]
fn saving_and_loading_changes_nothing() {
    at_rests(5, |game| {
        let bytes = game.state.encode(game.program);
        let back = State::decode(game.program, &bytes);
        assert_eq!(back.as_ref(), Ok(&game.state), "{}", game.at);
        game.state = back.unwrap();
    });
}

#[test]
fn damaged_bytes_are_refused_or_harmless() {
    at_rests(200, |game| {
        let bytes = game.state.encode(game.program);
        for _ in 0..40 {
            let mut damaged = bytes.clone();
            let at = game.dice.below(damaged.len() as u64) as usize;
            damaged[at] ^= 1 << game.dice.below(8);
            if game.dice.one_in(4) {
                damaged.truncate(at);
            }
            if let Ok(state) = State::decode(game.program, &damaged) {
                play_on(game.program, state, &mut game.dice);
            }
        }
    });
}

/// A few steps that may fail in any way but a crash.
fn play_on(program: &Program, mut state: State, dice: &mut Dice) {
    for _ in 0..5 {
        view(program, &state, Viewer::Seat(0));
        let owed = pending(program, &state).first().copied();
        let Some(owed) = owed else { return };
        let _ = decision_docs(program, &state, &owed, 5, 0);
        let choice = random_choice(program, &state, &owed, &mut |n| dice.below(n));
        let Ok(Some(choice)) = choice else { return };
        let (index, mut events) = (owed.index, Collect::default());
        let stepped = step(
            program,
            &mut state,
            index,
            &choice,
            &mut Seeded,
            &mut events,
        );
        if stepped.is_err() {
            return;
        }
        for event in &events.0 {
            event_doc(program, event, Viewer::Public);
        }
    }
}

#[test]
fn components_are_conserved() {
    at_rests(10, |game| {
        let all = serde_json::to_value(view(game.program, &game.state, Viewer::All)).unwrap();
        let mut ids = Vec::new();
        collect_ids(&all, &mut ids);
        ids.sort();
        let mut names: Vec<String> = game
            .program
            .components
            .iter()
            .map(|info| info.name.clone())
            .collect();
        names.sort();
        assert_eq!(ids, names, "{}", game.at);
    });
}

fn collect_ids(json: &serde_json::Value, ids: &mut Vec<String>) {
    match json {
        serde_json::Value::Object(object) => {
            if let (Some(id), Some(_)) = (object.get("id"), object.get("kind")) {
                ids.extend(id.as_str().map(str::to_owned));
            }
            object.values().for_each(|value| collect_ids(value, ids));
        }
        serde_json::Value::Array(values) => {
            values.iter().for_each(|value| collect_ids(value, ids));
        }
        _ => {}
    }
}

/// All that a seat is told at a rest: its view, the decisions it owes, and why others' choices are refused.
fn told(program: &Program, state: &State, seat: u8) -> Vec<String> {
    let viewer = Viewer::Seat(seat);
    let mut told = vec![serde_json::to_string(&view(program, state, viewer)).unwrap()];
    for owed in pending(program, state) {
        if owed.seat == seat {
            let doc = decision_docs(program, state, &owed, 50, 0).unwrap();
            told.push(serde_json::to_string(&doc).unwrap());
            for option in 0..3 {
                let args = [Arg::One(0)].into_iter().collect();
                let choice = Choice { option, args };
                told.push(format!(
                    "{:?}",
                    explain(program, state, &owed, &choice).code
                ));
            }
        }
    }
    told
}

#[test]
fn nobody_can_tell_what_is_hidden() {
    let mut disguised = 0;
    at_rests(15, |game| {
        for seat in 0..game.program.seats as u8 {
            let dice = &mut game.dice;
            let other = disguise(game.program, &game.state, seat, &mut |n| dice.below(n));
            disguised += usize::from(other != game.state);
            let bytes = other.encode(game.program);
            let sound = State::decode(game.program, &bytes).is_ok();
            assert!(sound, "{}", game.at);
            let here = told(game.program, &game.state, seat);
            let there = told(game.program, &other, seat);
            assert_eq!(here, there, "{}, seat {}", game.at, seat + 1);
        }
    });
    assert!(disguised > 0, "nothing was hidden anywhere");
}
