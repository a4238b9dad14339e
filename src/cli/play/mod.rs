//! `wyrmgate play`: a game in the terminal, with people and bots: on a full screen, or in plain lines where there is no
//! terminal.

mod grid;
mod lines;
mod menu;
mod screen;
mod table;
mod terminal;
// Beside the other tests, because it names games.
mod end;
#[cfg(test)]
#[path = "../../../tests/play/screen.rs"]
mod tests;
mod words;

use std::io::{IsTerminal, Write};

use super::setup::{self, GameArgs, Seed};
use super::shown::Shown;
use super::stopped::Again;
use super::{Stop, Verdict};
use crate::bot::Bot;
use crate::engine::Fault;
use crate::hex;
use crate::program::{Language, Program, best_language, language_for};
use crate::view::Stopped;
use end::End;
use lines::Lines;
use table::{Player, Table};

const EXAMPLES: &str = "\
Examples:
  wyrmgate play my-game
  wyrmgate play my-game --seats 3 --seat 2 --bot search-2 --option blocks=2
  wyrmgate play my-game --seat 1,2
  yes 1 | wyrmgate play my-game --seed 7

In a terminal, the game fills the screen: arrows and Enter choose, letters filter the choices, F1 explains the keys. \
With several people, the screen is empty while the keyboard changes hands.

In plain lines, type the number of a choice. `more` lists further choices, `view` shows the table again, `undo` takes the \
last choice back, `quit` leaves the game. A word lists the choices that contain it. The table is as wide as the terminal \
says in COLUMNS, else 100 columns. Plain lines hide nothing that was printed before from several people.

Bots take the other seats: random, greedy, search-1, search-2 and search-3.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Seats of people at this terminal
    #[arg(long, default_value = "1", value_delimiter = ',', value_name = "N")]
    seat: Vec<u8>,
    /// Bots of the other seats, in order; the last one also takes the seats after it
    #[arg(
        long,
        default_value = "random",
        value_delimiter = ',',
        value_name = "NAMES"
    )]
    bot: Vec<Bot>,
    /// Seed: a number or 64 hexadecimal digits [default: random]
    #[arg(long, value_parser = setup::seed)]
    seed: Option<Seed>,
    /// Language of the game's texts, such as `es` [default: from LANG]
    #[arg(long, value_name = "TAG")]
    lang: Option<String>,
    /// Play in plain lines, also in a terminal
    #[arg(long)]
    lines: bool,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let game = args.game.load()?;
    let program = &game.program;
    let players = players(args, program)?;
    let seed = setup::seed_or_fresh(args.seed)?;
    let language = language(program, args.lang.as_deref())?;
    let mut typed = Vec::new();
    let played = play(args, program, language, players, seed, &mut typed);
    let tell = |stopped: &Stopped, verdict| {
        std::io::stdout().flush()?;
        let again = again(args, program, seed).typing(&typed);
        game.case(&args.game, stopped, again).print(false);
        Ok(verdict)
    };
    match played {
        Ok(None) => Ok(Verdict::Good),
        Ok(Some(untold)) => tell(&Stopped::untold(&untold), Verdict::Good),
        Err(End::Stop(stop)) => Err(stop),
        Err(End::Stopped(stopped)) => tell(&stopped, Verdict::Problems),
    }
}

/// Returns who decides for each seat.
fn players(args: &Args, program: &Program) -> Result<Vec<Player>, Stop> {
    let is_seat = |seat: &u8| (1..=program.seats).contains(&usize::from(*seat));
    if let Some(seat) = args.seat.iter().find(|seat| !is_seat(seat)) {
        return Err(Stop::Usage(format!(
            "seat {seat} is not between 1 and {}",
            program.seats
        )));
    }
    let mut bots = args.bot.iter().copied();
    let last = args.bot.last().copied().unwrap_or(Bot::Random);
    let seats = 1..=program.seats;
    let player = |seat: usize| match args.seat.iter().any(|own| usize::from(*own) == seat) {
        true => Player::Person,
        false => Player::Bot(bots.next().unwrap_or(last)),
    };
    Ok(seats.map(player).collect())
}

/// Plays the game, on a full screen if there is a terminal.
fn play(
    args: &Args,
    program: &Program,
    language: Language,
    players: Vec<Player>,
    seed: [u8; 32],
    typed: &mut Vec<String>,
) -> Result<Option<Fault>, End> {
    let mut table = Table::new(program, language, players, seed)?;
    let words = words::of(program.language_tag(language));
    let (stdin, stdout) = (std::io::stdin(), std::io::stdout());
    let is_terminal = stdin.is_terminal() && stdout.is_terminal();
    let me = table.people().next().unwrap_or_default();
    let ended = match is_terminal && !args.lines && terminal::is_able() {
        true => terminal::play(&mut table, words),
        false => Lines {
            me,
            table: &mut table,
            words,
            echo: !stdin.is_terminal(),
            input: stdin.lock(),
            out: Shown(stdout.lock()),
            steps_shown: 0,
            shown: 0,
        }
        .play(),
    };
    typed.append(&mut table.typed);
    ended.map(|()| table.untold)
}

/// Returns the command that repeats the game. The seed determines the choices of the other seats.
fn again(args: &Args, program: &Program, seed: [u8; 32]) -> Again {
    let again = args.game.again("play", program);
    let again = again.flag("--seat", listed(&args.seat));
    let bots = Some(&args.bot).filter(|bots| **bots != [Bot::Random]);
    let again = again.given("--bot", bots.map(|bots| listed(bots)));
    let again = again.flag("--seed", hex::encode(&seed));
    again.given("--lang", args.lang.as_ref())
}

/// Formats `1,3`.
fn listed(all: &[impl ToString]) -> String {
    let all: Vec<String> = all.iter().map(ToString::to_string).collect();
    all.join(",")
}

/// Returns the requested language, which the game must have, or the one of the environment if the game has it.
pub(super) fn language(program: &Program, wanted: Option<&str>) -> Result<Language, Stop> {
    let languages = &program.prose.languages;
    let Some(wanted) = wanted else {
        let settings = ["LC_ALL", "LC_MESSAGES", "LANG"].map(std::env::var);
        let set = settings.into_iter().flatten().find(|set| !set.is_empty());
        let tag = set.as_deref().and_then(|set| set.split(['.', '@']).next());
        let tag = tag.map(|tag| tag.replace('_', "-"));
        return Ok(best_language(languages, tag.as_deref()));
    };
    named_language(languages, wanted)
}

/// Returns the language with this tag.
pub(super) fn named_language(languages: &[String], tag: &str) -> Result<Language, Stop> {
    language_for(languages, tag).ok_or_else(|| {
        let languages = languages.join(", ");
        Stop::Usage(format!(
            "this game is not available in `{tag}`; use one of {languages}"
        ))
    })
}
