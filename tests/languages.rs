//! Games in several languages: what a person reads is all there in each, and nothing but words depends on it.

#![cfg(test)]

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value};
use wyrmgate::bot::RandomBot;
use wyrmgate::check::check;
use wyrmgate::diagnostic::Sources;
use wyrmgate::engine::{Collect, Seeded, State, ViewReader, Viewer, pending, start, step};
use wyrmgate::lang::load::load;
use wyrmgate::program::{Language, Program, TextPiece};
use wyrmgate::record::seed_from_number;
use wyrmgate::rules::Ruleset;
use wyrmgate::view::{decision_docs, decision_docs_in, event_doc, view};

const SEATS: [usize; 2] = [2, 5];

fn rulesets() -> Vec<Ruleset> {
    let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules");
    let folders = std::fs::read_dir(rules).unwrap();
    let folders = folders.map(|entry| entry.unwrap().path());
    let games = folders.filter(|folder| folder.join("game.yaml").is_file());
    games
        .map(|game| Ruleset::from_folder(&game).unwrap().unwrap())
        .collect()
}

/// Every shipped game that has further languages, for few and for many.
fn translated(check: impl Fn(&Program, Language)) {
    let mut games = 0;
    for ruleset in rulesets() {
        for language in (1..ruleset.checked.languages.len()).map(|at| Language(at as u16)) {
            games += 1;
            for seats in SEATS
                .into_iter()
                .filter(|s| ruleset.checked.seats.contains(s))
            {
                check(&ruleset.program(seats, &Map::new()).unwrap(), language);
            }
        }
    }
    assert!(games > 0, "no shipped game is translated");
}

/// Returns everything that one reader receives during a random game.
fn told(program: &Program, reader: impl Fn(Viewer) -> ViewReader) -> Vec<Value> {
    let mut told = Vec::new();
    let seed = seed_from_number(3);
    let mut bot = RandomBot::for_game(&seed);
    let mut seen = Collect::default();
    let mut state = start(program, seed, &mut Seeded, &mut seen).unwrap();
    loop {
        for viewer in [Viewer::Public, Viewer::Seat(0)].map(&reader) {
            let events = seen.0.iter();
            let docs = events.filter_map(|event| event_doc(program, event, viewer));
            told.extend(docs.map(Value::from));
            told.push(serde_json::to_value(view(program, &state, viewer)).unwrap());
        }
        seen.0.clear();
        let owed = pending(program, &state);
        let Some(owed) = owed.first() else {
            return told;
        };
        let language = reader(Viewer::Public).language;
        let docs = decision_docs_in(language, program, &state, owed, 50, 0).unwrap();
        told.push(serde_json::to_value(docs).unwrap());
        let choice = bot.choose(program, &state, owed).unwrap().unwrap();
        step(
            program,
            &mut state,
            owed.index,
            &choice,
            &mut Seeded,
            &mut seen,
        )
        .unwrap();
    }
}

/// Members that are words for people.
const WORDS: [&str; 4] = ["title", "prompt", "label", "text"];

fn words(value: &Value, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                match member.as_str() {
                    Some(text) if WORDS.contains(&name.as_str()) => {
                        found.insert(text.to_owned());
                    }
                    _ => words(member, found),
                }
            }
        }
        Value::Array(members) => members.iter().for_each(|member| words(member, found)),
        _ => {}
    }
}

fn without_words(value: &mut Value) {
    match value {
        Value::Object(members) => {
            members.retain(|name, _| !WORDS.contains(&name.as_str()));
            members.values_mut().for_each(without_words);
        }
        Value::Array(members) => members.iter_mut().for_each(without_words),
        _ => {}
    }
}

fn all_words(told: &[Value]) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    told.iter().for_each(|value| words(value, &mut found));
    found
}

/// Single words that a game has in the first language and not in this one.
fn words_of_first_language(program: &Program, language: Language) -> BTreeSet<String> {
    let read_in = |language: Language| {
        let kinds = program
            .kinds
            .iter()
            .flat_map(|kind| [&kind.title, &kind.text]);
        let titles = program.families.iter().map(|family| &family.title);
        let values = program.enums.iter().flat_map(|of| &of.titles);
        let own = [
            &program.prose.words.seat,
            &program.prose.words.none,
            &program.prose.words.yes,
        ];
        let all = kinds.chain(titles).chain(values).chain(own);
        let mut texts: Vec<String> = all.map(|text| text.get(language).to_owned()).collect();
        for text in &program.prose.texts_with_holes {
            texts.extend(
                text.parts_in(language)
                    .iter()
                    .filter_map(|piece| match piece {
                        TextPiece::Words(words) => Some(words.clone()),
                        TextPiece::Hole(_) => None,
                    }),
            );
        }
        texts
            .iter()
            .flat_map(|text| single_words(text))
            .collect::<BTreeSet<_>>()
    };
    &read_in(Language::default()) - &read_in(language)
}

fn single_words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphabetic());
    let words = words.filter(|word| word.chars().count() > 2);
    words.map(str::to_lowercase).collect()
}

#[test]
fn nothing_that_a_reader_is_told_is_in_another_language() {
    translated(|program, language| {
        let foreign = words_of_first_language(program, language);
        assert!(foreign.len() > 10, "{foreign:?}");
        let read = all_words(&told(program, |viewer| viewer.reading(language)));
        assert!(read.len() > 50);
        for text in read {
            let found = single_words(&text);
            let left: Vec<&String> = found.iter().filter(|w| foreign.contains(*w)).collect();
            assert!(left.is_empty(), "{left:?} in `{text}`");
        }
    });
}

