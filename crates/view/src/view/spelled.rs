//! The zones of a view as JSON: the same as that of their documents, of which nearly everything never changes. Names,
//! titles, keys and constants are written once for each program and language; a view copies them, and writes what changes
//! between them.
//!
//! Who may know what is asked for each view, by the code that makes the documents.

use std::any::Any;
use std::sync::{Arc, OnceLock};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};
use wyrmgate_base::presume::Presume;
use wyrmgate_engine::see::{as_they_lie_for, counts};
use wyrmgate_program::{
    FieldInfo, FieldPlace, KindInfo, Language, Program, Refers, Type, ZoneId, ZoneInfo,
};

use super::{ViewWriter, own_fields};
use crate::doc::{Doc, Members};
use crate::json::{amounts_doc, value_doc};
use crate::name::{ReaderNames, Titles, title_of_zone};

/// Members of a component that the view adds behind its fields, and that replace fields of these names.
const ADDED: [&str; 4] = ["holds", "place", "cell", "turned"];

/// The parts of the views of a program that never change, language by language.
struct Spelling(Vec<OnceLock<Spelled>>);

struct Spelled {
    /// By number. `None` for what has to be made as a document.
    zones: Vec<Option<SpelledMembers>>,
    components: Vec<Option<SpelledMembers>>,
}

/// The members of the JSON of a zone or a component that every view has, in their order.
type SpelledMembers = Vec<(String, JsonPart)>;

enum JsonPart {
    /// What never changes.
    Constant(Box<RawValue>),
    /// The value of the field with this number.
    Field(usize),
    /// Which side of a component is up.
    Face,
    Inside(SpelledMembers),
}

impl<'a> ViewWriter<'a> {
    pub(super) fn zones_spelled(&self) -> Box<RawValue> {
        to_raw_value(&ZonesJson(self))
            .presume("the keys of documents are texts")
            .unwrap_or_default()
    }

    fn spelled(&self) -> Option<&'a Spelled> {
        let program = self.program;
        let language = self.names.language();
        let new = || {
            let languages = program.prose.languages.len().max(1);
            let all = (0..languages).map(|_| OnceLock::new());
            Arc::new(Spelling(all.collect())) as Arc<dyn Any + Send + Sync>
        };
        let kept = program.caches.spelling.get_or_init(new);
        let Spelling(languages) = kept.downcast_ref()?;
        let spelled = languages.get(usize::from(language.0))?;
        Some(spelled.get_or_init(|| Spelled::new(program, language)))
    }
}

struct ZonesJson<'v>(&'v ViewWriter<'v>);

impl Serialize for ZonesJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let ZonesJson(look) = *self;
        let spelled = look.spelled();
        to.collect_map(look.open_zones().map(|(zone, name, info)| {
            let json = ZoneJson {
                look,
                spelled,
                zone,
                info,
            };
            (name, json)
        }))
    }
}

struct ZoneJson<'v> {
    look: &'v ViewWriter<'v>,
    spelled: Option<&'v Spelled>,
    zone: i32,
    info: &'v ZoneInfo,
}

impl Serialize for ZoneJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (look, zone) = (self.look, self.zone);
        let members = self
            .spelled
            .and_then(|spelled| spelled.zones.get(zone.max(0) as usize)?.as_ref());
        let family = look.program.family(self.info.family);
        let (Some(members), Some(family)) = (members, family) else {
            return look.zone(zone, self.info).serialize(to);
        };
        let own = MembersJson {
            look,
            members,
            fields: &family.fields,
            at: zone,
            added: Members::default(),
        };
        let counted = counts(look.program, look.state, look.viewer, zone);
        let count = counted.then(|| look.state.zone_count(zone));
        let mut json = to.serialize_map(None)?;
        own.write(&mut json)?;
        json.serialize_entry("count", &count)?;
        json.serialize_entry("components", &self.components(counted))?;
        json.end()
    }
}

impl<'v> ZoneJson<'v> {
    fn components(&self, counted: bool) -> Vec<ComponentJson<'v>> {
        if !counted {
            return Vec::new();
        }
        let look = self.look;
        let lying = as_they_lie_for(look.program, look.state, look.viewer, self.zone);
        let lying = lying.into_iter().enumerate();
        lying
            .filter_map(|(at, component)| self.component(at, component))
            .collect()
    }

    fn component(&self, at: usize, component: i32) -> Option<ComponentJson<'v>> {
        let look = self.look;
        let name = look.name_of(component);
        let of = |spelled: &'v Spelled| spelled.components.get(component.max(0) as usize)?.as_ref();
        let members = self.spelled.and_then(of).filter(|_| name.is_some());
        let (Some(members), Some(kind)) = (members, look.kind(component)) else {
            let made = look.component(at, component, name.as_deref(), self.info);
            return made.map(ComponentJson::Made);
        };
        let mut added = Members::default();
        look.place(at, component, &mut added);
        Some(ComponentJson::Spelled(MembersJson {
            look,
            members,
            fields: &kind.fields,
            at: component,
            added,
        }))
    }
}

#[derive(Serialize)]
#[serde(untagged)]
enum ComponentJson<'v> {
    Spelled(MembersJson<'v>),
    Made(Members<'static>),
}

/// The members of a zone or a component, and those that are added behind them.
struct MembersJson<'v> {
    look: &'v ViewWriter<'v>,
    members: &'v SpelledMembers,
    fields: &'v [FieldInfo],
    at: i32,
    added: Members<'static>,
}

