//! What stands in for machine code in a build without it: no program has any.

use std::sync::Arc;
use wyrmgate_engine::choice::Answer;
use wyrmgate_engine::game::RunnerGame;
use wyrmgate_engine::{Choice, Pending};
use wyrmgate_program::Program;

/// The machine code of a program, which there never is.
pub enum AbsentTranslation {}

/// A game in machine code, which there never is.
pub enum AbsentCode {}

/// The choices that machine code has recorded at a rest: none.
#[derive(Clone, Default)]
pub struct AbsentChoices(());

pub fn is_on() -> bool {
    false
}

impl AbsentTranslation {
    pub fn of(_: &Program) -> Option<Arc<AbsentTranslation>> {
        None
    }

    pub fn after(_: &Program, _: usize) -> Option<Option<Arc<AbsentTranslation>>> {
        Some(None)
    }
}

impl AbsentCode {
    pub fn boxed(translation: Arc<AbsentTranslation>) -> Box<AbsentCode> {
        match *translation {}
    }

    pub fn count(&self) -> Option<u64> {
        match *self {}
    }

    pub fn draw(&self, _: &mut dyn FnMut(u64) -> u64) -> Option<u64> {
        match *self {}
    }

    pub fn choice(&self, _: u64) -> Option<Choice> {
        match *self {}
    }

    pub fn number_of(&self, _: &Choice) -> Option<u64> {
        match *self {}
    }

    pub fn each_choice(&self, _: &mut dyn FnMut(u16, &[i32])) -> bool {
        match *self {}
    }

    pub fn noted(&self) -> AbsentChoices {
        match *self {}
    }

    pub fn note(&self, _: &mut AbsentChoices) {
        match *self {}
    }

    pub fn come_back(&mut self, _: &AbsentChoices) {
        match *self {}
    }

    pub fn exchange(&mut self, _: &mut AbsentChoices) {
        match *self {}
    }

    pub fn forget(&mut self) {
        match *self {}
    }

    pub fn forget_numbers(&mut self) {
        match *self {}
    }

    pub fn begin(&mut self, _: &mut RunnerGame<'_>) -> Option<()> {
        match *self {}
    }

    pub fn look_at(&mut self, _: &mut RunnerGame<'_>, _: Pending) -> Option<()> {
        match *self {}
    }

    pub fn take(&mut self, _: &mut RunnerGame<'_>, _: u64) -> Option<()> {
        match *self {}
    }

    pub fn answer(&mut self, _: &mut RunnerGame<'_>, _: Pending, _: &impl Answer) -> Option<()> {
        match *self {}
    }
}
