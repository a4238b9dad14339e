//! `wyrmgate import`: makes records of games in the notation of other programs.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Map, Value, json};

use super::progress::progress_line;
use super::setup::{self, RulesArgs, find_game, refused, ruleset, seed, unreadable, unwritable};
use super::{Stop, Verdict};
use crate::notation::{GameText, games_in, recorded};
use crate::program::{Program, Syntax};
use crate::rules::Ruleset;

const EXAMPLES: &str = "\
Examples:
  wyrmgate import games.pgn --game chess --records games
  wyrmgate import games.pgn.gz --game chess --records games --json
  wyrmgate import game.sgf --game go --option size=9 --records games

A file holds any number of games, and may be compressed by gzip. The rules say how their moves are written; comments, \
variations and marks are skipped. Each game becomes a record, which `replay`, `export` and the API read. A game that cannot \
be played is reported with its line and its move, and the others are still read.

The tags `Seats`, `Options` and `Seed`, which `export` writes, count more than the arguments. Games that begin with a position \
of their own (`FEN`, or stones that are set up) are reported, because a record begins like its rules.

The exit code is 0 if every game was read, otherwise 1.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Files of games; `-` is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The game, optionally with overlays
    #[arg(long, value_name = "GAME")]
    game: String,
    /// Option of the game; repeatable
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = setup::setting)]
    options: Vec<(String, String)>,
    /// Write a record of every game to this folder
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Print one line of JSON per game
    #[arg(long)]
    json: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let ruleset = ruleset(&find_game(&args.game, &args.rules.rules)?)?;
    let options = args.options.iter();
    let options = options.map(|(name, text)| (name.clone(), setup::option(&ruleset, name, text)));
    let importing = Importing {
        args,
        ruleset: &ruleset,
        options: options.collect(),
    };
    importing.program_for(&GameText::default())?; // refuses the arguments
    if let Some(folder) = &args.records {
        std::fs::create_dir_all(folder).map_err(|error| unwritable(folder, &error))?;
    }
    let progress = progress_line("games");
    let (mut good, mut bad) = (0_u64, 0_u64);
    for file in &args.files {
        let text = text_of(file)?;
        let syntax = importing.syntax(&text);
        for game in games_in(&text, syntax) {
            let game = game.map_err(|problem| problem.to_string());
            let line = game.as_ref().map(|game| game.line).ok();
            let written = match game {
                Ok(game) => importing.import(&game, good + 1)?,
                Err(reason) => Err(reason),
            };
            progress.inc(1);
            *(if written.is_ok() { &mut good } else { &mut bad }) += 1;
            let name = file.display();
            match (written, args.json) {
                (Ok(record), true) => {
                    say_json!({"file": name.to_string(), "line": line, "record": record});
                }
                (Err(reason), true) => {
                    say_json!({"file": name.to_string(), "line": line, "reason": reason});
                }
                (Err(reason), false) => complain!("{name}: {reason}"),
                (Ok(_), false) => {}
            }
        }
    }
    progress.finish_and_clear();
    if !args.json {
        say!("{good} games read, {bad} not");
    }
    Ok(Verdict::good_if(bad == 0 && good > 0))
}

struct Importing<'a> {
    args: &'a Args,
    ruleset: &'a Ruleset,
    options: Map<String, Value>,
}

/// A game is refused for a reason of its own.
type Imported<T> = Result<T, String>;

impl Importing<'_> {
    /// Returns the syntax of a text: that of the rules, or what it looks like.
    fn syntax(&self, text: &str) -> Syntax {
        let program = self.program_for(&GameText::default());
        let declared = program.ok().and_then(|made| made.0.prose.notation.syntax);
        match text
            .trim_start_matches('\u{feff}')
            .trim_start()
            .starts_with("(;")
        {
            true => Syntax::Sgf,
            false => declared
                .filter(|syntax| *syntax != Syntax::Sgf)
                .unwrap_or(Syntax::Pgn),
        }
    }

    /// Returns the program for a game, and its options in full.
    fn program_for(&self, game: &GameText) -> Result<Setting, Stop> {
        let mut options = self.options.clone();
        if let Some(text) = game.tag("Options") {
            options = serde_json::from_str(text).map_err(Stop::usage)?;
        }
        let least = self.ruleset.checked.seats.first().copied();
        let seats = game.tag("Seats").and_then(|text| text.parse().ok());
        let seats = seats.or(least).unwrap_or_default();
        let program = self.ruleset.program(seats, &options).map_err(refused)?;
        let options = self.ruleset.complete_options(seats, &options);
        Ok((program, options.map_err(refused)?))
    }

    /// Plays a game and writes its record; returns its file, if there is one.
    fn import(&self, game: &GameText, number: u64) -> Result<Imported<Option<String>>, Stop> {
        if ["FEN", "AB", "AW"]
            .iter()
            .any(|name| game.tag(name).is_some())
        {
            let message = "the game begins with a position of its own";
            return Ok(Err(format!("line {}: {message}", game.line)));
        }
        let made = self.program_for(game);
        let Ok((program, options)) = made else {
            let message = "these options or seats are not those of the game";
            return Ok(Err(format!("line {}: {message}", game.line)));
        };
        let given = game.tag("Seed").map(seed).transpose();
        let Ok(given) = given else {
            return Ok(Err(format!("line {}: the seed is none", game.line)));
        };
        let seed = given.map_or([0; 32], |seed| seed.0);
        let record = match recorded(&program, game, seed, &options) {
            Ok(record) => record,
            Err(problem) => return Ok(Err(problem.to_string())),
        };
        let Some(folder) = &self.args.records else {
            return Ok(Ok(None));
        };
        let file = folder.join(format!("{}-{number:06}.json", program.name()));
        let text = json!(record).to_string() + "\n";
        setup::write(&file, &text)?;
        Ok(Ok(Some(file.display().to_string())))
    }
}

/// A program, and its options in the form in which records store them.
type Setting = (Arc<Program>, Map<String, Value>);

/// Returns the text of a file, which may be compressed.
fn text_of(file: &Path) -> Result<String, Stop> {
    let mut bytes = Vec::new();
    let read = match file == Path::new("-") {
        true => std::io::stdin().read_to_end(&mut bytes),
        false => std::fs::File::open(file).and_then(|mut opened| opened.read_to_end(&mut bytes)),
    };
    read.map_err(|error| unreadable(file, &error))?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        let mut unpacked = Vec::new();
        let mut gzip = flate2::read::MultiGzDecoder::new(bytes.as_slice());
        gzip.read_to_end(&mut unpacked)
            .map_err(|error| unreadable(file, &error))?;
        bytes = unpacked;
    }
    // Old collections are in Latin-1; names of players do not matter here.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
