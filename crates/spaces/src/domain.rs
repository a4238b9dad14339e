//! The values that a name of a choice can take, as numbers from 0.

use serde::Serialize;

use wyrmgate_engine::see::by_what_is_known;
use wyrmgate_engine::{State, Viewer, sees};
use wyrmgate_program::{
    BOX, BinderInfo, ExtremeKey, KeyedList, ListUpTo, MemberTest, NONE, Program, Refers, Set,
    SetId, SortedList, Temp, Type, cell, cell_xy, range_of_members,
};

/// Maximum number of values of a number that get actions of their own.
const NUMBERS_MAX: u32 = 1 << 20;

/// The numbers that count if the rules state no bounds.
const OPEN: (i32, i32) = (-128, 1_023);

/// The letters that count: those of Latin alphabets.
const LETTERS: (i32, i32) = (0x20, 0x24f);

/// A position as the deciding seat looks at it.
#[derive(Clone, Copy)]
pub struct SeatPosition<'a> {
    pub program: &'a Program,
    pub state: &'a State,
    /// From 0.
    pub seat: u8,
}

/// The kind of the values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case", tag = "type")]
pub enum DomainKind {
    /// Whole numbers, both ends included. `assumed`: the rules state no bounds, and numbers outside have no number.
    Number {
        low: i64,
        high: i64,
        assumed: bool,
    },
    Boolean,
    /// A character of a text, from one to another of Unicode; others have no number.
    Letter {
        first: i64,
        last: i64,
    },
    Seat,
    /// The values of an enumeration.
    Enum {
        name: String,
    },
    /// The components of a kind, or all.
    Component {
        kind: Option<String>,
    },
    /// The zones of a family, or all.
    Zone {
        family: Option<String>,
    },
    /// The cells of an open grid, at most this far from its origin.
    Cell {
        reach: u32,
    },
    Side,
}

/// The values that a name can take.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NameDomain {
    #[serde(flatten)]
    pub values: DomainKind,
    /// How many numbers they take.
    pub size: u64,
    #[serde(skip)]
    of: Type,
    #[serde(skip)]
    first: i32,
    #[serde(skip)]
    count: u32,
    /// Whether `none` is a value.
    pub or_none: bool,
    /// Zones in which the seat may choose among components that it cannot identify: by their zone, and their rank among
    /// the hidden ones there.
    #[serde(skip)]
    hiding: Vec<u16>,
    #[serde(skip)]
    ranks: u32,
}

impl NameDomain {
    /// Returns the domain of a name. `before` has the ranges of earlier names.
    pub fn of(program: &Program, binder: &BinderInfo, before: &[(Temp, i32, i32)]) -> NameDomain {
        let (values, first, count) = values_of(program, binder, before);
        let is_component = matches!(binder.of, Type::Component(_));
        let inside = matches!(binder.of, Type::Zone(_))
            && (first..first.saturating_add(count as i32)).any(|zone| {
                program
                    .zone_info(zone)
                    .is_some_and(|info| info.inside.is_some())
            });
        let hiding = match is_component || inside {
            true => hiding_zones(program),
            false => Vec::new(),
        };
        let ranks = match hiding.is_empty() {
            true => 0,
            false if is_component => count,
            false => program.components.len() as u32,
        };
        let or_none = may_be_none(program, binder.domain, 0) && refers(binder.of);
        let size = u64::from(count) + u64::from(or_none) + hiding.len() as u64 * u64::from(ranks);
        NameDomain {
            values,
            size,
            of: binder.of,
            first,
            count,
            or_none,
            hiding,
            ranks,
        }
    }

    /// Returns the range of the values, for names that come after.
    pub fn range(&self) -> Option<(i32, i32)> {
        let is_cell = matches!(self.values, DomainKind::Cell { .. });
        let last = self
            .first
            .checked_add_unsigned(self.count)?
            .checked_sub(1)?;
        (!is_cell).then_some((self.first, last))
    }

    /// Returns whether no value can be hidden, so that its number is known without a position.
    pub fn is_open(&self) -> bool {
        self.hiding.is_empty()
    }

