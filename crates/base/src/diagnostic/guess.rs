//! "Did you mean": the name that was probably meant, if one is near enough.
//!
//! A wrong guess is worse than none, because an author who follows it makes a second mistake. A word is therefore near
//! only if a typo explains it, or if other languages use it for the same thing.

use std::fmt::Display;

/// Our words, and those of other games and languages for the same. A row counts only if our word is possible at the place;
/// of several rows with a word, the first one does.
const SYNONYMS: &[(&str, &[&str])] = &[
    ("seats", &["players"]),
    ("seat", &["player"]),
    ("bool", &["boolean", "flag"]),
    ("int", &["integer", "number"]),
    ("true", &["yes", "on"]),
    ("false", &["no", "off"]),
    ("none", &["null", "nil", "nothing"]),
    ("count", &["length", "len", "amount"]),
    ("all", &["everyone", "everybody", "public"]),
    ("owner", &["private", "self"]),
    ("nobody", &["hidden", "secret", "none"]),
    ("active", &["current_player", "current"]),
    ("others", &["opponents"]),
    ("see", &["visible", "visibility"]),
    ("about", &["description"]),
    ("text", &["description"]),
    ("scenario", &["name", "title", "test"]),
    ("arrange", &["setup", "position"]),
    ("hidden", &["none", "invisible"]),
    ("waiting", &["wait", "waits"]),
    ("play", &["choose", "choice"]),
    ("title", &["name", "label", "prompt"]),
    ("vars", &["variables", "state", "globals", "counters"]),
    ("data", &["constants"]),
    ("types", &["enums"]),
    ("zones", &["places", "board", "areas", "decks"]),
    ("components", &["pieces", "cards", "tokens", "equipment"]),
    ("queries", &["functions"]),
    ("effects", &["actions", "procedures", "methods"]),
    ("handlers", &["events", "triggers"]),
    ("clauses", &["rules"]),
    ("options", &["settings"]),
    ("copies", &["quantity", "count", "number", "copy"]),
    ("faces", &["sides"]),
    ("holds", &["contains"]),
    ("capacity", &["max", "limit"]),
    ("most", &["max", "limit", "size", "capacity", "length"]),
    ("start", &["initial", "default", "setup", "value"]),
    ("in", &["location", "zone", "place", "holder"]),
    ("each", &["per", "for", "values", "keys"]),
    ("hexagonal", &["hex", "hexes"]),
    ("orthogonal", &["straight"]),
    ("compass", &["all"]),
    ("if", &["when", "condition"]),
    ("do", &["then"]),
    (
        "change",
        &["override", "overrides", "replace", "modify", "patch"],
    ),
    ("remove", &["delete"]),
    ("add", &["append", "new"]),
    ("extends", &["base", "inherits"]),
    ("include", &["imports", "includes"]),
    ("fields", &["properties", "attributes", "attrs"]),
    ("kinds", &["variants", "subtypes"]),
    ("back", &["hides"]),
    ("lasts", &["duration", "until", "resets"]),
    ("type", &["values", "choices"]),
];

/// Returns the candidate that was probably meant: the synonym used here, or else the nearest one if it is near enough.
pub fn did_you_mean<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let candidates: Vec<&str> = candidates.into_iter().collect();
    let called = SYNONYMS.iter().filter(|(_, words)| words.contains(&wanted));
    let ours = called.filter_map(|(ours, _)| candidates.iter().find(|known| *known == ours));
    let one = wanted.strip_suffix("ies");
    let mut singular = candidates
        .iter()
        .filter(|known| one.is_some() && known.strip_suffix('y') == one);
    let ours = ours.copied().next().or_else(|| singular.next().copied());
    ours.or_else(|| nearest(wanted, candidates))
}

/// Asks whether a similar name was meant, or gives other advice if there is none.
pub fn meant_or(meant: Option<impl Display>, otherwise: impl Into<String>) -> String {
    meant.map_or_else(
        || otherwise.into(),
        |meant| format!("did you mean `{meant}`?"),
    )
}

/// Returns the candidate that differs in one typo from a word of at least four letters. It is stricter than
/// [`did_you_mean`], for places where other words are equally likely.
pub fn misspelled<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    nearest(word, candidates).filter(|meant| {
        let slips = strsim::damerau_levenshtein(word, meant);
        slips > 0 && slips <= word.len().min(meant.len()) / 4
    })
}

