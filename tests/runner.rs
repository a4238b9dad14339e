//! Play without an audience: the same game as step by step, in memory that is used again, and small.

#![cfg(test)]
#![expect(unsafe_code, reason = "an allocator can only be counted by being one")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use wyrmgate::bot::RandomBot;
use wyrmgate::check::{Checked, Shape, check};
use wyrmgate::compile::{Setup, compile_as_written};
use wyrmgate::diagnostic::Sources;
use wyrmgate::engine::choices::ChoiceMenu;
use wyrmgate::engine::{
    BoundValue, Seeded, Silent, State, Viewer, count_choices, for_each_choice, nth_choice, pending,
    start, step_legal, step_noting,
};
use wyrmgate::lang::load::{load, load_dir};
use wyrmgate::program::{Op, Program};
use wyrmgate::runner::{GameRest, Runner, choices};
use wyrmgate::spaces::Observations;

/// Counts what the present thread allocates.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

fn allocations() -> u64 {
    ALLOCATIONS.with(Cell::get)
}

fn count_one() {
    // A thread that ends may still free and allocate after its locals are gone.
    let _ = ALLOCATIONS.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: every call is passed on to the system's allocator as it came; counting touches a number and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count_one();
        // SAFETY: as promised by the caller.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: as promised by the caller.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count_one();
        // SAFETY: as promised by the caller.
        unsafe { System.realloc(memory, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Every game in `rules/` and below it.
fn games() -> Vec<PathBuf> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let mut games: Vec<PathBuf> = [rules.clone(), rules.join("gallery")]
        .into_iter()
        .flat_map(|folder| fs::read_dir(folder).into_iter().flatten())
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("game.yaml").exists())
        .collect();
    games.sort();
    assert!(games.len() >= 2);
    games
}

/// Every game with its fewest and its most seats.
fn programs() -> Vec<Program> {
    let games = games();
    games
        .iter()
        .flat_map(|folder| programs_of(folder))
        .collect()
}

fn programs_of(folder: &Path) -> Vec<Program> {
    let mut loaded = load_dir(folder).unwrap();
    let checked = check(&loaded.definition.unwrap(), &mut loaded.report).unwrap();
    let mut seats = vec![checked.seats[0], *checked.seats.last().unwrap()];
    seats.dedup();
    let programs = seats.into_iter().map(|seats| {
        let setup = checked.setup(seats, &Default::default()).unwrap();
        checked.compile(&setup).unwrap()
    });
    programs.collect()
}

fn seed(number: u64) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..8].copy_from_slice(&number.to_le_bytes());
    seed
}

#[test]
fn a_runner_plays_the_game_that_steps_play() {
    for program in programs() {
        let mut runner = Runner::new(&program).unwrap();
        for number in 0..3 {
            let mut bot = RandomBot::new(number);
            let mut state = start(&program, seed(number), &mut Seeded, &mut Silent).unwrap();
            runner.begin(seed(number)).unwrap();
            for _ in 0..200 {
                assert!(
                    runner.state() == &state,
                    "{}: {number}",
                    program.identity.game
                );
                assert_eq!(runner.pending(), pending(&program, &state).first().copied());
                let Some(owed) = runner.pending() else { break };
                let count = count_choices(&program, &state, &owed).unwrap();
                assert_eq!(runner.count().unwrap(), count, "{}", program.identity.game);
                let number = bot.below(count);
                let choice = nth_choice(&program, &state, &owed, number);
                let choice = choice.unwrap().unwrap();
                let (chance, nobody) = (&mut Seeded, &mut Silent);
                step_legal(&program, &mut state, 0, &choice, chance, nobody).unwrap();
                runner.take(number).unwrap();
            }
        }
    }
}

