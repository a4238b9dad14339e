//! Display names that people choose: what they may consist of, and which of them look the same.
//!
//! Other people must be able to see a name and to tell it from others. Characters that nobody sees are therefore refused,
//! except where writing needs them: joiners between letters of scripts that have them, and in emoji.

use icu_properties::props::{
    Emoji, EmojiModifier, ExtendedPictographic, GeneralCategory, GeneralCategoryGroup,
    IndicSyllabicCategory, JoiningType, NoncharacterCodePoint,
};
use icu_properties::{CodePointMapData, CodePointSetData};
use unicode_security::skeleton;

use crate::api::request::visible_text::{code_point, is_ignorable};
use wyrmgate_base::visible::is_hidden;

const LETTERS_MAX: usize = 64;
const NON_JOINER: char = '\u{200c}';
const JOINER: char = '\u{200d}';
/// Asks for the colored form of an emoji.
const COLORED: char = '\u{fe0f}';
/// Symbols that leave no ink: braille without dots, a note without a head, and the place of an object.
const INKLESS: [char; 3] = ['\u{2800}', '\u{1d159}', '\u{fffc}'];

/// Returns the name without the space around it, or what is wrong with it.
pub fn display_name(text: &str) -> Result<String, String> {
    shown_text("name", text, LETTERS_MAX)
}

/// Returns what a person has written for others in one line, without the space around it, or what is wrong with it.
pub fn shown_text(noun: &str, text: &str, letters_max: usize) -> Result<String, String> {
    let shown = text.trim_matches(is_blank);
    let chars: Vec<char> = shown.chars().collect();
    if chars.len() > letters_max {
        return Err(format!(
            "a {noun} must have at most {letters_max} characters"
        ));
    }
    let hidden = (0..chars.len()).find_map(|at| hidden_at(&chars, at));
    if let Some(hidden) = hidden {
        return Err(format!(
            "a {noun} must not contain invisible or control characters; remove {}",
            code_point(hidden)
        ));
    }
    // A mark would stand on whatever is shown before the text.
    match chars.first() {
        None => Err(format!("a {noun} must have at least one visible character")),
        Some(first) if is_in(GeneralCategoryGroup::Mark, *first) => {
            Err(format!("a {noun} must not begin with a combining mark"))
        }
        Some(_) => Ok(shown.to_owned()),
    }
}

/// Returns the look of a name. Names that people can hardly tell apart have the same one.
pub fn look_of(name: &str) -> String {
    let visible: Vec<&str> = name
        .split(is_blank)
        .filter(|word| !word.is_empty())
        .collect();
    skeleton(&visible.join(" ")).collect()
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() && !is_hidden(c) || INKLESS.contains(&c)
}

/// Returns the character at this place, if nobody sees it and writing does not need it there.
fn hidden_at(chars: &[char], at: usize) -> Option<char> {
    let c = *chars.get(at)?;
    let before = chars.get(..at).unwrap_or_default();
    let after = chars.get(at.saturating_add(1)).copied();
    let is_needed = match c {
        NON_JOINER => is_between_letters(before, after),
        JOINER => is_between_letters(before, after) || is_between_pictures(before, after),
        COLORED => before
            .last()
            .is_some_and(|c| CodePointSetData::new::<Emoji>().contains(*c)),
        _ => false,
    };
    let is_nothing = CodePointSetData::new::<NoncharacterCodePoint>().contains(c);
    let is_unseen = is_hidden(c) || is_ignorable(c) || is_nothing;
    (is_unseen && !is_needed).then_some(c)
}

fn is_between_letters(before: &[char], after: Option<char>) -> bool {
    // Marks on an Arabic letter do not separate it from the next one.
    let is_mark = |c: &&char| joining(**c) == JoiningType::Transparent && !is_indic(**c);
    let before = before.iter().rev().find(|c| !is_mark(c));
    before.is_some_and(|c| can_join(*c)) && after.is_some_and(can_join)
}

/// Returns whether a letter or mark belongs to a script whose letters join: Arabic and its like, or an Indic script.
fn can_join(c: char) -> bool {
    let is_letter = is_in(GeneralCategoryGroup::Letter, c) || is_in(GeneralCategoryGroup::Mark, c);
    let alone = [JoiningType::NonJoining, JoiningType::Transparent];
    is_letter && (is_indic(c) || !alone.contains(&joining(c)))
}

