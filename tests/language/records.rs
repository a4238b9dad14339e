//! Records: values with several parts.

use serde_json::json;
use wyrmgate::engine::{FaultKind, Viewer};

use crate::play::{begin, said, try_begin};

const WORLD: &str = r#"
types:
  claim: {by: seat, on: color, amount: int}
  mark: {of: seat, king: bool}
vars:
  bid: claim
  last_bid: {type: claim, start: "claim(seat(2), blue, 2)"}
  claims: {each: seats, type: claim, see: owner}
  opening: {type: claim, each: color, start: "[claim(none, red, 1), claim(seat(1), blue, 2)]"}
  bids: {type: claims, most: 5}
  heaps: {type: claims, each: seats, most: 3}
  debts: {type: claim, each: {from: seats, to: color}}
  piles: {type: claims, each: {from: seats, to: color}, most: 2}
  man: {each: spot, type: mark}
zones:
  spot: {each: {number: 1..3}, holds: card}
positions:
  whole: [bid, bids, man]
queries:
  highest(claims cs): first(cs sorted by most .amount)
  is_high(claim c): c.amount > 3
  better(claim a, claim b): if a.amount >= b.amount then a else b
  raised(claim c, int by_how_much): claim(c.by, c.on, c.amount + by_how_much)
  high_ones(claims cs): cs where .amount > 3
  claim climbs(claim c, int left) up to 9 deep: if left = 0 then c else climbs(raised(c, left), left - 1)
effects:
  raises(int n): bid.amount += n
"#;

