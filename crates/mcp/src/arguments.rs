//! The arguments that a model gives a tool.

use rmcp::model::JsonObject;
use serde_json::Value;

/// The arguments of a call. An error is a sentence for the model.
pub(crate) struct ToolArguments<'a>(pub(crate) &'a JsonObject);

impl<'a> ToolArguments<'a> {
    pub(crate) fn text(&self, name: &str) -> Result<Option<&'a str>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(format!("`{name}` must be a text")),
        }
    }

    /// Returns a text, also if the model sent it as a number.
    pub(crate) fn words(&self, name: &str) -> Result<String, String> {
        let number = self.0.get(name).filter(|value| value.is_number());
        number.map_or_else(
            || self.needed(name).map(str::to_owned),
            |number| Ok(number.to_string()),
        )
    }

    pub(crate) fn needed(&self, name: &str) -> Result<&'a str, String> {
        self.text(name)?
            .ok_or_else(|| format!("`{name}` is missing"))
    }

    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, String> {
        match self.0.get(name) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => {
                let number = value.as_u64();
                number
                    .map(Some)
                    .ok_or_else(|| format!("`{name}` must be a whole number"))
            }
        }
    }

    pub(crate) fn seat(&self) -> Result<Option<u8>, String> {
        let seat = self.number("seat")?.map(u8::try_from).transpose();
        seat.map_err(|_| "`seat` must be a number from 1 to 8".to_owned())
    }

    pub(crate) fn is_set(&self, name: &str) -> bool {
        self.0.get(name) == Some(&Value::Bool(true))
    }
}
