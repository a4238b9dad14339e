//! The observation of a viewer, as a tensor of numbers.
//!
//! The tensor is a run of planes, each with a name and a shape, which depend on the program alone. It is written from
//! the words of the state. Every plane asks the engine what the viewer may know, exactly where a view asks: `tests`
//! compare tensors of positions that a seat cannot tell apart.

mod write;

use crate::layout::{BoardPlane, Plane, ValueForm};
use wyrmgate_engine::see::tells_places;
use wyrmgate_program::{
    BOX, Classes, FamilyInfo, FieldPlace, Program, See, Type, VAR_ACTIVE, VAR_PHASE, VAR_ROUND,
    VAR_SCORE, VAR_TURN, VarInfo, changes, kinds,
};

/// Number of places in a zone with a plane of backs of their own; later places share the last one.
const BACKS_MAX: usize = 8;

/// The tensors of a program.
#[derive(Debug, Clone)]
pub struct Observations {
    planes: Vec<Plane>,
    size: usize,
    classes: Classes,
    /// By zone; `None` for zones out of play.
    zones: Vec<Option<CountsOfZone>>,
    vars: Vec<VarPlane>,
    /// Changing fields by class.
    fields: Vec<Vec<FieldPlane>>,
    /// Backs by kind.
    backs: Vec<BackPlane>,
    at: PlaneStarts,
    can_hide: bool,
    /// By zone: how the places of its components are known.
    order: Vec<ZoneOrder>,
}

/// The numbers of components in a zone, class by class.
#[derive(Debug, Clone, Copy)]
struct CountsOfZone {
    /// The number of the first class.
    at: usize,
    /// The distance from one class to the next.
    stride: usize,
}

/// Where the planes of every game begin.
#[derive(Debug, Clone, Copy, Default)]
struct PlaneStarts {
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
enum ZoneOrder {
    Unknown,
    /// There is only one place.
    Single,
    List,
}

impl ZoneOrder {
    fn of(program: &Program, zone: i32) -> ZoneOrder {
        let info = program.zones.get(zone as usize);
        match info.filter(|_| zone > i32::from(BOX) && tells_places(program, zone)) {
            None => ZoneOrder::Unknown,
            Some(info) if info.capacity == Some(1) => ZoneOrder::Single,
            Some(_) => ZoneOrder::List,
        }
    }
}

#[derive(Debug, Clone)]
struct VarPlane {
    var: usize,
    /// Its first word and how many are shown.
    words: (u32, u32),
    at: usize,
    /// The offset of the flags for words that the viewer may know.
    known: Option<usize>,
    form: ValueForm,
    /// The place of each word's value in the plane; `None`: in order.
    places: Option<Vec<usize>>,
    of: Type,
    /// Whether every viewer sees it.
    is_open: bool,
    /// Whether its values do not refer to anything hidden either, so that they are written as they are.
    is_plain: bool,
}

#[derive(Debug, Clone)]
struct FieldPlane {
    offset: u32,
    first: u32,
    of: Type,
    form: ValueForm,
    at: usize,
    /// Copies are added up zone by zone: the distance between zones. 0: the component has places of its own.
    by_zone: usize,
}

#[derive(Debug, Clone)]
struct BackPlane {
    kind: u16,
    field: FieldPlace,
    form: ValueForm,
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
        let mut at = PlaneStarts {
            seat: planes.add("seat", vec![seats]),
            owing: planes.add("owing", vec![seats]),
            decision: planes.add("decision", vec![program.sites.len()]),
            round: planes.add("round", vec![1]),
            turn: planes.add("turn", vec![1]),
            ..PlaneStarts::default()
        };
        let vars = vars(program, can_hide, &mut planes);
        let in_zones = zones_of(program, &classes, &mut planes);
        at.counts = planes.add("counts", vec![zones]);
        if can_hide {
            at.unknown = Some(planes.add("unknown", vec![zones]));
        }
        if program.code.ops.iter().any(|op| op.turns_down()) {
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
            zones.map(|zone| ZoneOrder::of(program, zone)).collect()
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
        let form = ValueForm::of(program, of);
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
fn board_of(program: &Program, var: &VarInfo, len: usize) -> BoardPlane {
    let family = match var.index {
        Some(Type::Zone(Some(family))) => program.family(family),
        _ => None,
    };
    let is_whole = |family: &&FamilyInfo| {
        usize::from(family.count) == len && i32::from(family.first) == var.low
    };
    match family.filter(is_whole) {
        Some(family) => BoardPlane::of(program, family),
        None => BoardPlane::row(len),
    }
}

/// Adds a plane for each family: how many components of each class lie in each of its zones.
fn zones_of(
    program: &Program,
    classes: &Classes,
    planes: &mut Planes,
) -> Vec<Option<CountsOfZone>> {
    let mut rows = vec![None; program.zones.len()];
    for family in &program.families {
        let zones =
            usize::from(family.first)..usize::from(family.first) + usize::from(family.count);
        if zones.start <= usize::from(BOX) {
            continue;
        }
        let board = BoardPlane::of(program, family);
        let mut shape = vec![classes.count()];
        shape.extend(&board.shape);
        let at = planes.add(format!("zone.{}", family.name), shape);
        for (place, zone) in board.places.iter().zip(zones) {
            if let Some(row) = rows.get_mut(zone) {
                *row = Some(CountsOfZone {
                    at: at + place,
                    stride: board.size(),
                });
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
            let form = ValueForm::of(program, field.of);
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
            let form = ValueForm::of(program, field.of);
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