/// What a step finds of the next decision are its first choices, in their order.
#[test]
fn a_step_notes_the_first_choices_of_the_next_decision() {
    let mut noted = 0;
    for program in programs() {
        let (mut bot, mut first) = (RandomBot::new(1), ChoiceMenu::default());
        let mut state = start(&program, seed(1), &mut Seeded, &mut Silent).unwrap();
        for _ in 0..100 {
            let all = pending(&program, &state);
            assert!(
                all.len() == 1 || first.count() == 0,
                "{}",
                program.identity.game
            );
            let Some(owed) = all.last() else { break };
            let site = &program.sites[usize::from(owed.site)];
            let compared = first.count().min(200);
            for number in (0..compared).step_by(7) {
                let nth = nth_choice(&program, &state, owed, number).unwrap();
                assert_eq!(first.choice(site, number), nth, "{}", program.identity.game);
            }
            assert_eq!(first.choice(site, first.count()), None);
            noted += compared;
            let choice = bot.choose(&program, &state, owed).unwrap().unwrap();
            let (chance, nobody) = (&mut Seeded, &mut Silent);
            let index = owed.index;
            step_noting(
                &program, &mut state, index, &choice, chance, nobody, &mut first,
            )
            .unwrap();
        }
    }
    assert!(noted > 10_000, "{noted} choices");
}

/// Boards with more spaces than a mask has bits, played to the end: nothing is too much for machine code.
#[cfg(feature = "native")]
#[test]
fn machine_code_plays_large_boards() {
    let gallery = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/gallery");
    for (game, size) in [("hex", "14"), ("go", "19")] {
        let mut loaded = load_dir(&gallery.join(game)).unwrap();
        let checked = check(&loaded.definition.unwrap(), &mut loaded.report).unwrap();
        let options = BTreeMap::from([("size".to_owned(), size.to_owned())]);
        let setup = checked.setup(2, &options).unwrap();
        let program = checked.compile(&setup).unwrap();
        let [mut plain, mut fast] = [&program; 2].map(|program| Runner::new(program).unwrap());
        plain.interpret();
        fast.translate();
        play_to_the_end([&mut plain, &mut fast], game);
        assert_eq!(fast.moves_given_up(), 0, "{game}");
    }
}

/// The interpreter plays the steps that machine code gives up, and machine code continues afterwards.
#[cfg(feature = "native")]
#[test]
fn machine_code_goes_on_after_what_it_gives_up() {
    let mut sources = Sources::default();
    let files = [("example/game.yaml".to_owned(), LONG_LISTS.to_owned())];
    let (definition, mut report) = load(&mut sources, &files, "example/game.yaml");
    let checked = definition.and_then(|definition| check(&definition, &mut report));
    assert!(!report.has_errors(), "{}", report.render(&sources, false));
    let checked = checked.unwrap();
    let program = checked
        .compile(&checked.setup(2, &BTreeMap::new()).unwrap())
        .unwrap();
    let [mut plain, mut fast] = [&program; 2].map(|program| Runner::new(program).unwrap());
    plain.interpret();
    fast.translate();
    let resumed = play_to_the_end([&mut plain, &mut fast], "long lists");
    assert!(fast.moves_given_up() > 1);
    assert!(
        resumed > 100,
        "{resumed} moves by code after the first one given up"
    );
}

/// Lists of up to 1,100 numbers: machine code has room for 1,024.
#[cfg(feature = "native")]
const LONG_LISTS: &str = "
game: long-lists
title: Long Lists
players: 2
bound: 400
vars:
  length: int
  total: int
  moves: int
effects:
  play: |
    turns from seat(1):
      moves += 1
      choose \"How many?\":
        option few \"A few more\": length = (length + 37) mod 1100
        option many \"Many more\": length = (length + 153) mod 1100
      total = (total + count(unique(1..length)) + moves) mod 1000
      if moves = 300: finish drawn
";

