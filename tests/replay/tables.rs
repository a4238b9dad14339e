//! A game with a table is the same game as the one that is written without it: the same choices, events and positions.

use serde_json::Value;
use wyrmgate::bot::RandomBot;
use wyrmgate::compile::{Setup, compile};
use wyrmgate::diagnostic::Sources;
use wyrmgate::engine::{Collect, Seeded, Viewer, pending, start, step};
use wyrmgate::lang::load;
use wyrmgate::program::Program;
use wyrmgate::view::event_doc;

const TABLE: &str = "name,title,copies,cost,coins,steals,likes\r
penny,\"A Penny, or so\",9,0,1,false,\"[copper]\"\r
thief,Thief,3,2,1,true,\"[silver, gold]\"\r
crown,,2,4,2,false,[gold]\r
";

const KINDS: &str = "
    kinds:
      penny: {title: 'A Penny, or so', copies: 9, fields: {cost: 0, coins: 1, steals: false, likes: [copper]}}
      thief: {title: Thief, copies: 3, fields: {cost: 2, coins: 1, steals: true, likes: [silver, gold]}}
      crown: {copies: 2, fields: {cost: 4, coins: 2, steals: false, likes: [gold]}}
";

fn game(data: &str, card: &str) -> String {
    format!(
        "game: purse
players: 2..3
bound: 400
types: {{metal: [copper, silver, gold]}}
{data}
zones:
  deck: {{holds: card, see: nobody}}
  hand: {{each: {{owner: seats}}, holds: card, see: owner}}
  spent: {{holds: card}}
components:
  card:
    in: deck{card}
vars:
  purse: {{each: seats, type: int}}
effects:
  play: |
    shuffle deck
    draw 3 from deck to each_hand()
    turns from seat(1):
      choose \"Which?\":
        option play \"Play {{c}}\" c in hand(active) where c.cost <= purse[active]:
          move c to spent
          purse[active] += c.coins - c.cost + count(c.likes)
          if c.steals: steals
        option draw \"Draw\" if deck is not empty: draw 1 from deck to hand(active)
        option stop \"Stop\" default: finish ranked by purse[it]
  steals: |
    choose p in others(active) at random
    purse[p] -= 1
"
    )
    .replace(
        "draw 3 from deck to each_hand()",
        "each p in seats: draw 3 from deck to hand(p)",
    )
}

fn program(files: &[(&str, &str)]) -> Program {
    let files: Vec<_> = files
        .iter()
        .map(|(path, text)| ((*path).into(), (*text).into()))
        .collect();
    let mut sources = Sources::default();
    let (definition, mut report) = load(&mut sources, &files, "purse/game.yaml");
    let setup = Setup {
        seats: 3,
        ..Setup::default()
    };
    let definition = definition.unwrap_or_else(|| panic!("{}", report.render(&sources, false)));
    let program = compile(&definition, &setup, &mut report);
    program.unwrap_or_else(|| panic!("{}", report.render(&sources, false)))
}

/// Plays a random game: every event as somebody sees it who sees all, and the last position.
fn played(program: &Program, seed: u8) -> (Vec<Value>, Vec<u8>) {
    let mut collect = Collect::default();
    let mut state = start(program, [seed; 32], &mut Seeded, &mut collect).unwrap();
    let mut bot = RandomBot::new(seed.into());
    while let Some(owed) = pending(program, &state).first().copied() {
        let choice = bot.choose(program, &state, &owed).unwrap().unwrap();
        step(
            program,
            &mut state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut collect,
        )
        .unwrap();
    }
    let docs = collect.0.iter();
    let docs = docs.filter_map(|event| event_doc(program, event, Viewer::omniscient()));
    (docs.map(Value::from).collect(), state.encode(program))
}

#[test]
fn a_game_with_a_table_is_the_game_without_it() {
    let with = game("data: {coins: {table: coins.csv}}", "\n    from: coins\n");
    let with = program(&[("purse/game.yaml", &with), ("purse/coins.csv", TABLE)]);
    let without = program(&[("purse/game.yaml", &game("", KINDS))]);
    let mut lengths = 0;
    for seed in 0..40 {
        let (events, state) = played(&with, seed);
        assert_eq!(
            (&events, &state),
            (&played(&without, seed).0, &played(&without, seed).1)
        );
        lengths += events.len();
    }
    assert!(lengths > 1_000, "{lengths}");
}
