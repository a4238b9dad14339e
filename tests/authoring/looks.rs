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

const HANDS: &str = "\
types: {suit: [clubs, hearts]}
zones:
  hand: {title: Hand, each: {owner: seats}, holds: card, see: owner}
  pile: {title: Pile, holds: card}
components:
  card: {title: Card, each: {rank: 11..13, suit: suit}, in: \"if suit = hearts and rank = 13 then pile else hand(seat(1))\", fields: {worth: rank - 1}}
look:
  card: {as: card, color: suit, symbol: suit, big: rank, short: {11: J, 13: K}, text: none}
  suit: {clubs: {color: black, symbol: club}, hearts: {color: red, symbol: heart}}
  hand: {as: fan, sort: [suit, rank]}
  pile: {as: row, total: worth}
";

/// A card without words has its signs in two corners, and a short word for a number, also in its title.
#[test]
fn a_card_with_only_signs_has_a_face() {
    let svg = draw(&game(HANDS), &["--seat", "1"]).out;
    let king = between(&svg, "id=\"card-13-hearts\"", "</g>");
    assert!(king.contains("<title>Card K hearts</title>"), "{king}");
    assert_eq!(king.matches(">K<").count(), 2, "{king}");
    assert_eq!(king.matches("<path").count(), 3, "{king}");
    assert!(
        king.contains("#b8142c") && !king.contains("#d55e00"),
        "{king}"
    );
    let queen = between(&svg, "id=\"card-12-hearts\"", "</g>");
    assert_eq!(queen.matches(">12<").count(), 2, "no short word: {queen}");
    let of_suits = game(HANDS).replace(
        "big: rank, short: {11: J, 13: K}",
        "big: suit, short: {clubs: C}",
    );
    let svg = draw(&of_suits, &["--seat", "1"]).out;
    let queen = between(&svg, "id=\"card-12-clubs\"", "</g>");
    assert_eq!(queen.matches(">C<").count(), 2, "of a type: {queen}");
    let dark = draw(&game(HANDS), &["--seat", "1", "--theme", "dark"]).out;
    let king = between(&dark, "id=\"card-13-hearts\"", "</g>");
    assert!(
        king.contains("fill=\"#e9e6de\""),
        "a face stays light: {king}"
    );
}

#[test]
fn a_hand_is_sorted_and_a_zone_says_what_it_is_worth() {
    let order = |game: &str| {
        let text = draw(game, &["--seat", "1", "--text"]).out;
        let hand = text.lines().find(|line| line.contains("Hand (5)"));
        hand.unwrap().split(": ").nth(1).unwrap().to_owned()
    };
    let sorted = "[Card J clubs] [Card 12 clubs] [Card K clubs] [Card J hearts] [Card 12 hearts]";
    assert_eq!(order(&game(HANDS)), sorted);
    let as_dealt = game(HANDS).replace(", sort: [suit, rank]", "");
    assert_ne!(order(&as_dealt), sorted);
    let svg = draw(&game(HANDS), &[]).out;
    assert!(svg.contains(">Pile = 12<"), "{svg}");
    let hidden = game(HANDS).replace(
        "  pile: {title: Pile, holds: card}",
        "  pile: {title: Pile, holds: card, see: nobody}",
    );
    assert!(
        !draw(&hidden, &[]).out.contains(" = "),
        "nobody knows all of it"
    );
}

const FIELD: &str = "\
zones:
  field: {each: {column: 1..3, row: 1..3}, grid: [column, row], fields: {middle: column = 2 and row = 2, even: column mod 2 = 1 and row mod 2 = 1}}
vars:
  stone: {each: field, type: seat, start: \"keys(field, if .column = 1 then seat(1) else if .column = 2 then seat(2) else none)\", look: marks}
look:
  field: FORM
";

#[test]
fn boards_have_squares_holes_or_crossings() {
    let svg = |form: &str| draw(&game(&FIELD.replace("FORM", form)), &[]).out;
    let space = |svg: &str, id: &str| between(svg, &format!("id=\"{id}\">"), "</g>").to_owned();
    let fills = |svg: &str| {
        let fill = |id| between(&space(svg, id), "fill=\"", "\"").to_owned();
        fill("field-3-1") == fill("field-3-2")
    };
    assert!(!fills(&svg("grid")) && fills(&svg("squares")));
    let holes = svg("holes");
    let radius: f32 = between(&space(&holes, "field-3-1"), "rx=\"", "\"")
        .parse()
        .unwrap();
    assert!(radius > 30.0, "a hole is round");
    let crossings = svg("{as: crossings, shade: middle}");
    assert_eq!(crossings.matches("<polyline").count(), 6, "{crossings}");
    let lone = space(&crossings, "field-3-1");
    assert!(
        !lone.contains("<rect"),
        "nothing is drawn on a crossing: {lone}"
    );
    assert!(
        space(&crossings, "field-2-2").contains("<rect"),
        "but on a special one"
    );
}

#[test]
fn sides_of_a_board_have_colors_and_rows_can_be_narrow() {
    let look = "{as: squares, wide: even, sides: {north: 2, west: brown}}";
    let field = game(&FIELD.replace("FORM", look));
    let svg = draw(&field, &[]).out;
    let board = between(&svg, "id=\"board:field\">", "id=\"field-1-1\"");
    assert!(
        board.contains("#e69f00") && board.contains("#8a5a2b"),
        "{board}"
    );
    let size = |id: &str| -> (f32, f32) {
        let space = between(&svg, &format!("id=\"{id}\">"), "</g>");
        let side = |name| {
            between(space, &format!(" {name}=\""), "\"")
                .parse()
                .unwrap()
        };
        (side("width"), side("height"))
    };
    let ((wide, high), (narrow, low)) = (size("field-1-1"), size("field-2-2"));
    assert!(narrow < wide / 2.0 && low < high / 2.0);
    let text = draw(&field, &["--text"]).out;
    assert!(text.contains("▲ orange · ◀ brown"), "{text}");
}

/// A ring and a dot are quieter than numbers, and the names of the players show them too; light and dark need neither.
#[test]
fn stones_bear_signs_instead_of_numbers() {
    let field = game(&FIELD.replace("FORM", "squares"));
    let svg = draw(&field, &[]).out;
    let stone = |svg: &str, id: &str| {
        between(svg, &format!("id=\"{id}\">"), "<g class=\"space\"").to_owned()
    };
    assert!(
        !stone(&svg, "field-1-1").contains("<text") && !stone(&svg, "field-2-1").contains("<text")
    );
    assert_eq!(
        stone(&svg, "field-1-1").matches("<circle").count(),
        2,
        "{svg}"
    );
    assert!(!between(&svg, "id=\"player:2\">", "Seat 2").contains(">2<"));
    let clear = field.replace(
        "look:\n",
        "look:\n  seat: {1: {color: black}, 2: {color: white}}\n",
    );
    let svg = draw(&clear, &[]).out;
    assert_eq!(
        stone(&svg, "field-1-1").matches("<circle").count(),
        1,
        "{svg}"
    );
    let text = draw(&field, &["--text"]).out;
    assert!(text.contains("1") && !text.contains('○'), "{text}");
}

const NUMBERS: &str = "\
data: {pips: 1..6}
zones:
  pit: {each: {at: 1..2}, fields: {down: 1}, look: {as: map, across: at, down: down}}
  card_row: {holds: card}
components:
  card: {each: {n: 1..2}, in: card_row, fields: {coins: n + 1, filled: n = 2, points: 7}}
vars:
  seeds: {each: pit, type: int, start: 5, look: stones}
  left: {each: pips, type: int, start: \"keys(pips, if it = 6 then 2 else 0)\", look: dice}
look:
  card: {as: card, big: points, shade: filled, badge: {coins: coin}, text: kind}
";

#[test]
fn numbers_can_be_stones_dice_and_badges() {
    let svg = draw(&game(NUMBERS), &[]).out;
    let pit = between(&svg, "id=\"pit-1\">", "id=\"pit-2\"");
    assert_eq!(pit.matches("<circle").count(), 5, "{pit}");
    assert!(pit.contains(">5<"), "many have their number too: {pit}");
    let dice = between(&svg, "id=\"var:left\">", "</g></g>");
    assert_eq!(dice.matches("class=\"piece\"").count(), 2, "{dice}");
    assert_eq!(dice.matches("<circle").count(), 12, "{dice}");
    let card = between(&svg, "id=\"card-1\">", "</g>");
    assert!(
        card.contains(">2<") && !card.contains(">7<"),
        "an open box: {card}"
    );
    assert!(between(&svg, "id=\"card-2\">", "</g>").contains(">7<"));
    let text = draw(&game(NUMBERS), &["--text"]).out;
    assert!(text.contains("¢2") && text.contains("¢3"), "{text}");
}

const LAND: &str = "\
zones:
  land: {title: Land, grid: open, holds: tile}
components:
  tile: {in: land, fields: {streets: \"[north, east]\", river: \"[west]\"}, look: {as: tile, edges: {streets: ochre, river: blue}}}
effects:
  play: |
    each t in tiles: move t to land at origin turned 1
    ask seat(1) \"Go on?\": finish drawn
";

#[test]
fn ways_on_tiles_have_colors_and_turn_with_them() {
    let land = game("").split("effects:").next().unwrap().to_owned() + LAND;
    let svg = draw(&land, &[]).out;
    let tile = between(&svg, "id=\"tile\"", "</g>");
    let of = |color: &str| tile.matches(color).count();
    // The middle has the color of the first.
    assert_eq!((of("#b98a2f"), of("#0072b2")), (3, 1), "{tile}");
    assert!(!tile.contains("<polygon"), "no arrows: {tile}");
    let text = draw(&land, &["--text"]).out;
    let has = |sign| text.contains(sign);
    assert!(has('▲') && has('▶') && has('▼') && !has('◀'), "{text}");
}

const TRICK: &str = "\
zones:
  played: {title: Trick, each: {owner: seats}, holds: card, look: trick}
components:
  card: {title: Card, each: {owner: seats}, in: played(owner), look: card}
";

#[test]
fn a_trick_lies_in_the_middle_with_the_viewer_below() {
    let places = |seat: &str| {
        let svg = draw(&game(TRICK), &["--seat", seat]).out;
        let panels = between(&svg, "id=\"player:1\"", "</svg>");
        assert!(!panels.contains("id=\"played-1\""), "{svg}");
        let y = |id: &str| -> f32 {
            let space = between(&svg, &format!("id=\"{id}\">"), "</g>");
            between(space, " y=\"", "\"").parse().unwrap()
        };
        y("played-1") > y("played-2")
    };
    assert!(places("1") && !places("2"));
}

const ASKED: &str = "\
queries:
  first_column: field where stone[it] = seat(1)
  stones_of(seat p): count(field where stone[it] = p)
  worth(token t): 10 + count(field)
  kept(seat p): spares where .zone = box and p = seat(2)
";

/// The answers of queries: marks on what they list, counters, numbers on components. A game with secrets shows none.
#[test]
fn queries_with_a_look_are_answered() {
    let look = "squares\n  first_column: {as: marks, on: field}\n  stones_of: counter\n  worth: counter\n  kept: counter";
    let token = "components:\n  token: {in: tray}\n  spare: {copies: 3, look: {symbol: coin}}\n";
    let field = FIELD
        .replace("FORM", look)
        .replace("vars:\n", "  tray: {holds: token}\nvars:\n");
    let asked = game(&format!("{field}{token}{ASKED}"));
    let text = draw(&asked, &["--text"]).out;
    assert_eq!(text.matches("1!").count(), 3, "{text}");
    assert!(
        !text.contains("2!") && text.contains("stones of 3"),
        "{text}"
    );
    assert!(text.contains("[token 19]"), "{text}");
    let svg = draw(&asked, &[]).out;
    assert_eq!(svg.matches("stroke=\"#e0115f\"").count(), 3, "{svg}");
    // A counter of components tells how many of each there are, also of those that nobody sees lie anywhere.
    let spares = between(&svg, "id=\"var:kept-2\"", "</g>");
    assert!(spares.contains(">kept 3 spare<"), "{spares}");
    assert!(!svg.contains("var:kept-1"), "{svg}");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.yaml");
    let secret = asked.replace("holds: token}", "holds: token, see: nobody}");
    fs::write(&file, secret).unwrap();
    let ran = wyrmgate(&["check", folder.path().to_str().unwrap()]);
    assert!(
        ran.err.contains("look-tells-secrets") || ran.out.contains("look-tells-secrets"),
        "{}{}",
        ran.out,
        ran.err
    );
}
