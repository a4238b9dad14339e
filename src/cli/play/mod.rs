//! `wyrmgate play`: a game in the terminal, with one person and bots.

use std::io::{BufRead, IsTerminal, Write};

use super::setup::{self, GameArgs, Seed};
use super::stopped::Again;
use super::{Stop, Verdict};
use crate::bot::RandomBot;
use crate::brief;
use crate::engine::{
    self, Choice, Collect, Event, Fault, Pending, Reader, Seeded, State, StepError, Viewer,
};
use crate::picture::{self, Sight};
use crate::program::{Language, Program, best_language, language_for};
use crate::record;
use crate::view::{Doc, Stopped, decision_docs_in};

const EXAMPLES: &str = "\
Examples:
  wyrmgate play my-game
  wyrmgate play my-game --seats 3 --seat 2 --option blocks=2
  yes 1 | wyrmgate play my-game --seed 7

Type the number of a choice. `more` lists further choices, `view` shows the table again, `quit` leaves the game.
A word lists the choices that contain it. The other seats choose at random. The table is as wide as the terminal says in
COLUMNS, else 100 columns.";

/// Number of choices listed at once.
const PAGE: usize = 40;
/// Number of choices that are searched for a word.
const SEARCHED: usize = 4000;

/// Returns the width of the terminal.
fn columns() -> u16 {
    let said = std::env::var("COLUMNS").ok();
    let said = said.and_then(|columns| columns.parse().ok());
    said.unwrap_or(picture::COLUMNS)
}

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Your seat
    #[arg(long, default_value_t = 1, value_name = "N")]
    seat: u8,
    /// Seed: a number or 64 hexadecimal digits [default: random]
    #[arg(long, value_parser = setup::seed)]
    seed: Option<Seed>,
    /// Language of the game's texts, such as `es` [default: from LANG]
    #[arg(long, value_name = "TAG")]
    lang: Option<String>,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let game = args.game.load()?;
    let program = &game.program;
    if args.seat == 0 || usize::from(args.seat) > program.seats {
        return Err(Stop::Usage(format!(
            "seat {} is not between 1 and {}",
            args.seat, program.seats
        )));
    }
    let seed = match &args.seed {
        Some(seed) => seed.0,
        None => setup::fresh_seed()?,
    };
    let language = language(program, args.lang.as_deref())?;
    let mut table = Table {
        program,
        language,
        names: brief::Names::of(program, language),
        me: args.seat - 1,
        bot: RandomBot::for_game(&seed),
        echo: !std::io::stdin().is_terminal(),
        typed: Vec::new(),
        last: Vec::new(),
        input: std::io::stdin().lock(),
        out: std::io::stdout().lock(),
    };
    match table.play(seed) {
        Ok(()) => Ok(Verdict::Good),
        Err(End::Stop(stop)) => Err(stop),
        Err(End::Stopped(stopped)) => {
            table.out.flush()?;
            let again = again(args, program, seed).typing(&table.typed);
            game.case(&args.game, &stopped, again).tell(false);
            Ok(Verdict::Problems)
        }
    }
}

/// Returns the command that repeats the game. The seed determines the choices of the other seats.
fn again(args: &Args, program: &Program, seed: [u8; 32]) -> Again {
    let again = args.game.again("play", program).flag("--seat", args.seat);
    let again = again.flag("--seed", record::seed_to_hex(&seed));
    match &args.lang {
        Some(tag) => again.flag("--lang", tag),
        None => again,
    }
}

/// Why a game did not reach its end.
enum End {
    Stop(Stop),
    Stopped(Stopped),
}

impl From<Stop> for End {
    fn from(stop: Stop) -> End {
        End::Stop(stop)
    }
}

impl From<std::io::Error> for End {
    fn from(error: std::io::Error) -> End {
        End::Stop(error.into())
    }
}

impl From<Fault> for End {
    fn from(fault: Fault) -> End {
        End::Stopped(fault.into())
    }
}

impl From<StepError> for End {
    fn from(error: StepError) -> End {
        End::Stopped(error.into())
    }
}