#[test]
fn every_text_is_translated() {
    let mut games = 0;
    for ruleset in rulesets() {
        let further = 1..ruleset.checked.languages.len();
        for language in further.map(|at| Language(at as u16)) {
            games += 1;
            let program = ruleset
                .program(ruleset.checked.seats[0], &Map::new())
                .unwrap();
            let first = Language::default();
            for clause in &program.prose.clauses {
                assert_ne!(
                    clause.text.get(first),
                    clause.text.get(language),
                    "{}",
                    clause.id
                );
            }
            for text in &program.prose.texts_with_holes {
                assert_ne!(text.parts_in(first), text.parts_in(language));
            }
            let texts = &ruleset.checked.texts;
            for text in [&texts.title, &texts.about] {
                assert_ne!(text.get(first), text.get(language));
            }
            for option in &ruleset.checked.options {
                for text in option.titles.iter().chain([&option.title]) {
                    assert_ne!(text.get(first), text.get(language), "{}", option.name);
                }
            }
        }
    }
    assert!(games > 0);
}

#[test]
fn only_words_depend_on_the_language() {
    translated(|program, language| {
        let mut first = told(program, ViewReader::from);
        let mut other = told(program, |viewer| viewer.reading(language));
        assert_ne!(first, other);
        first.iter_mut().chain(&mut other).for_each(without_words);
        assert_eq!(first, other);
    });
}

/// A small game, its program for two.
fn program(translations: &str) -> Program {
    let text = format!(
        "game: chat\nplayers: 2\ntypes: {{color: [red, light_blue]}}\n\
         zones: {{bag: {{holds: bead, see: nobody}}, hand: {{each: {{owner: seats}}, holds: bead, see: owner}}}}\n\
         components: {{bead: {{each: {{color: color}}, copies: 2, in: bag}}}}\n\
         effects:\n  play: |\n\
         \x20   draw 2 from bag to hand(seat(1))\n\
         \x20   say \"{{take(hand(seat(1)), 2)}} for {{seat(1)}}\"\n\
         \x20   may choose c in hand(seat(1)) by seat(2)\n\
         \x20   finish drawn\n{translations}"
    );
    let files = [("chat/game.yaml".to_owned(), text)];
    let mut sources = Sources::default();
    let (definition, mut report) = load(&mut sources, &files, "chat/game.yaml");
    let checked = definition.and_then(|definition| check(&definition, &mut report));
    assert!(!report.has_errors(), "{}", report.render(&sources, false));
    let checked = checked.unwrap();
    let setup = checked.setup(2, &Default::default()).unwrap();
    checked.compile(&setup).unwrap()
}

const GERMAN: &str = "translations:
  de:
    bead: Perle
    red: rot
    light blue: hellblau
    hand: Hand
    seat: Spieler
    decline: verzichten
    \"{take(hand(seat(1)), 2)} for {seat(1)}\": \"{seat(1)} hat {take(hand(seat(1)), 2)}\"
";

fn begun(program: &Program) -> (State, Collect) {
    let mut seen = Collect::default();
    let state = start(program, [1; 32], &mut Seeded, &mut seen).unwrap();
    (state, seen)
}

fn said(program: &Program, seen: &Collect, reader: impl Into<ViewReader>) -> String {
    let reader = reader.into();
    let docs = seen
        .0
        .iter()
        .filter_map(|event| event_doc(program, event, reader));
    let mut said = docs.map(Value::from).filter(|doc| doc["type"] == "said");
    said.next().unwrap()["text"].as_str().unwrap().to_owned()
}

#[test]
fn what_is_said_is_read_by_each_in_its_language_and_as_far_as_it_may_know() {
    let program = program(GERMAN);
    let (_, seen) = begun(&program);
    let (own, other) = (Viewer::Seat(0), Viewer::Seat(1));
    let german = Language(1);
    assert_eq!(
        said(&program, &seen, own),
        "bead light blue, bead light blue for seat 1"
    );
    assert_eq!(said(&program, &seen, other), "hand 1, hand 1 for seat 1");
    assert_eq!(
        said(&program, &seen, own.reading(german)),
        "Spieler 1 hat Perle hellblau, Perle hellblau"
    );
    assert_eq!(
        said(&program, &seen, other.reading(german)),
        "Spieler 1 hat Hand 1, Hand 1"
    );
}

#[test]
fn choices_that_the_rules_do_not_word_are_worded_in_every_language() {
    let program = program(GERMAN);
    let (state, _) = begun(&program);
    let owed = pending(&program, &state)[0];
    let labels = |docs: wyrmgate::view::DecisionDoc| {
        let choices = docs.choices.into_iter();
        choices.map(|choice| choice.label).collect::<Vec<_>>()
    };
    let plain = decision_docs(&program, &state, &owed, 9, 0).unwrap();
    assert_eq!(labels(plain), ["hand 1 №1", "hand 1 №2", "decline"]);
    let german = decision_docs_in(Language(1), &program, &state, &owed, 9, 0).unwrap();
    assert_eq!(labels(german), ["Hand 1 №1", "Hand 1 №2", "verzichten"]);
}

#[test]
fn a_game_without_translations_is_as_it_was_written() {
    let program = program("");
    let (state, seen) = begun(&program);
    let (translated_state, translated_seen) = begun(&self::program(GERMAN));
    assert_eq!(program.prose.languages, ["en"]);
    assert_eq!(seen.0, translated_seen.0, "events know no language");
    assert!(state == translated_state, "nor does the state");
    let none = Viewer::Seat(0).reading(Language(7));
    assert_eq!(
        said(&program, &seen, none),
        said(&program, &seen, Viewer::Seat(0))
    );
}

#[test]
fn a_game_says_what_it_is_written_in() {
    let program = program("language: de\n");
    assert_eq!(program.prose.languages, ["de"]);
}
