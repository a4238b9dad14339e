//! The observation of a viewer, as a tensor of numbers.
//!
//! The tensor is a run of planes, each with a name and a shape, which depend on the program alone. It is written from
//! the words of the state. Every plane asks the engine what the viewer may know, exactly where a view asks: `tests`
//! compare tensors of positions that a seat cannot tell apart.

use crate::layout::{Board, Form, Plane, add};
use wyrmgate_engine::see::{counts, tells_places};
use wyrmgate_engine::{State, Viewer, pending, reads_back, sees_as, viewers_of_var};
use wyrmgate_program::{
    BOX, Classes, FamilyInfo, FieldPlace, Program, See, Type, VAR_ACTIVE, VAR_PHASE, VAR_ROUND,
    VAR_SCORE, VAR_TURN, VarInfo, changes, kinds,
};

/// The places of hidden components in a zone that are told apart by their backs; later ones share the last.
const BACKS_MAX: usize = 8;

/// The tensors of a program.
#[derive(Debug, Clone)]
pub struct Observations {
    planes: Vec<Plane>,
    size: usize,
    classes: Classes,
    /// By zone: where its counts by class begin, and the distance from one class to the next. `None`: out of play.
    zones: Vec<Option<(usize, usize)>>,
    vars: Vec<VarPlane>,
    /// Changing fields by class.
    fields: Vec<Vec<FieldPlane>>,
    /// Backs by kind.
    backs: Vec<BackPlane>,
    at: Places,
    can_hide: bool,
    /// By zone: how the places of its components are known.
    order: Vec<Order>,
}

/// Where the planes of every game begin.
#[derive(Debug, Clone, Copy, Default)]
struct Places {
    seat: usize,
    owing: usize,
    decision: usize,
    round: usize,
    turn: usize,
    counts: usize,
    unknown: Option<usize>,
    faces: Option<usize>,
    order: Option<usize>,
    cells: Option<usize>,
}

/// How the places of the components of a zone are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Order {
    Unknown,
    /// There is only one place.
    Single,
    List,
}

impl Order {
    fn of(program: &Program, zone: i32) -> Order {
        let info = program.zones.get(zone as usize);
        match info.filter(|_| zone > i32::from(BOX) && tells_places(program, zone)) {
            None => Order::Unknown,
            Some(info) if info.capacity == Some(1) => Order::Single,
            Some(_) => Order::List,
        }
    }
}

#[derive(Debug, Clone)]
struct VarPlane {
    var: usize,
    /// Its first word and how many are shown.
    words: (u32, u32),
    at: usize,
    /// Where it is noted whether the viewer may know a word.
    known: Option<usize>,
    form: Form,
    /// Where the values lie in the plane, one for each word; `None`: in their order.
    places: Option<Vec<usize>>,
    of: Type,
    /// Whether everybody sees it, whoever looks.
    is_open: bool,
    /// Whether its values do not refer to anything hidden either, so that they are written as they are.
    is_plain: bool,
}

#[derive(Debug, Clone)]
struct FieldPlane {
    offset: u32,
    first: u32,
    of: Type,
    form: Form,
    at: usize,
    /// Copies are added up zone by zone: the distance between zones. 0: the component has places of its own.
    by_zone: usize,
}

#[derive(Debug, Clone)]
struct BackPlane {
    kind: u16,
    field: FieldPlace,
    form: Form,
    at: usize,
    places: usize,
}

/// Collects planes one after the other.
struct Planes {
    planes: Vec<Plane>,
    size: usize,
}

impl Planes {
    fn add(&mut self, name: impl Into<String>, shape: Vec<usize>) -> usize {
        let at = self.size;
        let plane = Plane {
            name: name.into(),
            shape,
            at,
        };
        self.size += plane.size();
        if plane.size() > 0 {
            self.planes.push(plane);
        }
        at
    }
}

impl Observations {
    pub fn new(program: &Program) -> Observations {
        Observations::with(program, program.can_hide())
    }

    /// Returns tensors that are written as if something could be hidden: for comparisons.
    pub fn cautious(program: &Program) -> Observations {
        Observations::with(program, true)
    }

