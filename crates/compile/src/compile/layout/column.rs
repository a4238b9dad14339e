//! The values of a constant field for all holders: one value or one list each.

use hashbrown::{HashMap, HashSet};
use std::collections::BTreeSet;

use super::Layout;
use crate::compile::constants::eval::Keys;
use crate::names::constant::Constant;
use crate::names::types::{Families, Ty, default_of};
use crate::names::walk;
use wyrmgate_lang::ast::{Expr, Name};
use wyrmgate_program::*;

/// The values of a constant field for each component of a kind or zone of a family.
pub(super) struct Column {
    pub of: Type,
    /// Whether a value has this type: `[]` and `none` have none.
    pub is_typed: bool,
    list: bool,
    /// One value each, unless it is a column of lists.
    rows: Vec<Vec<i32>>,
}

/// The fields above, which a field can use by their names.
pub(super) struct Fields {
    scopes: Vec<Keys>,
    /// The scope of a holder that may not exist.
    sample: Keys,
    /// The values of each field above, and one for a holder that may not exist.
    columns: HashMap<String, (Vec<Constant>, Constant)>,
    /// The fields that have no name here yet.
    below: HashSet<String>,
}

impl Fields {
    pub fn over<'n>(
        scopes: Vec<Keys>,
        sample: Keys,
        names: impl Iterator<Item = &'n Name>,
    ) -> Fields {
        Fields {
            scopes,
            sample,
            columns: HashMap::new(),
            below: names.map(|name| name.text.clone()).collect(),
        }
    }

    fn add(&mut self, name: &Name, column: &Column) {
        self.below.remove(&name.text);
        let rows = column.rows.iter().map(|row| column.constant(row));
        let nothing = match column.list {
            true => column.constant(&[]),
            false => column.constant(&[default_of(column.of)]),
        };
        self.columns
            .insert(name.text.clone(), (rows.collect(), nothing));
    }

    /// Returns the keys of each holder, with the fields that an expression names.
    pub fn scopes_of(self, value: &Expr) -> Vec<Keys> {
        match self.scopes_for(value) {
            Some((scopes, _)) => scopes,
            None => self.scopes,
        }
    }

    /// Returns the scopes for a field: the keys, and the fields above that it names.
    fn scopes_for(&self, value: &Expr) -> Option<(Vec<Keys>, Keys)> {
        let used = walk::names(value).map(|name| name.text.as_str());
        let used: BTreeSet<&str> = used
            .filter(|name| self.columns.contains_key(*name))
            .collect();
        if used.is_empty() {
            return None;
        }
        let (mut scopes, mut sample) = (self.scopes.clone(), self.sample.clone());
        for name in used {
            let (values, nothing) = self.columns.get(name)?;
            let named = |value: &Constant| (name.into(), value.clone());
            for (scope, value) in scopes.iter_mut().zip(values) {
                scope.push(named(value));
            }
            sample.push(named(nothing));
        }
        Some((scopes, sample))
    }
}

