//! What the rules wrote and moved out of the viewer's sight.

use std::collections::HashSet;

use super::line::{LinePoint, PlayedLine};
use super::writes::Unseen;
use wyrmgate_engine::see::counts;
use wyrmgate_engine::viewers_of_var;
use wyrmgate_program::{FieldPlace, Program};

impl Unseen {
    pub fn of(line: &PlayedLine<'_>) -> Unseen {
        let program = line.program;
        let all = 0..program.components.len() as i32;
        let components: Vec<bool> = all.map(|it| !line.glance.was_seen(it)).collect();
        let mut words = words_of_variables(line);
        words.extend(words_of_fields(program, &components));
        let is_noticed = |zone: i32| {
            let mut points = line.points.iter();
            points.any(|point| counts(program, &point.state, line.viewer, zone))
        };
        let zones = 0..program.zones.len() as i32;
        Unseen {
            words,
            components,
            zones: zones.map(|zone| !is_noticed(zone)).collect(),
        }
    }
}

fn words_of_variables(line: &PlayedLine<'_>) -> HashSet<u32> {
    let program = line.program;
    let mut words = HashSet::new();
    for (number, var) in program.vars.iter().enumerate() {
        for word in 0..var.len {
            let is_seen = |point: &LinePoint| {
                let seen = viewers_of_var(program, &point.state, number, word);
                line.viewer.is_among(seen)
            };
            if !var.internal && !line.points.iter().any(is_seen) {
                words.insert(var.offset + word);
            }
        }
    }
    words
}

/// Returns the fields of components that stay hidden, except those on their backs.
fn words_of_fields(program: &Program, hidden: &[bool]) -> Vec<u32> {
    let mut words = Vec::new();
    for (component, _) in hidden.iter().enumerate().filter(|(_, hidden)| **hidden) {
        let kind = program.kind_of(component as i32);
        for field in kind.into_iter().flat_map(|kind| &kind.fields) {
            let FieldPlace::Changing { offset, first } = field.at else {
                continue;
            };
            let at = u32::try_from(component).ok();
            let at = at.and_then(|at| at.checked_sub(first));
            if let Some(at) = at.filter(|_| !field.on_back) {
                words.push(offset + at);
            }
        }
    }
    words
}
