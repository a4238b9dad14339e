//! Writes tensors: each plane from the words of the state, as far as the viewer may know them.

use super::{BACKS_MAX, CountsOfZone, Observations, ValueForm, VarPlane, ZoneOrder};
use crate::layout::add;
use wyrmgate_engine::see::{counts, tells_places, viewers_of_zone};
use wyrmgate_engine::{State, Viewer, pending, reads_back, sees_as, viewers_of_var};
use wyrmgate_program::{BOX, FieldPlace, Program, Refers, Type, VAR_ROUND, VAR_TURN};

impl Observations {
    /// Writes what the viewer may know.
    pub fn write(&self, program: &Program, state: &State, viewer: Viewer, into: &mut [f32]) {
        into.fill(0.0);
        let mut writer = TensorWriter {
            layout: self,
            program,
            state,
            viewer,
            into,
        };
        writer.write_course();
        for plane in &self.vars {
            match plane.is_plain {
                true => plane.write(state, writer.into),
                false => writer.write_var(plane),
            }
        }
        match self.can_hide {
            true => writer.write_visible_zones(),
            false => writer.write_components(),
        }
    }
}

/// A tensor that is being written.
struct TensorWriter<'w> {
    layout: &'w Observations,
    program: &'w Program,
    state: &'w State,
    viewer: Viewer,
    into: &'w mut [f32],
}