    /// Returns the number of a value that is not hidden; `None` if it has none.
    #[inline]
    pub fn number_of(&self, value: i32) -> Option<u32> {
        if let DomainKind::Cell { reach } = self.values {
            let (x, y) = cell_xy(value);
            let (reach, side) = (reach as i32, 2 * reach + 1);
            let (x, y) = (x.checked_add(reach)?, y.checked_add(reach)?);
            let (x, y) = (u32::try_from(x).ok()?, u32::try_from(y).ok()?);
            return (x < side && y < side).then_some(x * side + y);
        }
        if value == NONE && self.or_none {
            return Some(self.count);
        }
        let at = u32::try_from(i64::from(value) - i64::from(self.first)).ok()?;
        (at < self.count).then_some(at)
    }

    /// Returns the number of a value as the seat knows it.
    pub fn number(&self, look: SeatPosition<'_>, value: i32) -> Option<u32> {
        if self.is_open() {
            return self.number_of(value);
        }
        let viewer = Viewer::Seat(look.seat);
        let (is_hidden, zone, _) =
            by_what_is_known(look.program, look.state, viewer, value, self.of);
        if !is_hidden {
            return self.number_of(value);
        }
        let component = match self.of.refers() {
            Refers::ToZone => wyrmgate_engine::holder_of(look.program, value)?,
            Refers::ToComponent | Refers::ToNothing => value,
        };
        let rank = self.rank_of(look, zone, component)?;
        let zone = u16::try_from(zone).ok()?;
        let at = self.hiding.iter().position(|hiding| *hiding == zone)?;
        let known = self.count + u32::from(self.or_none);
        Some(known + at as u32 * self.ranks + rank)
    }

    /// Returns how many components before this one in its zone the seat cannot identify either.
    fn rank_of(&self, look: SeatPosition<'_>, zone: i32, component: i32) -> Option<u32> {
        let members = look.state.members(zone);
        let mut hidden = members.filter(|other| !sees(look.program, look.state, look.seat, *other));
        let rank = hidden.position(|other| other == component)?;
        u32::try_from(rank).ok().filter(|rank| *rank < self.ranks)
    }

    /// Returns a value by its number, in words; for those that the seat cannot identify, the zone and the rank.
    pub fn describe(&self, program: &Program, number: u32) -> String {
        let known = self.count + u32::from(self.or_none);
        if let Some(at) = number.checked_sub(known) {
            let (zone, rank) = (at / self.ranks.max(1), at % self.ranks.max(1));
            let zone = self.hiding.get(zone as usize).copied().unwrap_or(BOX);
            return format!(
                "{}#{}",
                name(program, i32::from(zone), Type::Zone(None)),
                rank + 1
            );
        }
        if number == self.count {
            return "none".to_owned();
        }
        let value = if let DomainKind::Cell { reach } = self.values {
            let side = 2 * reach + 1;
            let at = |part: u32| part as i32 - reach as i32;
            cell(at(number / side), at(number % side))
        } else {
            self.first.saturating_add(number as i32)
        };
        name(program, value, self.of)
    }
}

/// Returns the public name of a value: the names of all components and zones are known to all.
pub(crate) fn name(program: &Program, value: i32, of: Type) -> String {
    let at = usize::try_from(value).unwrap_or(usize::MAX);
    let named = match of.refers() {
        Refers::ToComponent => program.component_names().nth(at),
        Refers::ToZone => program.zone_names().nth(at),
        Refers::ToNothing => None,
    };
    match named {
        Some(name) => name.to_owned(),
        None => wyrmgate_view::name_of_value(program, Viewer::Public, value, of).into_owned(),
    }
}

fn refers(of: Type) -> bool {
    !matches!(
        of,
        Type::Int
            | Type::Bool
            | Type::Row(_)
            | Type::Record(_)
            | Type::Amounts(_)
            | Type::Cell
            | Type::Letter
    )
}

