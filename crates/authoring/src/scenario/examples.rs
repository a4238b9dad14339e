//! The scenarios that a rulebook shows as examples.

use super::Scenario;
use super::read::read;
use super::run::{ScenarioMoment, run};
use super::setup::Programs;
use super::suite::{check_attached, fitting};
use wyrmgate_base::diagnostic::{Report, Sources};
use wyrmgate_lang::definition::Definition;
use wyrmgate_program::Program;

/// The name and the text of a scenario file.
pub type Text = (String, String);

/// Returns whether a file can contain examples.
pub fn has_examples(text: &str) -> bool {
    ["show: yes", "show: true"]
        .iter()
        .any(|key| text.contains(key))
}

/// Plays the examples in these files. Those that do not hold in these rules are left out: the rules of a variant differ
/// from those that the scenarios of its game describe.
pub fn each_example(
    definition: &Definition,
    sources: &Sources,
    texts: &[Text],
    show: &mut dyn FnMut(&Scenario, &Program, &[ScenarioMoment]),
) {
    let mut sources = sources.clone();
    let mut scenarios = Vec::new();
    for (name, text) in texts {
        let file = sources.add(name.clone(), text.as_str());
        scenarios.extend(read(file, text, &mut Report::default()));
    }
    scenarios.retain(|scenario| scenario.is_example);
    if scenarios.is_empty() {
        return;
    }
    let (scenarios, _) = fitting(definition, scenarios);
    let (Some(checked), _) = check_attached(definition, &scenarios) else {
        return;
    };
    let mut programs = Programs::new(&checked);
    for (number, scenario) in scenarios.iter().enumerate() {
        let Ok(program) = programs.of(number, scenario) else {
            continue;
        };
        let ran = run(program, number, scenario);
        if ran.failures.is_empty() {
            show(scenario, program, &ran.moments);
        }
    }
}