fn is_between_pictures(before: &[char], after: Option<char>) -> bool {
    let is_picture = |c| CodePointSetData::new::<ExtendedPictographic>().contains(c);
    let is_form = |c| c == COLORED || CodePointSetData::new::<EmojiModifier>().contains(c);
    let before = before.iter().rev().find(|c| !is_form(**c));
    before.is_some_and(|c| is_picture(*c)) && after.is_some_and(is_picture)
}

fn joining(c: char) -> JoiningType {
    CodePointMapData::<JoiningType>::new().get(c)
}

fn is_indic(c: char) -> bool {
    let category = CodePointMapData::<IndicSyllabicCategory>::new().get(c);
    category != IndicSyllabicCategory::Other
}

fn is_in(group: GeneralCategoryGroup, c: char) -> bool {
    group.contains(CodePointMapData::<GeneralCategory>::new().get(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nobody_sees_is_found_in_names() {
        for hidden in [
            '\0',
            '\n',
            '\u{7f}',
            '\u{85}',
            '\u{ad}',
            '\u{34f}',
            '\u{61c}',
            '\u{115f}',
            '\u{180e}',
            '\u{200b}',
            '\u{200c}',
            '\u{200d}',
            '\u{200f}',
            '\u{2028}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{3164}',
            '\u{feff}',
            '\u{fe0f}',
            '\u{fffe}',
            '\u{1fffe}',
            '\u{fdd0}',
            '\u{e000}',
            '\u{e0041}',
            '\u{e0100}',
        ] {
            for name in [
                format!("Ada{hidden}Byron"),
                format!("{hidden}Ada"),
                format!("Ada{hidden}"),
            ] {
                let refused = display_name(&name).unwrap_err();
                assert!(
                    refused.ends_with(&code_point(hidden)),
                    "{refused}: {}",
                    code_point(hidden)
                );
            }
        }
    }

    #[test]
    fn names_of_every_script_and_emoji_are_accepted() {
        for name in [
            "Ada",
            "Zoë 2",
            "Ольга",
            "李雷",
            "محمد",
            "עדה",
            "राम",
            "o'Neill-x",
            "🐉",
            "می\u{200c}خواهم",
            "نامه\u{200c}ای",
            "ශ්\u{200d}රී",
            "ක්\u{200d}ෂ",
            "ক\u{200d}্য",
            "क्\u{200c}ष",
            "❤\u{fe0f}",
            "☎\u{fe0f} Ann",
            "🏳\u{fe0f}\u{200d}🌈",
            "👩🏽\u{200d}🚀",
            "👨\u{200d}👩\u{200d}👧",
            "1\u{fe0f}\u{20e3}",
            "🕵🏼\u{200d}♂\u{fe0f}",
        ] {
            assert_eq!(display_name(name), Ok(name.to_owned()), "{name}");
        }
    }

    #[test]
    fn a_name_is_trimmed_and_shows_something() {
        assert_eq!(
            display_name(" \u{3000}Ann\u{a0}\u{2800}"),
            Ok("Ann".to_owned())
        );
        for blank in [
            "",
            " ",
            "\u{2800}",
            "\u{2800} \u{2800}",
            "\u{a0}",
            "\u{1d159}",
            "\u{fffc}",
        ] {
            assert!(display_name(blank).is_err(), "{blank:?}");
        }
        for bare in [
            "\u{301}",
            "\u{301}Ann",
            "\u{200d}",
            "\u{fe0f}",
            "a\u{301}\u{200d}b",
            "🐉\u{200d}",
            "A\u{200d}🐉",
        ] {
            assert!(display_name(bare).is_err(), "{bare:?}");
        }
        assert!(display_name(&"a".repeat(64)).is_ok());
        assert!(display_name(&"a".repeat(65)).is_err());
    }

    #[test]
    fn names_that_look_the_same_have_one_look() {
        let same = ["Ann", "\u{410}nn", "A\u{301}nn\u{200d}"];
        assert_eq!(look_of(same[0]), look_of(same[1]));
        assert_ne!(look_of(same[0]), look_of(same[2]));
        assert_eq!(look_of("Ann B"), look_of("Ann\u{2800} \u{a0}B"));
        assert_eq!(look_of("\u{e9}"), look_of("e\u{301}"));
        assert_eq!(look_of("می\u{200c}خواهم"), look_of("میخواهم"));
        assert_ne!(look_of("Ann"), look_of("Anna"));
        assert_ne!(look_of("Ann"), look_of("ann"));
    }
}
