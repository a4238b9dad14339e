//! Components are conserved: in the complete view of the game, each is in exactly one place.

use super::found::LawFinding;
use serde_json::Value;

use super::JUDGE;
use super::rest::{LawRest, expect};
use wyrmgate_view::{as_json, view};

pub(super) fn check(rest: &mut LawRest<'_>) -> Result<(), LawFinding> {
    let all = as_json(&view(rest.program, rest.state, JUDGE));
    let mut found = Vec::new();
    collect_ids(&all, &mut found);
    found.sort_unstable();
    let mut known: Vec<&str> = rest.program.component_names().collect();
    known.sort_unstable();
    expect(found == known, || first_difference(&found, &known))
}

fn collect_ids<'v>(json: &'v Value, ids: &mut Vec<&'v str>) {
    match json {
        Value::Object(object) => {
            if let (Some(id), Some(_)) = (object.get("id"), object.get("kind")) {
                ids.extend(id.as_str());
            }
            object.values().for_each(|value| collect_ids(value, ids));
        }
        Value::Array(values) => values.iter().for_each(|value| collect_ids(value, ids)),
        _ => {}
    }
}

fn first_difference(found: &[&str], known: &[&str]) -> String {
    let times = |ids: &[&str], id: &str| ids.iter().filter(|other| **other == id).count();
    let all = known.iter().chain(found);
    let wrong = all
        .copied()
        .find(|id| times(found, id) != times(known, id))
        .unwrap_or_default();
    format!("`{wrong}` is in {} places", times(found, wrong))
}
