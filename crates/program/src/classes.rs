//! Components that look alike: copies, which only their numbers distinguish.

use super::{ByNumber, FieldInfo, FieldPlace, KindId, KindInfo, Program, Type};

/// The classes of a program: copies share one.
#[derive(Debug, Clone, Default)]
pub struct Classes {
    /// By component.
    pub of: Vec<u32>,
    /// By class: the first component, and how many there are.
    pub members: Vec<(u32, u32)>,
    /// By class: whether its members are alike, unless something happens to them in play.
    exchangeable: Vec<bool>,
    /// Whether fields can refer to different components in play.
    pub fields_refer: bool,
}

impl Classes {
    pub fn of(program: &Program) -> Classes {
        let mut fields = program.kinds.iter().flat_map(|kind| &kind.fields);
        let mut classes = Classes {
            fields_refer: fields.any(FieldInfo::refers),
            ..Classes::default()
        };
        for (number, info) in (0u32..).zip(&program.components) {
            // Copies follow one another.
            let last = classes.members.last_mut().filter(|(first, _)| {
                let first = program.components.get(*first as usize);
                first.is_some_and(|first| {
                    first.kind == info.kind && first.naming.has_keys_of(&info.naming)
                }) && has_copies(program, info.kind)
            });
            match last {
                Some((_, count)) => *count += 1,
                None => {
                    classes.members.push((number, 1));
                    classes.exchangeable.push(exchangeable(program, info.kind));
                }
            }
            classes.of.push(classes.members.len() as u32 - 1);
        }
        classes
    }

    pub fn count(&self) -> usize {
        self.members.len()
    }

    /// Returns the class of a component.
    #[inline]
    pub fn class(&self, component: i32) -> usize {
        self.of
            .get(component as usize)
            .map_or(0, |class| *class as usize)
    }

    /// Returns the class of a component, if it has other members and they are alike.
    pub fn shared(&self, component: i32) -> Option<usize> {
        let class = *self.of.at(component)? as usize;
        let (_, count) = self.members.get(class)?;
        (*count > 1 && self.exchangeable.get(class) == Some(&true)).then_some(class)
    }
}

impl Program {
    /// Returns the classes of its components, computed once.
    pub fn classes(&self) -> &Classes {
        self.caches.classes.get_or_init(|| Classes::of(self))
    }

    /// Returns whether the order of the components in a zone means nothing.
    pub fn has_any_order(&self, zone: i32) -> bool {
        let family = self.zone_info(zone).map(|zone| usize::from(zone.family));
        let family = family.and_then(|family| self.families.get(family));
        family.is_some_and(|family| family.any_order)
    }

    /// Returns whether components of this kind can be alike in play.
    pub fn may_be_alike(&self, kind: Option<KindId>) -> bool {
        let is_meant = |number: KindId, info: &KindInfo| {
            kind.is_none_or(|kind| kind == number || info.family == Some(kind))
        };
        let mut kinds = (0..).zip(&self.kinds);
        kinds.any(|(number, info)| info.alike && info.has_copies && is_meant(number, info))
    }
}

fn has_copies(program: &Program, kind: KindId) -> bool {
    let kind = program.kind(kind);
    kind.is_some_and(|kind| kind.has_copies)
}

/// Returns whether the components of a kind can be exchanged: the rules say so, no zone belongs to one of them, and they
/// hold nothing.
fn exchangeable(program: &Program, kind: KindId) -> bool {
    let Some(info) = program.kind(kind) else {
        return false;
    };
    let first = program.components.get(info.first as usize);
    let mut keys = program.families.iter().flat_map(|family| &family.keys);
    let is_plain = first.is_some_and(|first| first.holds.is_none());
    info.alike && is_plain && !keys.any(|key| matches!(key.of, Type::Component(_)))
}

/// Returns the kinds of which there are components, not the families of kinds.
pub fn kinds(program: &Program) -> impl Iterator<Item = (KindId, &KindInfo)> {
    (0..).zip(&program.kinds).filter(|(number, kind)| {
        let first = program.components.get(kind.first as usize);
        first.is_some_and(|first| first.kind == *number)
    })
}

/// Returns whether a field can change in play.
pub fn changes(place: FieldPlace) -> bool {
    matches!(place, FieldPlace::Changing { .. })
}
