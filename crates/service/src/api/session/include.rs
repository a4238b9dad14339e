//! `include=actions,view`: parts of the game that a client wants together with an answer, so that a program plays with
//! one request per move.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use utoipa::ToSchema;

/// The requested parts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Included {
    /// The decisions that the caller owes.
    pub actions: bool,
    /// The caller's view.
    pub view: bool,
}

/// A part that can be included.
#[derive(ToSchema)]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only the schema is used")]
pub enum IncludedPart {
    Actions,
    View,
}

impl Included {
    /// Reads a list such as `actions,view`. The error is the unknown part.
    fn parse(text: &str) -> Result<Included, &str> {
        let mut included = Included::default();
        // An empty list, as forms write it.
        let parts = text.split(',').filter(|_| !text.is_empty());
        for part in parts.map(str::trim) {
            match part {
                "actions" => included.actions = true,
                "view" => included.view = true,
                unknown => return Err(unknown),
            }
        }
        Ok(included)
    }
}

impl<'de> Deserialize<'de> for Included {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Included, D::Error> {
        let text = String::deserialize(from)?;
        Included::parse(&text).map_err(|unknown| {
            D::Error::custom(format!(
                "`include` has no part `{unknown}`; use `actions`, `view` or `actions,view`"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_listed_in_any_order_and_unknown_ones_are_named() {
        let of = |text| Included::parse(text).map(|included| (included.actions, included.view));
        assert_eq!(of("actions"), Ok((true, false)));
        assert_eq!(of("view, actions"), Ok((true, true)));
        assert_eq!(of("view,events"), Err("events"));
        assert_eq!(of(""), Ok((false, false)));
        assert_eq!(of("view,"), Err(""));
    }
}
