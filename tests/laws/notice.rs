//! Tests that laws find violations. Laws that the engine cannot violate are tested with a state of another program.

use wyrmgate::bot::RandomBot;
use wyrmgate::engine::{Seeded, Silent, pending, start, step_legal};
use wyrmgate::laws::{Compared, LawRest, Look, law};
use wyrmgate::program::{Program, ProgramName};

use crate::games::{example_of_reference, game_of};

const SEED: [u8; 32] = [7; 32];

fn program() -> Program {
    let checked = example_of_reference();
    let setup = checked.setup(2, &Default::default()).unwrap();
    checked.compile(&setup).unwrap()
}

/// Returns the violations at the first rests of a game that one program plays and another one inspects.
fn found(name: &str, played: &Program, looked_at: &Program) -> Vec<String> {
    let Some(Look::AtRest { check, .. }) = law(name).map(|law| &law.look) else {
        panic!("{name}");
    };
    let mut state = start(played, SEED, &mut Seeded, &mut Silent).unwrap();
    let mut found = Vec::new();
    let mut dice = RandomBot::new(1);
    for _ in 0..5 {
        let owed = pending(played, &state);
        found.extend(
            check(&mut LawRest {
                program: looked_at,
                state: &state,
                owed: &owed,
                seed: SEED,
                made: &[],
                dice: &mut dice,
                compared: &mut Compared::default(),
            })
            .err()
            .map(|found| found.sentence),
        );
        if owed.is_empty() {
            break;
        }
        let choice = dice.choose(played, &state, &owed[0]).unwrap().unwrap();
        let (chance, observer) = (&mut Seeded, &mut Silent);
        step_legal(played, &mut state, owed[0].index, &choice, chance, observer).unwrap();
    }
    found
}

#[test]
fn a_view_that_is_sent_with_another_word_is_noticed() {
    let mut program = program();
    assert!(found("sent", &program, &program).is_empty());
    // The words that are kept with the program are now those of the kind as it was.
    for kind in &mut program.kinds {
        kind.name = format!("other-{}", kind.name);
    }
    let found = found("sent", &program, &program);
    assert!(found[0].contains("is sent something else"), "{}", found[0]);
}

#[test]
fn a_component_that_nobody_knows_is_missed() {
    let program = program();
    let mut other = program.clone();
    let mut extra = other.components[0].clone();
    extra.naming = ProgramName::new("one-too-many", Default::default());
    other.components.push(extra);
    assert!(found("conserved", &program, &program).is_empty());
    let found = found("conserved", &program, &other);
    assert_eq!(found[0], "`one-too-many` is in 0 places");
}

/// Returns a game with eight cards in a hidden pile, shuffled or not.
fn pile(play: &str) -> Program {
    let text = format!(
        "
game: pile
title: Pile
players: 2
zones:
  pile: {{holds: card, see: nobody}}
  table: {{holds: card}}
components:
  card: {{each: {{rank: 1..8}}, in: pile}}
effects:
  play: |
{play}
    choose k in 1..2 by seat(1)
    finish drawn
"
    );
    let checked = game_of(&text);
    let setup = checked.setup(2, &Default::default()).unwrap();
    checked.compile(&setup).unwrap()
}

#[test]
fn a_pile_that_nobody_has_shuffled_is_found() {
    let Some(Look::Game { check, .. }) = law("dealt").map(|law| &law.look) else {
        panic!("dealt");
    };
    let sentence = |play: &str| {
        let found = check(&pile(play), SEED).err()?;
        assert!(found.span.is_some(), "{found:?}");
        Some(found.sentence)
    };
    let found = "the hidden components of `pile` are in the order of the rules when one is taken: shuffle the zone first";
    for play in [
        "    move top(pile) to table",
        "    choose c in pile at random\n    move c to table",
        "    choose j in 1..2 by seat(1)\n    move top(pile) to table",
    ] {
        assert_eq!(sentence(play).as_deref(), Some(found), "{play}");
    }
    for play in [
        "    shuffle pile\n    move top(pile) to table",
        // Shuffled only after a first question.
        "    choose j in 1..2 by seat(1)\n    shuffle pile\n    move top(pile) to table",
    ] {
        assert_eq!(sentence(play), None, "{play}");
    }
}

#[test]
fn copies_that_do_not_lead_to_the_same_are_not_alike() {
    let purse = |then: &str| {
        let text = format!(
            "
game: purse
title: Purse
players: 2
zones:
  purse: {{holds: coin, order: any}}
  table: {{holds: coin}}
components:
  coin: {{copies: 5, in: purse}}
vars: {{luck: int}}
effects:
  play: |
    turns from seat(1) where purse is not empty:
      choose c in purse \"Which coin?\":
        luck = {then}
        move c to table
"
        );
        let checked = game_of(&text);
        let setup = checked.setup(2, &Default::default()).unwrap();
        checked.compile(&setup).unwrap()
    };
    let (alike, apart) = (purse("count(purse)"), purse("c.place"));
    assert_eq!(found("alike", &alike, &alike), [""; 0]);
    let found = found("alike", &apart, &apart);
    assert!(found[0].contains("does not lead to the same"), "{found:?}");
}

#[test]
fn a_loop_that_nobody_leaves_after_a_seat_has_resigned_is_found() {
    let game = |rest: &str| {
        let text = format!(
            "
game: wait
title: Wait
players: 2..5
bound: 100
effects:
  play: |
    turns from seat(1):
      repeat:
        choose \"Now?\":
          option go \"Go on\": active scores 1
          option end \"End\":
            if score[active] > 3: finish won by active
            stop
{rest}
  resigns(seat p): score[p] = 0
"
        );
        let checked = game_of(&text);
        let setup = checked.setup(5, &Default::default()).unwrap();
        checked.compile(&setup).unwrap()
    };
    let (good, endless) = (game("        else: stop"), game(""));
    assert!(found("resigned", &good, &good).is_empty());
    assert!(!found("resigned", &endless, &endless).is_empty());
}
