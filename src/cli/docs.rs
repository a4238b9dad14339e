//! `wyrmgate docs`: generates a rulebook for players.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::play::named_language;
use super::setup::{self, RulesArgs, find_game, ruleset};
use super::{Stop, Verdict};
use crate::program::best_language;
use crate::rulebook::{RulebookPage, collect, html, markdown};

const EXAMPLES: &str = "\
Examples:
  wyrmgate docs my-game > my-game.html
  wyrmgate docs my-game --lang es --out my-game.html
  wyrmgate docs my-game --format md --out docs/my-game.md

The rulebook has the clauses, components, options and terms of the game, with pictures of its boards, and of the moves \
in scenarios that say `show: yes`. It marks what a variant changes. The HTML file is self-contained; a Markdown file comes with SVG files beside it. On standard output, Markdown refers to the pictures but \
does not write them.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    /// Game by name or folder, optionally with overlays (`my-game+short`)
    game: String,
    #[command(flatten)]
    rules: RulesArgs,
    /// Output format [default: by the extension of the output file, else HTML]
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Language of the game's texts, such as `es` [default: the language of the rules]
    #[arg(long)]
    lang: Option<String>,
    /// Write to this file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    Html,
    Md,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let format = args.format()?;
    let ruleset = ruleset(&find_game(&args.game, &args.rules.rules)?)?;
    let languages = &ruleset.checked.languages;
    let language = match &args.lang {
        Some(tag) => named_language(languages, tag)?,
        None => best_language(languages, []),
    };
    let page = collect(&ruleset, language)
        .ok_or_else(|| Stop::failure("the rules do not compile for any number of seats"))?;
    match (format, &args.out) {
        (Format::Html, None) => say_inline!("{}", html(&page)),
        (Format::Md, None) => {
            say_inline!("{}", markdown(&page, |at| picture_name(&ruleset.name, at)))
        }
        (Format::Html, Some(path)) => write(path, &html(&page))?,
        (Format::Md, Some(path)) => write_markdown(path, &page)?,
    }
    Ok(Verdict::Good)
}

impl Args {
    fn format(&self) -> Result<Format, Stop> {
        if let Some(format) = self.format {
            return Ok(format);
        }
        let ending = self.out.as_deref().and_then(Path::extension);
        match ending.and_then(|ending| ending.to_str()) {
            None | Some("html" | "htm") => Ok(Format::Html),
            Some("md") => Ok(Format::Md),
            Some(other) => Err(Stop::usage(format!(
                "there is no rulebook format `.{other}`: name the file `.html` or `.md`, or use `--format`"
            ))),
        }
    }
}

fn picture_name(stem: &str, at: usize) -> String {
    format!("{stem}-{}.svg", at + 1)
}

fn write_markdown(path: &Path, page: &RulebookPage) -> Result<(), Stop> {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    for (at, picture) in page.pictures().enumerate() {
        write(&path.with_file_name(picture_name(&stem, at)), &picture.svg)?;
    }
    write(path, &markdown(page, |at| picture_name(&stem, at)))
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    setup::write(path, text)?;
    say!("{}", path.display());
    Ok(())
}
