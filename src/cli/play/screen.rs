//! A game on a full screen: what is drawn, and what keys do. Knows no terminal, so that tests can play on it.

mod drawing;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

use super::end::End;
use super::menu::{LISTED, Menu};
use super::table::Table;
use super::words::Words;
use crate::bot::Bot;
use crate::engine::{Pending, Viewer};
use crate::picture::Decision;
use crate::view::given_choice;

/// A smaller screen cannot show a game.
pub const WIDE_MIN: usize = 50;
pub const HIGH_MIN: usize = 16;
/// The number of choices by which Page Up and Page Down move in the menu.
const MENU_PAGE: isize = 20;
/// The number of lines by which Page Up and Page Down move a page of text.
const TEXT_PAGE: isize = 15;
/// The columns and lines by which Ctrl and an arrow key move the board in its window.
const BOARD_STEP: (isize, isize) = (4, 2);

pub struct Screen<'t, 'a> {
    table: &'t mut Table<'a>,
    words: &'static Words,
    /// The person who looks, from 0. `None` while the keyboard changes hands.
    me: Option<u8>,
    mode: Mode,
    menu: Menu,
    decision: Option<Decision>,
    /// The number of steps when each seat decided last.
    decided: Vec<usize>,
    /// How far the board was moved in its window.
    moved: (isize, isize),
    page: Option<Page>,
    note: &'static str,
}

#[derive(Clone, Copy)]
enum Mode {
    /// The person of this seat is to take the keyboard.
    HandOver(Pending),
    Person(Pending),
    Bot(Pending, Bot),
    Over,
}

/// A text over the whole screen.
struct Page {
    title: &'static str,
    lines: Vec<String>,
    top: usize,
}

/// Whether the game continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    Goes,
    Ends,
}

impl<'t, 'a> Screen<'t, 'a> {
    pub fn new(table: &'t mut Table<'a>, words: &'static Words) -> Result<Screen<'t, 'a>, End> {
        let mut people = table.people();
        let alone = people.next().filter(|_| people.next().is_none());
        drop(people);
        let decided = vec![0; table.program.seats];
        let mut screen = Screen {
            table,
            words,
            me: alone,
            mode: Mode::Over,
            menu: Menu::default(),
            decision: None,
            decided,
            moved: (0, 0),
            page: None,
            note: "",
        };
        screen.advance()?;
        Ok(screen)
    }

    /// Finds out what comes next.
    fn advance(&mut self) -> Result<(), End> {
        self.menu = Menu::default();
        self.decision = None;
        self.moved = (0, 0);
        let next = self.table.next(self.me);
        self.mode = match next.map(|pending| (pending, self.table.bot_of(pending.seat))) {
            None => Mode::Over,
            Some((pending, Some(bot))) => Mode::Bot(pending, bot),
            Some((pending, None)) if self.me != Some(pending.seat) => Mode::HandOver(pending),
            Some((pending, None)) => Mode::Person(pending),
        };
        match self.mode {
            Mode::Person(pending) => self.offer(&pending),
            Mode::HandOver(_) => {
                self.me = None;
                Ok(())
            }
            Mode::Bot(..) | Mode::Over => Ok(()),
        }
    }

    fn offer(&mut self, pending: &Pending) -> Result<(), End> {
        let doc = self.table.decision(pending, LISTED, 0)?;
        self.decision = Some(Decision::of(&doc));
        self.menu = Menu::of(self.table, pending)?;
        Ok(())
    }

    /// Lets a bot decide, if it is its turn. Returns whether it did.
    pub fn let_bot(&mut self) -> Result<bool, End> {
        let Mode::Bot(pending, bot) = self.mode else {
            return Ok(false);
        };
        self.table.let_bot(&pending, bot)?;
        self.advance()?;
        Ok(true)
    }

    // ---- keys

    pub fn key(&mut self, key: KeyEvent) -> Result<Flow, End> {
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        if is_control && matches!(key.code, KeyCode::Char('c' | 'q')) {
            return Ok(Flow::Ends);
        }
        self.note = "";
        if self.turn_page(key.code) {
            return Ok(Flow::Goes);
        }
        match (key.code, is_control) {
            (KeyCode::F(1), _) => self.open_help(),
            (KeyCode::F(2), _) => self.open(self.words.cards, self.cards()),
            (KeyCode::F(3), _) => self.open(self.words.history, self.history()),
            (KeyCode::F(4), _) | (KeyCode::Char('z'), true) => self.undo()?,
            (KeyCode::Left, true) => self.moved.0 -= BOARD_STEP.0,
            (KeyCode::Right, true) => self.moved.0 += BOARD_STEP.0,
            (KeyCode::Up, true) => self.moved.1 -= BOARD_STEP.1,
            (KeyCode::Down, true) => self.moved.1 += BOARD_STEP.1,
            (code, false) => self.decide(code)?,
            _ => {}
        }
        Ok(Flow::Goes)
    }

