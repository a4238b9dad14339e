//! Draws the full screen: the table, the log, the choices and pages of text.

use super::super::grid::{Grid, Part, Style, wrapped};
use super::super::menu::{Menu, Row};
use super::super::words::Words;
use super::{Mode, Page, Screen};
use crate::brief::{self, words::say};
use crate::cli::play::screen::MENU_COLUMN;
use crate::engine::Pending;
use crate::picture::{Ink, InkSpan, Panel, Sheet, Spot};
use crate::record;

/// The columns beside the board, as a share of the screen, and their limits.
const SIDE_SHARE: usize = 36;
const SIDE_MIN: usize = 24;
const SIDE_MAX: usize = 50;
/// The lines of the history that are kept in sight even if much lies on the table.
const LOG_MIN: usize = 6;
/// The steps whose events are listed beside the board.
const STEPS_TOLD: usize = 40;
/// The lines for the text of a card.
const TEXT_LINES: usize = 2;

const FAINT: Style = Style::of(Ink::Faint);
const PLAIN: Style = Style::of(Ink::Plain);
const STRONG: Style = Style::of(Ink::Strong);

impl Screen<'_, '_> {
    pub fn draw(&self, wide: usize, high: usize) -> Grid {
        let mut grid = Grid::new(wide, high);
        let (x, y) = (0, 0);
        let whole = Part { x, y, wide, high };
        match (&self.page, self.mode) {
            (Some(page), _) => draw_page(page, self.words, whole, &mut grid),
            (None, Mode::HandOver(pending)) => self.draw_hand_over(&pending, whole, &mut grid),
            (None, _) => self.draw_table(whole, &mut grid),
        }
        grid
    }

    /// Shows nothing that one of the people may not see.
    fn draw_hand_over(&self, pending: &Pending, whole: Part, grid: &mut Grid) {
        let seat = self.seat(pending.seat);
        let lines = [
            say(self.words.hand_over, &[&seat]),
            say(self.words.press_enter, &[&seat]),
        ];
        let middle = whole.high / 2;
        for (line, text) in lines.iter().enumerate() {
            let indent = whole.wide.saturating_sub(text.chars().count()) / 2;
            let part = Part { x: indent, ..whole };
            grid.write(part, middle + line, text, STRONG);
        }
    }

    pub(super) fn seat(&self, seat: u8) -> String {
        self.table.names.seat(&(u32::from(seat) + 1).to_string())
    }

    fn draw_table(&self, whole: Part, grid: &mut Grid) {
        let from = self
            .me
            .and_then(|me| self.decided.get(usize::from(me)).copied());
        let from = from.unwrap_or_else(|| self.table.steps().saturating_sub(1));
        self.table
            .sheet(self.viewer(), from, self.decision.as_ref(), |sheet| {
                self.arrange(sheet, from, whole, grid);
            });
    }

    fn arrange(&self, sheet: &Sheet<'_>, from: usize, whole: Part, grid: &mut Grid) {
        let head = sheet.head(whole.wide);
        let above = head.lines.len().min(3);
        for (line, spans) in head.lines.iter().take(above).enumerate() {
            grid.spans(whole, line, 0, spans, false);
        }
        let below = self.draw_bottom(whole, grid);
        let middle = whole.lines(above + 1, whole.high.saturating_sub(above + 1 + below));
        grid.rule(whole.lines(above, 1), "");
        self.draw_middle(sheet, from, middle, grid);
    }

    /// Draws the board, and beside it the players and what has happened.
    fn draw_middle(&self, sheet: &Sheet<'_>, from: usize, part: Part, grid: &mut Grid) {
        let side = (part.wide * SIDE_SHARE / 100).clamp(SIDE_MIN, SIDE_MAX);
        let left = part.columns(part.x, part.wide.saturating_sub(side + 1));
        let right = part.columns(left.wide + 1, side);
        let line = part.columns(left.wide, 1);
        (0..part.high).for_each(|y| grid.write(line, y, "│", FAINT));
        let boards = sheet.boards(left.wide);
        if boards.lines.is_empty() {
            draw_lines(&sheet.rest(left.wide), left, grid);
            self.draw_log(from, right, grid);
            return;
        }
        self.draw_board(&boards, left, grid);
        let rest = sheet.rest(right.wide);
        let room = right.high.saturating_sub(LOG_MIN + 1);
        let high = rest.lines.len().min(room);
        draw_lines(&rest, right.lines(right.y, high), grid);
        let log = right.lines(right.y + high, right.high - high);
        self.draw_log(from, log, grid);
    }

