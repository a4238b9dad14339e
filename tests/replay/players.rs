//! The players that think.

use wyrmgate::bot::{Bot, Mind};
use wyrmgate::dice::Dice;
use wyrmgate::engine::Choice;
use wyrmgate::imagine::{GameHistory, Made};
use wyrmgate::program::Program;
use wyrmgate::simulate::{self, Plan};

use super::{program, shipped, written};

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

/// Numbers that chance draws in the open, a list that it shuffles for some seats, hidden dice, cards and answers.
#[test]
fn a_player_that_thinks_is_hardly_ever_blind() {
    let (mut thoughts, mut blind) = (0, 0);
    for game in [
        "backgammon",
        "beacons",
        "coup",
        "crown-hill",
        "gin-rummy",
        "liars-dice",
    ] {
        let program = shipped(&format!("gallery/{game}"));
        let plan = Plan {
            first: 1,
            games: 1,
            seed: [9; 32],
            threads: 1,
            players: vec![Bot::Greedy; program.seats],
            records: None,
        };
        let summary = simulate::run(&program, &plan, &mut |_| {});
        for wins in &summary.players {
            assert!(wins.blind * 20 <= wins.thoughts, "{game}: {wins:?}");
            thoughts += wins.thoughts;
            blind += wins.blind;
        }
    }
    assert!(
        thoughts > 200 && blind * 50 <= thoughts,
        "{blind} of {thoughts}"
    );
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

/// Each seat guesses the card of the other. A bot that uses fair worlds guesses no better than chance, whether or not
/// cards can hold components.
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

/// Plays tic-tac-toe with a thinking first seat, until it owes its second decision.
fn thinking(program: &Program) -> (Mind<'_>, GameHistory) {
    let mut dice = Dice::new(5);
    let mut mind = Mind::begin(program, [5; 32], 0).unwrap();
    let own = Bot::Search2.choose(&mut mind, &mut dice).unwrap();
    let own = made(0, own.choice.unwrap());
    mind.observe(&own).unwrap();
    let mut other = Mind::begin(program, [5; 32], 1).unwrap();
    other.observe(&own).unwrap();
    let answer = Bot::Search2.choose(&mut other, &mut dice).unwrap();
    let answer = made(1, answer.choice.unwrap());
    mind.observe(&answer).unwrap();
    let history = GameHistory {
        seed: [5; 32],
        made: vec![own, answer],
    };
    (mind, history)
}

fn made(seat: u8, choice: Choice) -> Made {
    Made {
        seat,
        secret: false,
        choice,
    }
}

#[test]
fn a_search_continues_below_the_choices_that_were_made() {
    let program = program("tic-tac-toe");
    let (mind, _) = thinking(&program);
    // 300 games, of which the best first choice gets a good part, and the best answer a good part of these.
    assert!((5..300).contains(&mind.playouts()), "{}", mind.playouts());
    let mut mind = mind;
    let kept = mind.playouts();
    Bot::Search2.choose(&mut mind, &mut Dice::new(6)).unwrap();
    assert_eq!(mind.playouts(), kept + 300);
}

#[test]
fn a_mind_is_recalled_unless_what_it_observed_was_taken_back() {
    let program = program("tic-tac-toe");
    let recalled = |history: &dyn Fn(&mut GameHistory)| {
        let (mind, mut played) = thinking(&program);
        history(&mut played);
        let mind = Mind::recall(&program, Some(mind.into_memory()), &played, 0).unwrap();
        assert_eq!(mind.choices(), played.made.len());
        mind.playouts()
    };
    assert!(recalled(&|_| ()) >= 5);
    assert_eq!(recalled(&|history| history.made.truncate(1)), 0);
    assert_eq!(recalled(&|history| history.seed = [6; 32]), 0);
}

/// A card that goes face down from a hidden hand to the table: no branch may tell which one it was.
#[test]
fn a_hidden_choice_ends_the_search_tree() {
    for (face, is_kept) in [(" face down", false), ("", true)] {
        let program = written(&format!(
            "players: [2]\nbound: 8\nzones:\n  deck: {{holds: card, see: nobody}}\n  \
             hand: {{each: {{owner: seats}}, holds: card, see: owner}}\n  table: {{holds: card}}\ncomponents:\n  \
             card: {{each: {{rank: 1..6}}, in: deck}}\neffects:\n  play: |\n    \
             shuffle deck\n    each p in seats: draw 3 from deck to hand(p)\n    repeat 2 times:\n      each p in seats:\n        \
             turn of p:\n          choose c in hand(p): move c to table{face}\n    finish drawn\n"
        ));
        let mut minds = [0, 1].map(|seat| Mind::begin(&program, [7; 32], seat).unwrap());
        let mut dice = Dice::new(7);
        for seat in [0, 1] {
            let chosen = Bot::Search2.choose(&mut minds[usize::from(seat)], &mut dice);
            let chosen = made(seat, chosen.unwrap().choice.unwrap());
            for mind in &mut minds {
                mind.observe(&chosen).unwrap();
            }
        }
        assert_eq!(minds[0].playouts() > 0, is_kept, "{face}");
    }
}
