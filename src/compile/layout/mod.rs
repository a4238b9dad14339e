//! Lays out what exists: enums, constants, zones, components, variables — numbers for names, offsets for values.

mod components;
mod fields;
mod variables;
mod zones;

use super::builder::Builder;
use super::setup::Setup;
use crate::check::constant::Constant;
use crate::check::eval::{Evaluator, Keys};
use crate::check::world::*;
use crate::diagnostic::{Diagnostic, Report};
use crate::lang::ast::{Expr, Name};
use crate::lang::definition::*;
use crate::program::*;

/// Limits of what a game may contain; each has its diagnostic.
pub const ZONES_MAX: usize = 2_048;
pub const COMPONENTS_MAX: usize = 4_096;
pub const VAR_WORDS_MAX: usize = 16_384;

/// Fills the world and the declaring half of the program.
pub struct Layout<'a> {
    pub def: &'a Definition,
    pub setup: &'a Setup,
    pub world: World,
    pub b: Builder,
    pub report: &'a mut Report,
    words: u32,
}

impl<'a> Layout<'a> {
    pub fn new(def: &'a Definition, setup: &'a Setup, report: &'a mut Report) -> Self {
        let world = World::new(setup.seats);
        let mut b = Builder::default();
        b.program.seats = setup.seats;
        b.program.game = def.name.text.clone();
        b.program.bound = def.bound.map_or(DEFAULT_BOUND, |(bound, _)| bound);
        b.program.texts = Texts {
            title: localised(&def.title),
            about: localised(&def.about),
        };
        Layout {
            def,
            setup,
            world,
            b,
            report,
            words: 0,
        }
    }

    /// Everything but what the texts of `see` and effects mean.
    pub fn run(&mut self) {
        self.clauses();
        self.enums();
        self.options();
        self.data();
        self.zones();
        self.components();
        self.variables();
    }

    fn eval(&mut self, expr: &Expr, keys: &Keys, wanted: Option<Type>) -> Constant {
        Evaluator {
            world: &self.world,
            report: self.report,
        }
        .eval(expr, keys, wanted)
    }

    fn clauses(&mut self) {
        for clause in &self.def.clauses {
            let id = clause.id.text.clone();
            self.b.program.clauses.push(ClauseInfo {
                id,
                text: localised(&clause.text),
            });
        }
    }

    // ---- types, options, data

    fn enums(&mut self) {
        // enum 0 collects the names of phases as they are met
        self.add_enum("phase", Vec::new(), Vec::new());
        for decl in &self.def.types {
            let values = decl.values.iter().map(|v| v.text.clone()).collect();
            let titles = decl.titles.iter().map(localised).collect();
            let id = self.add_enum(&decl.name.text, values, titles);
            self.world
                .declare(&decl.name, Symbol::Enum(id), self.report);
        }
    }

    fn add_enum(&mut self, name: &str, values: Vec<String>, titles: Vec<Localised>) -> EnumId {
        self.world.enums.push(EnumDecl {
            name: name.into(),
            values: values.clone(),
        });
        self.b.program.enums.push(EnumInfo {
            name: name.into(),
            values,
            titles,
        });
        self.world.enums.len() as EnumId - 1
    }

    fn options(&mut self) {
        for option in &self.def.options {
            let of = match &option.of {
                OptionType::Bool => Type::Bool,
                OptionType::Range { .. } => Type::Int,
                OptionType::OneOf(values) => {
                    let values = values.iter().map(|v| v.text.clone()).collect();
                    Type::Enum(self.add_enum(&option.name.text, values, Vec::new()))
                }
            };
            let default = self.eval(&option.default, &Vec::new(), Some(of));
            let value = self
                .setup
                .options
                .get(&option.name.text)
                .copied()
                .unwrap_or(default.value());
            self.world
                .declare(&option.name, Symbol::Constant, self.report);
            self.world
                .constants
                .insert(option.name.text.clone(), Constant::One(Some(of), value));
            self.b.program.options.push(OptionInfo {
                name: option.name.text.clone(),
                value,
            });
        }
    }

    fn data(&mut self) {
        for data in &self.def.data {
            let value = self.eval(&data.value, &Vec::new(), None);
            self.world
                .declare(&data.name, Symbol::Constant, self.report);
            self.world.constants.insert(data.name.text.clone(), value);
        }
    }

    // ---- for all of them

    fn key_domains(&mut self, each: &[(Name, Expr)]) -> Vec<KeyDecl> {
        let mut keys = Vec::new();
        for (name, domain) in each {
            let values = self.eval(domain, &Vec::new(), None);
            let of = values.of().unwrap_or(Type::Int);
            keys.push(KeyDecl {
                name: name.text.clone(),
                of,
                values: values.values(),
            });
        }
        keys
    }

    fn limit(&mut self, name: &Name, what: &str, max: usize) {
        self.report.push(Diagnostic::error(
            "too-many",
            name.span,
            format!("a game may have at most {max} {what}"),
        ));
    }

    /// How a key's value stands in a component's or zone's name.
    fn value_name(&self, value: i32, of: Type) -> String {
        match of {
            Type::Enum(id) => {
                let values = self.world.enums.get(id as usize).map(|e| &e.values);
                values
                    .and_then(|v| v.get(value as usize))
                    .cloned()
                    .unwrap_or_default()
            }
            Type::Seat => (value + 1).to_string(),
            Type::Bool => if value == 1 { "yes" } else { "no" }.into(),
            _ => value.to_string(),
        }
    }
}

/// Games whose definition states no bound.
const DEFAULT_BOUND: u32 = 10_000;

fn on_back(defs: &[&ComponentDef], field: &str) -> bool {
    defs.iter()
        .any(|d| d.back.iter().any(|name| name.text == field))
}

fn scope_of(keys: &[KeyDecl], values: &[i32]) -> Keys {
    let pairs = keys.iter().zip(values);
    pairs
        .map(|(key, value)| (key.name.clone(), Constant::One(Some(key.of), *value)))
        .collect()
}

/// The values of the keys for the `place`-th combination; the last key changes fastest.
fn combination(keys: &[KeyDecl], mut place: usize) -> Vec<i32> {
    let mut values = vec![NONE; keys.len()];
    for (slot, key) in values.iter_mut().zip(keys).rev() {
        let size = key.values.len().max(1);
        *slot = key.values.get(place % size).copied().unwrap_or(NONE);
        place /= size;
    }
    values
}

pub fn localised(text: &LocalText) -> Localised {
    text.by_language.clone()
}
