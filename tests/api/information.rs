//! Information gain limits undos: a law over random games. Everything that sampled worlds show a seat to learn from a
//! choice must count. Information that only the deciding seat has, before and after, must not.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

use wyrmgate::bot::RandomBot;
use wyrmgate::engine::{self, Choice, Pending, State};
use wyrmgate::imagine::{GameHistory, Imagination, Made};
use wyrmgate::program::Program;
use wyrmgate::rules::Library;
use wyrmgate::view::InformationGain;

use reqwest::StatusCode;
use serde_json::json;

use super::support::{Server, config, expect, fixtures, shipped};

const WORLDS: usize = 2;

/// A game played at random, with what everybody knows.
pub struct Game<'p> {
    program: &'p Program,
    gain: InformationGain<'p>,
    history: GameHistory,
    dice: RandomBot,
}

impl<'p> Game<'p> {
    pub fn begin(program: &'p Program, seed: u8) -> Game<'p> {
        let seed_bytes = [seed; 32];
        let history = GameHistory {
            seed: seed_bytes,
            made: Vec::new(),
        };
        Game {
            program,
            gain: InformationGain::begin(program, seed_bytes).unwrap(),
            history,
            dice: RandomBot::new(u64::from(seed)),
        }
    }

    pub fn state(&self) -> &State {
        self.gain.state()
    }

    /// A random choice of the first who owes one; `None` at the end.
    pub fn next(&mut self) -> Option<(Pending, Choice)> {
        let state = self.gain.state();
        let pending = *engine::pending(self.program, state).first()?;
        let choice = self.dice.choose(self.program, state, &pending);
        Some((pending, choice.unwrap().unwrap()))
    }

    pub fn is_informative(&self, pending: Pending, choice: &Choice) -> bool {
        let mut then = self.gain.clone();
        then.take(pending.index, choice.clone()).unwrap();
        then.is_informative(self.history.made.len())
    }

    pub fn take(&mut self, pending: Pending, choice: Choice) {
        self.gain.take(pending.index, choice.clone()).unwrap();
        self.history.made.push(Made {
            seat: pending.seat,
            secret: pending.secret,
            choice,
        });
    }

    fn seen_in_imagined_worlds(&mut self, pending: Pending, choice: &Choice) -> bool {
        let made = Made {
            seat: pending.seat,
            secret: pending.secret,
            choice: choice.clone(),
        };
        (0..self.program.seats as u8).any(|seat| {
            let mut imagination = Imagination::new(self.program, &self.history, seat).unwrap();
            imagination.draws_or_informs(&made, WORLDS, self.dice.dice())
        })
    }
}

fn programs(folder: &Path, names: &[&str]) -> Vec<Arc<Program>> {
    let (library, _) = Library::read(folder).unwrap();
    let program = |name: &&str| {
        let ruleset = library.game(name).unwrap();
        let seats = ruleset.checked.seats[0];
        ruleset.program(seats, &Default::default()).unwrap()
    };
    names.iter().map(program).collect()
}

#[test]
fn what_imagined_worlds_show_a_seat_to_learn_counts_as_learned() {
    let mut all = programs(&fixtures(), &["trade", "wink"]);
    let own = ["kuhn-poker", "goofspiel", "mount-drago", "magic-dragon"];
    all.extend(programs(&shipped(), &own));
    let (mut learned, mut not) = (0, 0);
    for program in all {
        let mut game = Game::begin(&program, 5);
        for number in 0..24 {
            let Some((pending, choice)) = game.next() else {
                break;
            };
            // Imagining takes longer the longer the game is.
            if !pending.secret && (number < 6 || number % 6 == 0) {
                let informs = game.is_informative(pending, &choice);
                let shows = game.seen_in_imagined_worlds(pending, &choice);
                let name = &game.program.identity.game;
                assert!(informs || !shows, "{name}, choice {number}: {choice:?}");
                if informs { learned += 1 } else { not += 1 }
            }
            game.take(pending, choice);
        }
    }
    assert!(learned > 10 && not > 5, "{learned} {not}");
}

/// A game of one effect for two, with a deck and hands.
fn ruleset(play: &str) -> Arc<Program> {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("information");
    std::fs::create_dir(&game).unwrap();
    let text = format!(
        "game: information\ntitle: Information\nplayers: [2]\nbound: 50\nzones:\n  deck: {{holds: card, see: nobody}}\n  \
         hand: {{each: {{owner: seats}}, holds: card, see: owner}}\n  row: {{holds: card}}\n\
         components:\n  card: {{each: {{rank: 1..6}}, in: deck}}\nvars:\n  mark: {{each: seats, type: int, see: owner}}\n  \
         total: int\n  secret: {{type: int, see: nobody}}\neffects:\n  play: |\n    shuffle deck\n    each p in seats: draw 2 from deck to hand(p)\n    \
         turn of seat(1):\n{play}\n    finish drawn\n"
    );
    std::fs::write(game.join("game.yaml"), text).unwrap();
    programs(folder.path(), &["information"]).remove(0)
}

/// Returns whether the last one of the first choices is informative for anybody.
fn last_of(play: &str, choices: usize) -> bool {
    let program = ruleset(play);
    let mut game = Game::begin(&program, 3);
    let first = |game: &Game| {
        let state = game.gain.state();
        let pending = engine::pending(game.program, state)[0];
        let choice = engine::nth_choice(game.program, state, &pending, 0);
        (pending, choice.unwrap().unwrap())
    };
    for _ in 1..choices {
        let (pending, choice) = first(&game);
        game.take(pending, choice);
    }
    let (pending, choice) = first(&game);
    game.is_informative(pending, &choice)
}

#[test]
fn each_way_of_learning_is_known() {
    let card = "      choose c in hand(active)";
    for (play, choices, informs) in [
        // Nobody learns from a result that everybody can foresee.
        (
            "      choose n in 1..3: total = n\n      choose n in 1..3: total += n",
            1,
            false,
        ),
        // A draw.
        ("      choose n in 1..3\n      shuffle deck", 1, true),
        // The top of the deck comes to a hand.
        (
            "      choose n in 1..2: draw 1 from deck to hand(active)",
            1,
            true,
        ),
        // A card of a hand is shown, passed, or laid down for all to see.
        (&format!("{card}: move c to row"), 1, true),
        (&format!("{card}: show c to seats"), 1, true),
        (&format!("{card}: move c to hand(left(active))"), 1, true),
        // Laid face down it is not known, and turned up it is.
        (&format!("{card}: move c to row face down"), 1, false),
        (
            &format!("{card}: move c to row face down\n      choose n in 1..2: turn row face up"),
            2,
            true,
        ),
        // Something follows from what is hidden.
        (
            "      choose n in 1..3: total = sum(hand(active), .rank)",
            1,
            true,
        ),
        (
            "      choose n in 1..3: say \"{max(hand(left(active)), .rank) > n + 3}\"",
            1,
            true,
        ),
        (
            "      choose n in 1..3: mark[active] = n\n      choose n in 1..3: total = 1",
            2,
            false,
        ),
        (
            "      choose n in 1..3: mark[active] = n\n      choose n in 1..3: total = mark[active]",
            2,
            true,
        ),
    ] {
        assert_eq!(last_of(play, choices), informs, "{play}");
    }
    // A value that was computed earlier from hidden state, and is announced only now: from a name, a variable, or the
    // course of the rules.
    for play in [
        "      let r = top(deck).rank\n      choose n in 1..3: total = 1\n      choose n in 1..3: say \"{r}\"",
        "      choose n in 1..3: secret = top(deck).rank\n      choose n in 1..3: total = secret",
        "      choose n in 1..3:\n        if top(deck).rank > 3:\n          choose k in 1..2\n          say \"high\"\n        \
         else:\n          choose k in 1..2\n          say \"low\"",
    ] {
        assert!(last_of(play, 2), "{play}");
    }
    // The next choices of a seat, its prompt, and its default.
    for asks in [
        "choose k in 1..6 where k != first(hand(left(active))).rank",
        "choose k in 1..2 \"Is it {first(hand(left(active))).rank}?\"",
        "choose k in 1..6 default where k = first(hand(left(active))).rank",
    ] {
        let play = format!("      choose n in 1..3: total = n\n      {asks}");
        assert!(last_of(&play, 1), "{play}");
        let own = play.replace("left(active)", "active");
        assert!(!last_of(&own, 1), "{own}");
    }
    // Only one card in six makes a difference.
    for rank in 1..=6 {
        let play = format!("      choose n in 1..3: say \"{{top(deck).rank = {rank}}}\"");
        assert!(last_of(&play, 1), "{play}");
    }
    // Who was shown both cards of a hand learns nothing when one of them is laid down.
    let shown = format!(
        "      choose n in 1..2: show hand(active) to seats\n{card}: move c to row\n      choose n in 1..2: total = n"
    );
    assert!(last_of(&shown, 1));
    assert!(!last_of(&shown, 2));
}

/// A game of one choice of seat 1, after which something hidden happens. Seat 1 cannot tell the games of different seeds apart.
const HIDDEN: &str = "
game: dark
title: Dark
players: [2]
bound: 50
zones:
  attic: {holds: slip, see: nothing}
  cellar: {holds: slip, see: nothing}
  shade: {holds: lot, see: nothing}
components:
  slip: {each: {number: 1..4}, in: attic}
  lot: {faces: 1..6, in: shade}
vars:
  fate: {type: int, see: nobody}
  secret: {type: ints, most: 3, see: nobody}
  note: {each: seats, type: int, see: owner}
  open: int
effects:
  play: |
    choose f in 1..2 at random
    fate = f
    shuffle attic
    turn of seat(1):
PLAY
    finish drawn
";

fn dark(play: &str) -> String {
    let lines: Vec<String> = play.lines().map(|line| format!("      {line}")).collect();
    HIDDEN.replace("PLAY", &lines.join("\n"))
}

/// What happens after a choice, and whether the choice may be taken back.
const IN_THE_DARK: &[(&str, bool)] = &[
    // Nobody notices, in no world.
    ("secret += 7", true),
    ("if fate = 1: secret += 7", true),
    ("if count(secret) < 3 and fate = 1: secret += open", true),
    ("fate = 3 - fate", true),
    ("if fate = 1: fate = 2", true),
    ("if fate = 1: move first(attic) to cellar", true),
    // In some world something is drawn, or the other seat learns something.
    ("if fate = 1: choose x in 1..3 at random", false),
    ("if fate = 2: choose x in 1..3 at random", false),
    ("if fate = 1: shuffle attic", false),
    ("if fate = 1: roll lot", false),
    ("if fate = 777: choose x in 1..3 at random", false),
    (
        "if first(attic).number = 3: choose x in 1..3 at random",
        false,
    ),
    ("if fate = 1: show first(attic) to seat(2)", false),
    ("if fate = 1: note[seat(2)] = first(attic).number", false),
    (
        "if fate = 1: say \"Psst: {first(attic).number}\" to seat(2)",
        false,
    ),
    ("if fate = 1: say \"Psst\" to seat(2)", false),
];

/// Returns for some seeds whether the first choice of a game is informative.
fn informs_by_seed(rules: &str) -> Vec<bool> {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("dark");
    std::fs::create_dir(&game).unwrap();
    std::fs::write(game.join("game.yaml"), rules).unwrap();
    let program = programs(folder.path(), &["dark"]).remove(0);
    let informs = |seed| {
        let mut game = Game::begin(&program, seed);
        let (pending, choice) = game.next().unwrap();
        game.is_informative(pending, &choice)
    };
    (0..8).map(informs).collect()
}

/// Whether a choice may be taken back must not depend on what its seat does not know: it could ask, and learn.
#[test]
fn an_undo_tells_nothing_of_what_is_hidden() {
    for (then, is_free) in IN_THE_DARK {
        let rules = dark(&format!("choose n in 1..3 \"A number\": open = n\n{then}"));
        let informs = informs_by_seed(&rules);
        assert!(
            informs.iter().all(|it| *it != *is_free),
            "{then}: {informs:?}"
        );
    }
    // The path of the rules was chosen before the question.
    let rules = dark(
        "let high = fate = 1\nchoose n in 1..3 \"A number\": open = n\nif high: choose x in 1..3 at random",
    );
    let informs = informs_by_seed(&rules);
    assert!(informs.iter().all(|it| *it == informs[0]), "{informs:?}");
}

/// The same over HTTP.
#[tokio::test]
async fn an_undo_over_http_tells_nothing_of_what_is_hidden() {
    let server = Server::with(config()).await;
    for (then, is_free) in [IN_THE_DARK[1], IN_THE_DARK[6]] {
        let rules = dark(&format!(
            "choose n in 1..3 \"A number\": open = n\n{then}\nchoose k in 1..2 \"Another\": open = k"
        ));
        let files = json!({"files": {"game.yaml": rules}});
        let kept = server.post("/v1/rulesets", files).send().await.unwrap();
        let kept = expect(kept, StatusCode::CREATED).await;
        for seed in 0..6 {
            let wanted = json!({"ruleset": kept["digest"], "seats": ["open", "open"], "undo": "free",
                "seed": format!("{seed:064x}")});
            let session = server.create(wanted).await;
            let token = session.claim(1).await;
            session.claim(2).await;
            let choice = json!({"version": session.version().await, "args": {"n": 2}});
            expect(session.move_by(&token, choice).await, StatusCode::CREATED).await;
            let undo = server.post(&session.at("/undos"), json!({}));
            let status = undo.bearer_auth(&token).send().await.unwrap().status();
            let granted = if is_free {
                StatusCode::OK
            } else {
                StatusCode::CONFLICT
            };
            assert_eq!(status, granted, "{then}, seed {seed}");
        }
    }
}

/// A game with 52 cards, of which the other seat holds five.
fn cards(play: &str) -> Arc<Program> {
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("cards");
    std::fs::create_dir(&game).unwrap();
    let text = format!(
        "game: cards\ntitle: Cards\nplayers: [2]\nbound: 50\nzones:\n  deck: {{holds: card, see: nobody}}\n  \
         hand: {{each: {{owner: seats}}, holds: card, see: owner}}\ntypes: {{suit: [clubs, diamonds, hearts, spades]}}\n\
         components:\n  card: {{each: {{suit: suit, rank: 1..13}}, in: deck}}\nvars:\n  total: int\neffects:\n  play: |\n    \
         shuffle deck\n    each p in seats: draw 5 from deck to hand(p)\n    turn of seat(1):\n      choose n in 1..2: {play}\n    \
         finish drawn\n"
    );
    std::fs::write(game.join("game.yaml"), text).unwrap();
    programs(folder.path(), &["cards"]).remove(0)
}

/// Silence tells something, too: that several hidden cards are not what they seldom are.
#[test]
fn what_only_a_rare_hand_would_have_shown_cannot_be_taken_back() {
    let hand = "hand(seat(2))";
    for rare in [
        format!("distinct({hand}, .suit) = 1"),
        format!("count({hand} where .suit = hearts) = 5"),
        format!("min({hand}, .rank) > 9"),
        format!("sum({hand}, .rank) < 12"),
        format!("max(n in 1..13, count({hand} where .rank = n)) = 4"),
        format!("longest_run({hand}, .rank) = 5"),
        "count(take(reversed(deck), 4) where .rank = 13) = 4".to_owned(),
        "distinct(take(reversed(deck), 6), .suit) = 1".to_owned(),
    ] {
        for seed in 0..4 {
            let program = cards(&format!("if {rare}: say \"There\""));
            let mut game = Game::begin(&program, seed);
            let (pending, choice) = game.next().unwrap();
            assert!(
                game.is_informative(pending, &choice),
                "{rare} of seed {seed}"
            );
        }
    }
    let own = cards("if distinct(hand(seat(1)), .suit) = 5: say \"There\"");
    let mut game = Game::begin(&own, 1);
    let (pending, choice) = game.next().unwrap();
    assert!(!game.is_informative(pending, &choice), "what can never be");
}

/// Games in which the rules announce a hidden card in one way or another: whoever has heard it cannot take back the choice
/// before.
#[test]
fn nobody_goes_back_past_a_hidden_card_that_was_announced() {
    let rules = |say: &str| {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("magic-dragon");
        let from = shipped().join("magic-dragon");
        std::fs::create_dir(&game).unwrap();
        for name in ["game.yaml", "clauses.yaml"] {
            let text = std::fs::read_to_string(from.join(name)).unwrap();
            let bid = "      move first(bid_deck where .number = n) to promise(p) [MAG-09]\n";
            let text = text.replace(bid, &format!("{bid}      {say}\n")).replace(
                "  dealer: seat\n",
                "  dealer: seat\n  told: int\n  note: {type: int, see: nobody}\n",
            );
            std::fs::write(game.join(name), text).unwrap();
        }
        programs(folder.path(), &["magic-dragon"]).remove(0)
    };
    let mut announced = 0;
    for say in [
        "say \"It is {top(deck).rank}\"",
        "say \"It is {top(deck)}\"",
        "told = top(deck).rank",
        "p scores top(deck).rank",
        "if top(deck) is dragon: say \"a dragon\"",
        "let r = top(deck).rank * 10 + count(deck)\n      told = r",
        "show top(deck) to seats",
    ] {
        let program = rules(say);
        for seed in 0..3 {
            let mut game = Game::begin(&program, seed);
            // A component that was shown is known: nobody learns from showing it again.
            let mut is_known = false;
            for _ in 0..60 {
                let Some((pending, choice)) = game.next() else {
                    break;
                };
                let site = &program.sites[usize::from(pending.site)];
                let is_bid = site.name.starts_with("bids");
                if is_bid && !is_known && say != "say \"It is {top(deck)}\"" {
                    is_known = say.starts_with("show");
                    announced += 1;
                    assert!(
                        game.is_informative(pending, &choice),
                        "{say} of seed {seed}"
                    );
                }
                game.take(pending, choice);
            }
        }
    }
    assert!(announced > 50, "{announced}");
}

/// Which seat sees which component.
fn seen(program: &Program, state: &State) -> BTreeSet<(usize, i32)> {
    let mut all = BTreeSet::new();
    for seat in 0..program.seats {
        let eyes = engine::Viewer::Seat(seat as u8);
        let components = 0..program.components.len() as i32;
        let seen = components.filter(|it| engine::sees_as(program, state, eyes, *it));
        all.extend(seen.map(|component| (seat, component)));
    }
    all
}

/// How many choices showed something or drew, and how many did not, of those from which somebody learned and of the others.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    shows_and_teaches: u32,
    shows_and_does_not: u32,
    /// Of the others: a question follows that only some cards lead to.
    asks_and_teaches: u32,
    asks_and_does_not: u32,
    is_plain_and_teaches: u32,
    is_plain_and_does_not: u32,
}

