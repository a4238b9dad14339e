//! The players that think.

use wyrmgate::bot::Bot;
use wyrmgate::simulate::{self, Plan};

use super::{program, written};

fn wins_against_random(game: &str, player: Bot, games: u64) -> u64 {
    let plan = Plan {
        first: 1,
        games,
        seed: [4; 32],
        threads: 2,
        players: vec![player, Bot::Random],
        records: None,
    };
    let summary = simulate::run(&program(game), &plan, &mut |_| {});
    assert_eq!(summary.failed, 0, "{:?}", summary.failures);
    summary
        .players
        .iter()
        .find(|wins| wins.player == player)
        .unwrap()
        .share
        .count
}

#[test]
fn a_bot_that_searches_beats_one_that_does_not() {
    assert!(wins_against_random("tic-tac-toe", Bot::Search1, 20) >= 15);
    assert!(wins_against_random("connect-four", Bot::Search1, 10) >= 8);
}

#[test]
fn a_greedy_bot_takes_a_win_when_it_sees_one() {
    assert!(wins_against_random("tic-tac-toe", Bot::Greedy, 40) >= 22);
}

#[test]
fn a_player_that_thinks_tells_how_often_and_finds_worlds() {
    let plan = Plan {
        first: 1,
        games: 2,
        seed: [6; 32],
        threads: 2,
        players: vec![Bot::Search1, Bot::Random],
        records: None,
    };
    let summary = simulate::run(&program("goofspiel"), &plan, &mut |_| {});
    let [search, random] = summary.players.as_slice() else {
        panic!("{:?}", summary.players);
    };
    assert!(search.thoughts >= 20, "{search:?}");
    assert_eq!((search.blind, random.thoughts), (0, 0));
}

#[test]
fn the_same_seed_gives_the_same_thoughts() {
    let plan = Plan {
        first: 1,
        games: 2,
        seed: [8; 32],
        threads: 2,
        players: vec![Bot::Search1, Bot::Random],
        records: None,
    };
    let played = || simulate::run(&program("goofspiel"), &plan, &mut |_| {});
    assert_eq!(played(), played());
}

/// Each guesses the card of the other. Who thinks in fair worlds guesses no better than chance, whether or not cards can
/// hold something.
#[test]
fn a_player_that_thinks_does_not_know_hidden_cards() {
    for holds in ["", ", holds: {coins: coin}"] {
        let program = written(&format!(
            "players: [2]\nbound: 2\nzones:\n  deck: {{holds: card, see: nobody}}\n  \
             hand: {{each: {{owner: seats}}, holds: card, see: owner}}\ncomponents:\n  \
             card: {{each: {{rank: 1..6}}, in: deck{holds}}}\n  coin: {{copies: 2}}\neffects:\n  play: |\n    \
             shuffle deck\n    each p in seats: draw 1 from deck to hand(p)\n    each p in seats:\n      \
             turn of p:\n        choose n in 1..6:\n          if first(hand(left(active))).rank = n: active scores 1\n    \
             finish ranked by score[it], ties drawn\n"
        ));
        let plan = Plan {
            first: 1,
            games: 40,
            seed: [3; 32],
            threads: 2,
            players: vec![Bot::Search1, Bot::Random],
            records: None,
        };
        let summary = simulate::run(&program, &plan, &mut |_| {});
        assert_eq!(summary.failed, 0, "{:?}", summary.failures);
        let mut players = summary.players.iter();
        let wins = players.find(|wins| wins.player == Bot::Search1).unwrap();
        // One of five is right; the true card would win three of four.
        assert!(wins.share.count <= 18, "{holds:?}: {}", wins.share.count);
    }
}
