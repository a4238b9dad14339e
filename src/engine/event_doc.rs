//! Events as one viewer may read them.

use serde_json::{Map, Value, json};

use crate::engine::event::{Event, Seen, SeenValue, Viewers};
use crate::engine::name::{name_of_value, place_name};
use crate::engine::see::{Reader, Viewer};
use crate::engine::text;
use crate::engine::view::outcome_doc;
use crate::program::{
    BinderSize, ComponentId, Program, See, SiteId, SiteOption, Type, VAR_PHASE, VarId, cell_xy,
};

/// The event as this viewer may know it; `None` if it learns nothing of it.
pub fn event_doc(program: &Program, event: &Event, reader: impl Into<Reader>) -> Option<Value> {
    let reader = reader.into();
    let viewer = reader.viewer;
    let telling = Telling { program, viewer };
    Some(match event {
        Event::GameBegan => json!({"type": "game-began"}),
        Event::RoundBegan { round } => json!({"type": "round-began", "round": round}),
        Event::RoundEnded { round } => json!({"type": "round-ended", "round": round}),
        Event::TurnBegan { seat, turn } => {
            json!({"type": "turn-began", "seat": telling.seat(*seat), "turn": turn})
        }
        Event::TurnEnded { seat, turn } => {
            json!({"type": "turn-ended", "seat": telling.seat(*seat), "turn": turn})
        }
        Event::PhaseBegan { phase } => {
            json!({"type": "phase-began", "phase": telling.phase(*phase)})
        }
        Event::PhaseEnded { phase } => {
            json!({"type": "phase-ended", "phase": telling.phase(*phase)})
        }
        Event::Moved { .. } => return telling.moved(event),
        Event::Shuffled { zone, order } => telling.shuffled(i32::from(*zone), order),
        Event::Rolled { dice } => telling.rolled(dice),
        Event::Turned { what, face_down } => telling.turned(what, *face_down),
        Event::Shown { what, to } => telling.shown(what, *to),
        Event::Scored { seat, by, total } => {
            json!({"type": "scored", "seat": telling.seat(*seat), "by": by, "total": total})
        }
        Event::Chose {
            seat,
            site,
            option,
            args,
            secret,
        } => {
            if *secret && viewer != Viewer::All && viewer != Viewer::Seat(*seat) {
                return None;
            }
            let mut doc = telling.chosen("chose", *site, *option, args);
            doc.insert("seat".to_owned(), json!(seat + 1));
            Value::Object(doc)
        }
        Event::Drawn { site, option, args } => {
            if viewer != Viewer::All {
                return None;
            }
            Value::Object(telling.chosen("drawn", *site, *option, args))
        }
        Event::Said { text, holes, to } => {
            if !viewer.is_among(*to) {
                return None;
            }
            json!({"type": "said", "text": text::read(program, *text, holes, reader)})
        }
        Event::Set {
            var,
            index,
            value,
            seen_by,
        } => return telling.set(*var, *index, *value, *seen_by),
        Event::FieldSet {
            what,
            field,
            value,
            shows_back,
        } => return telling.field_set(what, *field, *value, *shows_back),
        Event::Finished(outcome) => {
            json!({"type": "finished", "outcome": outcome_doc(outcome)})
        }
    })
}

struct Telling<'a> {
    program: &'a Program,
    viewer: Viewer,
}

