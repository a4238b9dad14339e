//! Reports each mistake once, however many places it affects.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Diagnostic, Report, Severity, Span};

/// The maximum number of other places shown.
const PLACES_SHOWN: usize = 2;

/// Codes of refused declarations, whose names are unknown for that reason.
const REFUSED_DECLARATIONS: [&str; 6] = [
    "bad-clause",
    "bad-name",
    "duplicate-effect",
    "duplicate-key",
    "duplicate-name",
    "reserved-name",
];

impl Report {
    /// Drops diagnostics that only follow from others:
    /// - unknown names, and errors in the same words without a repair, at the second and every further place,
    /// - unknown names whose declaration was refused,
    /// - warnings that something is unused which another diagnostic concerns.
    pub fn gather(&mut self) {
        self.join_unknown_names();
        self.forget_names_of_refused_declarations();
        self.forget_what_is_unused();
        self.shorten();
        self.index();
    }

    fn join_unknown_names(&mut self) {
        let mut kept: Vec<(Diagnostic, usize)> = Vec::new();
        let mut places: HashMap<(String, bool), UnknownNames> = HashMap::new();
        for diagnostic in std::mem::take(&mut self.diagnostics) {
            let is_alike = diagnostic.severity == Severity::Error && diagnostic.repair.is_none();
            let words = || format!("{} {:?}", diagnostic.message, diagnostic.help);
            let words = is_alike.then(words);
            let Some(name) = diagnostic.unknown.clone().or(words) else {
                kept.push((diagnostic, 0));
                continue;
            };
            let places = places.entry((name, is_clause(&diagnostic))).or_default();
            let first = places.first_like(&diagnostic);
            match first.and_then(|first| kept.get_mut(first)) {
                Some((first, more)) => {
                    *more += 1;
                    if *more <= PLACES_SHOWN {
                        first.related.push((diagnostic.span, "and here".to_owned()));
                    }
                }
                None => {
                    places.add(&diagnostic, kept.len());
                    kept.push((diagnostic, 0));
                }
            }
        }
        self.diagnostics = kept.into_iter().map(with_count_of_others).collect();
    }

    /// Drops as many unknown names without a guess as there are refused declarations.
    fn forget_names_of_refused_declarations(&mut self) {
        for of_clauses in [true, false] {
            let refused = |d: &&Diagnostic| {
                REFUSED_DECLARATIONS.contains(&d.code)
                    && (d.code == "duplicate-key" || of_clauses == (d.code == "bad-clause"))
            };
            let refused = self.diagnostics.iter().filter(refused).count();
            let is_unknown = |d: &Diagnostic| {
                let is_guessed = d
                    .help
                    .as_ref()
                    .is_some_and(|help| help.contains("did you mean"));
                d.unknown.is_some() && is_clause(d) == of_clauses && !is_guessed
            };
            let mut unknown: Vec<&str> = self
                .diagnostics
                .iter()
                .filter(|d| is_unknown(d))
                .filter_map(|d| d.unknown.as_deref())
                .map(|name| name.strip_suffix('s').unwrap_or(name))
                .collect();
            unknown.sort_unstable();
            unknown.dedup();
            if unknown.len() <= refused {
                self.diagnostics.retain(|d| !is_unknown(d));
            }
        }
    }

    /// Drops warnings that something is unused if another diagnostic concerns it.
    fn forget_what_is_unused(&mut self) {
        let others = self.diagnostics.iter().filter(|d| d.code != "unused");
        let told: HashSet<Span> = others.map(|d| d.span).collect();
        self.diagnostics
            .retain(|d| d.code != "unused" || !told.contains(&d.span));
    }
}

/// Where an unknown name is reported: by code, and by message.
#[derive(Default)]
struct UnknownNames {
    by_code: BTreeMap<&'static str, usize>,
    by_message: HashMap<String, usize>,
}

impl UnknownNames {
    /// Returns the first diagnostic with the same meaning: with another code, or in the same words.
    fn first_like(&self, diagnostic: &Diagnostic) -> Option<usize> {
        let others = self.by_code.iter();
        let others = others.filter(|(code, _)| **code != diagnostic.code);
        let same_words = self.by_message.get(&diagnostic.message);
        others.map(|(_, at)| at).chain(same_words).min().copied()
    }

    fn add(&mut self, diagnostic: &Diagnostic, at: usize) {
        self.by_code.entry(diagnostic.code).or_insert(at);
        let message = diagnostic.message.clone();
        self.by_message.entry(message).or_insert(at);
    }
}

fn is_clause(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == "unknown-clause"
}

fn with_count_of_others((mut diagnostic, more): (Diagnostic, usize)) -> Diagnostic {
    match more {
        0 => {}
        1 => diagnostic.message += " (also in another place)",
        n => diagnostic.message += &format!(" (also in {n} other places)"),
    }
    diagnostic
}