    /// Draws the part of the boards around what is marked, or else around what changed last.
    fn draw_board(&self, boards: &Panel, part: Part, grid: &mut Grid) {
        let dense = dense(boards);
        let boards = if boards.lines.len() > part.high {
            &dense
        } else {
            boards
        };
        let refers = self.menu.marked().map_or(&[][..], |row| &row.refers);
        let is_marked = |spot: &&Spot| spot.ids.iter().any(|id| refers.contains(id));
        let marked: Vec<&Spot> = boards.spots.iter().filter(is_marked).collect();
        let news = || boards.spots.iter().rfind(|spot| spot.is_new);
        let focus = marked.last().copied().or_else(news);
        let corner = window(boards, focus, self.moved, part.wide, part.high);
        for (line, spans) in boards.lines.iter().skip(corner.1).enumerate() {
            grid.spans(part, line, corner.0, spans, false);
        }
        for spot in marked {
            grid.mark(part, corner.0, corner.1, spot);
        }
    }

    fn draw_log(&self, from: usize, part: Part, grid: &mut Grid) {
        grid.rule(part, self.words.history);
        let part = part.lines(part.y + 1, part.high.saturating_sub(1));
        let first = self.table.steps().saturating_sub(STEPS_TOLD).min(from);
        let lines = |steps: &[String], style: Style| {
            let lines = steps.iter().flat_map(|line| wrapped(line, part.wide));
            lines.map(|line| (line, style)).collect::<Vec<_>>()
        };
        let all = self.table.events_since(self.viewer(), first);
        let news = self.table.events_since(self.viewer(), from).len();
        let (old, new) = all.split_at(all.len().saturating_sub(news));
        let mut shown = lines(old, FAINT);
        shown.extend(lines(new, PLAIN));
        let hidden = shown.len().saturating_sub(part.high);
        for (line, (text, style)) in shown.iter().skip(hidden).enumerate() {
            grid.write(part, line, text, *style);
        }
    }

    /// Draws the choices, the text of a card and the keys. Returns the lines that they take.
    fn draw_bottom(&self, whole: Part, grid: &mut Grid) -> usize {
        let columns = MenuColumns::of(&self.menu, whole);
        let texts = if self.has_texts() { TEXT_LINES } else { 0 };
        let high = columns.high + texts + 3;
        let top = whole.high.saturating_sub(high);
        let part = |y: usize, high: usize| whole.lines(top + y, high);
        grid.rule(part(0, 1), &self.menu.prompt.clone().unwrap_or_default());
        columns.draw(&self.menu, part(1, columns.high), grid);
        for (line, text) in self.text_of_card(whole.wide).iter().take(texts).enumerate() {
            grid.write(part(1 + columns.high, texts), line, text, FAINT);
        }
        let input = part(1 + columns.high + texts, 1);
        grid.write(input, 0, &self.input(), STRONG);
        let count = say(self.words.choices, &[&self.menu.count.to_string()]);
        if matches!(self.mode, Mode::Person(_)) {
            let right = Part {
                x: whole.wide.saturating_sub(count.chars().count()),
                ..input
            };
            grid.write(right, 0, &count, FAINT);
        }
        grid.write(part(high - 1, 1), 0, self.words.keys, FAINT);
        high
    }

    fn input(&self) -> String {
        match self.mode {
            _ if !self.note.is_empty() => self.note.to_owned(),
            Mode::Person(_) => format!("> {}▏", self.menu.filter),
            Mode::Bot(pending, _) => say(self.words.thinks, &[&self.seat(pending.seat)]),
            Mode::HandOver(_) => String::new(),
            Mode::Over => {
                let outcome = self.table.state().outcome().map(record::Outcome::from);
                let mut people = self.table.people();
                let me = people.next().filter(|_| people.next().is_none());
                let told = outcome.map(|outcome| {
                    brief::outcome(&outcome, me.map(|seat| seat + 1), &self.table.names)
                });
                format!("{} {}", told.unwrap_or_default(), self.words.over)
            }
        }
    }

    fn has_texts(&self) -> bool {
        let language = self.table.language;
        let mut kinds = self.table.program.kinds.iter();
        kinds.any(|kind| !kind.text.get(language).is_empty())
    }

    /// Returns the text of the first card to which the marked choice refers.
    fn text_of_card(&self, columns: usize) -> Vec<String> {
        let refers = self.menu.marked().map_or(&[][..], |row| &row.refers);
        let (program, language) = (self.table.program, self.table.language);
        let text = refers.iter().find_map(|id| {
            let at = program.component_called(id)?;
            let kind = program.kind_of(i32::from(at))?;
            let text = kind.text.get(language);
            (!text.is_empty()).then(|| format!("{}: {text}", kind.title.get(language)))
        });
        text.map_or_else(Vec::new, |text| wrapped(&text, columns))
    }
}

