//! A state as one viewer may know it: the only representation of a game that leaves the engine.

pub(crate) mod docs;
mod spelled;

use std::borrow::Cow;
use std::cell::Cell;
use wyrmgate_engine::{
    SeenValue, State, ViewReader, Viewer, pending, reads_back, seen_value, viewers_of_var,
};

use indexmap::IndexMap;

use crate::doc::{Doc, Members};
use crate::json::{amounts_doc, value_doc};
use crate::name::{ReaderNames, Titles};
use crate::records::joined;
pub use docs::{OutcomeDoc, OwedDoc, ViewDoc, ZoneDoc, outcome_doc};
use serde_json::value::RawValue;
use wyrmgate_engine::see::{as_they_lie_for, counts, seen};
use wyrmgate_program::{
    BOX, FamilyInfo, FieldInfo, FieldPlace, KindInfo, NONE, Program, Refers, See, Type, VAR_ACTIVE,
    VAR_PHASE, VAR_ROUND, VAR_SCORE, VAR_TURN, VarInfo, VarRole, ZoneId, ZoneInfo, text_of,
};

/// Returns what this viewer may know.
pub fn view(program: &Program, state: &State, reader: impl Into<ViewReader>) -> ViewDoc {
    let look = ViewWriter::new(program, state, reader.into());
    look.view(look.zones())
}

/// Returns what this viewer may know, for a view that is only sent: its JSON is that of [`view`], in a fraction of the
/// time.
pub fn view_to_send(
    program: &Program,
    state: &State,
    reader: impl Into<ViewReader>,
) -> ViewDoc<Box<RawValue>> {
    let look = ViewWriter::new(program, state, reader.into());
    look.view(look.zones_spelled())
}

impl ViewDoc {
    /// Returns whether it is what this viewer may know of a state. Ends at the first zone that differs, whose place it notes,
    /// and begins with the zone that was noted last: states that are compared one after the other often differ in the same one.
    pub fn is_of(
        &self,
        program: &Program,
        state: &State,
        reader: impl Into<ViewReader>,
        suspect: &Cell<usize>,
    ) -> bool {
        let look = ViewWriter::new(program, state, reader.into());
        let is_other = |(at, (number, name, info)): (usize, (i32, &str, &ZoneInfo))| {
            let own = self.zones.get_index(at);
            own.is_none_or(|(own, zone)| own != name || look.zone(number, info) != *zone)
        };
        let mut first = look.open_zones().enumerate().skip(suspect.get());
        if first.next().is_some_and(is_other) {
            return false;
        }
        if let Some(at) = look.open_zones().enumerate().position(is_other) {
            suspect.set(at);
            return false;
        }
        look.view(self.zones.clone()) == *self
    }
}

/// Returns the points of each seat, seat 1 first.
pub fn scores(program: &Program, state: &State) -> Vec<i32> {
    let Some(var) = program.var(VAR_SCORE) else {
        return Vec::new();
    };
    let words = var.len.min(program.seats as u32);
    (0..words)
        .map(|word| state.var(var.offset + word))
        .collect()
}

struct ViewWriter<'a> {
    program: &'a Program,
    state: &'a State,
    viewer: Viewer,
    names: ReaderNames<'a>,
}

