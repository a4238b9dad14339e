//! All rulesets at hand: the catalogue of a rules folder as it is now, and every ruleset that a session is pinned to.
//!
//! The folder may change while games are played. What is read anew becomes a new catalogue; what does not check leaves
//! the last good ruleset in place, and says so.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use super::{Broken, Bundle, Ruleset, game_folders, variant, variants_of};
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Sources, Span};
use wyrmgate_compile::check::Cores;
use wyrmgate_lang::{Known, Stack};

/// Rulesets that are looked up by their digest.
#[derive(Debug, Default)]
pub struct Library {
    present: RwLock<Arc<Catalogue>>,
    digests: Mutex<HashMap<String, Arc<Ruleset>>>,
}

/// So many stacks of variants are remembered.
const STACKS_MAX: usize = 256;

/// What a rules folder offers.
#[derive(Debug, Default)]
pub struct Catalogue {
    /// In the order of [`game_folders`].
    pub games: Vec<Offer>,
    /// Rules of the folder that have errors, also where a last good version of them is offered.
    pub broken: Vec<Arc<Broken>>,
    /// Variants put on one another when somebody asked for it, by name.
    stacks: Mutex<HashMap<String, Arc<Ruleset>>>,
    /// What was read of each game and each variant, by name: to see what has changed.
    read: HashMap<String, blake3::Hash>,
}

/// A game that can be played.
#[derive(Debug, Clone)]
pub struct Offer {
    pub ruleset: Arc<Ruleset>,
    /// The game with each of its variants, by name.
    pub variants: Vec<Arc<Ruleset>>,
}

impl Library {
    /// Reads every game of a folder, with its variants. Those with errors are left out and reported.
    pub fn read(folder: &Path) -> io::Result<(Library, Vec<Arc<Broken>>)> {
        let library = Library::default();
        library.refresh(folder)?;
        let broken = library.catalogue().broken.clone();
        Ok((library, broken))
    }

    /// Reads the folder again. Only what has changed is checked; of what has errors the last good version stays. The
    /// names of the rulesets that are new.
    pub fn refresh(&self, folder: &Path) -> io::Result<Vec<String>> {
        let before = self.catalogue();
        let mut after = Catalogue::default();
        let mut fresh = Vec::new();
        for game in read_games(&before, &game_folders(folder)?, folder)? {
            after.games.extend(game.offer);
            after.broken.extend(game.broken);
            after.read.extend(game.read);
            fresh.extend(game.fresh);
        }
        for offer in &after.games {
            self.keep(offer.ruleset.clone());
            offer
                .variants
                .iter()
                .cloned()
                .for_each(|ruleset| self.keep(ruleset));
        }
        *self.present.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(after);
        Ok(fresh)
    }

