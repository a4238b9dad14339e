//! The choices of a rest that machine code has recorded: counted, drawn, visited, stored and restored.

use super::Native;
use crate::choices::kind::RecordingKind;
use crate::driver::menu;
use crate::function::shape::SiteShape;
use crate::memory::row::{ChoiceRow, LISTED_MAX, ROWS_MAX};
use wyrmgate_program::NONE;

/// The choices of a rest, stored so that a runner can return to it. Rows count their listed members from the first one,
/// so any runner of the program can.
#[derive(Clone)]
pub struct NotedChoices {
    site: i32,
    choices: u64,
    bits: [u64; 2],
    rows: Vec<ChoiceRow>,
    listed: Vec<i32>,
}

impl Default for NotedChoices {
    fn default() -> NotedChoices {
        NotedChoices {
            site: NONE,
            choices: 0,
            bits: [0; 2],
            rows: Vec::new(),
            listed: Vec::new(),
        }
    }
}

impl Native {
    /// Returns the number of choices, if code has recorded them.
    #[inline]
    pub fn count(&self) -> Option<u64> {
        (self.context.rest.site >= 0).then_some(self.context.rest.choices)
    }

    /// Returns the number of a choice, drawn as from a choice set.
    pub fn draw(&self, draw: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
        let shape = self.shape()?;
        let (rows, count) = (self.noted_rows(), self.context.rest.choices);
        Some(menu::draw(rows, shape.kind, count, draw))
    }

    /// Returns the facts about the decision whose choices are recorded.
    pub(crate) fn shape(&self) -> Option<&SiteShape> {
        let site = usize::try_from(self.context.rest.site).ok()?;
        self.translation.shapes.get(site)
    }

    pub(crate) fn noted_rows(&self) -> &[ChoiceRow] {
        let used = self.context.rest.rows.used();
        self.rows.get(..used).unwrap_or_default()
    }

    pub(crate) fn noted_list(&self) -> &[i32] {
        let used = self.context.rest.listed.used();
        self.listed.get(..used).unwrap_or_default()
    }

    pub fn noted(&self) -> NotedChoices {
        let mut noted = NotedChoices::default();
        self.note(&mut noted);
        noted
    }

    /// Stores the choices of this rest, reusing memory.
    pub fn note(&self, noted: &mut NotedChoices) {
        noted.site = self.context.rest.site;
        noted.choices = self.context.rest.choices;
        noted.bits = [self.context.members.low, self.context.members.high];
        noted.rows.clear();
        noted.listed.clear();
        if self.has_rows() {
            let first = self.context.rest.listed.first as u64;
            let rows = self.noted_rows().iter();
            noted
                .rows
                .extend(rows.map(|row| row.moved_by(first.wrapping_neg())));
            noted.listed.extend_from_slice(self.noted_list());
        }
    }

    /// Returns to a rest whose choices were stored.
    pub fn come_back(&mut self, noted: &NotedChoices) {
        self.forget();
        self.context.rest.site = noted.site;
        self.context.rest.choices = noted.choices;
        [self.context.members.low, self.context.members.high] = noted.bits;
        let first = self.context.rest.listed.first as u64;
        let places = self.rows.iter_mut().zip(&noted.rows);
        places.for_each(|(place, row)| *place = row.moved_by(first));
        let places = self.listed.iter_mut().zip(&noted.listed);
        places.for_each(|(place, member)| *place = *member);
        let rows = noted.rows.len().min(ROWS_MAX);
        self.context.rest.rows.next = self.context.rest.rows.first.wrapping_add(rows);
        let listed = noted.listed.len().min(LISTED_MAX);
        self.context.rest.listed.next = self.context.rest.listed.first.wrapping_add(listed);
    }

    /// Exchanges the choices of this rest with those of another one.
    pub fn exchange(&mut self, noted: &mut NotedChoices) {
        if noted.rows.is_empty() && !self.has_rows() {
            let context = &mut self.context;
            std::mem::swap(&mut context.rest.site, &mut noted.site);
            std::mem::swap(&mut context.rest.choices, &mut noted.choices);
            let [low, high] = &mut noted.bits;
            std::mem::swap(&mut context.members.low, low);
            std::mem::swap(&mut context.members.high, high);
            context.ahead.forget();
            return;
        }
        let mut present = std::mem::take(&mut self.spare);
        self.note(&mut present);
        self.come_back(noted);
        self.spare = std::mem::replace(noted, present);
    }

    fn has_rows(&self) -> bool {
        let shape = self.shape();
        shape.is_some_and(|shape| shape.kind == RecordingKind::Rows)
    }

    /// Visits the recorded choices in their order; returns whether there are any.
    pub fn each_choice(&self, visit: &mut dyn FnMut(u16, &[i32])) -> bool {
        let Some(shape) = self.shape() else {
            return false;
        };
        let (low, high) = (self.context.members.low, self.context.members.high);
        match shape.kind {
            RecordingKind::Elsewhere => return false,
            RecordingKind::Members(first) => {
                menu::members_of([low, high], first).for_each(|value| visit(0, &[value]));
            }
            RecordingKind::Options => {
                menu::members_of([low, 0], 0).for_each(|option| visit(option as u16, &[]));
            }
            RecordingKind::Rows => {
                let mut before = 0;
                for row in self.noted_rows() {
                    let target = shape.targets.get(row.option as usize);
                    let names = target.map_or(0, |target| target.slots.len());
                    row.each_choice(names, row.end - before, self.noted_list(), visit);
                    before = row.end;
                }
            }
        }
        true
    }
}
