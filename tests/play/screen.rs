//! Whole games on a screen, by keys.

use std::path::Path;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::screen::{Flow, Screen};
use super::table::{Player, Table};
use super::words;
use crate::bot::Bot;
use crate::cli::setup::{find_game, ruleset};
use crate::dice::Dice;
use crate::program::{Language, Program};

const WIDE: usize = 100;
const HIGH: usize = 40;

fn program(game: &str, seats: usize) -> std::sync::Arc<Program> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let rules = ruleset(&find_game(game, &rules).unwrap()).unwrap();
    rules.program(seats, &serde_json::Map::new()).unwrap()
}

fn table<'p>(program: &'p Program, people: &[usize]) -> Table<'p> {
    let player = |seat: usize| match people.contains(&seat) {
        true => Player::Person,
        false => Player::Bot(Bot::Random),
    };
    let players = (1..=program.seats).map(player).collect();
    Table::new(program, Language::default(), players, [7; 32]).unwrap()
}

fn press(screen: &mut Screen<'_, '_>, code: KeyCode) {
    let key = KeyEvent::new(code, KeyModifiers::NONE);
    assert_eq!(screen.key(key).unwrap(), Flow::Goes);
}

/// Returns what the screen shows, which must fit it.
fn drawn(screen: &Screen<'_, '_>) -> String {
    let text = screen.draw(WIDE, HIGH).text();
    assert_eq!(text.lines().count(), HIGH);
    assert!(
        text.lines().all(|line| line.chars().count() <= WIDE),
        "{text}"
    );
    text
}

/// Plays with the keys of a person who takes any choice. Returns the last screen.
fn played(program: &Program, people: &[usize]) -> String {
    let mut table = table(program, people);
    let mut screen = Screen::new(&mut table, words::of("en")).unwrap();
    let mut dice = Dice::new(3);
    for key in 0..20_000 {
        while screen.let_bot().unwrap() {}
        if key % 16 == 0 {
            let text = drawn(&screen);
            if text.contains("The game is over.") {
                return text;
            }
        }
        (0..dice.below(5)).for_each(|_| press(&mut screen, KeyCode::Down));
        press(&mut screen, KeyCode::Enter);
    }
    panic!(
        "{} does not end:\n{}",
        program.identity.game,
        drawn(&screen)
    );
}

/// A board that is higher than its window is drawn without the lines between its rows.
#[test]
fn the_whole_board_of_chess_is_in_sight_on_a_small_terminal() {
    let program = program("chess", 2);
    let mut table = table(&program, &[1]);
    let mut screen = Screen::new(&mut table, words::of("en")).unwrap();
    for _ in 0..12 {
        while screen.let_bot().unwrap() {}
        let text = screen.draw(80, 24).text();
        for rank in 1..=8 {
            let begins = format!("{rank} │");
            assert!(text.lines().any(|line| line.starts_with(&begins)), "{text}");
        }
        press(&mut screen, KeyCode::Down);
        press(&mut screen, KeyCode::Enter);
    }
}

#[test]
fn every_dragon_game_is_played_to_its_end_by_keys() {
    let games = [
        ("drakon", 2),
        ("magic-dragon", 3),
        ("mount-drago", 2),
        ("sneaky-dragons", 3),
        ("way-of-the-dragon", 2),
    ];
    for (game, seats) in games {
        let end = played(&program(game, seats), &[1]);
        assert!(end.contains("History"), "{end}");
    }
}

#[test]
fn a_game_without_a_board_is_played_by_two_people() {
    let end = played(&program("cribbage", 2), &[1, 2]);
    assert!(end.contains("Won by Seat"), "{end}");
}

/// The hand of a person is on the screen only while that person holds the keyboard.
#[test]
fn nobody_sees_a_hand_while_the_keyboard_changes_hands() {
    let program = program("drakon", 2);
    let mut table = table(&program, &[1, 2]);
    let words = words::of("en");
    let mut screen = Screen::new(&mut table, words).unwrap();
    assert!(
        drawn(&screen)
            .trim_start()
            .starts_with("Give the keyboard to Seat 1.")
    );
    press(&mut screen, KeyCode::Enter);
    let first = drawn(&screen);
    assert!(first.contains("Hand (4): ["), "{first}");
    press(&mut screen, KeyCode::Enter);
    let between = drawn(&screen);
    assert!(between.contains("Seat 2, press Enter"), "{between}");
    assert!(!between.contains("Hand"), "{between}");
    press(&mut screen, KeyCode::F(3));
    assert!(
        !drawn(&screen).contains("Floating Room"),
        "the history is that of the public"
    );
    press(&mut screen, KeyCode::Esc);
    press(&mut screen, KeyCode::Enter);
    assert!(
        drawn(&screen).contains("2 Seat 2 (you)"),
        "{}",
        drawn(&screen)
    );
}

#[test]
fn choices_are_filtered_grouped_and_taken_back() {
    let program = program("drakon", 2);
    let mut table = table(&program, &[1]);
    let words = words::of("en");
    let mut screen = Screen::new(&mut table, words).unwrap();
    "kni"
        .chars()
        .for_each(|letter| press(&mut screen, KeyCode::Char(letter)));
    let filtered = drawn(&screen);
    assert!(
        filtered.contains("4 Knight") && !filtered.contains("5 Thief"),
        "{filtered}"
    );
    press(&mut screen, KeyCode::Enter);
    while screen.let_bot().unwrap() {}
    let grouped = drawn(&screen);
    assert!(grouped.contains("▸ Lay "), "{grouped}");
    assert!(
        grouped.contains("Seat 1: Choose your hero: Knight"),
        "the log says what was chosen\n{grouped}"
    );
    press(&mut screen, KeyCode::F(4));
    assert!(
        drawn(&screen).contains("Choose your hero"),
        "{}",
        drawn(&screen)
    );
    press(&mut screen, KeyCode::F(2));
    assert!(
        drawn(&screen).contains("Cards and pieces"),
        "{}",
        drawn(&screen)
    );
}