impl<'a> ViewWriter<'a> {
    fn new(program: &'a Program, state: &'a State, reader: ViewReader) -> ViewWriter<'a> {
        ViewWriter {
            program,
            state,
            viewer: reader.viewer,
            names: ReaderNames::new(program, reader),
        }
    }

    fn view<Zones>(&self, zones: Zones) -> ViewDoc<Zones> {
        let (program, state) = (self.program, self.state);
        ViewDoc {
            game: program.identity.game.clone(),
            seats: program.seats,
            active: u32::try_from(state.built_in(VAR_ACTIVE))
                .ok()
                .map(|seat| seat + 1),
            round: state.built_in(VAR_ROUND).max(0),
            turn: state.built_in(VAR_TURN).max(0),
            phase: self.phase(),
            scores: scores(program, state),
            vars: self.vars(),
            zones,
            decisions: pending(program, state)
                .iter()
                .map(|owed| OwedDoc {
                    seat: u32::from(owed.seat) + 1,
                })
                .collect(),
            outcome: state.outcome().map(outcome_doc),
        }
    }

    /// Returns a value as this viewer receives it, the same as in events.
    fn json(&self, value: i32, of: Type) -> Doc<'static> {
        value_doc(value, of, || {
            let id = self.names.id(&self.seen(value, of), of);
            Doc::from(id.map(Cow::into_owned))
        })
    }

    fn seen(&self, value: i32, of: Type) -> SeenValue {
        seen_value(self.program, self.state, value, of)
    }

    fn phase(&self) -> Option<String> {
        let phase = self.state.built_in(VAR_PHASE);
        let var = self.program.var(VAR_PHASE)?;
        (phase >= 0 && matches!(var.of, Type::Enum(_)))
            .then(|| self.names.id(&SeenValue::Plain(phase), var.of))
            .flatten()
            .map(Cow::into_owned)
    }

    // ---- variables

    fn vars(&self) -> Members<'static> {
        let own = self.program.vars.iter().enumerate();
        let own = own
            .skip(usize::from(VAR_SCORE) + 1)
            .filter(|(_, var)| !var.internal && var.role != VarRole::Members);
        let seen = own.filter_map(|(number, var)| Some((var, self.var(number, var)?)));
        joined(seen)
    }

    /// Returns the members of a list, by its length and the variables that follow.
    fn list(&self, number: usize, word: u32, of: Type) -> Doc<'static> {
        let vars = self.program.vars.get(number..).unwrap_or_default();
        let at = |var: &VarInfo| self.state.var(var.offset + word);
        let length = vars.first().map_or(0, at);
        let members = vars.iter().skip(1);
        let members = members.take(usize::try_from(length).unwrap_or_default());
        match of == Type::Letter {
            true => Doc::from(text_of(members.map(at))),
            false => members.map(|member| self.json(at(member), of)).collect(),
        }
    }

    /// Returns `None` if this viewer may see none of its words.
    fn var(&self, number: usize, var: &VarInfo) -> Option<Doc<'static>> {
        let words: Vec<Option<Doc<'static>>> = (0..var.len)
            .map(|word| {
                let viewers = viewers_of_var(self.program, self.state, number, word);
                let seen = self.viewer.is_among(viewers);
                seen.then(|| match var.role {
                    VarRole::Lengths { of, .. } => self.list(number, word, of),
                    VarRole::Values | VarRole::Members => {
                        self.json(self.state.var(var.offset + word), var.of)
                    }
                })
            })
            .collect();
        if words.iter().all(Option::is_none) {
            return None;
        }
        let number = |at: usize| var.low.saturating_add(at as i32);
        let named = |at: usize, of| {
            let name = self.names.id(&self.seen(number(at), of), of);
            name.map(Cow::into_owned)
        };
        let words = words.into_iter();
        Some(match var.index {
            // Variables about a component, or about the zone in it, are omitted if its name is hidden.
            Some(of @ (Type::Component(_) | Type::Zone(_))) => {
                let seen = words.enumerate();
                let seen = seen.filter_map(|(at, word)| Some((named(at, of)?, word?)));
                Doc::Object(seen.collect())
            }
            index => {
                let mut words = words.map(|word| word.unwrap_or(Doc::Null));
                match index {
                    None => words.next_back().unwrap_or(Doc::Null),
                    Some(Type::Seat | Type::Int) => words.collect(),
                    Some(of) => {
                        let words = words.enumerate();
                        let named = words.filter_map(|(at, word)| Some((named(at, of)?, word)));
                        Doc::Object(named.collect())
                    }
                }
            }
        })
    }

    // ---- zones

    fn zones(&self) -> IndexMap<String, ZoneDoc> {
        let zones = self.open_zones();
        zones
            .map(|(number, name, info)| (name.to_owned(), self.zone(number, info)))
            .collect()
    }

    /// Returns the zones that are not in components, with their names.
    fn open_zones(&self) -> impl Iterator<Item = (i32, &'a str, &'a ZoneInfo)> {
        let program = self.program;
        let is_omniscient = self.viewer.is_omniscient();
        let zones = program.zones.iter().enumerate();
        zones.filter_map(move |(number, info)| {
            let is_in_play = number != usize::from(BOX) || is_omniscient;
            let (name, _) = program.open_zone(number as ZoneId).filter(|_| is_in_play)?;
            Some((number as i32, name, info))
        })
    }

    fn zone(&self, zone: i32, info: &ZoneInfo) -> ZoneDoc {
        let family = self.program.family(info.family);
        let counted = counts(self.program, self.state, self.viewer, zone);
        let keys = family.map(|family| {
            let keys = family.keys.iter();
            keys.map(|key| {
                let value = self.program.constant(key.table, zone);
                (key.name.clone(), self.fixed(value, key.of))
            })
            .collect()
        });
        let fields = family.map(|family| {
            let own = own_fields(family);
            own.map(|(_, field)| (field.name.clone(), self.field(field, zone)))
                .collect()
        });
        ZoneDoc {
            family: family.map_or_else(String::new, |family| family.name.clone()),
            title: self.title(zone, Type::Zone(None)),
            keys: keys.unwrap_or_default(),
            fields: fields.unwrap_or_default(),
            count: counted.then(|| self.state.zone_count(zone)),
            components: if counted {
                self.components(zone, info)
            } else {
                Vec::new()
            },
        }
    }

    fn title(&self, value: i32, of: Type) -> String {
        self.names.title(&self.seen(value, of), of)
    }

    fn field(&self, field: &FieldInfo, at: i32) -> Doc<'static> {
        let value = match field.at {
            FieldPlace::ConstantList { starts, members } => {
                let list = self.program.listed(starts, members, at);
                if let Type::Amounts(of) = field.of {
                    return amounts_doc(self.program, of, list);
                }
                return list
                    .iter()
                    .map(|&value| self.fixed(value, field.of))
                    .collect();
            }
            FieldPlace::Constant(table) => {
                return self.fixed(self.program.constant(table, at), field.of);
            }
            FieldPlace::Changing { .. } => field.word_of(at).map(|word| self.state.var(word)),
        };
        self.json(value.unwrap_or(NONE), field.of)
    }

    /// Returns a value that the rules fix. A component in it is named even if nobody knows where it is.
    fn fixed(&self, value: i32, of: Type) -> Doc<'static> {
        match of.refers() {
            Refers::ToComponent => Doc::from(self.names.fixed(value, of).map(Cow::into_owned)),
            Refers::ToZone | Refers::ToNothing => self.json(value, of),
        }
    }

    // ---- components

    fn components(&self, zone: i32, info: &ZoneInfo) -> Vec<Members<'static>> {
        let lying = as_they_lie_for(self.program, self.state, self.viewer, zone);
        let lying = lying.into_iter().enumerate();
        lying
            .filter_map(|(at, component)| {
                let name = self.name_of(component);
                self.component(at, component, name.as_deref(), info)
            })
            .collect()
    }

    /// Returns the name of a component, if this viewer may know which one it is.
    fn name_of(&self, component: i32) -> Option<Cow<'a, str>> {
        self.names
            .component(&seen(self.program, self.state, component))
    }

    /// Returns what this viewer may know of a component at its place, from 0.
    fn component(
        &self,
        at: usize,
        component: i32,
        name: Option<&str>,
        info: &ZoneInfo,
    ) -> Option<Members<'static>> {
        let kind = self.kind(component)?;
        let mut doc = Members::default();
        if let Some(name) = name {
            self.identity(component, name, kind, &mut doc);
        } else if !self.back(component, kind, &mut doc) && lies_in_a_heap(info) {
            return None;
        }
        self.place(at, component, &mut doc);
        Some(doc)
    }

    fn kind(&self, component: i32) -> Option<&'a KindInfo> {
        self.program.kind_of(component)
    }

    fn identity(&self, component: i32, name: &str, kind: &KindInfo, doc: &mut Members<'static>) {
        doc.insert("id", Doc::from(name.to_owned()));
        doc.insert("kind", Doc::from(kind.name.clone()));
        let title = self.title(component, Type::Component(None));
        doc.insert("title", Doc::from(title));
        for field in &kind.fields {
            if doc.get(&field.name).is_none() {
                doc.insert(field.name.clone(), self.field(field, component));
            }
        }
        if doc.get("face").is_none() {
            doc.insert("face", Doc::from(self.face(component)));
        }
        let info = self.program.components.get(component.max(0) as usize);
        let inside = info.and_then(|info| info.holds).and_then(|zone| {
            let info = self.program.zones.get(usize::from(zone))?;
            Some(self.zone(i32::from(zone), info))
        });
        if let Some(inside) = inside {
            doc.insert("holds", Doc::of(&inside));
        }
    }

    /// Returns which side of a component is up.
    fn face(&self, component: i32) -> &'static str {
        match self.state.is_face_down(component) {
            true => "down",
            false => "up",
        }
    }

    /// Adds what can be read from the back where it lies; returns whether there is anything.
    fn back(&self, component: i32, kind: &KindInfo, doc: &mut Members<'static>) -> bool {
        if !reads_back(self.program, self.state, self.viewer, component) {
            return false;
        }
        for field in kind.fields.iter().filter(|field| field.on_back) {
            doc.insert(field.name.clone(), self.field(field, component));
        }
        !doc.is_empty()
    }

    fn place(&self, at: usize, component: i32, doc: &mut Members<'static>) {
        doc.insert("place", Doc::Int(at as i64 + 1));
        let cell = self.state.cell_of(component);
        if cell >= 0 {
            doc.insert("cell", self.json(cell, Type::Cell));
            doc.insert("turned", Doc::from(self.state.turned(component)));
        }
    }
}

/// Returns the fields that are not keys, with their numbers.
fn own_fields(family: &FamilyInfo) -> impl Iterator<Item = (usize, &FieldInfo)> {
    let is_key = |field: &FieldInfo| family.keys.iter().any(|key| key.name == field.name);
    let fields = family.fields.iter().enumerate();
    fields.filter(move |(_, field)| !is_key(field))
}

/// Returns whether hidden components are only counted here: in piles and hands, but not in rows on the table.
fn lies_in_a_heap(info: &ZoneInfo) -> bool {
    match info.see {
        See::Count | See::Owner | See::Top | See::Nothing => true,
        See::All | See::If(_) => false,
    }
}
