//! What seats know of components: `knows(p, c)`, and `show c to p secretly`, of which others learn nothing.

use wyrmgate::engine::{Event, Viewer};
use wyrmgate::view::event_doc;

use crate::play::{Game, begin, said};

const PLACES: &str = r#"
zones:
  cave: {holds: card, see: nobody}
  pocket: {each: {owner: seats}, holds: card, see: owner}
  shelf: {each: {owner: seats}, holds: card, see: viewer = left(owner)}
  mirror: {holds: card, see: "knows(viewer, top(cave))"}
vars:
  echo: {type: int, see: "knows(viewer, top(cave))", start: 5}
"#;

#[test]
fn a_seat_knows_what_it_sees_and_what_it_was_shown_until_that_moves() {
    let told = said(
        r#"
play: |
  move card(6) to cave
  move card(5) to pocket(seat(2))
  move card(4) to shelf(seat(1))
  tell
  show card(6) to [seat(1), seat(3)]
  show card(5) to seat(1) secretly
  tell
  move card(5) to pocket(seat(3))
  shuffle cave
  tell
  turn card(1) face down
  say "{count(seats where knows(it, card(1)))} {knows(none, card(1))} {knows(seat(1), none)}"
tell: say "{known(6)} {known(5)} {known(4)}"
"#,
        &format!(
            "{PLACES}queries:\n  known(int n): count(seats where knows(it, card(n))) * 10 + count(seats where knows(it, card(n)) and it = seat(1))\n"
        ),
    );
    assert_eq!(told, ["0 10 10", "21 21 10", "0 10 10", "0 no no"]);
}

fn shown(words: &str) -> Game {
    let play = format!(
        "play: |\n  move card(6) to cave\n  show card(6) to seat(2){words}\n  choose n in 1..2 by seat(1)\n"
    );
    begin(&play, PLACES)
}

fn events_of(game: &Game, viewer: Viewer) -> usize {
    let shown = game
        .events()
        .iter()
        .filter(|event| matches!(event, Event::Shown { .. }));
    shown
        .filter_map(|event| event_doc(game.program(), event, viewer))
        .count()
}

#[test]
fn only_the_seat_itself_learns_of_what_is_shown_in_secret() {
    let (open, secret) = (shown(""), shown(" secretly"));
    let everybody = [
        Viewer::Seat(0),
        Viewer::Seat(1),
        Viewer::Seat(2),
        Viewer::Public,
    ];
    assert_eq!(
        everybody.map(|viewer| events_of(&open, viewer)),
        [1, 1, 1, 1]
    );
    assert_eq!(
        everybody.map(|viewer| events_of(&secret, viewer)),
        [0, 1, 0, 0]
    );
    assert!(open.state() == secret.state());
}

#[test]
fn what_is_seen_does_not_depend_on_what_is_known() {
    let game = shown("");
    for viewer in [Viewer::Seat(0), Viewer::Seat(1), Viewer::Public] {
        assert!(game.var("echo", viewer).is_null());
    }
}