impl Telling<'_> {
    fn seat(&self, seat: i32) -> Value {
        if seat < 0 {
            Value::Null
        } else {
            json!(seat + 1)
        }
    }

    fn phase(&self, phase: i32) -> Value {
        match self.program.vars.get(usize::from(VAR_PHASE)) {
            Some(var) => self.value(phase, var.of),
            None => Value::Null,
        }
    }

    fn zone(&self, zone: i32) -> String {
        name_of_value(self.program, zone, Type::Zone(None))
    }

    /// A place or a number of components; null where even the number is secret.
    fn place(&self, zone: i32, place: i32) -> Value {
        let info = usize::try_from(zone)
            .ok()
            .and_then(|zone| self.program.zones.get(zone));
        let secret = info.is_none_or(|info| info.see == See::Nothing);
        if secret && self.viewer != Viewer::All {
            return Value::Null;
        }
        json!(place)
    }

    /// A value that is no component, or one whose name everybody may know.
    fn value(&self, value: i32, of: Type) -> Value {
        match of {
            Type::Int => json!(value),
            Type::Bool => json!(value > 0),
            _ if value < 0 => Value::Null,
            Type::Seat => self.seat(value),
            _ => json!(name_of_value(self.program, value, of)),
        }
    }

    fn is_known(&self, what: &Seen) -> bool {
        self.viewer.is_among(what.by)
    }

    fn id(&self, component: ComponentId) -> Value {
        json!(name_of_value(
            self.program,
            i32::from(component),
            Type::Component(None)
        ))
    }

    /// Its id, or null for those who may not know it.
    fn component(&self, what: &Seen) -> Value {
        if self.is_known(what) {
            self.id(what.component)
        } else {
            Value::Null
        }
    }

    /// Its id, or its place for those who may not know it.
    fn reference(&self, what: &Seen) -> Value {
        if self.is_known(what) {
            self.id(what.component)
        } else {
            json!(place_name(self.program, i32::from(what.zone), what.place))
        }
    }

    fn moved(&self, event: &Event) -> Option<Value> {
        let Event::Moved {
            what,
            to,
            place,
            face_down,
            cell,
            noticed_by,
        } = event
        else {
            return None;
        };
        if !self.is_known(what) && !self.viewer.is_among(*noticed_by) {
            return None;
        }
        let mut doc = Map::new();
        doc.insert("type".to_owned(), json!("moved"));
        doc.insert("component".to_owned(), self.component(what));
        doc.insert("from".to_owned(), json!(self.zone(i32::from(what.zone))));
        doc.insert(
            "from_place".to_owned(),
            self.place(i32::from(what.zone), what.place),
        );
        doc.insert("to".to_owned(), json!(self.zone(i32::from(*to))));
        doc.insert("to_place".to_owned(), self.place(i32::from(*to), *place));
        if *face_down {
            doc.insert("face".to_owned(), json!("down"));
        }
        if let Some((cell, turned)) = cell {
            let (x, y) = cell_xy(*cell);
            doc.insert("cell".to_owned(), json!(format!("{x},{y}")));
            doc.insert("turned".to_owned(), json!(turned));
        }
        Some(Value::Object(doc))
    }

    fn shuffled(&self, zone: i32, order: &[ComponentId]) -> Value {
        let count = self.place(zone, order.len() as i32);
        let mut doc = json!({"type": "shuffled", "zone": self.zone(zone), "count": count});
        if self.viewer == Viewer::All
            && let Some(doc) = doc.as_object_mut()
        {
            let order = order.iter().map(|&component| self.id(component));
            doc.insert("order".to_owned(), order.collect());
        }
        doc
    }

    fn rolled(&self, dice: &[(Seen, i32)]) -> Value {
        let rows: Vec<Value> = dice
            .iter()
            .map(|(die, value)| {
                let known = self.is_known(die);
                let face = if known {
                    self.face(die.component, *value)
                } else {
                    Value::Null
                };
                json!({"die": self.reference(die), "face": face})
            })
            .collect();
        json!({"type": "rolled", "dice": rows})
    }

    fn face(&self, die: ComponentId, value: i32) -> Value {
        let kind = self
            .program
            .components
            .get(usize::from(die))
            .and_then(|info| self.program.kinds.get(usize::from(info.kind)));
        let field = kind.and_then(|kind| kind.fields.get(kind.die.as_ref()?.field));
        field.map_or(Value::Null, |field| self.value(value, field.of))
    }

    fn turned(&self, what: &Seen, face_down: bool) -> Value {
        json!({
            "type": "turned",
            "component": self.reference(what),
            "zone": self.zone(i32::from(what.zone)),
            "place": what.place,
            "face": if face_down { "down" } else { "up" },
        })
    }

    fn shown(&self, what: &[Seen], to: Viewers) -> Value {
        let components: Vec<Value> = what.iter().map(|what| self.reference(what)).collect();
        let seats = (0..self.program.seats).filter(|seat| to >> seat & 1 != 0);
        let seats: Vec<usize> = seats.map(|seat| seat + 1).collect();
        json!({"type": "shown", "components": components, "to": seats})
    }

    fn chosen(
        &self,
        name: &str,
        site: SiteId,
        option: u16,
        args: &[Vec<SeenValue>],
    ) -> Map<String, Value> {
        let mut doc = Map::new();
        doc.insert("type".to_owned(), json!(name));
        let option = self
            .program
            .sites
            .get(usize::from(site))
            .and_then(|site| site.options.get(usize::from(option)));
        if let Some(option) = option {
            if !option.name.is_empty() {
                doc.insert("option".to_owned(), json!(option.name));
            }
            let args = self.args(option, args);
            doc.insert("args".to_owned(), Value::Object(args));
        }
        doc
    }

    fn args(&self, option: &SiteOption, args: &[Vec<SeenValue>]) -> Map<String, Value> {
        let named = option.binders.iter().zip(args);
        named
            .map(|(binder, values)| {
                let one = |value: &SeenValue| match value {
                    SeenValue::Plain(value) => self.value(*value, binder.of),
                    SeenValue::Component(what) => self.reference(what),
                };
                let json = match (binder.count, values.as_slice()) {
                    (BinderSize::One, [value]) => one(value),
                    (_, values) => values.iter().map(one).collect(),
                };
                (binder.name.clone(), json)
            })
            .collect()
    }

    fn set(&self, var: VarId, index: u32, value: i32, seen_by: Viewers) -> Option<Value> {
        if !self.viewer.is_among(seen_by) {
            return None;
        }
        let var = self.program.vars.get(usize::from(var))?;
        let mut doc = Map::new();
        doc.insert("type".to_owned(), json!("set"));
        doc.insert("name".to_owned(), json!(var.name));
        if let Some(of) = var.index {
            let index = var.low.saturating_add(index as i32);
            doc.insert("of".to_owned(), self.value(index, of));
        }
        doc.insert("value".to_owned(), self.value(value, var.of));
        Some(Value::Object(doc))
    }

    fn field_set(&self, what: &Seen, field: u16, value: i32, shows_back: bool) -> Option<Value> {
        let info = self.program.components.get(usize::from(what.component))?;
        let kind = self.program.kinds.get(usize::from(info.kind))?;
        let field = kind.fields.get(usize::from(field))?;
        let readable = field.on_back && shows_back;
        if !self.is_known(what) && !readable {
            return None;
        }
        Some(json!({
            "type": "set",
            "component": self.reference(what),
            "name": field.name,
            "value": self.value(value, field.of),
        }))
    }
}
