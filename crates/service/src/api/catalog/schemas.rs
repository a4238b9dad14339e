//! JSON Schemas of the documents of one game (views, choices and events) with the names from its rules.
//!
//! The schemas are valid for every number of seats and every setting of options, so ids are plain strings. Names of
//! kinds, zones, variables and options, and their types, are exact.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::api::document::event_shapes::{EventShape, SHAPES};
use wyrmgate_program::{
    BinderInfo, BinderSize, DECLINE, Program, SiteOption, Type, VAR_SCORE, VarInfo, VarRole,
};

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

/// Returns the schema of `state` in a view.
pub fn view(program: &Program) -> Value {
    let vars = program.vars.iter().skip(usize::from(VAR_SCORE) + 1);
    let vars = vars.filter(|var| !var.internal && var.role != VarRole::Members);
    let vars = variables(program, vars);
    let families: Vec<&str> = program.families.iter().map(|f| f.name.as_str()).collect();
    let kinds: Vec<&str> = program
        .kinds
        .iter()
        .map(|kind| kind.name.as_str())
        .collect();
    let seat = json!({"type": "integer", "minimum": 1, "maximum": 8});
    json!({
        "$schema": DIALECT,
        "title": program.identity.game,
        "type": "object",
        "required": ["game", "seats", "active", "round", "turn", "phase", "scores", "vars", "zones", "decisions", "outcome"],
        "additionalProperties": false,
        "properties": {
            "game": {"type": "string"},
            "seats": seat,
            "active": {"anyOf": [seat, {"type": "null"}]},
            "round": {"type": "integer"},
            "turn": {"type": "integer"},
            "phase": {"type": ["string", "null"]},
            "scores": {"type": "array", "items": {"type": "integer"}},
            "vars": {"type": "object", "properties": vars, "additionalProperties": false},
            "zones": {"type": "object", "additionalProperties": {"$ref": "#/$defs/zone"}},
            "decisions": {"type": "array", "items": {
                "type": "object", "required": ["seat"], "properties": {"seat": seat}, "additionalProperties": false,
            }},
            "outcome": {"type": ["object", "null"]},
        },
        "$defs": {
            "zone": {
                "type": "object",
                "required": ["family", "title", "keys", "count", "components"],
                "additionalProperties": false,
                "properties": {
                    "family": {"enum": families},
                    "title": {"type": "string"},
                    "keys": {"type": "object"},
                    "fields": {"type": "object"},
                    "count": {"type": ["integer", "null"]},
                    "components": {"type": "array", "items": {"$ref": "#/$defs/component"}},
                },
            },
            "component": {
                "type": "object",
                "required": ["place"],
                "properties": {
                    "id": {"type": "string"},
                    "kind": {"enum": kinds},
                    "title": {"type": "string"},
                    "place": {"type": "integer", "minimum": 1},
                    "holds": {"$ref": "#/$defs/zone"},
                    "cell": {"type": ["string", "null"]},
                    "turned": {"type": "integer", "minimum": 0, "maximum": 3},
                },
            },
        },
    })
}

/// Returns the schema of a choice.
pub fn choices(program: &Program) -> Value {
    let mut forms: Vec<Value> = Vec::new();
    let sites = program.sites.iter().filter(|site| !site.name.is_empty());
    for option in sites.flat_map(|site| &site.options) {
        let form = chosen(program, option);
        if !forms.contains(&form) {
            forms.push(form);
        }
    }
    json!({
        "$schema": DIALECT,
        "title": format!("{}: a choice", program.identity.game),
        "type": "object",
        "required": ["id", "args", "label", "refers"],
        "properties": {
            "id": {"type": "string"},
            "label": {"type": "string"},
            "refers": {"type": "array", "items": {"type": "string"}},
        },
        "anyOf": forms,
    })
}

fn chosen(program: &Program, option: &SiteOption) -> Value {
    let binders = option.binders.iter();
    let mut names: Vec<&str> = binders.map(BinderInfo::whole_name).collect();
    names.dedup();
    let mut args: Map<String, Value> = Map::new();
    for binder in &option.binders {
        let Some((whole, part)) = binder.amount_in() else {
            args.insert(binder.name.clone(), bound(program, binder));
            continue;
        };
        let bundle = args.entry(whole).or_insert_with(
            || json!({"type": "object", "properties": {}, "additionalProperties": false}),
        );
        if let Some(amounts) = bundle
            .pointer_mut("/properties")
            .and_then(Value::as_object_mut)
        {
            amounts.insert(part.to_owned(), json!({"type": "integer", "minimum": 0}));
        }
    }
    let args = json!({
        "type": "object", "required": names, "properties": args, "additionalProperties": false,
    });
    match option.name.as_str() {
        "" => json!({"not": {"required": ["option"]}, "properties": {"args": args}}),
        name => {
            json!({"required": ["option"], "properties": {"option": {"const": name}, "args": args}})
        }
    }
}

