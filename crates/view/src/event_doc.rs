//! Events as one viewer may read them.

use crate::doc::{Doc, Members, tagged};
use crate::json::gathered;
use crate::name::{ReaderNames, whole};
use crate::text;
use crate::view::outcome_doc;
use wyrmgate_engine::viewer::EVERYBODY;
use wyrmgate_engine::{
    AssignmentTarget, Event, SECRETLY, SeenComponent, SeenValue, ViewReader, Viewer, Viewers,
    holder_of,
};
use wyrmgate_program::{
    BinderSize, ComponentId, FieldInfo, Program, Refers, See, SiteId, SiteOption, Type, VAR_PHASE,
    VarId, VarRole, ZoneId, cell_xy, text_of,
};

/// Returns the event as this viewer may know it; `None` if the viewer learns nothing of it.
pub fn event_doc<'p>(
    program: &'p Program,
    event: &'p Event,
    reader: impl Into<ViewReader>,
) -> Option<Doc<'p>> {
    event_doc_labeled(program, event, reader.into(), None)
}

/// Returns the same as [`event_doc`], with the label of a choice.
pub(crate) fn event_doc_labeled<'p>(
    program: &'p Program,
    event: &'p Event,
    reader: ViewReader,
    label: Option<String>,
) -> Option<Doc<'p>> {
    let viewer = reader.viewer;
    let telling = EventTelling {
        program,
        viewer,
        names: ReaderNames::new(program, reader),
    };
    Some(match event {
        Event::GameBegan => tagged("game-began", []),
        Event::RoundBegan { round } => tagged("round-began", [("round", Doc::from(*round))]),
        Event::RoundEnded { round } => tagged("round-ended", [("round", Doc::from(*round))]),
        Event::TurnBegan { seat, turn } => telling.turn("turn-began", *seat, *turn),
        Event::TurnEnded { seat, turn } => telling.turn("turn-ended", *seat, *turn),
        Event::PhaseBegan { phase } => tagged("phase-began", [("phase", telling.phase(*phase))]),
        Event::PhaseEnded { phase } => tagged("phase-ended", [("phase", telling.phase(*phase))]),
        Event::Moved { .. } => return telling.moved(event),
        Event::Shuffled { zone, order } => return telling.shuffled(*zone, order),
        Event::ShuffledInside { holder, order } => return telling.shuffled_inside(holder, order),
        Event::Rolled { dice } => return telling.rolled(dice),
        Event::Turned { what, face_down } => return telling.turned(what, *face_down),
        Event::Shown { to, .. } if *to & SECRETLY != 0 && !viewer.is_among(*to) => return None,
        Event::Shown { what, to } => telling.shown(what, *to),
        Event::Scored { seat, by, total } => telling.scored(*seat, *by, *total),
        Event::Chose { seat, secret, .. } => {
            if *secret && !viewer.is_omniscient() && viewer != Viewer::Seat(*seat) {
                return None;
            }
            return telling.chose(event, label);
        }
        Event::Drawn { site, option, args } => {
            if !viewer.is_omniscient() {
                return None;
            }
            Doc::Object(telling.chosen("drawn", *site, *option, args))
        }
        Event::Said { text, holes, to } => {
            if !viewer.is_among(*to) {
                return None;
            }
            let words = text::read(program, *text, holes, &telling.names);
            tagged("said", [("text", Doc::from(words))])
        }
        Event::Given { to, value, seen_by } => return telling.given(to, value, *seen_by),
        Event::Set {
            var,
            index,
            value,
            seen_by,
        } => {
            let (var, index) = (*var, *index);
            let value = SeenValue::Plain(*value);
            return telling.given(&AssignmentTarget::Var { var, index }, &value, *seen_by);
        }
        Event::FieldSet {
            what,
            field,
            value,
            shows_back,
        } => return telling.field_set(*what, *field, *value, *shows_back),
        Event::Finished(outcome) => {
            tagged("finished", [("outcome", Doc::of(&outcome_doc(outcome)))])
        }
    })
}

struct EventTelling<'p> {
    program: &'p Program,
    viewer: Viewer,
    names: ReaderNames<'p>,
}

