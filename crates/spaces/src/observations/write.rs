//! Writes tensors: each plane from the words of the state, as far as the viewer may know them.

use super::{BACKS_MAX, Observations, Order, VarPlane};
use crate::layout::add;
use wyrmgate_engine::see::{counts, tells_places};
use wyrmgate_engine::{State, Viewer, pending, reads_back, sees_as, viewers_of_var};
use wyrmgate_program::{BOX, FieldPlace, Program, Refers, See, Type, VAR_ROUND, VAR_TURN};

impl Observations {
    /// Writes what the viewer may know.
    pub fn write(&self, program: &Program, state: &State, viewer: Viewer, into: &mut [f32]) {
        into.fill(0.0);
        self.write_course(program, state, viewer, into);
        for plane in &self.vars {
            match plane.is_plain {
                true => plane.write(state, into),
                false => self.write_var(program, state, viewer, plane, into),
            }
        }
        if !self.can_hide {
            return self.write_components(program, state, viewer, into);
        }
        for (zone, info) in (0i32..).zip(&program.zones).skip(usize::from(BOX) + 1) {
            if info.see == See::Nothing && !counts(program, state, viewer, zone) {
                continue;
            }
            self.write_zone(program, state, viewer, zone, into);
        }
    }

    fn write_course(&self, program: &Program, state: &State, viewer: Viewer, into: &mut [f32]) {
        if let Viewer::Seat(seat) = viewer {
            add(into, self.at.seat + usize::from(seat), 1.0);
        }
        for owed in pending(program, state) {
            add(into, self.at.owing + usize::from(owed.seat), 1.0);
            if viewer == Viewer::Seat(owed.seat) {
                add(into, self.at.decision + usize::from(owed.site), 1.0);
            }
        }
        add(into, self.at.round, state.built_in(VAR_ROUND).max(0) as f32);
        add(into, self.at.turn, state.built_in(VAR_TURN).max(0) as f32);
    }

    fn write_var(
        &self,
        program: &Program,
        state: &State,
        viewer: Viewer,
        plane: &VarPlane,
        into: &mut [f32],
    ) {
        let width = plane.form.width();
        let (offset, len) = plane.words;
        for word in 0..len {
            let at = plane.place(word as usize);
            if !plane.is_open {
                if !viewer.is_among(viewers_of_var(program, state, plane.var, word)) {
                    continue;
                }
                if let Some(known) = plane.known {
                    add(into, known + at, 1.0);
                }
            }
            let value = state.var(offset.saturating_add(word));
            let from = plane.at + at * width;
            if let Some(places) = into.get_mut(from..from + width)
                && self.may_know(program, state, viewer, value, plane.of)
            {
                plane.form.write(value, places);
            }
        }
    }

    /// Returns whether the viewer may know what a value refers to.
    fn may_know(
        &self,
        program: &Program,
        state: &State,
        viewer: Viewer,
        value: i32,
        of: Type,
    ) -> bool {
        if !self.can_hide || value < 0 {
            return true;
        }
        let component = match of.refers() {
            Refers::ToComponent => Some(value),
            Refers::ToZone => wyrmgate_engine::holder_of(program, value),
            Refers::ToNothing => None,
        };
        component.is_none_or(|component| sees_as(program, state, viewer, component))
    }

    /// Writes all components in play, in a game without secrets.
    fn write_components(&self, program: &Program, state: &State, viewer: Viewer, into: &mut [f32]) {
        for (component, class) in (0i32..).zip(&self.classes.of) {
            let zone = state.zone_of(component);
            if zone > i32::from(BOX) {
                add(into, self.at.counts + zone as usize, 1.0);
                let at = (zone, component, *class as usize);
                self.write_component(program, state, viewer, at, into);
            }
        }
        for (zone, _) in (0i32..)
            .zip(&self.order)
            .filter(|(_, order)| **order == Order::List)
        {
            for (place, component) in (1..).zip(state.members(zone)) {
                self.write_place(self.classes.class(component), place, into);
            }
        }
    }

    /// Writes the place of a component in a zone, unless it has copies.
    #[inline]
    fn write_place(&self, class: usize, place: usize, into: &mut [f32]) {
        let is_single = matches!(self.classes.members.get(class), Some((_, 1)));
        if let Some(order) = self.at.order.filter(|_| is_single) {
            add(into, order + class, place as f32);
        }
    }