/// Returns the similar name among names that end in a number, such as clauses. The letters may be misspelled or the digits
/// swapped; another number is another name, although [`did_you_mean`] finds it similar.
pub fn numbered_like<'a>(
    wanted: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    let parts = |name: &str| {
        let digits = name
            .find(|c: char| c.is_ascii_digit())
            .unwrap_or(name.len());
        let (letters, digits) = name.split_at(digits);
        (letters.to_lowercase(), digits.to_owned())
    };
    let (letters, digits) = parts(wanted);
    candidates.into_iter().find(|candidate| {
        let (other_letters, other_digits) = parts(candidate);
        let is_same_number = digits.trim_start_matches('0') == other_digits.trim_start_matches('0');
        (letters == other_letters && (is_same_number || is_exchanged(&digits, &other_digits)))
            || (digits == other_digits && slips(&letters, &other_letters).is_some())
    })
}

fn nearest<'a>(wanted: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let small = wanted.to_lowercase();
    candidates
        .into_iter()
        .filter_map(|candidate| Some((slips(&small, &candidate.to_lowercase())?, candidate)))
        .min()
        .map(|(_, candidate)| candidate)
}

/// Counts the letters that are wrong, missing, extra or swapped; `None` if there are too many for a typo.
///
/// People make one typo in a short word, rarely two in a long one, and hardly ever at both ends.
fn slips(one: &str, other: &str) -> Option<usize> {
    let slips = strsim::damerau_levenshtein(one, other);
    let shorter = one.chars().count().min(other.chars().count());
    let has_same_ends =
        one.chars().next() == other.chars().next() && one.chars().last() == other.chars().last();
    let most = match shorter {
        0..=2 if is_exchanged(one, other) => 1,
        0..=2 => 0,
        3..=5 => 1,
        6..=11 if has_same_ends => 2,
        6..=11 => 1,
        _ if has_same_ends => 3,
        _ => 2,
    };
    (slips <= most).then_some(slips)
}

/// Returns whether the words have the same letters in another order: `fi`.
fn is_exchanged(one: &str, other: &str) -> bool {
    let sorted = |word: &str| {
        let mut letters: Vec<char> = word.chars().collect();
        letters.sort_unstable();
        letters
    };
    sorted(one) == sorted(other)
}

#[cfg(test)]
mod tests {
    use super::{did_you_mean, misspelled, numbered_like};

    /// The written word, the existing names, and the guess.
    const GUESSES: &[(&str, &[&str], Option<&str>)] = &[
        // one slip
        ("discrad", &["discard", "deck"], Some("discard")),
        ("lantrens", &["lanterns", "lantern"], Some("lanterns")),
        ("gaol", &["goal", "game"], Some("goal")),
        ("siut", &["suit", "seat"], Some("suit")),
        ("suite", &["suit"], Some("suit")),
        ("seat", &["seats", "score"], Some("seats")),
        ("tabel", &["take", "table"], Some("table")),
        ("fi", &["if", "in"], Some("if")),
        ("rol", &["roll", "red"], Some("roll")),
        ("colour", &["color"], Some("color")),
        ("LAN-40", &["LAN-01", "LAN-04"], Some("LAN-04")),
        ("Sun", &["sun", "moon"], Some("sun")),
        // two, with both ends right
        ("querys", &["queries"], Some("queries")),
        ("compnents", &["components"], Some("components")),
        // another word
        ("text", &["seat", "next"], Some("next")),
        ("area", &["red", "are_all"], None),
        ("hand", &["deck", "band_of_gold"], None),
        ("x", &["y"], None),
        ("to", &["it"], None),
        ("clause", &["game"], None),
        ("played", &["players"], None),
        // words of elsewhere
        ("players", &["played", "seats"], Some("seats")),
        ("boolean", &["bool", "int"], Some("bool")),
        ("boolean", &["int"], None),
        ("length", &["count", "first"], Some("count")),
        ("none", &["all", "owner", "nobody"], Some("nobody")),
        ("no", &["false", "true"], Some("false")),
    ];

    #[test]
    fn only_what_is_really_close_is_guessed() {
        for (wanted, candidates, guess) in GUESSES {
            let found = did_you_mean(wanted, candidates.iter().copied());
            assert_eq!(found, *guess, "{wanted} among {candidates:?}");
        }
    }

    #[test]
    fn of_numbered_names_only_slips_are_guessed() {
        let known = ["LAN-01", "LAN-04", "LAN-12"];
        for (wanted, guess) in [
            ("LAN-40", Some("LAN-04")),
            ("LAN-4", Some("LAN-04")),
            ("LNA-12", Some("LAN-12")),
            ("LAN-02", None),
            ("LAN-91", None),
        ] {
            assert_eq!(numbered_like(wanted, known), guess, "{wanted}");
        }
    }

    #[test]
    fn one_slip_in_four_letters_is_a_misspelling() {
        assert_eq!(misspelled("chose", ["choose"]), Some("choose"));
        assert_eq!(misspelled("rol", ["roll"]), None);
        assert_eq!(misspelled("choose", ["choose"]), None);
        assert_eq!(misspelled("length", ["count"]), None);
    }
}
