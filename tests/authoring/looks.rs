//! What authors describe is drawn: boards of players, hexagons, roads, lists, texts, variables of any kind.

use std::fs;

use crate::support::command::{Ran, wyrmgate};

/// Draws a game of one file before its first choice.
fn draw(game: &str, more: &[&str]) -> Ran {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drawn");
    fs::create_dir(&path).unwrap();
    fs::write(path.join("game.yaml"), game).unwrap();
    let args = [
        "draw",
        path.to_str().unwrap(),
        "--steps",
        "0",
        "--seed",
        "1",
    ];
    let ran = wyrmgate(&[&args, more].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.out, ran.err);
    ran
}

fn game(rest: &str) -> String {
    let play = "effects:\n  play: |\n    ask seat(1) \"Go on?\": finish drawn\n    finish drawn\n";
    format!("game: drawn\ntitle: Drawn\nplayers: 2\nbound: 9\n{rest}{play}")
}

/// The part of a picture between two marks.
fn between<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let (_, rest) = text
        .split_once(from)
        .unwrap_or_else(|| panic!("no {from} in {text}"));
    rest.split(to).next().unwrap()
}

const WALLS: &str = "\
zones:
  wall: {title: Wall, each: {owner: seats, row: 1..3, column: 1..3}, grid: [column, row], holds: tile, capacity: 1}
components:
  tile: {each: {owner: seats}, in: \"wall(owner, 1, index(seats, owner))\"}
";

#[test]
fn each_player_has_a_board_of_its_own_in_its_box() {
    let game = game(WALLS);
    let svg = draw(&game, &[]).out;
    let first = between(&svg, "id=\"player:1\"", "id=\"player:2\"");
    assert_eq!(first.matches("id=\"wall-1-").count(), 9, "{svg}");
    assert!(!first.contains("id=\"wall-2-"), "{svg}");
    let text = draw(&game, &["--text"]).out;
    assert!(
        text.contains("Wall Seat 1") && text.contains("Wall Seat 2"),
        "{text}"
    );
}

#[test]
fn spaces_with_the_directions_of_hexagons_are_hexagons() {
    let field =
        "zones:\n  field: {each: {q: 1..3, r: 1..3}, grid: [q, r], directions: hexagonal}\n";
    let svg = draw(&game(field), &[]).out;
    let space = between(&svg, "id=\"field-2-2\">", "</g>");
    let corners = between(space, "<polygon points=\"", "\"")
        .split(' ')
        .count();
    assert_eq!(corners, 6, "{space}");
    let square = field.replace("hexagonal}", "hexagonal, look: grid}");
    let svg = draw(&game(&square), &[]).out;
    assert!(!between(&svg, "id=\"field-2-2\">", "</g>").contains("<polygon"));
}

const ROADS: &str = "\
types: {paint: [red, blue]}
zones:
  town: {each: {name: 1..3}, fields: {column: \"[0, 2, 4][name]\", row: \"[0, 2, 0][name]\"}}
  road: {each: {from: 1..3, to: 1..3}, if: from < to, fields: {length: from + 2 * to, paint: \"if from = 1 then red else blue\"}, holds: train}
components:
  train: {each: {owner: seats}, in: \"road(1, owner + 2)\"}
vars:
  toll: {each: road, type: seat}
look:
  town: {as: map, across: column, down: row}
  road: {as: ways, on: town, between: [from, to], label: length, color: paint}
  train: pawn
";

#[test]
fn roads_of_a_map_show_their_length_their_color_and_what_lies_on_them() {
    let roads = ROADS.replace("owner + 2)", "3)");
    let svg = draw(&game(&roads), &["--seat", "1"]).out;
    let road = between(&svg, "id=\"road-1-3\">", "id=\"road-2-3\"");
    assert!(road.contains(">7<"), "{road}");
    assert!(
        road.contains("id=\"train-1\"") && road.contains("id=\"train-2\""),
        "{road}"
    );
    let colors = svg.split("<polyline").skip(1);
    let colors: Vec<&str> = colors
        .map(|line| between(line, "stroke=\"", "\""))
        .collect();
    assert_eq!(colors.len(), 3, "{colors:?}");
    assert!(
        colors[0] == colors[1] && colors[1] != colors[2],
        "{colors:?}"
    );
    let text = draw(&game(&roads), &["--text"]).out;
    assert!(text.lines().any(|line| line.contains("1 3: 7")), "{text}");
}

const CARDS: &str = "\
types: {good: [wood, ore]}
zones:
  row: {title: Row, holds: card}
  pile: {title: Pile, holds: card, see: all}
  place: {title: Place, each: {n: 1..2}, holds: man}
components:
  card: {each: {value: 11..13}, fields: {costs: \"[wood, ore]\"}, in: row}
  man: {each: {number: 1..2}, fields: {name: number + 20}, in: place(number)}
vars:
  best: {type: card, start: \"card(12)\"}
  owns: {each: place, type: int, start: 3}
  weight: {each: man, type: int, start: 8}
  wants: {each: {of: seats, what: good}, type: int, start: 3}
look:
  card: {as: card, small: costs, symbol: star}
  man: {as: disc, text: name}
  wants: hidden
";

#[test]
fn lists_texts_and_variables_of_any_kind_are_shown() {
    let svg = draw(&game(CARDS), &[]).out;
    let card = between(&svg, "id=\"card-12\">", "</g>");
    assert!(
        card.contains(">wood, ore<"),
        "a list on a small card: {card}"
    );
    assert!(
        card.contains(">12<"),
        "a number of two digits beside a symbol: {card}"
    );
    let man = between(&svg, "id=\"man-2\">", "</g>");
    assert!(man.contains(">22<"), "the text that the look names: {man}");
    assert!(man.contains(">8<"), "a variable for each component: {man}");
    let text = draw(&game(CARDS), &["--text"]).out;
    assert!(text.contains("owns Place 1 3"), "{text}");
    assert!(
        !text.contains("wants"),
        "a hidden variable with two keys: {text}"
    );
}

#[test]
fn a_very_large_board_is_cropped_to_what_is_used() {
    let zones = "\
zones:
  land: {each: {column: 1..30, row: 1..30}, grid: [column, row], holds: hut, capacity: 1}
components:
  hut: {each: {number: 1..2}, in: \"land(10 + number, 12)\"}
";
    let svg = draw(&game(zones), &[]).out;
    assert_eq!(
        svg.matches("id=\"land-").count(),
        6 * 5,
        "two huts, and two spaces around them"
    );
    // A board of the usual size is always whole.
    let small = zones.replace("1..30", "1..19");
    assert_eq!(
        draw(&game(&small), &[]).out.matches("id=\"land-").count(),
        19 * 19
    );
}

#[test]
fn the_ending_of_a_file_says_how_to_draw() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("board.txt");
    draw(&game(WALLS), &["--out", file.to_str().unwrap()]);
    let text = fs::read_to_string(file).unwrap();
    assert!(
        text.starts_with("Drawn") && !text.contains("<svg"),
        "{text}"
    );
}

/// The top card of a pile shows its rank, also one of two digits.
#[test]
fn a_pile_shows_ranks_of_two_digits() {
    let pile = CARDS.replace("in: row", "in: pile");
    let svg = draw(&game(&pile), &[]).out;
    assert!(
        between(&svg, "id=\"card-13\">", "</g>").contains(">13<"),
        "{svg}"
    );
}
