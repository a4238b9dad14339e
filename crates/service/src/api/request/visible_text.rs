//! Checks that names from clients contain no invisible characters and no characters that change the direction of
//! surrounding text.
//!
//! Character classes come from Unicode, via `icu_properties`.

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;
use wyrmgate_base::visible::is_hidden;

/// Returns the first invisible character in a name: a control or format character, a line break or a filler.
pub fn invisible_in_name(name: &str) -> Option<char> {
    name.chars().find(|c| is_hidden(*c) || is_ignorable(*c))
}

/// Formats a character as `U+202E`.
pub fn code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

fn is_ignorable(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
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
            '\u{e000}',
            '\u{e0041}',
            '\u{e0100}',
        ] {
            let name = format!("Ada{hidden}Byron");
            assert_eq!(
                invisible_in_name(&name),
                Some(hidden),
                "{}",
                code_point(hidden)
            );
        }
        for name in [
            "Ada",
            "Zoë 2",
            "Ольга",
            "李雷",
            "محمد",
            "עדה",
            "राम",
            "🐉",
            "o'Neill-x",
        ] {
            assert_eq!(invisible_in_name(name), None, "{name}");
        }
    }
}
