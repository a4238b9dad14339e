//! Choices survive JSON: a client can send back what it receives, and two choices never look the same.

use super::found::{LawFinding, choice_in_words};
use super::rest::LawRest;
use wyrmgate_engine::Viewer;
use wyrmgate_view::{choice_from_json, choice_to_json};

/// Longer lists are looked at so far.
const CHOICES_MAX: usize = 60;

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    for owed in rest.owed {
        let viewer = Viewer::Seat(owed.seat);
        let mut before = Vec::new();
        let choices = rest.choices(owed, CHOICES_MAX)?;
        for choice in choices {
            let json = choice_to_json(rest.program, rest.state, owed, &choice, viewer);
            let back = choice_from_json(rest.program, rest.state, owed, &json);
            let wrong = match &back {
                Ok(back) if *back == choice => None,
                Ok(back) => {
                    let back = choice_in_words(rest.program, rest.state, owed, back);
                    Some(format!("is understood as {back}"))
                }
                Err(rejection) => Some(format!("is not understood: {rejection}")),
            };
            let wrong = match before.contains(&json) {
                true => Some("refers to two choices".to_owned()),
                false => wrong,
            };
            if let Some(wrong) = wrong {
                let told = format!("the choice with the JSON {json}");
                let found = LawFinding::of_choice(&wrong, &told, "named");
                return Err(found.asked(rest.program, owed));
            }
            before.push(json);
        }
    }
    Ok(())
}
