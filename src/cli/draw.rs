//! `wyrmgate draw`: a picture of a game after some random choices.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::play::language;
use super::setup::{self, GameArgs, Seed};
use super::{Stop, Verdict};
use crate::engine::{self, Viewer};
use crate::picture::{self, Decision, DrawingOptions, Midgame, Sight};
use crate::program::{Language, Program};
use crate::view::{Doc, Stopped, ViewDoc, decision_docs_in, event_doc, noted_position};

const EXAMPLES: &str = "\
Examples:
  wyrmgate draw my-game > my-game.svg
  wyrmgate draw my-game --steps 40 --seed 7 --seat 1 --out my-game.svg
  wyrmgate draw my-game --steps 40 --out my-game.png
  wyrmgate draw my-game --steps 40 --text 100
  wyrmgate draw my-game --steps 40 --out my-game.txt
  wyrmgate draw my-game --steps 40 --notation
  wyrmgate draw my-game --focus hand-1 --seat 1 --theme dark --size 600 > hand.svg

All seats choose at random. The picture shows what the seat of `--seat` sees; without it, what everybody sees.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Number of decisions before the picture
    #[arg(long, default_value_t = 20, value_name = "N")]
    steps: u32,
    /// The seat that looks
    #[arg(long, value_name = "N")]
    seat: Option<u8>,
    /// Seed: a number or 64 hexadecimal digits [default: random]
    #[arg(long, value_parser = setup::seed)]
    seed: Option<Seed>,
    /// Language of the game's texts, such as `es` [default: from LANG]
    #[arg(long, value_name = "TAG")]
    lang: Option<String>,
    /// Width in pixels
    #[arg(long, default_value_t = picture::WIDTH, value_name = "PIXELS",
        value_parser = clap::value_parser!(u16).range(i64::from(picture::WIDTH_MIN)..=i64::from(picture::WIDTH_MAX)))]
    size: u16,
    /// Colors
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    theme: Theme,
    /// Draw only this zone or this board
    #[arg(long, value_name = "ZONE")]
    focus: Option<String>,
    /// Draw with characters, at most this many columns wide
    #[arg(long, value_name = "COLUMNS", num_args = 0..=1, default_missing_value = "100",
        value_parser = clap::value_parser!(u16).range(i64::from(picture::COLUMNS_MIN)..=i64::from(picture::COLUMNS_MAX)))]
    text: Option<u16>,
    /// Print the position in the notation of the game, as `--position` takes it; in chess, a FEN
    #[arg(long, conflicts_with_all = ["text", "out", "focus"])]
    notation: bool,
    /// Write to this file; a name that ends in `.png` gives pixels, `.txt` gives characters
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Theme {
    Light,
    Dark,
    /// Light or dark, as the reader prefers
    Auto,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let game = args.game.load()?;
    let program = &game.program;
    let seats = 1..=program.seats;
    let is_seat = |seat: u8| seats.contains(&usize::from(seat));
    if args.seat.is_some_and(|seat| !is_seat(seat)) {
        let advice = format!("`--seat` is a number from 1 to {}", seats.end());
        return Err(Stop::Usage(advice));
    }
    let seed = setup::seed_or_fresh(args.seed)?;
    let has_pixels = args.writes("png");
    if has_pixels {
        args.can_have_pixels()?;
    }
    let columns = args.text.or(args.writes("txt").then_some(picture::COLUMNS));
    let language = language(program, args.lang.as_deref())?;
    let game = Midgame::played(program, seed, args.steps)
        .map_err(|stopped| Stop::failure(format!("the game stopped: {}", stopped.reason)))?;
    if args.notation {
        let text = noted_position(program, &game.state);
        let none = "the rules do not say how a position is written, or the game hides something";
        say!("{}", text.ok_or_else(|| Stop::failure(none))?);
        return Ok(Verdict::Good);
    }
    let picture = args.draw(program, &game, language, columns)?;
    match &args.out {
        Some(path) if has_pixels => {
            setup::write(path, &picture::png(&picture).map_err(Stop::failure)?)?;
        }
        Some(path) => setup::write(path, &picture)?,
        None => say_inline!("{picture}"),
    }
    Ok(Verdict::Good)
}

/// Maximum number of choices that a picture refers to.
const CHOICES_MAX: usize = 500;

impl Args {
    /// Returns whether the name of the file ends like this.
    fn writes(&self, wanted: &str) -> bool {
        let ending = self.out.as_deref().and_then(Path::extension);
        ending.is_some_and(|ending| ending.eq_ignore_ascii_case(wanted))
    }

    fn can_have_pixels(&self) -> Result<(), Stop> {
        if self.text.is_some() {
            return Err(Stop::usage(
                "`--text` draws no pixels; give `--out` another name",
            ));
        }
        match self.theme {
            Theme::Light | Theme::Dark => Ok(()),
            Theme::Auto => Err(Stop::usage(
                "pixels are light or dark; `--theme auto` is for SVG",
            )),
        }
    }

    /// Draws with characters if a number of columns is given.
    fn draw(
        &self,
        program: &Program,
        game: &Midgame,
        language: Language,
        columns: Option<u16>,
    ) -> Result<String, Stop> {
        let state = &game.state;
        let viewer = match self.seat {
            Some(seat) => Viewer::Seat(seat - 1),
            None => Viewer::Public,
        };
        let reader = viewer.reading(language);
        let view: ViewDoc = crate::view::view(program, state, reader);
        let events = game.events.iter();
        let events: Vec<Doc> = events
            .filter_map(|event| event_doc(program, event, reader))
            .collect();
        let owed = engine::pending(program, state);
        let own = owed.iter().find(|owed| Some(owed.seat + 1) == self.seat);
        let decision = own.map(|owed| {
            decision_docs_in(language, program, state, owed, CHOICES_MAX, 0)
                .map(|doc| Decision::of(&doc))
        });
        let decision = decision.transpose().map_err(|fault| {
            Stop::failure(format!("the game stopped: {}", Stopped::from(fault).reason))
        })?;
        let sight = Sight {
            seat: self.seat.map(u32::from),
            events: &events,
            decision: decision.as_ref(),
            answers: &picture::answers(program, state),
            ..Sight::of(program, &view, language)
        };
        if let Some(columns) = columns {
            return Ok(picture::text(&sight, columns));
        }
        let drawing = DrawingOptions {
            size: self.size,
            theme: match self.theme {
                Theme::Light => picture::PictureTheme::Light,
                Theme::Dark => picture::PictureTheme::Dark,
                Theme::Auto => picture::PictureTheme::Auto,
            },
            focus: self.focus.as_deref(),
        };
        picture::svg(&sight, drawing).ok_or_else(|| {
            let focus = self.focus.as_deref().unwrap_or_default();
            Stop::usage(format!("the picture has no zone `{focus}`"))
        })
    }
}
