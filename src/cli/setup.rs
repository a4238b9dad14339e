//! Shared by several commands: finds a game, reads its rules and compiles its program.

use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value};

use super::Stop;
use crate::check::OptionProblem;
use crate::diagnostic::{Report, Sources};
use crate::lang::{Bundle, Loaded, Stack};
use crate::program::Program;
use crate::record;
use crate::rules::{
    BrokenRuleset, Ruleset, find, game_folders, is_game, option_value, variants_of,
};

/// The location of the rules.
#[derive(Debug, Clone, clap::Args)]
pub struct RulesArgs {
    /// Folder of rules, one folder per game
    #[arg(
        long,
        env = "WYRMGATE_RULES",
        default_value = RULES,
        value_name = "DIR"
    )]
    pub rules: PathBuf,
}

const RULES: &str = "rules";

impl RulesArgs {
    /// Returns whether the option has its default.
    pub fn is_default(&self) -> bool {
        self.rules == Path::new(RULES)
    }
}

/// A game and its setup.
#[derive(Debug, Clone, clap::Args)]
pub struct GameArgs {
    /// Game by name or folder, optionally with overlays (`my-game+short+windy`), or an overlay file
    pub game: String,
    #[command(flatten)]
    pub rules: RulesArgs,
    /// Number of seats [default: the smallest the game allows]
    #[arg(long, value_name = "N")]
    pub seats: Option<usize>,
    /// Start position, drawn as under `start` in the rules; in chess, a FEN
    #[arg(long, value_name = "ROWS")]
    pub position: Option<String>,
    /// Option of the game; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setting)]
    pub options: Vec<(String, String)>,
}

pub fn setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Returns the names and values of options.
pub fn pairs(options: &[(String, String)]) -> impl Iterator<Item = (&String, &String)> {
    options.iter().map(|(name, value)| (name, value))
}

/// A game that can be played.
pub struct Game {
    pub program: Arc<Program>,
    /// The options in the form in which records store them.
    pub options: Map<String, Value>,
    /// The source files.
    pub sources: Sources,
}

impl GameArgs {
    /// Returns the game, or the reason why it cannot be played.
    pub fn load(&self) -> Result<Game, Stop> {
        let stack = find_game(&self.game, &self.rules.rules)?;
        let ruleset = match &self.position {
            None => ruleset(&stack)?,
            Some(position) => ruleset_from(&stack, position)?,
        };
        let least = ruleset.checked.seats.first().copied().unwrap_or_default();
        let seats = self.seats.unwrap_or(least);
        let options = self.options.iter();
        let options: Map<String, Value> = options
            .map(|(name, text)| (name.clone(), option(&ruleset, name, text)))
            .collect();
        Ok(Game {
            program: ruleset.program(seats, &options).map_err(refused)?,
            options: ruleset.complete_options(seats, &options).map_err(refused)?,
            sources: ruleset.sources,
        })
    }

    /// Formats `my-game, 2 seats, blocks=3`.
    pub fn which(&self, program: &Program) -> String {
        which(&program.name(), program.seats, pairs(&self.options))
    }
}

/// Formats `my-game, 2 seats, blocks=3`.
pub fn which(
    game: &str,
    seats: usize,
    options: impl IntoIterator<Item = (impl Display, impl Display)>,
) -> String {
    let options = options.into_iter();
    let options: String = options
        .map(|(name, value)| format!(", {name}={value}"))
        .collect();
    format!("{game}, {seats} seats{options}")
}

/// Parses the value of an option by its type. An invalid value stays a string and is refused with the option's name.
pub fn option(ruleset: &Ruleset, name: &str, text: &str) -> Value {
    let facts = &ruleset.checked.options;
    let fact = facts.iter().find(|fact| fact.name == name);
    let value = fact.and_then(|fact| Some(option_value(fact, fact.shape.parse(text)?)));
    value.unwrap_or_else(|| text.into())
}

pub fn refused(problems: Vec<OptionProblem>) -> Stop {
    Stop::Usage(joined(&problems))
}

pub fn joined(problems: &[OptionProblem]) -> String {
    let messages: Vec<String> = problems.iter().map(OptionProblem::to_string).collect();
    messages.join("; ")
}

/// Returns a game given by name or by path, with overlays.
pub fn find_game(game: &str, rules: &Path) -> Result<Stack, Stop> {
    find(game, rules).map_err(Stop::usage)
}

/// Returns the games that a name or a folder stands for.
pub fn find_games(game: &str, rules: &Path) -> Result<Vec<Stack>, Stop> {
    let folder = Path::new(game);
    if is_shelf(folder) {
        games_of(folder)
    } else {
        find_game(game, rules).map(|stack| vec![stack])
    }
}

