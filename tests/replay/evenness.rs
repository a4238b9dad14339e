//! Sampled worlds are as likely as the games that a seat cannot tell from the true one: the truth no more and no less than any other.
//!
//! The games are small, so that plain rejection works: the same choices are made in games with many other seeds, and those are
//! kept in which seat 1 would have received the same. A chi-square test for two samples compares them with sampled worlds.

use std::collections::BTreeMap;

use serde_json::Value;
use wyrmgate::bot::RandomBot;
use wyrmgate::dice::Dice;
use wyrmgate::engine::{self, Collect, Event, Seeded, State, Viewer};
use wyrmgate::imagine::{GameHistory, Imagination, Made};
use wyrmgate::program::Program;
use wyrmgate::view::{event_doc, view};

use super::{history_of, written};

const GAMES: u64 = 12_000;
const WORLDS: u64 = 2_000;

/// Worlds that are continued together.
const TOGETHER: u64 = 20;

/// True games from which the observations are taken.
const TRUTHS: u8 = 2;

/// How often each state occurs, by everything that lies anywhere.
type Counts = BTreeMap<String, u64>;

fn eyes() -> Viewer {
    Viewer::Seat(0)
}

/// A component, and what lies in it.
fn named(component: &Value) -> String {
    let inside = component["holds"]["components"].as_array();
    let inside: Vec<String> = inside.into_iter().flatten().map(named).collect();
    format!("{}{}", component["id"].as_str().unwrap(), inside.concat())
}

fn key(program: &Program, state: &State) -> String {
    let whole = serde_json::to_value(view(program, state, Viewer::omniscient())).unwrap();
    let mut zones = whole["zones"].clone();
    // A hand has no order.
    for (name, zone) in zones.as_object_mut().unwrap() {
        let lying = zone["components"].as_array_mut().unwrap();
        if name.starts_with("hand") {
            lying.sort_by_key(named);
        }
    }
    let lying = zones.as_object().unwrap().iter().map(|(name, zone)| {
        let all = zone["components"].as_array().unwrap();
        let all: Vec<String> = all.iter().map(named).collect();
        format!("{name}: {}", all.join(" "))
    });
    let lying: Vec<String> = lying.filter(|zone| !zone.ends_with(": ")).collect();
    format!("{} {}", lying.join("; "), whole["vars"])
}

fn docs(program: &Program, events: &[Event]) -> Vec<Value> {
    let docs = events
        .iter()
        .filter_map(|event| event_doc(program, event, eyes()));
    docs.map(Value::from).collect()
}

/// Plays the choices of a history again; those that seat 1 does not see are drawn. Returns the end and what seat 1 received.
fn play(
    program: &Program,
    seed: [u8; 32],
    made: &[Made],
    wanted: Option<&[Value]>,
) -> Option<(State, Vec<Value>)> {
    let mut bot = RandomBot::for_game(&seed);
    let mut heard = Collect::default();
    let mut state = engine::start(program, seed, &mut Seeded, &mut heard).unwrap();
    for made in made {
        let told = docs(program, &heard.0);
        if wanted.is_some_and(|wanted| !wanted.starts_with(&told)) {
            return None;
        }
        let owed = engine::pending(program, &state);
        let owed = *owed.iter().find(|owed| owed.seat == made.seat)?;
        let is_drawn = wanted.is_some() && made.secret && Viewer::Seat(made.seat) != eyes();
        let choice = match is_drawn {
            true => bot.choose(program, &state, &owed).unwrap()?,
            false => made.choice.clone(),
        };
        engine::step(
            program,
            &mut state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut heard,
        )
        .ok()?;
    }
    let told = docs(program, &heard.0);
    wanted
        .is_none_or(|wanted| wanted == told)
        .then_some((state, told))
}

fn by_rejection(program: &Program, history: &GameHistory) -> Counts {
    let (truth, told) = play(program, history.seed, &history.made, None).unwrap();
    let seen = view(program, &truth, eyes());
    let mut counts = Counts::new();
    for number in 0..GAMES {
        let seed = *blake3::hash(&number.to_le_bytes()).as_bytes();
        let Some((state, _)) = play(program, seed, &history.made, Some(&told)) else {
            continue;
        };
        if view(program, &state, eyes()) == seen {
            *counts.entry(key(program, &state)).or_default() += 1;
        }
    }
    counts
}

fn by_sampling(program: &Program, history: &GameHistory) -> Counts {
    let mut imagination = Imagination::new(program, history, 0).unwrap();
    let mut counts = Counts::new();
    for number in 0..WORLDS {
        let world = imagination.world(&mut Dice::new(number)).unwrap();
        *counts.entry(key(program, &world)).or_default() += 1;
    }
    counts
}

/// Worlds that were begun at the start of the game, and continued as more was observed.
fn by_continuing(program: &Program, history: &GameHistory) -> Counts {
    let mut counts = Counts::new();
    for number in 0..WORLDS / TOGETHER {
        let mut dice = Dice::new(number);
        let mut imagination = Imagination::begin(program, history.seed, 0).unwrap();
        imagination.worlds(TOGETHER as usize, &mut dice);
        for made in &history.made {
            imagination.observe(made).unwrap();
        }
        for world in imagination.worlds(TOGETHER as usize, &mut dice) {
            *counts.entry(key(program, &world)).or_default() += 1;
        }
    }
    counts
}

