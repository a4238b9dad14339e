//! Parses the steps of a scenario, one function per kind.

use super::reader::{ScenarioFields, ScenarioReader, json};
use crate::scenario::attach::conjuncts;
use crate::scenario::{
    ExpectedDecisions, ExpectedRefusal, ForcedResult, Located, Over, ScenarioChoice, ScenarioStep,
    Sees, StepKind, keys,
};
use wyrmgate_lang::ast::Expr;
use wyrmgate_lang::effect::{parse_block, parse_expr};
use wyrmgate_lang::shape::Table;
use wyrmgate_lang::yaml::{Node, NodeKind, Scalar};

pub fn steps(reader: &mut ScenarioReader<'_>, node: &Node) -> Vec<ScenarioStep> {
    let members = reader.list(node, "a list of steps").iter();
    members.filter_map(|member| step(reader, member)).collect()
}

/// Parses `- play: {…}`: the only key determines the kind of step.
fn step(reader: &mut ScenarioReader<'_>, node: &Node) -> Option<ScenarioStep> {
    let entries = reader.entries(node, "a step")?;
    let [(key, value), rest @ ..] = entries else {
        reader.misshapen(node.span, "an empty step", "write `- play: {…}`");
        return None;
    };
    if let [(second, _), ..] = rest {
        let message = format!("`{}` is in the same step as `{}`", second.text, key.text);
        reader.misshapen(second.span, message, "begin each step with `- `");
        return None;
    }
    let (kind, span) = (kind(reader, key, value)?, key.span);
    Some(ScenarioStep { kind, span })
}

fn kind(reader: &mut ScenarioReader<'_>, key: &Scalar, value: &Node) -> Option<StepKind> {
    Some(match &*key.text {
        "arrange" => {
            let text = reader.scalar(value, "effect text")?;
            StepKind::Arrange(parse_block(&text.text, &text.positions, reader.report))
        }
        "waiting" => StepKind::Waiting(waiting(reader, value)?),
        "play" => StepKind::Play(choice(reader, value, &keys::CHOICE)?),
        "refused" => StepKind::Refused(refused(reader, value)?),
        "luck" => StepKind::Luck(luck(reader, value)),
        "random" => StepKind::Random(reader.number(value, "a number of choices")?),
        "late" => StepKind::Late(reader.seat(value)?),
        "resigns" => StepKind::Resigns(reader.seat(value)?),
        "expect" => StepKind::Expect(expect(reader, value)),
        "sees" => StepKind::Sees(sees(reader, value)?),
        "events" => StepKind::Events(events(reader, value)),
        "no_events" => StepKind::NoEvents(events(reader, value)),
        "over" => StepKind::Over(over(reader, value)?),
        _ => {
            reader.expect_known(key, "a scenario's step", &keys::STEP.names());
            return None;
        }
    })
}

/// Parses conditions. A conjunction is evaluated part by part.
fn expect(reader: &mut ScenarioReader<'_>, node: &Node) -> Vec<Expr> {
    let mut all = Vec::new();
    for text in reader.scalars(node, "a condition to expect") {
        if let Some(condition) = parse_expr(&text.text, &text.positions, reader.report) {
            conjuncts(condition, &mut all);
        }
    }
    all
}

/// Parses a choice. All keys outside the table are names that the choice binds.
fn choice(reader: &mut ScenarioReader<'_>, node: &Node, table: &Table) -> Option<ScenarioChoice> {
    let fields = reader.open_fields(node, "a choice to play")?;
    let args = fields.iter();
    let args = args.filter(|(key, _)| table.key(&key.text).is_none());
    let args = args.map(|(key, node)| (key.text.to_string(), json(node)));
    Some(ScenarioChoice {
        seat: seat(reader, fields),
        option: fields.one("option", |node| reader.text(node, "an option's name")),
        args: args.collect(),
        span: node.span,
    })
}

fn choices(reader: &mut ScenarioReader<'_>, node: &Node) -> Vec<ScenarioChoice> {
    let members = reader.list(node, "a list of choices").iter();
    let choices = members.filter_map(|member| choice(reader, member, &keys::CHOICE));
    choices.collect()
}

fn seat(reader: &mut ScenarioReader<'_>, fields: ScenarioFields<'_>) -> Option<u8> {
    fields.one("seat", |node| reader.seat(node))
}

fn refused(reader: &mut ScenarioReader<'_>, node: &Node) -> Option<ExpectedRefusal> {
    let choice = choice(reader, node, &keys::REFUSED)?;
    let fields = reader.open_fields(node, "a choice")?;
    Some(ExpectedRefusal {
        choice,
        code: fields.one("code", |node| reader.located(node, "a code")),
        clause: fields.one("clause", |node| reader.clause(node)),
    })
}

