//! `wyrmgate print`: sheets of boards, cards, tiles and pieces, for people who test a game on a real table.

use std::path::PathBuf;

use super::play::language;
use super::setup::{self, GameArgs};
use super::{Stop, Verdict};
use crate::picture;

const EXAMPLES: &str = "\
Examples:
  wyrmgate print my-game --out sheets
  wyrmgate print my-game --seats 4 --lang es --out sheets

Writes one SVG file for each page of A4 paper, and `index.html` with all pages, which a browser prints or saves as PDF (without \
scaling). Cards are 63 by 88 mm. Each component is there as often as the game has it; dice are not. If something is printed on the \
backs of components, the page with their backs follows: print on both sides and turn the paper about its long edge. The pictures \
follow `look`.";

#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Args {
    #[command(flatten)]
    game: GameArgs,
    /// Language of the game's texts, such as `es` [default: from LANG]
    #[arg(long, value_name = "TAG")]
    lang: Option<String>,
    /// Write to this folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

pub fn run(args: &Args) -> Result<Verdict, Stop> {
    let game = args.game.load()?;
    let language = language(&game.program, args.lang.as_deref())?;
    let pages = picture::sheets(&game.program, language);
    if pages.is_empty() {
        return Err(Stop::failure(
            "this game has nothing to print: no board and no components",
        ));
    }
    let folder = &args.out;
    std::fs::create_dir_all(folder).map_err(|error| setup::unwritable(folder, &error))?;
    let mut index = String::from(HEAD);
    for (number, page) in (1..).zip(&pages) {
        setup::write(&folder.join(format!("page-{number}.svg")), &page.svg)?;
        index.push_str(&format!("<section>{}</section>\n", page.svg.trim_end()));
    }
    index.push_str("</body>\n</html>\n");
    setup::write(&folder.join("index.html"), &index)?;
    say!("{} pages in {}", pages.len(), folder.display());
    Ok(Verdict::Good)
}

const HEAD: &str = "<!doctype html>\n<html>\n<head>\n<meta charset=\"utf-8\">\n<title>Wyrmgate</title>\n<style>@page{size:A4;margin:6mm}body{margin:0}section{break-after:page}svg{display:block}</style>\n</head>\n<body>\n";
