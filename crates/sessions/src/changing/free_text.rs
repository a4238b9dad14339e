//! What an operator allows seats to write as part of a game.

use std::io;

use serde_json::Value;

use crate::Refusal;
use crate::content::standing::{PresetAnswer, StandingAnswer};
use wyrmgate_engine::{Choice, Pending};
use wyrmgate_program::Program;

/// Whether games with free text are played, and which words no text contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FreeText {
    Off,
    /// Without these words, in small letters.
    Without(Vec<String>),
}

impl Default for FreeText {
    fn default() -> FreeText {
        FreeText::Without(Vec::new())
    }
}

impl FreeText {
    /// Reads a setting: `on`, `off`, or a file of forbidden words, one a line. Fails if the file cannot be read.
    pub fn of_setting(setting: &str) -> io::Result<FreeText> {
        match setting {
            "on" => Ok(FreeText::default()),
            "off" => Ok(FreeText::Off),
            file => {
                let words = std::fs::read_to_string(file)?.to_lowercase();
                let words = words.lines().map(str::trim).filter(|word| !word.is_empty());
                Ok(FreeText::Without(words.map(str::to_owned).collect()))
            }
        }
    }

    /// Refuses a game in which seats write texts, where that is off.
    pub(crate) fn allows_game(&self, program: &Program) -> Result<(), Refusal> {
        match *self == FreeText::Off && program.asks_for_text() {
            true => Err(Refusal::TextRefused(
                "players write texts in this game, and the server does not allow that",
            )),
            false => Ok(()),
        }
    }

    /// Refuses a choice with a text that contains a forbidden word.
    pub(crate) fn allows_choice(
        &self,
        program: &Program,
        pending: &Pending,
        choice: &Choice,
    ) -> Result<(), Refusal> {
        let texts = program
            .site(pending.site)
            .map_or_else(Vec::new, |site| wyrmgate_view::texts_of(site, choice));
        self.allows(texts.iter().map(String::as_str))
    }

    /// Refuses orders with a forbidden word.
    pub(crate) fn allows_orders(&self, orders: &[PresetAnswer]) -> Result<(), Refusal> {
        let args = orders.iter().flat_map(|order| match &order.answer {
            StandingAnswer::Choice { args, .. } => args.values().collect(),
            StandingAnswer::Only => Vec::new(),
        });
        self.allows(args.filter_map(Value::as_str))
    }

    fn allows<'t>(&self, mut texts: impl Iterator<Item = &'t str>) -> Result<(), Refusal> {
        let FreeText::Without(forbidden) = self else {
            return Ok(());
        };
        let has_forbidden = |text: &str| {
            let text = text.to_lowercase();
            let mut words = text.split(|c: char| !c.is_alphanumeric());
            words.any(|word| forbidden.iter().any(|other| other == word))
        };
        match texts.any(has_forbidden) {
            true => Err(Refusal::TextRefused(
                "the text contains a word that the server does not allow",
            )),
            false => Ok(()),
        }
    }
}
