//! All loaded rulesets: the current catalog of a rules folder, and every ruleset that a session uses.
//!
//! The folder may change while games are played. A refresh creates a new catalog. If a changed game has errors, its
//! last valid ruleset stays in the catalog and the errors are reported.

use std::collections::{BTreeMap, HashMap};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use super::find::name_of;
use super::{BrokenRuleset, Bundle, Ruleset, examples_of, game_folders, variant, variants_of};
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report, Sources, Span};
use wyrmgate_compile::check::Cores;
use wyrmgate_lang::{Known, Stack};

/// Rulesets by digest.
#[derive(Debug, Default)]
pub struct Library {
    present: RwLock<Arc<Catalog>>,
    digests: Mutex<HashMap<String, Arc<Ruleset>>>,
    is_opening: AtomicBool,
}

/// Maximum number of cached combinations of variants.
const STACKS_MAX: usize = 256;

/// The games of a rules folder.
#[derive(Debug, Default)]
pub struct Catalog {
    /// The games, in the order of [`game_folders`].
    pub games: Vec<GameOffer>,
    /// Rules with errors, even if their last valid version is still available.
    pub broken: Vec<Arc<BrokenRuleset>>,
    /// Requested combinations of variants, by name.
    stacks: Mutex<HashMap<String, Arc<Ruleset>>>,
    /// Hashes of the texts of each game and variant, by name, to detect changes.
    read: HashMap<String, blake3::Hash>,
}

/// A game that can be played.
#[derive(Debug, Clone)]
pub struct GameOffer {
    pub ruleset: Arc<Ruleset>,
    /// The game with each of its variants, by name.
    pub variants: Vec<Arc<Ruleset>>,
}

impl Library {
    /// Reads every game of a folder, with its variants. Leaves out those with errors and reports them.
    pub fn read(folder: &Path) -> io::Result<(Library, Vec<Arc<BrokenRuleset>>)> {
        let library = Library::default();
        library.refresh(folder)?;
        let broken = library.catalog().broken.clone();
        Ok((library, broken))
    }

    /// Announces that [`Library::open`] will be called. Until then, a game that is missing may still come.
    pub fn expect_games(&self) {
        self.is_opening.store(true, Ordering::Release);
    }

    /// Returns whether games are still to come.
    pub fn is_opening(&self) -> bool {
        self.is_opening.load(Ordering::Acquire)
    }

    /// Reads a folder for the first time, and offers each game as soon as it has been checked.
    pub fn open(&self, folder: &Path) -> io::Result<()> {
        let ready = Mutex::new(BTreeMap::new());
        let read = self.read_folder(folder, &|number, game| {
            if let Some(offer) = &game.offer {
                self.keep_all(offer);
                let mut ready = ready.lock().unwrap_or_else(PoisonError::into_inner);
                ready.insert(number, offer.clone());
                self.present(Catalog {
                    games: ready.values().cloned().collect(),
                    ..Catalog::default()
                });
            }
        });
        self.is_opening.store(false, Ordering::Release);
        read.map(|_| ())
    }

    /// Reads the folder again. Checks only what has changed; the last valid version stays for games with errors.
    /// Returns the names of new rulesets.
    pub fn refresh(&self, folder: &Path) -> io::Result<Vec<String>> {
        self.read_folder(folder, &|_, _| {})
    }

    /// Reads games on all cores. `seen` gets each game when it has been checked, with its place among all.
    fn read_folder(
        &self,
        folder: &Path,
        seen: &(dyn Fn(usize, &ReadFolder) + Sync),
    ) -> io::Result<Vec<String>> {
        let (before, cores) = (&self.catalog(), &Cores::others());
        let folders = game_folders(folder)?;
        let folders: Vec<(usize, &PathBuf)> = folders.iter().enumerate().collect();
        // In the order of the folders. Games are independent of each other.
        let games = cores.each(&folders, |(number, own_folder)| {
            let mut game = ReadFolder::default();
            let reading = ReadingParameters {
                before,
                rules: folder,
                cores,
                known: Known::default(),
            };
            game.read(&reading, own_folder)?;
            seen(*number, &game);
            Ok(game)
        });
        let games: io::Result<Vec<ReadFolder>> = games.into_iter().collect();
        let mut after = Catalog::default();
        let mut fresh = Vec::new();
        for game in games? {
            after.games.extend(game.offer);
            after.broken.extend(game.broken);
            after.read.extend(game.read);
            fresh.extend(game.fresh);
        }
        after.games.iter().for_each(|offer| self.keep_all(offer));
        self.present(after);
        Ok(fresh)
    }

    fn keep_all(&self, offer: &GameOffer) {
        let variants = offer.variants.iter().cloned();
        variants.for_each(|ruleset| self.keep(ruleset));
        self.keep(offer.ruleset.clone());
    }

    fn present(&self, catalog: Catalog) {
        *self.present.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(catalog);
    }

