//! The names available in a text: those of the game, and its parameters.

use std::collections::BTreeSet;

use crate::names::reserved::TYPES;
use crate::names::walk;
use wyrmgate_lang::ast::{Block, Name, Signature};
use wyrmgate_lang::definition::Definition;

/// An effect text and its parameters.
pub struct Text<'d> {
    pub params: Vec<&'d Name>,
    pub body: &'d Block,
}

/// Returns the names that a game declares once for all of its rules, each with its sort.
pub fn declared(def: &Definition) -> impl Iterator<Item = (&'static str, &Name)> {
    let options = def.options.iter().map(|d| ("option", &d.name));
    let data = def.values.data.iter().map(|d| ("constant", &d.name));
    let positions = def.positions.kept.iter().map(|d| ("position", &d.name));
    let enums = def.values.types.iter().map(|d| ("type", &d.name));
    let records = def.values.records.iter().map(|d| ("type", &d.name));
    let zones = def.zones.iter().map(|d| ("zone", &d.name));
    let vars = def.vars.iter().map(|d| ("variable", &d.name));
    let values = options.chain(data).chain(positions);
    values.chain(enums).chain(records).chain(zones).chain(vars)
}

/// Names of the game that a text can use as bare words, and that a name of its own can shadow.
pub fn names_of_game(def: &Definition) -> Vec<&Name> {
    let is_value = |what: &str| ["option", "constant", "variable"].contains(&what);
    let names = declared(def).filter(|(what, _)| is_value(what));
    names.map(|(_, name)| name).collect()
}

/// Returns every effect text of the game.
pub fn texts(def: &Definition) -> Vec<Text<'_>> {
    let types = types(def);
    let text = |(signature, body)| Text {
        params: params(signature, &types),
        body,
    };
    walk::code(def).map(text).collect()
}

/// Returns the parameters of a phrase. A word after the name of a type is one: `seat p takes a turn`.
fn params<'d>(signature: &'d Signature, types: &BTreeSet<&str>) -> Vec<&'d Name> {
    match signature {
        Signature::Call { params, .. } => params.iter().map(|param| &param.name).collect(),
        Signature::Phrase(words) => {
            let pairs = words.iter().zip(words.iter().skip(1));
            let typed = pairs.filter(|(of, _)| types.contains(of.text.as_str()));
            typed.map(|(_, name)| name).collect()
        }
    }
}

/// Returns the words of an effect without its parameters and their types.
pub fn verbs<'d>(words: &'d [Name], types: &BTreeSet<&str>) -> impl Iterator<Item = &'d Name> {
    let is_type = |word: &Name| types.contains(word.text.as_str());
    let before = std::iter::once(false).chain(words.iter().map(is_type));
    let fixed = words.iter().zip(before);
    let fixed = fixed.filter(|(word, is_parameter)| !is_parameter && !is_type(word));
    fixed.map(|(word, _)| word).collect::<Vec<_>>().into_iter()
}

pub fn types(def: &Definition) -> BTreeSet<&str> {
    let declared = declared(def).filter(|(what, _)| ["type", "zone"].contains(what));
    let kinds = def.all_kinds().map(|kind| &kind.name);
    let names = declared.map(|(_, name)| name).chain(kinds);
    let names = names.map(|name| name.text.as_str());
    names.chain(TYPES).collect()
}
