//! Finds games and overlays by name or path: `cliff-race+short+windy`, `rules/cliff-race`, `house.yaml`.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use wyrmgate_base::diagnostic::did_you_mean;
use wyrmgate_lang::Stack;
use wyrmgate_lang::overlay::{Extends, extends_of};

use wyrmgate_lang::stack::OVERLAY_FILE;

/// Why a name does not lead to rules.
#[derive(Debug, thiserror::Error)]
pub enum FindError {
    #[error("no game `{name}` in {rules}{advice}")]
    NoGame {
        name: String,
        rules: String,
        advice: String,
    },
    #[error("{game} has no variant `{name}`{advice}")]
    NoOverlay {
        name: String,
        game: String,
        advice: String,
    },
    #[error("{file} does not begin with `extends: name-of-the-game`")]
    NotAnOverlay { file: String },
    #[error("{file} extends `{base}`: {because}")]
    NoBase {
        file: String,
        base: String,
        because: Box<FindError>,
    },
    #[error("overlay `{0}` is given twice; remove one")]
    Twice(String),
    #[error("overlay {0} extends itself; name another base after `extends`")]
    Circle(String),
    #[error("cannot read {file}: {error}")]
    Unreadable { file: String, error: io::Error },
}

/// Maximum length of a chain of overlays that extend each other.
const CHAIN_MAX: usize = 32;

/// Finds a game and its overlays. The first part of the text is the name of a game in the rules folder, the path of a
/// game's folder, or the path of an overlay. Each part after a `+` is the name of a variant of that game or the path of
/// an overlay.
pub fn find(text: &str, rules: &Path) -> Result<Stack, FindError> {
    RulesetFinder { rules }.find(text)
}

/// Returns the game in this folder with one of its variants.
pub fn variant(folder: &Path, file: &Path, rules: &Path) -> Result<Stack, FindError> {
    let finder = RulesetFinder { rules };
    let mut stack = Stack::of_folder(folder);
    finder.put(&mut stack, file.to_owned(), CHAIN_MAX)?;
    Ok(stack)
}

/// Returns whether the folder is a game, that is, contains a `game.yaml`.
pub fn is_game(folder: &Path) -> bool {
    folder.join("game.yaml").is_file()
}

/// Returns the variants of a game by name, with their root files: `variants/short.yaml` or
/// `variants/short/overlay.yaml`.
pub fn variants_of(folder: &Path) -> io::Result<Vec<(String, PathBuf)>> {
    let folder = folder.join("variants");
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let mut variants = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let alone = name.strip_suffix(".yaml");
        let alone = alone.filter(|name| !name.contains('.'));
        if let Some(name) = alone {
            variants.push((name.to_owned(), path.clone()));
        } else if path.join(OVERLAY_FILE).is_file() {
            variants.push((name.into_owned(), path.join(OVERLAY_FILE)));
        }
    }
    variants.sort();
    Ok(variants)
}

/// Returns the folder for which a path stands: the one of a `game.yaml`, or itself.
fn folder_of(path: &Path) -> PathBuf {
    match path.parent().filter(|_| path.ends_with("game.yaml")) {
        Some(present) if present == Path::new("") => PathBuf::from("."),
        Some(folder) => folder.to_owned(),
        None => path.to_owned(),
    }
}

struct RulesetFinder<'r> {
    rules: &'r Path,
}

