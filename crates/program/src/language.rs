//! Texts in several languages, and the selection of one for a reader.

/// A language of a program: its index in [`super::Prose::languages`]. The default is the language of the rules.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(pub u16);

/// A text in the languages of its program, in their order. The first is always present and replaces missing ones.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Localized(Vec<String>);

impl Localized {
    /// Creates a text from one string per language; equal ones are stored once.
    pub fn new(mut texts: Vec<String>) -> Localized {
        let mut others = texts.iter().skip(1);
        if others.all(|text| Some(text) == texts.first()) {
            texts.truncate(1);
        }
        Localized(texts)
    }

    pub fn get(&self, language: Language) -> &str {
        let own = self.0.get(usize::from(language.0));
        own.or_else(|| self.0.first()).map_or("", String::as_str)
    }

    /// Returns the text with a change in each language.
    pub fn map(&self, change: impl Fn(&str) -> String) -> Localized {
        Localized(self.0.iter().map(|text| change(text)).collect())
    }

    /// Returns whether the text is empty in every language.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(String::is_empty)
    }
}

impl From<&str> for Localized {
    fn from(text: &str) -> Localized {
        Localized(vec![text.to_owned()])
    }
}

/// Returns the best match for a preference. `ranges` are language ranges (RFC 4647), the most preferred first: each is
/// looked up unchanged, then shortened part by part (`es-MX`, `es`), then as another variety of the same language (`es`
/// finds `es-419`). Without a match, it is the language of the rules.
pub fn best_language<'t>(
    languages: &[String],
    ranges: impl IntoIterator<Item = &'t str>,
) -> Language {
    let found = ranges
        .into_iter()
        .find_map(|range| language_for(languages, range));
    found.unwrap_or_default()
}

/// Returns the language that matches one range, if any.
pub fn language_for(languages: &[String], range: &str) -> Option<Language> {
    if range == "*" {
        return Some(Language::default());
    }
    let number = |at: usize| u16::try_from(at).ok().map(Language);
    let mut shorter = Some(range);
    while let Some(tag) = shorter {
        let mut known = languages.iter();
        if let Some(at) = known.position(|known| known.eq_ignore_ascii_case(tag)) {
            return number(at);
        }
        shorter = tag.rsplit_once('-').map(|(head, _)| head);
    }
    let primary = |tag: &str| tag.split('-').next().unwrap_or(tag).to_ascii_lowercase();
    let mut known = languages.iter();
    let relative = known.position(|known| primary(known) == primary(range));
    relative.and_then(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn best(ranges: &[&str]) -> u16 {
        let languages = ["en", "es", "pt-BR"].map(str::to_owned);
        best_language(&languages, ranges.iter().copied()).0
    }

    #[test]
    fn a_range_is_shortened_until_it_is_known() {
        assert_eq!(best(&["es"]), 1);
        assert_eq!(best(&["es-MX"]), 1);
        assert_eq!(best(&["ES-mx-x-old"]), 1);
        assert_eq!(best(&["pt-BR"]), 2);
    }

    #[test]
    fn a_relative_is_better_than_a_stranger() {
        assert_eq!(best(&["pt"]), 2);
        assert_eq!(best(&["pt-PT", "es"]), 2);
    }

    #[test]
    fn the_first_wish_that_can_be_fulfilled_counts() {
        assert_eq!(best(&["fr", "es", "en"]), 1);
        assert_eq!(best(&["fr", "*", "es"]), 0);
    }

    #[test]
    fn without_a_match_it_is_the_language_of_the_rules() {
        assert_eq!(best(&[]), 0);
        assert_eq!(best(&["fr", "esx"]), 0);
    }

    #[test]
    fn what_is_missing_is_read_as_it_was_written() {
        let text = Localized::new(vec!["deck".into(), "mazo".into()]);
        assert_eq!(text.get(Language(1)), "mazo");
        assert_eq!(text.get(Language(2)), "deck");
        assert_eq!(Localized::from("3").get(Language(1)), "3");
        assert!(Localized::default().is_empty());
    }
}