    fn decide(&mut self, code: KeyCode) -> Result<(), End> {
        match (self.mode, code) {
            (Mode::HandOver(pending), KeyCode::Enter) => {
                self.me = Some(pending.seat);
                self.advance()
            }
            (Mode::Person(pending), KeyCode::Enter) => {
                let (program, state) = (self.table.program, self.table.state());
                let typed = self.menu.unlisted().map(str::to_owned);
                let given = typed
                    .as_ref()
                    .map(|typed| given_choice(program, state, &pending, typed));
                if let (Some(typed), Some(choice)) = (typed, given.transpose()?.flatten()) {
                    self.table.give(&pending, choice, typed)?;
                    return self.decided(&pending);
                }
                match self.menu.enter(&self.table.names) {
                    Some(number) => self.choose(&pending, number),
                    None => Ok(()),
                }
            }
            (Mode::Person(_), code) => {
                self.choose_row(code);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn choose_row(&mut self, code: KeyCode) {
        let names = &self.table.names;
        match code {
            KeyCode::Up | KeyCode::BackTab => self.menu.step(-1),
            KeyCode::Down | KeyCode::Tab => self.menu.step(1),
            KeyCode::Left => self.menu.step(-(MENU_COLUMN as isize)),
            KeyCode::Right => self.menu.step(MENU_COLUMN as isize),
            KeyCode::PageUp => self.menu.step(-MENU_PAGE),
            KeyCode::PageDown => self.menu.step(MENU_PAGE),
            KeyCode::Esc => self.menu.step_back(names),
            KeyCode::Backspace => self.menu.erase(names),
            KeyCode::Char(letter) => self.menu.letter(letter, names),
            _ => return,
        }
        self.moved = (0, 0);
    }

    fn choose(&mut self, pending: &Pending, number: u64) -> Result<(), End> {
        self.table.choose(pending, number)?;
        self.decided(pending)
    }

    fn decided(&mut self, pending: &Pending) -> Result<(), End> {
        if let Some(decided) = self.decided.get_mut(usize::from(pending.seat)) {
            *decided = self.table.steps() - 1;
        }
        self.advance()
    }

    fn undo(&mut self) -> Result<(), End> {
        self.note = match self.table.undo() {
            true => self.words.undone,
            false => self.words.nothing_to_undo,
        };
        for decided in &mut self.decided {
            *decided = (*decided).min(self.table.steps());
        }
        self.advance()
    }

    // ---- pages

    fn open(&mut self, title: &'static str, lines: Vec<String>) {
        let top = 0;
        self.page = Some(Page { title, lines, top });
    }

    /// Opens the page of keys; the first line of its text is the title.
    fn open_help(&mut self) {
        let (title, text) = self.words.help.split_once("\n\n").unwrap_or_default();
        self.open(title, text.lines().map(str::to_owned).collect());
    }

    /// Turns the page that is open. Returns whether one was.
    fn turn_page(&mut self, code: KeyCode) -> bool {
        let Some(page) = &mut self.page else {
            return false;
        };
        let by: isize = match code {
            KeyCode::Up => -1,
            KeyCode::Down | KeyCode::Enter => 1,
            KeyCode::PageUp => -TEXT_PAGE,
            KeyCode::PageDown | KeyCode::Char(' ') => TEXT_PAGE,
            _ => {
                self.page = None;
                return true;
            }
        };
        page.top = page.top.saturating_add_signed(by);
        true
    }

    /// Describes the kinds of components, and the clauses of the rules.
    fn cards(&self) -> Vec<String> {
        let (program, language) = (self.table.program, self.table.language);
        let kinds = program.kinds.iter().filter(|kind| kind.count > 0);
        let mut lines: Vec<String> = kinds
            .filter(|kind| !kind.text.get(language).is_empty())
            .map(|kind| format!("{}: {}", kind.title.get(language), kind.text.get(language)))
            .collect();
        if lines.is_empty() {
            lines.push(self.words.no_cards.to_owned());
        }
        if !program.prose.clauses.is_empty() {
            lines.extend([String::new(), format!("— {} —", self.words.clauses)]);
        }
        let clauses = program.prose.clauses.iter();
        lines.extend(clauses.map(|clause| format!("{} {}", clause.id, clause.text.get(language))));
        lines
    }

    fn history(&self) -> Vec<String> {
        let mut lines = self.table.events_since(self.viewer(), 0);
        lines.reverse();
        lines
    }

    /// Returns the one for whom the screen is drawn.
    fn viewer(&self) -> Viewer {
        let is_over = matches!(self.mode, Mode::Over);
        match self.me {
            Some(seat) if !is_over || self.table.people().count() == 1 => Viewer::Seat(seat),
            _ => Viewer::Public,
        }
    }
}

/// The rows of choices below each other, before the next column begins.
pub(super) const MENU_COLUMN: usize = 6;
