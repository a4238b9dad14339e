//! Finds the local names at a place in a text that is being typed.

use super::completion::{Completion, CompletionKind};
use super::index::NameIndex;
use super::place::CursorContext;
use crate::format::{WordKind, tokens};

/// A name and its origin.
pub struct Local {
    pub name: String,
    pub of: String,
}

impl Local {
    pub fn completion(self) -> Completion {
        let kind = CompletionKind::Variable;
        Completion::new(&self.name, kind, &self.of, "a local name")
    }
}

/// Finds the names by scanning the text above, because text that is being typed does not parse.
pub fn locals(here: &CursorContext, text: &str, byte: usize, index: &NameIndex) -> Vec<Local> {
    let mut found = Vec::new();
    for key in here.path.iter().rev().take(2) {
        parameters(key, index, &mut found);
    }
    let above = text.get(..byte).unwrap_or_default();
    let opens = |line: &&str| line.trim_end().ends_with(['|', '>']);
    let lines = above.lines().rev().take_while(|line| !opens(line));
    let lines: Vec<&str> = lines.collect();
    for line in lines.iter().rev() {
        let words = tokens(line);
        for three in words.windows(3) {
            if let [name, is_in, list] = three
                && name.kind == WordKind::Word
                && is_in.text == "in"
            {
                found.push(local(name.text, list.text));
            }
            if let [word, name, _] = three
                && word.text == "let"
            {
                found.push(local(name.text, ""));
            }
        }
    }
    if here.path.iter().any(|key| key == "components") {
        let mut keys = here.path.iter().rev();
        let kind = keys.find(|key| index.kind_of(key) == Some(key.as_str()));
        found.extend(kind.map(|kind| local("me", kind)));
    }
    found.reverse();
    found
}

fn local(name: &str, of: &str) -> Local {
    Local {
        name: name.to_owned(),
        of: of.to_owned(),
    }
}

/// Returns `seat p` for `seat p takes a turn`.
fn parameters(signature: &str, index: &NameIndex, found: &mut Vec<Local>) {
    for pair in tokens(signature).windows(2) {
        if let [of, name] = pair
            && index.types.contains(of.text)
            && name.kind == WordKind::Word
        {
            found.push(local(name.text, of.text));
        }
    }
}
