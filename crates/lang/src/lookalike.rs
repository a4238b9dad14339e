//! Characters that resemble those of the language, as word processors, web pages and other keyboards produce them.

use unicode_security::skeleton;

/// The description of such a character, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lookalike {
    pub message: String,
    pub help: String,
    /// The plain character, if one takes its place.
    pub plain: Option<char>,
}

/// Returns the look-alike, if the character is not part of YAML and the effect language but resembles one that is.
pub(super) fn lookalike(sign: char) -> Option<Lookalike> {
    if sign.is_ascii() {
        return None;
    }
    let mut plain = plain(sign);
    let (message, help) = if let Some(help) = invisible(sign) {
        (
            format!("an invisible character: {}", named(sign)),
            help.to_owned(),
        )
    } else if let Some((_, what, help)) = SIGNS.iter().find(|(signs, ..)| signs.contains(sign)) {
        plain = plain.filter(|plain| *help == format!("write `{plain}`"));
        (
            format!("`{sign}` is {}, {what}", named(sign)),
            (*help).to_owned(),
        )
    } else {
        let meant = plain.filter(|plain| !sign.is_alphabetic() || plain.is_ascii_alphanumeric())?;
        (
            format!("`{sign}` is {}, not `{meant}`", named(sign)),
            format!("write `{meant}`"),
        )
    };
    Some(Lookalike {
        message,
        help,
        plain,
    })
}

/// A look-alike in a text.
pub(super) struct Found {
    /// Its byte.
    pub at: usize,
    pub sign: char,
    pub lookalike: Lookalike,
    /// The bytes to replace, and what belongs there.
    pub repair: Option<(usize, usize, String)>,
}

/// Finds the character at byte `at` among the look-alikes.
pub(super) fn alone(text: &str, at: usize) -> Option<Found> {
    let sign = text.get(at..)?.chars().next()?;
    let lookalike = lookalike(sign)?;
    let plain = lookalike.plain.map(String::from);
    Some(Found {
        at,
        sign,
        repair: plain.map(|plain| (at, at + sign.len_utf8(), plain)),
        lookalike,
    })
}

/// Finds the first look-alike in the word at byte `at`.
pub(super) fn in_word(text: &str, at: usize) -> Option<Found> {
    let (before, rest) = text.split_at_checked(at)?;
    let is_letter =
        |c: char| c.is_alphanumeric() || matches!(c, '_' | '-') || invisible(c).is_some();
    let start = before.rfind(|c| !is_letter(c)).map_or(0, |i| {
        i + before
            .get(i..)
            .and_then(|rest| rest.chars().next())
            .map_or(0, char::len_utf8)
    });
    let end = at + rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
    let word = text.get(start..end)?;
    let (begins, odd) = word.char_indices().find(|(_, c)| !c.is_ascii())?;
    let found = lookalike(odd)?;
    let plain: String = word.chars().filter_map(plain_or_same).collect();
    let help = match odd.is_alphabetic() && plain.is_ascii() {
        true => format!("write `{plain}` with plain letters"),
        false => found.help,
    };
    Some(Found {
        at: start + begins,
        sign: odd,
        lookalike: Lookalike { help, ..found },
        repair: plain.is_ascii().then_some((start, end, plain)),
    })
}

/// Returns the plain character; none for a character that should be deleted.
fn plain_or_same(sign: char) -> Option<char> {
    match sign {
        sign if sign.is_ascii() => Some(sign),
        sign if is_to_delete(sign) => None,
        sign => Some(plain(sign).unwrap_or(sign)),
    }
}

/// Returns the ASCII character that looks the same, after the tables of Unicode.
pub(super) fn plain(sign: char) -> Option<char> {
    if is_space(sign) {
        return Some(' ');
    }
    let mut text = [0; 4];
    let text = sign.encode_utf8(&mut text);
    let mut looks = skeleton(text);
    looks
        .next()
        .filter(|c| c.is_ascii() && looks.next().is_none())
}

/// Returns the name of a character in Unicode, and its number: `CYRILLIC SMALL LETTER ES (U+0441)`.
pub(super) fn named(sign: char) -> String {
    let code = sign as u32;
    match unicode_names2::name(sign) {
        Some(name) => format!("{name} (U+{code:04X})"),
        None => format!("U+{code:04X}"),
    }
}

/// Returns advice for an invisible character.
pub(super) fn invisible(sign: char) -> Option<&'static str> {
    match sign {
        sign if is_space(sign) => Some("replace it with a plain space"),
        sign if is_to_delete(sign) => Some("delete it, or type the line again"),
        _ => None,
    }
}

fn is_space(sign: char) -> bool {
    matches!(
        sign,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}'
    )
}

fn is_to_delete(sign: char) -> bool {
    matches!(
        sign,
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}' | '\u{feff}'
    )
}

/// Signs, what they are, and what to write instead.
macro_rules! signs {
    ($($signs:literal $what:literal $help:literal;)*) => {
        const SIGNS: &[(&str, &str, &str)] = &[$(($signs, $what, $help)),*];
    };
}

signs! {
    "“”„‟«»″＂" "not a straight quote" "use straight quotes for texts: `\"`";
    "‘’‚‛′´`＇" "not a straight quote" "use straight double quotes for texts: `\"`";
    "–—―‐‑‒" "a dash, not a minus" "write `..` for a range (`1..9`) and `-` for a minus (`a - 1`)";
    "−" "not the ASCII minus" "write `-`";
    "…‥" "one character, not two dots" "write a range as `1..9`";
    "×✕⋅·∙" "not a character of the language" "write `*`";
    "÷∕⁄" "not a character of the language" "write `/`";
    "≠" "not a character of the language" "write `!=`";
    "≤" "not a character of the language" "write `<=`";
    "≥" "not a character of the language" "write `>=`";
    "＝" "not the ASCII character" "write `=`";
    "：" "not the ASCII character" "write `:`";
    "；" "not the ASCII character" "write `;`";
    "，、" "not the ASCII character" "write `,`";
    "（" "not the ASCII character" "write `(`";
    "）" "not the ASCII character" "write `)`";
    "［" "not the ASCII character" "write `[`";
    "］" "not the ASCII character" "write `]`";
    "∈" "not a character of the language" "write `in`";
    "∧" "not a character of the language" "write `and`";
    "∨" "not a character of the language" "write `or`";
    "¬" "not a character of the language" "write `not`";
    "→⇒" "not a character of the language" "a block begins after `:`";
}
