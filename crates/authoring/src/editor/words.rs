//! The keywords of the language with a sentence and an example each, for completion and hover.

use super::index::NameIndex;
use crate::format::{open_call, tokens};
use wyrmgate_compile::compile::FUNCTIONS;
use wyrmgate_lang::effect::statement::STATEMENTS;

/// A word with the same meaning in every game.
#[derive(Clone, Copy)]
pub struct LanguageWord {
    pub name: &'static str,
    /// Its form.
    pub form: &'static str,
    pub about: &'static str,
}

const fn word(name: &'static str, form: &'static str, about: &'static str) -> LanguageWord {
    LanguageWord { name, form, about }
}

/// Declares a list of words, each with its form and its meaning.
macro_rules! words {
    ($(#[$doc:meta])* $list:ident: $($name:literal $form:literal $about:literal;)*) => {
        $(#[$doc])*
        pub const $list: &[LanguageWord] = &[$(word($name, $form, $about)),*];
    };
}

/// Words that begin a line of effect text.
pub fn statements() -> impl Iterator<Item = LanguageWord> {
    let all = STATEMENTS.iter();
    all.map(|known| word(known.word, known.form, known.about))
}

words! {
    /// Word operators.
    OPERATORS:
    "and" "a and b" "Both conditions hold.";
    "or" "a or b" "At least one condition holds.";
    "not" "not a" "The condition does not hold.";
    "in" "c in hand(p)" "The value is a member of the list.";
    "is" "c is dragon"
        "Tests for a kind, a value, a zone family or a query; also `empty`, `none`, `some`, `free`, `face_up`, `face_down`.";
    "where" "cards where .rank > 3"
        "The members of a list that fulfill the condition; in it, `it` is the member and `.x` its field `x`.";
    "sorted by" "cards sorted by most .rank" "The list in order, ascending or `most` first.";
    "with most" "cards with most .rank" "All members that share the extreme; also `with least`.";
    "some" "some c in hand(p) has c is dragon" "At least one member fulfills the condition.";
    "every" "every c in hand(p) has c is dragon" "All members fulfill the condition.";
    "no" "no c in hand(p) has c is dragon" "No member fulfills the condition.";
    "mod" "a mod b" "The remainder of a division, with the sign of the divisor.";
    "then" "if a then b else c" "One of two values.";
    "let" "let n = count(hand(p)); n * n"
        "Names a value, which is evaluated once, in the rest of the expression; at the beginning of a line, until the end of the block.";
    "for each" "each p in seats chooses for each u in units(p)"
        "Each seat decides about each member of its list, in secret, before the blocks run.";
    "text" "choose text t up to 20 letters where t in english" "A text that the seat writes.";
    "any" "any c in hand(p)"
        "Every selection of members, in a choice or as in `count(any c in hand(p) where sum(c, .rank) = 15)`; also `2 c in …`, `up to 2 c in …`.";
}

words! {
    /// What can follow `is`, besides names.
    TESTS:
    "empty" "hand(p) is empty" "It has no members.";
    "none" "c is none" "There is no value.";
    "some" "c is some" "There is a value.";
    "not" "c is not dragon" "The test fails.";
    "free" "s is free" "The zone exists and is empty.";
    "face_up" "c is face_up" "Its front is visible.";
    "face_down" "c is face_down" "Its back is visible.";
}

words! {
    /// The events that handlers can handle besides the effects of the game.
    HAPPENINGS:
    "move(component c, zone z)" "move" "A component moves, also when it is drawn.";
    "draw(component c, zone z)" "draw" "A component is drawn.";
    "swap(component a, component b)" "swap" "Two components exchange their places.";
    "rotate(zones z)" "rotate" "The contents of zones go around.";
    "roll(components d)" "roll" "Dice are rolled.";
    "shuffle(zone z)" "shuffle" "A zone is shuffled.";
    "turn(components c)" "turn" "Components are turned over.";
    "scores(seat p, int n)" "scores" "A seat scores.";
    "turn_begins(seat p)" "turn_begins" "A turn begins; only with `after`.";
}

words! {
    /// Predefined names.
    NAMES:
    "seats" "seats" "All seats, in turn order.";
    "active" "active" "The seat whose turn it is.";
    "round" "round" "The number of the round.";
    "turn" "turn" "The number of the turn.";
    "phase" "phase" "The current phase.";
    "score" "score[p]" "The points of a seat; `p scores n` adds to them.";
    "resigned" "resigned[p]" "Whether a seat has resigned, in a game with `resigns(seat p)`.";
    "box" "box" "The zone of all components out of play.";
    "it" "it" "The member that a filter examines.";
    "me" "me" "The component, in queries, effects and handlers of its kind.";
    "none" "none" "No value. Every question to it returns `none`, 0, false or an empty list.";
    "true" "true" "It holds.";
    "false" "false" "The condition does not hold.";
    "viewer" "viewer" "The viewing seat in a `see` condition.";
    "north" "north" "A side of a cell; also `east`, `south`, `west`; of hexagons `north_east` to `north_west`.";
    "sides" "sides" "The four sides, or six of hexagons, clockwise from the north.";
    "origin" "origin" "The one free cell of an empty grid.";
}

/// Returns the functions. Each can also follow a dot, with its first argument before it.
pub fn functions() -> impl Iterator<Item = LanguageWord> {
    FUNCTIONS
        .iter()
        .map(|function| word(function.name, function.form, function.about))
}

words! {
    /// Members of every component.
    MEMBERS:
    "zone" "c.zone" "The zone of a component.";
    "place" "c.place" "The position in the zone, from 1.";
    "holder" "c.holder" "The component that holds the zone.";
    "owner" "c.owner" "The seat that owns it.";
    "cell" "c.cell" "The cell on an open grid.";
    "rotation" "c.rotation" "The number of quarter turns clockwise.";
}

/// Returns the form of what is called at the end of a line, its arguments, and the number of the one being typed, from 0.
pub fn signature(index: &NameIndex, line: &str) -> Option<(String, Vec<String>, usize)> {
    let line = tokens(line);
    let (name, at) = open_call(&line)?;
    let is_called = |form: &&str| {
        let rest = form.strip_prefix(name);
        rest.is_some_and(|rest| rest.starts_with(['(', '[']))
    };
    let declared = index.declared.iter().map(|one| one.shown.as_str());
    let mut forms = declared.chain(all().map(|word| word.form));
    let form = forms.find(is_called)?;
    let (_, parts) = form.split_once(['(', '['])?;
    let (parts, _) = parts.split_once([')', ']'])?;
    let parts = parts.split(", ").map(str::to_owned).collect();
    Some((form.to_owned(), parts, at))
}

/// Returns whether every game has a function with this name.
pub fn is_function(name: &str) -> bool {
    functions().any(|word| word.name == name)
}

/// Returns whether this names the same thing in every game: `active`, `north`.
pub fn is_name(name: &str) -> bool {
    NAMES.iter().any(|word| word.name == name)
}

pub fn all() -> impl Iterator<Item = LanguageWord> {
    let fixed = [OPERATORS, NAMES, MEMBERS].into_iter().flatten();
    statements().chain(fixed.copied()).chain(functions())
}
