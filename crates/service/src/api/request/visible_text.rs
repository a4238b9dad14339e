//! Characters that nobody sees.
//!
//! Character classes come from Unicode, via `icu_properties`.

use icu_properties::CodePointSetData;
use icu_properties::props::DefaultIgnorableCodePoint;

/// Formats a character as `U+202E`.
pub fn code_point(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

/// Returns whether a character is one that is drawn as nothing, such as a filler or a joiner.
pub fn is_ignorable(c: char) -> bool {
    CodePointSetData::new::<DefaultIgnorableCodePoint>().contains(c)
}
