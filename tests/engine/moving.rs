//! Components change zones, or do not.

use wyrmgate::engine::{State, Viewer};
use wyrmgate::program::*;
use wyrmgate::view::view;

use crate::build::{Build, begin, option};

/// Two piles: cards 1 to 4 (components 0 to 3) in `left`, 5 and 6 in `right`.
struct Table {
    b: Build,
    left: ZoneId,
    right: ZoneId,
    entry: Address,
}

fn table() -> Table {
    let mut b = Build::new(2);
    let left = b.zone("left", See::All, None);
    let right = b.zone("right", See::All, None);
    b.cards("card", 4, left);
    b.cards("coin", 2, right);
    let entry = b.here();
    Table {
        b,
        left,
        right,
        entry,
    }
}

impl Table {
    fn moves(&mut self, what: i32, to: ZoneId, place: MovePlace) {
        let (what, to) = (self.b.int(what), self.b.int(i32::from(to)));
        self.b.op(Op::Move(ComponentMove {
            what,
            to,
            place,
            face_down: false,
        }));
    }

    /// Plays it to a rest; the ids in both piles.
    fn piles(mut self) -> (Vec<String>, Vec<String>) {
        let site = self.b.site(0, vec![option("", Vec::new(), 0)], 0);
        self.b.op(Op::Choose(site));
        let program = self.b.play(self.entry);
        let state = begin(&program);
        let bytes = state.encode(&program);
        assert!(State::decode(&program, &bytes).is_ok());
        (
            ids(&program, &state, "left"),
            ids(&program, &state, "right"),
        )
    }
}

fn ids(program: &Program, state: &State, zone: &str) -> Vec<String> {
    let doc = view(program, state, Viewer::omniscient());
    let components = &doc.zones[zone].components;
    let ids = components.iter().map(|component| component["id"].as_str());
    ids.map(|id| id.unwrap().to_owned()).collect()
}

#[test]
fn to_the_top_the_bottom_and_between() {
    let mut t = table();
    let (left, right) = (t.left, t.right);
    let second = t.b.int(2);
    t.moves(0, right, MovePlace::Top);
    t.moves(1, right, MovePlace::Bottom);
    t.moves(2, right, MovePlace::At(second));
    let far = t.b.int(99);
    t.moves(4, left, MovePlace::At(far));
    let (left, right) = t.piles();
    assert_eq!(left, ["card-4", "coin-1"]);
    assert_eq!(right, ["card-2", "card-3", "coin-2", "card-1"]);
}

#[test]
fn within_its_zone() {
    let mut t = table();
    let left = t.left;
    t.moves(0, left, MovePlace::Top);
    let first = t.b.int(1);
    t.moves(3, left, MovePlace::At(first));
    assert_eq!(t.piles().0, ["card-4", "card-2", "card-3", "card-1"]);
}

#[test]
fn nothing_and_nowhere_do_not_move() {
    let mut t = table();
    let right = t.right;
    t.moves(NONE, right, MovePlace::Top);
    t.moves(99, right, MovePlace::Top);
    t.moves(0, 99, MovePlace::Top);
    let (left, right) = t.piles();
    assert_eq!((left.len(), right.len()), (4, 2));
}

#[test]
fn a_full_zone_takes_no_more() {
    let mut t = table();
    let right = t.right;
    t.b.program.zones[usize::from(right)].capacity = Some(3);
    t.moves(0, right, MovePlace::Top);
    t.moves(1, right, MovePlace::Top);
    t.moves(4, right, MovePlace::Top);
    let (left, right) = t.piles();
    assert_eq!(left, ["card-2", "card-3", "card-4"]);
    assert_eq!(right, ["coin-2", "card-1", "coin-1"]);
}

#[test]
fn drawing_more_than_there_is() {
    let mut t = table();
    let (from, to, count) = (t.b.int(1), t.b.int(2), t.b.int(9));
    t.b.op(Op::Draw(ComponentDraw {
        count,
        from,
        to,
        face_down: true,
    }));
    let (left, right) = t.piles();
    assert!(left.is_empty());
    assert_eq!(right[2..], ["card-4", "card-3", "card-2", "card-1"]);
}

#[test]
fn swapping_neighbors_and_strangers() {
    let mut t = table();
    for (one, other) in [(0, 1), (3, 2), (0, 4), (5, 5), (NONE, 1)] {
        let (one, other) = (t.b.int(one), t.b.int(other));
        t.b.op(Op::Swap(one, other));
    }
    let (left, right) = t.piles();
    assert_eq!(left, ["card-2", "coin-1", "card-4", "card-3"]);
    assert_eq!(right, ["card-1", "coin-2"]);
}

#[test]
fn nothing_lies_in_itself() {
    let mut t = table();
    let inner = t.b.zone("card-1.cards", See::All, None);
    t.b.program.zones[usize::from(inner)].inside = Some(0);
    t.b.program.components[0].holds = Some(inner);
    let deeper = t.b.zone("card-2.cards", See::All, None);
    t.b.program.zones[usize::from(deeper)].inside = Some(1);
    t.b.program.components[1].holds = Some(deeper);
    t.moves(0, inner, MovePlace::Top);
    t.moves(1, inner, MovePlace::Top);
    t.moves(0, deeper, MovePlace::Top);
    let (one, other) = (t.b.int(0), t.b.int(1));
    t.b.op(Op::Swap(one, other));
    assert_eq!(t.piles().0, ["card-1", "card-3", "card-4"]);
}

#[test]
fn places_of_a_grid_hold_one_tile() {
    let mut t = table();
    let right = t.right;
    t.b.program.families[usize::from(right)].open_grid = true;
    for (what, x, turned) in [(0, 0, 5), (1, 0, 0), (2, 1, -1), (3, 2, 2)] {
        let face_down = what == 3;
        let (what, zone) = (t.b.int(what), t.b.int(i32::from(right)));
        let (cell, turned) = (t.b.int(cell(x, 0)), t.b.int(turned));
        t.b.op(Op::MoveToCell(CellMove {
            what,
            zone,
            cell,
            turned,
            face_down,
        }));
    }
    let site = t.b.site(0, vec![option("", Vec::new(), 0)], 0);
    t.b.op(Op::Choose(site));
    let program = t.b.play(t.entry);
    let state = begin(&program);
    assert!(State::decode(&program, &state.encode(&program)).is_ok());
    let doc = view(&program, &state, Viewer::Public);
    let tiles = &doc.zones["right"].components;
    let placed: Vec<String> = tiles
        .iter()
        .filter(|tile| tile.get("cell").is_some())
        .map(|tile| format!("{} {} {}", tile["id"], tile["cell"], tile["turned"]))
        .collect();
    let face_down = "null \"2,0\" 2";
    let expected = ["\"card-1\" \"0,0\" 1", "\"card-3\" \"1,0\" 3", face_down];
    assert_eq!(placed, expected);
}