/// Returns the values, the first of them, and how many follow one another.
fn values_of(
    program: &Program,
    binder: &BinderInfo,
    before: &[(Temp, i32, i32)],
) -> (DomainKind, i32, u32) {
    let values = match binder.of {
        Type::Int | Type::Row(_) | Type::Record(_) | Type::Amounts(_) => {
            let known = range_of_members(program, binder.domain, before);
            let known = known.filter(|(low, high)| low.abs_diff(*high) < NUMBERS_MAX);
            let (low, high) = known.unwrap_or(OPEN);
            let values = DomainKind::Number {
                low: low.into(),
                high: high.into(),
                assumed: known.is_none(),
            };
            return (values, low, low.abs_diff(high) + 1);
        }
        Type::Cell => {
            // A grid grows by one cell with each component.
            let reach = program.components.len() as u32;
            let side = 2 * reach + 1;
            return (DomainKind::Cell { reach }, 0, side.saturating_mul(side));
        }
        Type::Letter => {
            let (first, last) = LETTERS;
            let values = DomainKind::Letter {
                first: first.into(),
                last: last.into(),
            };
            return (values, first, first.abs_diff(last) + 1);
        }
        Type::Bool => DomainKind::Boolean,
        Type::Seat => DomainKind::Seat,
        Type::Side => DomainKind::Side,
        Type::Enum(number) => {
            let info = program.enums.get(usize::from(number));
            let name = info.map_or_else(String::new, |info| info.name.clone());
            DomainKind::Enum { name }
        }
        Type::Component(kind) => {
            let info = kind.and_then(|kind| program.kind(kind));
            let kind = info.map(|info| info.name.clone());
            DomainKind::Component { kind }
        }
        Type::Zone(family) => {
            let info = family.and_then(|family| program.family(family));
            let family = info.map(|info| info.name.clone());
            DomainKind::Zone { family }
        }
    };
    let (first, count) = span_of(program, binder.of).unwrap_or_default();
    (values, first, count)
}

/// Returns the first value of a type, and how many follow one another; `None` for numbers and cells.
pub(crate) fn span_of(program: &Program, of: Type) -> Option<(i32, u32)> {
    let all = |length: usize| (0, length as u32);
    Some(match of {
        Type::Int
        | Type::Row(_)
        | Type::Record(_)
        | Type::Amounts(_)
        | Type::Cell
        | Type::Letter => return None,
        Type::Bool => all(2),
        Type::Seat => all(program.seats),
        Type::Side => all(program.identity.cells.sides().len()),
        Type::Enum(number) => {
            let info = program.enums.get(usize::from(number));
            all(info.map_or(0, |info| info.values.len()))
        }
        Type::Component(kind) => match kind.and_then(|kind| program.kind(kind)) {
            Some(info) => (info.first as i32, info.count),
            None => all(program.components.len()),
        },
        Type::Zone(family) => match family.and_then(|family| program.family(family)) {
            Some(info) => (i32::from(info.first), u32::from(info.count)),
            None => all(program.zones.len()),
        },
    })
}

/// Returns the zones whose components somebody cannot identify at some time.
fn hiding_zones(program: &Program) -> Vec<u16> {
    if !program.can_hide() {
        return Vec::new();
    }
    let turns_down = program.code.ops.iter().any(|op| op.turns_down());
    let zones = (0u16..).zip(&program.zones).skip(usize::from(BOX) + 1);
    let hiding = zones.filter(|(_, info)| {
        turns_down || info.see != wyrmgate_program::See::All || info.inside.is_some()
    });
    hiding.map(|(zone, _)| zone).collect()
}

/// Returns whether a list can contain `none`, as far as it is looked into.
fn may_be_none(program: &Program, set: SetId, depth: u32) -> bool {
    let of = |set| depth > 32 || may_be_none(program, set, depth + 1);
    match program.sets.get(set as usize) {
        Some(
            Set::Empty
            | Set::Zone(_)
            | Set::Range(..)
            | Set::SeatsFrom(_)
            | Set::Others(_)
            | Set::PhysicalOrder(_)
            | Set::FreeCells(_)
            | Set::TakenCells(_)
            | Set::Bits(_),
        ) => false,
        Some(
            Set::Where(MemberTest { of: inner, .. })
            | Set::Sorted(SortedList { of: inner, .. })
            | Set::With(ExtremeKey { of: inner, .. })
            | Set::Minus(inner, _)
            | Set::Reversed(inner)
            | Set::UpTo(ListUpTo { of: inner, .. })
            | Set::Take(inner, _)
            | Set::Unique(inner),
        ) => of(*inner),
        Some(Set::Concat(one, other) | Set::If(_, one, other)) => of(*one) || of(*other),
        Some(Set::Joined { list, .. }) => of(*list),
        Some(Set::Keyed(KeyedList { members: table, .. }) | Set::Table(table)) => {
            let table = program.tables.get(*table as usize);
            table.is_none_or(|table| table.contains(&NONE))
        }
        _ => true,
    }
}