fn counts(program: &Program) -> Counts {
    let mut counts = Counts::default();
    for seed in 0..6 {
        let mut game = Game::begin(program, seed);
        for _ in 0..60 {
            let Some((pending, choice)) = game.next() else {
                break;
            };
            let before = (seen(program, game.state()), game.state().draws_made());
            let informs = game.is_informative(pending, &choice);
            game.take(pending, choice);
            let shows = game.state().draws_made() != before.1
                || !seen(program, game.state()).is_subset(&before.0);
            let owed = engine::pending(program, game.state());
            let asks = owed
                .iter()
                .any(|owed| program.sites[usize::from(owed.site)].is_ask);
            let count = match (shows, asks, informs) {
                (true, _, true) => &mut counts.shows_and_teaches,
                (true, _, false) => &mut counts.shows_and_does_not,
                (false, true, true) => &mut counts.asks_and_teaches,
                (false, true, false) => &mut counts.asks_and_does_not,
                (false, false, true) => &mut counts.is_plain_and_teaches,
                (false, false, false) => &mut counts.is_plain_and_does_not,
            };
            *count += 1;
        }
    }
    counts
}

/// Somebody learns from the choices that show or draw something. In Drakon and Magic Dragon the rules also say who can
/// still play: in Magic Dragon, after 29 of 75 choices somebody with another hand could not have played.
#[test]
fn what_shows_nothing_can_be_taken_back_and_nothing_else() {
    for (name, at_most) in [
        ("drakon", 0),
        ("magic-dragon", 30),
        ("way-of-the-dragon", 0),
    ] {
        let program = programs(&shipped(), &[name]).remove(0);
        let counts = counts(&program);
        assert_eq!(counts.shows_and_does_not, 0, "{name}: {counts:?}");
        assert_eq!(counts.asks_and_teaches, 0, "{name}: {counts:?}");
        assert!(counts.is_plain_and_teaches <= at_most, "{name}: {counts:?}");
        assert!(counts.shows_and_teaches > 200, "{name}: {counts:?}");
        assert!(counts.is_plain_and_does_not > 4, "{name}: {counts:?}");
    }
}

/// In Mount Drago a card that is played stays in hand while its player is asked where to put it. The others do not see it yet, but
/// only a card of the hindmost dragon leads to this question.
#[test]
fn a_question_that_only_some_cards_lead_to_teaches() {
    let program = programs(&shipped(), &["mount-drago"]).remove(0);
    let counts = counts(&program);
    let others = Counts {
        shows_and_teaches: counts.shows_and_teaches,
        asks_and_teaches: counts.asks_and_teaches,
        ..Counts::default()
    };
    assert!(counts.asks_and_teaches > 30, "{counts:?}");
    assert_eq!(counts, others);
}
