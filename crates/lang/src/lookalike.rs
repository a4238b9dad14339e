//! Characters that look like those of the language and are others: what word processors and web pages make of them.

/// What such a character is called, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Lookalike {
    pub message: String,
    pub help: &'static str,
}

/// The character is no part of YAML and of the effect language, and stands for one that is.
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

/// What to do about a character that nobody sees.
pub(super) fn invisible(sign: char) -> Option<&'static str> {
    match sign {
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => {
            Some("delete it and type a plain space")
        }
        '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}' | '\u{feff}' => {
            Some("delete it; putting the line down anew is the surest way")
        }
        _ => None,
    }
}

const SIGNS: &[(&str, &str, &str)] = &[
    (
        "“”„‟«»″＂",
        "not a straight quote",
        "texts stand in straight quotes: `\"`",
    ),
    (
        "‘’‚‛′´`＇",
        "not a straight quote",
        "texts stand in straight double quotes: `\"`",
    ),
    (
        "–—―‐‑‒",
        "a dash, not a minus",
        "write `..` for a range (`1..9`) and `-` for a minus (`a - 1`)",
    ),
    ("−", "not the minus of the keyboard", "write `-`"),
    (
        "…‥",
        "one sign, not two full stops",
        "a range is written `1..9`",
    ),
    ("×✕⋅·∙", "no sign of the language", "write `*`"),
    ("÷∕⁄", "no sign of the language", "write `/`"),
    ("≠", "no sign of the language", "write `!=`"),
    ("≤", "no sign of the language", "write `<=`"),
    ("≥", "no sign of the language", "write `>=`"),
    ("＝", "not the sign of the keyboard", "write `=`"),
    ("：", "not the sign of the keyboard", "write `:`"),
    ("；", "not the sign of the keyboard", "write `;`"),
    ("，、", "not the sign of the keyboard", "write `,`"),
    ("（", "not the sign of the keyboard", "write `(`"),
    ("）", "not the sign of the keyboard", "write `)`"),
    ("［", "not the sign of the keyboard", "write `[`"),
    ("］", "not the sign of the keyboard", "write `]`"),
    ("∈", "no sign of the language", "write `in`"),
    ("∧", "no sign of the language", "write `and`"),
    ("∨", "no sign of the language", "write `or`"),
    ("¬", "no sign of the language", "write `not`"),
    ("→⇒", "no sign of the language", "a block begins behind `:`"),
];
