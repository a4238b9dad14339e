//! Events as one viewer may read them.

use crate::engine::doc::{Doc, tagged};
use crate::engine::event::{Event, Seen, SeenValue, Viewers};
use crate::engine::name::{name_of_value, place_name};
use crate::engine::outcome::Outcome;
use crate::engine::see::{Reader, Viewer, tells_places};
use crate::engine::text;
use crate::program::{
    BinderSize, ComponentId, Program, See, SiteId, SiteOption, Type, VAR_PHASE, VarId, cell_xy,
};

/// The event as this viewer may know it; `None` if it learns nothing of it.
pub fn event_doc<'p>(
    program: &'p Program,
    event: &'p Event,
    reader: impl Into<Reader>,
) -> Option<Doc<'p>> {
    let reader = reader.into();
    let viewer = reader.viewer;
    let telling = Telling { program, viewer };
    Some(match event {
        Event::GameBegan => tagged("game-began", []),
        Event::RoundBegan { round } => tagged("round-began", [("round", Doc::from(*round))]),
        Event::RoundEnded { round } => tagged("round-ended", [("round", Doc::from(*round))]),
        Event::TurnBegan { seat, turn } => telling.turn("turn-began", *seat, *turn),
        Event::TurnEnded { seat, turn } => telling.turn("turn-ended", *seat, *turn),
        Event::PhaseBegan { phase } => tagged("phase-began", [("phase", telling.phase(*phase))]),
        Event::PhaseEnded { phase } => tagged("phase-ended", [("phase", telling.phase(*phase))]),
        Event::Moved { .. } => return telling.moved(event),
        Event::Shuffled { zone, order } => telling.shuffled(i32::from(*zone), order),
        Event::Rolled { dice } => telling.rolled(dice),
        Event::Turned { what, face_down } => telling.turned(what, *face_down),
        Event::Shown { what, to } => telling.shown(what, *to),
        Event::Scored { seat, by, total } => {
            let seat = telling.seat(*seat);
            tagged(
                "scored",
                [
                    ("seat", seat),
                    ("by", Doc::from(*by)),
                    ("total", Doc::from(*total)),
                ],
            )
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
            doc.push(("seat", Doc::from(seat + 1)));
            Doc::Object(doc)
        }
        Event::Drawn { site, option, args } => {
            if viewer != Viewer::All {
                return None;
            }
            Doc::Object(telling.chosen("drawn", *site, *option, args))
        }
        Event::Said { text, holes, to } => {
            if !viewer.is_among(*to) {
                return None;
            }
            let words = text::read(program, *text, holes, reader);
            tagged("said", [("text", Doc::from(words))])
        }
        Event::Set {
            var,
            index,
            value,
            seen_by,
        } => {
            return telling.set(*var, *index, *value, *seen_by);
        }
        Event::FieldSet {
            what,
            field,
            value,
            shows_back,
        } => {
            return telling.field_set(what, *field, *value, *shows_back);
        }
        Event::Finished(outcome) => tagged("finished", [("outcome", told_outcome(outcome))]),
    })
}

/// The same as [`OutcomeDoc`](crate::engine::OutcomeDoc) says.
fn told_outcome(outcome: &Outcome) -> Doc<'_> {
    let ranking = outcome.ranking.iter().map(|row| {
        let keys = row.keys.iter().map(|key| Doc::from(*key)).collect();
        Doc::Object(vec![
            ("seat", from_one(row.seat)),
            ("place", Doc::from(row.place)),
            ("keys", keys),
        ])
    });
    Doc::Object(vec![
        (
            "winners",
            outcome.winners.iter().map(|seat| from_one(*seat)).collect(),
        ),
        ("drawn", Doc::from(outcome.drawn)),
        ("ranking", ranking.collect()),
    ])
}

fn from_one<'p>(seat: u8) -> Doc<'p> {
    Doc::from(u32::from(seat) + 1)
}

struct Telling<'p> {
    program: &'p Program,
    viewer: Viewer,
}