impl<'p> EventTelling<'p> {
    fn seat(&self, seat: i32) -> Doc<'p> {
        match seat < 0 {
            true => Doc::Null,
            false => Doc::from(seat + 1),
        }
    }

    fn scored(&self, seat: i32, by: i32, total: i32) -> Doc<'p> {
        let (by, total) = (Doc::from(by), Doc::from(total));
        tagged(
            "scored",
            [("seat", self.seat(seat)), ("by", by), ("total", total)],
        )
    }

    fn turn(&self, of: &'static str, seat: i32, turn: i32) -> Doc<'p> {
        tagged(of, [("seat", self.seat(seat)), ("turn", Doc::from(turn))])
    }

    fn phase(&self, phase: i32) -> Doc<'p> {
        match self.program.var(VAR_PHASE) {
            Some(var) => self.value(&SeenValue::Plain(phase), var.of),
            None => Doc::Null,
        }
    }

    /// Returns a place or a number of components; null if even the number is secret.
    fn place(&self, zone: ZoneId, place: i32) -> Doc<'p> {
        let info = self.program.zones.get(usize::from(zone));
        let secret = info.is_none_or(|info| info.see == See::Nothing);
        if secret && !self.viewer.is_omniscient() {
            return Doc::Null;
        }
        Doc::from(place)
    }

    /// Returns the place of a component in a zone; null for the hand of another seat, whose owner arranges it freely: a
    /// viewer who could follow every place would recognize a card by when it came.
    fn place_of(&self, what: &SeenComponent) -> Doc<'p> {
        match self.names.is_placed(what) {
            true => self.place(whole(what).zone, whole(what).place),
            false => Doc::Null,
        }
    }

    fn zone_of(&self, what: &SeenComponent) -> Doc<'p> {
        self.names.zone_of(what).map_or(Doc::Null, Doc::from)
    }

    fn value(&self, value: &SeenValue, of: Type) -> Doc<'p> {
        match (*value, of) {
            (SeenValue::Plain(value), Type::Int) => Doc::from(value),
            (SeenValue::Plain(value), Type::Bool) => Doc::from(value > 0),
            (SeenValue::Plain(value), _) if value < 0 => Doc::Null,
            (SeenValue::Plain(value), Type::Seat) => self.seat(value),
            _ => self.names.id(value, of).map_or(Doc::Null, Doc::from),
        }
    }

    fn is_known(&self, what: &SeenComponent) -> bool {
        self.viewer.is_among(what.sight().by)
    }

    /// Returns its id, or null for viewers who may not know it.
    fn component(&self, what: &SeenComponent) -> Doc<'p> {
        self.names.component(what).map_or(Doc::Null, Doc::from)
    }

    /// Returns its id; for viewers who may not know it, its place, if they may know that.
    fn reference(&self, what: &SeenComponent) -> Doc<'p> {
        self.value(&SeenValue::Component(*what), Type::Component(None))
    }

    fn moved(&self, event: &Event) -> Option<Doc<'p>> {
        let Event::Moved {
            what,
            to,
            place,
            face_down,
            cell,
            noticed,
        } = event
        else {
            return None;
        };
        if !self.is_known(what) && !self.viewer.is_among(noticed.by) {
            return None;
        }
        let there = what.moved_to(*to, *place, *noticed);
        let mut doc = Members::with_room(9);
        doc.push("type", Doc::from("moved"));
        doc.push("component", self.component(what));
        doc.push("from", self.zone_of(what));
        doc.push("from_place", self.place_of(what));
        doc.push("to", self.zone_of(&there));
        doc.push("to_place", self.place_of(&there));
        if *face_down {
            doc.push("face", Doc::from("down"));
        }
        if let Some((cell, turned)) = cell {
            let (x, y) = cell_xy(*cell);
            doc.push("cell", Doc::from(format!("{x},{y}")));
            doc.push("turned", Doc::from(*turned));
        }
        Some(Doc::Object(doc))
    }

    fn shuffled(&self, zone: ZoneId, order: &[ComponentId]) -> Option<Doc<'p>> {
        let name = SeenValue::Plain(i32::from(zone));
        let is_told =
            holder_of(self.program, i32::from(zone)).is_none() || self.viewer.is_omniscient();
        is_told.then(|| self.mixed(self.value(&name, Type::Zone(None)), zone, order))
    }

    fn shuffled_inside(&self, holder: &SeenComponent, order: &[ComponentId]) -> Option<Doc<'p>> {
        let zone = self.program.holds(i32::from(whole(holder).component))?;
        let name = self.names.zone_in(holder)?;
        Some(self.mixed(Doc::from(name), zone, order))
    }

    fn mixed(&self, name: Doc<'p>, zone: ZoneId, order: &[ComponentId]) -> Doc<'p> {
        let count = self.place(zone, order.len() as i32);
        let known = self.viewer.is_omniscient();
        let id = |component: &ComponentId| {
            let value = SeenValue::Plain(i32::from(*component));
            self.value(&value, Type::Component(None))
        };
        let order = known.then(|| order.iter().map(id).collect());
        let members = [("zone", name), ("count", count)];
        tagged(
            "shuffled",
            members
                .into_iter()
                .chain(order.map(|order| ("order", order))),
        )
    }

    /// Returns whether the viewer receives events about a component: not in a zone that hides even the number of its
    /// components, unless the viewer knows which one it is.
    fn is_noticed(&self, what: &SeenComponent) -> bool {
        let info = self.program.zones.get(usize::from(whole(what).zone));
        self.is_known(what) || info.is_some_and(|info| info.see != See::Nothing)
    }

    fn rolled(&self, dice: &[(SeenComponent, i32)]) -> Option<Doc<'p>> {
        let noticed = dice.iter().filter(|(die, _)| self.is_noticed(die));
        let mut noticed = noticed.peekable();
        if noticed.peek().is_none() && !dice.is_empty() {
            return None;
        }
        let rows = noticed.map(|(die, value)| {
            let face = match self.is_known(die) {
                true => self.face(whole(die).component, *value),
                false => Doc::Null,
            };
            Doc::object(vec![("die", self.reference(die)), ("face", face)])
        });
        Some(tagged("rolled", [("dice", rows.collect())]))
    }

    fn face(&self, die: ComponentId, value: i32) -> Doc<'p> {
        let field = self.program.side_of(i32::from(die));
        field.map_or(Doc::Null, |field| {
            self.value(&SeenValue::Plain(value), field.of)
        })
    }

    fn turned(&self, what: &SeenComponent, face_down: bool) -> Option<Doc<'p>> {
        let told = || {
            tagged(
                "turned",
                [
                    ("component", self.reference(what)),
                    ("zone", self.zone_of(what)),
                    ("place", self.place_of(what)),
                    ("face", Doc::from(if face_down { "down" } else { "up" })),
                ],
            )
        };
        self.is_noticed(what).then(told)
    }

    fn shown(&self, what: &[SeenComponent], to: Viewers) -> Doc<'p> {
        let components = what.iter().map(|what| self.reference(what)).collect();
        let seats = (0..self.program.seats).filter(|seat| to >> seat & 1 != 0);
        let seats = seats.map(|seat| Doc::from(seat as u32 + 1)).collect();
        tagged("shown", [("components", components), ("to", seats)])
    }

    fn chose(&self, event: &'p Event, label: Option<String>) -> Option<Doc<'p>> {
        let Event::Chose {
            seat,
            site,
            option,
            args,
            ..
        } = event
        else {
            return None;
        };
        let mut doc = self.chosen("chose", *site, *option, args);
        let site = self.program.site(*site);
        if let Some(site) = site.filter(|site| !site.name.is_empty()) {
            doc.push("decision", Doc::from(site.name.as_str()));
        }
        if let Some(label) = label {
            doc.push("label", Doc::from(label));
        }
        doc.push("seat", Doc::from(seat + 1));
        Some(Doc::Object(doc))
    }

    fn chosen(
        &self,
        of: &'static str,
        site: SiteId,
        option: u16,
        args: &[Vec<SeenValue>],
    ) -> Members<'p> {
        let mut doc = Members::with_room(6);
        doc.push("type", Doc::from(of));
        let option = self.program.option(site, option);
        if let Some(option) = option {
            if !option.name.is_empty() {
                doc.push("option", Doc::from(option.name.as_str()));
            }
            doc.push("args", self.args(option, args));
        }
        doc
    }

    fn args(&self, option: &'p SiteOption, args: &[Vec<SeenValue>]) -> Doc<'p> {
        let named = option.binders.iter().zip(args).map(|(binder, values)| {
            let one = |value: &SeenValue| self.value(value, binder.of);
            let told = match (binder.count, values.as_slice()) {
                (BinderSize::One, [value]) => one(value),
                (BinderSize::Text { .. }, letters) => Doc::from(letters_read(letters)),
                (_, values) => values.iter().map(one).collect(),
            };
            (binder, told)
        });
        Doc::Object(gathered(named))
    }

    fn given(&self, to: &AssignmentTarget, value: &SeenValue, seen_by: Viewers) -> Option<Doc<'p>> {
        if !self.viewer.is_among(seen_by) {
            return None;
        }
        Some(match to {
            AssignmentTarget::Var { var, index } => self.given_var(*var, *index, value, seen_by)?,
            AssignmentTarget::Field { what, field } => {
                let info = self.field(what, *field)?;
                tagged(
                    "set",
                    [
                        ("component", self.reference(what)),
                        ("name", Doc::from(info.name.as_str())),
                        ("value", self.value(value, info.of)),
                    ],
                )
            }
        })
    }

    /// Describes the value of a field in the log of an earlier version.
    fn field_set(
        &self,
        what: SeenComponent,
        field: u16,
        value: i32,
        shows_back: bool,
    ) -> Option<Doc<'p>> {
        let is_read = shows_back && self.field(&what, field)?.on_back;
        let seen_by = if is_read { EVERYBODY } else { what.sight().by };
        let to = AssignmentTarget::Field { what, field };
        self.given(&to, &SeenValue::Plain(value), seen_by)
    }

    fn given_var(
        &self,
        var: VarId,
        index: u32,
        value: &SeenValue,
        seen_by: Viewers,
    ) -> Option<Doc<'p>> {
        let var = self.program.var(var)?;
        // A text is seen as a whole, in views.
        let is_length = matches!(var.role, VarRole::Lengths { of, .. } if of == Type::Letter);
        if is_length || var.of == Type::Letter {
            return None;
        }
        let mut doc = vec![
            ("type", Doc::from("set")),
            ("name", Doc::from(var.name.as_str())),
        ];
        if let Some(of) = var.index {
            let index = var.low.saturating_add(index as i32);
            doc.push((
                "of",
                self.value(&noted_of(self.program, index, of, seen_by), of),
            ));
        }
        doc.push(("value", self.value(value, var.of)));
        Some(Doc::object(doc))
    }

    fn field(&self, what: &SeenComponent, field: u16) -> Option<&'p FieldInfo> {
        let kind = self.program.kind_of(i32::from(whole(what).component))?;
        kind.fields.get(usize::from(field))
    }
}

/// Returns the key of a word of a variable: viewers who may read the word may know it (see `viewers_of_var`).
fn noted_of(program: &Program, index: i32, of: Type, seen_by: Viewers) -> SeenValue {
    let known = |component: i32| SeenComponent::known_to(component.max(0) as u16, seen_by);
    match of.refers() {
        Refers::ToComponent if index >= 0 => SeenValue::Component(known(index)),
        Refers::ToZone => match holder_of(program, index) {
            Some(holder) => SeenValue::Inside(known(holder)),
            None => SeenValue::Plain(index),
        },
        Refers::ToComponent | Refers::ToNothing => SeenValue::Plain(index),
    }
}

/// Returns the text of letters.
fn letters_read(letters: &[SeenValue]) -> String {
    text_of(letters.iter().filter_map(|letter| match letter {
        SeenValue::Plain(letter) => Some(*letter),
        SeenValue::Component(_) | SeenValue::Inside(_) => None,
    }))
}
