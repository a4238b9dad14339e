//! Static types, and which types fit where.

use wyrmgate_program::{EnumId, FamilyId, KindId, NONE, Type};

/// The type of an expression. `of: None` fits everything (`none`, the empty list).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ty {
    pub of: Option<Type>,
    pub list: bool,
}

impl Ty {
    pub const INT: Ty = Ty::known(Some(Type::Int));
    pub const BOOL: Ty = Ty::known(Some(Type::Bool));
    pub const SEAT: Ty = Ty::known(Some(Type::Seat));
    pub const ANY: Ty = Ty::known(None);
    pub const COMPONENT: Ty = Ty::known(Some(Type::Component(None)));
    pub const ZONE: Ty = Ty::known(Some(Type::Zone(None)));
    pub const COMPONENTS: Ty = Ty::COMPONENT.listed();
    pub const ZONES: Ty = Ty::ZONE.listed();

    const fn known(of: Option<Type>) -> Ty {
        Ty { of, list: false }
    }

    /// Returns the type of lists with members of this type.
    const fn listed(self) -> Ty {
        Ty { list: true, ..self }
    }

    pub fn one(of: impl Into<Option<Type>>) -> Ty {
        Ty::known(of.into())
    }

    pub fn list(of: impl Into<Option<Type>>) -> Ty {
        Ty::known(of.into()).listed()
    }

    pub fn element(self) -> Ty {
        Ty::known(self.of)
    }
}

/// Returns the value that stands for `none` in this type: 0 for numbers and truth values, otherwise NONE.
pub fn default_of(of: Type) -> i32 {
    match of {
        Type::Int | Type::Bool => 0,
        _ => NONE,
    }
}

/// Returns whether values of this type are ordered, so that they count from 1 as an index of a list.
pub fn is_ordinal(of: Type) -> bool {
    matches!(of, Type::Enum(_) | Type::Seat | Type::Side)
}

/// Relations between kinds and their families.
pub trait Families {
    fn kind_in(&self, kind: KindId, family: KindId) -> bool;
    fn family_of(&self, kind: KindId) -> Option<KindId>;
    fn kind_name(&self, kind: KindId) -> &str;
    fn kind_plural(&self, kind: KindId) -> &str;
    fn family_name(&self, family: FamilyId) -> &str;
    fn enum_name(&self, id: EnumId) -> &str;
    /// Returns the name of the type of the records of a table.
    fn record_name(&self, table: u16) -> &str;

    /// Returns whether a value of type `found` fits where `wanted` is expected. A kind and its family fit both ways,
    /// because a question to the wrong kind returns `none`.
    fn fits(&self, found: Option<Type>, wanted: Option<Type>) -> bool {
        match (found, wanted) {
            (None, _) | (_, None) => true,
            (Some(Type::Component(a)), Some(Type::Component(b))) => match (a, b) {
                (Some(a), Some(b)) => a == b || self.kind_in(a, b) || self.kind_in(b, a),
                _ => true,
            },
            (Some(Type::Zone(a)), Some(Type::Zone(b))) => a.is_none() || b.is_none() || a == b,
            (a, b) => a == b,
        }
    }

    /// Returns the common type of both: for two kinds of one family, the family; for zones of two families, zones;
    /// `None` if they do not mix.
    fn common(&self, one: Option<Type>, other: Option<Type>) -> Option<Option<Type>> {
        if self.fits(one, other) {
            return Some(self.wider(one, other));
        }
        if let (Some(Type::Zone(_)), Some(Type::Zone(_))) = (one, other) {
            return Some(Some(Type::Zone(None)));
        }
        let (Some(Type::Component(Some(a))), Some(Type::Component(Some(b)))) = (one, other) else {
            return None;
        };
        let family = self.family_of(a)?;
        (self.family_of(b) == Some(family)).then_some(Some(Type::Component(Some(family))))
    }

    /// Returns the wider of two fitting types: a family rather than one of its kinds.
    fn wider(&self, one: Option<Type>, other: Option<Type>) -> Option<Type> {
        let Some(of) = one else { return other };
        match (of, other) {
            (Type::Component(Some(kind)), Some(Type::Component(family))) => match family {
                Some(family) if !self.kind_in(kind, family) => one,
                _ => other,
            },
            (Type::Zone(Some(_)), Some(Type::Zone(None))) => other,
            _ => one,
        }
    }

    /// Returns the type in words, for messages.
    fn name_of(&self, ty: Ty) -> String {
        let (one, several) = match ty.of {
            None if ty.list => return "an empty list".into(),
            None => return "nothing".into(),
            Some(Type::Int) => ("number", "numbers".to_string()),
            Some(Type::Bool) => ("truth value", "truth values".into()),
            Some(Type::Seat) => ("seat", "seats".into()),
            Some(Type::Enum(id)) => (self.enum_name(id), format!("{} values", self.enum_name(id))),
            Some(Type::Component(None)) => ("component", "components".into()),
            Some(Type::Component(Some(kind))) => {
                (self.kind_name(kind), self.kind_plural(kind).into())
            }
            Some(Type::Zone(None)) => ("zone", "zones".into()),
            Some(Type::Zone(Some(family))) => {
                let name = self.family_name(family);
                return match ty.list {
                    true => format!("a list of `{name}` zones"),
                    false => format!("the zone `{name}`"),
                };
            }
            Some(Type::Cell) => ("cell", "cells".into()),
            Some(Type::Side) => ("side", "sides".into()),
            Some(Type::Row(_)) => ("list", "lists".into()),
            Some(Type::Amounts(_)) => return "a bundle".into(),
            Some(Type::Letter) if ty.list => return "a text".into(),
            Some(Type::Letter) => ("letter", "letters".into()),
            Some(Type::Record(table)) => {
                let name = self.record_name(table);
                (name, format!("{name}s"))
            }
        };
        let article = if one.starts_with(['a', 'e', 'i', 'o', 'u']) {
            "an"
        } else {
            "a"
        };
        match ty.list {
            true => format!("a list of {several}"),
            false => format!("{article} {one}"),
        }
    }
}
