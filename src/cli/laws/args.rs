//! What `wyrmgate laws` is asked.

use std::path::PathBuf;

use crate::cli::laws::help;
use crate::cli::many_games::RandomGamesArgs;
use crate::cli::setup::{self, RulesArgs};
use crate::cli::stopped::Again;
use crate::laws::LAWS;
use crate::rules::Ruleset;

#[derive(Debug, clap::Args)]
#[command(after_help = help::text())]
pub struct Args {
    /// Games by name, or folders of one or several games
    #[arg(required = true, value_name = "GAME")]
    pub(super) game: Vec<String>,
    #[command(flatten)]
    pub(super) rules: RulesArgs,
    #[command(flatten)]
    pub(super) random: RandomGamesArgs,
    /// Set this option instead of trying the settings described below; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setup::setting)]
    pub(super) options: Vec<(String, String)>,
    /// Use only the default options
    #[arg(long, conflicts_with = "options")]
    pub(super) defaults: bool,
    /// Check only this law; repeatable
    #[arg(long = "law", value_name = "NAME", value_parser = law_name)]
    pub(super) laws: Vec<String>,
    /// Play only the game with this number in the run
    #[arg(long = "game", id = "number", value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) number: Option<u64>,
    /// Check every law at every decision of every game; many times slower
    #[arg(long)]
    pub(super) thorough: bool,
    /// Draw the lengths of the games as SVG into this file
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(super) json: bool,
}

/// A game to check, with the beginning of the command that checks it again.
pub struct Asked {
    pub ruleset: Ruleset,
    pub again: Again,
}

fn law_name(text: &str) -> Result<String, String> {
    let names: Vec<&str> = LAWS.iter().map(|law| law.name).collect();
    let known = names.contains(&text).then(|| text.to_owned());
    known.ok_or_else(|| format!("unknown law; the laws are {}", names.join(", ")))
}
