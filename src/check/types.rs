//! Static types: what a value is, and what fits where.

use crate::program::{EnumId, FamilyId, KindId, NONE, Type};

/// The type of an expression. `of: None` fits everything (`none`, the empty list).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ty {
    pub of: Option<Type>,
    pub list: bool,
}

impl Ty {
    pub const INT: Ty = Ty::one(Type::Int);
    pub const BOOL: Ty = Ty::one(Type::Bool);
    pub const SEAT: Ty = Ty::one(Type::Seat);
    pub const ANY: Ty = Ty {
        of: None,
        list: false,
    };
    pub const COMPONENT: Ty = Ty::one(Type::Component(None));
    pub const ZONE: Ty = Ty::one(Type::Zone(None));

    pub const fn one(of: Type) -> Ty {
        Ty {
            of: Some(of),
            list: false,
        }
    }

    pub const fn list(of: Type) -> Ty {
        Ty {
            of: Some(of),
            list: true,
        }
    }

    pub fn element(self) -> Ty {
        Ty {
            of: self.of,
            list: false,
        }
    }
}

/// What "nothing" answers for this type: numbers and truth are 0, all else is none.
pub fn default_of(of: Type) -> i32 {
    match of {
        Type::Int | Type::Bool => 0,
        _ => NONE,
    }
}

/// Relations between kinds and their families, as far as fitting needs them.
pub trait Families {
    fn kind_in(&self, kind: KindId, family: KindId) -> bool;
    fn kind_name(&self, kind: KindId) -> &str;
    fn family_name(&self, family: FamilyId) -> &str;
    fn enum_name(&self, id: EnumId) -> &str;

    /// May a value of type `found` stand where `wanted` is expected? A kind and its family fit both ways: what is
    /// asked of the wrong kind answers nothing.
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

    /// The type of what may be of one or of the other of two types that fit: a family rather than one of its kinds.
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

    /// In words, for messages.
    fn name_of(&self, ty: Ty) -> String {
        let base = match ty.of {
            None => {
                return if ty.list {
                    "an empty list".into()
                } else {
                    "nothing".into()
                };
            }
            Some(Type::Int) => "number".to_string(),
            Some(Type::Bool) => "truth value".into(),
            Some(Type::Seat) => "seat".into(),
            Some(Type::Enum(id)) => self.enum_name(id).to_string(),
            Some(Type::Component(None)) => "component".into(),
            Some(Type::Component(Some(kind))) => self.kind_name(kind).to_string(),
            Some(Type::Zone(None)) => "zone".into(),
            Some(Type::Zone(Some(family))) => format!("zone `{}`", self.family_name(family)),
            Some(Type::Cell) => "cell".into(),
            Some(Type::Side) => "side".into(),
        };
        if ty.list {
            format!("a list of {base}")
        } else {
            format!("a {base}")
        }
    }
}