impl Column {
    pub fn of_values(of: Type, values: impl IntoIterator<Item = i32>) -> Column {
        Column {
            of,
            is_typed: true,
            list: false,
            rows: values.into_iter().map(|value| vec![value]).collect(),
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns the value, or the list, of one holder.
    fn constant(&self, row: &[i32]) -> Constant {
        let of = Some(self.of);
        match (self.list, row) {
            (false, [value]) => Constant::One(of, *value),
            _ => Constant::list(of, row.iter().copied()),
        }
    }
}

impl Layout<'_> {
    /// Evaluates a field. Nothing is reported about the uses of a field with a mistake.
    pub(super) fn column_of(&mut self, name: &Name, value: &Expr, above: &mut Fields) -> Column {
        let problems = self.report.diagnostics.len();
        self.no_field_below(value, above);
        let column = match above.scopes_for(value) {
            Some((scopes, sample)) => self.column(value, &scopes, &sample),
            None => self.column(value, &above.scopes, &above.sample),
        };
        above.add(name, &column);
        if self.report.diagnostics.len() > problems {
            self.world.declare_failed(&name.text);
        }
        column
    }

    /// Reports the names of fields below, which this one cannot use, unless they mean something else here.
    fn no_field_below(&mut self, value: &Expr, above: &Fields) {
        for name in walk::names(value).filter(|name| above.below.contains(&name.text)) {
            let is_key = above.sample.iter().any(|(key, _)| **key == *name.text);
            let is_known = self.world.declared(&name.text).is_some();
            if is_key || is_known || !self.world.enums_with(&name.text).is_empty() {
                continue;
            }
            let message = format!("`{}` is a field below", name.text);
            let help = "move it above this field";
            self.report.error("unknown-name", name.span, message, help);
            self.world.declare_failed(&name.text);
        }
    }

    /// Evaluates a field for each of the scopes. If there are none, `sample` determines its type, because a game
    /// without the component must compile like one with it.
    fn column(&mut self, value: &Expr, scopes: &[Keys], sample: &Keys) -> Column {
        let mut known: Option<Ty> = None;
        let mut rows = Vec::new();
        for constant in self.evaluator().eval_all(value, scopes, None) {
            self.same_type(&constant, known, value);
            let first = known.unwrap_or(constant.ty());
            known = Some(Ty {
                of: first.of.or(constant.of()),
                list: first.list,
            });
            rows.push(constant.values());
        }
        let ty = match known {
            Some(ty) => ty,
            None => self.eval(value, sample, None).ty(),
        };
        Column {
            of: ty.of.unwrap_or(Type::Int),
            is_typed: ty.of.is_some(),
            list: ty.list,
            rows,
        }
    }

    /// Reports a value whose type differs from that of the field. A field is a list for all components or for none.
    fn same_type(&mut self, constant: &Constant, known: Option<Ty>, value: &Expr) {
        if self.no_lists_in(constant, value.span) {
            return;
        }
        let Some(known) = known else { return };
        if known.list != constant.ty().list || !self.world.fits(constant.of(), known.of) {
            let found = self.world.name_of(constant.ty());
            let first = self.world.name_of(known);
            let message = format!("this is {found} for some, {first} for others");
            self.report
                .error("wrong-type", value.span, message, "a field has one type");
        }
    }

    /// Creates tables for a column whose first holder has the number `first`.
    pub(super) fn new_column(&mut self, first: usize, column: &Column) -> FieldPlace {
        let place = match column.list {
            false => FieldPlace::Constant(self.b.growing_table(Vec::new())),
            true => FieldPlace::ConstantList {
                starts: self.b.growing_table(vec![0]),
                members: self.b.growing_table(Vec::new()),
            },
        };
        self.extend_column(place, first, column);
        place
    }

    /// Adds later holders to a column; those in between have no value. Returns whether it has the same form.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "the other forms have a general translation"
    )]
    pub(super) fn extend_column(
        &mut self,
        place: FieldPlace,
        first: usize,
        column: &Column,
    ) -> bool {
        match place {
            FieldPlace::Constant(table) if !column.list => {
                if let Some(table) = self.b.program.tables.get_mut(table as usize) {
                    table.resize(first, default_of(column.of));
                    table.extend(column.rows.iter().flatten());
                }
                true
            }
            FieldPlace::ConstantList { starts, members } if column.list => {
                self.extend_lists(starts, members, first, &column.rows);
                true
            }
            _ => false,
        }
    }

    fn extend_lists(&mut self, starts: TableId, members: TableId, first: usize, rows: &[Vec<i32>]) {
        let mut end = 0;
        let mut ends = Vec::new();
        if let Some(members) = self.b.program.tables.get_mut(members as usize) {
            end = members.len() as i32;
            for row in rows {
                members.extend(row);
                ends.push(members.len() as i32);
            }
        }
        if let Some(starts) = self.b.program.tables.get_mut(starts as usize) {
            starts.resize(first + 1, end);
            starts.extend(ends);
        }
    }
}