/// How the choices are arranged.
struct MenuColumns {
    /// The width of a column.
    wide: usize,
    high: usize,
    columns: usize,
}

impl MenuColumns {
    pub(super) fn of(menu: &Menu, whole: Part) -> MenuColumns {
        let longest = menu.rows().iter().map(|row| row_text(row).chars().count());
        let wide = (longest.max().unwrap_or(0) + 2).clamp(10, whole.wide.max(10));
        let columns = (whole.wide / wide).max(1);
        let count = menu.rows().len();
        let most = (whole.high / 3).max(3);
        let high = match count > MENU_COLUMN && columns > 1 {
            true => MENU_COLUMN.max(count.div_ceil(columns)),
            false => count,
        };
        MenuColumns {
            wide,
            high: high.clamp(1, most),
            columns,
        }
    }

    /// Draws the page of choices on which the marked one is.
    fn draw(&self, menu: &Menu, part: Part, grid: &mut Grid) {
        let page = (self.high * self.columns).max(1);
        let first = menu.at / page * page;
        for (number, row) in menu.rows().iter().enumerate().skip(first).take(page) {
            let at = number - first;
            let column = part.columns(part.x + at / self.high * self.wide, self.wide - 1);
            let style = Style {
                is_marked: number == menu.at,
                ..PLAIN
            };
            grid.write(column, at % self.high, &row_text(row), style);
        }
    }
}

/// Formats a row of the menu: its number, or how many choices are behind it.
fn row_text(row: &Row) -> String {
    match row.number {
        Some(number) => format!("{:>3} {}", number + 1, row.label),
        None => format!("  ▸ {} ({})", row.label, row.count),
    }
}

fn draw_lines(panel: &Panel, part: Part, grid: &mut Grid) {
    for (line, spans) in panel.lines.iter().enumerate() {
        grid.spans(part, line, 0, spans, false);
    }
}

/// Returns a panel without the lines between the rows of its boards, which is half as high.
fn dense(panel: &Panel) -> Panel {
    let is_row = |spans: &&Vec<InkSpan>| {
        let mut letters = spans.iter().flat_map(|span| span.text.chars());
        letters.find(|letter| !letter.is_whitespace()) != Some('├')
    };
    let mut spots = panel.spots.clone();
    for spot in &mut spots {
        let above = panel.lines.iter().take(spot.at.1);
        spot.at.1 = above.filter(is_row).count();
    }
    Panel {
        lines: panel.lines.iter().filter(is_row).cloned().collect(),
        spots,
    }
}

/// Returns the column and the line with which a window on a panel begins, so that it shows what is in focus.
pub(super) fn window(
    panel: &Panel,
    focus: Option<&Spot>,
    moved: (isize, isize),
    wide: usize,
    high: usize,
) -> (usize, usize) {
    use unicode_width::UnicodeWidthStr;
    let columns = panel.lines.iter().map(|spans| {
        let spans = spans.iter().map(|span| span.text.width());
        spans.sum::<usize>()
    });
    let along = |focus: Option<(usize, usize)>, room: usize, all: usize, moved: isize| {
        let spare = all.saturating_sub(room);
        let at = focus.map_or(0, |(at, size)| (at + size / 2).saturating_sub(room / 2));
        at.min(spare).saturating_add_signed(moved).min(spare)
    };
    let (across, down) = focus
        .map(|spot| ((spot.at.0, spot.size.0), (spot.at.1, spot.size.1)))
        .unzip();
    (
        along(across, wide, columns.max().unwrap_or(0), moved.0),
        along(down, high, panel.lines.len(), moved.1),
    )
}

fn draw_page(page: &Page, words: &Words, whole: Part, grid: &mut Grid) {
    grid.rule(whole, page.title);
    let part = whole.lines(1, whole.high.saturating_sub(2));
    let lines = page.lines.iter().flat_map(|line| {
        let is_table = line.contains("   ");
        match is_table || line.is_empty() {
            true => vec![line.clone()],
            false => wrapped(line, whole.wide),
        }
    });
    let lines: Vec<String> = lines.collect();
    let top = page.top.min(lines.len().saturating_sub(part.high));
    for (line, text) in lines.iter().skip(top).enumerate() {
        grid.write(part, line, text, PLAIN);
    }
    let last = whole.lines(whole.high.saturating_sub(1), 1);
    grid.write(last, 0, words.close, FAINT);
}
