//! The zones of a view as JSON: the same as that of their documents, of which nearly everything never changes. Names,
//! titles, keys and constants are spelled once for each program and language; a view copies them, and writes what changes
//! between them.
//!
//! Who may know what is asked for each view, by the code that makes the documents.

use std::any::Any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use wyrmgate_engine::see::{as_they_lie_for, counts};
use wyrmgate_program::{
    FieldInfo, FieldPlace, KindInfo, Language, Program, Refers, Type, ZoneId, ZoneInfo,
};

use super::{ViewWriter, own_fields};
use crate::doc::Doc;
use crate::json::{amounts_doc, value_doc};
use crate::name::{ReaderNames, Titles, title_of_zone};
use crate::written::{WrittenDocument, push_text, write_json};

/// The capacity for the zones of the first view: a board of a hundred spaces.
const ROOM: usize = 8 * 1024;

/// Members of a component that the view adds behind its fields, and that replace fields of these names.
const ADDED: [&str; 4] = ["holds", "place", "cell", "turned"];

/// The parts of the views of a program that never change, language by language.
struct Spelling(Vec<OnceLock<Spelled>>);

struct Spelled {
    /// By number. `None` for what has to be made as a document.
    zones: Vec<Option<Vec<JsonPiece>>>,
    components: Vec<Option<Vec<JsonPiece>>>,
    /// The capacity for the zones of the next view: the size of the largest so far.
    room: AtomicUsize,
}

/// A part of the JSON of a zone or a component.
enum JsonPiece {
    /// What never changes.
    Text(Vec<u8>),
    /// The value of the field with this number.
    Field(usize),
    /// Which side of a component is up.
    Face,
}

impl Spelling {
    fn new(program: &Program) -> Spelling {
        let languages = program.prose.languages.len().max(1);
        Spelling((0..languages).map(|_| OnceLock::new()).collect())
    }
}

impl<'a> ViewWriter<'a> {
    pub(super) fn zones_spelled(&self) -> WrittenDocument {
        let spelled = self.spelled();
        let room = spelled.map_or(ROOM, |spelled| spelled.room.load(Ordering::Relaxed));
        let mut json = Vec::with_capacity(room);
        json.push(b'{');
        for (at, (zone, name, info)) in self.open_zones().enumerate() {
            if at > 0 {
                json.push(b',');
            }
            self.spell_zone(zone, name, info, spelled, &mut json);
        }
        json.push(b'}');
        if let Some(spelled) = spelled.filter(|_| json.len() > room) {
            spelled.room.fetch_max(json.len(), Ordering::Relaxed);
        }
        WrittenDocument::of(json)
    }