impl RulesetFinder<'_> {
    fn find(&self, text: &str) -> Result<Stack, FindError> {
        if let Some(file) = overlay_file(Path::new(text)) {
            return self.alone(&file, CHAIN_MAX); // also where the path has a `+`
        }
        let mut names = text.split('+');
        let game = names.next().unwrap_or_default();
        let mut stack = match overlay_file(Path::new(game)) {
            Some(file) => self.alone(&file, CHAIN_MAX)?,
            None => Stack::of_folder(&self.game(game)?),
        };
        for name in names {
            let file = self.overlay(&stack, name)?;
            if stack.overlays.contains(&file) {
                return Err(FindError::Twice(name.to_owned()));
            }
            self.put(&mut stack, file, CHAIN_MAX)?;
        }
        Ok(stack)
    }

    /// Returns the folder of a game, by path, by the path of its `game.yaml`, or by name.
    fn game(&self, name: &str) -> Result<PathBuf, FindError> {
        for folder in [folder_of(Path::new(name)), self.rules.join(name)] {
            if is_game(&folder) {
                return Ok(real(&folder));
            }
        }
        let present = game_folders(self.rules).unwrap_or_default();
        let called = |path: &'_ PathBuf| path.file_name()?.to_str().map(str::to_owned);
        let mut games = present.iter();
        if let Some(folder) = games.find(|path| called(path).as_deref() == Some(name)) {
            return Ok(real(folder));
        }
        let names: Vec<String> = present.iter().filter_map(called).collect();
        Err(FindError::NoGame {
            name: name.to_owned(),
            rules: self.rules.display().to_string(),
            advice: advice(name, &names),
        })
    }

    /// Finds the game for an overlay that is given without one, by what it extends.
    fn alone(&self, file: &Path, chain: usize) -> Result<Stack, FindError> {
        let extends = self.extends(file)?;
        let home = home(file).filter(|folder| name_of(folder) == extends.game);
        let no_base = |because| FindError::NoBase {
            file: file.display().to_string(),
            base: extends.game.clone(),
            because: Box::new(because),
        };
        let folder = match home {
            Some(folder) => real(&folder),
            None => self.game(&extends.game).map_err(no_base)?,
        };
        let mut stack = Stack::of_folder(&folder);
        self.put(&mut stack, real(file), chain)?;
        Ok(stack)
    }

    /// Finds an overlay for this game, by name or by path.
    fn overlay(&self, stack: &Stack, name: &str) -> Result<PathBuf, FindError> {
        let variants =
            variants_of(&stack.folder).map_err(|error| unreadable(&stack.folder, error))?;
        if let Some((_, file)) = variants.iter().find(|(known, _)| known == name) {
            return Ok(file.clone());
        }
        if let Some(file) = overlay_file(Path::new(name)) {
            return Ok(real(&file));
        }
        let names: Vec<String> = variants.into_iter().map(|(name, _)| name).collect();
        Err(FindError::NoOverlay {
            name: name.to_owned(),
            game: stack.game().to_owned(),
            advice: advice(name, &names),
        })
    }

    /// Adds an overlay to the stack, after the overlays that it needs.
    fn put(&self, stack: &mut Stack, file: PathBuf, chain: usize) -> Result<(), FindError> {
        if chain == 0 {
            return Err(FindError::Circle(file.display().to_string()));
        }
        for name in self.needs(stack, &file)? {
            let below = self.overlay(stack, &name)?;
            if !stack.overlays.contains(&below) {
                self.put(stack, below, chain - 1)?;
            }
        }
        stack.name = format!("{}+{}", stack.name, overlay_name(&file));
        stack.overlays.push(file);
        Ok(())
    }

    /// Returns the overlays that a file extends. A variant that does not state what it extends needs none; loading it
    /// reports the problem.
    fn needs(&self, stack: &Stack, file: &Path) -> Result<Vec<String>, FindError> {
        match self.extends(file) {
            Ok(extends) => Ok(extends.overlays),
            Err(FindError::NotAnOverlay { .. })
                if home(file).is_some_and(|folder| real(&folder) == real(&stack.folder)) =>
            {
                Ok(Vec::new())
            }
            Err(error) => Err(error),
        }
    }

    /// Returns what a file extends. Nothing if it is unreadable; loading it reports the problem.
    fn extends(&self, file: &Path) -> Result<Extends, FindError> {
        let text = std::fs::read_to_string(file).map_err(|error| unreadable(file, error))?;
        extends_of(&text).ok_or_else(|| FindError::NotAnOverlay {
            file: file.display().to_string(),
        })
    }
}

fn unreadable(path: &Path, error: io::Error) -> FindError {
    FindError::Unreadable {
        file: path.display().to_string(),
        error,
    }
}

/// Returns the file of an overlay for a path to the file or its folder.
fn overlay_file(path: &Path) -> Option<PathBuf> {
    let is_yaml = path.extension().is_some_and(|ending| ending == "yaml");
    if is_yaml && path.is_file() && !path.ends_with("game.yaml") {
        return Some(path.to_owned());
    }
    Some(path.join(OVERLAY_FILE)).filter(|file| file.is_file() && !is_game(path))
}

/// Returns the game whose `variants` contain an overlay.
fn home(file: &Path) -> Option<PathBuf> {
    let file = real(file);
    let folders = file.ancestors().skip(1).take(2);
    let variants = folders.filter(|folder| folder.ends_with("variants"));
    let mut games = variants.filter_map(Path::parent);
    games.find(|folder| is_game(folder)).map(Path::to_owned)
}

/// Returns `short` for `variants/short.yaml` and for `variants/short/overlay.yaml`.
fn overlay_name(file: &Path) -> String {
    let folder = file.parent().filter(|_| file.ends_with(OVERLAY_FILE));
    let name = folder.map_or_else(|| file.file_stem(), Path::file_name);
    name.unwrap_or_default().to_string_lossy().into_owned()
}

pub fn name_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default();
    name.to_string_lossy().into_owned()
}

/// Resolves a path such as `.` to its own name.
fn real(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

fn advice(name: &str, known: &[String]) -> String {
    match did_you_mean(name, known.iter().map(String::as_str)) {
        Some(name) => format!("; did you mean `{name}`?"),
        None if known.is_empty() => String::new(),
        None => format!("; there is {}", known.join(", ")),
    }
}

/// Returns the games of a rules folder: those directly in it, by name, then those on each shelf. A shelf is a folder
/// that is not a game but contains games. Shelves cannot be nested. Two games with the same name are an error.
pub fn game_folders(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let folders = folders_in(folder)?.into_iter();
    let (mut games, shelves): (Vec<PathBuf>, Vec<PathBuf>) =
        folders.partition(|folder| is_game(folder));
    for shelf in shelves {
        let folders = folders_in(&shelf)?.into_iter();
        games.extend(folders.filter(|folder| is_game(folder)));
    }
    let Some((one, other)) = first_namesakes(&games) else {
        return Ok(games);
    };
    let (one, other) = (one.display(), other.display());
    let message = format!("{one} and {other} have the same name; rename one");
    Err(io::Error::new(io::ErrorKind::AlreadyExists, message))
}

/// Returns the folders in a folder, by name.
fn folders_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = entries.collect::<io::Result<Vec<PathBuf>>>()?;
    paths.retain(|path| path.is_dir());
    paths.sort();
    Ok(paths)
}

fn first_namesakes(games: &[PathBuf]) -> Option<(&PathBuf, &PathBuf)> {
    let mut named = HashMap::new();
    let mut games = games.iter();
    games.find_map(|game| Some((named.insert(game.file_name()?, game)?, game)))
}
