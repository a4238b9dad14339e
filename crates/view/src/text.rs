//! Texts with holes, such as prompts, labels and messages, as one reader sees them.
//!
//! The engine evaluates the holes once. Each viewer reads the values in its own language and as far as it may know them.

use crate::name::Titles;
use wyrmgate_engine::SeenValue;
use wyrmgate_program::{Hole, Program, TextId, TextPiece};

/// Returns the text with these values in its holes, named by `names`.
pub(crate) fn read(
    program: &Program,
    text: TextId,
    holes: &[Vec<SeenValue>],
    names: &impl Titles,
) -> String {
    let language = names.language();
    let mut read = String::new();
    let Some(info) = program.prose.texts_with_holes.get(usize::from(text)) else {
        return read;
    };
    for piece in info.parts_in(language) {
        match piece {
            TextPiece::Words(words) => read.push_str(words),
            TextPiece::Hole(number) => {
                if let Some((hole, values)) = info.holes.get(*number).zip(holes.get(*number)) {
                    read.push_str(&in_hole(program, *hole, values, names));
                }
            }
        }
    }
    read
}

/// Lists the members one after the other. An empty list reads as the language's word for none.
pub(crate) fn in_hole(
    program: &Program,
    hole: Hole,
    values: &[SeenValue],
    names: &impl Titles,
) -> String {
    if values.is_empty() {
        return program.prose.words.none.get(names.language()).to_owned();
    }
    let titles = values.iter().map(|value| names.title(value, hole.of()));
    titles.collect::<Vec<_>>().join(", ")
}
