//! The planes of a tensor: their names, shapes and places.

use serde::Serialize;
use wyrmgate_program::{FamilyInfo, NONE, Program, Type};

use crate::domain::span_of;

/// The largest type whose values have a place each; larger ones are one number.
const PLACES_MAX: usize = 64;

/// A board that has fewer than one zone for this many combinations of its keys is laid out as a plain list of zones, so
/// that tensors stay small.
const SPARSE_MAX: usize = 4;

/// A part of a tensor with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Plane {
    pub name: String,
    pub shape: Vec<usize>,
    /// Its offset in the tensor.
    pub at: usize,
}

impl Plane {
    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }
}

/// How a value is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ValueForm {
    /// The plain number.
    Number,
    /// 1 at the place of the value, counted from the first one.
    OneOf { first: i32, count: usize },
    /// A cell: both coordinates.
    Cell,
}

impl ValueForm {
    pub fn of(program: &Program, of: Type) -> ValueForm {
        match (of, span_of(program, of)) {
            (Type::Cell, _) => ValueForm::Cell,
            (Type::Bool, _) | (_, None) => ValueForm::Number,
            (_, Some((first, count))) => match count as usize {
                count @ 1..=PLACES_MAX => ValueForm::OneOf { first, count },
                _ => ValueForm::Number,
            },
        }
    }

    pub fn width(self) -> usize {
        match self {
            ValueForm::Number => 1,
            ValueForm::OneOf { count, .. } => count,
            ValueForm::Cell => 2,
        }
    }

    /// Adds a value to its places.
    #[inline]
    pub fn write(self, value: i32, into: &mut [f32]) {
        match self {
            ValueForm::Number => add(into, 0, value as f32),
            ValueForm::OneOf { first, count } => {
                let at = value.wrapping_sub(first) as usize;
                if at < count {
                    add(into, at, 1.0);
                }
            }
            ValueForm::Cell if value >= 0 => {
                let (x, y) = wyrmgate_program::cell_xy(value);
                add(into, 0, x as f32);
                add(into, 1, y as f32);
            }
            ValueForm::Cell => {}
        }
    }
}

#[inline]
pub fn add(into: &mut [f32], at: usize, value: f32) {
    if let Some(place) = into.get_mut(at) {
        *place += value;
    }
}

/// The places of the zones of a family in a plane: those of its keys. Combinations of keys without a zone stay zero, so a
/// board of any outline is a plane in the shape of the rectangle around it.
pub struct BoardPlane {
    pub shape: Vec<usize>,
    /// By the number of a zone in its family.
    pub places: Vec<usize>,
}

impl BoardPlane {
    pub fn of(program: &Program, family: &FamilyInfo) -> BoardPlane {
        let mut keys: Vec<(u16, usize)> = family
            .keys
            .iter()
            .map(|key| (key.stride, key.values.len()))
            .collect();
        keys.sort_by_key(|(stride, _)| std::cmp::Reverse(*stride));
        let shape: Vec<usize> = keys.iter().map(|(_, length)| *length).collect();
        let count = usize::from(family.count);
        let size = shape.iter().product::<usize>();
        let table = family
            .places
            .and_then(|table| program.tables.get(table as usize));
        match table {
            _ if shape.is_empty() || size > SPARSE_MAX * count => BoardPlane::row(count),
            None if size == count => BoardPlane {
                shape,
                places: (0..count).collect(),
            },
            None => BoardPlane::row(count),
            Some(zones) => {
                let present = zones.iter().enumerate().filter(|(_, zone)| **zone != NONE);
                BoardPlane {
                    shape,
                    places: present.map(|(place, _)| place).collect(),
                }
            }
        }
    }

    /// Returns the shape of zones in a row.
    pub fn row(count: usize) -> BoardPlane {
        BoardPlane {
            shape: vec![count],
            places: (0..count).collect(),
        }
    }

    pub fn size(&self) -> usize {
        self.shape.iter().product()
    }
}