fn waiting(reader: &mut ScenarioReader<'_>, node: &Node) -> Option<ExpectedDecisions> {
    let fields = reader.fields(node, "`waiting`", &keys::WAITING.names())?;
    let seats = fields.get("seats");
    let options = fields.get("options");
    let listed = fields.get("choices");
    Some(ExpectedDecisions {
        seat: seat(reader, fields),
        seats: seats.map(|node| reader.numbers(node, "a seat's number")),
        option: fields.one("option", |node| reader.text(node, "an option's name")),
        prompt: fields.one("prompt", |node| reader.text(node, "a prompt")),
        kind: fields.one("kind", |node| reader.text(node, "a kind of decision")),
        options: options.map(|node| reader.texts(node, "an option's name")),
        count: fields.one("count", |node| reader.number(node, "a number of choices")),
        choices: listed.map(|node| choices(reader, node)),
        includes: fields.all("includes", |node| choices(reader, node)),
        excludes: fields.all("excludes", |node| choices(reader, node)),
    })
}

fn sees(reader: &mut ScenarioReader<'_>, node: &Node) -> Option<Sees> {
    let fields = reader.fields(node, "`sees`", &keys::SEES.names())?;
    let who = fields.get("seat");
    if who.is_none() {
        let help = "add a viewer: the number of a seat, or `public`";
        reader.missing(node.span, "seat", help);
    }
    let is_public =
        who.is_some_and(|node| matches!(&node.kind, NodeKind::Scalar(s) if &*s.text == "public"));
    Some(Sees {
        seat: match is_public {
            true => None,
            false => Some(reader.seat(who?)?),
        },
        view: fields.get("view").map(json),
        hides: fields.all("hides", |node| reader.texts(node, "an id")),
        events: fields.all("events", |node| events(reader, node)),
        no_events: fields.all("no_events", |node| events(reader, node)),
    })
}

fn events(reader: &mut ScenarioReader<'_>, node: &Node) -> Vec<Located<serde_json::Value>> {
    let members = reader.list(node, "a list of events");
    let event = |node: &Node| Located::new(json(node), node.span);
    members.iter().map(event).collect()
}

fn over(reader: &mut ScenarioReader<'_>, node: &Node) -> Option<Over> {
    let fields = reader.fields(node, "`over`", &keys::OVER.names())?;
    let winners = fields.get("winners");
    let ranking = fields.get("ranking");
    Some(Over {
        winners: winners.map(|node| reader.numbers(node, "a seat's number")),
        drawn: fields.one("drawn", |node| reader.truth(node)),
        ranking: ranking.map(|node| {
            let members = reader.list(node, "a list of what was compared, best first");
            members.iter().map(json).collect()
        }),
    })
}

pub fn luck(reader: &mut ScenarioReader<'_>, node: &Node) -> Vec<Located<ForcedResult>> {
    let members = reader.list(node, "results of luck");
    let results = members.iter().filter_map(|member| {
        let value = result(reader, member)?;
        Some(Located::new(value, member.span))
    });
    results.collect()
}

/// Parses `null`, a value, `{top: [ids]}`, or `{a: 3, b: 1}`.
fn result(reader: &mut ScenarioReader<'_>, node: &Node) -> Option<ForcedResult> {
    match &node.kind {
        NodeKind::Scalar(scalar) => {
            let is_null = scalar.is_plain && matches!(&*scalar.text, "null" | "~");
            Some(match scalar.is_missing() || is_null {
                true => ForcedResult::Free,
                false => ForcedResult::Value(scalar.text.to_string()),
            })
        }
        NodeKind::Map(entries) => Some(named(reader, entries)),
        NodeKind::List(_) => {
            let help = "each die and each random choice takes one result: write them in one list";
            reader.misshapen(node.span, "a list inside the list of results", help);
            None
        }
    }
}

/// Parses `{top: [ids]}`, or the values of a choice by their names.
fn named(reader: &mut ScenarioReader<'_>, entries: &[(Scalar, Node)]) -> ForcedResult {
    if let [(key, value)] = entries
        && keys::RESULT.key(&key.text).is_some()
    {
        return ForcedResult::Top(reader.texts(value, "a component's id"));
    }
    let entries = entries.iter();
    let named = entries.map(|(key, value)| (key.text.to_string(), reader.texts(value, "a value")));
    ForcedResult::Named(named.collect())
}
