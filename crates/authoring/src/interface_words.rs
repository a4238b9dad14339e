//! Declares the words of the program itself in the languages that the project speaks: English and Spanish.

/// Declares `Words`, one row for each: its name, the English text and the Spanish text. The function `of` finds them by the
/// tag of a language.
#[macro_export]
macro_rules! interface_words {
    ($($(#[$doc:meta])* $name:ident: $english:literal, $spanish:literal;)*) => {
        #[derive(Debug, PartialEq, Eq)]
        pub struct Words {
            $($(#[$doc])* pub $name: &'static str,)*
        }

        static ENGLISH: Words = Words { $($name: $english),* };
        static SPANISH: Words = Words { $($name: $spanish),* };

        /// Returns the words of a language, by its tag; English without a match.
        pub fn of(tag: &str) -> &'static Words {
            match tag.split('-').next() {
                Some("es") => &SPANISH,
                _ => &ENGLISH,
            }
        }
    };
}
