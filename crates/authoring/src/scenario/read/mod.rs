//! Parses scenario files into [`Scenario`]s. Reports all mistakes of a file with their places. A scenario with a
//! mistake is left out; the others are kept.

pub(crate) mod reader;
mod steps;

use super::{Given, Located, RefusedSetup, Scenario, keys};
use reader::ScenarioReader;
use wyrmgate_base::diagnostic::{FileId, Report};
use wyrmgate_lang::ast::Name;
use wyrmgate_lang::yaml::{self, Budget, Node, NodeKind};

/// Returns all valid scenarios of a file; the report explains the others.
pub fn read(file: FileId, text: &str, report: &mut Report) -> Vec<Scenario> {
    let Some(root) = yaml::parse(file, text, &mut Budget::default(), report) else {
        return Vec::new();
    };
    let mut reader = ScenarioReader { file, report };
    let NodeKind::List(members) = &root.kind else {
        let shape = root.shape();
        let message = format!("a scenario file is a list of scenarios, not {shape}");
        let help = "begin each scenario with `- scenario: What it shows`";
        reader.misshapen(root.span, message, help);
        return Vec::new();
    };
    members
        .iter()
        .filter_map(|member| reader.if_flawless(|reader| scenario(reader, member)))
        .collect()
}

fn scenario(reader: &mut ScenarioReader<'_>, node: &Node) -> Option<Scenario> {
    let before = reader.report.diagnostics.len();
    let fields = reader.fields(node, "a scenario", &keys::SCENARIO.names())?;
    // A misspelled key is not reported as missing too.
    let is_misspelled = reader.report.diagnostics.len() > before;
    let name = fields.one("scenario", |node| reader.located(node, "a sentence"));
    if name.is_none() && !is_misspelled {
        let help = "add a sentence that says what it shows";
        reader.missing(node.span, "scenario", help);
    }
    let (refused, steps) = (fields.get("refused"), fields.get("steps"));
    match (refused, steps) {
        (None, None) if is_misspelled => {}
        (None, None) => reader.missing(node.span, "steps", "list the steps, one per line"),
        (Some(_), Some(steps)) => reader.misshapen(
            steps.span,
            "this scenario has both `steps` and `refused`",
            "a refused game has no steps: remove `steps` or `refused`",
        ),
        _ => {}
    }
    Some(Scenario {
        name: name?,
        file: reader.file,
        shows: fields.all("shows", |node| reader.clauses(node)),
        is_example: fields.all("show", |node| is_example(reader, node, refused)),
        given: fields.all("given", |node| given(reader, node)),
        refused: refused.and_then(|node| refused_setup(reader, node)),
        steps: steps.map_or_else(Vec::new, |node| steps::steps(reader, node)),
    })
}

/// Reads `show`. Some readers of YAML take `yes` for `true`, so both are good.
fn is_example(reader: &mut ScenarioReader<'_>, node: &Node, refused: Option<&Node>) -> bool {
    let text = reader.text(node, "`yes`").unwrap_or_default();
    let is_example = matches!(text.as_str(), "yes" | "true");
    if !is_example && !matches!(text.as_str(), "" | "false") {
        let message = format!("`{text}` is not `yes`");
        let help = "write `show: yes`, or remove the key";
        reader.report.error("wrong-value", node.span, message, help);
    }
    if is_example && refused.is_some() {
        let message = "a game that is refused has no pictures";
        reader.misshapen(node.span, message, "remove `show`");
    }
    is_example
}

fn refused_setup(reader: &mut ScenarioReader<'_>, node: &Node) -> Option<RefusedSetup> {
    let fields = reader.fields(node, "a refused setup", &keys::REFUSED_SETUP.names())?;
    let option = "an option's name, or `seats`";
    Some(RefusedSetup {
        option: fields.one("option", |node| reader.located(node, option)),
        clause: fields.one("clause", |node| reader.clause(node)),
        span: node.span,
    })
}

fn given(reader: &mut ScenarioReader<'_>, node: &Node) -> Given {
    let Some(fields) = reader.fields(node, "the given setup", &keys::GIVEN.names()) else {
        return Given::default();
    };
    let seats = fields.one("seats", |node| {
        let value = reader.number(node, "a number of seats")?;
        Some(Located::new(value, node.span))
    });
    let position = fields.one("position", |node| reader.scalar(node, "a position"));
    Given {
        seats,
        position: position.cloned(),
        options: fields.all("options", |node| options(reader, node)),
        seed: fields.one("seed", |node| reader.number(node, "a seed")),
        luck: fields.all("luck", |node| steps::luck(reader, node)),
    }
}

fn options(
    reader: &mut ScenarioReader<'_>,
    node: &Node,
) -> Vec<(Name, Located<serde_json::Value>)> {
    let entries = reader.entries(node, "options with their values");
    let entries = entries.unwrap_or_default().iter();
    let options = entries.map(|(key, value)| {
        let value = Located::new(reader::json(value), value.span);
        (reader::name_of(key), value)
    });
    options.collect()
}
