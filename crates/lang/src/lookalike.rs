//! Characters that resemble those of the language, as word processors and web pages produce them.

/// The description of such a character, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lookalike {
    pub message: String,
    pub help: &'static str,
}

/// Returns the look-alike, if the character is not part of YAML and the effect language but resembles one that is.
pub(super) fn lookalike(sign: char) -> Option<Lookalike> {
    if let Some(help) = invisible(sign) {
        let code = sign as u32;
        let message = format!("an invisible character (U+{code:04X})");
        return Some(Lookalike { message, help });
    }
    let (_, what, help) = SIGNS.iter().find(|(signs, ..)| signs.contains(sign))?;
    let message = format!("`{sign}` is {what}");
    Some(Lookalike { message, help })
}

/// Returns advice for an invisible character.
pub(super) fn invisible(sign: char) -> Option<&'static str> {
    match sign {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Some("replace it with a plain space")
        }
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}' | '\u{feff}' => {
            Some("delete it, or type the line again")
        }
        _ => None,
    }
}

const SIGNS: &[(&str, &str, &str)] = &[
    (
        "“”„‟«»″＂",
        "not a straight quote",
        "use straight quotes for texts: `\"`",
    ),
    (
        "‘’‚‛′´`＇",
        "not a straight quote",
        "use straight double quotes for texts: `\"`",
    ),
    (
        "–—―‐‑‒",
        "a dash, not a minus",
        "write `..` for a range (`1..9`) and `-` for a minus (`a - 1`)",
    ),
    ("−", "not the ASCII minus", "write `-`"),
    (
        "…‥",
        "one character, not two dots",
        "write a range as `1..9`",
    ),
    ("×✕⋅·∙", "not a character of the language", "write `*`"),
    ("÷∕⁄", "not a character of the language", "write `/`"),
    ("≠", "not a character of the language", "write `!=`"),
    ("≤", "not a character of the language", "write `<=`"),
    ("≥", "not a character of the language", "write `>=`"),
    ("＝", "not the ASCII character", "write `=`"),
    ("：", "not the ASCII character", "write `:`"),
    ("；", "not the ASCII character", "write `;`"),
    ("，、", "not the ASCII character", "write `,`"),
    ("（", "not the ASCII character", "write `(`"),
    ("）", "not the ASCII character", "write `)`"),
    ("［", "not the ASCII character", "write `[`"),
    ("］", "not the ASCII character", "write `]`"),
    ("∈", "not a character of the language", "write `in`"),
    ("∧", "not a character of the language", "write `and`"),
    ("∨", "not a character of the language", "write `or`"),
    ("¬", "not a character of the language", "write `not`"),
    (
        "→⇒",
        "not a character of the language",
        "a block begins after `:`",
    ),
];