#[test]
fn a_record_is_read_and_written_as_a_whole_or_by_its_parts() {
    let told = said(
        r#"
play: |
  say "{bid.by} {bid.on} {bid.amount} {bid is none} {last_bid.on} {last_bid is some}"
  bid = claim(seat(1), red, 4)
  bid.amount += 1
  bid.on = blue
  say "{bid.by} {bid.on} {bid.amount}"
  last_bid = bid
  say "{bid = last_bid} {bid != claim(seat(1), blue, 5)} {bid = none}"
  bid = none
  say "{bid = none} {bid = last_bid} {last_bid.amount}"
  say "{opening[red].amount} {opening[blue].by} {opening[red] is some}"
"#,
        WORLD,
    );
    let wanted = [
        "none none 0 yes blue yes",
        "seat 1 blue 5",
        "yes no no",
        "yes no 5",
        "1 seat 1 yes",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn all_parts_have_the_values_from_before_the_assignment() {
    let told = said(
        r#"
play: |
  bid = claim(seat(1), red, 4)
  bid = claim(if bid.amount = 4 then seat(2) else seat(3), if bid.by = seat(1) then blue else red, bid.amount * 2)
  say "{bid.by} {bid.on} {bid.amount}"
  claims[seat(1)] = claim(seat(2), red, 1)
  claims[seat(2)] = claim(seat(3), blue, 2)
  claims[claims[seat(1)].by] = claim(claims[seat(2)].by, claims[seat(1)].on, claims[seat(2)].amount + 1)
  say "{claims[seat(2)].by} {claims[seat(2)].on} {claims[seat(2)].amount}"
  let b = claim(seat(1), red, 1)
  b = claim(seat(2), if b.by = seat(1) then blue else red, b.amount + 1)
  b.amount += 5
  say "{b.by} {b.on} {b.amount}"
  man[spot(1)] = mark(seat(1), true)
  man[spot(2)] = man[spot(1)]
  man[spot(1)] = none
  say "{count(spot where man[it] is some)} {man[spot(2)].king} {count(spot where man[it].of = seat(1))}"
"#,
        WORLD,
    );
    let wanted = ["seat 2 blue 8", "seat 3 red 3", "seat 2 blue 7", "1 yes 1"];
    assert_eq!(told, wanted);
}

#[test]
fn each_key_has_a_record_of_its_own() {
    let told = said(
        r#"
play: |
  claims[seat(2)] = claim(seat(1), red, 3)
  seat(3).claims = claims[seat(2)]
  seat(3).claims.amount += 1
  say "{claims[seat(1)].amount} {seat(2).claims.amount} {claims[seat(3)].amount} {max(seats, claims[it].amount)}"
  debts[seat(2)][blue] = claim(seat(3), red, 6)
  debts[seat(2)][blue].amount -= 2
  say "{debts[seat(2)][blue].amount} {debts[seat(2)][red].amount} {debts[seat(2)][blue].by} {debts[none][red] is none}"
  say "{count(keys(seats, claims[it]) where .amount > 2)} {sum(keys(seats, raised(claims[it], 1)), .amount)}"
  claims[none] = claim(seat(1), red, 9)
  say "{sum(seats, claims[it].amount)}"
"#,
        WORLD,
    );
    assert_eq!(told, ["0 3 4 4", "4 0 seat 3 yes", "2 10", "7"]);
}

#[test]
fn a_list_of_records_has_the_functions_of_lists() {
    let told = said(
        r#"
play: |
  bids += claim(seat(1), red, 1)
  bids += [claim(seat(2), blue, 7), last_bid]
  bids += claim(seat(3), red, last(bids).amount + 3)
  say "{count(bids)} {bids.amount} {bids.on} {sum(bids, .amount)} {bids[2].by} {bids[9].amount}"
  say "{(bids where .on = red).amount} {first(bids sorted by most .amount).by} {distinct(bids, .on)} {count(bids with most .amount)}"
  say "{some b in bids has b.amount = 7} {every b in bids has b.amount < 7} {any(bids, .by = seat(3))} {reversed(bids).amount}"
  say "{last_bid in bids} {claim(seat(1), red, 9) in bids} {claim(seat(2), blue, 7) not in bids}"
  say "{count(x in bids where count(bids where .on = x.on) = 2)} {take(bids, 2).amount} {(bids + [bid]).amount} {(bids - [last_bid]).amount}"
  bids -= last_bid
  say "{bids.amount}"
  bids[2].amount += 10
  last(bids).amount += 5
  bids[1] = claim(seat(2), red, 2)
  say "{bids.amount} {bids[1].by}"
  bids = reversed(bids where .on = red)
  say "{bids.amount} {bids.by}"
  bids -= bids where .amount > 3
  bids = bids + bids
  say "{bids.amount}"
  bids = []
  say "{count(bids)} {last(bids) is none}"
"#,
        WORLD,
    );
    let wanted = [
        "4 1, 7, 2, 5 red, blue, blue, red 15 seat 2 0",
        "1, 5 seat 2 2 1",
        "yes no yes 5, 2, 7, 1",
        "yes no no",
        "4 1, 7 1, 7, 2, 5, 0 1, 7, 5",
        "1, 7, 5",
        "2, 17, 10 seat 2",
        "10, 2 seat 3, seat 2",
        "2, 2",
        "0 yes",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn every_key_has_a_list_of_records_of_its_own() {
    let told = said(
        r#"
play: |
  heaps[seat(1)] += claim(seat(2), red, 3)
  heaps[seat(2)] += claim(seat(1), red, 4)
  heaps[seat(2)] += heaps[seat(1)]
  heaps[seat(2)][1].amount = 9
  say "{heaps[seat(2)].amount} {seat(2).heaps.by} {heaps[seat(2)][2].by} {last(heaps[seat(2)]).amount} {count(heaps[seat(3)])}"
  heaps[seat(2)] -= heaps[seat(1)]
  say "{heaps[seat(2)].amount} {sum(keys(seats, heaps[it]), .amount)}"
  piles[seat(1)][blue] += claim(seat(3), blue, 2)
  piles[seat(1)][blue] += claim(seat(2), red, 5)
  piles[seat(1)][blue][1].amount += 6
  say "{piles[seat(1)][blue].amount} {piles[seat(1)][red] is empty} {piles[seat(1)][blue][2].on}"
"#,
        WORLD,
    );
    assert_eq!(
        told,
        ["9, 3 seat 1, seat 2 seat 2 3 0", "9 12", "8, 5 yes red"]
    );
}

#[test]
fn a_name_keeps_the_record_that_it_was_given() {
    let told = said(
        r#"
play: |
  bids += [claim(seat(1), red, 1), claim(seat(2), blue, 5), claim(seat(3), red, 6)]
  let b = bids[2]
  let all = bids where .amount > 3
  bids[2].amount = 0
  each x in bids where .amount != 0:
    bids = []
    say "{x.by} {x.amount}"
  say "{b.amount} {all.amount} {last(all).by} {count(bids)} {count(all + bids)}"
  bid = b
  say "{let c = bid; after(raises(3), c.amount)} {after(raises(3), bid.amount)} {bid.amount}"
  say "{let c = first(all); c.amount * c.amount} {let n = 2; raised(b, n).amount}"
"#,
        WORLD,
    );
    assert_eq!(
        told,
        ["seat 1 1", "seat 3 6", "5 5, 6 seat 3 0 2", "5 8 5", "25 7"]
    );
}

#[test]
fn records_go_into_queries_and_effects_and_come_out() {
    let told = said(
        r#"
play: |
  bids += [claim(seat(1), red, 1), claim(seat(2), blue, 5), claim(seat(3), red, 6)]
  say "{highest(bids).by} {highest(bids where .on = blue).amount} {highest([last_bid, bids[1]]).amount} {highest([]) is none}"
  say "{is_high(bids[2])} {bids[1] is is_high} {bids[2].is_high} {count(bids where it is is_high)}"
  say "{better(bids[1], last_bid).amount} {better(raised(bids[1], 8), last_bid).by} {high_ones(bids).amount} {count(high_ones(bids + [bid]))}"
  say "{climbs(last_bid, 3).amount} {climbs(bids[2], 0).by}"
"#,
        WORLD,
    );
    let wanted = [
        "seat 3 5 2 yes",
        "yes no yes 2",
        "2 seat 1 5, 6 2",
        "8 seat 2",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn a_result_with_parts_waits_for_decisions_and_handlers_see_parts() {
    let mut game = begin(
        r#"
play: |
  let c = made(seat(3), 7)
  say "{c.by} {c.on} {c.amount}"
  let d = passed_on(seat(2))
  say "{d.by} {d.on} {d.amount}"
  let e = nothing(seat(1))
  say "{e is none}"
  seat(1) beats c with [c, d]
  seat(2) beats none with []
claim made(seat p, int n): |
  choose k in color by p "Which?"
  return claim(p, k, n)
claim passed_on(seat p): return made(p, 2)
claim nothing(seat p): |
  if p = none: return last_bid
seat p beats claim c with claims others: say "{p} {c.amount} {others.amount}"
"#,
        &format!(
            "{WORLD}handlers:
  before seat q beats claim d with claims more: {{if: d.amount > 3, do: 'say \"{{d.amount}} and {{count(more)}}\"'}}
"
        ),
    );
    game.choose(3, "k", json!("blue"));
    game.choose(2, "k", json!("red"));
    let told = game.said();
    let wanted = [
        "seat 3 blue 7",
        "seat 2 red 2",
        "yes",
        "7 and 2",
        "seat 1 7 7, 2",
        "seat 2 0 none",
    ];
    assert_eq!(told, wanted);
}

#[test]
fn a_view_shows_records_as_objects_to_those_who_may_know() {
    let game = begin(
        r#"
play: |
  bid = claim(seat(1), red, 4)
  claims[seat(2)] = claim(seat(3), none, 5)
  bids += [bid, claim(seat(2), blue, 7)]
  heaps[seat(2)] += bid
  debts[seat(2)][blue].amount = 3
  man[spot(2)] = mark(seat(1), true)
  choose n in 1..2 by seat(1)
"#,
        WORLD,
    );
    let everybody = Viewer::omniscient();
    let four = json!({"by": 1, "on": "red", "amount": 4});
    let nothing = json!({"by": null, "on": null, "amount": 0});
    let seven = json!({"by": 2, "on": "blue", "amount": 7});
    assert_eq!(game.var("bid", everybody), four);
    assert_eq!(game.var("bids", everybody), json!([four, seven]));
    assert_eq!(game.var("heaps", everybody), json!([[], [four], []]));
    let five = json!({"by": 3, "on": null, "amount": 5});
    assert_eq!(
        game.var("claims", everybody),
        json!([nothing, five, nothing])
    );
    assert_eq!(
        game.var("claims", Viewer::Seat(1)),
        json!([null, five, null])
    );
    assert_eq!(
        game.var("claims", Viewer::Seat(0)),
        json!([nothing, null, null])
    );
    let three = json!({"by": null, "on": null, "amount": 3});
    assert_eq!(
        game.var("debts-2", everybody),
        json!({"red": nothing, "blue": three})
    );
    let man = game.var("man", everybody);
    assert_eq!(man["spot-2"], json!({"of": 1, "king": true}));
    assert_eq!(man["spot-1"], json!({"of": null, "king": false}));
}

#[test]
fn too_many_records_and_members_that_do_not_exist_are_faults() {
    let (fault, place) = try_begin(
        r#"
play: |
  repeat 6 times: bids += claim(seat(1), red, 4)
"#,
        WORLD,
    )
    .err()
    .unwrap();
    assert_eq!(fault.kind, FaultKind::Key);
    assert!(place.starts_with("bids += "), "{place}");
    let (fault, _) = try_begin("play: 'bids[2].amount = 4'", WORLD)
        .err()
        .unwrap();
    assert_eq!(fault.kind, FaultKind::Key);
}

#[test]
fn equal_records_are_equal_positions() {
    let told = said(
        r#"
play: |
  record whole
  bid.amount += 1
  man[spot(3)].king = true
  say "{recorded(whole)}"
  bid = none
  man[spot(3)] = none
  bids += bid
  bids = []
  say "{recorded(whole)}"
"#,
        WORLD,
    );
    assert_eq!(told, ["0", "1"]);
}

#[test]
fn handlers_triggers_modifiers_and_kinds_get_records() {
    let told = said(
        r#"
play: |
  turn of seat(1):
    seat(1) bids claim(seat(1), red, 7)
    seat(2) bids claim(seat(2), blue, 9)
  say "{worth(bid)} {worth(claim(none, red, 4))}"
  seat(1) claims bid
  bid = none
  resolve
  let c = claim(seat(2), red, 5)
  say "{stone.likes(c)} {rock.likes(c)} {count(pebbles where .likes(c))}"
  stone.hears(c)
  say "{after(stores(c), bid.amount + count(bids))} {bid.amount} {count(bids where (let x = it; x.amount > 7))}"
stores(claim c): bid = c; bids += c
seat p bids claim c: bid = c; bids += c; notes(c.amount)
notes(int n): say "noted {n}"
seat p claims claim c: say "claims {c.amount}"
"#,
        &format!(
            r#"{WORLD}  worth(claim c): c.amount
modifiers:
  worth(claim x): {{if: x.on = blue, add: 10 + x.amount}}
components:
  pebble:
    kinds:
      stone:
        queries: {{likes(claim c): c.amount > 9}}
        effects: {{hears(claim c): 'say "{{c.amount}} heard"'}}
      rock:
        queries: {{likes(claim c): c.on = red}}
        effects: {{hears(claim c): 'say "{{c.by}} heard"'}}
handlers:
  after seat p bids claim c:
    keeps: {{old: bid, all: bids}}
    if: c.amount > old.amount
    do: say "from {{old.amount}} and {{count(all)}} to {{c.amount}}"
  after seat p claims claim c: {{waits: true, by: p, do: 'say "later {{c.amount}} by {{c.by}}"'}}
  after hears(pebble d, claim e): {{if: e.amount > 3, do: 'say "{{e.on}} heard"'}}
  before notes(int n): {{within: "seat p bids claim c", if: c.amount = 7, do: 'say "within {{c.on}}"'}}
"#
        )
        .replace("effects:\n  raises(int n): bid.amount += n\n", ""),
    );
    let wanted = [
        "within red",
        "noted 7",
        "from 0 and 0 to 7",
        "noted 9",
        "from 7 and 1 to 9",
        "28 4",
        "claims 9",
        "later 9 by seat 2",
        "no yes 1",
        "5 heard",
        "red heard",
        "8 0 1",
    ];
    assert_eq!(told, wanted);
}

/// `owner` is the seat that a value belongs to, in the word and in a condition.
#[test]
fn a_variable_of_each_seat_has_an_owner() {
    let game = begin(
        "play: |\n  each p in seats: notes[p] = 7\n  choose n in 1..2 by seat(1)\n  finish drawn\n",
        "vars: {notes: {each: seats, type: int, see: viewer = owner or viewer = left(owner)}}",
    );
    for (seat, seen) in [
        (0, json!([7, null, 7])),
        (1, json!([7, 7, null])),
        (2, json!([null, 7, 7])),
    ] {
        assert_eq!(game.var("notes", Viewer::Seat(seat)), seen);
    }
}
