//! The symbols of pictures: drawn for this project and under its license. Each is a path in a square of 24 by 24, filled by
//! the even-odd rule, and one character for pictures in text.

#[derive(Debug, PartialEq, Eq)]
pub struct DrawnSymbol {
    /// Its word in the rules.
    pub word: &'static str,
    /// Its character, one column wide and different from all others.
    pub glyph: char,
    pub path: &'static str,
}

/// The side of the square in which paths are drawn.
pub const SIDE: f32 = 24.0;

const fn symbol(word: &'static str, glyph: char, path: &'static str) -> DrawnSymbol {
    DrawnSymbol { word, glyph, path }
}

/// Returns the symbol that a word names: also the last part of a name, such as `ice_dragon`.
pub fn named(word: &str) -> Option<&'static DrawnSymbol> {
    SYMBOLS.iter().find(|symbol| symbol.word == word)
}

#[rustfmt::skip]
pub static SYMBOLS: [DrawnSymbol; 56] = [
    symbol("anchor", '‡', "M12 1A3 3 0 0 1 13.3 6.7V9H17V12H13.3V19C16 18.5 18 17 18.5 15H16.5L20 11 22.5 15.5H21C20 20 16.5 23 12 23S4 20 3 15.5H1.5L4 11 7.5 15H5.5C6 17 8 18.5 10.7 19V12H7V9H10.7V6.7A3 3 0 0 1 12 1Z"),
    symbol("arrow", '↑', "M12 2 20 11H15V22H9V11H4Z"),
    symbol("bishop", '♝', "M12 1A2 2 0 0 1 13.3 4.5C16 6.5 17.5 9 17.5 12 17.5 14.5 16 16.5 14.5 18H18.5V23H5.5V18H9.5C8 16.5 6.5 14.5 6.5 12 6.5 9 8 6.5 10.7 4.5A2 2 0 0 1 12 1ZM11.2 8V10H9.5V11.6H11.2V14.5H12.8V11.6H14.5V10H12.8V8Z"),
    symbol("bolt", '↯', "M14 1 4 14H11L9 23 20 9H13Z"),
    symbol("book", '≣', "M2 4C6 3 9 3.5 12 6 15 3.5 18 3 22 4V20C18 19 15 19.5 12 22 9 19.5 6 19 2 20ZM11.2 7.5V19.5H12.8V7.5Z"),
    symbol("bottle", '¡', "M9 1H15V4H14V8L19 19A2.5 2.5 0 0 1 17 23H7A2.5 2.5 0 0 1 5 19L10 8V4H9Z"),
    symbol("circle", '○', "M12 2A10 10 0 1 0 12.01 2ZM12 6A6 6 0 1 1 11.99 6Z"),
    symbol("club", '♣', "M12 2A4.5 4.5 0 0 1 15.5 9.4A4.5 4.5 0 1 1 13.4 16.5L15 22H9L10.6 16.5A4.5 4.5 0 1 1 8.5 9.4A4.5 4.5 0 0 1 12 2Z"),
    symbol("coin", '¢', "M12 2A10 10 0 1 0 12.01 2ZM12 4.5A7.5 7.5 0 1 1 11.99 4.5ZM10.5 8H13.5V16H10.5Z"),
    symbol("cross", '✕', "M5 2 12 9 19 2 22 5 15 12 22 19 19 22 12 15 5 22 2 19 9 12 2 5Z"),
    symbol("crown", '♔', "M3 20V7L8 12 12 4 16 12 21 7V20Z"),
    symbol("diamond", '♦', "M12 2 20 12 12 22 4 12Z"),
    symbol("door", '∩', "M4 22V9A8 8 0 0 1 20 9V22ZM15.5 13A1.2 1.2 0 1 0 15.51 13Z"),
    symbol("dragon", '§', "M2 15C4 10 7 8 10 7L8 2 13 6 14.5 1 16.5 6.5C20 8 22 12 22 17 22 20 20 22 18 23 19 20 18 17.5 15.5 16.5L9 17.5 3 20 5 16.5ZM12.5 9.5A1.3 1.3 0 1 0 12.51 9.5Z"),
    symbol("drop", '°', "M12 1C16 8 19 11 19 16A7 7 0 0 1 5 16C5 11 8 8 12 1Z"),
    symbol("eye", '◉', "M12 5C17 5 21 8.5 23 12 21 15.5 17 19 12 19S3 15.5 1 12C3 8.5 7 5 12 5ZM12 8A4 4 0 1 0 12.01 8Z"),
    symbol("flag", '⚑', "M5 1H7V3H21L17 8 21 13H7V23H5Z"),
    symbol("flame", '♨', "M12 1C14 6 19 8 19 15A7 7 0 0 1 5 15C5 11 8 10 8 6 10 7 11 9 11 11 13 9 13 5 12 1ZM12 21A3 3 0 0 0 15 18C15 16 13 15 12 13 11 15 9 16 9 18A3 3 0 0 0 12 21Z"),
    symbol("footprint", '„', "M10 1C13.5 1 15 4 15 7.5 15 11 13.5 14 11.5 14S7 11.5 6.5 8C6 4 7.5 1 10 1ZM8.5 16H14C14.3 20 13.5 23 11.5 23S8.5 20 8.5 16Z"),
    symbol("gear", '⚙', "M10 1H14L14.6 4.2 17.4 5.8 20.5 4.7 22.5 8.2 20 10.4V13.6L22.5 15.8 20.5 19.3 17.4 18.2 14.6 19.8 14 23H10L9.4 19.8 6.6 18.2 3.5 19.3 1.5 15.8 4 13.6V10.4L1.5 8.2 3.5 4.7 6.6 5.8 9.4 4.2ZM12 8A4 4 0 1 0 12.01 8Z"),
    symbol("hand", '☚', "M6 11V5.5A1.5 1.5 0 0 1 9 5.5V3A1.5 1.5 0 0 1 12 3V2.5A1.5 1.5 0 0 1 15 2.5V5A1.5 1.5 0 0 1 18 5V15C18 20 15 23 12 23 8 23 6 21 5 18L2 13A1.5 1.5 0 0 1 4.5 11.5L6 13.5Z"),
    symbol("harp", '♪', "M5 2C10 2 12 5 17 4 20 3.5 21 6 20 8L9 22H5ZM8 6V17L16 7.5C13 8 11 6.5 8 6Z"),
    symbol("heart", '♥', "M12 21C5 15 2 12 2 8A5 5 0 0 1 12 6A5 5 0 0 1 22 8C22 12 19 15 12 21Z"),
    symbol("hexagon", '⬡', "M12 2 21 7V17L12 22 3 17V7Z"),
    symbol("hole", '◌', "M12 6C18 6 23 8.5 23 12S18 18 12 18 1 15.5 1 12 6 6 12 6ZM12 8.5C7.5 8.5 4 10.2 4 12S7.5 13.5 12 13.5 20 13.8 20 12 16.5 8.5 12 8.5Z"),
    symbol("hourglass", '⧗', "M4 1H20V4L14 12 20 20V23H4V20L10 12 4 4Z"),
    symbol("key", '⚷', "M7 7A5 5 0 1 0 11.6 14H15V17H18V14H22V10H11.6A5 5 0 0 0 7 7ZM7 10A2 2 0 1 1 6.99 10Z"),
    symbol("king", '♚', "M11 1H13V3H15V5H13V7.2C17 6 21 8.5 20 12.5 19.5 15 17.5 16.5 17 19H7C6.5 16.5 4.5 15 4 12.5 3 8.5 7 6 11 7.2V5H9V3H11ZM6 20H18V23H6Z"),
    symbol("knight", '♞', "M8 2 10 4C16 4 19 9 18.5 18H19.5V23H6V18H7C7 14.5 10 13 11 10.5L8.5 12.5 6.5 14 4 12.5 6 7.5 7.5 5.5ZM9.2 6.8A.9 .9 0 1 0 9.21 6.8Z"),
    symbol("leaf", '❧', "M21 3C21 15 16 20 8 19L5 22 3.5 20.5 6.5 17.5C3 8 10 3 21 3ZM9 16.5 17 7 18 8 10 17.5Z"),
    symbol("map", '▦', "M1 5 8 2 16 5 23 2V19L16 22 8 19 1 22ZM7.5 5V16L8.5 16.5V5.5ZM15.5 8V18.5L16.5 19V8Z"),
    symbol("mask", '∞', "M2 6C8 4 16 4 22 6 22 14 19 18 16 18 14 18 13 15 12 15S10 18 8 18C5 18 2 14 2 6ZM5 9C7 8 9 8.5 10.5 10.5 8.5 12 6 11.5 5 9ZM19 9C17 8 15 8.5 13.5 10.5 15.5 12 18 11.5 19 9Z"),
    symbol("moon", '☾', "M15 2A10 10 0 1 0 22 15A8 8 0 0 1 15 2Z"),
    symbol("mountain", '▲', "M1 21 9 5 13 12 16 8 23 21Z"),
    symbol("paw", '⁂', "M12 11C16 11 19 15 18 18.5 17 22 14 20.5 12 20.5S7 22 6 18.5C5 15 8 11 12 11ZM4.5 8A2.2 2.8 0 1 0 4.51 8ZM9 2.5A2.2 3 0 1 0 9.01 2.5ZM15 2.5A2.2 3 0 1 0 15.01 2.5ZM19.5 8A2.2 2.8 0 1 0 19.51 8Z"),
    symbol("pawn", '♟', "M12 3A4 4 0 0 1 14.8 9.8L14.3 11.5 17 18H18.5V23H5.5V18H7L9.7 11.5 9.2 9.8A4 4 0 0 1 12 3Z"),
    symbol("portal", '◎', "M12 1A11 11 0 1 0 12.01 1ZM12 4A8 8 0 1 1 11.99 4ZM12 7A5 5 0 1 0 12.01 7ZM12 10A2 2 0 1 1 11.99 10Z"),
    symbol("queen", '♛', "M3 5 8 12 8.5 3 12 11 15.5 3 16 12 21 5 18 18H6ZM6 19.5H18V23H6Z"),
    symbol("ring", '◯', "M12 1A11 11 0 1 0 12.01 1ZM12 3.5A8.5 8.5 0 1 1 11.99 3.5Z"),
    symbol("rock", '●', "M3 20 1 14 6 6 14 4 21 9 23 17 19 21Z"),
    symbol("rook", '♜', "M5 2H8.5V4.5H10.5V2H13.5V4.5H15.5V2H19V8L16.5 10V17L19 19V23H5V19L7.5 17V10L5 8Z"),
    symbol("scroll", '≡', "M6 2H20A3 3 0 0 1 23 5V7H19V19A3 3 0 0 1 16 22H4A3 3 0 0 1 1 19V17H5V5A3 3 0 0 1 6 2ZM8 6V8H16V6ZM8 10V12H16V10ZM8 14V16H16V14Z"),
    symbol("shield", '▼', "M12 1 21 4V11C21 17 17 21 12 23 7 21 3 17 3 11V4Z"),
    symbol("skull", '☠', "M12 1C18 1 22 5 22 10 22 13 20.5 15.5 18 17V21H14V19H13V21H11V19H10V21H6V17C3.5 15.5 2 13 2 10 2 5 6 1 12 1ZM8 8.5A2.3 2.3 0 1 0 8.01 8.5ZM16 8.5A2.3 2.3 0 1 0 16.01 8.5Z"),
    symbol("snow", '❄', "M12 1 14.5 7.7 21.5 6.5 17 12 21.5 17.5 14.5 16.3 12 23 9.5 16.3 2.5 17.5 7 12 2.5 6.5 9.5 7.7ZM12 9.5A2.5 2.5 0 1 0 12.01 9.5Z"),
    symbol("spade", '♠', "M12 2C14 6 21 10 21 15A4 4 0 0 1 13.5 17L15 22H9L10.5 17A4 4 0 0 1 3 15C3 10 10 6 12 2Z"),
    symbol("square", '■', "M3 3H21V21H3Z"),
    symbol("star", '★', "M12 2 14.6 9 22 9.3 16.2 13.9 18.2 21 12 16.9 5.8 21 7.8 13.9 2 9.3 9.4 9Z"),
    symbol("sun", '☼', "M12 6A6 6 0 1 0 12.01 6ZM11 0H13V4H11ZM11 20H13V24H11ZM0 11H4V13H0ZM20 11H24V13H20ZM3 4.4 4.4 3 7.2 5.8 5.8 7.2ZM16.8 18.2 18.2 16.8 21 19.6 19.6 21ZM19.6 3 21 4.4 18.2 7.2 16.8 5.8ZM5.8 16.8 7.2 18.2 4.4 21 3 19.6Z"),
    symbol("swap", '⇄', "M7 1 13 8H9V16H5V8H1ZM17 23 11 16H15V8H19V16H23Z"),
    symbol("sword", '†', "M20 1 23 4 11 16 13 18 11.5 19.5 9 17 5 21 3 19 7 15 4.5 12.5 6 11 8 13Z"),
    symbol("tree", '↟', "M12 1 19 10H16L21 17H14V23H10V17H3L8 10H5Z"),
    symbol("triangle", '△', "M12 3 22 21H2ZM12 8.5 7 18H17Z"),
    symbol("turn", '↻', "M12 3A9 9 0 1 1 3.5 9L6.3 10A6 6 0 1 0 12 6V9L6 4.5 12 0Z"),
    symbol("wave", '≈', "M1 9C4 4 8 4 11 8 14 12 18 12 23 7V11C18 16 14 16 11 12 8 8 4 8 1 13ZM1 17C4 12 8 12 11 16 14 20 18 20 23 15V19C18 24 14 24 11 20 8 16 4 16 1 21Z"),
    symbol("wind", '≋', "M2 7H14A2 2 0 1 0 12 5H10A4 4 0 1 1 14 9H2ZM2 11H20A3.5 3.5 0 1 1 16.5 14.5H18.5A1.5 1.5 0 1 0 20 13H2ZM2 15H11A3 3 0 1 1 8 18H10A1 1 0 1 0 11 17H2Z"),
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_symbol_of_the_rules_is_drawn() {
        let words: Vec<&str> = SYMBOLS.iter().map(|symbol| symbol.word).collect();
        assert_eq!(words, wyrmgate_lang::look::SYMBOLS);
    }

    #[test]
    fn symbols_differ_and_stay_in_their_square() {
        let glyphs: BTreeSet<char> = SYMBOLS.iter().map(|symbol| symbol.glyph).collect();
        let paths: BTreeSet<&str> = SYMBOLS.iter().map(|symbol| symbol.path).collect();
        assert_eq!((glyphs.len(), paths.len()), (SYMBOLS.len(), SYMBOLS.len()));
        for symbol in &SYMBOLS {
            assert_eq!(
                unicode_width::UnicodeWidthChar::width(symbol.glyph),
                Some(1),
                "{}",
                symbol.word
            );
            assert!(
                symbol.path.starts_with('M') && symbol.path.ends_with('Z'),
                "{}",
                symbol.word
            );
            let numbers = symbol
                .path
                .split(|c: char| !c.is_ascii_digit() && c != '.' && c != '-');
            let numbers = numbers.filter_map(|number| number.parse::<f32>().ok());
            assert!(
                numbers
                    .into_iter()
                    .all(|number| (0.0..=SIDE).contains(&number)),
                "{}",
                symbol.word
            );
        }
    }
}
