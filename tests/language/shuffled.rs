//! `shuffled(xs)`: a list in random order as a value.

use crate::play::{begin, said};

#[test]
fn a_list_is_shuffled_where_it_becomes_a_value() {
    let told = said(
        r#"
play: |
  let xs = shuffled([1, 1, 2, 3])
  say "{count(xs)} {sum(xs)} {count(unique(xs))}"
  order = shuffled(seats)
  say "{count(order)} {count(unique(order))}"
  let n = 0
  each p in shuffled(seats): n += 1
  let changing = shuffled(1..3)
  changing += 9
  say "{n} {last(changing)} {count(changing)}"
  repeat 2 times:
    let none_at_all = shuffled([1] where it > 5)
    say "{count(none_at_all)}"
  each k in 1..2:
    let some_of = shuffled(1..2 where it >= k)
    say "{count(some_of)}"
  let mine = dealt(3)
  say "{sum(mine)} {count(cards where it in shuffled_cards())}"
ints dealt(int n): return shuffled(1..n)
"#,
        "
vars:
  order: {type: seats, most: 4}
queries:
  shuffled_cards: cards where .rank < 3
",
    );
    let expected = ["4 7 3", "3 3", "3 9 4", "0", "0", "2", "1", "6 2"];
    assert_eq!(told, expected);
}

#[test]
fn every_member_is_as_often_the_first() {
    let told = said(
        r#"
play: |
  each n in 1..900:
    let xs = shuffled(1..3)
    mine[seat(xs[1])] += 1
  each p in seats: say "{mine[p]}"
"#,
        "",
    );
    let firsts: Vec<i32> = told.iter().map(|count| count.parse().unwrap()).collect();
    assert_eq!((firsts.len(), firsts.iter().sum::<i32>()), (3, 900));
    assert!(
        firsts.iter().all(|count| (240..360).contains(count)),
        "{firsts:?}"
    );
}

/// As every draw, it is known only through what the rules do with it.
#[test]
fn nobody_is_told_of_a_shuffle() {
    let game = begin("play: let xs = shuffled([5, 5])", "");
    assert!(game.all_told("drawn").is_empty());
}