    pub fn catalog(&self) -> Arc<Catalog> {
        let present = self.present.read();
        present.unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Keeps a ruleset that sessions use.
    pub fn keep(&self, ruleset: Arc<Ruleset>) {
        self.digests().insert(ruleset.digest.clone(), ruleset);
    }

    /// Returns the current rulesets of all games, without variants.
    pub fn games(&self) -> Vec<Arc<Ruleset>> {
        let catalog = self.catalog();
        let games = catalog.games.iter();
        games.map(|offer| offer.ruleset.clone()).collect()
    }

    /// Returns the current version of a game, with an optional variant: `cliff-race+short`.
    pub fn game(&self, name: &str) -> Option<Arc<Ruleset>> {
        self.catalog().ruleset(name).cloned()
    }

    /// Returns the number of rulesets in memory.
    pub fn count(&self) -> usize {
        self.digests().len()
    }

    /// Returns a ruleset by its digest, or by one that an earlier version gave to it.
    pub fn ruleset(&self, digest: &str) -> Option<Arc<Ruleset>> {
        let mut digests = self.digests();
        if let Some(found) = digests.get(digest) {
            return Some(found.clone());
        }
        let same = digests.values().find(|ruleset| ruleset.had_digest(digest));
        let found = Ruleset::from_bundle(&same?.bundle()).ok()?;
        let found = Arc::new(found.under(digest));
        digests.insert(digest.to_owned(), found.clone());
        Some(found)
    }

    fn digests(&self) -> MutexGuard<'_, HashMap<String, Arc<Ruleset>>> {
        self.digests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Catalog {
    /// Returns a cached combination of variants; see [`Catalog::remember`].
    pub fn remembered(&self, name: &str) -> Option<Arc<Ruleset>> {
        self.stacks().get(name).cloned()
    }

    /// Caches a combination of variants. When the cache is full, it is cleared.
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

    pub fn offers(&self) -> impl Iterator<Item = &GameOffer> {
        self.games.iter()
    }

    pub fn offer(&self, game: &str) -> Option<&GameOffer> {
        self.games.iter().find(|offer| offer.ruleset.name == game)
    }

    /// Returns `cliff-race` or `cliff-race+short`. The overlays that the variant extends can be omitted.
    pub fn ruleset(&self, name: &str) -> Option<&Arc<Ruleset>> {
        let Some((game, variant)) = name.split_once('+') else {
            return self.offer(name).map(|offer| &offer.ruleset);
        };
        self.offer(game)?.variant(variant)
    }

    /// Returns the errors of a game, if its latest rules have any.
    pub fn broken(&self, name: &str) -> Option<&Arc<BrokenRuleset>> {
        self.broken.iter().find(|broken| broken.name == name)
    }

    /// Returns the texts of a game with several variants, in order. `None` if one of them does not exist.
    pub fn stacked(&self, game: &str, variants: &[&str]) -> Option<Bundle> {
        let offer = self.offer(game)?;
        let mut bundle = offer.ruleset.bundle();
        for name in variants {
            bundle.put(offer.variant(name)?.bundle());
        }
        Some(bundle)
    }
}

impl GameOffer {
    /// Finds a variant by its own name or by the full name.
    pub fn variant(&self, name: &str) -> Option<&Arc<Ruleset>> {
        let own = |ruleset: &&Arc<Ruleset>| ruleset.own_name() == name || ruleset.variant() == name;
        self.variants.iter().find(own)
    }
}

/// Parameters for reading a game.
struct ReadingParameters<'r> {
    before: &'r Catalog,
    rules: &'r Path,
    cores: &'r Cores,
    /// Files shared by a game and its variants, which are read once.
    known: Known,
}

/// The result of reading a game's folder.
#[derive(Default)]
struct ReadFolder {
    offer: Option<GameOffer>,
    broken: Vec<Arc<BrokenRuleset>>,
    read: Vec<(String, blake3::Hash)>,
    /// The names of new rulesets.
    fresh: Vec<String>,
}

impl ReadFolder {
    fn read(&mut self, reading: &ReadingParameters, folder: &Path) -> io::Result<()> {
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
        self.offer = Some(GameOffer { ruleset, variants });
        Ok(())
    }

    /// Returns the ruleset of a stack. If nothing has changed or the new text has errors, this is the previous one.
    fn read_stack(
        &mut self,
        reading: &ReadingParameters,
        stack: &Stack,
    ) -> io::Result<Option<Arc<Ruleset>>> {
        let catalog = reading.before;
        let bundle = stack.bundle()?;
        let name = bundle.name.clone();
        let examples = examples_of(stack)?;
        let hash = hash_of(&bundle, &examples);
        self.read.push((name.clone(), hash));
        let before = catalog.ruleset(&name);
        if catalog.read.get(&name) == Some(&hash) {
            self.broken.extend(catalog.broken(&name).cloned());
            return Ok(before.cloned());
        }
        let known = Some(&reading.known);
        Ok(
            match Ruleset::from_bundle_knowing(&bundle, known, reading.cores) {
                Ok(mut ruleset) => {
                    ruleset.examples = examples;
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

/// Returns the hash of everything that is read of a ruleset.
fn hash_of(bundle: &Bundle, examples: &[(String, String)]) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(bundle.hash().as_bytes());
    for (_, text) in examples {
        hasher.update(blake3::hash(text.as_bytes()).as_bytes());
    }
    hasher.finalize()
}

/// Reports an overlay whose game or lower overlay does not exist.
fn without_base(name: String, file: &Path, problem: &str) -> BrokenRuleset {
    let mut sources = Sources::default();
    let text = std::fs::read_to_string(file).unwrap_or_default();
    sources.add(name_of(file), text.as_str());
    let line = text.lines().next().map_or(0, str::len);
    let mut report = Report::default();
    let span = Span::new(FileId(0), 0, line);
    let help = "an overlay must begin with `extends:` and the game that it changes, such as `extends: cliff-race`";
    report.push(Diagnostic::error("unknown-base", span, problem).help(help));
    BrokenRuleset {
        name,
        sources,
        report,
    }
}
