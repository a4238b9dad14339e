//! The arguments of an option: their types in the rules, and the values that they can have.

use serde::Serialize;
use utoipa::ToSchema;

use wyrmgate_program::{BinderInfo, Program, Type};
use wyrmgate_spaces::{Argument, DomainKind, OptionSpace, Spaces};

/// A name of an option, and the values that it can have.
#[derive(Serialize, ToSchema)]
pub struct ArgumentDoc {
    name: String,
    /// `number`, `bool`, `seat`, `component`, `zone`, `place`, `side`, or the name of a type.
    #[serde(rename = "type")]
    of: String,
    /// Always false: it is for fields of components.
    #[schema(deprecated)]
    on_back: bool,
    /// The kind of the component. Absent if any kind is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    /// The family of the zone. Absent if any is possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    family: Option<String>,
    /// Minimum of a number, or of the coordinates of a place on an open grid.
    #[serde(skip_serializing_if = "Option::is_none")]
    low: Option<i64>,
    /// Maximum of the same.
    #[serde(skip_serializing_if = "Option::is_none")]
    high: Option<i64>,
    /// Whether the rules state no bounds; `low` and `high` are then those that have numbers.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    assumed: bool,
    /// Whether `none` is a value too. It comes after the others.
    or_none: bool,
    #[serde(flatten)]
    list: ArgumentList,
    /// How many values there are: components and zones in the order of the ruleset, values of a type, numbers from `low`,
    /// false and true, seats, places from the lowest column and in it from the lowest row. Components that the seat cannot
    /// identify come last, by their zone and their rank among the hidden ones there.
    values: u64,
    /// In a factored space, the action of the first value.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_part: Option<u64>,
}

/// The list that an argument is, if it is one.
#[derive(Serialize, ToSchema)]
pub struct ArgumentList {
    /// Whether the value is a list.
    many: bool,
    /// Whether the order of the list matters.
    ordered: bool,
    /// Whether a value can occur more than once in the list.
    repeats: bool,
    /// Minimum length of the list, if the rules state a number.
    #[serde(skip_serializing_if = "Option::is_none")]
    least: Option<u64>,
    /// Maximum length of the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    most: Option<u64>,
}

impl ArgumentDoc {
    /// Describes an argument. `of` is the type in the rules.
    pub fn new(program: &Program, spaces: &Spaces, argument: &Argument, of: Type) -> ArgumentDoc {
        let mut doc = ArgumentDoc {
            name: argument.name.clone(),
            of: type_name(program, of),
            on_back: false,
            kind: None,
            family: None,
            low: None,
            high: None,
            assumed: false,
            or_none: argument.values.or_none,
            list: ArgumentList {
                many: argument.many.is_some(),
                ordered: argument.many.is_some_and(|many| many.ordered),
                repeats: argument.many.is_some_and(|many| many.repeats),
                least: argument.many.and_then(|many| many.least),
                most: argument.many.map(|many| many.most),
            },
            values: argument.values.size,
            first_part: spaces.actions.first_part(argument),
        };
        match &argument.values.values {
            DomainKind::Number { low, high, assumed } => {
                (doc.low, doc.high, doc.assumed) = (Some(*low), Some(*high), *assumed);
            }
            DomainKind::Cell { reach } => {
                let reach = i64::from(*reach);
                (doc.low, doc.high) = (Some(-reach), Some(reach));
            }
            DomainKind::Letter { first, last } => {
                (doc.low, doc.high) = (Some(*first), Some(*last));
            }
            DomainKind::Component { kind } => doc.kind.clone_from(kind),
            DomainKind::Zone { family } => doc.family.clone_from(family),
            DomainKind::Boolean | DomainKind::Seat | DomainKind::Enum { .. } | DomainKind::Side => {
            }
        }
        doc
    }
}

/// Describes the arguments of an option.
pub fn arguments(
    program: &Program,
    spaces: &Spaces,
    option: &OptionSpace,
    binders: &[BinderInfo],
) -> Vec<ArgumentDoc> {
    let arguments = option.arguments.iter().zip(binders);
    arguments
        .map(|(argument, binder)| ArgumentDoc::new(program, spaces, argument, binder.of))
        .collect()
}

/// Returns the name of a type for clients.
pub fn type_name(program: &Program, of: Type) -> String {
    if let Type::Amounts(of) = of {
        return format!("bundle of {}", type_name(program, Type::Enum(of)));
    }
    let name = match of {
        Type::Int | Type::Row(_) | Type::Record(_) | Type::Amounts(_) => "number",
        Type::Letter => "text",
        Type::Bool => "bool",
        Type::Seat => "seat",
        Type::Component(_) => "component",
        Type::Zone(_) => "zone",
        Type::Cell => "place",
        Type::Side => "side",
        Type::Enum(id) => {
            let info = program.enums.get(usize::from(id));
            info.map_or("number", |info| info.name.as_str())
        }
    };
    name.to_owned()
}