    fn spelled(&self) -> Option<&'a Spelled> {
        let language = self.names.language();
        let new = || Arc::new(Spelling::new(self.program)) as Arc<dyn Any + Send + Sync>;
        let kept = self.program.caches.spelling.get_or_init(new);
        let Spelling(languages) = kept.downcast_ref()?;
        let spelled = languages.get(usize::from(language.0))?;
        Some(spelled.get_or_init(|| Spelled::new(self.program, language)))
    }

    /// Appends the name of a zone and what is in it.
    fn spell_zone(
        &self,
        zone: i32,
        name: &str,
        info: &'a ZoneInfo,
        spelled: Option<&Spelled>,
        json: &mut Vec<u8>,
    ) {
        let pieces = spelled.and_then(|spelled| spelled.zones.get(zone.max(0) as usize)?.as_ref());
        let family = self.program.family(info.family);
        let (Some(spelled), Some(pieces), Some(family)) = (spelled, pieces, family) else {
            push_text(json, name);
            json.push(b':');
            return push(json, &self.zone(zone, info));
        };
        self.spell(pieces, &family.fields, zone, json);
        let is_counted = counts(self.program, self.state, self.viewer, zone);
        match is_counted.then(|| self.state.zone_count(zone)) {
            None => json.extend_from_slice(b",\"count\":null,\"components\":[]}"),
            Some(0) => json.extend_from_slice(b",\"count\":0,\"components\":[]}"),
            Some(count) => {
                json.extend_from_slice(b",\"count\":");
                push(json, &count);
                json.extend_from_slice(b",\"components\":[");
                self.spell_components(zone, info, spelled, json);
                json.extend_from_slice(b"]}");
            }
        }
    }

    fn spell_components(
        &self,
        zone: i32,
        info: &'a ZoneInfo,
        spelled: &Spelled,
        json: &mut Vec<u8>,
    ) {
        let start = json.len();
        let lying = as_they_lie_for(self.program, self.state, self.viewer, zone);
        for (at, component) in lying.into_iter().enumerate() {
            let before = json.len();
            if before > start {
                json.push(b',');
            }
            if !self.spell_component(at, component, info, spelled, json) {
                json.truncate(before);
            }
        }
    }

    /// Returns whether there is anything to say.
    fn spell_component(
        &self,
        at: usize,
        component: i32,
        info: &'a ZoneInfo,
        spelled: &Spelled,
        json: &mut Vec<u8>,
    ) -> bool {
        let name = self.name_of(component);
        let pieces = spelled.components.get(component.max(0) as usize);
        let pieces = pieces.and_then(Option::as_ref).filter(|_| name.is_some());
        let (Some(pieces), Some(kind)) = (pieces, self.kind(component)) else {
            let doc = self.component(at, component, name.as_deref(), info);
            doc.iter().for_each(|doc| push(json, doc));
            return doc.is_some();
        };
        self.spell(pieces, &kind.fields, component, json);
        json.extend_from_slice(b",\"place\":");
        push(json, &(at + 1));
        let cell = self.state.cell_of(component);
        if cell >= 0 {
            json.extend_from_slice(b",\"cell\":");
            push(json, &self.json(cell, Type::Cell));
            json.extend_from_slice(b",\"turned\":");
            push(json, &self.state.turned(component));
        }
        json.push(b'}');
        true
    }

    fn spell(&self, pieces: &[JsonPiece], fields: &[FieldInfo], at: i32, json: &mut Vec<u8>) {
        for piece in pieces {
            match piece {
                JsonPiece::Text(text) => json.extend_from_slice(text),
                JsonPiece::Field(number) => {
                    let value = fields.get(*number).map(|field| self.field(field, at));
                    push(json, &value.unwrap_or_default());
                }
                JsonPiece::Face => push_text(json, self.face(at)),
            }
        }
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
            room: AtomicUsize::new(ROOM),
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
    fn zone(&self, at: usize, info: &ZoneInfo) -> Option<Vec<JsonPiece>> {
        let family = self.program.family(info.family)?;
        let (name, _) = self.program.open_zone(at as ZoneId)?;
        let mut members = Pieces::of_member(name);
        members.constant("family", &family.name);
        members.constant("title", &title_of_zone(self.program, at, self.language)?);
        members.open("keys");
        for key in &family.keys {
            let value = self.program.constant(key.table, at as i32);
            members.constant(&key.name, &self.fixed(value, key.of)?);
        }
        members.close();
        if own_fields(family).next().is_some() {
            members.open("fields");
            for (number, field) in own_fields(family) {
                self.field(number, field, at as i32, &mut members);
            }
            members.close();
        }
        Some(members.pieces())
    }

    fn component(&self, component: i32, kind: &KindInfo) -> Option<Vec<JsonPiece>> {
        let of = Type::Component(None);
        let id = self.names.fixed(component, of)?;
        let title = self.program.title_in_box(component as u16, self.language)?;
        let mut members = Pieces::of_element();
        members.constant("id", &id);
        members.constant("kind", &kind.name);
        members.constant("title", &title);
        let mut known = vec!["id", "kind", "title"];
        for (number, field) in kind.fields.iter().enumerate() {
            if ADDED.contains(&field.name.as_str()) {
                return None;
            }
            if !known.contains(&field.name.as_str()) {
                known.push(&field.name);
                self.field(number, field, component, &mut members);
            }
        }
        if !known.contains(&"face") {
            members.changing("face", JsonPiece::Face);
        }
        Some(members.pieces())
    }

    fn field(&self, number: usize, field: &FieldInfo, at: i32, members: &mut Pieces) {
        match self.constant_field(field, at) {
            Some(value) => members.constant(&field.name, &value),
            None => members.changing(&field.name, JsonPiece::Field(number)),
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

/// Pieces under construction. The text behind the last of them is still growing.
struct Pieces {
    done: Vec<JsonPiece>,
    text: Vec<u8>,
}

impl Pieces {
    /// Begins an object that is an element of a list.
    fn of_element() -> Pieces {
        Pieces {
            done: Vec::new(),
            text: b"{".to_vec(),
        }
    }

    /// Begins an object that is a member of another.
    fn of_member(name: &str) -> Pieces {
        let mut text = Vec::new();
        push_text(&mut text, name);
        text.extend_from_slice(b":{");
        Pieces {
            done: Vec::new(),
            text,
        }
    }

    fn name(&mut self, name: &str) {
        if self.text.last() != Some(&b'{') {
            self.text.push(b',');
        }
        push_text(&mut self.text, name);
        self.text.push(b':');
    }

    fn constant(&mut self, name: &str, value: &impl serde::Serialize) {
        self.name(name);
        push(&mut self.text, value);
    }

    fn changing(&mut self, name: &str, piece: JsonPiece) {
        self.name(name);
        self.done
            .push(JsonPiece::Text(std::mem::take(&mut self.text)));
        self.done.push(piece);
    }

    fn open(&mut self, name: &str) {
        self.name(name);
        self.text.push(b'{');
    }

    fn close(&mut self) {
        self.text.push(b'}');
    }

    fn pieces(mut self) -> Vec<JsonPiece> {
        if !self.text.is_empty() {
            self.done.push(JsonPiece::Text(self.text));
        }
        self.done
    }
}

/// Appends a document. All of ours can be written; one that could not would leave the view without it.
fn push(json: &mut Vec<u8>, document: &impl serde::Serialize) {
    let before = json.len();
    if write_json(json, document).is_err() {
        json.truncate(before);
        json.extend_from_slice(b"null");
    }
}