    fn with(program: &Program, can_hide: bool) -> Observations {
        let mut planes = Planes {
            planes: Vec::new(),
            size: 0,
        };
        let (seats, zones) = (program.seats, program.zones.len());
        let classes = Classes::of(program);
        let mut at = Places {
            seat: planes.add("seat", vec![seats]),
            owing: planes.add("owing", vec![seats]),
            decision: planes.add("decision", vec![program.sites.len()]),
            round: planes.add("round", vec![1]),
            turn: planes.add("turn", vec![1]),
            ..Places::default()
        };
        let vars = vars(program, can_hide, &mut planes);
        let in_zones = zones_of(program, &classes, &mut planes);
        at.counts = planes.add("counts", vec![zones]);
        if can_hide {
            at.unknown = Some(planes.add("unknown", vec![zones]));
        }
        if program.code.iter().any(|op| op.turns_down()) {
            at.faces = Some(planes.add("face-down", vec![classes.count()]));
        }
        let is_ordered = |zone: usize| {
            let capacity = program.zones.get(zone).and_then(|info| info.capacity);
            tells_places(program, zone as i32) && capacity != Some(1)
        };
        let has_single = classes.members.iter().any(|(_, count)| *count == 1);
        if has_single && (usize::from(BOX) + 1..zones).any(is_ordered) {
            at.order = Some(planes.add("places", vec![classes.count()]));
        }
        if program.families.iter().any(|family| family.open_grid) {
            at.cells = Some(planes.add("cells", vec![program.components.len(), 4]));
        }
        let fields = fields(program, &classes, &mut planes);
        let backs = match can_hide {
            true => backs(program, &mut planes),
            false => Vec::new(),
        };
        let order = at.order.map_or_else(Vec::new, |_| {
            let zones = 0..zones as i32;
            zones.map(|zone| Order::of(program, zone)).collect()
        });
        Observations {
            planes: planes.planes,
            size: planes.size,
            classes,
            zones: in_zones,
            vars,
            fields,
            backs,
            at,
            can_hide,
            order,
        }
    }

    /// Returns the planes, in the order of the tensor.
    pub fn planes(&self) -> &[Plane] {
        &self.planes
    }

