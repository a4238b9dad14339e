//! Uploaded rules: a whole game, or an overlay on an existing game.

use std::collections::BTreeMap;

use super::{Bundle, Catalog};
use wyrmgate_lang::overlay::{Extends, extends_of};
use wyrmgate_lang::table;

/// Unchecked files by name.
#[derive(Debug, Clone)]
pub struct Submission {
    pub files: BTreeMap<String, String>,
    /// The root file. Required only if it is ambiguous.
    pub root: Option<String>,
}

/// Why an upload is not a ruleset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BadSubmission {
    #[error("the upload contains no files")]
    Empty,
    #[error("the upload contains more than {FILES_MAX} files")]
    TooMany,
    #[error(
        "`{0}` is not a valid file name; use lower-case letters, digits, `-` and `_`, followed by `.yaml` or `.csv`"
    )]
    FileName(String),
    #[error("no file `{0}`; add it or name another `root`")]
    NoRoot(String),
    #[error("the base rules already have a file `{0}`; rename yours")]
    FileTaken(String),
    #[error("the base rules are `{below}`, but the overlay extends `{extends}`")]
    OtherGame { below: String, extends: String },
    #[error("only an overlay can have a `base`; add `extends` to the root file or remove `base`")]
    NoOverlay,
    #[error(
        "the root file is unclear, because there is no `game.yaml` and not exactly one overlay; name it with `root`"
    )]
    WhichRoot,
}

/// Maximum number of files.
pub const FILES_MAX: usize = 64;
/// Maximum length of a file name, in characters.
const NAME_MAX: usize = 64;
const GAME: &str = "game.yaml";

impl Submission {
    /// Returns the texts with those of the base game. An overlay without a base game stays alone and fails the check.
    pub fn bundle(self, catalog: &Catalog) -> Result<Bundle, BadSubmission> {
        let root = self.root()?;
        let Some(extends) = self.extends(&root) else {
            return Ok(self.game(&root));
        };
        let below: Vec<&str> = extends.overlays.iter().map(String::as_str).collect();
        let alone = || Bundle {
            name: extends.game.clone(),
            files: Vec::new(),
            roots: Vec::new(),
        };
        let base = catalog.stacked(&extends.game, &below);
        Ok(self.lay_on(base.unwrap_or_else(alone), root))
    }

    /// Returns the texts of an overlay with exactly this base, whatever the catalog contains under its name.
    pub fn bundle_on(self, base: Bundle) -> Result<Bundle, BadSubmission> {
        let root = self.root()?;
        let extends = self.extends(&root).ok_or(BadSubmission::NoOverlay)?;
        let below = base.name.split('+').next().unwrap_or_default();
        if below != extends.game {
            return Err(BadSubmission::OtherGame {
                below: below.to_owned(),
                extends: extends.game,
            });
        }
        let mut files = base.files.iter().map(|(file, _)| file);
        if let Some(taken) = files.find(|file| self.files.contains_key(*file)) {
            return Err(BadSubmission::FileTaken(taken.clone()));
        }
        Ok(self.lay_on(base, root))
    }

    fn extends(&self, root: &str) -> Option<Extends> {
        extends_of(self.files.get(root).map_or("", String::as_str))
    }

    fn lay_on(self, mut base: Bundle, root: String) -> Bundle {
        let own = root.trim_end_matches(".yaml");
        base.name = format!("{}+{own}", base.name);
        base.files.extend(self.files);
        base.roots.push(root);
        base
    }

    /// Returns a game in a folder with its name, like those of the rules folder.
    fn game(self, root: &str) -> Bundle {
        let text = self.files.get(root).map_or("", String::as_str);
        let line = text.lines().find_map(|line| line.strip_prefix("game:"));
        let name = line.unwrap_or_default().trim();
        let name = if is_plain(name) { name } else { "game" };
        let shown = |file: &str| format!("{name}/{file}");
        let files = self.files.iter();
        Bundle {
            name: name.to_owned(),
            roots: vec![shown(root)],
            files: files
                .map(|(file, text)| (shown(file), text.clone()))
                .collect(),
        }
    }

    fn root(&self) -> Result<String, BadSubmission> {
        if self.files.is_empty() {
            return Err(BadSubmission::Empty);
        }
        if self.files.len() > FILES_MAX {
            return Err(BadSubmission::TooMany);
        }
        let is_good = |name: &str| {
            let (plain, ending) = name.split_at(name.find('.').unwrap_or(name.len()));
            is_plain(plain) && [".yaml", table::ENDING, table::WORDS_ENDING].contains(&ending)
        };
        if let Some(bad) = self.files.keys().find(|name| !is_good(name)) {
            return Err(BadSubmission::FileName(bad.clone()));
        }
        if let Some(root) = &self.root {
            let found = self.files.contains_key(root).then(|| root.clone());
            return found.ok_or_else(|| BadSubmission::NoRoot(root.clone()));
        }
        if self.files.contains_key(GAME) {
            return Ok(GAME.to_owned());
        }
        let files = self.files.iter();
        let mut overlays = files.filter(|(_, text)| extends_of(text).is_some());
        let first = overlays.next().filter(|_| overlays.next().is_none());
        let only = self.files.keys().next().filter(|_| self.files.len() == 1);
        let root = first.map(|(name, _)| name).or(only);
        root.cloned().ok_or(BadSubmission::WhichRoot)
    }
}

fn is_plain(name: &str) -> bool {
    let good = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    (1..=NAME_MAX).contains(&name.len()) && name.chars().all(good)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bundle(files: &[(&str, &str)], root: Option<&str>) -> Result<Bundle, BadSubmission> {
        let files = files
            .iter()
            .map(|(name, text)| ((*name).into(), (*text).into()));
        let submission = Submission {
            files: files.collect(),
            root: root.map(str::to_owned),
        };
        submission.bundle(&Catalog::default())
    }

    #[test]
    fn the_root_is_found_or_asked_for() {
        let game = bundle(&[("game.yaml", "game: nim\n"), ("more.yaml", "")], None).unwrap();
        assert_eq!(
            (game.name.as_str(), game.roots),
            ("nim", vec!["nim/game.yaml".into()])
        );
        let overlay = bundle(&[("house.yaml", "extends: nim\n"), ("more.yaml", "")], None).unwrap();
        assert_eq!(
            (overlay.name.as_str(), overlay.roots),
            ("nim+house", vec!["house.yaml".into()])
        );
        let two = [("a.yaml", "extends: nim\n"), ("b.yaml", "extends: nim\n")];
        assert_eq!(bundle(&two, None).unwrap_err(), BadSubmission::WhichRoot);
        assert_eq!(bundle(&two, Some("b.yaml")).unwrap().name, "nim+b");
        assert_eq!(
            bundle(&two, Some("c.yaml")).unwrap_err(),
            BadSubmission::NoRoot("c.yaml".into())
        );
    }

    #[test]
    fn names_of_files_lead_nowhere_else() {
        for name in [
            "../game.yaml",
            "/etc/passwd",
            "game",
            "a/b.yaml",
            ".yaml",
            "Ä.yaml",
        ] {
            let refused = bundle(&[(name, "game: nim\n")], None).unwrap_err();
            assert_eq!(refused, BadSubmission::FileName(name.into()));
        }
        assert_eq!(bundle(&[], None).unwrap_err(), BadSubmission::Empty);
    }
}
