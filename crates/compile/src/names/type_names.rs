//! The words for types in signatures and declarations: `int`, `dragons`, `space`.

use super::reserved::TYPES;
use super::types::{Families, Ty};
use super::world::{Symbol, World};
use wyrmgate_base::diagnostic::did_you_mean;
use wyrmgate_program::Type;

impl World {
    /// Returns the type that a word in a signature or declaration refers to: `int`, `seat`, `dragon`, `dragons`,
    /// `space` …
    pub fn type_named(&self, name: &str) -> Option<Ty> {
        let builtin = match name {
            "int" => Ty::INT,
            "bool" => Ty::BOOL,
            "seat" => Ty::SEAT,
            "zone" => Ty::ZONE,
            "component" => Ty::COMPONENT,
            "cell" => Ty::one(Type::Cell),
            "side" => Ty::one(Type::Side),
            "ints" => Ty::list(Type::Int),
            "seats" => Ty::list(Type::Seat),
            "zones" => Ty::list(Type::Zone(None)),
            "components" => Ty::list(Type::Component(None)),
            "cells" => Ty::list(Type::Cell),
            // A game can have a type of this name.
            "text" if self.symbol(name).is_none() => Ty::list(Type::Letter),
            _ => return self.declared_type(name),
        };
        Some(builtin)
    }

    fn declared_type(&self, name: &str) -> Option<Ty> {
        match self.symbol(name) {
            Some(Symbol::Enum(id)) => Some(Ty::one(Type::Enum(id))),
            Some(Symbol::Kind(kind)) => Some(Ty::one(Type::Component(Some(kind)))),
            Some(Symbol::Plural(kind)) => Some(Ty::list(Type::Component(Some(kind)))),
            Some(Symbol::Family(family)) => Some(Ty::one(Type::Zone(Some(family)))),
            Some(Symbol::RecordType(record)) => Some(Ty::one(Type::Record(record))),
            // A variable can have the name of the plural of its type: `claims: {each: seats, type: claim}`.
            found => match self.symbol(name.strip_suffix('s')?)? {
                Symbol::Enum(_) | Symbol::Family(_) if found.is_some() => None,
                Symbol::Enum(id) => Some(Ty::list(Type::Enum(id))),
                Symbol::Family(family) => Some(Ty::list(Type::Zone(Some(family)))),
                Symbol::RecordType(record) => Some(Ty::list(Type::Record(record))),
                _ => None,
            },
        }
    }

    /// Returns the word for a type in a signature.
    pub fn type_word(&self, ty: Ty) -> String {
        let word = match ty.of {
            None | Some(Type::Int) => "int",
            Some(Type::Bool) => "bool",
            Some(Type::Seat) => "seat",
            Some(Type::Enum(id)) => self.enum_name(id),
            Some(Type::Component(None)) => "component",
            Some(Type::Component(Some(kind))) => self.kind_name(kind),
            Some(Type::Zone(None)) => "zone",
            Some(Type::Zone(Some(family))) => self.family_name(family),
            Some(Type::Cell) => "cell",
            Some(Type::Side) => "side",
            Some(Type::Row(_)) => "list",
            Some(Type::Amounts(_)) => "bundle",
            Some(Type::Letter) if ty.list => return "text".to_owned(),
            Some(Type::Letter) => "letter",
            Some(Type::Record(table)) => self.record_name(table),
        };
        match ty.of {
            Some(Type::Component(Some(kind))) if ty.list => self.kind_plural(kind).to_string(),
            _ if ty.list => format!("{word}s"),
            _ => word.to_string(),
        }
    }

    /// Returns the type that was probably meant.
    pub fn suggest_type(&self, wanted: &str) -> Option<String> {
        let names = self.names();
        let types = names
            .into_iter()
            .chain(TYPES)
            .filter(|name| self.names_a_type(name));
        did_you_mean(wanted, types).map(str::to_string)
    }

    fn names_a_type(&self, name: &str) -> bool {
        !matches!(
            self.declared(name),
            Some(
                Symbol::Var(_)
                    | Symbol::Records(_)
                    | Symbol::Constant
                    | Symbol::Words(_)
                    | Symbol::Position(_)
                    | Symbol::Query(_)
            )
        )
    }
}
