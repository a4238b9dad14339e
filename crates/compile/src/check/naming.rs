//! The names available in a text: those of the game, and its parameters.

use std::collections::BTreeSet;

use crate::names::walk;
use wyrmgate_lang::ast::{Block, Name, Signature};
use wyrmgate_lang::definition::Definition;

/// Types of every game.
const TYPES: [&str; 6] = ["int", "bool", "seat", "zone", "component", "cell"];

/// An effect text and its parameters.
pub struct Text<'d> {
    pub params: Vec<&'d Name>,
    pub body: &'d Block,
}

/// Names of the game that a text can use as bare words, and that a name of its own can shadow.
pub fn names_of_game(def: &Definition) -> Vec<&Name> {
    let options = def.options.iter().map(|option| &option.name);
    let data = def.values.data.iter().map(|data| &data.name);
    let vars = def.vars.iter().map(|var| &var.name);
    options.chain(data).chain(vars).collect()
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
    let declared = def.values.types.iter().map(|of| &of.name);
    let declared = declared.chain(def.values.records.iter().map(|of| &of.name));
    let zones = def.zones.iter().map(|zone| &zone.name);
    let kinds = def.all_kinds().map(|kind| &kind.name);
    let names = declared.chain(zones).chain(kinds);
    let names = names.map(|name| name.text.as_str());
    names.chain(TYPES).collect()
}