impl End {
    /// Creates the end after this many decisions.
    fn after(self, decisions: u32) -> End {
        match self {
            End::Stop(stop) => End::Stop(stop),
            End::Stopped(stopped) => End::Stopped(stopped.after(decisions)),
        }
    }
}

/// A game with a person.
struct Table<'a, I, O> {
    program: &'a Program,
    language: Language,
    names: brief::Names,
    /// The person's seat, from 0.
    me: u8,
    bot: RandomBot,
    /// The choices of the person, as typed.
    typed: Vec<u64>,
    /// Whether to print the input, which is invisible when it comes through a pipe.
    echo: bool,
    /// The events since the person last saw the table.
    last: Vec<Event>,
    input: I,
    out: O,
}

/// The input of a person.
enum Answer {
    Choice(u64),
    More,
    View,
    Quit,
    /// Only the choices whose label contains this.
    Search(String),
    Unclear,
}

impl<I: BufRead, O: Write> Table<'_, I, O> {
    fn play(&mut self, seed: [u8; 32]) -> Result<(), End> {
        let mut seen = Collect::default();
        let mut state = engine::start(self.program, seed, &mut Seeded, &mut seen)?;
        loop {
            self.tell(&mut seen)?;
            let owed = engine::pending(self.program, &state);
            let mine = owed.iter().find(|pending| pending.seat == self.me);
            let Some(pending) = mine.or(owed.first()).copied() else {
                return Ok(self.tell_outcome(&state)?);
            };
            let decisions = state.decisions_made();
            let goes_on = self.decide(&mut state, &pending, &mut seen);
            if !goes_on.map_err(|end| end.after(decisions))? {
                writeln!(self.out, "You leave the table.")?;
                return Ok(());
            }
        }
    }

    /// Makes one decision, of the person or of a bot. Returns false if the person leaves.
    fn decide(
        &mut self,
        state: &mut State,
        pending: &Pending,
        seen: &mut Collect,
    ) -> Result<bool, End> {
        let program = self.program;
        let is_mine = pending.seat == self.me;
        let choice = match is_mine {
            true => self.ask(state, pending)?,
            false => self.bot.choose(program, state, pending)?,
        };
        let Some(choice) = choice else {
            return match is_mine {
                true => Ok(false),
                false => Err(End::Stopped(Stopped::stuck(program, state))),
            };
        };
        engine::step(program, state, pending.index, &choice, &mut Seeded, seen)?;
        Ok(true)
    }

    /// Returns the choice of the person, or `None` if they leave.
    fn ask(&mut self, state: &State, pending: &Pending) -> Result<Option<Choice>, End> {
        self.show(state)?;
        let mut offset = 0;
        let mut count = self.list(state, pending, offset)?;
        loop {
            match self.read(count)? {
                Answer::Choice(number) => {
                    self.typed.push(number);
                    return Ok(engine::nth_choice(
                        self.program,
                        state,
                        pending,
                        number - 1,
                    )?);
                }
                Answer::More => {
                    offset += PAGE;
                    if offset as u64 >= count {
                        offset = 0;
                    }
                    count = self.list(state, pending, offset)?;
                }
                Answer::View => self.show(state)?,
                Answer::Quit => return Ok(None),
                Answer::Search(word) => self.search(state, pending, &word)?,
                Answer::Unclear => writeln!(
                    self.out,
                    "Type a number from 1 to {count}, a word, `more`, `view` or `quit`."
                )?,
            }
        }
    }

    fn read(&mut self, count: u64) -> Result<Answer, Stop> {
        write!(self.out, "> ")?;
        self.out.flush()?;
        let mut line = String::new();
        let ended = self.input.read_line(&mut line)? == 0;
        if self.echo {
            writeln!(self.out, "{}", line.trim_end())?;
        }
        if ended {
            return Ok(Answer::Quit);
        }
        Ok(match line.trim() {
            "more" | "m" => Answer::More,
            "view" | "v" => Answer::View,
            "quit" | "q" => Answer::Quit,
            number => match number.parse() {
                Ok(number) if (1..=count).contains(&number) => Answer::Choice(number),
                Err(_) if !number.is_empty() => Answer::Search(number.to_lowercase()),
                _ => Answer::Unclear,
            },
        })
    }

    /// Prints a page of choices and returns their total number.
    fn list(&mut self, state: &State, pending: &Pending, offset: usize) -> Result<u64, End> {
        let (program, from) = (self.program, offset as u64);
        let doc = decision_docs_in(self.language, program, state, pending, PAGE, from)?;
        let doc = serde_json::to_value(doc).map_err(Stop::failure)?;
        let page = brief::choices(&doc, offset, PAGE);
        write!(self.out, "{page}")?;
        Ok(engine::count_choices(self.program, state, pending)?)
    }

    /// Prints the choices that contain a word, with their numbers.
    fn search(&mut self, state: &State, pending: &Pending, word: &str) -> Result<(), End> {
        let doc = decision_docs_in(self.language, self.program, state, pending, SEARCHED, 0)?;
        let found = doc.choices.iter();
        let mut found = found.filter(|choice| choice.label.to_lowercase().contains(word));
        let mut is_any = false;
        for choice in found.by_ref().take(PAGE) {
            is_any = true;
            writeln!(self.out, "{:>4}  {}", choice.index + 1, choice.label)?;
        }
        match found.count() {
            0 if !is_any => writeln!(self.out, "No choice contains `{word}`.")?,
            0 => {}
            more => writeln!(self.out, "      … {more} more")?,
        }
        Ok(())
    }

    /// Draws the table as the person sees it.
    fn show(&mut self, state: &State) -> Result<(), Stop> {
        let reader = self.reader();
        let view = crate::view::view(self.program, state, reader);
        let last = std::mem::take(&mut self.last);
        let events = last.iter();
        let events: Vec<Doc> = events
            .filter_map(|event| crate::view::event_doc(self.program, event, reader))
            .collect();
        let sight = Sight {
            program: self.program,
            view: Some(&view),
            language: self.language,
            seat: Some(u32::from(self.me) + 1),
            names: &[],
            clocks: &[],
            events: &events,
            decision: None,
        };
        write!(self.out, "\n{}\n", picture::text(&sight, columns()))?;
        Ok(())
    }

    /// Prints what happened since the last time, as far as this seat may know.
    fn tell(&mut self, seen: &mut Collect) -> Result<(), Stop> {
        let reader = self.reader();
        let happened = std::mem::take(&mut seen.0);
        self.last.extend(happened.iter().cloned());
        let docs = happened.iter();
        let docs = docs.filter_map(|event| crate::view::event_doc(self.program, event, reader));
        let docs: Vec<serde_json::Value> = docs.map(Into::into).collect();
        for line in brief::events(&docs, &self.names) {
            writeln!(self.out, "  {line}")?;
        }
        Ok(())
    }

    fn reader(&self) -> Reader {
        Viewer::Seat(self.me).reading(self.language)
    }

    fn tell_outcome(&mut self, state: &State) -> Result<(), Stop> {
        self.show(state)?;
        if let Some(outcome) = state.outcome().map(record::Outcome::from) {
            writeln!(self.out, "{}", brief::outcome(&outcome, self.me + 1))?;
        }
        Ok(())
    }
}

/// Returns the requested language, which the game must have, or the one of the environment if the game has it.
pub(super) fn language(program: &Program, wanted: Option<&str>) -> Result<Language, Stop> {
    let languages = &program.languages;
    let Some(wanted) = wanted else {
        let settings = ["LC_ALL", "LC_MESSAGES", "LANG"].map(std::env::var);
        let set = settings.into_iter().flatten().find(|set| !set.is_empty());
        let tag = set.as_deref().and_then(|set| set.split(['.', '@']).next());
        let tag = tag.map(|tag| tag.replace('_', "-"));
        return Ok(best_language(languages, tag.as_deref()));
    };
    language_for(languages, wanted).ok_or_else(|| {
        let languages = languages.join(", ");
        Stop::Usage(format!(
            "this game is not available in `{wanted}`; use one of {languages}"
        ))
    })
}
