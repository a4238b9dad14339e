//! The players that think.

use wyrmgate::bot::Bot;
use wyrmgate::simulate::{self, Plan};

use super::program;

fn wins_against_random(game: &str, player: Bot, games: u64) -> u64 {
    let plan = Plan {
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
        games: 2,
        seed: [8; 32],
        threads: 2,
        players: vec![Bot::Search1, Bot::Random],
        records: None,
    };
    let played = || simulate::run(&program("goofspiel"), &plan, &mut |_| {});
    assert_eq!(played(), played());
}
