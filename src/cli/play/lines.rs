//! A game in plain lines, for pipes and simple terminals.

use std::io::{BufRead, Write};

use super::table::Table;
use super::words::Words;
use crate::brief::{self, words::say};
use crate::engine::{self, Choice, Pending, Viewer};
use crate::view::{given_choice, template};
use crate::{picture, record};

use super::super::Stop;
use super::end::End;

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

pub struct Lines<'t, 'a, I, O> {
    pub table: &'t mut Table<'a>,
    pub words: &'static Words,
    /// Whether to print the input, which is invisible when it comes through a pipe.
    pub echo: bool,
    pub input: I,
    pub out: O,
    /// The seat from which the table was shown last, from 0.
    pub me: u8,
    /// The steps that were told and shown.
    pub steps_shown: usize,
    pub shown: usize,
}

/// The input of a person.
enum Answer {
    Choice(u64),
    More,
    View,
    Undo,
    Quit,
    /// A value that is given, or only the choices whose label contains this.
    Typed(String),
}

/// The decision of a person.
enum Decided {
    Choice(u64),
    Given(Choice, String),
    Undo,
    Leaves,
}

impl<I: BufRead, O: Write> Lines<'_, '_, I, O> {
    pub fn play(&mut self) -> Result<(), End> {
        loop {
            self.print_events()?;
            let Some(pending) = self.table.next(Some(self.me)) else {
                return Ok(self.tell_outcome()?);
            };
            if let Some(bot) = self.table.bot_of(pending.seat) {
                self.table.let_bot(&pending, bot)?;
                continue;
            }
            if !self.person(&pending)? {
                writeln!(self.out, "{}", self.words.left)?;
                return Ok(());
            }
        }
    }

    /// Lets a person decide. Returns false if the person leaves.
    fn person(&mut self, pending: &Pending) -> Result<bool, End> {
        if self.me != pending.seat {
            self.me = pending.seat;
            let seat = (self.me + 1).to_string();
            writeln!(self.out, "\n=== {} ===", self.table.names.seat(&seat))?;
        }
        match self.ask(pending)? {
            Decided::Choice(number) => self.table.choose(pending, number)?,
            Decided::Given(choice, typed) => self.table.give(pending, choice, typed)?,
            Decided::Undo => {
                let undone = self.table.undo();
                self.steps_shown = self.steps_shown.min(self.table.steps());
                self.shown = self.shown.min(self.table.steps());
                let words = match undone {
                    true => self.words.undone,
                    false => self.words.nothing_to_undo,
                };
                writeln!(self.out, "{words}")?;
            }
            Decided::Leaves => return Ok(false),
        }
        Ok(true)
    }

    fn ask(&mut self, pending: &Pending) -> Result<Decided, End> {
        self.show()?;
        let mut offset = 0;
        let mut count = self.list(pending, offset)?;
        loop {
            match self.read(count)? {
                Answer::Choice(number) => return Ok(Decided::Choice(number - 1)),
                Answer::More => {
                    offset += PAGE;
                    if offset as u64 >= count {
                        offset = 0;
                    }
                    count = self.list(pending, offset)?;
                }
                Answer::View => self.show()?,
                Answer::Undo => return Ok(Decided::Undo),
                Answer::Quit => return Ok(Decided::Leaves),
                Answer::Typed(typed) => {
                    let (program, state) = (self.table.program, self.table.state());
                    match given_choice(program, state, pending, &typed)? {
                        Some(choice) => return Ok(Decided::Given(choice, typed)),
                        None if typed.is_empty() || typed.parse::<i64>().is_ok() => {
                            let advice = say(self.words.type_number, &[&count.to_string()]);
                            writeln!(self.out, "{advice}")?;
                        }
                        None => self.search(pending, &typed.to_lowercase())?,
                    }
                }
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
            "undo" | "u" => Answer::Undo,
            "quit" | "q" => Answer::Quit,
            number => match number.parse() {
                Ok(number) if (1..=count).contains(&number) => Answer::Choice(number),
                Ok(_) | Err(_) => Answer::Typed(number.to_owned()),
            },
        })
    }

    /// Prints a page of choices and returns their total number.
    fn list(&mut self, pending: &Pending, offset: usize) -> Result<u64, End> {
        let (program, state) = (self.table.program, self.table.state());
        let doc = self.table.decision(pending, PAGE, offset as u64)?;
        let is_complete = doc.complete;
        let mut doc = serde_json::to_value(doc).map_err(Stop::failure)?;
        if !is_complete {
            let given = template(program, state, pending)?;
            let given = serde_json::to_value(given).map_err(Stop::failure)?;
            if let Some(members) = doc.as_object_mut() {
                members.insert("template".to_owned(), given);
            }
        }
        let page = brief::choices(&doc, offset, PAGE, &self.table.names);
        write!(self.out, "{page}")?;
        Ok(engine::count_choices(program, state, pending)?)
    }

    /// Prints the choices that contain a word, with their numbers.
    fn search(&mut self, pending: &Pending, word: &str) -> Result<(), End> {
        let doc = self.table.decision(pending, SEARCHED, 0)?;
        let found = doc.choices.iter();
        let mut found = found.filter(|choice| choice.label.to_lowercase().contains(word));
        let mut is_any = false;
        for choice in found.by_ref().take(PAGE) {
            is_any = true;
            writeln!(self.out, "{:>4}  {}", choice.index + 1, choice.label)?;
        }
        match found.count() {
            0 if !is_any => {
                writeln!(self.out, "{}", say(self.words.no_choice, &[word]))?;
            }
            0 => {}
            more => {
                let more = say(self.table.names.words.more, &[&more.to_string()]);
                writeln!(self.out, "      … {more}")?;
            }
        }
        Ok(())
    }

    /// Draws the table as the person sees it.
    fn show(&mut self) -> Result<(), Stop> {
        let viewer = Viewer::Seat(self.me);
        let (table, from) = (&self.table, self.shown);
        let drawn = table.see(viewer, from, |sight| picture::text(sight, columns()));
        self.shown = self.table.steps();
        write!(self.out, "\n{drawn}\n")?;
        Ok(())
    }

    /// Prints what happened since the last time, as far as this seat may know.
    fn print_events(&mut self) -> Result<(), Stop> {
        let viewer = Viewer::Seat(self.me);
        for line in self.table.events_since(viewer, self.steps_shown) {
            writeln!(self.out, "  {line}")?;
        }
        self.steps_shown = self.table.steps();
        Ok(())
    }

    fn tell_outcome(&mut self) -> Result<(), Stop> {
        self.show()?;
        if let Some(outcome) = self.table.state().outcome().map(record::Outcome::from) {
            let me = (self.table.people().count() == 1).then_some(self.me + 1);
            let told = brief::outcome(&outcome, me, &self.table.names);
            writeln!(self.out, "{told}")?;
        }
        Ok(())
    }
}