impl<'p> Telling<'p> {
    fn seat(&self, seat: i32) -> Doc<'p> {
        match seat < 0 {
            true => Doc::Null,
            false => Doc::from(seat + 1),
        }
    }

    fn turn(&self, of: &'static str, seat: i32, turn: i32) -> Doc<'p> {
        tagged(of, [("seat", self.seat(seat)), ("turn", Doc::from(turn))])
    }

    fn phase(&self, phase: i32) -> Doc<'p> {
        match self.program.vars.get(usize::from(VAR_PHASE)) {
            Some(var) => self.value(phase, var.of),
            None => Doc::Null,
        }
    }

    fn zone(&self, zone: i32) -> Doc<'p> {
        Doc::from(name_of_value(self.program, zone, Type::Zone(None)))
    }

    /// A place or a number of components; null where even the number is secret.
    fn place(&self, zone: i32, place: i32) -> Doc<'p> {
        let info = usize::try_from(zone)
            .ok()
            .and_then(|zone| self.program.zones.get(zone));
        let secret = info.is_none_or(|info| info.see == See::Nothing);
        if secret && self.viewer != Viewer::All {
            return Doc::Null;
        }
        Doc::from(place)
    }

    /// Where in a zone a component lay or lies; of a hand null for those who do not know which one it is: its owner
    /// holds it as he likes, and whoever followed every place would know a card by when it came.
    fn place_in(&self, zone: i32, what: &Seen, place: i32) -> Doc<'p> {
        match self.is_known(what) || tells_places(self.program, zone) {
            true => self.place(zone, place),
            false => Doc::Null,
        }
    }

    /// A value that is no component, or one whose name everybody may know.
    fn value(&self, value: i32, of: Type) -> Doc<'p> {
        match of {
            Type::Int => Doc::from(value),
            Type::Bool => Doc::from(value > 0),
            _ if value < 0 => Doc::Null,
            Type::Seat => self.seat(value),
            _ => Doc::from(name_of_value(self.program, value, of)),
        }
    }

    fn is_known(&self, what: &Seen) -> bool {
        self.viewer.is_among(what.by)
    }

    fn id(&self, component: ComponentId) -> Doc<'p> {
        let of = Type::Component(None);
        Doc::from(name_of_value(self.program, i32::from(component), of))
    }

    /// Its id, or null for those who may not know it.
    fn component(&self, what: &Seen) -> Doc<'p> {
        match self.is_known(what) {
            true => self.id(what.component),
            false => Doc::Null,
        }
    }

    /// Its id, or its place for those who may not know it.
    fn reference(&self, what: &Seen) -> Doc<'p> {
        match self.is_known(what) {
            true => self.id(what.component),
            false => Doc::from(place_name(self.program, i32::from(what.zone), what.place)),
        }
    }

    fn moved(&self, event: &Event) -> Option<Doc<'p>> {
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
        let (from, to) = (i32::from(what.zone), i32::from(*to));
        let mut doc = Vec::with_capacity(9);
        doc.push(("type", Doc::from("moved")));
        doc.push(("component", self.component(what)));
        doc.push(("from", self.zone(from)));
        doc.push(("from_place", self.place_in(from, what, what.place)));
        doc.push(("to", self.zone(to)));
        doc.push(("to_place", self.place_in(to, what, *place)));
        if *face_down {
            doc.push(("face", Doc::from("down")));
        }
        if let Some((cell, turned)) = cell {
            let (x, y) = cell_xy(*cell);
            doc.push(("cell", Doc::from(format!("{x},{y}"))));
            doc.push(("turned", Doc::from(*turned)));
        }
        Some(Doc::Object(doc))
    }

    fn shuffled(&self, zone: i32, order: &[ComponentId]) -> Doc<'p> {
        let count = self.place(zone, order.len() as i32);
        let known = self.viewer == Viewer::All;
        let order = known.then(|| order.iter().map(|&component| self.id(component)).collect());
        let members = [("zone", self.zone(zone)), ("count", count)];
        tagged(
            "shuffled",
            members
                .into_iter()
                .chain(order.map(|order| ("order", order))),
        )
    }

    fn rolled(&self, dice: &[(Seen, i32)]) -> Doc<'p> {
        let rows = dice.iter().map(|(die, value)| {
            let face = match self.is_known(die) {
                true => self.face(die.component, *value),
                false => Doc::Null,
            };
            Doc::Object(vec![("die", self.reference(die)), ("face", face)])
        });
        tagged("rolled", [("dice", rows.collect())])
    }

    fn face(&self, die: ComponentId, value: i32) -> Doc<'p> {
        let kind = self
            .program
            .components
            .get(usize::from(die))
            .and_then(|info| self.program.kinds.get(usize::from(info.kind)));
        let field = kind.and_then(|kind| kind.fields.get(kind.die.as_ref()?.field));
        field.map_or(Doc::Null, |field| self.value(value, field.of))
    }

    fn turned(&self, what: &Seen, face_down: bool) -> Doc<'p> {
        tagged(
            "turned",
            [
                ("component", self.reference(what)),
                ("zone", self.zone(i32::from(what.zone))),
                ("place", Doc::from(what.place)),
                ("face", Doc::from(if face_down { "down" } else { "up" })),
            ],
        )
    }

    fn shown(&self, what: &[Seen], to: Viewers) -> Doc<'p> {
        let components = what.iter().map(|what| self.reference(what)).collect();
        let seats = (0..self.program.seats).filter(|seat| to >> seat & 1 != 0);
        let seats = seats.map(|seat| Doc::from(seat as u32 + 1)).collect();
        tagged("shown", [("components", components), ("to", seats)])
    }

    fn chosen(
        &self,
        of: &'static str,
        site: SiteId,
        option: u16,
        args: &[Vec<SeenValue>],
    ) -> Vec<(&'p str, Doc<'p>)> {
        let mut doc = vec![("type", Doc::from(of))];
        let option = self
            .program
            .sites
            .get(usize::from(site))
            .and_then(|site| site.options.get(usize::from(option)));
        if let Some(option) = option {
            if !option.name.is_empty() {
                doc.push(("option", Doc::from(option.name.as_str())));
            }
            doc.push(("args", self.args(option, args)));
        }
        doc
    }

    fn args(&self, option: &'p SiteOption, args: &[Vec<SeenValue>]) -> Doc<'p> {
        let named = option.binders.iter().zip(args).map(|(binder, values)| {
            let one = |value: &SeenValue| match value {
                SeenValue::Plain(value) => self.value(*value, binder.of),
                SeenValue::Component(what) => self.reference(what),
            };
            let told = match (binder.count, values.as_slice()) {
                (BinderSize::One, [value]) => one(value),
                (_, values) => values.iter().map(one).collect(),
            };
            (binder.name.as_str(), told)
        });
        Doc::Object(named.collect())
    }

    fn set(&self, var: VarId, index: u32, value: i32, seen_by: Viewers) -> Option<Doc<'p>> {
        if !self.viewer.is_among(seen_by) {
            return None;
        }
        let var = self.program.vars.get(usize::from(var))?;
        let mut doc = vec![
            ("type", Doc::from("set")),
            ("name", Doc::from(var.name.as_str())),
        ];
        if let Some(of) = var.index {
            let index = var.low.saturating_add(index as i32);
            doc.push(("of", self.value(index, of)));
        }
        doc.push(("value", self.value(value, var.of)));
        Some(Doc::Object(doc))
    }

    fn field_set(&self, what: &Seen, field: u16, value: i32, shows_back: bool) -> Option<Doc<'p>> {
        let info = self.program.components.get(usize::from(what.component))?;
        let kind = self.program.kinds.get(usize::from(info.kind))?;
        let field = kind.fields.get(usize::from(field))?;
        let readable = field.on_back && shows_back;
        if !self.is_known(what) && !readable {
            return None;
        }
        Some(tagged(
            "set",
            [
                ("component", self.reference(what)),
                ("name", Doc::from(field.name.as_str())),
                ("value", self.value(value, field.of)),
            ],
        ))
    }
}