impl TensorWriter<'_> {
    fn add(&mut self, at: usize, value: f32) {
        add(self.into, at, value);
    }

    /// Writes a value from this place on, if the viewer may know what it refers to.
    fn put(&mut self, form: ValueForm, of: Type, from: usize, value: i32) {
        if self.may_know(value, of)
            && let Some(places) = self.into.get_mut(from..from + form.width())
        {
            form.write(value, places);
        }
    }

    /// Returns whether the viewer may know what a value refers to.
    fn may_know(&self, value: i32, of: Type) -> bool {
        if !self.layout.can_hide || value < 0 {
            return true;
        }
        match of.refers() {
            Refers::ToComponent => self.sees(value),
            Refers::ToZone => {
                let viewers = viewers_of_zone(self.program, self.state, value);
                self.viewer.is_among(viewers)
            }
            Refers::ToNothing => true,
        }
    }

    fn sees(&self, component: i32) -> bool {
        sees_as(self.program, self.state, self.viewer, component)
    }

    fn write_course(&mut self) {
        let (state, at) = (self.state, &self.layout.at);
        if let Viewer::Seat(seat) = self.viewer {
            self.add(at.seat + usize::from(seat), 1.0);
        }
        for owed in pending(self.program, state) {
            self.add(at.owing + usize::from(owed.seat), 1.0);
            if self.viewer == Viewer::Seat(owed.seat) {
                self.add(at.decision + usize::from(owed.site), 1.0);
            }
        }
        self.add(at.round, state.built_in(VAR_ROUND).max(0) as f32);
        self.add(at.turn, state.built_in(VAR_TURN).max(0) as f32);
    }

    fn write_var(&mut self, plane: &VarPlane) {
        let (program, state, viewer) = (self.program, self.state, self.viewer);
        let (offset, len) = plane.words;
        for word in 0..len {
            let at = plane.place(word as usize);
            if !plane.is_open {
                if !viewer.is_among(viewers_of_var(program, state, plane.var, word)) {
                    continue;
                }
                if let Some(known) = plane.known {
                    self.add(known + at, 1.0);
                }
            }
            let value = state.var(offset.saturating_add(word));
            let from = plane.at + at * plane.form.width();
            self.put(plane.form, plane.of, from, value);
        }
    }

    /// Writes all components in play, in a game without secrets.
    fn write_components(&mut self) {
        let (layout, state) = (self.layout, self.state);
        for (component, class) in (0i32..).zip(&layout.classes.of) {
            let zone = state.zone_of(component);
            if zone > i32::from(BOX) {
                self.add(layout.at.counts + zone as usize, 1.0);
                self.write_component(zone, component, *class as usize);
            }
        }
        let lists = (0i32..).zip(&layout.order);
        for (zone, _) in lists.filter(|(_, order)| **order == ZoneOrder::List) {
            for (place, component) in (1..).zip(state.members(zone)) {
                self.write_place(layout.classes.class(component), place);
            }
        }
    }

    /// Writes the place of a component in a zone, unless it has copies.
    #[inline]
    fn write_place(&mut self, class: usize, place: usize) {
        let is_single = matches!(self.layout.classes.members.get(class), Some((_, 1)));
        if let Some(order) = self.layout.at.order.filter(|_| is_single) {
            self.add(order + class, place as f32);
        }
    }

    /// Writes the zones of which the viewer may know the number of components.
    fn write_visible_zones(&mut self) {
        let (program, state) = (self.program, self.state);
        for (zone, _) in (0i32..).zip(&program.zones).skip(usize::from(BOX) + 1) {
            if state.zone_count(zone) > 0 && counts(program, state, self.viewer, zone) {
                self.write_zone(zone);
            }
        }
    }

    fn write_zone(&mut self, zone: i32) {
        let (layout, state) = (self.layout, self.state);
        let number = zone as usize;
        self.add(layout.at.counts + number, state.zone_count(zone) as f32);
        let is_list = layout.order.get(number) == Some(&ZoneOrder::List);
        for (place, component) in (1..).zip(state.members(zone)) {
            if !self.sees(component) {
                if let Some(unknown) = layout.at.unknown {
                    self.add(unknown + number, 1.0);
                }
                self.write_back(zone, place, component);
                continue;
            }
            let class = layout.classes.class(component);
            self.write_component(zone, component, class);
            if is_list {
                self.write_place(class, place);
            }
        }
    }

    /// Writes what does not depend on the place in a zone.
    #[inline]
    fn write_component(&mut self, zone: i32, component: i32, class: usize) {
        let (layout, state) = (self.layout, self.state);
        let counts = layout.zones.get(zone as usize).copied().flatten();
        if let Some(CountsOfZone { at, stride }) = counts {
            self.add(at + class * stride, 1.0);
        }
        if let Some(faces) = layout.at.faces.filter(|_| state.is_face_down(component)) {
            self.add(faces + class, 1.0);
        }
        if layout.order.get(zone as usize) == Some(&ZoneOrder::Single) {
            self.write_place(class, 1);
        }
        self.write_cell(component);
        for field in layout.fields.get(class).map_or(&[][..], Vec::as_slice) {
            let word = (component as u32).saturating_sub(field.first);
            let value = state.var(field.offset.saturating_add(word));
            let from = field.at + zone as usize * field.by_zone;
            self.put(field.form, field.of, from, value);
        }
    }

    fn write_cell(&mut self, component: i32) {
        let (cells, cell) = (self.layout.at.cells, self.state.cell_of(component));
        let Some(cells) = cells.filter(|_| cell >= 0) else {
            return;
        };
        let from = cells + component as usize * 4;
        if let Some(places) = self.into.get_mut(from..from + 4) {
            let (x, y) = wyrmgate_program::cell_xy(cell);
            let turned = self.state.turned(component);
            places.copy_from_slice(&[1.0, x as f32, y as f32, turned as f32]);
        }
    }

    /// Writes what can be read on the back of a component that the viewer cannot identify.
    fn write_back(&mut self, zone: i32, place: usize, component: i32) {
        let (layout, program, state) = (self.layout, self.program, self.state);
        if layout.backs.is_empty() || !reads_back(program, state, self.viewer, component) {
            return;
        }
        let kind = program.components.get(component as usize);
        let kind = kind.map(|info| info.kind);
        // Nobody else knows the places of cards in a hand.
        let place = if tells_places(program, zone) {
            place - 1
        } else {
            BACKS_MAX
        };
        for back in layout.backs.iter().filter(|back| Some(back.kind) == kind) {
            let value = match back.field {
                FieldPlace::Constant(table) => program.entry(table, component.into()),
                FieldPlace::Changing { offset, first } => {
                    let word = (component as u32).saturating_sub(first);
                    Some(state.var(offset.saturating_add(word)))
                }
                FieldPlace::ConstantList { .. } => None,
            };
            let width = back.form.width();
            let from = back.at + (zone as usize * back.places + place.min(back.places - 1)) * width;
            if let (Some(value), Some(places)) = (value, self.into.get_mut(from..from + width)) {
                back.form.write(value, places);
            }
        }
    }
}

impl VarPlane {
    /// Writes all words, one after the other.
    pub(super) fn write(&self, state: &State, into: &mut [f32]) {
        let (offset, len) = self.words;
        let width = self.form.width();
        let plane = into.get_mut(self.at..).unwrap_or_default();
        let values = state.vars(offset, len).iter();
        let Some(places) = &self.places else {
            for (value, places) in values.zip(plane.chunks_exact_mut(width)) {
                self.form.write(*value, places);
            }
            return;
        };
        for (value, place) in values.zip(places) {
            let from = place * width;
            if let Some(places) = plane.get_mut(from..from + width) {
                self.form.write(*value, places);
            }
        }
    }

    /// Returns where the value of a word lies in the plane.
    #[inline]
    pub(super) fn place(&self, word: usize) -> usize {
        let place = self.places.as_ref().map(|places| places.get(word));
        place.flatten().copied().unwrap_or(word)
    }
}
