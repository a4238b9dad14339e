//! `wyrmgate export`: writes recorded games in the notation of other programs.

use std::path::{Path, PathBuf};

use super::setup::{self, RulesArgs, find_game, ruleset};
use super::{Stop, Verdict, replay};
use crate::notation::noted_game;

const EXAMPLES: &str = "\
Examples:
  wyrmgate export game.json
  wyrmgate export games/*.json --out games.pgn
  wyrmgate export games/*.json --json

The rules say how moves are written, and in which syntax (PGN, PDN, SGF). The moves of a game whose rules say nothing are \
written by option and ids, with tags in the syntax of PGN; `import` reads everything back.

With `--json`, each line has the file and its text. The exit code is 0 if every record was written, otherwise 1.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Record files
    #[arg(value_name = "RECORD", required = true)]
    files: Vec<PathBuf>,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    out: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Print one line of JSON per record
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let mut known = None;
    let mut all = Vec::new();
    let mut good = true;
    for file in &args.files {
        let name = file.display();
        match text_of(args, file, &mut known) {
            Ok(text) if args.json => say_json!({"file": name.to_string(), "text": text}),
            Ok(text) => all.push(text),
            Err(Stop::Failure(reason)) => {
                good = false;
                match args.json {
                    true => say_json!({"file": name.to_string(), "reason": reason}),
                    false => complain!("error: {name}: {reason}"),
                }
            }
            Err(stop) => return Err(stop),
        }
    }
    let text = all.join("\n");
    match &args.out {
        Some(file) => setup::write(file, &text)?,
        None => say_inline!("{text}"),
    }
    Ok(Verdict::good_if(good))
}

/// The rules of the record before.
type Known = Option<crate::rules::Ruleset>;

fn text_of(args: &Args, file: &Path, known: &mut Known) -> Result<String, Stop> {
    let record = replay::read(file)?;
    let is_same = |ruleset: &crate::rules::Ruleset| ruleset.name == record.game;
    let fits = known
        .take()
        .filter(|known| is_same(known) && known.digest == record.ruleset);
    let ruleset = match fits {
        Some(ruleset) => ruleset,
        None => ruleset(&find_game(&record.game, &args.rules.rules)?)?.under(&record.ruleset),
    };
    let program = replay::program_of(&record, &ruleset)?;
    let text = noted_game(&record, &program).map_err(Stop::failure);
    *known = Some(ruleset);
    text
}
