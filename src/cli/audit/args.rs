//! What `wyrmgate audit` is asked.

use std::path::PathBuf;

use crate::cli::many_games::RandomGamesArgs;
use crate::cli::setup::{self, RulesArgs};

const EXAMPLES: &str = "\
Examples:
  wyrmgate audit my-game
  wyrmgate audit my-game --games 5000 --seed 7 --svg audit.svg
  wyrmgate audit my-game --seats 2,3 --option blocks=3
  wyrmgate audit my-game+long-night
  wyrmgate audit my-game --json --strict

The command plays the given number of games with default options for each number of seats, and reports wins, lengths and \
numbers of choices. To find rules that are never reached, it plays a tenth as many games in each setting that \
`wyrmgate laws` tries: every option alone, and combinations. Every seat chooses at random; game N of a seed is the game \
that `wyrmgate laws --seed … --game N` plays.

A seat counts as unfair if a fair game would rarely produce its result (p < 0.05, with Holm's correction for the number \
of seats). Intervals are Wilson's, at the 95 % level.

The exit code is 1 if a game exceeded its bound, a seat had no legal choice, a limit was hit, or the run was \
interrupted or out of time; with --strict, also if a rule was never reached or a seat is unfair.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game by name or folder, optionally with overlays (`my-game+short+windy`)
    pub game: String,
    #[command(flatten)]
    pub(super) rules: RulesArgs,
    #[command(flatten)]
    pub(super) random: RandomGamesArgs,
    /// Combination of options to try; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setup::setting)]
    pub(super) options: Vec<(String, String)>,
    /// Use only the default options
    #[arg(long, conflicts_with = "options")]
    pub(super) defaults: bool,
    /// Also count distinct positions; takes twice as long
    #[arg(long)]
    pub(super) positions: bool,
    /// Fail if a rule is never reached or a seat has an unfair advantage
    #[arg(long)]
    pub(super) strict: bool,
    /// Draw wins, lengths and choices as SVG into this file
    #[arg(long, value_name = "FILE")]
    pub(super) svg: Option<PathBuf>,
    /// Write a report with charts to this HTML file
    #[arg(long, value_name = "FILE")]
    pub(super) html: Option<PathBuf>,
    /// Print one JSON object instead of text
    #[arg(long)]
    pub(super) json: bool,
}
