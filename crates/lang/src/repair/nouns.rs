//! Repairs of lines that say what kind of component they are about, as people do: `draw a card from deck`.

use super::habit::QUANTIFIERS;
use super::rewriting::{Rewritten, replaced, words};
use crate::token::token;

/// Repairs `choose dragon d "Which?"`, `choose a card from hand(p): move it to discard`.
pub(super) fn choice_of_noun(line: &str) -> Option<Rewritten> {
    let start = line.find("choose ")?;
    let (head, rest) = line.split_at_checked(start + "choose ".len())?;
    let article = ["a ", "an ", "one ", "the "]
        .into_iter()
        .find(|article| rest.starts_with(article));
    let rest = rest.get(article.map_or(0, str::len)..)?;
    let noun = token(rest);
    let behind = rest.get(noun.len()..)?.trim_start();
    let prepositions = ["from", "in", "of", "out"];
    let word = token(behind);
    let is_named =
        word.starts_with(|c: char| c.is_ascii_lowercase()) && !prepositions.contains(&word);
    if noun.is_empty() || article.is_none() && !is_named {
        return None; // the noun is the name
    }
    let (name, behind) = match is_named {
        true => (word, behind.get(word.len()..)?.trim_start()),
        false => (noun.get(..1)?, behind),
    };
    let from = token(behind);
    let is_listed = prepositions.contains(&from);
    let behind = match is_listed {
        true => {
            let list = behind.get(from.len()..)?.trim_start();
            format!("in {}", with_name(list, name))
        }
        false => format!("in {noun}s {}", with_name(behind, name)),
    };
    let message = match is_listed {
        true => "a choice is written `choose name in list`",
        false => "a choice needs a list: `choose name in list`",
    };
    Some(Rewritten {
        message: message.to_owned(),
        line: format!("{head}{name} {}", behind.trim_end()),
    })
}

/// Returns the line with the name in place of `it`.
fn with_name(line: &str, name: &str) -> String {
    match words(line).find(|(_, word)| *word == "it") {
        Some((at, _)) => replaced(line, at, 2, name),
        None => line.to_owned(),
    }
}

/// Repairs `draw a card from deck`, `draw 2 cards from deck`.
pub(super) fn drawn_noun(line: &str) -> Option<Rewritten> {
    let start = line.find("draw ")? + "draw ".len();
    let (what, _) = line.get(start..)?.split_once(" from ")?;
    let (number, noun) = what.split_once(' ')?;
    let number = match number {
        "a" | "an" | "one" | "the" => "1",
        number => number,
    };
    let is_noun = !noun.is_empty() && token(noun) == noun;
    is_noun.then(|| Rewritten {
        message: format!("`draw` takes a number, without `{noun}`"),
        line: replaced(line, start, what.len(), number),
    })
}

/// Repairs `if any dragon is leading`, `if all d in dragons has d.laps > 1`.
pub(super) fn quantified_noun(line: &str) -> Option<Rewritten> {
    let found = words(line).find_map(|(at, word)| {
        let (said, ours) = QUANTIFIERS.iter().find(|(said, _)| *said == word)?;
        Some((at, *said, *ours))
    });
    let (at, said, ours) = found.filter(|(at, ..)| *at > 0)?;
    let behind = line.get(at + said.len()..)?.trim_start();
    let noun = token(behind);
    let rest = behind.get(noun.len()..)?.trim_start();
    let head = line.get(..at)?;
    if rest.starts_with("in ") && said != ours {
        return Some(Rewritten {
            message: format!("`{said} … in … has` is written `{ours} … in … has`"),
            line: format!("{head}{ours} {noun} {rest}"),
        });
    }
    let rest = rest
        .strip_prefix("is ")
        .or_else(|| rest.strip_prefix("are "))?;
    let plural = if noun.ends_with('s') { "" } else { "s" };
    Some(Rewritten {
        message: format!("`{said} {noun}` needs a name for the member"),
        line: format!("{head}{ours} x in {noun}{plural} has x is {rest}"),
    })
}