/// Plays the same game in two ways; returns the number of moves by machine code after the first one that it has given up.
#[cfg(feature = "native")]
fn play_to_the_end(runners: [&mut Runner<'_>; 2], game: &str) -> u64 {
    let [plain, fast] = runners;
    let (mut bot, mut moves, mut resumed) = (RandomBot::new(3), 0, 0);
    plain.begin(seed(1)).unwrap();
    fast.begin(seed(1)).unwrap();
    while plain.pending().is_some() {
        let count = plain.count().unwrap();
        assert_eq!(fast.count().unwrap(), count, "{game}, move {moves}");
        let is_by_code = fast.counted().is_some();
        resumed += u64::from(fast.moves_given_up() > 0 && is_by_code);
        let number = bot.below(count);
        plain.take(number).unwrap();
        fast.take(number).unwrap();
        moves += 1;
        assert!(plain.state() == fast.state(), "{game}, move {moves}");
    }
    resumed
}

/// Whatever a runner has worked out of its own game says nothing of one that it takes up.
#[test]
fn a_runner_takes_up_games_of_others() {
    for program in programs() {
        let [mut runner, mut other] = [&program; 2].map(|program| Runner::new(program).unwrap());
        for number in 0..4 {
            play_some(&mut runner, number, 40);
            play_some(&mut other, number + 10, 25);
            runner.take_up(other.state());
            let owed = pending(&program, other.state()).first().copied();
            let count = owed.map_or(0, |owed| {
                count_choices(&program, other.state(), &owed).unwrap()
            });
            assert_eq!(
                runner.count().unwrap(),
                count,
                "{}: {number}",
                program.identity.game
            );
        }
    }
}

fn play_some(runner: &mut Runner<'_>, number: u64, steps: usize) {
    let mut bot = RandomBot::new(number);
    runner.begin(seed(number)).unwrap();
    for _ in 0..steps {
        let count = runner.count().unwrap();
        if runner.pending().is_none() {
            return;
        }
        runner.take(bot.below(count)).unwrap();
    }
}

/// Masks and the other faster forms mean what the rules say: random games go the same way with and without them.
#[test]
fn faster_forms_play_the_game_that_is_written() {
    for folder in games() {
        let mut loaded = load_dir(&folder).unwrap();
        let definition = loaded.definition.unwrap();
        let checked = check(&definition, &mut loaded.report).unwrap();
        for (at, setup) in setups(&checked).iter().enumerate() {
            let fast = checked.compile(setup).unwrap();
            let plain = compile_as_written(&definition, setup, &mut loaded.report).unwrap();
            for number in 0..seeds(at) {
                compare(&fast, &plain, number);
            }
        }
    }
}

/// Machine code plays the very game that is interpreted, in every game, with all setups.
#[cfg(feature = "native")]
#[test]
fn machine_code_plays_the_game_that_is_interpreted() {
    let games = Mutex::new(games().into_iter());
    let play_next = || games.lock().unwrap().next();
    let play_all = || -> u32 {
        let folders = std::iter::from_fn(play_next);
        folders.map(|folder| played_both_ways(&folder)).sum()
    };
    let translated: u32 = std::thread::scope(|scope| {
        let other = scope.spawn(play_all);
        play_all() + other.join().unwrap()
    });
    assert!(translated > 20, "{translated} programs are machine code");
}

/// Returns how many programs of a game are machine code.
#[cfg(feature = "native")]
fn played_both_ways(folder: &Path) -> u32 {
    let mut loaded = load_dir(folder).unwrap();
    let checked = check(&loaded.definition.unwrap(), &mut loaded.report).unwrap();
    let mut translated = 0;
    for (at, setup) in setups(&checked).iter().enumerate() {
        let program = checked.compile(setup).unwrap();
        let [mut plain, mut fast] = [&program; 2].map(|program| Runner::new(program).unwrap());
        plain.interpret();
        translated += u32::from(fast.translate());
        for number in 0..seeds(at) {
            play_side_by_side(&program, [&mut plain, &mut fast], number);
        }
    }
    translated
}

#[cfg(feature = "native")]
fn play_side_by_side(program: &Program, runners: [&mut Runner<'_>; 2], number: u64) {
    let (game, mut bot) = (&program.identity.game, RandomBot::new(number));
    let [plain, fast] = runners;
    plain.begin(seed(number)).unwrap();
    fast.begin(seed(number)).unwrap();
    for step in 0..steps(number) {
        let states = [plain.state(), fast.state()].map(|state| state.encode(program));
        assert!(states[0] == states[1], "{game}: {number}, step {step}");
        // A state from elsewhere is inspected again.
        if step % 10 == 3 {
            let state = plain.state().clone();
            fast.take_up(&state);
        }
        assert_eq!(plain.pending(), fast.pending(), "{game}: {number}");
        let Some(_) = plain.pending() else { return };
        if step % 10 == 6 {
            lend_and_list(program, plain.state(), fast, number);
        }
        let count = plain.count().unwrap();
        assert_eq!(
            fast.count().unwrap(),
            count,
            "{game}: {number}, step {step}"
        );
        let choice = bot.below(count);
        plain.take(choice).unwrap();
        fast.take(choice).unwrap();
    }
}

/// A game that a runner hands back, and borrows again after another one, goes on as it was; its choices are those that the
/// engine lists.
#[cfg(feature = "native")]
fn lend_and_list(program: &Program, state: &State, fast: &mut Runner<'_>, number: u64) {
    let mut rest = GameRest::of(state.clone());
    fast.hand_back(&mut rest);
    assert!(rest.state() == state, "{}: {number}", program.identity.game);
    play_some(fast, number + 1_000, 3);
    fast.borrow(&mut rest);
    list_single(program, state, number);
    let mut listed = Vec::new();
    let is_listed = fast.each_choice(&mut |option, values| {
        listed.push((option, values.to_vec()));
    });
    if !is_listed.unwrap() {
        return;
    }
    let (owed, mut expected) = (pending(program, state)[0], Vec::new());
    for_each_choice(program, state, &owed, &mut |choice| {
        let values = choice.args.iter().flat_map(BoundValue::values).copied();
        expected.push((choice.option, values.collect::<Vec<i32>>()));
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(listed, expected, "{}: {number}", program.identity.game);
}

/// Machine code lists the same choices of every owed decision as the interpreter.
#[cfg(feature = "native")]
fn list_single(program: &Program, state: &State, number: u64) {
    for owed in pending(program, state) {
        let menu = choices(program, state, &owed).unwrap();
        let count = count_choices(program, state, &owed).unwrap();
        assert_eq!(menu.count(), count, "{}: {number}", program.identity.game);
        if count > 5_000 {
            continue;
        }
        let mut expected = Vec::new();
        for_each_choice(program, state, &owed, &mut |choice| {
            expected.push(choice.clone());
            ControlFlow::Continue(())
        })
        .unwrap();
        let site = program.site(owed.site).unwrap();
        let listed = (0..count).map(|number| menu.choice(site, number).unwrap());
        let listed: Vec<_> = listed.collect();
        assert_eq!(listed, expected, "{}: {number}", program.identity.game);
    }
}

/// How many games are compared: many of the first setup of a game, few of the others.
fn seeds(setup: usize) -> u64 {
    if setup == 0 { 50 } else { 2 }
}

/// The first games are played further than the others.
fn steps(number: u64) -> usize {
    if number < 2 { 150 } else { 40 }
}

/// The fewest and the most seats with options as they are, and every option once at its last value.
fn setups(checked: &Checked) -> Vec<Setup> {
    let (least, most) = (checked.seats[0], *checked.seats.last().unwrap());
    let last_values = checked.options.iter().map(|option| {
        let value = match &option.shape {
            Shape::Bool => "true".to_owned(),
            Shape::Range { high, .. } => high.to_string(),
            Shape::OneOf(names) => names.last().unwrap().clone(),
        };
        (most, BTreeMap::from([(option.name.clone(), value)]))
    });
    let plain = [(least, BTreeMap::new()), (most, BTreeMap::new())];
    let all = plain.into_iter().chain(last_values);
    // The requirement of an option may not hold.
    all.filter_map(|(seats, options)| checked.setup(seats, &options).ok())
        .collect()
}

fn compare(fast: &Program, written: &Program, number: u64) {
    let game = &fast.identity.game;
    let mut bot = RandomBot::new(number);
    let mut runners = [fast, written].map(|program| Runner::new(program).unwrap());
    for runner in &mut runners {
        runner.begin(seed(number)).unwrap();
    }
    let [fast, plain] = &mut runners;
    for _ in 0..steps(number) {
        let states = [fast.state(), plain.state()].map(|state| state.encode(written));
        assert!(states[0] == states[1], "{game}: {number}");
        let count = plain.count().unwrap();
        assert_eq!(fast.count().unwrap(), count, "{game}: {number}");
        if plain.pending().is_none() {
            break;
        }
        let number = bot.below(count);
        fast.take(number).unwrap();
        plain.take(number).unwrap();
    }
}

/// Once every part of the memory has been as large as it gets, games are played in it. How a game ends is kept for
/// whoever asks, so only the step that ends it may allocate.
#[cfg(feature = "native")]
#[test]
fn no_step_allocates_when_the_memory_is_warm() {
    // Conditions on whole selections, bundles, components that are alike and queries that use themselves build lists.
    const BUILD_LISTS: [&str; 13] = [
        "beacons",
        "branch-lines",
        "cribbage",
        "crown-hill",
        "gem-fair",
        "gin-rummy",
        "harvest-home",
        "hedgerow",
        "hill-farm",
        "lettercross",
        "night-market",
        "shogi",
        "swarm",
    ];
    for program in programs() {
        if BUILD_LISTS.contains(&program.identity.game.as_str()) {
            continue;
        }
        // Code that arrives from the background would have to warm up later.
        let mut runner = Runner::new(&program).unwrap();
        runner.interpret();
        no_step_allocates_in_a_warm(&mut runner, &program.identity.game, 3);
        let mut runner = Runner::new(&program).unwrap();
        runner.translate();
        no_step_allocates_in_a_warm(&mut runner, &program.identity.game, 8);
    }
}

#[cfg(feature = "native")]
fn no_step_allocates_in_a_warm(runner: &mut Runner<'_>, game: &str, games: u64) {
    for number in 0..games {
        play(runner, number, &mut |_, _| {});
    }
    for number in 0..games {
        play(runner, number, &mut |runner, made| {
            let over = runner.pending().is_none();
            assert!(over || made == 0, "{game}: {made} in a step");
        });
    }
}

/// Plays one game; `watch` receives the number of allocations after every step.
fn play(runner: &mut Runner<'_>, number: u64, watch: &mut dyn FnMut(&Runner<'_>, u64)) {
    let mut bot = RandomBot::new(number);
    runner.begin(seed(number)).unwrap();
    for _ in 0..500 {
        if runner.pending().is_none() {
            return;
        }
        let before = allocations();
        let count = runner.count().unwrap();
        runner.take(bot.below(count)).unwrap();
        watch(runner, allocations() - before);
    }
}

/// The largest states there may be, in bytes.
const STATE_MAX: usize = 4 * 1024 + 512;
const STATE_MAX_OF_LARGE_GAMES: usize = 13 * 1024;
const STATE_MAX_WITH_POSITIONS: usize = 32 * 1024;

/// Somebody who plays many games in turn lends each of them to one runner for every step.
#[test]
fn lending_a_game_and_taking_it_back_allocates_nothing() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    for game in ["gallery/chess", "gallery/connect-four"] {
        let program = programs_of(&rules.join(game)).remove(0);
        let mut runner = Runner::new(&program).unwrap();
        runner.translate();
        let (mut one, mut other) = (None, None);
        for rest in [&mut one, &mut other] {
            runner.begin(seed(1)).unwrap();
            runner.keep(rest);
        }
        let (mut one, mut other) = (one.unwrap(), other.unwrap());
        let mut step = |rest: &mut GameRest| {
            let before = allocations();
            if !rest.state().is_finished() {
                runner.borrow(rest);
                let last = runner.count().unwrap() - 1;
                runner.take(last).unwrap();
                runner.hand_back(rest);
            }
            allocations() - before
        };
        let warm: u64 = (0..10).map(|_| step(&mut one) + step(&mut other)).sum();
        let allocated: u64 = (0..20).map(|_| step(&mut one) + step(&mut other)).sum();
        // Long-lived buffers can still grow: the recorded positions, or the largest list of choices so far.
        assert!(allocated < 8, "{game}: {allocated} after {warm}");
    }
}

/// Games without secrets are written without asking who may know what. It makes no difference.
#[test]
fn tensors_of_open_games_are_those_of_games_with_secrets() {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    for game in [
        "gallery/tic-tac-toe",
        "way-of-the-dragon",
        "gallery/backgammon",
        "gallery/chess",
    ] {
        let program = programs_of(&rules.join(game)).remove(0);
        let (plain, cautious) = (
            Observations::new(&program),
            Observations::cautious(&program),
        );
        let (mut one, mut other) = (vec![9.0; plain.size()], vec![9.0; cautious.size()]);
        let mut runner = Runner::new(&program).unwrap();
        runner.begin(seed(1)).unwrap();
        let mut bot = RandomBot::new(1);
        for _ in 0..60 {
            plain.write(&program, runner.state(), Viewer::Seat(0), &mut one);
            cautious.write(&program, runner.state(), Viewer::Seat(0), &mut other);
            for plane in plain.planes() {
                let like = cautious
                    .planes()
                    .iter()
                    .find(|like| like.name == plane.name);
                let like = &other[like.unwrap().at..][..plane.size()];
                assert_eq!(
                    &one[plane.at..][..plane.size()],
                    like,
                    "{game}: {}",
                    plane.name
                );
            }
            if runner.pending().is_none() {
                break;
            }
            let number = bot.below(runner.count().unwrap());
            runner.take(number).unwrap();
        }
    }
}

/// A board of any outline is a plane in the shape of the rectangle around it, with zeros where it has no space.
#[test]
fn an_outlined_board_is_a_plane() {
    let program =
        programs_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/gallery/havannah"))
            .remove(0);
    let observations = Observations::new(&program);
    let board = program
        .families
        .iter()
        .find(|family| family.name == "hexagon");
    let board = board.unwrap();
    let places = &program.tables[board.places.unwrap() as usize];
    let plane = observations.planes().iter();
    let plane = plane
        .clone()
        .find(|plane| plane.name == "var.stone")
        .unwrap();
    let sides: Vec<usize> = board.keys.iter().map(|key| key.values.len()).collect();
    assert_eq!(plane.shape, [sides[0], sides[1], program.seats]);
    let mut runner = Runner::new(&program).unwrap();
    runner.begin(seed(1)).unwrap();
    let mut bot = RandomBot::new(1);
    for _ in 0..30 {
        let number = bot.below(runner.count().unwrap());
        runner.take(number).unwrap();
    }
    let stone = program.vars.iter().find(|var| var.name == "stone").unwrap();
    let mut tensor = vec![9.0; observations.size()];
    observations.write(&program, runner.state(), Viewer::Seat(0), &mut tensor);
    let mut stones = 0;
    for (place, zone) in places.iter().enumerate() {
        let at = plane.at + place * program.seats;
        let owner = match zone {
            -1 => -1,
            zone => runner.state().var(stone.offset + (zone - stone.low) as u32),
        };
        let wanted: Vec<f32> = (0..program.seats as i32)
            .map(|seat| f32::from(u8::from(seat == owner)))
            .collect();
        assert_eq!(tensor[at..at + program.seats], wanted);
        stones += usize::from(owner >= 0);
    }
    assert!(stones > 20 && places.contains(&-1));
}

#[test]
fn states_are_small() {
    for program in programs() {
        // Tiles that lie anywhere need words for where, a large board has many spaces, and positions that a game remembers
        // grow with its length.
        let is_open = program.families.iter().any(|family| family.open_grid);
        let remembers = program
            .code
            .ops
            .iter()
            .any(|op| matches!(op, Op::Record { .. }));
        let is_large = is_open || program.zones.len() > 256;
        let most = match (remembers, is_large) {
            (true, _) => STATE_MAX_WITH_POSITIONS,
            (false, true) => STATE_MAX_OF_LARGE_GAMES,
            (false, false) => STATE_MAX,
        };
        let mut runner = Runner::new(&program).unwrap();
        play(&mut runner, 1, &mut |runner, _| {
            let size = bytes_of(runner.state());
            assert!(size <= most, "{}: {size} bytes", program.identity.game);
        });
    }
}

fn bytes_of(state: &State) -> usize {
    size_of::<State>() + state.size()
}
