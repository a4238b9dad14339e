//! Parses scenario files into [`Scenario`]s. Reports all mistakes of a file with their places. A scenario with a
//! mistake is left out; the others are kept.

pub(crate) mod reader;
mod steps;

use super::keys;
use super::{Given, Located, RefusedSetup, Scenario};
use reader::ScenarioReader;
use wyrmgate_base::diagnostic::{Diagnostic, FileId, Report};
use wyrmgate_lang::ast::Name;
use wyrmgate_lang::yaml::{self, Budget, Node, NodeKind};

/// Returns all valid scenarios of a file; the report explains the others.
pub fn read(file: FileId, text: &str, report: &mut Report) -> Vec<Scenario> {
    let Some(root) = yaml::parse(file, text, &mut Budget::default(), report) else {
        return Vec::new();
    };
    let mut reader = ScenarioReader { file, report };
    let NodeKind::List(members) = &root.kind else {
        let message = format!(
            "a scenario file is a list of scenarios, not {}",
            root.shape()
        );
        let diagnostic = Diagnostic::error("wrong-shape", root.span, message);
        reader
            .report
            .push(diagnostic.help("begin each scenario with `- scenario: What it shows`"));
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
    let name = fields.one("scenario", |node| reader.scalar(node, "a sentence"));
    if name.is_none() && !is_misspelled {
        reader.missing(
            node.span,
            "scenario",
            "add a sentence that says what it shows",
        );
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
    let name = name?;
    Some(Scenario {
        name: Located::new(name.text.to_string(), name.span),
        file: reader.file,
        shows: fields.all("shows", |node| names(reader, node)),
        is_example: match fields.get("show") {
            Some(node) => is_example(reader, node, refused),
            None => false,
        },
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
    let option = fields.one("option", |node| {
        reader.scalar(node, "an option's name, or `seats`")
    });
    let clause = fields.one("clause", |node| reader.scalar(node, "a clause's number"));
    Some(RefusedSetup {
        option: option.map(|scalar| Located::new(scalar.text.to_string(), scalar.span)),
        clause: clause.map(name_of),
        span: node.span,
    })
}

/// Parses `[WAY-17, WAY-18]` or a single clause.
fn names(reader: &mut ScenarioReader<'_>, node: &Node) -> Vec<Name> {
    let scalars = reader.scalars(node, "a clause's number");
    scalars.into_iter().map(name_of).collect()
}

fn name_of(scalar: &yaml::Scalar) -> Name {
    Name::new(scalar.text.to_string(), scalar.span)
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
    let position = position.cloned();
    Given {
        seats,
        position,
        options: fields.all("options", |node| options(reader, node)),
        seed: fields.one("seed", |node| reader.number(node, "a seed")),
        luck: fields.all("luck", |node| steps::luck(reader, node)),
    }
}

fn options(
    reader: &mut ScenarioReader<'_>,
    node: &Node,
) -> Vec<(Name, Located<serde_json::Value>)> {
    let entries = reader
        .entries(node, "options with their values")
        .unwrap_or_default();
    let option = |(key, value): &(yaml::Scalar, Node)| {
        let name = name_of(key);
        let value = Located::new(reader::json(value), value.span);
        (name, value)
    };
    entries.iter().map(option).collect()
}