    fn write_zone(
        &self,
        program: &Program,
        state: &State,
        viewer: Viewer,
        zone: i32,
        into: &mut [f32],
    ) {
        let count = state.zone_count(zone);
        if count == 0 || self.can_hide && !counts(program, state, viewer, zone) {
            return;
        }
        add(into, self.at.counts + zone as usize, count as f32);
        let is_list = self.order.get(zone as usize) == Some(&Order::List);
        for (place, component) in (1..).zip(state.members(zone)) {
            if self.can_hide && !sees_as(program, state, viewer, component) {
                if let Some(unknown) = self.at.unknown {
                    add(into, unknown + zone as usize, 1.0);
                }
                self.write_back(program, state, viewer, (zone, place, component), into);
                continue;
            }
            let class = self.classes.class(component);
            self.write_component(program, state, viewer, (zone, component, class), into);
            if is_list {
                self.write_place(class, place, into);
            }
        }
    }

    /// Writes what does not depend on the place in a zone.
    #[inline]
    fn write_component(
        &self,
        program: &Program,
        state: &State,
        viewer: Viewer,
        (zone, component, class): (i32, i32, usize),
        into: &mut [f32],
    ) {
        if let Some((first, stride)) = self.zones.get(zone as usize).copied().flatten() {
            add(into, first + class * stride, 1.0);
        }
        if let Some(faces) = self.at.faces.filter(|_| state.is_face_down(component)) {
            add(into, faces + class, 1.0);
        }
        if self.order.get(zone as usize) == Some(&Order::Single) {
            self.write_place(class, 1, into);
        }
        self.write_cell(state, component, into);
        self.write_fields(program, state, viewer, (zone, component, class), into);
    }

    fn write_cell(&self, state: &State, component: i32, into: &mut [f32]) {
        let Some(cells) = self.at.cells else {
            return;
        };
        let cell = state.cell_of(component);
        if cell < 0 {
            return;
        }
        let from = cells + component as usize * 4;
        if let Some(places) = into.get_mut(from..from + 4) {
            let (x, y) = wyrmgate_program::cell_xy(cell);
            let values = [1.0, x as f32, y as f32, state.turned(component) as f32];
            places.copy_from_slice(&values);
        }
    }

    fn write_fields(
        &self,
        program: &Program,
        state: &State,
        viewer: Viewer,
        (zone, component, class): (i32, i32, usize),
        into: &mut [f32],
    ) {
        for field in self.fields.get(class).map_or(&[][..], Vec::as_slice) {
            let word = (component as u32).saturating_sub(field.first);
            let value = state.var(field.offset.saturating_add(word));
            let from = field.at + zone as usize * field.by_zone;
            if let Some(places) = into.get_mut(from..from + field.form.width())
                && self.may_know(program, state, viewer, value, field.of)
            {
                field.form.write(value, places);
            }
        }
    }

    /// Writes what can be read on the back of a component that the viewer cannot identify.
    fn write_back(
        &self,
        program: &Program,
        state: &State,
        viewer: Viewer,
        (zone, place, component): (i32, usize, i32),
        into: &mut [f32],
    ) {
        if self.backs.is_empty() || !reads_back(program, state, viewer, component) {
            return;
        }
        let kind = program
            .components
            .get(component as usize)
            .map(|info| info.kind);
        // In a hand, nobody else knows places.
        let place = if tells_places(program, zone) {
            place - 1
        } else {
            BACKS_MAX
        };
        for back in self.backs.iter().filter(|back| Some(back.kind) == kind) {
            let value = match back.field {
                FieldPlace::Constant(table) => {
                    let table = program.tables.get(table as usize);
                    table
                        .and_then(|table| table.get(component as usize))
                        .copied()
                }
                FieldPlace::Changing { offset, first } => {
                    let word = (component as u32).saturating_sub(first);
                    Some(state.var(offset.saturating_add(word)))
                }
                FieldPlace::ConstantList { .. } => None,
            };
            let width = back.form.width();
            let from = back.at + (zone as usize * back.places + place.min(back.places - 1)) * width;
            if let (Some(value), Some(places)) = (value, into.get_mut(from..from + width)) {
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
