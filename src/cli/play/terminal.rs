//! Draws the screen of a game in a terminal, and reads its keys.

use std::io::{self, Write};

use crossterm::cursor::{Hide, MoveTo, Show};
use crossterm::event::{self, Event, KeyEventKind};
use crossterm::style::{
    Attribute, Color, Print, ResetColor, SetAttribute, SetBackgroundColor, SetForegroundColor,
};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, size,
};
use crossterm::{execute, queue};

use super::end::End;
use super::grid::{Grid, Style};
use super::screen::{Flow, HIGH_MIN, Screen, WIDE_MIN};
use super::table::Table;
use super::words::Words;
use crate::picture::{Ink, Rgb};

/// The colors that a terminal has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Colors {
    None,
    /// The 256 of xterm.
    Few,
    All,
}

impl Colors {
    fn of_environment() -> Colors {
        let set = |name: &str| std::env::var(name).unwrap_or_default();
        let all = set("COLORTERM");
        if !set("NO_COLOR").is_empty() {
            Colors::None
        } else if all.contains("truecolor") || all.contains("24bit") {
            Colors::All
        } else {
            Colors::Few
        }
    }

    fn color(self, Rgb(r, g, b): Rgb) -> Option<Color> {
        // The cube of xterm has six steps of each part.
        let step = |part: u8| match part {
            0..=47 => 0,
            48..=114 => 1,
            _ => (part - 35) / 40,
        };
        match self {
            Colors::None => None,
            Colors::Few => Some(Color::AnsiValue(16 + 36 * step(r) + 6 * step(g) + step(b))),
            Colors::All => Some(Color::Rgb { r, g, b }),
        }
    }
}

/// Returns whether this terminal can show a screen.
pub fn is_able() -> bool {
    let is_large = |(wide, high)| usize::from(wide) >= WIDE_MIN && usize::from(high) >= HIGH_MIN;
    let is_dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
    !is_dumb && size().is_ok_and(is_large)
}

/// A terminal in which a screen is drawn; becomes an ordinary one again when dropped.
struct Raw;

impl Raw {
    fn enter() -> io::Result<Raw> {
        enable_raw_mode()?;
        let raw = Raw;
        execute!(io::stdout(), EnterAlternateScreen, Hide)?;
        Ok(raw)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        let _ = execute!(io::stdout(), ResetColor, LeaveAlternateScreen, Show);
        let _ = disable_raw_mode();
    }
}

/// Plays until the people leave.
pub fn play(table: &mut Table<'_>, words: &'static Words) -> Result<(), End> {
    let mut screen = Screen::new(table, words)?;
    let colors = Colors::of_environment();
    let _raw = Raw::enter()?;
    loop {
        draw(&screen, colors)?;
        if screen.let_bot()? {
            continue;
        }
        if let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
            && screen.key(key)? == Flow::Ends
        {
            return Ok(());
        }
    }
}

fn draw(screen: &Screen<'_, '_>, colors: Colors) -> io::Result<()> {
    let (wide, high) = size()?;
    let grid = screen.draw(usize::from(wide), usize::from(high));
    let mut out = io::BufWriter::new(io::stdout().lock());
    queue!(out, BeginSynchronizedUpdate)?;
    write(&grid, colors, &mut out)?;
    queue!(out, EndSynchronizedUpdate)?;
    out.flush()
}

fn write(grid: &Grid, colors: Colors, out: &mut impl Write) -> io::Result<()> {
    for (line, spans) in (0..).zip(grid.lines()) {
        queue!(out, MoveTo(0, line))?;
        for (text, style) in spans {
            dress(style, colors, out)?;
            queue!(out, Print(text), SetAttribute(Attribute::Reset), ResetColor)?;
        }
        queue!(out, Clear(ClearType::UntilNewLine))?;
    }
    Ok(())
}

fn dress(style: Style, colors: Colors, out: &mut impl Write) -> io::Result<()> {
    match style.ink {
        Ink::Plain => {}
        Ink::Strong => queue!(out, SetAttribute(Attribute::Bold))?,
        Ink::Faint => queue!(out, SetAttribute(Attribute::Dim))?,
        Ink::Color(swatch) => {
            let ground = colors.color(swatch.fill);
            if let (Some(ground), Some(ink)) = (ground, colors.color(swatch.fill.ink())) {
                queue!(out, SetBackgroundColor(ground), SetForegroundColor(ink))?;
            }
        }
    }
    if style.is_marked {
        queue!(out, SetAttribute(Attribute::Reverse))?;
    }
    Ok(())
}