    pub fn catalogue(&self) -> Arc<Catalogue> {
        self.present
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Keeps a ruleset that sessions are pinned to.
    pub fn keep(&self, ruleset: Arc<Ruleset>) {
        self.digests().insert(ruleset.digest.clone(), ruleset);
    }

    /// The present rulesets of all games, without variants.
    pub fn games(&self) -> Vec<Arc<Ruleset>> {
        let catalogue = self.catalogue();
        catalogue
            .games
            .iter()
            .map(|offer| offer.ruleset.clone())
            .collect()
    }

    /// A game as it is now, with the variant named behind it, if any: `cliff-race+short`.
    pub fn game(&self, name: &str) -> Option<Arc<Ruleset>> {
        self.catalogue().ruleset(name).cloned()
    }

    /// How many rulesets are in memory.
    pub fn count(&self) -> usize {
        self.digests().len()
    }

    pub fn ruleset(&self, digest: &str) -> Option<Arc<Ruleset>> {
        self.digests().get(digest).cloned()
    }

    fn digests(&self) -> MutexGuard<'_, HashMap<String, Arc<Ruleset>>> {
        self.digests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Catalogue {
    /// Variants that were stacked before: see [`Catalogue::remember`].
    pub fn remembered(&self, name: &str) -> Option<Arc<Ruleset>> {
        self.stacks().get(name).cloned()
    }

    /// Keeps a stack for the next who asks; when there are many, all are forgotten.
    pub fn remember(&self, name: &str, ruleset: &Arc<Ruleset>) {
        let mut stacks = self.stacks();
        if stacks.len() >= STACKS_MAX {
            stacks.clear();
        }
        stacks.insert(name.to_owned(), ruleset.clone());
    }

    fn stacks(&self) -> MutexGuard<'_, HashMap<String, Arc<Ruleset>>> {
        self.stacks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn offer(&self, game: &str) -> Option<&Offer> {
        self.games.iter().find(|offer| offer.ruleset.name == game)
    }

    /// `cliff-race`, or `cliff-race+short`; what that variant stands on may be left out.
    pub fn ruleset(&self, name: &str) -> Option<&Arc<Ruleset>> {
        let Some((game, variant)) = name.split_once('+') else {
            return self.offer(name).map(|offer| &offer.ruleset);
        };
        self.offer(game)?.variant(variant)
    }

    /// The rules of a game that were read last have errors.
    pub fn broken(&self, name: &str) -> Option<&Arc<Broken>> {
        self.broken.iter().find(|broken| broken.name == name)
    }

    /// The texts of a game with several variants on it, in order. `None` if one of them is not there.
    pub fn stacked(&self, game: &str, variants: &[&str]) -> Option<Bundle> {
        let offer = self.offer(game)?;
        let mut bundle = offer.ruleset.bundle();
        for name in variants {
            bundle.put(offer.variant(name)?.bundle());
        }
        Some(bundle)
    }
}

impl Offer {
    /// By its own name, or with all it stands on.
    pub fn variant(&self, name: &str) -> Option<&Arc<Ruleset>> {
        let own = |ruleset: &&Arc<Ruleset>| ruleset.own_name() == name || ruleset.variant() == name;
        self.variants.iter().find(own)
    }
}

/// Reads games on as many cores as there are: no game knows of another. In the order of the folders.
fn read_games(before: &Catalogue, folders: &[PathBuf], rules: &Path) -> io::Result<Vec<Game>> {
    let cores = &Cores::others();
    let games = cores.each(folders, |folder| {
        let mut game = Game::default();
        let reading = Reading {
            before,
            rules,
            cores,
            known: Known::default(),
        };
        game.read(&reading, folder).map(|()| game)
    });
    games.into_iter().collect()
}

/// What reading a game needs.
struct Reading<'r> {
    before: &'r Catalogue,
    rules: &'r Path,
    cores: &'r Cores,
    /// What a game and its variants have in common is read once.
    known: Known,
}

/// What the folder of a game says: a part of a catalogue.
#[derive(Default)]
struct Game {
    offer: Option<Offer>,
    broken: Vec<Arc<Broken>>,
    read: Vec<(String, blake3::Hash)>,
    /// The names of rulesets that are new.
    fresh: Vec<String>,
}

impl Game {
    fn read(&mut self, reading: &Reading, folder: &Path) -> io::Result<()> {
        let Some(ruleset) = self.read_stack(reading, &Stack::of_folder(folder))? else {
            return Ok(());
        };
        let mut variants = Vec::new();
        for (name, file) in variants_of(folder)? {
            match variant(folder, &file, reading.rules) {
                Ok(stack) => variants.extend(self.read_stack(reading, &stack)?),
                Err(error) => {
                    let name = format!("{}+{name}", ruleset.name);
                    let broken = without_base(name, &file, &error.to_string());
                    self.broken.push(Arc::new(broken));
                }
            }
        }
        self.offer = Some(Offer { ruleset, variants });
        Ok(())
    }

    /// The ruleset of a stack: as it was if nothing has changed, or if the new text has errors.
    fn read_stack(&mut self, reading: &Reading, stack: &Stack) -> io::Result<Option<Arc<Ruleset>>> {
        let catalogue = reading.before;
        let bundle = stack.bundle()?;
        let name = bundle.name.clone();
        let hash = bundle.hash();
        self.read.push((name.clone(), hash));
        let before = catalogue.ruleset(&name);
        let is_unchanged = catalogue.read.get(&name) == Some(&hash);
        if is_unchanged {
            self.broken.extend(catalogue.broken(&name).cloned());
            return Ok(before.cloned());
        }
        Ok(
            match Ruleset::from_bundle_knowing(&bundle, Some(&reading.known), reading.cores) {
                Ok(ruleset) => {
                    self.fresh.push(name);
                    Some(Arc::new(ruleset))
                }
                Err(broken) => {
                    self.broken.push(Arc::new(broken));
                    before.cloned()
                }
            },
        )
    }
}

/// An overlay whose game or lower overlay is not there.
fn without_base(name: String, file: &Path, problem: &str) -> Broken {
    let mut sources = Sources::default();
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let shown = file
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    sources.add(shown, text.as_str());
    let line = text.lines().next().map_or(0, str::len);
    let mut report = Report::default();
    let span = Span::new(FileId(0), 0, line);
    let help = "an overlay must begin with `extends:` and the game that it changes, such as `extends: cliff-race`";
    report.push(Diagnostic::error("unknown-base", span, problem).help(help));
    Broken {
        name,
        sources,
        report,
    }
}
