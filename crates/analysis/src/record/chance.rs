//! The results of chance, operation by operation, in a form that can be verified with the seed alone.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::RECORDER;
use wyrmgate_engine::{Chance, Draw, Rng, Seeded};
use wyrmgate_program::{Program, Type, ZoneId};
use wyrmgate_view::name_of_value;

/// One random operation and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Operation {
    /// Number of choices in the log before it.
    pub after: usize,
    /// Number of random operations before it, which selects its random stream.
    pub number: u32,
    pub result: Drawn,
}

/// The result of an operation. Values have the same names as in choices, and nothing is hidden.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Drawn {
    /// The components of a zone, first to last.
    Shuffle {
        zone: String,
        before: Vec<String>,
        order: Vec<String>,
    },
    /// Dice, in the order rolled.
    Roll(Vec<Rolled>),
    /// Distinct values drawn one by one from a list.
    Draw { from: Vec<Value>, drawn: Vec<Value> },
    /// The index of a choice in `0..of`.
    Choice { of: u32, number: u32 },
}

/// A die and its new side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rolled {
    pub die: String,
    pub faces: Vec<Value>,
    pub face: Value,
}

/// Draws from the seed and records the results while a game is played.
pub struct DrawRecorder<'p> {
    program: &'p Program,
    /// Number of choices so far. The caller increments it.
    pub after: usize,
    pub operations: Vec<Operation>,
}

impl<'p> DrawRecorder<'p> {
    pub fn of(program: &'p Program) -> DrawRecorder<'p> {
        DrawRecorder {
            program,
            after: 0,
            operations: Vec::new(),
        }
    }

    fn names(&self, components: &[i32]) -> Vec<String> {
        let of = Type::Component(None);
        let names = components.iter();
        names
            .map(|component| name_of_value(self.program, RECORDER, *component, of).into_owned())
            .collect()
    }

    fn values(&self, values: &[i32], of: Type) -> Vec<Value> {
        let values = values.iter();
        values
            .map(|value| value_of(self.program, *value, of))
            .collect()
    }

    fn note(&mut self, rng: &Rng, result: Drawn) {
        self.operations.push(Operation {
            after: self.after,
            number: rng.number(),
            result,
        });
    }

    /// Returns the operation that this stream has already begun.
    fn begun(&mut self, rng: &Rng) -> Option<&mut Drawn> {
        let last = self.operations.last_mut()?;
        (last.number == rng.number()).then_some(&mut last.result)
    }

    fn rolled(&mut self, rng: &Rng, rolled: Rolled) {
        match self.begun(rng) {
            Some(Drawn::Roll(dice)) => dice.push(rolled),
            _ => self.note(rng, Drawn::Roll(vec![rolled])),
        }
    }

    fn drawn(&mut self, rng: &Rng, values: &[i32], of: Type, at: usize) {
        let value = values.get(at).copied().unwrap_or(-1);
        let value = value_of(self.program, value, of);
        match self.begun(rng) {
            Some(Drawn::Draw { drawn, .. }) => drawn.push(value),
            _ => {
                let from = self.values(values, of);
                let drawn = vec![value];
                self.note(rng, Drawn::Draw { from, drawn });
            }
        }
    }
}

impl Chance for DrawRecorder<'_> {
    fn draw(&mut self, rng: &mut Rng, n: u32, what: Draw<'_>) -> u32 {
        let drawn = Seeded.draw(rng, n, what);
        let at = drawn as usize;
        match what {
            Draw::Die { die, faces, of } => {
                let die = name_of_value(
                    self.program,
                    RECORDER,
                    i32::from(die),
                    Type::Component(None),
                );
                let faces = self.values(faces, of);
                let face = faces.get(at).cloned().unwrap_or_default();
                let die = die.into_owned();
                self.rolled(rng, Rolled { die, faces, face });
            }
            Draw::Value { values, of, .. } => self.drawn(rng, values, of, at),
            Draw::Choice { .. } => self.note(
                rng,
                Drawn::Choice {
                    of: n,
                    number: drawn,
                },
            ),
            Draw::Shuffle { .. } => {} // noted as a whole
        }
        drawn
    }

    fn shuffle(&mut self, rng: &mut Rng, zone: ZoneId, order: &mut [i32]) {
        let before = self.names(order);
        Seeded.shuffle(rng, zone, order);
        let zone = name_of_value(self.program, RECORDER, i32::from(zone), Type::Zone(None));
        let result = Drawn::Shuffle {
            zone: zone.into_owned(),
            before,
            order: self.names(order),
        };
        self.note(rng, result);
    }

    fn is_honest(&self) -> bool {
        true
    }
}

fn value_of(program: &Program, value: i32, of: Type) -> Value {
    match of {
        Type::Int => value.into(),
        Type::Bool => (value > 0).into(),
        _ if value < 0 => Value::Null,
        Type::Seat => (value + 1).into(),
        _ => name_of_value(program, RECORDER, value, of)
            .into_owned()
            .into(),
    }
}