/// How many standard deviations the chi-square statistic of two samples lies above its mean, and its degrees of freedom.
fn excess(one: &Counts, other: &Counts) -> (f64, f64) {
    let total = |counts: &Counts| counts.values().sum::<u64>() as f64;
    let (all, all_others) = (total(one), total(other));
    let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
    keys.sort_unstable();
    keys.dedup();
    let of = |counts: &Counts, key: &String| counts.get(key).copied().unwrap_or(0) as f64;
    let part = |key: &&String| {
        let (here, there) = (of(one, key), of(other, key));
        let difference = (all_others / all).sqrt() * here - (all / all_others).sqrt() * there;
        difference * difference / (here + there)
    };
    let statistic: f64 = keys.iter().map(part).sum();
    let freedom = (keys.len() - 1) as f64;
    ((statistic - freedom) / (2.0 * freedom).sqrt(), freedom)
}

fn compare(name: &str, text: &str, choices: usize) {
    let program = written(text);
    for truth in 0..TRUTHS {
        let (_, history) = history_of([truth; 32], &program, choices);
        let kept = by_rejection(&program, &history);
        for sampled in [
            by_sampling(&program, &history),
            by_continuing(&program, &history),
        ] {
            let (excess, freedom) = excess(&kept, &sampled);
            let games: u64 = kept.values().sum();
            println!(
                "{name}, truth {truth}: {games} games, {freedom} degrees of freedom, {excess:.1} sigma"
            );
            assert!(freedom >= 3.0 && games >= 400, "{name}: {kept:?}");
            assert!(
                excess < 4.0,
                "{name}, truth {truth}: {excess:.1} sigma\n{kept:?}\n{sampled:?}"
            );
        }
    }
}

/// Chests that hold coins: which chest is where, and which coin is in it.
const CHESTS: &str = "
players: 2
bound: 30
zones:
  bag: {holds: coin, see: nobody}
  yard: {holds: chest, see: nobody}
  hand: {each: {owner: seats}, holds: chest, see: owner}
  table: {holds: chest}
components:
  chest: {each: {number: 1..4}, holds: {inside: coin}, in: yard}
  coin: {each: {worth: 1..4}, in: bag}
queries:
  wealth: sum(hand(seat(2)), first(.inside).worth)
effects:
  play: |
    shuffle bag
    each c in chests: move top(bag) to c.inside
    shuffle yard
    draw 2 from yard to hand(seat(2))
    choose c in hand(seat(2)) by seat(2) \"Show one\": move c to table
HINT
    choose n in 1..4 by seat(1) \"Which?\": say \"{n}\"
    finish drawn
";

#[test]
fn chests_and_what_lies_in_them_are_sampled_evenly() {
    compare("chests", &CHESTS.replace("HINT", ""), 1);
}

#[test]
fn chests_are_sampled_evenly_where_something_is_known_of_them() {
    let hint = "    if revealed(wealth > 2): say \"It jingles\"";
    compare("chests with a hint", &CHESTS.replace("HINT", hint), 1);
    let hint = "    if revealed(sum(hand(seat(2)), .number) + wealth > 5): say \"It is heavy\"";
    compare(
        "chests with a hint of both",
        &CHESTS.replace("HINT", hint),
        1,
    );
}

/// Cards in a hand, of which something is known.
const HAND: &str = "
players: 2
bound: 30
zones:
  deck: {holds: card, see: nobody}
  hand: {each: {owner: seats}, holds: card, see: owner}
  table: {holds: card}
components:
  card: {each: {rank: 1..6}, in: deck}
effects:
  play: |
    shuffle deck
    draw 3 from deck to hand(seat(2))
HINT
    choose n in 1..4 by seat(1) \"Which?\": say \"{n}\"
    finish drawn
";

#[test]
fn hands_are_sampled_evenly_where_something_is_known_of_them() {
    let hint = "    if revealed(sum(hand(seat(2)), .rank) > 11): say \"A good hand\"";
    compare("hands with a hint", &HAND.replace("HINT", hint), 0);
    let hint = "    move top(deck) to table
    choose c in hand(seat(2)) where .rank > top(table).rank by seat(2) \"Beat it\": move c to table
    else: say \"pass\"";
    compare("hands and a pass", &HAND.replace("HINT", hint), 1);
}

/// Secret numbers of which something is known.
const NUMBERS: &str = "
players: 3
bound: 30
vars:
  number: {each: seats, type: int, see: owner}
effects:
  play: |
    each p in seats chooses n in 1..6 \"Your number\"
    each p in seats: number[p] = n[p]
    if revealed(number[seat(2)] + number[seat(3)] > 8): say \"Large\"
    choose n in 1..4 by seat(1) \"Which?\": say \"{n}\"
    finish drawn
";

#[test]
fn secret_answers_are_sampled_evenly_where_something_is_known_of_them() {
    compare("numbers", NUMBERS, 3);
}