    /// Returns how many numbers a tensor has.
    pub fn size(&self) -> usize {
        self.size
    }

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
        let component = match of {
            Type::Component(_) => Some(value),
            Type::Zone(_) => wyrmgate_engine::holder_of(program, value),
            Type::Int
            | Type::Bool
            | Type::Seat
            | Type::Enum(_)
            | Type::Cell
            | Type::Side
            | Type::Row(_)
            | Type::Record(_) => None,
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
    fn write(&self, state: &State, into: &mut [f32]) {
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
    fn place(&self, word: usize) -> usize {
        let place = self.places.as_ref().map(|places| places.get(word));
        place.flatten().copied().unwrap_or(word)
    }
}

fn vars(program: &Program, can_hide: bool, planes: &mut Planes) -> Vec<VarPlane> {
    let counted = [VAR_ROUND, VAR_TURN].map(usize::from);
    let shown = program.vars.iter().enumerate().filter(|(number, var)| {
        let is_phase = *number == usize::from(VAR_PHASE) && !matches!(var.of, Type::Enum(_));
        !var.internal && !counted.contains(number) && !is_phase && var.len > 0
    });
    let shown = shown.map(|(number, var)| {
        let built_in = [
            (VAR_ACTIVE, "active"),
            (VAR_PHASE, "phase"),
            (VAR_SCORE, "score"),
        ];
        let built_in = built_in.iter().find(|(var, _)| usize::from(*var) == number);
        let is_seat = number == usize::from(VAR_ACTIVE);
        let of = if is_seat { Type::Seat } else { var.of };
        let form = Form::of(program, of);
        let refers = match var.index {
            Some(Type::Component(_)) => true,
            Some(Type::Zone(_)) => program.zones.iter().any(|zone| zone.inside.is_some()),
            _ => false,
        };
        let is_open = built_in.is_some() || var.see == See::All && !refers;
        let name = built_in.map_or_else(
            || format!("var.{}", var.name),
            |(_, name)| (*name).to_owned(),
        );
        let len = match number == usize::from(VAR_SCORE) {
            true => (var.len as usize).min(program.seats),
            false => var.len as usize,
        };
        let board = board_of(program, var, len);
        let shape = [&board.shape[..], &[form.width()]].concat();
        let at = planes.add(name.clone(), shape);
        let known = (!is_open).then(|| planes.add(format!("{name}.known"), board.shape.clone()));
        let is_in_order = board.places.iter().copied().eq(0..len);
        let is_hideable = can_hide && matches!(of, Type::Component(_) | Type::Zone(_));
        VarPlane {
            var: number,
            words: (var.offset, len as u32),
            at,
            known,
            form,
            places: (!is_in_order).then_some(board.places),
            of,
            is_open,
            is_plain: is_open && !is_hideable,
        }
    });
    shown.collect()
}

/// Returns the board of a variable with a value for each space; the values of others lie one after the other.
fn board_of(program: &Program, var: &VarInfo, len: usize) -> Board {
    let family = match var.index {
        Some(Type::Zone(Some(family))) => program.families.get(usize::from(family)),
        _ => None,
    };
    let is_whole = |family: &&FamilyInfo| {
        usize::from(family.count) == len && i32::from(family.first) == var.low
    };
    match family.filter(is_whole) {
        Some(family) => Board::of(program, family),
        None => Board::row(len),
    }
}

/// Adds a plane for each family: how many components of each class lie in each of its zones.
fn zones_of(
    program: &Program,
    classes: &Classes,
    planes: &mut Planes,
) -> Vec<Option<(usize, usize)>> {
    let mut rows = vec![None; program.zones.len()];
    for family in &program.families {
        let zones =
            usize::from(family.first)..usize::from(family.first) + usize::from(family.count);
        if zones.start <= usize::from(BOX) {
            continue;
        }
        let board = Board::of(program, family);
        let mut shape = vec![classes.count()];
        shape.extend(&board.shape);
        let at = planes.add(format!("zone.{}", family.name), shape);
        for (place, zone) in board.places.iter().zip(zones) {
            if let Some(row) = rows.get_mut(zone) {
                *row = Some((at + place, board.size()));
            }
        }
    }
    rows
}

fn fields(program: &Program, classes: &Classes, planes: &mut Planes) -> Vec<Vec<FieldPlane>> {
    let mut by_class = vec![Vec::new(); classes.count()];
    for (number, kind) in kinds(program) {
        for field in kind.fields.iter().filter(|field| changes(field.at)) {
            let FieldPlace::Changing { offset, first } = field.at else {
                continue;
            };
            let form = Form::of(program, field.of);
            let of_kind = classes
                .members
                .iter()
                .enumerate()
                .filter(|(_, (first, _))| {
                    program
                        .components
                        .get(*first as usize)
                        .is_some_and(|info| info.kind == number)
                });
            let of_kind: Vec<(usize, u32)> =
                of_kind.map(|(class, (_, count))| (class, *count)).collect();
            let has_copies = of_kind.iter().any(|(_, count)| *count > 1);
            let zones = if has_copies { program.zones.len() } else { 1 };
            let shape = match has_copies {
                true => vec![of_kind.len(), zones, form.width()],
                false => vec![of_kind.len(), form.width()],
            };
            let at = planes.add(format!("field.{}.{}", kind.name, field.name), shape);
            for (row, (class, _)) in of_kind.into_iter().enumerate() {
                if let Some(fields) = by_class.get_mut(class) {
                    fields.push(FieldPlane {
                        offset,
                        first,
                        of: field.of,
                        form,
                        at: at + row * zones * form.width(),
                        by_zone: if has_copies { form.width() } else { 0 },
                    });
                }
            }
        }
    }
    by_class
}

fn backs(program: &Program, planes: &mut Planes) -> Vec<BackPlane> {
    let mut backs = Vec::new();
    for (number, kind) in kinds(program) {
        let lists = |at| matches!(at, FieldPlace::ConstantList { .. });
        for field in kind
            .fields
            .iter()
            .filter(|field| field.on_back && !lists(field.at))
        {
            let form = Form::of(program, field.of);
            let places = (kind.count as usize).clamp(1, BACKS_MAX);
            let shape = vec![program.zones.len(), places, form.width()];
            let at = planes.add(format!("back.{}.{}", kind.name, field.name), shape);
            backs.push(BackPlane {
                kind: number,
                field: field.at,
                form,
                at,
                places,
            });
        }
    }
    backs
}