fn bound(program: &Program, binder: &BinderInfo) -> Value {
    let one = value(program, binder.of);
    match binder.count {
        BinderSize::One | BinderSize::Text { .. } => one,
        _ => json!({"type": "array", "items": one}),
    }
}

/// Returns the schema of an event. Newer servers may add types.
pub fn events(program: &Program) -> Value {
    let sites = program.sites.iter().flat_map(|site| &site.options);
    let mut options: Vec<&str> = sites.map(|option| option.name.as_str()).collect();
    options.retain(|name| !name.is_empty());
    options.push(DECLINE);
    options.sort_unstable();
    options.dedup();
    json!({
        "$schema": DIALECT,
        "title": format!("{}: an event", program.identity.game),
        "type": "object",
        "required": ["type"],
        "properties": {"type": {"type": "string"}},
        "allOf": SHAPES.iter().map(|shape| when(shape, &options)).collect::<Vec<_>>(),
    })
}

fn when(shape: &EventShape, options: &[&str]) -> Value {
    let mut properties = shape.properties();
    if let Some(option) = properties.get_mut("option") {
        *option = json!({"enum": options});
    }
    for referring in properties.values_mut().filter(|schema| refers(schema)) {
        *referring = json!({});
    }
    json!({
        "if": {"properties": {"type": {"const": shape.of}}},
        "then": {"properties": properties},
    })
}

/// Returns whether a schema refers to another one of the OpenAPI document.
fn refers(schema: &Value) -> bool {
    schema.get("$ref").is_some() || schema.pointer("/items/$ref").is_some()
}

/// Returns the schemas of variables by name. The parts of records are the properties of one variable.
fn variables<'p>(program: &Program, vars: impl Iterator<Item = &'p VarInfo>) -> Map<String, Value> {
    let mut all = Map::new();
    let mut records: BTreeMap<&str, (&VarInfo, Map<String, Value>)> = BTreeMap::new();
    for var in vars {
        let of = match var.role {
            VarRole::Lengths { of, .. } => of,
            VarRole::Values | VarRole::Members => var.of,
        };
        let one = value(program, of);
        let Some(part) = &var.part else {
            all.insert(var.name.clone(), variable(var, one));
            continue;
        };
        let one = json!({"anyOf": [one, {"type": "null"}]});
        let of = part.within.as_deref().unwrap_or(part);
        let (_, parts) = records.entry(&of.variable).or_insert((var, Map::new()));
        match &part.within {
            None => drop(parts.insert(part.part.clone(), one)),
            Some(_) => with_amount(parts, &of.part, &part.part, one),
        }
    }
    for (name, (var, parts)) in records {
        let one = json!({"anyOf": [record(&parts), {"type": "null"}]});
        all.insert(name.to_owned(), variable(var, one));
    }
    all
}

/// Adds a value to the schema of a bundle in a record.
fn with_amount(parts: &mut Map<String, Value>, bundle: &str, value: &str, amount: Value) {
    let known = parts
        .get(bundle)
        .and_then(|known| known.pointer("/anyOf/0/properties"));
    let mut amounts = known
        .and_then(Value::as_object)
        .cloned()
        .unwrap_or_default();
    amounts.insert(value.to_owned(), amount);
    let one = json!({"anyOf": [record(&amounts), {"type": "null"}]});
    parts.insert(bundle.to_owned(), one);
}

fn record(parts: &Map<String, Value>) -> Value {
    let names: Vec<&String> = parts.keys().collect();
    json!({"type": "object", "properties": parts, "required": names, "additionalProperties": false})
}

/// Returns the schema of a variable with these values.
fn variable(var: &VarInfo, value: Value) -> Value {
    let one = match var.role {
        VarRole::Lengths { of, .. } if of != Type::Letter => {
            json!({"type": "array", "items": value})
        }
        VarRole::Lengths { .. } => value,
        VarRole::Values | VarRole::Members => value,
    };
    let one = json!({"anyOf": [one, {"type": "null"}]});
    match var.index {
        None => one,
        Some(Type::Seat | Type::Int) => json!({"type": "array", "items": one}),
        Some(_) => json!({"type": "object", "additionalProperties": one}),
    }
}

fn value(program: &Program, of: Type) -> Value {
    match of {
        Type::Int | Type::Row(_) | Type::Record(_) | Type::Amounts(_) => json!({"type": "integer"}),
        Type::Letter => json!({"type": "string"}),
        Type::Bool => json!({"type": "boolean"}),
        Type::Seat => {
            json!({"anyOf": [{"type": "integer", "minimum": 1, "maximum": 8}, {"type": "null"}]})
        }
        Type::Component(_) | Type::Zone(_) | Type::Cell | Type::Side => {
            json!({"type": ["string", "null"]})
        }
        Type::Enum(id) => {
            let info = program.enums.get(usize::from(id));
            let values = info.map_or(&[][..], |info| &info.values);
            let mut all: Vec<Value> = values.iter().map(|value| json!(value)).collect();
            all.push(Value::Null);
            json!({"enum": all})
        }
    }
}