impl MembersJson<'_> {
    fn write<M: SerializeMap>(&self, json: &mut M) -> Result<(), M::Error> {
        let MembersJson {
            look, fields, at, ..
        } = *self;
        for (name, part) in self.members {
            match part {
                JsonPart::Constant(value) => json.serialize_entry(name, value)?,
                JsonPart::Field(number) => {
                    let value = fields.get(*number).map(|field| look.field(field, at));
                    json.serialize_entry(name, &value)?;
                }
                JsonPart::Face => json.serialize_entry(name, look.face(at))?,
                JsonPart::Inside(members) => {
                    let added = Members::default();
                    let inside = MembersJson {
                        members,
                        added,
                        ..*self
                    };
                    json.serialize_entry(name, &inside)?;
                }
            }
        }
        let mut added = self.added.iter();
        added.try_for_each(|(name, value)| json.serialize_entry(name, value))
    }
}

impl Serialize for MembersJson<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let mut json = to.serialize_map(None)?;
        self.write(&mut json)?;
        json.end()
    }
}

impl Spelled {
    fn new(program: &Program, language: Language) -> Spelled {
        let reader = wyrmgate_engine::Viewer::Public.reading(language);
        let spelling = ConstantSpeller {
            program,
            language,
            names: ReaderNames::new(program, reader),
        };
        let zones = program.zones.iter().enumerate();
        let components = program.components.iter().enumerate();
        Spelled {
            zones: zones.map(|(at, info)| spelling.zone(at, info)).collect(),
            components: components
                .map(|(at, info)| {
                    let kind = program.kind(info.kind)?;
                    let kind = Some(kind).filter(|_| info.holds.is_none());
                    spelling.component(at as i32, kind?)
                })
                .collect(),
        }
    }
}

/// Spells what never changes.
struct ConstantSpeller<'p> {
    program: &'p Program,
    language: Language,
    names: ReaderNames<'p>,
}

impl ConstantSpeller<'_> {
    fn zone(&self, at: usize, info: &ZoneInfo) -> Option<SpelledMembers> {
        let family = self.program.family(info.family)?;
        let title = title_of_zone(self.program, at, self.language)?;
        self.program.open_zone(at as ZoneId)?;
        let keys = family.keys.iter().map(|key| {
            let value = self.program.constant(key.table, at as i32);
            constant(&key.name, &self.fixed(value, key.of)?)
        });
        let keys = JsonPart::Inside(keys.collect::<Option<_>>()?);
        let fields = own_fields(family);
        let fields = fields.map(|(number, field)| self.field(number, field, at as i32));
        let fields: SpelledMembers = fields.collect::<Option<_>>()?;
        let mut members = vec![
            constant("family", &family.name)?,
            constant("title", &title)?,
            ("keys".to_owned(), keys),
        ];
        if !fields.is_empty() {
            members.push(("fields".to_owned(), JsonPart::Inside(fields)));
        }
        Some(members)
    }

    fn component(&self, component: i32, kind: &KindInfo) -> Option<SpelledMembers> {
        let of = Type::Component(None);
        let title = self.program.title_in_box(component as u16, self.language)?;
        let mut members = vec![
            constant("id", &self.names.fixed(component, of)?)?,
            constant("kind", &kind.name)?,
            constant("title", &title)?,
        ];
        let is_known = |members: &SpelledMembers, name: &str| members.iter().any(|m| m.0 == name);
        for (number, field) in kind.fields.iter().enumerate() {
            if ADDED.contains(&field.name.as_str()) {
                return None;
            }
            if !is_known(&members, &field.name) {
                members.push(self.field(number, field, component)?);
            }
        }
        if !is_known(&members, "face") {
            members.push(("face".to_owned(), JsonPart::Face));
        }
        Some(members)
    }

    fn field(&self, number: usize, field: &FieldInfo, at: i32) -> Option<(String, JsonPart)> {
        match self.constant_field(field, at) {
            Some(value) => constant(&field.name, &value),
            None => Some((field.name.clone(), JsonPart::Field(number))),
        }
    }

    /// Returns the value of a field that is the same for all viewers at all times.
    fn constant_field(&self, field: &FieldInfo, at: i32) -> Option<Doc<'_>> {
        match field.at {
            FieldPlace::Constant(table) => self.fixed(self.program.constant(table, at), field.of),
            FieldPlace::ConstantList { starts, members } => {
                let list = self.program.listed(starts, members, at);
                if let Type::Amounts(of) = field.of {
                    return Some(amounts_doc(self.program, of, list));
                }
                let list = list.iter();
                let list: Option<Vec<Doc<'_>>> =
                    list.map(|value| self.fixed(*value, field.of)).collect();
                list.map(Doc::List)
            }
            FieldPlace::Changing { .. } => None,
        }
    }

    /// Returns a value that the rules fix. The name of a zone can depend on the viewer, because it may be in a component.
    fn fixed(&self, value: i32, of: Type) -> Option<Doc<'_>> {
        let named = || Doc::from(self.names.fixed(value, of));
        (of.refers() != Refers::ToZone).then(|| value_doc(value, of, named))
    }
}

fn constant(name: &str, value: &impl Serialize) -> Option<(String, JsonPart)> {
    let value = JsonPart::Constant(to_raw_value(value).ok()?);
    Some((name.to_owned(), value))
}
