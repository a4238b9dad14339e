//! Which changes are made, and where.

use std::fs;
use std::path::Path;

use wyrmgate::diagnostic::Sources;
use wyrmgate::lang::definition::Definition;
use wyrmgate::lang::load::load;
use wyrmgate::mutate::{mutant, mutants};

/// A game whose `play` is this text.
fn game(play: &str) -> (Sources, Definition) {
    let mut text = "game: g\nplayers: 2\nzones:\n  deck: {holds: card, see: nobody}\n".to_owned();
    text += "components:\n  card: {copies: 9, in: deck}\nvars:\n  n: int\neffects:\n  play: |\n";
    for line in play.lines() {
        text += &format!("    {line}\n");
    }
    let mut sources = Sources::default();
    let files = [("g/game.yaml".to_owned(), text)];
    let (definition, report) = load(&mut sources, &files, "g/game.yaml");
    assert!(!report.has_errors(), "{}", report.render(&sources, false));
    (sources, definition.unwrap())
}

/// The changes of an effect: the text that is changed, and how.
fn changes(play: &str) -> Vec<(String, String)> {
    let (sources, definition) = game(play);
    let text = &sources.iter().next().unwrap().1.text;
    let first = text.find("  play: |").unwrap() as u32;
    let found = mutants(&definition).into_iter();
    found
        .filter(|mutant| mutant.span.start > first)
        .map(|mutant| {
            let changed = &text[mutant.span.start as usize..mutant.span.end as usize];
            (changed.trim().to_owned(), mutant.what)
        })
        .collect()
}

#[track_caller]
fn has(play: &str, changed: &str, what: &str) {
    let all = changes(play);
    let wanted = (changed.to_owned(), what.to_owned());
    assert!(all.contains(&wanted), "no {wanted:?} in {all:#?}");
}

#[test]
fn statements_are_left_out() {
    has("n = 1\nn = 2", "n = 2", "this statement is left out");
    has("if n = 1: n = 2", "n = 2", "this statement is left out");
    let all = changes("let k = n\nn = k");
    assert_eq!(
        all.len(),
        1,
        "nothing would compile without the `let`: {all:?}"
    );
}

#[test]
fn loops_run_once() {
    has("while n < 3: n += 1", "n < 3", "this is done once at most");
    has(
        "each c in cards where n = 1: n = 2",
        "cards where n = 1",
        "only the first of them has its turn",
    );
    has(
        "repeat:\n  n += 1\n  if n > 3: stop",
        "repeat",
        "this is done once only",
    );
}

#[test]
fn what_people_only_read_is_not_changed() {
    let all = changes("choose \"Rest, {n}?\":\n  option rest \"Rest\": say \"{n} or 3\"");
    let changed: Vec<&str> = all.iter().map(|(changed, _)| changed.as_str()).collect();
    assert_eq!(changed.len(), 2, "{all:?}");
    assert!(
        changed[0].starts_with("choose") && changed[1].starts_with("say"),
        "{all:?}"
    );
}

#[test]
fn operators_and_numbers_are_off_by_one() {
    has("if n < 3: n = 0", "n < 3", "`<` becomes `<=`");
    has("if n < 3: n = 0", "n < 3", "`<` becomes `>=`");
    has("if n = 3: n = 0", "n = 3", "`=` becomes `!=`");
    has("if n = 3: n = 0", "3", "`3` becomes `4`");
    has("if n = 3: n = 0", "3", "`3` becomes `2`");
    has("n = n + 5", "n + 5", "`+` becomes `-`");
    has("n += 5", "n += 5", "`+=` becomes `-=`");
}

#[test]
fn conditions_lose_their_parts_and_are_negated() {
    let both = "if n > 1 and deck is empty: n = 0";
    has(both, "n > 1", "this part of the condition is left out");
    has(
        both,
        "deck is empty",
        "this part of the condition is left out",
    );
    has(both, "deck is empty", "`is` becomes `is not`");
    has("if not n = 1: n = 0", "not n = 1", "`not` is left out");
    has(
        "if n = 1: n = 2\nelse: n = 3",
        "n = 3",
        "`else` is left out",
    );
    has(
        "n = count(cards where n = 1)",
        "where n = 1",
        "`where` is left out",
    );
    has(
        "n = if n = 1 then 2 else 3",
        "if n = 1 then 2 else 3",
        "`then` and `else` change places",
    );
}

#[test]
fn what_is_played_by_default_is_left_out() {
    let hesitating = "choose k in 1..3 default where k = 1: n = k";
    has(hesitating, "default where k = 1", "`default` is left out");
    has(
        hesitating,
        "k = 1",
        "the condition of `default` is left out",
    );
    has(
        "ask seat(1) \"Go on?\" default yes: n = 1",
        "ask seat(1) \"Go on?\" default yes",
        "`default yes` is left out",
    );
}

#[test]
fn words_become_their_opposites() {
    has("move top(deck) to deck", "top", "`top` becomes `bottom`");
    has("n = max(n, 1)", "max", "`max` becomes `min`");
    has(
        "turn of left(active): n = 1",
        "left",
        "`left` becomes `right`",
    );
    has(
        "if some c in cards has c is card: n = 1",
        "some c in cards has c is card",
        "`some` becomes `no`",
    );
    has(
        "move top(deck) to deck face down",
        "move top(deck) to deck face down",
        "`face down` is left out",
    );
    has(
        "move top(deck) to deck at bottom",
        "move top(deck) to deck at bottom",
        "`at bottom` is left out",
    );
}

#[test]
fn declarations_are_changed() {
    let (_, definition) = game("n = 1");
    let all: Vec<String> = mutants(&definition).into_iter().map(|m| m.what).collect();
    for what in [
        "`nobody` becomes `all`",
        "`9` becomes `10`",
        "they begin out of play",
        "`2` becomes `3`",
    ] {
        assert!(all.iter().any(|w| w == what), "no {what} in {all:?}");
    }
}

#[test]
fn every_mutant_differs_from_the_game_and_from_its_neighbor() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/guide/reference.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, rest) = text.split_once("```yaml game\n").unwrap();
    let (example, _) = rest.split_once("```").unwrap();
    let files = [("g/game.yaml".to_owned(), example.to_owned())];
    let (definition, _) = load(&mut Sources::default(), &files, "g/game.yaml");
    let definition = definition.unwrap();
    let all = mutants(&definition);
    assert!(all.len() > 80, "{}", all.len());
    let mut before = definition.clone();
    for found in &all {
        let changed = mutant(&definition, found.number);
        assert_ne!(changed, definition, "{found:?}");
        assert_ne!(changed, before, "{found:?}");
        before = changed;
    }
    assert_eq!(mutant(&definition, all.len()), definition);
}