/// Finds games like [`find_games`]; for a folder of one or several games, also all variants.
pub fn with_variants(game: &str, rules: &Path) -> Result<Vec<Stack>, Stop> {
    let games = find_games(game, rules)?;
    if !Path::new(game).is_dir() {
        return Ok(games);
    }
    let mut all = Vec::new();
    for stack in games {
        let variants = variants_of(&stack.folder).map_err(|e| unreadable(&stack.folder, &e))?;
        let is_plain = stack.overlays.is_empty();
        let folder = stack.folder.clone();
        all.push(stack);
        for (_, file) in variants.iter().filter(|_| is_plain) {
            let variant = crate::rules::variant(&folder, file, rules).map_err(Stop::usage)?;
            all.push(variant);
        }
    }
    Ok(all)
}

/// Returns whether this is a folder of games.
fn is_shelf(folder: &Path) -> bool {
    let is_overlay = folder.join(crate::lang::stack::OVERLAY_FILE).is_file();
    folder.is_dir() && !is_game(folder) && !is_overlay
}

/// Returns the games of a folder with several, including shelves.
fn games_of(folder: &Path) -> Result<Vec<Stack>, Stop> {
    let games = game_folders(folder).map_err(|error| unreadable(folder, &error))?;
    if games.is_empty() {
        return Err(Stop::Usage(format!(
            "{} is not a game and contains none: a game is a folder with a `game.yaml`",
            folder.display()
        )));
    }
    Ok(games
        .iter()
        .map(|folder| Stack::of_folder(folder))
        .collect())
}

/// Returns rules without errors; otherwise prints all problems.
pub fn ruleset(stack: &Stack) -> Result<Ruleset, Stop> {
    let read = Ruleset::from_stack(stack).map_err(|error| unreadable(&stack.folder, &error))?;
    without_errors(stack, read)
}

fn bundle(stack: &Stack) -> Result<Bundle, Stop> {
    let bundle = stack.bundle();
    bundle.map_err(|error| unreadable(&stack.folder, &error))
}

/// Reads rules that may have errors.
pub fn loaded(stack: &Stack) -> Result<Loaded, Stop> {
    Ok(bundle(stack)?.load())
}

/// Returns a ruleset like [`ruleset`], with another start position.
fn ruleset_from(stack: &Stack, position: &str) -> Result<Ruleset, Stop> {
    without_errors(stack, Ruleset::from_position(bundle(stack)?, position))
}

fn without_errors(stack: &Stack, read: Result<Ruleset, BrokenRuleset>) -> Result<Ruleset, Stop> {
    read.map_err(|broken| {
        complain_of(&broken.report, &broken.sources);
        Stop::Failure(format!("the rules of {} have errors", stack.name))
    })
}

/// Prints problems of the rules on standard error.
pub fn complain_of(report: &Report, sources: &Sources) {
    complain_inline!("{}", report.render(sources, is_colored(&io::stderr())));
}

/// Returns whether output to this stream may be colored: it is a terminal and <https://no-color.org> is not in effect.
pub fn is_colored(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// Returns the path relative to the current folder.
pub fn from_here(path: &Path) -> &Path {
    let here = std::env::current_dir().and_then(std::fs::canonicalize);
    let inside = here.ok().and_then(|here| path.strip_prefix(here).ok());
    inside.unwrap_or(path)
}

/// Returns the error for a folder or file that cannot be read.
pub fn unreadable(path: &Path, error: &io::Error) -> Stop {
    Stop::Usage(format!("cannot read {}: {error}", path.display()))
}

/// A seed from the command line.
#[derive(Debug, Clone, Copy)]
pub struct Seed(pub [u8; 32]);

/// Parses a seed: a number or 64 hexadecimal digits.
pub fn seed(text: &str) -> Result<Seed, String> {
    let by_number = text.parse().ok().map(record::seed_from_number);
    by_number
        .or_else(|| record::seed_from_hex(text))
        .map(Seed)
        .ok_or_else(|| "a seed must be a number or 64 hexadecimal digits".into())
}

/// The argument of commands that use several cores.
#[derive(Debug, clap::Args)]
pub struct ThreadsArg {
    /// Number of threads [default: number of cores]
    #[arg(long, alias = "jobs", value_name = "N")]
    threads: Option<NonZeroUsize>,
}

impl ThreadsArg {
    pub fn number(&self) -> usize {
        self.threads.map_or_else(cores, NonZeroUsize::get)
    }
}

/// Returns the number of useful threads.
fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Writes an output file.
pub fn write(file: &Path, contents: &(impl AsRef<[u8]> + ?Sized)) -> Result<(), Stop> {
    std::fs::write(file, contents).map_err(|error| unwritable(file, &error))
}

/// Returns the error for a folder or file that cannot be written.
pub fn unwritable(path: &Path, error: &io::Error) -> Stop {
    Stop::Failure(format!("cannot write {}: {error}", path.display()))
}

/// Returns the given seed, or a random one.
pub fn seed_or_fresh(seed: Option<Seed>) -> Result<[u8; 32], Stop> {
    seed.map_or_else(fresh_seed, |seed| Ok(seed.0))
}

/// Returns a random seed.
pub fn fresh_seed() -> Result<[u8; 32], Stop> {
    use rand::TryRng;
    let mut seed = [0; 32];
    rand::rngs::SysRng
        .try_fill_bytes(&mut seed)
        .map_err(Stop::failure)?;
    Ok(seed)
}
